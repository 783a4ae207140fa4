// RUN: sed 's/MESH/<["x"=4, "y"=2]>/' %s | spmd-run - | FileCheck %s
// CHECK: collectives {{ *}}none
// CHECK: equal: yes
// RUN: sed 's/MESH/<["x"=4, "y"=2]>/' %s | spmd-opt --spmd-pipeline - | not grep -E 'stablehlo.rng .*-> tensor<([013-9]|[0-9][0-9])'
// RUN: sed 's/MESH/<["x"=3, "y"=2], device_ids=[3, 1, 0, 2, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=2, "y"=4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=5, "y"=1]>/' %s | spmd-run -

// Numbers of `rng`, of all types, each made by whom it belongs to; in a loop, others each time. A result of the type of
// a seed is made whole.
sdy.mesh @mesh = MESH
func.func public @main() -> (tensor<10x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<7x5xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<33xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x","y"}]>}, tensor<33xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x","y"}]>}, tensor<9x4xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"},{"y"}]>}, tensor<12xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<2xui64> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<3x3xi64> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<6xf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %l = stablehlo.constant dense<-1.0> : tensor<f32>
  %h = stablehlo.constant dense<2.0> : tensor<f32>
  %s0 = stablehlo.constant dense<[10, 3]> : tensor<2xi64>
  %0 = stablehlo.rng %l, %h, %s0, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<10x3xf32>
  %l1 = stablehlo.constant dense<-1.0> : tensor<bf16>
  %h1 = stablehlo.constant dense<2.0> : tensor<bf16>
  %s1 = stablehlo.constant dense<[7, 5]> : tensor<2xi64>
  %1 = stablehlo.rng %l1, %h1, %s1, distribution = NORMAL : (tensor<bf16>, tensor<bf16>, tensor<2xi64>) -> tensor<7x5xbf16>
  %l2 = stablehlo.constant dense<0.1> : tensor<f64>
  %h2 = stablehlo.constant dense<1.7> : tensor<f64>
  %s2 = stablehlo.constant dense<[33]> : tensor<1xi64>
  %2 = stablehlo.rng %l2, %h2, %s2, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<33xf64>
  %l3 = stablehlo.constant dense<-1000> : tensor<i32>
  %h3 = stablehlo.constant dense<2000000000> : tensor<i32>
  %3 = stablehlo.rng %l3, %h3, %s2, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<33xi32>
  %l4 = stablehlo.constant dense<3> : tensor<ui8>
  %h4 = stablehlo.constant dense<250> : tensor<ui8>
  %s4 = stablehlo.constant dense<[9, 4]> : tensor<2xi64>
  %4 = stablehlo.rng %l4, %h4, %s4, distribution = UNIFORM : (tensor<ui8>, tensor<ui8>, tensor<2xi64>) -> tensor<9x4xui8>
  %l5 = stablehlo.constant dense<false> : tensor<i1>
  %h5 = stablehlo.constant dense<true> : tensor<i1>
  %s5 = stablehlo.constant dense<[12]> : tensor<1xi64>
  %5 = stablehlo.rng %l5, %h5, %s5, distribution = UNIFORM : (tensor<i1>, tensor<i1>, tensor<1xi64>) -> tensor<12xi1>
  %l6 = stablehlo.constant dense<5> : tensor<ui64>
  %h6 = stablehlo.constant dense<18000000000000000000> : tensor<ui64>
  %s6 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %6 = stablehlo.rng %l6, %h6, %s6, distribution = UNIFORM : (tensor<ui64>, tensor<ui64>, tensor<1xi64>) -> tensor<2xui64>
  %l7 = stablehlo.constant dense<7> : tensor<i64>
  %s7 = stablehlo.constant dense<[3, 3]> : tensor<2xi64>
  %7 = stablehlo.rng %l7, %l7, %s7, distribution = UNIFORM : (tensor<i64>, tensor<i64>, tensor<2xi64>) -> tensor<3x3xi64>
  %l8 = stablehlo.constant dense<-1.0> : tensor<f16>
  %h8 = stablehlo.constant dense<2.0> : tensor<f16>
  %s8 = stablehlo.constant dense<[6]> : tensor<1xi64>
  %8 = stablehlo.rng %l8, %h8, %s8, distribution = UNIFORM : (tensor<f16>, tensor<f16>, tensor<1xi64>) -> tensor<6xf16>
  %zero = stablehlo.constant dense<0.0> : tensor<16xf32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %s9 = stablehlo.constant dense<[16]> : tensor<1xi64>
  %9:2 = stablehlo.while(%i = %c0, %acc = %zero) : tensor<i32>, tensor<16xf32>
  cond {
    %c3 = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %c3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.add %i, %c1 : tensor<i32>
    %r = stablehlo.rng %l, %h, %s9, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<16xf32>
    %d = stablehlo.subtract %r, %acc : tensor<16xf32>
    stablehlo.return %n, %d : tensor<i32>, tensor<16xf32>
  }
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9#1 : tensor<10x3xf32>, tensor<7x5xbf16>, tensor<33xf64>, tensor<33xi32>, tensor<9x4xui8>, tensor<12xi1>, tensor<2xui64>, tensor<3x3xi64>, tensor<6xf16>, tensor<16xf32>
}
