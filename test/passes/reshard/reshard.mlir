// RUN: spmd-opt %s --spmd-pipeline=stop-after=reshard | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=4]>

// A batch and a weight split on one axis: the weight is gathered, not the activation moved.
// CHECK-LABEL: func.func @fsdp_gathers_weight(
// CHECK: %[[WHOLE:.+]] = sdy.reshard %arg1 <@mesh, [{}, {}]>
// CHECK: stablehlo.dot_general %arg0, %[[WHOLE]]{{.*}}<@mesh, [{"x", ?}, {?}]>
// CHECK-NOT: sdy.reshard
// CHECK: return
func.func @fsdp_gathers_weight(%batch: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %weight: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %batch, %weight, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// A split contracted dim leaves a partial sum, which is reduced to the layout of the result. The idle axis "y" splits the work
// further: scattering a quarter and gathering it along "y" sends as many bytes as scattering the whole.
// CHECK-LABEL: func.func @contracted_dim_becomes_partial(
// CHECK: %[[SUM:.+]] = stablehlo.dot_general %arg0, %{{.+}}<@mesh, [{}, {"y"}], unreduced={"x"}>
// CHECK: sdy.reshard %[[SUM]] <@mesh, [{"x"}, {}]>
func.func @contracted_dim_becomes_partial(%a: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// A maximum is partial as a maximum.
// CHECK-LABEL: func.func @partial_keeps_its_kind(
// CHECK: stablehlo.reduce(%arg0 {{.*}}<@mesh, [{}], unreduced=max{"x"}>
func.func @partial_keeps_its_kind(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// Two users that read a value in one layout share one move.
// CHECK-LABEL: func.func @users_share_a_reshard(
// CHECK: %[[MOVED:.+]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}]>
// CHECK-NEXT: return %[[MOVED]], %[[MOVED]]
func.func @users_share_a_reshard(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  return %a, %a : tensor<8x16xf32>, tensor<8x16xf32>
}

// A constant is cloned for each layout in which it is read, even if the user specified its sharding.
// CHECK-LABEL: func.func @constant_is_cloned(
// CHECK-DAG: %[[A:.+]] = stablehlo.constant {{.*}}<@mesh, [{"x"}, {}]>
// CHECK-DAG: %[[B:.+]] = stablehlo.constant {{.*}}<@mesh, [{}, {"y"}]>
// CHECK: return %[[A]], %[[B]]
func.func @constant_is_cloned() -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %c = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} dense<1.0> : tensor<8x16xf32>
  return %c, %c : tensor<8x16xf32>, tensor<8x16xf32>
}

// A share of a partial result is not the whole constant: it is not a clone.
// CHECK-LABEL: func.func @partial_constant_is_not_cloned(
// CHECK: %[[C:.+]] = stablehlo.constant
// CHECK: %[[SHARE:.+]] = sdy.reshard %[[C]] <@mesh, [{}], unreduced={"x"}>
// CHECK: return %[[SHARE]]
func.func @partial_constant_is_not_cloned() -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// No op reads the value in the layout of the constraint: one move replaces two.
// CHECK-LABEL: func.func @chains_are_composed(
// CHECK-NEXT: %[[MOVED:.+]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}]>
// CHECK-NEXT: return %[[MOVED]]
func.func @chains_are_composed(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {}]> : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// A move there and back, with no reader between, is no move.
// CHECK-LABEL: func.func @round_trip_is_nothing(
// CHECK-NEXT: return %arg0
func.func @round_trip_is_nothing(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"x"}]> : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// A merged dim is gathered if its major part does not divide: 10 rows of 3 over 4 devices are not 30 over 4.
// CHECK-LABEL: func.func @uneven_merge_is_whole(
// CHECK: %[[WHOLE:.+]] = sdy.reshard %arg0 <@mesh, [{}, {}]>
// CHECK: stablehlo.reshape %[[WHOLE]]
func.func @uneven_merge_is_whole(%a: tensor<10x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<30xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %0 = stablehlo.reshape %a : (tensor<10x3xf32>) -> tensor<30xf32>
  return %0 : tensor<30xf32>
}

// Operand and result are sharded unevenly along the merged dim: the reshape exchanges the elements at the cuts. An axis on the
// inner dim moves to a third dim, so that each device exchanges half of the elements, and is gathered behind the reshape.
// CHECK-LABEL: func.func @uneven_merge_between_splits(
// CHECK-NEXT: %[[ROWS:.+]] = stablehlo.reshape %arg0
// CHECK-NEXT: %[[INNER:.+]] = sdy.reshard %arg1 <@mesh, [{"y"}, {}, {"x"}]>
// CHECK-NEXT: %[[MERGED:.+]] = stablehlo.reshape %[[INNER]]
// CHECK-NEXT: %[[WHOLE:.+]] = sdy.reshard %[[MERGED]] <@mesh, [{"y"}, {}]>
// CHECK-NEXT: return %[[ROWS]], %[[WHOLE]]
func.func @uneven_merge_between_splits(%a: tensor<10x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %b: tensor<10x6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>})
    -> (tensor<30xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<60x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %0 = stablehlo.reshape %a : (tensor<10x3xf32>) -> tensor<30xf32>
  %1 = stablehlo.reshape %b : (tensor<10x6x4xf32>) -> tensor<60x4xf32>
  return %0, %1 : tensor<30xf32>, tensor<60x4xf32>
}

// Branches return a value in the layout of the result, even if it comes from outside.
// CHECK-LABEL: func.func @captured_value_stays(
// CHECK-NOT: sdy.reshard
// CHECK: stablehlo.return %arg0
// CHECK: stablehlo.return %arg0
// CHECK: }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>
func.func @captured_value_stays(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %p: tensor<i1>) -> tensor<6xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<6xf32>
  }, {
    stablehlo.return %a : tensor<6xf32>
  }) : (tensor<i1>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// The operands of a barrier are independent: one axis may split all of them.
// CHECK-LABEL: func.func @barrier_keeps_each_operand(
// CHECK-NOT: sdy.reshard
// CHECK: stablehlo.optimization_barrier {{.*}}[<@mesh, [{"x", ?}, {"y", ?}]>, <@mesh, [{"y", ?}, {"x", ?}]>, <@mesh, [{"x", ?}]>]
// CHECK-NOT: sdy.reshard
// CHECK: return
func.func @barrier_keeps_each_operand(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %c: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0:3 = stablehlo.optimization_barrier %a, %b, %c : tensor<8x16xf32>, tensor<8x12xf32>, tensor<6xf32>
  return %0#0, %0#1, %0#2 : tensor<8x16xf32>, tensor<8x12xf32>, tensor<6xf32>
}

// A value that is no tensor has no sharding: its constraint is dropped.
// CHECK-LABEL: func.func @constraint_without_tensor(
// CHECK-SAME: %arg0: none
// CHECK-NOT: sdy.sharding_constraint
// CHECK: return %arg0
func.func @constraint_without_tensor(%a: none) -> none {
  %0 = sdy.sharding_constraint %a <@mesh, []> : none
  return %0 : none
}

// A dim that an op cannot split is moved, although all of its operands can be cloned.
// CHECK-LABEL: func.func @reshaped_scalar_is_whole(
// CHECK: %[[WHOLE:.*]] = stablehlo.reshape {{.*}}[<@mesh, [{?}]>]
// CHECK: %[[SPLIT:.*]] = sdy.reshard %[[WHOLE]] <@mesh, [{"x"}]>
// CHECK: return %[[SPLIT]]
func.func @reshaped_scalar_is_whole() -> (tensor<1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %c = stablehlo.constant dense<7> : tensor<i32>
  %0 = stablehlo.reshape %c : (tensor<i32>) -> tensor<1xi32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{?}], replicated={"x"}> : tensor<1xi32>
  return %1 : tensor<1xi32>
}

// The gathered value is cut for a second reader, which moves nothing.
// CHECK-LABEL: func.func @cut_of_what_was_gathered(
// CHECK: %[[WHOLE:.+]] = sdy.reshard %arg0 <@mesh, [{}, {}]>
// CHECK: %[[COLUMNS:.+]] = sdy.reshard %[[WHOLE]] <@mesh, [{}, {"y"}]>
// CHECK: return %[[WHOLE]], %[[COLUMNS]]
func.func @cut_of_what_was_gathered(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {}]> : tensor<8x16xf32>
  %1 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<8x16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<8x16xf32>
}

// The value is gathered from its own layout if its copy saves few bytes: the copy would have to live longer.
// CHECK-LABEL: func.func @gathered_from_where_it_lies(
// CHECK: %[[ROWS:.+]] = sdy.reshard %arg0 <@mesh, [{}, {"y"}]>
// CHECK: %[[WHOLE:.+]] = sdy.reshard %arg0 <@mesh, [{}, {}]>
// CHECK: return %[[ROWS]], %[[WHOLE]]
func.func @gathered_from_where_it_lies(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<8x16xf32>
  %1 = sdy.sharding_constraint %a <@mesh, [{}, {}]> : tensor<8x16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<8x16xf32>
}

// Operands are joined along the dim that is split, so most columns would move. The axis goes to the rows and comes back. The
// idle axis "x" splits the rows too, and is gathered last: 10,240 bytes instead of 12,288.
// CHECK-LABEL: func.func @gates(
// CHECK-COUNT-4: sdy.reshard {{.*}} <@mesh, [{"y", "x"}, {}]>
// CHECK: stablehlo.concatenate{{.*}}<@mesh, [{"y", "x"}, {}]>
// CHECK: sdy.reshard {{.*}} <@mesh, [{}, {"y"}]>
// CHECK: return
func.func @gates(%a: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %b: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %c: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %d: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %0 = stablehlo.concatenate %a, %b, %c, %d, dim = 1 : (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// For one additional column, the columns at the cuts go to neighbors instead.
// CHECK-LABEL: func.func @one_row_in_front(
// CHECK-NOT: sdy.reshard %arg1
// CHECK: stablehlo.concatenate{{.*}}<@mesh, [{?}, {"y", ?}]>
// CHECK-NEXT: return
func.func @one_row_in_front(%row: tensor<64x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %b: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<64x33xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %0 = stablehlo.concatenate %row, %b, dim = 1 : (tensor<64x1xf32>, tensor<64x32xf32>) -> tensor<64x33xf32>
  return %0 : tensor<64x33xf32>
}
