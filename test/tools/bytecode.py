"""Runs every tool on portable bytecode of StableHLO, whole and cut off: bytecode.py FOLDER.

Each must end with exit code 1 and one message that says what to write instead.
"""

import base64
import pathlib
import subprocess
import sys

# What StableHLO 1.13 writes of a tanh: dialect `vhlo`.
PORTABLE = base64.b64decode(
    "TUzvUg1TdGFibGVITE9fdjEuMTMuMAABGQUBBQkBAwsDBw8TFwMvGQcBDQsTExMTEwMNCwsLCxcLAwcTFwcCXwUNFwEBARcBAwMXAQMjFwEFERcBBwcD"
    "ASMDHQ8dESkBAQEXJwEpAxEFEQMBAwEJBE0FAVADAQcEPQMBBQNQBQMHBCkDBQsDAwcABUYJBQMBAwEHBAsDAwYDAQUBAIETAwsFFRERDwsRYnVpbHRp"
    "bgB2aGxvAG1vZHVsZQBmdW5jX3YxAHRhbmhfdjIAcmV0dXJuX3YxAC0AbWFpbgAACBkHBQEBCw0PDRETAxU=")
EXPECTED = ("1:1: error: bytecode written by 'StableHLO_v1.13.0' cannot be read (", "); write the program as text: lowered.as_text()")

TOOLS = [
    ["spmd-opt"],
    ["spmd-opt", "--spmd-pipeline"],
    ["spmd-opt", "--spmd-doctor"],
    ["spmd-opt", "--spmd-explain=missing"],
    ["spmd-run"],
    ["spmd-run", "--why"],
    ["spmd-run", "--engine=whole"],
    ["spmd-translate", "--export-hlo"],
    ["spmd-translate", "--export-hlo-proto"],
    ["spmd-translate", "--import-gspmd"],
    ["spmd-reduce", "--test=true"],
]


def wrong(tool, file, expected):
    """Returns what is wrong with how `tool` ends, or nothing."""
    process = subprocess.run([*tool, str(file)], capture_output=True, check=False)
    errors = process.stderr.decode(errors="replace")
    if process.returncode == 1 and all(part in errors for part in expected):
        return []
    return [f"{' '.join(tool)} {file}: exit code {process.returncode}\n{errors}"]


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
whole = folder / "portable.mlirbc"
whole.write_bytes(PORTABLE)
found = [each for tool in TOOLS for each in wrong(tool, whole, EXPECTED)]
for length in [*range(4, len(PORTABLE), 9)]:
    part = folder / f"part{length}.mlirbc"
    part.write_bytes(PORTABLE[:length])
    for tool in (["spmd-opt"], ["spmd-translate", "--import-gspmd"]):
        found += wrong(tool, part, ["1:1: error: bytecode written by "])
print("\n".join(found))
sys.exit(1 if found else 0)
