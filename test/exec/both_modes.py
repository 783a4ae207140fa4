#!/usr/bin/env python3
"""Runs programs that update buffers in place on several meshes, with functionalization on and off.

    both_modes.py [--opt spmd-opt] [--run spmd-run] --work DIR [--mesh "x"=2,"y"=3 ...] FILE...

The mesh @mesh of each FILE is replaced by several in turn: those below if its axes are "x" and "y", else its own, and its
axes with three devices each. In both modes the arguments
and results of @main must have the same types, shardings and donations, partitioned must equal whole, results must be
the same, bit for bit, and so must the peak of memory on a device.
"""

import json
import pathlib
import re
import sys

import _runner

MESHES = ['"x"=4, "y"=2', '"x"=2, "y"=3', '"x"=3, "y"=1', '"x"=1, "y"=1', '"y"=2, "x"=2']
MODES = {"on": [], "off": ["--no-functionalize"]}


def signature(program):
    """Returns arguments and results of @main, buffers as the tensors that they hold."""
    line = re.search(r"func\.func (?:public )?@main\((.*)\{$", program, re.M).group(1)
    return re.sub(r"!spmd\.buffer<(tensor<[^>]*>)>", r"\1", line)


def run_in(mode, arguments, path, seed=1):
    """Returns the signature, the results and the report of a run, or a complaint."""
    out = arguments.work / f"{path.stem}-{mode}"
    report = arguments.work / f"{path.stem}-{mode}.json"
    functionalize = "false" if mode == "off" else "true"
    printed = _runner.run([arguments.opt, path, f"--spmd-pipeline=functionalize={functionalize}"])
    if printed.returncode:
        return f"spmd-opt, functionalization {mode}: {_runner.reason(printed)}"
    ran = _runner.run([arguments.run, path, f"--seed={seed}", "--out", out, f"--json={report}"] + MODES[mode])
    if ran.returncode:
        return f"spmd-run, functionalization {mode}: {_runner.reason(ran)}"
    results = {each.name: each.read_bytes() for each in sorted(out.glob("*.npy"))}
    return signature(printed.stdout), results, json.loads(report.read_text())


def meshes_for(text):
    own = re.search(r"sdy\.mesh @mesh = <\[(.*?)\]>", text).group(1)
    is_usual = sorted(re.findall(r'"(\w+)"', own)) == ["x", "y"]
    return MESHES if is_usual else [own, re.sub(r"=\d+", "=3", own)]


def check(arguments, file, text, mesh):
    """Returns what is wrong on one mesh, or nothing."""
    name = re.sub(r"\W+", "", mesh)
    path = arguments.work / f"{file.stem}-{name}.mlir"
    path.write_text(re.sub(r"(sdy\.mesh @mesh = )<\[.*?\]>", rf"\1<[{mesh}]>", text))
    runs = {mode: run_in(mode, arguments, path) for mode in MODES}
    for run in runs.values():
        if isinstance(run, str):
            return run
    on, off = runs["on"], runs["off"]
    if on[0] != off[0]:
        return f"shardings differ: {on[0]} with functionalization, {off[0]} without"
    if on[1] != off[1]:
        return "results differ with functionalization and without"
    peaks = [run[2]["peak_bytes_per_device"] for run in (on, off)]
    if peaks[0] != peaks[1]:
        return f"the peak on a device is {peaks[0]} bytes with functionalization, {peaks[1]} without"
    return None


def main():
    parser = _runner.parser(__doc__, opt="spmd-opt", run="spmd-run")
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    parser.add_argument("--mesh", action="append", help="instead of those that are built in")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    failed = False
    for file in arguments.files:
        text = file.read_text()
        for mesh in arguments.mesh or meshes_for(text):
            if complaint := check(arguments, file, text, mesh):
                print(f"{file}, mesh {mesh}: {complaint}")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
