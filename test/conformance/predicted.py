#!/usr/bin/env python3
"""Prints what the plan that propagation finds moves, beside what another partitioner moves or what is needed at best.

    predicted.py SPMD_OPT SPMD_RUN FOLDER [NAME...]

FOLDER/NAME and FOLDER/big/NAME have a program (`program.mlir`) and what is known of it (`manifest.json`: wire bytes of one
device under `xla`). A line a program: values that are neither split nor reported, wire bytes of one device when every
move stands as it was planned, each done once and nothing else optimised, the number that they are held against, the ratio, and how large
that may be. docs/communication.md works out the optima. Exits 1 if one is over, or if a value is left.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

SECONDS = 1200


def all_reduce(bytes_, group):
    return 2 * (group - 1) / group * bytes_


def gather(bytes_, group):
    return (group - 1) / group * bytes_


def llama_free(layers, data, model):
    """f32; 65,536 tokens of 8192, hidden 28,672, a vocabulary of 32,768: 4 all-reduces a layer and 2 around them; each
    weight gathered, its gradient scattered."""
    activation = 65536 / data * 8192 * 4
    weights = layers * (4 * 8192**2 + 3 * 8192 * 28672) + 2 * 32768 * 8192
    return (4 * layers + 2) * all_reduce(activation, model) + 2 * gather(weights * 4 / model, data)


def llama_constrained(layers, rows, tensor, fsdp, data, dim, weights, remat):
    """bf16, residual stream split along the sequence of 8192: 4 gathers and 4 scatters a layer, 2 and 2 more where it is
    computed again; weights gathered in each pass, gradients scattered over fsdp and summed over data. `rows` of the
    batch on a device."""
    activation = rows * 8192 * dim * 2
    part = weights * 2 / tensor
    return (layers * (12 if remat else 8) * gather(activation, tensor)
            + (3 if remat else 2) * gather(part, fsdp) + all_reduce(part / fsdp, data))  # fmt: skip


def vit_22b():
    """bf16, parallel layers: an all-reduce forward, again when computed again, and backward."""
    activation = 4096 / 256 * 257 * 6144 * 2
    part = 48 * (4 * 6144**2 + 2 * 6144 * 24576) * 2 / 4
    return 48 * 3 * all_reduce(activation, 4) + 3 * gather(part, 16) + all_reduce(part / 16, 16)


# What is needed at best, and how much more than that is let pass.
OPTIMA = {
    "llama_free_4": (llama_free(4, 2, 4), 1.05),
    "llama_free_32": (llama_free(32, 2, 4), 1.05),
    "llama_free_4_on_512": (llama_free(4, 16, 32), 1.05),
    "llama_free_4_on_2048": (llama_free(4, 32, 64), 1.05),
    "llama8b_train_unrolled": (llama_constrained(32, 8, 8, 8, 8, 4096, 8.0e9, False) + 2e9, 1.0),
    "llama70b_train_scan": (llama_constrained(80, 2, 8, 32, 16, 8192, 70.6e9, True), 1.1),
    "llama70b_train_scan_2048": (llama_constrained(80, 4, 8, 32, 8, 8192, 70.6e9, True), 1.1),
    "vit22b_train": (vit_22b(), 1.1),
}
# Shares of what the other side moves.
SHARES = {"mixtral_8x7b_train": 0.4}


def run(command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=SECONDS)


def count_left(tools, program, work):
    """Returns how many values have no sharding after propagation and are not reported either."""
    propagated = work / "propagated.mlir"
    done = run([tools["opt"], program, "--spmd-propagate=on-missing=replicate", "-o", propagated])
    if done.returncode:
        return None
    left = run([tools["opt"], propagated, "--spmd-verify-propagated", "-o", work / "verified.mlir"])
    return left.stderr.count("error:")


def predicted_bytes(tools, program, work):
    """Returns the wire bytes, or the complaint of a tool."""
    partitioned = work / "partitioned.mlir"
    done = run([tools["opt"], program, "--spmd-pipeline=stop-after=partition",
                "--spmd-optimize=once-only groups=mesh-axes", "-o", partitioned])  # fmt: skip
    if done.returncode == 0:
        done = run([tools["run"], partitioned, "--engine=none", "--json", "-"])
    if done.returncode == 0:
        return json.loads(done.stdout)["wire_bytes_per_device"], ""
    return None, next((line for line in done.stderr.splitlines() if "error:" in line), f"exit code {done.returncode}")


def bound(name, manifest):
    """Returns the number to hold against, what it is, and how large the ratio may be; nothing if there is none."""
    if name in OPTIMA:
        optimum, most = OPTIMA[name]
        return optimum, "optimum", most
    moved = (manifest.get("xla") or {}).get("wire_bytes_per_device")
    return None if moved is None else (moved, "xla", SHARES.get(name, 1.0))


def check(tools, folder, work):
    """Prints a program's line; returns whether it is as it should be."""
    name, manifest = folder.name, json.loads((folder / "manifest.json").read_text())
    left = count_left(tools, folder / "program.mlir", work)
    moved, complaint = predicted_bytes(tools, folder / "program.mlir", work)
    known = bound(name, manifest)
    line = f"{name:26} {'-' if left is None else left:>5} {'-' if moved is None else format(moved, ','):>18}"
    if moved is None or left is None or known is None:
        print(line, complaint or "nothing to compare with", flush=True)
        return left == 0 and not complaint
    other, what, most = known
    ratio = moved / other if other else (1.0 if not moved else float("inf"))
    is_over = ratio > most
    print(line, f"{what:>8} {format(round(other), ','):>18} {ratio:6.2f} of {most:.2f}", "OVER" if is_over else "", flush=True)
    return left == 0 and not is_over


def main():
    tools, folder = {"opt": sys.argv[1], "run": sys.argv[2]}, pathlib.Path(sys.argv[3])
    folders = sorted(path.parent for path in [*folder.glob("*/program.mlir"), *folder.glob("big/*/program.mlir")])
    chosen = [each for each in folders if not sys.argv[4:] or each.name in sys.argv[4:]]
    print(f"{'program':26} {'left':>5} {'predicted bytes':>18} {'':>8} {'held against':>18}")
    with tempfile.TemporaryDirectory() as work:
        wrong = [each.name for each in chosen if not check(tools, each, pathlib.Path(work))]
    print(f"{len(chosen) - len(wrong)} of {len(chosen)} programs as they should be" + (": not " + ", ".join(wrong) if wrong else ""))
    sys.exit(1 if wrong or not chosen else 0)


if __name__ == "__main__":
    main()
