// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Branches on shards: each returns what lies as the result, collectives are inside the branch that
// needs them, and what decides is the same everywhere.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<7x10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %flags: tensor<6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>})
    -> (tensor<10x7xi32>, tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<7xi32>, tensor<6x7xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = stablehlo.reduce(%flags init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xi32>, tensor<i32>) -> tensor<i32>
  %odd = stablehlo.constant dense<1> : tensor<i32>
  %bit = stablehlo.and %sum, %odd : tensor<i32>
  %p = stablehlo.compare EQ, %bit, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = func.call @either(%a, %b, %p) : (tensor<10x7xi32>, tensor<7x10xi32>, tensor<i1>) -> tensor<10x7xi32>
  %not = stablehlo.not %p : tensor<i1>
  %1 = func.call @either(%a, %b, %not) : (tensor<10x7xi32>, tensor<7x10xi32>, tensor<i1>) -> tensor<10x7xi32>
  %2:2 = func.call @each(%a, %flags) : (tensor<10x7xi32>, tensor<6xi32>) -> (tensor<7xi32>, tensor<6x7xi32>)
  return %0, %1, %2#0, %2#1 : tensor<10x7xi32>, tensor<10x7xi32>, tensor<7xi32>, tensor<6x7xi32>
}

func.func private @either(%a: tensor<10x7xi32>, %b: tensor<7x10xi32>, %p: tensor<i1>) -> tensor<10x7xi32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<7x10xi32>) -> tensor<10x7xi32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{}, {"x", "y"}]> : tensor<10x7xi32>
    stablehlo.return %2 : tensor<10x7xi32>
  }, {
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<10x7xi32>, tensor<7x10xi32>) -> tensor<10x10xi32>
    %2 = stablehlo.dot_general %1, %a, contracting_dims = [1] x [0] : (tensor<10x10xi32>, tensor<10x7xi32>) -> tensor<10x7xi32>
    stablehlo.return %2 : tensor<10x7xi32>
  }) : (tensor<i1>) -> tensor<10x7xi32>
  return %0 : tensor<10x7xi32>
}

// A case in a loop, every branch taken; one branch has a branch of its own, one returns a constant.
func.func private @each(%a: tensor<10x7xi32>, %flags: tensor<6xi32>) -> (tensor<7xi32>, tensor<6x7xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %start = stablehlo.constant dense<1> : tensor<7xi32>
  %empty = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<6x7xi32>
  %r:3 = stablehlo.while(%i = %zero, %h = %start, %ys = %empty) : tensor<i32>, tensor<7xi32>, tensor<6x7xi32>
  cond {
    %more = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %0 = "stablehlo.case"(%i) ({
      %1 = stablehlo.reduce(%a init: %one) applies stablehlo.add across dimensions = [0] : (tensor<10x7xi32>, tensor<i32>) -> tensor<7xi32>
      %2 = stablehlo.add %1, %h : tensor<7xi32>
      stablehlo.return %2 : tensor<7xi32>
    }, {
      %first = stablehlo.slice %flags [0:1] : (tensor<6xi32>) -> tensor<1xi32>
      %scalar = stablehlo.reshape %first : (tensor<1xi32>) -> tensor<i32>
      %p = stablehlo.compare LT, %scalar, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %1 = "stablehlo.if"(%p) ({
        %2 = stablehlo.negate %h : tensor<7xi32>
        stablehlo.return %2 : tensor<7xi32>
      }, {
        stablehlo.return %h : tensor<7xi32>
      }) : (tensor<i1>) -> tensor<7xi32>
      stablehlo.return %1 : tensor<7xi32>
    }, {
      %five = stablehlo.constant dense<5> : tensor<7xi32>
      stablehlo.return %five : tensor<7xi32>
    }) : (tensor<i32>) -> tensor<7xi32>
    %row = stablehlo.reshape %0 : (tensor<7xi32>) -> tensor<1x7xi32>
    %ys1 = stablehlo.dynamic_update_slice %ys, %row, %i, %zero : (tensor<6x7xi32>, tensor<1x7xi32>, tensor<i32>, tensor<i32>) -> tensor<6x7xi32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %0, %ys1 : tensor<i32>, tensor<7xi32>, tensor<6x7xi32>
  }
  return %r#1, %r#2 : tensor<7xi32>, tensor<6x7xi32>
}
