#!/usr/bin/env python3
"""Runs programs captured from PyTorch, partitioned, and compares them with eager PyTorch.

    captures.py SPMD_RUN FOLDER [NAME...]

FOLDER/NAME has a program in up to three forms (HLO text, HLO proto, StableHLO), and a manifest that names its inputs,
what eager PyTorch gave for them, the tolerance, the number of devices and the collectives that XLA emitted. Each form
is run; HLO text whose long constants are left out is not. A line for each program says whether all of them are equal, and what the results of collectives take on one
device, ours and XLA's. A program under FSDP whose parameters came replicated (NAME.off) is also run with a plan of one
entry, and has to move then what NAME.on does. Manifests without a form only tell why there is none, and are left out.
Exits 1 if a form differs, or moves more than XLA's program, or not what its twin does.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

FORMS = ("program.hlo.txt", "program.hlo.pb", "program.stablehlo.mlir")


def link(entries, folder, to):
    """Makes the folder `to` of the arrays that `entries` name, relative to `folder`, by number."""
    to.mkdir(parents=True)
    for number, entry in enumerate(entries):
        (to / f"{number}.npy").symlink_to((folder / entry["file"]).resolve())


def results_of(program, manifest):
    """Returns the results of a form: StableHLO leaves out the buffers that others are views of."""
    return [result for result in manifest["results"]
            if program.suffix != ".mlir" or not (result["name"] or "").startswith("base of ")]


PLAN = """mesh {{ axis {{ name: "fsdp" size: {devices} }} }}
entry {{ argument: "*" fsdp {{ axis: "fsdp" }} }}
"""


def run(tool, program, manifest, work, *options):
    """Returns a complaint, empty if results are equal, and the report of the run."""
    link(manifest["args"], program.parent, work / "in")
    link(results_of(program, manifest), program.parent, work / "out")
    tolerance = manifest["tolerance"]
    report = work / "report.json"
    command = [tool, str(program), "--in", str(work / "in"), "--expect", str(work / "out"), f"--json={report}",
               f"--rtol={tolerance['rtol']}", f"--atol={tolerance['atol']}", *options]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return "", json.loads(report.read_text())
    lines = [line for line in (done.stderr + done.stdout).splitlines() if "error:" in line or line.startswith("differs")]
    return f"{program.name}: {lines[0] if lines else f'exit code {done.returncode}'}", None


def result_bytes(collective):
    """Returns what the results of one kind of collective take on a device, from operands and bytes sent."""
    operands, wire = collective["operand_bytes"], collective["wire_bytes"]
    return {"all_gather": operands + wire, "reduce_scatter": operands - wire}.get(collective["kind"], operands)


def summary(report):
    collectives = report["collectives"]
    return sum(map(result_bytes, collectives)), " ".join(f"{each['kind']} {each['count']}" for each in collectives)


def limit(manifest):
    """Returns what the results of XLA's collectives take, or nothing if it made no program."""
    emitted = manifest.get("what_the_real_compiler_emitted", {}).get("collectives_per_device")
    return None if emitted is None else sum(kind["result_bytes"] for kind in emitted.values())


def moved(report):
    """Returns what each kind of collective moves, and in how many collectives."""
    keys = ("kind", "count", "operand_bytes", "wire_bytes")
    return sorted(tuple(each[key] for key in keys) for each in report["collectives"])


def compare_twins(tool, folder, forms, manifest):
    """Returns what is wrong where one entry of a plan shards what came replicated; nothing if nothing is, or no need."""
    name, _, mode = folder.name.partition(".")
    twin = folder.parent / f"{name}.on"
    if "fsdp" not in name or not mode.startswith("off") or not twin.exists():
        return []
    complaints = []
    for form in forms:
        if not (twin / form.name).exists():
            continue
        with tempfile.TemporaryDirectory() as work:
            work = pathlib.Path(work)
            (work / "fsdp.plan").write_text(PLAN.format(devices=manifest["devices"]))
            complaint, ours = run(tool, form, manifest, work / "off", f"--plan={work}/fsdp.plan")
            twins = json.loads((twin / "manifest.json").read_text())
            wrong, theirs = run(tool, twin / form.name, twins, work / "on")
        if complaint or wrong:
            complaints.append(f"with a plan: {complaint or wrong}")
        elif moved(ours) != moved(theirs):
            complaints.append(f"{form.name} with a plan moves {moved(ours)}, {twin.name} {moved(theirs)}")
    return complaints


def judge(tool, folder):
    """Returns whether a program is as it should be, and what to print of it; nothing if it has no form."""
    manifest = json.loads((folder / "manifest.json").read_text())
    forms = [folder / form for form in FORMS if (folder / form).exists()]
    forms = [form for form in forms if form.suffix != ".txt" or "{...}" not in form.read_text()]
    if not forms or not manifest.get("results"):
        return None
    with tempfile.TemporaryDirectory() as work:
        runs = [run(tool, form, manifest, pathlib.Path(work) / form.name) for form in forms]
    complaints = [complaint for complaint, _ in runs if complaint] + compare_twins(tool, folder, forms, manifest)
    if complaints:
        return False, "; ".join(complaints)
    bytes_of_forms = [summary(report) for _, report in runs]
    most, kinds = max(bytes_of_forms)
    theirs = limit(manifest)
    text = f"equal {most:>9,} B {'' if theirs is None else f'of {theirs:,}':>12}  {kinds}"
    if theirs is not None and most > theirs:
        return False, text + "  more than XLA"
    return True, text


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    names = sys.argv[3:] or sorted(path.parent.name for path in folder.glob("*/manifest.json"))
    good = judged = 0
    for name in names:
        judgement = judge(tool, folder / name)
        if judgement is None:
            continue
        judged += 1
        good += judgement[0]
        print(f"{name:40}", judgement[1], flush=True)
    print(f"{good} of {judged} equal, and at most XLA's bytes")
    sys.exit(0 if good == judged and judged else 1)


if __name__ == "__main__":
    main()
