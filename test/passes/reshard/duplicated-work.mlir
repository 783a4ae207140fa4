// RUN: spmd-opt %s --spmd-pipeline --split-input-file | FileCheck %s
// What a choice lets every device do again counts beside what it moves.

sdy.mesh @mesh = <["data"=8]>

// The gradient of an embedding: as many rows are added up as the table has. Gathered, they would be half the bytes, but
// each device would add up all of them.
// CHECK-LABEL: func.func @as_many_rows
// CHECK-NOT: all_gather
// CHECK: "stablehlo.scatter"{{.*}}
// CHECK: (tensor<128x64xf32>, tensor<16x1xi32>, tensor<16x64xf32>) -> tensor<128x64xf32>
// CHECK: "stablehlo.all_reduce"
// CHECK: return
func.func @as_many_rows(%ids: tensor<128x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
                        %rows: tensor<128x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
    -> (tensor<128x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zeros = stablehlo.constant dense<0.0> : tensor<128x64xf32>
  %0 = "stablehlo.scatter"(%zeros, %ids, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<128x64xf32>, tensor<128x1xi32>, tensor<128x64xf32>) -> tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}

// -----

// Few rows for a large table are gathered.

sdy.mesh @mesh = <["data"=8]>

// CHECK-LABEL: func.func @few_rows
// CHECK-NOT: all_reduce
// CHECK: "stablehlo.scatter"{{.*}}
// CHECK: (tensor<128x64xf32>, tensor<32x1xi32>, tensor<32x64xf32>) -> tensor<128x64xf32>
// CHECK-NOT: all_reduce
// CHECK: return
func.func @few_rows(%ids: tensor<32x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
                    %rows: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
    -> (tensor<128x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zeros = stablehlo.constant dense<0.0> : tensor<128x64xf32>
  %0 = "stablehlo.scatter"(%zeros, %ids, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<128x64xf32>, tensor<32x1xi32>, tensor<32x64xf32>) -> tensor<128x64xf32>
  return %0 : tensor<128x64xf32>
}

// -----

// A whole image could be cut along its features, so that less of it is read; but to cut it, it is read, too. The small
// weight is gathered.

sdy.mesh @mesh = <["x"=4, "y"=2]>

// CHECK-LABEL: func.func @main
// CHECK-NOT: all_reduce
// CHECK: "stablehlo.all_gather"{{.*}} -> tensor<2x8x3x3xf32>
// CHECK: stablehlo.convolution{{.*}} (tensor<4x8x16x16xf32>, tensor<2x8x3x3xf32>) -> tensor<4x2x7x7xf32>
// CHECK-NOT: all_reduce
// CHECK: return
func.func @main(%image: tensor<4x8x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>},
                %weight: tensor<8x8x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}, {}]>}) -> tensor<4x8x7x7xf32> {
  %0 = stablehlo.convolution(%image, %weight) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1],
      window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<4x8x16x16xf32>, tensor<8x8x3x3xf32>) -> tensor<4x8x7x7xf32>
  return %0 : tensor<4x8x7x7xf32>
}

// -----

// To gather the operand, and have all devices do all the work, moves less than to gather the result. With narrow elements, for
// which there are units that multiply matrices, that is the faster way; with wide ones it is not.

sdy.mesh @mesh = <["x"=8]>

// CHECK-LABEL: func.func @narrow
// CHECK: stablehlo.dot_general{{.*}} -> tensor<256x96xbf16>
// CHECK-NEXT: return
func.func @narrow(%a: tensor<256x64xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %z: tensor<64x96xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
    -> (tensor<256x96xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %z, contracting_dims = [1] x [0] : (tensor<256x64xbf16>, tensor<64x96xbf16>) -> tensor<256x96xbf16>
  return %0 : tensor<256x96xbf16>
}

// CHECK-LABEL: func.func @wide
// CHECK: stablehlo.dot_general{{.*}} -> tensor<32x96xf32>
// CHECK: "stablehlo.all_gather"
// CHECK: return
func.func @wide(%a: tensor<256x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %z: tensor<64x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
    -> (tensor<256x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %z, contracting_dims = [1] x [0] : (tensor<256x64xf32>, tensor<64x96xf32>) -> tensor<256x96xf32>
  return %0 : tensor<256x96xf32>
}
