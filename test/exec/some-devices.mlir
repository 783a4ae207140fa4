// RUN: spmd-run %s
// RUN: sed 's/{mhlo.num_partitions = 8 : i32}/{}/' %s | spmd-run -

// Values on some of 8 devices, or on one, meet others. Devices that idle hold copies.
module attributes {mhlo.num_partitions = 8 : i32} {
  func.func @main(%a: tensor<4x6xf32> {mhlo.sharding = "{devices=[2,2]1,3,5,7}"},
                  %b: tensor<6x4xf32> {mhlo.sharding = "{devices=[4,2]<=[8]}"},
                  %c: tensor<4x4xf32> {mhlo.sharding = "{maximal device=3}"},
                  %d: tensor<7xi32> {mhlo.sharding = "{devices=[2]6,2}"})
      -> (tensor<4x4xf32> {mhlo.sharding = "{mesh['x'=2,'y'=2], device_ids=(0,2,5,7) [{'y'},{'x'}]}"}, tensor<4xf32> {mhlo.sharding = "{devices=[4]4,5,6,7}"},
          tensor<7xi32> {mhlo.sharding = "{devices=[4]<=[4]}"}) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[2,1,2]7,5,3,1 last_tile_dim_replicate}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.add %1, %c : tensor<4x4xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %4 = stablehlo.add %d, %d : tensor<7xi32>
    return %2, %3, %4 : tensor<4x4xf32>, tensor<4xf32>, tensor<7xi32>
  }
}
