#!/usr/bin/env python3
"""Writes each line that --spmd-explain suggests into the program, and checks that it splits the dim.

    write_lines.py SPMD_OPT FILE...

Asks about arguments and ops of one line, in every function. A suggestion that does not parse, or after
which the dim is whole still, is printed; then the exit code is 1.
"""

import json
import re
import subprocess
import sys
import tempfile

from _arguments import end_of_argument

NAMED = re.compile(r"^\s*(%\w+) = .* : .*[^{(,]$")

MOST_NAMES = 40  # Of a file; of more, some are taken, evenly.


def explain(tool, path, name):
    """Returns what is said of a value, or None where it has nothing to split."""
    command = [tool, path, f"--spmd-explain=value={name} format=json"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode != 0:
        return None
    return json.loads(found.stdout)["values"][0]


def names_of(text):
    """Returns the name of each argument and op of one line, with its function before it."""
    names, function = [], None
    for line in text.splitlines():
        header = re.search(r"func\.func (?:public |private )?@(\w+)\(", line)
        if header:
            function = header.group(1)
            count = len(re.findall(r"%\w+: ", text[text.index(line):].split(") -> ")[0]))
            names += [f"@{function}:arg:{i}" for i in range(count)]
        elif function and NAMED.match(line) and "constant" not in line:
            names.append(f"@{function}:{NAMED.match(line).group(1)}")
    return names


def written(text, told, line):
    """Returns the program with the line written: an argument takes the place of the one that was, a constraint
    stands behind the op, or takes the place of one, an annotation that of the one that the op had, or before its type."""
    row, column = map(int, told["location"].rsplit(":", 2)[1:])
    lines = text.splitlines(keepends=True)
    if line.startswith("%split = "):
        lines.insert(row, line + "\n")
        return "".join(lines)
    if line.startswith("%") and " = sdy.sharding_constraint " in line:
        lines[row - 1] = line + "\n"
        return "".join(lines)
    if line.startswith("{sdy.sharding"):
        said = line[1:line.rindex("} at")]
        lines[row - 1], count = re.subn(r"sdy\.sharding = #sdy\.sharding_per_value<\[(?:(?!>\]>).)*>\]>",
                                        lambda _: said, lines[row - 1])
        if count == 0:
            before, colon, behind = lines[row - 1].rpartition(" : ")
            lines[row - 1] = f"{before} {{{said}}}{colon}{behind}"
        return "".join(lines)
    start = sum(map(len, lines[:row - 1])) + column - 1
    return text[:start] + line + text[end_of_argument(text, start):]


def ends_in_its_line(text, told):
    """Whether the op of a value has one line; regions may use its name once more for another."""
    return NAMED.match(text.splitlines()[int(told["location"].rsplit(":", 2)[1]) - 1])


def check(tool, path):
    """Returns how many lines were written, and what is wrong with some."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    count, wrong = 0, []
    names = names_of(text)
    for name in names[::-(-len(names) // MOST_NAMES)]:
        told = explain(tool, path, name)
        for number, dim in enumerate(told["dims"] if told else []):
            line = dim.get("write")
            if not line or (line.startswith("%split") and not ends_in_its_line(text, told)):
                continue
            count += 1
            with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
                file.write(written(text, told, line))
                file.flush()
                function = name.split(":")[0]
                again = explain(tool, file.name, f"{function}:%split" if line.startswith("%split") else name)
            if not again or not again["dims"][number]["axes"]:
                wrong.append(f"{path}: {name} dim {number}: {line}")
    return count, wrong


def main():
    tool, paths = sys.argv[1], sys.argv[2:]
    total, failed = 0, False
    for path in paths:
        count, wrong = check(tool, path)
        total += count
        failed |= bool(wrong)
        for finding in wrong:
            print(finding)
    print(f"{total} lines written")
    sys.exit(1 if failed or total == 0 else 0)


main()
