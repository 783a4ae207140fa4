#!/usr/bin/env python3
"""Every pass has a record of the class SpmdPass: it is registered, and declares the dialects that it makes ops of."""

import re

import _tree

RULES = [
    ("*.td", re.compile(r"\bdef \w+ : (?!SpmdPass<)(?:\w*Pass)<"), "is no SpmdPass, which declares dialects"),
    ("*.cpp", re.compile(r"\bPassWrapper\b"), "is a pass without a record; pipelines with it do not parse back"),
    ("*.h", re.compile(r"\bPassWrapper\b"), "is a pass without a record; pipelines with it do not parse back"),
]

offenders = []
for name, pattern, message in RULES:
    for path in _tree.files(name, under=_tree.CODE):
        for number, line in enumerate(_tree.read(path).splitlines(), 1):
            if match := pattern.search(line):
                offenders.append((path, number, f"'{match.group()}' {message}"))
_tree.finish(offenders)
