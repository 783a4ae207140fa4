#!/usr/bin/env python3
"""Runs each pass of spmd-opt alone on each test program, in a process of its own.

A process may end with exit code 0, or with 1 and an error: a pass may refuse a program that it was not made for. Anything
else is a crash. Passes are those that spmd-opt lists, so a new one joins by itself.

By default, passes take turns on large programs: the first gets the first, fourth, ... pass, the next one the second,
fifth, ... `--all` runs each on each.
"""

import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import time

# On programs of at least so many bytes, passes take turns.
LARGE_BYTES = 4000
TURNS = 4
TIMEOUT_S = 300
SUFFIXES = (".mlir", ".hlo.txt", ".hlo.pb")
# Passes whose options decide what they do at all.
PIPELINE = "spmd-pipeline"
VARIANTS = {
    PIPELINE: ["", "stop-after=functionalize", "stop-after=propagate", "stop-after=reshard", "stop-after=partition",
               "functionalize=false on-missing=error"],
    "spmd-check-rules": ["", "all"],
    "spmd-legalize-chlo": ["", "keep-functions", "keep-hlo"],
    "spmd-optimize": ["", "once-only", "overlap groups=mesh-axes"],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opt", required=True, help="the spmd-opt to test")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--all", action="store_true", help="each pass on each program, however large")
    parser.add_argument("programs", nargs="+", type=pathlib.Path, help="files, or folders that hold programs")
    arguments = parser.parse_args()

    passes = list(registered(arguments.opt))
    files = [file for path in arguments.programs for file in programs_in(path)]
    cases = [case for number, file in enumerate(files) for case in cases_of(file, passes, number, arguments.all)]
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        complaints = list(filter(None, pool.map(lambda case: complaint(arguments.opt, *case), cases)))
    print("\n".join(complaints))
    print(f"{len(passes)} passes, {len(files)} programs, {len(cases)} runs, {len(complaints)} wrong, "
          f"{time.monotonic() - start:.0f} s")
    return 1 if complaints or not cases else 0


def registered(opt):
    """Yields each pass as its option, some with several options of their own."""
    listed = subprocess.run([opt, "--list-passes"], check=True, capture_output=True, text=True).stdout
    for name in re.findall(r"^  --([a-z][\w-]*)", listed, re.M) + [PIPELINE]:
        for options in VARIANTS.get(name, [""]):
            yield f"--{name}={options}" if options else f"--{name}"


def programs_in(path):
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.name.endswith(SUFFIXES))


def cases_of(file, passes, number, all_of_them):
    isLarge = file.stat().st_size >= LARGE_BYTES
    step, first = (TURNS, number % TURNS) if isLarge and not all_of_them else (1, 0)
    return [(file, each) for each in passes[first::step]]


def complaint(opt, file, option):
    """Returns what is wrong with a run, or nothing."""
    command = [opt, str(file), option, "-o", "/dev/null"]
    try:
        process = subprocess.run(command, capture_output=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return f"{' '.join(command)}: runs longer than {TIMEOUT_S} s"
    errors = process.stderr.decode(errors="replace")
    if process.returncode == 0 or (process.returncode == 1 and "error:" in errors):
        return None
    last = "\n".join(errors.splitlines()[-5:])
    return f"{' '.join(command)}: exit code {process.returncode}\n{last}"


if __name__ == "__main__":
    sys.exit(main())
