"""The elements of random programs, and what is done with them without rounding much."""

from _formats import FORMATS

SIGNED, UNSIGNED = ["i8", "i16", "i32", "i64"], ["ui8", "ui16", "ui32", "ui64"]
INTEGERS = SIGNED + UNSIGNED
# Of floats of 16 bits no sums, which would round each on its way; of complex numbers no order.
HALVES, COMPLEX = ["f16", "bf16"], "complex<f32>"
FLOATS = ["f32", "f64"]

# Integers of few bits, and floats of 8 and fewer: of these only what is no sum, and leaves none of their numbers.
SMALL, NARROW = ["i2", "i4", "ui2", "ui4"], [name for name in FORMATS if name not in HALVES]
# What is not added up.
NO_SUMS = (*HALVES, COMPLEX, *SMALL, *NARROW)

BITS = ["and", "or", "xor"]
LARGEST = ["maximum", "minimum"]
BINARY = {"i1": BITS, COMPLEX: ["add", "subtract"], **{each: LARGEST for each in HALVES + NARROW},
          **{each: LARGEST + BITS for each in SMALL},
          **{each: ["add", "subtract", *LARGEST] for each in FLOATS},
          **{each: ["add", "subtract", "multiply", *LARGEST, *BITS] for each in INTEGERS}}
REDUCERS = {"i1": BITS, COMPLEX: ["add"], **{each: LARGEST for each in HALVES + NARROW},
            **{each: LARGEST + BITS for each in SMALL},
            **{each: ["add", *LARGEST] for each in FLOATS},
            **{each: ["add", *LARGEST, "multiply", *BITS] for each in INTEGERS}}
UNARY = {"i1": ["not"], COMPLEX: ["negate"], **{each: ["negate", "abs"] for each in HALVES},
         **{each: ["negate", "abs", "floor", "tanh"] for each in FLOATS},
         **{each: ["negate", "abs", "sign", "not"] for each in SIGNED}, **{each: ["not"] for each in UNSIGNED + SMALL},
         **{each: ["abs"] for each in NARROW}}
# How two are compared.
ORDERS = {**{each: "FLOAT" for each in FLOATS + HALVES + NARROW}, **{each: "SIGNED" for each in SIGNED + SMALL[:2]},
          **{each: "UNSIGNED" for each in UNSIGNED + SMALL[2:]}}
# What arguments are made of: mostly what most ops take.
ARGUMENTS = ["i32"] * 12 + ["f32"] * 8 + ["f64"] * 4 + ["i1"] * 4 + ["ui8"] * 4 + INTEGERS + HALVES * 3 + [COMPLEX] + SMALL


def literal(element, number):
    """Returns a small number as text; of what has no sign, its absolute value."""
    if element == "i1":
        return "true" if number > 0 else "false"
    if element == COMPLEX:
        return f"({number}.0, {number // 2}.0)"
    if element in FLOATS + HALVES + NARROW:
        return f"{number}.0"
    if element in SMALL:
        low, high = range_of(element)
        return str(min(max(number, low), high))
    return str(abs(number) if element in UNSIGNED else number)


def range_of(element):
    """Returns the least and the largest of an integer type."""
    bits = int(element.lstrip("ui"))
    return (0, 2**bits - 1) if element.startswith("u") else (-2**(bits - 1), 2**(bits - 1) - 1)


def identity(name, element):
    """Returns what a reduction by op `name` starts from and no result shows."""
    if element == "i1":
        return "true" if name == "and" else "false"
    if element in FLOATS:
        return {"maximum": "-1.0e30", "minimum": "1.0e30"}.get(name, "0.0")
    low, high = range_of(element)
    return str({"maximum": low, "minimum": high, "and": high if element in UNSIGNED else -1}.get(name, 0))


def arguments(rng, element, shape):
    """Returns an array of random numbers that adds up without rounding; `rng` is numpy's."""
    if element == COMPLEX:
        return rng.integers(-64, 65, shape) / 64 + 1j * rng.integers(-64, 65, shape) / 64
    if element in FLOATS + HALVES:
        return rng.integers(-64, 65, shape) / 64
    if element in SMALL:
        low, high = range_of(element)
        return rng.integers(low, high + 1, shape)
    low, high = (0, 2) if element == "i1" else (0, 8) if element in UNSIGNED else (-8, 9)
    return rng.integers(low, high, shape)
