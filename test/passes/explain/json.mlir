// The same as JSON, for other tools.
// RUN: spmd-opt %s --spmd-explain="value=%r missing format=json" | FileCheck %s

sdy.mesh @m = <["x"=2, "y"=4]>

// CHECK:      "values": [
// CHECK-NEXT:     {
// CHECK-NEXT:       "value": "%r",
// CHECK-NEXT:       "description": "'stablehlo.dot_general' op result 0",
// CHECK-NEXT:       "location": "{{.*}}json.mlir:[[#@LINE+55]]:8",
// CHECK-NEXT:       "function": "main",
// CHECK-NEXT:       "sharding": "[{?}, {\"x\", ?}]",
// CHECK-NEXT:       "state": "inferred",
// CHECK-NEXT:       "dims": [
// CHECK-NEXT:         {
// CHECK-NEXT:           "size": 8,
// CHECK-NEXT:           "axes": [],
// CHECK-NEXT:           "stops": [
// CHECK-NEXT:             {
// CHECK-NEXT:               "kind": "used",
// CHECK-NEXT:               "text": "{{.*}}",
// CHECK-NEXT:               "axes": "\"x\"",
// CHECK-NEXT:               "from": "%a",
// CHECK-NEXT:               "from_location": "{{.*}}",
// CHECK-NEXT:               "to": "%r",
// CHECK-NEXT:               "to_location": "{{.*}}",
// CHECK-NEXT:               "op": "'stablehlo.dot_general'",
// CHECK-NEXT:               "op_location": "{{.*}}"
// CHECK-NEXT:             }
// CHECK-NEXT:           ],
// CHECK-NEXT:           "write": "%split = sdy.sharding_constraint %r <@m, [{\"x\"}, {?}]> : tensor<8x32xf32>"
// CHECK:                "kind": "annotation",
// CHECK:                "kind": "step",
// CHECK-NEXT:           "text": "through {{.*}}",
// CHECK-NEXT:           "value": "%r",
// CHECK-NEXT:           "dim": 1,
// CHECK-NEXT:           "location": "{{.*}}",
// CHECK-NEXT:           "from": "%w",
// CHECK-NEXT:           "from_dim": 1,
// CHECK-NEXT:           "op": "'stablehlo.dot_general'",
// CHECK-NEXT:           "op_location": "{{.*}}",
// CHECK-NEXT:           "step": 1,
// CHECK-NEXT:           "won_against": [
// CHECK-NEXT:             {
// CHECK-NEXT:               "text": "{{.*}}",
// CHECK-NEXT:               "value": "%a",
// CHECK-NEXT:               "dim": 0,
// CHECK-NEXT:               "location": "{{.*}}",
// CHECK-NEXT:               "axes": "\"x\"",
// CHECK-NEXT:               "bytes": 512,
// CHECK-NEXT:               "winner_bytes": 2048
// CHECK:      "missing": [
// CHECK:            "location": "{{.*}}json.mlir:[[#@LINE+14]]:8",
// CHECK-NEXT:       "value": "'stablehlo.reverse' op result 0",
// CHECK-NEXT:       "message": "has no sharding; every device holds it whole; annotate it to split it",
// CHECK-NEXT:       "assumed": "whole on every device",
// CHECK-NEXT:       "operand": {
// CHECK-NEXT:         "value": "%r",
// CHECK-NEXT:         "location": "{{.*}}json.mlir:[[#@LINE+6]]:8",
// CHECK-NEXT:         "sharding": "[{?}, {\"x\", ?}]",
// CHECK-NEXT:         "distance": 2
// CHECK-NEXT:       },
// CHECK-NEXT:       "write": "%split = sdy.sharding_constraint %n <@m, [{\"x\"}, {?}]> : tensor<8x32xf32>"
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, %w: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %r = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %o = stablehlo.custom_call @what(%r) : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %n = stablehlo.reverse %o, dims = [0] : tensor<8x32xf32>
  return %r, %n : tensor<8x32xf32>, tensor<8x32xf32>
}
