#!/usr/bin/env python3
"""Divides reductions by something that thousands of parts were joined to: in linear time.

    many_lifts.py --opt spmd-opt --work DIR
"""

import argparse
import pathlib
import subprocess

SECONDS = 90  # Ten times what is needed; what is not linear takes longer.
COUNT = 150_000
WHOLE = "{sdy.sharding = #sdy.sharding<@mesh, [{}]>}"


def program():
    """The reductions went behind the divisions, as what is selected might have been added up."""
    lines = ['sdy.mesh @mesh = <["x"=4]>',
             'func.func @main(%x0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, '
             f"%is: tensor<6xi1> {WHOLE}, %n0: tensor<6xf32> {WHOLE}, %p0: tensor<1xf32> {WHOLE}) -> (tensor<6xf32> {WHOLE}) {{",
             "  %zero = stablehlo.constant dense<0.0> : tensor<f32>"]
    for i in range(COUNT):
        lines.append(f"  %p{i + 1} = stablehlo.cosine %p{i} : tensor<1xf32>")
    parts = ", ".join(f"%p{i}" for i in range(COUNT))
    types = ", ".join(["tensor<1xf32>"] * COUNT)
    lines.append(f'  %joined = "stablehlo.concatenate"({parts}) {{dimension = 0 : i64}} : ({types}) -> tensor<{COUNT}xf32>')
    lines.append(f"  %by = stablehlo.slice %joined [0:6] : (tensor<{COUNT}xf32>) -> tensor<6xf32>")
    for i in range(COUNT):
        lines.append(f"  %x{i + 1} = stablehlo.sine %x{i} : tensor<8x6xf32>")
        lines.append(f"  %r{i} = stablehlo.reduce(%x{i} init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<6xf32>")
        lines.append(f"  %q{i} = stablehlo.divide %r{i}, %by : tensor<6xf32>")
        lines.append(f"  %n{i + 1} = stablehlo.select %is, %q{i}, %n{i} : tensor<6xi1>, tensor<6xf32>")
    return "\n".join([*lines, f"  return %n{COUNT} : tensor<6xf32>", "}", ""])


def main():
    parser = argparse.ArgumentParser()
    for name in ("--opt", "--work"):
        parser.add_argument(name, required=True)
    args = parser.parse_args()
    work = pathlib.Path(args.work)
    work.mkdir(parents=True, exist_ok=True)
    path = work / "program.mlir"
    path.write_text(program())
    subprocess.run([args.opt, path, "--spmd-pipeline=stop-after=reshard", "-o", "/dev/null"], check=True, timeout=SECONDS)


if __name__ == "__main__":
    main()
