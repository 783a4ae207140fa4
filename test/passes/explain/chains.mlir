// The chain from an annotation to each axis of a value, one step a line.
// DEFINE: %{name} =
// DEFINE: %{check} =
// DEFINE: %{explain} = spmd-opt %s --spmd-explain="value=%{name}" | FileCheck %s --match-full-lines --check-prefix=%{check}

sdy.mesh @m = <["x"=2, "y"=4]>

// An argument, forward and backward; the location is that of the name in the file.
// REDEFINE: %{name} = @argument:%b
// REDEFINE: %{check} = ARGUMENT
// RUN: %{explain}
// ARGUMENT: %b, argument 1 of @argument ({{.*}}chains.mlir:[[#@LINE+6]]:{{[0-9]+}}): [{"x", ?}, {?}], inferred
// ARGUMENT-NEXT:   dim 0 (size 8) is split along "x":
// ARGUMENT-NEXT:     from %a ({{.*}}chains.mlir:[[#@LINE+3]]:{{[0-9]+}}), annotated [{"x"}, {?}]
// ARGUMENT-NEXT:     through 'stablehlo.add' ({{.*}}chains.mlir:[[#@LINE+5]]:{{[0-9]+}}): %a dim 0 -> %n dim 0
// ARGUMENT-NEXT:     through 'stablehlo.negate' ({{.*}}): %n dim 0 -> %b dim 0
func.func @argument(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {?}]>},
                    %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %n = stablehlo.negate %b : tensor<8x6xf32>
  %0 = stablehlo.add %a, %n : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// An open dim of an annotation takes axes, too: both are told, what the program says and what came of it.
// REDEFINE: %{name} = @grown:%b value=@grown:%a
// REDEFINE: %{check} = GROWN
// RUN: %{explain}
// GROWN: %b, argument 1 of @grown ({{.*}}): [{"x", ?}, {}], annotated [{?}, {}]
// GROWN: %a, argument 0 of @grown ({{.*}}): [{"x"}, {?}], as annotated
func.func @grown(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {?}]>},
                 %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {}]>}) -> tensor<8x6xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// REDEFINE: %{name} = @constraint:arg:0
// REDEFINE: %{check} = CONSTRAINT
// RUN: %{explain}
// CONSTRAINT:          from %1 ({{.*}}), annotated [{"x"}, {?}]
// CONSTRAINT-NEXT:     through 'sdy.sharding_constraint' ({{.*}}): %1 dim 0 -> %0 dim 0
// CONSTRAINT-NEXT:     through 'stablehlo.tanh' ({{.*}}): %0 dim 0 -> %a dim 0
func.func @constraint(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = stablehlo.tanh %a : tensor<8x6xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{"x"}, {?}]> : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// A result that the user annotated, and what is summed over.
// REDEFINE: %{name} = @contracting:%w
// REDEFINE: %{check} = CONTRACTING
// RUN: %{explain}
// CONTRACTING:          from %a ({{.*}}), annotated [{?}, {"x"}]
// CONTRACTING-NEXT:     through 'stablehlo.dot_general' ({{.*}}): %a dim 1 -> %w dim 0, reduced over
// CONTRACTING-NEXT:   dim 1 (size 6) is split along "y":
// CONTRACTING-NEXT:     from result 0 of @contracting ({{.*}}), annotated [{?}, {"y"}]
// CONTRACTING-NEXT:     through 'func.return' ({{.*}}): result 0 of @contracting dim 1 -> %r dim 1
// CONTRACTING-NEXT:     through 'stablehlo.dot_general' ({{.*}}): %r dim 1 -> %w dim 1
func.func @contracting(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"x"}]>},
                       %w: tensor<16x6xf32>)
    -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"y"}]>}) {
  %r = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0]
      : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
  return %r : tensor<8x6xf32>
}

// A function that is called with different shardings is explained for each of them.
// REDEFINE: %{name} = %inside
// REDEFINE: %{check} = CALL
// RUN: %{explain}
// CALL:      %inside, 'stablehlo.tanh' op result 0 ({{.*}}) where @callee is called at {{.*}}chains.mlir:[[#@LINE+16]]:{{[0-9]+}}: [{"x", ?}, {?}], inferred
// CALL-NEXT:   dim 0 (size 8) is split along "x":
// CALL-NEXT:     from @caller:%a ({{.*}}), annotated [{"x"}, {?}]
// CALL-NEXT:     through the call of @callee ({{.*}}): @caller:%a dim 0 -> %c dim 0
// CALL-NEXT:     through 'stablehlo.tanh' ({{.*}}): %c dim 0 -> %inside dim 0
// CALL:      %inside, 'stablehlo.tanh' op result 0 ({{.*}}) where @callee is called at {{.*}}chains.mlir:[[#@LINE+12]]:{{[0-9]+}}: [{?}, {"y", ?}], inferred
// CALL:          from @caller:%b ({{.*}}), annotated [{?}, {"y"}]
func.func @callee(%c: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %inside = stablehlo.tanh %c : tensor<8x6xf32>
  return %inside : tensor<8x6xf32>
}
// REDEFINE: %{name} = @caller:%1
// REDEFINE: %{check} = CALLER
// RUN: %{explain}
func.func @caller(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {?}]>},
                  %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"y"}]>}) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %0 = func.call @callee(%a) : (tensor<8x6xf32>) -> tensor<8x6xf32>
  %1 = func.call @callee(%b) : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<8x6xf32>
}
// CALLER:          from %b ({{.*}}), annotated [{?}, {"y"}]
// CALLER-NEXT:     through the call of @callee ({{.*}}): %b dim 1 -> @callee:%c dim 1
// CALLER-NEXT:     through 'stablehlo.tanh' ({{.*}}): @callee:%c dim 1 -> @callee:%inside dim 1
// CALLER-NEXT:     through 'func.return' ({{.*}}): @callee:%inside dim 1 -> result 0 of @callee dim 1
// CALLER-NEXT:     through the call of @callee ({{.*}}): result 0 of @callee dim 1 -> %1 dim 1

// What a loop carries is one tensor, at all its places: called what it was asked by, and in the chain for what comes out.
// REDEFINE: %{name} = %carried
// REDEFINE: %{check} = LOOP
// RUN: %{explain}
// LOOP:      %carried, argument 1 of 'stablehlo.while', which lies as %r#1 ({{.*}}chains.mlir:[[#@LINE+7]]:{{[0-9]+}}): [{"x", ?}, {?}], inferred
// LOOP-NEXT:   dim 0 (size 8) is split along "x":
// LOOP-NEXT:     from %a ({{.*}}), annotated [{"x"}, {?}]
// LOOP-NEXT:     through 'stablehlo.while' ({{.*}}): %a dim 0 -> %r#1 dim 0
func.func @loop(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {?}]>}, %n: tensor<i32>) -> tensor<8x6xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %carried = %a) : tensor<i32>, tensor<8x6xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %t = stablehlo.tanh %carried : tensor<8x6xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %t : tensor<i32>, tensor<8x6xf32>
  }
  return %r#1 : tensor<8x6xf32>
}

// Free axes pass the border of a manual computation; its own annotation is one like others.
// REDEFINE: %{name} = %local
// REDEFINE: %{check} = MANUAL
// RUN: %{explain}
// MANUAL:      %local, 'stablehlo.tanh' op result 0 ({{.*}}): [{?}, {"x", ?}], inferred
// MANUAL:          from %a ({{.*}}), annotated [{?}, {"x"}]
// MANUAL-NEXT:     through 'sdy.manual_computation' ({{.*}}): %a dim 1 -> what goes into 'sdy.manual_computation' dim 1
// MANUAL-NEXT:     through 'sdy.manual_computation' ({{.*}}): what goes into 'sdy.manual_computation' dim 1 -> %b dim 1
// MANUAL-NEXT:     through 'stablehlo.tanh' ({{.*}}): %b dim 1 -> %local dim 1
// REDEFINE: %{name} = @manual:result:0
// REDEFINE: %{check} = MANUALRESULT
// RUN: %{explain}
// MANUALRESULT:      result 0 of @manual ({{.*}}): [{"y", ?}, {"x", ?}], inferred
// MANUALRESULT-NEXT:   dim 0 (size 8) is split along "y":
// MANUALRESULT-NEXT:     from %out ({{.*}}), annotated [{"y", ?}, {?}]
func.func @manual(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"x"}]>}) -> tensor<8x6xf32> {
  %out = sdy.manual_computation(%a) in_shardings=[<@m, [{"y", ?}, {?}]>] out_shardings=[<@m, [{"y", ?}, {?}]>] manual_axes={"y"} (%b: tensor<2x6xf32>) {
    %local = stablehlo.tanh %b : tensor<2x6xf32>
    sdy.return %local : tensor<2x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %out : tensor<8x6xf32>
}

// REDEFINE: %{name} = @priority:%0
// REDEFINE: %{check} = PRIORITY
// RUN: %{explain}
// PRIORITY:          from %a ({{.*}}), annotated [{"x"}p1, {?}]; priority 1 comes up behind those before it
// PRIORITY-NEXT:     through 'stablehlo.add' ({{.*}}): %a dim 0 -> %0 dim 0
func.func @priority(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}p1, {?}]>},
                    %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"x"}p2]>}) -> tensor<8x6xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// REDEFINE: %{name} = @group:%b
// REDEFINE: %{check} = GROUP
// RUN: %{explain}
// GROUP:          from %a ({{.*}}), annotated [{"x"}, {?}]
// GROUP-NEXT:     through a sharding group or buffer ({{.*}}): %a dim 0 -> %b dim 0
func.func @group(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {?}]>}, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  sdy.sharding_group %a group_id = 3 : tensor<8x6xf32>
  sdy.sharding_group %b group_id = 3 : tensor<8x6xf32>
  return %b : tensor<8x6xf32>
}

// Members of several functions are tied as those of one.
// REDEFINE: %{name} = @elsewhere:%a
// REDEFINE: %{check} = ELSEWHERE
// RUN: %{explain}
// ELSEWHERE:          from @group:%a ({{.*}}), annotated [{"x"}, {?}]
// ELSEWHERE-NEXT:     through a sharding group or buffer ({{.*}}): @group:%a dim 0 -> %a dim 0
func.func @elsewhere(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  sdy.sharding_group %a group_id = 3 : tensor<8x6xf32>
  return %a : tensor<8x6xf32>
}

// REDEFINE: %{name} = @donation:result:0
// REDEFINE: %{check} = DONATION
// RUN: %{explain}
// DONATION:          from %a ({{.*}}), annotated [{"x"}, {}]
// DONATION-NEXT:     takes over the memory of its argument: %a dim 0 -> result 0 of @donation dim 0
// DONATION-NEXT:   dim 1 (size 6) is not split:
// DONATION-NEXT:     lies as the argument whose memory it takes over, %a
func.func @donation(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>, tf.aliasing_output = 0 : i32},
                    %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  return %b : tensor<8x6xf32>
}

// An argument of which nothing is said lies as the pinned result that takes over its memory.
// REDEFINE: %{name} = @donor:%a
// REDEFINE: %{check} = DONOR
// RUN: %{explain}
// DONOR:          from result 0 of @donor ({{.*}}), annotated [{"x"}, {}]
// DONOR-NEXT:     gives its memory to its result: result 0 of @donor dim 0 -> %a dim 0
// DONOR-NEXT:   dim 1 (size 6) is not split:
// DONOR-NEXT:     lies as the result that takes over its memory, result 0 of @donor
func.func @donor(%a: tensor<8x6xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<8x6xf32>)
    -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) {
  return %b : tensor<8x6xf32>
}

// Axes that came together are told of together.
// REDEFINE: %{name} = @together:%0
// REDEFINE: %{check} = TOGETHER
// RUN: %{explain}
// TOGETHER:        dim 0 (size 24) is split along "x", "y":
// TOGETHER-NEXT:     from %a ({{.*}}), annotated [{"x", "y"}]
// TOGETHER-NEXT:     through 'stablehlo.tanh' ({{.*}}): %a dim 0 -> %0 dim 0
func.func @together(%a: tensor<24xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "y"}]>}) -> tensor<24xf32> {
  %0 = stablehlo.tanh %a : tensor<24xf32>
  return %0 : tensor<24xf32>
}
