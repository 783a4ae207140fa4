// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// infeed_c1
func.func @infeed_c1(%t: !stablehlo.token) {
  // expected-error@below {{'stablehlo.infeed' op has no results, expected at least a token}}
  "stablehlo.infeed"(%t) : (!stablehlo.token) -> ()
  return
}

// -----

// infeed_c2
func.func @infeed_c2(%t: !stablehlo.token) {
  // expected-error@below {{'stablehlo.infeed' op result 0 has type '!stablehlo.token', expected a tensor}}
  %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// -----

// infeed_c3
func.func @infeed_c3(%t: !stablehlo.token) {
  // expected-error@below {{'stablehlo.infeed' op result 0 has type 'tensor<3xf32>', expected a token}}
  %0 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> tensor<3xf32>
  return
}

// -----

func.func @infeed_layout_count(%t: !stablehlo.token) {
  // expected-error@below {{'stablehlo.infeed' op layout has 2 entries, the number of tensors is 1}}
  %0:2 = "stablehlo.infeed"(%t) <{layout = [[0], [0]]}> : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_layout_kind(%t: !stablehlo.token) {
  // expected-error@below {{'stablehlo.infeed' op layout entry 0 is "x", expected a list of dims}}
  %0:2 = "stablehlo.infeed"(%t) <{layout = ["x"]}> : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_layout_rank(%t: !stablehlo.token) {
  // expected-error@below {{'stablehlo.infeed' op layout entry 0 has 1 entries, the rank of result 0 is 2}}
  %0:2 = "stablehlo.infeed"(%t) <{layout = [[0]]}> : (!stablehlo.token) -> (tensor<3x2xf32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_layout_dim(%t: !stablehlo.token) {
  // expected-error@below {{'stablehlo.infeed' op layout entry 0 has 2, result 0 has rank 2}}
  %0:2 = "stablehlo.infeed"(%t) <{layout = [[2, 0]]}> : (!stablehlo.token) -> (tensor<3x2xf32>, !stablehlo.token)
  return
}

// -----

// send_c1
func.func @send_c1(%x: tensor<3xf32>, %t: !stablehlo.token) {
  // expected-error@below {{'stablehlo.send' op channel_handle has type 2, expected 1 where is_host_transfer is false}}
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>}> : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

// send_c1
func.func @send_c1_host(%x: tensor<3xf32>, %t: !stablehlo.token) {
  // expected-error@below {{'stablehlo.send' op channel_handle has type 1, expected 2 where is_host_transfer is true}}
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = true}> : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_pairs(%x: tensor<3xf32>, %t: !stablehlo.token) {
  // expected-error@below {{'stablehlo.send' op source_target_pairs has source 0 twice}}
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

// recv_c1
func.func @recv_c1(%t: !stablehlo.token) {
  // expected-error@below {{'stablehlo.recv' op channel_handle has type 1, expected 3 where is_host_transfer is true}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// -----

// recv_c2
func.func @recv_c2(%t: !stablehlo.token) {
  // expected-error@below {{'stablehlo.recv' op has no results, expected at least a token}}
  "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> ()
  return
}

// -----

// recv_c4
func.func @recv_c4(%t: !stablehlo.token) {
  // expected-error@below {{'stablehlo.recv' op result 0 has type 'tensor<3xf32>', expected a token}}
  %0 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> tensor<3xf32>
  return
}

// -----

func.func @recv_pairs(%t: !stablehlo.token) {
  // expected-error@below {{'stablehlo.recv' op source_target_pairs has 3 columns, expected 2}}
  %0 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<0> : tensor<1x3xi64>}> : (!stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @outfeed_token(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.outfeed' op operand #1 must be token, but got 'tensor<3xf32>'}}
  %0 = "stablehlo.outfeed"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> !stablehlo.token
  return
}

// -----

func.func @after_all_types(%t: !stablehlo.token) {
  // expected-error@below {{custom op 'stablehlo.after_all' function type has 1 inputs and 1 results, the op has 2 operands and 1 result}}
  %0 = stablehlo.after_all %t, %t : (!stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @async_start_two_ops(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.async_start' op region 'body' does not consist of one op and a return}}
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<3xf32>):
    %1 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<3xf32>) -> tensor<3xf32>
    %2 = stablehlo.negate %1 : tensor<3xf32>
    stablehlo.return %2 : tensor<3xf32>
  }) : (tensor<3xf32>) -> !stablehlo.future<tensor<3xf32>>
  return
}

// -----

func.func @async_start_other_op(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.async_start' op region 'body' runs 'stablehlo.negate'; expected a collective, 'stablehlo.slice', 'stablehlo.dynamic_slice' or 'stablehlo.dynamic_update_slice'}}
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<3xf32>):
    %1 = stablehlo.negate %a : tensor<3xf32>
    stablehlo.return %1 : tensor<3xf32>
  }) : (tensor<3xf32>) -> !stablehlo.future<tensor<3xf32>>
  return
}

// -----

func.func @async_start_result(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.async_start' op returned value 0 of region 'body' has type 'tensor<3xf32>', expected 'tensor<4xf32>'}}
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<3xf32>):
    %1 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<3xf32>) -> tensor<3xf32>
    stablehlo.return %1 : tensor<3xf32>
  }) : (tensor<3xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @async_start_arguments(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.async_start' op region 'body' has 2 arguments, expected 1}}
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %1 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<3xf32>) -> tensor<3xf32>
    stablehlo.return %1 : tensor<3xf32>
  }) : (tensor<3xf32>) -> !stablehlo.future<tensor<3xf32>>
  return
}

// -----

func.func @async_done_count(%f: !stablehlo.future<tensor<3xf32>>) {
  // expected-error@below {{'stablehlo.async_done' op has 0 results, the future has 1}}
  "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<3xf32>>) -> ()
  return
}

// -----

func.func @async_done_type(%f: !stablehlo.future<tensor<3xf32>>) {
  // expected-error@below {{'stablehlo.async_done' op result 0 has type 'tensor<3xi32>', value 0 of the future has type 'tensor<3xf32>'}}
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<3xf32>>) -> tensor<3xi32>
  return
}

// -----

// recv_c3
func.func @recv_c3(%t: !stablehlo.token) {
  // expected-error@below {{'stablehlo.recv' op result 0 has type 'tensor<2xf32>', expected a token}}
  %0 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> tensor<2xf32>
  return
}
