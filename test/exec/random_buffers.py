#!/usr/bin/env python3
"""Runs random programs that update buffers in place, with functionalization on and off.

    random_buffers.py --opt spmd-opt --run spmd-run --work DIR [--first SEED] [--count N] [--jobs N]

Each seed is one program: buffers, views of views, loads, stores, calls and custom calls that write their arguments,
branches and loops that write what is outside, arguments that share one memory or may not be donated, with random
shardings on arguments and random pins on buffers, views and loads. Both modes must give arguments and results the same
shardings and donations, move the same and hold as much at the worst moment, and partitioned must equal whole in both,
and what the program does to memory (`_addresses.py`).
An argument lies as the result that it is donated to. In every fifth program the custom calls have no rules, and run by
those that are inferred from their users. A program that fails stays in DIR and is named.
"""

import itertools
import json
import random
import re
import shutil
import sys

import _addresses
import _runner

WIDTHS = {"i8": 8, "i16": 16, "i32": 32, "ui32": 32}


class Shape(tuple):
    """Sizes and a type of elements; a plain tuple is one of i32."""

    def __new__(cls, sizes, element="i32"):
        shape = super().__new__(cls, sizes)
        shape.element = element
        return shape

    def __eq__(self, other):
        return tuple.__eq__(self, other) and self.element == element_of(other)

    def __hash__(self):
        return tuple.__hash__(self)


def element_of(shape):
    return getattr(shape, "element", "i32")


SHAPES = [(8, 4), (4, 8), (8, 8), (6, 4), (5, 3), (16,), (7,)]
AXES = {"x": 2, "y": 3}


class Draw(random.Random):
    """What is drawn for one program, and the mesh that it is for."""

    def __init__(self, seed, axes=None):
        super().__init__(seed)
        self.axes = axes or AXES

    def mesh(self):
        return "sdy.mesh @mesh = <[" + ", ".join(f'"{name}"={size}' for name, size in self.axes.items()) + "]>\n"


def tensor_type(shape):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element_of(shape) + ">"


def buffer_type(shape):
    return f"!spmd.buffer<{tensor_type(shape)}>"


class Function:
    """A function that grows op by op. Values are pairs of a name and a shape."""

    shapes = SHAPES

    def __init__(self, rng, pinned, helpers, around=None):
        self.rng, self.pinned, self.helpers, self.around = rng, pinned, helpers, around
        self.lines = []
        self.buffers, self.tensors = (list(around.buffers), list(around.tensors)) if around else ([], [])
        self.numbers = around.numbers if around else itertools.count(1)
        self.repeating = around.repeating if around else set()  # Names of views that cannot be stored through.
        self.shown = around.shown if around else {}  # Shapes of what a view is a view of, by its name.

    def name(self):
        return f"%v{next(self.numbers)}"

    def sharding(self, shape):
        axes = self.rng.sample(list(self.rng.axes), len(self.rng.axes))
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
        shape = self.rng.choice(self.shapes)
        self.emit(f"spmd.alloc{self.pin(shape, 0.5)} : {buffer_type(shape)}", shape, self.buffers)

    def view(self):
        name, shape = self.rng.choice(self.buffers)
        kinds = [self.slice, self.transpose, self.reshape, self.bitcast, self.broadcast]
        if shape and 0 not in shape:
            kinds += [self.dynamic_slice, self.index] + [self.diagonal] * (len(shape) >= 2)
        kind, to, text, operands = self.rng.choice(kinds)(shape)
        to = to if isinstance(to, Shape) else Shape(to, element_of(shape))
        pin = "" if to == shape and kind == "reshape_view" else self.pin(to, 0.3)
        shown = self.shown.get(name, []) + [shape]
        if to in shown:  # It may be all of that, and would pin it, too.
            pin = ""
        types = "".join(", " + each for _, each in operands)
        names = "".join(", " + each for each, _ in operands)
        self.emit(f"spmd.{kind} {name}{names}{text}{pin} : ({buffer_type(shape)}{types}) -> {buffer_type(to)}", to,
                  self.buffers)
        self.shown[self.buffers[-1][0]] = shown
        if name in self.repeating or kind == "broadcast_view":
            self.repeating.add(self.buffers[-1][0])

    # Views: each returns the op, the shape that is shown, attributes as text, and further operands with their types.

    def slice(self, shape):
        to, ranges = [], []
        for size in shape:
            start = self.rng.choice([0, self.rng.randint(0, size)])
            limit = self.rng.choice([size, self.rng.randint(start, size)])
            stride = self.rng.choice([1, 1, 2, 3])
            ranges.append(f"{start}:{limit}:{stride}")
            to.append((limit - start + stride - 1) // stride)
        return "slice_view", tuple(to), f" [{', '.join(ranges)}]", []

    def transpose(self, shape):
        dims = self.rng.sample(range(len(shape)), len(shape))
        return "transpose_view", tuple(shape[dim] for dim in dims), f", dims = {dims}", []

    def reshape(self, shape):
        count = 1
        for size in shape:
            count *= size
        shapes = [(count,)] + [(size, count // size) for size in (1, 2, 4, 5) if count % size == 0]
        return "reshape_view", self.rng.choice(shapes), "", []

    def bitcast(self, shape):
        element = self.rng.choice(list(WIDTHS))
        ratio = WIDTHS[element] / WIDTHS[element_of(shape)]
        if ratio < 1:
            return "bitcast_view", Shape(shape + (round(1 / ratio),), element), "", []
        if ratio == 1:
            return "bitcast_view", Shape(shape, element), "", []
        if shape and shape[-1] == ratio:
            return "bitcast_view", Shape(shape[:-1], element), "", []
        return "bitcast_view", shape, "", []

    def broadcast(self, shape):
        dims = sorted(self.rng.sample(range(len(shape) + 1), len(shape)))
        to = [self.rng.choice([1, 2, 3])] * (len(shape) + 1)
        for dim, size in zip(dims, shape):
            to[dim] = size
        return "broadcast_view", tuple(to), f", dims = {dims}", []

    def diagonal(self, shape):
        dims = self.rng.sample(range(len(shape)), 2)
        rows, columns = (shape[dim] for dim in dims)
        offset = self.rng.randint(1 - rows, columns - 1)
        length = min(rows + min(offset, 0), columns - max(offset, 0))
        to = [size for dim, size in enumerate(shape) if dim not in dims] + [length]
        return "diagonal_view", tuple(to), f", dims = {dims}, offset = {offset}", []

    def dynamic_slice(self, shape):
        to = tuple(self.rng.randint(0, size) for size in shape)
        starts = [(self.constant(str(self.rng.randint(-1, size)), ()), tensor_type(())) for size in shape]
        return "dynamic_slice_view", to, f", sizes = {list(to)}", starts

    def index(self, shape):
        dim = self.rng.randrange(len(shape))
        places = self.rng.sample(range(shape[dim]), self.rng.randint(1, shape[dim]))
        to = shape[:dim] + (len(places),) + shape[dim + 1:]
        indices = (len(places),)
        return "index_view", to, f", dim = {dim}", [(self.constant(str(places), indices), tensor_type(indices))]

    def constant(self, value, shape):
        name = self.name()
        self.lines.append(f"{name} = stablehlo.constant dense<{value}> : {tensor_type(shape)}")
        return name

    def writable(self):
        return [(name, shape) for name, shape in self.buffers if name not in self.repeating]

    def load(self):
        name, shape = self.rng.choice(self.buffers)
        self.emit(f"spmd.load {name}{self.pin(shape, 0.2)} : {buffer_type(shape)}", shape, self.tensors)

    def store(self):
        name, shape = self.rng.choice(self.writable())
        self.lines.append(f"spmd.store {self.tensor(shape)}, {name} : {buffer_type(shape)}")

    def tensor(self, shape):
        fitting = [name for name, other in self.tensors if other == shape]
        if fitting and self.rng.random() < 0.9:
            return self.rng.choice(fitting)
        value = self.rng.randrange(10) if self.rng.random() < 0.7 or 0 in shape else self.elements(shape)
        self.emit(f"stablehlo.constant dense<{value}> : {tensor_type(shape)}", shape, self.tensors)
        return self.tensors[-1][0]

    def elements(self, shape):
        """Returns a literal of which no two neighbours need to be alike."""
        if not shape:
            return self.rng.randrange(10)
        return [self.elements(shape[1:]) for _ in range(shape[0])]

    def update(self):
        """What a view shows is computed with, and goes back to its place."""
        name, shape = self.rng.choice(self.writable())
        self.emit(f"spmd.load {name} : {buffer_type(shape)}", shape, self.tensors)
        for _ in range(self.rng.randint(1, 3)):
            self.compute(*self.tensors[-1])
        self.lines.append(f"spmd.store {self.tensors[-1][0]}, {name} : {buffer_type(shape)}")

    def elementwise(self):
        if self.tensors:
            self.compute(*self.rng.choice(self.tensors))

    def compute(self, name, shape):
        op = self.rng.choice(["add", "multiply", "maximum"])
        self.emit(f"stablehlo.{op} {name}, {self.tensor(shape)} : {tensor_type(shape)}", shape, self.tensors)

    def dot(self):
        pairs = [(a, b) for a in self.tensors for b in self.tensors
                 if len(a[1]) == len(b[1]) == 2 and a[1][1] == b[1][0] and element_of(a[1]) == element_of(b[1])]
        if not pairs:
            return
        (lhs, m), (rhs, n) = self.rng.choice(pairs)
        shape = Shape((m[0], n[1]), element_of(m))
        self.emit(f"stablehlo.dot_general {lhs}, {rhs}, contracting_dims = [1] x [0] : "
                  f"({tensor_type(m)}, {tensor_type(n)}) -> {tensor_type(shape)}", shape, self.tensors)

    def call(self):
        if not self.helpers:
            return
        callee, shape = self.rng.choice(self.helpers)
        fitting = [name for name, other in self.writable() if other == shape]
        if not fitting:
            return
        text = f"func.call @{callee}({self.rng.choice(fitting)}, {self.tensor(shape)})"
        self.emit(f"{text} : ({buffer_type(shape)}, {tensor_type(shape)}) -> {tensor_type(shape)}", shape, self.tensors)

    def custom_call(self):
        fitting = [(name, shape) for name, shape in self.writable() if element_of(shape) == "i32" and len(shape) in (1, 2)]
        if not fitting:
            return
        name, shape = self.rng.choice(fitting)
        dims = "[i]" if len(shape) == 1 else "[i, j]"
        self.lines.append(
            f'stablehlo.custom_call @mix({name}, {self.tensor(shape)}) {{spmd.writes = array<i64: 0>, spmd.reference = '
            f'@mix{len(shape)}, spmd.rule = {{dims = "({dims}, {dims})->({dims})"}}}} : '
            f"({buffer_type(shape)}, {tensor_type(shape)}) -> ()")  # fmt: skip

    # Regions

    def inside(self, length):
        """Returns the lines of a region that computes with what is outside."""
        inner = Function(self.rng, self.pinned, self.helpers, self)
        inner.grow(length)
        return ["  " + line for line in inner.lines]

    def depth(self):
        return 1 + self.around.depth() if self.around else 0

    def branch(self):
        if self.depth() == 2:
            return
        index = self.constant(str(self.rng.randrange(3)), ())
        lines = ['"stablehlo.case"(' + index + ") ({"]
        for number in range(2):
            lines += self.inside(3) + ["  stablehlo.return", "}" if number else "}, {"]
        self.lines += lines[:-1] + [f"}}) : ({tensor_type(())}) -> ()"]

    def loop(self):
        if self.depth() == 2:
            return
        first, step, last = (self.constant(str(value), ()) for value in (0, 1, self.rng.randint(0, 3)))
        result, turn, goes_on, following = (self.name() for _ in range(4))
        scalar = tensor_type(())
        compare = f"stablehlo.compare LT, {turn}, {last} : ({scalar}, {scalar}) -> tensor<i1>"
        self.lines += [f"{result} = stablehlo.while({turn} = {first}) : {scalar}", " cond {", f"  {goes_on} = {compare}",
                       f"  stablehlo.return {goes_on} : tensor<i1>", "} do {"]  # fmt: skip
        self.lines += self.inside(3)
        self.lines += [f"  {following} = stablehlo.add {turn}, {step} : {scalar}",
                       f"  stablehlo.return {following} : {scalar}", "}"]  # fmt: skip

    def grow(self, length):
        ops = [self.alloc] + [self.view] * 3 + [self.load] * 3 + [self.store] * 4 + [self.elementwise] * 3
        ops += [self.update, self.dot, self.call, self.call, self.custom_call, self.branch, self.loop]
        for _ in range(length):
            self.rng.choice(ops)()

    def text(self, name, visibility, arguments, results):
        types = [tensor_type(shape) for _, shape in results]
        names = ", ".join(result for result, _ in results)
        returned = f"return {names} : {', '.join(types)}" if results else "return"
        return (f"func.func {visibility} @{name}({', '.join(arguments)}) -> ({', '.join(types)}) {{\n  "
                + "\n  ".join(self.lines + [returned]) + "\n}\n")


def make_helper(rng, pinned, number, kind):
    """Writes its buffer, and returns what was there."""
    shape = rng.choice(kind.shapes)
    helper = kind(rng, pinned, [])
    helper.buffers.append(("%b", shape))
    helper.tensors.append(("%t", shape))
    arguments = [f"%b: {buffer_type(shape)}{helper.attribute(shape)}", f"%t: {tensor_type(shape)}"]
    helper.load()
    result = helper.tensors[-1]
    helper.grow(3)
    helper.lines.append(f"spmd.store {helper.tensor(shape)}, %b : {buffer_type(shape)}")
    return (f"helper{number}", shape), helper.text(f"helper{number}", "private", arguments, [result])


def mix_function(rank):
    """Returns what the custom call `mix` computes, for tensors of a rank."""
    tensor = "tensor<" + "?x" * rank + "i32>"
    return (f"func.func private @mix{rank}(%b: {tensor}, %t: {tensor}) -> {tensor} {{\n"
            f"  %0 = stablehlo.multiply %b, %t : {tensor}\n  %1 = stablehlo.subtract %0, %b : {tensor}\n"
            f"  return %1 : {tensor}\n}}\n")  # fmt: skip


def shared_memory(main, arguments):
    """Adds two arguments that are the upper and the lower part of one memory."""
    for first in (0, 4):
        name = f"%arg{len(arguments)}"
        part = (f'{{name = "m", shape = array<i64: 8, 4>, start_indices = array<i64: {first}, 0>, limit_indices = '
                f"array<i64: {first + 4}, 4>, strides = array<i64: 1, 1>}}")  # fmt: skip
        arguments.append(f"{name}: {buffer_type((4, 4))} {{spmd.memory = {part}}}")
        main.buffers.append((name, (4, 4)))


def make_program(rng, length, kind=Function):
    pinned = rng.choice([0.2, 0.5, 0.9])
    helpers = [make_helper(rng, pinned / 3, number, kind) for number in range(rng.randint(0, 2))]
    main = kind(rng, pinned, [helper for helper, _ in helpers])
    arguments = []
    if rng.random() < 0.2:
        shared_memory(main, arguments)
    for values, type_of in ((main.buffers, buffer_type), (main.tensors, tensor_type)):
        for _ in range(rng.randint(1, 3)):
            shape = rng.choice([shape for _, shape in main.helpers] * 2 + kind.shapes)
            name = f"%arg{len(arguments)}"
            attribute = main.attribute(shape)
            if type_of is buffer_type and not attribute and rng.random() < 0.2:
                attribute = " {spmd.not_donated}"
            arguments.append(f"{name}: {type_of(shape)}{attribute}")
            values.append((name, shape))
    main.grow(length)
    results = [rng.choice(main.tensors) for _ in range(rng.randint(0, 2))]
    functions = [text for _, text in helpers] + [mix_function(rank) for rank in (1, 2)]
    return rng.mesh() + main.text("main", "public", arguments, results) + "".join(functions)


def signature(program):
    """Returns arguments and results of @main, buffers as the tensors that they hold."""
    line = re.search(r"func\.func (?:public )?@main\((.*)\{$", program, re.M).group(1)
    return re.sub(r"!spmd\.buffer<(tensor<[^>]*>)>", r"\1", line)


def arguments_and_results(signature):
    taken, _, given = signature.partition(" -> ")
    return [re.split(r"(?=tensor<[^>]*> \{)", side)[1:] for side in (taken, given)]


def untied(signature):
    """Returns an argument of @main that lies otherwise than the result it is donated to, or nothing."""
    taken, given = arguments_and_results(signature)
    sharding = re.compile(r"#sdy\.sharding<(.*?)>, ")
    for argument in taken:
        if donated := re.search(r"tf\.aliasing_output = (\d+)", argument):
            result = given[int(donated.group(1))]
            if sharding.search(argument).group(1) != sharding.search(result).group(1):
                return argument
    return None


def make_arrays(path, seed, program, signature):
    """Returns the options that tell `spmd-run` what goes in, and what is to come out where that is known."""
    folder = path.with_suffix("")
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("in", "out"):
        (folder / name).mkdir(parents=True)
    taken, given = arguments_and_results(signature)
    donated = [re.search(r"tf\.aliasing_output = (\d+)", argument) for argument in taken]
    donations = [each and int(each.group(1)) for each in donated]
    _addresses.write_run(random.Random(seed), program, donations, folder)
    is_known = len(list((folder / "out").iterdir())) == len(given)  # Else something is left of what is not donated.
    return [f"--in={folder}/in"] + [f"--expect={folder}/out"] * is_known


def check(arguments, seed, make=lambda seed, length: make_program(Draw(seed), length)):
    """Returns what is wrong with the program of `seed`, or nothing."""
    path = arguments.work / f"{seed}.mlir"
    program = make(seed, arguments.length)
    policy = "replicate"
    if seed % 5 == 0:
        program, policy = re.sub(r', spmd\.rule = \{dims = "[^"]*"\}', "", program), "infer-from-users"
    path.write_text(program)

    signatures = []
    for mode in ("true", "false"):
        process = _runner.run([arguments.opt, path, f"--spmd-pipeline=functionalize={mode} on-no-rule={policy}"])
        if process.returncode:
            return f"{path}: functionalize={mode}: {_runner.reason(process)}"
        signatures.append(signature(process.stdout))
    if signatures[0] != signatures[1]:
        return f"{path}: shardings differ: {signatures[0]} with functionalization, {signatures[1]} without"
    if argument := untied(signatures[0]):
        return f"{path}: lies otherwise than the result that it is donated to: {argument}"
    reports = []
    arrays = make_arrays(path, seed, program, signatures[0])
    for mode in ([], ["--no-functionalize"]):
        report = path.with_suffix(".json")
        process = _runner.run([arguments.run, path, f"--on-no-rule={policy}", f"--json={report}"] + arrays + mode)
        if process.returncode:
            return f"{path}: {' '.join(['spmd-run'] + mode)}: {_runner.reason(process)}"
        reports.append(json.loads(report.read_text()))
        report.unlink()
    for key in ("collectives", "peak_bytes_per_device"):
        on, off = (report[key] for report in reports)
        if on != off:
            return f"{path}: {key}: {on} with functionalization, {off} without"
    path.unlink()
    shutil.rmtree(path.with_suffix(""))
    return None


def main(description=__doc__, check=check):
    parser = _runner.parser(description, opt="spmd-opt", run="spmd-run")
    _runner.add_seeds(parser, length=14)
    arguments = parser.parse_args()
    return _runner.check_seeds(arguments, check, "programs alike in both modes")


if __name__ == "__main__":
    sys.exit(main())
