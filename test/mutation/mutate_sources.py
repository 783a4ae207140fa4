#!/usr/bin/env python3
"""Mutates the sources by one token each, and tells which mutants no test sees.

    mutate_sources.py N [SEED] [--under PATH...] [--list] [--json FILE] [--jobs N] [--work DIR]
    mutate_sources.py --check

SEED draws N mutants from the .cpp files of ir/, dialect/, passes/ and lowering/, or of each PATH: files by their lines of
code, then a token of the file. N may be `all`. A copy of the project is built once, with all mutants in it
(_source_sites.py); each is then switched on while the tests that reach it run, up to the first that fails. A mutant on which
tests do not end is killed, too. Prints a line for each mutant, then how many were killed, survived and did not compile.

source_survivors.txt lists survivors that change nothing that a test could see, with the reason. Exits 1 if another one
survives, or an entry of the list is stale. --check only looks for entries whose source has changed.
"""

import argparse
import json
import os
import pathlib
import random
import sys
import time

import _source_sites
from _source_copy import BuildError, Copy
from _source_tests import Tests

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ["ir", "dialect", "passes", "lowering"]
LIST = "test/mutation/source_survivors.txt"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", nargs="?", metavar="N", help="how many mutants, or `all`")
    parser.add_argument("seed", nargs="?", type=int, default=1, metavar="SEED", help="default: 1")
    parser.add_argument("--under", nargs="+", default=FOLDERS, metavar="PATH", help="files and folders to mutate")
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    parser.add_argument("--check", action="store_true", help="check the list of survivors and run nothing")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the outcomes there, too")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the project")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/mutate-sources", help="where the copy lies")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    explained = read_explained(root / LIST)
    stale = stale_entries(root, explained)
    if not arguments.check:
        if arguments.count is None or not (arguments.count == "all" or arguments.count.isdigit()):
            parser.error("N is a number or `all`")
        mutants = draw(root, arguments.under, arguments.count, arguments.seed)
        if arguments.list:
            for number, mutant in enumerate(mutants):
                print(f"{number}: {describe(root, mutant)}")
            return 0
        try:
            outcomes = judge_all(root, arguments, mutants)
        except BuildError as error:
            print(f"mutate-sources: {error}", file=sys.stderr)
            return 2
        unexplained = summarize(root, mutants, outcomes, explained, stale)
        if arguments.json:
            listed = [as_json(root, mutants[number], outcome) for number, outcome in outcomes.items()]
            arguments.json.write_text(json.dumps(listed, indent=1))
        if unexplained:
            return 1
    for message in stale:
        print(message)
    return 1 if stale else 0


# --- mutants ---------------------------------------------------------------------------------------


def sources(root, under):
    """Returns the paths of the sources in the folders, in order."""
    found = set()
    for each in under:
        path = root / each
        if not path.exists():
            sys.exit(f"mutate-sources: there is no {each}")
        found |= {path} if path.is_file() else set(path.rglob("*.cpp"))
    return [str(path.relative_to(root)) for path in sorted(found)]


def draw(root, under, count, seed):
    """Returns mutants as pairs of a path and a site."""
    texts = {path: (root / path).read_text() for path in sources(root, under)}
    sites = {path: _source_sites.sites_of(text) for path, text in texts.items()}
    everything = [(path, site) for path in sites for site in sites[path]]
    if count == "all" or int(count) >= len(everything):
        return everything
    paths = [path for path in sites if sites[path]]
    weights = [_source_sites.count_lines(texts[path]) for path in paths]
    generator, drawn = random.Random(seed), {}
    while len(drawn) < int(count):
        path = generator.choices(paths, weights)[0]
        drawn[(path, generator.choice(sites[path]))] = None
    return sorted(drawn)


def line_of(root, mutant):
    """Returns the number and the text of the line that a mutant changes; of a jump with the line before it, which says when."""
    path, site = mutant
    text = (root / path).read_text()
    number = text.count("\n", 0, site.at)
    lines = text.splitlines()
    is_jump = lines[number].split()[0].rstrip(";") in ("return", "break", "continue")
    return number + 1, " ".join(line.strip() for line in lines[number - is_jump:number + 1])


def describe(root, mutant):
    number, text = line_of(root, mutant)
    return f"{mutant[0]}:{number}: `{mutant[1].mutation}` in `{text}`"


def as_json(root, mutant, outcome):
    number, text = line_of(root, mutant)
    return {"file": mutant[0], "line": number, "text": text, "mutation": mutant[1].mutation, "outcome": outcome}


# --- outcomes --------------------------------------------------------------------------------------


def judge_all(root, arguments, mutants):
    """Returns the outcome of each mutant by its number; of those run so far where the user interrupts it."""
    start = time.monotonic()

    def report(text):
        print(f"[{time.monotonic() - start:.0f} s] {text}", flush=True)

    copy = Copy(root, arguments.work.resolve(), arguments.jobs, mutants)
    report(f"building a copy with {len(mutants)} mutants in {arguments.work}")
    apart = copy.prepare()
    tests = Tests(copy, arguments.jobs)
    report(f"{len(apart)} mutants are built alone, at the end; running all gtest binaries")
    for name in tests.measure(report):
        report(f"fails without a mutant, and is left out: {name}")
    outcomes = {}
    try:
        for number in sorted(range(len(mutants)), key=lambda number: (number in apart, number)):
            outcomes[number] = judge(copy, tests, number, number in apart)
            report(f"{len(outcomes)}/{len(mutants)} {describe(root, mutants[number])}: {outcomes[number]}")
    except KeyboardInterrupt:
        report("interrupted")
    return dict(sorted(outcomes.items()))


def judge(copy, tests, number, is_apart):
    path = copy.mutants[number][0]
    if is_apart:
        if not copy.build_alone(number):
            return "did not compile"
        killer = tests.killer_of(path, tests.seconds)
    else:
        reaching = tests.reached.get(number, set())
        if not reaching:
            return "survived: no test reaches it"
        killer = tests.killer_of(path, reaching, SPMD_MUTANT=number)
    return f"killed by {killer}" if killer else "survived"


def summarize(root, mutants, outcomes, explained, stale):
    """Prints all outcomes; returns whether a mutant survived without a reason, and adds to `stale` what was killed but is
    listed."""
    print()
    unexplained = 0
    for number, outcome in outcomes.items():
        mutant = mutants[number]
        reason = explained.get(key_of(root, mutant))
        if outcome.startswith("survived"):
            outcome += f" ({reason})" if reason else ""
            unexplained += not reason
        elif reason:
            stale.append(f"{LIST}: a test sees `{'; '.join(key_of(root, mutant))}` now; remove the entry")
        print(f"{describe(root, mutant)}: {outcome}")
    killed, survived, uncompiled = (sum(outcome.startswith(start) for outcome in outcomes.values())
                                    for start in ("killed", "survived", "did not"))
    print(f"\n{len(outcomes)} mutants, {killed} killed, {survived} survived, {uncompiled} did not compile")
    if survived:
        print(f"of those that survived {survived - unexplained} are listed with a reason")
    return unexplained > 0


# --- the list of survivors -------------------------------------------------------------------------


def key_of(root, mutant):
    return mutant[0], mutant[1].mutation, line_of(root, mutant)[1]


def read_explained(path):
    """Returns the reasons of survivors by path, mutation and line: `path; mutation; reason; line` in the file."""
    if not path.exists():
        return {}
    entries = [line.split("; ", 3) for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {(source, mutation, line): reason for source, mutation, reason, line in entries}


def stale_entries(root, explained):
    """Returns a message for each entry that fits no mutant."""
    keys = set()
    for path in {path for path, _, _ in explained}:
        if (root / path).is_file():
            keys |= {key_of(root, (path, site)) for site in _source_sites.sites_of((root / path).read_text())}
    return [f"{LIST}: `{'; '.join(key)}` is no mutant of the sources any more; remove the entry"
            for key in explained if key not in keys]


if __name__ == "__main__":
    sys.exit(main())
