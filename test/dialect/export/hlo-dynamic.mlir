// RUN: spmd-translate %s --export-hlo --no-metadata -o %t.hlo && FileCheck %s --input-file=%t.hlo
// RUN: spmd-run %s --out %t.out
// RUN: spmd-run %t.hlo --expect %t.out | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: {{ *}}yes

// Ops that take the shape of their result as an operand are written where the type is static: it is the same shape.
// CHECK: ENTRY %main (
// CHECK-DAG: = f32[7,5]{1,0} broadcast({{.*}}), dimensions={1}
// CHECK-DAG: = f32[7,5]{1,0} add(
// CHECK-DAG: = f32[35]{0} reshape(
// CHECK-DAG: = s32[35]{0} iota(), iota_dimension=0
func.func @main(%x: tensor<7x5xf32>, %y: tensor<1x5xf32>) -> (tensor<7x5xf32>, tensor<35xf32>, tensor<35xi32>) {
  %s = shape.shape_of %x : tensor<7x5xf32> -> tensor<2xindex>
  %t = shape.shape_of %y : tensor<1x5xf32> -> tensor<2xindex>
  %w = shape.cstr_broadcastable %s, %t : tensor<2xindex>, tensor<2xindex>
  %r = shape.assuming %w -> (tensor<7x5xf32>) {
    %b = shape.broadcast %s, %t : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
    %1 = stablehlo.dynamic_broadcast_in_dim %x, %b, dims = [0, 1] : (tensor<7x5xf32>, tensor<2xindex>) -> tensor<7x5xf32>
    %2 = stablehlo.dynamic_broadcast_in_dim %y, %b, dims = [0, 1] : (tensor<1x5xf32>, tensor<2xindex>) -> tensor<7x5xf32>
    %3 = stablehlo.add %1, %2 : tensor<7x5xf32>
    shape.assuming_yield %3 : tensor<7x5xf32>
  }
  %n = shape.num_elements %s : tensor<2xindex> -> index
  %f = tensor.from_elements %n : tensor<1xindex>
  %4 = stablehlo.dynamic_reshape %r, %f : (tensor<7x5xf32>, tensor<1xindex>) -> tensor<35xf32>
  %5 = stablehlo.dynamic_iota %f, dim = 0 : (tensor<1xindex>) -> tensor<35xi32>
  return %r, %4, %5 : tensor<7x5xf32>, tensor<35xf32>, tensor<35xi32>
}
