#!/usr/bin/env python3
"""No file that is read and edited by hand is longer than 500 lines; a longer one holds two ideas."""

import _tree

MOST_LINES = 500
# What a framework or another tool wrote, and nobody reads from top to bottom.
GENERATED = ("test/programs/*/*", "*.npy", "*.pb", "*.json", "*.tsv")

offenders = []
for path in _tree.files():
    text = None if any(path.match(pattern) for pattern in GENERATED) else _tree.read(path)
    lines = text.count("\n") if text else 0
    if lines > MOST_LINES:
        offenders.append((path, MOST_LINES + 1, f"the file has {lines} lines; past {MOST_LINES}, split it by idea"))
_tree.finish(offenders)
