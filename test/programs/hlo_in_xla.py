#!/usr/bin/env python3
"""XLA reads our HLO and runs it: hlo_in_xla.py --bin DIR --work DIR PROGRAM...

Needs JAX (tried with 0.10.2). PROGRAM is a folder as hlo_round_trip.py takes it. XLA's parser reads the program as
text and as bytes, in each notation of shardings, and sees the same module in both. Run on one device it gives the
expected results; cut by XLA for the program's mesh, too; and so do our programs of one device, on all of them.
"""

import argparse
import functools
import json
import os
import pathlib
import re
import subprocess
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import jax
import jaxlib.xla_client as xla
import ml_dtypes
import numpy as np
from jax._src.sharding_impls import GSPMDSharding
from jaxlib import _hlo, _jax

jax.config.update("jax_enable_x64", True)
DEVICES = jax.devices()
FORMS = ["v1", "v2", "v3", "shardy"]
RAW = {"bf16": ml_dtypes.bfloat16, "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2}


def load(path, dtype):
    array = np.load(path)
    return array.view(RAW[dtype]) if dtype in RAW else array


class Program:
    def __init__(self, arguments, folder):
        self.folder, self.bin, self.work = folder, arguments.bin, arguments.work / folder.name
        self.work.mkdir(parents=True, exist_ok=True)
        source = folder / "program.mlir"
        self.source = source if source.exists() else folder / "program.hlo.txt"
        self.manifest = json.loads((folder / "manifest.json").read_text())
        self.inputs = [load(folder / "in" / f"{i}.npy", each["dtype"])
                       for i, each in enumerate(self.manifest["args"])]
        self.outputs = [load(folder / "out" / f"{i}.npy", each["dtype"])
                        for i, each in enumerate(self.manifest["results"])]
        self.is_manual = "sdy.manual_computation" in self.source.read_text()

    def export(self, source, kind, form):
        target = self.work / f"{form}.{kind}"
        subprocess.run([self.bin / "spmd-translate", source, f"--export-{kind}", "--no-metadata",
                        f"--form={form}", "-o", target], check=True)
        return target.read_bytes()

    def check_result(self, number, found, expected):
        if found.shape != expected.shape:
            raise ValueError(f"result {number} is {found.shape}, expected {expected.shape}")
        if found.dtype.kind in "biu":
            right = found == expected
        else:
            wide = np.complex128 if found.dtype.kind == "c" else np.float64
            tolerance = self.manifest["results"][number]["tolerance"]
            a, b = found.astype(wide), expected.astype(wide)
            limit = tolerance["atol"] + tolerance["rtol"] * abs(b)
            right = (abs(a - b) <= limit) | (a == b) | (np.isnan(a) & np.isnan(b))
        if not right.all():
            raise ValueError(f"result {number} differs in {(~right).sum()} elements")

    # --- Reading ---------------------------------------------------------------------------------

    def check_reading(self, form):
        read = _hlo.HloModule.from_serialized_hlo_module_proto(self.export(self.source, "hlo-proto", form))
        if form == "v3" and self.is_manual:
            return  # XLA's parser does not read what XLA prints of named manual axes.
        text = _hlo.hlo_module_from_text(self.export(self.source, "hlo", form).decode())
        bodies = [module.to_string().split("\n", 1)[1] for module in (text, read)]
        if bodies[0] != bodies[1]:
            raise ValueError(f"{form}: XLA reads text and bytes as different modules")

    # --- Running -----------------------------------------------------------------------------------

    def compile(self, proto, count, cut):
        options = xla.CompileOptions()
        build = options.executable_build_options
        options.num_partitions = build.num_partitions = count
        build.use_spmd_partitioning = cut
        build.use_shardy_partitioner = False
        build.device_assignment = xla.DeviceAssignment.create(np.arange(count).reshape(1, count))
        program = _jax.mlir.hlo_to_stablehlo(proto)
        client = DEVICES[0].client
        return client.compile_and_load(program, xla.DeviceList(tuple(DEVICES[:count])), options)

    def check_whole(self):
        program = self.compile(self.export(self.source, "hlo-proto", "v2"), 1, cut=False)
        results = program.execute([jax.device_put(each, DEVICES[0]) for each in self.inputs])
        for i, (found, expected) in enumerate(zip(results, self.outputs, strict=True)):
            self.check_result(i, np.asarray(found), expected)

    def check_on_devices(self, program, shardings, result_shardings):
        """Runs on all devices: inputs are cut, and each part of a result compared with its place.

        Uneven parts are left to spmd-run: only we know of their padding.
        """
        arrays, both = self.inputs + self.outputs, list(shardings) + list(result_shardings)
        if not all(is_even(array, sharding) for array, sharding in zip(arrays, both, strict=True)):
            return
        inputs = [jax.device_put(each, GSPMDSharding(DEVICES, sharding))
                  for each, sharding in zip(self.inputs, shardings, strict=True)]
        results = program.execute_sharded(inputs).disassemble_into_single_device_arrays()
        for i, expected in enumerate(self.outputs):
            places = GSPMDSharding(DEVICES, result_shardings[i]).devices_indices_map(expected.shape)
            for device, part in zip(DEVICES, results[i]):
                self.check_result(i, np.asarray(part), expected[places[device]])

    def check_cut_by_xla(self):
        program = self.compile(self.export(self.source, "hlo-proto", "v2"), len(DEVICES), cut=True)
        self.check_on_devices(program, program.get_parameter_shardings(), program.get_output_shardings())

    def check_cut_by_us(self):
        """What was cut already is wholly manual to XLA's partitioner, which then knows no all-reduce of several."""
        part = self.work / "part.mlir"
        subprocess.run([self.bin / "spmd-opt", self.source, "--spmd-pipeline=bucket-bytes=0", "-o", part], check=True,
                       stderr=subprocess.DEVNULL)
        text = self.export(part, "hlo", "v2").decode()
        head, entry = text.split("\nENTRY ")
        shardings, lines = [], []
        for line in entry.split("\n"):
            found = re.search(r", sharding=(\{(?:[^{}]|\{[^{}]*\})*\})", line)
            plain = line.replace(found.group(0), "") if found else line
            if found and " parameter(" in line:
                shardings.append(_hlo.HloSharding.from_string(found.group(1)))
                plain = plain.replace("), ", "), sharding={manual}, ")
            elif found and line.startswith("  ROOT"):
                results = [_hlo.HloSharding.from_string(each) for each in elements(found.group(1))]
                manual = "{manual}" if len(self.outputs) == 1 else "{" + ", ".join(["{manual}"] * len(results)) + "}"
                plain += f", sharding={manual}"
            lines.append(plain)
        module = _hlo.hlo_module_from_text(head + "\nENTRY " + "\n".join(lines))
        program = self.compile(module.as_serialized_hlo_module_proto(), len(DEVICES), cut=True)
        self.check_on_devices(program, shardings, results)


def is_even(array, sharding):
    try:
        GSPMDSharding(DEVICES, sharding).shard_shape(array.shape)
    except ValueError:
        return False
    return True


def elements(text):
    """Returns the shardings of a tuple, or the one that `text` is."""
    return re.findall(r"\{(?:[^{}]|\{[^{}]*\})*\}", text[1:-1]) if text.startswith("{{") else [text]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="where the tools are")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="for files in between")
    parser.add_argument("--skip", default="", help="checks to leave out, with commas between: whole, cut_by_xla, cut_by_us")
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    failed = 0
    for folder in arguments.programs:
        program = Program(arguments, folder)
        checks = {f"read_{form}": functools.partial(program.check_reading, form) for form in FORMS}
        if not program.is_manual:  # XLA cannot run that on one device.
            checks["whole"] = program.check_whole
        checks |= {"cut_by_xla": program.check_cut_by_xla, "cut_by_us": program.check_cut_by_us}
        for name, check in checks.items():
            if name in arguments.skip.split(","):
                continue
            try:
                check()
            except Exception as failure:
                failed += 1
                print(f"{folder.name}: {name}: {str(failure)[:600]}", flush=True)
        print(f"{folder.name}: done", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
