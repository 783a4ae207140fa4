"""Ops of random programs that find rows by index, in all their forms, and that sort by several keys."""

from _elements import ORDERS
from _part_ops import PartOps
from _values import MAX_ELEMENTS, Unfit, Value, count_of, type_of

INDICES = ["i32", "i32", "i64", "ui8", "i8"]
REDUCERS = ["add", "maximum", "minimum", "multiply"]


class Windows:
    """The windows of a gather or a scatter of a value: their sizes, and what its dims are."""

    def __init__(self, rng, shape):
        rank = len(shape)
        dims = rng.sample(range(rank), rank)
        self.batching = sorted(dims[:rng.choice([0, 0, 1])]) if rank > 1 else []
        rest = [dim for dim in dims if dim not in self.batching]
        self.indexed = rest[:rng.randint(1, min(2, len(rest)))]
        self.sizes = [1 if dim in self.batching else rng.choice([1, rng.randint(1, size), size]) for dim, size in enumerate(shape)]
        self.collapsed = [dim for dim in sorted(rest) if self.sizes[dim] == 1 and rng.random() < 0.7]
        self.kept = [dim for dim in range(rank) if dim not in self.collapsed + self.batching]
        # The dims of the indices: those that go with batching ones, and one or two more, in any order.
        free = [rng.choice([1, 2, 3, 5]) for _ in range(rng.randint(0 if self.batching else 1, 2 if rank < 3 else 1))]
        roles = [("batch", dim) for dim in self.batching] + [("free", size) for size in free]
        rng.shuffle(roles)
        self.rows = [shape[number] if role == "batch" else number for role, number in roles]
        self.places = [roles.index(("batch", dim)) for dim in self.batching]
        self.vector = rng.randint(0, len(roles))
        self.is_implied = len(self.indexed) == 1 and rng.random() < 0.5
        if self.is_implied:
            self.vector = len(roles)
        self.indices = list(self.rows)
        if not self.is_implied:
            self.indices.insert(self.vector, len(self.indexed))
        # The result, or the update: dims of windows among those of the indices.
        total = len(self.rows) + len(self.kept)
        self.offsets = sorted(rng.sample(range(total), len(self.kept)))
        rows, kept = iter(self.rows), iter(self.kept)
        self.result = [self.sizes[next(kept)] if at in self.offsets else next(rows) for at in range(total)]
        # Where in the indices a batching dim stands, counting the dim of the vector.
        self.index_places = [place + (not self.is_implied and place >= self.vector) for place in self.places]

    def numbers(self, names):
        """Returns the dimension numbers as text; `names` are those of the op."""
        lists = zip(names, (self.offsets, self.collapsed, self.batching, self.index_places, self.indexed))
        return ", ".join([f"{name} = {numbers}" for name, numbers in lists if numbers] + [f"index_vector_dim = {self.vector}"])


class IndexOps(PartOps):
    def windows(self, value):
        windows = Windows(self.rng, value.shape)
        if count_of(windows.result) > MAX_ELEMENTS or len(windows.result) > 4:
            raise Unfit
        return windows, self.like(windows.indices, self.rng.choice(INDICES))

    def op_windows_by_index(self):
        value = self.pick(lambda value: value.shape)
        windows, index = self.windows(value)
        numbers = windows.numbers(["offset_dims", "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims",
                                   "start_index_map"])
        self.emit(windows.result, value.element,
                  f'"stablehlo.gather"({value.name}, {index.name}) <{{dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes '
                  f"= array<i64: {', '.join(map(str, windows.sizes))}>}}> : ({value.type}, {index.type}) -> {{type}}",
                  ("gather_windows", [value, index], windows))

    def op_update_by_index(self):
        """Some add up, some take the largest; what reaches past the end is left out."""
        value = self.pick(lambda value: value.shape and value.element in ("i32", "ui8", "i64"))
        windows, index = self.windows(value)
        update, name = self.like(windows.result, value.element), self.rng.choice(REDUCERS)
        numbers = windows.numbers(["update_window_dims", "inserted_window_dims", "input_batching_dims",
                                   "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"])
        self.emit(value.shape, value.element,
                  f'"stablehlo.scatter"({value.name}, {index.name}, {update.name}) <{{scatter_dimension_numbers = '
                  f"#stablehlo.scatter<{numbers}>}}> ({{\n{self.body(name, value.element)}  }}) : ({value.type}, {index.type}, "
                  f"{update.type}) -> {{type}}", ("scatter_windows", [value, index, update], windows, name))

    def op_sort_by_two(self):
        """Rows by one key and, where that is the same, by another; a third value goes with them."""
        value = self.pick_tight(lambda value: value.shape and value.element in ORDERS)
        other = self.like_tight(value.shape, "i32")
        dim = self.rng.randrange(len(value.shape))
        third = self.emit(value.shape, "i32", f"stablehlo.iota dim = {dim} : {{type}}", ("iota", [], dim))
        operands, kind = [value, other, third], ORDERS[value.element]
        names = [[self.fresh(), self.fresh()] for _ in operands]
        less, same, second, both, result, first = (self.fresh() for _ in range(6))
        scalars = [type_of((), each.element) for each in operands]
        arguments = ", ".join(f"{name}: {scalar}" for pair, scalar in zip(names, scalars) for name in pair)
        (a, b), (c, d), _ = names
        types = ", ".join(each.type for each in operands)
        self.lines.append(
            f'{first}:3 = "stablehlo.sort"({", ".join(each.name for each in operands)}) <{{dimension = {dim} : i64, is_stable = '
            f"true}}> ({{\n  ^bb0({arguments}):\n"
            f"    {less} = stablehlo.compare LT, {a}, {b}, {kind} : ({scalars[0]}, {scalars[0]}) -> tensor<i1>\n"
            f"    {same} = stablehlo.compare EQ, {a}, {b}, {kind} : ({scalars[0]}, {scalars[0]}) -> tensor<i1>\n"
            f"    {second} = stablehlo.compare GT, {c}, {d}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
            f"    {both} = stablehlo.and {same}, {second} : tensor<i1>\n    {result} = stablehlo.or {less}, {both} : tensor<i1>\n"
            f"    stablehlo.return {result} : tensor<i1>\n  }}) : ({types}) -> ({types})")
        self.values += [Value(f"{first}#{i}", each.shape, each.element, ("sort_by_two", [value, other], dim, i))
                        for i, each in enumerate(operands)]
