"""Ops of random programs on other elements: narrow floats, quantized and complex numbers; reducers of several
operands, normalization, random bits."""

from _formats import FORMATS
from _more_ops import MoreOps
from _values import Unfit, Value, count_of, type_of


class ElementOps(MoreOps):
    def bounded(self, value):
        """Returns numbers between -1 and 1 made of a value."""
        return self.emit(value.shape, value.element, f"stablehlo.tanh {value.name} : {{type}}", ("unary", [value], "tanh"))

    def between(self, shape, element, text):
        """Adds an op whose result only what follows uses."""
        name = self.fresh()
        self.lines.append(f"{name} = " + text.replace("{type}", type_of(shape, element)))
        return name

    def op_narrow(self):
        """Arithmetic on floats of fewer bits: each op rounds."""
        element = self.rng.choice(list(FORMATS))
        value = self.pick_tight(lambda value: value.element == "f32")
        if self.rng.random() < 0.7:
            value = self.bounded(value)
        other = self.like_tight(value.shape, "f32")
        of = type_of(value.shape, element)
        x, y = (self.between(value.shape, element, f"stablehlo.convert {each.name} : ({each.type}) -> {{type}}")
                for each in (value, other))
        name = self.rng.choice(["add", "subtract", "multiply", "maximum", "minimum"])
        z = self.between(value.shape, element, f"stablehlo.{name} {x}, {y} : {{type}}")
        self.emit(value.shape, "f32", f"stablehlo.convert {z} : ({of}) -> {{type}}",
                  ("narrow", [value, other], element, name))

    def op_quantized(self):
        """Numbers that are quantized, moved or added up, and taken back."""
        value = self.pick_tight(lambda value: value.element == "f32")
        storage, low, high = self.rng.choice([("i8", -128, 127), ("u8", 0, 255), ("i4", -8, 7), ("i16", -2**15, 2**15 - 1)])
        scale, zero = self.rng.choice([1.0, 0.5, 0.125]), self.rng.randint(max(low, -5), min(high, 5))
        element = f"!quant.uniform<{storage}:f32, {scale}:{zero}>"
        first = self.between(value.shape, element, f"stablehlo.uniform_quantize {value.name} : ({value.type}) -> {{type}}")
        of, operands, name = type_of(value.shape, element), [value], None
        if self.rng.random() < 0.6:
            name = self.rng.choice(["add", "maximum", "multiply"])
            operands.append(self.like_tight(value.shape, "f32"))
            other = self.between(value.shape, element, f"stablehlo.uniform_quantize {operands[1].name} : "
                                 f"({value.type}) -> {{type}}")
            first = self.between(value.shape, element, f"stablehlo.{name} {first}, {other} : {{type}}")
        order = list(range(len(value.shape)))
        self.rng.shuffle(order)
        shape = [value.shape[dim] for dim in order]
        moved = self.between(shape, element, f"stablehlo.transpose {first}, dims = {order} : ({of}) -> {{type}}")
        self.emit(shape, "f32", f"stablehlo.uniform_dequantize {moved} : ({type_of(shape, element)}) -> {{type}}",
                  ("quantized", operands, name, order, scale, zero, low, high))

    def op_complex(self):
        value = self.bounded(self.pick(lambda value: value.element == "f32"))
        parts = [value, *(self.like(value.shape, "f32") for _ in range(3))]
        of = type_of(value.shape, "complex<f32>")
        x, y = (self.between(value.shape, "complex<f32>", f"stablehlo.complex {a.name}, {b.name} : {of}")
                for a, b in (parts[:2], parts[2:]))
        name = self.rng.choice(["add", "subtract", "multiply"])
        both = self.between(value.shape, "complex<f32>", f"stablehlo.{name} {x}, {y} : {{type}}")
        if value.shape and self.rng.random() < 0.5:  # A sum of complex numbers.
            zero = self.between((), "complex<f32>", "stablehlo.constant dense<(0.0,0.0)> : {type}")
            dim = self.rng.randrange(len(value.shape))
            shape = [size for i, size in enumerate(value.shape) if i != dim]
            total = self.between(shape, "complex<f32>", f"stablehlo.reduce({both} init: {zero}) applies stablehlo.add across "
                                 f"dimensions = [{dim}] : ({of}, tensor<complex<f32>>) -> {{type}}")
        else:
            shape, dim, total = value.shape, None, both
        part = self.rng.choice(["real", "imag"])
        self.emit(shape, "f32", f"stablehlo.{part} {total} : ({type_of(shape, 'complex<f32>')}) -> {{type}}",
                  ("complex_arithmetic", parts, name, dim, part))

    def op_sum_and_max(self):
        """A reduction, or windows of one, that adds up and looks for the largest at once."""
        value = self.pick(lambda value: value.shape and value.element == "i32")
        other = self.like(value.shape, "i32")
        zero, low = self.scalar("i32", "0"), self.scalar("i32", "-50")
        dim = self.rng.randrange(len(value.shape))
        a, b, c, d, e, f = (self.fresh() for _ in range(6))
        body = (f"  ^bb0({a}: tensor<i32>, {b}: tensor<i32>, {c}: tensor<i32>, {d}: tensor<i32>):\n"
                f"    {e} = stablehlo.add {a}, {c} : tensor<i32>\n    {f} = stablehlo.maximum {b}, {d} : tensor<i32>\n"
                f"    stablehlo.return {e}, {f} : tensor<i32>, tensor<i32>\n  }})")
        if self.rng.random() < 0.5:
            shape = [size for i, size in enumerate(value.shape) if i != dim]
            head, window = f'"stablehlo.reduce"{{}} <{{{{dimensions = array<i64: {dim}>}}}}>', None
        else:
            window = [self.rng.randint(1, min(size, 3)) for size in value.shape]
            shape = [size - span + 1 for size, span in zip(value.shape, window)]
            head = f'"stablehlo.reduce_window"{{}} <{{{{window_dimensions = array<i64: {", ".join(map(str, window))}>}}}}>'
        first, of = self.fresh(), type_of(shape, "i32")
        operands = f"({value.name}, {other.name}, {zero.name}, {low.name})"
        self.lines.append(f"{first}:2 = {head.format(operands)} ({{\n{body} : ({value.type}, {value.type}, tensor<i32>, "
                          f"tensor<i32>) -> ({of}, {of})")
        for i, each in enumerate((value, other)):
            self.values.append(Value(f"{first}#{i}", shape, "i32", ("sum_or_max", [each], i, dim, window)))

    def op_scatter_two(self):
        """Two tensors updated at the same places."""
        value = self.pick(lambda value: len(value.shape) == 2 and value.element == "i32")
        other = self.like(value.shape, "i32")
        index = self.like([self.rng.choice([2, 3, 5])], "i32")
        updates = [self.like([index.shape[0], value.shape[1]], "i32") for _ in range(2)]
        a, b, c, d, e, f = (self.fresh() for _ in range(6))
        first = self.fresh()
        self.lines.append(
            f'{first}:2 = "stablehlo.scatter"({value.name}, {other.name}, {index.name}, {updates[0].name}, {updates[1].name}) '
            "<{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
            "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n"
            f"  ^bb0({a}: tensor<i32>, {b}: tensor<i32>, {c}: tensor<i32>, {d}: tensor<i32>):\n"
            f"    {e} = stablehlo.add {a}, {c} : tensor<i32>\n    {f} = stablehlo.maximum {b}, {d} : tensor<i32>\n"
            f"    stablehlo.return {e}, {f} : tensor<i32>, tensor<i32>\n  }}) : ({value.type}, {value.type}, {index.type}, "
            f"{updates[0].type}, {updates[1].type}) -> ({value.type}, {value.type})")
        self.values += [Value(f"{first}#0", value.shape, "i32", ("scatter_add", [value, index, updates[0]])),
                        Value(f"{first}#1", value.shape, "i32", ("scatter_max", [other, index, updates[1]]))]

    def op_batch_norm(self):
        element = self.rng.choice(["f32", "f64"])
        value = self.pick(lambda value: len(value.shape) > 1 and value.element == element)
        value = self.bounded(value)
        feature = self.rng.randrange(len(value.shape))
        of = f"tensor<{value.shape[feature]}x{element}>"
        if count_of(value.shape) // value.shape[feature] < 2:
            raise Unfit
        attributes = f"<{{epsilon = 0.125 : f32, feature_index = {feature} : i64}}>"
        scale, offset = (self.bounded(self.like([value.shape[feature]], element)) for _ in range(2))
        first = self.fresh()
        self.lines.append(f'{first}:3 = "stablehlo.batch_norm_training"({value.name}, {scale.name}, {offset.name}) '
                          f"{attributes} : ({value.type}, {of}, {of}) -> ({value.type}, {of}, {of})")
        normal, mean, variance = (
            Value(f"{first}#{i}", value.shape if i == 0 else [value.shape[feature]], element,
                  ("batch_norm", [value, scale, offset], feature, i)) for i in range(3))
        self.values += [normal, mean, variance]
        if element == "f32" or self.rng.random() < 0.3:  # What gradients leave where they cancel says nothing in f32.
            self.emit(value.shape, element, f'"stablehlo.batch_norm_inference"({value.name}, {scale.name}, {offset.name}, '
                      f"{mean.name}, {variance.name}) {attributes} : ({value.type}, {of}, {of}, {of}, {of}) -> {{type}}",
                      ("batch_norm", [value, scale, offset], feature, 0))
            return
        grad = self.bounded(self.like(value.shape, element))
        last = self.fresh()
        self.lines.append(f'{last}:3 = "stablehlo.batch_norm_grad"({value.name}, {scale.name}, {mean.name}, {variance.name}, '
                          f"{grad.name}) {attributes} : ({value.type}, {of}, {of}, {of}, {value.type}) -> "
                          f"({value.type}, {of}, {of})")
        self.values += [Value(f"{last}#{i}", value.shape if i == 0 else [value.shape[feature]], element,
                              ("batch_norm_grad", [value, scale, grad], feature, i)) for i in range(3)]

    def op_random_bits(self):
        """The same bits, wherever and in whatever parts they are made."""
        state = self.between((2,), "ui64", f"stablehlo.constant dense<[{self.rng.randint(0, 99)}, 7]> : {{type}}")
        shape, algorithm = self.shape(), self.rng.choice(["THREE_FRY", "PHILOX", "DEFAULT"])
        element = self.rng.choice(["ui8", "ui16", "ui32", "ui64"])
        made = []
        for _ in range(2):
            first, of = self.fresh(), type_of(shape, element)
            sharding = self.meshes.sharding(len(shape))
            self.lines.append(f"{first}:2 = stablehlo.rng_bit_generator {state}, algorithm = {algorithm} : "
                              f"(tensor<2xui64>) -> (tensor<2xui64>, {of})")
            made.append(self.between(shape, element, f"sdy.sharding_constraint {first}#1 {sharding} : {{type}}"))
        self.emit(shape, "i1", f"stablehlo.compare EQ, {made[0]}, {made[1]}, UNSIGNED : ({of}, {of}) -> {{type}}",
                  ("always", []))
