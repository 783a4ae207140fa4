#!/usr/bin/env python3
"""Runs random programs that update buffers in place amid other ops, with functionalization on and off.

    random_wide_buffers.py --opt spmd-opt --run spmd-run --work DIR [--first SEED] [--count N] [--jobs N]

As random_buffers.py, with what that leaves out: scalars and tensors of rank 3; meshes of one and three axes, parts of
axes, axes that stay replicated and priorities in shardings; places of views that loops count and that programs read;
branches and loops with results, and loops that run as far as a buffer says; sorts, sums, reversals, transposes, slices,
joins, reshapes, constraints and barriers between loads and stores.
"""

import functools
import random
import re
import sys

import random_buffers
from random_buffers import Function, Shape, buffer_type, element_of, tensor_type

MESHES = [{"x": 2, "y": 3}, {"x": 2, "z": 4}, {"x": 3, "y": 2, "w": 2}, {"z": 4}]
SCALAR = "tensor<i32>"
HALVES = ['"z":(1)2', '"z":(2)2']  # Of an axis of 4.


def without_priorities(text):
    return re.sub(r"\}p\d", "}", text)


class WideFunction(Function):
    """A function that grows by more kinds of ops."""

    shapes = random_buffers.SHAPES + [(2, 3, 4), (), (3, 5, 2), (12,), (1, 6)]

    def __init__(self, rng, pinned, helpers, around=None, counter=None):
        super().__init__(rng, pinned, helpers, around)
        self.counter = counter or getattr(around, "counter", None)  # Of the innermost loop.

    # Shardings

    def free_axes(self):
        """Returns the axes in some order, one of them in two parts, perhaps."""
        names = self.rng.sample(list(self.rng.axes), len(self.rng.axes))
        axes = [f'"{name}"' for name in names]
        if "z" in names and self.rng.random() < 0.4:
            at = names.index("z")
            axes[at:at + 1] = self.rng.sample(HALVES, 2)
        return axes

    def sharding(self, shape):
        axes, dims = self.free_axes(), []
        for size in shape:
            parts = []
            while axes and size and self.rng.random() < 0.35:
                parts.append(axes.pop())
            text = ", ".join(parts).replace(", ".join(HALVES), '"z"')  # Halves in order are the axis.
            is_open = self.rng.random() < 0.3
            text += (", " if parts and is_open else "") + ("?" if is_open else "")
            priority = f"p{self.rng.randint(0, 2)}" if parts and self.rng.random() < 0.15 else ""
            dims.append("{" + text + "}" + priority)
        replicated = ""
        if axes and ":" not in axes[0] and self.rng.random() < 0.15:
            replicated = f", replicated={{{axes[0]}}}"
        return f"<@mesh, [{', '.join(dims)}]{replicated}>"

    def pin(self, shape, probability):
        return without_priorities(super().pin(shape, probability))

    # Places of views

    def scalars(self):
        return [name for name, shape in self.tensors if shape == () and element_of(shape) == "i32"]

    def place(self, size):
        if self.counter and self.rng.random() < 0.6:
            return self.counter
        scalars = self.scalars()
        if scalars and self.rng.random() < 0.4:
            return self.rng.choice(scalars)
        return self.constant(str(self.rng.randint(-1, size)), ())

    def dynamic_slice(self, shape):
        to = tuple(self.rng.randint(0, size) for size in shape)
        return "dynamic_slice_view", to, f", sizes = {list(to)}", [(self.place(size), SCALAR) for size in shape]

    def index(self, shape):
        if not self.counter or self.rng.random() < 0.6:
            return super().index(shape)
        dim, place = self.rng.randrange(len(shape)), self.name()
        self.lines.append(f"{place} = stablehlo.reshape {self.counter} : ({SCALAR}) -> tensor<1xi32>")
        return "index_view", shape[:dim] + (1,) + shape[dim + 1:], f", dim = {dim}", [(place, "tensor<1xi32>")]

    # Ops on one tensor: each returns the text of the op and the shape of its result, or nothing.

    def sum(self, name, shape):
        dim = self.rng.randrange(len(shape))
        to = Shape(shape[:dim] + shape[dim + 1:], element_of(shape))
        scalar, zero = tensor_type(Shape((), element_of(shape))), self.name()
        self.lines.append(f"{zero} = stablehlo.constant dense<0> : {scalar}")
        return (f"stablehlo.reduce({name} init: {zero}) applies stablehlo.add across dimensions = [{dim}] : "
                f"({tensor_type(shape)}, {scalar}) -> {tensor_type(to)}"), to  # fmt: skip

    def transposed(self, name, shape):
        dims = self.rng.sample(range(len(shape)), len(shape))
        to = Shape((shape[dim] for dim in dims), element_of(shape))
        return f"stablehlo.transpose {name}, dims = {dims} : ({tensor_type(shape)}) -> {tensor_type(to)}", to

    def reversed(self, name, shape):
        return f"stablehlo.reverse {name}, dims = [{self.rng.randrange(len(shape))}] : {tensor_type(shape)}", shape

    def constrained(self, name, shape):
        return f"sdy.sharding_constraint {name} {without_priorities(self.sharding(shape))} : {tensor_type(shape)}", shape

    def tail(self, name, shape):
        dim = self.rng.randrange(len(shape))
        start = self.rng.randint(0, shape[dim])
        ranges = [f"{start if each == dim else 0}:{size}" for each, size in enumerate(shape)]
        to = Shape(shape[:dim] + (shape[dim] - start,) + shape[dim + 1:], element_of(shape))
        return f"stablehlo.slice {name} [{', '.join(ranges)}] : ({tensor_type(shape)}) -> {tensor_type(to)}", to

    def joined(self, name, shape):
        dim = self.rng.randrange(len(shape))
        to = Shape(shape[:dim] + (2 * shape[dim],) + shape[dim + 1:], element_of(shape))
        return (f"stablehlo.concatenate {name}, {self.tensor(shape)}, dim = {dim} : "
                f"({tensor_type(shape)}, {tensor_type(shape)}) -> {tensor_type(to)}"), to  # fmt: skip

    def sorted(self, name, shape):
        a, b, less = (self.name() for _ in range(3))
        scalar = tensor_type(Shape((), element_of(shape)))
        return (f'"stablehlo.sort"({name}) ({{\n  ^bb0({a}: {scalar}, {b}: {scalar}):\n'
                f"    {less} = stablehlo.compare LT, {a}, {b} : ({scalar}, {scalar}) -> tensor<i1>\n"
                f"    stablehlo.return {less} : tensor<i1>\n  }}) "
                f"{{dimension = {self.rng.randrange(len(shape))} : i64, is_stable = true}} : "
                f"({tensor_type(shape)}) -> {tensor_type(shape)}"), shape  # fmt: skip

    def flattened(self, name, shape):
        count = 1
        for size in shape:
            count *= size
        to = Shape(self.rng.choice([(count,), (1, count)]), element_of(shape))
        return f"stablehlo.reshape {name} : ({tensor_type(shape)}) -> {tensor_type(to)}", to

    def unary(self):
        if not self.tensors:
            return
        name, shape = self.rng.choice(self.tensors)
        kinds = [self.constrained, self.flattened]
        if shape:
            kinds += [self.sum, self.transposed, self.reversed, self.tail, self.joined, self.sorted]
        text, to = self.rng.choice(kinds)(name, shape)
        self.emit(text, to, self.tensors)

    def barrier(self):
        if len(self.tensors) < 2:
            return
        (a, m), (b, n) = self.tensors[-2:]
        result = self.name()
        self.lines.append(f"{result}:2 = stablehlo.optimization_barrier {a}, {b} : {tensor_type(m)}, {tensor_type(n)}")
        self.tensors += [(f"{result}#0", m), (f"{result}#1", n)]

    # Regions

    def inner(self, length, counter=None, given=()):
        """Returns the function of a region, grown; `given` are tensors that only it has."""
        function = WideFunction(self.rng, self.pinned, self.helpers, self, counter)
        function.tensors += given
        function.grow(length)
        return function

    def branch(self):
        if self.depth() == 2:
            return
        scalars, shape, result = self.scalars(), Shape(self.rng.choice(self.shapes)), self.name()
        computed = scalars and self.rng.random() < 0.5
        index = self.rng.choice(scalars) if computed else self.constant(str(self.rng.randrange(3)), ())
        lines = [f'{result} = "stablehlo.case"({index}) ({{']
        for number in range(2):
            inner = self.inner(3)
            value = inner.tensor(shape)
            lines += ["  " + line for line in inner.lines]
            lines += [f"  stablehlo.return {value} : {tensor_type(shape)}", "}" if number else "}, {"]
        self.lines += lines[:-1] + [f"}}) : ({SCALAR}) -> {tensor_type(shape)}"]
        self.tensors.append((result, shape))

    def loop(self):
        if self.depth() == 2:
            return
        first, step, last = (self.constant(str(value), ()) for value in (0, 1, self.rng.randint(0, 3)))
        shape = Shape(self.rng.choice(self.shapes))
        before, kind = self.tensor(shape), f"{SCALAR}, {tensor_type(shape)}"
        result, turn, carried, goes_on, following, held, least = (self.name() for _ in range(7))
        counts = [name for name, each in self.buffers if each == () and element_of(each) == "i32"]
        limit, look = last, []
        if counts and self.rng.random() < 0.5:  # As far as a buffer says, which the loop may write.
            limit = least
            look = [f"  {held} = spmd.load {self.rng.choice(counts)} : {buffer_type(())}",
                    f"  {least} = stablehlo.minimum {held}, {last} : {SCALAR}"]  # fmt: skip
        self.lines += [f"{result}:2 = stablehlo.while({turn} = {first}, {carried} = {before}) : {kind}", " cond {", *look,
                       f"  {goes_on} = stablehlo.compare LT, {turn}, {limit} : ({SCALAR}, {SCALAR}) -> tensor<i1>",
                       f"  stablehlo.return {goes_on} : tensor<i1>", "} do {"]  # fmt: skip
        inner = self.inner(4, turn, [(carried, shape)])
        value = inner.tensor(shape)
        self.lines += ["  " + line for line in inner.lines]
        self.lines += [f"  {following} = stablehlo.add {turn}, {step} : {SCALAR}",
                       f"  stablehlo.return {following}, {value} : {kind}", "}"]  # fmt: skip
        self.tensors.append((f"{result}#1", shape))

    def grow(self, length):
        ops = [self.alloc] + [self.view] * 3 + [self.load] * 3 + [self.store] * 4 + [self.elementwise] * 2
        ops += [self.update, self.dot, self.call, self.custom_call, self.branch, self.loop, self.barrier] + [self.unary] * 4
        for _ in range(length):
            self.rng.choice(ops)()


def make_program(seed, length):
    axes = random.Random(seed).choice(MESHES)
    return random_buffers.make_program(random_buffers.Draw(seed, axes), length, WideFunction)


if __name__ == "__main__":
    sys.exit(random_buffers.main(__doc__, functools.partial(random_buffers.check, make=make_program)))
