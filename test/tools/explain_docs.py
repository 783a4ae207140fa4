#!/usr/bin/env python3
"""Runs each command of docs/explain.md, a line `$ spmd-opt ..` of a block, and compares with what stands below it.

    explain_docs.py ROOT
"""

import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```console\n\$ (.*)\n((?:.*\n)*?)```$", re.M)

root = pathlib.Path(sys.argv[1])
blocks = BLOCK.findall((root / "docs/explain.md").read_text(encoding="utf-8"))
failed = not blocks
for command, wanted in blocks:
    done = subprocess.run(command, shell=True, cwd=root, capture_output=True, text=True, check=False)
    if done.stdout + done.stderr != wanted:
        failed = True
        print(f"$ {command}\nwanted:\n{wanted}\nprinted:\n{done.stdout}{done.stderr}")
sys.exit(1 if failed else 0)
