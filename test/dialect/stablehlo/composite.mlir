// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

func.func private @f(tensor<3xf32>) -> tensor<3xf32>

// CHECK-LABEL: func @composites
func.func @composites(%x: tensor<3xf32>) {
  // CHECK: stablehlo.composite "my.op" %{{.*}} {composite_attributes = {eps = 1 : i32}, decomposition = @f, version = 2 : i32} : (tensor<3xf32>) -> tensor<3xf32>
  %0 = stablehlo.composite "my.op" %x {composite_attributes = {eps = 1 : i32}, decomposition = @f, version = 2 : i32} : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: stablehlo.composite "my.op.$v2" %{{.*}} {decomposition = @f} : (tensor<3xf32>) -> tensor<3xf32>
  %1 = stablehlo.composite "my.op.$v2" %x {decomposition = @f} : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: stablehlo.composite "my.op" %{{.*}} ({
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<3xf32>):
  // CHECK-NEXT: stablehlo.return %{{.*}} : tensor<3xf32>
  // CHECK-NEXT: }) {decomposition = @f} : (tensor<3xf32>) -> tensor<3xf32>
  %2 = stablehlo.composite "my.op" %x ({
  ^bb0(%a: tensor<3xf32>):
    stablehlo.return %a : tensor<3xf32>
  }) {decomposition = @f} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func @tuples
func.func @tuples(%x: tensor<3xf32>, %t: !stablehlo.token) {
  // CHECK: stablehlo.tuple %{{.*}}, %{{.*}} : tuple<tensor<3xf32>, !stablehlo.token>
  %0 = stablehlo.tuple %x, %t : tuple<tensor<3xf32>, !stablehlo.token>
  // CHECK: stablehlo.tuple %{{.*}}, %{{.*}} : tuple<tuple<tensor<3xf32>, !stablehlo.token>, tensor<3xf32>>
  %1 = stablehlo.tuple %0, %x : tuple<tuple<tensor<3xf32>, !stablehlo.token>, tensor<3xf32>>
  // CHECK: stablehlo.tuple  : tuple<>
  %2 = stablehlo.tuple  : tuple<>
  // CHECK: stablehlo.tuple %{{.*}} : (tensor<3xf32>) -> tuple<tensor<?xf32>>
  %3 = stablehlo.tuple %x : (tensor<3xf32>) -> tuple<tensor<?xf32>>
  // CHECK: stablehlo.get_tuple_element %{{.*}}[0] : (tuple<tuple<tensor<3xf32>, !stablehlo.token>, tensor<3xf32>>) -> tuple<tensor<3xf32>, !stablehlo.token>
  %4 = stablehlo.get_tuple_element %1[0] : (tuple<tuple<tensor<3xf32>, !stablehlo.token>, tensor<3xf32>>) -> tuple<tensor<3xf32>, !stablehlo.token>
  return
}
