#!/usr/bin/env python3
"""Runs each command of a page, a line `$ ..` of a block, and compares with what stands below it.

    explain_docs.py ROOT [PAGE] [--write]

PAGE is docs/explain.md by default. --write puts into the page what the commands print.
"""

import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```console\n\$ (.*)\n((?:.*\n)*?)```$", re.M)

arguments = [a for a in sys.argv[1:] if a != "--write"]
root = pathlib.Path(arguments[0])
page = root / (arguments[1] if len(arguments) > 1 else "docs/explain.md")
text = page.read_text(encoding="utf-8")


def output_of(command):
    done = subprocess.run(command, shell=True, cwd=root, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


if "--write" in sys.argv:
    page.write_text(BLOCK.sub(lambda m: f"```console\n$ {m[1]}\n{output_of(m[1])}```", text), encoding="utf-8")
    sys.exit(0)
blocks = BLOCK.findall(text)
failed = not blocks
for command, wanted in blocks:
    printed = output_of(command)
    if printed != wanted:
        failed = True
        print(f"$ {command}\nwanted:\n{wanted}\nprinted:\n{printed}")
sys.exit(1 if failed else 0)
