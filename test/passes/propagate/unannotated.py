"""Prints a program without annotations: 40 layers, each in a line of the source with three ops, and 400 small seeds."""

lines = ['sdy.mesh @mesh = <["x"=4]>',
         "func.func @main(%w: tensor<64x64xf32>, %k: tensor<2xui32>) -> (tensor<64x64xf32>, tensor<2xui32>) {"]
place = 'loc("model.py":{line}:{column})'
value, seed, number = "%w", "%k", 0
for layer in range(40):
    for column, op in enumerate(("tanh", "cosine", "abs")):
        lines.append(f"  %v{number} = stablehlo.{op} {value} : tensor<64x64xf32> "
                     + place.format(line=10 + layer, column=column + 1))
        value, number = f"%v{number}", number + 1
for index in range(400):
    lines.append(f"  %s{index} = stablehlo.add {seed}, %k : tensor<2xui32> "
                 + place.format(line=100 + index, column=1))
    seed = f"%s{index}"
lines += [f"  return {value}, {seed} : tensor<64x64xf32>, tensor<2xui32>", "}"]
print("\n".join(lines))
