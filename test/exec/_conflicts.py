"""Whether anything was left to decide when a program was propagated, as the tools tell it."""

import collections
import json
import math
import re

from _annotations import INFERRED

RESULT = re.compile(r"\s+(%\w+)(?::(\d+))? = ")
HEADER = re.compile(r"func\.func (?:public |private )?@(\w+)\((.*)")
LOST = {"used", "differs"}


def values_of(text):
    """Returns the names of the values of a printed program, each with its function before it."""
    names, function = [], None
    for line in text.splitlines():
        header, result = HEADER.search(line), RESULT.match(line)
        if header:
            function = header.group(1)
            names += [f"@{function}:arg:{i}" for i in range(len(re.findall(r"%arg\d+: ", header.group(2))))]
        elif result:
            name, count = result.groups()
            names += [f"@{function}:{name}#{i}" for i in range(int(count))] if count else [f"@{function}:{name}"]
    return names


def explained(explain, text, more=(), words=""):
    """Returns what is told of all values of a printed program, and of those with the names `more`. `explain` runs the tool
    with an option; words before the names go with it. Scalars of bodies, and what is gone before propagation, it does not
    know."""
    names = values_of(text) + list(more)
    process = explain(f"--spmd-explain=format=json {words} " + " ".join("value=" + name for name in names))
    return json.loads(process.stdout)["values"]


def is_contested(told):
    """Whether an axis lost on its way to a dim of a value, or the value was decided with others."""
    for dim in told["dims"]:
        links = [link for axis in dim["axes"] for link in axis["chain"]]
        if any(link.get("won_against") or link["kind"] in ("tie", "decision") for link in links):
            return True
        if not dim["axes"] and LOST & {stop["kind"] for stop in dim.get("stops", [])}:
            return True
    return False


def are_in_two_orders(told):
    """Whether dims of one row are split along axes in two orders. That is a conflict in which nothing moves: the row is on
    the same devices."""
    found = {tuple(part for axis in dim["axes"] for part in axis["axis"].split(", "))
             for value in told for dim in value["dims"] if dim["size"] == 1}
    return any(set(a) & set(b) and a != b[:len(a)] and b != a[:len(b)] for a in found for b in found)


def may_be_idle(told, text):
    """Whether what is pinned leaves half of the devices or more without rows somewhere. Then it is decided whether the axes are
    followed at all, though nothing else wants them, and nobody tells of it where they are."""
    sizes = collections.Counter()
    for name, size in re.findall(r'"(\w+)"=(\d+)', text):
        sizes[name] = max(sizes[name], int(size))
    for value in told:
        for dim in value["dims"] if value["state"] == "pinned" else ():
            parts = re.findall(r'"(\w+)"(?::\(\d+\)(\d+))?', ", ".join(axis["axis"] for axis in dim["axes"]))
            if parts and 2 * dim["size"] <= math.prod(int(part or sizes[name]) for name, part in parts):
                return True
    return False


def moves(resharded):
    """Whether a value that no sum is left of is brought from one sharding to another."""
    made = {}
    for line in resharded.splitlines():
        result = RESULT.match(line)
        if result:
            made[result.group(1)] = line
        moved = re.search(r"= sdy\.reshard (%\w+)", line)
        if moved and "unreduced" not in made.get(moved.group(1), ""):
            return True
    return False


def ops_in(text):
    """Returns how often each op of a printed program stands in it, whatever its values are called and however they lie."""
    found = collections.Counter()
    for line in text.splitlines():
        if RESULT.match(line) and " = sdy.reshard " not in line:
            line = re.sub(r"sdy\.sharding = #sdy\.sharding(?:_per_value)?<.*?>(?:\]>)?, spmd\.inferred|[{}]", "", line)
            found[re.sub(r"%\w+(?:#\d+)?|\s", "", line)] += 1
    return found


def has_conflict(files, printed, propagated):
    """Whether propagation had something to decide between the programs of these names. The ways to see it complement
    each other: nothing moves where a constant is wanted in two ways, for it is made twice; and nothing is told of two axes
    that meet on one dim after both have settled."""
    outcome = files.path(propagated).read_text()
    if re.search(r"replicated=\{[^}]*\}>(?:\]>)?, spmd\.inferred", outcome):
        return True  # A group is best off without an axis.
    files.run(propagated, "resharded", "--spmd-reshard=on-missing=replicate")
    resharded = files.path("resharded").read_text()
    if moves(resharded) or ops_in(resharded) - ops_in(outcome):
        return True
    text = files.path(printed).read_text()
    told = explained(lambda option: files.call(printed, option), text, words="alone")
    return may_be_idle(told, text) or are_in_two_orders(told) or any(map(is_contested, told))


def inferred(text):
    """Returns what was inferred and is split."""
    return [match for match in INFERRED.finditer(text) if '"' in match.group(1)]
