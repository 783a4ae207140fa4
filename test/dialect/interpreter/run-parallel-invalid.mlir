// RUN: spmd-opt %s --verify-diagnostics --split-input-file

func.func private @g(tensor<3xf32>) -> tensor<3xf32>
func.func private @q() -> tensor<3xf32>
func.func private @r() -> !stablehlo.token
func.func @run_parallel_none(%x: tensor<3xf32>) {
  // expected-error@below {{'interpreter.run_parallel' op programs names no function}}
  %0 = "interpreter.run_parallel"(%x) {programs = []} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func private @g(tensor<3xf32>) -> tensor<3xf32>
func.func private @q() -> tensor<3xf32>
func.func private @r() -> !stablehlo.token
func.func @run_parallel_rows(%x: tensor<3xf32>) {
  // expected-error@below {{'interpreter.run_parallel' op row 1 of programs has 2 functions, row 0 has 1}}
  %0 = "interpreter.run_parallel"(%x) {programs = [[@g], [@g, @g]]} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func private @g(tensor<3xf32>) -> tensor<3xf32>
func.func private @q() -> tensor<3xf32>
func.func private @r() -> !stablehlo.token
func.func @run_parallel_missing(%x: tensor<3xf32>) {
  // expected-error@below {{'interpreter.run_parallel' op names @h, which is no function here}}
  %0 = "interpreter.run_parallel"(%x) {programs = [[@h]]} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func private @g(tensor<3xf32>) -> tensor<3xf32>
func.func private @q() -> tensor<3xf32>
func.func private @r() -> !stablehlo.token
func.func @run_parallel_operands(%x: tensor<3xf32>) {
  // expected-error@below {{'interpreter.run_parallel' op has 1 operands, the programs have 2}}
  %0 = "interpreter.run_parallel"(%x) {programs = [[@g, @g]]} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func private @g(tensor<3xf32>) -> tensor<3xf32>
func.func private @q() -> tensor<3xf32>
func.func private @r() -> !stablehlo.token
func.func @run_parallel_results(%x: tensor<3xf32>) {
  // expected-error@below {{'interpreter.run_parallel' op has 0 results, the programs have 1}}
  "interpreter.run_parallel"(%x) {programs = [[@g]]} : (tensor<3xf32>) -> ()
  return
}

// -----

func.func private @g(tensor<3xf32>) -> tensor<3xf32>
func.func private @q() -> tensor<3xf32>
func.func private @r() -> !stablehlo.token
func.func @run_parallel_types(%x: tensor<3xf32>) {
  // expected-error@below {{'interpreter.run_parallel' op result 0 has type 'tensor<4xf32>', in its program it has type 'tensor<3xf32>'}}
  %0 = "interpreter.run_parallel"(%x) {programs = [[@g]]} : (tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @g(tensor<3xf32>) -> tensor<3xf32>
func.func private @q() -> tensor<3xf32>
func.func private @r() -> !stablehlo.token
func.func @run_parallel_no_infeed(%x: tensor<3xf32>) {
  // expected-error@below {{'interpreter.run_parallel' op infeed names no function; leave it out where nothing comes in}}
  %0 = "interpreter.run_parallel"(%x) {infeed = [], programs = [[@g]]} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func private @g(tensor<3xf32>) -> tensor<3xf32>
func.func private @q() -> tensor<3xf32>
func.func private @r() -> !stablehlo.token
func.func @run_parallel_infeed_missing(%x: tensor<3xf32>) {
  // expected-error@below {{'interpreter.run_parallel' op names @h, which is no function here}}
  %0 = "interpreter.run_parallel"(%x) {infeed = [@h], programs = [[@g]]} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func private @g(tensor<3xf32>) -> tensor<3xf32>
func.func private @q() -> tensor<3xf32>
func.func private @r() -> !stablehlo.token
func.func @run_parallel_infeed_arguments(%x: tensor<3xf32>) {
  // expected-error@below {{'interpreter.run_parallel' op infeed function @g takes 1 arguments, expected none}}
  %0 = "interpreter.run_parallel"(%x) {infeed = [@g], programs = [[@g]]} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func private @g(tensor<3xf32>) -> tensor<3xf32>
func.func private @q() -> tensor<3xf32>
func.func private @r() -> !stablehlo.token
func.func @run_parallel_infeed_results(%x: tensor<3xf32>) {
  // expected-error@below {{'interpreter.run_parallel' op infeed function @r gives '!stablehlo.token', expected tensors}}
  %0 = "interpreter.run_parallel"(%x) {infeed = [@r], programs = [[@g]]} : (tensor<3xf32>) -> tensor<3xf32>
  return
}
