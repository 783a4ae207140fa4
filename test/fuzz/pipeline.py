#!/usr/bin/env python3
"""Mutates the programs and plans of the tests, and runs each mutant through the whole pipeline and the interpreter.

    pipeline.py --opt spmd-opt --run spmd-run --work DIR [--first N] [--count N] [--jobs N] [--sanitized]

Each number is one mutant, the same each time. Every mutant goes through spmd-run; one of OPT_EVERY also through spmd-opt.
A run must end by itself, within the limits of time and memory, and either accept the program or refuse it with an error
that names a place in a file. Everything else is a finding: it stays in DIR and is named.

A mutant that is still a valid program must compute the same partitioned and whole. Those that do not are counted and
kept in DIR/differs.
"""

import collections
import pathlib
import re
import resource
import shutil
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "exec"))

import _runner  # noqa: E402
from _seeds import Seeds  # noqa: E402

# spmd-run has all stages of the pipeline and starts no process of its own; spmd-opt starts one for each mutant.
OPT_EVERY = 4
TIMEOUT_S = 20
# A mutant alone, on a machine that may be busy.
TIMEOUT_ALONE_S = 60
# Of address space. The sanitizers take more addresses than that and have a limit of their own, of pages.
MEMORY_BYTES = 3 << 30
# What a device may hold, and the operations on elements that it may execute. Programs that need more are refused.
LIMITS = [f"--memory-limit={1 << 22}", f"--work-limit={1 << 26}"]
SANITIZER_OPTIONS = f"hard_rss_limit_mb={2 * MEMORY_BYTES >> 20}:max_allocation_size_mb={MEMORY_BYTES >> 20}:allocator_may_return_null=1"

CRASH = re.compile(r"AddressSanitizer|LeakSanitizer|UndefinedBehaviorSanitizer|runtime error:|PLEASE submit a bug|LLVM ERROR"
                   r"|Assertion .* failed|terminate called|FATAL")
# The place of an error: a line of a file; the first one of a message of Protobuf, which has no lines. Where the text itself says
# that an op is at `loc("name")`, there is no other place.
LOCATED = re.compile(r"^[^\s:<][^:\n]*:\d+:\d+: error: |^<unknown>:0: error: loc\(\".*\"\): ", re.M)
ERROR = re.compile(r"^.*\berror: .*$", re.M)


def finding(process):
    """Returns what is wrong with the way a tool ended, or None."""
    code, errors = process.returncode, process.stderr
    if code < 0:
        return f"signal {-code}"
    if crash := CRASH.search(errors):
        return f"crash: {errors[crash.start():].splitlines()[0]}"
    if code not in (0, 1):
        return f"exit code {code}"
    if code == 0 or is_different(process):
        return None
    error = ERROR.search(errors)
    if not error:
        return "refused without a message"
    if not LOCATED.search(errors):
        return f"refused without a place: {error.group()}"
    return None


def is_different(process):
    """Returns whether the program was run and computes something else partitioned than whole."""
    return process.returncode == 1 and re.search(r"^equal: +(no|undecided)", process.stdout, re.M) is not None


class Checker:
    """Runs mutants. What is suspicious in a process that has run others is run again alone."""

    def __init__(self, seeds, arguments):
        self.seeds, self.arguments = seeds, arguments
        self.outcomes = collections.Counter()

    def check(self, arguments, number):
        """Returns what is wrong with a mutant, or None. Its files are in `arguments.work`."""
        try:
            files = self.seeds.mutant(number)
        except RecursionError:
            return None
        folder = arguments.work / str(number)
        folder.mkdir(exist_ok=True)
        for name, contents in files.items():
            path = folder / name
            path.write_bytes(contents if isinstance(contents, bytes) else contents.encode(errors="replace"))
        program = folder / next(iter(files))
        plan = folder / "plan" if "plan" in files else None
        complaint = self.check_files(number, program, plan)
        if not complaint:
            shutil.rmtree(folder)
        return complaint and f"{number}: {complaint}"

    def check_files(self, number, program, plan):
        run = [self.arguments.run, program, *LIMITS, *([f"--plan={plan}"] if plan else [])]
        process, complaint = self.judged(run)
        if complaint:
            return f"spmd-run: {complaint}"
        self.outcomes["refused" if process.returncode else "accepted"] += 1
        if is_different(process):
            self.keep_different(program.parent, process)
        if number % OPT_EVERY == 0:
            options = " ".join([LIMITS[0][2:], *([f"plan={plan}"] if plan else [])])
            _, complaint = self.judged([self.arguments.opt, program, f"--spmd-pipeline={options}", "-o", "/dev/null"])
            if complaint:
                return f"spmd-opt: {complaint}"
        return None

    def judged(self, command):
        """Runs a command, and again, alone, if it ended badly. Returns the process and what is wrong with it, or None."""
        process, complaint = self.run(_runner.run, command, TIMEOUT_S)
        if not complaint:
            return process, None
        again, complaint_alone = self.run(_runner.run_alone, command, TIMEOUT_ALONE_S)
        if complaint_alone:
            return again, complaint_alone
        self.outcomes["wrong only behind others"] += 1
        print(f"{command[1]}: {complaint}; not alone", flush=True)
        return again, None

    def run(self, how, command, seconds):
        try:
            process = how(command, seconds)
        except _runner.subprocess.TimeoutExpired:
            return None, f"no end within {seconds} s"
        return process, finding(process)

    def keep_different(self, folder, process):
        self.outcomes["accepted"] += 1
        self.outcomes["refused"] -= 1
        self.outcomes["partitioned differs from whole"] += 1
        target = self.arguments.work / "differs" / folder.name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(folder, target)
        (target / "report").write_text(process.stderr + process.stdout)


def main():
    parser = _runner.parser(__doc__, opt="spmd-opt", run="spmd-run")
    parser.add_argument("--first", type=int, default=0, help="the number of the first mutant")
    parser.add_argument("--count", type=int, default=200, help="how many mutants")
    parser.add_argument("--sanitized", action="store_true", help="the tools are built with sanitizers")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    if arguments.sanitized:
        given = _runner.os.environ.get("ASAN_OPTIONS", "allow_user_poisoning=0")
        _runner.os.environ["ASAN_OPTIONS"] = f"{given}:{SANITIZER_OPTIONS}"
    else:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    # What users run verifies the program once, at the end.
    _runner.os.environ.pop("SPMD_VERIFY_EACH", None)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    checker = Checker(Seeds(), arguments)
    wrong = _runner.check_all(arguments, checker.check, range(arguments.first, arguments.first + arguments.count))
    outcomes = ", ".join(f"{count} {name}" for name, count in sorted(checker.outcomes.items()))
    print(f"{arguments.count} mutants from {arguments.first} on: {outcomes}, {wrong} findings")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
