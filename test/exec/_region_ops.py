"""Ops of random programs that hold others: computations on local shapes, branches, loops and named parts; and what moves
values by hand.

A computation on local shapes has no meaning on one device. Its line is a pair: the op, and what gives the same without it.
"""

from _form_ops import FormOps
from _values import Unfit, Value


def pair(lines, which):
    """Returns lines as text of the program (0), or of the one without local shapes (1)."""
    return [line if isinstance(line, str) else line[which] for line in lines]


class RegionOps(FormOps):
    def inner(self, value):
        """Returns a function of `value` with a few ops in it, and the last of their values that has its type."""
        self.meshes.regions += 1
        inner = type(self)(self.rng, self.meshes, f"r{self.meshes.regions}_")
        inner.helpers = self.helpers
        inner.values.append(Value(value.name, value.shape, value.element, is_inner=True))
        inner.grow(self.rng.randint(1, 3))
        return inner, [each for each in inner.values if each.type == value.type][-1]

    def add_pair(self, make):
        """Adds the line that `make` writes for the program and for the one without local shapes."""
        both = make(0), make(1)
        self.lines.append(both[0] if both[0] == both[1] else both)

    def block(self, inner, result, which):
        body = "".join(f"    {line}\n" for line in pair(inner.lines, which))
        return f"{body}    stablehlo.return {result.name} : {result.type}\n"

    def total(self, value):
        """Returns a scalar made of all elements."""
        zero = self.scalar("i32", "0")
        dims = list(range(len(value.shape)))
        return self.emit((), "i32", f"stablehlo.reduce({value.name} init: {zero.name}) applies stablehlo.add across "
                         f"dimensions = {dims} : ({value.type}, {zero.type}) -> {{type}}", ("reduce", [value, zero], "add", dims))

    def op_case(self):
        """Which of some blocks runs depends on data; the last, if there is none of that number."""
        value = self.pick(lambda value: value.shape)
        number = self.total(self.pick(lambda value: value.shape and value.element == "i32"))
        three = self.scalar("i32", "3")
        index = self.emit((), "i32", f"stablehlo.remainder {number.name}, {three.name} : {{type}}",
                          ("binary", [number, three], "remainder"))
        blocks = [self.inner(value) for _ in range(self.rng.randint(1, 3))]
        result = Value(self.fresh(), value.shape, value.element,
                       ("chosen", [index, value], [last for _, last in blocks], value.name))
        self.add_pair(lambda which: f'{result.name} = "stablehlo.case"({index.name}) ({{\n' + "  }, {\n".join(
            self.block(*each, which) for each in blocks) + f"  }}) : (tensor<i32>) -> {result.type}")
        self.values.append(result)

    def op_while(self):
        """A loop whose number of turns depends on data."""
        value = self.pick(lambda value: value.shape and value.element in ("i32", "ui8", "i1"))
        number = self.total(self.pick(lambda value: value.shape and value.element == "i32"))
        low, high = self.scalar("i32", "0"), self.scalar("i32", "3")
        times = self.emit((), "i32", f"stablehlo.clamp {low.name}, {number.name}, {high.name} : (tensor<i32>, tensor<i32>, "
                          "tensor<i32>) -> {type}", ("clamp", [low, number, high]))
        i, x, p, one, j, first = (self.fresh() for _ in range(6))
        carried = Value(x, value.shape, value.element)
        inner, last = self.inner(carried)
        self.add_pair(lambda which: (
            f"{first}:2 = stablehlo.while({i} = {low.name}, {x} = {value.name}) : tensor<i32>, {value.type}\n"
            f"  cond {{\n    {p} = stablehlo.compare LT, {i}, {times.name} : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
            f"    stablehlo.return {p} : tensor<i1>\n  }} do {{\n"
            f"    {one} = stablehlo.constant dense<1> : tensor<i32>\n    {j} = stablehlo.add {i}, {one} : tensor<i32>\n"
            + "".join(f"    {line}\n" for line in pair(inner.lines, which)) +
            f"    stablehlo.return {j}, {last.name} : tensor<i32>, {value.type}\n  }}"))
        self.values.append(Value(f"{first}#1", value.shape, value.element, ("turned", [times, value], last, x)))

    def op_composite(self):
        """A named op, which a helper decomposes."""
        known = [each for each in self.helpers for value in self.values if each[0] == value.type]
        if not known:
            raise Unfit
        of, name, result, _ = self.rng.choice(known)
        value = self.pick(lambda value: value.type == of)
        self.emit(result.shape, result.element, f'stablehlo.composite "some.op" {value.name} {{decomposition = @{name}}} : '
                  f"({of}) -> {{type}}", ("call", [value], result))

    def op_tuple(self):
        a, b = self.pick(), self.pick()
        of, both = f"tuple<{a.type}, {b.type}>", self.fresh()
        self.lines.append(f"{both} = stablehlo.tuple {a.name}, {b.name} : {of}")
        self.emit(b.shape, b.element, f"stablehlo.get_tuple_element {both}[1] : ({of}) -> {{type}}", ("same", [b]))

    def op_size(self):
        value = self.pick(lambda value: value.shape)
        dim = self.rng.randrange(len(value.shape))
        self.emit((), "i32", f"stablehlo.get_dimension_size {value.name}, dim = {dim} : ({value.type}) -> {{type}}",
                  ("constant", [], str(value.shape[dim])))

    def op_marker(self):
        """What says something of a value and leaves it as it is."""
        value = self.pick()
        rank, kind = len(value.shape), self.rng.choice(["barrier", "group", "named", "place", "layout"])
        if kind == "barrier":
            text = f"sdy.propagation_barrier {value.name} allowed_direction={self.rng.choice(['NONE', 'FORWARD', 'BACKWARD'])}"
        elif kind == "group":
            copies = [self.emit(value.shape, value.element, f"stablehlo.optimization_barrier {each.name} : {{type}}",
                                ("same", [each])) for each in (value, self.like(value.shape, value.element))]
            self.meshes.regions += 1
            self.lines += [f"sdy.sharding_group {each.name} group_id={self.meshes.regions} : {each.type}" for each in copies]
            return
        elif kind == "named":
            a, b, mesh = self.fresh(), self.fresh(), self.rng.choice(list(self.meshes.all))
            source, target = (self.meshes.sharding(rank, mesh=mesh) for _ in range(2))
            self.emit(value.shape, value.element, f'sdy.named_computation<"part">({value.name}) in_shardings=[{source}] '
                      f"out_shardings=[{target}] ({a}: {value.type}) "
                      f"{{\n    {b} = sdy.propagation_barrier {a} allowed_direction=NONE : {value.type}\n    sdy.return {b} : "
                      f"{value.type}\n  }} : ({value.type}) -> {{type}}", ("same", [value]))
            return
        else:
            name = "annotate_device_placement" if kind == "place" else "LayoutConstraint"
            text = f"stablehlo.custom_call @{name}({value.name})"
            self.emit(value.shape, value.element, f"{text} : ({value.type}) -> {{type}}", ("same", [value]))
            return
        self.emit(value.shape, value.element, f"{text} : {{type}}", ("same", [value]))

    def op_movement(self):
        """A value brought to one sharding and from there to another by a collective of Shardy's."""
        value = self.pick(lambda value: value.shape)
        axes = [axis for axis, _ in self.meshes.all["mesh"]]
        axis, rank = self.rng.choice(axes), len(value.shape)
        dims = [[] for _ in range(rank)]
        for other in axes:
            if other != axis and self.rng.random() < 0.5:
                self.rng.choice(dims).append(other)
        at, to = self.rng.randrange(rank), self.rng.randrange(rank)

        def sharding(dim=None, more=""):
            lists = [names + [axis] * (i == dim) for i, names in enumerate(dims)]
            return f"<@mesh, [{', '.join('{' + ', '.join(map(self.quoted, names)) + '}' for names in lists)}]{more}>"

        def only(dim):
            return "[" + ", ".join("{" + f'"{axis}"' * (i == dim) + "}" for i in range(rank)) + "]"

        if len(axes) > 1 and self.rng.random() < 0.3:
            self.permuted(value, *self.rng.sample(axes, 2), at, to)
            return
        kind = self.rng.choice(["all_gather", "all_slice"] + ["all_to_all"] * (at != to) +
                               ["all_reduce", "reduce_scatter"] * (value.element == "i32"))
        how = self.rng.choice(["", "max", "min"]) if "reduce" in kind else ""
        partial = f', unreduced={how or "="}{{"{axis}"}}'.replace("==", "=")
        first = sharding(None, partial) if "reduce" in kind else sharding(None if kind == "all_slice" else at)
        placed = self.emit(value.shape, value.element, f"sdy.sharding_constraint {value.name} {first} : {{type}}",
                           ("same", [value]))
        moved = {"all_to_all": f'[{{"{axis}"}}: {at}->{to}]', "all_reduce": f'{{"{axis}"}}'}.get(kind, only(at))
        last = sharding({"all_gather": None, "all_slice": at, "all_to_all": to, "all_reduce": None, "reduce_scatter": at}[kind])
        self.emit(value.shape, value.element, f"sdy.{kind} {how + ' ' if how else ''}{moved} {placed.name} out_sharding={last} : "
                  "{type}", ("same", [placed]))

    def permuted(self, value, first, second, at, to):
        """A value whose two axes change places, on one dim or, where they are of one size, on two."""
        sizes = dict(self.meshes.all["mesh"])
        if at != to and sizes[first] != sizes[second]:
            to = at

        def sharding(a, b):
            dims = [[] for _ in value.shape]
            dims[at].append(a)
            dims[to].append(b)
            return f"<@mesh, [{', '.join('{' + ', '.join(map(self.quoted, names)) + '}' for names in dims)}]>"

        placed = self.emit(value.shape, value.element, f"sdy.sharding_constraint {value.name} {sharding(first, second)} : "
                           "{type}", ("same", [value]))
        self.emit(value.shape, value.element, f"sdy.collective_permute {placed.name} out_sharding={sharding(second, first)} : "
                  "{type}", ("same", [placed]))

    @staticmethod
    def quoted(name):
        return f'"{name}"'
