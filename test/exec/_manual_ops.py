"""Computations of random programs on local shapes, with collectives written by hand."""

import itertools

from _elements import NO_SUMS, REDUCERS, identity
from _flow_ops import FlowOps
from _values import Unfit, Value, count_of, type_of


class ManualOps(FlowOps):
    MOVES = ["roll", "gather", "exchange", "first"]
    KINDS = ["apply", "sum", "roll", "gather", "scatter", "exchange", "place", "nested", "first"]

    def by_hand(self):
        """Returns a mesh, one or two of its axes, and their size."""
        mesh = self.rng.choice(list(self.meshes.all))
        axes = self.rng.sample(self.meshes.all[mesh], min(self.rng.randint(1, 2), len(self.meshes.all[mesh])))
        count = count_of(size for _, size in axes)
        if count == 1 or self.meshes.is_drawn:
            raise Unfit
        return mesh, [axis for axis, _ in axes], count

    def op_manual(self):
        """One or two axes by hand along one dim; the others stay with the compiler, or split the local value further."""
        mesh, axes, count = self.by_hand()

        def dims(value):
            return [dim for dim, size in enumerate(value.shape) if size % count == 0]

        value = self.find(dims)
        if not value:
            shape = [count * self.rng.randint(1, 2)] + [self.rng.choice([1, 3, count, 2 * count])] * self.rng.randint(0, 1)
            value = self.like(shape, self.rng.choice(["i32", "i32", "f32"]))
        self.meshes.is_by_hand = True
        region = Region(self, mesh, value, self.rng.choice(dims(value)), axes, count)
        getattr(region, self.rng.choice(self.MOVES if value.element in NO_SUMS else self.KINDS))()


class Region:
    """A computation over `axes`, which split `dim` of `value` into `count` blocks."""

    def __init__(self, function, mesh, value, dim, axes, count):
        self.function, self.rng, self.meshes, self.mesh = function, function.rng, function.meshes, mesh
        self.value, self.dim, self.axes, self.count = value, dim, axes, count
        self.local = self.cut(value.shape, dim)
        self.argument, self.lines = function.fresh(), []
        self.reducer = self.rng.choice([name for name in REDUCERS[value.element] if name != "multiply"])
        self.free = [axis for axis, size in self.meshes.all[self.mesh] if axis not in axes and size > 1]

    def cut(self, shape, dim):
        return [size // self.count if i == dim else size for i, size in enumerate(shape)]

    #===- Text ---------------------------------------------------------------===#

    def line(self, shape, text):
        name = self.function.fresh()
        self.lines.append(f"    {name} = " + text.replace("{type}", type_of(shape, self.value.element)) + "\n")
        return name

    def groups(self, among=None):
        """Returns the devices that differ in axes `among` alone, all that are by hand, in the order of these."""
        axes, among = self.meshes.all[self.mesh], among or self.axes
        names, sizes = [axis for axis, _ in axes], [size for _, size in axes]
        ids = self.meshes.ids[self.mesh] or range(10**6)
        groups = {}
        for device, place in zip(ids, itertools.product(*map(range, sizes))):
            at = dict(zip(names, place))
            rest = tuple(at[name] for name in names if name not in among)
            groups.setdefault(rest, {})[tuple(at[name] for name in among)] = device
        return [[group[at] for at in sorted(group)] for group in groups.values()]

    def named(self, among):
        """Sometimes returns the groups by the names of their axes."""
        if self.meshes.ids[self.mesh] or self.rng.random() < 0.7:
            return None
        axes = ", ".join(f'<name = "{axis}", size = {size}>' for axis, size in self.meshes.all[self.mesh])
        names = ", ".join(f'#stablehlo.axis_ref<name = "{axis}">' for axis in among or self.axes)
        return f"#stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[{axes}]>, axes = [{names}]>"

    def collective(self, name, operand, of, result, text="", body="", among=None):
        self.meshes.regions += 1
        rows = self.groups(among)
        attributes = f"channel_handle = #stablehlo.channel_handle<handle = {self.meshes.regions}, type = 1>"
        if name == "collective_permute":
            pairs = [[group[i], group[(i + 1) % len(group)]] for group in rows for i in range(len(group))]
            attributes += f", source_target_pairs = dense<{pairs}> : tensor<{len(pairs)}x2xi64>"
            if self.rng.random() < 0.2:
                return self.mailed(attributes, operand, of)
        else:
            attributes += f", replica_groups = {self.named(among) or f'dense<{rows}> : tensor<{len(rows)}x{len(rows[0])}xi64>'}"
        if name in ("all_gather", "all_reduce", "reduce_scatter"):
            attributes += ", use_global_device_ids"
        line = f'"stablehlo.{name}"({{}}) <{{{{{attributes}{text}}}}}>' + body.replace("{", "{{").replace("}", "}}")
        return self.started(line, operand, of, result) if self.rng.random() < 0.15 else self.line(
            result, line.format(operand) + f" : ({type_of(of, self.value.element)}) -> {{type}}")

    def mailed(self, attributes, operand, of):
        """Sends an operand, and returns what comes from the device before."""
        token, sent, given = (self.function.fresh() for _ in range(3))
        kind = type_of(of, self.value.element)
        self.lines.append(
            f"    {token} = stablehlo.create_token : !stablehlo.token\n"
            f'    {sent} = "stablehlo.send"({operand}, {token}) <{{{attributes}}}> : ({kind}, !stablehlo.token) -> '
            f'!stablehlo.token\n    {given}:2 = "stablehlo.recv"({sent}) <{{{attributes}}}> : (!stablehlo.token) -> '
            f"({kind}, !stablehlo.token)\n")
        return f"{given}#0"

    def started(self, line, operand, of, result):
        """Starts what `line` says of an operand, and returns what it gives once it is done."""
        source, target = (type_of(shape, self.value.element) for shape in (of, result))
        future, inner, given = (self.function.fresh() for _ in range(3))
        self.lines.append(
            f'    {future} = "stablehlo.async_start"({operand}) ({{\n    ^bb0({inner}: {source}):\n'
            f"      {given} = {line.format(inner)} : ({source}) -> {target}\n      stablehlo.return {given} : {target}\n"
            f"    }}) : ({source}) -> !stablehlo.future<{target}>\n")
        return self.line(result, f'"stablehlo.async_done"({future}) : (!stablehlo.future<{target}>) -> {{type}}')

    def combiner(self):
        return f" ({{\n{self.function.body(self.reducer, self.value.element)}    }})"

    def sharding(self, rank, dim=None):
        """Returns a sharding with the manual axes at `dim`, or nowhere, and free ones or open dims elsewhere."""
        free = self.rng.choice(self.free) if self.free and self.rng.random() < 0.4 else None
        at, texts = self.rng.randrange(rank) if rank else 0, []
        for i in range(rank):
            names = [f'"{axis}"' for axis in (self.axes if i == dim else []) + ([free] if free and i == at else [])]
            texts.append("{" + ", ".join(names + ["?"] * (self.rng.random() < 0.5 and bool(self.free))) + "}")
        replicated = "" if dim is not None else ", replicated={" + ", ".join(f'"{axis}"' for axis in self.in_order()) + "}"
        return f"<@{self.mesh}, [{', '.join(texts)}]{replicated}>"

    def in_order(self):
        return [axis for axis, _ in self.meshes.all[self.mesh] if axis in self.axes]

    def finish(self, result, of, shape, dim, plain, how):
        """Adds the op, whose region returns `result` of type `of`: a block along `dim` of the whole of `shape`, or all."""
        out, value = self.function.fresh(), self.value
        element = value.element
        axes = ", ".join(f'"{axis}"' for axis in self.in_order())
        text = (f"{out} = sdy.manual_computation({value.name}) in_shardings=[{self.sharding(len(value.shape), self.dim)}] "
                f"out_shardings=[{self.sharding(len(shape), dim)}] manual_axes={{{axes}}} "
                f"({self.argument}: {type_of(self.local, element)}) {{\n{''.join(self.lines)}"
                f"    sdy.return {result} : {type_of(of, element)}\n  }} : ({value.type}) -> {type_of(shape, element)}")
        self.function.lines.append((text, plain.replace("{out}", out).replace("{type}", type_of(shape, element))))
        self.function.values.append(Value(out, shape, element, how))

    def start(self):
        """Returns the local value, sometimes split further by an axis that is not by hand."""
        if not self.free or self.rng.random() < 0.6:
            return self.argument
        at, axis = self.rng.randrange(len(self.local)), self.rng.choice(self.free)
        dims = ", ".join(f'{{"{axis}"}}' if i == at else "{}" for i in range(len(self.local)))
        return self.line(self.local, f"sdy.sharding_constraint {self.argument} <@{self.mesh}, [{dims}]> : {{type}}")

    def summed(self, operand):
        """Returns the sum of the local value along `dim`, or another reduction, its shape, and how the whole is reduced."""
        value, name = self.value, self.reducer
        literal = identity(name, value.element)
        shape = [size for i, size in enumerate(value.shape) if i != self.dim]
        zero = self.function.scalar(value.element, literal)
        inner = self.line((), f"stablehlo.constant dense<{literal}> : {{type}}")
        local = self.line(shape, f"stablehlo.reduce({operand} init: {inner}) applies stablehlo.{name} across dimensions = "
                          f"[{self.dim}] : ({type_of(self.local, value.element)}, {zero.type}) -> {{type}}")
        plain = (f"{{out}} = stablehlo.reduce({value.name} init: {zero.name}) applies stablehlo.{name} across dimensions = "
                 f"[{self.dim}] : ({value.type}, {zero.type}) -> {{type}}")
        return local, shape, plain, ("reduce", [value, zero], name, [self.dim])

    #===- What the region does -----------------------------------------------===#

    def apply(self):
        value, name = self.value, "or" if self.value.element == "i1" else "add"
        text = f"stablehlo.{name} {self.start()}, {self.argument} : {{type}}"
        if not self.function.prefix and self.rng.random() < 0.4:
            text = self.called(text)
        result = self.line(self.local, text)
        self.finish(result, self.local, value.shape, self.dim, f"{{out}} = stablehlo.{name} {value.name}, {value.name} : "
                    "{type}", ("binary", [value, value], name))

    def called(self, text):
        """Returns a call of a function that computes `text`, of one operand that is there twice."""
        of, name = type_of(self.local, self.value.element), f"local{len(self.function.helpers)}"
        operand = text.split()[1].rstrip(",")
        body = text.split()[0] + " %a, %a : " + of
        self.function.helpers.append((None, name, None, [
            f"func.func private @{name}(%a: {of}) -> {of} {{\n  %b = {body}\n  return %b : {of}\n}}\n", ""]))
        return f"func.call @{name}({operand}) : ({of}) -> {{type}}"

    def sum(self):
        """Over all axes at once, or over one after the other."""
        result, shape, plain, how = self.summed(self.start())
        steps = [[axis] for axis in self.rng.sample(self.axes, len(self.axes))] if self.rng.random() < 0.5 else [self.axes]
        for among in steps:
            result = self.collective("all_reduce", result, shape, shape, body=self.combiner(), among=among)
        self.finish(result, shape, shape, None, plain, how)

    def nested(self):
        """The last axis in a region of its own, which adds up along that alone."""
        if len(self.axes) < 2:
            raise Unfit
        outer, inner = self.axes[:-1], self.axes[-1:]
        count = count_of(size for axis, size in self.meshes.all[self.mesh] if axis in outer)
        value, element = self.value, self.value.element
        between = [size // count if i == self.dim else size for i, size in enumerate(value.shape)]
        local, shape, plain, how = self.summed(self.argument)
        total = self.collective("all_reduce", local, shape, shape, body=self.combiner(), among=inner)
        dims = ", ".join(f'{{"{inner[0]}"}}' if i == self.dim else "{}" for i in range(len(value.shape)))
        whole, taken = ", ".join("{}" for _ in shape), self.function.fresh()
        result = self.function.fresh()
        region = (f'    {result} = sdy.manual_computation({taken}) in_shardings=[<@{self.mesh}, [{dims}]>] out_shardings=[<@{self.mesh}, '
                  f'[{whole}], replicated={{"{inner[0]}"}}>] manual_axes={{"{inner[0]}"}} ({self.argument}: '
                  f"{type_of(self.local, element)}) {{\n{''.join(self.lines)}    sdy.return {total} : {type_of(shape, element)}\n"
                  f"    }} : ({type_of(between, element)}) -> {type_of(shape, element)}\n")
        self.lines, self.argument, self.local, self.axes = [region], taken, between, outer
        result = self.collective("all_reduce", result, shape, shape, body=self.combiner(), among=outer)
        self.finish(result, shape, shape, None, plain, how)

    def scatter(self):
        local, shape, plain, how = self.summed(self.start())
        dims = [dim for dim, size in enumerate(shape) if size % self.count == 0]
        if not dims:
            raise Unfit
        dim, body = self.rng.choice(dims), self.combiner()
        part = self.cut(shape, dim)
        result = self.collective("reduce_scatter", local, shape, part, f", scatter_dimension = {dim} : i64", body)
        self.finish(result, part, shape, dim, plain, how)

    def turned(self, operand, times):
        """Returns the local value after so many turns of a loop, in each of which blocks move on by one."""
        of, (i, x, limit, more, one, next_i, first) = type_of(self.local, self.value.element), (
            self.function.fresh() for _ in range(7))
        zero, before = self.function.fresh(), self.lines
        self.lines = []
        moved = self.collective("collective_permute", x, self.local, self.local)
        body, self.lines = self.lines, before
        self.lines.append(
            f"    {zero} = stablehlo.constant dense<0> : tensor<i32>\n"
            f"    {first}:2 = stablehlo.while({i} = {zero}, {x} = {operand}) : tensor<i32>, {of}\n"
            f"    cond {{\n    {limit} = stablehlo.constant dense<{times}> : tensor<i32>\n"
            f"    {more} = stablehlo.compare LT, {i}, {limit} : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
            f"    stablehlo.return {more} : tensor<i1>\n    }} do {{\n"
            f"    {one} = stablehlo.constant dense<1> : tensor<i32>\n    {next_i} = stablehlo.add {i}, {one} : tensor<i32>\n"
            f"{''.join(body)}    stablehlo.return {next_i}, {moved} : tensor<i32>, {of}\n    }}\n")
        return f"{first}#1"

    def roll(self):
        value, block = self.value, self.local[self.dim]
        if self.count > 2 and self.rng.random() < 0.4:
            times = self.rng.randint(1, self.count - 1)
            result, block = self.turned(self.start(), times), times * block
        else:
            result = self.collective("collective_permute", self.start(), self.local, self.local)
        parts, names = [], []
        for low, high in ((value.shape[self.dim] - block, value.shape[self.dim]), (0, value.shape[self.dim] - block)):
            shape = [high - low if i == self.dim else size for i, size in enumerate(value.shape)]
            text = ", ".join(f"{low}:{high}" if i == self.dim else f"0:{size}" for i, size in enumerate(value.shape))
            names.append((self.function.fresh(), type_of(shape, value.element)))
            parts.append(f"{names[-1][0]} = stablehlo.slice {value.name} [{text}] : ({value.type}) -> {names[-1][1]}\n  ")
        plain = (f"{''.join(parts)}{{out}} = stablehlo.concatenate {names[0][0]}, {names[1][0]}, dim = {self.dim} : "
                 f"({names[0][1]}, {names[1][1]}) -> {{type}}")
        self.finish(result, self.local, value.shape, self.dim, plain, ("roll", [value], block, self.dim))

    def gather(self):
        value = self.value
        whole = self.collective("all_gather", self.start(), self.local, value.shape, f", all_gather_dim = {self.dim} : i64")
        result = self.line(value.shape, f"stablehlo.reverse {whole}, dims = [{self.dim}] : {{type}}")
        self.finish(result, value.shape, value.shape, None, f"{{out}} = stablehlo.reverse {value.name}, dims = [{self.dim}] : "
                    "{type}", ("reverse", [value], [self.dim]))

    def first(self):
        """All get what the first has."""
        value = self.value
        result = self.collective("collective_broadcast", self.start(), self.local, self.local)
        parts = [(0, self.local[i], 1) for i in range(len(self.local))]
        text = ", ".join(f"{low}:{high}" for low, high, _ in parts)
        self.finish(result, self.local, self.local, None, f"{{out}} = stablehlo.slice {value.name} [{text}] : ({value.type}) -> "
                    "{type}", ("slice", [value], parts))

    def exchange(self):
        value = self.value
        dims = [dim for dim, size in enumerate(value.shape) if size % self.count == 0 and dim != self.dim]
        if not dims:
            raise Unfit
        dim = self.rng.choice(dims)
        part = self.cut(value.shape, dim)
        result = self.collective("all_to_all", self.start(), self.local, part, f", split_dimension = {dim} : i64, "
                                 f"concat_dimension = {self.dim} : i64, split_count = {self.count} : i64")
        self.finish(result, part, value.shape, dim, f"{{out}} = stablehlo.optimization_barrier {value.name} : {{type}}",
                    ("same", [value]))

    def place(self):
        """Adds to each block its number, which each device finds in a list."""
        value = self.value
        if value.element != "i32":
            raise Unfit
        numbers = {device: at for group in self.groups() for at, device in enumerate(group)}
        table = [numbers[device] for device in range(len(numbers))]
        names = [self.function.fresh() for _ in range(6)]
        self.lines.append(
            f"    {names[0]} = stablehlo.partition_id : tensor<ui32>\n"
            f"    {names[1]} = stablehlo.constant dense<{table}> : tensor<{len(table)}xi32>\n"
            f"    {names[2]} = stablehlo.dynamic_slice {names[1]}, {names[0]}, sizes = [1] : (tensor<{len(table)}xi32>, "
            f"tensor<ui32>) -> tensor<1xi32>\n    {names[3]} = stablehlo.reshape {names[2]} : (tensor<1xi32>) -> tensor<i32>\n")
        spread = self.line(self.local, f"stablehlo.broadcast_in_dim {names[3]}, dims = [] : (tensor<i32>) -> {{type}}")
        result = self.line(self.local, f"stablehlo.add {self.start()}, {spread} : {{type}}")
        block = self.local[self.dim]
        flat = [at // block for at in range(value.shape[self.dim])]
        row = type_of([len(flat)], "i32")
        plain = (f"{names[4]} = stablehlo.constant dense<{flat}> : {row}\n  {names[5]} = stablehlo.broadcast_in_dim {names[4]}, "
                 f"dims = [{self.dim}] : ({row}) -> {{type}}\n  {{out}} = stablehlo.add {value.name}, {names[5]} : {{type}}")
        self.finish(result, self.local, value.shape, self.dim, plain, ("plus_block", [value], block, self.dim))
