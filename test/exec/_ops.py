"""The ops of random programs: one method an op, which draws operands that fit and adds the op's line."""

from _elements import BINARY, COMPLEX, INTEGERS, NO_SUMS, ORDERS, REDUCERS, UNARY
from _exact import is_tight
from _values import MAX_ELEMENTS, Function, Unfit, Value, count_of, type_of


class Ops(Function):
    """A function that ops can be added to; Unfit where no value fits the op."""

    def op_unary(self):
        value = self.pick()
        name = self.rng.choice([name for name in UNARY[value.element] if name != "floor" or is_tight(value)])
        self.emit(value.shape, value.element, f"stablehlo.{name} {value.name}{self.op_attribute(value)} : {{type}}",
                  ("unary", [value], name))

    def op_attribute(self, value):
        """Sometimes returns the sharding of an op's result."""
        if self.rng.random() < 0.7:
            return ""
        sharding = self.meshes.sharding(len(value.shape), value.element)
        return f" {{sdy.sharding = #sdy.sharding_per_value<[{sharding}]>}}"

    def op_binary(self):
        value = self.pick()
        name = self.rng.choice(BINARY[value.element])
        other = self.like(value.shape, value.element)
        pair = [value, other]
        self.rng.shuffle(pair)
        self.emit(value.shape, value.element,
                  f"stablehlo.{name} {pair[0].name}, {pair[1].name}{self.op_attribute(value)} : {{type}}",
                  ("binary", pair, name))

    def op_select(self):
        value = self.pick_tight(lambda value: value.element in ORDERS)
        kind = ORDERS[value.element]
        other = self.like_tight(value.shape, value.element)
        direction = self.rng.choice(["LT", "EQ", "GE"])
        predicate = self.emit(value.shape, "i1", f"stablehlo.compare {direction}, {value.name}, {other.name}, "
                              f"{kind} : ({value.type}, {value.type}) -> {{type}}",
                              ("compare", [value, other], direction))
        third = self.like(value.shape, value.element)
        self.emit(value.shape, value.element, f"stablehlo.select {predicate.name}, {value.name}, {third.name} : "
                  f"{predicate.type}, {{type}}", ("select", [predicate, value, third]))

    def op_clamp(self):
        value = self.pick(lambda value: value.element == "i32")
        low, high = self.scalar("i32", "-2"), self.scalar("i32", "3")
        self.emit(value.shape, "i32", f"stablehlo.clamp {low.name}, {value.name}, {high.name} : "
                  f"({low.type}, {value.type}, {high.type}) -> {{type}}", ("clamp", [low, value, high]))

    def op_convert(self):
        value = self.pick(lambda value: value.element != COMPLEX)
        # What is rounded as f32 would be judged as f64.
        wide = ["i32", "f32"] if value.element == "f32" else ["i32", "f32", "f64"]
        if value.element in INTEGERS and self.rng.random() < 0.5:
            wide = INTEGERS
        element = self.rng.choice(["i32", "ui8"] if value.element in ("i1", "ui8") else wide)
        if is_tight(value) and value.element in ("f32", "f64") and self.rng.random() < 0.5:
            element = "bf16"
        if element == "i32" and not is_tight(value):
            raise Unfit
        self.emit(value.shape, element, f"stablehlo.convert {value.name} : ({value.type}) -> {{type}}",
                  ("convert", [value], element))

    def op_transpose(self):
        value = self.pick(lambda value: len(value.shape) > 1)
        order = list(range(len(value.shape)))
        self.rng.shuffle(order)
        self.emit([value.shape[d] for d in order], value.element,
                  f"stablehlo.transpose {value.name}, dims = {order} : ({value.type}) -> {{type}}",
                  ("transpose", [value], order))

    def op_reshape(self):
        value = self.pick()
        rest, shape = count_of(value.shape), []
        while rest > 1 and len(shape) < 3:
            size = self.rng.choice([size for size in range(1, rest + 1) if rest % size == 0])
            shape.append(size)
            rest //= size
        shape.append(rest)
        self.emit(shape, value.element, f"stablehlo.reshape {value.name} : ({value.type}) -> {{type}}",
                  ("reshape", [value], shape))

    def op_broadcast(self):
        value = self.pick(lambda value: len(value.shape) < 3)
        rank = self.rng.randint(max(1, len(value.shape)), 3)
        dims = sorted(self.rng.sample(range(rank), len(value.shape)))
        shape = [self.rng.choice([2, 3, 4, 5]) for _ in range(rank)]
        for d, size in zip(dims, value.shape):
            if size != 1:
                shape[d] = size
        if count_of(shape) <= MAX_ELEMENTS:
            self.emit(shape, value.element,
                      f"stablehlo.broadcast_in_dim {value.name}, dims = {dims} : ({value.type}) -> {{type}}",
                      ("broadcast", [value], dims))

    def op_reverse(self):
        value = self.pick(lambda value: value.shape)
        dims = self.rng.sample(range(len(value.shape)), self.rng.randint(1, len(value.shape)))
        self.emit(value.shape, value.element, f"stablehlo.reverse {value.name}, dims = {dims} : {{type}}",
                  ("reverse", [value], dims))

    def op_slice(self):
        value = self.pick(lambda value: value.shape)
        parts, shape = [], []
        for size in value.shape:
            low, high, stride = 0, size, 1
            if self.rng.random() < 0.5:
                low = self.rng.randrange(size)
                high, stride = self.rng.randint(low + 1, size), self.rng.choice([1, 1, 2])
            parts.append((low, high, stride))
            shape.append(-(-(high - low) // stride))
        text = ", ".join(":".join(map(str, part)) for part in parts)
        self.emit(shape, value.element, f"stablehlo.slice {value.name} [{text}] : ({value.type}) -> {{type}}",
                  ("slice", [value], parts))

    def op_concatenate(self):
        value = self.pick(lambda value: value.shape)
        dim = self.rng.randrange(len(value.shape))
        operands = [value]
        for _ in range(self.rng.randint(0, 2)):
            shape = list(value.shape)
            shape[dim] = self.rng.choice([shape[dim], 2, 3])
            operands.append(self.like(shape, value.element))
        shape = list(value.shape)
        shape[dim] = sum(operand.shape[dim] for operand in operands)
        if count_of(shape) <= MAX_ELEMENTS:
            self.emit(shape, value.element,
                      f"stablehlo.concatenate {', '.join(operand.name for operand in operands)}, dim = {dim} : "
                      f"({', '.join(operand.type for operand in operands)}) -> {{type}}", ("concatenate", operands, dim))

    def op_pad(self):
        value = self.pick(lambda value: value.shape)
        low, high, interior, shape = [], [], [], []
        for size in value.shape:
            touched = self.rng.random() < 0.5
            low.append(self.rng.randint(-min(2, size - 1), 2) if touched else 0)
            high.append(self.rng.randint(1 - size, 2) if touched else 0)
            interior.append(self.rng.randint(0, 1) if touched else 0)
            shape.append(size + (size - 1) * interior[-1] + low[-1] + high[-1])
        if count_of(shape) <= MAX_ELEMENTS and min(shape) > 0:
            fill = self.scalar(value.element)
            self.emit(shape, value.element,
                      f"stablehlo.pad {value.name}, {fill.name}, low = {low}, high = {high}, "
                      f"interior = {interior} : ({value.type}, {fill.type}) -> {{type}}",
                      ("pad", [value, fill], low, high, interior))

    def starts(self, shape):
        return [self.scalar("i32", str(self.rng.randint(-1, size))) for size in shape]

    def op_dynamic_slice(self):
        value = self.pick(lambda value: value.shape)
        sizes = [self.rng.choice([size, self.rng.randint(1, size)]) for size in value.shape]
        starts = self.starts(value.shape)
        self.emit(sizes, value.element,
                  f"stablehlo.dynamic_slice {value.name}, {', '.join(start.name for start in starts)}, "
                  f"sizes = {sizes} : ({value.type}{', tensor<i32>' * len(starts)}) -> {{type}}",
                  ("dynamic_slice", [value, *starts], sizes))

    def op_dynamic_update_slice(self):
        value = self.pick(lambda value: value.shape)
        update = self.like([self.rng.choice([size, self.rng.randint(1, size)]) for size in value.shape],
                           value.element)
        starts = self.starts(value.shape)
        self.emit(value.shape, value.element,
                  f"stablehlo.dynamic_update_slice {value.name}, {update.name}, "
                  f"{', '.join(start.name for start in starts)} : ({value.type}, {update.type}"
                  f"{', tensor<i32>' * len(starts)}) -> {{type}}", ("dynamic_update_slice", [value, update, *starts]))

    def op_reduce(self):
        value = self.pick(lambda value: value.shape)
        name = self.rng.choice(REDUCERS[value.element])
        init = self.find(lambda other: not other.shape and other.element == value.element)
        init = init if init and self.rng.random() < 0.3 else self.scalar(value.element)
        dims = sorted(self.rng.sample(range(len(value.shape)), self.rng.randint(1, len(value.shape))))
        self.emit([size for d, size in enumerate(value.shape) if d not in dims], value.element,
                  f"stablehlo.reduce({value.name} init: {init.name}) applies stablehlo.{name} across "
                  f"dimensions = {dims} : ({value.type}, {init.type}) -> {{type}}", ("reduce", [value, init], name, dims))

    def op_dot(self):
        lhs = self.pick(lambda value: value.shape and value.element not in ("i1", *NO_SUMS))
        dims = list(range(len(lhs.shape)))
        self.rng.shuffle(dims)
        numContracted = self.rng.randint(1, len(dims))
        numBatch = self.rng.randint(0, len(dims) - numContracted)
        contracted, batch = dims[:numContracted], dims[numContracted:numContracted + numBatch]
        roles = [("contracted", d) for d in contracted] + [("batch", d) for d in batch]
        if len(roles) < 3 and self.rng.random() < 0.8:
            roles.append(("free", self.rng.choice([2, 3, 4, 5, 6])))
        self.rng.shuffle(roles)
        rhs = self.like([size if role == "free" else lhs.shape[size] for role, size in roles], lhs.element)
        place = {role: index for index, role in enumerate(roles)}
        shape = [lhs.shape[d] for d in batch]
        shape += [lhs.shape[d] for d in range(len(lhs.shape)) if d not in batch + contracted]
        shape += [size for role, size in roles if role == "free"]
        if count_of(shape) > MAX_ELEMENTS:
            return
        text = f"stablehlo.dot_general {lhs.name}, {rhs.name}"
        if batch:
            text += f", batching_dims = {batch} x {[place['batch', d] for d in batch]}"
        text += f", contracting_dims = {contracted} x {[place['contracted', d] for d in contracted]}"
        self.emit(shape, lhs.element, text + f" : ({lhs.type}, {rhs.type}) -> {{type}}",
                  ("dot", [lhs, rhs], [batch, contracted], [[place[role, d] for d in dims]
                                                            for role, dims in (("batch", batch), ("contracted", contracted))]))

    def op_convolution(self):
        batch, rows, features, out = (self.rng.choice([1, 2, 3, 4, 5, 6]) for _ in range(4))
        window = self.rng.choice([1, 1, min(rows, 2), min(rows, 3)])
        lhs = self.like([batch, rows, features], "f32")
        rhs = self.like([window, features, out], "f32")
        low, high = (self.rng.choice([0, 0, 1]) for _ in range(2))
        stride = self.rng.choice([1, 1, 2])
        result = (rows + low + high - window) // stride + 1
        self.emit([batch, result, out], "f32",
                  f"stablehlo.convolution({lhs.name}, {rhs.name}) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], "
                  f"window = {{stride = [{stride}], pad = [[{low}, {high}]]}} "
                  "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
                  f"({lhs.type}, {rhs.type}) -> {{type}}", ("convolution", [lhs, rhs], stride, low, high))

    def op_gather(self):
        """Rows of a matrix by index, or with a batching dim one index a row."""
        value = self.pick(lambda value: len(value.shape) == 2)
        rows, columns = value.shape
        if self.rng.random() < 0.5:
            index = self.like([self.rng.choice([2, 3, 5])], "i32")
            shape = [index.shape[0], columns]
            numbers = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
            sizes = f"1, {columns}"
        else:
            index = self.like([rows], "i32")
            shape = [rows]
            numbers = ("operand_batching_dims = [0], collapsed_slice_dims = [1], "
                       "start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1")
            sizes = "1, 1"
        self.emit(shape, value.element,
                  f'"stablehlo.gather"({value.name}, {index.name}) <{{dimension_numbers = #stablehlo.gather<{numbers}>, '
                  f"slice_sizes = array<i64: {sizes}>}}> : ({value.type}, {index.type}) -> {{type}}",
                  ("gather", [value, index]))

    def op_scatter(self):
        """Adds rows to a matrix, or with a batching dim one element a row."""
        value = self.pick(lambda value: len(value.shape) == 2 and value.element not in ("i1", *NO_SUMS))
        rows, columns = value.shape
        if self.rng.random() < 0.5:
            index = self.like([self.rng.choice([2, 3, 5])], "i32")
            update = self.like([index.shape[0], columns], value.element)
            numbers = ("update_window_dims = [1], inserted_window_dims = [0], "
                       "scatter_dims_to_operand_dims = [0], index_vector_dim = 1")
        else:
            index = self.like([rows], "i32")
            update = self.like([rows], value.element)
            numbers = ("inserted_window_dims = [1], input_batching_dims = [0], "
                       "scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], "
                       "index_vector_dim = 1")
        a, b, c = (self.fresh() for _ in range(3))
        scalar = type_of((), value.element)
        self.emit(value.shape, value.element,
                  f'"stablehlo.scatter"({value.name}, {index.name}, {update.name}) '
                  f"<{{scatter_dimension_numbers = #stablehlo.scatter<{numbers}>}}> ({{\n"
                  f"  ^bb0({a}: {scalar}, {b}: {scalar}):\n"
                  f"    {c} = stablehlo.add {a}, {b} : {scalar}\n"
                  f"    stablehlo.return {c} : {scalar}\n"
                  f"  }}) : ({value.type}, {index.type}, {update.type}) -> {{type}}", ("scatter_add", [value, index, update]))

    def op_argmax(self):
        """A reduction with two operands and a body that is no single op."""
        value = self.pick(lambda value: value.shape and value.element == "i32")
        dim = self.rng.randrange(len(value.shape))
        index = self.emit(value.shape, "i32", f"stablehlo.iota dim = {dim} : {{type}}", ("iota", [], dim))
        low, zero = self.scalar("i32", "-100"), self.scalar("i32", "0")
        shape = [size for d, size in enumerate(value.shape) if d != dim]
        first = Value(self.fresh(), shape, "i32")
        self.lines.append(
            f"{first.name}:2 = stablehlo.reduce({value.name} init: {low.name}), ({index.name} init: {zero.name}) "
            f"across dimensions = [{dim}] : ({value.type}, {value.type}, tensor<i32>, tensor<i32>) -> "
            f"({first.type}, {first.type})\n"
            "   reducer(%a: tensor<i32>, %b: tensor<i32>) (%i: tensor<i32>, %j: tensor<i32>) {\n"
            "    %p = stablehlo.compare GE, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
            "    %q = stablehlo.select %p, %a, %b : tensor<i1>, tensor<i32>\n"
            "    %r = stablehlo.select %p, %i, %j : tensor<i1>, tensor<i32>\n"
            "    stablehlo.return %q, %r : tensor<i32>, tensor<i32>\n"
            "  }")
        self.values += [Value(f"{first.name}#{i}", shape, "i32", ("argmax", [value], dim, i)) for i in range(2)]

    def op_barrier(self):
        a, b = self.pick(), self.pick()
        first = self.fresh()
        self.lines.append(f"{first}:2 = stablehlo.optimization_barrier {a.name}, {b.name} : {a.type}, {b.type}")
        self.values += [Value(f"{first}#{i}", each.shape, each.element, ("same", [each]))
                        for i, each in enumerate((a, b))]

    def op_constraint(self):
        value = self.pick()
        name = self.rng.choice(["sharding_constraint", "sharding_constraint", "reshard"])
        sharding = self.meshes.sharding(len(value.shape), value.element)
        self.emit(value.shape, value.element, f"sdy.{name} {value.name} {sharding} : {{type}}", ("same", [value]))

    def op_call(self):
        """Calls a helper, an old one where one fits."""
        value = self.pick(lambda value: value.shape)
        known = [each for each in self.helpers if each[0] == value.type]
        if known and self.rng.random() < 0.7:
            _, name, result, _ = self.rng.choice(known)
        elif self.prefix:
            return
        else:
            inner = type(self)(self.rng, self.meshes, "h")
            inner.helpers = self.helpers  # Functions call others.
            inner.values.append(Value("%arg0", value.shape, value.element, is_inner=True))
            inner.grow(3)
            result, name = inner.values[-1], f"helper{len(self.helpers)}"
            self.helpers.append((value.type, name, result, [
                inner.function(name, "private", ["%arg0: " + value.type], [result], [result.type], which) for which in (0, 1)]))
        self.emit(result.shape, result.element, f"func.call @{name}({value.name}) : ({value.type}) -> {{type}}",
                  ("call", [value], result))
