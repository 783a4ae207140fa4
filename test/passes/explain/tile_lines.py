#!/usr/bin/env python3
"""Writes each line that --spmd-explain suggests into programs whose shardings are tiles, and checks that it splits the dim.

    tile_lines.py SPMD_OPT FILE...

FILE is HLO text, or StableHLO with `mhlo.sharding`. Asks about the values of the entry. A suggestion that does not parse, or
after which the dim is whole still, is printed; then the exit code is 1.
"""

import json
import re
import subprocess
import sys
import tempfile

from _arguments import end_of_argument

MOST_NAMES = 30  # Of a file; of more, some are taken, evenly.


def explain(tool, path, names):
    """Returns what is said of values, or None where one of them has nothing to split."""
    words = " ".join(f"value={name}" for name in names)
    found = subprocess.run([tool, path, f"--spmd-explain={words} format=json"], capture_output=True, text=True, check=False)
    return json.loads(found.stdout)["values"] if found.returncode == 0 else None


def entry_of(text, is_hlo):
    """Returns where the entry begins and ends."""
    begin = re.search(r"^ENTRY .*\{$" if is_hlo else r"^ *func\.func (?:public )?@main\(.*\{$", text, re.M).start()
    return begin, re.compile(r"^ *\}$", re.M).search(text, begin).end()


def names_of(entry):
    """Returns the names of arguments and of instructions or ops of one line."""
    names = [f"arg:{i}" for i in range(len(re.findall(r"%\w+: tensor", entry.split("\n")[0])))]
    names += re.findall(r"^ +(?:ROOT )?(%[\w.-]+) = (?!.*(?: constant\(|stablehlo.constant)).*[^{(,]$", entry, re.M)
    return names + ["result:0"]


def with_uses_of_split(line, lines):
    """Returns the lines behind a constraint, which take what it gives."""
    operand = re.search(r"\((%[\w.#-]+)\)", line).group(1)
    return [re.sub(rf"{re.escape(operand)}(?![\w.#-])", "%split", each) for each in lines]


def written(entry, told, line):
    """Returns the entry with the line, None where it belongs to no line alone."""
    lines = entry.split("\n")
    name = re.match(r"%[\w.#-]+", line)
    at = next((i for i, each in enumerate(lines) if re.match(rf"\s*(ROOT )?{re.escape(told['value'])} = ", each)), None)
    if line.startswith("%split = "):
        if at is None or lines[at].lstrip().startswith("ROOT"):
            return None
        return "\n".join(lines[:at + 1] + [line] + with_uses_of_split(line, lines[at + 1:]))
    if re.match(r"%[\w.#-]+ = ", line):
        lines[at] = line
        return "\n".join(lines)
    if line.startswith("%"):
        start = re.search(rf"{re.escape(name.group())}: ", lines[0]).start()
        lines[0] = lines[0][:start] + line + lines[0][end_of_argument(lines[0], start):]
        return "\n".join(lines)
    return None


def check(tool, path):
    """Returns how many lines were written, and what is wrong with some."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    begin, end = entry_of(text, is_hlo="\nENTRY " in text)
    entry, count, wrong = text[begin:end], 0, []
    names = names_of(entry)
    for name in names[::-(-len(names) // MOST_NAMES)]:
        for told in explain(tool, path, [name]) or []:
            for number, dim in enumerate(told["dims"]):
                line = dim.get("write")
                if line and "sdy." in line:
                    wrong.append(f"{path}: {name} dim {number}: {line}")
                changed = written(entry, told, line) if line else None
                if not changed:
                    continue
                count += 1
                with tempfile.NamedTemporaryFile("w") as file:
                    file.write(text[:begin] + changed + text[end:])
                    file.flush()
                    again = explain(tool, file.name, ["%split" if line.startswith("%split") else told["value"]])
                if not again or not again[0]["dims"][number]["axes"]:
                    wrong.append(f"{path}: {name} dim {number}: {line}")
    return count, wrong


def main():
    tool, paths = sys.argv[1], sys.argv[2:]
    total, failed = 0, False
    for path in paths:
        count, wrong = check(tool, path)
        total += count
        failed |= bool(wrong) or count == 0
        for finding in wrong:
            print(finding)
    print(f"{total} lines written")
    sys.exit(1 if failed else 0)


main()
