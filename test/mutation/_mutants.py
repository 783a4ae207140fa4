"""What a partitioned program may not do without: each collective taken out, done twice, done among others or as another
one, and each mask taken out.

A mutant replaces one op by lines that make results of the same types. What is the same by its own definition is left
out: a maximum taken twice, a group of one device.
"""

import re

from generic_text import ops_of, shape_of, type_of

COLLECTIVES = {f"stablehlo.{name}" for name in
               ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "collective_permute", "collective_broadcast")}
OTHER_REDUCER = {"add": "maximum", "maximum": "minimum", "minimum": "maximum", "multiply": "add", "and": "or", "or": "and",
                 "xor": "or"}
TWICE_IS_ONCE = {"maximum", "minimum", "and", "or"}
# Ops that make places of places, so that a mask is made of them.
OF_PLACES = {f"stablehlo.{name}" for name in
             ("iota", "partition_id", "constant", "add", "subtract", "multiply", "divide", "remainder", "compare", "and", "or",
              "not", "convert", "reshape", "broadcast_in_dim", "minimum", "maximum", "clamp", "dynamic_slice", "slice",
              "concatenate", "select", "pad", "reverse")}


NAN = {"f64": "0x7FF8000000000000", "f32": "0x7FC00000", "f16": "0x7E00", "bf16": "0x7FC0"}


class Mutant:
    def __init__(self, name, op, replacement):
        self.name, self.op, self.replacement = name, op, replacement

    def text(self, lines):
        return self.around(lines, self.replacement)

    def around(self, lines, replacement):
        return "\n".join(lines[:self.op.first] + replacement + lines[self.op.last + 1:]) + "\n"

    def spoilt(self, lines, where_it_differs):
        """Returns the program with nonsense in place of what the op makes; or only where the mutant makes something else."""
        op, writer = self.op, Writer(self.op, "%nonsense")
        first, *rest = op.text(lines)
        kept = [renamed(first, op, "%kept")] + [rename(line, "kept_") for line in rest]
        other = [renamed(line, op, "%other") for line in self.replacement] if where_it_differs else []
        values = []
        for i, of in enumerate(op.makes):
            suffix = f"#{i}" if op.count > 1 else ""
            values.append(writer.spoil("%kept" + suffix, "%other" + suffix if where_it_differs else None, of))
        return self.around(lines, kept + other + writer.finish(values))


class Writer:
    """Writes lines in the place of an op."""

    def __init__(self, op, prefix="%mutant"):
        self.op, self.prefix, self.lines, self.numbers = op, prefix, [], 0

    def add(self, text):
        self.numbers += 1
        name = f"{self.prefix}{self.numbers}"
        self.lines.append(f"{self.op.indent}{name} = {text}")
        return name

    def slice(self, value, of, dim, low, high):
        shape, element = shape_of(of)
        starts, limits = [0] * len(shape), list(shape)
        starts[dim], limits[dim] = low, high
        result = type_of([b - a for a, b in zip(starts, limits)], element)
        lists = ", ".join(f"{name} = array<i64: {', '.join(map(str, each))}>" for name, each in
                          (("limit_indices", limits), ("start_indices", starts), ("strides", [1] * len(shape))))
        return self.add(f'"stablehlo.slice"({value}) <{{{lists}}}> : ({of}) -> {result}'), result

    def concatenate(self, values, types, dim):
        shape, element = shape_of(types[0])
        shape[dim] = sum(shape_of(each)[0][dim] for each in types)
        result = type_of(shape, element)
        return self.add(f'"stablehlo.concatenate"({", ".join(values)}) <{{dimension = {dim} : i64}}> : '
                        f"({', '.join(types)}) -> {result}"), result

    def collective(self, name, value, of, result, attributes):
        return self.add(f'"stablehlo.{name}"({value}) <{{channel_handle = #stablehlo.channel_handle<handle = 9999, type = 1>, '
                        f"{attributes}}}> : ({of}) -> {result}")

    def spoil(self, value, other, of):
        """Returns nonsense of type `of`, or `value` where `other` is the same."""
        shape, element = shape_of(of)
        if element.startswith(("f", "bf", "complex")):
            number = "(0x7FC00000,0x7FC00000)" if element == "complex<f32>" else NAN.get(element)
            nonsense = self.add(f'"stablehlo.constant"() <{{value = dense<{number}> : {of}}}> : () -> {of}')
        else:
            nonsense = self.add(f'"stablehlo.not"({value}) : ({of}) -> {of}')
        if other is None:
            return nonsense
        bits, of_values = type_of(shape, "i1"), of
        if element in NAN:  # Bits are compared: NaN is like NaN.
            of = type_of(shape, "ui" + re.search(r"\d+", element).group())
            value_bits, other = (self.add(f'"stablehlo.bitcast_convert"({each}) : ({of_values}) -> {of}')
                                 for each in (value, other))
        else:
            value_bits = value
        kind = "FLOAT" if element.startswith("complex") else "SIGNED" if element[0] == "i" and element != "i1" else "UNSIGNED"
        same = self.add(f'"stablehlo.compare"({value_bits}, {other}) <{{compare_type = #stablehlo<comparison_type {kind}>, '
                        f"comparison_direction = #stablehlo<comparison_direction EQ>}}> : ({of}, {of}) -> {bits}")
        return self.add(f'"stablehlo.select"({same}, {value}, {nonsense}) : ({bits}, {of_values}, {of_values}) -> {of_values}')

    def finish(self, values):
        """Gives the op's names to `values`."""
        op = self.op
        count = f":{op.count}" if op.count > 1 else ""
        types = ", ".join(op.makes)
        result = types if op.count == 1 else f"({types})"
        return self.lines + [f'{op.indent}{op.result}{count} = "stablehlo.optimization_barrier"({", ".join(values)}) : '
                             f"({types}) -> {result}"]


def mutants_of(text):
    """Returns the lines of a module in generic form, and its mutants in order."""
    lines = text.splitlines()
    found, numbers, places = [], {}, {}
    for op in ops_of(lines):
        kind = op.name.split(".")[-1]
        if op.name in COLLECTIVES and len(op.operands) == op.count:
            made = list(of_collective(op, lines))
        elif op.name == "stablehlo.select":
            made = list(of_mask(op, places))
        else:
            made = []
        note_places(op, places)
        if not made:
            continue
        number = numbers[kind] = numbers.get(kind, -1) + 1
        found += [Mutant(f"{kind} {number} {what}", op, replacement) for what, replacement in made]
    return lines, found


# --- collectives -----------------------------------------------------------------------------------


def of_collective(op, lines):
    rows = op.groups()
    if op.name == "stablehlo.collective_permute":
        if any(a != b for a, b in rows):
            yield from of_permute(op, lines, rows)
    elif len(rows[0]) > 1:
        kind = op.name.split(".")[-1]
        yield "deleted", deleted(op, kind, len(rows[0]))
        yield from regrouped(op, lines, kind, rows)
        yield from {"all_reduce": of_reduction, "reduce_scatter": of_reduction, "all_gather": of_gather,
                    "all_to_all": of_exchange}.get(kind, lambda *_: [])(op, lines, kind, rows)


def deleted(op, kind, size):
    """Each device goes on with what it has, in place of what the others would send."""
    writer, values = Writer(op), []
    for value, of, result in zip(op.operands, op.takes, op.makes):
        if kind == "all_gather":
            dim = op.number("all_gather_dim")
            value, _ = writer.concatenate([value] * size, [of] * size, dim)
        elif kind == "reduce_scatter":
            dim = op.number("scatter_dimension")
            value, _ = writer.slice(value, of, dim, 0, shape_of(result)[0][dim])
        elif kind == "all_to_all":
            split, concat = op.number("split_dimension"), op.number("concat_dimension")
            part = shape_of(of)[0][split] // size
            pieces = [writer.slice(value, of, split, i * part, (i + 1) * part) for i in range(size)]
            value, _ = writer.concatenate(*map(list, zip(*pieces)), concat)
        values.append(value)
    return writer.finish(values)


def regrouped(op, lines, kind, rows):
    flat = [device for row in rows for device in row]
    dealt = [flat[i::len(rows)] for i in range(len(rows))]
    if len(rows) > 1 and {frozenset(row) for row in dealt} != {frozenset(row) for row in rows}:
        yield "among others", op.with_groups(lines, dealt)
    if kind == "all_reduce":
        half = len(rows[0]) // 2
        if len(rows[0]) % 2 == 0:
            yield "among half", op.with_groups(lines, [part for row in rows for part in (row[:half], row[half:])])
    elif kind != "collective_broadcast":
        yield "in another order", op.with_groups(lines, [row[1:] + row[:1] for row in rows])


def reducer_of(op):
    """Returns the op that a reduction's body is, or nothing if it is several."""
    names = [match.group(1) for line in op.inside for match in re.finditer(r'"stablehlo\.(\w+)"', line)]
    return names[0] if len(names) == 2 and names[0] in OTHER_REDUCER else None


def of_reduction(op, lines, kind, rows):
    reducer = reducer_of(op)
    if not reducer:
        return
    text = op.text(lines)
    yield "of another kind", [line.replace(f'"stablehlo.{reducer}"', f'"stablehlo.{OTHER_REDUCER[reducer]}"') for line in text]
    if reducer in TWICE_IS_ONCE:
        return
    # First among the same, as a value of the operands' types; then as before.
    names = ["%once"] if op.count == 1 else [f"%once#{i}" for i in range(op.count)]
    count = f":{op.count}" if op.count > 1 else ""
    first = [f'{op.indent}%once{count} = "stablehlo.all_reduce"({", ".join(op.operands)})' + without_dim(op.header)]
    types = ", ".join(op.takes)
    inside = [rename(line) for line in op.inside]
    last = f"{op.indent}}}) : ({types}) -> " + (types if op.count == 1 else f"({types})")
    again = [text[0].replace(f"({', '.join(op.operands)})", f"({', '.join(names)})", 1)] + text[1:]
    yield "twice", first + inside + [last] + again


def without_dim(header):
    return re.sub(r",? ?scatter_dimension = \d+ : i64", "", header).replace("<handle = ", "<handle = 9")


def rename(line, prefix="once_"):
    return re.sub(r"%([\w$.-]+)", rf"%{prefix}\1", line)


def renamed(line, op, name):
    """Returns a line with another name for the op's results, if it makes them."""
    return re.sub(rf"^( *){re.escape(op.result)}(:\d+)? = ", rf"\g<1>{name}\g<2> = ", line)


def of_gather(op, lines, kind, rows):
    """A permute in its place: all parts are the next device's."""
    writer, values = Writer(op), []
    for value, of in zip(op.operands, op.takes):
        pairs = [[row[i], row[(i + 1) % len(row)]] for row in rows for i in range(len(row))]
        moved = writer.collective("collective_permute", value, of, of, f"source_target_pairs = dense<{pairs}> : "
                                  f"tensor<{len(pairs)}x2xi64>")
        values.append(writer.concatenate([moved] * len(rows[0]), [of] * len(rows[0]), op.number("all_gather_dim"))[0])
    yield "of another kind", writer.finish(values)


def of_exchange(op, lines, kind, rows):
    """A gather in its place: all devices keep the first part of all."""
    writer, values, size = Writer(op), [], len(rows[0])
    split, concat = op.number("split_dimension"), op.number("concat_dimension")
    for value, of in zip(op.operands, op.takes):
        part, kept = writer.slice(value, of, split, 0, shape_of(of)[0][split] // size)
        shape, element = shape_of(kept)
        shape[concat] *= size
        values.append(writer.collective(
            "all_gather", part, kept, type_of(shape, element), f"all_gather_dim = {concat} : i64, replica_groups = "
            f"dense<{rows}> : tensor<{len(rows)}x{size}xi64>, use_global_device_ids"))
    yield "of another kind", writer.finish(values)
    if op.takes == op.makes:
        text = op.text(lines)
        first = text[0].replace(f"{op.result} = ", "%once = ", 1).replace("<handle = ", "<handle = 9", 1)
        if op.count == 1:
            yield "twice", [first] + text[1:-1] + [text[0].replace(f"({op.operands[0]})", "(%once)", 1)] + text[1:]


def of_permute(op, lines, rows):
    yield "deleted", Writer(op).finish(op.operands)
    others, targets = [rows], [b for _, b in rows]
    for what, pairs in (("backwards", [[b, a] for a, b in rows]),
                        ("to others", [[a, b] for (a, _), b in zip(rows, targets[1:] + targets[:1])])):
        if all(sorted(pairs) != sorted(other) for other in others):
            others.append(pairs)
            yield what, op.with_groups(lines, pairs)
    if len(rows) > 1:
        yield "without the last pair", op.with_groups(lines, rows[:-1])
    if op.count == 1:
        text = op.text(lines)
        first = text[0].replace(f"{op.result} = ", "%once = ", 1).replace("<handle = ", "<handle = 9", 1)
        yield "twice", [first, text[0].replace(f"({op.operands[0]})", "(%once)", 1)]


# --- masks -----------------------------------------------------------------------------------------


def of_mask(op, places):
    """A mask's predicate is made of places, one of its sides of data."""
    which, inside, outside = op.operands
    if not places.get(which):
        return
    if inside in places and outside in places:
        return
    if inside not in places:
        yield "without what is masked out", Writer(op).finish([inside])
    if outside not in places:
        yield "without what is masked in", Writer(op).finish([outside])


def note_places(op, places):
    """Adds what an op makes of nothing but places and constants to `places`: True if of places at all."""
    if op.name == "func.func":
        places.clear()
    elif op.name in OF_PLACES and op.count == 1 and not op.has_region:
        operands = [places.get(each) for each in op.operands]
        if None not in operands:
            places[op.result] = op.name in ("stablehlo.iota", "stablehlo.partition_id") or any(operands)
