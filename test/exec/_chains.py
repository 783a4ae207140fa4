"""Random programs in which no two annotations meet, so that nothing is left to decide."""


MESHES = 'sdy.mesh @mesh = <["x"=4, "y"=2]>\nsdy.mesh @other = <["u"=2, "v"=4]>\n'


def make_chain(rng):
    """Returns a program with one annotation and no conflict: each value has one user, no dim meets itself. Dims may have
    one row, the annotation may be on the second of two meshes. In some programs nothing is an argument, and all is made of
    constants."""
    shape = [rng.choice([1, 4, 8, 12, 16]) for _ in range(rng.randint(1, 3))]
    start = rng.randrange(len(shape))
    mesh, axis = rng.choice([("mesh", "x"), ("mesh", "x"), ("other", "v")])
    axes = ", ".join(f'{{"{axis}"}}' if d == start else "{?}" for d in range(len(shape)))
    has_arguments = rng.random() < 0.7
    arguments, lines = [], ["  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"]

    def take(shape):
        """Returns the name of a new value: an argument, or what is made of constants."""
        if has_arguments:
            arguments.append(f"%arg{len(arguments)}: {tensor(shape)}")
            return arguments[-1].split(":")[0]
        lines.append(f"  %k{len(lines)} = stablehlo.iota dim = {rng.randrange(len(shape))} : {tensor(shape)}\n")
        return f"%k{len(lines) - 1}"

    lines.append(f"  %start = sdy.sharding_constraint {take(shape)} <@{mesh}, [{axes}]> : {tensor(shape)}\n")
    value = "%start"
    for i in range(rng.randint(3, 9)):
        before, kind = tensor(shape), rng.choice(["tanh", "transpose", "add", "dot", "batch", "reduce", "broadcast", "reshape"])
        if kind == "reduce" and len(shape) < 2 or kind in ("broadcast", "batch") and len(shape) > 3:
            kind = "tanh"
        if kind == "tanh":
            text = f"stablehlo.tanh {value} : {before}"
        elif kind == "transpose":
            order = rng.sample(range(len(shape)), len(shape))
            shape = [shape[d] for d in order]
            text = f"stablehlo.transpose {value}, dims = {order} : ({before}) -> {tensor(shape)}"
        elif kind == "add":
            text = f"stablehlo.add {value}, {take(shape)} : {before}"
        elif kind == "dot":
            weight = [shape[-1], rng.choice([4, 8, 20])]
            other = take(weight)
            shape = shape[:-1] + weight[1:]
            text = (f"stablehlo.dot_general {value}, {other}, contracting_dims = [{len(shape) - 1}] x [0] "
                    f": ({before}, {tensor(weight)}) -> {tensor(shape)}")
        elif kind == "batch":
            weight = [shape[0], rng.choice([4, 20])]
            other = take(weight)
            shape = shape + weight[1:]
            text = (f"stablehlo.dot_general {value}, {other}, batching_dims = [0] x [0], contracting_dims = [] x [] "
                    f": ({before}, {tensor(weight)}) -> {tensor(shape)}")
        elif kind == "reduce":
            dim = rng.randrange(len(shape))
            shape = shape[:dim] + shape[dim + 1:]
            text = (f"stablehlo.reduce({value} init: %zero) applies stablehlo.add across dimensions = [{dim}] "
                    f": ({before}, tensor<f32>) -> {tensor(shape)}")
        elif kind == "broadcast":
            dim = rng.randrange(len(shape) + 1)
            dims = [d + (d >= dim) for d in range(len(shape))]
            shape = shape[:dim] + [rng.choice([4, 6])] + shape[dim:]
            text = f"stablehlo.broadcast_in_dim {value}, dims = {dims} : ({before}) -> {tensor(shape)}"
        else:
            shape = reshaped(shape, rng)
            text = f"stablehlo.reshape {value} : ({before}) -> {tensor(shape)}"
        value = f"%{i}"
        lines.append(f"  {value} = {text}\n")
    return (f'{MESHES}func.func public @main({", ".join(arguments)}) -> {tensor(shape)} {{\n'
            f"{''.join(lines)}  return {value} : {tensor(shape)}\n}}\n")


def reshaped(shape, rng):
    """Returns the shape with a dim of size 1 more or less."""
    if 1 in shape:
        return [size for size in shape if size != 1] or [1]
    dim = rng.randrange(len(shape) + 1)
    return shape[:dim] + [1] + shape[dim:]


def tensor(shape):
    return f"tensor<{'x'.join(map(str, shape))}xf32>"
