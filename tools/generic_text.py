"""Ops of a module printed in generic form: where each stands in the text, what it takes and makes."""

import re

OP = re.compile(r'^( *)(?:(%[\w$.-]+)(?::(\d+))? = )?"([\w.$-]+)"\((.*?)\)(.*)$')
GROUPS = re.compile(r"(replica_groups|source_target_pairs) = dense<(.*?)> : tensor<(\d+)x(\d+)xi64>")
TENSOR = re.compile(r"tensor<((?:\d+x)*)([^<>]+|complex<\w+>|!quant[^>]*>)>$")


class Op:
    """Lines [first, last] of a text."""

    def __init__(self, match, first, last, lines):
        self.indent, self.result, count, self.name, operands, rest = match.groups()
        self.first, self.last = first, last
        self.count = int(count or 1) if self.result else 0
        self.operands = [each.strip() for each in operands.split(",") if each.strip()]
        self.has_region = last > first
        self.header, self.inside = rest, lines[first + 1:last]
        end = lines[last] if self.has_region else rest
        before, _, signature = end.rpartition(" : (")
        takes, _, makes = signature.partition(") -> ")
        self.takes = split_types(takes)
        self.makes = split_types(makes[1:-1] if makes.startswith("(") else makes)

    @property
    def results(self):
        return [self.result] if self.count == 1 else [f"{self.result}#{i}" for i in range(self.count)]

    def number(self, attribute):
        return int(re.search(rf"\b{attribute} = (\d+)", self.header).group(1))

    def groups(self):
        """Returns the rows of groups or pairs."""
        _, text, rows, columns = GROUPS.search(self.header).groups()
        numbers = [int(each) for each in re.findall(r"-?\d+", text)]
        columns = int(columns)
        if len(numbers) == 1:
            numbers *= int(rows) * columns
        return [numbers[i:i + columns] for i in range(0, len(numbers), columns)]

    def text(self, lines):
        return lines[self.first:self.last + 1]

    def group_size(self):
        return int(GROUPS.search(self.header).group(4))

    def regions(self, lines):
        """Returns where the lines of each region begin and end."""
        if not self.has_region:
            return []
        cuts = [i for i in range(self.first + 1, self.last) if lines[i].startswith(self.indent + "}, {")]
        return list(zip([self.first + 1] + [cut + 1 for cut in cuts], cuts + [self.last]))

    def with_groups(self, lines, rows):
        """Returns the op's lines with other groups or pairs."""
        dense = f"dense<{rows}> : tensor<{len(rows)}x{len(rows[0])}xi64>"
        first = GROUPS.sub(lambda match: f"{match.group(1)} = {dense}", lines[self.first], count=1)
        return [first] + lines[self.first + 1:self.last + 1]


def split_types(text):
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += letter in "<(["
        depth -= letter in ">)]" and text[i - 1] != "-"
        if letter == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return parts + [text[start:].strip()] if text.strip() else []


def shape_of(tensor):
    match = TENSOR.match(tensor)
    return [int(size) for size in match.group(1).split("x")[:-1]], match.group(2)


def type_of(shape, element):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def op_at(lines, first):
    """Returns the op that begins in a line, if one does."""
    match = OP.match(lines[first])
    if not match:
        return None
    last = first
    if lines[first].endswith("({"):
        end = match.group(1) + "})"
        while not lines[last].startswith(end):
            last += 1
    return Op(match, first, last, lines)


def ops_of(lines):
    """Yields the ops, those in regions after the one that holds them."""
    return filter(None, (op_at(lines, first) for first in range(len(lines))))


def top_ops(lines, first, last):
    """Yields the ops of lines [first, last), without those in their regions."""
    while first < last:
        op = op_at(lines, first)
        if op:
            yield op
        first = op.last + 1 if op else first + 1
