"""Custom calls for random programs: what each computes, and rules that are true of it."""

import dataclasses


@dataclasses.dataclass
class CustomOp:
    """An op whose dims are letters: "ik" and "kj" to "ij" is a matrix product. `body` makes %r, or %r and %s, of its operands
    %a, %b, %c of any sizes; `rules` are what a plan may say of it."""

    operands: list
    results: list
    body: str
    rules: list
    writes: bool = False  # The result takes the memory of the first operand.
    offset: bool = False  # A number %o comes last: the row of the whole at which the rows of %a begin.

    def reference(self, name):
        """Returns the function that says what the op computes."""
        operands = [f"%{letter}: {matrix(len(dims))}" for letter, dims in zip("abc", self.operands)]
        operands += ["%o: tensor<i32>"] * self.offset
        results = ", ".join(matrix(len(dims)) for dims in self.results)
        returned = ", ".join(["%r", "%s"][:len(self.results)])
        return (f"func.func private @{name}({', '.join(operands)}) -> ({results}) {{\n{self.body}"
                f"  return {returned} : {results}\n}}\n")


def matrix(rank=2):
    return f"tensor<{'?x' * rank}f32>"


def rule(dims, more=""):
    return f'rule: "{dims}" {more}'


def halo(factor, low, high):
    return f'along {{ factor: "{factor}" way: "halo" low: {low} high: {high} }} '


def meeting(dims, factor, other):
    """Rules of two factors that meet, by each way and by all."""
    ways = ['way: "gather"', 'way: "ring"', 'way: "all_to_all"']
    return [rule(dims, f'along {{ factor: "{factor}" with: "{other}" {each} }}') for each in [*ways, " ".join(ways)]]


def make(name, value):
    return f"  %{name} = stablehlo.{value}\n"


def unary(op, value, rank=2):
    return f"{op} %{value} : {matrix(rank)}"


def product(left, right, contracted, batch=None):
    rank = 2 if batch is None else 3
    batch = "" if batch is None else f"batching_dims = [{batch}] x [{batch}], "
    return (f"dot_general %{left}, %{right}, {batch}contracting_dims = [{contracted[0]}] x [{contracted[1]}] : "
            f"({matrix(rank)}, {matrix(rank)}) -> {matrix(rank)}")


def added_up(name, value, dim):
    return make("zero", "constant dense<0.0> : tensor<f32>") + make(
        name, f"reduce(%{value} init: %zero) applies stablehlo.add across dimensions = [{dim}] : "
        f"({matrix()}, tensor<f32>) -> {matrix(1)}")


SHAPE_OF_A = "".join(
    make(name, f"get_dimension_size %a, dim = {dim} : ({matrix()}) -> tensor<i32>") +
    make(name + "1", f"reshape %{name} : (tensor<i32>) -> tensor<1xi32>") for dim, name in enumerate(["rows", "columns"])
) + make("shape", "concatenate %rows1, %columns1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>")

# Each row is added to the two before it and the one behind.
NEAR = make("zero", "constant dense<0.0> : tensor<f32>") + f"""  %r = "stablehlo.reduce_window"(%a, %zero) ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }}) {{window_dimensions = array<i64: 4, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>}}
      : ({matrix()}, tensor<f32>) -> {matrix()}
"""

ATTENTION = "([i, j], [k, j], [k, l])->([i, l])"
HEADS = "([l, i, j], [l, k, j], [l, k, j])->([l, i, j], [l, k, j])"

OPS = {
    "sum": CustomOp(["ij", "ij"], ["ij"], make("r", f"add %a, %b : {matrix()}"), [rule("([i, j], [i, j])->([i, j])")]),
    "flat": CustomOp(["ij"], ["ij"], make("r", unary("sine", "a")), [rule("([i, j])->([i, j])")]),
    "accumulate": CustomOp(["ij", "ij"], ["ij"], make("r", f"subtract %a, %b : {matrix()}"),
                           [rule("([i, j], [i, j])->([i, j])")], writes=True),
    "rows": CustomOp(["ij"], ["i"], added_up("r", "a", 1), [rule("([i, j])->([i]) reduction={j}")]),
    # The cosine of padding is 1.
    "cosines": CustomOp(["ij"], ["i"], make("c", unary("cosine", "a")) + added_up("r", "c", 1),
                        [rule("([i, j])->([i]) reduction={j}", 'even: "j"')]),
    "product": CustomOp(["ik", "kj"], ["ij"], make("r", product("a", "b", (1, 0))),
                        [rule("([i, k], [k, j])->([i, j]) reduction={k}")]),
    "turned": CustomOp(["ij"], ["ji"], make("r", f"transpose %a, dims = [1, 0] : ({matrix()}) -> {matrix()}"),
                       [rule("([i, j])->([j, i])")]),
    "reversed": CustomOp(["ij"], ["ij"], make("r", f"reverse %a, dims = [0] : {matrix()}"),
                         [rule("([i, j])->([i, j]) need_replication={i}")]),
    "scaled": CustomOp(["ij", "j"], ["ij"], SHAPE_OF_A + make(
        "wide", f"dynamic_broadcast_in_dim %b, %shape, dims = [1] : ({matrix(1)}, tensor<2xi32>) -> {matrix()}") + make(
            "r", f"multiply %a, %wide : {matrix()}"), [rule("([i, j], [j])->([i, j])")]),
    "numbered": CustomOp(["ij"], ["ij"], SHAPE_OF_A + make(
        "own", "dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>") + make(
            "first", "dynamic_broadcast_in_dim %o, %shape, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x?xi32>") + make(
                "row", "add %own, %first : tensor<?x?xi32>") + make(
                    "number", f"convert %row : (tensor<?x?xi32>) -> {matrix()}") + make(
                        "r", f"add %a, %number : {matrix()}"),
                         [rule("([i, j], [])->([i, j])", 'offset { operand: 1 factor: "i" }')], offset=True),
    "near": CustomOp(["ij"], ["ij"], NEAR, [rule("([i, j])->([i, j])", each) for each in
                                            (halo("i", 2, 1), halo("i", 3, 4), halo("i", 2, 1) + halo("j", 1, 1))]),
    "both": CustomOp(["ij", "ik"], ["jk", "j"], make("r", product("a", "b", (0, 0))) + added_up("s", "a", 0),
                     [rule("([i, j], [i, k])->([j, k], [j]) reduction={i}")]),
    "keys": CustomOp(["ij", "kj"], ["kj"], make("p", product("a", "b", (1, 1))) + make("t", unary("tanh", "p")) + make(
        "r", product("t", "a", (0, 0))),
                     [rule("([i, j], [k, j])->([k, j]) reduction={i} need_replication={j}"),
                      *meeting("([i, j], [k, j])->([k, j]) need_replication={j}", "k", "i")[:2]]),
    "attention": CustomOp(["ij", "kj", "kl"], ["il"], make("p", product("a", "b", (1, 1))) + make(
        "t", unary("tanh", "p")) + make("r", product("t", "c", (1, 0))),
                          [rule(ATTENTION + " reduction={k} need_replication={j}"),
                           *meeting(ATTENTION + " need_replication={j}", "k", "i"),
                           rule(ATTENTION + " need_replication={j}",
                                halo("i", 1, 2) + 'along { factor: "k" with: "i" way: "gather" }'),
                           rule(ATTENTION + " need_replication={j}",
                                halo("l", 1, 2) + 'along { factor: "k" with: "i" way: "ring" way: "gather" }')]),
    "heads": CustomOp(["lij", "lkj", "lkj"], ["lij", "lkj"], make("p", product("a", "b", (2, 2), 0)) + make(
        "t", unary("sine", "p", 3)) + make("r", product("t", "c", (2, 1), 0)) + make("s", product("t", "a", (1, 1), 0)),
                      meeting(HEADS + " need_replication={j}", "k", "i")),
}
