"""What gathers, scatters and sorts in all their forms compute, by numpy."""

import numpy as np


def starts_of(index, windows, at):
    """Returns where in the operand the window of the indices at `at` starts: dims that have no index, at 0."""
    starts = [0] * len(windows.sizes)
    for number, dim in enumerate(windows.indexed):
        where = list(at)
        if not windows.is_implied:
            where.insert(windows.vector, number)
        starts[dim] = int(index[tuple(where)])
    for dim, place in zip(windows.batching, windows.places):
        starts[dim] = at[place]
    return starts


def place_of(windows, at):
    """Returns which part of the result, or of the update, belongs to the indices at `at`."""
    rows = iter(at)
    return tuple(np.s_[:] if dim in windows.offsets else next(rows) for dim in range(len(windows.result)))


def gather_windows(value, x, index, windows):
    result = np.zeros(value.shape, x.dtype)
    for at in np.ndindex(*windows.rows):
        starts = [min(max(start, 0), whole - size) for start, whole, size in
                  zip(starts_of(index, windows, at), x.shape, windows.sizes)]
        part = x[tuple(np.s_[start:start + size] for start, size in zip(starts, windows.sizes))]
        result[place_of(windows, at)] = part.reshape([windows.sizes[dim] for dim in windows.kept])
    return result


def scatter_windows(value, x, index, update, windows, name):
    result = x.copy()
    combine = {"add": np.add, "maximum": np.maximum, "minimum": np.minimum, "multiply": np.multiply}[name]
    for at in np.ndindex(*windows.rows):
        starts = starts_of(index, windows, at)
        part = update[place_of(windows, at)].reshape(windows.sizes)
        if all(0 <= start <= whole - size for start, whole, size in zip(starts, x.shape, windows.sizes)):
            inside = tuple(np.s_[start:start + size] for start, size in zip(starts, windows.sizes))
            result[inside] = combine(result[inside], part)
    return result


def sort_by_two(value, x, y, dim, which):
    """By the first upwards, by the second downwards; equal rows keep their places."""
    order = np.lexsort((-y.astype(np.int64), x), dim)
    return order if which == 2 else np.take_along_axis((x, y)[which], order, dim)


INDEXED = {each.__name__: each for each in (gather_windows, scatter_windows, sort_by_two)}
