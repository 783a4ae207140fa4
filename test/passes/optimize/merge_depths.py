#!/usr/bin/env python3
"""Permutes that can be done early do not wait for those that cannot; reductions, which need no copies, do.

    merge_depths.py --opt spmd-opt --work DIR
"""

import argparse
import pathlib
import subprocess

CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
PERMUTE = f'"stablehlo.collective_permute"(%s) <{{{CHANNEL}, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}}> : (tensor<8xf32>) -> tensor<8xf32>'
REDUCE = f'''"stablehlo.all_reduce"(%s) <{{{CHANNEL}, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}}> ({{
  ^bb0(%%p: tensor<f32>, %%q: tensor<f32>):
    %%s = stablehlo.add %%p, %%q : tensor<f32>
    stablehlo.return %%s : tensor<f32>
  }}) : (tensor<8xf32>) -> tensor<8xf32>'''


def program(collective, depths):
    """Collectives side by side, each of what as many ops make of an argument as the depth says."""
    shape = "tensor<8xf32>"
    arguments = ", ".join(f"%v{i}_0: {shape}" for i in range(len(depths)))
    results = ", ".join([shape] * len(depths))
    lines = ["module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {",
             f"func.func @main({arguments}) -> ({results}) {{"]
    for i, depth in enumerate(depths):
        lines += [f"  %v{i}_{j + 1} = stablehlo.sine %v{i}_{j} : {shape}" for j in range(depth)]
    lines += [f"  %r{i} = " + collective % f"%v{i}_{depth}" for i, depth in enumerate(depths)]
    return "\n".join([*lines, "  return " + ", ".join(f"%r{i}" for i in range(len(depths))) + " : " + results, "}", "}", ""])


def main():
    parser = argparse.ArgumentParser()
    for name in ("--opt", "--work"):
        parser.add_argument(name, required=True)
    args = parser.parse_args()
    work = pathlib.Path(args.work)
    work.mkdir(parents=True, exist_ok=True)

    def merged(collective, depths):
        """Returns how many are left."""
        path = work / "program.mlir"
        path.write_text(program(collective, depths))
        result = subprocess.run([args.opt, path, "--spmd-optimize"], check=True, timeout=60, capture_output=True, text=True)
        return sum(result.stdout.count(f'{name}"') for name in ("collective_permute", "all_reduce"))

    assert merged(PERMUTE, [0, 100, 200]) == 1
    assert merged(PERMUTE, [0, 400]) == 2
    # Which stand beside which is found by depth, not by the order of the program.
    assert merged(PERMUTE, [400, 0, 410, 10]) == 2
    assert merged(REDUCE, [0, 400]) == 1


main()
