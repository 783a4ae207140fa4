"""More linear algebra of random programs: transforms of all kinds, convolutions in groups, factors and solutions, each
with the parameters that the plain ones leave out. Numpy does not judge these."""

from _element_ops import ElementOps
from _values import type_of


class LinearOps(ElementOps):
    def op_transform(self):
        """A Fourier transform along one to three dims."""
        kind = self.rng.choice(["FFT", "IFFT", "RFFT", "IRFFT"])
        shape = [self.rng.choice([1, 2, 3, 4, 6]) for _ in range(self.rng.randint(1, 3))]
        along = self.rng.randint(1, len(shape))
        half = [*shape[:-1], shape[-1] // 2 + 1]
        source = half if kind == "IRFFT" else shape
        element = "f32" if kind == "RFFT" else "complex<f32>"
        real = self.bounded(self.like(source, "f32"))
        number = real.name
        if kind != "RFFT":
            other = self.bounded(self.like(source, "f32"))
            of = type_of(source, element)
            number = self.between(source, element, f"stablehlo.complex {real.name}, {other.name} : {of}")
        result, to = (half if kind == "RFFT" else shape), "f32" if kind == "IRFFT" else "complex<f32>"
        text = (f"stablehlo.fft {number}, type = {kind}, length = {shape[len(shape) - along:]} : ({type_of(source, element)}) -> "
                "{type}")
        if kind == "IRFFT":
            self.emit(result, "f32", text, ("loose", []))
            return
        both = self.between(result, to, text)
        part = self.rng.choice(["real", "imag"])
        self.emit(result, "f32", f"stablehlo.{part} {both} : ({type_of(result, to)}) -> {{type}}", ("loose", []))

    def op_grouped_convolution(self):
        """A convolution whose features or batch are in groups; dims stand in any order."""
        groups, of_batch = self.rng.choice([1, 2, 3]), self.rng.random() < 0.4
        per_group, rows = self.rng.choice([1, 2, 3]), self.rng.choice([3, 5, 6])
        span, stride, pad = self.rng.choice([1, 2, 3]), self.rng.choice([1, 2]), self.rng.choice([0, 1])
        batch = self.rng.choice([1, 2]) * (groups if of_batch else 1)
        features = self.rng.choice([1, 2, 3]) * (1 if of_batch else groups)
        inner = features if of_batch else features // groups
        lhs_dims, rhs_dims, out_dims = (self.rng.sample(letters, 3) for letters in ("b0f", "0io", "b0f"))
        sizes = {"b": batch, "f": features, "0": rows}
        kernel = {"i": inner, "o": groups * per_group, "0": span}
        out = {"b": batch // (groups if of_batch else 1), "f": groups * per_group, "0": (rows + 2 * pad - span) // stride + 1}
        lhs, rhs = self.like([sizes[d] for d in lhs_dims], "i32"), self.like([kernel[d] for d in rhs_dims], "i32")
        numbers = "x".join("[" + ", ".join(dims) + "]" for dims in (lhs_dims, rhs_dims)) + "->[" + ", ".join(out_dims) + "]"
        self.emit([out[d] for d in out_dims], "i32",
                  f"stablehlo.convolution({lhs.name}, {rhs.name}) dim_numbers = {numbers}, window = {{stride = [{stride}], pad = "
                  f"[[{pad}, {pad}]]}} {{batch_group_count = {groups if of_batch else 1} : i64, feature_group_count = "
                  f"{1 if of_batch else groups} : i64}} : ({lhs.type}, {rhs.type}) -> {{type}}", ("loose", []))

    def op_solve(self):
        """A triangular system from either side, of either triangle, turned or not."""
        size, columns = self.rng.randint(1, 5), self.rng.randint(1, 5)
        batch = [self.rng.randint(1, 3) for _ in range(self.rng.randint(0, 2))]
        left, lower, unit = (self.rng.random() < 0.5 for _ in range(3))
        matrix = self.bounded(self.like([*batch, size, size], "f32"))
        rows = [[3.0 if i == j else 0.0 for j in range(size)] for i in range(size)]
        diagonal = self.between([size, size], "f32", f"stablehlo.constant dense<{rows}> : {{type}}")
        rank = len(batch)
        spread = self.between(matrix.shape, "f32", f"stablehlo.broadcast_in_dim {diagonal}, dims = {[rank, rank + 1]} : "
                              f"({type_of([size, size], 'f32')}) -> {{type}}")
        a = self.between(matrix.shape, "f32", f"stablehlo.add {matrix.name}, {spread} : {{type}}")
        b = self.bounded(self.like([*batch, size, columns] if left else [*batch, columns, size], "f32"))
        turned = self.rng.choice(["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
        flags = ", ".join(f"{name} = {'true' if value else 'false'}" for name, value in
                          (("left_side", left), ("lower", lower), ("unit_diagonal", unit)))
        self.emit(b.shape, "f32", f'"stablehlo.triangular_solve"({a}, {b.name}) <{{{flags}, transpose_a = '
                  f"#stablehlo<transpose {turned}>}}> : ({matrix.type}, {b.type}) -> {{type}}", ("loose", []))

    def op_factor(self):
        """The factors of matrices that are definite: a product with its own transpose, and a diagonal."""
        size, rank = self.rng.randint(1, 4), self.rng.randint(0, 2)
        batch = [self.rng.randint(1, 3) for _ in range(rank)]
        matrix = self.bounded(self.like([*batch, size, size], "f32"))
        dims = list(range(rank))
        square = self.between(matrix.shape, "f32", f"stablehlo.dot_general {matrix.name}, {matrix.name}, batching_dims = {dims} x "
                              f"{dims}, contracting_dims = [{rank + 1}] x [{rank + 1}] : ({matrix.type}, {matrix.type}) -> "
                              "{type}")
        rows = [[2.0 if i == j else 0.0 for j in range(size)] for i in range(size)]
        diagonal = self.between([size, size], "f32", f"stablehlo.constant dense<{rows}> : {{type}}")
        spread = self.between(matrix.shape, "f32", f"stablehlo.broadcast_in_dim {diagonal}, dims = {[rank, rank + 1]} : "
                              f"({type_of([size, size], 'f32')}) -> {{type}}")
        total = self.between(matrix.shape, "f32", f"stablehlo.add {square}, {spread} : {{type}}")
        lower = self.rng.choice(["true", "false"])
        self.emit(matrix.shape, "f32", f"stablehlo.cholesky {total}, lower = {lower} : {{type}}", ("loose", []))

    def op_padded_scatter(self):
        """The largest of each window, windows reaching past the ends."""
        value = self.pick(lambda value: value.shape and value.element == "i32")
        window = [self.rng.randint(1, min(size + 1, 3)) for size in value.shape]
        strides = [self.rng.randint(1, 3) for _ in value.shape]
        pads = [(self.rng.randint(0, span - 1), self.rng.randint(0, span - 1)) for span in window]
        pads = [(low, max(high, span - size - low)) for (low, high), span, size in zip(pads, window, value.shape)]
        shape = [(size + low + high - span) // stride + 1
                 for size, span, stride, (low, high) in zip(value.shape, window, strides, pads)]
        source, init = self.like(shape, "i32"), self.scalar("i32", "0")
        lists = [", ".join(map(str, numbers)) for numbers in (window, strides)]
        padding = ", ".join(f"[{low}, {high}]" for low, high in pads)
        self.emit(value.shape, "i32",
                  f'"stablehlo.select_and_scatter"({value.name}, {source.name}, {init.name}) <{{window_dimensions = array<i64: '
                  f"{lists[0]}>, window_strides = array<i64: {lists[1]}>, padding = dense<[{padding}]> : "
                  f"tensor<{len(pads)}x2xi64>}}> ({{\n{self.body('compare', 'i32', kind='GE')}  }}, {{\n"
                  f"{self.body('add', 'i32')}  }}) : ({value.type}, {source.type}, {init.type}) -> {{type}}", ("loose", []))
