#!/usr/bin/env python3
"""Checks that propagating the outcome of a program with buffers again changes nothing.

    random_buffer_laws.py --opt spmd-opt --work DIR [--first SEED] [--count N] [--jobs N]

Each seed is two programs, one of random_buffers.py and one of random_wide_buffers.py, whose buffers stay buffers. Each is
propagated twice with both ways of deciding conflicts, whatever becomes of values without a sharding. A program that
breaks the law stays in DIR and is named.
"""

import itertools
import sys

import _runner
import random_buffers
import random_wide_buffers
from random_laws import Broken, Files

OUTCOMES = [" ".join(options) for options in
            itertools.product(("classes", "shardy"), ("on-missing=warn", "on-missing=replicate"))]


def programs(seed, length):
    yield "own", random_buffers.make_program(random_buffers.Draw(seed), length)
    yield "wide", random_wide_buffers.make_program(seed, length)


def check(arguments, seed):
    files = Files(arguments, seed)
    kind = options = ""
    try:
        for kind, text in programs(seed, arguments.length):
            files.write("in", text)
            files.run("in", kind, "--spmd-pipeline=stop-after=functionalize functionalize=false")
            for options in OUTCOMES:
                if files.propagate(kind, "1", options) != files.propagate("1", "2", options):
                    raise Broken("propagating again changes something")
    except Broken as broken:
        return f"{files.path(kind)}: conflicts={options}: {broken}"
    files.remove()
    return None


def main():
    parser = _runner.parser(__doc__, opt="spmd-opt")
    _runner.add_seeds(parser, length=12)
    return _runner.check_seeds(parser.parse_args(), check, "pairs of programs keep the law")


if __name__ == "__main__":
    sys.exit(main())
