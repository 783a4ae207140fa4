// RUN: spmd-opt %s --spmd-pipeline --split-input-file -o %t 2>/dev/null
// RUN: FileCheck %s < %t
// Counts of what is split are local wherever a call keeps them, and are written back in the same form.

// JSON, as PyTorch/XLA writes it: all else stays as it is, byte for byte.
// CHECK-LABEL: module @json
// CHECK: stablehlo.custom_call @attend(%{{.*}}) {backend_config = "{\22z\22: 1.50, \22head_num\22: 4, \22layout\22: \22BNSD\22}"} : (tensor<2x4xf32>)
module @json {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%x: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<2x8xf32> {
    %0 = stablehlo.custom_call @attend(%x) {backend_config = "{\22z\22: 1.50, \22head_num\22: 8, \22layout\22: \22BNSD\22}", spmd.rule = {dims = "([i, j])->([i, j])", local = [{attribute = "head_num", factor = "j"}], only_if = [{attribute = "layout", is = ["BNSD"]}]}} : (tensor<2x8xf32>) -> tensor<2x8xf32>
    return %0 : tensor<2x8xf32>
  }
}

// -----

// Two factors of one count, in a nested object, as the text of a number.
// CHECK-LABEL: module @nested
// CHECK: stablehlo.custom_call @attend(%{{.*}}) {backend_config = "{\22fmha\22: {\22heads\22: \222\22, \22p\22: 0}}"} : (tensor<1x4xf32>)
module @nested {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%x: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<2x8xf32> {
    %0 = stablehlo.custom_call @attend(%x) {backend_config = "{\22fmha\22: {\22heads\22: \228\22, \22p\22: 0}}", spmd.rule = {dims = "([i, j])->([i, j])", local = [{attribute = "fmha.heads", factor = "i"}, {attribute = "fmha.heads", factor = "j"}], unless = [{attribute = "fmha.p", is = ["0.1"]}]}} : (tensor<2x8xf32>) -> tensor<2x8xf32>
    return %0 : tensor<2x8xf32>
  }
}

// -----

// A dictionary of MLIR, as text.
// CHECK-LABEL: module @dictionary
// CHECK: stablehlo.custom_call @attend(%{{.*}}) {backend_config = "{head_num = 4 : i32, p = 1.000000e+00 : f32}"} : (tensor<2x4xf32>)
module @dictionary {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<2x8xf32> {
    %0 = stablehlo.custom_call @attend(%x) {backend_config = "{p = 1.0 : f32, head_num = 8 : i32}", spmd.rule = {dims = "([i, j])->([i, j])", local = [{attribute = "head_num", factor = "j"}], only_if = [{attribute = "p", is = ["1.0"]}]}} : (tensor<2x8xf32>) -> tensor<2x8xf32>
    return %0 : tensor<2x8xf32>
  }
}

// -----

// An unsigned count of a typed call.
// CHECK-LABEL: module @typed
// CHECK: stablehlo.custom_call @attend(%{{.*}}) {api_version = 4 : i32, backend_config = {head_num = 4 : ui64}} : (tensor<2x4xf32>)
module @typed {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<2x8xf32> {
    %0 = stablehlo.custom_call @attend(%x) {api_version = 4 : i32, backend_config = {head_num = 8 : ui64}, spmd.rule = {dims = "([i, j])->([i, j])", local = [{attribute = "head_num", factor = "j"}]}} : (tensor<2x8xf32>) -> tensor<2x8xf32>
    return %0 : tensor<2x8xf32>
  }
}
