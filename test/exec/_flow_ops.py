"""Ops of random programs through which several values flow at once: functions, blocks and loops with several operands and
results."""

from _region_ops import RegionOps, pair
from _values import Unfit, Value, type_of

# What a loop may add up in without rounding.
EXACT = ("i32", "ui8", "i1")


class FlowOps(RegionOps):
    def nested(self, values):
        """Returns a function of `values`, by their names or others', with a few ops in it."""
        self.meshes.regions += 1
        inner = type(self)(self.rng, self.meshes, f"r{self.meshes.regions}_")
        inner.helpers = self.helpers
        inner.values = [Value(value.name, value.shape, value.element, is_inner=True) for value in values]
        inner.grow(self.rng.randint(1, 3))
        return inner

    @staticmethod
    def latest(inner, like):
        return [each for each in inner.values if each.type == like.type][-1]

    def add_results(self, count, how_of, types):
        """Adds the results of the op whose line comes next, and returns how the line names them."""
        first = self.fresh()
        names = [first] if count == 1 else [f"{first}#{i}" for i in range(count)]
        self.values += [Value(name, value.shape, value.element, how_of(i)) for i, (name, value) in enumerate(zip(names, types))]
        return first if count == 1 else f"{first}:{count}"

    #===- Functions ----------------------------------------------------------===#

    def op_function_of_several(self):
        """Calls a function of several values with several results, whose signature has shardings; functions call others. Or
        a named op that such a function decomposes."""
        known = [each for each in self.helpers if isinstance(each[0], tuple)]
        if known and (self.prefix or self.rng.random() < 0.4):
            inputs, name, results, _ = self.rng.choice(known)
            operands = [self.like(value.shape, value.element) for value in inputs]
        elif self.prefix:
            raise Unfit
        else:
            operands = [self.pick() for _ in range(self.rng.randint(2, 3))]
            inputs, name, results = self.add_helper(operands)
        types = f"({', '.join(value.type for value in operands)}) -> ({', '.join(value.type for value in results)})"
        names = ", ".join(value.name for value in operands)
        inner = [value.name for value in inputs]
        made = self.add_results(len(results), lambda i: ("called", operands, results[i], inner), results)
        self.lines.append(f'{made} = stablehlo.composite "some.op" {names} {{composite_attributes = {{size = 3 : i64}}, decomposition = '
                          f"@{name}, version = 1 : i32}} : {types}" if self.rng.random() < 0.3
                          else f"{made} = func.call @{name}({names}) : {types}")

    def add_helper(self, operands):
        inner = type(self)(self.rng, self.meshes, "h")
        inner.helpers = self.helpers
        inner.values = [Value(f"%arg{i}", value.shape, value.element, is_inner=True) for i, value in enumerate(operands)]
        inputs, name = tuple(inner.values), f"helper{len(self.helpers)}"
        inner.grow(4)
        results = self.rng.sample(inner.values, min(len(inner.values), self.rng.randint(1, 3)))
        arguments = [f"{value.name}: {value.type}{self.attribute(value)}" for value in inputs]
        types = [value.type + self.attribute(value) for value in results]
        self.helpers.append((inputs, name, results, [
            inner.function(name, "private", arguments, results, types, which) for which in (0, 1)]))
        return inputs, name, results

    #===- Blocks -------------------------------------------------------------===#

    def op_choice_of_several(self):
        """Blocks that see two values and give two, one of each type; which runs depends on data."""
        values = [self.pick(lambda value: value.shape) for _ in range(2)]
        if values[0].name == values[1].name:
            raise Unfit
        number = self.total(self.pick(lambda value: value.shape and value.element == "i32"))
        low, high = self.scalar("i32", "0"), self.scalar("i32", "1")
        index = self.emit((), "i32", f"stablehlo.clamp {low.name}, {number.name}, {high.name} : (tensor<i32>, tensor<i32>, "
                          "tensor<i32>) -> {type}", ("clamp", [low, number, high]))
        blocks = [self.nested(values) for _ in range(2)]
        lasts = [[self.latest(inner, value) for value in values] for inner in blocks]
        is_if = self.rng.random() < 0.5
        predicate = index
        if is_if:  # The first block is where it is true: where the number is 0.
            predicate = self.emit((), "i1", f"stablehlo.compare EQ, {index.name}, {low.name} : (tensor<i32>, tensor<i32>) -> "
                                  "{type}", ("compare", [index, low], "EQ"))
        names, types = [value.name for value in values], ", ".join(value.type for value in values)
        made = self.add_results(2, lambda i: ("one_of", [index, *values], [each[i] for each in lasts], names), values)

        def block(which, at):
            return ("".join(f"    {line}\n" for line in pair(blocks[at].lines, which)) +
                    f"    stablehlo.return {', '.join(value.name for value in lasts[at])} : {types}\n")

        self.add_pair(lambda which: f'{made} = "stablehlo.{"if" if is_if else "case"}"({predicate.name}) ({{\n' +
                      "  }, {\n".join(block(which, at) for at in range(2)) + f"  }}) : ({predicate.type}) -> ({types})")

    #===- Loops --------------------------------------------------------------===#

    def op_steps(self):
        """A loop that takes a row of one value at a time, first to last or backwards, and gives a row of its result; two
        values that it carries change places, and one stays as it is."""
        rows = self.pick(lambda value: len(value.shape) > 1 and value.shape[0] < 7 and value.element in EXACT)
        count, shape, element = rows.shape[0], rows.shape[1:], rows.element
        starts = [self.like(shape, element) for _ in range(2)]
        zero, before = self.scalar("i32", "0"), self.like(rows.shape, element)
        is_backwards = self.rng.random() < 0.4
        i, x, y, out, all_rows, limit, p, one, j, last, at, cut, row, again, done, first = (self.fresh() for _ in range(16))
        inner = self.nested([Value(x, shape, element), Value(row, shape, element)])
        result = self.latest(inner, starts[0])
        of, single = starts[0].type, type_of((1, *shape), element)
        zeros = "".join(f", {zero.name}" for _ in shape)
        indices = ", ".join(["tensor<i32>"] * len(rows.shape))
        place = i
        lines = [f"{one} = stablehlo.constant dense<1> : tensor<i32>", f"{j} = stablehlo.add {i}, {one} : tensor<i32>"]
        if is_backwards:
            place = at
            lines += [f"{last} = stablehlo.constant dense<{count - 1}> : tensor<i32>",
                      f"{at} = stablehlo.subtract {last}, {i} : tensor<i32>"]
        lines += [f"{cut} = stablehlo.dynamic_slice {all_rows}, {place}{zeros}, sizes = {[1, *shape]} : ({rows.type}, {indices}) -> "
                  f"{single}", f"{row} = stablehlo.reshape {cut} : ({single}) -> {of}"]
        behind = [f"{again} = stablehlo.reshape {result.name} : ({of}) -> {single}",
                  f"{done} = stablehlo.dynamic_update_slice {out}, {again}, {place}{zeros} : ({rows.type}, {single}, {indices}) -> "
                  f"{rows.type}"]
        types = f"tensor<i32>, {of}, {of}, {rows.type}, {rows.type}"
        how = ("stepped", [rows, *starts, before], result, [x, row], is_backwards)
        self.values += [Value(f"{first}#{k}", value.shape, element, (*how, k)) for k, value in
                        ((1, starts[0]), (2, starts[1]), (3, rows))]
        self.add_pair(lambda which: (
            f"{first}:5 = stablehlo.while({i} = {zero.name}, {x} = {starts[0].name}, {y} = {starts[1].name}, {out} = {before.name}, "
            f"{all_rows} = {rows.name}) : {types}\n  cond {{\n    {limit} = stablehlo.constant dense<{count}> : tensor<i32>\n"
            f"    {p} = stablehlo.compare LT, {i}, {limit} : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
            f"    stablehlo.return {p} : tensor<i1>\n  }} do {{\n"
            + "".join(f"    {line}\n" for line in lines + pair(inner.lines, which) + behind) +
            f"    stablehlo.return {j}, {y}, {result.name}, {done}, {all_rows} : {types}\n  }}"))
