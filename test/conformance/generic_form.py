"""Reads a module in MLIR's generic form, as far as comparing programs takes: ops, values, regions and attributes as text.

    module = read(text)

An `Op` has its name, operands and results (`Value`s), regions (each a list of `Block`s) and attributes (name -> text).
Types and attributes stay text.
"""

import re

TOKEN = re.compile(
    r"""\s*(?:
      (?P<results>%[\w$.-]+(?::\d+)?(?:\s*,\s*%[\w$.-]+(?::\d+)?)*\s*=\s)
    | (?P<block>\^\w+)
    | (?P<name>"[^"\n]+")\(
    | (?P<close>\})
    | (?P<alias>[#!][\w$.-]+\s*=.*\n)
    | (?P<end>\Z)
    )""",
    re.VERBOSE,
)
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
OPENING, CLOSING = "([{<", ")]}>"


class Value:
    """A result of `op`, or an argument of `block`, by number."""

    def __init__(self, number, type_, op=None, block=None):
        self.number, self.type, self.op, self.block = number, type_, op, block


class Block:
    def __init__(self, op, region):
        self.op, self.region, self.arguments, self.ops = op, region, [], []


class Op:
    def __init__(self, name, parent):
        self.name, self.parent = name, parent
        self.operands, self.results, self.regions, self.attributes = [], [], [], {}


def skip_group(text, at):
    """Returns where the group of brackets that opens at `at` ends: behind its closing bracket."""
    depth = 0
    while True:
        char = text[at]
        if char == '"':
            at = STRING.match(text, at).end()
            continue
        if char == "-" and text[at + 1] == ">":
            at += 2
            continue
        depth += (char in OPENING) - (char in CLOSING)
        at += 1
        if depth == 0:
            return at


def split_list(text):
    """Returns the parts of `text` between commas that no bracket and no string holds."""
    parts, depth, start, at = [], 0, 0, 0
    while at < len(text):
        char = text[at]
        if char == '"':
            at = STRING.match(text, at).end()
            continue
        if char == "-" and text[at + 1 : at + 2] == ">":
            at += 2
            continue
        depth += (char in OPENING) - (char in CLOSING)
        if char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
        at += 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def dictionary(text):
    """Returns the entries of `{a = 1, b}` without its brackets; what has no value has an empty one."""
    entries = {}
    for part in split_list(text):
        name, _, value = part.partition(" = ")
        entries[name.strip().strip('"')] = value.strip()
    return entries


class Reader:
    def __init__(self, text):
        self.text, self.at, self.values = text, 0, [{}]

    def value(self, name):
        for scope in reversed(self.values):
            if name in scope:
                return scope[name]
        raise ValueError(f"no value {name} before {self.text[self.at : self.at + 80]!r}")

    def space(self):
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1

    def takes(self, text):
        self.space()
        found = self.text.startswith(text, self.at)
        self.at += len(text) if found else 0
        return found

    def group(self):
        """Takes a group of brackets, and returns what it holds."""
        end = skip_group(self.text, self.at)
        inside = self.text[self.at + 1 : end - 1]
        self.at = end
        return inside

    def region(self, op):
        """Takes a region, behind its opening brace, up to its closing one."""
        blocks = [Block(op, len(op.regions))]
        self.values.append({})
        while True:
            found = TOKEN.match(self.text, self.at)
            if not found:
                raise ValueError(f"cannot read {self.text[self.at : self.at + 120]!r}")
            if found["alias"]:
                self.at = found.end()
            elif found["close"] or found["end"] is not None:
                self.at = found.end()
                break
            elif found["block"]:
                self.at = found.end()
                self.block(op, blocks)
            else:
                self.op(op, blocks[-1])
        self.values.pop()
        op.regions.append(blocks)

    def block(self, op, blocks):
        if blocks[-1].ops or blocks[-1].arguments:
            blocks.append(Block(op, len(op.regions)))
        self.space()
        if self.text[self.at] == "(":
            for number, argument in enumerate(split_list(self.group())):
                name, _, type_ = argument.partition(":")
                value = Value(number, type_.strip(), block=blocks[-1])
                blocks[-1].arguments.append(value)
                self.values[-1][name.strip()] = value
        assert self.takes(":")

    def op(self, parent, block):
        found = TOKEN.match(self.text, self.at)
        names = []
        if found["results"]:
            names = [name.strip() for name in found["results"].rstrip().rstrip("=").split(",")]
            self.at = found.end()
            found = TOKEN.match(self.text, self.at)
        op = Op(found["name"].strip('"'), parent)
        self.at = found.end() - 1
        operands = split_list(self.group())
        if self.takes("["):  # Successors, which no program of these has.
            raise ValueError("a branch")
        if self.takes("<{"):
            self.at -= 1
            op.attributes.update(dictionary(self.group()))
            assert self.takes(">")
        op.operands = [self.operand(name) for name in operands]
        self.space()
        if self.text.startswith("({", self.at):
            self.at += 1
            while self.takes("{") or self.takes(", {"):
                self.region(op)
            assert self.takes(")")
        self.space()
        if self.text[self.at] == "{":
            op.attributes.update(dictionary(self.group()))
        assert self.takes(":"), self.text[self.at : self.at + 80]
        self.types(op, names)
        block.ops.append(op)

    def operand(self, name):
        base, _, number = name.partition("#")
        found = self.value(base)
        return found[int(number or 0)] if isinstance(found, list) else found

    def types(self, op, names):
        self.space()
        self.group()  # Of the operands.
        assert self.takes("->")
        self.space()
        if self.text[self.at] == "(":
            types = split_list(self.group())
        else:
            start = self.at
            end = self.text.index("\n", start) if "\n" in self.text[start:] else len(self.text)
            self.at = end
            types = [self.text[start:end].split(" loc(")[0].strip()]
        op.results = [Value(number, type_, op=op) for number, type_ in enumerate(types)]
        position = 0
        for name in names:
            base, _, count = name.partition(":")
            self.values[-1][base] = op.results[position : position + int(count or 1)]
            position += int(count or 1)


def read(text):
    """Returns the module op of `text`. ValueError if it is no generic form."""
    root = Op("", None)
    reader = Reader(text)
    reader.region(root)
    modules = [op for op in root.regions[0][0].ops if op.name == "builtin.module"]
    if len(modules) != 1:
        raise ValueError("no module")
    return modules[0]
