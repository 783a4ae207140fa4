// RUN: spmd-opt %s --spmd-propagate --split-input-file | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=4]>

// A function called with two shardings has a clone for the second.
// CHECK-LABEL: func.func @two_uses
// CHECK: call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>
// CHECK: call @f_1(%arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y", ?}]>]>
// CHECK: call @f(%arg0)
// CHECK: func.func private @f(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>, spmd.inferred})
// CHECK: func.func private @f_1(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", ?}]>, spmd.inferred})
// CHECK-NOT: @f_2
func.func @two_uses(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%b) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>

// Annotations inside a callee reach its callers.
// CHECK-LABEL: func.func @from_inside
// CHECK-SAME: %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>, spmd.inferred}
func.func @from_inside(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @g(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @g(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

// What a clone calls is cloned with it; a fresh name is one that nobody has.
// CHECK-LABEL: func.func @nested
// CHECK: call @outer(%arg0)
// CHECK: call @outer_1(%arg1)
// CHECK: func.func private @outer(
// CHECK: call @inner(
// CHECK: func.func private @outer_1(
// CHECK: call @inner_2(
// CHECK: func.func private @inner(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>
// CHECK: func.func private @inner_2(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", ?}]>
func.func @nested(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = call @outer(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @outer(%b) : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @outer(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @inner(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @inner(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @inner_1(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Arguments that are no tensors stand between those that are.
// CHECK-LABEL: func.func @among_tokens
// CHECK: call @dot(%arg2, %arg1, %arg3) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {"y", ?}]>]>
// CHECK: func.func private @dot(%arg0: !stablehlo.token, %arg1: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>, spmd.inferred}, %arg2: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}]>, spmd.inferred})
func.func @among_tokens(%t: !stablehlo.token, %a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %u: !stablehlo.token, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<4x4xf32> {
  %0 = call @dot(%u, %a, %b) : (!stablehlo.token, tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func private @dot(%t: !stablehlo.token, %a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// A composite is a call of what it is made of: of two that lie otherwise, the second has a clone.
// CHECK-LABEL: func.func @composites(
// CHECK: call @scaled(%arg0, %arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>, spmd.inferred}
// CHECK: call @scaled_1(%arg2, %arg3) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"y", ?}]>]>, spmd.inferred}
// What says itself how it splits stays, and so does what has no body to call.
// CHECK: stablehlo.composite "test.ruled" %arg0 {decomposition = @negated{{.*}}<@mesh, [{"x", ?}, {?}]>
// CHECK: stablehlo.composite "test.elsewhere" %arg0 {decomposition = @elsewhere, spmd.missing_sharding}
// CHECK: func.func private @scaled({{.*}}[{"x", ?}, {?}]
// CHECK: func.func private @scaled_1({{.*}}[{?}, {"y", ?}]
func.func @composites(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %p: tensor<16xf32>,
                      %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %q: tensor<16xf32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = stablehlo.composite "test.scaled" %a, %p {composite_attributes = {eps = 1.0 : f32}, decomposition = @scaled, version = 1 : i32} : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.composite "test.scaled" %b, %q {decomposition = @scaled} : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.composite "test.ruled" %a {decomposition = @negated, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=16}, custom>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = stablehlo.composite "test.elsewhere" %a {decomposition = @elsewhere} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0, %1, %2, %3 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}
func.func private @scaled(%x: tensor<8x16xf32>, %s: tensor<16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}
func.func private @negated(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.negate %x : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
func.func private @elsewhere(tensor<8x16xf32>) -> tensor<8x16xf32>
