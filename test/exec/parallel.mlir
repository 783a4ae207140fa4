// RUN: spmd-run %s --engine=whole | FileCheck %s
// CHECK: equal: yes

// Two replicas of two partitions. Without a channel groups name replicas; with one, partitions for
// a permute, replicas of all partitions for a reduction, devices where ids are global.
module @grid {
  func.func @process(%x: tensor<2xi32>, %token: !stablehlo.token)
      -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, !stablehlo.token) {
    %0 = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        %s = stablehlo.add %a, %b : tensor<i32>
        stablehlo.return %s : tensor<i32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
    %1 = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        %s = stablehlo.add %a, %b : tensor<i32>
        stablehlo.return %s : tensor<i32>
    }) {replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<2xi32>) -> tensor<2xi32>
    %2 = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        %s = stablehlo.add %a, %b : tensor<i32>
        stablehlo.return %s : tensor<i32>
    }) {replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>, use_global_device_ids,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<2xi32>) -> tensor<2xi32>
    %3 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<2xi32>) -> tensor<2xi32>
    return %0, %1, %2, %3, %token
        : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, !stablehlo.token
  }
  func.func @main() {
    %t = stablehlo.after_all : !stablehlo.token
    %a = stablehlo.constant dense<[1, 10]> : tensor<2xi32>
    %b = stablehlo.constant dense<[2, 20]> : tensor<2xi32>
    %c = stablehlo.constant dense<[4, 40]> : tensor<2xi32>
    %d = stablehlo.constant dense<[8, 80]> : tensor<2xi32>
    %r:20 = "interpreter.run_parallel"(%a, %t, %b, %t, %c, %t, %d, %t)
        {programs = [[@process, @process], [@process, @process]]}
        : (tensor<2xi32>, !stablehlo.token, tensor<2xi32>, !stablehlo.token,
           tensor<2xi32>, !stablehlo.token, tensor<2xi32>, !stablehlo.token)
        -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, !stablehlo.token,
            tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, !stablehlo.token,
            tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, !stablehlo.token,
            tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, !stablehlo.token)
    %five = stablehlo.constant dense<[5, 50]> : tensor<2xi32>
    %ten = stablehlo.constant dense<[10, 100]> : tensor<2xi32>
    %three = stablehlo.constant dense<[3, 30]> : tensor<2xi32>
    %twelve = stablehlo.constant dense<[12, 120]> : tensor<2xi32>
    %nine = stablehlo.constant dense<[9, 90]> : tensor<2xi32>
    %six = stablehlo.constant dense<[6, 60]> : tensor<2xi32>
    %zero = stablehlo.constant dense<0> : tensor<2xi32>
    stablehlo.custom_call @check.expect_eq(%r#0, %five) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%r#5, %ten) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%r#15, %ten) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%r#1, %three) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%r#16, %twelve) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%r#2, %nine) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%r#12, %six) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%r#3, %zero) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%r#8, %a) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%r#18, %c) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
    return
  }
}
