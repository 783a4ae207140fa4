#!/usr/bin/env python3
"""Plants errors in the expected results of programs, and tells which of them spmd-run calls equal.

    plants.py --run spmd-run --work DIR [--jobs N] [PROGRAM...]

A PROGRAM is a folder with a program, `in/` and `out/`, by default those of test/programs. Each kind of error is planted in all
float results at once; each result has a verdict of its own. Caught is a plant whose result is `no`. Below the resolution is
one that moves no element by 16 of its stored ulps, or by no more than the report says would have shown. Prints the plants that
are missed for no such reason, and exits 1 if there are any.
"""

import argparse
import concurrent.futures
import json
import math
import pathlib
import shutil
import struct
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
BITS = {"<f4": ("f", 24), "<f8": ("d", 53), "<f2": ("e", 11)}  # Format of struct, bits of mantissa.


class Array:
    """A float array of a .npy file."""

    def __init__(self, path):
        data = path.read_bytes()
        start = 10 + struct.unpack("<H", data[8:10])[0]
        self.header, text = data[:start], data[10:start].decode("latin1")
        fields = eval(text, {"__builtins__": {}}, {"False": False, "True": True})  # A literal of Python, as the format says.
        self.shape, self.letter, self.bits = fields["shape"], None, 0
        if fields["descr"] in BITS and not fields["fortran_order"]:
            self.letter, self.bits = BITS[fields["descr"]]
            self.values = list(struct.unpack(f"<{math.prod(self.shape)}{self.letter}", data[start:]))

    def write(self, path, values):
        path.write_bytes(self.header + struct.pack(f"<{len(values)}{self.letter}", *values))

    def stored(self, values):
        """Returns the values as the type stores them."""
        return list(struct.unpack(f"<{len(values)}{self.letter}", struct.pack(f"<{len(values)}{self.letter}", *values)))

    def ulp(self, value):
        return math.ldexp(1.0, math.frexp(value)[1] - self.bits) if value and math.isfinite(value) else 0.0


def rms(values):
    finite = [v for v in values if math.isfinite(v)]
    return math.sqrt(sum(v * v for v in finite) / len(finite)) if finite else 0.0


def rows(array, values):
    width = max(1, len(values) // max(1, array.shape[0])) if array.shape else 1
    return [values[i:i + width] for i in range(0, len(values), width)]


def shard_of_neighbour(array, values, _):
    parts = rows(array, values)
    size = len(parts) // 4
    return sum(parts[size:2 * size] + parts[size:], []) if size else values


def swapped_rows(array, values, _):
    parts = rows(array, values)
    return sum([parts[-1]] + parts[1:-1] + [parts[0]], []) if len(parts) > 1 else values


def one_element(array, values, _):
    at = len(values) // 3
    moved = list(values)
    if moved:
        moved[at] += 64 * array.ulp(rms(values))
    return moved


def of_update(change):
    return lambda _, values, before: None if before is None else [b + change * (v - b) for v, b in zip(values, before)]


PLANTS = {
    "no update": of_update(0), "update doubled": of_update(2), "update negated": of_update(-1),
    "times 1 + 2^-6": lambda _, values, __: [v * (1 + 2**-6) for v in values],
    "times 1 - 2^-6": lambda _, values, __: [v * (1 - 2**-6) for v in values],
    "negated": lambda _, values, __: [-v for v in values],
    "a shard of the neighbour": shard_of_neighbour, "rows swapped": swapped_rows, "one element": one_element,
}


def find(folder, number):
    paths = [path for path in folder.glob("*.npy") if int(path.stem) == number]
    return paths[0]


def judge(arguments, program, folder, expected, report):
    subprocess.run([arguments.run, program, f"--in={folder}/in", f"--expect={expected}", f"--json={report}"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=600)
    if not report.exists():
        return None
    comparisons = json.loads(report.read_text())["comparisons"]
    return next((c["results"] for c in comparisons if c["subject"] == "the expected result"), None)


def plant_in(arguments, folder):
    """Returns for each plant in results of a program: its name, and what became of it."""
    program = next(path for name in ("program.mlir", "program.hlo.txt") if (path := folder / name).exists())
    work = arguments.work / folder.name
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    known = judge(arguments, program, folder, folder / "out", work / "known.json")
    outcomes = []
    for kind, plant in PLANTS.items():
        expected, report = work / "expected", work / "report.json"
        shutil.rmtree(expected, ignore_errors=True)
        shutil.copytree(folder / "out", expected)
        report.unlink(missing_ok=True)
        moved = {}
        for number, result in enumerate(known or []):
            array = Array(find(folder / "out", number))
            if array.letter is None:
                continue
            updated = result.get("updated_argument")
            before = None if updated is None else Array(find(folder / "in", updated)).values
            wrong = plant(array, array.values, before)
            if wrong is None or (wrong := array.stored(wrong)) == array.values:
                continue
            array.write(find(expected, number), wrong)
            steps = max(abs(w - v) / max(array.ulp(v), 1e-300) if v == v else 0 for w, v in zip(wrong, array.values))
            moved[number] = steps
        verdicts = judge(arguments, program, folder, expected, report) if moved else []
        for number, steps in moved.items():
            verdict = verdicts[number] if verdicts else None
            outcome = ("not judged" if verdict is None else "caught" if verdict["verdict"] == "no"
                       else "below 16 ulp" if steps < 16
                       else "coarse" if verdict["coarse"] * 2 > verdict["elements"] else f"MISSED: {verdict['verdict']}")
            outcomes.append((f"{folder.name} result {number}, {kind}", outcome))
    return outcomes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    folders = arguments.programs or sorted(path for path in (TESTS / "programs").iterdir() if (path / "out").is_dir())
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = sum(pool.map(lambda folder: plant_in(arguments, folder), folders), [])
    counts = {}
    for name, outcome in outcomes:
        kind = "missed" if outcome.startswith("MISSED") else outcome
        counts[kind] = counts.get(kind, 0) + 1
        if kind in ("missed", "not judged"):
            print(f"{name}: {outcome}")
    print(f"{len(outcomes)} plants: " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return 1 if counts.get("missed") or counts.get("not judged") else 0


if __name__ == "__main__":
    sys.exit(main())
