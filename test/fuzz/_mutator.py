"""Mutates programs and plans. The same random numbers give the same mutant."""

import re

# A number that is no part of a name, such as `%0` or `f32`.
NUMBER = re.compile(r"(?<![\w.%#@\"$])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w\"])")
ELEMENTS = ["i1", "i2", "i4", "i8", "i16", "i32", "i64", "ui4", "ui8", "ui32", "ui64", "f4E2M1FN", "f8E4M3FN", "f8E5M2", "f8E8M0FNU",
            "f16", "bf16", "f32", "f64", "f80", "index", "complex<f32>", "complex<f64>", "!quant.uniform<i8:f32, 0.5:2>", "none"]
HLO_ELEMENTS = ["pred", "s2", "s4", "s8", "s16", "s32", "s64", "u4", "u8", "u32", "u64", "f8e4m3fn", "f8e5m2", "f16", "bf16", "f32", "f64",
                "c64", "c128", "token", "opaque[]"]
# `tensor<4x?xf32>` and `f32[4,<=8]{1,0}`.
TENSOR = re.compile(r"tensor<((?:(?:\d+|\?)x)*)((?:complex<\w+>|![\w.]+<[^<>]*>|\w+)(?:, [^<>\n]*(?:<[^<>]*>)?)?)>")
HLO_TENSOR = re.compile(r"\b(pred|token|[subfc]f?\d+\w*)\[([\d,<=? ]*)\](\{[\d,]*\})?")
QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
VALUE = re.compile(r"%[\w.#-]+")
# An argument, or an op of one result, and its type.
DEFINITION = re.compile(r"(%\w+): (tensor<[^<>\n]*>)|^ *(%\w+) = .* (tensor<[^<>\n]*>)$", re.M)
WHOLE_SHARDING = re.compile(r" \{sdy\.sharding = #sdy\.sharding<[^<>\n]*>\}| \{sdy\.sharding = #sdy\.sharding_per_value<\[[^\n]*?\]>\}"
                            r"| \{mhlo\.sharding = \"[^\"\n]*\"\}|, sharding=\{[^{}\n]*\}")
WORD = re.compile(r"[#!@]?[A-Za-z_][\w.$-]*")
# A dim of a sharding, `{"x", ?}`, with its priority.
DIM_SHARDING = re.compile(r"\{[^{}\n]*\}(?:p\d+)?")
SHARDING = re.compile(r"\[(?:\{[^{}\n]*\}(?:p\d+)?(?:, )?)+\]|sharding=\{[^{}\n]*\}")
ATTRIBUTE = re.compile(r"(?<![%\w.:#])[a-z][\w.]+ ?= ?(?:\{[^{}\n]*\}|\[[^\[\]\n]*\]|array<[^<>\n]*>|dense<[^<>\n]*>|#[\w.]+<[^<>\n]*>|[^\s,{}()<>]+)")
AXIS = re.compile(r"(\"\w+\")=(\d+)")
PUNCTUATION = "(){}[]<>,:=\"@%#!?-*x0\n\t\0"
SIZES = [0, 1, 2, 3, 5, 7, 8, 16, 17, 64, 100, 1000, 4097, 65536, 1 << 20, 1 << 30]
EXTREMES = [-1, -2, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, 10**12, 1 << 62, (1 << 63) - 1, -(1 << 63), 1 << 63, 1 << 64, 10**30]
SPECIALS = ["0.0", "-0.0", "1.0e-300", "1e400", "0x7FC00000", "0xFF800000", "nan", "true", "0x", "1.5"]
NAMES = ["x", "y", "z", "none", "", "0", "a b", "mesh"]


# Ops and keywords that stand for each other.
ALIKE = [["add", "multiply", "subtract", "maximum", "minimum", "divide", "power", "remainder", "atan2", "and", "or", "xor"],
         ["tanh", "negate", "abs", "exponential", "sine", "cosine", "sqrt", "rsqrt", "log", "floor", "sign", "cbrt", "logistic"],
         ["EQ", "NE", "LT", "LE", "GT", "GE"], ["FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"], ["FFT", "IFFT", "RFFT", "IRFFT"],
         ["true", "false"], ["DEFAULT", "HIGH", "HIGHEST"], ["all-reduce", "all-gather", "reduce-scatter", "all-to-all"]]


def kind_pattern(kind):
    return re.compile(rf"(?<![\w\"@%-])({'|'.join(map(re.escape, kind))})(?![\w\"-])")


class Mutator:
    """Changes text in small ways. `others` is what lines and words are taken from."""

    def __init__(self, rng, others):
        self.rng, self.others = rng, others

    # Changes that often leave a program valid, and others, with their weights.
    GENTLE = {"size_everywhere": 10, "element_everywhere": 5, "known_axis_size": 7, "sharding_of_dim": 9, "known_axis": 5, "listed_number": 5,
              "alike_word": 7, "alike_value": 7, "drop_attribute": 2, "drop_sharding": 4}
    WILD = {"number": 8, "element": 4, "type": 5, "dims": 5, "axis": 6, "axis_size": 4, "sharding": 5, "drop_attribute": 4, "swap_attributes": 4,
            "take_attribute": 4, "word": 5, "word_elsewhere": 3, "quoted": 3, "value": 6, "drop_line": 4, "swap_lines": 4,
            "repeat_line": 3, "move_line": 3, "take_line": 3, "truncate": 2, "characters": 4}

    def mutate(self, text):
        """Returns `text` with some changes: most mutants have gentle ones only, the others mostly one wild one."""
        rng = self.rng
        changes, count = (self.GENTLE, rng.choice([1, 1, 2, 3])) if rng.random() < 0.6 else (self.WILD, rng.choice([1, 1, 1, 1, 2, 3, 6]))
        for _ in range(count):
            for _ in range(8):  # Not every change fits every text.
                name = rng.choices(list(changes), list(changes.values()))[0]
                changed = getattr(self, name)(text)
                if changed is not None and changed != text:
                    text = changed
                    break
        return text

    # Helpers.

    def replace_one(self, pattern, text, make):
        """Returns `text` with one match of `pattern` replaced by what `make` returns of it; None if there is none."""
        matches = list(pattern.finditer(text))
        if not matches:
            return None
        match = self.rng.choice(matches)
        made = make(match)
        return None if made is None else text[:match.start()] + made + text[match.end():]

    def another(self, pattern, text, source=None):
        """Returns `text` with a match of `pattern` in place of another. `source` is where that comes from."""
        found = sorted({match.group() for match in pattern.finditer(source or text)})
        return self.replace_one(pattern, text, lambda match: self.rng.choice(found)) if found else None

    def other(self):
        return self.rng.choice(self.others)

    def lines_of(self, text):
        lines = text.splitlines(keepends=True)
        return lines if len(lines) > 1 else None

    def new_number(self, old):
        rng = self.rng
        if "." in old or "e" in old.lower():
            return rng.choice(SPECIALS + [str(float(rng.choice(SIZES)))])
        value = int(old)
        near = [value - 1, value + 1, value * 2, value // 2, -value, value + 3]
        return str(rng.choice(rng.choice([near, near, near, SIZES, SIZES[:8], EXTREMES])))

    # Numbers.

    def number(self, text):
        return self.replace_one(NUMBER, text, lambda match: self.new_number(match.group()))

    def size_everywhere(self, text):
        """A dim has another size wherever the old one is written: often a program of its own."""
        sizes = [size for match in TENSOR.finditer(text) for size in match.group(1).split("x") if size.isdigit()]
        sizes += [size for match in HLO_TENSOR.finditer(text) for size in match.group(2).split(",") if size.isdigit()]
        if not sizes:
            return None
        old = self.rng.choice(sizes)
        new = str(self.rng.choice([int(old) + 1, max(int(old) - 1, 0), 2 * int(old), *SIZES[:8], self.rng.choice(SIZES)]))
        return re.sub(rf"(?<![\w.%#@\"$]){old}(?=[x,\]\)\s>}}])|(?<=\dx){old}(?=x)", new, text)

    # Types.

    def element(self, text):
        def change(match):
            return f"tensor<{match.group(1)}{self.rng.choice(ELEMENTS)}>"

        def change_hlo(match):
            return f"{self.rng.choice(HLO_ELEMENTS)}[{match.group(2)}]{match.group(3) or ''}"

        return self.replace_one(TENSOR, text, change) or self.replace_one(HLO_TENSOR, text, change_hlo)

    def element_everywhere(self, text):
        found = [match.group(2) for match in TENSOR.finditer(text)]
        if found:
            old = self.rng.choice(found)
            alike = [each for each in ELEMENTS if each.strip("ub")[0] == old.strip("ub")[:1]]
            new = self.rng.choice(alike if alike and self.rng.random() < 0.9 else ELEMENTS)
            return re.sub(rf"(?<![\w<]){re.escape(old)}\b|(?<=x){re.escape(old)}(?=>)|(?<=tensor<){re.escape(old)}(?=>)",
                          new, text)
        found = [match.group(1) for match in HLO_TENSOR.finditer(text)]
        if not found:
            return None
        old = self.rng.choice(found)
        new = self.rng.choice([each for each in HLO_ELEMENTS if each[0] == old[0]] + [self.rng.choice(HLO_ELEMENTS)])
        return re.sub(rf"\b{old}\[", new + "[", text)

    def type(self, text):
        return self.another(TENSOR, text) or self.another(HLO_TENSOR, text)

    def dims(self, text):
        def change(match):
            dims = match.group(1).split("x")[:-1]
            return f"tensor<{''.join(dim + 'x' for dim in self.new_list(dims, '?'))}{match.group(2)}>"

        def change_hlo(match):
            dims = [dim for dim in match.group(2).split(",") if dim]
            return f"{match.group(1)}[{','.join(self.new_list(dims, '<=5'))}]{match.group(3) or ''}"

        return self.replace_one(TENSOR, text, change) or self.replace_one(HLO_TENSOR, text, change_hlo)

    def new_list(self, items, odd):
        """Returns `items` with one more or less, in another order, or with one changed."""
        items, rng = list(items), self.rng
        at = rng.randrange(len(items) + 1)
        what = rng.randrange(5)
        if what == 0 or not items:
            items.insert(at, str(rng.choice(SIZES[:8])))
        elif what == 1:
            items.pop(at % len(items))
        elif what == 2:
            rng.shuffle(items)
        elif what == 3:
            items[at % len(items)] = odd
        else:
            items[at % len(items)] = str(rng.choice(SIZES + EXTREMES[:6]))
        return items

    # Meshes and shardings.

    def axis(self, text):
        """An axis has another name, is a part of one, or is written twice."""
        def change(match):
            name = match.group()
            return self.rng.choice([f'"{self.rng.choice(NAMES)}"', f"{name}:(1)2", f"{name}:(2)3", f"{name}, {name}", "?", f"{name}, ?",
                                    *self.rng.sample(known, 1) * 4])

        known = sorted({match.group() for match in QUOTED.finditer(text)})
        return self.replace_one(QUOTED, text, change)

    def axis_size(self, text):
        def change(match):
            return f"{match.group(1)}={self.rng.choice([1, 2, 3, 4, 5, 6, 7, 8, 0, 12, 64, self.rng.choice(SIZES + EXTREMES)])}"

        return self.replace_one(AXIS, text, change)

    def known_axis_size(self, text):
        """An axis has another small size, in all meshes that have it."""
        axes = AXIS.findall(text)
        if not axes:
            return None
        name, _ = self.rng.choice(axes)
        size = self.rng.choice([1, 2, 3, 4, 5, 6, 8])
        return re.sub(rf"{name}=\d+", f"{name}={size}", re.sub(r", device_ids=\[[\d, ]*\]", "", text))

    def sharding(self, text):
        """A tensor has another one's sharding, or its dims have theirs in another order, or one more or less."""
        def change(match):
            dims = DIM_SHARDING.findall(match.group())
            what = self.rng.randrange(5)
            at = self.rng.randrange(len(dims) or 1)
            if what == 0:
                self.rng.shuffle(dims)
            elif what == 1:
                dims.insert(at, "{}")
            elif what == 2 and dims:
                dims.pop(at)
            elif what == 3 and dims:
                dims[at] = self.rng.choice(["{}", "{?}", "{}p1", *DIM_SHARDING.findall(text)])
            elif found:
                return self.rng.choice(found)
            return f"[{', '.join(dims)}]"

        found = [match.group() for match in SHARDING.finditer(text)]
        return self.replace_one(SHARDING, text, change)

    def known_axis(self, text):
        """An axis is another one of the mesh, or a part of it."""
        axes = AXIS.findall(text)
        if not axes:
            return None
        name, size = self.rng.choice(axes)
        names = [f'"{each}"' for each in re.findall(r"(\w+)", name)]
        part = [f"{names[0]}:(1)2"] if size in "468" else []
        return self.replace_one(re.compile(rf"(?<=[{{ ]){re.escape(self.rng.choice(axes)[0])}(?=[,}}])"), text,
                                lambda match: self.rng.choice(names + part))

    def drop_sharding(self, text):
        return self.replace_one(WHOLE_SHARDING, text, lambda match: "")

    def sharding_of_dim(self, text):
        """Dims of a sharding change places, or one has the sharding of another dim."""
        def change(match):
            dims = DIM_SHARDING.findall(match.group())
            if self.rng.random() < 0.4:
                self.rng.shuffle(dims)
            elif dims:
                dims[self.rng.randrange(len(dims))] = self.rng.choice(["{}", "{?}", *DIM_SHARDING.findall(text)])
            return f"[{', '.join(dims)}]"

        return self.replace_one(SHARDING, text, change)

    # Attributes and words.

    def listed_number(self, text):
        """A small number in a list, such as a dim or a stride, is another one."""
        return self.replace_one(re.compile(r"(?<=[\[ ,=])\d{1,2}(?=[,\]} ])"), text,
                                lambda match: str(self.rng.choice([0, 1, 2, 3, int(match.group()) + 1])))

    def alike_word(self, text):
        """An op or a keyword is another one that takes and gives the same types."""
        kind = self.rng.choice([kind for kind in ALIKE if re.search(kind_pattern(kind), text)] or [None])
        return kind and self.replace_one(kind_pattern(kind), text, lambda match: self.rng.choice(kind))

    def alike_value(self, text):
        """An operand is another value of its type."""
        values = {}
        for match in DEFINITION.finditer(text):
            values[match.group(1) or match.group(3)] = (match.start(), match.group(2) or match.group(4))

        def change(match):
            _, type = values.get(match.group(), (0, None))
            return self.rng.choice([name for name, (start, other) in values.items() if other == type and start < match.start()]
                                   or [match.group()])

        return self.replace_one(re.compile(r"(?<=[ (])%\w+(?=[,)\s])(?!,? ?[%\w, ]*=|:)"), text, change)

    def drop_attribute(self, text):
        return self.replace_one(re.compile(rf"(?:, )?{ATTRIBUTE.pattern}"), text, lambda match: "")

    def swap_attributes(self, text):
        return self.another(ATTRIBUTE, text)

    def take_attribute(self, text):
        return self.another(ATTRIBUTE, text, self.other())

    def word(self, text):
        """A name, an op or a keyword in place of one of the same kind."""
        def change(match):
            old = match.group()
            kind = old.split(".")[0] if "." in old else None
            alike = [word for word in found if (word.split(".")[0] == kind if kind else word.isupper() == old.isupper() and
                                                "." not in word and word[0] in "#!@" == (old[0] in "#!@"))]
            return self.rng.choice(alike or found)

        found = sorted({match.group() for match in WORD.finditer(text)} | {match.group() for match in WORD.finditer(self.other())})
        return self.replace_one(WORD, text, change)

    def word_elsewhere(self, text):
        return self.another(WORD, text)

    def quoted(self, text):
        return self.another(QUOTED, text, self.other() if self.rng.random() < 0.3 else text)

    def value(self, text):
        return self.another(VALUE, text)

    # Lines.

    def drop_line(self, text):
        if lines := self.lines_of(text):
            at = self.rng.randrange(len(lines))
            del lines[at:at + self.rng.choice([1, 1, 1, 2, 5])]
            return "".join(lines)
        return None

    def swap_lines(self, text):
        if lines := self.lines_of(text):
            at = self.rng.randrange(len(lines) - 1)
            lines[at], lines[at + 1] = lines[at + 1], lines[at]
            return "".join(lines)
        return None

    def repeat_line(self, text):
        if lines := self.lines_of(text):
            at = self.rng.randrange(len(lines))
            lines[at:at] = [lines[at]] * self.rng.choice([1, 1, 2, 50])
            return "".join(lines)
        return None

    def move_line(self, text):
        if lines := self.lines_of(text):
            line = lines.pop(self.rng.randrange(len(lines)))
            lines.insert(self.rng.randrange(len(lines) + 1), line)
            return "".join(lines)
        return None

    def take_line(self, text):
        if lines := self.lines_of(text):
            lines.insert(self.rng.randrange(len(lines) + 1), self.rng.choice(self.other().splitlines(keepends=True) or [""]))
            return "".join(lines)
        return None

    # Characters.

    def truncate(self, text):
        return text[:self.rng.randrange(len(text))] if text else None

    def characters(self, text):
        for _ in range(self.rng.choice([1, 1, 2, 4])):
            at = self.rng.randrange(len(text) + 1)
            inserted = self.rng.choice(["", self.rng.choice(PUNCTUATION), self.rng.choice(PUNCTUATION) * self.rng.choice([1, 300])])
            text = text[:at] + inserted + text[at + self.rng.choice([0, 1, 1]):]
        return text


# Messages of Protobuf, as bytes.

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


def read_varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def write_varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def fields_of(data):
    """Returns the fields of a message as lists of number, wire type and value; None if `data` is no message."""
    fields, at = [], 0
    try:
        while at < len(data):
            tag, at = read_varint(data, at)
            wire, number = tag & 7, tag >> 3
            if wire == VARINT:
                value, at = read_varint(data, at)
            elif wire == BYTES:
                length, at = read_varint(data, at)
                value, at = data[at:at + length], at + length
            elif wire in (FIXED32, FIXED64):
                length = 4 if wire == FIXED32 else 8
                value, at = data[at:at + length], at + length
            else:
                return None
            if number == 0 or at > len(data):
                return None
            fields.append([number, wire, value])
    except IndexError:
        return None
    return fields


def bytes_of(fields):
    out = []
    for number, wire, value in fields:
        out.append(write_varint(number << 3 | wire))
        if wire == VARINT:
            out.append(write_varint(value))
        else:
            out.append((write_varint(len(value)) if wire == BYTES else b"") + value)
    return b"".join(out)


def mutate_message(rng, data):
    """Returns the bytes of a message with some changes, most of them to its fields."""
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        data = change_bytes(rng, data) if rng.random() < 0.1 else change_message(rng, data)
    return data


def change_bytes(rng, data):
    at = rng.randrange(len(data) + 1)
    what = rng.randrange(4)
    if what == 0:
        return data[:at]
    if what == 1:
        return data[:at] + bytes([rng.randrange(256)]) + data[at + 1:]
    if what == 2:
        return data[:at] + data[at + rng.randrange(1, 9):]
    return data[:at] + bytes(rng.randrange(256) for _ in range(rng.randrange(1, 9))) + data[at:]


def change_message(rng, data, depth=0):
    fields = fields_of(data)
    if not fields:
        return change_bytes(rng, data)
    at = rng.randrange(len(fields))
    number, wire, value = fields[at]
    # Texts are seldom messages; packed numbers look like one.
    if wire == BYTES and value and rng.random() < 0.85 and depth < 8:
        is_text = value.isascii() and value.decode().isprintable()
        fields[at][2] = change_text(rng, value) if is_text else change_message(rng, value, depth + 1)
        return bytes_of(fields)
    what = rng.randrange(5 if wire != VARINT else 8)
    if what == 0:
        del fields[at]
    elif what == 1:
        fields.insert(rng.randrange(len(fields) + 1), list(fields[at]))
    elif what == 2:
        other = rng.randrange(len(fields))
        fields[at], fields[other] = fields[other], fields[at]
    elif what == 3:
        fields[at][2] = rng.choice([field for field in fields if field[1] == wire])[2]
    elif what == 4 or wire != VARINT:
        fields[at][0] = max(1, number + rng.choice([-1, 1, 2]))
    else:
        fields[at][2] = rng.choice([value + 1, value - 1, 2 * value, rng.choice(SIZES), rng.choice(EXTREMES), rng.randrange(20)])
    return bytes_of(fields)


def change_text(rng, value):
    words = [b"add", b"tuple", b"while", b"parameter", b"custom-call", b"all-reduce", b"Sharding", b"main", b"", b"EQ", b"x" * 5000]
    return rng.choice([rng.choice(words), change_bytes(rng, value)])
