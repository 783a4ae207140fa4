#!/usr/bin/env python3
"""Runs the partitioned text of random programs in XLA's CPU client: its numbers must be those of spmd-run.

    random_in_xla.py --opt spmd-opt --run spmd-run --work DIR [--first SEED] [--count N] [--kinds N] [--pipeline OPTIONS]

Needs JAX. The programs are those of test/exec/random_programs.py without what XLA has none of, cut and run as
check_xla.py does. A text that XLA does not take, or of which it computes something else, is wrong, unless it does so to
the whole program, too: it takes a reduction of one element for a reshape, say, whatever it starts from. What XLA has for
other devices than CPUs alone is left out, and counted. A program that is wrong stays in DIR and is named.
"""

import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "exec"))
# pylint: disable=wrong-import-position
import _elements
import _numpy
import _runner
import random_programs
from _annotations import erase
from _values import AllMeshes
from check_xla import LeftOut, Ours, cpu_backend, np

# What XLA on CPUs does not take, the whole program or one of its devices.
NOT_ON_CPUS = re.compile(r"UNIMPLEMENTED|Asynchronous computation|failed to legalize operation|fft_thunk|custom element sizes"
                         # XLA makes meshes of one shape one before it reads groups, which name axes of the other.
                         r"|Unknown axis")
ELEMENTS_OF_2_BITS = "i2", "ui2"  # Exchanged, XLA on CPUs packs them otherwise.
LOST = {"quantized", "unary_einsum",  # JAX knows no quantized types, XLA's translator no einsum of one operand.
        "uniform",  # Draws numbers by a method of its own.
        "reduce_window",  # What padding holds there differs between XLA's evaluator and its compiled code.
        "scatter_two"}  # Of one value twice: updated in place, XLA's loop reads the second as the first.


class ForXla(random_programs.Program):
    WEIGHTS = {name: weight for name, weight in random_programs.Program.WEIGHTS.items() if name not in LOST}

    def attribute(self, value, others=""):
        """Leaves nothing partial, which JAX reads as sums alone."""
        return re.sub(r", unreduced=\w*\{[^}]*\}", "", super().attribute(value, others))


def of_one_device(text):
    """Returns a program without annotations, all of whose axes have one device."""
    def shrink(mesh):
        return re.sub(r", device_ids=\[[^]]*\]", "", re.sub(r'"=\d+', '"=1', mesh.group()))

    return re.sub(r"sdy\.mesh .*", shrink, erase(text))


class Case:
    def __init__(self, arguments, seed):
        self.arguments, self.seed = arguments, seed
        self.path = arguments.work / f"{seed}.mlir"
        kinds = random_programs.of_kinds(seed, arguments.kinds, ForXla)
        self.made = random_programs.make_program(seed, arguments.length, program=kinds, kind=AllMeshes)
        rng = np.random.default_rng(seed)
        self.inputs = [_elements.arguments(rng, value.element, value.shape) for value in self.made.inputs]

    def partitioned(self, name, text):
        path, part = self.arguments.work / f"{self.seed}{name}.mlir", self.arguments.work / f"{self.seed}{name}.part.mlir"
        path.write_text(text)
        process = _runner.run([self.arguments.opt, path, f"--spmd-pipeline={self.arguments.pipeline}", "-o", part])
        if process.returncode:
            raise ValueError(f"{path}: {_runner.reason(process)}")
        return part.read_text()

    def in_xla(self, text):
        return Ours(text, False).run(self.arguments.backend, lambda i, dtype: self.inputs[i].astype(dtype))

    def expected(self):
        """Returns the results of spmd-run."""
        folder = self.arguments.work / str(self.seed)
        (folder / "in").mkdir(parents=True, exist_ok=True)
        for i, (value, array) in enumerate(zip(self.made.inputs, self.inputs)):
            stored = _numpy.stored(array.astype(_numpy.DTYPES[value.element]), value.element)
            random_programs.save(folder / "in" / f"{i}.npy", stored)
        process = _runner.run([self.arguments.run, self.path, "--engine=partitioned", f"--in={folder}/in", f"--out={folder}/out"])
        if process.returncode:
            raise ValueError(_runner.reason(process))
        return [np.load(folder / "out" / f"{i}.npy") for i in range(len(self.made.results))]

    def check(self):
        """Returns what is wrong, or nothing."""
        text = self.partitioned("", self.made.text)
        expected = self.expected()
        try:
            found = self.in_xla(text)
        except Exception as error:  # XLA has many.
            return self.refused(" ".join(str(error).split()))
        wrong = [i for i, pair in enumerate(zip(found, expected)) if not is_near(*pair)]
        return f"differs in result {wrong[0]}" if wrong and not self.is_theirs(found) else None

    def refused(self, why):
        if NOT_ON_CPUS.search(why):
            raise LeftOut(why)
        return why[:300]

    def is_theirs(self, found):
        """Returns whether XLA computes the same of the whole program, or cannot."""
        try:
            whole = self.in_xla(self.partitioned(".whole", of_one_device(self.made.plain)))
        except LeftOut:
            return False
        return all(map(is_near, found, whole))


def is_near(found, expected):
    if expected.dtype != found.dtype:  # What numpy has no type for is stored as bits, or wider.
        expected = expected.view(found.dtype) if expected.dtype.itemsize == found.dtype.itemsize else expected.astype(found.dtype)
    if found.dtype.kind in "biu" or found.dtype.name in ("int4", "uint4"):
        return np.array_equal(found, expected)
    wide = np.complex128 if found.dtype.kind == "c" else np.float64
    part = 1e-4 if found.dtype.itemsize > 2 else 1e-2
    expected = expected.astype(wide)
    largest = np.abs(expected[np.isfinite(expected)]).max(initial=1)
    return np.allclose(found.astype(wide), expected, rtol=part, atol=part * largest, equal_nan=True)


def check(arguments, seed):
    case = Case(arguments, seed)
    try:
        wrong = case.check()
    except LeftOut:
        arguments.left_out.append(seed)
        wrong = None
    except ValueError as error:
        wrong = str(error)
    if wrong:
        return f"{case.path}: {wrong}"
    for path in arguments.work.glob(f"{seed}.*"):
        path.unlink()
    return None


def main():
    parser = _runner.parser(__doc__, run="spmd-run", opt="spmd-opt")
    _runner.add_seeds(parser, length=8)
    random_programs.add_kinds(parser)
    parser.add_argument("--pipeline", default="", help="options of the pipeline")
    arguments = parser.parse_args()
    for element in ELEMENTS_OF_2_BITS:
        _elements.ARGUMENTS.remove(element)
        _elements.SMALL.remove(element)
    arguments.backend, arguments.left_out, arguments.jobs = cpu_backend(), [], 1
    code = _runner.check_seeds(arguments, check, "programs equal")
    print(f"{len(arguments.left_out)} of them left out: XLA does not have them on CPUs")
    return code


if __name__ == "__main__":
    sys.exit(main())
