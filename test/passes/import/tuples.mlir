// RUN: spmd-opt %s --spmd-flatten-tuples --split-input-file --verify-diagnostics | FileCheck %s

// What GSPMD's notation says of a tuple it says of the parts; a donation names its result by its
// new number.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[A:.*]]: tensor<8x2xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}
// CHECK-SAME:    %[[B:.*]]: tensor<i32> {mhlo.sharding = "{replicated}"}
// CHECK-SAME:    %[[C:.*]]: tensor<3xf32> {tf.aliasing_output = 3 : i32})
// CHECK-SAME:    -> (tensor<i32> {mhlo.sharding = "{replicated}"}, tensor<i32> {mhlo.sharding = "{replicated}"}, tensor<8x2xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, tensor<3xf32>)
func.func @main(
    %t: tuple<tensor<8x2xf32>, tuple<tensor<i32>>> {mhlo.sharding = "{{devices=[4,1]<=[4]}, {replicated}}"},
    %c: tensor<3xf32> {tf.aliasing_output = 1 : i32})
    -> (tuple<tuple<tensor<i32>, tensor<i32>>, tensor<8x2xf32>> {mhlo.sharding = "{{replicated}, {replicated}, {devices=[4,1]<=[4]}}"}, tensor<3xf32>) {
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<8x2xf32>, tuple<tensor<i32>>>) -> tensor<8x2xf32>
  %1 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<8x2xf32>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
  %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<i32>>) -> tensor<i32>
  %3 = stablehlo.tuple %2, %2 : tuple<tensor<i32>, tensor<i32>>
  %4 = stablehlo.tuple %3, %0 : tuple<tuple<tensor<i32>, tensor<i32>>, tensor<8x2xf32>>
  // CHECK: return %[[B]], %[[B]], %[[A]], %[[C]]
  return %4, %c : tuple<tuple<tensor<i32>, tensor<i32>>, tensor<8x2xf32>>, tensor<3xf32>
}

// -----

// Loops, branches and barriers carry parts.
// CHECK-LABEL: func.func @carried(%arg0: tensor<i32>, %arg1: tensor<4xf32>, %arg2: tensor<i1>)
func.func @carried(%n: tensor<i32>, %x: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
  %0 = stablehlo.tuple %n, %x : tuple<tensor<i32>, tensor<4xf32>>
  // CHECK: %[[LOOP:.*]]:2 = stablehlo.while(%[[I:.*]] = %arg0, %[[V:.*]] = %arg1) : tensor<i32>, tensor<4xf32>
  // CHECK: compare LT, %[[I]],
  // CHECK: add %[[V]], %[[V]]
  // CHECK: stablehlo.return %{{.*}}, %{{.*}} : tensor<i32>, tensor<4xf32>
  %1 = "stablehlo.while"(%0) ({
  ^bb0(%t: tuple<tensor<i32>, tensor<4xf32>>):
    %i = stablehlo.get_tuple_element %t[0] : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %less = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }, {
  ^bb0(%t: tuple<tensor<i32>, tensor<4xf32>>):
    %i = stablehlo.get_tuple_element %t[0] : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<i32>
    %v = stablehlo.get_tuple_element %t[1] : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<4xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %twice = stablehlo.add %v, %v : tensor<4xf32>
    %both = stablehlo.tuple %next, %twice : tuple<tensor<i32>, tensor<4xf32>>
    stablehlo.return %both : tuple<tensor<i32>, tensor<4xf32>>
  }) : (tuple<tensor<i32>, tensor<4xf32>>) -> tuple<tensor<i32>, tensor<4xf32>>
  // CHECK: %[[BARRIER:.*]]:2 = stablehlo.optimization_barrier %[[LOOP]]#0, %[[LOOP]]#1
  %2 = "stablehlo.optimization_barrier"(%1) : (tuple<tensor<i32>, tensor<4xf32>>) -> tuple<tensor<i32>, tensor<4xf32>>
  // CHECK: %[[IF:.*]]:2 = "stablehlo.if"(%arg2)
  // CHECK: stablehlo.return %[[BARRIER]]#0, %[[BARRIER]]#1
  // CHECK: stablehlo.return %arg0, %arg1
  %3 = "stablehlo.if"(%p) ({
    stablehlo.return %2 : tuple<tensor<i32>, tensor<4xf32>>
  }, {
    stablehlo.return %0 : tuple<tensor<i32>, tensor<4xf32>>
  }) : (tensor<i1>) -> tuple<tensor<i32>, tensor<4xf32>>
  // CHECK: return %[[IF]]#1
  %4 = stablehlo.get_tuple_element %3[1] : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// -----

// A custom call takes a tuple as it did; its results are a tuple by another name, but where one is
// in another.
// CHECK-LABEL: func.func @calls(%arg0: tensor<2xf32>, %arg1: tensor<i32>)
func.func @calls(%t: tuple<tensor<2xf32>, tensor<i32>>) -> (tensor<i32>, tensor<i32>) {
  // CHECK: %[[T:.*]] = stablehlo.tuple %arg0, %arg1
  // CHECK: %[[R:.*]]:2 = stablehlo.custom_call @f(%[[T]]) : (tuple<tensor<2xf32>, tensor<i32>>) -> (tensor<2xf32>, tensor<i32>)
  %0 = stablehlo.custom_call @f(%t) : (tuple<tensor<2xf32>, tensor<i32>>) -> tuple<tensor<2xf32>, tensor<i32>>
  // CHECK: %[[U:.*]] = stablehlo.tuple %[[R]]#0, %[[R]]#1
  // CHECK: %[[G:.*]] = stablehlo.custom_call @g(%[[U]]) : {{.*}} -> tuple<tuple<tensor<i32>>>
  // CHECK: %[[IN:.*]] = stablehlo.get_tuple_element %[[G]][0]
  // CHECK: %[[N:.*]] = stablehlo.get_tuple_element %[[IN]][0]
  %1 = stablehlo.custom_call @g(%0) : (tuple<tensor<2xf32>, tensor<i32>>) -> tuple<tuple<tensor<i32>>>
  // CHECK: stablehlo.custom_call @h(%[[G]])
  stablehlo.custom_call @h(%1) {has_side_effect = true} : (tuple<tuple<tensor<i32>>>) -> ()
  %2 = stablehlo.get_tuple_element %1[0] : (tuple<tuple<tensor<i32>>>) -> tuple<tensor<i32>>
  %3 = stablehlo.get_tuple_element %2[0] : (tuple<tensor<i32>>) -> tensor<i32>
  // CHECK: stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[4]<=[4]}"}
  // CHECK: %[[P:.*]] = stablehlo.custom_call @Sharding(%arg1) {mhlo.sharding = "{replicated}"}
  %4 = stablehlo.custom_call @Sharding(%t) {mhlo.sharding = "{{devices=[4]<=[4]},{replicated}}"}
      : (tuple<tensor<2xf32>, tensor<i32>>) -> tuple<tensor<2xf32>, tensor<i32>>
  %5 = stablehlo.get_tuple_element %4[1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>
  // CHECK: return %[[N]], %[[P]]
  return %3, %5 : tensor<i32>, tensor<i32>
}

// -----

// A function that something else than a call names keeps its signature.
// CHECK-LABEL: func.func private @named(%arg0: tuple<tensor<2xf32>, tensor<i32>>) -> tuple<tensor<i32>>
func.func private @named(%t: tuple<tensor<2xf32>, tensor<i32>>) -> tuple<tensor<i32>> {
  // CHECK: %[[N:.*]] = stablehlo.get_tuple_element %arg0[1]
  // CHECK: %[[T:.*]] = stablehlo.tuple %[[N]]
  // CHECK: return %[[T]]
  %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>
  %1 = stablehlo.tuple %0 : tuple<tensor<i32>>
  return %1 : tuple<tensor<i32>>
}
// CHECK-LABEL: func.func @names(%arg0: tensor<2xf32>, %arg1: tensor<i32>)
func.func @names(%t: tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32> {
  // CHECK: %[[T:.*]] = stablehlo.tuple %arg0, %arg1
  // CHECK: stablehlo.composite "own.named" %[[T]]
  %0 = stablehlo.composite "own.named" %t {decomposition = @named} : (tuple<tensor<2xf32>, tensor<i32>>) -> tuple<tensor<i32>>
  // CHECK: call @outside(%arg0, %arg1) : (tensor<2xf32>, tensor<i32>) -> (tensor<i32>, tensor<2xf32>)
  %1 = call @outside(%t) : (tuple<tensor<2xf32>, tensor<i32>>) -> tuple<tensor<i32>, tensor<2xf32>>
  %2 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<i32>>) -> tensor<i32>
  return %2 : tensor<i32>
}
// CHECK: func.func private @outside(tensor<2xf32>, tensor<i32>) -> (tensor<i32>, tensor<2xf32>)
func.func private @outside(tuple<tensor<2xf32>, tensor<i32>>) -> tuple<tensor<i32>, tensor<2xf32>>

// -----

// An empty tuple is nothing at all.
// CHECK: func.func @empty() {
// CHECK-NEXT: return
func.func @empty(%t: tuple<>) -> tuple<> {
  return %t : tuple<>
}

// -----

sdy.mesh @mesh = <["x"=2]>
// CHECK: func.func @said(%arg0: tensor<2xf32>) -> tensor<2xf32>
// expected-warning @below {{a sharding of a tuple of 1 values says nothing of them, and is dropped}}
func.func @said(%t: tuple<tensor<2xf32>> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> tensor<2xf32> {
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xf32>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
