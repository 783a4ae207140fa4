#!/usr/bin/env python3
"""Shares gathers of one value and of its transpose, each read right away: in linear time, and none that is gone.

    many_gathers.py --opt spmd-opt --work DIR
"""

import argparse
import pathlib
import subprocess

GATHER = ("<{all_gather_dim = %d : i64, channel_handle = #stablehlo.channel_handle<handle = %d, type = 1>, "
          "replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}>")
SECONDS = 60  # Twenty times what is needed; what is not linear takes longer.


def program(swapped, own_channels, widest):
    """Gathers, those of the transpose where `swapped` is true; with `own_channels`, each on a channel of its own.

    Most is held behind the `widest`; behind others there is room.
    """
    lines = ["module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {",
             "func.func @main(%k: tensor<16x64xf32>, %v0: tensor<64x64xf32>) -> tensor<64x64xf32> {",
             "  %t = stablehlo.transpose %k, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>"]
    for i, of_transpose in enumerate(swapped):
        value, dim, shape = ("%t", 1, "64x16") if of_transpose else ("%k", 0, "16x64")
        lines.append(f'  %g{i} = "stablehlo.all_gather"({value}) {GATHER % (dim, i + 1 if own_channels else 1)} : (tensor<{shape}xf32>) -> tensor<64x64xf32>')
        lines.append(f"  %a{i} = stablehlo.add %v{i}, %g{i} : tensor<64x64xf32>")
        if i not in widest:
            lines.append(f"  %v{i + 1} = stablehlo.tanh %a{i} : tensor<64x64xf32>")
        else:
            lines.append(f"  %w{i} = stablehlo.concatenate %a{i}, %a{i}, %a{i}, dim = 0 : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<192x64xf32>")
            lines.append(f"  %v{i + 1} = stablehlo.slice %w{i} [0:64, 0:64] : (tensor<192x64xf32>) -> tensor<64x64xf32>")
    return "\n".join([*lines, f"  return %v{len(swapped)} : tensor<64x64xf32>", "}", "}", ""])


def main():
    parser = argparse.ArgumentParser()
    for name in ("--opt", "--work"):
        parser.add_argument(name, required=True)
    args = parser.parse_args()
    work = pathlib.Path(args.work)
    work.mkdir(parents=True, exist_ok=True)

    def gathered(swapped, own_channels=False, widest=()):
        """Returns how many are left."""
        path = work / "program.mlir"
        path.write_text(program(swapped, own_channels, widest))
        result = subprocess.run([args.opt, path, "--spmd-optimize=bucket-bytes=0"], check=True, timeout=SECONDS,
                                capture_output=True, text=True)
        return result.stdout.count("all_gather\"")

    for count in (2, 5, 40000):
        # Nothing is held for the last, which is the only one of the transpose, unless there is room.
        assert gathered([False] * count + [True], widest=[count - 1]) == 2, count
        assert gathered([False] * count + [True]) == 1, count
        # Nor for the first, as what was gathered before is read before.
        assert gathered([False] + [True] * count, widest=[0]) == 2, count
        # What is read behind it is held: of the first, which is gathered again later, that is known in the end.
        assert gathered([i % 2 == 0 for i in range(count + 1)]) == 1, count
        # The first two are one, which the last reads.
        assert gathered([False, True] + [False] * count + [True]) == 1, count
        # Those on channels of their own differ, and nothing is held for them.
        assert gathered([i % 3 == 1 for i in range(count)], own_channels=True, widest=range(count)) == count
        # With room they are one.
        assert gathered([i % 3 == 0 for i in range(count)], own_channels=True) == 1, count


main()
