// RUN: cat %s %S/attention.reference > %t.mlir
// RUN: spmd-opt %t.mlir --spmd-pipeline | FileCheck %s
// RUN: spmd-run %t.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/"gather"/"ring"/' %t.mlir > %t.ring.mlir
// RUN: spmd-run %t.ring.mlir | FileCheck %s --check-prefix=EQUAL
// Rows of a causal sequence are dealt out so that each device has an early and a late piece. Queries, keys, values, positions
// and labels are permuted alike. The result, permuted back, equals that of the plain order, and so does the loss. The result
// is gathered once for all of its pieces. Both losses are added up by one all-reduce.

// CHECK: stablehlo.custom_call @fused_attention({{.*}}) {head_num = 8 : i64, {{.*}} : (tensor<1x8x4x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<4xi32>, tensor<16xi32>)
// CHECK: %[[LABELS:.*]] = stablehlo.and {{.*}} : tensor<4xi32>
// CHECK: stablehlo.broadcast_in_dim %[[LABELS]], dims = [2] : (tensor<4xi32>) -> tensor<1x8x4x4xi32>
// CHECK: "stablehlo.all_gather"({{.*}} : (tensor<1x8x4x4xf32>) -> tensor<1x8x16x4xf32>
// CHECK-NOT: {{all_gather|all_reduce|all_to_all|collective_permute}}
// CHECK: %[[LOSS:.*]]:2 = "stablehlo.all_reduce"
// CHECK: : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
// CHECK-NOT: {{all_gather|all_reduce|all_to_all|collective_permute}}
// CHECK: return %{{.*}}, %[[LOSS]]#0 : tensor<1x8x16x4xf32>, tensor<f32>
// EQUAL: equal: {{ *}}yes

sdy.mesh @mesh = <["cp"=4]>

func.func @main(%q: tensor<1x8x16x4xf32>, %k: tensor<1x2x16x4xf32>, %v: tensor<1x2x16x4xf32>, %labels: tensor<16xi32>) -> (tensor<1x8x16x4xf32>, tensor<f32>) {
  %p = stablehlo.iota dim = 0 : tensor<16xi32>
  %q_0 = stablehlo.slice %q [0:1, 0:8, 0:2, 0:4] : (tensor<1x8x16x4xf32>) -> tensor<1x8x2x4xf32>
  %q_1 = stablehlo.slice %q [0:1, 0:8, 14:16, 0:4] : (tensor<1x8x16x4xf32>) -> tensor<1x8x2x4xf32>
  %q_2 = stablehlo.slice %q [0:1, 0:8, 2:4, 0:4] : (tensor<1x8x16x4xf32>) -> tensor<1x8x2x4xf32>
  %q_3 = stablehlo.slice %q [0:1, 0:8, 12:14, 0:4] : (tensor<1x8x16x4xf32>) -> tensor<1x8x2x4xf32>
  %q_4 = stablehlo.slice %q [0:1, 0:8, 4:6, 0:4] : (tensor<1x8x16x4xf32>) -> tensor<1x8x2x4xf32>
  %q_5 = stablehlo.slice %q [0:1, 0:8, 10:12, 0:4] : (tensor<1x8x16x4xf32>) -> tensor<1x8x2x4xf32>
  %q_6 = stablehlo.slice %q [0:1, 0:8, 6:8, 0:4] : (tensor<1x8x16x4xf32>) -> tensor<1x8x2x4xf32>
  %q_7 = stablehlo.slice %q [0:1, 0:8, 8:10, 0:4] : (tensor<1x8x16x4xf32>) -> tensor<1x8x2x4xf32>
  %q0 = stablehlo.concatenate %q_0, %q_1, %q_2, %q_3, %q_4, %q_5, %q_6, %q_7, dim = 2 : (tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>) -> tensor<1x8x16x4xf32>
  %k_0 = stablehlo.slice %k [0:1, 0:2, 0:2, 0:4] : (tensor<1x2x16x4xf32>) -> tensor<1x2x2x4xf32>
  %k_1 = stablehlo.slice %k [0:1, 0:2, 14:16, 0:4] : (tensor<1x2x16x4xf32>) -> tensor<1x2x2x4xf32>
  %k_2 = stablehlo.slice %k [0:1, 0:2, 2:4, 0:4] : (tensor<1x2x16x4xf32>) -> tensor<1x2x2x4xf32>
  %k_3 = stablehlo.slice %k [0:1, 0:2, 12:14, 0:4] : (tensor<1x2x16x4xf32>) -> tensor<1x2x2x4xf32>
  %k_4 = stablehlo.slice %k [0:1, 0:2, 4:6, 0:4] : (tensor<1x2x16x4xf32>) -> tensor<1x2x2x4xf32>
  %k_5 = stablehlo.slice %k [0:1, 0:2, 10:12, 0:4] : (tensor<1x2x16x4xf32>) -> tensor<1x2x2x4xf32>
  %k_6 = stablehlo.slice %k [0:1, 0:2, 6:8, 0:4] : (tensor<1x2x16x4xf32>) -> tensor<1x2x2x4xf32>
  %k_7 = stablehlo.slice %k [0:1, 0:2, 8:10, 0:4] : (tensor<1x2x16x4xf32>) -> tensor<1x2x2x4xf32>
  %k0 = stablehlo.concatenate %k_0, %k_1, %k_2, %k_3, %k_4, %k_5, %k_6, %k_7, dim = 2 : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x16x4xf32>
  %v_0 = stablehlo.slice %v [0:1, 0:2, 0:2, 0:4] : (tensor<1x2x16x4xf32>) -> tensor<1x2x2x4xf32>
  %v_1 = stablehlo.slice %v [0:1, 0:2, 14:16, 0:4] : (tensor<1x2x16x4xf32>) -> tensor<1x2x2x4xf32>
  %v_2 = stablehlo.slice %v [0:1, 0:2, 2:4, 0:4] : (tensor<1x2x16x4xf32>) -> tensor<1x2x2x4xf32>
  %v_3 = stablehlo.slice %v [0:1, 0:2, 12:14, 0:4] : (tensor<1x2x16x4xf32>) -> tensor<1x2x2x4xf32>
  %v_4 = stablehlo.slice %v [0:1, 0:2, 4:6, 0:4] : (tensor<1x2x16x4xf32>) -> tensor<1x2x2x4xf32>
  %v_5 = stablehlo.slice %v [0:1, 0:2, 10:12, 0:4] : (tensor<1x2x16x4xf32>) -> tensor<1x2x2x4xf32>
  %v_6 = stablehlo.slice %v [0:1, 0:2, 6:8, 0:4] : (tensor<1x2x16x4xf32>) -> tensor<1x2x2x4xf32>
  %v_7 = stablehlo.slice %v [0:1, 0:2, 8:10, 0:4] : (tensor<1x2x16x4xf32>) -> tensor<1x2x2x4xf32>
  %v0 = stablehlo.concatenate %v_0, %v_1, %v_2, %v_3, %v_4, %v_5, %v_6, %v_7, dim = 2 : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x16x4xf32>
  %p_0 = stablehlo.slice %p [0:2] : (tensor<16xi32>) -> tensor<2xi32>
  %p_1 = stablehlo.slice %p [14:16] : (tensor<16xi32>) -> tensor<2xi32>
  %p_2 = stablehlo.slice %p [2:4] : (tensor<16xi32>) -> tensor<2xi32>
  %p_3 = stablehlo.slice %p [12:14] : (tensor<16xi32>) -> tensor<2xi32>
  %p_4 = stablehlo.slice %p [4:6] : (tensor<16xi32>) -> tensor<2xi32>
  %p_5 = stablehlo.slice %p [10:12] : (tensor<16xi32>) -> tensor<2xi32>
  %p_6 = stablehlo.slice %p [6:8] : (tensor<16xi32>) -> tensor<2xi32>
  %p_7 = stablehlo.slice %p [8:10] : (tensor<16xi32>) -> tensor<2xi32>
  %p0 = stablehlo.concatenate %p_0, %p_1, %p_2, %p_3, %p_4, %p_5, %p_6, %p_7, dim = 0 : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<16xi32>
  %l_0 = stablehlo.slice %labels [0:2] : (tensor<16xi32>) -> tensor<2xi32>
  %l_1 = stablehlo.slice %labels [14:16] : (tensor<16xi32>) -> tensor<2xi32>
  %l_2 = stablehlo.slice %labels [2:4] : (tensor<16xi32>) -> tensor<2xi32>
  %l_3 = stablehlo.slice %labels [12:14] : (tensor<16xi32>) -> tensor<2xi32>
  %l_4 = stablehlo.slice %labels [4:6] : (tensor<16xi32>) -> tensor<2xi32>
  %l_5 = stablehlo.slice %labels [10:12] : (tensor<16xi32>) -> tensor<2xi32>
  %l_6 = stablehlo.slice %labels [6:8] : (tensor<16xi32>) -> tensor<2xi32>
  %l_7 = stablehlo.slice %labels [8:10] : (tensor<16xi32>) -> tensor<2xi32>
  %l0 = stablehlo.concatenate %l_0, %l_1, %l_2, %l_3, %l_4, %l_5, %l_6, %l_7, dim = 0 : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<16xi32>
  %q1 = sdy.sharding_constraint %q0 <@mesh, [{}, {}, {"cp"}, {}]> : tensor<1x8x16x4xf32>
  %k1 = sdy.sharding_constraint %k0 <@mesh, [{}, {}, {"cp"}, {}]> : tensor<1x2x16x4xf32>
  %v1 = sdy.sharding_constraint %v0 <@mesh, [{}, {}, {"cp"}, {}]> : tensor<1x2x16x4xf32>
  %p1 = sdy.sharding_constraint %p0 <@mesh, [{"cp"}]> : tensor<16xi32>
  %l1 = sdy.sharding_constraint %l0 <@mesh, [{"cp"}]> : tensor<16xi32>
  %0:3 = stablehlo.custom_call @fused_attention(%q1, %k1, %v1, %p1, %p1) {
    head_num = 8 : i64, spmd.reference = @attention_at,
    spmd.rule = {dims = "([i, jk, l, m], [i, j, n, m], [i, j, n, m], [l], [n])->([i, jk, l, m], [i, jk, l, o], [i, jk, l, o]) {i=1, j=2, k=4, l=16, m=4, n=16, o=8} need_replication={m, o}",
                 along = [{factor = "n", with = "l", ways = ["gather"], merge = @merge_attention}],
                 local = [{attribute = "head_num", factor = "j"}, {attribute = "head_num", factor = "k"}]}}
      : (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<16xi32>, tensor<16xi32>) -> (tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>)
  %o1 = sdy.sharding_constraint %0#0 <@mesh, [{}, {}, {"cp"}, {}]> : tensor<1x8x16x4xf32>
  %loss = func.call @loss(%o1, %l1) : (tensor<1x8x16x4xf32>, tensor<16xi32>) -> tensor<f32>
  %o_0 = stablehlo.slice %o1 [0:1, 0:8, 0:2, 0:4] : (tensor<1x8x16x4xf32>) -> tensor<1x8x2x4xf32>
  %o_1 = stablehlo.slice %o1 [0:1, 0:8, 4:6, 0:4] : (tensor<1x8x16x4xf32>) -> tensor<1x8x2x4xf32>
  %o_2 = stablehlo.slice %o1 [0:1, 0:8, 8:10, 0:4] : (tensor<1x8x16x4xf32>) -> tensor<1x8x2x4xf32>
  %o_3 = stablehlo.slice %o1 [0:1, 0:8, 12:14, 0:4] : (tensor<1x8x16x4xf32>) -> tensor<1x8x2x4xf32>
  %o_4 = stablehlo.slice %o1 [0:1, 0:8, 14:16, 0:4] : (tensor<1x8x16x4xf32>) -> tensor<1x8x2x4xf32>
  %o_5 = stablehlo.slice %o1 [0:1, 0:8, 10:12, 0:4] : (tensor<1x8x16x4xf32>) -> tensor<1x8x2x4xf32>
  %o_6 = stablehlo.slice %o1 [0:1, 0:8, 6:8, 0:4] : (tensor<1x8x16x4xf32>) -> tensor<1x8x2x4xf32>
  %o_7 = stablehlo.slice %o1 [0:1, 0:8, 2:4, 0:4] : (tensor<1x8x16x4xf32>) -> tensor<1x8x2x4xf32>
  %o = stablehlo.concatenate %o_0, %o_1, %o_2, %o_3, %o_4, %o_5, %o_6, %o_7, dim = 2 : (tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>) -> tensor<1x8x16x4xf32>
  // The plain order, on one device.
  %1:3 = func.call @plain(%q, %k, %v, %p) : (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<16xi32>) -> (tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>)
  %plain = func.call @loss(%1#0, %labels) : (tensor<1x8x16x4xf32>, tensor<16xi32>) -> tensor<f32>
  stablehlo.custom_call @check.expect_almost_eq(%o, %1#0) {has_side_effect = true} : (tensor<1x8x16x4xf32>, tensor<1x8x16x4xf32>) -> ()
  stablehlo.custom_call @check.expect_almost_eq(%loss, %plain) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ()
  return %o, %loss : tensor<1x8x16x4xf32>, tensor<f32>
}

// Cross entropy of each row's features, of the classes modulo 4, summed over heads and rows.
func.func private @loss(%o: tensor<1x8x16x4xf32>, %labels: tensor<16xi32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %classes = stablehlo.constant dense<3> : tensor<16xi32>
  %0 = stablehlo.exponential %o : tensor<1x8x16x4xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<1x8x16x4xf32>, tensor<f32>) -> tensor<1x8x16xf32>
  %2 = stablehlo.log %1 : tensor<1x8x16xf32>
  %3 = stablehlo.and %labels, %classes : tensor<16xi32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [2] : (tensor<16xi32>) -> tensor<1x8x16x4xi32>
  %5 = stablehlo.iota dim = 3 : tensor<1x8x16x4xi32>
  %6 = stablehlo.compare EQ, %4, %5 : (tensor<1x8x16x4xi32>, tensor<1x8x16x4xi32>) -> tensor<1x8x16x4xi1>
  %7 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<1x8x16x4xf32>
  %8 = stablehlo.select %6, %o, %7 : tensor<1x8x16x4xi1>, tensor<1x8x16x4xf32>
  %9 = stablehlo.reduce(%8 init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<1x8x16x4xf32>, tensor<f32>) -> tensor<1x8x16xf32>
  %10 = stablehlo.subtract %2, %9 : tensor<1x8x16xf32>
  %11 = stablehlo.reduce(%10 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<f32>
  return %11 : tensor<f32>
}

func.func private @plain(%q: tensor<1x8x16x4xf32>, %k: tensor<1x2x16x4xf32>, %v: tensor<1x2x16x4xf32>, %p: tensor<16xi32>) -> (tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>) {
  %0:3 = stablehlo.custom_call @fused_attention(%q, %k, %v, %p, %p) {
    head_num = 8 : i64, spmd.reference = @attention_at,
    spmd.rule = {dims = "([i, jk, l, m], [i, j, n, m], [i, j, n, m], [l], [n])->([i, jk, l, m], [i, jk, l, o], [i, jk, l, o]) {i=1, j=2, k=4, l=16, m=4, n=16, o=8} need_replication={m, o}",
                 along = [{factor = "n", with = "l", ways = ["all_to_all"], merge = @merge_attention}],
                 local = [{attribute = "head_num", factor = "j"}, {attribute = "head_num", factor = "k"}]}}
      : (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<16xi32>, tensor<16xi32>) -> (tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>)
  return %0#0, %0#1, %0#2 : tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>
}
