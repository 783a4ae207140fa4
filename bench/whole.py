#!/usr/bin/env python3
"""Times the whole, unpartitioned run of programs in spmd-run against XLA on one CPU core.

usage: bench/whole.py [--run SPMD_RUN] [--repeat N] [--rounds N] [--core N] FOLDER|FILE...

A FOLDER holds `program.mlir` and `in/`, the arguments as .npy; of a folder of such folders each is
taken. A FILE is a program that runs on random arguments, as those of bench/large/. Both sides are bound to one core and take turns, and of each the shortest time counts, so
that the ratio holds on a busy machine. Compiling is not counted. Needs JAX; a program that XLA
does not take as it is (manual regions, collectives, unknown custom calls) is left out, and named.
Exit code: 0 if every program takes at most twice as long as XLA's, or less than 1 ms more.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import jax
import numpy as np
from jax._src import compiler, xla_bridge
from jax._src.interpreters import mlir as jax_mlir
from jax._src.lib import xla_client
from jax._src.lib.mlir import ir


def without_shardings(text):
    """Returns the module of `text` with nothing in it that is about devices."""
    module = ir.Module.parse(text)
    doomed = []

    def visit(op):
        for name in [a if isinstance(a, str) else a.name for a in op.attributes]:
            if "shard" in name or name in ("mhlo.num_partitions", "mhlo.num_replicas"):
                del op.attributes[name]
        for lists in ("arg_attrs", "res_attrs"):
            if lists in op.attributes:
                kept = [{a.name: a.attr for a in d if "shard" not in a.name} for d in op.attributes[lists]]
                op.attributes[lists] = ir.ArrayAttr.get([ir.DictAttr.get(d) for d in kept])
        if op.name == "sdy.sharding_constraint":
            op.results[0].replace_all_uses_with(op.operands[0])
            doomed.append(op)
        elif op.name in ("sdy.mesh", "sdy.sharding_group"):
            doomed.append(op)
        elif op.name == "sdy.manual_computation":
            raise ValueError("is written for its mesh")
        return ir.WalkResult.ADVANCE

    module.operation.walk(lambda op: visit(op.operation))
    for op in doomed:
        op.erase()
    return module


class Xla:
    """A program compiled by XLA, and its arguments."""

    def __init__(self, program, inputs):
        self.backend = xla_bridge.get_backend("cpu")
        device = self.backend.devices()[0]
        jax.numpy.linalg.eigh(np.eye(2, dtype=np.float32))  # Binds XLA's calls of LAPACK.
        options = compiler.get_compile_options(1, 1, backend=self.backend)
        with jax_mlir.make_ir_context():
            module = without_shardings(program.read_text())
            main = next(op for op in module.body.operations if op.attributes["sym_name"].value == "main")
            types = [ir.RankedTensorType(t) for t in ir.FunctionType(main.attributes["function_type"].value).inputs]
            dtypes = [dtype_of(str(t.element_type)) for t in types]
            self.executable = compiler.backend_compile_and_load(
                self.backend, module, xla_client.DeviceList((device,)), options, [])
        if inputs:
            files = sorted(inputs.glob("*.npy"), key=lambda p: int(p.stem))
            arrays = [np.load(file) for file in files]
            arrays = [a if a.dtype == d else a.view(d) for a, d in zip(arrays, dtypes, strict=True)]
        else:
            rng = np.random.default_rng(1)
            arrays = [rng.standard_normal(t.shape).astype(d) for t, d in zip(types, dtypes)]
        self.arguments = [jax.device_put(array, device) for array in arrays]

    def milliseconds(self, repeats):
        best = float("inf")
        for _ in range(repeats):
            arguments = [a.copy() for a in self.arguments]  # Some are donated.
            for argument in arguments:
                argument.block_until_ready()
            start = time.perf_counter()
            results = self.executable.execute_sharded(arguments)
            for arrays in results.disassemble_into_single_device_arrays():
                arrays[0].block_until_ready()
            best = min(best, time.perf_counter() - start)
        return 1e3 * best


def dtype_of(name):
    """Returns numpy's type for the element type `name`."""
    import ml_dtypes

    plain = {"i1": np.bool_, "f16": np.float16, "f32": np.float32, "f64": np.float64,
             "bf16": ml_dtypes.bfloat16, "complex<f32>": np.complex64, "complex<f64>": np.complex128}
    if name in plain:
        return np.dtype(plain[name])
    if name[0] == "f":
        return np.dtype(getattr(ml_dtypes, "float" + name[1:].lower()))
    prefix, bits = ("uint", name[2:]) if name.startswith("ui") else ("int", name[1:])
    return np.dtype(getattr(np, prefix + bits, None) or getattr(ml_dtypes, prefix + bits))


def ours(spmd_run, program, inputs, repeats):
    command = [spmd_run, "--engine=whole", f"--repeat={repeats}", "--json=-", program]
    command += ["--in", inputs] if inputs else []
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout)["time_ms"]["run_whole"]


def compare(program, inputs, arguments):
    """Returns the milliseconds of ours and of XLA's."""
    xla = Xla(program, inputs)
    mine = theirs = float("inf")
    for _ in range(arguments.rounds):
        mine = min(mine, ours(arguments.run, program, inputs, arguments.repeat))
        theirs = min(theirs, xla.milliseconds(arguments.repeat))
    return mine, theirs


def programs_of(path):
    """Yields the programs under `path`: name, text and the folder of its arguments, or None."""
    if path.is_file():
        yield path.stem, path, None
    for program in sorted(path.rglob("program.mlir")):
        folder = program.parent
        if (folder / "in").is_dir():
            yield str(folder.relative_to(path)) if folder != path else folder.name, program, folder / "in"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="+", type=Path)
    parser.add_argument("--run", default="build/bin/spmd-run")
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--core", type=int, default=0)
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {arguments.core})
    slow = []
    print(f"{'program':28}{'ours ms':>10}{'xla ms':>10}{'ratio':>8}")
    for path in arguments.programs:
        for name, program, inputs in programs_of(path):
            try:
                mine, theirs = compare(program, inputs, arguments)
            except Exception as error:
                print(f"{name:28}left out: {str(error).strip().splitlines()[0][:100]}", flush=True)
                continue
            is_slow = mine > 2 * theirs and mine > theirs + 1
            slow += [name] * is_slow
            print(f"{name:28}{mine:10.3f}{theirs:10.3f}{mine / theirs:8.2f}{'  slow' * is_slow}", flush=True)
    sys.exit(1 if slow else 0)


if __name__ == "__main__":
    main()
