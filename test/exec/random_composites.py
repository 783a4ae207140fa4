#!/usr/bin/env python3
"""Checks programs of composites that sharding rules split.

    random_composites.py --opt spmd-opt --run spmd-run --work DIR [--first SEED] [--count N] [--jobs N]

Each seed is one program: composites with rules, some of which promise what their decompositions do not keep, beside plain
calls and composites without rules of the same functions, in loops and inside of each other. Partitioned it computes what it
does whole, and its outcome, in which composites have become calls, is as it was when it is propagated again. A program
where it is not stays in DIR and is named.
"""

import random
import sys

import _runner
from random_laws import Broken, Files

TENSOR = "tensor<8x5xf32>"
MESHES = ('"x"=2, "y"=3', '"x"=4, "y"=2', '"x"=3', '"x"=2, "y"=2, "z"=2')
# What a decomposition does with %in, and the rule that is said of it.
KINDS = (
    ("([i, j])->([i, j]) {i=8, j=5}", ["%1 = stablehlo.tanh %in : T", "%out = stablehlo.reverse %1, dims = [0] : T"]),
    ("([i, j])->([i, j]) {i=8, j=5} need_replication={j}", ["%out = stablehlo.cosine %in : T"]),
    ("([i, j])->([i, j]) {i=8, j=5} blocked_propagation={j}", ["%out = stablehlo.sine %in : T"]),
    ("([i, j])->([k, j]) {i=8, j=5, k=8} need_replication={i, k}", ["%out = stablehlo.reverse %in, dims = [0, 1] : T"]),
    ("([ik, j])->([ik, j]) {i=2, j=5, k=4}",
     ["%1 = stablehlo.reshape %in : (T) -> tensor<2x4x5xf32>", "%2 = stablehlo.reverse %1, dims = [1] : tensor<2x4x5xf32>",
      "%out = stablehlo.reshape %2 : (tensor<2x4x5xf32>) -> T"]),
)
GROUP = "sdy.sharding_group %out group_id=3 : T"


class Program:
    def __init__(self, seed, length):
        self.rng, self.length = random.Random(seed), length
        self.mesh = self.rng.choice(MESHES)
        self.axes = [axis for axis in "xyz" if f'"{axis}"' in self.mesh]
        self.rules, self.functions, self.count = [], [], 0
        for number in range(self.rng.randint(2, 4)):
            self.add_function(number)

    def spec(self):
        dims = [[], []]
        for axis in self.rng.sample(self.axes, len(self.axes)):
            if self.rng.random() < 0.6:
                self.rng.choice(dims).append(f'"{axis}"')
        return "<@mesh, [" + ", ".join("{" + ", ".join(dim + ["?"] * (self.rng.random() < 0.5)) + "}" for dim in dims) + "]>"

    def use(self, result, operand, number, pin=""):
        """Returns the line that calls a function in one of three ways."""
        composite = f'stablehlo.composite "my.op" {operand} {{decomposition = @made{number}'
        form = self.rng.choices((f"{composite}, sdy.sharding_rule = #sdy.op_sharding_rule<{self.rules[number]}>{pin}}}",
                                 f"{composite}}}", f"func.call @made{number}({operand})"), (6, 1, 1))[0]
        return f"{result} = {form} : (T) -> T"

    def add_function(self, number):
        rule, lines = self.rng.choice(KINDS)
        lines = list(lines)
        if number and self.rng.random() < 0.5:
            lines = [self.use("%in", "%a", self.rng.randrange(number))] + lines
        else:
            lines = [line.replace("%in", "%a") for line in lines]
        if self.rng.random() < 0.2:
            lines.append(GROUP)
        self.rules.append(rule)
        self.functions.append(f"func.func private @made{number}(%a: T) -> T {{\n" + "\n".join(lines) + "\nreturn %out : T\n}\n")

    def grow(self, values, length):
        lines = []
        for _ in range(length):
            self.count += 1
            pin = f", sdy.sharding = #sdy.sharding_per_value<[{self.spec()}]>" if self.rng.random() < 0.2 else ""
            result = f"%v{self.count}"
            if self.rng.random() < 0.2:
                lines.append(f"{result} = stablehlo.add {self.rng.choice(values)}, {self.rng.choice(values)} : T")
            else:
                lines.append(self.use(result, self.rng.choice(values), self.rng.randrange(len(self.rules)), pin))
            values.append(result)
        return lines

    def loop(self, start):
        body = ["%c", "%b"]
        lines = self.grow(body, self.rng.randint(1, 4))
        return [f"%one = stablehlo.constant dense<1> : tensor<i32>\n%zero = stablehlo.constant dense<0> : tensor<i32>\n"
                f"%turns = stablehlo.constant dense<{self.rng.randint(1, 4)}> : tensor<i32>\n"
                f"%l:2 = stablehlo.while(%i = %zero, %c = {start}) : tensor<i32>, T\ncond {{\n"
                "%g = stablehlo.compare LT, %i, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                "stablehlo.return %g : tensor<i1>\n} do {"] + lines + [
                "%next = stablehlo.add %i, %one : tensor<i32>", f"stablehlo.return %next, {body[-1]} : tensor<i32>, T", "}"]

    def text(self):
        values = ["%a", "%b"]
        lines = self.grow(values, self.rng.randint(2, self.length))
        if self.rng.random() < 0.6:
            lines += self.loop(self.rng.choice(values))
            values.append("%l#1")
        pins = [f" {{sdy.sharding = #sdy.sharding{self.spec()}}}" if self.rng.random() < 0.8 else "" for _ in "ab"]
        return (f"sdy.mesh @mesh = <[{self.mesh}]>\nfunc.func @main(%a: T{pins[0]}, %b: T{pins[1]}) -> (T, T) {{\n" + "\n".join(lines) +
                f"\nreturn {values[-1]}, {self.rng.choice(values)} : T, T\n}}\n" + "".join(self.functions)).replace(
                    ": T", f": {TENSOR}").replace("(T", f"({TENSOR}").replace("-> T", f"-> {TENSOR}").replace(", T", f", {TENSOR}")


def check(arguments, seed):
    files = Files(arguments, seed)
    files.write("in", Program(seed, arguments.length).text())
    options = ""
    try:
        for options in ("conflicts=classes on-missing=warn", "conflicts=shardy on-missing=replicate"):
            passes = f"--spmd-propagate={options}", f"--spmd-expand-composites={options}"
            files.run("in", "1", "--spmd-legalize-chlo=keep-functions", *passes)
            files.run("1", "2", *passes)
            if files.path("1").read_text() != files.path("2").read_text():
                raise Broken("propagating again changes something")
        process = _runner.run([arguments.run, files.path("in")])
        if process.returncode:
            raise Broken(f"spmd-run: {_runner.reason(process)}")
    except Broken as broken:
        return f"{files.path('in')}: {options}: {broken}"
    files.remove()
    return None


def main():
    parser = _runner.parser(__doc__, opt="spmd-opt", run="spmd-run")
    _runner.add_seeds(parser, length=5)
    return _runner.check_seeds(parser.parse_args(), check, "programs of composites are right")


if __name__ == "__main__":
    sys.exit(main())
