// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2]>/' %s | spmd-opt --spmd-pipeline | FileCheck %s

// Searches that may miss some of the largest elements, and here miss none: of each shard the largest are gathered.
sdy.mesh @mesh = MESH

func.func @is_greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
func.func @is_less(%a: tensor<i16>, %b: tensor<i16>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %a, %b : (tensor<i16>, tensor<i16>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
func.func @is_nearer(%a: tensor<i16>, %b: tensor<i16>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.abs %a : tensor<i16>
  %1 = stablehlo.abs %b : tensor<i16>
  %2 = stablehlo.compare LT, %0, %1 : (tensor<i16>, tensor<i16>) -> tensor<i1>
  func.return %2 : tensor<i1>
}

// CHECK-NOT: @is_
// CHECK-LABEL: func.func public @main(
// CHECK: "stablehlo.all_gather"({{.*}}) {{.*}} : (tensor<1x20xf32>, tensor<1x20xi32>) -> (tensor<4x20xf32>, tensor<4x20xi32>)
func.func public @main(
    %x: tensor<7x130xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
    %n: tensor<150x3xi16> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>})
    -> (tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, tensor<7x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
        tensor<9x3xi16>, tensor<9x3xi32>, tensor<20x3xi16>, tensor<20x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %columns = stablehlo.iota dim = 1 : tensor<7x130xi32>
  %rows = stablehlo.iota dim = 0 : tensor<150x3xi32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %most = stablehlo.constant dense<32767> : tensor<i16>
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %columns, %least, %none) {called_computations = [@is_greater], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 9.500000e-01 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 5 : i64}} : (tensor<7x130xf32>, tensor<7x130xi32>, tensor<f32>, tensor<i32>) -> (tensor<7x5xf32>, tensor<7x5xi32>)
  %1:2 = stablehlo.custom_call @ApproxTopK(%n, %rows, %most, %none) {called_computations = [@is_less], mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 9 : i64}} : (tensor<150x3xi16>, tensor<150x3xi32>, tensor<i16>, tensor<i32>) -> (tensor<9x3xi16>, tensor<9x3xi32>)
  %2:2 = stablehlo.custom_call @ApproxTopK(%n, %rows, %most, %none) {called_computations = [@is_nearer], mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 9 : i64}} : (tensor<150x3xi16>, tensor<150x3xi32>, tensor<i16>, tensor<i32>) -> (tensor<20x3xi16>, tensor<20x3xi32>)
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1 : tensor<7x5xf32>, tensor<7x5xi32>, tensor<9x3xi16>, tensor<9x3xi32>, tensor<20x3xi16>, tensor<20x3xi32>
}
