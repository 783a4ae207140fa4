// RUN: spmd-opt %s --spmd-pipeline --verify-diagnostics

sdy.mesh @mesh = <["x"=4]>

func.func @uneven(%x: tensor<15xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<15xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-error @below {{'spmd.rotate' op moves 15 rows round over 4 devices, which does not divide; join slices}}
  %0 = spmd.rotate %x by 2 along 0 : tensor<15xf32>
  return %0 : tensor<15xf32>
}
