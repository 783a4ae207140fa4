"""More ops of random programs: windows, order, control flow, linear algebra, bits and complex numbers."""

from _exact import is_tight
from _elements import BINARY, INTEGERS, REDUCERS
from _ops import Ops
from _values import MAX_ELEMENTS, Unfit, Value, count_of, type_of

# Ops that round nothing, whatever they are made of.
EXACT = ("constant", "iota")


class MoreOps(Ops):
    def op_bits(self):
        value = self.pick(lambda value: value.element in INTEGERS)
        name = self.rng.choice(["popcnt", "count_leading_zeros"])
        self.emit(value.shape, value.element, f"stablehlo.{name} {value.name} : {{type}}", ("unary", [value], name))

    def op_shift(self):
        value = self.pick(lambda value: value.element in INTEGERS)
        other = self.like(value.shape, value.element)
        name = self.rng.choice(["shift_left", "shift_right_logical", "shift_right_arithmetic"])
        self.emit(value.shape, value.element, f"stablehlo.{name} {value.name}, {other.name} : {{type}}",
                  ("binary", [value, other], name))

    def op_divide(self):
        value = self.pick(lambda value: value.element in ("i32", "ui8"))
        scalar = self.scalar(value.element, str(self.rng.choice([2, 3, 7] + [-3] * (value.element == "i32"))))
        divisor = self.emit(value.shape, value.element, f"stablehlo.broadcast_in_dim {scalar.name}, dims = [] : "
                            f"({scalar.type}) -> {{type}}", ("broadcast", [scalar], []))
        name = self.rng.choice(["divide", "remainder"])
        self.emit(value.shape, value.element, f"stablehlo.{name} {value.name}, {divisor.name} : {{type}}",
                  ("binary", [value, divisor], name))

    def op_function(self):
        value = self.pick(lambda value: value.element == "f32")
        name = self.rng.choice(["logistic", "cosine", "sine"] + ["ceil", "round_nearest_even"] * is_tight(value))
        bounded = value
        if name in ("cosine", "sine"):  # Of large numbers no two libraries agree.
            bounded = self.emit(value.shape, "f32", f"stablehlo.tanh {value.name} : {{type}}",
                                ("unary", [value], "tanh"))
        self.emit(value.shape, "f32", f"stablehlo.{name} {bounded.name} : {{type}}", ("unary", [bounded], name))

    def op_bitcast(self):
        """Of exact numbers: one bit off, the last of a sum is another integer."""
        value = self.pick(lambda value: value.element == "f32" and
                          (value.how[0] in EXACT if value.how else not self.prefix))
        self.emit(value.shape, "i32", f"stablehlo.bitcast_convert {value.name} : ({value.type}) -> {{type}}",
                  ("bitcast", [value]))

    def op_map(self):
        value = self.pick(lambda value: value.shape)
        other = self.like(value.shape, value.element)
        name = self.rng.choice(BINARY[value.element])
        self.emit(value.shape, value.element,
                  f'"stablehlo.map"({value.name}, {other.name}) <{{dimensions = array<i64: '
                  f"{', '.join(map(str, range(len(value.shape))))}>}}> ({{\n{self.body(name, value.element)}"
                  f"  }}) : ({value.type}, {value.type}) -> {{type}}", ("binary", [value, other], name))

    def body(self, name, element, result=None, kind=None):
        """Returns a block of two scalars that returns what the op `name` makes of them."""
        a, b, c = (self.fresh() for _ in range(3))
        scalar = type_of((), element)
        if name == "compare":
            out, text = "tensor<i1>", f"compare {kind}, {a}, {b} : ({scalar}, {scalar}) -> tensor<i1>"
        else:
            out, text = scalar, f"{name} {a}, {b} : {scalar}"
        return (f"  ^bb0({a}: {scalar}, {b}: {scalar}):\n    {c} = stablehlo.{text}\n"
                f"    stablehlo.return {c} : {out}\n")

    def op_reduce_window(self):
        value = self.pick(lambda value: value.shape)
        name = self.rng.choice(REDUCERS[value.element])
        init = self.scalar(value.element)
        window, strides, dilation, low, high, shape = [], [], [], [], [], []
        for size in value.shape:
            touched = self.rng.random() < 0.6
            low.append(self.rng.randint(0, 2) if touched else 0)
            high.append(self.rng.randint(0, 2) if touched else 0)
            dilation.append(self.rng.choice([1, 1, 2]) if touched else 1)
            padded = size + low[-1] + high[-1]
            window.append(self.rng.randint(1, min(4, (padded - 1) // dilation[-1] + 1)) if touched else 1)
            strides.append(self.rng.choice([1, 1, 2, 3]) if touched else 1)
            shape.append((padded - (window[-1] - 1) * dilation[-1] - 1) // strides[-1] + 1)
        if count_of(shape) > MAX_ELEMENTS:
            raise Unfit
        lists = {"window_dimensions": window, "window_strides": strides, "window_dilations": dilation}
        text = ", ".join(f"{key} = array<i64: {', '.join(map(str, each))}>" for key, each in lists.items())
        padding = ", ".join(f"[{before}, {after}]" for before, after in zip(low, high))
        self.emit(shape, value.element,
                  f'"stablehlo.reduce_window"({value.name}, {init.name}) <{{{text}, padding = dense<[{padding}]> : '
                  f"tensor<{len(low)}x2xi64>}}> ({{\n{self.body(name, value.element)}"
                  f"  }}) : ({value.type}, {init.type}) -> {{type}}",
                  ("reduce_window", [value, init], name, window, strides, dilation, low, high))

    def op_select_and_scatter(self):
        value = self.pick(lambda value: value.shape and value.element == "i32")
        window = [self.rng.randint(1, min(size, 3)) for size in value.shape]
        strides = [self.rng.randint(1, 3) for _ in value.shape]
        shape = [(size - span) // stride + 1 for size, span, stride in zip(value.shape, window, strides)]
        source, init = self.like(shape, "i32"), self.scalar("i32")
        self.emit(value.shape, "i32",
                  f'"stablehlo.select_and_scatter"({value.name}, {source.name}, {init.name}) <{{window_dimensions = '
                  f"array<i64: {', '.join(map(str, window))}>, window_strides = array<i64: "
                  f"{', '.join(map(str, strides))}>}}> ({{\n{self.body('compare', 'i32', kind='GE')}  }}, {{\n"
                  f"{self.body('add', 'i32')}  }}) : ({value.type}, {source.type}, {init.type}) -> {{type}}",
                  ("select_and_scatter", [value, source, init], window, strides))

    def op_sort(self):
        """Values, or the order of keys: a sort of two operands, where equal keys keep their places."""
        value = self.pick(lambda value: value.shape and value.element in INTEGERS)
        dim = self.rng.randrange(len(value.shape))
        if self.rng.random() < 0.5:
            kind = self.rng.choice(["LT", "GT"])
            self.emit(value.shape, value.element,
                      f'"stablehlo.sort"({value.name}) <{{dimension = {dim} : i64, is_stable = true}}> ({{\n'
                      f"{self.body('compare', value.element, kind=kind)}  }}) : ({value.type}) -> {{type}}",
                      ("sort", [value], dim, kind == "GT"))
            return
        index = self.emit(value.shape, "i32", f"stablehlo.iota dim = {dim} : {{type}}", ("iota", [], dim))
        a, b, c, d, e = (self.fresh() for _ in range(5))
        scalar = type_of((), value.element)
        first = self.fresh()
        self.lines.append(
            f'{first}:2 = "stablehlo.sort"({value.name}, {index.name}) <{{dimension = {dim} : i64, is_stable = true}}> '
            f"({{\n  ^bb0({a}: {scalar}, {b}: {scalar}, {c}: tensor<i32>, {d}: tensor<i32>):\n"
            f"    {e} = stablehlo.compare LT, {a}, {b} : ({scalar}, {scalar}) -> tensor<i1>\n"
            f"    stablehlo.return {e} : tensor<i1>\n"
            f"  }}) : ({value.type}, {index.type}) -> ({value.type}, {index.type})")
        self.values += [Value(f"{first}#0", value.shape, value.element, ("sort", [value], dim, False)),
                        Value(f"{first}#1", value.shape, "i32", ("sort_order", [value], dim))]

    def op_loop(self):
        """Adds a value a few times."""
        value = self.pick(lambda value: value.element == "i32")
        other = self.like(value.shape, "i32")
        times = self.rng.randint(0, 3)
        zero, first = self.scalar("i32", "0"), self.fresh()
        i, x, limit, p, one, j, y = (self.fresh() for _ in range(7))
        self.lines.append(
            f"{first}:2 = stablehlo.while({i} = {zero.name}, {x} = {value.name}) : tensor<i32>, {value.type}\n"
            f"  cond {{\n    {limit} = stablehlo.constant dense<{times}> : tensor<i32>\n"
            f"    {p} = stablehlo.compare LT, {i}, {limit} : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
            f"    stablehlo.return {p} : tensor<i1>\n  }} do {{\n"
            f"    {one} = stablehlo.constant dense<1> : tensor<i32>\n"
            f"    {j} = stablehlo.add {i}, {one} : tensor<i32>\n"
            f"    {y} = stablehlo.add {x}, {other.name} : {value.type}\n"
            f"    stablehlo.return {j}, {y} : tensor<i32>, {value.type}\n  }}")
        self.values.append(Value(f"{first}#1", value.shape, "i32", ("repeat_add", [value, other], times)))

    def op_branch(self):
        value = self.pick()
        other = self.like(value.shape, value.element)
        which = self.rng.random() < 0.5
        predicate = self.scalar("i1", "true" if which else "false")
        self.emit(value.shape, value.element,
                  f'"stablehlo.if"({predicate.name}) ({{\n    stablehlo.return {value.name} : {value.type}\n  }}, {{\n'
                  f"    stablehlo.return {other.name} : {value.type}\n  }}) : (tensor<i1>) -> {{type}}",
                  ("branch", [value, other], which))

    def op_fft(self):
        """Real numbers to complex ones and back to one part of them."""
        value = self.pick(lambda value: value.element == "f32" and value.shape)
        small = self.emit(value.shape, "f32", f"stablehlo.tanh {value.name} : {{type}}", ("unary", [value], "tanh"))
        other = self.emit(value.shape, "f32", f"stablehlo.negate {small.name} : {{type}}",
                          ("unary", [small], "negate"))
        both = type_of(value.shape, "complex<f32>")
        number = Value(self.fresh(), value.shape, "complex<f32>", ("complex_of", [small, other]))
        self.lines.append(f"{number.name} = stablehlo.complex {small.name}, {other.name} : {both}")
        if self.rng.random() < 0.7:
            operand, number = number, Value(self.fresh(), value.shape, "complex<f32>", ("fft", [number]))
            self.lines.append(f"{number.name} = stablehlo.fft {operand.name}, type = FFT, length = "
                              f"[{value.shape[-1]}] : ({both}) -> {both}")
        name = self.rng.choice(["real", "imag"])
        self.emit(value.shape, "f32", f"stablehlo.{name} {number.name} : ({both}) -> {{type}}",
                  ("part", [number], name))

    def op_triangular_solve(self):
        """With ones on the diagonal and small numbers below it, the numbers stay small."""
        size, columns = self.rng.randint(1, 5), self.rng.randint(1, 5)
        batch = [self.rng.randint(1, 4)] if self.rng.random() < 0.5 else []
        sides = []
        for shape in ([*batch, size, size], [*batch, size, columns]):
            value = self.like(shape, "f32")
            sides.append(self.emit(shape, "f32", f"stablehlo.tanh {value.name} : {{type}}",
                                   ("unary", [value], "tanh")))
        a, b = sides
        self.emit(b.shape, "f32",
                  f'"stablehlo.triangular_solve"({a.name}, {b.name}) <{{left_side = true, lower = true, '
                  "unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : "
                  f"({a.type}, {b.type}) -> {{type}}", ("triangular_solve", [a, b]))

    def op_cholesky(self):
        """Of a diagonal: what else is positive definite for sure?"""
        size = self.rng.randint(1, 5)
        rows = [[float(self.rng.choice([1, 4, 9])) if i == j else 0.0 for j in range(size)] for i in range(size)]
        value = self.emit([size, size], "f32", f"stablehlo.constant dense<{rows}> : {{type}}",
                          ("constant", [], str(rows)))
        self.emit(value.shape, "f32", f"stablehlo.cholesky {value.name}, lower = true : {{type}}",
                  ("cholesky", [value]))

    def op_stencil(self):
        """A value with more rows on both sides of some dims, and several cuts of that, most as large as the value."""
        value = self.pick(lambda value: value.shape)
        wide, fill = value, self.scalar(value.element)
        for dim in range(len(value.shape)):
            low, high = self.rng.choice([(1, 1), (1, 0), (0, 1), (2, 1), (0, 0)])
            if count_of(wide.shape) * 3 > MAX_ELEMENTS:
                break
            wide = self.padded(wide, fill, dim, low, high) if self.rng.random() < 0.5 else self.edged(wide, dim, low, high)
        for _ in range(self.rng.randint(1, 3)):
            parts = []
            for size, all_of in zip(value.shape, wide.shape):
                start = self.rng.randint(0, all_of - size)
                parts.append((start, start + size, 1) if self.rng.random() < 0.9 else (start, all_of, 2))
            self.sliced(wide, parts)

    def padded(self, value, fill, dim, low, high):
        lows, highs, none, shape = [[0] * len(value.shape) for _ in range(3)] + [list(value.shape)]
        lows[dim], highs[dim] = low, high
        shape[dim] += low + high
        return self.emit(shape, value.element, f"stablehlo.pad {value.name}, {fill.name}, low = {lows}, high = {highs}, "
                         f"interior = {none} : ({value.type}, {fill.type}) -> {{type}}", ("pad", [value, fill], lows, highs, none))

    def edged(self, value, dim, low, high):
        """Rows of the one edge or of the other on both sides: of the nearest, or around."""
        size, around = value.shape[dim], self.rng.random() < 0.5
        whole = [(0, each, 1) for each in value.shape]

        def rows(first, count):
            cut = self.sliced(value, whole[:dim] + [(first, first + count, 1)] + whole[dim + 1:])
            if count == 0:  # Other ops want elements.
                self.values.pop()
            return cut

        low, high = min(low, size), min(high, size)
        operands = [value]
        if low or self.rng.random() < 0.2:
            operands.insert(0, rows(size - low if around else 0, low))
        if high or self.rng.random() < 0.2:
            operands.append(rows(0 if around else size - high, high))
        shape = list(value.shape)
        shape[dim] += low + high
        return self.emit(shape, value.element,
                         f"stablehlo.concatenate {', '.join(operand.name for operand in operands)}, dim = {dim} : "
                         f"({', '.join(operand.type for operand in operands)}) -> {{type}}", ("concatenate", operands, dim))

    def sliced(self, value, parts):
        text = ", ".join(":".join(map(str, part)) for part in parts)
        return self.emit([-(-(high - low) // stride) for low, high, stride in parts], value.element,
                         f"stablehlo.slice {value.name} [{text}] : ({value.type}) -> {{type}}", ("slice", [value], parts))
