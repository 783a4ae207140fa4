#!/usr/bin/env python3
"""Runs modules that another partitioner has cut, and prints for each whether it gives the expected results.

    partitioned.py SPMD_RUN FOLDER

FOLDER/NAME has the inputs (`in`) and results (`out`) of a program and their tolerances (`manifest.json`);
FOLDER/xla/NAME/partitioned.hlo.txt what XLA made of it. Exits 1 if one fails that has all its kernels and of which
`manifest.json` does not say what is wrong with it (`xla_problem`).
"""

import json
import pathlib
import subprocess
import sys


def tolerances(manifest, name):
    return ",".join(str((result.get("tolerance") or {}).get(name, 0)) for result in manifest["results"])


def why_not(manifest, complaint):
    """Returns why a failure says nothing of us, or nothing."""
    if manifest.get("xla_problem"):
        return str(manifest["xla_problem"])
    return "a kernel that nobody has" if "no custom call is registered" in complaint else ""


def run(tool, folder, name):
    """Returns the manifest of a program and the complaint about its run, empty if there is none."""
    manifest = json.loads((folder / name / "manifest.json").read_text())
    command = [tool, str(folder / "xla" / name / "partitioned.hlo.txt"),
               "--in", str(folder / name / "in"), "--expect", str(folder / name / "out"),
               "--rtol", tolerances(manifest, "rtol"), "--atol", tolerances(manifest, "atol")]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return manifest, ""
    lines = [line for line in (done.stderr + done.stdout).splitlines() if "error:" in line or line.startswith("differs")]
    return manifest, lines[0] if lines else f"exit code {done.returncode}"


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    names = sorted(path.parent.name for path in folder.glob("xla/*/partitioned.hlo.txt"))
    equal = failed = 0
    for name in names:
        manifest, complaint = run(tool, folder, name)
        excuse = why_not(manifest, complaint) if complaint else ""
        print(f"{name:24}", "equal" if not complaint else complaint, f"({excuse})" if excuse else "", flush=True)
        equal += not complaint
        failed += bool(complaint and not excuse)
    print(f"{equal} of {len(names)} equal, {failed} that should be are not")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
