// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=2, "y"=3]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=4]>/' %s | spmd-run -

// Windows that cover each row once: shards that cut none need nothing of each other, others do. The
// second dim has a row that no window covers.
sdy.mesh @mesh = MESH

func.func public @main(%x: tensor<8x7x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}, %g: tensor<4x3x4xf32>)
    -> (tensor<8x7x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}, tensor<8x7x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %zero) <{window_dimensions = array<i64: 2, 2, 3>, window_strides = array<i64: 2, 2, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x7x12xf32>, tensor<4x3x4xf32>, tensor<f32>) -> tensor<8x7x12xf32>
  // A body of no kind.
  %1 = "stablehlo.select_and_scatter"(%x, %g, %zero) <{window_dimensions = array<i64: 2, 2, 3>, window_strides = array<i64: 2, 2, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %d = stablehlo.subtract %a, %b : tensor<f32>
    %h = stablehlo.add %d, %d : tensor<f32>
    stablehlo.return %h : tensor<f32>
  }) : (tensor<8x7x12xf32>, tensor<4x3x4xf32>, tensor<f32>) -> tensor<8x7x12xf32>
  return %0, %1 : tensor<8x7x12xf32>, tensor<8x7x12xf32>
}
