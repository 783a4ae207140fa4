#!/usr/bin/env python3
"""Checks that propagation writes the same text on every run, and the same shardings in any order of functions.

    order.py SPMD_OPT FOLDER...

Takes each FOLDER/NAME/program.mlir whose sizes are known, with both ways of deciding conflicts. Addresses differ from run to run where the
system places memory at random. A program that breaks a law is named; then the exit code is 1.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "exec"))

from _annotations import functions, shuffled  # noqa: E402

ORDERS = 2


def run(tool, path, *options):
    return subprocess.run([tool, path, *options], capture_output=True, text=True, check=True).stdout


def complaints(tool, path):
    """Returns what is wrong with one program."""
    text, found = run(tool, path), []
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:

        def propagated(program, conflicts):
            file.seek(0)
            file.truncate()
            file.write(program)
            file.flush()
            return run(tool, file.name, f"--spmd-propagate=conflicts={conflicts}")

        for conflicts in ("classes", "shardy"):
            first = propagated(text, conflicts)
            if propagated(text, conflicts) != first:
                found.append(f"{path}: conflicts={conflicts}: two runs differ")
            for seed in range(ORDERS):
                if functions(propagated(shuffled(text, random.Random(seed)), conflicts)) != functions(first):
                    found.append(f"{path}: conflicts={conflicts}: functions in another order (seed {seed}) get other shardings")
    return found


def main():
    tool, folders = sys.argv[1], sys.argv[2:]
    paths = sorted(path for folder in folders for path in pathlib.Path(folder).glob("*/program.mlir")
                   if "tensor<?" not in path.read_text())
    wrong = [each for path in paths for each in complaints(tool, path)]
    print(*wrong, f"{len(paths)} programs in any order", sep="\n")
    sys.exit(1 if wrong or not paths else 0)


main()
