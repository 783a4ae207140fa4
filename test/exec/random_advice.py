#!/usr/bin/env python3
"""Checks that what `--spmd-explain` says to write splits the value, on random programs.

    random_advice.py --opt spmd-opt --work DIR [--first SEED] [--count N] [--jobs N]

Each seed is one program of random_programs.py that keeps a few annotations. For some of the dims that are not split, and
that a line would split, the line is written where it belongs, later uses take its result, and the value is asked for again:
then the dim is split along the axes of the line, or it is told what keeps these from going on to it from that result. A
program where it is not stays in DIR and is named.
"""

import json
import random
import re
import sys

import _runner
from _annotations import erase, spots
from _conflicts import explained
from random_laws import Broken, Files
from random_programs import make_program

MOST_ADVICE, MOST_KEPT = 4, 3
ATTRIBUTES = (r" \{(?P<before>jax\.buffer_donor = true)?(?:, )?(?:sdy\.sharding = #sdy\.sharding<(?:(?!>[,}]).)*>)?(?:, )?"
              r"(?P<behind>tf\.aliasing_output = \d+ : i32)?\}")
TYPE = r"tensor<(?:[^<>]|<[^<>]*>)*>"


def all_advice(told):
    """Returns the values, dims and lines of all dims that are not split and that a line would split."""
    return [(value, d, dim["write"]) for value in told for d, dim in enumerate(value["dims"])
            if not dim["axes"] and dim.get("write")]


def name_of(value):
    """Returns how to ask for the value again; nothing for a result of a function."""
    argument = re.match(r"argument (\d+) of", value["description"])
    name = f"arg:{argument.group(1)}" if argument else value["value"]
    return f'@{value["function"]}:{name}' if name.startswith(("%", "arg:")) else None


def function_of(text, name):
    """Returns where a function begins and ends."""
    begin = re.search(rf"^ *func\.func (?:public |private )?@{re.escape(name)}\(", text, re.M).start()
    return begin, re.compile(r"^  \}$", re.M).search(text, begin).end()


def end_of_op(lines, at):
    """Returns the line behind an op that begins in a line: a region ends as deep as the op stands."""
    indent = re.match(r" *", lines[at]).group()
    is_short = not lines[at].rstrip().endswith("{") and not lines[at + 1].startswith((indent + " ", indent + "cond {"))
    if is_short:
        return at + 1
    for i in range(at + 1, len(lines)):
        if re.match(rf"{indent}\}}(?! do \{{|, \{{)", lines[i]):
            return i + 1
    raise Broken("an op does not end")


def followed(text, value, line):
    """Returns the program with the line of some advice."""
    begin, end = function_of(text, value["function"])
    function = text[begin:end]
    place = re.search(r":(\d+):\d+$", value["location"])
    constraint = re.match(r"%split = \S+ (%[\w#]+) |(%[\w#]+) = ", line)
    if line.startswith("{sdy.sharding"):
        lines = function.split("\n")
        at = int(place.group(1)) - 1 - text[:begin].count("\n")
        lines[at], count = re.subn(r"sdy\.sharding = #sdy\.sharding_per_value<\[(?:(?!>\]>).)*>\]>",
                                   lambda _: re.match(r"\{(.*)\} at", line).group(1), lines[at])
        if not count:
            raise Broken(f"{value['value']} has no annotation")
        function = "\n".join(lines)
    elif constraint:
        lines = function.split("\n")
        at = int(place.group(1)) - 1 - text[:begin].count("\n")
        if constraint.group(2):
            lines[at] = line
        else:
            behind = end_of_op(lines, at)
            rest = re.sub(rf"{re.escape(constraint.group(1))}(?![\w#])", "%split", "\n".join(lines[behind:]))
            lines = lines[:behind] + [line] + rest.split("\n")
        function = "\n".join(lines)
    else:
        name = line.split(":")[0]
        function, count = re.subn(rf"{re.escape(name)}: {TYPE}(?:{ATTRIBUTES})?", lambda match: with_donation(line, match["before"] or match["behind"]),
                                  function, count=1)
        if not count:
            raise Broken(f"{name} is no argument")
    return text[:begin] + function + text[end:]


def line_of(text, value):
    place = re.search(r":(\d+):\d+$", value["location"])
    return text.split("\n")[int(place.group(1)) - 1]


def with_donation(line, donation):
    return line.replace("{sdy.sharding", f"{{{donation}, sdy.sharding", 1) if donation else line


def axes_in(line, dim):
    """Returns the axes that a line gives to a dim."""
    dims = re.findall(r"\{([^{}]*)\}", re.search(r"@\w+, \[(.*?)\]", line).group(1))
    return [axis for axis in dims[dim].split(", ") if axis not in ("", "?")]


def is_kept(dim):
    """Whether it is told why what the line gives its result does not reach what the result is made of."""
    stops = [stop for stop in dim.get("stops", []) if "from" in stop]
    return any(stop["from"] == "%split" and stop["kind"] in ("reserved", "used", "differs", "part")
               or stop["kind"] in ("barrier", "reserved") for stop in stops)


def check_advice(files, text, value, dim, line):
    name = name_of(value)
    if not name or " as result " in line or "sdy.named_computation" in line_of(text, value):
        return  # Results of named computations are annotated there.
    files.write("followed", followed(text, value, line))
    process = files.call("followed", f"--spmd-explain=format=json value={name}")
    if process.returncode:
        raise Broken(f"{name} dim {dim}: {line}: {_runner.reason(process)}")
    found = [told["dims"][dim] for told in json.loads(process.stdout)["values"]
             if told["description"] == value["description"] and len(told["dims"]) == len(value["dims"])]  # Some may only have the name.
    wanted = ", ".join(axes_in(line, dim))
    if not any(along(each).startswith(wanted) or is_kept(each) for each in found):
        raise Broken(f"{name} dim {dim} is split along {[along(each) for each in found]} with the line: {line}")


def along(dim):
    return ", ".join(axis["axis"] for axis in dim["axes"])


def check(arguments, seed):
    files = Files(arguments, seed)
    rng = random.Random(seed)
    text = make_program(seed, arguments.length).plain
    found = spots(text)
    files.write("in", erase(text, rng.sample(found, min(len(found), rng.randint(1, MOST_KEPT)))))
    try:
        files.run("in", "printed")
        text = files.path("printed").read_text()
        told = explained(lambda option: files.call("printed", option), text)
        advice = all_advice(told)
        for each in rng.sample(advice, min(len(advice), MOST_ADVICE)):
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
