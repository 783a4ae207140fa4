#!/usr/bin/env python3
"""Our programs of one device in XLA's CPU client: check_xla.py --bin DIR [--time] [--memory] [--json=FILE] FOLDER...

Needs JAX (tried with 0.10.2). A FOLDER holds `program.mlir`, `in/`, `out/` and `manifest.json`; of a folder of such
folders each is taken. Our text runs as one replica for each device, so that XLA's own partitioner has no part in it:
`partition_id` becomes `replica_id`, and channels are dropped. Inputs are cut as the text says, their padding poisoned;
results are joined and compared with the expected ones, and all copies of a piece with each other.

--time compares the time of spmd-run on all devices with that of XLA on as many, cut by its own partitioner, on the same
cores. Both take turns: of each turn the shortest time counts, of all turns the median. --memory compares what XLA takes
for our text and for the program as it cuts it: arguments, results and temporaries of one device. What XLA does not take
is left out, and named. --json writes all that was measured.
"""

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MOST_DEVICES = 16  # More are not simulated: each takes threads of its own.
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={MOST_DEVICES}"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import jax
import ml_dtypes
import numpy as np
from jax._src import compiler, xla_bridge
from jax._src.interpreters import mlir as jax_mlir
from jax._src.lib import xla_client
from jax._src.sharding_impls import GSPMDSharding
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy, stablehlo

COLLECTIVES = {"stablehlo." + name for name in ("all_gather", "all_reduce", "reduce_scatter", "all_to_all",
                                                "collective_permute", "collective_broadcast")}
NUMPY = {"i1": np.bool_, "f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16,
         "complex<f32>": np.complex64, "complex<f64>": np.complex128, "i4": ml_dtypes.int4, "ui4": ml_dtypes.uint4}
FLOATS_OF_8_BITS = {name.replace("float", "f").replace("_", "").lower(): getattr(ml_dtypes, name)
                    for name in dir(ml_dtypes) if name.startswith("float8")}


class LeftOut(Exception):
    """XLA does not take the program, or it is none of this tool's."""


def numpy_type(name):
    if name in NUMPY:
        return np.dtype(NUMPY[name])
    if name[0] == "f":
        return np.dtype(FLOATS_OF_8_BITS[name.lower()])
    return np.dtype(("uint" + name[2:]) if name.startswith("ui") else ("int" + name[1:]))


def main_of(module):
    return next(op for op in module.body.operations
                if op.operation.name == "func.func" and ir.StringAttr(op.attributes["sym_name"]).value == "main")


class Pieces:
    """Which piece of a tensor each device holds."""

    def __init__(self, shape, sharding, meshes):
        axes, ids, rows = self.read(sharding, meshes)
        self.shape = shape
        rows += [[]] * (len(shape) - len(rows))
        self.counts = [math.prod(size for _, _, size in row) for row in rows]
        self.local = [-(-n // k) for n, k in zip(shape, self.counts)]
        count = math.prod(size for _, size in axes)
        self.places = [None] * count
        for position in range(count):
            self.places[ids[position]] = tuple(self.place(position, row, axes) for row in rows)

    @staticmethod
    def read(sharding, meshes):
        """Returns the axes of the mesh, the device at each position, and for each dim (axis, parts before, size)."""
        attr = sdy.TensorShardingAttr(sharding)
        mesh = attr.mesh_or_ref
        mesh = sdy.MeshAttr(meshes[ir.FlatSymbolRefAttr(mesh).value] if isinstance(mesh, ir.FlatSymbolRefAttr) else mesh)
        axes = [(sdy.MeshAxisAttr(a).name, sdy.MeshAxisAttr(a).size) for a in mesh.axes]
        sizes = dict(axes)
        rows = []
        for dim in attr.dimension_shardings:
            row = []
            for each in sdy.DimensionShardingAttr(dim).axes:
                ref = sdy.AxisRefAttr(each)
                part = sdy.SubAxisInfoAttr(ref.sub_axis_info) if ref.sub_axis_info else None
                row.append((ref.name, part.pre_size, part.size) if part else (ref.name, 1, sizes[ref.name]))
            rows.append(row)
        return axes, list(mesh.device_ids) or list(range(math.prod(sizes.values()))), rows

    @staticmethod
    def place(position, row, axes):
        coordinates = {}
        for name, size in reversed(axes):
            position, coordinates[name] = divmod(position, size)
        sizes, place = dict(axes), 0
        for name, before, size in row:
            place = place * size + coordinates[name] // (sizes[name] // (before * size)) % size
        return place

    def cut(self, array):
        padded = np.full([n * k for n, k in zip(self.local, self.counts)], self.poison(array.dtype), array.dtype)
        padded[tuple(slice(n) for n in array.shape)] = array
        return [np.ascontiguousarray(padded[tuple(slice(i * n, (i + 1) * n) for i, n in zip(place, self.local))])
                for place in self.places]

    @staticmethod
    def poison(dtype):
        if dtype.kind in "fcV" and dtype.name[:3] not in ("int", "uin"):
            return np.array(np.nan).astype(dtype)
        return True if dtype.kind == "b" else 7 if dtype.kind == "V" else np.iinfo(dtype).max

    def join(self, parts):
        """Returns the whole; copies that differ in a bit are an error."""
        whole = np.zeros(self.shape, parts[0].dtype)
        known = {}
        for place, part in zip(self.places, parts):
            if list(part.shape) != self.local:
                raise ValueError(f"a result is {part.shape} on a device, its sharding says {self.local}")
            target = tuple(slice(i * n, min((i + 1) * n, all_)) for i, n, all_ in zip(place, self.local, self.shape))
            kept = part[tuple(slice(max(0, s.stop - s.start)) for s in target)]
            if place in known and known[place].tobytes() != kept.tobytes():
                raise ValueError(f"devices differ in piece {place} of a result")
            known[place] = kept
            if kept.size:
                whole[target] = kept
        return whole


class Ours:
    """The text that we made of a program, as XLA takes it."""

    def __init__(self, text, keeps_donation):
        self.context = jax_mlir.make_ir_context()
        with self.context:
            self.context.allow_unregistered_dialects = True
            self.module = ir.Module.parse(text)
            found = re.search(r"mhlo\.num_partitions = (\d+)", text)
            self.count = int(found.group(1)) if found else 1
            main = main_of(self.module)
            meshes = {ir.StringAttr(op.attributes["sym_name"]).value: op.attributes["mesh"]
                      for op in self.module.body.operations if op.operation.name == "sdy.mesh"}
            types = ir.FunctionType(main.attributes["function_type"].value)
            self.arguments = self.boundary(main, "arg_attrs", types.inputs, meshes)
            self.results = self.boundary(main, "res_attrs", types.results, meshes)
            self.strip(text, keeps_donation)

    @staticmethod
    def boundary(main, key, types, meshes):
        """Returns the numpy type and the pieces of each argument or result."""
        all_attrs = ir.ArrayAttr(main.attributes[key]) if key in main.attributes else [{}] * len(types)
        boundary = []
        for type_, attrs in zip(types, all_attrs):
            if not attrs or "sdy.sharding" not in attrs:
                raise LeftOut("does not say how a tensor lies")
            shape = ir.RankedTensorType(attrs["spmd.global_type"].value).shape
            dtype = numpy_type(str(ir.RankedTensorType(type_).element_type))
            boundary.append((dtype, Pieces(list(shape), attrs["sdy.sharding"], meshes)))
        return boundary

    def strip(self, text, keeps_donation):
        def visit(op):
            op = op.operation
            if op.name in COLLECTIVES:
                for name in ("channel_handle", "use_global_device_ids"):
                    if name in op.attributes:
                        del op.attributes[name]
            elif op.name == "stablehlo.partition_id":
                ids.append(op)
            elif op.name == "func.func":
                self.strip_boundary(op, keeps_donation)
            return ir.WalkResult.ADVANCE

        ids = []
        self.module.operation.walk(visit)
        for op in ids:
            with ir.InsertionPoint(op), ir.Location.unknown():
                op.results[0].replace_all_uses_with(stablehlo.ReplicaIdOp().operation.results[0])
            op.erase()
        if "#stablehlo.replica_group_mesh_axes" not in text:
            for op in [op for op in self.module.body.operations if op.operation.name == "sdy.mesh"]:
                op.operation.erase()
        for name in [n if isinstance(n, str) else n.name for n in self.module.operation.attributes]:
            if name != "sym_name":
                del self.module.operation.attributes[name]

    @staticmethod
    def strip_boundary(func, keeps_donation):
        kept = ("tf.aliasing_output", "jax.buffer_donor") if keeps_donation else ()
        for key in ("arg_attrs", "res_attrs"):
            if key in func.attributes:
                func.attributes[key] = ir.ArrayAttr.get([
                    ir.DictAttr.get({a.name: a.attr for a in attrs if a.name in kept})
                    for attrs in ir.ArrayAttr(func.attributes[key])])

    def compile(self, backend):
        if self.count > MOST_DEVICES:
            raise LeftOut(f"is for {self.count} devices")
        options = compiler.get_compile_options(self.count, 1, device_assignment=np.arange(self.count).reshape(-1, 1))
        with self.context:
            return load(backend, self.module, self.count, options)

    def run(self, backend, argument):
        """Returns the results as a whole, where `argument` returns the argument of a number and a type."""
        program = self.compile(backend)
        devices = backend.devices()[:self.count]
        mesh = Mesh(np.array(devices), ("device",))
        inputs = []
        for i, (dtype, pieces) in enumerate(self.arguments):
            parts = [jax.device_put(part, device) for part, device in zip(pieces.cut(argument(i, dtype)), devices)]
            is_scalar = parts[0].ndim == 0
            shape = () if is_scalar else (parts[0].shape[0] * self.count, *parts[0].shape[1:])
            spec = PartitionSpec() if is_scalar else PartitionSpec("device")
            inputs.append(jax.make_array_from_single_device_arrays(shape, NamedSharding(mesh, spec), parts))
        outputs = program.execute_sharded(inputs).disassemble_into_single_device_arrays()
        return [pieces.join([np.asarray(part) for part in parts])
                for (_, pieces), parts in zip(self.results, outputs, strict=True)]


def cpu_backend():
    jax.config.update("jax_enable_x64", True)
    jax.numpy.linalg.eigh(np.eye(2, dtype=np.float32))  # Binds XLA's calls of LAPACK.
    return xla_bridge.get_backend("cpu")


def load(backend, module, count, options):
    try:
        return backend.compile_and_load(module, xla_client.DeviceList(tuple(backend.devices()[:count])), options)
    except Exception as error:
        raise LeftOut("XLA: " + " ".join(str(error).split())[:160]) from error


def compile_theirs(backend, text, count):
    """The program as XLA cuts it itself."""
    options = compiler.get_compile_options(1, count, device_assignment=np.arange(count).reshape(1, -1))
    options.executable_build_options.use_spmd_partitioning = True
    options.executable_build_options.use_shardy_partitioner = True
    with jax_mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        return load(backend, ir.Module.parse(text), count, options)


class Program:
    def __init__(self, folder, arguments, backend):
        self.folder, self.arguments, self.backend = folder, arguments, backend
        self.name = folder.name
        self.source = folder / "program.mlir"
        self.manifest = json.loads((folder / "manifest.json").read_text())

    def ours(self, keeps_donation=False):
        with tempfile.TemporaryDirectory() as work:
            part = Path(work) / "part.mlir"
            done = subprocess.run([self.arguments.bin / "spmd-opt", self.source, "--spmd-pipeline", "-o", part],
                                  capture_output=True, text=True, check=False)
            if done.returncode:
                raise ValueError("spmd-opt: " + done.stderr.strip().splitlines()[-1])
            return Ours(part.read_text(), keeps_donation)

    def load_array(self, kind, number, dtype):
        array = np.load(self.folder / kind / f"{number}.npy")
        return array if array.dtype == dtype else \
            array.view(dtype) if array.dtype.itemsize == dtype.itemsize else array.astype(dtype)

    # --- Right? -----------------------------------------------------------------------------------

    def check(self):
        """Returns by how much of the tolerance the worst result is off."""
        ours = self.ours()
        found = ours.run(self.backend, lambda i, dtype: self.load_array("in", i, dtype))
        worst = 0.0
        for i, array in enumerate(found):
            worst = max(worst, self.compare(i, array, self.load_array("out", i, array.dtype)))
        return worst

    def compare(self, number, found, expected):
        if found.shape != expected.shape:
            raise ValueError(f"result {number} is {found.shape}, expected {expected.shape}")
        if found.dtype.kind in "biu" or found.dtype.name in ("int4", "uint4"):
            if not (found == expected).all():
                raise ValueError(f"result {number} differs in {(found != expected).sum()} elements")
            return 0.0
        wide = np.complex128 if found.dtype.kind == "c" else np.float64
        tolerance = self.manifest["results"][number].get("tolerance", {"atol": 2e-5, "rtol": 2e-4})
        a, b = found.astype(wide), expected.astype(wide)
        with np.errstate(all="ignore"):
            off = np.abs(a - b) / (tolerance["atol"] + tolerance["rtol"] * np.abs(b))
        off = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, np.where(np.isnan(off), np.inf, off))
        worst = float(off.max(initial=0))
        if worst > 1:
            raise ValueError(f"result {number} is off by {worst:.3g} times the tolerance")
        return worst

    # --- As fast? ---------------------------------------------------------------------------------

    def times(self):
        """Returns the milliseconds of our run and of XLA's on all devices."""
        count = self.ours().count
        if count > MOST_DEVICES:
            raise LeftOut(f"is for {count} devices")
        theirs = compile_theirs(self.backend, self.source.read_text(), count)
        devices = self.backend.devices()[:count]
        arrays = [self.load_array("in", i, numpy_type(each["dtype"])) for i, each in enumerate(self.manifest["args"])]
        try:
            inputs = [jax.device_put(array, GSPMDSharding(devices, sharding))
                      for array, sharding in zip(arrays, theirs.get_parameter_shardings(), strict=True)]
        except ValueError as error:
            raise LeftOut("JAX does not cut its inputs unevenly") from error
        turns = [(self.run_ours(), self.run_theirs(theirs, inputs)) for _ in range(self.arguments.rounds)]
        return tuple(statistics.median(times) for times in zip(*turns))

    def run_theirs(self, program, inputs):
        shortest = math.inf
        for _ in range(self.arguments.repeat):
            copies = [x.copy() for x in inputs]  # Some are donated.
            jax.block_until_ready(copies)
            start = time.perf_counter()
            for parts in program.execute_sharded(copies).disassemble_into_single_device_arrays():
                jax.block_until_ready(parts)
            shortest = min(shortest, 1e3 * (time.perf_counter() - start))
        return shortest

    def run_ours(self):
        done = subprocess.run(
            [self.arguments.bin / "spmd-run", self.source, "--engine=partitioned", "--in", self.folder / "in",
             f"--repeat={self.arguments.repeat}", f"--threads={self.arguments.threads}", "--json=-"],
            capture_output=True, text=True, check=False)
        if done.returncode:
            raise ValueError("spmd-run: " + done.stderr.strip().splitlines()[-1])
        return json.loads(done.stdout)["time_ms"]["run"]

    # --- As small? --------------------------------------------------------------------------------

    def memory(self):
        """Returns the bytes of one device for our text and for XLA's."""
        ours = self.ours(keeps_donation=True)
        mine = ours.compile(self.backend).get_compiled_memory_stats()
        theirs = compile_theirs(self.backend, self.source.read_text(), ours.count).get_compiled_memory_stats()
        return tuple(stats.temp_size_in_bytes + stats.argument_size_in_bytes + stats.output_size_in_bytes
                     for stats in (mine, theirs))


def programs_under(paths):
    for path in paths:
        for source in sorted(path.rglob("program.mlir")):
            if (source.parent / "manifest.json").exists() and (source.parent / "in").is_dir():
                yield source.parent


def reason_of(error):
    return str(error).strip().splitlines()[0][:100]


def measure_all(programs, measure):
    """Returns a row for each program: its name and what `measure` returns, or why it was left out or failed."""
    for program in programs:
        try:
            yield {"program": program.name, "measured": measure(program)}
        except LeftOut as reason:
            yield {"program": program.name, "left_out": str(reason)}
        except Exception as error:  # One program must not end the table.
            yield {"program": program.name, "failed": reason_of(error)}


def table(title, columns, rows, limits):
    """Prints `rows` and the geometric mean of their ratios. Returns what --json has of them, and how many fall short."""
    limit, mean_limit = limits
    print(f"\n{title:28}" + "".join(f"{name:>14}" for name in columns) + f"{'ratio':>9}")
    written, ratios, short = [], [], 0
    for row in rows:
        written.append(row)
        if "measured" not in row:
            short += "failed" in row
            print(f"{row['program']:28}" + "; ".join(f"{key.replace('_', ' ')}: {text}" for key, text in row.items()
                                                     if key != "program"), flush=True)
            continue
        row["ours"], row["xla"] = mine, theirs = row.pop("measured")
        row["ratio"] = mine / theirs if theirs else 1.0
        ratios.append(row["ratio"])
        is_short = row["ratio"] > limit
        short += is_short
        text = "".join(f"{x:14,.3f}" if isinstance(x, float) else f"{x:14,}" for x in (mine, theirs))
        print(f"{row['program']:28}{text}{row['ratio']:9.2f}{f'  above {limit}' if is_short else ''}", flush=True)
    summary = {"rows": written}
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        short += mean > mean_limit
        summary |= {"geometric_mean": mean, "largest": max(ratios)}
        print(f"{len(ratios)} programs: geometric mean {mean:.3f}, largest {max(ratios):.2f}")
    return summary, short


def check_all(programs):
    written, wrong = [], 0
    print(f"{'program':28}{'of tolerance':>14}")
    for row in measure_all(programs, Program.check):
        written.append(row)
        if "measured" in row:
            row["of_tolerance"] = row.pop("measured")
            print(f"{row['program']:28}{row['of_tolerance']:14.3f}", flush=True)
            continue
        wrong += "failed" in row
        text = f"left out: {row['left_out']}" if "left_out" in row else f"wrong: {row['failed']}"
        print(f"{row['program']:28}{text}", flush=True)
    return {"rows": written}, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, required=True, help="where the tools are")
    parser.add_argument("--time", action="store_true", help="compare times, too")
    parser.add_argument("--memory", action="store_true", help="compare memory, too")
    parser.add_argument("--no-check", action="store_true", help="do not compare results")
    parser.add_argument("--repeat", type=int, default=20, help="runs in a turn")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each")
    parser.add_argument("--json", type=Path, help="write what was measured")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of spmd-run")
    parser.add_argument("folders", nargs="+", type=Path)
    arguments = parser.parse_args()
    backend = cpu_backend()
    programs = [Program(folder, arguments, backend) for folder in programs_under(arguments.folders)]
    if not programs:
        sys.exit("check_xla: no folder has a program.mlir with in/ and manifest.json")
    report, short = {}, 0
    if not arguments.no_check:
        report["check"], short = check_all(programs)
    tables = [("memory", "memory of a device", ("our bytes", "XLA's"), Program.memory, (1.15, 1.0)),
              ("time", "time on all devices", ("our ms", "XLA's"), Program.times, (1.0, 1.0))]
    for name, title, columns, measure, limits in tables:
        if getattr(arguments, name):
            report[name], fallen = table(title, columns, measure_all(programs, measure), limits)
            short += fallen
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")
    sys.exit(1 if short else 0)


if __name__ == "__main__":
    main()
