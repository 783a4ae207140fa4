// RUN: split-file %s %t
// RUN: spmd-opt %t/program.mlir --spmd-refine-shapes=sizes=3 --verify-diagnostics --split-input-file
// RUN: spmd-opt %t/negative.mlir --spmd-refine-shapes=sizes=3,-2 --verify-diagnostics
// RUN: spmd-opt %t/large.mlir --spmd-refine-shapes=sizes=144115188075855872 --verify-diagnostics

//--- program.mlir
// expected-error @below {{sizes has 1 entries, the arguments of @main have 2 dynamic dims}}
module {
  func.func @main(%x: tensor<?x?xf32>) {
    return
  }
}

// -----

// expected-error @below {{argument 0 of @main has size 3 in dim 0, its bound is 2}}
func.func @main(%x: tensor<?xf32, #stablehlo.bounds<2>>) {
  return
}

//--- negative.mlir
// expected-error @below {{sizes has -2; a size is at least 0}}
module {
  func.func @main(%x: tensor<?x?xf32>) {
    return
  }
}

//--- large.mlir
// expected-error @below {{argument 0 of @main has type 'tensor<144115188075855872xf32>'; at most 2^56 elements are supported}}
func.func @main(%x: tensor<?xf32>) {
  return
}
