// RUN: spmd-opt %s --spmd-propagate=on-missing=warn 2>/dev/null | FileCheck %s

// What lies behind a barrier is not whole because somebody wants it so: it is missing.
sdy.mesh @mesh = <["x"=4, "y"=2]>

// CHECK-LABEL: func.func @neither
// CHECK: sdy.propagation_barrier {{.*}}{spmd.missing_sharding}
// CHECK: stablehlo.tanh {{.*}}spmd.missing_sharding
func.func @neither(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<8x8xf32>
  %1 = stablehlo.tanh %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @backward
// CHECK: stablehlo.tanh {{.*}}spmd.missing_sharding
func.func @backward(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = sdy.propagation_barrier %a allowed_direction=BACKWARD : tensor<8x8xf32>
  %1 = stablehlo.tanh %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// What comes through is heard, over any number of them.
// CHECK-LABEL: func.func @forward
// CHECK-NOT: missing_sharding
// CHECK: return
func.func @forward(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.negate %a : tensor<8x8xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=FORWARD : tensor<8x8xf32>
  %2 = stablehlo.tanh %1 : tensor<8x8xf32>
  %3 = sdy.propagation_barrier %2 allowed_direction=FORWARD : tensor<8x8xf32>
  %4 = stablehlo.tanh %3 : tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @not_back
// CHECK-SAME: spmd.missing_sharding
// CHECK: stablehlo.negate {{.*}}spmd.missing_sharding
// CHECK: stablehlo.tanh
// CHECK-NOT: missing_sharding
func.func @not_back(%a: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.negate %a : tensor<8x8xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=FORWARD : tensor<8x8xf32>
  %2 = stablehlo.tanh %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
