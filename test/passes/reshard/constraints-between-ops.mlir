// RUN: spmd-opt %s --spmd-pipeline=stop-after=reshard | FileCheck %s

// Sharding constraints between ops. A constraint is a lower bound: a value may pass it in a layout that is split further. A move
// to a constraint is made if an op reads the value in between.

sdy.mesh @mesh = <["x"=2, "y"=4]>

// The value passes the constraint split further, along "x" too. It is gathered over "y", along which 18 columns are uneven, before
// the addition, and over "x" behind it.
// CHECK-LABEL: func.func @gather_before_an_op(
// CHECK: %[[ROWS:.+]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]>
// CHECK: %[[SUM:.+]] = stablehlo.add %[[ROWS]], %{{.*}}<@mesh, [{"x"
// CHECK-NEXT: %[[WHOLE:.+]] = sdy.reshard %[[SUM]] <@mesh, [{}, {}]>
// CHECK-NEXT: return %[[WHOLE]]
func.func @gather_before_an_op(%a: tensor<8x18xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x18xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<8x18xf32>
  %one = stablehlo.constant dense<1.0> : tensor<8x18xf32>
  %1 = stablehlo.add %0, %one : tensor<8x18xf32>
  return %1 : tensor<8x18xf32>
}

// The constraint moves the axis from rows to columns, although the result is gathered in the end.
// CHECK-LABEL: func.func @exchange_before_ops(
// CHECK: %[[COLUMNS:.+]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]>
// CHECK: stablehlo.add %[[COLUMNS]], %{{.*}}<@mesh, [{?}, {"y", ?}]
// CHECK: %[[TURNED:.+]] = stablehlo.transpose
// CHECK-NEXT: %[[WHOLE:.+]] = sdy.reshard %[[TURNED]] <@mesh, [{}, {}]>
// CHECK-NEXT: return %[[WHOLE]]
func.func @exchange_before_ops(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<8x16xf32>
  %one = stablehlo.constant dense<1.0> : tensor<8x16xf32>
  %1 = stablehlo.add %0, %one : tensor<8x16xf32>
  %2 = stablehlo.sine %1 : tensor<8x16xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  return %3 : tensor<16x8xf32>
}

// A second reader returns the moved value. It moves once.
// CHECK-LABEL: func.func @a_second_reader(
// CHECK: %[[ROWS:.+]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]>
// CHECK: %[[SINE:.+]] = stablehlo.sine %[[ROWS]]
// CHECK: %[[WHOLE:.+]] = sdy.reshard %[[SINE]] <@mesh, [{}, {}]>
// CHECK: return %[[WHOLE]], %[[ROWS]]
func.func @a_second_reader(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<8x16xf32>
  %1 = stablehlo.sine %0 : tensor<8x16xf32>
  return %1, %0 : tensor<8x16xf32>, tensor<8x16xf32>
}

// The result is wider than the operand, so the operand is gathered. Nothing reads it in the layout of the constraint: one move
// makes both.
// CHECK-LABEL: func.func @a_wider_result(
// CHECK: %[[WHOLE:.+]] = sdy.reshard %arg0 <@mesh, [{}, {}]>
// CHECK-NEXT: %[[RESULT:.+]] = stablehlo.convert %[[WHOLE]]
// CHECK-NEXT: return %[[RESULT]]
func.func @a_wider_result(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x16xf64> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<8x16xf32>
  %1 = stablehlo.convert %0 : (tensor<8x16xf32>) -> tensor<8x16xf64>
  return %1 : tensor<8x16xf64>
}

// The constraint splits columns along "y". The value passes it with its rows still split along "x": one gather remains, and each
// device computes an eighth.
// CHECK-LABEL: func.func @refined_by_the_operand(
// CHECK: %[[PIECE:.+]] = sdy.reshard %arg0 <@mesh, [{"x"}, {"y"}]>
// CHECK-NEXT: %[[SINE:.+]] = stablehlo.sine %[[PIECE]]
// CHECK-NEXT: %[[WHOLE:.+]] = sdy.reshard %[[SINE]] <@mesh, [{}, {}]>
// CHECK-NEXT: return %[[WHOLE]]
func.func @refined_by_the_operand(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<8x16xf32>
  %1 = stablehlo.sine %0 : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// The constraint splits rows along "x". The sum passes it with its columns split along "y", as the result wants them: it is
// scattered, and nothing is gathered.
// CHECK-LABEL: func.func @refined_by_the_reader(
// CHECK: %[[P:.+]] = stablehlo.dot_general {{.*}}unreduced={"y"}
// CHECK-NEXT: %[[SUM:.+]] = sdy.reshard %[[P]] <@mesh, [{"x"}, {"y"}]>
// CHECK-NEXT: stablehlo.tanh %[[SUM]]
// CHECK-NEXT: return
func.func @refined_by_the_reader(
    %a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<64x64xf32>
  %2 = stablehlo.tanh %1 : tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
