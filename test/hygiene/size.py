#!/usr/bin/env python3
"""No file of the code is longer than it can be read: past 500 lines it is named, past 700 it fails."""

import _tree

NOTABLE = 500
TOO_LONG = 700

offenders = []
for path in _tree.files("*.h", "*.cpp", "*.td", "*.proto", "*.py", "*.cmake", "*.txt", under=_tree.CODE):
    lines = _tree.read(path).count("\n")
    if lines > TOO_LONG:
        offenders.append((path, lines, f"longer than {TOO_LONG} lines; split it by idea"))
    elif lines > NOTABLE:
        print(f"{path}: {lines} lines; past {NOTABLE}, a file often holds two ideas")
_tree.finish(offenders)
