#!/usr/bin/env python3
"""No file names a path of somebody's machine, or says that it is unfinished."""

import pathlib
import re

import _tree

FORBIDDEN = [
    (re.compile(r"(?<![\w.)}$-])/(work|root|home|Users)/"), "names a path of one machine"),
    (re.compile(r"\b(TODO|FIXME|XXX)\b"), "says that it is unfinished"),
]

offenders = []
for path in _tree.files():
    if path == pathlib.PurePath("test/hygiene/words.py"):
        continue
    for number, line in enumerate((_tree.read(path) or "").splitlines(), 1):
        for pattern, message in FORBIDDEN:
            match = pattern.search(line)
            if match:
                offenders.append((path, number, f"'{match.group()}' {message}"))
_tree.finish(offenders)
