#!/usr/bin/env python3
"""Plants errors in the expected results of programs, and tells which of them spmd-run calls equal.

    plants.py --run spmd-run --work DIR [--jobs N] [PROGRAM...]

A PROGRAM is a folder with a program, `in/` and `out/`, or one of such folders; by default test/programs. Each kind of error is planted in all
float results at once; each result has a verdict of its own. Caught is a plant whose result is `no`. Others are
counted by why they are not: the plant moves no element by 16 of its stored ulps, or by no more than five times what correct
results, of another implementation, are off; the result is mostly rounding; the update is smaller than its rounding. Prints the
plants that are missed for no such reason. These lie within what the rounding of their element allows, as the judge estimates it.
Exits 1 if they are more than one in fifty, or one is not judged.
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
BITS["<u2"] = ("H", 8)  # The codes of bf16.


def of_code(code):
    return struct.unpack("<f", struct.pack("<I", code << 16))[0]


def to_code(value):
    """Returns the code of the bf16 next to 0 from `value`; what passes the range is infinite."""
    try:
        return struct.unpack("<I", struct.pack("<f", value))[0] >> 16
    except OverflowError:
        return 0x7F80 if value > 0 else 0xFF80


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
            self.values = self.decoded(data[start:])

    def decoded(self, data):
        numbers = struct.unpack(f"<{len(data) // struct.calcsize(self.letter)}{self.letter}", data)
        return [of_code(each) for each in numbers] if self.letter == "H" else list(numbers)

    def encoded(self, values):
        numbers = [to_code(each) for each in values] if self.letter == "H" else values
        return struct.pack(f"<{len(values)}{self.letter}", *numbers)

    def write(self, path, values):
        path.write_bytes(self.header + self.encoded(values))

    def stored(self, values):
        """Returns the values as the type stores them."""
        return self.decoded(self.encoded(values))

    def scale(self):
        """Returns the relative error of a plant: 2^-6, or 2^-3 for the 8 bits of bf16."""
        return 2.0 ** (-3 if self.bits == 8 else -6)

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


def one_element(share):
    """Returns a plant that moves the element behind this share of all."""
    def plant(array, values, _):
        moved = list(values)
        if moved:
            moved[int(share * (len(values) - 1))] += 64 * array.ulp(rms(values))
        return moved
    return plant


def of_update(change):
    return lambda _, values, before: None if before is None else [b + change * (v - b) for v, b in zip(values, before)]


PLANTS = {
    "no update": of_update(0), "update doubled": of_update(2), "update negated": of_update(-1),
    "scaled up": lambda array, values, _: [v * (1 + array.scale()) for v in values],
    "scaled down": lambda array, values, _: [v * (1 - array.scale()) for v in values],
    "negated": lambda _, values, __: [-v for v in values],
    "a shard of the neighbour": shard_of_neighbour, "rows swapped": swapped_rows,
    **{f"one element, at {share}": one_element(share) for share in (0, 0.25, 0.5, 0.75, 1)},
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


def is_lost(kind, known):
    """Whether not even twice the update would have shown in a result: it was no update."""
    return kind in ("no update", "update doubled", "update negated") and known.get("update_resolution", 0) > 2


def plant_in(arguments, folder):
    """Returns for each plant in results of a program: its name, and what became of it."""
    program = program_of(folder)
    work = arguments.work / folder.parent.name / folder.name
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
            moved[number] = (steps, max((abs(w - v) for w, v in zip(wrong, array.values) if v == v), default=0))
        verdicts = judge(arguments, program, folder, expected, report) if moved else []
        for number, (steps, apart) in moved.items():
            verdict = verdicts[number] if verdicts else None
            outcome = ("not judged" if verdict is None else "caught" if verdict["verdict"] == "no"
                       else "below 16 ulp" if steps < 16
                       else "coarse" if verdict["coarse"] * 2 > verdict["elements"]
                       else "no larger than errors of correct results" if apart <= 5 * known[number]["max_abs_error"]
                       else "an update smaller than its rounding" if is_lost(kind, known[number])
                       else f"MISSED: {verdict['verdict']}, {verdict['error_of_allowed']:.2g} of allowed")
            outcomes.append((f"{folder.name} result {number}, {kind}", outcome))
    return outcomes


def program_of(folder):
    """Returns the program of a folder that has expected results, or None."""
    paths = [path for name in ("program.mlir", "program.hlo.txt") if (path := folder / name).exists()]
    return paths[0] if paths and (folder / "in").is_dir() and (folder / "out").is_dir() else None


def programs_in(folder):
    return [path for path in [folder, *folder.glob("*")] if program_of(path)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    folders = sorted(path for given in arguments.programs or [TESTS / "programs"] for path in programs_in(given))
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = sum(pool.map(lambda folder: plant_in(arguments, folder), folders), [])
    counts = {}
    for name, outcome in outcomes:
        kind = "missed" if outcome.startswith("MISSED") else outcome
        counts[kind] = counts.get(kind, 0) + 1
        if kind in ("missed", "not judged"):
            print(f"{name}: {outcome}")
    print(f"{len(outcomes)} plants: " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return 1 if 50 * counts.get("missed", 0) > len(outcomes) or counts.get("not judged") else 0


if __name__ == "__main__":
    sys.exit(main())
