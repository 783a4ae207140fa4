// RUN: spmd-opt %s --spmd-pipeline=stop-after=reshard | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=4]>

// Two partial sums that are added are reduced once, after the addition.
// CHECK-LABEL: func.func @sums_are_added_first(
// CHECK: %[[P:.+]] = stablehlo.dot_general %arg0, %arg1{{.*}}unreduced={"x"}
// CHECK-NEXT: %[[Q:.+]] = stablehlo.dot_general %arg2, %arg3{{.*}}unreduced={"x"}
// CHECK-NEXT: %[[SUM:.+]] = stablehlo.add %[[P]], %[[Q]]{{.*}}unreduced={"x"}
// CHECK-NEXT: %[[WHOLE:.+]] = sdy.reshard %[[SUM]] <@mesh, [{}, {}]>
// CHECK-NEXT: return %[[WHOLE]]
func.func @sums_are_added_first(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %d: tensor<10x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<8x10xf32>, tensor<10x6xf32>) -> tensor<8x6xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x6xf32>
  return %2 : tensor<8x6xf32>
}

// A bias would be added once a device.
// CHECK-LABEL: func.func @bias_comes_after_the_reduction(
// CHECK: %[[P:.+]] = stablehlo.dot_general{{.*}}unreduced={"x"}
// CHECK: %[[SUM:.+]] = sdy.reshard %[[P]] <@mesh, [{}, {}]>
// CHECK: stablehlo.add %[[SUM]], %arg2{{.*}}<@mesh, [{?}, {?}]>
func.func @bias_comes_after_the_reduction(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %bias: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.add %0, %bias : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// Sums over different axes are not one sum.
// CHECK-LABEL: func.func @axes_must_be_the_same(
// CHECK: stablehlo.add {{.*}}<@mesh, [{?}, {?}]>
func.func @axes_must_be_the_same(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %d: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<8x12xf32>, tensor<12x6xf32>) -> tensor<8x6xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x6xf32>
  return %2 : tensor<8x6xf32>
}

// A sum that somebody else needs whole is reduced anyway.
// CHECK-LABEL: func.func @other_users_need_the_sum(
// CHECK: stablehlo.add {{.*}}<@mesh, [{?}, {?}]>
func.func @other_users_need_the_sum(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.tanh %0 : tensor<8x6xf32>
  %2 = stablehlo.add %0, %0 : tensor<8x6xf32>
  return %1, %2 : tensor<8x6xf32>, tensor<8x6xf32>
}

// A reduction follows a turn to the addition that makes one of two.
// CHECK-LABEL: func.func @through_a_transpose(
// CHECK: stablehlo.transpose {{.*}}unreduced={"x"}
// CHECK: %[[SUM:.+]] = stablehlo.add {{.*}}unreduced={"x"}
// CHECK-NEXT: sdy.reshard %[[SUM]] <@mesh, [{}, {}]>
// CHECK-NEXT: return
func.func @through_a_transpose(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<6x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %d: tensor<10x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
  %2 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<6x10xf32>, tensor<10x8xf32>) -> tensor<6x8xf32>
  %3 = stablehlo.add %1, %2 : tensor<6x8xf32>
  return %3 : tensor<6x8xf32>
}

// It follows any number of them, as the gradient of a weight that is used as it is and turned; with something between, or they
// are none.
// CHECK-LABEL: func.func @through_two_transposes(
// CHECK-COUNT-2: stablehlo.transpose {{.*}}unreduced={"x"}
// CHECK: %[[SUM:.+]] = stablehlo.add {{.*}}unreduced={"x"}
// CHECK-NEXT: sdy.reshard %[[SUM]] <@mesh, [{}, {}]>
// CHECK-NEXT: return
func.func @through_two_transposes(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %d: tensor<10x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
  %2 = stablehlo.negate %1 : tensor<6x8xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %4 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<8x10xf32>, tensor<10x6xf32>) -> tensor<8x6xf32>
  %5 = stablehlo.add %3, %4 : tensor<8x6xf32>
  return %5 : tensor<8x6xf32>
}

// Fewer bytes travel behind a slice; a sum does not pass a rounding.
// CHECK-LABEL: func.func @behind_a_slice_before_a_rounding(
// CHECK: %[[SLICE:.+]] = stablehlo.slice {{.*}}unreduced={"x"}
// CHECK-NEXT: %[[SUM:.+]] = sdy.reshard %[[SLICE]] <@mesh, [{}, {}]>
// CHECK-NEXT: stablehlo.convert %[[SUM]] {{.*}}<@mesh, [{?}, {?}]>
func.func @behind_a_slice_before_a_rounding(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<2x6xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.slice %0 [0:2, 0:6] : (tensor<8x6xf32>) -> tensor<2x6xf32>
  %2 = stablehlo.convert %1 : (tensor<2x6xf32>) -> tensor<2x6xbf16>
  return %2 : tensor<2x6xbf16>
}

// A reduction does not sink into an op that cannot run on the pieces that the partial value is in.
// CHECK-LABEL: func.func @not_into_what_must_be_whole(
// CHECK: %[[WHOLE:.+]] = sdy.reshard %arg0 <@mesh, [{}, {}]>
// CHECK: stablehlo.reshape %[[WHOLE]]
func.func @not_into_what_must_be_whole(%a: tensor<4x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}], unreduced=min{"x"}>}) -> tensor<10x2xi32> {
  %0 = stablehlo.reshape %a : (tensor<4x5xi32>) -> tensor<10x2xi32>
  return %0 : tensor<10x2xi32>
}

// The sum over columns of what is summed over devices takes less to reduce than its columns do. The initial value of a
// sum counts once.
// CHECK-LABEL: func.func @through_a_reduction(
// CHECK: stablehlo.dot_general {{.*}}unreduced={"x"}
// CHECK-NEXT: %[[SUM:.+]] = stablehlo.reduce{{.*}}unreduced={"x"}
// CHECK-NEXT: sdy.reshard %[[SUM]] <@mesh, [{}]>
func.func @through_a_reduction(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %five = stablehlo.constant dense<5.0> : tensor<f32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.reduce(%0 init: %five) applies stablehlo.add across dimensions = [1] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// A maximum of sums is no sum of maxima.
// CHECK-LABEL: func.func @not_through_another_reduction(
// CHECK: %[[P:.+]] = stablehlo.dot_general {{.*}}unreduced={"x"}
// CHECK: sdy.reshard %[[P]]
// CHECK: stablehlo.reduce
func.func @not_through_another_reduction(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.reduce(%0 init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Beside it stands another sum, whichever side of a product that is on.
// CHECK-LABEL: func.func @through_products_from_either_side(
// CHECK-NOT: sdy.reshard
// CHECK: %[[SUM:.+]] = stablehlo.add {{.*}}unreduced={"x"}
// CHECK-NEXT: sdy.reshard %[[SUM]] <@mesh, [{}, {}]>
// CHECK-NEXT: return
func.func @through_products_from_either_side(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %2 = stablehlo.multiply %c, %1 : tensor<8x6xf32>
  %3 = stablehlo.negate %0 : tensor<8x6xf32>
  %4 = stablehlo.negate %2 : tensor<8x6xf32>
  %5 = stablehlo.negate %3 : tensor<8x6xf32>
  %6 = stablehlo.add %4, %5 : tensor<8x6xf32>
  return %6 : tensor<8x6xf32>
}

// What is added in between to begin with, or by others, is no obstacle: the optimizer adds first what is reduced alike.
// CHECK-LABEL: func.func @through_products_to_a_longer_sum(
// CHECK: %[[P:.+]] = stablehlo.multiply %{{.+}}, %arg2 {{.*}}unreduced={"x"}
// CHECK-NEXT: %[[FIRST:.+]] = sdy.reshard %[[P]] <@mesh, [{}, {}]>
// CHECK-NEXT: %[[SUM:.+]] = stablehlo.add %arg3, %[[FIRST]]
// CHECK: %[[Q:.+]] = stablehlo.multiply %{{.+}}, %arg3 {{.*}}unreduced={"x"}
// CHECK-NEXT: %[[SECOND:.+]] = sdy.reshard %[[Q]] <@mesh, [{}, {}]>
// CHECK-NEXT: stablehlo.add %[[SUM]], %[[SECOND]]
func.func @through_products_to_a_longer_sum(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %d: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %w = stablehlo.multiply %0, %d : tensor<8x6xf32>
  %1 = stablehlo.multiply %w, %c : tensor<8x6xf32>
  %2 = stablehlo.add %d, %1 : tensor<8x6xf32>
  %3 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %v = stablehlo.multiply %3, %c : tensor<8x6xf32>
  %4 = stablehlo.multiply %v, %d : tensor<8x6xf32>
  %5 = stablehlo.add %2, %4 : tensor<8x6xf32>
  return %5 : tensor<8x6xf32>
}

// The sum is scaled before anything else is added: nothing is gained.
// CHECK-LABEL: func.func @not_to_a_sum_that_is_scaled(
// CHECK: %[[P:.+]] = stablehlo.dot_general
// CHECK-NEXT: %[[WHOLE:.+]] = sdy.reshard %[[P]]
// CHECK-NEXT: stablehlo.multiply %[[WHOLE]]
func.func @not_to_a_sum_that_is_scaled(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %d: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.multiply %0, %c : tensor<8x6xf32>
  %scaled = stablehlo.multiply %1, %d : tensor<8x6xf32>
  %2 = stablehlo.add %d, %scaled : tensor<8x6xf32>
  %3 = stablehlo.multiply %2, %c : tensor<8x6xf32>
  %4 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %5 = stablehlo.add %3, %4 : tensor<8x6xf32>
  return %5 : tensor<8x6xf32>
}
