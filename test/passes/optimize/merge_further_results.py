#!/usr/bin/env python3
"""Checks that which collectives meet, and in which order, does not hang on what else a program returns.

    merge_further_results.py SPMD_OPT

Chains of two sums each are as long and as large as each other, so only what the ops are tells which comes first. Programs that
return something more, which has nothing to do with the chains, must merge and order these alike.
"""

import re
import subprocess
import sys

CHAINS = ("sine", "cosine", "tanh", "logistic", "exponential", "floor", "ceil", "sqrt")
FURTHER = ((), ("negate",), ("abs",), ("negate", "abs", "sign"), ("cbrt", "log"), ("rsqrt", "rsqrt"))

SUM = """  %{to} = "stablehlo.all_reduce"(%{of}) <{{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
      replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}}> ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) : (tensor<4xf32>) -> tensor<4xf32>
"""


def program(further):
    small, large = "tensor<4xf32>", "tensor<999xf32>"
    body, results = f"  %held = stablehlo.negate %large : {large}\n", []
    for name in CHAINS:
        source = f"of_{name}"
        for step in ("a", "b"):
            body += f"  %{name}_{step} = stablehlo.{name} %{source} : {small}\n"
            body += SUM.format(to=f"{name}_{step}_sum", of=f"{name}_{step}")
            source = f"{name}_{step}_sum"
        results.append(source)
    for number, name in enumerate(further):
        body += f"  %further{number} = stablehlo.{name} %of_{CHAINS[number]} : {small}\n"
        results.append(f"further{number}")
    arguments = ", ".join(f"%of_{name}: {small}" for name in CHAINS)
    types = ", ".join([small] * len(results) + [large])
    return (f"module attributes {{mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32}} {{\n"
            f"func.func @main({arguments}, %large: {large}) -> ({types}) {{\n{body}"
            f"  return {', '.join('%' + each for each in results)}, %held : {types}\n}}\n}}\n")  # fmt: skip


def meetings(tool, text):
    """Returns what each collective adds up, by the names of the ops that make it."""
    output = subprocess.run([tool, "-", "--spmd-optimize"], input=text, capture_output=True, text=True, check=True).stdout
    made = dict(re.findall(r"(%\w+) = stablehlo\.(\w+) ", output))
    return [[made[each] for each in operands.split(", ")] for operands in re.findall(r'all_reduce"\(([^)]*)\)', output)]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    expected = meetings(sys.argv[1], program(()))
    if [len(members) for members in expected] != [len(CHAINS)] * 2:
        sys.exit(f"the chains do not meet: {expected}")
    for further in FURTHER:
        if (found := meetings(sys.argv[1], program(further))) != expected:
            sys.exit(f"with {', '.join(further)}: {found}, not {expected}")
    print(f"{len(FURTHER)} programs alike")


if __name__ == "__main__":
    main()
