"""The tests that may tell a mutant of the sources: which reach it, and which fails first."""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time

# What a mutant may take: one that allocates or writes for ever ends, too.
MOST_MEMORY, MOST_FILE = 8 << 30, 1 << 30
SUITE = "spmd :: "
FIRST_CHUNK_S = 10  # Of tests that run together; each further chunk takes twice as long.


class Tests:
    """The gtest binaries and lit tests of a built copy."""

    def __init__(self, copy, jobs):
        self.copy, self.jobs = copy, jobs
        self.lit = cached(copy.build, "SPMD_LIT")
        self.binaries = self.find_binaries()
        self.seconds = {}  # Of each test that passes without a mutant.
        self.reached = {}  # By mutant, the tests that reach it.

    def find_binaries(self):
        listing = subprocess.run(["ctest", "--show-only=json-v1"], cwd=self.copy.build, stdout=subprocess.PIPE, check=True)
        found = {}
        for test in json.loads(listing.stdout)["tests"]:
            labels = [each["value"] for each in test.get("properties", []) if each["name"] == "LABELS"]
            if labels and "gtest" in labels[0]:
                found[test["name"]] = test["command"]
        return found

    def measure(self, report):
        """Runs all tests without a mutant: how long they take, and which mutants they reach. Returns those that fail."""
        folder = self.copy.work / "reached"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        failed = []
        for name, command in self.binaries.items():
            start = time.monotonic()
            code, _ = run(command, 3600, SPMD_MUTANTS_REACHED=folder, LIT_CURRENT_TESTCASE=name)
            self.note(name, code == 0, time.monotonic() - start, failed)
        report(f"{len(self.binaries)} gtest binaries take {sum(self.seconds.values()):.0f} s; running all lit tests")
        _, results = self.run_lit([], 4 * 3600, SPMD_MUTANTS_REACHED=folder)
        for name, (code, seconds) in results.items():
            if code not in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
                self.note(name, code in ("PASS", "XFAIL", "FLAKYPASS"), seconds, failed)
        for file in folder.iterdir():
            test = file.name.replace("@", "/").removeprefix(SUITE)
            for number in {int(line) for line in file.read_text().split()} if test in self.seconds else ():
                self.reached.setdefault(number, set()).add(test)
        return failed

    def note(self, name, passes, seconds, failed):
        if passes:
            self.seconds[name] = seconds
        else:
            failed.append(name)

    def killer_of(self, path, tests, **environment):
        """Returns the first of `tests` that fails, and None if none does. `path` is that of the mutant: tests of its folder are
        run first, and of these the fastest."""
        order = sorted(tests, key=lambda test: (-closeness(path, test), self.seconds[test], test))
        for name in [test for test in order if test in self.binaries]:
            command = [*self.binaries[name], "--gtest_fail_fast", "--gtest_brief=1"]
            code, output = run(command, limit(self.seconds[name]), **environment)
            if code:
                case = re.search(r"\[  FAILED  \] (\w[\w./]*)", output)
                return f"{name}: {case.group(1)}" if case else f"{name} ({ending(code)})"
        for chunk in self.chunks([test for test in order if test not in self.binaries]):
            seconds = sum(self.seconds[test] for test in chunk) / self.jobs
            code, results = self.run_lit(chunk, limit(seconds), **environment)
            failed = [name for name, (outcome, _) in results.items() if outcome in ("FAIL", "TIMEOUT", "UNRESOLVED", "XPASS")]
            if failed or code is None:
                late = f"the time limit, in one of {len(chunk)} tests from test/{chunk[0]} on"
                return f"test/{failed[0]}" if failed else late
        return None

    def chunks(self, tests):
        chunk, seconds, most = [], 0, FIRST_CHUNK_S
        for test in tests:
            if chunk and seconds + self.seconds[test] > most * self.jobs:
                yield chunk
                chunk, seconds, most = [], 0, 2 * most
            chunk.append(test)
            seconds += self.seconds[test]
        if chunk:
            yield chunk

    def run_lit(self, tests, seconds, **environment):
        """Runs lit tests, all if none is named, up to the first failure if some are. Returns the exit code, None past the limit,
        and by test its outcome and time."""
        with tempfile.NamedTemporaryFile(suffix=".json") as report:
            command = [self.lit, "--quiet", "--output", report.name, "-j", str(self.jobs)]
            command += ["--max-failures=1"] if tests else []
            command += [f"{self.copy.build}/test/{test}" for test in tests or [""]]
            code, _ = run(command, seconds, **environment)
            text = report.read()
        found = json.loads(text)["tests"] if text else []
        return code, {test["name"].removeprefix(SUITE): (test["code"], test["elapsed"] or 0) for test in found}


def closeness(path, test):
    """How many folders the path of a source and the name of a test have in common."""
    folders = pathlib.PurePath(path).parts[:-1]
    parts = test.split("/" if "/" in test else "-")
    return next((i for i, (a, b) in enumerate(zip(folders, parts)) if a != b), min(len(folders), len(parts)))


def limit(seconds):
    return 60 + 5 * seconds


def ending(code):
    return "the time limit" if code is None else f"signal {-code}" if code < 0 else f"exit code {code}"


def run(command, seconds, **environment):
    """Returns the exit code, None past the limit, and the output. All processes that it started end with it."""
    def bound():
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE, MOST_FILE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    environment = {**os.environ, **{name: str(value) for name, value in environment.items()}}
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, env=environment, start_new_session=True, preexec_fn=bound)
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        output.seek(0)
        return code, output.read().decode(errors="replace")


def cached(build, variable):
    """Returns what CMake's cache holds for `variable`."""
    lines = (build / "CMakeCache.txt").read_text().splitlines()
    return next(line.split("=", 1)[1] for line in lines if line.startswith(f"{variable}:"))
