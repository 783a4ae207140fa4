// RUN: spmd-opt %s --spmd-propagate --spmd-partition | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=4]>

// What is no tensor lies nowhere, so there is nothing to move.
// CHECK-LABEL: func.func @constraint_without_tensor(
// CHECK-SAME: %arg0: none
// CHECK-NEXT: return %arg0
func.func @constraint_without_tensor(%a: none) -> none {
  %0 = sdy.sharding_constraint %a <@mesh, []> : none
  return %0 : none
}
