// RUN: spmd-opt %s --spmd-pipeline --split-input-file --verify-diagnostics
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false --split-input-file --verify-diagnostics
// A weight that is pinned by rows, and by columns through a second constraint: an error that names both, and not the
// last one wins.

sdy.mesh @mesh = <["data"=1, "tp"=4]>
// expected-note @below {{the other pin is here}}
func.func @main(%w1: !spmd.buffer<tensor<32x10xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>}) -> tensor<32x10xf32> {
  // expected-error @below {{'spmd.reshape_view' op pins a buffer to #sdy.sharding<@mesh, [{}, {"tp"}]>, which is pinned to #sdy.sharding<@mesh, [{"tp"}, {}]>; a buffer lies in one way}}
  %v = spmd.reshape_view %w1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"tp"}]>]>}
      : (!spmd.buffer<tensor<32x10xf32>>) -> !spmd.buffer<tensor<32x10xf32>>
  %0 = spmd.load %v : !spmd.buffer<tensor<32x10xf32>>
  return %0 : tensor<32x10xf32>
}

// -----

// An intermediate result that is annotated twice.
sdy.mesh @mesh = <["data"=1, "tp"=4]>
func.func @main(%t: tensor<32x10xf32>) -> tensor<32x10xf32> {
  %h = spmd.alloc : !spmd.buffer<tensor<32x10xf32>>
  spmd.store %t, %h : !spmd.buffer<tensor<32x10xf32>>
  // expected-note @below {{the other pin is here}}
  %first = spmd.reshape_view %h {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"tp"}, {}]>]>}
      : (!spmd.buffer<tensor<32x10xf32>>) -> !spmd.buffer<tensor<32x10xf32>>
  // expected-error @below {{'spmd.reshape_view' op pins a buffer to #sdy.sharding<@mesh, [{}, {"tp"}]>, which is pinned to #sdy.sharding<@mesh, [{"tp"}, {}]>; a buffer lies in one way}}
  %second = spmd.reshape_view %first {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"tp"}]>]>}
      : (!spmd.buffer<tensor<32x10xf32>>) -> !spmd.buffer<tensor<32x10xf32>>
  %0 = spmd.load %second : !spmd.buffer<tensor<32x10xf32>>
  return %0 : tensor<32x10xf32>
}

// -----

// A weight that is pinned, and all of it once more, through views that show all of it as it is.
sdy.mesh @mesh = <["data"=1, "tp"=4]>
// expected-note @below {{the other pin is here}}
func.func @main(%w1: !spmd.buffer<tensor<32x10xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>}) -> (tensor<32x10xf32>, tensor<32x10xf32>) {
  // expected-error @below {{'spmd.slice_view' op pins a buffer to #sdy.sharding<@mesh, [{}, {"tp"}]>, which is pinned to #sdy.sharding<@mesh, [{"tp"}, {}]>; a buffer lies in one way}}
  %all = spmd.slice_view %w1 [0:32, 0:10] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"tp"}]>]>}
      : (!spmd.buffer<tensor<32x10xf32>>) -> !spmd.buffer<tensor<32x10xf32>>
  %flat = spmd.reshape_view %w1 : (!spmd.buffer<tensor<32x10xf32>>) -> !spmd.buffer<tensor<10x32xf32>>
  %other = spmd.transpose_view %flat, dims = [1, 0] : (!spmd.buffer<tensor<10x32xf32>>) -> !spmd.buffer<tensor<32x10xf32>>
  %same = spmd.transpose_view %other, dims = [1, 0] : (!spmd.buffer<tensor<32x10xf32>>) -> !spmd.buffer<tensor<10x32xf32>>
  // expected-error @below {{'spmd.reshape_view' op pins a buffer to #sdy.sharding<@mesh, [{}, {"tp"}]>, which is pinned to #sdy.sharding<@mesh, [{"tp"}, {}]>; a buffer lies in one way}}
  %back = spmd.reshape_view %same {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"tp"}]>]>}
      : (!spmd.buffer<tensor<10x32xf32>>) -> !spmd.buffer<tensor<32x10xf32>>
  %0 = spmd.load %all : !spmd.buffer<tensor<32x10xf32>>
  %1 = spmd.load %back : !spmd.buffer<tensor<32x10xf32>>
  return %0, %1 : tensor<32x10xf32>, tensor<32x10xf32>
}

// -----

// The same size with its elements elsewhere is another shape: these pins are of two views, and both hold.
sdy.mesh @mesh = <["data"=1, "tp"=4]>
func.func @main(%w1: !spmd.buffer<tensor<10x10xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>}) -> tensor<10x10xf32> {
  %turned = spmd.transpose_view %w1, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"tp"}]>]>}
      : (!spmd.buffer<tensor<10x10xf32>>) -> !spmd.buffer<tensor<10x10xf32>>
  %0 = spmd.load %turned : !spmd.buffer<tensor<10x10xf32>>
  return %0 : tensor<10x10xf32>
}
