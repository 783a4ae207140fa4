#!/usr/bin/env python3
"""Runs programs on other meshes than theirs: the results are the same.

    meshes.py SPMD_OPT SPMD_RUN FOLDER [--count N] [--jobs N] [NAME...]

FOLDER/NAME has a program (`program.mlir`), its inputs (`in`), results (`out`) and their tolerances (`manifest.json`). The axes
of its meshes get other sizes from 1 to 6, drawn by the name, so many times that differ; all meshes of a program keep the
same devices. A program that names devices itself, in collectives written by hand, has no other mesh; nor is one run
that calls what has no meaning here, nor one without a mesh. Exits 1 if a run does not end, or ends with other results.
"""

import argparse
import concurrent.futures
import itertools
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile

MESH = re.compile(r'(sdy\.mesh @[\w.]+ = <\[)([^\]]*)(\]>)[^\n]*')
AXIS = re.compile(r'"([^"]+)"=(\d+)')
BY_HAND = re.compile(r"\b(replica_groups|source_target_pairs) = dense")
SIZES = range(1, 7)
MOST_DEVICES = 36
UNKNOWN = "no custom call is registered"


def variants(text, name, count):
    """Yields the program on other meshes, with the sizes of their axes."""
    meshes = [AXIS.findall(match.group(2)) for match in MESH.finditer(text)]
    own = [tuple(int(size) for _, size in mesh) for mesh in meshes]
    by_devices = [{} for _ in meshes]
    for mesh, found in zip(meshes, by_devices):
        for sizes in itertools.product(SIZES, repeat=len(mesh)):
            found.setdefault(math.prod(sizes), []).append(sizes)
    shared = sorted(set.intersection(*map(set, by_devices)))
    choices = [choice for devices in shared if devices <= MOST_DEVICES
               for choice in itertools.islice(itertools.product(*(found[devices] for found in by_devices)), 1000)
               if list(choice) != own]
    for choice in random.Random(name).sample(choices, min(count, len(choices))):
        yield choice, resized(text, meshes, choice)


def resized(text, meshes, choice):
    parts = iter([", ".join(f'"{axis}"={size}' for (axis, _), size in zip(mesh, sizes)) for mesh, sizes in zip(meshes, choice)])
    text = MESH.sub(lambda match: match.group(1) + next(parts) + match.group(3), text)
    return re.sub(r"mhlo\.num_partitions = \d+", f"mhlo.num_partitions = {math.prod(choice[0])}", text)


def tolerances(manifest, name):
    return ",".join(str((result.get("tolerance") or {}).get(name, 0)) for result in manifest["results"])


def judge(tools, folder, name, choice, text):
    """Returns the name of a run, and what is wrong with it."""
    manifest = json.loads((folder / name / "manifest.json").read_text())
    sizes = " ".join("x".join(map(str, each)) for each in choice)
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as program:
        program.write(text)
        program.flush()
        parsed = subprocess.run([tools.opt, program.name, "-o", program.name + ".out"], capture_output=True, text=True)
        pathlib.Path(program.name + ".out").unlink(missing_ok=True)
        if parsed.returncode:
            return f"{name} on {sizes}", "not permitted"
        run = subprocess.run([tools.run, program.name, f"--in={folder / name}/in", f"--expect={folder / name}/out",
                              f"--rtol={tolerances(manifest, 'rtol')}", f"--atol={tolerances(manifest, 'atol')}"],
                             capture_output=True, text=True)
    if run.returncode == 0:
        return f"{name} on {sizes}", "equal"
    lines = [line for line in (run.stderr + run.stdout).splitlines() if "error:" in line or line.startswith("differs")]
    return f"{name} on {sizes}", "no meaning" if UNKNOWN in run.stderr else lines[0][:200] if lines else f"exit code {run.returncode}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("opt")
    parser.add_argument("run")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--count", type=int, default=5, help="meshes for each program")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    names = arguments.names or sorted(path.parent.name for path in arguments.folder.glob("*/program.mlir"))
    cases = []
    for name in names:
        text = (arguments.folder / name / "program.mlir").read_text()
        if BY_HAND.search(text):
            print(f"{name}: names its devices; not run")
            continue
        if not MESH.search(text):
            print(f"{name}: has no mesh; not run")
            continue
        cases += [(arguments, arguments.folder, name, *variant) for variant in variants(text, name, arguments.count)]
    outcomes = {}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for case, outcome in pool.map(lambda case: judge(*case), cases):
            outcomes.setdefault(outcome if outcome in ("equal", "not permitted", "no meaning") else "wrong", []).append(case)
            print(f"{case}: {outcome}", flush=True)
    print(f"{len(cases)} runs: " + ", ".join(f"{len(each)} {outcome}" for outcome, each in sorted(outcomes.items())))
    return 1 if "wrong" in outcomes or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
