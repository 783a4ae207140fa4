#!/usr/bin/env python3
"""Checks what must hold of the estimates of real programs, on every shipped profile.

    estimate_programs.py ROOT FOLDER PROGRAM..

A step takes what is computed and what of the communication is exposed. Links that are four times as fast make no step longer
and no collective shorter than a quarter; four times as slow, the other way round. The printed text has the same estimate. The
estimate takes a small share of the time of the stages before it.
"""

import json
import pathlib
import re
import subprocess
import sys

MOST_OF_COMPILE_TIME = 0.3  # Of small programs; large ones take less, which docs/cost-model.md tells.
ROUNDING = 1e-11  # Seconds; a time is a sum of picoseconds that were rounded.

root, folder = map(pathlib.Path, sys.argv[1:3])
folder.mkdir(parents=True, exist_ok=True)
failed = False


def expect(ok, *what):
    global failed
    if not ok:
        failed = True
        print(*what)


def report(program, profile):
    done = subprocess.run(["spmd-run", "--engine=none", f"--device-profile={profile}", "--json=-", program],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def scaled(text, factor):
    """Returns a profile whose links are faster by `factor`; those of memory stay."""
    head, *tiers = text.split("\ntier {")
    return "\ntier {".join([head] + [re.sub(r"bytes_per_second: (\S+)",
                                            lambda match: f"bytes_per_second: {float(match[1]) * factor}", tier)
                                     for tier in tiers])


def check(program, profile):
    """Checks one estimate, and returns it."""
    whole = report(program, profile)
    estimate = whole["estimate"]
    name = (program, profile)
    step, compute, exposed = (estimate[key] for key in ("step_seconds", "compute_seconds", "exposed_seconds"))
    expect(abs(step - compute - exposed) < ROUNDING, name, "a step is not its parts", step, compute, exposed)
    expect(exposed <= estimate["communication_seconds"] + ROUNDING, name, "more is exposed than communicated")
    for each in estimate["collectives"]:
        expect(each["exposed_seconds"] <= each["seconds"] + ROUNDING, name, "more is exposed than takes place", each)
    count = sum(each["count"] for each in whole["collectives"])
    runs = sum(each["runs"] for each in estimate["collectives"])
    if len(estimate["collectives"]) < 10:  # All are listed.
        expect(count == runs, name, "collectives differ from those of the report", count, runs)
        total = sum(each["seconds"] for each in estimate["collectives"])
        expect(abs(total - estimate["communication_seconds"]) < ROUNDING, name, "collectives do not add up")
    return whole


def check_printed(program):
    """Checks that the partitioned text, read back, gets the same estimate as the program that it was made of."""
    printed = folder / "partitioned.mlir"
    subprocess.run(["spmd-opt", program, "--spmd-pipeline", "-o", printed], capture_output=True, check=True)
    parts = [{key: value for key, value in report(file, "h100-nvlink-ib")["estimate"].items() if key != "collectives"}
             for file in (program, printed)]
    expect(parts[0] == parts[1], program, "is estimated otherwise than its printed text", parts)


shares = []
for path in sys.argv[3:]:
    check_printed(path)
    for shipped in ("cpu", "h100-nvlink-ib", "tpu-v5p"):
        text = (root / "ir/cost/profiles" / f"{shipped}.textproto").read_text(encoding="utf-8")
        base = check(path, shipped)
        before = base["estimate"]["communication_seconds"]
        for factor in (4, 0.25):
            file = folder / f"{shipped}-{factor}.textproto"
            file.write_text(scaled(text, factor), encoding="utf-8")
            after = check(path, str(file))["estimate"]["communication_seconds"]
            least, most = sorted((before, before / factor))
            expect(least - ROUNDING <= after <= most + ROUNDING, path, shipped, factor, "communication is", after,
                   "and was", before)
            expect(before == 0 or after != before, path, shipped, factor, "communication stays", before)
        times = base["time_ms"]
        stages = sum(times[key] for key in ("functionalize", "propagate", "reshard", "partition", "optimize"))
        shares.append(times["estimate"] / stages)
shares.sort()
expect(shares[len(shares) // 2] < MOST_OF_COMPILE_TIME, "the estimates take so much of the compile time:", shares)
sys.exit(failed)
