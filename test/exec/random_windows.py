#!/usr/bin/env python3
"""Runs one op that reads neighbours' rows, or rows by index, per program: partitioned must equal whole.

    random_windows.py --run spmd-run --work DIR [--first SEED] [--count N] [--jobs N]

Each seed is one op with everything drawn: sizes of window, stride, padding, dilations, mesh, and the shardings
of all operands and results, so that windows reach over several devices and shards are uneven or empty.
Elements are integers, compared exactly.
"""

import math

from _one_op import OneOp, main


class Window(OneOp):
    def constant(self, value):
        name = f"%c{len(self.lines)}"
        self.lines.append(f"{name} = stablehlo.constant dense<{value}> : tensor<i32>")
        return name

    def text(self, op, shape):
        return super().text(f"{op} -> {self.returns(shape)}" if shape is not None else op)

    def body(self, op):
        return (f"  ^bb0(%x: tensor<i32>, %y: tensor<i32>):\n    %z = stablehlo.{op} %x, %y : tensor<i32>\n"
                "    stablehlo.return %z : tensor<i32>\n")

    def sizes(self, rank):
        return [self.rng.randint(1, 14) for _ in range(rank)]

    #===- Windows ------------------------------------------------------------===#

    def window(self, size):
        """Returns size, stride, low, high, base and window dilation of a window that fits, and the results."""
        rng = self.rng
        if rng.random() < 0.2:  # A running reduction.
            low = rng.choice([0, size - 1])
            return size, 1, low, size - 1 - low, 1, 1, size
        while True:
            span, stride = rng.choice([1, 2, 3, 3, 5, 9]), rng.choice([1, 1, 2, 3, 5])
            low, high = rng.choice([0, 0, 1, 2, 7, -1, -3]), rng.choice([0, 0, 1, 2, 6, -1, -2])
            base, dilation = rng.choice([1, 1, 2, 3]), rng.choice([1, 1, 2, 3])
            rows = (size - 1) * base + 1 + low + high - (span - 1) * dilation - 1
            if rows >= 0:
                return span, stride, low, high, base, dilation, rows // stride + 1

    def lists(self, windows, **names):
        text = [f"{name} = array<i64: {', '.join(str(each[i]) for each in windows)}>" for name, i in names.items()]
        padding = ", ".join(f"[{each[2]}, {each[3]}]" for each in windows)
        return f"{', '.join(text)}, padding = dense<[{padding}]> : tensor<{len(windows)}x2xi64>"

    def draw_reduce_window(self):
        shape = self.sizes(self.rng.choice([1, 2]))
        name, kind = self.argument(shape)
        op, identity = self.rng.choice([("add", 0), ("maximum", -2147483648), ("or", 0), ("add", 3)])
        windows = [self.window(size) for size in shape]
        init = self.constant(identity)
        lists = self.lists(windows, window_dimensions=0, window_strides=1, base_dilations=4, window_dilations=5)
        return self.text(f'"stablehlo.reduce_window"({name}, {init}) <{{{lists}}}> ({{\n{self.body(op)}  }}) : '
                         f"({kind}, tensor<i32>)", [each[6] for each in windows])

    def draw_convolution(self):
        batch, features, out = (self.rng.randint(1, 4) for _ in range(3))
        sizes = self.sizes(self.rng.choice([1, 2]))
        windows = [self.window(size) for size in sizes]
        lhs, lhs_type = self.argument([batch] + sizes + [features])
        rhs, rhs_type = self.argument([each[0] for each in windows] + [features, out])
        dims = ", ".join(map(str, range(len(sizes))))
        padding = ", ".join(f"[{each[2]}, {each[3]}]" for each in windows)
        turned = ", ".join(self.rng.choice(["true", "false", "false"]) for _ in sizes)
        return self.text(
            f"stablehlo.convolution({lhs}, {rhs}) dim_numbers = [b, {dims}, f]x[{dims}, i, o]->[b, {dims}, f], window = "
            f"{{stride = {[each[1] for each in windows]}, pad = [{padding}], lhs_dilate = {[each[4] for each in windows]}, "
            f"rhs_dilate = {[each[5] for each in windows]}, reverse = [{turned}]}} "
            f"{{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({lhs_type}, {rhs_type})",
            [batch] + [each[6] for each in windows] + [out])

    def draw_pad(self):
        shape, result = self.sizes(2), [0, 0]
        name, kind = self.argument(shape)
        fill = self.constant(7)
        while min(result) < 1:
            low, high = ([self.rng.choice([0, 1, 3, -2, 9]) for _ in shape] for _ in range(2))
            interior = [self.rng.choice([0, 0, 1, 3]) for _ in shape]
            result = [size + (size - 1) * inner + before + after
                      for size, inner, before, after in zip(shape, interior, low, high)]
        return self.text(f"stablehlo.pad {name}, {fill}, low = {low}, high = {high}, interior = {interior} : "
                         f"({kind}, tensor<i32>)", result)

    def draw_slice(self):
        shape = self.sizes(2)
        name, kind = self.argument(shape)
        starts = [self.rng.randrange(size) for size in shape]
        limits = [self.rng.randint(start + 1, size) for start, size in zip(starts, shape)]
        strides = [self.rng.choice([1, 1, 2, 3]) for _ in shape]
        ranges = ", ".join(f"{a}:{b}:{c}" for a, b, c in zip(starts, limits, strides))
        return self.text(f"stablehlo.slice {name} [{ranges}] : ({kind})",
                         [-(-(b - a) // c) for a, b, c in zip(starts, limits, strides)])

    def draw_concatenate(self):
        shape = self.sizes(2)
        parts = [[self.rng.choice([1, 2, 5, 12]), shape[1]] for _ in range(self.rng.randint(2, 4))]
        names, kinds = zip(*(self.argument(part) for part in parts))
        return self.text(f"stablehlo.concatenate {', '.join(names)}, dim = 0 : ({', '.join(kinds)})",
                         [sum(part[0] for part in parts), shape[1]])

    def draw_reverse(self):
        shape = self.sizes(2)
        name, kind = self.argument(shape)
        dims = "[0]" if self.rng.random() < 0.5 else "[0, 1]"
        return self.text(f'"stablehlo.reverse"({name}) <{{dimensions = array<i64: {dims[1:-1]}>}}> : ({kind})', shape)

    def draw_reshape(self):
        """Dims that are merged, cut in parts or both, beside others."""
        before, after = [], []
        for _ in range(self.rng.choice([1, 1, 2])):
            parts = [self.rng.choice([1, 2, 3, 5, 7, 10, 12]) for _ in range(self.rng.choice([1, 2, 2, 3]))]
            whole = [math.prod(parts)]
            while self.rng.random() < 0.3:  # Cut in other parts.
                whole[-1:] = [size := self.rng.choice([size for size in range(1, whole[-1] + 1) if whole[-1] % size == 0]),
                              whole[-1] // size]
            if self.rng.random() < 0.5:
                parts, whole = whole, parts
            before, after = before + parts, after + whole
        element = self.rng.choice(["i32", "i32", "i1", "f64", "complex<f32>", "i8", "i64"])
        name, kind = self.argument(before, element)
        return self.text(f"stablehlo.reshape {name} : ({kind}) -> {self.returns(after, element)}", None)

    def draw_select_and_scatter(self):
        shape = self.sizes(2)
        spans = [self.rng.randint(1, min(4, size)) for size in shape]
        strides = [self.rng.randint(1, 4) for _ in shape]
        padding = [[self.rng.choice([0, 0, self.rng.randrange(span)]) for _ in range(2)] for span in spans]
        operand, operand_type = self.argument(shape)
        source, source_type = self.argument([(size + sum(padded) - span) // stride + 1 for size, span, stride, padded in
                                             zip(shape, spans, strides, padding)])
        init = self.constant(self.rng.choice([0, 5]))
        select = ("  ^bb0(%x: tensor<i32>, %y: tensor<i32>):\n    %z = stablehlo.compare "
                  f"{self.rng.choice(['GE', 'GT', 'LE', 'LT'])}, %x, %y : "
                  "(tensor<i32>, tensor<i32>) -> tensor<i1>\n    stablehlo.return %z : tensor<i1>\n")
        return self.text(f'"stablehlo.select_and_scatter"({operand}, {source}, {init}) <{{window_dimensions = array<i64: '
                         f"{spans[0]}, {spans[1]}>, window_strides = array<i64: {strides[0]}, {strides[1]}>, "
                         f"padding = dense<{padding}> : tensor<2x2xi64>}}> ({{\n{select}"
                         f"  }}, {{\n{self.body('add')}  }}) : ({operand_type}, {source_type}, tensor<i32>)", shape)

    #===- Rows by index ------------------------------------------------------===#

    def places(self, shape):
        return [self.constant(self.rng.randint(-2, size + 1)) for size in shape]

    def draw_dynamic_slice(self):
        shape = self.sizes(2)
        sizes = [self.rng.randint(1, size) for size in shape]
        name, kind = self.argument(shape)
        places = self.places(shape)
        return self.text(f"stablehlo.dynamic_slice {name}, {', '.join(places)}, sizes = {sizes} : "
                         f"({kind}, tensor<i32>, tensor<i32>)", sizes)

    def draw_dynamic_update_slice(self):
        shape = self.sizes(2)
        (name, kind), (update, update_type) = self.argument(shape), self.argument(
            [self.rng.randint(1, size) for size in shape])
        places = self.places(shape)
        return self.text(f"stablehlo.dynamic_update_slice {name}, {update}, {', '.join(places)} : "
                         f"({kind}, {update_type}, tensor<i32>, tensor<i32>)", shape)

    def draw_gather(self):
        shape, count = self.sizes(2), self.rng.randint(1, 9)
        (name, kind), (index, index_type) = self.argument(shape), self.argument([count, 2], self.rng.choice(["i32", "ui8", "i64"]))
        if self.rng.random() < 0.5:
            numbers, sizes, result = "collapsed_slice_dims = [0, 1], start_index_map = [1, 0]", "1, 1", [count]
        else:
            size = self.rng.randint(1, shape[1])
            numbers, sizes, result = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1]", f"1, {size}", [count, size]
        return self.text(f'"stablehlo.gather"({name}, {index}) <{{dimension_numbers = #stablehlo.gather<{numbers}, '
                         f"index_vector_dim = 1>, slice_sizes = array<i64: {sizes}>}}> : ({kind}, {index_type})", result)

    def draw_scatter(self):
        shape, count = self.sizes(2), self.rng.randint(1, 9)
        (name, kind), (index, index_type) = self.argument(shape), self.argument([count, 2], self.rng.choice(["i32", "ui8", "i64"]))
        if self.rng.random() < 0.5:
            numbers, update = "inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0]", [count]
        else:
            numbers = "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1]"
            update = [count, self.rng.randint(1, shape[1])]
        updates, update_type = self.argument(update)
        op = self.rng.choice(["add", "maximum", "multiply"])
        return self.text(f'"stablehlo.scatter"({name}, {index}, {updates}) <{{scatter_dimension_numbers = #stablehlo.scatter<'
                         f"{numbers}, index_vector_dim = 1>}}> ({{\n{self.body(op)}  }}) : ({kind}, {index_type}, {update_type})",
                         shape)


if __name__ == "__main__":
    main(__doc__, Window)
