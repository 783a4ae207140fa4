#!/usr/bin/env python3
"""Prints a program without what it says of shardings: no attributes, no constraints. Meshes stay, and so do lines.

    strip.py program.mlir > stripped.mlir
"""

import re
import sys

SHARDING = re.compile(r"sdy\.sharding = #sdy\.sharding<@\w+, \[[^\]]*\][^>]*>(, )?")
CONSTRAINT = re.compile(r"^\s*(%\w+) = sdy\.sharding_constraint (%[\w#]+) .*$")

replaced = {}


def stripped(line):
    match = CONSTRAINT.match(line)
    if match:
        replaced[match.group(1)] = replaced.get(match.group(2), match.group(2))
        return ""
    line = SHARDING.sub("", line).replace(", }", "}").replace(" {}", "")
    if line.lstrip().startswith("func.func"):
        replaced.clear()
    return re.sub(r"%\w+(?:#\d+)?", lambda name: replaced.get(name.group(), name.group()), line)


with open(sys.argv[1], encoding="utf-8") as program:
    for each in program:
        print(stripped(each.rstrip("\n")))
