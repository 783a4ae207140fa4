"""Ops of random programs that compute functions: of StableHLO and chlo, exact or rounded, and forms that newer ops
replace."""

from _linear_ops import LinearOps
from _exact import is_tight
from _values import MAX_ELEMENTS, Unfit, Value, count_of, type_of

# Functions of numbers, by where they are finite and smooth: anywhere, between -1/2 and 1/2, from 1/2 on, from 3/2 on.
STABLEHLO = {"any": ["exponential", "exponential_minus_one", "cbrt", "logistic"], "inner": ["tan"],
             "positive": ["log", "log_plus_one", "rsqrt", "sqrt"], "above_one": []}
CHLO = {"any": ["asinh", "atan", "cosh", "sinh", "square", "erf", "erfc", "bessel_i1e"],
        "inner": ["acos", "asin", "atanh", "erf_inv", "tan"], "positive": ["digamma", "lgamma"], "above_one": ["acosh"]}
BROADCAST = {"i32": ["add", "subtract", "multiply", "maximum", "minimum", "and", "or", "xor", "shift_left",
                     "shift_right_logical", "shift_right_arithmetic"],
             "f32": ["add", "subtract", "maximum", "minimum", "multiply"]}


class FunctionOps(LinearOps):
    def floats(self):
        found = self.find(lambda value: value.element == "f32")
        return self.bounded(found or self.like(self.shape(), "f32"))

    def constant_like(self, value, number):
        """Returns `number` in the shape of a float value."""
        scalar = self.scalar("f32", str(number))
        return self.emit(value.shape, "f32", f"stablehlo.broadcast_in_dim {scalar.name}, dims = [] : ({scalar.type}) -> "
                         "{type}", ("broadcast", [scalar], []))

    def arithmetic(self, name, x, y):
        return self.emit(x.shape, x.element, f"stablehlo.{name} {x.name}, {y.name} : {{type}}", ("binary", [x, y], name))

    def within(self, value, domain):
        """Returns numbers of a domain made of those between -1 and 1."""
        if domain == "any":
            return value
        if domain == "inner":
            return self.arithmetic("multiply", value, self.constant_like(value, 0.5))
        size = self.emit(value.shape, "f32", f"stablehlo.abs {value.name} : {{type}}", ("unary", [value], "abs"))
        return self.arithmetic("add", size, self.constant_like(value, 0.5 if domain == "positive" else 1.5))

    def op_stablehlo_function(self):
        domain = self.rng.choice(["any", "inner", "positive", "positive"])
        name, value = self.rng.choice(STABLEHLO[domain]), self.within(self.floats(), domain)
        self.emit(value.shape, "f32", f"stablehlo.{name} {value.name} : {{type}}", ("unary", [value], name))

    def op_chlo_function(self):
        domain = self.rng.choice(list(CHLO))
        name, value = self.rng.choice(CHLO[domain]), self.within(self.floats(), domain)
        self.emit(value.shape, "f32", f"chlo.{name} {value.name} : {value.type} -> {{type}}", ("chlo", [value], name))

    def op_two_numbers(self):
        """Functions of two numbers: angles, powers, series; one of the operands may lack a dim."""
        x = self.within(self.floats(), "positive")
        is_broadcast = bool(x.shape) and self.rng.random() < 0.4
        y = self.bounded(self.like(x.shape[is_broadcast:], "f32"))
        name, shape = self.rng.choice(["atan2", "power", "divide", "remainder", "next_after", "polygamma", "zeta"]), x.shape
        if name == "remainder" and not (is_tight(x) and is_tight(y)):
            raise Unfit
        if name == "polygamma":
            x, y = self.constant_like(y, self.rng.choice(["1.0", "2.0"])), x
        elif name == "zeta":
            x, y = self.within(y, "above_one"), x
        elif name in ("atan2", "divide", "remainder"):
            x, y = y, x
        how = ("opaque", [x, y]) if name in ("next_after", "polygamma", "zeta") else ("binary", [x, y], name)
        text = f"stablehlo.{name} {x.name}, {y.name} : {{type}}"
        if is_broadcast:
            text = f"chlo.broadcast_{name} {x.name}, {y.name} : ({x.type}, {y.type}) -> {{type}}"
        elif how[0] == "opaque":
            text = f"chlo.{name} {x.name}, {y.name} : {x.type}, {y.type} -> {{type}}"
        self.emit(shape, "f32", text, how)

    def op_bessel(self):
        """A function of f64."""
        value = self.pick(lambda value: value.element == "f64")
        bound = self.emit(value.shape, "f64", f"stablehlo.tanh {value.name} : {{type}}", ("unary", [value], "tanh"))
        name = self.rng.choice(["bessel_i1e", "erf", "atan", "sinh"])
        self.emit(value.shape, "f64", f"chlo.{name} {bound.name} : {bound.type} -> {{type}}", ("chlo", [bound], name))

    def op_rounded(self):
        value = self.pick_tight(lambda value: value.element == "f32")
        name = self.rng.choice(["round_nearest_afz", "sign", "reduce_precision", "is_finite", "is_inf", "is_pos_inf",
                                "is_neg_inf"])
        if name == "reduce_precision":
            value = self.bounded(value)
            self.emit(value.shape, "f32", f"stablehlo.reduce_precision {value.name}, format = e8m7 : {{type}}",
                      ("reduce_precision", [value]))
        elif name.startswith("is_"):
            dialect = "stablehlo" if name == "is_finite" else "chlo"
            text = f"({value.type}) -> {{type}}" if dialect == "stablehlo" else f"{value.type} -> {{type}}"
            self.emit(value.shape, "i1", f"{dialect}.{name} {value.name} : {text}", ("unary", [value], name))
        else:
            self.emit(value.shape, "f32", f"stablehlo.{name} {value.name} : {{type}}", ("unary", [value], name))

    def op_mulhi(self):
        value = self.pick(lambda value: value.element == "i32")
        other = self.like(value.shape, "i32")
        self.emit(value.shape, "i32", f"chlo.mulhi {value.name}, {other.name} : {value.type}, {other.type} -> {{type}}",
                  ("mulhi", [value, other]))

    def op_chlo_constant(self):
        if self.rng.random() < 0.5:
            value = self.pick(lambda value: value.element == "f32")
            self.emit(value.shape, "f32", f'"chlo.constant_like"({value.name}) <{{value = 2.5 : f32}}> : ({value.type}) -> '
                      "{type}", ("filled", [], 2.5))
            return
        shape = [self.rng.choice([2, 3, 5])]
        text = self.dense(shape, "i32")
        self.emit(shape, "i32", f'"chlo.constant"() <{{value = dense<{text}> : {type_of(shape, "i32")}}}> : () -> {{type}}',
                  ("constant", [], text))

    def op_broadcasting(self):
        """Dims that one operand has not, or has once, are repeated."""
        value = self.pick_tight(lambda value: value.shape and value.element in BROADCAST)
        shape = [1 if self.rng.random() < 0.4 else size for size in value.shape][self.rng.randint(0, 1):]
        if not shape:
            raise Unfit
        other = self.like_tight(shape, value.element)
        pair = [value, other]
        self.rng.shuffle(pair)
        name = self.rng.choice(BROADCAST[value.element])
        types = f"({pair[0].type}, {pair[1].type}) -> {{type}}"
        if self.rng.random() < 0.2:
            self.emit(value.shape, "i1", f"chlo.broadcast_compare {pair[0].name}, {pair[1].name} {{comparison_direction = "
                      f"#chlo<comparison_direction GE>}} : {types}", ("compare", pair, "GE"))
            return
        self.emit(value.shape, value.element, f"chlo.broadcast_{name} {pair[0].name}, {pair[1].name} : {types}",
                  ("binary", pair, name))

    def op_broadcast_select(self):
        value = self.pick(lambda value: value.shape)
        which, other = self.like([1, *value.shape[1:]], "i1"), self.like(value.shape[1:], value.element)
        self.emit(value.shape, value.element, f"chlo.broadcast_select {which.name}, {value.name}, {other.name} : "
                  f"({which.type}, {value.type}, {other.type}) -> {{type}}", ("select", [which, value, other]))

    def op_conjugate(self):
        """Functions of complex numbers, whose imaginary parts may lack a dim."""
        value = self.floats()
        is_broadcast, of = bool(value.shape) and self.rng.random() < 0.5, type_of(value.shape, "complex<f32>")
        other = self.bounded(self.like(value.shape[is_broadcast:], "f32"))
        text = f"chlo.broadcast_complex {value.name}, {other.name} : ({value.type}, {other.type}) -> {{type}}" \
            if is_broadcast else f"stablehlo.complex {value.name}, {other.name} : {of}"
        number = self.between(value.shape, "complex<f32>", text)
        if self.rng.random() < 0.3:
            turned = self.between(value.shape, "complex<f32>", f'"chlo._asin_acos_kernel"({number}) : ({of}) -> {of}')
        else:
            turned = self.between(value.shape, "complex<f32>", f"chlo.conj {number} : {of} -> {of}")
        how = ("opaque", [value]) if "kernel" in self.lines[-1] else ("same", [value])
        self.emit(value.shape, "f32", f"stablehlo.real {turned} : ({of}) -> {{type}}", how)

    #===- Forms that newer ops replace ---------------------------------------===#

    def op_old_broadcast(self):
        value, sizes = self.pick(), [self.rng.choice([1, 2, 3])]
        if count_of(value.shape) * sizes[0] > MAX_ELEMENTS or len(value.shape) > 3:
            raise Unfit
        rank = len(value.shape)
        self.emit(sizes + list(value.shape), value.element, f"stablehlo.broadcast {value.name}, sizes = {sizes} : "
                  f"({value.type}) -> {{type}}", ("broadcast", [value], list(range(1, rank + 1))))

    def op_old_dot(self):
        """A product of matrices and vectors, as `dot` or by letters."""
        value = self.pick(lambda value: len(value.shape) in (1, 2) and value.element in ("i32", "f32"))
        inner = value.shape[-1]
        other = self.like([inner] + [self.rng.choice([2, 3, 5])] * self.rng.randint(0, 1), value.element)
        shape = list(value.shape[:-1]) + list(other.shape[1:])
        how = ("dot", [value, other], [[], [len(value.shape) - 1]], [[], [0]])
        types = f"({value.type}, {other.type}) -> {{type}}"
        if self.rng.random() < 0.5:
            self.emit(shape, value.element, f"stablehlo.dot {value.name}, {other.name} : {types}", how)
            return
        left, right = "ab"[2 - len(value.shape):], "bc"[:len(other.shape)]
        out = "".join(letter for letter in left + right if letter != "b")
        self.emit(shape, value.element, f'stablehlo.einsum {value.name}, {other.name}, config = "{left},{right}->{out}" : '
                  f"{types}", how)

    def op_unary_einsum(self):
        value = self.pick(lambda value: len(value.shape) > 1 and value.element in ("i32", "f32"))
        letters = "abcdef"[:len(value.shape)]
        kept = sorted(self.rng.sample(range(len(letters)), self.rng.randint(1, len(letters) - 1)))
        out, zero = "".join(letters[dim] for dim in kept), Value("%zero", (), value.element, ("constant", [], "0"))
        self.emit([value.shape[dim] for dim in kept], value.element, f'stablehlo.unary_einsum {value.name}, config = '
                  f'"{letters}->{out}" : ({value.type}) -> {{type}}',
                  ("reduce", [value, zero], "add", [dim for dim in range(len(letters)) if dim not in kept]))

    def op_index_select(self):
        value = self.pick(lambda value: len(value.shape) == 2)
        batched = self.rng.random() < 0.5
        rows = value.shape[0] if batched else self.rng.choice([2, 5])
        dim = 1 if batched else 0
        raw = self.like([rows, 3] if batched else [rows], "i32")
        low, high = self.scalar("i32", "0"), self.scalar("i32", str(value.shape[dim] - 1))
        index = self.emit(raw.shape, "i32", f"stablehlo.clamp {low.name}, {raw.name}, {high.name} : ({low.type}, {raw.type}, "
                          f"{high.type}) -> {{type}}", ("clamp", [low, raw, high]))
        shape = raw.shape if batched else (rows, value.shape[1])
        self.emit(shape, value.element, f'"stablehlo.torch_index_select"({value.name}, {index.name}) <{{batch_dims = {dim} : '
                  f"i64, dim = {dim} : i64}}> : ({value.type}, {index.type}) -> {{type}}", ("take", [value, index], dim))

    #===- Searches and ragged products ---------------------------------------===#

    def op_top_k(self):
        value = self.pick(lambda value: value.shape and value.element == "i32")
        k, first = self.rng.randint(1, value.shape[-1]), self.fresh()
        shape = [*value.shape[:-1], k]
        self.lines.append(f"{first}:2 = chlo.top_k({value.name}, k = {k}) : {value.type} -> ({type_of(shape, 'i32')}, "
                          f"{type_of(shape, 'i32')})")
        self.values += [Value(f"{first}#{i}", shape, "i32", ("top_k", [value], k, i)) for i in range(2)]

    def op_ragged_dot(self):
        """Rows in groups, each times a matrix of its own; rows past the groups are zeros."""
        rows, inner, columns, groups = (self.rng.choice([2, 3, 5, 7]) for _ in range(4))
        lhs, rhs = self.like([rows, inner], "i32"), self.like([groups, inner, columns], "i32")
        sizes, rest = [], rows
        for _ in range(groups):
            sizes.append(self.rng.randint(0, rest))
            rest -= sizes[-1]
        counts = self.scalar_list(sizes)
        self.emit([rows, columns], "i32", f'"chlo.ragged_dot"({lhs.name}, {rhs.name}, {counts}) <{{ragged_dot_dimension_numbers '
                  "= #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], "
                  "lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : "
                  f"({lhs.type}, {rhs.type}, tensor<{groups}xi64>) -> {{type}}", ("ragged_dot", [lhs, rhs], sizes))

    def scalar_list(self, numbers):
        return self.between([len(numbers)], "i64", f"stablehlo.constant dense<{numbers}> : {{type}}")

    def op_scan(self):
        """A running difference along a dim."""
        value = self.pick(lambda value: value.shape and value.element == "i32")
        dim = self.rng.randrange(len(value.shape))
        rest = [size for i, size in enumerate(value.shape) if i != dim]
        init, of, first = self.like(rest, "i32"), type_of(rest, "i32"), self.fresh()
        a, b, c = (self.fresh() for _ in range(3))
        backwards = self.rng.random() < 0.5
        note = " attributes {is_reverse = true}" if backwards else ""
        self.lines.append(f"{first}:2 = chlo.scan({value.name}) inits ({init.name}) dimension={dim}{note} {{\n"
                          f"  ^bb0({a}: {of}, {b}: {of}):\n    {c} = stablehlo.subtract {a}, {b} : {of}\n"
                          f"    stablehlo.return {c}, {c} : {of}, {of}\n  }} : ({value.type}, {of}) -> ({value.type}, {of})")
        self.values += [Value(f"{first}#0", value.shape, "i32", ("scan", [value, init], dim, backwards, 0)),
                        Value(f"{first}#1", rest, "i32", ("scan", [value, init], dim, backwards, 1))]

    def op_uniform(self):
        """Numbers drawn at random: the same ones in whatever parts they are made."""
        if self.meshes.is_by_hand or self.prefix:
            raise Unfit  # What is drawn depends on what was drawn before, by parts that may not be needed.
        self.meshes.is_drawn = True
        low, high, shape = self.scalar("f32", "-1.0"), self.scalar("f32", "2.0"), self.shape()
        sizes = self.scalar_list(shape)
        self.emit(shape, "f32", f"stablehlo.rng {low.name}, {high.name}, {sizes}, distribution = "
                  f"{self.rng.choice(['UNIFORM', 'NORMAL'])} : ({low.type}, {high.type}, tensor<{len(shape)}xi64>) -> {{type}}",
                  ("opaque", []))
