#!/usr/bin/env python3
"""Runs random programs on random meshes with random shardings: partitioned must equal whole.

    random_programs.py --run spmd-run --work DIR [--first SEED] [--count N] [--jobs N] [--levels N] [--kinds N [--every N]] [--reduce spmd-reduce]

Each seed is one program: a few arguments, a dozen ops of all families on small uneven shapes, sharding
constraints between them, loops, branches, calls, computations on local shapes. A program that `spmd-run` does not
call equal stays in DIR and is named, with its seed; with --reduce a small one beside it. Most tensors are integers, compared exactly. Where numpy can be imported, it says
what the program computes.
"""

import functools
import io
import os
import random
import re
import shutil
import sys

import _elements
import _gspmd
import _runner
from _number_ops import NumberOps
from _region_ops import pair
from _values import AllMeshes, Meshes, Unfit, Value

try:
    import numpy as np

    import _numpy
except ImportError:
    np = None


class Program(NumberOps):
    """A function whose ops are drawn by weight."""

    WEIGHTS = {"unary": 2, "binary": 5, "select": 2, "clamp": 1, "convert": 1, "transpose": 3, "reshape": 5, "broadcast": 3,
               "reverse": 1, "slice": 2, "concatenate": 2, "pad": 2, "dynamic_slice": 2,
               "dynamic_update_slice": 2, "reduce": 5, "dot": 5, "convolution": 2, "gather": 2, "scatter": 2,
               "argmax": 1, "barrier": 1, "constraint": 6, "call": 2, "bits": 1, "shift": 1, "divide": 1,
               "function": 1, "bitcast": 1, "map": 1, "reduce_window": 3, "select_and_scatter": 1, "sort": 3,
               "loop": 2, "branch": 1, "fft": 1, "triangular_solve": 1, "cholesky": 1, "narrow": 2,
               "quantized": 2, "complex": 1, "sum_and_max": 2, "scatter_two": 1, "batch_norm": 1, "random_bits": 1,
               "stablehlo_function": 1, "chlo_function": 1, "two_numbers": 1, "bessel": 1, "rounded": 1, "mulhi": 1,
               "chlo_constant": 1, "broadcasting": 1, "broadcast_select": 1, "conjugate": 1, "old_broadcast": 1,
               "old_dot": 1, "unary_einsum": 1, "index_select": 1, "top_k": 1, "ragged_dot": 1, "scan": 1, "uniform": 1,
               "case": 2, "while": 2, "composite": 1, "tuple": 1, "size": 1, "marker": 2, "movement": 2, "manual": 6,
               "transform": 2, "grouped_convolution": 2, "solve": 1, "factor": 1, "padded_scatter": 1, "stencil": 2,
               "dynamic": 2, "started": 1, "token": 1, "function_of_several": 3, "choice_of_several": 2, "steps": 3, "by_hand": 4,
               "windows_by_index": 3, "small": 3, "mixed_dot": 2, "update_by_index": 3, "sort_by_two": 1}

    def grow(self, count):
        for name in self.rng.choices(list(self.WEIGHTS), list(self.WEIGHTS.values()), k=count):
            try:
                getattr(self, "op_" + name)()
            except Unfit:
                pass

    def attribute(self, value, others=""):
        """Returns ` {sdy.sharding = ..}` for an argument or result, with its other attributes, or nothing."""
        attributes = [others] if others else []
        if self.rng.random() < 0.7:
            sharding = self.meshes.sharding(len(value.shape), value.element)
            attributes.append(f"sdy.sharding = #sdy.sharding{sharding}")
        return f" {{{', '.join(attributes)}}}" if attributes else ""

    def donations(self, inputs, results):
        """Returns for each argument what says that a result may take its place, or nothing."""
        free, texts = set(range(len(results))), []
        for value in inputs:
            fitting = [i for i in free if results[i].type == value.type]
            texts.append("")
            if fitting and self.rng.random() < 0.3:
                free.discard(taken := self.rng.choice(fitting))
                texts[-1] = f"tf.aliasing_output = {taken} : i32"
            elif self.rng.random() < 0.05:
                texts[-1] = "jax.buffer_donor = true"
        return texts

    def function(self, name, visibility, arguments, results, result_types, which=0):
        body = "".join(f"  {line}\n" for line in pair(self.lines, which))
        return (f"func.func {visibility} @{name}({', '.join(arguments)}) -> ({', '.join(result_types)}) {{\n{body}"
                f"  return {', '.join(value.name for value in results)} : "
                f"{', '.join(value.type for value in results)}\n}}\n")


def of_kinds(seed, count, program=Program):
    """Returns programs whose ops are drawn from so many kinds alone, or from all if 0: they meet each other, and themselves,
    more often."""
    if not count:
        return program
    weights = program.WEIGHTS
    kept = random.Random(seed).sample(list(weights), count)

    class OfKinds(program):
        WEIGHTS = {name: weights[name] for name in kept}
        depth = 0  # Of regions and functions, which of few kinds would not end.

        def grow(self, count):
            OfKinds.depth += 1
            super().grow(count if OfKinds.depth < 3 else 0)
            OfKinds.depth -= 1

    return OfKinds


def add_kinds(parser):
    parser.add_argument("--kinds", type=int, default=0, help="draw the ops of a program from so many kinds, its own; 0 for all")


class Made:
    """A program: its text, `plain` without computations on local shapes (the same text if it has none), the values that
    are its arguments and its results."""

    def __init__(self, text, plain, inputs, results):
        self.text, self.plain, self.inputs, self.results = text, plain, inputs, results


def make_program(seed, length, levels=0, program=Program, kind=Meshes):
    """Returns what is Made of a seed on meshes of a kind. `levels` is that of Meshes."""
    rng = random.Random(seed)
    meshes = kind(rng, levels)
    texts, inputs, results = make_function(rng, meshes, "main", length, program)
    return Made(*("\n".join(meshes.text()) + "\n" + text for text in texts), inputs, results)


def make_function(rng, meshes, name, length, program=Program):
    """Returns a public function and what it calls, without the meshes: its text and its plain text, its arguments and
    its results."""
    main = program(rng, meshes)
    for i in range(rng.randint(1, 3)):
        main.values.append(Value(f"%arg{i}", main.shape(), rng.choice(_elements.ARGUMENTS)))
    inputs = list(main.values)
    main.grow(length)
    # A narrow float would be a result as bits.
    shown = [value for value in main.values if value.element not in _elements.NARROW]
    results = [shown[-1]] + [value for value in shown[:-1] if rng.random() < 0.2]
    arguments = [f"{value.name}: {value.type}{main.attribute(value, donated)}"
                 for value, donated in zip(inputs, main.donations(inputs, results))]
    types = [f"{value.type}{main.attribute(value)}" for value in results]
    texts = [main.function(name, "public", arguments, results, types, which)
             + "".join(helper[3][which] for helper in main.helpers) for which in (0, 1)]
    return texts, inputs, results


def write_arrays(folder, seed, inputs, results):
    """Writes arguments, and the results that numpy makes of them. Returns the options that compare with them; none if
    numpy has no function for one of the ops."""
    rng = np.random.default_rng(seed)
    arrays = {}
    for value in inputs:
        arrays[value.name] = _elements.arguments(rng, value.element, value.shape).astype(_numpy.DTYPES[value.element])
    try:
        expected = _numpy.compute(results, arrays)
    except _numpy.Opaque:
        return []
    for name, contents, values in (("in", arrays.values(), inputs), ("out", expected, results)):
        os.makedirs(f"{folder}/{name}")
        for i, (array, value) in enumerate(zip(contents, values)):
            save(f"{folder}/{name}/{i}.npy", _numpy.stored(array, value.element))
    return [f"--in={folder}/in", f"--expect={folder}/out", *tolerances(results, expected)]


def save(path, array):
    """Writes what np.save would, several times as fast: small arrays are all header."""
    with open(path, "wb") as file:
        file.write(header_of(array.dtype, array.shape) + array.tobytes())


@functools.lru_cache(maxsize=10000)
def header_of(dtype, shape):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False,
                                                "shape": shape})
    return file.getvalue()


def tolerances(results, expected):
    """Returns options: what sums in another order may change, of numbers that were around 1 or larger."""
    sizes = [np.abs(array[np.isfinite(array)]).max(initial=1) if part else 1 for part, array in
             zip(roundings(results), expected)]
    return options_of(results, sizes)


def near(results):
    """Returns options for a second look: what sums of numbers around 1 leave where they cancel is not told from nothing
    by comparing it with the largest number of its own result."""
    return options_of(results, [1] * len(results))


def roundings(results):
    return [{"f32": 1e-5, "f64": 1e-11, "complex<f32>": 1e-5}.get(value.element, 0) for value in results]


def options_of(results, sizes):
    parts = roundings(results)
    absolute = [part * size for part, size in zip(parts, sizes)]
    return ["--rtol=" + ",".join(f"{10 * part:g}" for part in parts), "--atol=" + ",".join(f"{part:g}" for part in absolute)]


def run_and_compare(command, results):
    """Runs a command that compares, and where it says that results differ by its own tolerances, once more."""
    process = _runner.run(command)
    if is_equal(process) or any(str(option).startswith("--rtol") for option in command):
        return process
    return _runner.run([*command, *near(results)])


def is_equal(process):
    return process.returncode == 0 and "equal:        yes" in process.stdout


def check(arguments, seed):
    """Returns what is wrong with the program of `seed`, or nothing."""
    path, folder = arguments.work / f"{seed}.mlir", arguments.work / f"{seed}"
    program = of_kinds(seed, arguments.kinds if seed % arguments.every == 0 else 0)
    made = make_program(seed, arguments.length, arguments.levels, program, kind=AllMeshes)
    notation = random.Random(seed)
    path.write_text(notation.random() < 0.15 and _gspmd.rewritten(notation, made.text) or made.text)
    shutil.rmtree(folder, ignore_errors=True)
    options = write_arrays(folder, seed, made.inputs, made.results) if np else []
    if not options and made.plain != made.text:
        plain = arguments.work / f"{seed}.plain.mlir"
        plain.write_text(made.plain)
        process = _runner.run([arguments.run, plain, f"--seed={seed}", "--engine=whole", f"--out={folder}/out"])
        if process.returncode:
            return f"{plain}: {_runner.reason(process)}"
        plain.unlink()
        options = [f"--expect={folder}/out"]
    process = run_and_compare([arguments.run, path, f"--seed={seed}", *options, *arguments.option], made.results)
    if not is_equal(process):
        return f"{path}: {_runner.reason(process)}" + reduced(arguments, seed, path, process)
    path.unlink()
    shutil.rmtree(folder, ignore_errors=True)
    return None


def reduced(arguments, seed, path, process):
    """Makes the program small, where the partitioned run and the whole one tell what is wrong. Returns what to add to the
    complaint."""
    if not arguments.reduce:
        return ""
    small, message = path.with_suffix(".small.mlir"), _runner.message(process)
    # What the message says of any program: its longest part without names and numbers.
    kind = "differs" if message.startswith("differs") else max(
        re.split(r"'[^']*'|\"[^\"]*\"|[\d@%/]\S*", message.split("error: ", 1)[-1]), key=len)
    test = f"{arguments.run} {{}} --seed={seed} 2>&1 | grep -qF -- '{kind}'"
    done = _runner.run([arguments.reduce, path, f"--test={test}", "-o", small])
    return f"; reduced: {small}" if done.returncode == 0 else ""


def main():
    parser = _runner.parser(__doc__, run="spmd-run")
    _runner.add_seeds(parser, length=12)
    parser.add_argument("--levels", type=int, default=0, help="give most sharded dims one of so many user priorities")
    add_kinds(parser)
    parser.add_argument("--every", type=int, default=1, help="those only of seeds that this number divides")
    parser.add_argument("--option", action="append", default=[], help="an option of spmd-run for the partitioned run")
    parser.add_argument("--reduce", help="the spmd-reduce that makes small what is wrong")
    arguments = parser.parse_args()
    if not np:
        print("numpy is not installed: what programs compute is not compared with it")
    return _runner.check_seeds(arguments, check, "programs equal")


if __name__ == "__main__":
    sys.exit(main())
