// RUN: spmd-opt %s --spmd-propagate=on-missing=replicate 2>/dev/null | FileCheck %s

// A call that makes bits element by element has operands and results of one type. Of another form nothing is known.
sdy.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @operands_of_two_types(
// CHECK: @cu_threefry2x32_ffi{{.*}}sdy.sharding_per_value<[<@mesh, [{?}, {?}]>, <@mesh, [{?}, {?}]>]>
func.func @operands_of_two_types(%key: tensor<8x1xui32>, %count: tensor<8x4xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x4xui32>, tensor<8x4xui32>) {
  %0:2 = stablehlo.custom_call @cu_threefry2x32_ffi(%key, %key, %count, %count) : (tensor<8x1xui32>, tensor<8x1xui32>, tensor<8x4xui32>, tensor<8x4xui32>) -> (tensor<8x4xui32>, tensor<8x4xui32>)
  return %0#0, %0#1 : tensor<8x4xui32>, tensor<8x4xui32>
}

// CHECK-LABEL: func.func @results_of_another_type(
// CHECK: @cu_threefry2x32_ffi{{.*}}sdy.sharding_per_value<[<@mesh, [{?}, {?}]>, <@mesh, [{?}, {?}]>]>
func.func @results_of_another_type(%count: tensor<8x4xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x2xui32>, tensor<8x2xui32>) {
  %0:2 = stablehlo.custom_call @cu_threefry2x32_ffi(%count, %count) : (tensor<8x4xui32>, tensor<8x4xui32>) -> (tensor<8x2xui32>, tensor<8x2xui32>)
  return %0#0, %0#1 : tensor<8x2xui32>, tensor<8x2xui32>
}
