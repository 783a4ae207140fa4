"""Values of random programs: their types, random meshes and shardings, and a function that grows."""

from _elements import FLOATS, NARROW, REDUCERS, SMALL, literal
from _exact import is_tight

SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12]
MAX_ELEMENTS = 600
# How partial values of an element are combined, sums first: as what. Sums of floats depend on their order.
KINDS = {"add": "", "maximum": "max", "minimum": "min", "multiply": "product", "and": "and", "or": "or", "xor": "xor"}
PARTIAL = {element: [KINDS[name] for name in names if name != "add" or element not in (*FLOATS, "complex<f32>")]
           for element, names in REDUCERS.items()}


class Value:
    """A value by name. `how` tells _numpy.py how to compute it: a function's name, operands, parameters. What has none
    is an argument, an inner one if of a function that others call."""

    def __init__(self, name, shape, element, how=None, is_inner=False):
        self.name, self.shape, self.element, self.how = name, tuple(shape), element, how
        self.type = type_of(self.shape, element)
        self.is_inner = is_inner


def type_of(shape, element):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


def count_of(shape):
    count = 1
    for size in shape:
        count *= size
    return count


class Unfit(Exception):
    """No value fits the op that was drawn."""


class Meshes:
    """One mesh or two over the same devices, and random shardings on them. With `levels`, most dims that an axis splits
    have one of so many user priorities; else few have one of three."""

    def __init__(self, rng, levels=0):
        self.rng, self.levels = rng, levels
        self.regions = 0  # How many there are; what needs a number of its own takes the next.
        self.is_by_hand = self.is_drawn = False  # Whether the program has computations on local shapes, random numbers.
        sizes = [rng.choice([1, 2, 2, 3, 4, 4, 5, 6, 8]) for _ in range(rng.randint(1, 4))]
        if rng.random() < 0.1:
            sizes = [rng.choice([7, 9, 12, 16])]
        while count_of(sizes) > 16:
            sizes.pop()
        self.all = {"mesh": list(zip("xyzt", sizes))}
        self.ids = {"mesh": self.device_ids(count_of(sizes))}
        if rng.random() < 0.15:
            self.all["other"] = list(zip("uvws", reversed(sizes)))
            self.ids["other"] = self.device_ids(count_of(sizes))
        self.whole = None

    def device_ids(self, count):
        if self.rng.random() < 0.7:
            return None
        ids = list(range(count))
        self.rng.shuffle(ids)
        return ids

    def text(self):
        lines = []
        for name, axes in self.all.items():
            body = ", ".join(f'"{axis}"={size}' for axis, size in axes)
            ids = self.ids[name]
            order = f", device_ids={ids}" if ids and ids != sorted(ids) else ""
            lines.append(f"sdy.mesh @{name} = <[{body}]{order}>")
        if self.whole:
            lines.append(f"sdy.mesh @{self.whole} = <[]{f', device_ids=[{self.device}]' * (self.whole == 'one')}>")
        return lines

    def axis_parts(self, axes):
        """Returns the axes, some of them cut in two or more: names, sizes, and what product of parts comes before."""
        parts = []
        for axis, size in axes:
            before = 1
            while before < size:
                factors = [each for each in range(2, size // before) if size // before % each == 0]
                cut = self.rng.choice(factors) if factors and self.rng.random() < 0.4 else size // before
                parts.append((axis, before, cut))
                before *= cut
            if size == 1:
                parts.append((axis, 1, 1))
        self.rng.shuffle(parts)
        return parts

    def texts(self, parts, mesh):
        """Returns parts of axes as text; parts in order that follow each other are one."""
        sizes, merged = dict(self.all[mesh]), []
        for axis, before, size in parts:
            if merged and merged[-1][0] == axis and merged[-1][1] * merged[-1][2] == before:
                merged[-1] = (axis, merged[-1][1], merged[-1][2] * size)
            else:
                merged.append((axis, before, size))
        return [f'"{axis}"' + (f":({before}){size}" if size != sizes[axis] else "") for axis, before, size in merged]

    def sharding(self, rank, element=None, mesh=None):
        """Returns a random sharding. What is of `element` may be left partial."""
        rng = self.rng
        if self.whole and not mesh and rng.random() < 0.1:
            return f"<@{self.whole}, [{', '.join('{}' for _ in range(rank))}]>"
        mesh = mesh or ("other" if "other" in self.all and rng.random() < 0.3 else "mesh")
        dims, rest = [[] for _ in range(rank)], []
        for part in self.axis_parts(self.all[mesh]):
            place = rng.randrange(rank + 1)
            (rest if place == rank else dims[place]).append(part)
        priority = rng.random() < 0.15
        texts = []
        for axes in (self.texts(each, mesh) for each in dims):
            is_open = rng.random() < 0.4
            number = f"p{rng.randint(0, 2)}" if priority and axes and rng.random() < 0.5 else ""
            if self.levels and axes and rng.random() < 0.8:
                number = f"p{rng.randrange(self.levels)}"
            texts.append("{" + ", ".join(axes + ["?"] * is_open) + "}" + number)
        order = [axis for axis, _ in self.all[mesh]]
        kinds, extra = PARTIAL.get(element, []), ""
        for name in ["replicated", "unreduced"]:
            taken = [part for part in rest if rng.random() < 0.3]
            rest = [part for part in rest if part not in taken]
            taken.sort(key=lambda part: (order.index(part[0]), part[1]))
            kind = rng.choice(kinds) if name == "unreduced" and kinds else ""
            if taken and (kinds or name == "replicated"):
                extra += f", {name}={kind}{{{', '.join(self.texts(taken, mesh))}}}"
        return f"<@{mesh}, [{', '.join(texts)}]{extra}>"


class AllMeshes(Meshes):
    """Also the mesh of one device, or the one without any: beside others, every device holds everything there."""

    def __init__(self, rng, levels=0):
        super().__init__(rng, levels)
        if rng.random() < 0.1:
            self.whole = rng.choice(["one", "none"])
            self.device = rng.randrange(count_of(size for _, size in self.all["mesh"]))


class Function:
    """A function under construction: its values so far and its lines."""

    def __init__(self, rng, meshes, prefix=""):
        self.rng, self.meshes, self.prefix = rng, meshes, prefix
        self.values, self.lines, self.numbers = [], [], 0
        self.helpers = []

    def fresh(self):
        self.numbers += 1
        return f"%{self.prefix}{self.numbers}"

    def emit(self, shape, element, text, how=None):
        """Adds `NAME = text : TYPE`; `{type}` stands for the type of the result."""
        value = Value(self.fresh(), shape, element, how)
        self.lines.append(f"{value.name} = " + text.replace("{type}", value.type))
        self.values.append(value)
        return value

    def find(self, accept):
        """Returns a value that fits, a late one by preference, or None."""
        fitting = [value for value in self.values if accept(value)]
        return self.rng.choice(fitting[-6:] if self.rng.random() < 0.7 else fitting) if fitting else None

    def pick(self, accept=lambda value: True):
        found = self.find(accept)
        if not found:
            raise Unfit
        return found

    def pick_tight(self, accept=lambda value: True):
        """Returns a value whose numbers do not depend on the order of sums."""
        return self.pick(lambda value: accept(value) and is_tight(value))

    def shape(self, rank=None):
        rank = self.rng.choice([1, 1, 1, 2, 2, 2, 2, 3, 3, 4]) if rank is None else rank
        shape = [self.rng.choice(SIZES) for _ in range(rank)]
        while count_of(shape) > MAX_ELEMENTS:
            shape[self.rng.randrange(rank)] = 2
        return shape

    def literal(self, element):
        return literal(element, self.rng.randint(0 if element == "ui8" else -3, 3))

    def dense(self, shape, element):
        if not shape:
            return self.literal(element)
        return "[" + ", ".join(self.dense(shape[1:], element) for _ in range(shape[0])) + "]"

    def scalar(self, element, literal=None):
        literal = self.literal(element) if literal is None else literal
        return self.emit((), element, f"stablehlo.constant dense<{literal}> : {{type}}", ("constant", [], literal))

    def like_tight(self, shape, element):
        """Returns a value of this type, whose numbers do not depend on the order of sums."""
        return self.like(shape, element, is_tight)

    def like(self, shape, element, accept=lambda value: True):
        """Returns a value of this type: one there is, or a new one."""
        found = self.find(lambda value: value.shape == tuple(shape) and value.element == element and accept(value))
        if found and self.rng.random() < 0.8:
            return found
        kind = self.rng.random()
        if kind < 0.4:
            text = self.dense(shape, element)
            return self.emit(shape, element, f"stablehlo.constant dense<{text}> : {{type}}", ("constant", [], text))
        if kind < 0.7 and shape and element not in ("i1", *SMALL, *NARROW):
            dim = self.rng.randrange(len(shape))
            return self.emit(shape, element, f"stablehlo.iota dim = {dim} : {{type}}", ("iota", [], dim))
        scalar = self.scalar(element)
        return self.emit(shape, element,
                         f"stablehlo.broadcast_in_dim {scalar.name}, dims = [] : ({scalar.type}) -> {{type}}",
                         ("broadcast", [scalar], []))
