#!/usr/bin/env python3
"""Runs random programs by other ways than straight through spmd-run: partitioned must equal whole by each.

    random_ways.py --opt spmd-opt --run spmd-run --translate spmd-translate --work DIR [--first SEED] [--count N] [--jobs N]

The programs are those of random_programs.py. Each goes one way, drawn by its seed: through HLO, as text or bytes, or
through GSPMD's notation, in each form of shardings; through a stage of the pipeline that another run goes on from; or
through the whole pipeline with options that are not the default. What the program computes is what the whole one does.
And each is asked one question: what it moves and why, what the doctor says of it, or why a value lies as it does. The
answer, in JSON, is one, though it may be that there is no such value.
"""

import json
import random
import re
import shutil
import sys

import _runner
from _values import AllMeshes
from random_programs import Program, add_kinds, make_program, of_kinds, run_and_compare

FORMS = ["v1", "v2", "v3", "shardy"]
STAGES = ["functionalize", "propagate", "reshard", "partition"]
OPTIONS = {"conflicts": ["shardy"], "bucket-bytes": ["0", "64", "1000"], "gathers": ["recompute"], "groups": ["mesh-axes"],
           "hoist": ["0", "100"], "inline-functions": ["false"], "overlap": ["true"], "functionalize": ["false"], "hints": ["drop"]}
REFUSALS = ["has no counterpart in HLO", "which this form cannot say", "which HLO cannot say", " are not written"]
"""What a notation has no words for."""
OWN_NUMBERS = re.compile(r"stablehlo\.rng\b(?!_)")
"""Draws numbers of its own in each run."""


def other_way(arguments, seed, path):
    """Returns the command that takes the program of a seed to another file, and that file."""
    rng = random.Random(f"way of {seed}")
    way = rng.choice(["hlo", "hlo-proto", "gspmd", "stage", "options", "options", "options"])
    if way == "options":
        options = " ".join(f"{name}={rng.choice(values)}" for name, values in OPTIONS.items() if rng.random() < 0.4)
        return [arguments.opt, path, f"--spmd-pipeline={options}"], path.with_suffix(".part.mlir")
    if way == "stage":
        return [arguments.opt, path, f"--spmd-pipeline=stop-after={rng.choice(STAGES)}"], path.with_suffix(".stage.mlir")
    suffix = {"hlo": ".hlo", "hlo-proto": ".hlo.pb", "gspmd": ".gspmd.mlir"}[way]
    return [arguments.translate, path, f"--export-{way}", f"--form={rng.choice(FORMS)}"], path.with_suffix(suffix)


def question(arguments, seed, path, text):
    """Returns the command that asks one."""
    rng = random.Random(f"question of {seed}")
    what = rng.choice(["why", "doctor", "explain"])
    if what == "why":
        return [arguments.run, path, "--why=json"]
    if what == "doctor":
        return [arguments.opt, path, "--spmd-doctor=format=json"]
    name = rng.choice(re.findall(r"^ +(%\w+)", text, re.MULTILINE) or ["0"])
    return [arguments.opt, path, f"--spmd-explain=value={name} format=json"]


def wrong_answer(command):
    """Returns what is wrong with the answer to a question, or nothing."""
    process = _runner.run(command)
    try:
        known = process.returncode == 1 and "error: " in process.stderr
        return None if known or json.loads(process.stdout) is not None else "null"
    except ValueError:
        return f"{' '.join(map(str, command))}: {_runner.reason(process)}"


def check(arguments, seed):
    """Returns what is wrong with the program of `seed`, or nothing."""
    program = of_kinds(seed, arguments.kinds if seed % arguments.every == 0 else 0, Program)
    made = make_program(seed, arguments.length, program=program, kind=AllMeshes)
    path, plain, folder = (arguments.work / f"{seed}{suffix}" for suffix in (".mlir", ".plain.mlir", ".out"))
    path.write_text(made.text)
    if wrong := wrong_answer(question(arguments, seed, path, made.text)):
        return wrong
    if OWN_NUMBERS.search(made.text):
        path.unlink()
        return None
    plain.write_text(made.plain)
    command, target = other_way(arguments, seed, path)
    for step in ([arguments.run, plain, f"--seed={seed}", "--engine=whole", f"--out={folder}"], [*command, "-o", target],
                 [arguments.run, target, f"--seed={seed}", f"--expect={folder}"]):
        process = run_and_compare(step, made.results) if step[1] == target else _runner.run(step)
        if any(refusal in process.stderr for refusal in REFUSALS):
            break
        if process.returncode:
            return f"{' '.join(map(str, step))}: {_runner.reason(process)}"
    for each in path, plain, target:
        each.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    return None


def main():
    parser = _runner.parser(__doc__, opt="spmd-opt", run="spmd-run", translate="spmd-translate")
    _runner.add_seeds(parser, length=12)
    add_kinds(parser)
    parser.add_argument("--every", type=int, default=1, help="those only of seeds that this number divides")
    return _runner.check_seeds(parser.parse_args(), check, "programs equal")


if __name__ == "__main__":
    sys.exit(main())
