// RUN: mkdir -p %t
// RUN: sed '/^\/\/ MANUAL/,$d' %s > %t/plain.mlir
// RUN: sed '1,/^\/\/ MANUAL/d' %s > %t/manual.mlir
// RUN: spmd-run %t/plain.mlir --engine=whole --seed 7 --out %t/expect
// RUN: spmd-run %t/manual.mlir --seed 7 --expect %t/expect | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-run %t/manual.mlir --seed 7 --expect %t/expect --threads 3 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: {{ *}}yes

// Computations on local shapes give what the same program gives without them: this one first.
func.func public @main(%a: tensor<12x7xi32>, %w: tensor<7x7xi32>) -> (tensor<12x7xi32>, tensor<2x7xi32>, tensor<12x7xi32>, tensor<12x7xi32>, tensor<7xi32>, tensor<12x7xi32>, tensor<12x7xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %moved = func.call @step(%a, %w) : (tensor<12x7xi32>, tensor<7x7xi32>) -> tensor<12x7xi32>
  %blocks = stablehlo.reshape %a : (tensor<12x7xi32>) -> tensor<2x6x7xi32>
  %sums = stablehlo.reduce(%blocks init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x6x7xi32>, tensor<i32>) -> tensor<2x7xi32>
  %total = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<12x7xi32>, tensor<i32>) -> tensor<7xi32>
  %spread = stablehlo.broadcast_in_dim %total, dims = [1] : (tensor<7xi32>) -> tensor<12x7xi32>
  %shared = func.call @step(%moved, %w) : (tensor<12x7xi32>, tensor<7x7xi32>) -> tensor<12x7xi32>
  %twice = func.call @step(%shared, %w) : (tensor<12x7xi32>, tensor<7x7xi32>) -> tensor<12x7xi32>
  %looped = stablehlo.add %twice, %spread : tensor<12x7xi32>
  %low = stablehlo.slice %a [0:6, 0:7] : (tensor<12x7xi32>) -> tensor<6x7xi32>
  %high = stablehlo.slice %a [6:12, 0:7] : (tensor<12x7xi32>) -> tensor<6x7xi32>
  %swapped = stablehlo.concatenate %high, %low, dim = 0 : (tensor<6x7xi32>, tensor<6x7xi32>) -> tensor<12x7xi32>
  return %moved, %sums, %spread, %shared, %total, %looped, %swapped : tensor<12x7xi32>, tensor<2x7xi32>, tensor<12x7xi32>, tensor<12x7xi32>, tensor<7xi32>, tensor<12x7xi32>, tensor<12x7xi32>
}
func.func private @step(%a: tensor<12x7xi32>, %w: tensor<7x7xi32>) -> tensor<12x7xi32> {
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<12x7xi32>, tensor<7x7xi32>) -> tensor<12x7xi32>
  %nine = stablehlo.constant dense<9> : tensor<12x7xi32>
  %1 = stablehlo.remainder %0, %nine : tensor<12x7xi32>
  return %1 : tensor<12x7xi32>
}

// MANUAL
// Axis "m" is manual, and stands between the others, so that whoever moves data along "a" and "b"
// must stay where it is along "m".
sdy.mesh @mesh = <["a"=2, "m"=2, "b"=3]>

func.func public @main(%a: tensor<12x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}]>}, %w: tensor<7x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a", "b"}]>}) -> (tensor<12x7xi32>, tensor<2x7xi32>, tensor<12x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, tensor<12x7xi32>, tensor<7xi32>, tensor<12x7xi32>, tensor<12x7xi32>) {
  // The compiler splits the body along "a" and "b", unevenly; values move between the two.
  %moved = sdy.manual_computation(%a, %w) in_shardings=[<@mesh, [{"m", ?}, {?}]>, <@mesh, [{?}, {?}]>] out_shardings=[<@mesh, [{"m", ?}, {?}]>] manual_axes={"m"} (%u: tensor<6x7xi32>, %v: tensor<7x7xi32>) {
    %0 = sdy.sharding_constraint %u <@mesh, [{"b"}, {"a"}]> : tensor<6x7xi32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"a"}, {"b"}]> : tensor<6x7xi32>
    %2 = func.call @step(%1, %v) : (tensor<6x7xi32>, tensor<7x7xi32>) -> tensor<6x7xi32>
    sdy.return %2 : tensor<6x7xi32>
  } : (tensor<12x7xi32>, tensor<7x7xi32>) -> tensor<12x7xi32>
  // Each place along "m" reduces its own rows.
  %sums = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"m", "b"}, {}]>] out_shardings=[<@mesh, [{"m"}, {"b"}]>] manual_axes={"m"} (%u: tensor<6x7xi32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reduce(%u init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6x7xi32>, tensor<i32>) -> tensor<7xi32>
    %1 = stablehlo.reshape %0 : (tensor<7xi32>) -> tensor<1x7xi32>
    sdy.return %1 : tensor<1x7xi32>
  } : (tensor<12x7xi32>) -> tensor<2x7xi32>
  // A sum along the manual axis of what is split along the others; the rows come out replicated.
  %total = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"m", ?}, {"b", ?}]>] out_shardings=[<@mesh, [{"b", ?}], replicated={"m"}>] manual_axes={"m"} (%u: tensor<6x7xi32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reduce(%u init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6x7xi32>, tensor<i32>) -> tensor<7xi32>
    %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 3], [1, 4], [2, 5], [6, 9], [7, 10], [8, 11]]> : tensor<6x2xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %2 = stablehlo.add %p, %q : tensor<i32>
      %3 = sdy.sharding_constraint %2 <@mesh, []> : tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }) : (tensor<7xi32>) -> tensor<7xi32>
    sdy.return %1 : tensor<7xi32>
  } : (tensor<12x7xi32>) -> tensor<7xi32>
  %spread = stablehlo.broadcast_in_dim %total, dims = [1] : (tensor<7xi32>) -> tensor<12x7xi32>
  // The same function inside and outside, over a region that leaves nothing to the compiler.
  %shared = sdy.manual_computation(%moved, %w) in_shardings=[<@mesh, [{"m"}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"m"}, {}]>] manual_axes={"a", "b", "m"} (%u: tensor<6x7xi32>, %v: tensor<7x7xi32>) {
    %2 = func.call @step(%u, %v) : (tensor<6x7xi32>, tensor<7x7xi32>) -> tensor<6x7xi32>
    sdy.return %2 : tensor<6x7xi32>
  } : (tensor<12x7xi32>, tensor<7x7xi32>) -> tensor<12x7xi32>
  %low = stablehlo.slice %shared [0:6, 0:7] : (tensor<12x7xi32>) -> tensor<6x7xi32>
  %outside = func.call @step(%low, %w) : (tensor<6x7xi32>, tensor<7x7xi32>) -> tensor<6x7xi32>
  %both = func.call @step2(%shared, %w, %spread, %outside) : (tensor<12x7xi32>, tensor<7x7xi32>, tensor<12x7xi32>, tensor<6x7xi32>) -> tensor<12x7xi32>
  %swapped = func.call @swap(%a) : (tensor<12x7xi32>) -> tensor<12x7xi32>
  return %moved, %sums, %spread, %shared, %total, %both, %swapped : tensor<12x7xi32>, tensor<2x7xi32>, tensor<12x7xi32>, tensor<12x7xi32>, tensor<7xi32>, tensor<12x7xi32>, tensor<12x7xi32>
}
func.func private @step(%a: tensor<6x7xi32>, %w: tensor<7x7xi32>) -> tensor<6x7xi32> {
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<6x7xi32>, tensor<7x7xi32>) -> tensor<6x7xi32>
  %nine = stablehlo.constant dense<9> : tensor<6x7xi32>
  %1 = stablehlo.remainder %0, %nine : tensor<6x7xi32>
  return %1 : tensor<6x7xi32>
}

// A loop of one turn with a computation inside, and another over the axes that this one leaves. The
// first block of rows must be what @step made of it outside.
func.func private @step2(%a: tensor<12x7xi32>, %w: tensor<7x7xi32>, %c: tensor<12x7xi32>, %first: tensor<6x7xi32>) -> tensor<12x7xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %h = %a) : tensor<i32>, tensor<12x7xi32>
  cond {
    %more = stablehlo.compare LT, %i, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %0 = sdy.manual_computation(%h, %w) in_shardings=[<@mesh, [{"m", ?}, {?}]>, <@mesh, [{?}, {?}], replicated={"m"}>] out_shardings=[<@mesh, [{"m", ?}, {?}]>] manual_axes={"m"} (%u: tensor<6x7xi32>, %v: tensor<7x7xi32>) {
      %1 = func.call @step(%u, %v) : (tensor<6x7xi32>, tensor<7x7xi32>) -> tensor<6x7xi32>
      %2 = sdy.manual_computation(%1) in_shardings=[<@mesh, [{"b", "a"}, {}]>] out_shardings=[<@mesh, [{"b", "a"}, {}]>] manual_axes={"a", "b"} (%x: tensor<1x7xi32>) {
        %none = stablehlo.constant dense<0> : tensor<i32>
        %s:2 = stablehlo.while(%j = %none, %g = %x) : tensor<i32>, tensor<1x7xi32>
        cond {
          %k = stablehlo.constant dense<2> : tensor<i32>
          %more = stablehlo.compare LT, %j, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %more : tensor<i1>
        } do {
          %n = stablehlo.negate %g : tensor<1x7xi32>
          %k = stablehlo.constant dense<1> : tensor<i32>
          %next = stablehlo.add %j, %k : tensor<i32>
          stablehlo.return %next, %n : tensor<i32>, tensor<1x7xi32>
        }
        sdy.return %s#1 : tensor<1x7xi32>
      } : (tensor<6x7xi32>) -> tensor<6x7xi32>
      sdy.return %2 : tensor<6x7xi32>
    } : (tensor<12x7xi32>, tensor<7x7xi32>) -> tensor<12x7xi32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %0 : tensor<i32>, tensor<12x7xi32>
  }
  %2 = stablehlo.slice %r#1 [6:12, 0:7] : (tensor<12x7xi32>) -> tensor<6x7xi32>
  %3 = stablehlo.concatenate %first, %2, dim = 0 : (tensor<6x7xi32>, tensor<6x7xi32>) -> tensor<12x7xi32>
  %4 = stablehlo.add %3, %c : tensor<12x7xi32>
  return %4 : tensor<12x7xi32>
}

// Blocks change places along "m", in a branch, while "a" and "b" split them.
func.func private @swap(%a: tensor<12x7xi32>) -> tensor<12x7xi32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.case"(%one) ({
    stablehlo.return %a : tensor<12x7xi32>
  }, {
    %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"m", "a"}, {"b"}]>] out_shardings=[<@mesh, [{"m", ?}, {?}]>] manual_axes={"m"} (%u: tensor<6x7xi32>) {
      %2 = "stablehlo.collective_permute"(%u) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 3], [3, 0], [1, 4], [4, 1], [2, 5], [5, 2], [6, 9], [9, 6], [7, 10], [10, 7], [8, 11], [11, 8]]> : tensor<12x2xi64>}> : (tensor<6x7xi32>) -> tensor<6x7xi32>
      sdy.return %2 : tensor<6x7xi32>
    } : (tensor<12x7xi32>) -> tensor<12x7xi32>
    stablehlo.return %1 : tensor<12x7xi32>
  }) : (tensor<i32>) -> tensor<12x7xi32>
  return %0 : tensor<12x7xi32>
}
