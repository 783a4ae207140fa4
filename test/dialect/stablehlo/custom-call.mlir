// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

// CHECK-LABEL: func @custom_call
func.func @custom_call(%x: tensor<2x3xf32>) {
  // CHECK: stablehlo.custom_call @f(%{{.*}}) {api_version = 4 : i32, backend_config = {n = 1 : i64}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = stablehlo.custom_call @f(%x) {api_version = 4 : i32, backend_config = {n = 1 : i64}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.custom_call @"a-b"(%{{.*}}) {backend_config = "", has_side_effect = true} : (tensor<2x3xf32>) -> ()
  stablehlo.custom_call @"a-b"(%x) {backend_config = "", has_side_effect = true} : (tensor<2x3xf32>) -> ()
  // CHECK: stablehlo.custom_call @f(%{{.*}}) {called_computations = [@g], operand_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.custom_call @f(%x) {called_computations = [@g], operand_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // Defaults have no text.
  // CHECK: stablehlo.custom_call @f(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.custom_call @f(%x) {api_version = 1 : i32, has_side_effect = false} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
