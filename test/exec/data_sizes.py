#!/usr/bin/env python3
"""Runs programs whose sizes depend on data, on several meshes: each result has the size and the elements it should.

    data_sizes.py --run spmd-run --work DIR [--jobs N]

Each case is a function: it gets the data and the size of the dim that is split, and returns a program, its arguments
and what it computes, worked out here in plain lists. Integers are compared exactly.
"""

import pathlib
import random
import struct
import sys

import _runner

MESHES = ['<["x"=2]>', '<["x"=3, "y"=2]>', '<["x"=4]>']
SIZES = [5, 8, 13]
SPLIT = "{sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}"
REDUCE = "stablehlo.reduce(%{0} init: %zero) applies stablehlo.{1} across dimensions = [0] : (tensor<{2}xi32>, tensor<i32>) -> tensor<i32>"
CONSTANTS = """
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %zero1 = stablehlo.constant dense<0> : tensor<1xi32>
  %one1 = stablehlo.constant dense<1> : tensor<1xi32>"""


def write(path, values):
    """Writes a list of integers, or a list of equally long lists, as an array of i32."""
    rows = values if values and isinstance(values[0], list) else None
    shape = f"{len(values)}, {len(rows[0])}" if rows else f"{len(values)},"
    flat = [each for row in rows for each in row] if rows else values
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({shape}), }}".ljust(117) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                     + struct.pack(f"<{len(flat)}i", *flat))


def program(arguments, results, body, functions=""):
    """Returns the text of @main: `arguments` are its types by name, `results` those of what it returns."""
    signature = ", ".join(f"%{name}: {kind}" for name, kind in arguments)
    returned = ", ".join(f"%{name}" for name, _ in results)
    types = [kind for _, kind in results]
    return (f"func.func @main({signature}) -> ({', '.join(types)}) {{{CONSTANTS}\n{body}\n"
            f"  return {returned} : {', '.join(kind.split(' {')[0] for kind in types)}\n}}\n{functions}")


def count_positive(n):
    """Text that defines %k1, a list of one: how many elements of %x are greater than 0."""
    return f"""
  %low = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<{n}xi32>
  %is = stablehlo.compare GT, %x, %low : (tensor<{n}xi32>, tensor<{n}xi32>) -> tensor<{n}xi1>
  %ones = stablehlo.convert %is : (tensor<{n}xi1>) -> tensor<{n}xi32>
  %k = {REDUCE.format("ones", "add", n)}
  %k1 = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>"""


def compact(rng, n):
    """Keeps what is positive: sorts by that, and takes as many as there are."""
    x = [rng.randint(-4, 5) for _ in range(n)]
    body = count_positive(n) + f"""
  %not = stablehlo.not %is : tensor<{n}xi1>
  %flag = stablehlo.convert %not : (tensor<{n}xi1>) -> tensor<{n}xi32>
  %s:2 = "stablehlo.sort"(%flag, %x) <{{dimension = 0 : i64, is_stable = true}}> ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }}) : (tensor<{n}xi32>, tensor<{n}xi32>) -> (tensor<{n}xi32>, tensor<{n}xi32>)
  %0 = stablehlo.real_dynamic_slice %s#1, %zero1, %k1, %one1 : (tensor<{n}xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>"""
    text = program([("x", f"tensor<{n}xi32> {SPLIT}")], [("0", f"tensor<?xi32> {SPLIT}")], body)
    return text, [x], [[each for each in x if each > 0]]


def chain(rng, n):
    """A size that follows from elements whose number follows from data."""
    x = [1] + [rng.randint(-2, 9) for _ in range(n - 1)]
    body = count_positive(n) + """
  %i = stablehlo.dynamic_iota %k1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %j = stablehlo.add %i, %i : tensor<?xi32>
  %m = stablehlo.reduce(%j init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %m1, %k1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %j, %shape, dims = [1] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x?xi32>"""
    k = sum(each > 0 for each in x)
    rows = [[2 * i for i in range(k)]] * (2 * (k - 1))
    text = program([("x", f"tensor<{n}xi32> {SPLIT}")], [("0", "tensor<?x?xi32>"), ("j", f"tensor<?xi32> {SPLIT}")], body)
    return text, [x], [rows or None, [2 * i for i in range(k)]]


def reshape(rng, n):
    rows = rng.choice([1, 2, 3, 6])
    x = [rng.randint(-9, 9) for _ in range(6 * n)]
    body = f"""
  %all = stablehlo.constant dense<{6 * n}> : tensor<1xi32>
  %columns = stablehlo.divide %all, %r : tensor<1xi32>
  %shape = stablehlo.concatenate %r, %columns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<{6 * n}xi32>, tensor<2xi32>) -> tensor<?x?xi32>"""
    text = program([("x", f"tensor<{6 * n}xi32> {SPLIT}"), ("r", "tensor<1xi32>")], [("0", "tensor<?x?xi32>")], body)
    width = 6 * n // rows
    return text, [x, [rows]], [[x[i * width:(i + 1) * width] for i in range(rows)]]


def pad(rng, n):
    x, p = [rng.randint(-9, 9) for _ in range(n)], [rng.randint(0, 3), rng.randint(-2, 3), rng.randint(0, 2)]
    body = f"""
  %low = stablehlo.slice %p [0:1] : (tensor<3xi32>) -> tensor<1xi32>
  %high = stablehlo.slice %p [1:2] : (tensor<3xi32>) -> tensor<1xi32>
  %inner = stablehlo.slice %p [2:3] : (tensor<3xi32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_pad %x, %zero, %low, %high, %inner : (tensor<{n}xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>"""
    text = program([("x", f"tensor<{n}xi32> {SPLIT}"), ("p", "tensor<3xi32>")], [("0", f"tensor<?xi32> {SPLIT}")], body)
    spread = [each for i, value in enumerate(x) for each in ([0] * p[2] if i else []) + [value]]
    padded = [0] * p[0] + spread + [0] * max(p[1], 0)
    return text, [x, p], [padded[:len(padded) + min(p[1], 0)]]


def cut(rng, n):
    start, stride = rng.randint(0, n - 1), rng.randint(1, 3)
    limit = rng.randint(start, n)
    x = [rng.randint(-9, 9) for _ in range(n)]
    body = f"""
  %0 = stablehlo.real_dynamic_slice %x, %a, %b, %c : (tensor<{n}xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>"""
    text = program([("x", f"tensor<{n}xi32> {SPLIT}")] + [(name, "tensor<1xi32>") for name in "abc"],
                   [("0", f"tensor<?xi32> {SPLIT}")], body)
    return text, [x, [start], [limit], [stride]], [x[start:limit:stride]]


def gather(rng, n):
    """The first elements of rows, as many as data say."""
    x = [[rng.randint(-9, 9) for _ in range(4)] for _ in range(n)]
    rows, width = [rng.randrange(n) for _ in range(3)], rng.randint(1, 4)
    body = f"""
  %sizes = stablehlo.concatenate %one1, %w, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = "stablehlo.dynamic_gather"(%x, %rows, %sizes) {{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}} : (tensor<{n}x4xi32>, tensor<3xi32>, tensor<2xi32>) -> tensor<3x?xi32>"""
    text = program([("x", f"tensor<{n}x4xi32> {SPLIT.replace(']>}', ', {}]>}')}"), ("rows", "tensor<3xi32>"), ("w", "tensor<1xi32>")],
                   [("0", "tensor<3x?xi32>")], body)
    return text, [x, rows, [width]], [[x[row][:width] for row in rows]]


def convolve(rng, n):
    """Sums of two neighbours, with as much padding as data say."""
    x, p = [rng.randint(-9, 9) for _ in range(n)], [rng.randint(0, 2), rng.randint(0, 2)]
    body = f"""
  %kernel = stablehlo.constant dense<1> : tensor<2x1x1xi32>
  %image = stablehlo.reshape %x : (tensor<{n}xi32>) -> tensor<1x{n}x1xi32>
  %padding = stablehlo.reshape %p : (tensor<2xi32>) -> tensor<1x2xi32>
  %sums = "stablehlo.dynamic_conv"(%image, %kernel, %padding) {{batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}} : (tensor<1x{n}x1xi32>, tensor<2x1x1xi32>, tensor<1x2xi32>) -> tensor<1x?x1xi32>
  %count = stablehlo.get_dimension_size %sums, dim = 1 : (tensor<1x?x1xi32>) -> tensor<i32>
  %count1 = stablehlo.reshape %count : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %sums, %count1 : (tensor<1x?x1xi32>, tensor<1xi32>) -> tensor<?xi32>"""
    text = program([("x", f"tensor<{n}xi32> {SPLIT}"), ("p", "tensor<2xi32>")], [("0", f"tensor<?xi32> {SPLIT}")], body)
    padded = [0] * p[0] + x + [0] * p[1]
    return text, [x, p], [[a + b for a, b in zip(padded, padded[1:])]]


def set_size(rng, n):
    """What lies behind the size that is set counts no more."""
    x = [rng.randint(-3, 9) for _ in range(n)]
    body = count_positive(n) + f"""
  %cut = stablehlo.set_dimension_size %x, %k, dim = 0 : (tensor<{n}xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<{n}>>
  %0 = stablehlo.negate %cut : tensor<?xi32, #stablehlo.bounds<{n}>>
  %sum = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xi32, #stablehlo.bounds<{n}>>, tensor<i32>) -> tensor<i32>
  %size = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?xi32, #stablehlo.bounds<{n}>>) -> tensor<i32>
  %2 = stablehlo.reshape %sum : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.reshape %size : (tensor<i32>) -> tensor<1xi32>"""
    text = program([("x", f"tensor<{n}xi32> {SPLIT}")],
                   [("0", f"tensor<?xi32, #stablehlo.bounds<{n}>> {SPLIT}"), ("2", "tensor<1xi32>"), ("3", "tensor<1xi32>")], body)
    kept = [-each for each in x[:sum(each > 0 for each in x)]]
    return text, [x], [kept, [sum(kept)], [len(kept)]]


def branch(rng, n):
    """Branches whose results have different sizes, one within the other."""
    x, which, small = [rng.randint(-9, 9) for _ in range(n)], rng.randint(-1, 3), rng.randint(0, 1)
    body = f"""
  %pick = stablehlo.reshape %which : (tensor<1xi32>) -> tensor<i32>
  %s = stablehlo.reshape %small : (tensor<1xi32>) -> tensor<i32>
  %p = stablehlo.convert %s : (tensor<i32>) -> tensor<i1>
  %0 = "stablehlo.case"(%pick) ({{
    %1 = stablehlo.dynamic_iota %one1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    stablehlo.return %1 : tensor<?xi32>
  }}, {{
    %1 = "stablehlo.if"(%p) ({{
      %2 = stablehlo.dynamic_iota %which, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
      stablehlo.return %2 : tensor<?xi32>
    }}, {{
      %three = stablehlo.constant dense<3> : tensor<1xi32>
      %2 = stablehlo.dynamic_iota %three, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
      stablehlo.return %2 : tensor<?xi32>
    }}) : (tensor<i1>) -> tensor<?xi32>
    stablehlo.return %1 : tensor<?xi32>
  }}, {{
    %n = stablehlo.constant dense<{n}> : tensor<1xi32>
    %1 = stablehlo.dynamic_reshape %x, %n : (tensor<{n}xi32>, tensor<1xi32>) -> tensor<?xi32>
    stablehlo.return %1 : tensor<?xi32>
  }}) : (tensor<i32>) -> tensor<?xi32>"""
    text = program([("x", f"tensor<{n}xi32> {SPLIT}"), ("which", "tensor<1xi32>"), ("small", "tensor<1xi32>")],
                   [("0", f"tensor<?xi32> {SPLIT}")], body)
    result = [0] if which == 0 else list(range(which if small else 3)) if which == 1 else x
    return text, [x, [which], [small]], [result]


def calls(rng, n):
    """One function, called through another, cuts by data of each call; calls that know as much share it."""
    x, ks = [rng.randint(-9, 9) for _ in range(n)], [rng.randint(0, n) for _ in range(2)]
    call = "call @head(%x, %{0}) : (tensor<{1}xi32>, tensor<1xi32>) -> tensor<?xi32>"
    body = f"""
  %k0 = stablehlo.slice %ks [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %k1 = stablehlo.slice %ks [1:2] : (tensor<2xi32>) -> tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %a = {call.format("k0", n)}
  %b = {call.format("k1", n)}
  %c = {call.format("two", n)}
  %d = {call.format("two", n)}
  %0 = stablehlo.concatenate %a, %b, %c, %d, dim = 0 : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>"""
    functions = f"""
func.func private @head(%x: tensor<{n}xi32>, %k: tensor<1xi32>) -> tensor<?xi32> {{
  %0 = call @until(%x, %k) : (tensor<{n}xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}}
func.func private @until(%x: tensor<{n}xi32>, %k: tensor<1xi32>) -> tensor<?xi32> {{
  %zero1 = stablehlo.constant dense<0> : tensor<1xi32>
  %one1 = stablehlo.constant dense<1> : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %x, %zero1, %k, %one1 : (tensor<{n}xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}}"""
    text = program([("x", f"tensor<{n}xi32> {SPLIT}"), ("ks", "tensor<2xi32>")], [("0", f"tensor<?xi32> {SPLIT}")], body, functions)
    return text, [x, ks], [x[:ks[0]] + x[:ks[1]] + x[:2] * 2]


def loop(rng, n):
    """In the body of a loop, sizes follow from what is outside, and from a carry that no round changes."""
    x = [rng.randint(-3, 9) for _ in range(n)]
    body = count_positive(n) + """
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %start = stablehlo.dynamic_iota %k1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %l:3 = stablehlo.while(%i = %zero, %a = %start, %size = %k1) : tensor<i32>, tensor<?xi32>, tensor<1xi32>
  cond {
    %1 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.dynamic_broadcast_in_dim %1, %size, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %3 = stablehlo.dynamic_iota %k1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    %4 = stablehlo.multiply %2, %3 : tensor<?xi32>
    %5 = stablehlo.add %a, %4 : tensor<?xi32>
    stablehlo.return %1, %5, %size : tensor<i32>, tensor<?xi32>, tensor<1xi32>
  }"""
    text = program([("x", f"tensor<{n}xi32> {SPLIT}")], [("l#1", f"tensor<?xi32> {SPLIT}")], body)
    return text, [x], [[7 * i for i in range(sum(each > 0 for each in x))]]


CASES = [compact, chain, reshape, pad, cut, gather, convolve, set_size, branch, calls, loop]


def check(arguments, case):
    make, mesh, n = case
    folder = arguments.work / f"{make.__name__}-{MESHES.index(mesh)}-{n}"
    text, inputs, results = make(random.Random(f"{make.__name__} {n} {mesh}"), n)
    path = folder / "program.mlir"
    for name, arrays in (("in", inputs), ("expected", results)):
        for i, array in enumerate(arrays):
            if array is not None:
                write(folder / name / f"{i}.npy", array)
    path.write_text(f"sdy.mesh @mesh = {mesh}\n{text}")
    options = [f"--expect={folder}/expected"] if None not in results else []
    for engine in ("both", "whole"):
        process = _runner.run([arguments.run, path, f"--in={folder}/in", f"--engine={engine}", *options])
        wanted = "equal:        yes" if options or engine == "both" else "equal:        not compared"
        if process.returncode or wanted not in process.stdout:
            return f"{path}: {_runner.reason(process)}"
    return None


def main():
    arguments = _runner.parser(__doc__, run="spmd-run").parse_args()
    cases = [(make, mesh, n) for make in CASES for mesh in MESHES for n in SIZES]
    wrong = _runner.check_all(arguments, check, cases)
    print(f"{len(cases) - wrong} of {len(cases)} programs compute what they should")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
