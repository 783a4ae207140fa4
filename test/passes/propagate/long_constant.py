#!/usr/bin/env python3
"""Prints a program in which a constant that takes STEPS ops to make has USERS users, split in two ways.

    long_constant.py STEPS USERS
"""

import sys


def main():
    steps, users = map(int, sys.argv[1:])
    print('sdy.mesh @mesh = <["x"=2, "y"=3]>')
    print("func.func @main(", end="")
    for name, dims in (("a", '{"x"}, {}'), ("b", '{}, {"y"}')):
        print(f"%{name}: tensor<5x7xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{dims}]>}}",
              end=", " if name == "a" else ")")  # fmt: skip
    print(" -> (tensor<5x7xf32>, tensor<5x7xf32>) {\n  %c0 = stablehlo.iota dim = 0 : tensor<5x7xf32>")
    for i in range(1, steps):
        print(f"  %c{i} = stablehlo.tanh %c{i - 1} : tensor<5x7xf32>")
    last = {"a": "%a", "b": "%b"}
    for i in range(users):
        name = "ab"[i % 2]
        print(f"  %{name}{i} = stablehlo.add {last[name]}, %c{steps - 1} : tensor<5x7xf32>")
        last[name] = f"%{name}{i}"
    print(f"  return {last['a']}, {last['b']} : tensor<5x7xf32>, tensor<5x7xf32>\n}}")


if __name__ == "__main__":
    main()
