// RUN: spmd-opt %s --spmd-check-rules --verify-diagnostics --split-input-file -o %t

// A row of the result is not computed from the same row of the operand.
func.func private @reverse(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @order_is_lost(%x: tensor<6xf32>) -> tensor<6xf32> {
  // expected-error @below {{'stablehlo.custom_call' op rule ([i])->([i]) {i=6}, custom is false: with i over "x" on <["x"=2]>, device 0 gives 0.421875 at [0] of result 0, expected -0.1875}}
  // expected-note @below {{operand 0 is tensor<6xf32>, [{"x"}]}}
  // expected-note @below {{result 0 is tensor<6xf32>, [{"x"}]}}
  %0 = stablehlo.custom_call @flip(%x) {spmd.reference = @reverse, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=6}, custom>} : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// Shards of a maximum do not sum up to it. Thousands of rows are checked on a few.
func.func private @largest(%x: tensor<?x?xi32>) -> tensor<?xi32> {
  %low = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<?x?xi32>, tensor<i32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func @not_a_sum(%x: tensor<4096x8192xi32>) -> tensor<4096xi32> {
  // expected-error @below {{'stablehlo.custom_call' op rule ([i, j])->([i]) {i=4, j=5} reduction={j}, custom is false: with j over "x" on <["x"=2]>, device 0 and those it sums up with give}}
  // expected-note @below {{operand 0 is tensor<4x5xi32>, [{}, {"x"}]}}
  // expected-note @below {{result 0 is tensor<4xi32>, [{}], unreduced={"x"}}}
  %0 = stablehlo.custom_call @row_max(%x) {spmd.reference = @largest, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i]) {i=4096, j=8192} reduction={j}, custom>} : (tensor<4096x8192xi32>) -> tensor<4096xi32>
  return %0 : tensor<4096xi32>
}

// -----

// What is true of whole tensors alone: the last device's rows end in padding, zeros, of which the exponentials count.
func.func private @total(%x: tensor<?xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %exp = stablehlo.exponential %x : tensor<?xf32>
  %0 = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @padding_counts(%x: tensor<5xf32>) -> tensor<f32> {
  // expected-error-re @below {{'stablehlo.custom_call' op rule ([i])->([]) {i=5} reduction={i}, custom is false: with i over "x" on <["x"=2]>, device 0 and those it sums up with give {{[0-9.]+}} at [] of result 0}}
  // expected-note @below {{operand 0 is tensor<5xf32>, [{"x"}]}}
  // expected-note @below {{result 0 is tensor<f32>, [], unreduced={"x"}}}
  %0 = stablehlo.custom_call @total(%x) {spmd.reference = @total, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([]) {i=5} reduction={i}, custom>} : (tensor<5xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A rule on an op whose own is better known.
func.func @of_a_known_op(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  // expected-error @below {{'stablehlo.reverse' op rule ([i, j])->([i, j]) {i=6, j=4}, custom is false: with j over "x" on <["x"=2]>, device 0 gives}}
  // expected-note @below {{operand 0 is tensor<6x4xf32>, [{}, {"x"}]}}
  // expected-note @below {{result 0 is tensor<6x4xf32>, [{}, {"x"}]}}
  %0 = stablehlo.reverse %x, dims = [1] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=6, j=4}, custom>} : tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// -----

// Ops that cannot be on shards as they are: what a device holds does not say what it is to make.
func.func @sizes_are_attributes(%x: tensor<5x5xf32>, %y: tensor<4xf32>, %i: tensor<3xi32>) {
  // expected-error-re @below {{'stablehlo.slice' op rule ([i, j])->([j, i]) {i=5, j=5}, custom is false: with i over "x" on <["x"=2]>, device 0 needs more of operand 0 than it holds: with other numbers there, [3, 0] of result 0 is {{[-0-9.]+}} and no longer {{[-0-9.]+}}}}
  // expected-note @below {{operand 0 is tensor<5x5xf32>, [{"x"}, {}]}}
  // expected-note @below {{result 0 is tensor<5x5xf32>, [{}, {"x"}]}}
  %0 = stablehlo.slice %x [0:5, 0:5] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=5, j=5}, custom>} : (tensor<5x5xf32>) -> tensor<5x5xf32>
  // expected-error-re @below {{'stablehlo.broadcast_in_dim' op rule ([i])->([i, j]) {i=4, j=4} need_replication={j}, custom is false: with i over "x" on <["x"=2]>, device 0 needs more of operand 0 than it holds: with other numbers there, [0, 2] of result 0 is {{[-0-9.]+}} and no longer {{[-0-9.]+}}}}
  // expected-note @below {{operand 0 is tensor<4xf32>, [{"x"}]}}
  // expected-note @below {{result 0 is tensor<4x4xf32>, [{"x"}, {}]}}
  %1 = stablehlo.broadcast_in_dim %y, dims = [1] {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i, j]) {i=4, j=4}, custom>} : (tensor<4xf32>) -> tensor<4x4xf32>
  // expected-error-re @below {{'stablehlo.gather' op rule ([i, j], [k])->([k, i]) {i=5, j=5, k=3} need_replication={j}, custom is false: with i over "x" on <["x"=2]>, device 0 needs more of operand 0 than it holds: with other numbers there, {{.*}} of result 0 is}}
  // expected-note @below {{operand 0 is tensor<5x5xf32>, [{"x"}, {}]}}
  // expected-note @below {{operand 1 is tensor<3xi32>, [{}]}}
  // expected-note @below {{result 0 is tensor<3x5xf32>, [{}, {"x"}]}}
  %2 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k])->([k, i]) {i=5, j=5, k=3}, custom>} : (tensor<5x5xf32>, tensor<3xi32>) -> tensor<3x5xf32>
  return
}

// -----

// The same where devices are to make shares of a sum: what each holds alone would have to count for itself.
func.func @no_sum(%x: tensor<5x6xf32>, %n: tensor<5x6xi8>, %i: tensor<4x2xi32>) {
  %c = stablehlo.constant dense<-100> : tensor<i8>
  // expected-error @below {{'stablehlo.reduce_window' op rule ([i, j], [])->([k, j]) {i=5, j=6, k=1} reduction={i} need_replication={k}, custom is false: with i over "x" on <["x"=2]>, no share of device 0 can be summed up to [0, 1] of result 0: how it changes with what device 0 holds depends on what others hold}}
  // expected-note @below {{operand 0 is tensor<5x6xi8>, [{"x"}, {}]}}
  // expected-note @below {{operand 1 is tensor<i8>, []}}
  // expected-note @below {{result 0 is tensor<1x6xi8>, [{}, {}], unreduced={"x"}}}
  %0 = "stablehlo.reduce_window"(%n, %c) <{window_dimensions = array<i64: 5, 1>, window_strides = array<i64: 5, 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %m = stablehlo.maximum %a, %b : tensor<i8>
    stablehlo.return %m : tensor<i8>
  }) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [])->([k, j]) {i=5, j=6, k=1} reduction={i}, custom>} : (tensor<5x6xi8>, tensor<i8>) -> tensor<1x6xi8>
  // Row and column of an element, on two devices.
  // expected-error @below {{'stablehlo.gather' op rule ([i, j], [k, l])->([k]) {i=5, j=6, k=4, l=2} reduction={l} need_replication={i, j}, custom is false: with l over "x" on <["x"=2]>, no share of device 0 can be summed up to [0] of result 0: how it changes with what device 0 holds depends on what others hold}}
  // expected-note @below {{operand 0 is tensor<5x6xf32>, [{}, {}]}}
  // expected-note @below {{operand 1 is tensor<4x2xi32>, [{}, {"x"}]}}
  // expected-note @below {{result 0 is tensor<4xf32>, [{}], unreduced={"x"}}}
  %1 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([k]) {i=5, j=6, k=4, l=2} reduction={l}, custom>} : (tensor<5x6xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  // Columns that nobody holds who makes a part of them.
  // expected-error-re @below {{'stablehlo.slice' op rule ([i, j])->([k, i]) {i=5, j=6, k=3} reduction={j} need_replication={k}, custom is false: with i over "x" on <["x"=2]>, device 0 needs more of operand 0 than it holds: with other numbers there, {{.*}} of result 0 is}}
  // expected-note @below {{operand 0 is tensor<5x6xf32>, [{"x"}, {}]}}
  // expected-note @below {{result 0 is tensor<3x5xf32>, [{}, {"x"}]}}
  %2 = stablehlo.slice %x [1:4, 0:5] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, i]) {i=5, j=6, k=3} reduction={j}, custom>} : (tensor<5x6xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @unknown(%x: tensor<6xf32>) -> tensor<6xf32> {
  // expected-warning @below {{'stablehlo.custom_call' op rule is not checked: nothing says what it computes; name a function that computes it as reference: of its rule in the plan, or as spmd.reference on the call}}
  %0 = stablehlo.custom_call @mystery(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=6}, custom>} : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func private @sum(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @references_that_do_not_fit(%x: tensor<6xf32>) {
  // expected-warning @below {{'stablehlo.custom_call' op rule is not checked: 'stablehlo.custom_call' op has reference @nowhere, which is no function with a body; define it}}
  %0 = stablehlo.custom_call @f(%x) {spmd.reference = @nowhere, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=6}, custom>} : (tensor<6xf32>) -> tensor<6xf32>
  // expected-warning @below {{'stablehlo.custom_call' op rule is not checked: 'stablehlo.custom_call' op has 1 operands and 1 results, its reference @sum 2 and 1}}
  %1 = stablehlo.custom_call @f(%x) {spmd.reference = @sum, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=6}, custom>} : (tensor<6xf32>) -> tensor<6xf32>
  // expected-warning @below {{'stablehlo.custom_call' op rule is not checked: 'stablehlo.custom_call' op has result 0 of 'tensor<6xi32>', its reference @sum gives 'tensor<?xf32>'; give it the element type and the dims of the call}}
  %2 = stablehlo.custom_call @f(%x, %x) {spmd.reference = @sum, sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i]) {i=6}, custom>} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi32>
  return
}

// -----

func.func private @of_six(%x: tensor<6xf32>) -> tensor<6xf32> {
  return %x : tensor<6xf32>
}
func.func private @halves(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.slice %x [0:1] : (tensor<?xf32>) -> tensor<1xf32>
  %1 = stablehlo.convert %0 : (tensor<1xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @references_of_other_sizes(%x: tensor<6xf32>) {
  // expected-warning @below {{'stablehlo.custom_call' op rule is not checked: 'stablehlo.custom_call' op has operand 0 of 'tensor<3xf32>', its reference @of_six takes 'tensor<6xf32>'; give its argument dynamic dims}}
  %0 = stablehlo.custom_call @f(%x) {spmd.reference = @of_six, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=6}, custom>} : (tensor<6xf32>) -> tensor<6xf32>
  // expected-warning @below {{'stablehlo.custom_call' op rule is not checked: reference @halves gives 'tensor<1xf32>' as result 0, where the call has 'tensor<6xf32>'; mend the reference, or the rule that splits the call}}
  %1 = stablehlo.custom_call @f(%x) {spmd.reference = @halves, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=6}, custom>} : (tensor<6xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @not_small(%x: tensor<?xf32>, %y: tensor<16x16x16x16x16xf32>, %z: tensor<f32>) {
  // expected-warning @below {{'stablehlo.negate' op rule is not checked: it has values that are no tensors of static shape}}
  %0 = stablehlo.negate %x {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>} : tensor<?xf32>
  // Many dims, none of them long.
  // expected-warning @below {{'stablehlo.negate' op rule is not checked: it has more than a hundred thousand elements; check it on fewer}}
  %1 = stablehlo.negate %y {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k, l, m])->([i, j, k, l, m]) {i=16, j=16, k=16, l=16, m=16}, custom>} : tensor<16x16x16x16x16xf32>
  // expected-warning @below {{'stablehlo.map' op rule is not checked: its regions read values from outside}}
  %2 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    %3 = stablehlo.add %a, %z : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>} : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// Its own caller is no reference.
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {
  // expected-warning @below {{'stablehlo.negate' op rule is not checked: 'stablehlo.custom_call' op is in its own reference @main; name a function that does without the call}}
  %0 = stablehlo.negate %x {spmd.reference = @main, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=6}, custom>} : tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// A call that writes a buffer is judged by what it makes of the values in there.
func.func private @add_from_the_end(%b: tensor<?x?xf32>, %t: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.reverse %t, dims = [0] : tensor<?x?xf32>
  %1 = stablehlo.add %b, %0 : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
func.func @written_in_another_order(%b: !spmd.buffer<tensor<6x4xf32>>, %t: tensor<6x4xf32>) {
  // expected-error @below {{'stablehlo.custom_call' op rule ([i, j], [i, j])->([i, j]) {i=6, j=4}, custom is false: with i over "x" on <["x"=2]>, device 0 gives}}
  // expected-note @below {{operand 0 is tensor<6x4xf32>, [{"x"}, {}]}}
  // expected-note @below {{operand 1 is tensor<6x4xf32>, [{"x"}, {}]}}
  // expected-note @below {{result 0 is tensor<6x4xf32>, [{"x"}, {}]}}
  stablehlo.custom_call @add_flipped(%b, %t) {spmd.writes = array<i64: 0>, spmd.reference = @add_from_the_end,
      spmd.rule = {dims = "([i, j], [i, j])->([i, j])"}} : (!spmd.buffer<tensor<6x4xf32>>, tensor<6x4xf32>) -> ()
  return
}

// -----

// Rows are split only where the devices divide them, which no mesh of the check does to 5: another number stands for them.
func.func private @flipped(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @never_split_as_it_is(%x: tensor<5xf32>) -> tensor<5xf32> {
  // expected-error @below {{'stablehlo.custom_call' op rule ([ij])->([ij]) {i=12, j=1} need_replication={j}, custom is false: with i over "x" on <["x"=2]>, device 0 gives}}
  // expected-note @below {{operand 0 is tensor<12xf32>, [{"x"}]}}
  // expected-note @below {{result 0 is tensor<12xf32>, [{"x"}]}}
  %0 = stablehlo.custom_call @flip(%x) {spmd.reference = @flipped, spmd.rule = {dims = "([i])->([i])", even = ["i"]}} : (tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// The same of what an attribute counts, which follows, and of parts of a dim.
func.func private @over(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @counted(%x: tensor<35xf32>) -> tensor<35xf32> {
  // expected-error @below {{'stablehlo.custom_call' op rule ([ij])->([ij]) {i=12, j=12} need_replication={j}, custom is false: with i over "x" on <["x"=2]>, device 0 gives}}
  // expected-note @below {{operand 0 is tensor<144xf32>, [{"x"}]}}
  // expected-note @below {{result 0 is tensor<144xf32>, [{"x"}]}}
  %0 = stablehlo.custom_call @flip(%x) {heads = 5 : i64, spmd.reference = @over, spmd.rule = {dims = "([ij])->([ij]) {i=5, j=7} need_replication={j}", local = [{attribute = "heads", factor = "i"}]}} : (tensor<35xf32>) -> tensor<35xf32>
  return %0 : tensor<35xf32>
}
