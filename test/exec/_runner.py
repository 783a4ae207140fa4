"""Runs many generated programs through the tools and tells which are wrong."""

import argparse
import concurrent.futures
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import threading

TIMEOUT_S = 300


def parser(description, **tools):
    """Returns the parser of a script's options; each of `tools` is an option that takes the tool of that name."""
    result = argparse.ArgumentParser(description=description.splitlines()[0])
    for option, tool in tools.items():
        result.add_argument(f"--{option}", required=True, help=f"the {tool} to test")
    result.add_argument("--work", required=True, type=pathlib.Path, help="where programs go")
    result.add_argument("--jobs", type=int, default=2)
    return result


def add_seeds(options, length):
    options.add_argument("--first", type=int, default=0, help="the first seed")
    options.add_argument("--count", type=int, default=200, help="how many programs")
    options.add_argument("--length", type=int, default=length, help="ops in each, about")


def scratch():
    """Returns a folder for files that live for one program, gone with the object. Where the system has a folder in memory,
    there: on a disk, to make and remove files takes longer than to run such a program."""
    memory = "/dev/shm"
    return tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None)


def check_in_scratch(arguments, check, case):
    """Calls `check` with a folder of this thread's own for its work. What it leaves of a wrong case goes to the folder that
    was asked for."""
    if not hasattr(local, "scratch"):
        local.scratch = scratch()
    folder = pathlib.Path(local.scratch.name)
    complaint = check(argparse.Namespace(**{**vars(arguments), "work": folder}), case)
    if complaint:
        for each in folder.iterdir():
            target = arguments.work / each.name
            shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
            shutil.move(each, target)
        complaint = complaint.replace(str(folder), str(arguments.work))
    return complaint


def check_all(arguments, check, cases):
    """Calls `check(arguments, case)` for each case, prints what it finds wrong at once, and returns how many are."""
    arguments.work.mkdir(parents=True, exist_ok=True)
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for each in pool.map(lambda case: check_in_scratch(arguments, check, case), cases):
            if each:
                print(each, flush=True)
                wrong += 1
    return wrong


def check_seeds(arguments, check, what):
    """Checks the program of each seed, and returns the exit code."""
    wrong = check_all(arguments, check, range(arguments.first, arguments.first + arguments.count))
    print(f"{arguments.count - wrong} of {arguments.count} {what}; seeds {arguments.first} to "
          f"{arguments.first + arguments.count - 1}")
    return 1 if wrong else 0


def run_seeds(description, make, length, options=("--seed={seed}",)):
    """The whole of a script that runs a program of each seed, `make(rng, length)`, with `options`. Returns the exit code."""

    def check(arguments, seed):
        path = arguments.work / f"{seed}.mlir"
        path.write_text(make(random.Random(seed), arguments.length))
        process = run([arguments.run, path, *(option.format(seed=seed) for option in options)])
        if process.returncode or "equal:        yes" not in process.stdout:
            return f"{path}: {reason(process)}"
        path.unlink()
        return None

    options_of = parser(description, run="spmd-run")
    add_seeds(options_of, length)
    return check_seeds(options_of.parse_args(), check, "programs equal")


def run(command, timeout=TIMEOUT_S):
    """Runs a command to its end, and returns its CompletedProcess. Where the tool has a twin that runs many (spmd-run-many),
    that one does, for to start a tool takes longer than most programs."""
    if not hasattr(local, "twins"):
        local.twins = {}
    tool = str(command[0])
    if tool not in local.twins:
        many = shutil.which(tool + "-many")
        local.twins[tool] = Twin(many) if many else None
    if local.twins[tool]:
        return local.twins[tool].run(command, timeout)
    return run_alone(command, timeout)


def run_alone(command, timeout=TIMEOUT_S):
    """Runs a command in a process of its own, and returns its CompletedProcess."""
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout)


# What each thread runs commands with.
local = threading.local()


class Twin:
    """A process that runs commands of one tool one after the other, each for as long as the first may take. Where one ends
    it, another takes its place."""

    def __init__(self, path):
        self.path, self.process = path, None
        self.folder = scratch()
        self.outputs = [pathlib.Path(self.folder.name) / name for name in ("out", "err")]

    def run(self, command, timeout):
        words = [*map(str, self.outputs), *map(str, command[1:])]
        if any(set("\t\n") & set(word) for word in words):
            raise ValueError(f"{command}: no word may hold a tab or an end of line")
        if not self.process:
            self.process = subprocess.Popen([self.path, str(timeout)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write("\t".join(words) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        code = int(answer) if answer else self.end()
        if code == -signal.SIGALRM:
            raise subprocess.TimeoutExpired(command, timeout)
        out, err = (path.read_text(errors="replace") for path in self.outputs)
        return subprocess.CompletedProcess(command, code, out, err)

    def end(self):
        """Lets the process end, and returns its exit code."""
        process, self.process = self.process, None
        process.stdin.close()
        process.stdout.close()
        return process.wait()

    def __del__(self):
        if self.process:
            self.end()


def message(process):
    """Returns the line that says why a tool was not content."""
    lines = [line for line in (process.stderr + process.stdout).splitlines()
             if "error:" in line or line.startswith("differs")]
    return (lines or ["no message"])[0]


def reason(process):
    """Returns in one line why a tool was not content."""
    return f"exit code {process.returncode}: {message(process)[:300]}"
