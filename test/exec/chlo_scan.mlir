// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Scans: sums along either dim, from either end, with several inputs and carries, of no steps, and with the steps
// counted by an attribute alone.
sdy.mesh @mesh = MESH

func.func public @main(
    %a: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %across: tensor<7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %down: tensor<10xi32>, %empty: tensor<0x7xi32>)
    -> (tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, tensor<7xi32>, tensor<10x7xi32>, tensor<10xi32>,
        tensor<10x7xi32>, tensor<7xi32>, tensor<0x7xi32>, tensor<7xi32>, tensor<7xi32>) {
  %sums, %sum = chlo.scan(%a) inits (%across) dimension=0 {
  ^bb0(%x: tensor<7xi32>, %carry: tensor<7xi32>):
    %0 = stablehlo.add %x, %carry : tensor<7xi32>
    stablehlo.return %0, %0 : tensor<7xi32>, tensor<7xi32>
  } : (tensor<10x7xi32>, tensor<7xi32>) -> (tensor<10x7xi32>, tensor<7xi32>)
  %back, %first = chlo.scan(%a) inits (%down) dimension=1 attributes {is_reverse = true} {
  ^bb0(%x: tensor<10xi32>, %carry: tensor<10xi32>):
    %0 = stablehlo.subtract %x, %carry : tensor<10xi32>
    stablehlo.return %carry, %0 : tensor<10xi32>, tensor<10xi32>
  } : (tensor<10x7xi32>, tensor<10xi32>) -> (tensor<10x7xi32>, tensor<10xi32>)
  %two:3 = chlo.scan(%sums, %a) inits (%across, %across) dimension=0 {
  ^bb0(%x: tensor<7xi32>, %y: tensor<7xi32>, %c: tensor<7xi32>, %d: tensor<7xi32>):
    %0 = stablehlo.maximum %x, %c : tensor<7xi32>
    %1 = stablehlo.minimum %y, %d : tensor<7xi32>
    %2 = stablehlo.subtract %0, %1 : tensor<7xi32>
    stablehlo.return %2, %0, %1 : tensor<7xi32>, tensor<7xi32>, tensor<7xi32>
  } : (tensor<10x7xi32>, tensor<10x7xi32>, tensor<7xi32>, tensor<7xi32>) -> (tensor<10x7xi32>, tensor<7xi32>, tensor<7xi32>)
  %none, %same = chlo.scan(%empty) inits (%across) dimension=0 {
  ^bb0(%x: tensor<7xi32>, %carry: tensor<7xi32>):
    %0 = stablehlo.add %x, %carry : tensor<7xi32>
    stablehlo.return %0, %0 : tensor<7xi32>, tensor<7xi32>
  } : (tensor<0x7xi32>, tensor<7xi32>) -> (tensor<0x7xi32>, tensor<7xi32>)
  %doubled = chlo.scan() inits (%across) dimension=0 attributes {scan_dim_size = 5 : i64} {
  ^bb0(%carry: tensor<7xi32>):
    %0 = stablehlo.add %carry, %carry : tensor<7xi32>
    stablehlo.return %0 : tensor<7xi32>
  } : (tensor<7xi32>) -> tensor<7xi32>
  return %sums, %sum, %back, %first, %two#0, %two#1, %none, %same, %doubled
      : tensor<10x7xi32>, tensor<7xi32>, tensor<10x7xi32>, tensor<10xi32>, tensor<10x7xi32>, tensor<7xi32>, tensor<0x7xi32>,
        tensor<7xi32>, tensor<7xi32>
}
