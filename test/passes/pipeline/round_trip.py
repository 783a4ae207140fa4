#!/usr/bin/env python3
"""Every pipeline that spmd-opt prints is one that it reads, and does the same.

Each pass that spmd-opt lists, and --spmd-pipeline with options, is printed by --dump-pass-pipeline; the text goes to
--pass-pipeline, which must print it again and write the same program.
"""

import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys

# What a user may write; `{plan}` is a plan file with a blank in its path.
WRITTEN = [
    "--spmd-pipeline",
    "--spmd-pipeline=stop-after=functionalize",
    "--spmd-pipeline=stop-after=propagate conflicts=shardy hints=drop",
    "--spmd-pipeline=stop-after=reshard on-missing=replicate hoist=0",
    "--spmd-pipeline=stop-after=partition on-no-rule=infer-from-users functionalize=false",
    "--spmd-pipeline=groups=mesh-axes bucket-bytes=0 gathers=recompute overlap memory-limit=1000000",
    "--spmd-pipeline=inline-functions=false check-user-rules=false",
    "--spmd-pipeline=plan={plan}",
    "--spmd-unless-partitioned=pipeline=spmd-import-shardings,spmd-propagate{on-missing=replicate}",
    "--spmd-unless-partitioned=pipeline=spmd-unless-partitioned{pipeline=spmd-prune,spmd-write-rules}",
    "--spmd-check-rules=all meshes=2,2x3",
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opt", required=True, help="the spmd-opt to test")
    parser.add_argument("--plan", required=True, help="a plan for the program, with a blank in its path")
    parser.add_argument("program", type=pathlib.Path)
    arguments = parser.parse_args()
    listed = subprocess.run([arguments.opt, "--list-passes"], check=True, capture_output=True, text=True).stdout
    passes = re.findall(r"^  (--[a-z][\w-]*)", listed, re.M)
    written = [each.replace("{plan}", "{" + arguments.plan + "}") for each in WRITTEN] + passes
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        complaints = list(filter(None, pool.map(lambda each: complaint(arguments, each), written)))
    print("\n".join(complaints))
    print(f"{len(written)} pipelines, {len(complaints)} wrong")
    return 1 if complaints else 0


def run(arguments, option):
    """Returns the pipeline that is printed, and the whole outcome without it."""
    process = subprocess.run([arguments.opt, str(arguments.program), "--dump-pass-pipeline", option], check=False,
                             capture_output=True, text=True)
    printed = re.search(r"^Pass Manager with .*\n((?:.|\n)*?\n\)?)$", process.stderr, re.M)
    pipeline = printed.group(1).strip() if printed else None
    return pipeline, (process.returncode, process.stdout, process.stderr)


def complaint(arguments, option):
    pipeline, outcome = run(arguments, option)
    if not pipeline:
        return f"{option}: no pipeline is printed\n{outcome[2]}"
    again, second = run(arguments, f"--pass-pipeline={pipeline}")
    if again == pipeline and second == outcome:
        return None
    return f"{option}: printed as\n{pipeline}\nwhich is read as\n{again}\nexit codes {outcome[0]} and {second[0]}\n{second[2]}"


if __name__ == "__main__":
    sys.exit(main())
