// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-run %s --threads 3 | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/<\["x"=2, "y"=3\]>/<["y"=2, "x"=3]>/' %s > %t.turned.mlir && spmd-run %t.turned.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/<\["x"=2, "y"=3\]>/<["x"=5, "y"=1]>/' %s > %t.long.mlir && spmd-run %t.long.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/<\["x"=2, "y"=3\]>/<["x"=4, "y"=2]>/' %s > %t.large.mlir && spmd-run %t.large.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-opt %s --spmd-pipeline=inline-functions=false -o %t.mlir && FileCheck %s --input-file=%t.mlir
// EQUAL: equal: {{ *}}yes

// Each function moves two tensors of other shapes, on uneven sizes: with one collective. What is
// added to the second keeps the moves apart in program order.

sdy.mesh @mesh = <["x"=2, "y"=3]>

// Along different dims, and of different types.
// CHECK-LABEL: func.func private @gathers(
// CHECK-COUNT-1: "stablehlo.all_gather"
// CHECK-NOT: "stablehlo.all_gather"
// CHECK: return
func.func private @gathers(%a: tensor<7x5xi32>, %b: tensor<3x5x4xf32>) -> (tensor<21x5xi32>, tensor<3x5x4xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<7x5xi32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}]> : tensor<7x5xi32>
  %2 = stablehlo.concatenate %1, %1, %1, dim = 0 : (tensor<7x5xi32>, tensor<7x5xi32>, tensor<7x5xi32>) -> tensor<21x5xi32>
  %3 = sdy.sharding_constraint %b <@mesh, [{}, {}, {"x"}]> : tensor<3x5x4xf32>
  %4 = stablehlo.abs %3 : tensor<3x5x4xf32>
  %5 = sdy.sharding_constraint %4 <@mesh, [{}, {}, {}]> : tensor<3x5x4xf32>
  return %2, %5 : tensor<21x5xi32>, tensor<3x5x4xf32>
}

// CHECK-LABEL: func.func private @exchanges(
// CHECK-COUNT-1: "stablehlo.all_to_all"
// CHECK-NOT: "stablehlo.all_to_all"
// CHECK: return
func.func private @exchanges(%a: tensor<7x5xi32>, %b: tensor<5x3x4xi32>) -> (tensor<21x5xi32>, tensor<5x3x4xi32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"y"}, {}]> : tensor<7x5xi32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"y"}]> : tensor<7x5xi32>
  %2 = stablehlo.concatenate %1, %1, %1, dim = 0 : (tensor<7x5xi32>, tensor<7x5xi32>, tensor<7x5xi32>) -> tensor<21x5xi32>
  %3 = sdy.sharding_constraint %b <@mesh, [{}, {}, {"y"}]> : tensor<5x3x4xi32>
  %4 = stablehlo.add %3, %3 : tensor<5x3x4xi32>
  %5 = sdy.sharding_constraint %4 <@mesh, [{"y"}, {}, {}]> : tensor<5x3x4xi32>
  return %2, %5 : tensor<21x5xi32>, tensor<5x3x4xi32>
}

// Sums that are scattered along their first and along their second dim.
// CHECK-LABEL: func.func private @scatters(
// CHECK-COUNT-1: "stablehlo.reduce_scatter"
// CHECK-NOT: "stablehlo.reduce_scatter"
// CHECK: return
func.func private @scatters(%a: tensor<7x5xi32>, %b: tensor<5x3xi32>, %c: tensor<3x5xi32>) -> (tensor<7x3xi32>, tensor<3x3xi32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<7x5xi32>
  %1 = sdy.sharding_constraint %b <@mesh, [{"y"}, {}]> : tensor<5x3xi32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<7x5xi32>, tensor<5x3xi32>) -> tensor<7x3xi32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{"y"}, {}]> : tensor<7x3xi32>
  %4 = stablehlo.add %3, %3 : tensor<7x3xi32>
  %5 = sdy.sharding_constraint %c <@mesh, [{}, {"y"}]> : tensor<3x5xi32>
  %6 = stablehlo.dot_general %5, %1, contracting_dims = [1] x [0] : (tensor<3x5xi32>, tensor<5x3xi32>) -> tensor<3x3xi32>
  %7 = sdy.sharding_constraint %6 <@mesh, [{}, {"y"}]> : tensor<3x3xi32>
  return %4, %7 : tensor<7x3xi32>, tensor<3x3xi32>
}

// Neighbours' rows, for both tensors at once.
// CHECK-LABEL: func.func private @halos(
// CHECK-COUNT-1: "stablehlo.collective_permute"
// CHECK-NOT: "stablehlo.collective_permute"
// CHECK: return
func.func private @halos(%a: tensor<12x5xi32>, %b: tensor<12x3x2xi32>) -> (tensor<12x5xi32>, tensor<12x3x2xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = sdy.sharding_constraint %a <@mesh, [{"y"}, {}]> : tensor<12x5xi32>
  %1 = stablehlo.slice %0 [1:12, 0:5] : (tensor<12x5xi32>) -> tensor<11x5xi32>
  %2 = stablehlo.pad %1, %zero, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<11x5xi32>, tensor<i32>) -> tensor<12x5xi32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{"y"}, {}]> : tensor<12x5xi32>
  %4 = stablehlo.add %0, %3 : tensor<12x5xi32>
  %5 = sdy.sharding_constraint %b <@mesh, [{"y"}, {}, {}]> : tensor<12x3x2xi32>
  %6 = stablehlo.slice %5 [1:12, 0:3, 0:2] : (tensor<12x3x2xi32>) -> tensor<11x3x2xi32>
  %7 = stablehlo.pad %6, %zero, low = [0, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<11x3x2xi32>, tensor<i32>) -> tensor<12x3x2xi32>
  %8 = sdy.sharding_constraint %7 <@mesh, [{"y"}, {}, {}]> : tensor<12x3x2xi32>
  %9 = stablehlo.add %5, %8 : tensor<12x3x2xi32>
  return %4, %9 : tensor<12x5xi32>, tensor<12x3x2xi32>
}

// In a loop: two chains of two sums each, one behind the other in program order.
// CHECK-LABEL: func.func private @chains(
// CHECK-COUNT-2: "stablehlo.all_reduce"
// CHECK-NOT: "stablehlo.all_reduce"
// CHECK: return
func.func private @chains(%a: tensor<7x5xi32>, %b: tensor<11x5xi32>) -> (tensor<7x5xi32>, tensor<11x5xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %u = %a, %v = %b) : tensor<i32>, tensor<7x5xi32>, tensor<11x5xi32>
  cond {
    %more = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %0 = sdy.sharding_constraint %u <@mesh, [{"x"}, {}]> : tensor<7x5xi32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x5xi32>, tensor<i32>) -> tensor<i32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<7x5xi32>
    %3 = stablehlo.xor %0, %2 : tensor<7x5xi32>
    %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<7x5xi32>, tensor<i32>) -> tensor<5xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<5xi32>) -> tensor<7x5xi32>
    %6 = stablehlo.subtract %3, %5 : tensor<7x5xi32>
    %7 = sdy.sharding_constraint %v <@mesh, [{"x"}, {}]> : tensor<11x5xi32>
    %8 = stablehlo.reduce(%7 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<11x5xi32>, tensor<i32>) -> tensor<i32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<i32>) -> tensor<11x5xi32>
    %10 = stablehlo.xor %7, %9 : tensor<11x5xi32>
    %11 = stablehlo.reduce(%10 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<11x5xi32>, tensor<i32>) -> tensor<5xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<5xi32>) -> tensor<11x5xi32>
    %13 = stablehlo.subtract %10, %12 : tensor<11x5xi32>
    stablehlo.return %next, %6, %13 : tensor<i32>, tensor<7x5xi32>, tensor<11x5xi32>
  }
  return %r#1, %r#2 : tensor<7x5xi32>, tensor<11x5xi32>
}

func.func public @main(%a: tensor<7x5xi32>, %a1: tensor<7x5xi32>, %a2: tensor<7x5xi32>, %a3: tensor<7x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<3x5x4xf32>, %c: tensor<5x3x4xi32>, %d: tensor<5x3xi32>, %e: tensor<3x5xi32>, %f: tensor<12x5xi32>, %g: tensor<12x3x2xi32>, %h: tensor<11x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<21x5xi32>, tensor<3x5x4xf32>, tensor<21x5xi32>, tensor<5x3x4xi32>, tensor<7x3xi32>, tensor<3x3xi32>, tensor<12x5xi32>, tensor<12x3x2xi32>, tensor<7x5xi32>, tensor<11x5xi32>) {
  %0:2 = call @gathers(%a, %b) : (tensor<7x5xi32>, tensor<3x5x4xf32>) -> (tensor<21x5xi32>, tensor<3x5x4xf32>)
  %1:2 = call @exchanges(%a1, %c) : (tensor<7x5xi32>, tensor<5x3x4xi32>) -> (tensor<21x5xi32>, tensor<5x3x4xi32>)
  %2:2 = call @scatters(%a2, %d, %e) : (tensor<7x5xi32>, tensor<5x3xi32>, tensor<3x5xi32>) -> (tensor<7x3xi32>, tensor<3x3xi32>)
  %3:2 = call @halos(%f, %g) : (tensor<12x5xi32>, tensor<12x3x2xi32>) -> (tensor<12x5xi32>, tensor<12x3x2xi32>)
  %4:2 = call @chains(%a3, %h) : (tensor<7x5xi32>, tensor<11x5xi32>) -> (tensor<7x5xi32>, tensor<11x5xi32>)
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3#0, %3#1, %4#0, %4#1 : tensor<21x5xi32>, tensor<3x5x4xf32>, tensor<21x5xi32>, tensor<5x3x4xi32>, tensor<7x3xi32>, tensor<3x3xi32>, tensor<12x5xi32>, tensor<12x3x2xi32>, tensor<7x5xi32>, tensor<11x5xi32>
}
