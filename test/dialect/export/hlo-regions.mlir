// RUN: spmd-translate %s --export-hlo --no-metadata | FileCheck %s
// Bodies are computations, called before those that follow; several results are a tuple.

// CHECK: HloModule module, entry_computation_layout={(f32[4,6]{1,0}, s32[], s32[], s32[4]{0}, f32[2,3]{1,0})->(f32[4]{0}, f32[2,3]{1,0}, f32[4,6]{1,0}, f32[4]{0}, f32[4,6]{1,0}, /*index=5*/f32[4,6]{1,0}, s32[4]{0}, f32[4,6]{1,0}, s32[], f32[4,6]{1,0})}
// CHECK: %region_0 (
// CHECK-NEXT: [[P:%[-a-z0-9_.]+]] = f32[] parameter(0)
// CHECK-NEXT: [[P2:%[-a-z0-9_.]+]] = f32[] parameter(1)
// CHECK-NEXT: ROOT [[ADD:%[-a-z0-9_.]+]] = f32[] add([[P]], [[P2]])
// CHECK: %region_0.1 (
// CHECK-NEXT: [[P3:%[-a-z0-9_.]+]] = f32[] parameter(0)
// CHECK-NEXT: [[P4:%[-a-z0-9_.]+]] = f32[] parameter(1)
// CHECK-NEXT: ROOT [[MAXIMUM:%[-a-z0-9_.]+]] = f32[] maximum([[P3]], [[P4]])
// CHECK: %region_0.2 (
// CHECK-NEXT: [[P5:%[-a-z0-9_.]+]] = f32[] parameter(0)
// CHECK-NEXT: [[P6:%[-a-z0-9_.]+]] = f32[] parameter(1)
// CHECK-NEXT: ROOT [[COMPARE:%[-a-z0-9_.]+]] = pred[] compare([[P5]], [[P6]]), direction=GE
// CHECK: %region_1 (
// CHECK-NEXT: [[P7:%[-a-z0-9_.]+]] = f32[] parameter(0)
// CHECK-NEXT: [[P8:%[-a-z0-9_.]+]] = f32[] parameter(1)
// CHECK-NEXT: ROOT [[ADD2:%[-a-z0-9_.]+]] = f32[] add([[P7]], [[P8]])
// CHECK: %region_0.3 (
// CHECK-NEXT: [[P9:%[-a-z0-9_.]+]] = f32[] parameter(0)
// CHECK-NEXT: [[P10:%[-a-z0-9_.]+]] = f32[] parameter(1)
// CHECK-NEXT: [[P11:%[-a-z0-9_.]+]] = s32[] parameter(2)
// CHECK-NEXT: [[P12:%[-a-z0-9_.]+]] = s32[] parameter(3)
// CHECK-NEXT: ROOT [[COMPARE2:%[-a-z0-9_.]+]] = pred[] compare([[P9]], [[P10]]), direction=LT
// CHECK: %region_0.4 (
// CHECK-NEXT: [[P13:%[-a-z0-9_.]+]] = f32[] parameter(0)
// CHECK-NEXT: [[CONSTANT:%[-a-z0-9_.]+]] = f32[] constant(0)
// CHECK-NEXT: ROOT [[MAXIMUM2:%[-a-z0-9_.]+]] = f32[] maximum([[P13]], [[CONSTANT]])
// CHECK: %region_0.5 (
// CHECK-NEXT: [[P14:%[-a-z0-9_.]+]] = (s32[], f32[4,6]{1,0}, s32[], f32[4,6]{1,0}) parameter(0)
// CHECK-NEXT: [[ELEMENT:%[-a-z0-9_.]+]] = s32[] get-tuple-element([[P14]]), index=0
// CHECK-NEXT: [[ELEMENT2:%[-a-z0-9_.]+]] = s32[] get-tuple-element([[P14]]), index=2
// CHECK-NEXT: [[ELEMENT3:%[-a-z0-9_.]+]] = f32[4,6]{1,0} get-tuple-element([[P14]]), index=3
// CHECK-NEXT: ROOT [[COMPARE3:%[-a-z0-9_.]+]] = pred[] compare([[ELEMENT]], [[ELEMENT2]]), direction=LT
// CHECK: %region_1.1 (
// CHECK-NEXT: [[P15:%[-a-z0-9_.]+]] = (s32[], f32[4,6]{1,0}, s32[], f32[4,6]{1,0}) parameter(0)
// CHECK-NEXT: [[ELEMENT4:%[-a-z0-9_.]+]] = s32[] get-tuple-element([[P15]]), index=0
// CHECK-NEXT: [[ELEMENT5:%[-a-z0-9_.]+]] = f32[4,6]{1,0} get-tuple-element([[P15]]), index=1
// CHECK-NEXT: [[ELEMENT6:%[-a-z0-9_.]+]] = s32[] get-tuple-element([[P15]]), index=2
// CHECK-NEXT: [[ELEMENT7:%[-a-z0-9_.]+]] = f32[4,6]{1,0} get-tuple-element([[P15]]), index=3
// CHECK-NEXT: [[CONSTANT2:%[-a-z0-9_.]+]] = s32[] constant(1)
// CHECK-NEXT: [[ADD3:%[-a-z0-9_.]+]] = s32[] add([[ELEMENT4]], [[CONSTANT2]])
// CHECK-NEXT: [[ADD4:%[-a-z0-9_.]+]] = f32[4,6]{1,0} add([[ELEMENT5]], [[ELEMENT7]])
// CHECK: ROOT {{.*}} tuple([[ADD3]], [[ADD4]], [[ELEMENT6]], [[ELEMENT7]])
// CHECK: %region_0.6 (
// CHECK-NEXT: ROOT [[P16:%[-a-z0-9_.]+]] = f32[4,6]{1,0} parameter(0)
// CHECK: %region_1.2 (
// CHECK-NEXT: [[P17:%[-a-z0-9_.]+]] = (f32[4,6]{1,0}, f32[4,6]{1,0}) parameter(0)
// CHECK-NEXT: [[ELEMENT8:%[-a-z0-9_.]+]] = f32[4,6]{1,0} get-tuple-element([[P17]]), index=0
// CHECK-NEXT: [[ELEMENT9:%[-a-z0-9_.]+]] = f32[4,6]{1,0} get-tuple-element([[P17]]), index=1
// CHECK-NEXT: ROOT [[SUBTRACT:%[-a-z0-9_.]+]] = f32[4,6]{1,0} subtract([[ELEMENT8]], [[ELEMENT9]])
// CHECK: %region_2 (
// CHECK-NEXT: [[P18:%[-a-z0-9_.]+]] = () parameter(0)
// CHECK-NEXT: ROOT [[CONSTANT3:%[-a-z0-9_.]+]] = f32[4,6]{1,0} constant({ {{[{]}} 1, 1, 1, 1, 1, 1 }, { 1, 1, 1, 1, 1, 1 }, { 1, 1, 1, 1, 1, 1 }, { 1, 1, 1, 1, 1, 1 } })
// CHECK: %region_0.7 (
// CHECK-NEXT: [[P19:%[-a-z0-9_.]+]] = s32[] parameter(0)
// CHECK-NEXT: [[CONSTANT4:%[-a-z0-9_.]+]] = s32[] constant(10)
// CHECK-NEXT: ROOT [[COMPARE4:%[-a-z0-9_.]+]] = pred[] compare([[P19]], [[CONSTANT4]]), direction=LT
// CHECK: %region_1.3 (
// CHECK-NEXT: [[P20:%[-a-z0-9_.]+]] = s32[] parameter(0)
// CHECK-NEXT: ROOT [[ADD5:%[-a-z0-9_.]+]] = s32[] add([[P20]], [[P20]])
// CHECK: ENTRY %main (
// CHECK-NEXT: [[P21:%[-a-z0-9_.]+]] = f32[4,6]{1,0} parameter(0)
// CHECK-NEXT: [[P22:%[-a-z0-9_.]+]] = s32[] parameter(1)
// CHECK-NEXT: [[P23:%[-a-z0-9_.]+]] = s32[] parameter(2)
// CHECK-NEXT: [[P24:%[-a-z0-9_.]+]] = s32[4]{0} parameter(3)
// CHECK-NEXT: [[P25:%[-a-z0-9_.]+]] = f32[2,3]{1,0} parameter(4)
// CHECK-NEXT: [[CONSTANT5:%[-a-z0-9_.]+]] = f32[] constant(0)
// CHECK-NEXT: [[CONSTANT6:%[-a-z0-9_.]+]] = s32[] constant(1)
// CHECK-NEXT: [[REDUCE:%[-a-z0-9_.]+]] = f32[4]{0} reduce([[P21]], [[CONSTANT5]]), dimensions={1}, to_apply=%region_0
// CHECK-NEXT: [[REDUCE_WINDOW:%[-a-z0-9_.]+]] = f32[2,3]{1,0} reduce-window([[P21]], [[CONSTANT5]]), window={size=2x2 stride=2x2}, to_apply=%region_0.1
// CHECK-NEXT: [[SELECT_AND_SCATTER:%[-a-z0-9_.]+]] = f32[4,6]{1,0} select-and-scatter([[P21]], [[P25]], [[CONSTANT5]]), window={size=2x2 stride=2x2}, select=%region_0.2, scatter=%region_1
// CHECK-NEXT: [[SORT:%[-a-z0-9_.]+]] = (f32[4]{0}, s32[4]{0}) sort([[REDUCE]], [[P24]]), dimensions={0}, is_stable=true, to_apply=%region_0.3
// CHECK-NEXT: [[ELEMENT10:%[-a-z0-9_.]+]] = f32[4]{0} get-tuple-element([[SORT]]), index=0
// CHECK-NEXT: [[ELEMENT11:%[-a-z0-9_.]+]] = s32[4]{0} get-tuple-element([[SORT]]), index=1
// CHECK-NEXT: [[MAP:%[-a-z0-9_.]+]] = f32[4,6]{1,0} map([[P21]]), dimensions={0,1}, to_apply=%region_0.4
// CHECK-NEXT: [[TUPLE:%[-a-z0-9_.]+]] = (s32[], f32[4,6]{1,0}, s32[], f32[4,6]{1,0}) tuple([[P22]], [[MAP]], [[P23]], [[P21]])
// CHECK-NEXT: [[WHILE:%[-a-z0-9_.]+]] = (s32[], f32[4,6]{1,0}, s32[], f32[4,6]{1,0}) while([[TUPLE]]), condition=%region_0.5, body=%region_1.1
// CHECK-NEXT: [[ELEMENT12:%[-a-z0-9_.]+]] = s32[] get-tuple-element([[WHILE]]), index=0
// CHECK-NEXT: [[ELEMENT13:%[-a-z0-9_.]+]] = f32[4,6]{1,0} get-tuple-element([[WHILE]]), index=1
// CHECK-NEXT: [[TUPLE2:%[-a-z0-9_.]+]] = (f32[4,6]{1,0}, f32[4,6]{1,0}) tuple([[MAP]], [[P21]])
// CHECK-NEXT: [[TUPLE3:%[-a-z0-9_.]+]] = () tuple()
// CHECK-NEXT: [[CONDITIONAL:%[-a-z0-9_.]+]] = f32[4,6]{1,0} conditional([[P22]], [[MAP]], [[TUPLE2]], [[TUPLE3]]), branch_computations={%region_0.6, [[REGION__:%[-a-z0-9_.]+]], [[REGION__2:%[-a-z0-9_.]+]]}
// CHECK-NEXT: [[WHILE2:%[-a-z0-9_.]+]] = s32[] while([[P22]]), condition=%region_0.7, body=%region_1.3
// CHECK-NEXT: [[TUPLE4:%[-a-z0-9_.]+]] = (f32[4,6]{1,0}, s32[]) tuple([[CONDITIONAL]], [[WHILE2]])
// CHECK-NEXT: [[OPT_BARRIER:%[-a-z0-9_.]+]] = (f32[4,6]{1,0}, s32[]) opt-barrier([[TUPLE4]])
// CHECK-NEXT: [[ELEMENT14:%[-a-z0-9_.]+]] = f32[4,6]{1,0} get-tuple-element([[OPT_BARRIER]]), index=0
// CHECK: ROOT {{.*}} tuple([[REDUCE]], [[REDUCE_WINDOW]], [[SELECT_AND_SCATTER]], [[ELEMENT10]], [[MAP]], /*index=5*/[[ELEMENT13]], [[ELEMENT11]], [[ELEMENT14]], [[WHILE2]], [[CONDITIONAL]])

func.func @main(%x: tensor<4x6xf32>, %n: tensor<i32>, %limit: tensor<i32>, %k: tensor<4xi32>, %w: tensor<2x3xf32>)
    -> (tensor<4xf32>, tensor<2x3xf32>, tensor<4x6xf32>, tensor<4xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4xi32>, tensor<4x6xf32>, tensor<i32>, tensor<4x6xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, window_dilations = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x3xf32>
  %2 = "stablehlo.select_and_scatter"(%x, %w, %zero) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  %3:2 = "stablehlo.sort"(%0, %k) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %m = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  // The body uses a constant from outside, which is made again inside.
  %4 = "stablehlo.map"(%x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>):
    %m = stablehlo.maximum %a, %zero : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // The loop reads %limit and %x from outside: they are carried along.
  %5:2 = stablehlo.while(%i = %n, %c = %4) : tensor<i32>, tensor<4x6xf32>
  cond {
    %less = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %sum = stablehlo.add %c, %x : tensor<4x6xf32>
    stablehlo.return %next, %sum : tensor<i32>, tensor<4x6xf32>
  }
  // Branches are given what they use: none, one or several values.
  %6 = "stablehlo.case"(%n) ({
    stablehlo.return %4 : tensor<4x6xf32>
  }, {
    %minus = stablehlo.subtract %4, %x : tensor<4x6xf32>
    stablehlo.return %minus : tensor<4x6xf32>
  }, {
    %c = stablehlo.constant dense<1.0> : tensor<4x6xf32>
    stablehlo.return %c : tensor<4x6xf32>
  }) : (tensor<i32>) -> tensor<4x6xf32>
  // One carry alone is no tuple.
  %7 = stablehlo.while(%i = %n) : tensor<i32>
  cond {
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %less = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %next = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  %8:2 = stablehlo.optimization_barrier %6, %7 : tensor<4x6xf32>, tensor<i32>
  return %0, %1, %2, %3#0, %4, %5#1, %3#1, %8#0, %7, %6
      : tensor<4xf32>, tensor<2x3xf32>, tensor<4x6xf32>, tensor<4xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4xi32>, tensor<4x6xf32>, tensor<i32>, tensor<4x6xf32>
}
