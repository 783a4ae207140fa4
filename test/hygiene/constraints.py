#!/usr/bin/env python3
"""Each constraint of the StableHLO specification has its label in the verifiers, and a test that breaks it.

Labels are `slice_c3` in comments of dialect/stablehlo; lists and ranges may leave out the op: `slice_c1, c2, c4 to c6`.
Tests stand in test/dialect/stablehlo/*-invalid.mlir, with the label above the function. Where both are missing, each is
named.
"""

import re

import _tree

# How many constraints an op has. Left out: ops without any; those whose operands and results have one type and nothing
# else, which the trait SameType checks as it does for `add`; dynamic_conv and dynamic_gather, whose constraints are those
# of their static twins and checked by the same functions.
COUNTS = {
    "abs": 2, "add": 7, "all_gather": 6, "all_reduce": 7, "all_to_all": 9, "batch_norm_grad": 5,
    "batch_norm_inference": 7, "batch_norm_training": 7, "bitcast_convert": 2, "broadcast_in_dim": 6, "case": 4,
    "cholesky": 3, "clamp": 4, "collective_broadcast": 3, "collective_permute": 5, "compare": 3, "complex": 3,
    "composite": 4, "concatenate": 6, "constant": 1, "convert": 1, "convolution": 34, "dot_general": 24,
    "dynamic_broadcast_in_dim": 10, "dynamic_iota": 2, "dynamic_pad": 4, "dynamic_reshape": 4, "dynamic_slice": 5,
    "dynamic_update_slice": 6, "fft": 5, "gather": 23, "get_dimension_size": 1, "get_tuple_element": 2, "if": 3,
    "imag": 2, "infeed": 3, "iota": 1, "is_finite": 1, "map": 4, "optimization_barrier": 1, "pad": 4, "real": 2,
    "recv": 4, "reduce": 8, "reduce_precision": 3, "reduce_scatter": 9, "reduce_window": 16, "reshape": 3, "reverse": 3,
    "rng": 3, "rng_bit_generator": 2, "scatter": 25, "select": 2, "select_and_scatter": 12, "send": 1, "slice": 5,
    "sort": 5, "transpose": 4, "triangular_solve": 4, "tuple": 1, "uniform_dequantize": 2, "uniform_quantize": 2,
    "while": 3,
}

# Checked by the traits SameShape and SameType, or by the type constraints of the records: no label, but a test.
BY_TYPES = {("abs", 1), ("add", 1), ("add", 3), ("add", 4), ("cholesky", 1), ("compare", 2), ("complex", 2),
            ("convert", 1), ("imag", 1), ("is_finite", 1), ("real", 1),
            ("reduce_precision", 1), ("reverse", 1), ("uniform_dequantize", 1), ("uniform_quantize", 1)}

# The specification asks for equal element types; upstream's verifier takes any, and JAX emits such products.
NOT_ASKED_FOR = {("dot_general", 13)}

COMMENT = re.compile(r"//+([^\n]*(?:\n\s*//[^\n]*)*)")
WORD = re.compile(r"\b(?:([a-z][a-z_0-9]*?)_)?c(\d+)\b|\bto\b")


def labels(text):
    """Returns the labels in comments, as pairs of op and number."""
    found = set()
    for comment in COMMENT.findall(text):
        op, last, is_range = None, 0, False
        for match in WORD.finditer(comment.replace("//", " ")):
            if match.group() == "to":
                is_range = True
                continue
            is_range = is_range and not match[1]
            op, number = match[1] or op, int(match[2])
            found.update((op, each) for each in range(last + 1 if is_range else number, number + 1))
            last, is_range = number, False
    return found


def labels_of(*patterns):
    found = set()
    for path in _tree.files(*patterns):
        found |= labels(_tree.read(path) or "")
    return found


written = labels_of("dialect/stablehlo/*.cpp", "dialect/stablehlo/*.h", "dialect/stablehlo/*.td")
tested = labels_of("test/dialect/stablehlo/*-invalid.mlir")
offenders = []
for op, count in COUNTS.items():
    for number in range(1, count + 1):
        if (op, number) not in written | BY_TYPES:
            offenders.append(("dialect/stablehlo", 1, f"no verifier has the label {op}_c{number}"))
        if (op, number) not in tested | NOT_ASKED_FOR:
            offenders.append(("test/dialect/stablehlo", 1, f"no test has the label {op}_c{number}"))
_tree.finish(offenders)
