// The only op is one of Shardy, which becomes one of StableHLO.
func.func @main() -> tensor<4xf32> {
  %0 = sdy.constant dense<1.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
