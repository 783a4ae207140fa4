#!/usr/bin/env python3
"""Runs random programs of custom calls, with true rules for them in a plan, partitioned and whole, and compares.

    random_custom_calls.py --run spmd-run --work DIR [--first SEED] [--count N] [--length L] [--jobs N]

Each seed is one program and its plan: calls of ops that _custom_ops.py describes, among ordinary ones, in loops, branches and
functions, on uneven sizes; arguments and results split at random. A program that is not equal stays in DIR and is named.
"""

import random
import sys

import _runner
from _custom_ops import OPS

MESHES = [{"x": 2}, {"x": 4}, {"x": 3}, {"x": 8}, {"x": 2, "y": 2}, {"x": 2, "y": 4}, {"x": 2, "y": 3}]
SIZES = [[6, 8], [5, 7], [4, 8, 12], [3, 16], [8], [6, 7, 1], [2, 5]]
NUMBERS = "".join(f"  %c{number} = stablehlo.constant dense<{number}> : tensor<i32>\n" for number in range(3))
GIVEN = {"%o": "tensor<i32>", "%p": "tensor<i1>"}  # What every function has for an offset, and to branch.


def tensor(shape):
    return f"tensor<{''.join(f'{size}x' for size in shape)}f32>"


class Program:
    """A program, made op by op. What can be read at a place is a list of names and shapes; at the top it may grow by
    arguments."""

    def __init__(self, rng, length):
        self.rng, self.sizes, self.length = rng, rng.choice(SIZES), length
        self.arguments, self.functions, self.used, self.count = [], [], set(), 0
        self.top = []

    def text(self):
        body = self.ops(self.top, "  ", self.rng.randint(1, self.length), depth=0)
        made = [each for each in self.top if each not in self.arguments]
        self.results = self.rng.sample(made, min(len(made), self.rng.randint(1, 3)))
        arguments = ", ".join(f"{name}: {kind}" for name, kind in
                              [*GIVEN.items(), *((name, tensor(shape)) for name, shape in self.arguments)])
        results = ", ".join(tensor(shape) for _, shape in self.results)
        return (f"func.func @main({arguments}) -> ({results}) {{\n{NUMBERS}{body}"
                f"  return {', '.join(name for name, _ in self.results)} : {results}\n}}\n" + "".join(self.functions) +
                "".join(OPS[name].reference(name) for name in sorted(self.used)))

    def plan(self):
        """Returns a plan with the rules of what is called, and shardings of some arguments and results."""
        mesh = self.rng.choice(MESHES)
        lines = ["mesh { " + " ".join(f'axis {{ name: "{name}" size: {size} }}' for name, size in mesh.items()) + " }"]
        for what, first, values, share in (("argument", len(GIVEN), self.arguments, 0.6), ("result", 0, self.results, 0.3)):
            for number, (_, shape) in enumerate(values, first):
                if self.rng.random() < share:
                    lines.append(f"entry {{ {what}: \"{number}\" sharding: '{self.sharding(shape, mesh)}' }}")
        for name in sorted(self.used):
            lines.append(f'rule {{ target: "{name}" {self.rng.choice(OPS[name].rules)} reference: "{name}" }}')
        return "\n".join(lines) + "\n"

    def sharding(self, shape, mesh):
        dims = [[] for _ in shape]
        for axis in self.rng.sample(list(mesh), len(mesh)):
            if self.rng.random() < 0.7:
                self.rng.choice(dims).append(f'"{axis}"')
        return "[" + ", ".join("{" + ", ".join(dim + ["?"] * (self.rng.random() < 0.4)) + "}" for dim in dims) + "]"

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def ops(self, known, indent, count, depth):
        text = ""
        for _ in range(count):
            kind = self.rng.random()
            if kind < 0.7 or not known:
                text += self.call(known, indent)
            elif kind < 0.8 or depth == 2:
                text += self.elementwise(known, indent)
            else:
                text += self.rng.choice([self.loop, self.branch, self.function])(known, indent, depth)
        return text

    def call(self, known, indent):
        """A call of some op that has operands here; no text if there are none for it."""
        name = self.rng.choice(list(OPS))
        op, sizes, operands = OPS[name], {}, []
        for dims in op.operands:
            operand = self.operand(known, dims, sizes)
            if not operand:
                return ""
            sizes.update(zip(dims, operand[1]))
            operands.append((operand[0], tensor(operand[1])))
        operands += [("%o", GIVEN["%o"])] * op.offset
        self.used.add(name)
        result, shapes = self.name(), [[sizes[letter] for letter in dims] for dims in op.results]
        attributes = (" {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], "
                      "operand_index = 0, operand_tuple_indices = []>]}" if op.writes else "")
        several = len(shapes) > 1
        known += [(f"{result}#{i}" if several else result, shape) for i, shape in enumerate(shapes)]
        return (f"{indent}{result}{f':{len(shapes)}' if several else ''} = stablehlo.custom_call "
                f"@{name}({', '.join(each for each, _ in operands)}){attributes} : "
                f"({', '.join(kind for _, kind in operands)}) -> ({', '.join(map(tensor, shapes))})\n")

    def operand(self, known, dims, sizes):
        """Returns a value whose dims have the sizes that their letters have already, maybe a new argument."""
        fitting = [(name, shape) for name, shape in known if len(shape) == len(dims) and
                   all(sizes.get(letter, size) == size for letter, size in zip(dims, shape))]
        if fitting and (known is not self.top or self.rng.random() < 0.8):
            return self.rng.choice(fitting[-4:])
        if known is not self.top:
            return None
        argument = (f"%a{len(self.arguments)}", [sizes.get(letter, self.rng.choice(self.sizes)) for letter in dims])
        self.arguments.append(argument)
        known.insert(0, argument)
        return argument

    def elementwise(self, known, indent):
        (value, shape), name = self.rng.choice(known[-4:]), self.name()
        known.append((name, shape))
        return f"{indent}{name} = stablehlo.{self.rng.choice(['tanh', 'negate', 'sine'])} {value} : {tensor(shape)}\n"

    #===- Regions ------------------------------------------------------------===//

    def inside(self, value, shape, around, indent, depth):
        """Ops that read `value`, and the last of them that is like it."""
        known = [*around, (value, shape)]
        text = self.ops(known, indent + "  ", self.rng.randint(1, 3), depth + 1)
        return text, [name for name, each in known[len(around):] if each == shape][-1]

    def loop(self, known, indent, depth):
        (start, shape), name = self.rng.choice(known[-5:]), self.name()
        kind = tensor(shape)
        text, last = self.inside(name + "x", shape, known, indent, depth)
        known.append((name + "#1", shape))
        return f"""{indent}{name}:2 = stablehlo.while({name}i = %c0, {name}x = {start}) : tensor<i32>, {kind}
{indent}cond {{
{indent}  {name}c = stablehlo.compare LT, {name}i, %c2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
{indent}  stablehlo.return {name}c : tensor<i1>
{indent}}} do {{
{text}{indent}  {name}n = stablehlo.add {name}i, %c1 : tensor<i32>
{indent}  {name}t = stablehlo.tanh {last} : {kind}
{indent}  stablehlo.return {name}n, {name}t : tensor<i32>, {kind}
{indent}}}
"""

    def branch(self, known, indent, depth):
        (value, shape), name = self.rng.choice(known[-5:]), self.name()
        kind = tensor(shape)
        regions = ["{{\n{0}{2}  stablehlo.return {1} : {3}\n{2}}}".format(*self.inside(value, shape, known, indent, depth), indent, kind)
                   for _ in range(2)]
        known.append((name, shape))
        return f'{indent}{name} = "stablehlo.if"(%p) ({", ".join(regions)}) : (tensor<i1>) -> {kind}\n'

    def function(self, known, indent, depth):
        """A function that is called once or twice."""
        (value, shape), callee = self.rng.choice(known[-5:]), f"f{self.name()[2:]}"
        kind, given = tensor(shape), "".join(f", {name}: {each}" for name, each in GIVEN.items())
        text, last = self.inside("%x", shape, [], "", depth)
        self.functions.append(f"func.func private @{callee}(%x: {kind}{given}) -> {kind} {{\n{NUMBERS}{text}"
                              f"  return {last} : {kind}\n}}\n")
        calls = ""
        for _ in range(self.rng.randint(1, 2)):
            name = self.name()
            calls += f"{indent}{name} = func.call @{callee}({value}, {', '.join(GIVEN)}) : ({', '.join([kind, *GIVEN.values()])}) -> {kind}\n"
            known.append((name, shape))
            value = name
        return calls


def check(arguments, seed):
    rng = random.Random(seed)
    program = Program(rng, arguments.length)
    files = [arguments.work / f"{seed}.{kind}" for kind in ("mlir", "plan")]
    text = program.text()
    for path, content in zip(files, (text, program.plan())):
        path.write_text(content)
    process = _runner.run([arguments.run, files[0], f"--plan={files[1]}", *["--no-functionalize"] * (seed % 3 == 0)])
    if process.returncode or "equal:        yes" not in process.stdout:
        return f"{files[0]}: {_runner.reason(process)}"
    for path in files:
        path.unlink()
    return None


def main():
    parser = _runner.parser(__doc__, run="spmd-run")
    _runner.add_seeds(parser, length=6)
    sys.exit(_runner.check_seeds(parser.parse_args(), check, "programs of custom calls equal"))


if __name__ == "__main__":
    main()
