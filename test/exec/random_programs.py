#!/usr/bin/env python3
"""Runs random programs on random meshes with random shardings: partitioned must equal whole.

    random_programs.py --run spmd-run --work DIR [--first SEED] [--count N] [--jobs N] [--levels N]

Each seed is one program: a few arguments, a dozen ops of all families on small uneven shapes, sharding
constraints between them. A program that `spmd-run` does not call equal stays in DIR and is named. Most
tensors are integers, compared exactly. Where numpy can be imported, it says what the program computes.
"""

import random
import shutil
import sys

import _runner
from _element_ops import ElementOps
from _values import Meshes, Unfit, Value

try:
    import numpy as np

    import _numpy
except ImportError:
    np = None


class Program(ElementOps):
    """A function whose ops are drawn by weight."""

    WEIGHTS = {"unary": 2, "binary": 5, "select": 2, "clamp": 1, "convert": 1, "transpose": 3, "reshape": 5, "broadcast": 3,
               "reverse": 1, "slice": 2, "concatenate": 2, "pad": 2, "dynamic_slice": 2,
               "dynamic_update_slice": 2, "reduce": 5, "dot": 5, "convolution": 2, "gather": 2, "scatter": 2,
               "argmax": 1, "barrier": 1, "constraint": 6, "call": 2, "bits": 1, "shift": 1, "divide": 1,
               "function": 1, "bitcast": 1, "map": 1, "reduce_window": 3, "select_and_scatter": 1, "sort": 3,
               "loop": 2, "branch": 1, "fft": 1, "triangular_solve": 1, "cholesky": 1, "narrow": 2,
               "quantized": 2, "complex": 1, "sum_and_max": 2, "scatter_two": 1, "batch_norm": 1, "random_bits": 1}

    def grow(self, count):
        for name in self.rng.choices(list(self.WEIGHTS), list(self.WEIGHTS.values()), k=count):
            try:
                getattr(self, "op_" + name)()
            except Unfit:
                pass

    def attribute(self, value):
        """Returns ` {sdy.sharding = ..}` for an argument or result, or nothing."""
        if self.rng.random() < 0.3:
            return ""
        sharding = self.meshes.sharding(len(value.shape), value.element == "i32")
        return f" {{sdy.sharding = #sdy.sharding{sharding}}}"

    def function(self, name, visibility, arguments, results, result_types):
        body = "".join(f"  {line}\n" for line in self.lines)
        return (f"func.func {visibility} @{name}({', '.join(arguments)}) -> ({', '.join(result_types)}) {{\n{body}"
                f"  return {', '.join(value.name for value in results)} : "
                f"{', '.join(value.type for value in results)}\n}}\n")


def make_program(seed, length, levels=0):
    """Returns the text, and the values that are its arguments and its results. `levels` is that of Meshes."""
    rng = random.Random(seed)
    meshes = Meshes(rng, levels)
    text, inputs, results = make_function(rng, meshes, "main", length)
    return "\n".join(meshes.text()) + "\n" + text, inputs, results


def make_function(rng, meshes, name, length):
    """Returns as `make_program` does, without the meshes: a public function and what it calls."""
    main = Program(rng, meshes)
    for i in range(rng.randint(1, 3)):
        main.values.append(Value(f"%arg{i}", main.shape(), rng.choice(["i32", "i32", "i32", "f32", "f32", "f64", "i1", "ui8"])))
    inputs = list(main.values)
    arguments = [f"{value.name}: {value.type}{main.attribute(value)}" for value in inputs]
    main.grow(length)
    results = [main.values[-1]] + [value for value in main.values[:-1] if rng.random() < 0.2]
    types = [f"{value.type}{main.attribute(value)}" for value in results]
    text = main.function(name, "public", arguments, results, types)
    return text + "".join(helper[3] for helper in main.helpers), inputs, results


def write_arrays(folder, seed, inputs, results):
    """Writes arguments, and the results that numpy makes of them. Returns the options that compare with them."""
    rng = np.random.default_rng(seed)
    arrays = {}
    for value in inputs:
        low, high = {"i1": (0, 2), "ui8": (0, 8)}.get(value.element, (-8, 9))
        array = rng.integers(low, high, value.shape)
        arrays[value.name] = (array / 4 if value.element in ("f32", "f64") else array).astype(_numpy.DTYPES[value.element])
    expected = _numpy.compute(results, arrays)
    for name, contents in (("in", arrays.values()), ("out", expected)):
        (folder / name).mkdir(parents=True)
        for i, array in enumerate(contents):
            np.save(folder / name / f"{i}.npy", np.ascontiguousarray(array).reshape(array.shape))
    return [f"--in={folder}/in", f"--expect={folder}/out", *tolerances(results, expected)]


def tolerances(results, expected):
    """Returns options: what sums in another order may change, of numbers that were around 1 or larger."""
    steps = {"f32": 1e-5, "f64": 1e-11}
    parts = [steps.get(value.element, 0) for value in results]
    sizes = [np.abs(array[np.isfinite(array)]).max(initial=1) if part else 1 for part, array in zip(parts, expected)]
    return ["--rtol=" + ",".join(f"{10 * part:g}" for part in parts),
            "--atol=" + ",".join(f"{part * size:g}" for part, size in zip(parts, sizes))]


def check(arguments, seed):
    """Returns what is wrong with the program of `seed`, or nothing."""
    path, folder = arguments.work / f"{seed}.mlir", arguments.work / f"{seed}"
    text, inputs, results = make_program(seed, arguments.length, arguments.levels)
    path.write_text(text)
    command = [arguments.run, path, f"--seed={seed}"]
    shutil.rmtree(folder, ignore_errors=True)
    if np:
        command += write_arrays(folder, seed, inputs, results)
    process = _runner.run(command)
    if process.returncode or "equal:        yes" not in process.stdout:
        return f"{path}: {_runner.reason(process)}"
    path.unlink()
    shutil.rmtree(folder, ignore_errors=True)
    return None


def main():
    parser = _runner.parser(__doc__, run="spmd-run")
    _runner.add_seeds(parser, length=12)
    parser.add_argument("--levels", type=int, default=0, help="give most sharded dims one of so many user priorities")
    arguments = parser.parse_args()
    if not np:
        print("numpy is not installed: what programs compute is not compared with it")
    return _runner.check_seeds(arguments, check, "programs equal")


if __name__ == "__main__":
    sys.exit(main())
