// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s
// Branches, loops, barriers, custom calls.

// CHECK-LABEL: func.func @while(
// CHECK: %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<i32>, tensor<2x3xf32> attributes {mhlo.note = "kept"}
// CHECK-NEXT: cond {
// CHECK-NEXT: %1 = stablehlo.compare LT, %iterArg, %iterArg, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT: stablehlo.return %1 : tensor<i1>
// CHECK-NEXT: } do {
// CHECK-NEXT: %1 = stablehlo.add %iterArg_0, %iterArg_0 : tensor<2x3xf32>
// CHECK-NEXT: stablehlo.return %iterArg, %1 : tensor<i32>, tensor<2x3xf32>
// CHECK-NEXT: }
func.func @while(%arg0: tensor<i32>, %arg1: tensor<2x3xf32>) {
  %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<i32>, tensor<2x3xf32> attributes {mhlo.note = "kept"}
  cond {
    %1 = stablehlo.compare LT, %iterArg, %iterArg, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %iterArg_0, %iterArg_0 : tensor<2x3xf32>
    stablehlo.return %iterArg, %1 : tensor<i32>, tensor<2x3xf32>
  }
  return
}

// CHECK-LABEL: func.func @while_that_carries_nothing(
// CHECK: stablehlo.while()
// CHECK-NEXT: cond {
// CHECK-NEXT: stablehlo.return %arg0 : tensor<i1>
// CHECK-NEXT: } do {
// CHECK-NEXT: stablehlo.return
// CHECK-NEXT: }
func.func @while_that_carries_nothing(%arg0: tensor<i1>) {
  stablehlo.while()
  cond {
    stablehlo.return %arg0 : tensor<i1>
  } do {
    stablehlo.return
  }
  return
}

// CHECK-LABEL: func.func @if(
// CHECK: %0 = "stablehlo.if"(%arg0) ({
// CHECK-NEXT: stablehlo.return %arg1 : tensor<2xf32>
// CHECK-NEXT: }, {
// CHECK-NEXT: %1 = stablehlo.negate %arg1 : tensor<2xf32>
// CHECK-NEXT: stablehlo.return %1 : tensor<2xf32>
// CHECK-NEXT: }) : (tensor<i1>) -> tensor<2xf32>
func.func @if(%arg0: tensor<i1>, %arg1: tensor<2xf32>) {
  %0 = "stablehlo.if"(%arg0) ({
    stablehlo.return %arg1 : tensor<2xf32>
  }, {
    %1 = stablehlo.negate %arg1 : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func.func @case(
// CHECK: %0:2 = "stablehlo.case"(%arg0) ({
// CHECK-NEXT: stablehlo.return %arg1, %arg2 : tensor<2xf32>, tensor<3xi8>
// CHECK-NEXT: }, {
// CHECK-NEXT: %1 = stablehlo.negate %arg1 : tensor<2xf32>
// CHECK-NEXT: stablehlo.return %1, %arg2 : tensor<2xf32>, tensor<3xi8>
// CHECK-NEXT: }) : (tensor<i32>) -> (tensor<2xf32>, tensor<3xi8>)
func.func @case(%arg0: tensor<i32>, %arg1: tensor<2xf32>, %arg2: tensor<3xi8>) {
  %0:2 = "stablehlo.case"(%arg0) ({
    stablehlo.return %arg1, %arg2 : tensor<2xf32>, tensor<3xi8>
  }, {
    %1 = stablehlo.negate %arg1 : tensor<2xf32>
    stablehlo.return %1, %arg2 : tensor<2xf32>, tensor<3xi8>
  }) : (tensor<i32>) -> (tensor<2xf32>, tensor<3xi8>)
  return
}

// CHECK-LABEL: func.func @optimization_barrier(
// CHECK: %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<2xf32>, !stablehlo.token
// CHECK-NEXT: stablehlo.optimization_barrier()
func.func @optimization_barrier(%arg0: tensor<2xf32>, %arg1: !stablehlo.token) {
  %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<2xf32>, !stablehlo.token
  stablehlo.optimization_barrier()
  return
}

// CHECK-LABEL: func.func @custom_call(
// CHECK: %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %1:2 = stablehlo.custom_call @"name with blanks"(%arg0) {api_version = 4 : i32, backend_config = {a = 1 : i32}, has_side_effect = true} : (tensor<2x3xf32>) -> (tensor<2xf32>, tensor<3xi8>)
func.func @custom_call(%arg0: tensor<2x3xf32>) {
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1:2 = stablehlo.custom_call @"name with blanks"(%arg0) {api_version = 4 : i32, backend_config = {a = 1 : i32}, has_side_effect = true} : (tensor<2x3xf32>) -> (tensor<2xf32>, tensor<3xi8>)
  return
}

func.func private @callee()

// CHECK-LABEL: func.func @custom_call_with_layouts_and_aliases(
// CHECK: %0 = stablehlo.custom_call @f(%arg0) {api_version = 2 : i32, backend_config = "text", called_computations = [@callee], operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @custom_call_with_layouts_and_aliases(%arg0: tensor<2x3xf32>) {
  %0 = stablehlo.custom_call @f(%arg0) {api_version = 2 : i32, backend_config = "text", called_computations = [@callee], operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
