"""More computations of random programs on local shapes: of several values, products whose sums are taken by hand, blocks
that move in part or add up in groups."""

from _elements import identity
from _manual_ops import ManualOps, Region
from _values import Unfit, Value, type_of


class PartOps(ManualOps):
    PARTS = ["product", "product_of_rows", "both", "shift", "in_groups"]

    def op_by_hand(self):
        mesh, axes, count = self.by_hand()
        element = self.rng.choice(["i32", "i32", "f32"])
        size = count * self.rng.choice([1, 1, 2])
        value = self.like([self.rng.choice([size, 1, 2, 3]), size], element)
        self.meshes.is_by_hand = True
        getattr(Parts(self, mesh, value, 1, axes, count), self.rng.choice(self.PARTS))()


class Parts(Region):
    """A computation over `axes` that split the columns of a matrix, and maybe dims of another value."""

    def finish_all(self, operands, results, plain):
        """Adds the op. Each operand is the name of the local value, the whole one, and the dim that is split or None; each
        result the name inside, its local shape, its shape, the dim and how it is computed. `plain` writes the lines of the
        same without local shapes from the names of the results."""
        element, first = self.value.element, self.function.fresh()
        names = [first] if len(results) == 1 else [f"{first}#{i}" for i in range(len(results))]
        axes = ", ".join(f'"{axis}"' for axis in self.in_order())
        ins = ", ".join(self.sharding(len(value.shape), dim) for _, value, dim in operands)
        outs = ", ".join(self.sharding(len(shape), dim) for _, _, shape, dim, _ in results)
        inner = ", ".join(f"{name}: {type_of(value.shape if dim is None else self.cut(value.shape, dim), element)}"
                          for name, value, dim in operands)
        of = ", ".join(type_of(shape, element) for _, _, shape, _, _ in results)
        text = (f"{first}{f':{len(results)}' if len(results) > 1 else ''} = sdy.manual_computation("
                f"{', '.join(value.name for _, value, _ in operands)}) in_shardings=[{ins}] out_shardings=[{outs}] "
                f"manual_axes={{{axes}}} ({inner}) {{\n{''.join(self.lines)}    sdy.return "
                f"{', '.join(result[0] for result in results)} : "
                f"{', '.join(type_of(shape, element) for _, shape, _, _, _ in results)}\n  }} : "
                f"({', '.join(value.type for _, value, _ in operands)}) -> {f'({of})' if len(results) > 1 else of}")
        self.function.lines.append((text, plain(first, of)))
        self.function.values += [Value(name, shape, element, how) for name, (_, _, shape, _, how) in zip(names, results)]

    def dot(self, lhs, rhs, left, right):
        """Returns the local product of two matrices of these shapes."""
        element = self.value.element
        return self.line([left[0], right[1]], f"stablehlo.dot_general {lhs}, {rhs}, contracting_dims = [1] x [0] : "
                         f"({type_of(left, element)}, {type_of(right, element)}) -> {{type}}")

    def other(self, shape):
        return self.function.fresh(), self.function.like(shape, self.value.element)

    def finish_product(self, name, other, split, result, of, shape, dim):
        value = self.value
        self.finish_all([(self.argument, value, 1), (name, other, split)],
                        [(result, of, shape, dim, ("dot", [value, other], [[], [1]], [[], [0]]))],
                        lambda out, kind: f"{out} = stablehlo.dot_general {value.name}, {other.name}, contracting_dims = [1] x "
                        f"[0] : ({value.type}, {other.type}) -> {kind}")

    def product(self):
        """Each device has some of the columns of one matrix and of the rows of the other; all get the sum, or each a part."""
        columns = self.rng.choice([1, 3, self.count, 2 * self.count])
        name, other = self.other([self.value.shape[1], columns])
        shape = [self.value.shape[0], columns]
        self.reducer = "add"
        result = self.dot(self.start(), name, self.local, self.cut(other.shape, 0))
        dims = [dim for dim, size in enumerate(shape) if size % self.count == 0]
        if dims and self.rng.random() < 0.6:
            dim = self.rng.choice(dims)
            part = self.cut(shape, dim)
            result = self.collective("reduce_scatter", result, shape, part, f", scatter_dimension = {dim} : i64", self.combiner())
            return self.finish_product(name, other, 0, result, part, shape, dim)
        result = self.collective("all_reduce", result, shape, shape, body=self.combiner())
        self.finish_product(name, other, 0, result, shape, shape, None)

    def product_of_rows(self):
        """One matrix is made whole before the product; the other is whole, or each device has some of its columns."""
        value = self.value
        split = self.rng.choice([None, 1])
        columns = self.rng.choice([1, 3] if split is None else [self.count, 2 * self.count])
        name, other = self.other([value.shape[1], columns])
        whole = self.collective("all_gather", self.start(), self.local, value.shape, ", all_gather_dim = 1 : i64")
        right = list(other.shape) if split is None else self.cut(other.shape, 1)
        result = self.dot(whole, name, value.shape, right)
        self.finish_product(name, other, split, result, [value.shape[0], right[1]], [value.shape[0], columns], split)

    def both(self):
        """Two values are made whole at once, by one collective, or reduced."""
        value, element = self.value, self.value.element
        name, other = self.other([self.count * self.rng.choice([1, 2]), self.rng.choice([1, 3])])
        local, self.meshes.regions = self.cut(other.shape, 0), self.meshes.regions + 1
        rows = self.groups()
        attributes = (f"channel_handle = #stablehlo.channel_handle<handle = {self.meshes.regions}, type = 1>, replica_groups = "
                      f"dense<{rows}> : tensor<{len(rows)}x{len(rows[0])}xi64>, use_global_device_ids")
        made = self.function.fresh()
        reduced = self.rng.random() < 0.5
        if not reduced:  # Of one dim, which has other sizes in the two.
            turned = [other.shape[1], other.shape[0]]
            second = self.line(list(reversed(local)), f"stablehlo.transpose {name}, dims = [1, 0] : "
                               f"({type_of(local, element)}) -> {{type}}")
            ins = f"({type_of(self.local, element)}, {type_of(reversed(local), element)})"
            outs = f"({value.type}, {type_of(turned, element)})"
            self.lines.append(f'    {made}:2 = "stablehlo.all_gather"({self.argument}, {second}) <{{{attributes}, all_gather_dim '
                              f"= 1 : i64}}> : {ins} -> {outs}\n")
            results = [(f"{made}#0", value.shape, value.shape, None, ("same", [value])),
                       (f"{made}#1", turned, turned, None, ("transpose", [other], [1, 0]))]

            def plain(out, kinds):
                again = self.function.fresh()
                return (f"{again} = stablehlo.transpose {other.name}, dims = [1, 0] : ({other.type}) -> "
                        f"{type_of(turned, element)}\n  {out}:2 = stablehlo.optimization_barrier {value.name}, {again} : {kinds}")
        else:
            literal = identity(self.reducer, element)
            zero = self.function.scalar(element, literal)
            inner = self.line((), f"stablehlo.constant dense<{literal}> : {{type}}")
            parts = [(self.argument, self.local, value, 1), (name, local, other, 0)]
            ends = [[size for i, size in enumerate(whole.shape) if i != dim] for _, _, whole, dim in parts]
            sums = [self.line(end, f"stablehlo.reduce({operand} init: {inner}) applies stablehlo.{self.reducer} across "
                              f"dimensions = [{dim}] : ({type_of(shape, element)}, {zero.type}) -> {{type}}")
                    for (operand, shape, _, dim), end in zip(parts, ends)]
            kinds = ", ".join(type_of(end, element) for end in ends)
            self.lines.append(f'    {made}:2 = "stablehlo.all_reduce"({", ".join(sums)}) <{{{attributes}}}>{self.combiner()} : '
                              f"({kinds}) -> ({kinds})\n")
            results = [(f"{made}#{i}", end, end, None, ("reduce", [whole, zero], self.reducer, [dim]))
                       for i, ((_, _, whole, dim), end) in enumerate(zip(parts, ends))]

            def plain(out, of):
                again = [self.function.fresh() for _ in parts]
                lines = [f"{name} = stablehlo.reduce({whole.name} init: {zero.name}) applies stablehlo.{self.reducer} across "
                         f"dimensions = [{dim}] : ({whole.type}, {zero.type}) -> {type_of(end, element)}\n  "
                         for name, (_, _, whole, dim), end in zip(again, parts, ends)]
                return f"{''.join(lines)}{out}:2 = stablehlo.optimization_barrier {', '.join(again)} : {of}"
        self.finish_all([(self.argument, value, 1), (name, other, 0)], results, plain)

    def shift(self):
        """Blocks go to the next device, those of the last nowhere; the first gets zeros."""
        value, block = self.value, self.local[1]
        self.meshes.regions += 1
        pairs = [[group[i], group[i + 1]] for group in self.groups() for i in range(len(group) - 1)]
        result = self.line(self.local, f'"stablehlo.collective_permute"({self.start()}) <{{channel_handle = '
                           f"#stablehlo.channel_handle<handle = {self.meshes.regions}, type = 1>, source_target_pairs = "
                           f"dense<{pairs}> : tensor<{len(pairs)}x2xi64>}}> : ({type_of(self.local, value.element)}) -> {{type}}")
        zero = self.function.scalar(value.element, "0.0" if value.element == "f32" else "0")
        low, high, none = [0, block], [0, -block], [0, 0]
        self.finish(result, self.local, value.shape, 1, f"{{out}} = stablehlo.pad {value.name}, {zero.name}, low = {low}, high = "
                    f"{high}, interior = {none} : ({value.type}, {zero.type}) -> {{type}}",
                    ("pad", [value, zero], low, high, none))

    def in_groups(self):
        """Devices next to each other add up their blocks, and each keeps the sum of its group."""
        sizes = [size for size in range(2, self.count) if self.count % size == 0]
        if not sizes:
            raise Unfit
        value, size = self.value, self.rng.choice(sizes)
        rows = [group[at:at + size] for group in self.groups() for at in range(0, len(group), size)]
        self.meshes.regions += 1
        self.reducer = "add"
        result = self.line(self.local, f'"stablehlo.all_reduce"({self.start()}) <{{channel_handle = #stablehlo.channel_handle<'
                           f"handle = {self.meshes.regions}, type = 1>, replica_groups = dense<{rows}> : tensor<{len(rows)}x"
                           f"{size}xi64>, use_global_device_ids}}>{self.combiner()} : ({type_of(self.local, value.element)}) -> "
                           "{type}")
        zero = self.function.scalar(value.element, "0.0" if value.element == "f32" else "0")
        split = [value.shape[0], self.count // size, size, self.local[1]]
        total = [split[0], split[1], split[3]]
        names = [self.function.fresh() for _ in range(3)]
        kinds = [type_of(shape, value.element) for shape in (split, total, split)]
        plain = (f"{names[0]} = stablehlo.reshape {value.name} : ({value.type}) -> {kinds[0]}\n  "
                 f"{names[1]} = stablehlo.reduce({names[0]} init: {zero.name}) applies stablehlo.add across dimensions = [2] : "
                 f"({kinds[0]}, {zero.type}) -> {kinds[1]}\n  "
                 f"{names[2]} = stablehlo.broadcast_in_dim {names[1]}, dims = [0, 1, 3] : ({kinds[1]}) -> {kinds[2]}\n  "
                 f"{{out}} = stablehlo.reshape {names[2]} : ({kinds[2]}) -> {{type}}")
        parts = Value(names[0], split, value.element, ("reshape", [value], split))
        sums = Value(names[1], total, value.element, ("reduce", [parts, zero], "add", [2]))
        spread = Value(names[2], split, value.element, ("broadcast", [sums], [0, 1, 3]))
        self.finish(result, self.local, value.shape, 1, plain, ("reshape", [spread], list(value.shape)))
