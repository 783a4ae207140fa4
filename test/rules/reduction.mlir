// RUN: spmd-opt %s --spmd-check-rules=all=true --verify-diagnostics -o %t

// Reductions by the kind of their body, or by a body that is no kind.
func.func private @reductions(%x: tensor<5x7xf32>, %i: tensor<5x7xi32>, %p: tensor<5x7xi1>, %init: tensor<f32>, %start: tensor<i32>) {
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [1] : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %1 = stablehlo.reduce(%i init: %start) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x7xi32>, tensor<i32>) -> tensor<i32>
  %2 = stablehlo.reduce(%x init: %init) applies stablehlo.minimum across dimensions = [0] : (tensor<5x7xf32>, tensor<f32>) -> tensor<7xf32>
  %3 = stablehlo.reduce(%i init: %start) applies stablehlo.multiply across dimensions = [0] : (tensor<5x7xi32>, tensor<i32>) -> tensor<7xi32>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %4 = stablehlo.reduce(%p init: %true) applies stablehlo.and across dimensions = [1] : (tensor<5x7xi1>, tensor<i1>) -> tensor<5xi1>
  %low = stablehlo.constant dense<-100.0> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %best:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [1]
      : (tensor<5x7xf32>, tensor<5x7xi32>, tensor<f32>, tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>)
   reducer(%u: tensor<f32>, %v: tensor<f32>) (%a: tensor<i32>, %b: tensor<i32>) {
    %first = stablehlo.compare GE, %u, %v : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %value = stablehlo.select %first, %u, %v : tensor<i1>, tensor<f32>
    %place = stablehlo.select %first, %a, %b : tensor<i1>, tensor<i32>
    stablehlo.return %value, %place : tensor<f32>, tensor<i32>
  }
  return
}

// Over each dim a window; over a dim as long as the window, a scan.
func.func private @windows(%x: tensor<11x7xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %pooled = "stablehlo.reduce_window"(%x, %five) <{base_dilations = array<i64: 2, 1>, padding = dense<[[1, 0], [1, 1]]> : tensor<2x2xi64>,
      window_dilations = array<i64: 3, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<i32>) -> tensor<8x4xi32>
  %running = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[10, 0], [0, 6]]> : tensor<2x2xi64>, window_dimensions = array<i64: 11, 7>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<i32>) -> tensor<11x7xi32>
  %counted = "stablehlo.reduce_window"(%x, %five) <{padding = dense<[[0, 10], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 11, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<i32>) -> tensor<11x7xi32>
  return
}

func.func private @pooling_gradient(%x: tensor<5x6x8xf32>, %g: tensor<5x3x4xf32>, %zero: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%x, %g, %zero) <{window_dimensions = array<i64: 1, 2, 2>, window_strides = array<i64: 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5x6x8xf32>, tensor<5x3x4xf32>, tensor<f32>) -> tensor<5x6x8xf32>
  return
}

func.func private @sorts(%x: tensor<5x7xf32>, %i: tensor<5x7xi32>) {
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<5x7xf32>, tensor<5x7xi32>) -> (tensor<5x7xf32>, tensor<5x7xi32>)
  return
}

// Long enough to be sorted in parts; equal rows cannot be told apart.
func.func private @long_sorts(%x: tensor<70x2xi8>) {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %p = stablehlo.compare GT, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<70x2xi8>) -> tensor<70x2xi8>
  return
}
