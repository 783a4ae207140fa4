"""Runs many generated programs through the tools and tells which are wrong."""

import argparse
import concurrent.futures
import pathlib
import subprocess

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


def check_all(arguments, check, cases):
    """Calls `check(arguments, case)` for each case, prints what it finds wrong at once, and returns how many are."""
    arguments.work.mkdir(parents=True, exist_ok=True)
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for each in pool.map(lambda case: check(arguments, case), cases):
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


def run(command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT_S)


def message(process):
    """Returns the line that says why a tool was not content."""
    lines = [line for line in (process.stderr + process.stdout).splitlines()
             if "error:" in line or line.startswith("differs")]
    return (lines or ["no message"])[0]


def reason(process):
    """Returns in one line why a tool was not content."""
    return f"exit code {process.returncode}: {message(process)[:300]}"
