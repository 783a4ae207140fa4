#!/usr/bin/env python3
"""Compares what partitioned programs send with what another partitioner's send.

    bytes.py SPMD_OPT FOLDER [NAME...]

FOLDER/NAME has `program.mlir`, and in `manifest.json` what XLA made of it: bytes on the wire that one device sends, and
collectives. Of those that XLA sends more than 1 kB for, and whose collectives are not written by hand, the geometric means
of the ratios must be at most 0.7 each; a ratio below 0.1 counts as 0.1. FOLDER/pytorch/NAME has `program.hlo.pb`, whose
collectives may make no more bytes than the manifest says of the real system. Prints a table; exits 1 if one is over.
"""

import concurrent.futures
import json
import math
import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools"))

from traffic import traffic_of  # noqa: E402

BY_HAND = re.compile(r"\b(replica_groups|source_target_pairs) = dense|sdy\.(all_|reduce_scatter|collective_)")
LEAST_BYTES = 1000
LEAST_RATIO = 0.1
MOST = 0.7


def partitioned(tool, path):
    """Returns the traffic of a program and the complaint about it, one of them None."""
    done = subprocess.run([tool, path, "--spmd-pipeline", "--mlir-print-op-generic"], capture_output=True, text=True)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error:" in line]
        return None, errors[0] if errors else f"exit code {done.returncode}"
    return traffic_of(done.stdout), None


def ratio(ours, theirs):
    return max(LEAST_RATIO, ours / theirs) if theirs else None


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 0.0


def text(number):
    return "-" if number is None else f"{number:.2f}"


def against_xla(tool, path):
    """Returns the row of a program: its name, its numbers and XLA's, and whether it counts."""
    manifest, name = json.loads((path.parent / "manifest.json").read_text()), path.parent.name
    traffic, complaint = partitioned(tool, path)
    xla = manifest.get("xla") or {}
    if complaint or "wire_bytes_per_device" not in xla:
        return name, complaint or "nothing to compare with", None, None
    counts = xla["wire_bytes_per_device"] > LEAST_BYTES and not BY_HAND.search(path.read_text())
    ours, theirs = (traffic.wire_bytes, traffic.count), (xla["wire_bytes_per_device"], xla["collectives_total"])
    ratios = tuple(map(ratio, ours, theirs))
    line = (f"{name:28} {ours[0]:16} {theirs[0]:16} {text(ratios[0]):>6}   {ours[1]:6} {theirs[1]:6} {text(ratios[1]):>6}"
            + ("" if counts else "   (does not count)") + ("   over" if ours[0] > theirs[0] else ""))
    return name, line, ratios if counts else None, ours[0] > theirs[0]


def against_torch(tool, path):
    manifest, name = json.loads((path.parent / "manifest.json").read_text()), path.parent.name
    emitted = manifest.get("what_the_real_compiler_emitted") or {}
    if "collectives_per_device" not in emitted:
        return None
    traffic, complaint = partitioned(tool, path)
    if complaint:
        return name, f"{name:40} {complaint}", False
    theirs = sum(each["result_bytes"] for each in emitted["collectives_per_device"].values())
    is_over = traffic.result_bytes > theirs
    return name, f"{name:40} {traffic.result_bytes:12} {theirs:12}" + ("   over" if is_over else ""), is_over


def main():
    tool, folder, names = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]

    def found(pattern):
        return [path for path in sorted(folder.glob(pattern)) if not names or path.parent.name in names]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(lambda path: against_xla(tool, path), found("*/program.mlir") + found("big/*/program.mlir")))
        captures = [row for row in pool.map(lambda path: against_torch(tool, path), found("pytorch/*/program.hlo.pb")) if row]
    print(f"{'':28} {'bytes on the wire':>16} {'XLA':>16} {'ratio':>6}   {'ops':>6} {'XLA':>6} {'ratio':>6}")
    for _, line, *_ in rows:
        print(line)
    ratios = [ratios for _, _, ratios, _ in rows if ratios]
    means = [mean([each[i] for each in ratios if each[i]]) for i in (0, 1)]
    print(f"\nof {len(ratios)} programs: geometric mean in bytes {means[0]:.3f}, in number {means[1]:.3f}; at most {MOST} each")
    over = [name for name, _, _, is_over in rows if is_over]
    print(f"more bytes than XLA: {', '.join(over) or 'none'}\n")
    print(f"{'':40} {'result bytes':>12} {'real':>12}")
    for _, line, _ in captures:
        print(line)
    torch_over = [name for name, _, is_over in captures if is_over]
    print(f"\nof {len(captures)} captures, more bytes than the real system: {', '.join(torch_over) or 'none'}")
    return 1 if over or torch_over or max(means) > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
