"""Ops of random programs in other forms: sizes that are operands, what starts now and is done later, tokens."""

from _function_ops import FunctionOps
from _values import MAX_ELEMENTS, count_of, type_of


class FormOps(FunctionOps):
    def sizes(self, numbers):
        """Returns a constant of one dim, and its type."""
        kind = f"tensor<{len(numbers)}x{self.rng.choice(['i32', 'i64'])}>"
        name = self.fresh()
        self.lines.append(f"{name} = stablehlo.constant dense<{list(numbers)}> : {kind}")
        return name, kind

    def op_dynamic(self):
        """What says its sizes by operands, though they are known."""
        getattr(self, "dynamic_" + self.rng.choice(["reshape", "broadcast", "pad", "slice", "iota"]))()

    def dynamic_reshape(self):
        value = self.pick(lambda value: len(value.shape) > 1)
        shape = [count_of(value.shape[:-1]), value.shape[-1]] if self.rng.random() < 0.5 else [count_of(value.shape)]
        size, kind = self.sizes(shape)
        self.emit(shape, value.element, f"stablehlo.dynamic_reshape {value.name}, {size} : ({value.type}, {kind}) -> {{type}}",
                  ("reshape", [value], shape))

    def dynamic_broadcast(self):
        value = self.pick(lambda value: len(value.shape) < 3)
        shape = [self.rng.choice([2, 3, 5]), *value.shape]
        if count_of(shape) <= MAX_ELEMENTS:
            size, kind = self.sizes(shape)
            dims = list(range(1, len(shape)))
            self.emit(shape, value.element, f"stablehlo.dynamic_broadcast_in_dim {value.name}, {size}, dims = {dims} : "
                      f"({value.type}, {kind}) -> {{type}}", ("broadcast", [value], dims))

    def dynamic_pad(self):
        value = self.pick(lambda value: value.shape)
        low, high, interior = ([self.rng.choice(choices) for _ in value.shape] for choices in ([0, 1, 2], [0, 3], [0, 0, 1]))
        shape = [size + (size - 1) * inner + before + after
                 for size, inner, before, after in zip(value.shape, interior, low, high)]
        if count_of(shape) <= MAX_ELEMENTS:
            fill = self.scalar(value.element)
            (a, kind), (b, _), (c, _) = self.alike(low, high, interior)
            self.emit(shape, value.element, f"stablehlo.dynamic_pad {value.name}, {fill.name}, {a}, {b}, {c} : ({value.type}, "
                      f"{fill.type}, {kind}, {kind}, {kind}) -> {{type}}", ("pad", [value, fill], low, high, interior))

    def dynamic_slice(self):
        value = self.pick(lambda value: value.shape)
        parts = [(low, self.rng.randint(low + 1, size), self.rng.choice([1, 1, 2]))
                 for size in value.shape for low in [self.rng.randrange(size)]]
        (a, kind), (b, _), (c, _) = self.alike(*zip(*parts))
        self.emit([-(-(high - low) // stride) for low, high, stride in parts], value.element,
                  f"stablehlo.real_dynamic_slice {value.name}, {a}, {b}, {c} : ({value.type}, {kind}, {kind}, {kind}) -> "
                  "{type}", ("slice", [value], parts))

    def dynamic_iota(self):
        shape = self.shape()
        size, kind = self.sizes(shape)
        dim = self.rng.randrange(len(shape))
        self.emit(shape, "i32", f"stablehlo.dynamic_iota {size}, dim = {dim} : ({kind}) -> {{type}}", ("iota", [], dim))

    def alike(self, *lists):
        """Returns constants of one type."""
        state = self.rng.getstate()
        made = []
        for numbers in lists:
            self.rng.setstate(state)
            made.append(self.sizes(numbers))
        return made

    def op_started(self):
        """A slice that starts now and is done later."""
        value = self.pick(lambda value: value.shape)
        parts = [(low, self.rng.randint(low + 1, size), self.rng.choice([1, 1, 2]))
                 for size in value.shape for low in [self.rng.randrange(size)]]
        shape = [-(-(high - low) // stride) for low, high, stride in parts]
        of, (future, operand, part) = type_of(shape, value.element), (self.fresh() for _ in range(3))
        ranges = ", ".join(f"{low}:{high}:{stride}" for low, high, stride in parts)
        self.lines.append(
            f'{future} = "stablehlo.async_start"({value.name}) ({{\n  ^bb0({operand}: {value.type}):\n'
            f"    {part} = stablehlo.slice {operand} [{ranges}] : ({value.type}) -> {of}\n"
            f"    stablehlo.return {part} : {of}\n  }}) : ({value.type}) -> !stablehlo.future<{of}>")
        self.emit(shape, value.element, f'"stablehlo.async_done"({future}) : (!stablehlo.future<{of}>) -> {{type}}',
                  ("slice", [value], parts))

    def op_token(self):
        """A value that waits for a token of others."""
        value = self.pick()
        first, second, both = (self.fresh() for _ in range(3))
        self.lines += [f"{first} = stablehlo.create_token : !stablehlo.token",
                       f"{second} = stablehlo.after_all {first}, {first} : !stablehlo.token",
                       f"{both}:2 = stablehlo.optimization_barrier {value.name}, {second} : {value.type}, !stablehlo.token"]
        self.emit(value.shape, value.element, f"stablehlo.optimization_barrier {both}#0 : {{type}}", ("same", [value]))
