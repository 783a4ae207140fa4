"""Ops of random programs between elements: integers of few bits and narrow floats that move as they are, products of one
element that add up in another."""

from _elements import NARROW, SMALL, range_of
from _index_ops import IndexOps
from _values import MAX_ELEMENTS, count_of

# Elements, and what their products add up in.
SUMS = {"i8": ["i32", "i16"], "ui8": ["ui32", "i32"], "i16": ["i32", "i64"], "f16": ["f32"], "bf16": ["f32", "f64"], "i4": ["i32", "i8"],
        "ui4": ["ui32"], "f8E4M3FN": ["f32"], "f8E5M2": ["f32"]}


class NumberOps(IndexOps):
    def op_small(self):
        """A value of few bits, which other ops take from here on."""
        if self.rng.random() < 0.5:
            element, value = self.rng.choice(SMALL), self.pick(lambda value: value.element == "i32")
            low, high = range_of(element)
        else:
            element, value = self.rng.choice(NARROW), self.pick_tight(lambda value: value.element == "f32")
            low, high = "-3.0", "3.0"
        ends = [self.scalar(value.element, str(end)) for end in (low, high)]
        inside = self.emit(value.shape, value.element, f"stablehlo.clamp {ends[0].name}, {value.name}, {ends[1].name} : "
                           f"({ends[0].type}, {value.type}, {ends[1].type}) -> {{type}}", ("clamp", [ends[0], value, ends[1]]))
        self.emit(value.shape, element, f"stablehlo.convert {inside.name} : ({value.type}) -> {{type}}",
                  ("convert", [inside], element))

    def op_mixed_dot(self):
        """A product of matrices, or of each pair of rows, whose numbers add up in another element than their own."""
        value = self.pick(lambda value: len(value.shape) > 1 and value.element in SUMS)
        inner, batch = value.shape[-1], self.rng.randint(0, len(value.shape) - 2)
        other = self.like([*value.shape[:batch], inner, self.rng.choice([2, 3, 5])], value.element)
        shape = [*value.shape[:-1], other.shape[-1]]
        if count_of(shape) > MAX_ELEMENTS:
            return
        dims, last = list(range(batch)), len(value.shape) - 1
        batching = f", batching_dims = {dims} x {dims}" if dims else ""
        element = self.rng.choice(SUMS[value.element])
        self.emit(shape, element, f"stablehlo.dot_general {value.name}, {other.name}{batching}, contracting_dims = [{last}] x "
                  f"[{batch}] : ({value.type}, {other.type}) -> {{type}}",
                  ("mixed_dot", [value, other], [dims, [last]], [dims, [batch]]))
