"""Writes what `--spmd-explain` says to write into printed programs."""

import re

from random_laws import Broken

ATTRIBUTES = (r" \{(?P<before>jax\.buffer_donor = true)?(?:, )?(?:sdy\.sharding = #sdy\.sharding<(?:(?!>[,}]).)*>)?(?:, )?"
              r"(?P<behind>tf\.aliasing_output = \d+ : i32)?\}")
TYPE = r"tensor<(?:[^<>]|<[^<>]*>)*>"
LISTED = r"=\[(?:(?!>\]).)*>\]"  # =[<..>, <..>]


def function_of(text, name):
    """Returns where a function begins and ends."""
    begin = re.search(rf"^ *func\.func (?:public |private )?@{re.escape(name)}\(", text, re.M).start()
    return begin, re.compile(r"^  \}$", re.M).search(text, begin).end()


def line_number(location):
    return int(re.search(r":(\d+):\d+$", location).group(1)) - 1


def end_of_op(lines, at):
    """Returns the line behind an op that begins in a line: a region ends as deep as the op stands."""
    indent = re.match(r" *", lines[at]).group()
    is_short = not lines[at].rstrip().endswith("{") and not lines[at + 1].startswith((indent + " ", indent + "cond {"))
    if is_short:
        return at + 1
    for i in range(at + 1, len(lines)):
        if re.match(rf"{indent}\}}(?! do \{{|, \{{)", lines[i]):
            return i + 1
    raise Broken("an op does not end")


def end_of_scope(lines, at, behind):
    """Returns the line behind the region in which an op begins in a line: behind it the name may be another value's."""
    depth = len(re.match(r" *", lines[at]).group())
    return next((i for i in range(behind, len(lines)) if lines[i].strip() and len(re.match(r" *", lines[i]).group()) < depth),
                len(lines))


def depths(line):
    """Yields each position of a line, and how many brackets stand open before it."""
    depth = 0
    for i, char in enumerate(line):
        depth -= char in ")]}>" and line[i - 1:i + 1] != "->"
        yield i, depth
        depth += char in "([{<"


def with_attribute(lines, at, attribute):
    """Returns the lines with an attribute more at the op that begins in one: before its type, or in place of the one that
    says the same."""
    replaced, count = re.subn(r"sdy\.sharding = #sdy\.sharding_per_value<\[(?:(?!>\]>).)*>\]>", lambda _: attribute, lines[at])
    if count:
        return lines[:at] + [replaced] + lines[at + 1:]
    if re.search(r" = stablehlo\.while\(", lines[at]):
        return lines[:at + 1] + [f"{re.match(' *', lines[at]).group()} attributes {{{attribute}}}"] + lines[at + 1:]
    barrier = re.match(r"(.* = stablehlo\.optimization_barrier)( %.*)", lines[at])
    if barrier:
        return lines[:at] + [f"{barrier.group(1)} {{{attribute}}}{barrier.group(2)}"] + lines[at + 1:]
    last = end_of_op(lines, at) - 1
    if lines[last].strip() == "}":  # The type is in front of the region.
        last = at
    line = lines[last]
    colons = [i for i, depth in depths(line) if depth <= 0 and line[i:i + 3] == " : "]
    if not colons:
        raise Broken(f"no place for an attribute: {line}")
    before, behind = line[:colons[-1]], line[colons[-1]:]
    with_more = f"{before[:-1]}, {attribute}}}" if re.search(r"(?<![<])\{[^{}]* = .*\}$", before) else f"{before} {{{attribute}}}"
    return lines[:last] + [with_more + behind] + lines[last + 1:]


def with_result(function, line):
    """Returns a function whose result has an attribute."""
    said, index = re.match(r"(.*) as result (\d+) of @", line).groups()
    head, rest = function.split("\n", 1)
    arrow = max(i for i, depth in depths(head) if depth == 0 and head[i:i + 4] == " -> ") + 4
    results = head[arrow:-2]
    if not results.startswith("("):
        return f"{head[:arrow]}({said}) {{\n{rest}"
    parts, begin = [], 1
    for i, depth in depths(results):
        if (results[i] == "," and depth == 1) or i == len(results) - 1:
            parts.append(results[begin:i].strip())
            begin = i + 1
    parts[int(index)] = said
    return f"{head[:arrow]}({', '.join(parts)}) {{\n{rest}"


def with_donation(line, donation):
    return line.replace("{sdy.sharding", f"{{{donation}, sdy.sharding", 1) if donation else line


def with_argument(function, line):
    """Returns a function whose argument has an attribute."""
    name = line.split(":")[0]
    function, count = re.subn(rf"{re.escape(name)}: {TYPE}(?:{ATTRIBUTES})?",
                              lambda match: with_donation(line, match["before"] or match["behind"]), function, count=1)
    if not count:
        raise Broken(f"{name} is no argument")
    return function


def with_line(lines, at, line):
    """Returns the lines of a function with one said of the op that begins in line `at`."""
    if line.startswith("{"):
        return with_attribute(lines, at, re.match(r"\{(.*)\} at", line).group(1))
    listed = re.match(r"(\w+)=(.*) at", line)
    if listed:
        replaced, count = re.subn(rf"\b{listed.group(1)}{LISTED}", lambda _: f"{listed.group(1)}={listed.group(2)}", lines[at])
        if not count:
            raise Broken(f"no {listed.group(1)}: {lines[at]}")
        return lines[:at] + [replaced] + lines[at + 1:]
    behind = re.match(r"%split = \S+ (%[\w#]+) ", line)
    if not behind:
        return lines[:at] + [re.match(" *", lines[at]).group() + line] + lines[at + 1:]
    end = end_of_op(lines, at)
    last = end_of_scope(lines, at, end)
    inside = re.sub(rf"{re.escape(behind.group(1))}(?![\w#])", "%split", "\n".join(lines[end:last]))
    return lines[:end] + [line] + inside.split("\n") + lines[last:]


def followed(text, value, dim):
    """Returns the program with the lines of some advice."""
    begin, end = function_of(text, value["function"])
    function, line = text[begin:end], dim["write"]
    first = text[:begin].count("\n")
    for also in dim.get("also_write", []):
        lines = function.split("\n")
        lines[line_number(also["location"]) - first] = also["write"]
        function = "\n".join(lines)
    if " as result " in line:
        function = with_result(function, line)
    elif re.match(r"%\w+: ", line):
        function = with_argument(function, line)
    else:
        function = "\n".join(with_line(function.split("\n"), line_number(value["location"]) - first, line))
    return text[:begin] + function + text[end:]
