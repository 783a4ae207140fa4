#!/usr/bin/env python3
"""Compares what `conflicts=shardy` finds with what Shardy found, value by value.

    shardy.py [--list] [--hlo] [NAME...] SPMD_OPT FOLDER

For each FOLDER/xla/NAME/propagated.mlir, the program FOLDER/NAME/program.mlir after Shardy's propagation, runs propagation
on the latter; with --hlo on FOLDER/NAME/program.hlo.txt, the same as HLO, which is nearer to what Shardy saw. Values are
matched from the results of @main backwards, through calls: the two programs differ in text, as the one went through HLO.
Functions are inlined there, equal ops merged, chlo ops expanded. Prints per program how many values (of rank 1 and more)
match, how many of these have the same sharding, how many of Shardy's have no match, and the first that differ; with --list
all of them.

Two shardings are the same if they split each dim along the same axes in the same order, and leave the same sums open.
Whether a dim could take more does not count: Shardy closes all dims at the end.
"""

import pathlib
import re
import subprocess
import sys

import generic_form

# Ops that the way through HLO spells otherwise.
ALIASES = {
    "stablehlo.dot": "stablehlo.dot_general",
    "sdy.constant": "stablehlo.constant",
    "sdy.reshard": "sdy.sharding_constraint",
    "sdy.return": "stablehlo.return",
    "stablehlo.if": "stablehlo.case",
}
COMMUTATIVE = {
    f"stablehlo.{name}" for name in ("add", "multiply", "and", "or", "xor", "maximum", "minimum", "compare")
}
# Ops whose regions compute with whole tensors.
FLOWS = ("stablehlo.while", "stablehlo.case", "stablehlo.if", "sdy.manual_computation")
AXES = re.compile(r'"([^"]+)"(?::\((\d+)\)(\d+))?')
SHOWN = 3


def canonical(op):
    return ALIASES.get(op.name, op.name)


def is_manual_argument(value):
    return value.block is not None and value.block.op.name == "sdy.manual_computation"


def loop_of(value):
    owner = value.op or value.block.op
    return owner if owner.name == "stablehlo.while" else None


def is_invariant(loop, number):
    """Whether a loop carries a value around that it never changes: such a value is taken out of the loop on the way."""
    carried = loop.regions[1][0].ops[-1].operands[number]
    return carried is loop.regions[1][0].arguments[number]


def carries(loop):
    """The numbers of the values that a loop changes."""
    return [number for number in range(len(loop.operands)) if not is_invariant(loop, number)]


class Program:
    """A module, and where its calls lead."""

    def __init__(self, module):
        self.functions = {}
        self.sizes = {}
        for op in module.regions[0][0].ops:
            if op.name == "func.func":
                self.functions[op.attributes["sym_name"].strip('"')] = op
            if op.name == "sdy.mesh":
                axes = dict(re.findall(r'"([^"]+)"=(\d+)', op.attributes["mesh"]))
                self.sizes[op.attributes["sym_name"].strip('"')] = {name: int(size) for name, size in axes.items()}
        self.main = self.functions["main"]

    def resolve(self, value):
        """Returns what a (calls around it, value) stands for: no result of a call, no argument of what is called."""
        calls, value = value
        while True:
            if value.op and value.op.name == "func.call":
                callee = self.functions[value.op.attributes["callee"].strip('@"')]
                calls, value = calls + (value.op,), callee.regions[0][0].ops[-1].operands[value.number]
            elif value.block and value.block.op.name == "func.func" and calls:
                calls, value = calls[:-1], calls[-1].operands[value.number]
            elif (loop := loop_of(value)) and is_invariant(loop, value.number):
                value = loop.operands[value.number]
            else:
                return calls, value

    def sharding(self, value):
        """Returns the sharding of a value in one spelling, "" where nothing splits it."""
        return normal(sharding_text(value), manual_axes(value), self.sizes)

    def same(self, mine, theirs):
        """Whether two shardings in that spelling are one; meshes may differ in their names and axes."""
        return mine == theirs or (bool(mine) and bool(theirs) and self.strides(mine) == self.strides(theirs))

    def strides(self, sharding):
        """Returns the dims of `@mesh [x y|z]` as lists of (stride, size) in the order of devices."""
        mesh, _, dims = sharding.partition(" ")
        sizes = self.sizes[mesh.strip("@")]
        dims = re.split(r"\||sums", dims.replace("[", "").replace("]", ""))
        return [self.merge(sizes, each.split()) for each in dims]

    @staticmethod
    def merge(sizes, axes):
        merged = []
        for axis in axes:
            name, _, part = axis.partition(":")
            stride = 1
            for other in list(sizes)[list(sizes).index(name) + 1 :]:
                stride *= sizes[other]
            size = sizes[name]
            if part:
                pre, _, size = part.strip("(").partition(")")
                stride, size = stride * sizes[name] // (int(pre) * int(size)), int(size)
            if merged and merged[-1][0] == stride * size:
                merged[-1] = (stride, size * merged[-1][1])
            else:
                merged.append((stride, size))
        return merged


def manual_axes(value):
    """The axes that are manual inside the op whose region `value` is an argument of; its shardings name them, too."""
    if value.block and value.block.op.name == "sdy.manual_computation":
        return set(re.findall(r'"([^"]+)"', value.block.op.attributes["manual_axes"]))
    return set()


def sharding_text(value):
    owner = value.op or value.block.op
    attributes = owner.attributes
    if owner.name in ("sdy.reshard", "sdy.sharding_constraint"):
        return attributes["sharding"]
    if owner.name == "sdy.manual_computation":
        listed = attributes["out_shardings" if value.op else "in_shardings"]
        return nth(listed, value.number)
    if owner.name == "func.func":
        if "arg_attrs" not in attributes:
            return ""
        each = generic_form.split_list(attributes["arg_attrs"][1:-1])[value.number]
        return generic_form.dictionary(each[1:-1]).get("sdy.sharding", "")
    return nth(attributes.get("sdy.sharding", ""), value.number)


def nth(per_value, number):
    """Returns the sharding of one value out of `#sdy.sharding_per_value<[<..>, <..>]>`."""
    if not per_value:
        return ""
    listed = generic_form.split_list(per_value[per_value.index("[") + 1 : per_value.rindex("]")])
    return listed[number]


def normal(text, without, sizes):
    """Returns `@mesh [x y|z]` for `#sdy.sharding<@mesh, [{"x", "y"}, {"z", ?}]>`, "" if it splits nothing.

    Axes in `without` are left out, as are those that are only kept from use.
    """
    if not text:
        return ""
    mesh, dims, *rest = generic_form.split_list(text[text.index("<") + 1 : text.rindex(">")])
    held = sizes.get(mesh.strip("@"), {})
    spelled = []
    for dim in generic_form.split_list(dims[1:-1]) + [each for each in rest if each.startswith("unreduced")]:
        axes = [axis for axis in AXES.findall(dim) if axis[0] not in without]
        spelled.append(" ".join(spell(name, pre, size, held) for name, pre, size in axes))
    while len(spelled) > dims.count("{"):
        if spelled[-1]:
            return f"{mesh} [{'|'.join(spelled[:-1])}] sums {spelled[-1]}"
        spelled.pop()
    return f"{mesh} [{'|'.join(spelled)}]" if any(spelled) else ""


def spell(name, pre, size, held):
    return name if not size or int(size) == held.get(name) else f"{name}:({pre}){size}"


def adds_nothing(op):
    """Whether an op adds zeros to its first operand."""
    return op.name == "stablehlo.add" and is_zero(op.operands[1])


def is_zero(value):
    op = value.op
    if op and op.name == "stablehlo.broadcast_in_dim":
        op = op.operands[0].op
    return bool(op) and re.match(r"dense<[0.]+(e\+00)?>", op.attributes.get("value", "")) is not None


def is_left_out(op, partner):
    """Whether an op does nothing to a value, and its partner is another op: it came or went on the way."""
    if adds_nothing(op) and not (partner.op and adds_nothing(partner.op)):
        return True
    if partner.op and partner.op.name == op.name and partner.type == op.results[0].type:
        return False
    if op.name == "stablehlo.optimization_barrier":
        return True
    takes_all = op.name == "stablehlo.broadcast_in_dim"
    return takes_all and (op.operands[0].type == op.results[0].type or partner.type == op.operands[0].type)


class Matcher:
    """Walks two programs from the results of @main backwards, as long as their ops agree."""

    def __init__(self, ours, theirs):
        self.ours, self.theirs = ours, theirs
        self.pairs = {}  # (calls, value of ours) -> values of theirs: several, where constants were copied
        self.work = []
        self.unlike = []  # (calls, value of ours), value of theirs

    def run(self):
        self.push_all(self.ends(self.ours.main, ()), [value for _, value in self.ends(self.theirs.main, ())])
        for one, other in zip(self.ours.main.regions[0][0].arguments, self.theirs.main.regions[0][0].arguments):
            self.pair(((), one), other)
        while self.work:
            self.visit(*self.work.pop())
        return self

    def pair(self, mine, other):
        if not self.is_paired(mine, other):
            self.pairs.setdefault(mine, []).append(other)

    def is_paired(self, mine, other):
        return any(each is other for each in self.pairs.get(mine, ()))

    @staticmethod
    def ends(op, calls, region=0):
        return [(calls, value) for value in op.regions[region][-1].ops[-1].operands]

    def push_all(self, ours, theirs):
        self.work.extend(reversed(list(zip(ours, theirs))))

    def visit(self, mine, other):
        mine = self.ours.resolve(mine)
        calls, value = mine
        if self.is_paired(mine, other):
            return
        if other.op and is_left_out(other.op, value):
            return self.work.append((mine, other.op.operands[other.number]))
        if value.op and is_left_out(value.op, other):
            return self.work.append(((calls, value.op.operands[value.number]), other))
        one, two = (value.op and canonical(value.op)), (other.op and canonical(other.op))
        if one != two and one == "sdy.sharding_constraint":
            return self.work.append(((calls, value.op.operands[0]), other))
        if one != two and two == "sdy.sharding_constraint":
            return self.work.append((mine, other.op.operands[0]))
        if one == two == "stablehlo.while":
            return self.visit_loop(calls, value, other)
        if value.op and other.op and value.type == other.type and self.only_adds_ones(value.op, other.op):
            self.pair(mine, other)
            return self.push_all([(calls, value.op.operands[0])], other.op.operands)
        if one == "chlo.square" and two == "stablehlo.multiply" and other.op.operands[0] is other.op.operands[1]:
            self.pair(mine, other)
            return self.push_all([(calls, value.op.operands[0])], other.op.operands[:1])
        number = other.number if is_manual_argument(value) and is_manual_argument(other) else value.number
        if one != two or number != other.number or value.type != other.type:
            self.unlike.append((mine, other))
            return
        self.pair(mine, other)
        if not value.op:
            if number != value.number:  # Operands of manual computations that are the same become one.
                self.push_all([(calls, value.block.op.operands[value.number])], [other.block.op.operands[number]])
            return
        if len(value.op.operands) != len(other.op.operands):
            return self.visit_regions(calls, value, other)
        self.push_all(*self.operands(calls, value.op, other.op))
        if len(value.op.results) > 1:
            for a, b in zip(value.op.results, other.op.results):
                if a.type == b.type:
                    self.pair((calls, a), b)
        if one in ("stablehlo.case", "sdy.manual_computation"):
            self.visit_regions(calls, value, other)

    def visit_regions(self, calls, value, other):
        for region, (a, b) in enumerate(zip(value.op.regions, other.op.regions)):
            if len(a[0].arguments) == len(b[0].arguments):
                for x, y in zip(a[0].arguments, b[0].arguments):
                    self.pair((calls, x), y)
            self.push_all(self.ends(value.op, calls, region), [v for _, v in self.ends(other.op, (), region)])

    def visit_loop(self, calls, value, other):
        """Loops agree in what they change, in order."""
        mine, theirs = carries(value.op), carries(other.op)
        if len(mine) != len(theirs):
            self.unlike.append(((calls, value), other))
            return
        for a, b in zip(mine, theirs):
            self.pair((calls, value.op.results[a]), other.op.results[b])
            for region in (0, 1):
                self.pair((calls, value.op.regions[region][0].arguments[a]), other.op.regions[region][0].arguments[b])
        self.push_all([(calls, value.op.operands[a]) for a in mine], [other.op.operands[b] for b in theirs])
        self.push_all(self.ends(value.op, calls), [v for _, v in self.ends(other.op, ())])
        after, there = self.ends(value.op, calls, 1), self.ends(other.op, (), 1)
        self.push_all([after[a] for a in mine], [there[b][1] for b in theirs])

    @staticmethod
    def only_adds_ones(one, other):
        """A broadcast that adds dims of size 1 alone is a reshape on the other side."""
        return (
            one.name == "stablehlo.broadcast_in_dim"
            and other.name == "stablehlo.reshape"
            and sizes_over_one(one.results[0].type) == sizes_over_one(one.operands[0].type)
        )

    def operands(self, calls, one, other):
        """Pairs the operands of two ops alike. Constants go to the right on the way, and a broadcast of a dim of size
        1 becomes a reshape without it and a broadcast."""
        mine, theirs = [(calls, each) for each in one.operands], list(other.operands)
        if one.name in COMMUTATIVE and len(theirs) == 2:
            straight = self.likeness(mine[0], theirs[0]) + self.likeness(mine[1], theirs[1])
            crossed = self.likeness(mine[0], theirs[1]) + self.likeness(mine[1], theirs[0])
            if crossed > straight:
                theirs.reverse()
        maker = theirs[0].op if theirs else None
        if one.name == "stablehlo.broadcast_in_dim" and maker and maker.name == "stablehlo.reshape":
            if self.ours.resolve(mine[0])[1].type != theirs[0].type == maker.results[0].type:
                theirs = [maker.operands[0]]
        return mine, theirs

    def likeness(self, mine, other, depth=4):
        calls, value = self.ours.resolve(mine)
        if mine in self.pairs:
            return 3**depth if self.is_paired(mine, other) else 0
        while value.op and canonical(value.op) == "sdy.sharding_constraint":
            calls, value = self.ours.resolve((calls, value.op.operands[0]))
        while other.op and canonical(other.op) == "sdy.sharding_constraint":
            other = other.op.operands[0]
        if value.type != other.type or (value.op is None) != (other.op is None):
            return 0
        if value.op is None:
            return 3**depth * (value.number == other.number)
        if canonical(value.op) != canonical(other.op) and not self.only_adds_ones(value.op, other.op):
            return 0
        if depth == 0:
            return 1
        below = [self.likeness((calls, a), b, depth - 1) for a, b in zip(value.op.operands, other.op.operands)]
        return 1 + (sum(below) / len(below) * 2 if below else 3**depth - 1)


def values_of(op):
    """All tensors of rank 1 and more in an op's regions, but for the bodies of reducers."""
    for region in op.regions:
        for block in region:
            yield from (value for value in block.arguments if is_ranked(value))
            for each in block.ops:
                yield from (value for value in each.results if is_ranked(value))
                if each.name in FLOWS:
                    yield from values_of(each)


def sizes_over_one(type_):
    return [size for size in re.findall(r"(\d+)x", type_) if size != "1"]


def is_ranked(value):
    return re.match(r"tensor<\d", value.type) is not None


def load(tool, path, *passes):
    return parse(tool, path.read_text(), path, *passes)


def parse(tool, text, path, *passes):
    """Returns the program in `text`, from file `path`, after some passes."""
    # Of the dialect that the two ops went through.
    text = re.sub(r"mhlo\.erf (.*) : (tensor<.*>)\n", r"chlo.erf \1 : \2 -> \2\n", text)
    text = text.replace("mhlo.topk(", "chlo.top_k(")
    command = [tool, path if path.suffix == ".txt" else "-", "--mlir-print-op-generic", *passes]
    run = subprocess.run(command, input=text, capture_output=True, text=True)
    if run.returncode:
        raise ValueError(f"{path}: {run.stderr.strip()[:300]}")
    return Program(generic_form.read(run.stdout))


def describe(value):
    name = value.op.name if value.op else f"argument {value.number} of {value.block.op.name}"
    return f"{name} {value.type}" + (f" result {value.number}" if value.op and len(value.op.results) > 1 else "")


def compare(tool, folder, name, form, shown):
    theirs = load(tool, folder / "xla" / name / "propagated.mlir")
    ours = load(tool, folder / name / form, "--spmd-propagate=conflicts=shardy on-missing=replicate")
    matcher = Matcher(ours, theirs).run()
    same, different = 0, []
    for (_, value), others in matcher.pairs.items():
        for other in others if is_ranked(value) else []:
            a, b = ours.sharding(value), theirs.sharding(other)
            if ours.same(a, b):
                same += 1
            else:
                different.append(f"    {describe(value)}: {a or '-'}, Shardy {b or '-'}")
    matched = {id(other) for others in matcher.pairs.values() for other in others}
    unmatched = sum(id(value) not in matched for value in values_of(theirs.main))
    counts = [same + len(different), same, unmatched]
    print(line(name, counts), *different[:shown], sep="\n")
    return counts


def line(name, counts):
    total, same, unmatched = counts
    return f"{name:24} {total:6} {same:6} {total - same:5} {unmatched:9}   {100 * same / max(total, 1):5.1f}%"


def main():
    arguments = sys.argv[1:]
    shown = 10**9 if "--list" in arguments else SHOWN
    form = "program.hlo.txt" if "--hlo" in arguments else "program.mlir"
    arguments = [each for each in arguments if not each.startswith("--")]
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    *names, tool, folder = arguments
    folder = pathlib.Path(folder)
    names = names or sorted(path.parent.name for path in folder.glob("xla/*/propagated.mlir"))
    print(f"{'program':24} {'values':>6} {'same':>6} {'other':>5} {'unmatched':>9}")
    totals = [0, 0, 0]
    for name in names:
        counts = compare(tool, folder, name, form, shown)
        totals = [a + b for a, b in zip(totals, counts)]
    print(line("all", totals))
    return 0


if __name__ == "__main__":
    sys.exit(main())
