// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

func.func private @f(tensor<3xf32>) -> (tensor<3xf32>, tensor<i32>)
func.func private @g(tensor<3xf32>)
func.func private @queue() -> (tensor<3xf32>, tensor<i32>)

// CHECK-LABEL: func @two_replicas_of_two_partitions
func.func @two_replicas_of_two_partitions(%x: tensor<3xf32>) {
  // CHECK: "interpreter.run_parallel"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{infeed = [@queue], programs = {{\[\[}}@f, @g], [@g, @f]]}>
  // CHECK-SAME: -> (tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<i32>)
  %0:4 = "interpreter.run_parallel"(%x, %x, %x, %x) {infeed = [@queue], programs = [[@f, @g], [@g, @f]]} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<i32>)
  return
}
