// RUN: sed 's/MESH/<["x"=2, "z"=2]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=3, "z"=1]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["z"=2, "x"=4]>/' %s | spmd-run - | FileCheck %s

// A loop reads what it hands on as it is, gathered, with no op in between that would cut a piece of it.
// CHECK: equal: yes
sdy.mesh @mesh = MESH
func.func @main(%a: tensor<1x1x2xui8> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {?}], replicated={"z"}>}, %b: tensor<1x2xui8>)
    -> (tensor<1x2xui8> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"z", "x"}]>}, tensor<1x2xui8>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r:5 = stablehlo.while(%i = %zero, %last = %b, %next = %b, %new = %a, %held = %a) : tensor<i32>, tensor<1x2xui8>, tensor<1x2xui8>, tensor<1x1x2xui8>, tensor<1x1x2xui8>
  cond {
    %go = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %row = stablehlo.reshape %held : (tensor<1x1x2xui8>) -> tensor<1x2xui8>
    %sum = stablehlo.add %b, %row : tensor<1x2xui8>
    stablehlo.return %j, %next, %sum, %a, %held : tensor<i32>, tensor<1x2xui8>, tensor<1x2xui8>, tensor<1x1x2xui8>, tensor<1x1x2xui8>
  }
  %s:2 = stablehlo.while(%i = %zero, %held = %r#1) : tensor<i32>, tensor<1x2xui8>
  cond {
    %go = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %held : tensor<i32>, tensor<1x2xui8>
  }
  return %b, %s#1 : tensor<1x2xui8>, tensor<1x2xui8>
}
