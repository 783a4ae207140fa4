// RUN: spmd-opt %s --spmd-pipeline --split-input-file | FileCheck %s
// The plan weighs the work that devices duplicate against the bytes that they send.

sdy.mesh @mesh = <["data"=8]>

// The gradient of an embedding adds up as many rows as the table has. Each device adds up all rows of its own columns, so
// that no work is duplicated. The rows are exchanged and the result is gathered, which sends 32,704 bytes: an all-reduce of
// the table would send 57,344.
// CHECK-LABEL: func.func @as_many_rows
// CHECK-NOT: all_reduce
// CHECK: "stablehlo.all_to_all"{{.*}} : (tensor<16x64xf32>) -> tensor<128x8xf32>
// CHECK: "stablehlo.scatter"{{.*}}
// CHECK: (tensor<128x8xf32>, tensor<128x1xi32>, tensor<128x8xf32>) -> tensor<128x8xf32>
// CHECK: "stablehlo.all_gather"{{.*}} : (tensor<128x8xf32>) -> tensor<128x64xf32>
// CHECK-NOT: all_reduce
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

// Few rows of a large table are gathered: each device adds up all of them.

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

// The image is replicated and the small weight is gathered. Splitting the input features would make shares of sums that are
// larger than the weight.

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

// Gathering the operand sends fewer bytes than gathering the result, but every device then does all of the work. A product
// that propagation divides among eight devices is not replicated: its result is gathered.

sdy.mesh @mesh = <["x"=8]>

// CHECK-LABEL: func.func @small_product
// CHECK: stablehlo.dot_general{{.*}} -> tensor<32x96xf32>
// CHECK: "stablehlo.all_gather"
// CHECK: return
func.func @small_product(%a: tensor<256x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %z: tensor<64x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
    -> (tensor<256x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %z, contracting_dims = [1] x [0] : (tensor<256x64xf32>, tensor<64x96xf32>) -> tensor<256x96xf32>
  return %0 : tensor<256x96xf32>
}

// CHECK-LABEL: func.func @large_product
// CHECK: stablehlo.dot_general{{.*}} -> tensor<1024x3072xf32>
// CHECK: "stablehlo.all_gather"
// CHECK: return
func.func @large_product(%a: tensor<8192x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %z: tensor<2048x3072xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
    -> (tensor<8192x3072xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %z, contracting_dims = [1] x [0] : (tensor<8192x2048xf32>, tensor<2048x3072xf32>) -> tensor<8192x3072xf32>
  return %0 : tensor<8192x3072xf32>
}
