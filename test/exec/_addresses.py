"""Computes what the programs of random_buffers.py do, with memory as bytes and views as the addresses that they show.

Nothing here is known of how the compiler treats views: a store writes to addresses, at once, and whoever shows these
sees it. Elements are integers; a tensor and a view are arrays, of numbers and of lists of addresses.
"""

import itertools
import json
import re
import struct

BYTES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "ui32": 4}
CODES = {"i8": "i1", "i16": "i2", "i32": "i4", "ui32": "u4"}
NAME = r"%\w+(?:#\d+)?"


def places(shape):
    return itertools.product(*map(range, shape))


def read_type(text):
    sizes, element = re.fullmatch(r"(?:!spmd\.buffer<)?tensor<((?:\d+x)*)(\w+)>>?", text.strip()).groups()
    return tuple(int(size) for size in sizes.split("x")[:-1]), element


def wrap(number, element):
    """Returns `number` as the type keeps it."""
    bits = 8 * BYTES[element]
    number %= 1 << bits
    return number - (1 << bits) if element[0] == "i" and number >> (bits - 1) else number


class Array:
    """Items by row-major place; `element` is the type of what they are or show."""

    def __init__(self, shape, element, items, memory=None):
        self.shape, self.element, self.items, self.memory = tuple(shape), element, list(items), memory
        assert len(self.items) == len(list(places(self.shape))), (shape, len(self.items))

    def at(self, place):
        number = 0
        for index, size in zip(place, self.shape):
            number = number * size + index
        return self.items[number]

    def taken(self, shape, where):
        """Returns an array whose item at a place is that of this at `where(place)`."""
        return Array(shape, self.element, (self.at(where(place)) for place in places(shape)), self.memory)

    # Forms that tensors and views share

    def sliced(self, ranges):
        counts = [len(range(*each)) for each in ranges]
        return self.taken(counts, lambda place: [each[0] + each[2] * i for each, i in zip(ranges, place)])

    def transposed(self, dims):
        return self.taken([self.shape[dim] for dim in dims], lambda place: [place[dims.index(d)] for d in range(len(place))])

    def reshaped(self, shape):
        return Array(shape, self.element, self.items, self.memory)

    # Memory

    @staticmethod
    def buffer(shape, element, numbers=None):
        width, count = BYTES[element], len(list(places(shape)))
        memory = bytearray(width * count)
        made = Array(shape, element, ([width * i + k for k in range(width)] for i in range(count)), memory)
        if numbers:
            made.store(Array(shape, element, numbers))
        return made

    def load(self):
        numbers = (int.from_bytes(bytes(self.memory[a] for a in each), "little") for each in self.items)
        return Array(self.shape, self.element, (wrap(number, self.element) for number in numbers))

    def store(self, tensor):
        """Writes to all addresses but those in tuples, which are only read."""
        assert (tensor.shape, tensor.element) == (self.shape, self.element), (tensor.shape, self.shape)
        for shown, number in zip(self.items, tensor.items):
            if isinstance(shown, list):
                for k, address in enumerate(shown):
                    self.memory[address] = number >> 8 * k & 255


def view(op, source, text, operands):
    """Returns what `op`, a view of `source`, shows; `operands` are the tensors behind it."""

    def numbers(key):
        return [int(each) for each in re.search(key + r" = \[([-\d, ]*)\]", text).group(1).split(",") if each.strip()]

    def number(key):
        return int(re.search(key + r" = (-?\d+)", text).group(1))

    shape, element = read_type(re.search(r"-> (.*)$", text).group(1))
    if op == "slice_view":
        return source.sliced(read_ranges(text))
    if op == "transpose_view":
        return source.transposed(numbers("dims"))
    if op == "reshape_view":
        return source.reshaped(shape)
    if op == "broadcast_view":
        dims = numbers("dims")
        return source.taken(shape, lambda place: [place[dim] for dim in dims])
    if op == "diagonal_view":
        (row, column), offset = numbers("dims"), number("offset")

        def where(place):
            rest, along = iter(place[:-1]), place[-1]
            at = {row: along + max(-offset, 0), column: along + max(offset, 0)}
            return [at[dim] if dim in at else next(rest) for dim in range(len(source.shape))]

        return source.taken(shape, where)
    if op == "dynamic_slice_view":
        starts = [min(max(each.items[0], 0), size - count)
                  for each, size, count in zip(operands, source.shape, shape)]  # fmt: skip
        return source.taken(shape, lambda place: [start + i for start, i in zip(starts, place)])
    if op == "index_view":
        dim, indices, size = number("dim"), operands[0].items, source.shape[number("dim")]
        nearest = [min(max(index, 0), size - 1) for index in indices]
        shown = source.taken(shape, lambda place: [*place[:dim], nearest[place[dim]], *place[dim + 1:]])
        for i, place in enumerate(places(shape)):
            if indices[place[dim]] != nearest[place[dim]]:
                shown.items[i] = tuple(shown.items[i])  # Read alone.
        return shown
    assert op == "bitcast_view", op
    width, old = BYTES[element], BYTES[source.element]
    items = [each[k:k + width] for each in source.items for k in range(0, old, width)]
    if width > old:
        together = [source.items[i:i + width // old] for i in range(0, len(source.items), width // old)]
        items = [type(parts[0])(address for part in parts for address in part) for parts in together]
    return Array(shape, element, items, source.memory)


def read_ranges(text):
    ranges = [each.split(":") for each in re.search(r"\[([\d:, ]*)\]", text).group(1).split(",") if each.strip()]
    return [tuple(int(number) for number in (each + ["1"])[:3]) for each in ranges]


class Program:
    """The functions of a program, as lines."""

    def __init__(self, text):
        self.functions, lines = {}, text.splitlines()
        for i, line in enumerate(lines):
            if start := re.match(r"func\.func \w+ @(\w+)\((.*)\) -> .* \{$", line):
                end = lines.index("}", i)
                body = [re.sub(r" \{sdy\.sharding = .*?\]>\}(?= :|$)", "", each.strip()) for each in lines[i + 1:end]]
                types = re.findall(r"(%\w+): (!spmd\.buffer<tensor<\w+>>|tensor<\w+>)", start.group(2))
                self.functions[start.group(1)] = types, [each for each in body if each]

    def run(self, function, arguments):
        types, lines = self.functions[function]
        return Run(self, lines).block(0, dict(zip((name for name, _ in types), arguments)))


class Run:
    def __init__(self, program, lines):
        self.program, self.lines = program, lines

    def block(self, i, values):
        """Runs the lines from `i` on. Returns what they return."""
        while True:
            line, i = self.lines[i], i + 1
            names = re.findall(NAME, line)
            if re.match(r"(stablehlo\.)?return\b", line):
                return [values[name] for name in names]
            if line.startswith("spmd.store"):
                values[names[1]].store(values[names[0]])
            elif "@mix(" in line:
                held, factor = values[names[0]].load(), values[names[1]]
                values[names[0]].store(elementwise(lambda a, b: a * b - a, [held, factor]))
            elif '"stablehlo.case"' in line:
                second = self.behind(i)
                index = values[names[-1]].items[0]
                results = self.block(i if index == 0 else second, dict(values))
                values.update(zip(names[:-1], results))
                i = self.behind(second)
            elif "stablehlo.while" in line:
                i = self.loop(line, i, values)
            elif '"stablehlo.sort"' in line:
                while not self.lines[i].startswith("})"):
                    i += 1
                dim = int(re.search(r"dimension = (\d+)", self.lines[i]).group(1))
                values[names[0]], i = in_order(values[names[1]], dim), i + 1
            else:
                name, op = re.match(r"(%\w+)(?::\d+)? = (.*)$", line).groups()
                results = self.compute(op, [values[each] for each in names[1:]])
                values[name] = results[0]
                values.update((f"{name}#{k}", each) for k, each in enumerate(results))

    def behind(self, i):
        """Returns the line behind the region of a case that line `i` is in."""
        depth = 0
        while depth > 0 or not self.lines[i].startswith(("}, {", "})")):
            depth += self.lines[i].endswith("({") - self.lines[i].startswith("})")
            i += 1
        return i + 1

    def loop(self, line, i, values):
        result, carried = re.match(r"(%\w+)(?::\d+)? = stablehlo\.while\((.*?)\) :", line).groups()
        pairs = re.findall(rf"(%\w+) = ({NAME})", carried)
        now, depth, condition = [values[start] for _, start in pairs], 0, i + 1
        body = i = self.lines.index("} do {", i) + 1
        while depth > 0 or self.lines[i] != "}":
            depth += (self.lines[i] == "cond {") - (self.lines[i] == "}")
            i += 1
        inner = lambda: {**values, **{name: each for (name, _), each in zip(pairs, now)}}
        while self.block(condition, inner())[0].items[0]:
            now = self.block(body, inner())
        values[result] = now[0]
        values.update((f"{result}#{k}", each) for k, each in enumerate(now))
        return i + 1

    def compute(self, text, operands):
        """Returns the results of an op without regions."""
        op, types = re.match(r"[\w.]+", text).group(), text.rsplit(" : ", 1)[1]
        if op == "spmd.alloc":
            return [Array.buffer(*read_type(types))]
        if op == "spmd.load":
            return [operands[0].load()]
        if op.endswith("_view"):
            return [view(op.removeprefix("spmd."), operands[0], text, operands[1:])]
        if op == "func.call":
            return self.program.run(re.search(r"@(\w+)", text).group(1), operands)
        if op == "stablehlo.optimization_barrier":
            return operands
        return [tensor(op.rpartition(".")[2], text, types, operands)]


def elementwise(function, operands, element=None):
    element = element or operands[0].element
    items = (wrap(function(*each), element) for each in zip(*(operand.items for operand in operands)))
    return Array(operands[0].shape, element, items)


def in_order(array, dim):
    lines = {}
    for place in places(array.shape):
        lines.setdefault(place[:dim] + place[dim + 1:], []).append(array.at(place))
    lines = {key: sorted(line) for key, line in lines.items()}
    items = (lines[place[:dim] + place[dim + 1:]][place[dim]] for place in places(array.shape))
    return Array(array.shape, array.element, items)


FUNCTIONS = {"add": lambda a, b: a + b, "multiply": lambda a, b: a * b, "maximum": max, "minimum": min}


def tensor(op, text, types, operands):
    """Returns the result of an op on tensors."""

    def numbers(key):
        return [int(each) for each in re.search(key + r" = \[([-\d, ]*)\]", text).group(1).split(",") if each.strip()]

    first = operands[0] if operands else None
    if op == "constant":
        shape, element = read_type(types)
        literal = json.loads(re.search(r"dense<(.*)> :", text).group(1))
        while isinstance(literal, list) and literal and isinstance(literal[0], list):
            literal = [each for row in literal for each in row]
        numbers = literal if isinstance(literal, list) else [literal] * len(list(places(shape)))
        return Array(shape, element, (wrap(each, element) for each in numbers))
    if op in FUNCTIONS:
        return elementwise(FUNCTIONS[op], operands)
    if op == "compare":
        return Array(first.shape, "i1", (a < b for a, b in zip(first.items, operands[1].items)))
    if op == "sharding_constraint":
        return first
    if op == "slice":
        return first.sliced(read_ranges(text))
    if op == "transpose":
        return first.transposed(numbers("dims"))
    if op == "reshape":
        return first.reshaped(read_type(re.search(r"-> (.*)$", text).group(1))[0])
    if op == "reverse":
        turned = numbers("dims")
        back = lambda place: [first.shape[d] - 1 - i if d in turned else i for d, i in enumerate(place)]
        return first.taken(first.shape, back)
    if op == "reduce":
        dim, sums = numbers("dimensions")[0], {}
        for place in places(first.shape):
            key = place[:dim] + place[dim + 1:]
            sums[key] = sums.get(key, 0) + first.at(place)
        shape = first.shape[:dim] + first.shape[dim + 1:]
        return Array(shape, first.element, (wrap(sums.get(place, 0), first.element) for place in places(shape)))
    if op == "concatenate":
        dim, second = int(re.search(r"dim = (\d+)", text).group(1)), operands[1]
        rows = first.shape[dim]
        shape = first.shape[:dim] + (rows + second.shape[dim],) + first.shape[dim + 1:]

        def item(place):
            if place[dim] < rows:
                return first.at(place)
            return second.at(place[:dim] + (place[dim] - rows,) + place[dim + 1:])

        return Array(shape, first.element, map(item, places(shape)))
    assert op == "dot_general", text
    other = operands[1]
    shape = first.shape[0], other.shape[1]
    sums = (sum(first.at((i, k)) * other.at((k, j)) for k in range(first.shape[1])) for i, j in places(shape))
    return Array(shape, first.element, (wrap(each, first.element) for each in sums))


def write_npy(path, array):
    code = CODES[array.element]
    shape = ", ".join(map(str, array.shape)) + ("," if len(array.shape) == 1 else "")
    header = f"{{'descr': '{'|' if code == 'i1' else '<'}{code}', 'fortran_order': False, 'shape': ({shape}), }}"
    header = header.ljust(117) + "\n"
    width, signed = BYTES[array.element], array.element[0] == "i"
    data = b"".join(each.to_bytes(width, "little", signed=signed) for each in array.items)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def write_run(rng, text, donations, folder):
    """Makes arguments for a program, and what it returns and leaves in its buffers: FOLDER/in and FOLDER/out.

    `donations` has the number of the result that each argument is donated to, or nothing.
    """
    program = Program(text)
    types = [read_type(kind) + (kind.startswith("!"),) for _, kind in program.functions["main"][0]]
    arguments = []
    for i, (shape, element, is_buffer) in enumerate(types):
        array = Array(shape, element, [rng.randrange(-50 * (element[0] == "i"), 50) for _ in places(shape)])
        write_npy(folder / "in" / f"{i}.npy", array)
        arguments.append(Array.buffer(shape, element, array.items) if is_buffer else array)
    results = dict(enumerate(program.run("main", arguments)))
    for argument, result in zip(arguments, donations):
        if result is not None:
            results[result] = argument.load()
    for i, each in results.items():
        write_npy(folder / "out" / f"{i}.npy", each)
