#!/usr/bin/env python3
"""Counts the collectives of a partitioned program in generic form, and what one device sends.

    spmd-opt PROGRAM --spmd-pipeline --mlir-print-op-generic -o LOCAL
    tools/traffic.py LOCAL

Bytes on the wire are those of the bandwidth-optimal algorithm on a group of g devices: an all-gather sends (g-1)/g of its
result, a reduce-scatter and an all-to-all (g-1)/g of the operand, an all-reduce 2(g-1)/g, a permute and a broadcast all of
it, if any device sends to another. What is in a loop counts as often as the loop turns, if that can be read off it, else
once; each branch of a conditional counts. `spmd-run --json` counts the same on the program that it runs.
"""

import re
import sys

from generic_text import Op, shape_of, top_ops

KINDS = ("all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute", "ragged_all_to_all",
         "reduce_scatter")
BITS = {"i1": 8, "index": 64}
CONSTANT = re.compile(r"value = dense<(-?\d+)> : tensor<u?i\d+>")
CALLEE = re.compile(r'(?:callee|decomposition) = @(?:"([^"]*)"|([\w$.-]+))')


class Traffic:
    """Sums by kind of count, operand, result and wire bytes; `unknown` counts loops whose turns cannot be read off."""

    def __init__(self):
        self.kinds, self.unknown = {}, 0

    def add(self, kind, operand, result, wire, times):
        sums = self.kinds.setdefault(kind, [0, 0, 0, 0])
        for i, each in enumerate((1, operand, result, wire)):
            sums[i] += each * times

    def total(self, column):
        return sum(sums[column] for sums in self.kinds.values())

    @property
    def count(self):
        return self.total(0)

    @property
    def result_bytes(self):
        return self.total(2)

    @property
    def wire_bytes(self):
        return self.total(3)


def bytes_of(tensor):
    if not tensor.startswith("tensor<"):
        return 0
    shape, element = shape_of(tensor)
    count = 1
    for size in shape:
        count *= size
    if element in BITS:
        bits = BITS[element]
    else:
        bits = int(re.search(r"\d+", element).group()) * (2 if element.startswith("complex") else 1)
    return (count * bits + 7) // 8


def wire_bytes(kind, group, operand, result):
    if kind in ("collective_permute", "collective_broadcast"):
        return operand
    share = {"all_gather": result, "all_reduce": 2 * operand}.get(kind, operand)
    return share * (group - 1) // group


class Counter:
    def __init__(self, text):
        self.lines, self.traffic = text.splitlines(), Traffic()
        module = next(op for op in top_ops(self.lines, 0, len(self.lines)))
        functions = [op for op in top_ops(self.lines, module.first + 1, module.last) if op.name == "func.func"]
        self.functions = {re.search(r'sym_name = "([^"]+)"', op.header).group(1): op for op in functions}

    def run(self):
        self.visit_region(*self.functions["main"].regions(self.lines)[0], {}, 1)
        return self.traffic

    def visit_region(self, first, last, around, times):
        """Counts the ops of lines [first, last); `around` has what makes each value outside."""
        known = dict(around)
        for op in top_ops(self.lines, first, last):
            if op.result:
                known[op.result] = op
            self.visit(op, known, times)

    def visit(self, op, known, times):
        kind = op.name.split(".")[-1]
        if kind == "custom_call" and '"ragged_all_to_all"' in op.header:
            self.count("ragged_all_to_all", op, op.takes[:1], times)
        elif kind in KINDS:
            self.count(kind, op, op.takes, times)
        elif kind == "while":
            turns = self.turns(op, known)
            before = self.traffic.count
            for region in op.regions(self.lines):
                self.visit_region(*region, known, times * (1 if turns is None else turns))
            self.traffic.unknown += turns is None and self.traffic.count > before
        elif kind in ("call", "composite"):
            quoted, plain = CALLEE.search(op.header).groups()
            function = self.functions[quoted or plain]
            self.visit_region(*function.regions(self.lines)[0], {}, times)
        elif kind in ("if", "case", "optimization_barrier") or op.has_region:
            for region in op.regions(self.lines):
                self.visit_region(*region, known, times)

    def count(self, kind, op, takes, times):
        operand, result = sum(map(bytes_of, takes)), sum(map(bytes_of, op.makes))
        if kind == "collective_permute":
            wire = operand if any(a != b for a, b in op.groups()) else 0
        else:
            wire = wire_bytes(kind, op.group_size(), operand, result)
        self.traffic.add(kind, operand, result, wire, times)

    #===- Loops --------------------------------------------------------------===#

    def turns(self, op, known):
        """Returns how often a loop turns that counts by a constant from one to another, else None."""
        condition, body = op.regions(self.lines)
        inside, carried = self.region(*condition, known)
        returned = self.returned(*condition)
        compare = inside.get(returned[0]) if returned else None
        if not isinstance(compare, Op) or compare.name != "stablehlo.compare":
            return None
        counter, limit = compare.operands
        direction = re.search(r"comparison_direction (\w+)", compare.header).group(1)
        if counter not in carried:
            return None
        at = carried.index(counter)
        end = self.constant(limit, inside)
        if end is None and limit in carried:
            end = self.carried_constant(op, carried.index(limit), body, known)
        start, step = self.constant(op.operands[at], known), self.step(at, body, known)
        if None in (start, end, step) or not step:
            return None
        span = end - start + ((1 if step > 0 else -1) if direction in ("LE", "GE") else 0)
        return max(0, -(-span // step))

    def region(self, first, last, known):
        """Returns what makes each value in a region, and the names of its arguments."""
        inside = dict(known)
        for op in top_ops(self.lines, first, last):
            if op.result:
                inside[op.result] = op
        arguments = re.match(r" *\^\w+\((.*)\):", self.lines[first])
        return inside, re.findall(r"(%[\w$.-]+): ", arguments.group(1)) if arguments else []

    def returned(self, first, last):
        ends = [op for op in top_ops(self.lines, first, last) if op.name == "stablehlo.return"]
        return ends[-1].operands if ends else []

    def constant(self, name, known):
        op = known.get(name)
        match = CONSTANT.search(op.header) if isinstance(op, Op) and op.name == "stablehlo.constant" else None
        return int(match.group(1)) if match else None

    def carried_constant(self, op, at, body, known):
        _, carried = self.region(*body, known)
        return self.constant(op.operands[at], known) if self.returned(*body)[at] == carried[at] else None

    def step(self, at, body, known):
        inside, carried = self.region(*body, known)
        op = inside.get(self.returned(*body)[at])
        if not isinstance(op, Op) or op.name not in ("stablehlo.add", "stablehlo.subtract"):
            return None
        if op.operands[0] == carried[at]:
            amount = self.constant(op.operands[1], inside)
        else:
            amount = self.constant(op.operands[0], inside) if op.operands[1] == carried[at] else None
        return -amount if amount is not None and op.name == "stablehlo.subtract" else amount


def traffic_of(text):
    return Counter(text).run()


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        traffic = traffic_of(file.read())
    for kind, (count, operand, _, wire) in sorted(traffic.kinds.items()):
        print(f"{kind:22} {count:8} {operand:16} {wire:16}")
    print(f"{'all':22} {traffic.count:8} {traffic.total(1):16} {traffic.wire_bytes:16}")
    if traffic.unknown:
        print(f"{traffic.unknown} loops counted as one turn")


if __name__ == "__main__":
    main()
