// RUN: spmd-opt %s --split-input-file --spmd-refine-shapes --verify-diagnostics

func.func @main(%x: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  // expected-error @below {{'tensor.dim' op has no form in StableHLO; give its program static shapes, or sizes as stablehlo.get_dimension_size}}
  %0 = tensor.dim %x, %i : tensor<4xf32>
  %1 = tensor.from_elements %0 : tensor<1xindex>
  return %x : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  // expected-error @below {{'tensor.dim' op has a result of type 'index', which func.return takes; only ops of StableHLO take sizes}}
  %0 = tensor.dim %x, %c0 : tensor<4xf32>
  return %0 : index
}
