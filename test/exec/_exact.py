"""Which floats of random programs are the same in whatever order sums are taken.

What an op does by steps, such as rounding or comparing, is only asked of those: of others the last bit may be another on
each device, and two correct programs a whole step apart.
"""

import math

# Bits of f32 that a sum may fill before its order matters.
MANTISSA = 24
# Bits before and after the point; `ROUNDED` fills them all, so that a sum of such depends on its order.
ARGUMENT, CONSTANT, IOTA, ROUNDED = (1, 6), (3, 0), (5, 0), (MANTISSA, MANTISSA)
# What loses no bit and gains none, though it is an op that computes.
KEEPING = {"negate", "abs", "floor", "ceil", "round_nearest_even", "round_nearest_afz"}
# Sums of products, and sums: how many numbers each adds up at most.
PRODUCTS = {"dot", "convolution"}
SUMS = {"reduce", "reduce_window", "scatter_add", "repeat_add", "sum_or_max", "select_and_scatter"}
# Functions that add up in an order of their own.
LOOSE = {"call", "called", "one_of", "fft", "triangular_solve", "cholesky", "batch_norm", "batch_norm_grad",
         "complex_arithmetic", "part", "loose", "mixed_dot"}
MOVES = {"same", "transpose", "reshape", "broadcast", "reverse", "slice", "concatenate", "pad", "dynamic_slice",
         "dynamic_update_slice", "gather", "gather_windows", "sort_by_two", "select", "clamp", "branch", "roll", "take", "chosen"}


def is_float(value):
    return value.element in ("f32", "f64", "complex<f32>")


def is_tight(value):
    """Returns whether `value` is the same, to the last bit, however sums were taken."""
    return not is_float(value) or bits_of(value) is not None


def bits_of(value):
    """Returns the bits before and after the point that the numbers of `value` fill; None if sums have rounded."""
    if not hasattr(value, "bits"):
        value.bits = find_bits(value)
    return value.bits


def find_bits(value):
    if value.how is None:
        return ARGUMENT if value.name.startswith("%arg") and not value.is_inner else None
    name, operands, *parameters = value.how
    floats = [operand for operand in operands if is_float(operand)]
    bits = [bits_of(operand) for operand in floats]
    if name in LOOSE or None in bits:
        return None
    if not operands:
        return {"constant": CONSTANT, "iota": IOTA}.get(name, ROUNDED)
    if len(floats) < len(operands) and name == "convert":
        return (8, 0) if operands[0].element in ("i1", "ui8") else ROUNDED
    whole, part = (max(each) for each in zip(*bits)) if bits else (0, 0)
    if name in MOVES or name == "convert" or (name == "unary" and parameters[0] in KEEPING):
        return whole, part
    if name == "binary":
        return binary_bits(parameters[0], whole, part, bits)
    if name in PRODUCTS:
        return summed(sum(each[0] for each in bits), sum(each[1] for each in bits), count(operands))
    if name in SUMS:
        return summed(whole, part, count(operands))
    return ROUNDED


def binary_bits(name, whole, part, bits):
    if name in ("add", "subtract"):
        return whole + 1, part
    if name == "multiply":
        return tuple(sum(each) for each in zip(*bits))
    return (whole, part) if name in ("maximum", "minimum") else ROUNDED


def summed(whole, part, number):
    whole += math.ceil(math.log2(number)) if number > 1 else 0
    return (whole, part) if whole + part <= MANTISSA else None


def count(operands):
    """Returns a bound on how many numbers go into one."""
    return max(math.prod(operand.shape) for operand in operands) + 1
