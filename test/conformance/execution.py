#!/usr/bin/env python3
"""Runs every execution case of a folder and prints how many pass, by kind and family.

A case is an .mlir file that judges itself by `check.*` custom calls: `spmd-run` exits 0 where all of
them pass. `index.tsv` in the folder, where there is one, says which family a file belongs to and
whether it must only end (`expected` is `completes`).
"""

import argparse
import collections
import concurrent.futures
import csv
import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
SECONDS = 60  # A case that takes longer has failed.


def main():
    parser = argparse.ArgumentParser(prog="tools/dev conformance", description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path,
                        help="cases; by default $SPMD_CONFORMANCE, or ../shared/conformance beside "
                             "the checkout, or beside the folder it is in")
    parser.add_argument("--run", type=pathlib.Path, default=SOURCE / "build/bin/spmd-run")
    parser.add_argument("--engine", default="whole")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="cases whose path contains this")
    parser.add_argument("--show", type=int, default=3, help="lines of each failure to print")
    arguments = parser.parse_args()
    folder = arguments.folder or default_folder()
    if folder is None or not folder.is_dir():
        sys.exit("tools/dev conformance: no cases found; name their folder, or set SPMD_CONFORMANCE")
    if not arguments.run.exists():
        sys.exit(f"tools/dev conformance: {arguments.run} is not there; run tools/dev build first")
    cases = [case for case in read_cases(folder) if arguments.only in case["file"]]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        outputs = list(pool.map(lambda case: run_case(arguments, folder, case), cases))
    return report(cases, outputs, arguments.show)


def default_folder():
    if "SPMD_CONFORMANCE" in os.environ:
        return pathlib.Path(os.environ["SPMD_CONFORMANCE"])
    for parent in [SOURCE.parent, *SOURCE.parent.parents]:
        if (parent / "shared/conformance").is_dir():
            return parent / "shared/conformance"
    return None


def read_cases(folder):
    """Returns a dict for each case: those that the indices in `folder` list; without one, all programs that check."""
    cases = []
    for index in sorted(folder.rglob("index.tsv")):
        with open(index, encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream, delimiter="\t"))
        if not rows or "family" not in rows[0]:
            continue
        for row in rows:
            path = index.parent / row["file"]
            if path.exists():
                cases.append({"file": str(path.relative_to(folder)), "kind": row["kind"],
                              "family": row["family"]})
    if cases:
        return cases
    for path in sorted(folder.rglob("*.mlir")):
        if "check." in path.read_text(encoding="utf-8", errors="replace"):
            cases.append({"file": str(path.relative_to(folder)), "kind": path.parent.name,
                          "family": path.stem})
    return cases


def run_case(arguments, folder, case):
    """Returns nothing where the case passes, and what was printed where it does not."""
    command = [str(arguments.run), f"--engine={arguments.engine}", str(folder / case["file"])]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"took more than {SECONDS} s"
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stdout.splitlines() if "error" in line or "differs" in line]
    return "\n".join(lines) or done.stdout or f"exit code {done.returncode}"


def report(cases, outputs, shown):
    kinds = collections.defaultdict(lambda: [0, 0])
    families = collections.defaultdict(lambda: [0, 0])
    for case, output in zip(cases, outputs):
        for table, key in ((kinds, case["kind"]), (families, (case["kind"], case["family"]))):
            table[key][bool(output)] += 1
    for case, output in zip(cases, outputs):
        if output:
            print(f"failed: {case['file']}")
            for line in output.splitlines()[:shown]:
                print(f"    {line[:300]}")
    failing = {key: counts for key, counts in families.items() if counts[1]}
    if failing:
        print("\nfamilies with failures")
        for (kind, family), (passed, failed) in sorted(failing.items()):
            print(f"  {kind:12} {family:44} {passed:5} of {passed + failed}")
    print("\nkind              pass     of")
    for kind, (passed, failed) in sorted(kinds.items()):
        print(f"{kind:14} {passed:7} {passed + failed:6}")
    passed = sum(counts[0] for counts in kinds.values())
    print(f"{'all':14} {passed:7} {len(cases):6}")
    return 0 if cases and passed == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
