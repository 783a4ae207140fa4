#!/usr/bin/env python3
"""Brings a value from every sharding to every other, and compares with the unpartitioned program.

    reshard_pairs.py --run spmd-run --work DIR

All shardings of two dims over a 2x4 mesh are taken: whole axes, the two halves of the larger, any order,
partial sums and maxima, and some on a second mesh with its devices in another order. One program takes an
argument of one sharding and returns it in each of the others.
"""

import itertools
import sys

import _runner

MESHES = """sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @other = <["u"=4, "v"=2], device_ids=[5, 0, 7, 2, 1, 4, 3, 6]>
"""
SIZES = [(8, 8), (5, 7), (3, 1)]
PLACES = ["dim 0", "dim 1", "none", "partial"]


def merged(axes):
    """Two halves of "y" in order are "y"."""
    text = ", ".join(axes)
    return text.replace('"y":(1)2, "y":(2)2', '"y"')


def shardings():
    """Returns the distinct shardings as text."""
    found = []
    for mesh, parts in [("mesh", ['"x"', '"y"']), ("mesh", ['"x"', '"y":(1)2', '"y":(2)2']), ("other", ['"u"', '"v"'])]:
        for order in itertools.permutations(parts):
            for places in itertools.product(PLACES, repeat=len(parts)):
                lists = {place: [part for part, own in zip(order, places) if own == place] for place in PLACES}
                text = f"<@{mesh}, [{{{merged(lists['dim 0'])}}}, {{{merged(lists['dim 1'])}}}]"
                if lists["partial"]:
                    text += f", unreduced={{{merged(sorted(lists['partial']))}}}"
                found.append(text + ">")
    return list(dict.fromkeys(found))


def program(source, targets, shape):
    kind = "tensor<" + "x".join(map(str, shape)) + "xi32>"
    results = ", ".join(f"{kind} {{sdy.sharding = #sdy.sharding{target}}}" for target in targets)
    lines = [f"  %{i} = sdy.reshard %a {target} : {kind}\n" for i, target in enumerate(targets)]
    names = ", ".join(f"%{i}" for i in range(len(targets)))
    return (f"{MESHES}func.func public @main(%a: {kind} {{sdy.sharding = #sdy.sharding{source}}}) -> ({results}) {{\n"
            f"{''.join(lines)}  return {names} : {', '.join([kind] * len(targets))}\n}}\n")


def check(arguments, case):
    """Returns what is wrong with the program of a case, or nothing."""
    number, source, targets, shape = case
    path = arguments.work / f"{number}_{'x'.join(map(str, shape))}.mlir"
    path.write_text(program(source, targets, shape))
    process = _runner.run([arguments.run, path])
    if process.returncode:
        return f"{path}: from {source}: {_runner.reason(process)}"
    path.unlink()
    return None


def main():
    arguments = _runner.parser(__doc__, run="spmd-run").parse_args()
    every = shardings()
    cases = [(number, source, every, shape) for shape in SIZES for number, source in enumerate(every)]
    wrong = _runner.check_all(arguments, check, cases)
    print(f"{len(every)} shardings, {len(SIZES)} shapes; {len(cases) - wrong} of {len(cases)} programs equal")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
