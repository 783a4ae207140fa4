module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x6xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}) -> (tensor<8x6xf32> {mhlo.sharding = "{replicated}"}) {
    return %x : tensor<8x6xf32>
  }
}
