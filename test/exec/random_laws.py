#!/usr/bin/env python3
"""Checks what must hold of propagation, whatever the program, on random ones.

    random_laws.py --opt spmd-opt --work DIR [--first SEED] [--count N] [--jobs N] [--kinds N]

Each seed is one program of random_programs.py. For both ways of deciding conflicts: propagating the
outcome again changes nothing, whatever becomes of values without a sharding; what the program pins
stays as it is; two runs give the same text; without its annotations no value is split; functions in
another order get the same shardings. Then the program keeps a few annotations: where these do not
conflict, pinning what was inferred changes nothing else. So in chains, which never conflict, of
arguments or of constants alone. Nor does it change anything to propagate the outcome of a program again
in which most dims have a user priority, or in which annotations are fewer and half open. A program that breaks a law stays in DIR and is named.
"""

import random
import re
import sys

import _runner
from _annotations import SHARDING, closed_pins, erase, erase_inferred, functions, half_open, pin_of, shuffled, spots
from _chains import make_chain
from _conflicts import has_conflict, inferred
from _values import Meshes
from random_programs import add_kinds, make_function, make_program, of_kinds

MOST_PINNED, MOST_TRIES = 3, 4
USER_PRIORITIES = 3


class Broken(Exception):
    """A law does not hold, or a tool is not content."""


class Files:
    """The programs of one seed."""

    def __init__(self, arguments, seed):
        self.opt, self.stem = arguments.opt, arguments.work / str(seed)
        self.names = set()

    def path(self, name):
        self.names.add(name)
        return self.stem.with_suffix(f".{name}.mlir")

    def write(self, name, text):
        self.path(name).write_text(text)

    def propagate(self, source, target, conflicts):
        """Returns what propagation makes of program `source`, which is written as program `target`."""
        self.run(source, target, f"--spmd-propagate=conflicts={conflicts}")
        return self.path(target).read_text()

    def call(self, source, *options):
        return _runner.run([self.opt, self.path(source), *options])

    def run(self, source, target, *passes):
        process = self.call(source, *passes, "-o", self.path(target))
        if process.returncode:
            raise Broken(f"{self.path(source)}: {' '.join(passes)}: {_runner.reason(process)}")

    def remove(self):
        for name in self.names:
            self.path(name).unlink()


def check_outcome(files, conflicts):
    files.run("in", "printed")
    first = files.propagate("in", "1", conflicts)
    if first != files.propagate("in", "2", conflicts):
        raise Broken("two runs differ")
    if first != files.propagate("1", "3", conflicts):
        raise Broken("propagating again changes something")
    whole = conflicts + " on-missing=replicate"
    if files.propagate("in", "8", whole) != files.propagate("8", "9", whole):
        raise Broken("propagating again changes something where what is missing is whole")
    before = functions(files.path("printed").read_text())
    for name, text in functions(first).items():
        if name not in before:  # Made for calls that lie otherwise.
            name = re.sub(r"_\d+$", "", name)
        if closed_pins(text) != closed_pins(before[name]):
            raise Broken(f"a pinned sharding of {name} changed")


def check_ranked(files, seed, length, conflicts):
    """Checks that propagating again changes nothing where most dims have a user priority."""
    files.write("ranked", make_program(seed, length, USER_PRIORITIES).text)
    if files.propagate("ranked", "10", conflicts) != files.propagate("10", "11", conflicts):
        raise Broken("propagating again changes something where there are user priorities")


def check_half_open(files, seed, text, conflicts):
    """Checks that propagating again changes nothing where there are fewer annotations, and more of them open."""
    rng = random.Random(seed)
    share = rng.choice((0.2, 0.5, 0.8))
    files.write("half_open", half_open(erase(text, [spot for spot in spots(text) if rng.random() < share]), rng))
    if files.propagate("half_open", "12", conflicts) != files.propagate("12", "13", conflicts):
        raise Broken("propagating again changes something where annotations are half open")


def check_erased(files, text, conflicts):
    files.write("erased", erase(text))
    outcome = files.propagate("erased", "unsplit", conflicts)
    found = [match.group() for match in SHARDING.finditer(outcome) if '"' in match.group()]
    if found:
        raise Broken(f"without annotations, something is split: {found[0]}")


def make_functions(seed, length):
    """Returns the lines of meshes, and the texts of independent functions."""
    rng = random.Random(seed)
    meshes = Meshes(rng)
    texts = [re.sub(r"@(?=helper|local\d)", f"@{name}_", make_function(rng, meshes, name, length)[0][0]) for name in "fgh"]
    return "\n".join(meshes.text()) + "\n", texts


def check_order(files, seed, length, conflicts):
    meshes, texts = make_functions(seed, length)
    files.write("forward", meshes + "".join(texts))
    files.run("forward", "ordered")
    files.write("shuffled", shuffled(files.path("ordered").read_text(), random.Random(seed)))
    if functions(files.propagate("ordered", "4", conflicts)) != functions(files.propagate("shuffled", "5", conflicts)):
        raise Broken("functions in another order get other shardings")


def check_pins(files, rng, outcome):
    """Checks that pinning what was inferred in an outcome changes nothing else, one value at a time."""
    found = inferred(outcome)
    for match in rng.sample(found, min(len(found), MOST_PINNED)):
        files.write("pinned", erase_inferred(outcome, match))
        if files.propagate("pinned", "6", "classes") != outcome[:match.start()] + pin_of(match) + outcome[match.end():]:
            raise Broken(f"pinning an inferred sharding changes others: {match.group()}")


def check_thinned(files, rng, text):
    """Leaves one annotation or a few in a program, and checks it if they say something and are in nobody's way."""
    found = spots(text)
    for _ in range(MOST_TRIES):
        files.write("thinned", erase(text, rng.sample(found, min(len(found), rng.randint(1, 3)))))
        files.run("thinned", "some")
        outcome = files.propagate("some", "7", "classes")
        if inferred(outcome) and not has_conflict(files, "some", "7"):
            return check_pins(files, rng, outcome)


def check(arguments, seed):
    files = Files(arguments, seed)
    made = make_program(seed, arguments.length, program=of_kinds(seed, arguments.kinds))
    files.write("in", made.text)
    conflicts = ""
    try:
        for conflicts in ("shardy", "classes"):
            check_outcome(files, conflicts)
            check_erased(files, made.plain, conflicts)
            check_order(files, seed, arguments.length, conflicts)
            check_ranked(files, seed, arguments.length, conflicts)
            check_half_open(files, seed, made.plain, conflicts)
        rng = random.Random(seed)
        files.write("chain", make_chain(rng))
        check_pins(files, rng, files.propagate("chain", "inferred", "classes"))
        check_thinned(files, rng, made.plain)
    except Broken as broken:
        return f"{files.stem}.*: conflicts={conflicts}: {broken}"
    files.remove()
    return None


def main():
    parser = _runner.parser(__doc__, opt="spmd-opt")
    _runner.add_seeds(parser, length=12)
    add_kinds(parser)
    return _runner.check_seeds(parser.parse_args(), check, "programs keep the laws")


if __name__ == "__main__":
    sys.exit(main())
