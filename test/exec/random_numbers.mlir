// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=1, "y"=6]>/' %s | spmd-run -

// Random bits are counted: each device makes those of its own part, and they are those of the whole
// program. (Numbers of `rng` are not: each device makes all, and takes its part.)
sdy.mesh @mesh = MESH

func.func private @threefry(%seed: tensor<2xui64>)
    -> (tensor<2xui64>, tensor<7x4xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<12x5x16xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}]>},
        tensor<9x15xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<5x6xui64> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}, tensor<31xui16> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>}) {
  %s0, %0 = stablehlo.rng_bit_generator %seed, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7x4xui32>)
  %s1, %1 = stablehlo.rng_bit_generator %s0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<12x5x16xi8>)
  %s2, %2 = stablehlo.rng_bit_generator %s1, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<9x15xui32>)
  %s3, %3 = stablehlo.rng_bit_generator %s2, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x6xui64>)
  %s4, %4 = stablehlo.rng_bit_generator %s3, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<31xui16>)
  %shift = stablehlo.constant dense<9> : tensor<9x15xui32>
  %high = stablehlo.shift_right_logical %2, %shift : tensor<9x15xui32>
  %floats = stablehlo.convert %high : (tensor<9x15xui32>) -> tensor<9x15xf32>
  return %s4, %0, %1, %floats, %3, %4 : tensor<2xui64>, tensor<7x4xui32>, tensor<12x5x16xi8>, tensor<9x15xf32>, tensor<5x6xui64>, tensor<31xui16>
}

func.func private @philox(%seed: tensor<2xi64>, %long: tensor<3xui64>)
    -> (tensor<2xi64>, tensor<3xui64>, tensor<7x4xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<12x5x16xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>},
        tensor<24x15xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<5x6xui64> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}, tensor<33xui16> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>}, tensor<8x48xi64> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  %s0, %0 = stablehlo.rng_bit_generator %seed, algorithm = PHILOX : (tensor<2xi64>) -> (tensor<2xi64>, tensor<7x4xui32>)
  %s1, %1 = stablehlo.rng_bit_generator %s0, algorithm = DEFAULT : (tensor<2xi64>) -> (tensor<2xi64>, tensor<12x5x16xi8>)
  %s2, %2 = stablehlo.rng_bit_generator %s1, algorithm = PHILOX : (tensor<2xi64>) -> (tensor<2xi64>, tensor<24x15xi32>)
  %t0, %3 = stablehlo.rng_bit_generator %long, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5x6xui64>)
  %t1, %4 = stablehlo.rng_bit_generator %t0, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<33xui16>)
  %t2, %5 = stablehlo.rng_bit_generator %t1, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8x48xi64>)
  return %s2, %t2, %0, %1, %2, %3, %4, %5 : tensor<2xi64>, tensor<3xui64>, tensor<7x4xui32>, tensor<12x5x16xi8>, tensor<24x15xi32>, tensor<5x6xui64>, tensor<33xui16>, tensor<8x48xi64>
}

func.func public @main(%seed: tensor<2xui64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %signed: tensor<2xi64>, %narrow: tensor<4xui32>)
    -> (tensor<2xui64>, tensor<7x4xui32>, tensor<12x5x16xi8>, tensor<9x15xf32>, tensor<5x6xui64>, tensor<31xui16>,
        tensor<2xi64>, tensor<3xui64>, tensor<7x4xui32>, tensor<12x5x16xi8>, tensor<24x15xi32>, tensor<5x6xui64>, tensor<33xui16>, tensor<8x48xi64>,
        tensor<10x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<4xui32>, tensor<6x10xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // A counter that is about to overflow into its upper half.
  %long = stablehlo.constant dense<[5, 18446744073709551612, 7]> : tensor<3xui64>
  %0:6 = call @threefry(%seed) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7x4xui32>, tensor<12x5x16xi8>, tensor<9x15xf32>, tensor<5x6xui64>, tensor<31xui16>)
  %1:8 = call @philox(%signed, %long) : (tensor<2xi64>, tensor<3xui64>) -> (tensor<2xi64>, tensor<3xui64>, tensor<7x4xui32>, tensor<12x5x16xi8>, tensor<24x15xi32>, tensor<5x6xui64>, tensor<33xui16>, tensor<8x48xi64>)
  %low = stablehlo.constant dense<-1.0> : tensor<f32>
  %high = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<[10, 3]> : tensor<2xi64>
  %numbers = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<10x3xf32>
  %next, %bits = stablehlo.rng_bit_generator %narrow, algorithm = DEFAULT : (tensor<4xui32>) -> (tensor<4xui32>, tensor<6x10xbf16>)
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %1#0, %1#1, %1#2, %1#3, %1#4, %1#5, %1#6, %1#7, %numbers, %next, %bits
      : tensor<2xui64>, tensor<7x4xui32>, tensor<12x5x16xi8>, tensor<9x15xf32>, tensor<5x6xui64>, tensor<31xui16>,
        tensor<2xi64>, tensor<3xui64>, tensor<7x4xui32>, tensor<12x5x16xi8>, tensor<24x15xi32>, tensor<5x6xui64>, tensor<33xui16>, tensor<8x48xi64>, tensor<10x3xf32>, tensor<4xui32>, tensor<6x10xbf16>
}
