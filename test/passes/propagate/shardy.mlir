// Shardy's rules, where `conflicts=shardy` goes by others than ours (docs/shardy.md).
// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy 2>/dev/null | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy -o %t.mlir 2>/dev/null
// RUN: spmd-opt %t.mlir --spmd-propagate=conflicts=shardy 2>/dev/null | diff %t.mlir -
// RUN: spmd-opt %s --spmd-explain="conflicts=shardy value=@even_boundary:%b value=@even_boundary:%c" 2>/dev/null | FileCheck %s --check-prefix=WHY

sdy.mesh @m = <["x"=2, "y"=4]>

// A closed constraint says how the value lies that it is put on: it learns nothing from elsewhere.
// CHECK-LABEL: func.func @constraint_on_one_value
// CHECK: stablehlo.sine {{.*}}[<@m, [{}, {"y"}]>]
func.func @constraint_on_one_value(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.sine %a : tensor<8x16xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{}, {"y"}]> : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// Of two constraints on one value neither says how it lies: they are neighbours as others are.
// CHECK-LABEL: func.func @two_constraints_on_a_value
// CHECK: stablehlo.sine {{.*}}[<@m, [{"x", ?}, {"y", ?}]>]
func.func @two_constraints_on_a_value(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = stablehlo.sine %a : tensor<8x16xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{}, {"y"}]> : tensor<8x16xf32>
  %2 = sdy.sharding_constraint %0 <@m, [{"y"}, {}]> : tensor<8x16xf32>
  return %1, %2 : tensor<8x16xf32>, tensor<8x16xf32>
}

// What the open dims of a constraint took up is written into it.
// CHECK-LABEL: func.func @open_constraint
// CHECK: stablehlo.sine {{.*}}[<@m, [{"x", ?}, {"y", ?}]>]
// CHECK: sdy.sharding_constraint %{{.*}} <@m, [{"x", ?}, {"y"}]>
func.func @open_constraint(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {?}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.sine %a : tensor<8x16xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{?}, {"y"}]> : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// The last of a chain of constraints stands for the value in what comes behind it.
// CHECK-LABEL: func.func @chain_of_constraints
// CHECK: %[[SINE:.*]] = stablehlo.sine {{.*}}[<@m, [{"x"}, {}]>]
// CHECK: stablehlo.cosine %[[SINE]]
// CHECK: %[[LAST:.*]] = sdy.sharding_constraint {{.*}} <@m, [{}, {"y"}]>
// CHECK: stablehlo.tanh %[[LAST]] {{.*}}[<@m, [{?}, {"y", ?}]>]
func.func @chain_of_constraints(%a: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = stablehlo.sine %a : tensor<8x16xf32>
  %1 = stablehlo.cosine %0 : tensor<8x16xf32>
  %2 = sdy.sharding_constraint %0 <@m, [{"x"}, {}]> : tensor<8x16xf32>
  %3 = sdy.sharding_constraint %2 <@m, [{}, {"y"}]> : tensor<8x16xf32>
  %4 = stablehlo.tanh %0 : tensor<8x16xf32>
  return %1, %4 : tensor<8x16xf32>, tensor<8x16xf32>
}

// One constraint alone leaves other uses as they are.
// CHECK-LABEL: func.func @single_constraint
// CHECK: %[[SINE:.*]] = stablehlo.sine
// CHECK: stablehlo.tanh %[[SINE]]
func.func @single_constraint(%a: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = stablehlo.sine %a : tensor<8x16xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{"x"}, {}]> : tensor<8x16xf32>
  %2 = stablehlo.tanh %0 : tensor<8x16xf32>
  return %1, %2 : tensor<8x16xf32>, tensor<8x16xf32>
}

// Along a factor tensors take what all lists of axes start with: of "y","x" and "y" the longer, of "x" and "y" nothing.
// CHECK-LABEL: func.func @conflict_in_a_factor
// CHECK: stablehlo.add {{.*}}[<@m, [{"y", "x", ?}, {?}]>]
// CHECK: stablehlo.multiply {{.*}}[<@m, [{?}, {?}]>]
func.func @conflict_in_a_factor(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", "x"}, {}]>},
    %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {}]>},
    %c: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = stablehlo.add %a, %b : tensor<8x16xf32>
  %1 = stablehlo.multiply %b, %c : tensor<8x16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<8x16xf32>
}

// A closed result objects to what it cannot take, so its operands do not have it from each other; a closed operand does not.
// CHECK-LABEL: func.func @closed_result
// CHECK-SAME: %arg1: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"y", ?}]>
// CHECK-SAME: %arg2: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"y", ?}]>
func.func @closed_result(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
    %b: tensor<8x16xf32>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x16xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{}, {"y"}]> : tensor<8x16xf32>
  %2 = stablehlo.multiply %1, %c : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// Slices are no light ops: the product takes its columns from the weight before the slice has its rows.
// CHECK-LABEL: func.func @slices_are_heavy
// CHECK: stablehlo.dot_general {{.*}}[<@m, [{?}, {"x", ?}]>]
// CHECK: stablehlo.slice
func.func @slices_are_heavy(%a: tensor<8x6xf32>, %w: tensor<6x16xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>},
    %b: tensor<8x24xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.slice %b [0:8, 0:16] : (tensor<8x24xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// Axes pass along what a slice cuts.
// CHECK-LABEL: func.func @slice_of_a_row
// CHECK: stablehlo.slice {{.*}}[<@m, [{"x", ?}, {?}]>]
func.func @slice_of_a_row(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<1x16xf32> {
  %0 = stablehlo.slice %a [0:1, 0:16] : (tensor<8x16xf32>) -> tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}

// Between two factors the larger tensor wins, counted in elements: "x" goes to dim 0 of the sum, where the bf16 have it.
// CHECK-LABEL: func.func @conflict_between_factors
// CHECK: stablehlo.dot_general {{.*}}[<@m, [{"x", ?}, {?}]>]
func.func @conflict_between_factors(%a: tensor<8x24xbf16> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
    %b: tensor<24x6xf64> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}) -> tensor<8x6xf64> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x24xbf16>, tensor<24x6xf64>) -> tensor<8x6xf64>
  return %0 : tensor<8x6xf64>
}

// Each use of a constant has its own.
// CHECK-LABEL: func.func @constant_of_two
// CHECK-DAG: stablehlo.constant {{.*}}[<@m, [{"x", ?}, {?}]>]
// CHECK-DAG: stablehlo.constant {{.*}}[<@m, [{"y", ?}, {?}]>]
// CHECK: return
func.func @constant_of_two(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
    %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {}]>}) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = stablehlo.constant dense<2.0> : tensor<8x16xf32>
  %1 = stablehlo.add %a, %0 : tensor<8x16xf32>
  %2 = stablehlo.add %b, %0 : tensor<8x16xf32>
  %3 = stablehlo.add %2, %0 : tensor<8x16xf32>
  return %1, %2, %3 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// And each copy of what is made of a constant has its own constant.
// CHECK-LABEL: func.func @made_of_constant_of_two
// CHECK: stablehlo.constant {{.*}}[<@m, [{"x", ?}, {?}]>]
// CHECK: stablehlo.constant {{.*}}[<@m, [{"y", ?}, {?}]>]
// CHECK-DAG: stablehlo.negate {{.*}}[<@m, [{"x", ?}, {?}]>]
// CHECK-DAG: stablehlo.negate {{.*}}[<@m, [{"y", ?}, {?}]>]
// CHECK: return
func.func @made_of_constant_of_two(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
    %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {}]>}) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = stablehlo.constant dense<2.0> : tensor<8x16xf32>
  %1 = stablehlo.negate %0 : tensor<8x16xf32>
  %2 = stablehlo.add %a, %0 : tensor<8x16xf32>
  %3 = stablehlo.add %a, %1 : tensor<8x16xf32>
  %4 = stablehlo.add %b, %1 : tensor<8x16xf32>
  return %2, %3, %4 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// Along the dim of a transform axes pass, but not where its size changes; by default they do.
// CHECK-LABEL: func.func @fft
// CHECK: type = FFT, length = [16] {{.*}}[<@m, [{"y", ?}, {"x", ?}]>]
// CHECK: type = RFFT, length = [16] {{.*}}[<@m, [{"y", ?}, {?}]>]
// CHECK: type = IRFFT, length = [15] {{.*}}[<@m, [{"y", ?}, {?}]>]
func.func @fft(%a: tensor<8x16xcomplex<f32>> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}]>},
    %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}]>},
    %c: tensor<8x8xcomplex<f32>> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}]>}) -> (tensor<8x16xcomplex<f32>>, tensor<8x9xcomplex<f32>>, tensor<8x15xf32>) {
  %0 = stablehlo.fft %a, type = FFT, length = [16] : (tensor<8x16xcomplex<f32>>) -> tensor<8x16xcomplex<f32>>
  %1 = stablehlo.fft %b, type = RFFT, length = [16] : (tensor<8x16xf32>) -> tensor<8x9xcomplex<f32>>
  %2 = stablehlo.fft %c, type = IRFFT, length = [15] : (tensor<8x8xcomplex<f32>>) -> tensor<8x15xf32>
  return %0, %1, %2 : tensor<8x16xcomplex<f32>>, tensor<8x9xcomplex<f32>>, tensor<8x15xf32>
}

// Ops are visited as if calls were inlined: the call's result has "x" when the sum is looked at, and comes first of two alike.
// CHECK-LABEL: func.func @call_in_order
// CHECK: call @tanh
// CHECK: stablehlo.add {{.*}}[<@m, [{"x", ?}, {?}]>]
func.func @call_in_order(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
    %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}) -> tensor<8x8xf32> {
  %0 = func.call @tanh(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.add %0, %b : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
func.func private @tanh(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Nothing passes through a sort of one dim alone, however long: it would be gathered.
// CHECK-LABEL: func.func @sort_of_one_dim
// CHECK: stablehlo.sort
// CHECK: sharding_per_value<[<@m, [{?}]>]>
func.func @sort_of_one_dim(%a: tensor<4096xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<4096xf32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %l = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<4096xf32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

// Where nothing is left of what has a user priority, there is none.
// CHECK-LABEL: func.func @even_boundary_of_a_priority
// CHECK-SAME: [{}]>, spmd.inferred, spmd.uneven_sharding = #sdy.sharding<@m, [{"y"}p1]>
func.func @even_boundary_of_a_priority(%a: tensor<7xf32>) -> tensor<7xf32> {
  %0 = sdy.sharding_constraint %a <@m, [{"y"}p1]> : tensor<7xf32>
  return %0 : tensor<7xf32>
}

// What was found for an argument is known when propagation runs again: others learnt from it, or could not.
// CHECK-LABEL: func.func @uneven_argument
// CHECK-SAME: [{?}]>, spmd.inferred, spmd.uneven_sharding = #sdy.sharding<@m, [{"y", "x", ?}]>
// CHECK: stablehlo.subtract {{.*}}[<@m, [{?}]>]
func.func @uneven_argument(%a: tensor<6xf32>) -> tensor<6xf32> {
  %0:2 = func.call @two_orders(%a, %a) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>)
  %1 = stablehlo.subtract %0#0, %a : tensor<6xf32>
  return %1 : tensor<6xf32>
}
func.func private @two_orders(%a: tensor<6xf32>, %b: tensor<6xf32>) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}]>}, tensor<6xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", "x", ?}]>}) {
  %0 = stablehlo.abs %a : tensor<6xf32>
  return %a, %b : tensor<6xf32>, tensor<6xf32>
}

// So it is of one that the user left open: its rows would be split along "x" then.
// CHECK-LABEL: func.func @uneven_open_argument
// CHECK-SAME: [{?}, {?}, {?}]>, spmd.uneven_sharding = #sdy.sharding<@m, [{?}, {"x", ?}, {?}]>}
func.func @uneven_open_argument(%a: tensor<6x3x4xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {?}, {?}]>})
    -> (tensor<6x3x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}, {}]>}, tensor<6x3x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}, {}]>}) {
  %0 = stablehlo.optimization_barrier %a : tensor<6x3x4xf32>
  return %a, %0 : tensor<6x3x4xf32>, tensor<6x3x4xf32>
}

// What somebody has written since is what he says, not what is left of that: rows that stay whole.
// CHECK-LABEL: func.func @written_since
// CHECK-SAME: %arg0: tensor<7x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"y"}]>}
func.func @written_since(%a: tensor<7x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"y"}]>, spmd.uneven_sharding = #sdy.sharding<@m, [{"x", ?}, {"y", ?}]>})
    -> (tensor<7x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"y"}]>}) {
  %0 = stablehlo.abs %a : tensor<7x4xf32>
  return %0 : tensor<7x4xf32>
}

// What comes from outside and goes there keeps the axes in front by which shards are even; ops inside keep all. What a user
// placed keeps a part of an axis, too, and what a user says of an argument stays.
// CHECK-LABEL: func.func @even_boundary
// CHECK-SAME: %arg0: tensor<12x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {?}]>
// CHECK-SAME: %arg1: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {?}]>
// CHECK-SAME: %arg2: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y":(1)2}, {}]>
// CHECK-SAME: %arg3: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {}]>}
// CHECK-SAME: %arg4: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", ?}, {"x", ?}]>}
// CHECK-SAME: -> (tensor<12x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {?}]>
// CHECK-SAME: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {?}]>
// CHECK: stablehlo.tanh {{.*}}[<@m, [{"x", "y"}, {}]>]
// CHECK: stablehlo.exponential {{.*}}[<@m, [{"x", "y", ?}, {?}]>]
// CHECK: call @inside
// CHECK: func.func private @inside(%arg0: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", ?}, {?}]>
// WHY: %b, argument 1 of @even_boundary
// WHY-NEXT: dim 0 (size 6) is not split:
// WHY-NEXT: its shards would not be even along "y", which was found for it; arguments and results keep what divides them
// WHY: %c, argument 2 of @even_boundary
// WHY-NEXT: dim 0 (size 6) is split along "y":(1)2:
// WHY: dim 1 (size 8) is not split:
// WHY-NEXT: lies as the constraint on it, %4, closed by [{"y"}, {}]
func.func @even_boundary(%a: tensor<12x8xf32>, %b: tensor<6x8xf32>, %c: tensor<6x8xf32>,
    %d: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {}]>},
    %e: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", ?}, {"x", ?}]>}) -> (tensor<12x8xf32>, tensor<6x8xf32>) {
  %0 = stablehlo.tanh %a : tensor<12x8xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{"x", "y"}, {}]> : tensor<12x8xf32>
  %2 = stablehlo.exponential %1 : tensor<12x8xf32>
  %3 = func.call @inside(%b) : (tensor<6x8xf32>) -> tensor<6x8xf32>
  %4 = sdy.sharding_constraint %c <@m, [{"y"}, {}]> : tensor<6x8xf32>
  %5 = stablehlo.add %3, %4 : tensor<6x8xf32>
  %6 = stablehlo.add %5, %d : tensor<6x8xf32>
  return %2, %6 : tensor<12x8xf32>, tensor<6x8xf32>
}
func.func private @inside(%a: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %0 = stablehlo.tanh %a : tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// What a loop hands on as it came in is the value of outside: it is looked at before the loop, and the uses in there count for
// themselves. So what is multiplied with %c, which nothing else reads, is known before what %a is added to.
// CHECK-LABEL: func.func @loop
// CHECK: stablehlo.while
// CHECK-SAME: [<@m, []>, <@m, [{"y", ?}, {?}]>, <@m, [{"x", "y", ?}, {?}]>, <@m, [{"x", ?}, {?}]>]
// CHECK: stablehlo.add {{.*}}[<@m, [{"x", "y", ?}, {?}]>]
// CHECK: stablehlo.multiply {{.*}}[<@m, [{"x", "y", ?}, {?}]>]
func.func @loop(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {}]>}, %b: tensor<16x8xf32>, %n: tensor<i32>) -> tensor<16x8xf32> {
  %0 = sdy.sharding_constraint %b <@m, [{"x", "y"}, {}]> : tensor<16x8xf32>
  %1:4 = stablehlo.while(%k = %n, %h = %a, %c = %0, %v = %a) : tensor<i32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
  cond {
    %p = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %i = stablehlo.add %k, %k : tensor<i32>
    %3 = stablehlo.add %v, %h : tensor<16x8xf32>
    %4 = stablehlo.exponential %h : tensor<16x8xf32>
    %5 = stablehlo.multiply %4, %c : tensor<16x8xf32>
    %6 = stablehlo.subtract %3, %5 : tensor<16x8xf32>
    stablehlo.return %i, %h, %c, %6 : tensor<i32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
  }
  %2 = sdy.sharding_constraint %1#3 <@m, [{"x"}, {}]> : tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}

// What lies as the argument whose memory it takes over tells nobody, in another run neither.
// CHECK-LABEL: func.func @uneven_donation
// CHECK-SAME: %arg0: tensor<7xi32> {sdy.sharding = #sdy.sharding<@m, [{?}]>, spmd.inferred, spmd.uneven_sharding = #sdy.sharding<@m, [{"y", ?}]>
// CHECK-SAME: %arg1: tensor<7xi32> {spmd.missing_sharding})
func.func @uneven_donation(%a: tensor<7xi32> {tf.aliasing_output = 1 : i32}, %b: tensor<7xi32>) -> (tensor<7xi32>, tensor<7xi32>) {
  %0 = sdy.reshard %a <@m, [{"y", ?}]> : tensor<7xi32>
  return %0, %b : tensor<7xi32>, tensor<7xi32>
}
