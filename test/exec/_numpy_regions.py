"""What ops that hold others compute, by numpy. Each function is given `compute`, which computes values from arrays of the
names that they are made of; the arrays of the operands; and what else the op says."""


def call(compute, arrays, result):
    return compute([result], {"%arg0": arrays[0]})[0]


def called(compute, arrays, result, names):
    return compute([result], dict(zip(names, arrays)))[0]


def chosen(compute, arrays, results, inner):
    """One of several blocks; the last one if there is none of that number."""
    return one_of(compute, arrays, results, [inner])


def one_of(compute, arrays, results, names):
    which = int(arrays[0]) if 0 <= int(arrays[0]) < len(results) else len(results) - 1
    return compute([results[which]], dict(zip(names, arrays[1:])))[0]


def turned(compute, arrays, body, inner):
    result = arrays[1]
    for _ in range(int(arrays[0])):
        result = compute([body], {inner: result})[0]
    return result


def stepped(compute, arrays, body, names, is_backwards, which):
    """Rows one after the other: `which` is 1 or 2 for what is carried, 3 for the rows that are made."""
    rows, x, y, out = arrays
    out = out.copy()
    order = range(len(rows))
    for at in reversed(order) if is_backwards else order:
        made = compute([body], dict(zip(names, (x, rows[at]))))[0]
        out[at], x, y = made, y, made
    return (x, y, out)[which - 1]


REGIONS = {each.__name__: each for each in (call, called, chosen, one_of, turned, stepped)}
