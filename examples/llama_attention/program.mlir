// One attention layer as Llama has it, as a framework exported it: projections, rotary positions, a fused op for
// grouped-query attention, the output projection. Not a word of sharding. What the fused op computes stands behind it,
// for those who run the program or check its rule.

func.func @main(%x: tensor<2x32x32xf32>, %wq: tensor<32x32xf32>, %wk: tensor<32x16xf32>, %wv: tensor<32x16xf32>,
                %wo: tensor<32x32xf32>) -> tensor<2x32x32xf32> {
  // Angles of 32 positions at 2 frequencies.
  %position = stablehlo.iota dim = 0 : tensor<32x2xf32>
  %frequencies = stablehlo.constant dense<[1.0, 0.01]> : tensor<2xf32>
  %frequency = stablehlo.broadcast_in_dim %frequencies, dims = [1] : (tensor<2xf32>) -> tensor<32x2xf32>
  %angle = stablehlo.multiply %position, %frequency : tensor<32x2xf32>
  %cos = stablehlo.cosine %angle : tensor<32x2xf32>
  %sin = stablehlo.sine %angle : tensor<32x2xf32>

  %q0 = stablehlo.dot_general %x, %wq, contracting_dims = [2] x [0] : (tensor<2x32x32xf32>, tensor<32x32xf32>) -> tensor<2x32x32xf32>
  %q1 = stablehlo.reshape %q0 : (tensor<2x32x32xf32>) -> tensor<2x32x8x4xf32>
  %q2 = stablehlo.transpose %q1, dims = [0, 2, 1, 3] : (tensor<2x32x8x4xf32>) -> tensor<2x8x32x4xf32>
  %q = func.call @rotate_queries(%q2, %cos, %sin) : (tensor<2x8x32x4xf32>, tensor<32x2xf32>, tensor<32x2xf32>) -> tensor<2x8x32x4xf32>
  %k0 = stablehlo.dot_general %x, %wk, contracting_dims = [2] x [0] : (tensor<2x32x32xf32>, tensor<32x16xf32>) -> tensor<2x32x16xf32>
  %k1 = stablehlo.reshape %k0 : (tensor<2x32x16xf32>) -> tensor<2x32x4x4xf32>
  %k2 = stablehlo.transpose %k1, dims = [0, 2, 1, 3] : (tensor<2x32x4x4xf32>) -> tensor<2x4x32x4xf32>
  %k = func.call @rotate_keys(%k2, %cos, %sin) : (tensor<2x4x32x4xf32>, tensor<32x2xf32>, tensor<32x2xf32>) -> tensor<2x4x32x4xf32>
  %v0 = stablehlo.dot_general %x, %wv, contracting_dims = [2] x [0] : (tensor<2x32x32xf32>, tensor<32x16xf32>) -> tensor<2x32x16xf32>
  %v1 = stablehlo.reshape %v0 : (tensor<2x32x16xf32>) -> tensor<2x32x4x4xf32>
  %v = stablehlo.transpose %v1, dims = [0, 2, 1, 3] : (tensor<2x32x4x4xf32>) -> tensor<2x4x32x4xf32>

  %first = stablehlo.constant dense<0> : tensor<i32>
  %all:3 = stablehlo.custom_call @fused_attention(%q, %k, %v, %first, %first) {
    head_num = 8 : i64, keep_prob = 1.0 : f32, layout = "BNSD", spmd.reference = @attention}
      : (tensor<2x8x32x4xf32>, tensor<2x4x32x4xf32>, tensor<2x4x32x4xf32>, tensor<i32>, tensor<i32>)
      -> (tensor<2x8x32x4xf32>, tensor<2x8x32x8xf32>, tensor<2x8x32x8xf32>)
  %o1 = stablehlo.transpose %all#0, dims = [0, 2, 1, 3] : (tensor<2x8x32x4xf32>) -> tensor<2x32x8x4xf32>
  %o0 = stablehlo.reshape %o1 : (tensor<2x32x8x4xf32>) -> tensor<2x32x32xf32>
  %y = stablehlo.dot_general %o0, %wo, contracting_dims = [2] x [0] : (tensor<2x32x32xf32>, tensor<32x32xf32>) -> tensor<2x32x32xf32>
  return %y : tensor<2x32x32xf32>
}

func.func private @rotate_queries(%x: tensor<2x8x32x4xf32>, %cos: tensor<32x2xf32>, %sin: tensor<32x2xf32>) -> tensor<2x8x32x4xf32> {
  %c = stablehlo.broadcast_in_dim %cos, dims = [2, 3] : (tensor<32x2xf32>) -> tensor<2x8x32x2xf32>
  %s = stablehlo.broadcast_in_dim %sin, dims = [2, 3] : (tensor<32x2xf32>) -> tensor<2x8x32x2xf32>
  %a = stablehlo.slice %x [0:2, 0:8, 0:32, 0:2] : (tensor<2x8x32x4xf32>) -> tensor<2x8x32x2xf32>
  %b = stablehlo.slice %x [0:2, 0:8, 0:32, 2:4] : (tensor<2x8x32x4xf32>) -> tensor<2x8x32x2xf32>
  %ac = stablehlo.multiply %a, %c : tensor<2x8x32x2xf32>
  %bs = stablehlo.multiply %b, %s : tensor<2x8x32x2xf32>
  %bc = stablehlo.multiply %b, %c : tensor<2x8x32x2xf32>
  %as = stablehlo.multiply %a, %s : tensor<2x8x32x2xf32>
  %left = stablehlo.subtract %ac, %bs : tensor<2x8x32x2xf32>
  %right = stablehlo.add %bc, %as : tensor<2x8x32x2xf32>
  %0 = stablehlo.concatenate %left, %right, dim = 3 : (tensor<2x8x32x2xf32>, tensor<2x8x32x2xf32>) -> tensor<2x8x32x4xf32>
  return %0 : tensor<2x8x32x4xf32>
}

func.func private @rotate_keys(%x: tensor<2x4x32x4xf32>, %cos: tensor<32x2xf32>, %sin: tensor<32x2xf32>) -> tensor<2x4x32x4xf32> {
  %c = stablehlo.broadcast_in_dim %cos, dims = [2, 3] : (tensor<32x2xf32>) -> tensor<2x4x32x2xf32>
  %s = stablehlo.broadcast_in_dim %sin, dims = [2, 3] : (tensor<32x2xf32>) -> tensor<2x4x32x2xf32>
  %a = stablehlo.slice %x [0:2, 0:4, 0:32, 0:2] : (tensor<2x4x32x4xf32>) -> tensor<2x4x32x2xf32>
  %b = stablehlo.slice %x [0:2, 0:4, 0:32, 2:4] : (tensor<2x4x32x4xf32>) -> tensor<2x4x32x2xf32>
  %ac = stablehlo.multiply %a, %c : tensor<2x4x32x2xf32>
  %bs = stablehlo.multiply %b, %s : tensor<2x4x32x2xf32>
  %bc = stablehlo.multiply %b, %c : tensor<2x4x32x2xf32>
  %as = stablehlo.multiply %a, %s : tensor<2x4x32x2xf32>
  %left = stablehlo.subtract %ac, %bs : tensor<2x4x32x2xf32>
  %right = stablehlo.add %bc, %as : tensor<2x4x32x2xf32>
  %0 = stablehlo.concatenate %left, %right, dim = 3 : (tensor<2x4x32x2xf32>, tensor<2x4x32x2xf32>) -> tensor<2x4x32x4xf32>
  return %0 : tensor<2x4x32x4xf32>
}

//===- What the fused op computes ------------------------------------------===//
// Attention of queries [B, H, T, D] to keys and values [B, G, S, D], H a multiple of G; their rows count from `row` and
// `column` on, and a row sees columns up to its number. Beside the output: the largest score of each row and the sum of
// exponentials, 8 times each. `merge_attention` joins what two blocks of keys give.

func.func private @scores(%q: tensor<?x?x?x?xf32>, %k: tensor<?x?x?x?xf32>, %rows: tensor<?xi32>, %columns: tensor<?xi32>) -> tensor<?x?x?x?x?xf32> {
  %0 = stablehlo.get_dimension_size %q, dim = 0 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %b = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.get_dimension_size %q, dim = 1 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %h = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.get_dimension_size %q, dim = 2 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %t = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.get_dimension_size %q, dim = 3 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %d = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
  %4 = stablehlo.get_dimension_size %k, dim = 1 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %g = stablehlo.reshape %4 : (tensor<i32>) -> tensor<1xi32>
  %5 = stablehlo.get_dimension_size %k, dim = 2 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %s = stablehlo.reshape %5 : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.divide %h, %g : tensor<1xi32>
  %grouped = stablehlo.concatenate %b, %g, %r, %t, %d, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
  %shape = stablehlo.concatenate %b, %g, %r, %t, %s, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
  %q5 = stablehlo.dynamic_reshape %q, %grouped : (tensor<?x?x?x?xf32>, tensor<5xi32>) -> tensor<?x?x?x?x?xf32>
  %products = stablehlo.dot_general %q5, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [4] x [3] : (tensor<?x?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> tensor<?x?x?x?x?xf32>
  %row_of = stablehlo.dynamic_broadcast_in_dim %rows, %shape, dims = [3] : (tensor<?xi32>, tensor<5xi32>) -> tensor<?x?x?x?x?xi32>
  %column_of = stablehlo.dynamic_broadcast_in_dim %columns, %shape, dims = [4] : (tensor<?xi32>, tensor<5xi32>) -> tensor<?x?x?x?x?xi32>
  %sees = stablehlo.compare GE, %row_of, %column_of : (tensor<?x?x?x?x?xi32>, tensor<?x?x?x?x?xi32>) -> tensor<?x?x?x?x?xi1>
  %never = stablehlo.constant dense<-1.0e30> : tensor<f32>
  %6 = stablehlo.dynamic_broadcast_in_dim %never, %shape, dims = [] : (tensor<f32>, tensor<5xi32>) -> tensor<?x?x?x?x?xf32>
  %masked = stablehlo.select %sees, %products, %6 : tensor<?x?x?x?x?xi1>, tensor<?x?x?x?x?xf32>
  return %masked : tensor<?x?x?x?x?xf32>
}

func.func private @attend(%q: tensor<?x?x?x?xf32>, %k: tensor<?x?x?x?xf32>, %v: tensor<?x?x?x?xf32>, %s: tensor<?x?x?x?x?xf32>)
    -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) {
  %0 = stablehlo.get_dimension_size %q, dim = 0 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %b = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.get_dimension_size %q, dim = 1 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %h = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.get_dimension_size %q, dim = 2 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %t = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.get_dimension_size %q, dim = 3 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %d = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
  %4 = stablehlo.get_dimension_size %k, dim = 1 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %g = stablehlo.reshape %4 : (tensor<i32>) -> tensor<1xi32>
  %5 = stablehlo.get_dimension_size %k, dim = 2 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %n = stablehlo.reshape %5 : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.divide %h, %g : tensor<1xi32>
  %eight = stablehlo.constant dense<8> : tensor<1xi32>
  %shape = stablehlo.concatenate %b, %g, %r, %t, %n, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
  %grouped = stablehlo.concatenate %b, %g, %r, %t, %d, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
  %heads = stablehlo.concatenate %b, %h, %t, %d, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %lines = stablehlo.concatenate %b, %h, %t, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %lanes = stablehlo.concatenate %b, %h, %t, %eight, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %low = stablehlo.constant dense<-1.0e30> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %max = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [4] : (tensor<?x?x?x?x?xf32>, tensor<f32>) -> tensor<?x?x?x?xf32>
  %6 = stablehlo.dynamic_broadcast_in_dim %max, %shape, dims = [0, 1, 2, 3] : (tensor<?x?x?x?xf32>, tensor<5xi32>) -> tensor<?x?x?x?x?xf32>
  %7 = stablehlo.subtract %s, %6 : tensor<?x?x?x?x?xf32>
  %p = stablehlo.exponential %7 : tensor<?x?x?x?x?xf32>
  %sum = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [4] : (tensor<?x?x?x?x?xf32>, tensor<f32>) -> tensor<?x?x?x?xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [4] x [2] : (tensor<?x?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> tensor<?x?x?x?x?xf32>
  %8 = stablehlo.dynamic_broadcast_in_dim %sum, %grouped, dims = [0, 1, 2, 3] : (tensor<?x?x?x?xf32>, tensor<5xi32>) -> tensor<?x?x?x?x?xf32>
  %9 = stablehlo.divide %o, %8 : tensor<?x?x?x?x?xf32>
  %out = stablehlo.dynamic_reshape %9, %heads : (tensor<?x?x?x?x?xf32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>
  %10 = stablehlo.dynamic_reshape %max, %lines : (tensor<?x?x?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  %lane_max = stablehlo.dynamic_broadcast_in_dim %10, %lanes, dims = [0, 1, 2] : (tensor<?x?x?xf32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>
  %11 = stablehlo.dynamic_reshape %sum, %lines : (tensor<?x?x?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  %lane_sum = stablehlo.dynamic_broadcast_in_dim %11, %lanes, dims = [0, 1, 2] : (tensor<?x?x?xf32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>
  return %out, %lane_max, %lane_sum : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>
}

func.func private @attention_at(%q: tensor<?x?x?x?xf32>, %k: tensor<?x?x?x?xf32>, %v: tensor<?x?x?x?xf32>, %rows: tensor<?xi32>, %columns: tensor<?xi32>)
    -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) {
  %s = func.call @scores(%q, %k, %rows, %columns) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?x?x?x?x?xf32>
  %all:3 = func.call @attend(%q, %k, %v, %s) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?x?xf32>) -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>)
  return %all#0, %all#1, %all#2 : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>
}

func.func private @attention(%q: tensor<?x?x?x?xf32>, %k: tensor<?x?x?x?xf32>, %v: tensor<?x?x?x?xf32>, %row: tensor<i32>, %column: tensor<i32>)
    -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) {
  %0 = stablehlo.get_dimension_size %q, dim = 2 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %rows_count = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.dynamic_iota %rows_count, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %2 = stablehlo.dynamic_broadcast_in_dim %row, %rows_count, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  %rows = stablehlo.add %1, %2 : tensor<?xi32>
  %3 = stablehlo.get_dimension_size %k, dim = 2 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %columns_count = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
  %4 = stablehlo.dynamic_iota %columns_count, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %5 = stablehlo.dynamic_broadcast_in_dim %column, %columns_count, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  %columns = stablehlo.add %4, %5 : tensor<?xi32>
  %all:3 = func.call @attention_at(%q, %k, %v, %rows, %columns) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?xi32>, tensor<?xi32>) -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>)
  return %all#0, %all#1, %all#2 : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>
}

func.func private @merge_attention(%out0: tensor<?x?x?x?xf32>, %max0: tensor<?x?x?x?xf32>, %sum0: tensor<?x?x?x?xf32>, %out1: tensor<?x?x?x?xf32>, %max1: tensor<?x?x?x?xf32>, %sum1: tensor<?x?x?x?xf32>)
    -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) {
  %max = stablehlo.maximum %max0, %max1 : tensor<?x?x?x?xf32>
  %0 = stablehlo.subtract %max0, %max : tensor<?x?x?x?xf32>
  %1 = stablehlo.exponential %0 : tensor<?x?x?x?xf32>
  %weight0 = stablehlo.multiply %1, %sum0 : tensor<?x?x?x?xf32>
  %2 = stablehlo.subtract %max1, %max : tensor<?x?x?x?xf32>
  %3 = stablehlo.exponential %2 : tensor<?x?x?x?xf32>
  %weight1 = stablehlo.multiply %3, %sum1 : tensor<?x?x?x?xf32>
  %sum = stablehlo.add %weight0, %weight1 : tensor<?x?x?x?xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = stablehlo.get_dimension_size %out0, dim = 0 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %b = stablehlo.reshape %4 : (tensor<i32>) -> tensor<1xi32>
  %5 = stablehlo.get_dimension_size %out0, dim = 1 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %h = stablehlo.reshape %5 : (tensor<i32>) -> tensor<1xi32>
  %6 = stablehlo.get_dimension_size %out0, dim = 2 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %t = stablehlo.reshape %6 : (tensor<i32>) -> tensor<1xi32>
  %7 = stablehlo.get_dimension_size %out0, dim = 3 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %d = stablehlo.reshape %7 : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %b, %h, %t, %d, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %8 = stablehlo.divide %weight0, %sum : tensor<?x?x?x?xf32>
  %9 = stablehlo.reduce(%8 init: %zero) applies stablehlo.maximum across dimensions = [3] : (tensor<?x?x?x?xf32>, tensor<f32>) -> tensor<?x?x?xf32>
  %10 = stablehlo.dynamic_broadcast_in_dim %9, %shape, dims = [0, 1, 2] : (tensor<?x?x?xf32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>
  %11 = stablehlo.multiply %out0, %10 : tensor<?x?x?x?xf32>
  %12 = stablehlo.divide %weight1, %sum : tensor<?x?x?x?xf32>
  %13 = stablehlo.reduce(%12 init: %zero) applies stablehlo.maximum across dimensions = [3] : (tensor<?x?x?x?xf32>, tensor<f32>) -> tensor<?x?x?xf32>
  %14 = stablehlo.dynamic_broadcast_in_dim %13, %shape, dims = [0, 1, 2] : (tensor<?x?x?xf32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>
  %15 = stablehlo.multiply %out1, %14 : tensor<?x?x?x?xf32>
  %out = stablehlo.add %11, %15 : tensor<?x?x?x?xf32>
  return %out, %max, %sum : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>
}
