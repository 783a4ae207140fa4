#!/usr/bin/env python3
"""Checks on whole programs what must hold of every chain that --spmd-explain prints.

    chain_laws.py SPMD_OPT FILE...

A chain begins at an annotation that has the axis; each step goes on where the one before ended, and the last ends at
the value and dim in question; steps are in the order in which propagation took them. A dim without axes has a
reason.
"""

import json
import re
import subprocess
import sys

NAME = re.compile(r"^\s*(%\w+)(?::\d+)? = ", re.M)


def explained(tool, path, names):
    """Returns what is said of all names that stand for tensors."""
    words = " ".join(f"value={name}" for name in names)
    done = subprocess.run([tool, path, f"--spmd-explain={words} format=json"], capture_output=True, text=True,
                          check=False)
    return json.loads(done.stdout)["values"]


def findings_of_chain(value, number, entry):
    chain = entry["chain"]
    if chain[0]["kind"] not in ("annotation", "given"):
        yield f"begins with {chain[0]['kind']}"
    steps = [link["step"] for link in chain if "step" in link]
    if steps != sorted(steps):
        yield "steps are out of order"
    for before, link in zip(chain, chain[1:]):
        start = (link.get("from", link["value"]), link.get("from_dim", link["dim"]))
        if start != (before["value"], before["dim"]):
            yield f"goes on at {start}, not where it was: {before['text']}"
    if chain[-1]["dim"] != number or chain[-1]["value"] != value["value"]:
        yield f"ends at {chain[-1]['value']} dim {chain[-1]['dim']}"


def findings(value):
    for number, dim in enumerate(value["dims"]):
        for entry in dim["axes"]:
            for finding in findings_of_chain(value, number, entry):
                yield f"{value['value']} dim {number}, {entry['axis']}: {finding}"
        if not dim["axes"] and not dim.get("stops"):
            yield f"{value['value']} dim {number}: no reason"


def main():
    tool, paths = sys.argv[1], sys.argv[2:]
    axes, failed = 0, False
    for path in paths:
        with open(path, encoding="utf-8") as file:
            names = sorted(set(NAME.findall(file.read())))
        for value in explained(tool, path, [f"@main:{name}" for name in names] + ["0", "result:0"]):
            axes += sum(len(dim["axes"]) for dim in value["dims"])
            for finding in findings(value):
                failed = True
                print(f"{path}: {finding}")
    print(f"{axes} chains")
    sys.exit(1 if failed or axes == 0 else 0)


main()
