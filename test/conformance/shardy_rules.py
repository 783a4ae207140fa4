#!/usr/bin/env python3
"""Compares our sharding rules with Shardy's, op by op.

    shardy_rules.py SPMD_OPT FOLDER

Each FOLDER/xla/NAME/propagated.mlir has Shardy's rule on every op. Drops these, has `--spmd-write-rules` write ours, and
counts how many are letter for letter the same; then prints the ops with the most that are not, with an example each. Bodies
of reducers, which run on single elements, are left out.
"""

import collections
import pathlib
import sys

import generic_form
import shardy

RULE = "sdy.sharding_rule"


def ops_of(op):
    """The ops in an op's regions, as the compiler sees them."""
    for region in op.regions:
        for block in region:
            for each in block.ops:
                yield each
                if each.name in shardy.FLOWS:
                    yield from ops_of(each)


def rules(program):
    return [(op, op.attributes.get(RULE, "none")) for op in ops_of(program.main)]


def without_rules(text):
    """Returns a module without its rules, in any form."""
    while (start := text.find(RULE + " = ")) >= 0:
        end = generic_form.skip_group(text, text.index("<", start))
        if text[end : end + 2] == ", ":
            end += 2
        elif text[start - 2 : start] == ", ":
            start -= 2
        text = text[:start] + text[end:]
    return text


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    same, unlike, examples = 0, collections.Counter(), {}
    for path in sorted(folder.glob("xla/*/propagated.mlir")):
        text = path.read_text()
        theirs = rules(shardy.parse(tool, text, path))
        ours = rules(shardy.parse(tool, without_rules(text), path, "--spmd-write-rules"))
        for (op, one), (_, other) in zip(theirs, ours):
            if one == other:
                same += one != "none"
            else:
                unlike[op.name] += 1
                examples.setdefault(op.name, (path.parent.name, one, other))
    print(f"{same} of {same + unlike.total()} rules are the same")
    for name, count in unlike.most_common():
        program, one, other = examples[name]
        print(f"{count:6} {name}, in {program}\n       Shardy {one}\n       ours   {other}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
