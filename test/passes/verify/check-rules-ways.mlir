// RUN: spmd-opt %s --spmd-check-rules='remarks=true meshes=2,4,2x3' --verify-diagnostics -o %t

// Rules that go several ways at once, and hold.

// Sums of 3 rows and 4 columns around each place.
func.func private @around(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 3, 4>, padding = dense<[[1, 1], [2, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// The sums of each row and the one before it, times its place.
func.func private @placed(%x: tensor<?x?xf32>, %first: tensor<i32>) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %columns = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.reshape %columns : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %3 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
  %4 = stablehlo.dynamic_broadcast_in_dim %first, %shape, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x?xi32>
  %5 = stablehlo.add %3, %4 : tensor<?x?xi32>
  %6 = stablehlo.convert %5 : (tensor<?x?xi32>) -> tensor<?x?xf32>
  %7 = stablehlo.multiply %0, %6 : tensor<?x?xf32>
  return %7 : tensor<?x?xf32>
}

// Each query meets all keys, for sums of 2 columns of values; and backward, each key all queries.
func.func private @met(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>, %g: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = "stablehlo.reduce_window"(%v, %zero) <{window_dimensions = array<i64: 1, 2>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %0 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.sine %0 : tensor<?x?xf32>
  %2 = stablehlo.dot_general %1, %sums, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = stablehlo.dot_general %1, %g, contracting_dims = [0] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>
}

func.func @main(%x: tensor<8x12xf32>, %first: tensor<i32>, %q: tensor<8x3xf32>, %k: tensor<8x3xf32>, %v: tensor<8x12xf32>, %g: tensor<8x12xf32>) {
  // Halos of two dims.
  // expected-remark @below {{'stablehlo.custom_call' op rule holds on 17 placements}}
  %0 = stablehlo.custom_call @f(%x) {spmd.reference = @around, spmd.rule = {dims = "([i, j])->([i, j])",
      along = [{factor = "i", ways = ["halo"], low = 1, high = 1}, {factor = "j", ways = ["halo"], low = 2, high = 1}]}} : (tensor<8x12xf32>) -> tensor<8x12xf32>
  // Rows are counted from the first that is read.
  // expected-remark @below {{'stablehlo.custom_call' op rule holds on 17 placements}}
  %1 = stablehlo.custom_call @f(%x, %first) {spmd.reference = @placed, spmd.rule = {dims = "([i, j], [])->([i, j])",
      along = [{factor = "i", ways = ["halo"], low = 1}], offset = [{operand = 1, factor = "i"}]}} : (tensor<8x12xf32>, tensor<i32>) -> tensor<8x12xf32>
  // A halo beside each of the other ways, before and behind it.
  // expected-remark @below {{'stablehlo.custom_call' op rule holds on}}
  %2:2 = stablehlo.custom_call @f(%q, %k, %v, %g) {spmd.reference = @met, spmd.rule = {dims = "([i, j], [k, j], [k, l], [i, l])->([i, l], [k, l]) need_replication={j}",
      along = [{factor = "k", with = "i", ways = ["gather"]}, {factor = "l", ways = ["halo"], low = 1}]}} : (tensor<8x3xf32>, tensor<8x3xf32>, tensor<8x12xf32>, tensor<8x12xf32>) -> (tensor<8x12xf32>, tensor<8x12xf32>)
  // expected-remark @below {{'stablehlo.custom_call' op rule holds on}}
  %3:2 = stablehlo.custom_call @f(%q, %k, %v, %g) {spmd.reference = @met, spmd.rule = {dims = "([i, j], [k, j], [k, l], [i, l])->([i, l], [k, l]) need_replication={j}",
      along = [{factor = "l", ways = ["halo"], low = 1}, {factor = "k", with = "i", ways = ["ring"]}]}} : (tensor<8x3xf32>, tensor<8x3xf32>, tensor<8x12xf32>, tensor<8x12xf32>) -> (tensor<8x12xf32>, tensor<8x12xf32>)
  // expected-remark @below {{'stablehlo.custom_call' op rule holds on}}
  %4:2 = stablehlo.custom_call @f(%q, %k, %v, %g) {spmd.reference = @met, spmd.rule = {dims = "([i, j], [k, j], [k, l], [i, l])->([i, l], [k, l]) need_replication={j}",
      along = [{factor = "k", with = "i", ways = ["ring", "all_to_all", "gather"]}, {factor = "l", ways = ["halo"], low = 1}]}} : (tensor<8x3xf32>, tensor<8x3xf32>, tensor<8x12xf32>, tensor<8x12xf32>) -> (tensor<8x12xf32>, tensor<8x12xf32>)
  // Rows that go round, and of which neighbours read some, stay whole.
  // expected-remark @below {{'stablehlo.custom_call' op rule holds on}}
  %5 = stablehlo.custom_call @f(%x) {spmd.reference = @around, spmd.rule = {dims = "([i, j])->([i, j])",
      along = [{factor = "i", ways = ["halo"], low = 1, high = 1}, {factor = "j", with = "i", ways = ["all_to_all"]}]}} : (tensor<8x12xf32>) -> tensor<8x12xf32>
  return
}
