#!/usr/bin/env python3
"""Programs go through HLO and are what they were: hlo_round_trip.py --bin DIR --work DIR PROGRAM...

PROGRAM is a folder with program.mlir (or program.hlo.txt), manifest.json, in/ and out/. For each notation of
shardings, as text and as bytes: what was imported, exported and imported again is the same IR, and so are the
shardings in StableHLO. The program gives the expected results from HLO, whole and partitioned; so does the
program of one device, written as HLO.
"""

import argparse
import json
import pathlib
import subprocess
import sys

FORMS = ["v1", "v2", "v3", "shardy"]


class Failed(Exception):
    pass


def run(*command):
    process = subprocess.run([str(part) for part in command], capture_output=True, check=False)
    if process.returncode:
        text = (process.stderr + process.stdout).decode(errors="replace")
        raise Failed(f"{' '.join(map(str, command))}\n{text[:2000]}")
    return process.stdout


def tolerances(folder, manifest):
    """Returns the options of spmd-run that say how close each result must be."""
    each = [result.get("tolerance") or manifest.get("tolerance") or {"rtol": 0, "atol": 0}
            for result in manifest["results"]]
    return [f"--{name}=" + ",".join(repr(tolerance[name]) for tolerance in each) for name in ("rtol", "atol")]


class Program:
    def __init__(self, arguments, folder):
        self.folder = folder
        self.bin = arguments.bin
        self.work = arguments.work / folder.name
        self.work.mkdir(parents=True, exist_ok=True)
        source = folder / "program.mlir"
        self.source = source if source.exists() else folder / "program.hlo.txt"
        self.manifest = json.loads((folder / "manifest.json").read_text())

    def translate(self, source, action, name, *options):
        target = self.work / name
        run(self.bin / "spmd-translate", source, action, "-o", target, *options)
        return target

    def check_fixed(self, form, kind):
        """Export, import, export, import: the two imported programs are the same text."""
        export, back = (("--export-gspmd", "--import-gspmd") if kind == "gspmd" else
                        (f"--export-{kind}", f"--import-{kind}"))
        programs = [self.source]
        for step in range(2):
            written = self.translate(programs[-1], export, f"{form}.{step}.{kind}", f"--form={form}")
            programs.append(self.translate(written, back, f"{form}.{step}.{kind}.mlir"))
        if programs[1].read_bytes() != programs[2].read_bytes():
            raise Failed(f"{form} {kind}: {programs[1]} and {programs[2]} differ")

    def check_runs(self, program, *options):
        run(self.bin / "spmd-run", program, "--in", self.folder / "in", "--expect", self.folder / "out",
            *tolerances(self.folder, self.manifest), *options)

    def check(self):
        for form in FORMS:
            for kind in ("hlo", "hlo-proto", "gspmd"):
                self.check_fixed(form, kind)
        self.check_runs(self.translate(self.source, "--export-hlo", "whole.hlo"), "--engine=both")
        part = self.work / "part.mlir"
        run(self.bin / "spmd-opt", self.source, "--spmd-pipeline", "-o", part)
        self.check_runs(self.translate(part, "--export-hlo", "part.hlo"))
        self.check_runs(self.translate(part, "--export-hlo-proto", "part.pb"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="where the tools are")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="for files in between")
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    failed = 0
    for folder in arguments.programs:
        try:
            Program(arguments, folder).check()
            print(f"{folder.name}: ok", flush=True)
        except Failed as failure:
            failed += 1
            print(f"{folder.name}: {failure}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
