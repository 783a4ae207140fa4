#!/usr/bin/env python3
"""Runs random programs that update buffers in place, with functionalization on and off.

    random_buffers.py --opt spmd-opt --run spmd-run --work DIR [--first SEED] [--count N] [--jobs N]

Each seed is one program: buffers, views of views, loads, stores, calls that write their arguments, with random
shardings on arguments and random pins on buffers, views and loads. Both modes must give arguments and results
the same shardings and donations, and partitioned must equal whole in both. A program that fails stays in DIR
and is named.
"""

import random
import re
import sys

import _runner

SHAPES = [(8, 4), (4, 8), (8, 8), (6, 4), (5, 3), (16,), (7,)]
AXES = {"x": 2, "y": 3}
MESH = "sdy.mesh @mesh = <[" + ", ".join(f'"{name}"={size}' for name, size in AXES.items()) + "]>\n"


def tensor_type(shape):
    return "tensor<" + "".join(f"{size}x" for size in shape) + "i32>"


def buffer_type(shape):
    return f"!spmd.buffer<{tensor_type(shape)}>"


class Function:
    """A function that grows op by op. Values are pairs of a name and a shape."""

    def __init__(self, rng, pinned, helpers):
        self.rng, self.pinned, self.helpers = rng, pinned, helpers
        self.lines, self.buffers, self.tensors, self.count = [], [], [], 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def sharding(self, shape):
        axes = self.rng.sample(list(AXES), len(AXES))
        dims = []
        for size in shape:
            parts = []
            while axes and size and self.rng.random() < 0.4:
                parts.append(f'"{axes.pop()}"')
            dims.append("{" + ", ".join(parts + ["?"] * (self.rng.random() < 0.3)) + "}")
        return f"<@mesh, [{', '.join(dims)}]>"

    def attribute(self, shape):
        pins = self.rng.random() < self.pinned
        return f" {{sdy.sharding = #sdy.sharding{self.sharding(shape)}}}" if pins else ""

    def pin(self, shape, probability):
        pins = self.rng.random() < probability * self.pinned
        return f" {{sdy.sharding = #sdy.sharding_per_value<[{self.sharding(shape)}]>}}" if pins else ""

    def emit(self, text, shape, values):
        name = self.name()
        self.lines.append(f"{name} = {text}")
        values.append((name, shape))

    # Ops

    def alloc(self):
        shape = self.rng.choice(SHAPES)
        self.emit(f"spmd.alloc{self.pin(shape, 0.5)} : {buffer_type(shape)}", shape, self.buffers)

    def view(self):
        name, shape = self.rng.choice(self.buffers)
        kind = self.rng.choice(["slice_view", "transpose_view", "reshape_view"])
        if kind == "transpose_view":
            dims = self.rng.sample(range(len(shape)), len(shape))
            to, text = tuple(shape[dim] for dim in dims), f", dims = {dims}"
        elif kind == "reshape_view":
            count = 1
            for size in shape:
                count *= size
            to = self.rng.choice([(count,)] + [(size, count // size) for size in (1, 2, 4, 5) if count % size == 0])
            text = ""
        else:
            to, ranges = [], []
            for size in shape:
                start = self.rng.choice([0, self.rng.randint(0, size)])
                limit = self.rng.choice([size, self.rng.randint(start, size)])
                stride = self.rng.choice([1, 1, 2, 3])
                ranges.append(f"{start}:{limit}:{stride}")
                to.append((limit - start + stride - 1) // stride)
            to, text = tuple(to), f" [{', '.join(ranges)}]"
        self.emit(f"spmd.{kind} {name}{text}{self.pin(to, 0.3)} : ({buffer_type(shape)}) -> {buffer_type(to)}", to,
                  self.buffers)

    def load(self):
        name, shape = self.rng.choice(self.buffers)
        self.emit(f"spmd.load {name}{self.pin(shape, 0.2)} : {buffer_type(shape)}", shape, self.tensors)

    def store(self):
        name, shape = self.rng.choice(self.buffers)
        self.lines.append(f"spmd.store {self.tensor(shape)}, {name} : {buffer_type(shape)}")

    def tensor(self, shape):
        fitting = [name for name, other in self.tensors if other == shape]
        if fitting and self.rng.random() < 0.9:
            return self.rng.choice(fitting)
        value = self.rng.randrange(10)
        self.emit(f"stablehlo.constant dense<{value}> : {tensor_type(shape)}", shape, self.tensors)
        return self.tensors[-1][0]

    def elementwise(self):
        if not self.tensors:
            return
        name, shape = self.rng.choice(self.tensors)
        op = self.rng.choice(["add", "multiply", "maximum"])
        self.emit(f"stablehlo.{op} {name}, {self.tensor(shape)} : {tensor_type(shape)}", shape, self.tensors)

    def dot(self):
        pairs = [(a, b) for a in self.tensors for b in self.tensors
                 if len(a[1]) == len(b[1]) == 2 and a[1][1] == b[1][0]]
        if not pairs:
            return
        (lhs, m), (rhs, n) = self.rng.choice(pairs)
        shape = (m[0], n[1])
        self.emit(f"stablehlo.dot_general {lhs}, {rhs}, contracting_dims = [1] x [0] : "
                  f"({tensor_type(m)}, {tensor_type(n)}) -> {tensor_type(shape)}", shape, self.tensors)

    def call(self):
        if not self.helpers:
            return
        callee, shape = self.rng.choice(self.helpers)
        fitting = [name for name, other in self.buffers if other == shape]
        if not fitting:
            return
        text = f"func.call @{callee}({self.rng.choice(fitting)}, {self.tensor(shape)})"
        self.emit(f"{text} : ({buffer_type(shape)}, {tensor_type(shape)}) -> {tensor_type(shape)}", shape, self.tensors)

    def grow(self, length):
        ops = [self.alloc] + [self.view] * 3 + [self.load] * 3 + [self.store] * 4 + [self.elementwise] * 3
        ops += [self.dot, self.call, self.call]
        for _ in range(length):
            self.rng.choice(ops)()

    def text(self, name, visibility, arguments, results):
        types = [tensor_type(shape) for _, shape in results]
        names = ", ".join(result for result, _ in results)
        returned = f"return {names} : {', '.join(types)}" if results else "return"
        return (f"func.func {visibility} @{name}({', '.join(arguments)}) -> ({', '.join(types)}) {{\n  "
                + "\n  ".join(self.lines + [returned]) + "\n}\n")


def make_helper(rng, pinned, number):
    """Writes its buffer, and returns what was there."""
    shape = rng.choice(SHAPES)
    helper = Function(rng, pinned, [])
    helper.buffers.append(("%b", shape))
    helper.tensors.append(("%t", shape))
    arguments = [f"%b: {buffer_type(shape)}{helper.attribute(shape)}", f"%t: {tensor_type(shape)}"]
    helper.load()
    result = helper.tensors[-1]
    helper.grow(3)
    helper.lines.append(f"spmd.store {helper.tensor(shape)}, %b : {buffer_type(shape)}")
    return (f"helper{number}", shape), helper.text(f"helper{number}", "private", arguments, [result])


def make_program(seed, length):
    rng = random.Random(seed)
    pinned = rng.choice([0.2, 0.5, 0.9])
    helpers = [make_helper(rng, pinned / 3, number) for number in range(rng.randint(0, 2))]
    main = Function(rng, pinned, [helper for helper, _ in helpers])
    arguments = []
    for values, type_of in ((main.buffers, buffer_type), (main.tensors, tensor_type)):
        for _ in range(rng.randint(1, 3)):
            shape = rng.choice([shape for _, shape in main.helpers] * 2 + SHAPES)
            name = f"%arg{len(arguments)}"
            arguments.append(f"{name}: {type_of(shape)}{main.attribute(shape)}")
            values.append((name, shape))
    main.grow(length)
    results = [rng.choice(main.tensors) for _ in range(rng.randint(0, 2))]
    return MESH + main.text("main", "public", arguments, results) + "".join(text for _, text in helpers)


def signature(program):
    """Returns arguments and results of @main, buffers as the tensors that they hold."""
    line = re.search(r"func\.func (?:public )?@main\((.*)\{$", program, re.M).group(1)
    return re.sub(r"!spmd\.buffer<(tensor<[^>]*>)>", r"\1", line)


def check(arguments, seed):
    """Returns what is wrong with the program of `seed`, or nothing."""
    path = arguments.work / f"{seed}.mlir"
    path.write_text(make_program(seed, arguments.length))

    signatures = []
    for mode in ("true", "false"):
        process = _runner.run([arguments.opt, path, f"--spmd-pipeline=functionalize={mode}"])
        if process.returncode:
            return f"{path}: functionalize={mode}: {_runner.reason(process)}"
        signatures.append(signature(process.stdout))
    if signatures[0] != signatures[1]:
        return f"{path}: shardings differ: {signatures[0]} with functionalization, {signatures[1]} without"
    for mode in ([], ["--no-functionalize"]):
        process = _runner.run([arguments.run, path, f"--seed={seed}"] + mode)
        if process.returncode:
            return f"{path}: {' '.join(['spmd-run'] + mode)}: {_runner.reason(process)}"
    path.unlink()
    return None


def main():
    parser = _runner.parser(__doc__, opt="spmd-opt", run="spmd-run")
    _runner.add_seeds(parser, length=14)
    arguments = parser.parse_args()
    return _runner.check_seeds(arguments, check, "programs alike in both modes")


if __name__ == "__main__":
    sys.exit(main())
