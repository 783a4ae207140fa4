// Why a dim is not split, and the line that would split it.
// DEFINE: %{name} =
// DEFINE: %{check} =
// DEFINE: %{explain} = spmd-opt %s --spmd-explain="value=%{name}" | FileCheck %s --match-full-lines --check-prefix=%{check}

sdy.mesh @m = <["x"=2, "y"=4]>

// Nothing that lies alike is split: no axis of the mesh is preferred.
// REDEFINE: %{name} = @nothing:%0
// REDEFINE: %{check} = NOTHING
// RUN: %{explain}
// NOTHING: %0, 'stablehlo.tanh' op result 0 ({{.*}}): none, no annotation reaches it; every device holds it whole
// NOTHING-NEXT:   dim 0 (size 6) is not split:
// NOTHING-NEXT:     no axis reaches it: of what lies alike, nothing is split
// NOTHING-NEXT:     to split it, write: %split = sdy.sharding_constraint %0 <@m, [{"x"}, {?}]> : tensor<6x8xf32>
func.func @nothing(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, %b: tensor<6x8xf32>) -> (tensor<4xf32>, tensor<6x8xf32>) {
  %0 = stablehlo.tanh %b : tensor<6x8xf32>
  return %a, %0 : tensor<4xf32>, tensor<6x8xf32>
}

// A closed dim: its own, and that of a value which lies alike.
// REDEFINE: %{name} = @closed:%b
// REDEFINE: %{check} = CLOSED
// RUN: %{explain}
// CLOSED:      %b, argument 1 of @closed ({{.*}}): [{}, {?}], as annotated
// CLOSED-NEXT:   dim 0 (size 8) is not split:
// CLOSED-NEXT:     closed by its annotation [{}, {?}]; leave the dim open, {?}, to let axes come
// CLOSED-NEXT:     to split it, write: %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {?}]>}
// CLOSED-NEXT:   dim 1 (size 6) is not split:
// CLOSED-NEXT:     %a dim 1 ({{.*}}), which lies alike, is closed: [{"x"}, {}]
// CLOSED-NEXT:     to split it, write: %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"y"}]>}
func.func @closed(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
                  %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {?}]>}) -> tensor<8x6xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// An axis on its way stops at a closed dim.
// REDEFINE: %{name} = @closed_between:%2
// REDEFINE: %{check} = BETWEEN
// RUN: %{explain}
// BETWEEN:        dim 0 (size 8) is not split:
// BETWEEN-NEXT:     %1 dim 0 ({{.*}}), which lies alike, is closed: [{}]
// BETWEEN-NEXT:     to split it, write: %split = sdy.sharding_constraint %2 <@m, [{"x"}]> : tensor<8xf32>
func.func @closed_between(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{}]> : tensor<8xf32>
  %2 = stablehlo.negate %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// REDEFINE: %{name} = @barrier:%1
// REDEFINE: %{check} = BARRIER
// RUN: %{explain}
// BARRIER:        dim 0 (size 8) is not split:
// BARRIER-NEXT:     "x" of %a dim 0 ({{.*}}) does not come through 'sdy.propagation_barrier' ({{.*}}): nothing passes it; from %0 dim 0 it would come here
// BARRIER-NEXT:     to split it, write: %split = sdy.sharding_constraint %1 <@m, [{"x"}, {?}]> : tensor<8x6xf32>
// BARRIER-NEXT:   dim 1 (size 6) is not split:
// BARRIER-NEXT:     nothing passes 'sdy.propagation_barrier' ({{.*}})
// BARRIER-NEXT:     to split it, write: %split = sdy.sharding_constraint %1 <@m, [{?}, {"x"}]> : tensor<8x6xf32>
func.func @barrier(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {?}]>}) -> tensor<8x6xf32> {
  %0 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<8x6xf32>
  %1 = stablehlo.negate %0 : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// REDEFINE: %{name} = @no_rule:%1
// REDEFINE: %{check} = RULE
// RUN: %{explain}
// RULE:        dim 0 (size 8) is not split:
// RULE-NEXT:     'stablehlo.custom_call' ({{.*}}) has no sharding rule, so nothing passes through it
func.func @no_rule(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {?}]>}) -> tensor<8x6xf32> {
  %0 = stablehlo.custom_call @what(%a) : (tensor<8x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.negate %0 : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// A part of a dim that is too small for the axis, on either side of a reshape: the major part of the axis alone may divide it.
// REDEFINE: %{name} = @part:%0
// REDEFINE: %{check} = PART
// RUN: %{explain}
// PART: %0, 'stablehlo.reshape' op result 0 ({{.*}}): [{"y":(1)2, ?}, {?}], inferred
// PART:        dim 1 (size 4) is not split:
// PART-NEXT:     "y" of %a dim 0 ({{.*}}) does not come through 'stablehlo.reshape' ({{.*}}): "y" does not divide 6, a part of the dim
// REDEFINE: %{name} = @part:%1
// REDEFINE: %{check} = ODD
// RUN: %{explain}
// ODD: %1, 'stablehlo.reshape' op result 0 ({{.*}}): [{?}, {?}], every device holds it whole
// ODD-NEXT:   dim 0 (size 3) is not split:
// ODD-NEXT:     "y" of %a dim 0 ({{.*}}) does not come through 'stablehlo.reshape' ({{.*}}): "y" does not divide 3, a part of the dim
// REDEFINE: %{name} = @part:%2 conflicts=shardy
// REDEFINE: %{check} = MERGED
// RUN: %{explain}
// MERGED:        dim 0 (size 15) is not split:
// MERGED-NEXT:     "y" of %b dim 0 ({{.*}}) does not come through 'stablehlo.reshape' ({{.*}}): "y" does not divide 3, a part of the dim
func.func @part(%a: tensor<24xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>},
                %b: tensor<3x5xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {?}]>}) -> (tensor<6x4xf32>, tensor<3x8xf32>, tensor<15xf32>) {
  %0 = stablehlo.reshape %a : (tensor<24xf32>) -> tensor<6x4xf32>
  %1 = stablehlo.reshape %a : (tensor<24xf32>) -> tensor<3x8xf32>
  %2 = stablehlo.reshape %b : (tensor<3x5xf32>) -> tensor<15xf32>
  return %0, %1, %2 : tensor<6x4xf32>, tensor<3x8xf32>, tensor<15xf32>
}

// The minor part of a merged dim waits for the major one.
// REDEFINE: %{name} = @minor_part:%0
// REDEFINE: %{check} = MINOR
// RUN: %{explain}
// MINOR:        dim 0 (size 24) is not split:
// MINOR-NEXT:     "x" of %a dim 1 ({{.*}}) does not come through 'stablehlo.reshape' ({{.*}}): %0 dim 0 is made of several parts, and only the first can be split before it is split completely
func.func @minor_part(%a: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"x"}]>}) -> tensor<24xf32> {
  %0 = stablehlo.reshape %a : (tensor<6x4xf32>) -> tensor<24xf32>
  return %0 : tensor<24xf32>
}

// An annotation may keep an axis off.
// REDEFINE: %{name} = @replicated:%1
// REDEFINE: %{check} = REPLICATED
// RUN: %{explain}
// REPLICATED:        dim 0 (size 8) is not split:
// REPLICATED-NEXT:     "x" of %0 dim 0 ({{.*}}) does not come through 'sdy.sharding_constraint' ({{.*}}): %1 keeps "x" replicated, or adds up over it: [{?}], replicated={"x"}
func.func @replicated(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{?}], replicated={"x"}> : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// REDEFINE: %{name} = @whole_on_purpose:%one
// REDEFINE: %{check} = SCALAR
// RUN: %{explain}
// SCALAR: %one, argument 1 of @whole_on_purpose ({{.*}}): [], every device holds it whole
// SCALAR-NEXT:   a scalar: there is nothing to split
// REDEFINE: %{name} = @whole_on_purpose:%c
// REDEFINE: %{check} = CONSTANT
// RUN: %{explain}
// CONSTANT: %c, 'stablehlo.constant' op result 0 ({{.*}}): [{?}, {?}], every device holds it whole
// CONSTANT-NEXT:   dim 0 (size 1) is not split:
// CONSTANT-NEXT:     of size 1: there is nothing to split
// CONSTANT-NEXT:   dim 1 (size 6) is not split:
// CONSTANT-NEXT:     made of constants alone: it lies wherever it is needed
// REDEFINE: %{name} = @whole_on_purpose:%a
// REDEFINE: %{check} = SIZE
// RUN: %{explain}
// SIZE:        dim 0 (size 1) is not split:
// SIZE-NEXT:     of size 1: there is nothing to split
func.func @whole_on_purpose(%a: tensor<1x6xf32>, %one: tensor<f32>) -> (tensor<1x6xf32>, tensor<1x6xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<1x6xf32>
  return %a, %c : tensor<1x6xf32>, tensor<1x6xf32>
}

// Where all axes are manual, nothing is left.
// REDEFINE: %{name} = @manual:%local
// REDEFINE: %{check} = MANUAL
// RUN: %{explain}
// MANUAL:        dim 0 (size 4) is not split:
// MANUAL-NEXT:     all axes are manual here: nothing is left to split it
func.func @manual(%a: tensor<8x24xf32>) -> tensor<8x24xf32> {
  %out = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}, {"y"}]>] out_shardings=[<@m, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%b: tensor<4x6xf32>) {
    %local = stablehlo.tanh %b : tensor<4x6xf32>
    sdy.return %local : tensor<4x6xf32>
  } : (tensor<8x24xf32>) -> tensor<8x24xf32>
  return %out : tensor<8x24xf32>
}

// A lower priority finds its axis taken.
// REDEFINE: %{name} = @priority:%0
// REDEFINE: %{check} = PRIORITY
// RUN: %{explain}
// PRIORITY:        dim 1 (size 6) is not split:
// PRIORITY-NEXT:     "x" of %b dim 1 ({{.*}}) does not come through 'stablehlo.add' ({{.*}}): "x" splits dim 0 of %0 already (192 bytes there, 192 bytes here)
func.func @priority(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}p1, {?}]>},
                    %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"x"}p2]>}) -> tensor<8x6xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// A member of a sharding group is as closed as the one that is pinned.
// REDEFINE: %{name} = @grouped:%0
// REDEFINE: %{check} = GROUPED
// RUN: %{explain}
// GROUPED:      %0, 'stablehlo.negate' op result 0 ({{.*}}): [{}, {"x"}], inferred
// GROUPED-NEXT:   dim 0 (size 8) is not split:
// GROUPED-NEXT:     lies as a member of its sharding group, %1, closed by [{}, {"x"}]
// GROUPED-NEXT:   dim 1 (size 6) is split along "x":
func.func @grouped(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>}) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %0 = stablehlo.negate %a : tensor<8x6xf32>
  sdy.sharding_group %0 group_id=2 : tensor<8x6xf32>
  %1 = stablehlo.abs %0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"x"}]>]>} : tensor<8x6xf32>
  sdy.sharding_group %1 group_id=2 : tensor<8x6xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<8x6xf32>
}
