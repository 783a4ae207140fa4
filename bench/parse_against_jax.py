#!/usr/bin/env python3
"""Compares how long a program takes to parse and verify here and in the MLIR that JAX brings.

    parse_against_jax.py build/bin/bench-parse PROGRAM.mlir [ROUNDS]

Both parse the same text in turns, each time in a process of its own; user CPU of the parse alone is taken, the least of
all rounds. Exits 1 if ours is slower. Where JAX cannot be imported, the script says so and is done.
"""

import json
import os
import subprocess
import sys

THEIRS = """
import resource, sys
from jax._src.interpreters import mlir
from jaxlib.mlir import ir

text = open(sys.argv[1]).read()
context = mlir.make_ir_context()
context.enable_multithreading(False)
before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
ir.Module.parse(text, context)
print(1000 * (resource.getrusage(resource.RUSAGE_SELF).ru_utime - before))
"""


def ours(bench, program):
    output = subprocess.run([bench, "--benchmark_filter=parse/file", "--benchmark_format=json"], check=True,
                            capture_output=True, env={**os.environ, "SPMD_BENCH_PROGRAM": program}).stdout
    return json.loads(output)["benchmarks"][0]["real_time"]


def theirs(program):
    return float(subprocess.run([sys.executable, "-c", THEIRS, program], check=True, capture_output=True).stdout)


def main():
    try:
        import jax  # noqa: F401
    except ImportError:
        print("JAX is not installed: there is nothing to compare with")
        return 0
    bench, program, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 5
    pairs = [(ours(bench, program), theirs(program)) for _ in range(rounds)]
    here, there = (min(each) for each in zip(*pairs))
    print(f"parse and verify, user CPU: {here:.0f} ms here, {there:.0f} ms in JAX's MLIR ({here / there:.2f} of it)")
    return here > there


if __name__ == "__main__":
    sys.exit(main())
