// RUN: spmd-translate %s --export-hlo --no-metadata | FileCheck %s
// Functions stand before their callers. Donated arguments are aliases or donors.

// CHECK: HloModule calls, input_output_alias={ {1}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }, entry_computation_layout={(f32[4,6]{1,0}, f32[4]{0})->(f32[4]{0}, f32[4,6]{1,0})}
// CHECK: %inner (
// CHECK-NEXT: [[P:%[-a-z0-9_.]+]] = f32[4,6]{1,0} parameter(0)
// CHECK-NEXT: ROOT [[NEGATE:%[-a-z0-9_.]+]] = f32[4,6]{1,0} negate([[P]])
// CHECK: %two (
// CHECK-NEXT: [[P2:%[-a-z0-9_.]+]] = f32[4,6]{1,0} parameter(0)
// CHECK-NEXT: [[P3:%[-a-z0-9_.]+]] = f32[4]{0} parameter(1)
// CHECK-NEXT: [[CALL:%[-a-z0-9_.]+]] = f32[4,6]{1,0} call([[P2]]), to_apply=%inner
// CHECK: ROOT {{.*}} tuple([[CALL]], [[P3]])
// CHECK: ENTRY %main (
// CHECK-NEXT: [[P4:%[-a-z0-9_.]+]] = f32[4,6]{1,0} parameter(0)
// CHECK-NEXT: [[P5:%[-a-z0-9_.]+]] = f32[4]{0} parameter(1), frontend_attributes={note="here"}
// CHECK-NEXT: [[CALL2:%[-a-z0-9_.]+]] = (f32[4,6]{1,0}, f32[4]{0}) call([[P4]], [[P5]]), to_apply=%two
// CHECK-NEXT: [[ELEMENT:%[-a-z0-9_.]+]] = f32[4,6]{1,0} get-tuple-element([[CALL2]]), index=0
// CHECK-NEXT: [[ELEMENT2:%[-a-z0-9_.]+]] = f32[4]{0} get-tuple-element([[CALL2]]), index=1
// CHECK-NEXT: [[CALL3:%[-a-z0-9_.]+]] = f32[4,6]{1,0} call([[ELEMENT]]), to_apply=%inner, is_composite=true, frontend_attributes={composite.attributes={eps = 1.000000e-03 : f32},composite.name="my.op",composite.version="2"}
// CHECK-NEXT: [[CUSTOM_CALL:%[-a-z0-9_.]+]] = (f32[4,6]{0,1}, f32[4]{0}) custom-call([[CALL3]]), custom_call_target="factorize", operand_layout_constraints={f32[4,6]{0,1}}, custom_call_has_side_effect=true, output_to_operand_aliasing={{[{][{]}}0}: (0, {})}, api_version=API_VERSION_TYPED_FFI, backend_config={uplo = 76 : ui8}
// CHECK-NEXT: [[ELEMENT3:%[-a-z0-9_.]+]] = f32[4,6]{1,0} get-tuple-element([[CUSTOM_CALL]]), index=0
// CHECK-NEXT: [[ELEMENT4:%[-a-z0-9_.]+]] = f32[4]{0} get-tuple-element([[CUSTOM_CALL]]), index=1
// CHECK-NEXT: [[CUSTOM_CALL2:%[-a-z0-9_.]+]] = f32[4]{0} custom-call([[ELEMENT4]]), custom_call_target="opaque", api_version=API_VERSION_STATUS_RETURNING, called_computations={%inner}, backend_config="any \"text\""
// CHECK-NEXT: [[ERF:%[-a-z0-9_.]+]] = f32[4]{0} erf([[CUSTOM_CALL2]])
// CHECK-NEXT: [[TUPLE:%[-a-z0-9_.]+]] = (f32[4]{0}, f32[4]{0}) tuple([[ERF]], [[ELEMENT2]])
// CHECK-NEXT: [[CUSTOM_CALL3:%[-a-z0-9_.]+]] = ((f32[4]{0}, f32[4]{0}), (f32[4]{0})) custom-call([[TUPLE]]), custom_call_target="print", custom_call_has_side_effect=true
// CHECK-NEXT: [[ELEMENT5:%[-a-z0-9_.]+]] = (f32[4]{0}, f32[4]{0}) get-tuple-element([[CUSTOM_CALL3]]), index=0
// CHECK-NEXT: [[ELEMENT6:%[-a-z0-9_.]+]] = f32[4]{0} get-tuple-element([[ELEMENT5]]), index=1
// CHECK: ROOT {{.*}} tuple([[ELEMENT6]], [[ELEMENT3]])

module @calls {
  func.func @main(%x: tensor<4x6xf32> {tf.aliasing_output = 1 : i32}, %y: tensor<4xf32> {jax.buffer_donor = true, mhlo.frontend_attributes = {note = "here"}}) -> (tensor<4xf32>, tensor<4x6xf32>) {
    %0:2 = call @two(%x, %y) : (tensor<4x6xf32>, tensor<4xf32>) -> (tensor<4x6xf32>, tensor<4xf32>)
    %1 = stablehlo.composite "my.op" %0#0 {composite_attributes = {eps = 1.000000e-03 : f32}, decomposition = @inner, version = 2 : i32} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    // A dictionary makes a call a typed one.
    %2:2 = stablehlo.custom_call @factorize(%1) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, has_side_effect = true, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4xf32>)
    %3 = stablehlo.custom_call @opaque(%2#1) {backend_config = "any \22text\22", api_version = 2 : i32, called_computations = [@inner]} : (tensor<4xf32>) -> tensor<4xf32>
    // What some write as a call is an opcode.
    %4 = stablehlo.custom_call @mhlo.erf(%3) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    %5 = stablehlo.tuple %4, %0#1 : tuple<tensor<4xf32>, tensor<4xf32>>
    // Tuples in tuples stay, where such a call makes them.
    %6 = stablehlo.custom_call @print(%5) {has_side_effect = true} : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tuple<tuple<tensor<4xf32>, tensor<4xf32>>, tuple<tensor<4xf32>>>
    %7 = stablehlo.get_tuple_element %6[0] : (tuple<tuple<tensor<4xf32>, tensor<4xf32>>, tuple<tensor<4xf32>>>) -> tuple<tensor<4xf32>, tensor<4xf32>>
    %8 = stablehlo.get_tuple_element %7[1] : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
    return %8, %2#0 : tensor<4xf32>, tensor<4x6xf32>
  }
  func.func private @two(%x: tensor<4x6xf32>, %y: tensor<4xf32>) -> (tensor<4x6xf32>, tensor<4xf32>) {
    %0 = call @inner(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    return %0, %y : tensor<4x6xf32>, tensor<4xf32>
  }
  func.func private @inner(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = stablehlo.negate %x : tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
}
