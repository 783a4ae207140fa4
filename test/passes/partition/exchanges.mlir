// RUN: spmd-opt %s --spmd-pipeline -o %t
// RUN: FileCheck %s < %t

// What is sent where whole lines are needed along a split dim.
sdy.mesh @mesh = <["x"=8]>

// Rows are dealt out and back; of 512 rows, 49 are read beyond the shard on each side.
// CHECK-LABEL: func.func public @sort
// CHECK: "stablehlo.sort"(%arg0)
// CHECK: "stablehlo.all_to_all"
// CHECK-SAME: (tensor<64xf32>) -> tensor<64xf32>
// CHECK: "stablehlo.sort"
// CHECK: "stablehlo.all_to_all"
// CHECK-SAME: (tensor<64xf32>) -> tensor<64xf32>
// CHECK: "stablehlo.collective_permute"
// CHECK-SAME: (tensor<49xf32>) -> tensor<49xf32>
// CHECK: "stablehlo.collective_permute"
// CHECK-SAME: (tensor<49xf32>) -> tensor<49xf32>
// CHECK: "stablehlo.sort"
// CHECK-SAME: is_stable = true
// CHECK: stablehlo.slice {{.*}} [49:113]
// CHECK-NOT: stablehlo.all
// CHECK: return
func.func public @sort(%x: tensor<512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<512xf32>) -> tensor<512xf32>
  return %0 : tensor<512xf32>
}

// Equal rows keep their order by their places in the whole, which travel along.
// CHECK-LABEL: func.func public @sort_with_ties
// CHECK-COUNT-2: (tensor<128xi32>) -> tensor<128xi32>
// CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK: return
func.func public @sort_with_ties(%x: tensor<1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<1024xf32>) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}

// The last dim is transformed where it is; lines of the other go around.
// CHECK-LABEL: func.func public @fft
// CHECK: stablehlo.fft %arg0, type = RFFT, length = [12] : (tensor<2x12xf32>) -> tensor<2x7xcomplex<f32>>
// CHECK: "stablehlo.all_to_all"
// CHECK-SAME: (tensor<8x2xcomplex<f32>>) -> tensor<1x16xcomplex<f32>>
// CHECK: stablehlo.fft {{.*}}, type = FFT, length = [16] : (tensor<1x16xcomplex<f32>>) -> tensor<1x16xcomplex<f32>>
// CHECK: "stablehlo.all_to_all"
// CHECK-SAME: (tensor<1x16xcomplex<f32>>) -> tensor<8x2xcomplex<f32>>
// CHECK-NOT: stablehlo.all
// CHECK: return
func.func public @fft(%x: tensor<16x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16x7xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.fft %x, type = RFFT, length = [16, 12] : (tensor<16x12xf32>) -> tensor<16x7xcomplex<f32>>
  return %0 : tensor<16x7xcomplex<f32>>
}

// Each device makes its own blocks of four words, and nothing is sent.
// CHECK-LABEL: func.func public @bits
// CHECK-NOT: stablehlo.rng_bit_generator
// CHECK-NOT: stablehlo.all
// CHECK: stablehlo.iota dim = 0 : tensor<24xui64>
// CHECK: stablehlo.concatenate {{.*}} -> tensor<24x4xui32>
// CHECK: return {{.*}} : tensor<2xui64>, tensor<8x12xui32>
func.func public @bits(%state: tensor<2xui64> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
    -> (tensor<2xui64> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<64x12xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %next, %bits = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<64x12xui32>)
  return %next, %bits : tensor<2xui64>, tensor<64x12xui32>
}
