"""Every program that a test expects an error for is refused: the tool ends with an exit code that says so.

    refused.py --opt spmd-opt FOLDER...

`--verify-diagnostics` compares messages alone. Here each part of each `*-invalid.mlir` in the folders runs by itself, with the
options of the file's first RUN line. A part that expects an error must end with code 1, another with 0.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys

LEFT_OUT = {"%s", "spmd-opt", "--verify-diagnostics", "--split-input-file", "-verify-diagnostics", "-split-input-file"}


def parts(path):
    """Returns the options of a file, and its parts with the numbers of their first lines; none if a part alone means nothing."""
    text = path.read_text()
    command = re.search(r"// RUN: (.*)", text).group(1)
    if not command.startswith("spmd-opt ") or "verify-diagnostics" not in command or re.search(r"[|<>]|%[^s]", command):
        return [], []
    options = [word for word in shlex.split(command) if word not in LEFT_OUT]
    found, line = [], 1
    for part in re.split(r"^// -----\n", text, flags=re.MULTILINE):
        found.append((line, part))
        line += part.count("\n") + 1
    return options, found


def judge(opt, path, options, line, part):
    """Returns what is wrong with how a part ends, or nothing."""
    process = subprocess.run([opt, "-", *options], input=part, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             text=True, errors="replace")
    expected = 1 if re.search(r"expected-error", part) else 0
    if process.returncode != expected:
        return f"{path}:{line}: ends with code {process.returncode}, expected {expected}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opt", required=True)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    jobs = []
    for path in sorted(path for folder in arguments.folders for path in folder.rglob("*-invalid.mlir")):
        options, found = parts(path)
        jobs += [(arguments.opt, path, options, line, part) for line, part in found]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [text for text in pool.map(lambda job: judge(*job), jobs) if text]
    print("\n".join(wrong))
    print(f"{len(jobs)} programs, {len(wrong)} end otherwise than expected")
    return 1 if wrong or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
