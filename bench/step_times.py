#!/usr/bin/env python3
"""Prints the estimated step times of programs as this compiler and as XLA partition them, by one cost model.

    bench/step_times.py BUILD PROGRAMS [--device-profile NAME|FILE] [NAME ..]

PROGRAMS has a folder for each program, with `program.mlir`; what XLA's partitioner made of it lies in `xla/NAME`, as
`partitioned.hlo.txt`, where it is known. A + marks programs with loops of unknown trip count, which are counted
as one iteration. docs/cost-model.md says what the times mean.
"""

import argparse
import json
import math
import pathlib
import subprocess


def estimate(build, profile, program):
    """Returns the estimate of a program, or None if the tool refuses it."""
    done = subprocess.run([build / "bin/spmd-run", "--engine=none", f"--device-profile={profile}", "--json=-", program],
                          capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{program}: spmd-run ended with {done.returncode}")
    return json.loads(done.stdout)["estimate"] if done.returncode == 0 else None


def micros(seconds):
    return f"{seconds * 1e6:,.1f}"


def row(name, ours, theirs):
    is_loose = ours["unknown_trip_count"] or (theirs and theirs["unknown_trip_count"])
    cells = [name + (" +" if is_loose else "")] + [micros(ours[key]) for key in ("step_seconds", "compute_seconds", "exposed_seconds")]
    if theirs:
        cells += [micros(theirs[key]) for key in ("step_seconds", "compute_seconds", "exposed_seconds")]
        cells.append(f"{ours['step_seconds'] / theirs['step_seconds']:.2f}")
    else:
        cells += ["-"] * 4
    return cells


def mean(values):
    """The geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--device-profile", default="h100-nvlink-ib")
    options = parser.parse_args()
    names = options.names or sorted(path.parent.name for path in options.programs.glob("*/program.mlir"))
    rows = [["program", "step us", "compute", "exposed", "XLA's step", "compute", "exposed", "ratio"]]
    ratios = []
    for name in names:
        ours = estimate(options.build, options.device_profile, options.programs / name / "program.mlir")
        text = options.programs / "xla" / name / "partitioned.hlo.txt"
        theirs = estimate(options.build, options.device_profile, text) if text.exists() else None
        if not ours:
            print(f"{name}: not partitioned")
            continue
        rows.append(row(name, ours, theirs))
        if theirs:
            ratios.append(ours["step_seconds"] / theirs["step_seconds"])
    widths = [max(len(cells[i]) for cells in rows) for i in range(len(rows[0]))]
    for cells in rows:
        print("  ".join([cells[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:])]))
    if ratios:
        print(f"geometric mean of {len(ratios)} ratios: {mean(ratios):.2f}; above 1: {sum(r > 1 for r in ratios)}")


if __name__ == "__main__":
    main()
