#!/usr/bin/env python3
"""Checks programs whose dims are products of parts, and pinned along axes that are longer than these.

    random_parts.py --opt spmd-opt --run spmd-run --work DIR [--first SEED] [--count N] [--jobs N]

Each seed is one program: heads that are groups of queries, batches of chunks, and what else reshapes cut and join, with
matrix products between them. Few rows are pinned along long axes, and so are dims that a reshape cuts in parts, of which
the first is too short. The laws of random_laws.py hold, and partitioned it computes what it does whole, in both ways of
deciding conflicts, if it is not one of the large ones, where other layouts pay. A program where they do not stays in DIR
and is named.
"""

import math
import random
import re
import sys

import _runner
from random_laws import Broken, Files, check_erased, check_half_open, check_outcome, check_thinned

MESHES = (("x", 4),), (("x", 8),), (("x", 6),), (("x", 16),), (("x", 2), ("y", 4)), (("x", 4), ("y", 2)), (("x", 3), ("y", 4))
SIZES = 1, 2, 2, 2, 3, 4, 4, 5, 8
MOST_ELEMENTS, MOST_DIMS = 4096, 6


class Program:
    """Values have dims, each a tuple of the sizes that it is the product of, major first."""

    def __init__(self, seed, length):
        self.rng = random.Random(seed)
        self.mesh = self.rng.choice(MESHES)
        self.parts = [self.rng.choice(SIZES) for _ in range(5)]
        self.is_large = self.rng.random() < 0.3
        self.most = MOST_ELEMENTS
        if self.is_large:
            self.parts += [self.rng.choice((64, 128, 512)) for _ in range(3)]
            self.most = 1 << 26
        self.arguments, self.values, self.lines = [], [], []
        if self.rng.random() < 0.5:
            self.heads()
            length = length + len(self.lines) - 4
        else:
            self.argument()
        while len(self.lines) < length:
            kind = self.rng.choice((self.reshape, self.reshape, self.transpose, self.add, self.dot, self.dot, self.dot,
                                    self.reduce, self.broadcast, self.window, self.tanh, self.pin))
            kind(*self.pick())

    def pick(self):
        return self.rng.choice(self.values[-3:] if self.rng.random() < 0.7 else self.values)

    def emit(self, dims, text):
        """Adds an op, unless there would be too much of its result."""
        if math.prod(map(math.prod, dims)) > self.most or len(dims) > MOST_DIMS:
            return
        self.lines.append(f"%{len(self.lines)} = {text}{type_of(dims)}")
        self.values.append((f"%{len(self.lines) - 1}", dims))

    def axis(self, name, size):
        """Returns an axis, or its major or minor part."""
        if size % 2 == 0 and size > 2 and self.rng.random() < 0.15:
            return f'"{name}":' + self.rng.choice(("(1)2", f"(2){size // 2}"))
        return f'"{name}"'

    def sharding(self, rank):
        dims = [[] for _ in range(rank)]
        for name, size in self.rng.sample(self.mesh, len(self.mesh)):
            if dims and self.rng.random() < 0.8:
                self.rng.choice(dims).append(self.axis(name, size))
        return "<@mesh, [" + ", ".join("{" + ", ".join(dim + ["?"] * (self.rng.random() < 0.4)) + "}" for dim in dims) + "]>"

    def dim(self, parts):
        return tuple(self.rng.choice(self.parts) for _ in range(parts))

    def argument(self, dims=None, pin=None):
        """Returns the name of a new argument, of new dims where none are asked for."""
        name = f"%arg{len(self.arguments)}"
        if dims is None:
            dims = [self.dim(self.rng.choice((1, 1, 2, 2, 3))) for _ in range(self.rng.randint(1, 3))]
            while math.prod(map(math.prod, dims)) > self.most:
                dims.pop()
            self.values.append((name, dims))
        if not pin and self.rng.random() < 0.6:
            pin = self.sharding(len(dims))
        self.arguments.append(f"{name}: {type_of(dims)}" + (f" {{sdy.sharding = #sdy.sharding{pin}}}" if pin else ""))
        return name

    def heads(self):
        """Lets queries in groups read one head each, of the same tensor or another."""
        rows, few, group, depth = (self.rng.choice(self.parts[i:]) for i in (-3, 0, 0, -3))
        joined, by_group = [(rows,), (few, group), (depth,)], [(rows,), (few,), (depth,)]
        pin = "<@mesh, [{}, {" + self.axis(*self.mesh[-1]) + "}, {}]>" if self.rng.random() < 0.7 else None
        weights = [self.argument([(depth,), made[1], (depth,)], pin) for made in (joined, by_group)]
        start = [(rows,), (depth,)]
        self.values.append((self.argument(start), start))
        name = self.values[0][0]
        for weight, made in zip(weights, (joined, by_group)):
            self.emit(made, f"stablehlo.dot_general {name}, {weight}, contracting_dims = [1] x [0] : "
                            f"({type_of(start)}, {type_of([(depth,)] + made[1:])}) -> ")
        if len(self.values) < 3:
            return
        heads = self.values[-1]
        self.emit([(rows,), (few,), (group,), (depth,)],
                  f"stablehlo.reshape {self.values[-2][0]} : ({type_of(joined)}) -> ")
        if self.rng.random() < 0.3:
            self.transpose(*self.values[-1])
        self.dot(*self.values[-1], heads if self.rng.random() < 0.8 else None)

    def reshape(self, name, dims):
        """Cuts a dim into its parts, or joins two."""
        cuts = [(d, i) for d, dim in enumerate(dims) for i in range(1, len(dim))]
        joins = list(range(len(dims) - 1))
        if cuts and (not joins or self.rng.random() < 0.6):
            d, i = self.rng.choice(cuts)
            made = dims[:d] + [dims[d][:i], dims[d][i:]] + dims[d + 1:]
        elif joins:
            d = self.rng.choice(joins)
            made = dims[:d] + [dims[d] + dims[d + 1]] + dims[d + 2:]
        else:
            return
        self.emit(made, f"stablehlo.reshape {name} : ({type_of(dims)}) -> ")

    def transpose(self, name, dims):
        order = self.rng.sample(range(len(dims)), len(dims))
        self.emit([dims[d] for d in order], f"stablehlo.transpose {name}, dims = {order} : ({type_of(dims)}) -> ")

    def add(self, name, dims):
        others = [other for other, has in self.values if sizes(has) == sizes(dims)]
        other = self.rng.choice(others) if self.rng.random() < 0.6 else self.argument(dims)
        self.emit(dims, f"stablehlo.add {name}, {other} : ")

    def dot(self, name, dims, second=None):
        """Multiplies with another value, or with an argument of which some dims are new."""
        other, has = second or self.pick()
        if not second and (self.rng.random() < 0.5 or not set(sizes(has)) & set(sizes(dims))):
            has = self.rng.sample(dims, self.rng.randint(0, len(dims)))
            has = has + [self.dim(self.rng.randint(1, 2)) for _ in range(self.rng.randint(0, 1))]
            if math.prod(map(math.prod, has)) > self.most:
                return
            other = self.argument(has)
        batching, contracting, free = [], [], list(range(len(has)))
        for d in range(len(dims)):
            alike = [e for e in free if math.prod(has[e]) == math.prod(dims[d])]
            if alike and self.rng.random() < 0.8:
                free.remove(alike[0])
                self.rng.choice((batching, contracting)).append((d, alike[0]))
        taken = {d for d, _ in batching + contracting}
        made = [dims[d] for d, _ in batching] + [dims[d] for d in range(len(dims)) if d not in taken] + [has[e] for e in free]
        pairs = [f"{[a for a, _ in each]} x {[b for _, b in each]}" for each in (batching, contracting)]
        self.emit(made,
                  f"stablehlo.dot_general {name}, {other}, batching_dims = {pairs[0]}, contracting_dims = {pairs[1]} : "
                  f"({type_of(dims)}, {type_of(has)}) -> ")

    def reduce(self, name, dims):
        if len(dims) > 1:
            d = self.rng.randrange(len(dims))
            self.emit(dims[:d] + dims[d + 1:],
                      f"stablehlo.reduce({name} init: %zero) applies stablehlo.add across dimensions = [{d}] : "
                      f"({type_of(dims)}, tensor<f32>) -> ")

    def broadcast(self, name, dims):
        d = self.rng.randint(0, len(dims))
        made = dims[:d] + [(self.rng.choice(self.parts),)] + dims[d:]
        places = [e + (e >= d) for e in range(len(dims))]
        self.emit(made, f"stablehlo.broadcast_in_dim {name}, dims = {places} : ({type_of(dims)}) -> ")

    def window(self, name, dims):
        """Takes some rows of a dim, or adds some."""
        if not dims:
            return
        d, low = self.rng.randrange(len(dims)), self.rng.randint(0, 2)
        size = math.prod(dims[d])
        if low + 1 <= size and self.rng.random() < 0.5:
            high = self.rng.randint(low + 1, size)
            bounds = ", ".join(f"{low}:{high}" if e == d else f"0:{math.prod(dim)}" for e, dim in enumerate(dims))
            self.emit(dims[:d] + [(high - low,)] + dims[d + 1:], f"stablehlo.slice {name} [{bounds}] : ({type_of(dims)}) -> ")
        else:
            lows = [low if e == d else 0 for e in range(len(dims))]
            nothing = [0] * len(dims)
            self.emit(dims[:d] + [(size + low,)] + dims[d + 1:],
                      f"stablehlo.pad {name}, %zero, low = {lows}, high = {nothing}, interior = {nothing} : "
                      f"({type_of(dims)}, tensor<f32>) -> ")

    def tanh(self, name, dims):
        self.emit(dims, f"stablehlo.tanh {name} : ")

    def pin(self, name, dims):
        if self.rng.random() < 0.5:
            self.emit(dims, f"sdy.sharding_constraint {name} {self.sharding(len(dims))} : ")

    def text(self):
        read = {word for line in self.lines for word in re.findall(r"%\w+", line.split(" = ", 1)[1])}
        results = [value for value in self.values if value[0] not in read]
        types = ", ".join(type_of(dims) for _, dims in results)
        mesh = ", ".join(f'"{name}"={size}' for name, size in self.mesh)
        return (f"sdy.mesh @mesh = <[{mesh}]>\nfunc.func public @main({', '.join(self.arguments)}) -> ({types}) {{\n"
                "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n  " + "\n  ".join(self.lines) +
                f"\n  return {', '.join(name for name, _ in results)} : {types}\n}}\n")


def sizes(dims):
    return [math.prod(dim) for dim in dims]


def type_of(dims):
    return f"tensor<{''.join(f'{size}x' for size in sizes(dims))}f32>"


def check(arguments, seed):
    files = Files(arguments, seed)
    program = Program(seed, arguments.length)
    text = program.text()
    files.write("in", text)
    conflicts = ""
    try:
        for conflicts in ("shardy", "classes"):
            check_outcome(files, conflicts)
            check_erased(files, text, conflicts)
            files.write(conflicts, files.path("1").read_text().replace(", spmd.inferred", ""))
            check_half_open(files, seed, text, conflicts)
        check_thinned(files, random.Random(seed), text)
        for name in () if program.is_large else ("in", "half_open", "shardy"):
            process = _runner.run([arguments.run, files.path(name)])
            if process.returncode or "equal:        yes" not in process.stdout:
                raise Broken(f"spmd-run: {_runner.reason(process)}")
    except Broken as broken:
        return f"{files.stem}.*: conflicts={conflicts}: {broken}"
    files.remove()
    return None


def main():
    parser = _runner.parser(__doc__, opt="spmd-opt", run="spmd-run")
    _runner.add_seeds(parser, length=10)
    return _runner.check_seeds(parser.parse_args(), check, "programs of parts are right")


if __name__ == "__main__":
    sys.exit(main())
