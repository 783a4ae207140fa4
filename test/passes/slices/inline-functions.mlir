// RUN: spmd-opt %s --spmd-inline-functions --spmd-compose-slices --split-input-file | FileCheck %s

// A short function is written where it is called, and what it pads is cut there.
// CHECK-LABEL: func.func @calls(
// CHECK-COUNT-2: stablehlo.pad %{{.+}}, %{{.+}}, low = [1], high = [-1]
// CHECK-NOT: @pad
func.func @calls(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = call @pad(%a) : (tensor<8xf32>) -> tensor<9xf32>
  %1 = stablehlo.slice %0 [0:8] : (tensor<9xf32>) -> tensor<8xf32>
  %2 = call @pad(%1) : (tensor<8xf32>) -> tensor<9xf32>
  %3 = stablehlo.slice %2 [0:8] : (tensor<9xf32>) -> tensor<8xf32>
  return %1, %3 : tensor<8xf32>, tensor<8xf32>
}
func.func private @pad(%a: tensor<8xf32>) -> tensor<9xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [1], high = [0], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

// Calls in what is called are written out first; a function that somebody else names stays, but not for its caller.
// CHECK-LABEL: func.func @nested(
// CHECK-NEXT: stablehlo.negate
// CHECK-NEXT: stablehlo.tanh
// CHECK-NEXT: return
// CHECK-NOT: @outer
// CHECK: func.func private @inner
func.func @nested(%a: tensor<8xf32>) -> tensor<8xf32> attributes {other = @inner} {
  %0 = call @outer(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @inner(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @outer(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @inner(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.tanh %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Constraints in a function come along, and are no ops of it. Where nobody reads one, it speaks of its operand, which is
// another value here: that function stays.
sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @constrains(
// CHECK-NEXT: %[[A:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]>
// CHECK-NEXT: %[[B:.*]] = stablehlo.tanh %[[A]]
// CHECK-NEXT: call @says_of_operand(%[[B]])
// CHECK-NOT: @placed
func.func @constrains(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @placed(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @says_of_operand(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @placed(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<8xf32>
  %1 = stablehlo.tanh %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @says_of_operand(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{}]> : tensor<8xf32>
  %1 = stablehlo.tanh %a : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Stay: a function that says how it is split or has an effect, one that calls itself, a call that says how
// its result is split, and a function of which another one than a call speaks.
sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @calls_stay(
// CHECK: call @split
// CHECK: call @drawn
// CHECK: call @endless
// CHECK: call @plain
func.func @calls_stay(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @split(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @drawn(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = call @endless(%2) : (tensor<8xf32>) -> tensor<8xf32>
  %4 = call @plain(%3) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}
func.func private @split(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @drawn(%a: tensor<8xf32>) -> tensor<8xf32> {
  %low = stablehlo.constant dense<0.0> : tensor<f32>
  %sizes = stablehlo.constant dense<[8]> : tensor<1xi64>
  %0 = stablehlo.rng %low, %low, %sizes, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @endless(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @endless(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @plain(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A body, and a function that a loop calls, are written out too; both sorts read the same value then.
// CHECK-LABEL: func.func @bodies(
// CHECK: "stablehlo.sort"(%arg0)
// CHECK: stablehlo.while
// CHECK: stablehlo.tanh
// CHECK: "stablehlo.sort"(%arg0)
// CHECK-NOT: call
func.func @bodies(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = call @sorted(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @repeated(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @sorted(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}
func.func private @sorted(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @repeated(%a: tensor<8xf32>) -> tensor<8xf32> {
  %begin = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %begin, %x = %a) : tensor<i32>, tensor<8xf32>
  cond {
    %end = stablehlo.constant dense<3> : tensor<i32>
    %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %step = func.call @stepped(%x) : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %next, %step : tensor<i32>, tensor<8xf32>
  }
  return %0#1 : tensor<8xf32>
}
func.func private @stepped(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A function that is called once is written out however long it is, bodies included.
// CHECK-LABEL: func.func @once(
// CHECK-NOT: call
// CHECK-COUNT-66: stablehlo.negate
// CHECK-NEXT: "stablehlo.sort"
// CHECK-NOT: @long
func.func @once(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @long(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @long_with_body(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @long(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = stablehlo.negate %0 : tensor<8xf32>
  %2 = stablehlo.negate %1 : tensor<8xf32>
  %3 = stablehlo.negate %2 : tensor<8xf32>
  %4 = stablehlo.negate %3 : tensor<8xf32>
  %5 = stablehlo.negate %4 : tensor<8xf32>
  %6 = stablehlo.negate %5 : tensor<8xf32>
  %7 = stablehlo.negate %6 : tensor<8xf32>
  %8 = stablehlo.negate %7 : tensor<8xf32>
  %9 = stablehlo.negate %8 : tensor<8xf32>
  %10 = stablehlo.negate %9 : tensor<8xf32>
  %11 = stablehlo.negate %10 : tensor<8xf32>
  %12 = stablehlo.negate %11 : tensor<8xf32>
  %13 = stablehlo.negate %12 : tensor<8xf32>
  %14 = stablehlo.negate %13 : tensor<8xf32>
  %15 = stablehlo.negate %14 : tensor<8xf32>
  %16 = stablehlo.negate %15 : tensor<8xf32>
  %17 = stablehlo.negate %16 : tensor<8xf32>
  %18 = stablehlo.negate %17 : tensor<8xf32>
  %19 = stablehlo.negate %18 : tensor<8xf32>
  %20 = stablehlo.negate %19 : tensor<8xf32>
  %21 = stablehlo.negate %20 : tensor<8xf32>
  %22 = stablehlo.negate %21 : tensor<8xf32>
  %23 = stablehlo.negate %22 : tensor<8xf32>
  %24 = stablehlo.negate %23 : tensor<8xf32>
  %25 = stablehlo.negate %24 : tensor<8xf32>
  %26 = stablehlo.negate %25 : tensor<8xf32>
  %27 = stablehlo.negate %26 : tensor<8xf32>
  %28 = stablehlo.negate %27 : tensor<8xf32>
  %29 = stablehlo.negate %28 : tensor<8xf32>
  %30 = stablehlo.negate %29 : tensor<8xf32>
  %31 = stablehlo.negate %30 : tensor<8xf32>
  %32 = stablehlo.negate %31 : tensor<8xf32>
  return %32 : tensor<8xf32>
}
func.func private @long_with_body(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = stablehlo.negate %0 : tensor<8xf32>
  %2 = stablehlo.negate %1 : tensor<8xf32>
  %3 = stablehlo.negate %2 : tensor<8xf32>
  %4 = stablehlo.negate %3 : tensor<8xf32>
  %5 = stablehlo.negate %4 : tensor<8xf32>
  %6 = stablehlo.negate %5 : tensor<8xf32>
  %7 = stablehlo.negate %6 : tensor<8xf32>
  %8 = stablehlo.negate %7 : tensor<8xf32>
  %9 = stablehlo.negate %8 : tensor<8xf32>
  %10 = stablehlo.negate %9 : tensor<8xf32>
  %11 = stablehlo.negate %10 : tensor<8xf32>
  %12 = stablehlo.negate %11 : tensor<8xf32>
  %13 = stablehlo.negate %12 : tensor<8xf32>
  %14 = stablehlo.negate %13 : tensor<8xf32>
  %15 = stablehlo.negate %14 : tensor<8xf32>
  %16 = stablehlo.negate %15 : tensor<8xf32>
  %17 = stablehlo.negate %16 : tensor<8xf32>
  %18 = stablehlo.negate %17 : tensor<8xf32>
  %19 = stablehlo.negate %18 : tensor<8xf32>
  %20 = stablehlo.negate %19 : tensor<8xf32>
  %21 = stablehlo.negate %20 : tensor<8xf32>
  %22 = stablehlo.negate %21 : tensor<8xf32>
  %23 = stablehlo.negate %22 : tensor<8xf32>
  %24 = stablehlo.negate %23 : tensor<8xf32>
  %25 = stablehlo.negate %24 : tensor<8xf32>
  %26 = stablehlo.negate %25 : tensor<8xf32>
  %27 = stablehlo.negate %26 : tensor<8xf32>
  %28 = stablehlo.negate %27 : tensor<8xf32>
  %29 = stablehlo.negate %28 : tensor<8xf32>
  %30 = stablehlo.negate %29 : tensor<8xf32>
  %31 = stablehlo.negate %30 : tensor<8xf32>
  %32 = stablehlo.negate %31 : tensor<8xf32>
  %33 = "stablehlo.sort"(%32) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %34 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %34 : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %33 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: stablehlo.add
// CHECK-NEXT: return
// CHECK-NOT: @twice
func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// So does one that the configuration of a custom call names.
// CHECK-LABEL: func.func @named_in_configuration(
// CHECK-NEXT: stablehlo.negate
// CHECK-NEXT: stablehlo.custom_call
// CHECK: func.func private @listed
// CHECK: func.func private @entry
func.func @named_in_configuration(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @listed(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @entry(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = stablehlo.custom_call @kernel(%1) {mhlo.backend_config = {bodies = [@listed]}, mhlo.attributes = {after = @entry}} : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @listed(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @entry(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}

// -----

// A function with more than 256 constraints that is called twice stays. Otherwise functions that call each other twice would
// double without a bound.
// CHECK-LABEL: func.func private @said512
// CHECK: sdy.sharding_constraint
// CHECK-LABEL: func.func @main(
// CHECK-NOT: sdy.sharding_constraint
// CHECK-COUNT-2: call @said512
sdy.mesh @mesh = <["x"=2]>
func.func private @said1(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @said2(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @said1(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @said1(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @said4(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @said2(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @said2(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @said8(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @said4(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @said4(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @said16(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @said8(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @said8(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @said32(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @said16(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @said16(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @said64(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @said32(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @said32(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @said128(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @said64(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @said64(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @said256(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @said128(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @said128(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @said512(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @said256(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @said256(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @said512(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @said512(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// What is said of an axis stays out of where the axis is manual; of another one it may be said
// there.
// CHECK-LABEL: func.func @main(
// CHECK: sdy.manual_computation
// CHECK-NEXT: call @by_x
// CHECK-NEXT: call @annotated_by_x
// CHECK-NEXT: call @manual_by_x
// CHECK-NEXT: sdy.sharding_constraint
// CHECK-NEXT: sdy.return
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func private @by_x(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
func.func private @annotated_by_x(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.sine %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
func.func private @manual_by_x(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%b: tensor<4x6xf32>) {
    sdy.return %b : tensor<4x6xf32>
  } : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
func.func private @by_y(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"y"}, {}]> : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x6xf32>) {
    %1 = func.call @by_x(%b) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %2 = func.call @annotated_by_x(%1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %3 = func.call @manual_by_x(%2) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %4 = func.call @by_y(%3) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    sdy.return %4 : tensor<4x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
