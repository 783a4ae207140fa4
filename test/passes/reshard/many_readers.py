#!/usr/bin/env python3
"""Plans a program in which thousands of ops read one value: in linear time.

    many_readers.py --opt spmd-opt --work DIR
"""

import argparse
import pathlib
import subprocess

SECONDS = 20  # Ten times what a linear plan needs.
COUNT = 20_000
ROWS = "{sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}"


def program():
    lines = ['sdy.mesh @mesh = <["x"=4]>',
             f"func.func @main(%x0: tensor<8x6xf32> {ROWS}, %scale: tensor<8x6xf32> {ROWS}) -> (tensor<8x6xf32> {ROWS}) {{",
             "  %by = stablehlo.cosine %scale : tensor<8x6xf32>"]
    lines += [f"  %x{i + 1} = stablehlo.divide %x{i}, %by : tensor<8x6xf32>" for i in range(COUNT)]
    return "\n".join([*lines, f"  return %x{COUNT} : tensor<8x6xf32>", "}", ""])


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
