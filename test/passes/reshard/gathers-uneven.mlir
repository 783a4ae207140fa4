// RUN: spmd-opt %s --spmd-propagate=on-missing=replicate --spmd-reshard --verify-diagnostics -o %t
// RUN: FileCheck %s < %t

// Uneven pieces of a dim that is merged with an inner dim are no pieces of the merged dim. They are gathered, with a remark.
sdy.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func @uneven_rows
// CHECK: sdy.reshard %arg0 <@mesh, [{}, {}]>
func.func @uneven_rows(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<30xf32> {
  // expected-remark@below {{'stablehlo.reshape' op operand 0 dim 0 is gathered over "x"; its 6 rows are cut unevenly, and so otherwise than those of result 0 dim 0, into which it is merged; let the devices divide it, or keep the dims apart}}
  %0 = stablehlo.reshape %a : (tensor<6x5xf32>) -> tensor<30xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<30xf32>
  return %1 : tensor<30xf32>
}

// CHECK-LABEL: func @even_rows
// CHECK-NOT: sdy.reshard
// CHECK: return
func.func @even_rows(%a: tensor<8x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> tensor<40x16xf32> {
  %0 = stablehlo.reshape %a : (tensor<8x5x16xf32>) -> tensor<40x16xf32>
  %1 = stablehlo.negate %0 : tensor<40x16xf32>
  return %1 : tensor<40x16xf32>
}
