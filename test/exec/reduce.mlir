// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=10, "y"=1]>/' %s | spmd-run -

// Every kind of reduction over split dims that do not divide, with initial values that count once.
sdy.mesh @mesh = MESH

func.func public @main(%i32: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %f32: tensor<5x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
                       %i1: tensor<7x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}, %ui8: tensor<9x2xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
    -> (tensor<7xi32>, tensor<i32>, tensor<7xi32>, tensor<i32>, tensor<7xi32>, tensor<i32>, tensor<7xi32>,
        tensor<i32>, tensor<7xi32>, tensor<i32>, tensor<7xi32>, tensor<i32>, tensor<7xi32>, tensor<i32>,
        tensor<6xf32>, tensor<f32>, tensor<6xf32>, tensor<f32>, tensor<6xf32>, tensor<f32>, tensor<6xf32>,
        tensor<f32>, tensor<3xi1>, tensor<i1>, tensor<3xi1>, tensor<i1>, tensor<3xi1>, tensor<i1>, tensor<2xui8>,
        tensor<ui8>, tensor<2xui8>, tensor<ui8>, tensor<2xui8>, tensor<ui8>) {
  %init0 = stablehlo.constant dense<100> : tensor<i32>
  %rows0 = stablehlo.reduce(%i32 init: %init0) applies stablehlo.add across dimensions = [0] : (tensor<10x7xi32>, tensor<i32>) -> tensor<7xi32>
  %all0 = stablehlo.reduce(%i32 init: %init0) applies stablehlo.add across dimensions = [0, 1] : (tensor<10x7xi32>, tensor<i32>) -> tensor<i32>
  %init1 = stablehlo.constant dense<3> : tensor<i32>
  %rows1 = stablehlo.reduce(%i32 init: %init1) applies stablehlo.maximum across dimensions = [0] : (tensor<10x7xi32>, tensor<i32>) -> tensor<7xi32>
  %all1 = stablehlo.reduce(%i32 init: %init1) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<10x7xi32>, tensor<i32>) -> tensor<i32>
  %init2 = stablehlo.constant dense<2> : tensor<i32>
  %rows2 = stablehlo.reduce(%i32 init: %init2) applies stablehlo.minimum across dimensions = [0] : (tensor<10x7xi32>, tensor<i32>) -> tensor<7xi32>
  %all2 = stablehlo.reduce(%i32 init: %init2) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<10x7xi32>, tensor<i32>) -> tensor<i32>
  %init3 = stablehlo.constant dense<7> : tensor<i32>
  %rows3 = stablehlo.reduce(%i32 init: %init3) applies stablehlo.multiply across dimensions = [0] : (tensor<10x7xi32>, tensor<i32>) -> tensor<7xi32>
  %all3 = stablehlo.reduce(%i32 init: %init3) applies stablehlo.multiply across dimensions = [0, 1] : (tensor<10x7xi32>, tensor<i32>) -> tensor<i32>
  %init4 = stablehlo.constant dense<6> : tensor<i32>
  %rows4 = stablehlo.reduce(%i32 init: %init4) applies stablehlo.and across dimensions = [0] : (tensor<10x7xi32>, tensor<i32>) -> tensor<7xi32>
  %all4 = stablehlo.reduce(%i32 init: %init4) applies stablehlo.and across dimensions = [0, 1] : (tensor<10x7xi32>, tensor<i32>) -> tensor<i32>
  %init5 = stablehlo.constant dense<8> : tensor<i32>
  %rows5 = stablehlo.reduce(%i32 init: %init5) applies stablehlo.or across dimensions = [0] : (tensor<10x7xi32>, tensor<i32>) -> tensor<7xi32>
  %all5 = stablehlo.reduce(%i32 init: %init5) applies stablehlo.or across dimensions = [0, 1] : (tensor<10x7xi32>, tensor<i32>) -> tensor<i32>
  %init6 = stablehlo.constant dense<5> : tensor<i32>
  %rows6 = stablehlo.reduce(%i32 init: %init6) applies stablehlo.xor across dimensions = [0] : (tensor<10x7xi32>, tensor<i32>) -> tensor<7xi32>
  %all6 = stablehlo.reduce(%i32 init: %init6) applies stablehlo.xor across dimensions = [0, 1] : (tensor<10x7xi32>, tensor<i32>) -> tensor<i32>
  %init7 = stablehlo.constant dense<1.5> : tensor<f32>
  %rows7 = stablehlo.reduce(%f32 init: %init7) applies stablehlo.add across dimensions = [0] : (tensor<5x6xf32>, tensor<f32>) -> tensor<6xf32>
  %all7 = stablehlo.reduce(%f32 init: %init7) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x6xf32>, tensor<f32>) -> tensor<f32>
  %init8 = stablehlo.constant dense<-3.0> : tensor<f32>
  %rows8 = stablehlo.reduce(%f32 init: %init8) applies stablehlo.maximum across dimensions = [0] : (tensor<5x6xf32>, tensor<f32>) -> tensor<6xf32>
  %all8 = stablehlo.reduce(%f32 init: %init8) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x6xf32>, tensor<f32>) -> tensor<f32>
  %init9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %rows9 = stablehlo.reduce(%f32 init: %init9) applies stablehlo.minimum across dimensions = [0] : (tensor<5x6xf32>, tensor<f32>) -> tensor<6xf32>
  %all9 = stablehlo.reduce(%f32 init: %init9) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<5x6xf32>, tensor<f32>) -> tensor<f32>
  %init10 = stablehlo.constant dense<0.5> : tensor<f32>
  %rows10 = stablehlo.reduce(%f32 init: %init10) applies stablehlo.multiply across dimensions = [0] : (tensor<5x6xf32>, tensor<f32>) -> tensor<6xf32>
  %all10 = stablehlo.reduce(%f32 init: %init10) applies stablehlo.multiply across dimensions = [0, 1] : (tensor<5x6xf32>, tensor<f32>) -> tensor<f32>
  %init11 = stablehlo.constant dense<true> : tensor<i1>
  %rows11 = stablehlo.reduce(%i1 init: %init11) applies stablehlo.and across dimensions = [0] : (tensor<7x3xi1>, tensor<i1>) -> tensor<3xi1>
  %all11 = stablehlo.reduce(%i1 init: %init11) applies stablehlo.and across dimensions = [0, 1] : (tensor<7x3xi1>, tensor<i1>) -> tensor<i1>
  %init12 = stablehlo.constant dense<false> : tensor<i1>
  %rows12 = stablehlo.reduce(%i1 init: %init12) applies stablehlo.or across dimensions = [0] : (tensor<7x3xi1>, tensor<i1>) -> tensor<3xi1>
  %all12 = stablehlo.reduce(%i1 init: %init12) applies stablehlo.or across dimensions = [0, 1] : (tensor<7x3xi1>, tensor<i1>) -> tensor<i1>
  %init13 = stablehlo.constant dense<false> : tensor<i1>
  %rows13 = stablehlo.reduce(%i1 init: %init13) applies stablehlo.maximum across dimensions = [0] : (tensor<7x3xi1>, tensor<i1>) -> tensor<3xi1>
  %all13 = stablehlo.reduce(%i1 init: %init13) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<7x3xi1>, tensor<i1>) -> tensor<i1>
  %init14 = stablehlo.constant dense<200> : tensor<ui8>
  %rows14 = stablehlo.reduce(%ui8 init: %init14) applies stablehlo.add across dimensions = [0] : (tensor<9x2xui8>, tensor<ui8>) -> tensor<2xui8>
  %all14 = stablehlo.reduce(%ui8 init: %init14) applies stablehlo.add across dimensions = [0, 1] : (tensor<9x2xui8>, tensor<ui8>) -> tensor<ui8>
  %init15 = stablehlo.constant dense<1> : tensor<ui8>
  %rows15 = stablehlo.reduce(%ui8 init: %init15) applies stablehlo.maximum across dimensions = [0] : (tensor<9x2xui8>, tensor<ui8>) -> tensor<2xui8>
  %all15 = stablehlo.reduce(%ui8 init: %init15) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<9x2xui8>, tensor<ui8>) -> tensor<ui8>
  %init16 = stablehlo.constant dense<255> : tensor<ui8>
  %rows16 = stablehlo.reduce(%ui8 init: %init16) applies stablehlo.minimum across dimensions = [0] : (tensor<9x2xui8>, tensor<ui8>) -> tensor<2xui8>
  %all16 = stablehlo.reduce(%ui8 init: %init16) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<9x2xui8>, tensor<ui8>) -> tensor<ui8>
  return %rows0, %all0, %rows1, %all1, %rows2, %all2, %rows3, %all3, %rows4, %all4, %rows5, %all5, %rows6, %all6,
          %rows7, %all7, %rows8, %all8, %rows9, %all9, %rows10, %all10, %rows11, %all11, %rows12, %all12, %rows13,
          %all13, %rows14, %all14, %rows15, %all15, %rows16, %all16
      : tensor<7xi32>, tensor<i32>, tensor<7xi32>, tensor<i32>, tensor<7xi32>, tensor<i32>, tensor<7xi32>,
        tensor<i32>, tensor<7xi32>, tensor<i32>, tensor<7xi32>, tensor<i32>, tensor<7xi32>, tensor<i32>,
        tensor<6xf32>, tensor<f32>, tensor<6xf32>, tensor<f32>, tensor<6xf32>, tensor<f32>, tensor<6xf32>,
        tensor<f32>, tensor<3xi1>, tensor<i1>, tensor<3xi1>, tensor<i1>, tensor<3xi1>, tensor<i1>, tensor<2xui8>,
        tensor<ui8>, tensor<2xui8>, tensor<ui8>, tensor<2xui8>, tensor<ui8>
}
