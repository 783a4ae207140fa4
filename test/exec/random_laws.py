#!/usr/bin/env python3
"""Checks what must hold of propagation, whatever the program, on random ones.

    random_laws.py --opt spmd-opt --work DIR [--first SEED] [--count N] [--jobs N]

Each seed is one program of random_programs.py. For both ways of deciding conflicts: propagating the
outcome again changes nothing; what the program pins stays as it is; two runs give the same text;
without its annotations no value is split; functions in another order get the same shardings. Pinning
what was inferred changes nothing else where nothing conflicts. A program that breaks a law stays in
DIR and is named.
"""

import random
import re
import sys

import _runner
from _chains import make_chain
from _values import Meshes
from random_programs import make_function, make_program

ATTRIBUTE = re.compile(r" \{sdy\.sharding = #sdy\.sharding(?:_per_value)?<(?:(?!>\}).)*>\}")
CONSTRAINT = re.compile(r"sdy\.(?:sharding_constraint|reshard) (\S+) (<@(?:(?!> :).)*>) :")
PINNED = re.compile(r"sdy\.sharding = #sdy\.sharding(<@[^>]*>)(?!>)(, spmd\.inferred)?")
INFERRED = re.compile(r" ?\{sdy\.sharding = (#sdy\.sharding(?:(?!>\}).)*?), spmd\.inferred\}")
LOCAL = re.compile(r"sdy\.(?:manual_computation|named_computation|all_|collective_permute|reduce_scatter|sharded_to|replicated_to|reshard)")
SHARDING = re.compile(r"<@\w+, \[[^>]*>")


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

    def run(self, source, target, *passes):
        process = _runner.run([self.opt, self.path(source), *passes, "-o", self.path(target)])
        if process.returncode:
            raise Broken(f"{self.path(source)}: {' '.join(passes)}: {_runner.reason(process)}")

    def remove(self):
        for name in self.names:
            self.path(name).unlink()


def pins(text):
    """Returns what is pinned with all dims closed: arguments and results of @main, and what constraints say."""
    header = next(line for line in text.splitlines() if "@main(" in line)
    boundary = [match.group(1) for match in PINNED.finditer(header) if not match.group(2)]
    inside = [match.group(2) for match in CONSTRAINT.finditer(text)]
    return [pin for pin in boundary if "?" not in pin], {pin for pin in inside if "?" not in pin}


def check_outcome(files, conflicts):
    files.run("in", "printed")
    first = files.propagate("in", "1", conflicts)
    if first != files.propagate("in", "2", conflicts):
        raise Broken("two runs differ")
    if first != files.propagate("1", "3", conflicts):
        raise Broken("propagating again changes something")
    (boundary, inside), (found, kept) = pins(files.path("printed").read_text()), pins(first)
    if boundary != found or not inside <= kept: # Constants have copies for each use, constraints and all.
        raise Broken("a pinned sharding changed")


def erase(text):
    """Returns a program without its annotations."""
    text = CONSTRAINT.sub(lambda match: f"stablehlo.optimization_barrier {match.group(1)} :", text)
    return ATTRIBUTE.sub("", text)


def check_erased(files, text, conflicts):
    erased = erase(text)
    if LOCAL.search(erased):
        return  # What is written for local shapes says how values lie.
    files.write("erased", erased)
    found = [sharding for sharding in SHARDING.findall(files.propagate("erased", "unsplit", conflicts)) if '"' in sharding]
    if found:
        raise Broken(f"without annotations, something is split: {found[0]}")


def make_functions(seed, length):
    """Returns the lines of meshes, and the texts of independent functions."""
    rng = random.Random(seed)
    meshes = Meshes(rng)
    texts = [make_function(rng, meshes, name, length)[0][0].replace("@helper", f"@{name}_helper") for name in "fgh"]
    return "\n".join(meshes.text()) + "\n", texts


def functions(text):
    """Returns the text of each function by its name."""
    starts = [match.start() for match in re.finditer(r"^  func\.func", text, re.M)]
    parts = [text[a:b] for a, b in zip(starts, starts[1:] + [text.rindex("}")])]
    return {re.search(r"@\w+", part).group(): part for part in parts}


def check_order(files, seed, length, conflicts):
    meshes, texts = make_functions(seed, length)
    files.write("forward", meshes + "".join(texts))
    files.write("backward", meshes + "".join(reversed(texts)))
    if functions(files.propagate("forward", "4", conflicts)) != functions(files.propagate("backward", "5", conflicts)):
        raise Broken("functions in another order get other shardings")


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


def check_pin(files, seed):
    rng = random.Random(seed)
    files.write("chain", make_chain(rng))
    pinned = pin_one(files.propagate("chain", "inferred", "classes"), rng)
    if not pinned:
        return
    files.write("pinned", pinned[0])
    if files.propagate("pinned", "6", "classes") != pinned[1]:
        raise Broken("pinning an inferred sharding changes others")


def check(arguments, seed):
    files = Files(arguments, seed)
    text = make_program(seed, arguments.length).text
    files.write("in", text)
    conflicts = ""
    try:
        for conflicts in ("shardy", "classes"):
            check_outcome(files, conflicts)
            check_erased(files, text, conflicts)
            check_order(files, seed, arguments.length, conflicts)
        check_pin(files, seed)
    except Broken as broken:
        return f"{files.stem}.*: conflicts={conflicts}: {broken}"
    files.remove()
    return None


def main():
    parser = _runner.parser(__doc__, opt="spmd-opt")
    _runner.add_seeds(parser, length=12)
    return _runner.check_seeds(parser.parse_args(), check, "programs keep the laws")


if __name__ == "__main__":
    sys.exit(main())
