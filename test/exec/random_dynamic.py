#!/usr/bin/env python3
"""Runs random programs of dynamic shape on random meshes: at the sizes at hand they compute what static ones do.

    random_dynamic.py --run spmd-run --opt spmd-opt --work DIR [--first SEED] [--count N] [--jobs N] [--kinds N]

The programs are those of random_programs.py, with sizes taken out of their types. Where numpy can be imported, it says
what they compute; else partitioned and whole are compared.
"""

import random
import shutil
import sys

import _open
import _runner
import random_programs


class Sized(random_programs.Program):
    """Without ops whose types say more than their operands' do."""

    WEIGHTS = {name: weight for name, weight in random_programs.Program.WEIGHTS.items()
               if name not in ("uniform", "tuple", "marker", "movement", "manual", "case", "while", "composite",
                               "chlo_constant", "function_of_several", "choice_of_several", "steps", "by_hand")}


def check(arguments, seed):
    """Returns what is wrong with the program of `seed`, or nothing."""
    path, folder = arguments.work / f"{seed}.mlir", arguments.work / f"{seed}"
    made = random_programs.make_program(seed, arguments.length, program=random_programs.of_kinds(seed, arguments.kinds, Sized))
    path.write_text(made.plain)
    generic = _runner.run([arguments.opt, path, "--mlir-print-op-generic"])
    if generic.returncode:
        return f"{path}: {_runner.reason(generic)}"
    text, sizes = _open.open_shapes(random.Random(seed), generic.stdout)
    path.write_text(text)
    shutil.rmtree(folder, ignore_errors=True)
    options = random_programs.write_arrays(folder, seed, made.inputs, made.results) if random_programs.np else []
    if not options and sizes:
        options = ["--sizes=" + ",".join(map(str, sizes))]
    command = [arguments.run, path, f"--seed={seed}", *options]
    process = random_programs.run_and_compare(command, made.results)
    if not random_programs.is_equal(process):
        return f"{path}: {_runner.reason(process)}"
    path.unlink()
    shutil.rmtree(folder, ignore_errors=True)
    return None


def main():
    parser = _runner.parser(__doc__, run="spmd-run", opt="spmd-opt")
    _runner.add_seeds(parser, length=12)
    random_programs.add_kinds(parser)
    return _runner.check_seeds(parser.parse_args(), check, "programs equal")


if __name__ == "__main__":
    sys.exit(main())
