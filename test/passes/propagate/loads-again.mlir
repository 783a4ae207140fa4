// RUN: spmd-opt %s --spmd-propagate=on-missing=replicate -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: spmd-opt %t.mlir --spmd-propagate=on-missing=replicate | diff %t.mlir -

// What is inferred for a load was inferred for the content that it reads: when it is read again, the load is that content as
// before, and no value of its own that nothing reached.
// CHECK-LABEL: func.func @main(
// CHECK: spmd.transpose_view {{.*}}spmd.missing_sharding
// CHECK: spmd.load {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}]>]>, spmd.inferred} : !spmd.buffer<tensor<5x6xi32>>
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%buffer: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<5x6xi32> {
  %view = spmd.transpose_view %buffer, dims = [1, 0] : (!spmd.buffer<tensor<6x5xi32>>) -> !spmd.buffer<tensor<5x6xi32>>
  %0 = spmd.load %buffer : !spmd.buffer<tensor<6x5xi32>>
  %1 = stablehlo.add %0, %0 : tensor<6x5xi32>
  spmd.store %1, %buffer : !spmd.buffer<tensor<6x5xi32>>
  %2 = spmd.load %view : !spmd.buffer<tensor<5x6xi32>>
  return %2 : tensor<5x6xi32>
}
