"""What random programs compute, by numpy: one function an op, written from the op's definition.

A Value's `how` names the function, the operands and what else the op says. Import fails where there is no numpy.
"""

import itertools
import json
import math

import numpy as np

import _formats
from _elements import NARROW, range_of
from _numpy_index import INDEXED
from _numpy_regions import REGIONS

# What numpy has no type for is kept in one that holds all its numbers.
DTYPES = {"i1": np.bool_, "f16": np.float16, "bf16": np.float32, "f32": np.float32, "f64": np.float64,
          "complex<f32>": np.complex64, "i2": np.int8, "i4": np.int8, "ui2": np.uint8, "ui4": np.uint8,
          **{name: np.float32 for name in NARROW}, **{f"i{bits}": np.dtype(f"i{bits // 8}") for bits in (8, 16, 32, 64)},
          **{f"ui{bits}": np.dtype(f"u{bits // 8}") for bits in (8, 16, 32, 64)}}


def compute(values, arguments):
    """Returns the arrays of `values`; `arguments` are those of the function they belong to, by name."""
    with np.errstate(all="ignore"):
        known = dict(arguments)
        return [array_of(value, known, arguments) for value in values]


def array_of(value, known, arguments):
    if value.name not in known:
        name, operands, *parameters = value.how
        arrays = [array_of(operand, known, arguments) for operand in operands]
        if name in REGIONS:
            result = REGIONS[name](compute, arrays, *parameters)
        else:
            result = (INDEXED.get(name) or globals()[name])(value, *arrays, *parameters)
        result = np.asarray(result)
        assert result.shape == value.shape, (name, result.shape, value.shape)
        known[value.name] = result.astype(DTYPES[value.element], copy=False)
    return known[value.name]


# --- creation and elementwise ----------------------------------------------------------------------


def constant(value, text):
    numbers = np.array(json.loads(text.replace("(", "[").replace(")", "]")))
    return numbers[..., 0] + 1j * numbers[..., 1] if value.element == "complex<f32>" else numbers


def iota(value, dim):
    sizes = [1] * len(value.shape)
    sizes[dim] = -1
    return np.broadcast_to(np.arange(value.shape[dim]).reshape(sizes), value.shape)


def unary(value, x, name):
    if name == "popcnt":
        return np.vectorize(lambda each: bin(each).count("1"), otypes=[np.int64])(bits(x))
    if name == "count_leading_zeros":
        big = bits(x)
        width = 8 * big.dtype.itemsize
        return np.vectorize(lambda each: width - int(each).bit_length(), otypes=[np.int64])(big)
    functions = {"negate": np.negative, "abs": np.abs, "sign": np.sign, "not": np.invert, "floor": np.floor,
                 "ceil": np.ceil, "tanh": np.tanh, "logistic": lambda x: 1 / (1 + np.exp(-x)), "cosine": np.cos,
                 "sine": np.sin, "sqrt": np.sqrt, "round_nearest_even": np.rint, "is_finite": np.isfinite,
                 "exponential": np.exp, "exponential_minus_one": np.expm1, "log": np.log, "log_plus_one": np.log1p,
                 "cbrt": np.cbrt, "rsqrt": lambda x: 1 / np.sqrt(x), "tan": np.tan, "is_inf": np.isinf,
                 "is_pos_inf": np.isposinf, "is_neg_inf": np.isneginf,
                 "round_nearest_afz": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x)}
    if name == "not" and value.element in ("ui2", "ui4"):
        return range_of(value.element)[1] - x
    return functions[name](x)


def chlo(value, x, name):
    functions = {"asinh": np.arcsinh, "atan": np.arctan, "cosh": np.cosh, "sinh": np.sinh, "square": np.square,
                 "acos": np.arccos, "asin": np.arcsin, "atanh": np.arctanh, "tan": np.tan, "acosh": np.arccosh}
    scalars = {"erf": math.erf, "erfc": math.erfc, "lgamma": math.lgamma}
    if name in scalars:
        return np.vectorize(scalars[name], otypes=[x.dtype])(x)
    return functions[name](x.astype(np.float64)) if name in functions else opaque(value)


def opaque(value, *operands):
    """What numpy has no function for."""
    raise Opaque


loose = opaque


class Opaque(Exception):
    pass


def bits(x):
    return reinterpreted(x, np.dtype(f"u{x.dtype.itemsize}"))


def reinterpreted(x, dtype):
    return np.ascontiguousarray(x).view(dtype).reshape(x.shape)


def binary(value, x, y, name):
    if name in ("add", "multiply") and value.element == "i1":
        return x | y if name == "add" else x & y
    if name in ("divide", "remainder") and value.element not in ("f32", "f64"):  # Towards zero; none divides by zero here.
        wide, other = x.astype(np.int64), y.astype(np.int64)
        quotient = np.abs(wide) // np.abs(other) * np.sign(wide) * np.sign(other)
        return quotient if name == "divide" else wide - quotient * other
    if name.startswith("shift"):
        width = 8 * x.dtype.itemsize
        amount = bits(y).astype(np.int64)
        inside = np.where((amount < 0) | (amount >= width), width - 1, amount)
        if name == "shift_right_arithmetic":
            signed = reinterpreted(x, np.dtype(f"i{x.dtype.itemsize}"))
            return reinterpreted(signed >> inside.astype(signed.dtype), x.dtype)
        shift = np.left_shift if name == "shift_left" else np.right_shift
        shifted = shift(bits(x), inside.astype(bits(x).dtype))
        return reinterpreted(np.where((amount >= 0) & (amount < width), shifted, 0).astype(bits(x).dtype), x.dtype)
    functions = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum,
                 "minimum": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
                 "divide": np.divide, "remainder": np.fmod, "power": np.power, "atan2": np.arctan2}
    return functions[name](x, y)


def compare(value, x, y, direction):
    functions = {"LT": np.less, "LE": np.less_equal, "GT": np.greater, "GE": np.greater_equal, "EQ": np.equal,
                 "NE": np.not_equal}
    return functions[direction](x, y)


def select(value, which, x, y):
    return np.where(which, x, y)


def clamp(value, low, x, high):
    return np.minimum(np.maximum(x, low), high)


def convert(value, x, element):
    if x.dtype.kind == "f" and element == "i32":  # Saturates; what is no number is zero.
        return np.clip(np.nan_to_num(np.trunc(x.astype(np.float64)), nan=0), -2**31, 2**31 - 1)
    return rounded(x, element) if element in ("bf16", *NARROW) else x.astype(DTYPES[element])


def rounded(x, element):
    """Returns the numbers of `element` nearest to those of `x`, as f32."""
    fit = np.vectorize(lambda number: _formats.rounded(float(number), element), otypes=[np.float32])
    return fit(x) if x.size else x.astype(np.float32)


def stored(array, element):
    """Returns an array as a file holds it: of what numpy has no type for, the bits."""
    array = np.ascontiguousarray(array).reshape(array.shape)
    return (array.view(np.uint32) >> 16).astype(np.uint16) if element == "bf16" else array


def same(value, x):
    return x


def bitcast(value, x):
    return reinterpreted(x, DTYPES[value.element])


# --- shapes ----------------------------------------------------------------------------------------


def transpose(value, x, order):
    return x.transpose(order)


def reshape(value, x, shape):
    return x.reshape(shape)


def broadcast(value, x, dims):
    sizes = [1] * len(value.shape)
    for dim, size in zip(dims, x.shape):
        sizes[dim] = size
    return np.broadcast_to(x.reshape(sizes), value.shape)


def reverse(value, x, dims):
    return np.flip(x, dims)


def slice(value, x, parts):  # The op's name.
    return x[tuple(np.s_[low:high:stride] for low, high, stride in parts)]


def concatenate(value, *rest):
    return np.concatenate(rest[:-1], rest[-1])


def pad(value, x, fill, low, high, interior):
    result = np.full(value.shape, fill)
    places = [np.arange(size) * (between + 1) + before for size, before, between in zip(x.shape, low, interior)]
    inside = [(place >= 0) & (place < size) for place, size in zip(places, value.shape)]
    result[np.ix_(*(place[keep] for place, keep in zip(places, inside)))] = x[np.ix_(*inside)]
    return result


def clamped(starts, sizes, shape):
    return tuple(np.s_[start:start + size] for start, size in
                 ((min(max(int(start), 0), whole - size), size) for start, size, whole in zip(starts, sizes, shape)))


def dynamic_slice(value, x, *rest):
    return x[clamped(rest[:-1], rest[-1], x.shape)]


def dynamic_update_slice(value, x, update, *starts):
    result = x.copy()
    result[clamped(starts, update.shape, x.shape)] = update
    return result


# --- reductions, products, windows -----------------------------------------------------------------


def combine(name, x, y, element):
    return binary(Like(element), x, y, name).astype(DTYPES[element])


class Like:
    def __init__(self, element):
        self.element = element


def reduce(value, x, init, name, dims):
    rest = [dim for dim in range(x.ndim) if dim not in dims]
    flat = x.transpose(rest + list(dims)).reshape([x.shape[dim] for dim in rest] + [-1])
    total = np.broadcast_to(init, value.shape)
    for i in range(flat.shape[-1]):
        total = combine(name, total, flat[..., i], value.element)
    return total


def argmax(value, x, dim, which):
    """The initial value -100 is the first; `a GE b` keeps the first of equals."""
    return np.maximum(x.max(dim), -100) if which == 0 else np.where(x.max(dim) <= -100, 0, x.argmax(dim))


def dot(value, x, y, left, right):
    batch, contracted = left
    names = iter("abcdefghijkl")
    of_x = [next(names) for _ in x.shape]
    of_y = [None] * y.ndim
    for mine, other in zip(batch + contracted, right[0] + right[1]):
        of_y[other] = of_x[mine]
    of_y = [name or next(names) for name in of_y]
    out = [of_x[dim] for dim in batch] + [of_x[dim] for dim in range(x.ndim) if dim not in batch + contracted]
    out += [name for name in of_y if name not in of_x]
    return np.einsum(f"{''.join(of_x)},{''.join(of_y)}->{''.join(out)}", x, y)


def mixed_dot(value, x, y, left, right):
    return dot(value, x.astype(DTYPES[value.element]), y.astype(DTYPES[value.element]), left, right)


def convolution(value, x, kernel, stride, low, high):
    padded = np.pad(x, [(0, 0), (low, high), (0, 0)])
    width = kernel.shape[0]
    return np.stack([np.einsum("bwi,wio->bo", padded[:, at:at + width], kernel)
                     for at in range(0, value.shape[1] * stride, stride)], 1)


def windows(x, init, window, strides, dilation, low, high):
    """Returns each window of `x` as the last dim, in order; what is padding is `init`."""
    padded = np.pad(x, list(zip(low, high)), constant_values=init)
    spans = [(size - 1) * step + 1 for size, step in zip(window, dilation)]
    counts = [(size - span) // stride + 1 for size, span, stride in zip(padded.shape, spans, strides)]
    columns = []
    for offset in itertools.product(*map(range, window)):
        index = tuple(np.s_[at * step:at * step + (count - 1) * stride + 1:stride]
                      for at, step, count, stride in zip(offset, dilation, counts, strides))
        columns.append(padded[index])
    return np.stack(columns, -1)


def reduce_window(value, x, init, name, *geometry):
    total = np.broadcast_to(init, value.shape)
    columns = windows(x, init, *geometry)
    for i in range(columns.shape[-1]):
        total = combine(name, total, columns[..., i], value.element)
    return total


def select_and_scatter(value, x, source, init, window, strides):
    """Without padding; `a GE b` keeps the first of equals."""
    result = np.full(x.shape, init)
    for at in np.ndindex(*source.shape):
        start = [place * stride for place, stride in zip(at, strides)]
        part = x[tuple(np.s_[low:low + size] for low, size in zip(start, window))]
        best = np.unravel_index(part.argmax(), part.shape)
        result[tuple(np.add(start, best))] += source[at]
    return result


# --- indices and order -----------------------------------------------------------------------------


def gather(value, x, index):
    if len(value.shape) == 2:
        return x[np.clip(index, 0, x.shape[0] - 1)]
    return x[np.arange(x.shape[0]), np.clip(index, 0, x.shape[1] - 1)]


def scatter_add(value, x, index, update):
    result = x.copy()
    batched = update.ndim == 1
    keep = np.nonzero((index >= 0) & (index < x.shape[1 if batched else 0]))[0]
    np.add.at(result, (keep, index[keep]) if batched else index[keep], update[keep])
    return result


def sort(value, x, dim, descending):
    return np.flip(np.sort(x, dim), dim) if descending else np.sort(x, dim)


def sort_order(value, key, dim):
    return np.argsort(key, dim, kind="stable")


# --- control flow, linear algebra, complex numbers -------------------------------------------------


def repeat_add(value, x, y, times):
    for _ in range(times):
        x = x + y
    return x


def branch(value, x, y, which):
    return x if which else y


def fft(value, x):
    return np.fft.fft(x, axis=-1)


def complex_of(value, x, y):
    """By parts: 1j * y is no number in its real part where y is infinite."""
    result = np.empty(np.shape(x), np.result_type(x, np.complex64))
    result.real, result.imag = x, y
    return result


def part(value, x, name):
    return getattr(x, name)


def cholesky(value, x):
    return np.linalg.cholesky(x.astype(np.float64))


def triangular_solve(value, a, b):
    """Lower, from the left, with ones on the diagonal."""
    size = a.shape[-1]
    lower = np.tril(a.astype(np.float64), -1) + np.eye(size)
    return np.linalg.solve(lower, b.astype(np.float64))


# --- other elements --------------------------------------------------------------------------------


def narrow(value, x, y, element, name):
    """Each op is one of f32, rounded."""
    x, y = rounded(x, element), rounded(y, element)
    return rounded(binary(Like("f32"), x, y, name).astype(np.float32), element)


def quantized(value, *rest):
    *numbers, name, order, scale, zero, low, high = rest

    def quantize(x):
        return np.rint(np.clip(x / scale + zero, low, high))

    stored = [quantize(x.astype(np.float64)) for x in numbers]
    if name:
        stored = [quantize(binary(Like("f32"), *((each - zero) * scale for each in stored), name))]
    return ((stored[0] - zero) * scale).transpose(order)


def complex_arithmetic(value, a, b, c, d, name, dim, which):
    result = binary(Like("f32"), complex_of(value, a, b), complex_of(value, c, d), name)
    return part(value, result if dim is None else result.sum(dim), which)


def sum_or_max(value, x, which, dim, window):
    if window is None:
        return np.maximum(x.max(dim), -50) if which else x.sum(dim)
    columns = windows(x, 0, window, [1] * x.ndim, [1] * x.ndim, [0] * x.ndim, [0] * x.ndim)
    return np.maximum(columns.max(-1), -50) if which else columns.sum(-1)


def scatter_max(value, x, index, update):
    result = x.copy()
    keep = np.nonzero((index >= 0) & (index < x.shape[0]))[0]
    np.maximum.at(result, index[keep], update[keep])
    return result


def moments(x, feature):
    dims = tuple(dim for dim in range(x.ndim) if dim != feature)
    wide = x.astype(np.float64)
    return wide, dims, wide.mean(dims, keepdims=True), wide.var(dims, keepdims=True) + 0.125


def spread(x, like, feature):
    return x.astype(np.float64).reshape([-1 if dim == feature else 1 for dim in range(like.ndim)])


def batch_norm(value, x, scale, offset, feature, which):
    wide, _, mean, variance = moments(x, feature)
    if which:
        return (mean if which == 1 else variance - 0.125).reshape(-1)
    return (wide - mean) / np.sqrt(variance) * spread(scale, x, feature) + spread(offset, x, feature)


def batch_norm_grad(value, x, scale, grad, feature, which):
    wide, dims, mean, variance = moments(x, feature)
    grad = grad.astype(np.float64)
    normal = (wide - mean) / np.sqrt(variance)
    if which:
        return (grad * normal if which == 1 else grad).sum(dims)
    inner = grad - grad.mean(dims, keepdims=True) - normal * (grad * normal).mean(dims, keepdims=True)
    return spread(scale, x, feature) / np.sqrt(variance) * inner


def always(value):
    return np.ones(value.shape, bool)


# --- forms of old, searches, ragged products --------------------------------------------------------


def reduce_precision(value, x):
    return rounded(x, "bf16")


def filled(value, number):
    return np.full(value.shape, number)


def mulhi(value, x, y):
    return (x.astype(np.int64) * y.astype(np.int64)) >> 32


def take(value, x, index, dim):
    return np.take_along_axis(x, index, 1) if dim else x[index]


def top_k(value, x, k, which):
    order = np.argsort(-x.astype(np.int64), -1, kind="stable")[..., :k]
    return order if which else np.take_along_axis(x, order, -1)


def ragged_dot(value, x, y, sizes):
    result, start = np.zeros(value.shape, x.dtype), 0
    for group, size in enumerate(sizes):
        result[start:start + size] = x[start:start + size] @ y[group]
        start += size
    return result


def scan(value, x, init, dim, backwards, which):
    steps, carry = [], init
    for row in np.moveaxis(np.flip(x, dim) if backwards else x, dim, 0):
        carry = row - carry
        steps.append(carry)
    if which:
        return carry
    result = np.stack(steps, dim)
    return np.flip(result, dim) if backwards else result


# --- regions --------------------------------------------------------------------------------------


def roll(value, x, by, dim):
    return np.roll(x, by, dim)


def plus_block(value, x, block, dim):
    sizes = [-1 if i == dim else 1 for i in range(x.ndim)]
    return x + (np.arange(x.shape[dim]) // block).reshape(sizes).astype(x.dtype)
