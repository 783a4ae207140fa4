#!/usr/bin/env python3
"""Composes what is swapped, merged and cut in long chains: in linear time, on little stack, with the same numbers.

    long_chains.py --opt spmd-opt --run spmd-run --work DIR
"""

import argparse
import pathlib
import subprocess

HEAD = 'sdy.mesh @mesh = <["x"=2, "y"=3]>\n'
SECONDS = 60  # Twenty times what is needed; what is not linear takes longer.


def swaps(count):
    """Transposes one behind the other, each of which is read once more."""
    shapes = ["4x6x8", "6x8x4", "8x4x6"]
    lines = ["func.func @main(%v0: tensor<4x6x8xf32>) -> tensor<4x6x8xf32> {"]
    for i in range(count):
        lines.append(f"  %v{i + 1} = stablehlo.transpose %v{i}, dims = [1, 2, 0] : "
                     f"(tensor<{shapes[i % 3]}xf32>) -> tensor<{shapes[(i + 1) % 3]}xf32>")
        lines.append(f"  %w{i} = stablehlo.negate %v{i + 1} : tensor<{shapes[(i + 1) % 3]}xf32>")
    return "\n".join([*lines, f"  return %v{count} : tensor<4x6x8xf32>", "}"])


def layers(count):
    """A dim that stays apart from the first layer to the last, and one that each layer cuts otherwise."""
    lines = ['func.func @main(%x: tensor<10x6x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> tensor<6x10x32xf32> {',
             "  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<10x6x32xf32>) -> tensor<6x10x32xf32>",
             "  %v0 = stablehlo.reshape %0 : (tensor<6x10x32xf32>) -> tensor<60x32xf32>"]
    for i in range(count):
        shape = ["60x8x4", "60x2x16"][i % 2]
        lines.append(f"  %h{i} = stablehlo.reshape %v{i} : (tensor<60x32xf32>) -> tensor<{shape}xf32>")
        lines.append(f"  %i{i} = stablehlo.tanh %h{i} : tensor<{shape}xf32>")
        lines.append(f"  %v{i + 1} = stablehlo.reshape %i{i} : (tensor<{shape}xf32>) -> tensor<60x32xf32>")
    return "\n".join([*lines, f"  %r = stablehlo.reshape %v{count} : (tensor<60x32xf32>) -> tensor<6x10x32xf32>",
                      "  return %r : tensor<6x10x32xf32>", "}"])


def far_repeated(count):
    """What is repeated lies behind many ops that show a product, and so shows it or not; it meets another product."""
    lines = ['func.func @main(%x: tensor<10x6x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, '
             '%y: tensor<10x6x60xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>}) -> (tensor<60x6x10xf32>, tensor<6x10xf32>) {',
             "  %zero = stablehlo.constant dense<0.0> : tensor<f32>",
             "  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<10x6x64xf32>) -> tensor<6x10x64xf32>",
             "  %r = stablehlo.reshape %0 : (tensor<6x10x64xf32>) -> tensor<60x64xf32>",
             "  %v0 = stablehlo.reduce(%r init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<60x64xf32>, tensor<f32>) -> tensor<60xf32>"]
    lines += [f"  %v{i + 1} = stablehlo.negate %v{i} : tensor<60xf32>" for i in range(count)]
    return "\n".join([*lines, f"  %cut = stablehlo.reshape %v{count} : (tensor<60xf32>) -> tensor<6x10xf32>",
                      f"  %b = stablehlo.broadcast_in_dim %v{count}, dims = [0] : (tensor<60xf32>) -> tensor<60x60xf32>",
                      "  %1 = stablehlo.transpose %y, dims = [2, 1, 0] : (tensor<10x6x60xf32>) -> tensor<60x6x10xf32>",
                      "  %s = stablehlo.reshape %1 : (tensor<60x6x10xf32>) -> tensor<60x60xf32>",
                      "  %q = stablehlo.add %b, %s : tensor<60x60xf32>",
                      "  %o = stablehlo.reshape %q : (tensor<60x60xf32>) -> tensor<60x6x10xf32>",
                      "  return %o, %cut : tensor<60x6x10xf32>, tensor<6x10xf32>", "}"])


def main():
    parser = argparse.ArgumentParser()
    for name in ("--opt", "--run", "--work"):
        parser.add_argument(name, required=True)
    args = parser.parse_args()
    work = pathlib.Path(args.work)
    work.mkdir(parents=True, exist_ok=True)

    def call(*command):
        return subprocess.run(command, check=True, timeout=SECONDS, capture_output=True, text=True).stdout

    def write(name, text):
        path = work / f"{name}.mlir"
        path.write_text(HEAD + text + "\n")
        return str(path)

    composed = call(args.opt, write("swaps", swaps(60000)), "--spmd-compose-slices")
    assert "return %arg0" in composed, "60,000 transposes that take back each other are nothing"
    composed = call(args.opt, write("layers", layers(25000)), "--spmd-compose-slices")
    assert "tensor<60x" not in composed, "what is swapped is apart from the first layer to the last"
    for count in (0, 1, *range(58, 68)):
        assert "equal:        yes" in call(args.run, write(f"repeated-{count}", far_repeated(count))), count


main()
