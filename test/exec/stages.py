#!/usr/bin/env python3
"""Stops programs after each stage, and goes on from the text.

    stages.py [--opt spmd-opt] [--run spmd-run] --work DIR FILE...

What a stage leaves is a program that runs, and gives what FILE gives; so is what the pipeline makes of it from there. Of one
that is partitioned it makes what it makes of FILE.
"""

import pathlib
import sys

import _runner

STAGES = ["functionalize", "propagate", "reshard", "partition", "optimize"]


def check(arguments, file, mode):
    """Returns what is wrong with functionalization on or off, or nothing."""
    functionalize = f"functionalize={'true' if mode == 'on' else 'false'}"
    flags = ["--no-functionalize"] if mode == "off" else []
    out, whole = arguments.work / f"{file.stem}-{mode}", arguments.work / f"{file.stem}-{mode}.mlir"
    if (ran := _runner.run([arguments.run, file, "--seed=1", "--out", out] + flags)).returncode:
        return _runner.reason(ran)
    if (made := _runner.run([arguments.opt, file, f"--spmd-pipeline={functionalize}", "-o", whole])).returncode:
        return _runner.reason(made)
    for stage in STAGES:
        stopped, gone_on = (arguments.work / f"{file.stem}-{mode}-{name}.mlir" for name in (stage, stage + "-on"))
        for program, steps in (
            (stopped, [arguments.opt, file, f"--spmd-pipeline={functionalize} stop-after={stage}", "-o", stopped]),
            (gone_on, [arguments.opt, stopped, f"--spmd-pipeline={functionalize}", "-o", gone_on]),
        ):
            again = " and on" if program == gone_on else ""
            if (made := _runner.run(steps)).returncode:
                return f"stopped after {stage}{again}: {_runner.reason(made)}"
            ran = _runner.run([arguments.run, program, "--seed=1", "--expect", out] + flags)
            if ran.returncode:
                return f"run after {stage}{again}: {_runner.reason(ran)}"
        if stage == "partition" and gone_on.read_text() != whole.read_text():
            return f"what is made of the program after {stage} is not what is made of the file"
    return None


def main():
    parser = _runner.parser(__doc__, opt="spmd-opt", run="spmd-run")
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    failed = False
    for file in arguments.files:
        for mode in ("on", "off") if "!spmd.buffer" in file.read_text() else ("on",):
            if complaint := check(arguments, file, mode):
                print(f"{file}, functionalization {mode}: {complaint}")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
