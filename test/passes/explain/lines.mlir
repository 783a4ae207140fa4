// The line that splits a value splits that very value, whatever says how it lies now.
// DEFINE: %{name} =
// DEFINE: %{check} =
// DEFINE: %{explain} = spmd-opt %s --spmd-explain="value=%{name}" | FileCheck %s --match-full-lines --check-prefix=%{check}

sdy.mesh @m = <["x"=2, "y"=3]>
sdy.mesh @flat = <["u"=2, "v"=1, "w"=3]>

// A collective leads to one sharding alone; a reshard takes its place. So it does where one starts from what changes.
// REDEFINE: %{name} = @collectives:%0
// REDEFINE: %{check} = GATHERED
// RUN: %{explain}
// GATHERED:      %0, 'sdy.all_gather' op result 0 ({{.*}}): [{}, {"y"}], as annotated
// GATHERED-NEXT:   dim 0 (size 12) is not split:
// GATHERED-NEXT:     what 'sdy.all_gather' makes lies as it says, [{}, {"y"}], and in no other way
// GATHERED-NEXT:     to split it, write: %0 = sdy.reshard %a <@m, [{"x"}, {"y"}]> : tensor<12x18xf32>
// GATHERED-NEXT:     and for 'sdy.all_to_all' ({{.*}}), which takes it as it lies now: %1 = sdy.reshard %0 <@m, [{"y"}, {}]> : tensor<12x18xf32>
// REDEFINE: %{name} = @collectives:%1
// REDEFINE: %{check} = EXCHANGED
// RUN: %{explain}
// EXCHANGED:       dim 1 (size 18) is not split:
// EXCHANGED-NEXT:     what 'sdy.all_to_all' makes lies as it says, [{"y"}, {}], and in no other way
// EXCHANGED-NEXT:     to split it, write: %1 = sdy.reshard %0 <@m, [{"y"}, {"x"}]> : tensor<12x18xf32>
func.func @collectives(%a: tensor<12x18xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>}) -> tensor<12x18xf32> {
  %0 = sdy.all_gather [{"x"}, {}] %a out_sharding=<@m, [{}, {"y"}]> : tensor<12x18xf32>
  %1 = sdy.all_to_all [{"y"}: 1->0] %0 out_sharding=<@m, [{"y"}, {}]> : tensor<12x18xf32>
  return %1 : tensor<12x18xf32>
}

// The sum that a collective adds up, too.
// REDEFINE: %{name} = @sum:%1
// REDEFINE: %{check} = SUM
// RUN: %{explain}
// SUM:       dim 0 (size 12) is not split:
// SUM-NEXT:     what 'sdy.all_reduce' makes lies as it says, [{}], and in no other way
// SUM-NEXT:     to split it, write: %1 = sdy.reshard %0 <@m, [{"x"}]> : tensor<12xi32>
func.func @sum(%a: tensor<12xi32>) -> tensor<12xi32> {
  %0 = sdy.sharding_constraint %a <@m, [{}], unreduced={"x"}> : tensor<12xi32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@m, [{}]> : tensor<12xi32>
  return %1 : tensor<12xi32>
}

// Of what a named computation says of its operands and results, one changes. Those of whom it says nothing are what they are
// outside or inside.
// REDEFINE: %{name} = @named:%1#1
// REDEFINE: %{check} = OUT
// RUN: %{explain}
// OUT:      %1#1, 'sdy.named_computation' op result 1 ({{.*}}): [{}, {?}], as annotated
// OUT-NEXT:   dim 0 (size 12) is not split:
// OUT-NEXT:     closed by its annotation [{}, {?}]; leave the dim open, {?}, to let axes come
// OUT-NEXT:     to split it, write: out_shardings=[<@m, [{?}, {}]>, <@m, [{"x"}, {?}]>] at %1
// REDEFINE: %{name} = @named:%in
// REDEFINE: %{check} = IN
// RUN: %{explain}
// IN:      %in, argument 0 of 'sdy.named_computation' ({{.*}}): [{?}, {}], as annotated
// IN:        dim 1 (size 18) is not split:
// IN-NEXT:     closed by its annotation [{?}, {}]; leave the dim open, {?}, to let axes come
// IN-NEXT:     to split it, write: in_shardings=[<@m, [{?}, {"x"}]>] at %1
// REDEFINE: %{name} = @named:%q value=@named:%2
// REDEFINE: %{check} = ALIAS
// RUN: %{explain}
// ALIAS:      %1#0, also called %q, 'sdy.named_computation' op result 0 ({{.*}}): [{?}, {}], as annotated
// ALIAS:      %3, also called %2, 'stablehlo.negate' op result 0 ({{.*}}): [{?}, {?}], every device holds it whole
func.func @named(%a: tensor<12x18xf32>) -> (tensor<12x18xf32>, tensor<12x18xf32>) {
  %1:2 = sdy.named_computation<"f">(%a) in_shardings=[<@m, [{?}, {}]>] out_shardings=[<@m, [{?}, {}]>, <@m, [{}, {?}]>] (%in: tensor<12x18xf32>) {
    %4 = stablehlo.reverse %in, dims = [0] : tensor<12x18xf32>
    sdy.return %4, %in : tensor<12x18xf32>, tensor<12x18xf32>
  } : (tensor<12x18xf32>) -> (tensor<12x18xf32>, tensor<12x18xf32>)
  %2 = sdy.named_computation<"g">(%1#0) (%q: tensor<12x18xf32>) {
    %3 = stablehlo.negate %q : tensor<12x18xf32>
    sdy.return %3 : tensor<12x18xf32>
  } : (tensor<12x18xf32>) -> tensor<12x18xf32>
  return %2, %1#1 : tensor<12x18xf32>, tensor<12x18xf32>
}

// What a computation on local shapes says of its operands and results has its manual axes first, in the dims that they are in.
// REDEFINE: %{name} = @manual:%1#0
// REDEFINE: %{check} = RESULT
// RUN: %{explain}
// RESULT:        dim 1 (size 18) is not split:
// RESULT-NEXT:     closed by its annotation [{"x"}, {}]; leave the dim open, {?}, to let axes come
// RESULT-NEXT:     to split it, write: out_shardings=[<@m, [{"x"}, {"y"}]>, <@m, [{}, {}]>] at %1
// REDEFINE: %{name} = @manual:%l
// REDEFINE: %{check} = LOCAL
// RUN: %{explain}
// LOCAL:      %l, argument 0 of 'sdy.manual_computation' ({{.*}}): [{}, {}], as annotated
// LOCAL-NEXT:   dim 0 (size 6) is not split:
// LOCAL-NEXT:     closed by its annotation [{}, {}]; leave the dim open, {?}, to let axes come
// LOCAL-NEXT:     to split it, write: in_shardings=[<@m, [{"x", "y"}, {}]>] at %1
func.func @manual(%a: tensor<12x18xf32>) -> (tensor<12x18xf32>, tensor<6x18xf32>) {
  %1:2 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}, {}]>] out_shardings=[<@m, [{"x"}, {}]>, <@m, [{}, {}]>] manual_axes={"x"} (%l: tensor<6x18xf32>) {
    %2 = stablehlo.tanh %l : tensor<6x18xf32>
    %3 = "stablehlo.all_reduce"(%l) <{replica_groups = dense<[[0, 3], [1, 4], [2, 5]]> : tensor<3x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%u: tensor<f32>, %v: tensor<f32>):
      %s = stablehlo.add %u, %v : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<6x18xf32>) -> tensor<6x18xf32>
    sdy.return %2, %3 : tensor<6x18xf32>, tensor<6x18xf32>
  } : (tensor<12x18xf32>) -> (tensor<12x18xf32>, tensor<6x18xf32>)
  return %1#0, %1#1 : tensor<12x18xf32>, tensor<6x18xf32>
}

// Of the annotation of an op with several results, one changes.
// REDEFINE: %{name} = @several:%0#1
// REDEFINE: %{check} = SEVERAL
// RUN: %{explain}
// SEVERAL:       dim 0 (size 12) is not split:
// SEVERAL-NEXT:     closed by its annotation [{}, {?}]; leave the dim open, {?}, to let axes come
// SEVERAL-NEXT:     to split it, write: {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}, {}]>, <@m, [{"x"}, {?}]>]>} at %0
func.func @several(%a: tensor<12x18xf32>, %b: tensor<12x18xf32>) -> (tensor<12x18xf32>, tensor<12x18xf32>) {
  %0:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}, {}]>, <@m, [{}, {?}]>]>} %a, %b : tensor<12x18xf32>, tensor<12x18xf32>
  return %0#0, %0#1 : tensor<12x18xf32>, tensor<12x18xf32>
}

// A constraint that splits what it makes, and not what it takes, is not said once more: a pin of the value does.
// REDEFINE: %{name} = @constrained:%0
// REDEFINE: %{check} = PIN
// RUN: %{explain}
// PIN:       dim 0 (size 12) is not split:
// PIN-NEXT:     "x" of %split dim 0 ({{.*}}) does not come through 'sdy.sharding_constraint' ({{.*}}): %0 keeps "x" replicated, or adds up over it: [{?}], replicated={"x"}
// PIN-NEXT:     to split it, write: {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} at %0
func.func @constrained(%a: tensor<12xf32>) -> tensor<12xf32> {
  %0 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}], replicated={"x"}>]>, spmd.inferred} : tensor<12xf32>
  %split = sdy.sharding_constraint %0 <@m, [{"x"}]> : tensor<12xf32>
  return %split : tensor<12xf32>
}

// Of several axes on their way, the first are taken that a dim has rows for.
// REDEFINE: %{name} = @short:%0
// REDEFINE: %{check} = SHORT
// RUN: %{explain}
// SHORT:       dim 0 (size 4) is not split:
// SHORT-NEXT:     "x", "y" of %a dim 0 ({{.*}}) does not come through 'sdy.propagation_barrier' ({{.*}}): nothing passes it
// SHORT-NEXT:     to split it, write: %split = sdy.sharding_constraint %0 <@m, [{"x"}]> : tensor<4xf32>
func.func @short(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "y"}]>}) -> tensor<4xf32> {
  %0 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Where no axis is left, that is said.
// REDEFINE: %{name} = @none_left:%a
// REDEFINE: %{check} = NONE
// RUN: %{explain}
// NONE:       dim 1 (size 18) is not split:
// NONE-NEXT:     closed by its annotation [{"x", "y"}, {}, {}]; leave the dim open, {?}, to let axes come
// NONE-NEXT:     nothing splits it: each axis of the mesh is in use here already
// REDEFINE: %{name} = @none_left:%b
// REDEFINE: %{check} = FEW
// RUN: %{explain}
// FEW:       dim 1 (size 2) is not split:
// FEW-NEXT:     closed by its annotation [{"x"}, {}]; leave the dim open, {?}, to let axes come
// FEW-NEXT:     nothing splits it: it has size 2, and the smallest axis that is left, "y", 3 positions
func.func @none_left(%a: tensor<12x18x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "y"}, {}, {}]>}, %b: tensor<12x2xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> (tensor<12x18x4xf32>, tensor<12x2xf32>) {
  return %a, %b : tensor<12x18x4xf32>, tensor<12x2xf32>
}

// What the program calls an operand stands in the line of its op, where nothing else is left of what made it.
// REDEFINE: %{name} = @gone:%0
// REDEFINE: %{check} = GONE
// RUN: %{explain}
// GONE:       dim 0 (size 12) is not split:
// GONE:         to split it, write: %0 = sdy.sharding_constraint %outputs <@m, [{"x"}, {}]> : tensor<12x18xf32>
func.func @gone(%a: tensor<12x18xf32>, %init: tensor<18xf32>) -> tensor<12x18xf32> {
  %outputs, %carry = chlo.scan(%a) inits (%init) dimension=0 {
  ^bb0(%row: tensor<18xf32>, %so_far: tensor<18xf32>):
    %sum = stablehlo.add %row, %so_far : tensor<18xf32>
    stablehlo.return %sum, %sum : tensor<18xf32>, tensor<18xf32>
  } : (tensor<12x18xf32>, tensor<18xf32>) -> (tensor<12x18xf32>, tensor<18xf32>)
  %0 = sdy.sharding_constraint %outputs <@m, [{}, {}]> : tensor<12x18xf32>
  return %0 : tensor<12x18xf32>
}

// An axis of one position splits nothing.
// REDEFINE: %{name} = @one_position:%0 conflicts=shardy
// REDEFINE: %{check} = ONE
// RUN: %{explain}
// ONE:       dim 0 (size 9) is not split:
// ONE:         to split it, write: %split = sdy.sharding_constraint %0 <@flat, [{"u"}, {?}, {?}, {?}]> : tensor<9x4x2x2xf32>
func.func @one_position(%a: tensor<6x2x12xf32> {sdy.sharding = #sdy.sharding<@flat, [{"u", "v"}, {}, {}]>}) -> tensor<9x4x2x2xf32> {
  %0 = stablehlo.reshape %a : (tensor<6x2x12xf32>) -> tensor<9x4x2x2xf32>
  return %0 : tensor<9x4x2x2xf32>
}
