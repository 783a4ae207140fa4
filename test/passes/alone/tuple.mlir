func.func @main(%t: tuple<tensor<4xf32>, tensor<i32>>) -> tuple<tensor<4xf32>, tensor<i32>> {
  return %t : tuple<tensor<4xf32>, tensor<i32>>
}
