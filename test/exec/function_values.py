#!/usr/bin/env python3
"""Runs every function of `chlo` on arguments with known values, whole and split unevenly over three devices.

Each line of function_values_real.tsv holds a function, its arguments and its value: `zeta 2.0,0.5 4.93...`; of
function_values_complex.tsv a complex argument and the two parts of the value. The values were worked out with 60 digits, so that they round to every type.
"""

import argparse
import math
import pathlib
import struct
import subprocess
import sys

# How many units in the last place a result may be off, where it is not 2: cancelled digits beside a zero of the
# function, an exponent whose error grows with the result.
ULPS = {"digamma": 64, "lgamma": 16, "zeta": 16, "polygamma": 64, "cosh": 8, "sinh": 8, "erfc": 6, "bessel_i1e": 6,
        "tan": 4, "erf_inv": 4}
DEFAULT_ULPS = 3
TYPES = {"f16": 2**-10, "bf16": 2**-7, "f32": 2**-23, "f64": 2**-52}
LARGEST = {"f16": 65504.0, "bf16": 3.3895e38, "f32": 3.4028234e38, "f64": math.inf}
SMALLEST = {"f16": 2**-14, "bf16": 2**-126, "f32": 2**-126, "f64": 2**-1022}


def bounded(value, element):
    return math.copysign(math.inf, value) if abs(value) > LARGEST[element] else value


def to_bits(value, element):
    """Returns the bytes of `value`, rounded to `element`."""
    if element == "f64":
        return struct.pack("<d", value)
    if element == "f16":
        return struct.pack("<e", bounded(value, element))
    single = struct.pack("<f", bounded(value, "f32"))
    if element == "f32" or math.isnan(value):
        return single if element == "f32" else single[2:]
    bits = struct.unpack("<I", single)[0]
    return struct.pack("<H", bits + 0x7FFF + (bits >> 16 & 1) >> 16)


def from_bits(data, element):
    if element == "bf16":
        return struct.unpack("<f", b"\0\0" + data)[0]
    return struct.unpack({"f16": "<e", "f32": "<f", "f64": "<d"}[element], data)[0]


def is_exact(value, element):
    return math.isnan(value) or from_bits(to_bits(value, element), element) == value


def is_in_range(value, element):
    return value == 0 or not math.isfinite(value) or SMALLEST[element] <= abs(value) <= LARGEST[element]


def write_npy(path, values, element):
    write_raw(path, [to_bits(v, element) for v in values], element)


def write_raw(path, values, element):
    """Writes values that are bytes already."""
    letter = "u" if element[0] in "ub" else element[0]
    code = f"<{letter}{len(values[0])}"
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + b"".join(values))


def read_table(kind):
    """Returns function -> [(arguments, values)]; a complex number is two of them."""
    table = {}
    path = pathlib.Path(__file__).parent / f"function_values_{kind}.tsv"
    for line in path.read_text().splitlines():
        name, arguments, *values = line.split("\t")
        if kind == "complex":
            z = complex(arguments.replace("+-", "-").replace("i", "j"))
            numbers = [z.real, z.imag]
        else:
            numbers = [float(a) for a in arguments.split(",")]
        table.setdefault(name, []).append((numbers, [float(v) for v in values]))
    return table


def real_op(name, operands, tensor):
    types = ", ".join([tensor] * len(operands))
    return [f"%r_{name} = chlo.{name} {', '.join(operands)} : {types} -> {tensor}"], [f"%r_{name}"]


def complex_op(name, operands, tensor):
    wide = tensor.replace("xf", "xcomplex<f").replace(">", ">>")
    return [
        f"%z_{name} = stablehlo.complex {', '.join(operands)} : {wide}",
        f"%w_{name} = chlo.{name} %z_{name} : {wide} -> {wide}",
        f"%re_{name} = stablehlo.real %w_{name} : ({wide}) -> {tensor}",
        f"%im_{name} = stablehlo.imag %w_{name} : ({wide}) -> {tensor}",
    ], [f"%re_{name}", f"%im_{name}"]


def run(args, table, element, make_op, work):
    """Runs one program with all functions of `table`; each has arguments and results of its own."""
    for folder in ("in", "expect"):
        (work / folder).mkdir(parents=True, exist_ok=True)
    arguments, results, types, lines, tolerances = [], [], [], [], []
    for name, rows in table.items():
        rows = [(a, v) for a, v in rows
                if all(is_exact(x, element) for x in a) and all(is_in_range(x, element) for x in v)]
        tensor = f"tensor<{len(rows)}x{element}>"
        operands = []
        for column in zip(*(a for a, _ in rows)):
            write_npy(work / "in" / f"{len(arguments)}.npy", column, element)
            operands.append(f"%x{len(arguments)}")
            arguments.append(f'{operands[-1]}: {tensor} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}]>}}')
        body, made = make_op(name, operands, tensor)
        lines += body
        for column in zip(*(v for _, v in rows)):
            write_npy(work / "expect" / f"{len(types)}.npy", column, element)
            types.append(tensor)
            tolerances.append(ULPS.get(name, DEFAULT_ULPS) * TYPES[element] if element in ("f32", "f64")
                              else 1.5 * TYPES[element])
        results += made
    program = work / "program.mlir"
    program.write_text(
        'sdy.mesh @mesh = <["x"=3]>\n'
        f"func.func @main({', '.join(arguments)}) -> ({', '.join(types)}) {{\n  " + "\n  ".join(lines)
        + f"\n  return {', '.join(results)} : {', '.join(types)}\n}}\n")
    command = [args.run, program, "--in", work / "in", "--expect", work / "expect", "--atol", "0",
               "--rtol", ",".join(f"{t:.4g}" for t in tolerances)]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode == 0:
        return True
    print(f"{program}: {element}\n{done.stdout}{done.stderr}")
    print("results:", ", ".join(f"{i}: {r}" for i, r in enumerate(results)))
    return False


def mulhi_rows(element):
    """Returns operands and upper halves of their products, as bytes."""
    width, is_signed = int(element.lstrip("ui")), element[0] == "i"
    least, most = (-(1 << width - 1), (1 << width - 1) - 1) if is_signed else (0, (1 << width) - 1)
    numbers = [least, least + 1, most, most - 1, most // 3, most // 2 + 1, 0, 1, 2, 7] + ([-1, -2, -7] if is_signed else [])
    rows = [(a, b, a * b >> width) for a in numbers for b in numbers]
    return [[v.to_bytes(width // 8, "little", signed=is_signed) for v in column] for column in zip(*rows)]


def next_after_rows(element):
    """Returns operands and neighbours, as bytes. Floats are ordered like their bits, sign apart."""
    width = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}[element]
    infinity = int.from_bytes(to_bits(math.inf, element), "little")
    sign = 1 << width - 1
    magnitudes = [0, 1, 2, infinity // 2, infinity - 1, infinity, infinity + 1]
    numbers = magnitudes + [m | sign for m in magnitudes]
    order = lambda bits: -(bits ^ sign) if bits & sign else bits

    def neighbour(a, b):
        if a & ~sign > infinity or b & ~sign > infinity:
            return infinity + 1
        if order(a) == order(b):
            return b
        step = order(a) + (1 if order(a) < order(b) else -1)
        return step if step >= 0 else -step | sign

    rows = [(a, b, neighbour(a, b)) for a in numbers for b in numbers]
    return [[v.to_bytes(width // 8, "little") for v in column] for column in zip(*rows)]


def run_bits(args, op, element, columns, work):
    """Runs `op`, whose result must be right to the last bit."""
    for folder in ("in", "expect"):
        (work / folder).mkdir(parents=True, exist_ok=True)
    for path, column in zip(("in/0.npy", "in/1.npy", "expect/0.npy"), columns):
        write_raw(work / path, column, element)
    tensor = f"tensor<{len(columns[0])}x{element}>"
    program = work / "program.mlir"
    program.write_text(
        'sdy.mesh @mesh = <["x"=3]>\n'
        f'func.func @main(%a: {tensor} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}]>}}, %b: {tensor}) -> {tensor} {{\n'
        f"  %0 = chlo.{op} %a, %b : {tensor}, {tensor} -> {tensor}\n  return %0 : {tensor}\n}}\n")
    command = [args.run, program, "--in", work / "in", "--expect", work / "expect", "--atol", "0", "--rtol", "0"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{program}: {element}\n{done.stdout}{done.stderr}")
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True, help="the spmd-run to run")
    parser.add_argument("--work", required=True, type=pathlib.Path, help="folder for programs and arrays")
    args = parser.parse_args()
    real, complexes = read_table("real"), read_table("complex")
    runs = [(real, element, real_op) for element in TYPES] + [(complexes, e, complex_op) for e in ("f32", "f64")]
    ok = [run(args, table, element, op, args.work / f"{op.__name__}_{element}") for table, element, op in runs]
    ok += [run_bits(args, "mulhi", e, mulhi_rows(e), args.work / f"mulhi_{e}")
           for e in ("i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64")]
    ok += [run_bits(args, "next_after", e, next_after_rows(e), args.work / f"next_after_{e}") for e in TYPES]
    sys.exit(0 if all(ok) else 1)


main()
