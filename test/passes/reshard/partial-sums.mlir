// RUN: spmd-opt %s --split-input-file --spmd-pipeline=stop-after=reshard | FileCheck %s
// RUN: spmd-opt %s --split-input-file --spmd-pipeline | FileCheck %s --check-prefix=LOCAL

// Shares of sums: where the plan reduces them.

sdy.mesh @mesh = <["x"=2]>

// Two shares of sums are added before one reduction.
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

// The one reduction makes the layout of the result: it is a reduce-scatter.
// CHECK-LABEL: func.func @sum_is_scattered(
// CHECK: %[[SUM:.+]] = stablehlo.add {{.*}}unreduced={"x"}
// CHECK-NEXT: sdy.reshard %[[SUM]] <@mesh, [{"x"}, {}]>
// CHECK-NEXT: return
// LOCAL-LABEL: func.func @sum_is_scattered(
// LOCAL-NOT: all_reduce
// LOCAL: stablehlo.reduce_scatter
// LOCAL-NOT: all_reduce
// LOCAL: return
func.func @sum_is_scattered(
    %a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %c: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %d: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// A bias that is added to each share would count twice. It is added after the reduction.
// CHECK-LABEL: func.func @bias_counts_once(
// CHECK: %[[P:.+]] = stablehlo.dot_general{{.*}}unreduced={"x"}
// CHECK-NEXT: %[[SUM:.+]] = sdy.reshard %[[P]] <@mesh, [{}, {}]>
// CHECK-NEXT: stablehlo.add %[[SUM]], %arg2{{.*}}<@mesh, [{?}, {?}]>
func.func @bias_counts_once(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %bias: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.add %0, %bias : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// Another op reads the sum reduced. Both read the one reduced value.
// CHECK-LABEL: func.func @other_users_need_the_sum(
// CHECK: %[[P:.+]] = stablehlo.dot_general{{.*}}unreduced={"x"}
// CHECK-NEXT: %[[SUM:.+]] = sdy.reshard %[[P]] <@mesh, [{}, {}]>
// CHECK-NEXT: stablehlo.tanh %[[SUM]]
// CHECK-NEXT: stablehlo.add %[[SUM]], %[[SUM]]
// CHECK-NEXT: return
func.func @other_users_need_the_sum(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.tanh %0 : tensor<8x6xf32>
  %2 = stablehlo.add %0, %0 : tensor<8x6xf32>
  return %1, %2 : tensor<8x6xf32>, tensor<8x6xf32>
}

// Shares pass a transpose to the addition.
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

// They pass any number of linear ops, as in the gradient of a weight that is also used transposed.
// CHECK-LABEL: func.func @through_two_transposes(
// CHECK-NOT: sdy.reshard
// CHECK: stablehlo.negate {{.*}}unreduced={"x"}
// CHECK-NOT: sdy.reshard
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

// A slice comes before the reduction, which then sends fewer bytes. A rounding comes after it: rounded shares do not add up
// to the rounded sum. The rounded rows are gathered, since they are half as wide.
// CHECK-LABEL: func.func @behind_a_slice_before_a_rounding(
// CHECK: %[[SLICE:.+]] = stablehlo.slice {{.*}}unreduced={"x"}
// CHECK-NEXT: %[[SUM:.+]] = sdy.reshard %[[SLICE]] <@mesh, [{"x"}, {}]>
// CHECK-NEXT: %[[ROUNDED:.+]] = stablehlo.convert %[[SUM]] {{.*}}<@mesh, [{"x"}, {}]>
// CHECK-NEXT: sdy.reshard %[[ROUNDED]] <@mesh, [{}, {}]>
func.func @behind_a_slice_before_a_rounding(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<2x6xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.slice %0 [0:2, 0:6] : (tensor<8x6xf32>) -> tensor<2x6xf32>
  %2 = stablehlo.convert %1 : (tensor<2x6xf32>) -> tensor<2x6xbf16>
  return %2 : tensor<2x6xbf16>
}

// Shares are summed over columns before they are reduced: the sum has fewer bytes. The initial value counts once.
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

// A maximum of sums is not a sum of maxima: the sum is reduced first, to rows, and the maxima are gathered.
// CHECK-LABEL: func.func @not_through_another_reduction(
// CHECK: %[[P:.+]] = stablehlo.dot_general {{.*}}unreduced={"x"}
// CHECK-NEXT: %[[SUM:.+]] = sdy.reshard %[[P]] <@mesh, [{"x"}, {}]>
// CHECK-NEXT: %[[MAX:.+]] = stablehlo.reduce(%[[SUM]]
// CHECK-NEXT: sdy.reshard %[[MAX]] <@mesh, [{}]>
func.func @not_through_another_reduction(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.reduce(%0 init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// A share may be either factor of a product with a replicated value.
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

// A replicated value between the shares becomes a share too: one device keeps it, which moves nothing. One reduction remains.
// CHECK-LABEL: func.func @through_products_to_a_longer_sum(
// CHECK: sdy.reshard %arg3 <@mesh, [{}, {}], unreduced={"x"}>
// CHECK: %[[SUM:.+]] = stablehlo.add {{.*}}unreduced={"x"}
// CHECK: %[[LONGER:.+]] = stablehlo.add %[[SUM]], %{{.*}}unreduced={"x"}
// CHECK-NEXT: sdy.reshard %[[LONGER]] <@mesh, [{}, {}]>
// CHECK-NEXT: return
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

// The same where the first sum is scaled in between.
// CHECK-LABEL: func.func @through_a_sum_that_is_scaled(
// CHECK: sdy.reshard %arg3 <@mesh, [{}, {}], unreduced={"x"}>
// CHECK: %[[SUM:.+]] = stablehlo.add {{.*}}unreduced={"x"}
// CHECK-NEXT: %[[SCALED:.+]] = stablehlo.multiply %[[SUM]], %arg2 {{.*}}unreduced={"x"}
// CHECK: %[[LONGER:.+]] = stablehlo.add %[[SCALED]], %{{.*}}unreduced={"x"}
// CHECK-NEXT: sdy.reshard %[[LONGER]] <@mesh, [{}, {}]>
// CHECK-NEXT: return
func.func @through_a_sum_that_is_scaled(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %d: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.multiply %0, %c : tensor<8x6xf32>
  %scaled = stablehlo.multiply %1, %d : tensor<8x6xf32>
  %2 = stablehlo.add %d, %scaled : tensor<8x6xf32>
  %3 = stablehlo.multiply %2, %c : tensor<8x6xf32>
  %4 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %5 = stablehlo.add %3, %4 : tensor<8x6xf32>
  return %5 : tensor<8x6xf32>
}

// A mean divides one sum by another one. Both are reduced before the division, so that one collective reduces both.
// CHECK-LABEL: func.func @mean(
// CHECK: %[[BY:.+]] = sdy.reshard {{.*}} <@mesh, []> : tensor<f32>
// CHECK: %[[SUM:.+]] = sdy.reshard {{.*}} <@mesh, [{}]> : tensor<6xf32>
// CHECK-NEXT: stablehlo.divide %[[SUM]], %{{.*}}
// CHECK-NOT: sdy.reshard
// CHECK: return
// LOCAL-LABEL: func.func @mean(
// LOCAL: "stablehlo.all_reduce"(%{{.+}}, %{{.+}})
// LOCAL-NOT: stablehlo.all_reduce
// LOCAL: return
func.func @mean(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %old: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %all = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %spread = stablehlo.broadcast_in_dim %all, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %sum = stablehlo.dot_general %w, %x, contracting_dims = [0] x [0] : (tensor<8xf32>, tensor<8x6xf32>) -> tensor<6xf32>
  %mean = stablehlo.divide %sum, %spread : tensor<6xf32>
  %none = stablehlo.constant dense<0.0> : tensor<6xf32>
  %is = stablehlo.compare GT, %spread, %none : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %new = stablehlo.select %is, %mean, %old : tensor<6xi1>, tensor<6xf32>
  return %new : tensor<6xf32>
}

// Two long sums are scattered, divided row by row, and the quotient is gathered: 1.5 times the bytes of one sum, instead of
// two all-reduces.
// CHECK-LABEL: func.func @quotient_of_long_sums(
// CHECK: sdy.reshard {{.*}} <@mesh, [{"x"}]>
// CHECK: sdy.reshard {{.*}} <@mesh, [{"x"}]>
// CHECK: stablehlo.divide {{.*}}<@mesh, [{"x"}]>
// CHECK: %[[NEW:.+]] = stablehlo.select {{.*}}<@mesh, [{"x"}]>
// CHECK-NEXT: sdy.reshard %[[NEW]] <@mesh, [{}]>
// CHECK-NEXT: return
// LOCAL-LABEL: func.func @quotient_of_long_sums(
// LOCAL-NOT: all_reduce
// LOCAL: return
func.func @quotient_of_long_sums(%x: tensor<8x600xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<8x600xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %old: tensor<600xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %is: tensor<600xi1> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<600xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %all = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x600xf32>, tensor<f32>) -> tensor<600xf32>
  %squared = stablehlo.multiply %all, %all : tensor<600xf32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x600xf32>, tensor<f32>) -> tensor<600xf32>
  %mean = stablehlo.divide %sum, %squared : tensor<600xf32>
  %new = stablehlo.select %is, %mean, %old : tensor<600xi1>, tensor<600xf32>
  return %new : tensor<600xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>

// Sums over different axes are not shares of one sum. Each is scattered along the axis of its own shares; one gather makes the
// result. That sends 264 bytes: two all-reduces would send 480.
// CHECK-LABEL: func.func @axes_must_be_the_same(
// CHECK: stablehlo.dot_general {{.*}}unreduced={"x"}
// CHECK: stablehlo.dot_general {{.*}}unreduced={"y"}
// CHECK: stablehlo.add {{.*}}<@mesh, [{"y"}, {"x"}]>
// CHECK-NEXT: sdy.reshard {{.*}} <@mesh, [{}, {}]>
// CHECK-NEXT: return
func.func @axes_must_be_the_same(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %d: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<8x12xf32>, tensor<12x6xf32>) -> tensor<8x6xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x6xf32>
  return %2 : tensor<8x6xf32>
}

// A reshape that merges dims cannot run on shares that are split unevenly inside. The shares are reduced to rows in front of
// it, and its result is gathered.
// CHECK-LABEL: func.func @not_into_what_cannot_be_split(
// CHECK-NEXT: %[[ROWS:.+]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]>
// CHECK-NEXT: stablehlo.reshape %[[ROWS]]
func.func @not_into_what_cannot_be_split(%a: tensor<4x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}], unreduced=min{"x"}>}) -> tensor<10x2xi32> {
  %0 = stablehlo.reshape %a : (tensor<4x5xi32>) -> tensor<10x2xi32>
  return %0 : tensor<10x2xi32>
}
