#!/usr/bin/env python3
"""Runs random collectives on grids of replicas and partitions, and compares with what plain loops make of them.

    random_collectives.py --run spmd-run --work DIR [--first SEED] [--count N] [--jobs N]

Each seed is one program: every process runs the same few collectives, in groups of all forms, on a matrix of its own; the
program compares the results with constants. One that is not equal stays in DIR and is named.
"""

import sys

import _runner

MAX_ELEMENTS = 400
REDUCERS = {"add": lambda a, b: a + b, "maximum": max, "minimum": min, "xor": lambda a, b: a ^ b}


def joined(parts, dim):
    return [row for part in parts for row in part] if dim == 0 else [sum(rows, []) for rows in zip(*parts)]


def divided(matrix, dim, count):
    size = len(matrix if dim == 0 else matrix[0]) // count
    return [matrix[i * size:(i + 1) * size] if dim == 0 else [row[i * size:(i + 1) * size] for row in matrix]
            for i in range(count)]


def reduced(parts, function):
    total = parts[0]
    for part in parts[1:]:
        total = [[function(a, b) for a, b in zip(*rows)] for rows in zip(total, part)]
    return total


class Grid:
    """The text of the function that every process runs, and the matrix each has so far."""

    def __init__(self, rng):
        self.rng = rng
        self.replicas, self.partitions = rng.choice([(1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (1, 4), (4, 1), (3, 1)])
        self.rows, self.columns = rng.choice([2, 3, 4, 6]), rng.choice([1, 2, 4, 6])
        self.state = {(r, p): [[rng.randint(-9, 9) for _ in range(self.columns)] for _ in range(self.rows)]
                      for r in range(self.replicas) for p in range(self.partitions)}
        self.first = {place: matrix for place, matrix in self.state.items()}
        self.lines, self.name = [], "%x"

    @property
    def type(self):
        return f"tensor<{self.rows}x{self.columns}xi32>"

    # --- groups ------------------------------------------------------------------------------------

    def ids(self, mode):
        return {"replicas": self.replicas, "both": self.replicas, "partitions": self.partitions,
                "flat": self.replicas * self.partitions}[mode]

    def members(self, mode, group):
        """Returns the lists of processes that a list of ids stands for."""
        everyone_p, everyone_r = range(self.partitions), range(self.replicas)
        if mode == "replicas":
            return [[(r, p) for r in group] for p in everyone_p]
        if mode == "partitions":
            return [[(r, p) for p in group] for r in everyone_r]
        if mode == "both":
            return [[(r, p) for p in everyone_p for r in group]]
        return [[divmod(each, self.partitions) for each in group]]

    def groups(self, mode, uneven=False, partial=False):
        ids = list(range(self.ids(mode)))
        self.rng.shuffle(ids)
        if partial and len(ids) > 1:
            ids = ids[:self.rng.randint(1, len(ids))]
        if uneven and len(ids) > 2 and self.rng.random() < 0.4:
            cut = self.rng.randint(1, len(ids) - 1)
            return [ids[:cut], ids[cut:]]
        size = self.rng.choice([size for size in range(1, len(ids) + 1) if len(ids) % size == 0])
        return [ids[i:i + size] for i in range(0, len(ids), size)]

    def attributes(self, mode, groups):
        width = max(map(len, groups))
        rows = [group + [-1] * (width - len(group)) for group in groups]
        text = f"replica_groups = dense<{rows}> : tensor<{len(rows)}x{width}xi64>"
        if mode != "replicas":
            text += ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>"
        return text + (", use_global_device_ids" if mode == "flat" else "")

    def teams(self, mode, groups):
        return [team for group in groups for team in self.members(mode, group)]

    # --- ops ---------------------------------------------------------------------------------------

    def emit(self, text, state):
        before, self.state = self.type, state
        some = next(iter(state.values()))
        self.rows, self.columns = len(some), len(some[0])
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text.format(self.name)} : ({before}) -> {self.type}")
        self.name = name

    def body(self, name):
        return (f"({{\n  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n    %c = stablehlo.{name} %a, %b : tensor<i32>\n"
                "    stablehlo.return %c : tensor<i32>\n  })").replace("{", "{{").replace("}", "}}")

    def all_reduce(self):
        mode, name = self.rng.choice(["replicas", "both", "flat"]), self.rng.choice(list(REDUCERS))
        groups, state = self.groups(mode, uneven=True), {}
        for team in self.teams(mode, groups):
            total = reduced([self.state[each] for each in team], REDUCERS[name])
            state.update((each, total) for each in team)
        self.emit(f'"stablehlo.all_reduce"({{}}) {self.body(name)} {{{{{self.attributes(mode, groups)}}}}}', state)

    def all_gather(self):
        mode, dim = self.rng.choice(["replicas", "both", "flat"]), self.rng.randint(0, 1)
        groups, state = self.groups(mode), {}
        teams = self.teams(mode, groups)
        if self.rows * self.columns * len(teams[0]) > MAX_ELEMENTS:
            return
        for team in teams:
            whole = joined([self.state[each] for each in team], dim)
            state.update((each, whole) for each in team)
        self.emit(f'"stablehlo.all_gather"({{}}) {{{{all_gather_dim = {dim} : i64, {self.attributes(mode, groups)}}}}}', state)

    def reduce_scatter(self):
        mode, name = self.rng.choice(["replicas", "both", "flat"]), self.rng.choice(list(REDUCERS))
        groups, state, dim = self.groups(mode), {}, self.rng.randint(0, 1)
        teams = self.teams(mode, groups)
        if (self.rows, self.columns)[dim] % len(teams[0]):
            return
        for team in teams:
            parts = divided(reduced([self.state[each] for each in team], REDUCERS[name]), dim, len(team))
            state.update(zip(team, parts))
        self.emit(f'"stablehlo.reduce_scatter"({{}}) {self.body(name)} {{{{scatter_dimension = {dim} : i64, '
                  f"{self.attributes(mode, groups)}}}}}", state)

    def all_to_all(self):
        mode, split, concat = self.rng.choice(["replicas", "partitions"]), self.rng.randint(0, 1), self.rng.randint(0, 1)
        groups, state = self.groups(mode), {}
        count = len(groups[0])
        if (self.rows, self.columns)[split] % count:
            return
        for team in self.teams(mode, groups):
            parts = [divided(self.state[each], split, count) for each in team]
            state.update((each, joined([part[i] for part in parts], concat)) for i, each in enumerate(team))
        self.emit(f'"stablehlo.all_to_all"({{}}) {{{{split_dimension = {split} : i64, concat_dimension = {concat} : i64, '
                  f"split_count = {count} : i64, {self.attributes(mode, groups)}}}}}", state)

    def collective_permute(self):
        mode = self.rng.choice(["replicas", "partitions"])
        ids, targets = list(range(self.ids(mode))), list(range(self.ids(mode)))
        self.rng.shuffle(ids)
        self.rng.shuffle(targets)
        pairs = list(zip(ids, targets))[:self.rng.randint(1, len(ids))]
        zeros = [[0] * self.columns for _ in range(self.rows)]
        state = {place: zeros for place in self.state}
        for source, target in pairs:
            for team in self.members(mode, [source, target]):
                state[team[1]] = self.state[team[0]]
        channel = "" if mode == "replicas" else ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>"
        self.emit(f'"stablehlo.collective_permute"({{}}) {{{{source_target_pairs = dense<{[list(pair) for pair in pairs]}> : '
                  f"tensor<{len(pairs)}x2xi64>{channel}}}}}", state)

    def collective_broadcast(self):
        mode = self.rng.choice(["replicas", "partitions"])
        groups = self.groups(mode, partial=True)
        zeros = [[0] * self.columns for _ in range(self.rows)]
        state = {place: zeros for place in self.state}
        for team in self.teams(mode, groups):
            state.update((each, self.state[team[0]]) for each in team)
        self.emit(f'"stablehlo.collective_broadcast"({{}}) {{{{{self.attributes(mode, groups)}}}}}', state)

    OPS = [all_reduce, all_gather, reduce_scatter, all_to_all, collective_permute, collective_broadcast]

    # --- the program -------------------------------------------------------------------------------

    def text(self, length):
        before = self.type
        for _ in range(length):
            self.rng.choice(self.OPS)(self)
        body = "".join(f"  {line}\n" for line in self.lines)
        places = sorted(self.state)
        inputs = "".join(f"  %i{i} = stablehlo.constant dense<{self.first[place]}> : {before}\n"
                         for i, place in enumerate(places))
        row = "[" + ", ".join(["@process"] * self.partitions) + "]"
        count = len(places)
        run = (f'  %r:{count} = "interpreter.run_parallel"({", ".join(f"%i{i}" for i in range(count))}) '
               f"{{programs = [{', '.join([row] * self.replicas)}]}} : ({', '.join([before] * count)}) -> "
               f"({', '.join([self.type] * count)})\n")
        checks = "".join(
            f"  %e{i} = stablehlo.constant dense<{self.state[place]}> : {self.type}\n"
            f"  stablehlo.custom_call @check.expect_eq(%r#{i}, %e{i}) {{has_side_effect = true}} : ({self.type}, {self.type}) "
            "-> ()\n" for i, place in enumerate(places))
        if count == 1:
            run, checks = run.replace("%r:1", "%r"), checks.replace("%r#0", "%r")
        return (f"func.func @process(%x: {before}) -> {self.type} {{\n{body}  return {self.name} : {self.type}\n}}\n"
                f"func.func @main() {{\n{inputs}{run}{checks}  return\n}}\n")


if __name__ == "__main__":
    sys.exit(_runner.run_seeds(__doc__, lambda rng, length: Grid(rng).text(length), length=5,
                               options=["--engine=whole", "--threads=2"]))
