#!/usr/bin/env python3
"""Breaks partitioned programs, one op at a time, and tells which breaks a comparison does not see.

    mutate.py --opt spmd-opt --run spmd-run --work DIR [--as TYPE] [--sample N] [--seed N] [--jobs N] [--list] [PROGRAM...]

A PROGRAM is a file, by default all of test/programs and test/exec that run; with --as their f32 becomes another type, such as
bf16 or i8, where they run so. Each is partitioned; _mutants.py says how the text is broken. A mutant is caught if spmd-run says
that it differs from the program, which runs unpartitioned where it can; one that it refuses to run is no mutant, but a mistake of
_mutants.py. With --sample so many are drawn from all by the seed. Prints the
mutants that nothing tells from the program, with the reasons of survivors.txt; exits 1 if one has none there, and, where all are
run, if fewer survive than are listed.
"""

import argparse
import concurrent.futures
import fnmatch
import pathlib
import random
import re
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(TESTS.parent / "tools"), str(TESTS / "exec")]

import _inputs  # noqa: E402
import _runner  # noqa: E402
from _mutants import mutants_of  # noqa: E402

SURVIVORS = pathlib.Path(__file__).resolve().parent / "survivors.txt"
TIMEOUT_S = 60


class Subject:
    """A program, partitioned, with what its mutants are compared with."""

    def __init__(self, path, arguments):
        self.name = path.parent.name if path.name == "program.mlir" else path.stem
        self.work = arguments.work / self.name
        self.work.mkdir(parents=True, exist_ok=True)
        self.path, self.tools = self.work / "program.mlir", arguments
        text = path.read_text()
        mesh = re.search(r"s/MESH/(.*?)/'", text)
        text = text.replace("= MESH", f"= {mesh.group(1)}") if mesh else text
        element = arguments.element
        self.path.write_text(as_type(text, element) if element else text)
        given = path.parent / "in"
        self.trials = [["--seed=1"], ["--seed=2"]]
        if path.name == "program.mlir" and given.is_dir() and not element:
            self.trials.insert(0, [f"--in={given}"])
        self.mutants = []

    def prepare(self):
        """Returns whether there is something to compare with; finds the mutants. A loop of another type may not end."""
        try:
            return self.compile()
        except subprocess.TimeoutExpired:
            return False

    def compile(self):
        local = self.work / "local.mlir"
        if run([self.tools.opt, self.path, "--spmd-pipeline", "--mlir-print-op-generic", "-o", local]).returncode:
            return False
        self.lines, self.mutants = mutants_of(local.read_text())
        for kind in _inputs.KINDS:
            folder = self.work / kind
            if _inputs.write(folder, _inputs.arguments_of(local.read_text()), kind):
                self.trials.append([f"--in={folder}"])
        whole = f"--unpartitioned={self.path}"
        if run([self.tools.run, local, whole, self.trials[0][0]]).returncode == 0:
            self.trials = [[*trial, whole] for trial in self.trials]
        else: # It is written for its mesh.
            self.trials = [[*trial, f"--expect={self.work}/out{i}"] for i, trial in enumerate(self.trials)
                           if self.expect(trial, self.work / f"out{i}")]
        return bool(self.trials) and self.outcome(local) == "survives"

    def expect(self, trial, folder):
        """Writes what the program makes of a trial's inputs. Returns whether it runs."""
        return run([self.tools.run, self.path, "--engine=partitioned", *trial, f"--out={folder}"]).returncode == 0

    def outcome(self, path):
        """Returns what becomes of a program in the first trial that tells."""
        for trial in self.trials:
            try:
                process = run([self.tools.run, path, *trial])
            except subprocess.TimeoutExpired:
                return "does not end"
            if process.returncode < 0:
                return f"kills the tool by signal {-process.returncode}"
            if process.returncode:
                return failure(process)
        return "survives"

    def judge(self, number):
        """Returns what becomes of a mutant. One that is not told from the program is equivalent if nonsense in place of what
        its op makes is not either, or nonsense wherever it makes something else than the program."""
        mutant = self.mutants[number]
        outcome = self.outcome_of(number, mutant.text(self.lines))
        if outcome != "survives":
            return outcome
        for where_it_differs, what in ((False, "what it makes is not used"), (True, "makes the same")):
            with_nonsense = self.outcome_of(number, mutant.spoilt(self.lines, where_it_differs))
            if with_nonsense == "survives":
                return f"equivalent: {what}"
            if with_nonsense.startswith("is refused"):
                return with_nonsense
        return outcome

    def outcome_of(self, number, text):
        path = self.work / f"{number}.mlir"
        path.write_text(text)
        outcome = self.outcome(path)
        path.unlink()
        return outcome


def as_type(text, element):
    """Returns a program whose f32 is another type. Codes of floats that the type has no room for are cut."""
    bits = int(re.search(r"[0-9]+", element).group())
    text = re.sub(r"\b0x([0-9A-F]{8})\b(?=[^\n]*f32)", lambda m: "0x" + m.group(1)[:bits // 4], text)
    return re.sub(r"(\b|x)f32\b", lambda m: m.group(1) + element, text)


def failure(process):
    if "from the unpartitioned program" in process.stdout:
        return "differs in f64"
    if "differs " in process.stdout:
        return "replicas differ" if re.search(r": device \d+ holds", process.stdout) else "differs"
    error = next((line.split("error: ", 1)[1] for line in process.stderr.splitlines() if "error: " in line), "")
    return "deadlocks" if "deadlock" in error else f"is refused: {error[:100]}"


def run(command):
    return _runner.run(command, TIMEOUT_S)


class Explained:
    """An entry of survivors.txt: a pattern of mutants, how many of them survive, and why."""

    def __init__(self, line):
        self.pattern, count, self.reason = line.split("; ", 2)
        self.count, self.found = int(count), 0

    def fits(self, name):
        return fnmatch.fnmatchcase(name, self.pattern)


def report(outcomes, is_all, lists):
    """Prints the outcomes by mutant, and returns the exit code. Of all mutants as many survive as are explained; of a sample
    no more."""
    known = [Explained(line) for line in SURVIVORS.read_text().splitlines() if line and not line.startswith("#")]
    wrong, counts = [], {}
    for name, outcome in outcomes.items():
        entry = next((each for each in known if each.fits(name)), None) if outcome == "survives" else None
        if entry and entry.found < entry.count:
            entry.found += 1
            outcome = f"survives, explained; {entry.reason}"
        elif outcome == "survives" or outcome.startswith(("kills", "is refused")):
            wrong.append(f"{name}: {outcome}")
            outcome = "wrong"
        kind = outcome.split(";")[0]
        counts[kind] = counts.get(kind, 0) + 1
        if lists or kind == "survives, explained":
            print(f"{name}: {outcome}")
    wrong += [f"survivors.txt lists {each.count} of {each.pattern}; {each.found} survive" for each in known
              if is_all and each.found < each.count]
    for each in wrong:
        print(f"wrong: {each}")
    print(f"{len(outcomes)} mutants: " + "; ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    return 1 if wrong or not outcomes else 0


def programs(given):
    if given:
        return given
    return sorted((TESTS / "programs").glob("*/program.mlir")) + sorted((TESTS / "exec").glob("*.mlir"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for tool in ("opt", "run"):
        parser.add_argument(f"--{tool}", required=True, help=f"the spmd-{tool} to test")
    parser.add_argument("--work", required=True, type=pathlib.Path, help="where programs go")
    parser.add_argument("--as", dest="element", help="the type that takes the place of f32")
    parser.add_argument("--sample", type=int, help="how many mutants are run (default all)")
    parser.add_argument("--seed", type=int, default=0, help="draws the sample")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="print what becomes of each mutant")
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    subjects = [Subject(path, arguments) for path in programs(arguments.programs)]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        ready = list(pool.map(Subject.prepare, subjects))
        subjects = [subject for subject, is_ready in zip(subjects, ready) if is_ready]
        chosen = [(subject, number) for subject in subjects for number in range(len(subject.mutants))]
        count = len(chosen)
        print(f"{count} mutants of {len(subjects)} programs; seed {arguments.seed}")
        if arguments.sample and arguments.sample < len(chosen):
            chosen = random.Random(arguments.seed).sample(chosen, arguments.sample)
        outcomes = list(pool.map(lambda each: each[0].judge(each[1]), chosen))
    names = [f"{subject.name}: {subject.mutants[number].name}" for subject, number in chosen]
    is_all = not arguments.programs and not arguments.element and len(outcomes) == count
    return report(dict(zip(names, outcomes)), is_all, arguments.list)


if __name__ == "__main__":
    sys.exit(main())
