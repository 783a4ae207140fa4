"""Inputs that show what random numbers hide: of many of those a product is 0 and an `or` all ones, whatever is left out."""

import math
import random
import re
import struct

from generic_text import shape_of

# By element: numpy's name, struct's letter. Others have no inputs of ours.
FORMATS = {"f64": ("<f8", "d"), "f32": ("<f4", "f"), "f16": ("<f2", "e"), "bf16": ("<u2", "H"), "i64": ("<i8", "q"),
           "i32": ("<i4", "i"), "i16": ("<i2", "h"), "i8": ("|i1", "b"), "ui64": ("<u8", "Q"), "ui32": ("<u4", "I"),
           "ui16": ("<u2", "H"), "ui8": ("|u1", "B"), "i1": ("|b1", "?")}
# What most numbers are, and what the others are.
KINDS = {"signs": ([1, -1], [1, -1]), "few": ([0], [1, 2, -1]), "few missing": ([-1], [0, -2, 1])}
RARE = 0.1


def arguments_of(text):
    """Returns the whole types of the arguments of a partitioned @main."""
    attributes = re.search(r'"func\.func"\(\) <\{arg_attrs = \[(.*?)\], function_type', text)
    return re.findall(r"spmd\.global_type = (tensor<(?:[^<>]|<[^<>]*>)*>)", attributes.group(1)) if attributes else []


def write(folder, types, kind):
    """Writes an array for each type. Returns whether all have a format."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(kind)
    for i, each in enumerate(types):
        shape, element = shape_of(each)
        if element not in FORMATS:
            return False
        numbers = [number(rng, kind, element) for _ in range(math.prod(shape))]
        name, letter = FORMATS[element]
        (folder / f"{i}.npy").write_bytes(header(name, shape) + struct.pack(f"<{len(numbers)}{letter}", *numbers))
    return True


def number(rng, kind, element):
    chosen = rng.choice(KINDS[kind][rng.random() < RARE])
    if element == "i1":
        return chosen > 0 if kind != "few missing" else chosen != 0
    if element == "bf16":
        return struct.unpack("<I", struct.pack("<f", chosen))[0] >> 16
    return abs(chosen) if element.startswith("ui") else chosen


def header(name, shape):
    sizes = "".join(f"{size}, " for size in shape)
    text = f"{{'descr': '{name}', 'fortran_order': False, 'shape': ({sizes}), }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()
