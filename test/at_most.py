#!/usr/bin/env python3
"""Fails if a number in a JSON file is past a limit: at_most.py FILE FIELD LIMIT."""

import json
import pathlib
import sys

path, field, limit = sys.argv[1:]
found = json.loads(pathlib.Path(path).read_text())[field]
if found > float(limit):
    sys.exit(f"{path}: {field} is {found}; at most {limit} is wanted")
