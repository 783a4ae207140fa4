// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=3, "y"=1]>/' %s | spmd-run - --denormals=zero-in-comparisons | FileCheck %s
// RUN: sed 's/MESH/<["x"=3, "y"=1]>/' %s | spmd-run - --denormals=flush | FileCheck %s
// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | not spmd-run - --denormals=keep | FileCheck %s --check-prefix=KEEP
// RUN: not spmd-run %s --denormals=often 2>&1 | FileCheck %s --check-prefix=OFTEN

// Bits that are denormal floats are zeros where they are compared, sharded or not.
// CHECK: equal: yes
// KEEP: differs check.expect_eq {{.*}}: [1] is {{.*}}, expected {{.*}}; [2] is {{.*}}; 2 of 5 elements differ
// KEEP: equal: no
// OFTEN: denormals option: Cannot find option named 'often'
sdy.mesh @mesh = MESH

func.func public @main() -> tensor<5xi1> {
  %bits = stablehlo.constant dense<[0, 1, 2147483649, 8388608, 2139095040]> : tensor<5xui32>
  %split = sdy.sharding_constraint %bits <@mesh, [{"x", "y"}]> : tensor<5xui32>
  %floats = stablehlo.bitcast_convert %split : (tensor<5xui32>) -> tensor<5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<5xf32>
  %isZero = stablehlo.compare EQ, %floats, %zero, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  %expected = stablehlo.constant dense<[true, true, true, false, false]> : tensor<5xi1>
  stablehlo.custom_call @check.expect_eq(%isZero, %expected) {has_side_effect = true} : (tensor<5xi1>, tensor<5xi1>) -> ()
  return %isZero : tensor<5xi1>
}
