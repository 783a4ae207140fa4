#!/usr/bin/env python3
"""Runs one op that exchanges whole lines, or counts elements, per program: partitioned must equal whole.

    random_exchanges.py --run spmd-run --work DIR [--first SEED] [--count N] [--jobs N]

Each seed is a sort, a search for the largest elements, a Fourier transform, a generator of random bits or an op
of linear algebra with everything drawn: sizes, element types, comparator, mesh, and the shardings of all operands
and results, so that shards are uneven or empty. All but transforms and matrices are compared exactly.
"""

from _one_op import OneOp, main

INTEGERS = ["i8", "ui8", "i16", "i32", "ui32", "i64"]


class Exchange(OneOp):
    def shape(self, longest):
        """Returns sizes of which one, drawn, may be long, and which one that is."""
        shape = [self.rng.randint(1, 5) for _ in range(self.rng.randint(0, 2))]
        dim = self.rng.randint(0, len(shape))
        shape.insert(dim, self.rng.choice([1, 5, 13, 40, 64, 96, 150, 240]) % (longest + 1))
        return shape, dim

    #===- Lines ---------------------------------------------------------------===#

    def comparator(self, elements):
        """Returns the body of a sort of operands of `elements`, ordered by one of them or by two."""
        rng = self.rng
        arguments = ", ".join(f"%x{i}: tensor<{e}>, %y{i}: tensor<{e}>" for i, e in enumerate(elements))
        lines = [f"^bb0({arguments}):"]

        def compare(name, direction, key):
            element = elements[key]
            sides = f"%x{key}", f"%y{key}"
            if element in INTEGERS and len(elements) > 1:
                lines.append(f"%c{name} = stablehlo.constant dense<5> : tensor<{element}>")
                for side in "xy":
                    lines.append(f"%{name}{side} = stablehlo.remainder %{side}{key}, %c{name} : tensor<{element}>")
                sides = f"%{name}x", f"%{name}y"
            kind = "TOTALORDER" if "f" in element else "UNSIGNED" if element in ("ui8", "ui32", "i1") else "SIGNED"
            lines.append(f"%{name} = stablehlo.compare {direction}, {sides[0]}, {sides[1]}, {kind} : "
                         f"(tensor<{element}>, tensor<{element}>) -> tensor<i1>")

        first, result = rng.randrange(len(elements)), "%less"
        compare("less", rng.choice(["LT", "GT"]), first)
        if len(elements) > 1 and rng.random() < 0.5:
            compare("same", "EQ", first)
            compare("second", rng.choice(["LT", "GT"]), (first + 1) % len(elements))
            lines += ["%both = stablehlo.and %same, %second : tensor<i1>", "%either = stablehlo.or %less, %both : tensor<i1>"]
            result = "%either"
        return "\n    ".join(lines + [f"stablehlo.return {result} : tensor<i1>"])

    def draw_sort(self):
        shape, dim = self.shape(240)
        elements = [self.rng.choice(INTEGERS + ["f32", "bf16", "i1"]) for _ in range(self.rng.choice([1, 1, 2, 3]))]
        names, kinds = zip(*(self.argument(shape, element) for element in elements))
        results = ", ".join(self.returns(shape, element) for element in elements)
        stable = self.rng.choice(["true", "false"])
        return self.text(f'"stablehlo.sort"({", ".join(names)}) <{{dimension = {dim} : i64, is_stable = {stable}}}> ({{\n'
                         f"  {self.comparator(elements)}\n  }}) : ({', '.join(kinds)}) -> ({results})")

    draw_sort_again = draw_sort

    def draw_top_k(self):
        shape, dim = self.shape(150)
        shape.append(shape.pop(dim))
        k = self.rng.randint(1, shape[-1])
        element = self.rng.choice(INTEGERS + ["f32", "bf16"])
        name, kind = self.argument(shape, element)
        results = ", ".join(self.returns(shape[:-1] + [k], each) for each in (element, "i32"))
        return self.text(f"chlo.top_k({name}, k = {k}) : {kind} -> ({results})")

    def draw_fft(self):
        shape = [self.rng.choice([1, 2, 3, 6, 8, 9, 12, 20]) for _ in range(self.rng.randint(1, 3))]
        lengths = shape[-self.rng.randint(1, len(shape)):]
        kind = self.rng.choice(["FFT", "IFFT", "RFFT", "IRFFT"])
        half = shape[:-1] + [shape[-1] // 2 + 1]
        operand, source = self.argument(half if kind == "IRFFT" else shape, "f32" if kind == "RFFT" else "complex<f32>")
        result = self.returns(half if kind == "RFFT" else shape, "f32" if kind == "IRFFT" else "complex<f32>")
        return self.text(f"stablehlo.fft {operand}, type = {kind}, length = {lengths} : ({source}) -> {result}")

    draw_fft_again = draw_fft

    #===- Counted elements ----------------------------------------------------===#

    def draw_random_bits(self):
        shape = [self.rng.choice([1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 31]) for _ in range(self.rng.randint(1, 3))]
        algorithm = self.rng.choice(["THREE_FRY", "PHILOX", "DEFAULT"])
        state = self.rng.choice([([2], "ui64"), ([2], "i64")] + [([3], "ui64")] * (algorithm == "PHILOX") +
                                [([4], "ui32"), ([8], "i16")] * (algorithm == "DEFAULT"))
        name, kind = self.argument(*state)
        results = f"{self.returns(*state)}, {self.returns(shape, self.rng.choice(INTEGERS + ['ui16', 'ui64']))}"
        return self.text(f"stablehlo.rng_bit_generator {name}, algorithm = {algorithm} : ({kind}) -> ({results})")

    draw_random_bits_again = draw_random_bits

    #===- Matrices ------------------------------------------------------------===#

    def draw_triangular_solve(self):
        batch, size, columns = [self.rng.randint(1, 6)], self.rng.randint(1, 4), self.rng.randint(1, 9)
        is_left = self.rng.random() < 0.5
        sides = batch + ([size, columns] if is_left else [columns, size])
        (matrix, matrix_type), (name, kind) = self.argument(batch + [size, size], "f32"), self.argument(sides, "f32")
        # A diagonal of ones, and little beside it.
        self.lines += [f"%small = stablehlo.constant dense<0.01> : {matrix_type}", f"%m = stablehlo.multiply {matrix}, %small : {matrix_type}"]
        lower = self.rng.choice(["true", "false"])
        return self.text(f'"stablehlo.triangular_solve"(%m, {name}) <{{left_side = {str(is_left).lower()}, lower = {lower}, '
                         "transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : "
                         f"({matrix_type}, {kind}) -> {self.returns(sides, 'f32')}")


if __name__ == "__main__":
    main(__doc__, Exchange)
