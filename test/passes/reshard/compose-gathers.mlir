// RUN: spmd-opt %s --spmd-pipeline=stop-after=reshard | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=4]>

// Each device works on its piece, and one gather brings all.
// CHECK-LABEL: func.func @two_gathers(
// CHECK: %[[SUM:.+]] = stablehlo.add %arg0, %{{.*}}<@mesh, [{"x"}, {"y"}]
// CHECK-NEXT: %[[WHOLE:.+]] = sdy.reshard %[[SUM]] <@mesh, [{}, {}]>
// CHECK-NEXT: return %[[WHOLE]]
func.func @two_gathers(%a: tensor<8x18xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x18xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<8x18xf32>
  %one = stablehlo.constant dense<1.0> : tensor<8x18xf32>
  %1 = stablehlo.add %0, %one : tensor<8x18xf32>
  return %1 : tensor<8x18xf32>
}

// So it is over a few ops, and whatever the first move does.
// CHECK-LABEL: func.func @an_exchange_and_a_gather(
// CHECK: %[[SUM:.+]] = stablehlo.add %arg0, %{{.*}}<@mesh, [{"y"}, {}]
// CHECK-NEXT: %[[SINE:.+]] = stablehlo.sine %[[SUM]]{{.*}}[{"y"}, {}]
// CHECK-NEXT: %[[TURNED:.+]] = stablehlo.transpose %[[SINE]], {{.*}}[{}, {"y"}]
// CHECK-NEXT: %[[WHOLE:.+]] = sdy.reshard %[[TURNED]] <@mesh, [{}, {}]>
// CHECK-NEXT: return %[[WHOLE]]
func.func @an_exchange_and_a_gather(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<8x16xf32>
  %one = stablehlo.constant dense<1.0> : tensor<8x16xf32>
  %1 = stablehlo.add %0, %one : tensor<8x16xf32>
  %2 = stablehlo.sine %1 : tensor<8x16xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  return %3 : tensor<16x8xf32>
}

// What somebody else reads is moved anyway.
// CHECK-LABEL: func.func @a_second_reader(
// CHECK: %[[ROWS:.+]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]>
// CHECK: stablehlo.sine %[[ROWS]]
func.func @a_second_reader(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<8x16xf32>
  %1 = stablehlo.sine %0 : tensor<8x16xf32>
  return %1, %0 : tensor<8x16xf32>, tensor<8x16xf32>
}

// What is wider behind the op would be gathered wide over all axes: it is gathered before.
// CHECK-LABEL: func.func @a_wider_result(
// CHECK: %[[WHOLE:.+]] = sdy.reshard %arg0 <@mesh, [{}, {}]>
// CHECK-NEXT: %[[RESULT:.+]] = stablehlo.convert %[[WHOLE]]
// CHECK-NEXT: return %[[RESULT]]
func.func @a_wider_result(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x16xf64> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<8x16xf32>
  %1 = stablehlo.convert %0 : (tensor<8x16xf32>) -> tensor<8x16xf64>
  return %1 : tensor<8x16xf64>
}

// A device would do more: "x" splits less than "y".
// CHECK-LABEL: func.func @fewer_pieces(
// CHECK: %[[ROWS:.+]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]>
// CHECK: stablehlo.sine %[[ROWS]]
func.func @fewer_pieces(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<8x16xf32>
  %1 = stablehlo.sine %0 : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}
