#!/usr/bin/env python3
"""Checks what must hold of propagation, whatever the program, on random ones.

    random_laws.py --opt spmd-opt --work DIR [--first SEED] [--count N] [--jobs N]

Each seed is one program of random_programs.py. For both ways of deciding conflicts: propagating the
outcome again changes nothing; what the program pins stays as it is; two runs give the same text. Pinning what
was inferred changes nothing else where nothing conflicts. A program that breaks a law stays in DIR and is named.
"""

import random
import re
import sys

import _runner
from random_programs import make_program

PINNED = re.compile(r"(%arg\d+): tensor<[^>]*> \{sdy\.sharding = #sdy\.sharding(<@[^>]*>)(?!, spmd\.inferred)")
INFERRED = re.compile(r" ?\{sdy\.sharding = (#sdy\.sharding(?:(?!>\}).)*?), spmd\.inferred\}")


def pins(text):
    """Returns the arguments of @main whose dims are all closed, with their shardings."""
    header = text[text.index("@main"):].split("->")[0]
    return [match.groups() for match in PINNED.finditer(header) if "?" not in match.group(2)]


def propagate(arguments, source, target, conflicts):
    """Returns what is wrong with the run, or nothing."""
    process = _runner.run([arguments.opt, source, f"--spmd-propagate=conflicts={conflicts}", "-o", target])
    return _runner.reason(process) if process.returncode else None


def check_laws(arguments, seed, text, conflicts):
    source, first, second, third = (arguments.work / f"{seed}.{name}.mlir" for name in ("in", "1", "2", "3"))
    source.write_text(text)
    for path, outcome in ((source, first), (source, second), (first, third)):
        wrong = propagate(arguments, path, outcome, conflicts)
        if wrong:
            return f"{path}: conflicts={conflicts}: {wrong}"
    inferred = first.read_text()
    if inferred != second.read_text():
        return f"{source}: conflicts={conflicts}: two runs differ"
    if inferred != third.read_text():
        return f"{source}: conflicts={conflicts}: propagating again changes something"
    if pins(text) != pins(inferred):
        return f"{source}: conflicts={conflicts}: a pinned sharding changed"
    for path in (source, first, second, third):
        path.unlink()
    return None


def make_chain(rng):
    """Returns a program with one annotation and no conflict: each value has one user, no dim meets itself."""
    shape = [rng.choice([4, 8, 12, 16]) for _ in range(rng.randint(1, 3))]
    start = rng.randrange(len(shape))
    axes = ", ".join('{"x"}' if d == start else "{?}" for d in range(len(shape)))
    arguments = [f"%arg0: {tensor(shape)} {{sdy.sharding = #sdy.sharding<@mesh, [{axes}]>}}"]
    lines, value = [], "%arg0"
    for i in range(rng.randint(3, 9)):
        before, kind = tensor(shape), rng.choice(["tanh", "transpose", "add", "dot"])
        if kind == "tanh":
            text = f"stablehlo.tanh {value} : {before}"
        elif kind == "transpose":
            order = rng.sample(range(len(shape)), len(shape))
            shape = [shape[d] for d in order]
            text = f"stablehlo.transpose {value}, dims = {order} : ({before}) -> {tensor(shape)}"
        elif kind == "add":
            arguments.append(f"%arg{len(arguments)}: {before}")
            text = f"stablehlo.add {value}, %arg{len(arguments) - 1} : {before}"
        else:
            weight = [shape[-1], rng.choice([4, 8, 20])]
            arguments.append(f"%arg{len(arguments)}: {tensor(weight)}")
            shape = shape[:-1] + weight[1:]
            text = (f"stablehlo.dot_general {value}, %arg{len(arguments) - 1}, contracting_dims = "
                    f"[{len(shape) - 1}] x [0] : ({before}, {tensor(weight)}) -> {tensor(shape)}")
        value = f"%{i}"
        lines.append(f"  {value} = {text}\n")
    return (f'sdy.mesh @mesh = <["x"=4, "y"=2]>\nfunc.func public @main({", ".join(arguments)}) -> {tensor(shape)} {{\n'
            f"{''.join(lines)}  return {value} : {tensor(shape)}\n}}\n")


def tensor(shape):
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def pin_one(text, rng):
    """Returns an outcome of propagation with one inferred sharding pinned and the others dropped, and the outcome
    that has this one pinned; nothing if it has none."""
    found = [match for match in INFERRED.finditer(text) if '"' in match.group(1)]
    if not found:
        return None
    chosen = rng.choice(found)
    pin = f" {{sdy.sharding = {chosen.group(1)}}}"
    alone = INFERRED.sub(lambda match: pin if match.span() == chosen.span() else "", text)
    return alone, text[:chosen.start()] + pin + text[chosen.end():]


def check_pin(arguments, seed):
    """Pinning what was inferred changes nothing else where nothing conflicts."""
    rng = random.Random(seed)
    source, outcome = arguments.work / f"{seed}.chain.mlir", arguments.work / f"{seed}.pinned.mlir"
    source.write_text(make_chain(rng))
    wrong = propagate(arguments, source, outcome, "classes")
    pinned = None if wrong else pin_one(outcome.read_text(), rng)
    if pinned:
        source.write_text(pinned[0])
        wrong = propagate(arguments, source, outcome, "classes")
        if not wrong and outcome.read_text() != pinned[1]:
            wrong = "pinning an inferred sharding changes others"
    if wrong:
        return f"{source}: {wrong}"
    source.unlink()
    outcome.unlink()
    return None


def check(arguments, seed):
    text = make_program(seed, arguments.length)[0]
    for conflicts in ("classes", "shardy"):
        wrong = check_laws(arguments, seed, text, conflicts)
        if wrong:
            return wrong
    return check_pin(arguments, seed)


def main():
    parser = _runner.parser(__doc__, opt="spmd-opt")
    _runner.add_seeds(parser, length=12)
    return _runner.check_seeds(parser.parse_args(), check, "programs keep the laws")


if __name__ == "__main__":
    sys.exit(main())
