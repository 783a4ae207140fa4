// RUN: spmd-translate %s --export-hlo | FileCheck %s

// CHECK: HloModule module, entry_computation_layout={(f32[4]{0})->f32[4]{0}}
// CHECK: ENTRY %main (
// CHECK-NEXT: [[WEIGHTS:%[-a-z0-9_.]+]] = f32[4]{0} parameter(0)
// CHECK-NEXT: [[NEGATE:%[-a-z0-9_.]+]] = f32[4]{0} negate([[WEIGHTS]]), metadata={op_name="jit(f)/neg" source_file="model.py" source_line=7 source_column=3}
// CHECK-NEXT: [[TWICE:%[-a-z0-9_.]+]] = f32[4]{0} abs([[NEGATE]])
// CHECK-NEXT: [[TWICE2:%[-a-z0-9_.]+]] = f32[4]{0} abs([[TWICE]]), metadata={op_name="twice"}
// CHECK-NEXT: [[INNER:%[-a-z0-9_.]+]] = f32[4]{0} sqrt([[TWICE2]]), metadata={source_file="layer.py" source_line=2 source_column=5}
// CHECK-NEXT: [[COSINE:%[-a-z0-9_.]+]] = f32[4]{0} cosine([[INNER]]), metadata={source_file="model.py" source_line=10 source_column=2}
// CHECK-NEXT: ROOT [[SINE:%[-a-z0-9_.]+]] = f32[4]{0} sine([[COSINE]])

// The name of a location is that of the instruction where it is a word, and metadata else.
func.func @main(%x: tensor<4xf32> loc("weights")) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32> loc("jit(f)/neg"("model.py":7:3))
  %1 = stablehlo.abs %0 : tensor<4xf32> loc("twice")
  %2 = stablehlo.abs %1 : tensor<4xf32> loc("twice")
  %3 = stablehlo.sqrt %2 : tensor<4xf32> loc(callsite("inner"("layer.py":2:5) at "model.py":9:1))
  %4 = stablehlo.cosine %3 : tensor<4xf32> loc(fused["model.py":10:2, "model.py":11:2])
  %5 = stablehlo.sine %4 : tensor<4xf32> loc(unknown)
  return %5 : tensor<4xf32>
}
