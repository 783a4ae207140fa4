// RUN: spmd-run %s | FileCheck %s
// RUN: spmd-translate --export-hlo --form=v1 %s -o %t.txt && spmd-run %t.txt | FileCheck %s
// RUN: spmd-translate --export-hlo-proto --form=v3 %s -o %t.pb && spmd-run %t.pb | FileCheck %s
// CHECK: equal: {{ *}}yes

// Devices in orders that no one mesh has axes for; data goes from one order to another, unevenly.
module attributes {mhlo.num_partitions = 8 : i32} {
  func.func @main(%a: tensor<8x16xf32> {mhlo.sharding = "{devices=[4,2]<=[8]}"}, %b: tensor<9x7xf32> {mhlo.sharding = "{devices=[8,1]7,6,5,4,3,2,1,0}"})
      -> (tensor<8x16xf32> {mhlo.sharding = "{devices=[1,8]0,3,6,5,1,2,7,4}"}, tensor<9x7xf32>) {
    %0 = stablehlo.add %a, %a : tensor<8x16xf32>
    %1 = stablehlo.custom_call @Sharding(%b) {mhlo.sharding = "{devices=[1,4,2]0,3,6,5,1,2,7,4 last_tile_dim_replicate}"} : (tensor<9x7xf32>) -> tensor<9x7xf32>
    return %0, %1 : tensor<8x16xf32>, tensor<9x7xf32>
  }
}
