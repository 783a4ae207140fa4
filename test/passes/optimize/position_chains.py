"""Prints slices of gathered values whose offsets are long chains of scalar ops."""

GROUPS = "dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>"


def function(name, op, length, operand=None, rows=1):
    """`length` times `op` of the last value and of `operand`, or of the last value and itself."""
    part, whole = f"tensor<{rows}xf32>", f"tensor<{4 * rows}xf32>"
    lines = [f"func.func @{name}(%part: {part}) -> {part} {{",
             f'%all = "stablehlo.all_gather"(%part) <{{all_gather_dim = 0 : i64, replica_groups = {GROUPS}, '
             f"channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}}> : ({part}) -> {whole}",
             "%id = stablehlo.partition_id : tensor<ui32>",
             "%one = stablehlo.constant dense<1> : tensor<ui32>",
             "%four = stablehlo.constant dense<4> : tensor<ui32>",
             "%x0 = stablehlo.remainder %id, %four : tensor<ui32>"]
    lines += [f"%x{i + 1} = stablehlo.{op} %x{i}, {operand or f'%x{i}'} : tensor<ui32>" for i in range(length)]
    lines += [f"%own = stablehlo.dynamic_slice %all, %x{length}, sizes = [{rows}] : ({whole}, tensor<ui32>) -> {part}",
              f"return %own : {part}", "}"]
    return "\n".join(lines)


print("module attributes {mhlo.num_partitions = 12 : i32} {")
print(function("chain_of_32", "multiply", 31, "%one"))
print(function("chain_of_33", "multiply", 32, "%one"))
print(function("sum_of_32", "add", 5, rows=32))
print(function("sum_of_64", "add", 6, rows=64))
print(function("doubled", "add", 31))
print(function("squared", "multiply", 31))
print("}")
