"""Prints a program of functions that call each other, as many as the argument says."""

import sys

count = int(sys.argv[1])
for i in range(-1, count):
    name, visibility = ("main", "public") if i < 0 else (f"f{i}", "private")
    body = f"func.call @f{i + 1}(%x) : (tensor<?xf32>) -> tensor<?xf32>" if i + 1 < count else "stablehlo.abs %x : tensor<?xf32>"
    print(f"func.func {visibility} @{name}(%x: tensor<?xf32>) -> tensor<?xf32> {{\n  %0 = {body}\n  return %0 : tensor<?xf32>\n}}")
