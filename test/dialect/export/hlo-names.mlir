// RUN: spmd-translate %s --export-hlo --no-metadata | FileCheck %s
// Names that ops wish for, and those made of an opcode and a number, are each given once, whichever comes first.

// CHECK: %add.3 = f32[4]{0} parameter(0)
// CHECK: %negate.2 = f32[4]{0} negate(%add.3)
// CHECK: %add.3.1 = f32[4]{0} add(%negate.2, %add.3)
// CHECK: %negate.2.1 = f32[4]{0} abs(%add.3.1)
// CHECK: %negate.02 = f32[4]{0} sine(%negate.2.1)
// CHECK: %negate.2.2 = f32[4]{0} cosine(%negate.02)
// CHECK: ROOT %negate.7 = f32[4]{0} sqrt(%negate.2.2)

func.func @main(%x: tensor<4xf32> loc("add.3")) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.add %0, %x : tensor<4xf32>
  %2 = stablehlo.abs %1 : tensor<4xf32> loc("negate.2")
  %3 = stablehlo.sine %2 : tensor<4xf32> loc("negate.02")
  %4 = stablehlo.cosine %3 : tensor<4xf32> loc("negate.2")
  %5 = stablehlo.sqrt %4 : tensor<4xf32> loc("negate.7")
  return %5 : tensor<4xf32>
}
