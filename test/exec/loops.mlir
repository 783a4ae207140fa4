// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Loops whose carries are sharded: each iteration runs on shards, and its results come back to
// where the carry lies.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %w: tensor<7x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %xs: tensor<5x10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<10x7xi32>, tensor<5x10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<10x7xi32>, tensor<i32>, tensor<10xi32>) {
  %0:2 = call @scan(%a, %w, %xs) : (tensor<10x7xi32>, tensor<7x7xi32>, tensor<5x10xi32>) -> (tensor<10x7xi32>, tensor<5x10xi32>)
  %1 = call @swap(%a) : (tensor<10x7xi32>) -> tensor<10x7xi32>
  %2 = call @captures(%a, %w) : (tensor<10x7xi32>, tensor<7x7xi32>) -> tensor<10x7xi32>
  %3:2 = call @until(%a) : (tensor<10x7xi32>) -> (tensor<i32>, tensor<10xi32>)
  return %0#0, %0#1, %1, %2, %3#0, %3#1 : tensor<10x7xi32>, tensor<5x10xi32>, tensor<10x7xi32>, tensor<10x7xi32>, tensor<i32>, tensor<10xi32>
}

// A recurrence over rows of %xs that also stacks what it computes. The weight is carried along.
func.func private @scan(%a: tensor<10x7xi32>, %w: tensor<7x7xi32>, %xs: tensor<5x10xi32>) -> (tensor<10x7xi32>, tensor<5x10xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %empty = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<5x10xi32>
  %r:5 = stablehlo.while(%i = %zero, %h = %a, %v = %w, %x = %xs, %ys = %empty) : tensor<i32>, tensor<10x7xi32>, tensor<7x7xi32>, tensor<5x10xi32>, tensor<5x10xi32>
  cond {
    %more = stablehlo.compare LT, %i, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %row = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 10] : (tensor<5x10xi32>, tensor<i32>, tensor<i32>) -> tensor<1x10xi32>
    %flat = stablehlo.reshape %row : (tensor<1x10xi32>) -> tensor<10xi32>
    %h1 = func.call @cell(%h, %v, %flat) : (tensor<10x7xi32>, tensor<7x7xi32>, tensor<10xi32>) -> tensor<10x7xi32>
    %sum = stablehlo.reduce(%h1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<10x7xi32>, tensor<i32>) -> tensor<10xi32>
    %update = stablehlo.reshape %sum : (tensor<10xi32>) -> tensor<1x10xi32>
    %ys1 = stablehlo.dynamic_update_slice %ys, %update, %i, %zero : (tensor<5x10xi32>, tensor<1x10xi32>, tensor<i32>, tensor<i32>) -> tensor<5x10xi32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %h1, %v, %x, %ys1 : tensor<i32>, tensor<10x7xi32>, tensor<7x7xi32>, tensor<5x10xi32>, tensor<5x10xi32>
  }
  return %r#1, %r#4 : tensor<10x7xi32>, tensor<5x10xi32>
}
func.func private @cell(%h: tensor<10x7xi32>, %w: tensor<7x7xi32>, %x: tensor<10xi32>) -> tensor<10x7xi32> {
  %0 = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<10x7xi32>, tensor<7x7xi32>) -> tensor<10x7xi32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<10xi32>) -> tensor<10x7xi32>
  %2 = stablehlo.add %0, %1 : tensor<10x7xi32>
  %three = stablehlo.constant dense<7> : tensor<10x7xi32>
  %3 = stablehlo.remainder %2, %three : tensor<10x7xi32>
  return %3 : tensor<10x7xi32>
}

// What the body returns lies otherwise than the carry, and two carries change places.
func.func private @swap(%a: tensor<10x7xi32>) -> tensor<10x7xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %b = stablehlo.negate %a : tensor<10x7xi32>
  %r:3 = stablehlo.while(%i = %zero, %u = %a, %v = %b) : tensor<i32>, tensor<10x7xi32>, tensor<10x7xi32>
  cond {
    %more = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %0 = stablehlo.add %u, %u : tensor<10x7xi32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"y"}, {"x"}]> : tensor<10x7xi32>
    %index = stablehlo.iota dim = 0 : tensor<10x7xi32>
    %2 = stablehlo.add %1, %index : tensor<10x7xi32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %v, %2 : tensor<i32>, tensor<10x7xi32>, tensor<10x7xi32>
  }
  return %r#2 : tensor<10x7xi32>
}

// Loops inside loops that read values from outside both, uneven sums among them.
func.func private @captures(%a: tensor<10x7xi32>, %w: tensor<7x7xi32>) -> tensor<10x7xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %h = %a) : tensor<i32>, tensor<10x7xi32>
  cond {
    %more = stablehlo.compare LT, %i, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %s:2 = stablehlo.while(%j = %zero, %g = %h) : tensor<i32>, tensor<10x7xi32>
    cond {
      %end = stablehlo.add %i, %two : tensor<i32>
      %more = stablehlo.compare LT, %j, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<10x7xi32>, tensor<7x7xi32>) -> tensor<10x7xi32>
      %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10x7xi32>, tensor<i32>) -> tensor<7xi32>
      %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<7xi32>) -> tensor<10x7xi32>
      %3 = stablehlo.add %0, %2 : tensor<10x7xi32>
      %4 = stablehlo.subtract %3, %g : tensor<10x7xi32>
      %next = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %next, %4 : tensor<i32>, tensor<10x7xi32>
    }
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %s#1 : tensor<i32>, tensor<10x7xi32>
  }
  return %r#1 : tensor<10x7xi32>
}

// How often the loop runs depends on a sum over all shards.
func.func private @until(%a: tensor<10x7xi32>) -> (tensor<i32>, tensor<10xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %limit = stablehlo.constant dense<2000> : tensor<i32>
  %columns = stablehlo.abs %a : tensor<10x7xi32>
  %rows = stablehlo.reduce(%columns init: %one) applies stablehlo.add across dimensions = [1] : (tensor<10x7xi32>, tensor<i32>) -> tensor<10xi32>
  %r:2 = stablehlo.while(%i = %zero, %h = %rows) : tensor<i32>, tensor<10xi32>
  cond {
    %sum = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10xi32>, tensor<i32>) -> tensor<i32>
    %more = stablehlo.compare LT, %sum, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %0 = stablehlo.add %h, %rows : tensor<10xi32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %0 : tensor<i32>, tensor<10xi32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<10xi32>
}
