#!/usr/bin/env python3
"""Gathers many weights that stand behind one barrier: each waits for what was made last before it, found in linear time.

    many_barred.py --opt spmd-opt --work DIR
"""

import argparse
import pathlib
import subprocess

GATHER = ("<{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, "
          "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}>")
SECONDS = 20  # Ten times what is needed; what looks at all of the barrier for each gather takes longer.


def program(count):
    weights = ", ".join(f"%w{i}: tensor<2x6xf32>" for i in range(count))
    lines = ["module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {",
             f"func.func @main({weights}, %t0: tensor<4x6xf32>) -> tensor<4x6xf32> {{",
             *(f"  %t{i + 1} = stablehlo.tanh %t{i} : tensor<4x6xf32>" for i in range(40)),
             f"  %o:{count + 1} = stablehlo.optimization_barrier {', '.join(f'%w{i}' for i in range(count))}, %t40 : "
             f"{'tensor<2x6xf32>, ' * count}tensor<4x6xf32>",
             f"  %s0 = stablehlo.negate %o#{count} : tensor<4x6xf32>"]
    for i in range(count):
        lines.append(f'  %g{i} = "stablehlo.all_gather"(%o#{i}) {GATHER} : (tensor<2x6xf32>) -> tensor<4x6xf32>')
        lines.append(f"  %s{i + 1} = stablehlo.multiply %s{i}, %g{i} : tensor<4x6xf32>")
    return "\n".join([*lines, f"  return %s{count} : tensor<4x6xf32>", "}", "}", ""])


def main():
    parser = argparse.ArgumentParser()
    for name in ("--opt", "--work"):
        parser.add_argument(name, required=True)
    args = parser.parse_args()
    work = pathlib.Path(args.work)
    work.mkdir(parents=True, exist_ok=True)
    for count in (2, 40000):
        path = work / "program.mlir"
        path.write_text(program(count))
        result = subprocess.run([args.opt, path, "--spmd-optimize=bucket-bytes=0"], check=True, timeout=SECONDS,
                                capture_output=True, text=True)
        # The element that each takes along is cut out for it alone, or once for all.
        assert result.stdout.count("(tensor<2x6xf32>, tensor<1xf32>) -> (tensor<4x6xf32>, tensor<2xf32>)") == count, count


main()
