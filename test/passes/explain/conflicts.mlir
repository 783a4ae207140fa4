// What a sharding won against, with the bytes on both sides; what a decision on connected tensors saves.
// DEFINE: %{explain} = spmd-opt %s --spmd-explain
// RUN: %{explain}="value=@weight_is_larger:%r" | FileCheck %s --check-prefix=WEIGHT
// RUN: %{explain}="value=@rows_are_larger:%r conflicts=shardy" | FileCheck %s --check-prefix=ROWS
// RUN: %{explain}="value=@one_dim:%r" | FileCheck %s --check-prefix=ONE
// RUN: %{explain}="value=@decided:%0" | FileCheck %s --check-prefix=DECIDED

sdy.mesh @m = <["x"=2, "y"=4]>

// WEIGHT: %r, 'stablehlo.dot_general' op result 0 ({{.*}}): [{?}, {"x", ?}], inferred
// WEIGHT-NEXT:   dim 0 (size 8) is not split:
// WEIGHT-NEXT:     "x" of %a dim 0 ({{.*}}) does not come through 'stablehlo.dot_general' ({{.*}}): "x" splits dim 1 of %r already (512 bytes there, 1,024 bytes here)
// WEIGHT-NEXT:     to split it, write: %split = sdy.sharding_constraint %r <@m, [{"x"}, {?}]> : tensor<8x32xf32>
// WEIGHT-NEXT:   dim 1 (size 32) is split along "x":
// WEIGHT-NEXT:     from %w ({{.*}}), annotated [{}, {"x"}]
// WEIGHT-NEXT:     through 'stablehlo.dot_general' ({{.*}}): %w dim 1 -> %r dim 1
// WEIGHT-NEXT:       won against "x" of %a dim 0 ({{.*}}) for dim 0: 2,048 bytes against 512 bytes
func.func @weight_is_larger(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
                            %w: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}) -> tensor<8x32xf32> {
  %r = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0]
      : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}

// ROWS: dim 0 (size 64) is split along "x":
// ROWS-NEXT: from %a
// ROWS-NEXT: through 'stablehlo.dot_general' ({{.*}}): %a dim 0 -> %r dim 0
// ROWS-NEXT: won against "x" of %w dim 1 ({{.*}}) for dim 1: 4,096 bytes against 2,048 bytes
func.func @rows_are_larger(%a: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
                           %w: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}) -> tensor<64x32xf32> {
  %r = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0]
      : (tensor<64x16xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}

// Along one dim, too: equal sizes go to the earlier tensor.
// ONE: dim 0 (size 8) is split along "x":
// ONE-NEXT: from %a
// ONE-NEXT: through 'stablehlo.add' ({{.*}}): %a dim 0 -> %r dim 0
// ONE-NEXT: won against "y" of %b dim 0 ({{.*}}): 192 bytes against 192 bytes
func.func @one_dim(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
                   %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {}]>}) -> tensor<8x6xf32> {
  %r = stablehlo.add %a, %b : tensor<8x6xf32>
  return %r : tensor<8x6xf32>
}

// What was settled op by op is decided again for all connected tensors, where that costs less.
// DECIDED:      %0, 'stablehlo.gather' op result 0 ({{.*}}): [{"y", ?}, {?}], inferred
// DECIDED-NEXT:   dim 0 (size 4096) is split along "y":
// DECIDED-NEXT:     from %rows ({{.*}}), annotated [{"y"}]
// DECIDED-NEXT:     along 'stablehlo.gather' ({{.*}}): %rows dim 0 -> %0 dim 0
// DECIDED-NEXT:     decided for {{[0-9]+}} values together: dim 0 of %0, saves {{[0-9.,]+}} us of the cost model; was [{?}, {"y", ?}]
// DECIDED-NEXT:       won against dim 1, which %table dim 1 ({{.*}}) wants split along "y"
func.func @decided(%rows: tensor<4096xi32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>},
                   %table: tensor<8192x64xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"y"}]>},
                   %up: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}]>},
                   %down: tensor<256x64xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>}) -> tensor<4096x64xf32> {
  %0 = "stablehlo.gather"(%table, %rows) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<8192x64xf32>, tensor<4096xi32>) -> tensor<4096x64xf32>
  %1 = stablehlo.dot_general %0, %up, contracting_dims = [1] x [0] : (tensor<4096x64xf32>, tensor<64x256xf32>) -> tensor<4096x256xf32>
  %2 = stablehlo.tanh %1 : tensor<4096x256xf32>
  %3 = stablehlo.dot_general %2, %down, contracting_dims = [1] x [0] : (tensor<4096x256xf32>, tensor<256x64xf32>) -> tensor<4096x64xf32>
  %4 = stablehlo.add %0, %3 : tensor<4096x64xf32>
  return %4 : tensor<4096x64xf32>
}
