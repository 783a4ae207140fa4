"""Fails unless FILE holds every line of standard input that starts with WORD: contained.py FILE WORD."""

import pathlib
import sys

lines = {line.strip() for line in pathlib.Path(sys.argv[1]).read_text().splitlines()}
printed = [line.strip() for line in sys.stdin if line.startswith(sys.argv[2])]
absent = [line for line in printed if line not in lines]
if absent or not printed:
    sys.exit("\n".join(["not in the file:", *absent] if absent else ["nothing was printed"]))
