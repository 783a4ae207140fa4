#!/usr/bin/env python3
"""Measures how much of StableHLO's syntax `spmd-opt` reads, prints and rejects.

Reads a folder of cases, which lie outside the project: `index.tsv` with the columns `file` and
`verdict`, the files of `valid/` and `invalid/`, and, optionally, `printed.jsonl` with how the
reference prints a valid module. A valid case counts if it is accepted, and if its print reads back
to the same module, from the pretty and from the generic form. An invalid one counts if it is rejected
with a located error and exit code 1. Prints a table and the cases that fail; the exit code is 1 if
there are any.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

from execution import default_folder

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
TIME_LIMIT_IN_SECONDS = 60


class Finding(NamedTuple):
    """What one case failed, and how."""
    check: str
    file: str
    detail: str


def run(arguments, text=None):
    """Returns the finished process of spmd-opt; code -1 if it took too long."""
    command = [tool, *arguments, *([] if text is None else ["-"])]
    try:
        return subprocess.run(command, input=text, capture_output=True, text=True,
                              timeout=TIME_LIMIT_IN_SECONDS)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", "took too long")


def first_error(process):
    lines = [line for line in process.stderr.splitlines() if "error:" in line]
    return (lines or process.stderr.splitlines() or ["no message"])[0][:300]


def is_crash(process):
    return process.returncode not in (0, 1)


def normalized(text):
    """Returns `text` without blanks, SSA values named in the order in which they occur.

    Results may share a name, `%0:2`, or have one each.
    Unsigned storage of quantized types is spelt `u8` by MLIR 22 and `ui8` by later ones: taken as one.
    """
    names = {}
    text = re.sub(r"(quant\.uniform<)ui?(\d)", r"\1u\2", text)
    text = re.sub(r"(%[\w$.-]+):(\d+)(?=\s*[=,])",
                  lambda group: ", ".join(f"{group[1]}#{i}" for i in range(int(group[2]))), text)
    text = re.sub(r"%[\w$.-]+(#\d+)?", lambda name: names.setdefault(name.group(), f"%{len(names)}"), text)
    return re.sub(r"\s+", "", text)


def difference(ours, theirs):
    """Returns where two normalized texts part."""
    at = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    start = max(at - 60, 0)
    return f"ours   ...{ours[start:at + 60]}...\n      theirs ...{theirs[start:at + 60]}..."


def check_valid(name, printed):
    first = run([cases / name])
    if is_crash(first):
        return [Finding("crashes", name, f"exit code {first.returncode}")]
    if first.returncode:
        return [Finding("accepted", name, first_error(first))]
    findings = []
    second = run([], first.stdout)
    if second.stdout != first.stdout:
        findings.append(Finding("reads its own print", name, first_error(second)))
    generic = run([], run([cases / name, "--mlir-print-op-generic"]).stdout)
    if generic.stdout != first.stdout:
        findings.append(Finding("reads its generic print", name, first_error(generic)))
    if name in printed:
        ours, theirs = normalized(first.stdout), normalized(printed[name])
        if ours != theirs:
            findings.append(Finding("prints as the reference", name, difference(ours, theirs)))
    return findings


def check_invalid(name, upstream_message):
    process = run([cases / name])
    if is_crash(process):
        return [Finding("crashes", name, f"exit code {process.returncode}")]
    if process.returncode == 0:
        return [Finding("rejected", name, upstream_message)]
    if not re.search(r":\d+:\d+: error: .", process.stderr):
        return [Finding("located", name, first_error(process))]
    return []


def report(counts, findings):
    unread = {finding.file for finding in findings if finding.check in ("accepted", "crashes")}
    print(f"{'check':28} {'passed':>7} {'of':>5}")
    for check, (total, of_valid) in counts.items():
        failed = {finding.file for finding in findings if finding.check == check}
        passed = len(failed) if check == "crashes" else total - len(failed | (unread & of_valid))
        print(f"{check:28} {passed:>7} {total:>5}")
    for finding in sorted(findings):
        print(f"\n{finding.check}: {finding.file}\n      {finding.detail}")


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("cases", type=pathlib.Path, nargs="?",
                    default=default_folder(),
                    help="the folder of cases, or one that holds it as syntax/; by default "
                         "$SPMD_CONFORMANCE, or shared/conformance beside the checkout")
parser.add_argument("--opt", default=SOURCE / "build/bin/spmd-opt", help="the tool to measure")
parser.add_argument("--only", default="", help="cases whose file name contains this")
parser.add_argument("--jobs", type=int, default=os.cpu_count())
arguments = parser.parse_args()
if arguments.cases is None:
    parser.error("name the folder of cases, or set SPMD_CONFORMANCE")
cases = pathlib.Path(arguments.cases)
if (cases / "syntax").is_dir():
    cases = cases / "syntax"
if not (cases / "index.tsv").is_file():
    parser.error(f"{cases} has no index.tsv")
tool = arguments.opt

with open(cases / "index.tsv", newline="") as index:
    rows = [row for row in csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE)
            if arguments.only in row["file"]]
printed = {}
if (cases / "printed.jsonl").is_file():
    with open(cases / "printed.jsonl") as lines:
        printed = {entry["file"]: entry["printed"] for entry in map(json.loads, lines)}
valid = [row["file"] for row in rows if row["verdict"] == "accept"]
invalid = [(row["file"], row.get("upstream_message", "")) for row in rows if row["verdict"] != "accept"]

with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
    results = [pool.submit(check_valid, name, printed) for name in valid]
    results += [pool.submit(check_invalid, name, message) for name, message in invalid]
    findings = [finding for result in results for finding in result.result()]
known, compared = set(valid), set(valid) & set(printed)
report({"accepted": (len(known), known), "reads its own print": (len(known), known),
        "reads its generic print": (len(known), known),
        "prints as the reference": (len(compared), compared),
        "rejected": (len(invalid), set()), "located": (len(invalid), set()),
        "crashes": (len(rows), set())}, findings)
sys.exit(bool(findings))
