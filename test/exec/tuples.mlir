// RUN: spmd-run %s --engine=whole | FileCheck %s
// CHECK: equal: yes

// Tuples and tokens go through calls and loops; composites run what they decompose into; work that is
// started is done where it is started.
func.func private @swap(%pair: tuple<tensor<i32>, tuple<tensor<2xf32>, !stablehlo.token>>)
    -> tuple<tuple<tensor<2xf32>, !stablehlo.token>, tensor<i32>> {
  %0 = stablehlo.get_tuple_element %pair[0] : (tuple<tensor<i32>, tuple<tensor<2xf32>, !stablehlo.token>>) -> tensor<i32>
  %1 = stablehlo.get_tuple_element %pair[1] : (tuple<tensor<i32>, tuple<tensor<2xf32>, !stablehlo.token>>) -> tuple<tensor<2xf32>, !stablehlo.token>
  %2 = stablehlo.tuple %1, %0 : tuple<tuple<tensor<2xf32>, !stablehlo.token>, tensor<i32>>
  return %2 : tuple<tuple<tensor<2xf32>, !stablehlo.token>, tensor<i32>>
}
func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @main() {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %t = stablehlo.after_all : !stablehlo.token
  %u = stablehlo.after_all %t, %t : !stablehlo.token
  %inner = stablehlo.tuple %x, %u : tuple<tensor<2xf32>, !stablehlo.token>
  %pair = stablehlo.tuple %n, %inner : tuple<tensor<i32>, tuple<tensor<2xf32>, !stablehlo.token>>
  %swapped = call @swap(%pair) : (tuple<tensor<i32>, tuple<tensor<2xf32>, !stablehlo.token>>) -> tuple<tuple<tensor<2xf32>, !stablehlo.token>, tensor<i32>>
  %back = stablehlo.get_tuple_element %swapped[0] : (tuple<tuple<tensor<2xf32>, !stablehlo.token>, tensor<i32>>) -> tuple<tensor<2xf32>, !stablehlo.token>
  %y = stablehlo.get_tuple_element %back[0] : (tuple<tensor<2xf32>, !stablehlo.token>) -> tensor<2xf32>
  %m = stablehlo.get_tuple_element %swapped[1] : (tuple<tuple<tensor<2xf32>, !stablehlo.token>, tensor<i32>>) -> tensor<i32>
  stablehlo.custom_call @check.expect_eq(%y, %x) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_eq(%m, %n) {has_side_effect = true} : (tensor<i32>, tensor<i32>) -> ()

  %z = stablehlo.composite "my.twice" %y {decomposition = @twice} : (tensor<2xf32>) -> tensor<2xf32>
  %pinned = stablehlo.custom_call @Sharding(%z) : (tensor<2xf32>) -> tensor<2xf32>
  %future = "stablehlo.async_start"(%pinned) ({
    ^bb0(%a: tensor<2xf32>):
      %s = "stablehlo.slice"(%a) {start_indices = array<i64: 1>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<2xf32>) -> tensor<1xf32>
      stablehlo.return %s : tensor<1xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<1xf32>>
  %done = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<1xf32>>) -> tensor<1xf32>
  %four = stablehlo.constant dense<4.0> : tensor<1xf32>
  stablehlo.custom_call @check.expect_eq(%done, %four) {has_side_effect = true} : (tensor<1xf32>, tensor<1xf32>) -> ()
  return
}
