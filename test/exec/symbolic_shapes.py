#!/usr/bin/env python3
"""Exports JAX functions with symbolic shapes, runs each at several sizes, and compares with JAX.

    symbolic_shapes.py --run spmd-run --work DIR [--jobs N]

Where JAX cannot be imported, the script says so and is done. A program that is not equal stays in DIR and is named.
"""

import sys

import _runner

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import export, lax
except ImportError:
    jax = None


def cases():
    """Yields name, function, shapes by letters (a number is a fixed size, `int` an index), constraints."""
    yield "mlp", lambda x, w, b, v: jnp.tanh(x @ w + b) @ v, ["b, d", "d, h", "h", "h, d"]
    yield "softmax", jax.nn.softmax, ["b, n"]
    yield "normalize", lambda x, g: (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1) * g, \
        ["b, n", "n"]
    yield "attention", attention, ["b, s, h, d"] * 3
    yield "concatenate", lambda x, y: jnp.concatenate([x, 2 * y, x], 0), ["b, n", "h, n"]
    yield "arange", lambda x: jnp.arange(x.shape[0]) * 2 + x, ["n"]
    yield "flatten", lambda x: x.reshape(-1), ["b, n"]
    yield "split", lambda x: (x[:x.shape[0] // 2], x[x.shape[0] // 2:]), ["b, n"]
    yield "fold", lambda x: x.reshape(x.shape[0] // 2, 2, -1), ["2*b, n"]
    yield "stride", lambda x: x[1:-1:2], ["b, n"], ["b >= 3"]
    yield "flip", lambda x: x[::-1], ["n"]
    yield "slice", lambda x, i: lax.dynamic_slice_in_dim(x, i, x.shape[1] - 2, 1), ["b, n", int], ["n >= 3"]
    yield "update", lambda x, u, i: lax.dynamic_update_slice(x, u, (i, i)), ["2*b, n", "b, n", int]
    yield "take", lambda x, i: x[i.astype(int) % 3], ["b, d", "n"]
    yield "take_along", lambda x, i: jnp.take_along_axis(x, i.astype(int) % 2, 1), ["b, d", "b, n"]
    yield "scatter", lambda x, i, u: x.at[i.astype(int) % 2].add(u), ["b, d", "n", "n, d"]
    yield "segments", lambda x, i: jax.ops.segment_sum(x, i.astype(int) % 4, 4), ["n, d", "n"]
    yield "pad", lambda x: jnp.pad(x, ((1, 2), (0, x.shape[0]))), ["b, n"]
    yield "cumsum", lambda x: jnp.cumsum(x, 1), ["b, n"]
    yield "logsumexp", lambda x: lax.cumlogsumexp(x, 1), ["b, n"]
    yield "sort", lambda x: jnp.sort(x, 0), ["b, n"]
    yield "argsort", lambda x: jnp.argsort(x, 1), ["b, n"]
    yield "top_half", lambda x: lax.top_k(x, x.shape[1] // 2), ["b, 2*n"]
    yield "argmax", lambda x: jnp.argmax(x, 1), ["b, n"]
    yield "pool", lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME"), ["b, h, d, 3"]
    yield "mean_pool", lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 1, 1, 1), "VALID"), \
        ["b, h, d, n"], ["h >= 2", "d >= 2"]
    yield "same", lambda x, w: convolve(x, w, (2, 2), "SAME"), ["b, h, d, 3", "3, 3, 3, 4"]
    yield "valid", lambda x, w: convolve(x, w, (1, 1), "VALID"), ["b, h + 2, d + 2, n", "3, 3, n, s"]
    yield "depthwise", lambda x, w: convolve(x, w, (1, 1), "SAME", feature_group_count=3), ["b, h, d, 3", "3, 3, 1, 6"]
    yield "repeat_loop", lambda x, n: lax.fori_loop(0, n, lambda i, c: 1.5 * c + jnp.arange(x.shape[0]), x), ["n", int]
    yield "size_loop", lambda x: lax.fori_loop(0, x.shape[0], lambda i, c: c + x[i], jnp.zeros(x.shape[1:])), ["b, n"]
    yield "scan", lambda x, w: lax.scan(lambda c, e: (jnp.tanh(c @ w + e), c.sum()),
                                        jnp.zeros((x.shape[1], w.shape[0])), x), ["s, b, d", "d, d"]
    yield "branch", lambda p, x: lax.cond(p > 1, lambda: x.sum(0), lambda: x[0] * 2), [int, "b, n"]
    yield "switch", lambda p, x: lax.switch(p, [lambda: jnp.zeros_like(x), lambda: x * 2, lambda: x[::-1]]), [int, "b, n"]
    yield "calls", lambda x, y: (spread(x), spread(y), spread(x + 1)), ["b, n", "h, n"]
    yield "gradient", jax.grad(lambda w, x, y: jnp.mean((jnp.tanh(x @ w) - y)**2)), ["d, n", "b, d", "b, n"]
    yield "batched", jax.vmap(jnp.matmul), ["n, b, d", "n, d, h"]
    yield "sizes", lambda x: x * x.shape[0] + jnp.asarray(x.shape[1]), ["b, n"]
    yield "rounded_up", lambda x: jnp.zeros(((x.shape[0] + 3) // 4 * 4 - x.shape[0],)), ["b"]
    yield "one_hot", lambda i: jax.nn.one_hot(i.astype(int), 5), ["n"]
    yield "lower", jnp.tril, ["n, n"]
    yield "cholesky", lambda x: jnp.linalg.cholesky(x @ x.mT + 3 * jnp.eye(3)), ["b, 3, 3"]
    yield "fft", lambda x: jnp.fft.fft(x).real, ["b, 8"]
    yield "narrow", lambda x: (x.astype(jnp.bfloat16) * 2).sum(1).astype(jnp.float32), ["b, n"]
    yield "roll", lambda x: jnp.roll(x, 1, 0), ["b, n"]
    yield "repeat", lambda x: jnp.repeat(x, 3, 0), ["b, n"]
    yield "tile", lambda x: jnp.tile(x, (2, x.shape[0])), ["b, n"]
    yield "median", lambda x: jnp.median(x, 0), ["b, n"]
    yield "erf", lambda x: jax.scipy.special.erf(x) + jax.scipy.special.digamma(jnp.abs(x) + 1), ["b, n"]
    yield "random", lambda x: jnp.where(jax.random.bernoulli(jax.random.PRNGKey(3), 0.5, x.shape), x, 0), ["b, n"]
    yield "any", lambda x: jnp.any(x > 0, axis=0), ["b, n"]


def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 2
    mask = jnp.tril(jnp.ones((q.shape[1], k.shape[1]), bool))
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(mask, scores, -1e9), -1), v)


def convolve(x, w, strides, padding, **more):
    return lax.conv_general_dilated(x, w, strides, padding, dimension_numbers=("NHWC", "HWIO", "NHWC"), **more)


def spread(x):
    return jax.jit(lambda x: jnp.broadcast_to(x.sum(0), (2 * x.shape[0], x.shape[1])))(x)


SIZES = [{"b": 3, "n": 5, "d": 4, "h": 6, "s": 2}, {"b": 5, "n": 3, "d": 3, "h": 2, "s": 7}]


def exported(function, shapes, constraints):
    """Returns the function as a module for all sizes."""
    scope = export.SymbolicScope(constraints)
    arguments = [jax.ShapeDtypeStruct((), np.int32) if shape is int else
                 jax.ShapeDtypeStruct(export.symbolic_shape(shape, scope=scope), np.float32) for shape in shapes]
    return str(export.export(jax.jit(function))(*arguments).mlir_module())


def arrays_for(shapes, sizes):
    rng = np.random.default_rng(1)
    for shape in shapes:
        dims = () if shape is int else [eval(size, {}, sizes) for size in shape.split(",")]
        yield np.int32(1) if shape is int else (rng.integers(-8, 9, dims) / 4).astype(np.float32)


def write(folder, arrays):
    folder.mkdir(parents=True, exist_ok=True)
    for i, array in enumerate(arrays):
        np.save(folder / f"{i}.npy", np.asarray(array))


def check(arguments, case):
    name, function, shapes, *constraints = case
    path = arguments.work / f"{name}.mlir"
    path.write_text(exported(function, shapes, *constraints))
    for i, sizes in enumerate(SIZES):
        inputs = list(arrays_for(shapes, sizes))
        folder = arguments.work / f"{name}{i}"
        write(folder / "in", inputs)
        write(folder / "out", jax.tree.leaves(jax.jit(function)(*inputs)))
        process = _runner.run([arguments.run, path, f"--in={folder}/in", f"--expect={folder}/out"])
        if process.returncode or "equal:        yes" not in process.stdout:
            return f"{path} with {sizes}: {_runner.reason(process)}"
    return None


def main():
    arguments = _runner.parser(__doc__, run="spmd-run").parse_args()
    if not jax:
        print("JAX is not installed: nothing is exported")
        return 0
    all_cases = [case if len(case) == 4 else (*case, []) for case in cases()]
    wrong = _runner.check_all(arguments, check, all_cases)
    print(f"{len(all_cases) - wrong} of {len(all_cases)} functions equal at {len(SIZES)} sizes each")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
