// RUN: spmd-opt %s --spmd-propagate=on-missing=replicate --spmd-reshard -verify-diagnostics -o %t
// RUN: FileCheck %s < %t

// Known routines of accelerator libraries are split along batch dims, as LAPACK's are. They need no rule of the user.
sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @factorizations
// CHECK-NOT: sdy.reshard
// CHECK: return
func.func @factorizations(%a: tensor<6x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>})
    -> (tensor<6x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, tensor<6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
        tensor<6x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, tensor<6x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0:2 = stablehlo.custom_call @cusolver_potrf_ffi(%a) {mhlo.backend_config = {lower = true}} : (tensor<6x3x3xf32>) -> (tensor<6x3x3xf32>, tensor<6xi32>)
  %1:2 = stablehlo.custom_call @Qr(%a) : (tensor<6x3x3xf32>) -> (tensor<6x3x3xf32>, tensor<6x3xf32>)
  return %0#0, %0#1, %1#0, %1#1 : tensor<6x3x3xf32>, tensor<6xi32>, tensor<6x3x3xf32>, tensor<6x3xf32>
}

// Matrices are gathered.
// CHECK-LABEL: func @matrices_are_whole
// CHECK: sdy.reshard
// CHECK: custom_call @Qr
func.func @matrices_are_whole(%a: tensor<6x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>})
    -> (tensor<6x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<6x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  // expected-remark@below {{'stablehlo.custom_call' op operand 0 dim 1 is gathered over "x"; no algorithm splits what the op does along it}}
  %1:2 = stablehlo.custom_call @Qr(%a) : (tensor<6x3x3xf32>) -> (tensor<6x3x3xf32>, tensor<6x3xf32>)
  return %1#0, %1#1 : tensor<6x3x3xf32>, tensor<6x3xf32>
}
