#!/usr/bin/env python3
"""Checks that what `--spmd-explain` says to write splits the value, on random programs.

    random_advice.py --opt spmd-opt --work DIR [--first SEED] [--count N] [--jobs N]

Each seed is one program of random_programs.py that keeps a few annotations, some of them collectives with what these start
from. For some of the dims that are not split, or are split and could be otherwise, the line that says so is written where it
belongs, later uses take its result, and the value is asked for again: then the dim is split along the axes of the line, or it is
told that other axes of the value keep these from going on to it from that result. What is then said to be written splits it,
whatever that costs. The line for a value that has no sharding is one of these. A program where it does not stays in DIR and is
named.
"""

import json
import random
import re
import sys

import _runner
from _annotations import erase, functions, movements, spots, with_starts
from _conflicts import explained
from _advice import followed
from random_laws import Broken, Files
from random_programs import make_program

MOST_ADVICE, MOST_OTHER, MOST_KEPT = 4, 2, 3


def all_advice(told, is_split):
    """Returns the values and dims, split already or not, of all that a line would split, or split otherwise."""
    return [(value, d) for value in told for d, dim in enumerate(value["dims"])
            if bool(dim["axes"]) == is_split and dim.get("write")]


def results_of(text):
    """Returns how to ask for the results of functions, and for what computations take that have names."""
    names = []
    for function, part in functions(text).items():
        types = re.search(r"\) -> (.*) \{$", part.split("\n")[0])
        names += [f"{function}:result:{i}" for i in range(types.group(1).count("tensor<") if types else 0)]
        names += [f"{function}:{name}" for name in re.findall(r"sdy\.(?:named|manual)_computation.*\((%\w+): tensor", part)]
    return names


def name_of(value):
    """Returns how to ask for the value again."""
    border = re.match(r"(argument|result) (\d+) of @", value.get("description") or value["value"])
    name = f"{border.group(1)[:3]}:{border.group(2)}".replace("res:", "result:") if border else value["value"]
    return f'@{value["function"]}:{name}' if name.startswith(("%", "arg:", "result:")) else None


def axes_in(line, value, dim):
    """Returns the axes that a line gives to a dim of a value, which may be one of several that it speaks of."""
    lists = re.findall(r"@\w+, \[(.*?)\]", line)
    number = re.search(r"(?:result|argument) (\d+)", value.get("description", "")) if len(lists) > 1 else None
    if len(lists) > 1 and not number:
        raise Broken(f"which of {len(lists)} values is {value['value']}? {line}")
    dims = re.findall(r"\{([^{}]*)\}", lists[int(number.group(1)) if number else 0])
    return [axis for axis in dims[dim].split(", ") if axis not in ("", "?")]


def is_kept(dim):
    """Whether it is told why what the line gives its result does not reach what the result is made of."""
    return any(stop.get("from") == "%split" and stop["kind"] in ("reserved", "used", "differs") for stop in dim.get("stops", []))


def along(dim):
    return ", ".join(axis["axis"] for axis in dim["axes"])


def line_of(told):
    return told["location"].rsplit(":", 2)[1]


def asked_again(files, text, value, name):
    """Returns what is told of a value in a program with a line more."""
    files.write("followed", text)
    process = files.call("followed", f"--spmd-explain=format=json value={name}")
    if process.returncode:
        raise Broken(f"{name}: {_runner.reason(process)}")
    return [told for told in json.loads(process.stdout)["values"]
            if line_of(told) == line_of(value) and len(told["dims"]) == len(value["dims"])]  # Some may only have the name.


def check_advice(files, text, value, d):
    name = name_of(value)
    if not name:
        return
    for is_last in (False, True):
        dim = value["dims"][d]
        text = followed(text, value, dim)
        told = asked_again(files, text, value, name)
        wanted = ", ".join(axes_in(dim["write"], value, d))
        if any(each["dims"][d]["axes"] and along(each["dims"][d]).startswith(wanted) for each in told):
            return
        kept = [each for each in told if is_kept(each["dims"][d])]
        if is_last or not kept or kept[0]["dims"][d].get("write") == dim["write"]:
            found = [along(each["dims"][d]) for each in told]
            raise Broken(f"{name} dim {d} is split along {found} with the line: {dim['write']}")
        value = kept[0]
        if "write" not in value["dims"][d]:
            raise Broken(f"{name} dim {d} is not split, and no line is left, behind the line: {dim['write']}")


def check_flags(files, told):
    """The line for a value without a sharding is one of those for its dims."""
    for flag in json.loads(files.call("printed", "--spmd-explain=format=json missing").stdout)["missing"]:
        lines = [dim.get("write") for value in told for dim in value["dims"]
                 if (value["location"], value.get("description")) == (flag["location"], flag["value"])]
        if "write" in flag and lines and flag["write"] not in lines:
            raise Broken(f'{flag["value"]} is told to write {flag["write"]}, and for its dims {lines}')


def check(arguments, seed):
    files = Files(arguments, seed)
    rng = random.Random(seed)
    text = make_program(seed, arguments.length).plain
    found, moved = spots(text), movements(text)
    kept = rng.sample(found, min(len(found), rng.randint(1, MOST_KEPT)))
    kept += with_starts(text, rng.sample(moved, min(len(moved), rng.randint(0, 2))))
    files.write("in", erase(text, kept))
    try:
        files.run("in", "printed")
        text = files.path("printed").read_text()
        told = explained(lambda option: files.call("printed", option), text, results_of(text))
        check_flags(files, told)
        for is_split, most in ((False, MOST_ADVICE), (True, MOST_OTHER)):
            advice = all_advice(told, is_split)
            for each in rng.sample(advice, min(len(advice), most)):
                check_advice(files, text, *each)
    except Broken as broken:
        return f"{files.stem}.*: {broken}"
    files.remove()
    return None


def main():
    parser = _runner.parser(__doc__, opt="spmd-opt")
    _runner.add_seeds(parser, length=12)
    return _runner.check_seeds(parser.parse_args(), check, "programs where advice helps")


if __name__ == "__main__":
    sys.exit(main())
