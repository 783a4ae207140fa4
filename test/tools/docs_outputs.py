#!/usr/bin/env python3
"""Runs each command of some pages, a line `$ ..` of a console block, and compares with what stands below it.

    docs_outputs.py ROOT PAGE...
    docs_outputs.py --write ROOT PAGE...     puts what the commands print there

Times differ from run to run, and rounding from machine to machine: numbers in lines that begin with `time` or `error` count as
alike. A line `..` stands for any
number of lines.
"""

import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```console\n\$ (.*)\n((?:.*\n)*?)```$", re.M)


def without_times(text):
    """Returns `text` with the numbers of its lines of times and errors replaced."""
    return re.sub(r"^(time|error) .*$", lambda line: re.sub(r"\d[\d.e+-]*", "0", line.group()), text, flags=re.M)


def is_alike(printed, wanted):
    """Returns whether the lines of `wanted`, in which `..` stands for any lines, are those printed."""
    parts = [re.escape(part) for part in re.split(r"^\.\.\n", without_times(wanted), flags=re.M)]
    return re.fullmatch("(?:.*\n)*?".join(parts), without_times(printed)) is not None


def output(root, command):
    """Returns what a command prints, its messages first."""
    done = subprocess.run(command, shell=True, cwd=root, capture_output=True, text=True, check=False)
    return done.stderr + done.stdout


def check(root, page):
    """Runs the commands of a page; returns whether all print what it says."""
    blocks = BLOCK.findall((root / page).read_text(encoding="utf-8"))
    ok = bool(blocks)
    for command, wanted in blocks:
        printed = output(root, command)
        if not is_alike(printed, wanted):
            ok = False
            print(f"{page}\n$ {command}\nwanted:\n{wanted}\nprinted:\n{printed}")
    return ok


def write(root, page):
    """Puts what the commands of a page print below them, where that is not what stands there."""
    def renewed(block):
        command, wanted = block.groups()
        printed = output(root, command)
        return block.group() if is_alike(printed, wanted) else f"```console\n$ {command}\n{printed}```"

    path = root / page
    path.write_text(BLOCK.sub(renewed, path.read_text(encoding="utf-8")), encoding="utf-8")
    return True


arguments = sys.argv[1:]
visit = write if arguments[0] == "--write" else check
root, *pages = arguments[visit is write:]
sys.exit(0 if all([visit(pathlib.Path(root), page) for page in pages]) else 1)
