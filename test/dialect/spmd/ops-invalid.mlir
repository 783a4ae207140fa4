// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// expected-error @+1 {{a buffer holds a tensor of static shape; got 'tensor<?xf32>'}}
func.func private @dynamic_buffer(%b: !spmd.buffer<tensor<?xf32>>)

// -----

// expected-error @+1 {{'func.func' op argument 0: sharding has 1 dims, the tensor has 2}}
func.func private @sharding_of_other_rank(%b: !spmd.buffer<tensor<8x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
sdy.mesh @mesh = <["x"=2]>

// -----

func.func @load_of_tensor(%t: tensor<4xf32>) {
  // expected-error @below {{custom op 'spmd.load' 'buffer' must be mutable memory that holds one tensor, but got 'tensor<4xf32>'}}
  %0 = spmd.load %t : tensor<4xf32>
  return
}

// -----

func.func @load_of_another_type(%b: !spmd.buffer<tensor<4xf32>>) {
  // expected-error @below {{'spmd.load' op failed to verify that the result is what the buffer holds}}
  %0 = "spmd.load"(%b) : (!spmd.buffer<tensor<4xf32>>) -> tensor<5xf32>
  return
}

// -----

// Replacing the contents by a tensor of another shape.
func.func @store_of_another_type(%b: !spmd.buffer<tensor<4xf32>>, %t: tensor<5xf32>) {
  // expected-error @below {{'spmd.store' op failed to verify that the value is what the buffer holds}}
  "spmd.store"(%t, %b) : (tensor<5xf32>, !spmd.buffer<tensor<4xf32>>) -> ()
  return
}

// -----

func.func @slice_view_c1(%b: !spmd.buffer<tensor<8x4xf32>>) {
  // expected-error @below {{'spmd.slice_view' op has 1 ranges for 2 dims}}
  %0 = spmd.slice_view %b [0:4] : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<4x4xf32>>
  return
}

// -----

func.func @slice_view_c2_limit(%b: !spmd.buffer<tensor<8x4xf32>>) {
  // expected-error @below {{'spmd.slice_view' op range 0:5:1 of dim 1 is no part of its size 4}}
  %0 = spmd.slice_view %b [0:8, 0:5] : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<8x5xf32>>
  return
}

// -----

func.func @slice_view_c2_start(%b: !spmd.buffer<tensor<8xf32>>) {
  // expected-error @below {{'spmd.slice_view' op range 5:4:1 of dim 0 is no part of its size 8}}
  %0 = spmd.slice_view %b [5:4] : (!spmd.buffer<tensor<8xf32>>) -> !spmd.buffer<tensor<0xf32>>
  return
}

// -----

func.func @slice_view_c2_stride(%b: !spmd.buffer<tensor<8xf32>>) {
  // expected-error @below {{'spmd.slice_view' op range 0:8:0 of dim 0 is no part of its size 8}}
  %0 = spmd.slice_view %b [0:8:0] : (!spmd.buffer<tensor<8xf32>>) -> !spmd.buffer<tensor<8xf32>>
  return
}

// -----

func.func @slice_view_c3(%b: !spmd.buffer<tensor<8xf32>>) {
  // expected-error @below {{'spmd.slice_view' op has result type '!spmd.buffer<tensor<3xf32>>'; expected '!spmd.buffer<tensor<4xf32>>'}}
  %0 = spmd.slice_view %b [0:8:2] : (!spmd.buffer<tensor<8xf32>>) -> !spmd.buffer<tensor<3xf32>>
  return
}

// -----

func.func @transpose_view_c1(%b: !spmd.buffer<tensor<8x4xf32>>) {
  // expected-error @below {{'spmd.transpose_view' op dims [1, 1] are no permutation of the operand's 2 dims}}
  %0 = spmd.transpose_view %b, dims = [1, 1] : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<4x4xf32>>
  return
}

// -----

func.func @transpose_view_c2(%b: !spmd.buffer<tensor<8x4xf32>>) {
  // expected-error @below {{'spmd.transpose_view' op has result type '!spmd.buffer<tensor<8x4xf32>>'; expected '!spmd.buffer<tensor<4x8xf32>>'}}
  %0 = spmd.transpose_view %b, dims = [1, 0] : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<8x4xf32>>
  return
}

// -----

func.func @reshape_view_c1_count(%b: !spmd.buffer<tensor<8x4xf32>>) {
  // expected-error @below {{'spmd.reshape_view' op shows 32 elements as 30}}
  %0 = spmd.reshape_view %b : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<5x6xf32>>
  return
}

// -----

func.func @reshape_view_c1_type(%b: !spmd.buffer<tensor<4xf32>>) {
  // expected-error @below {{'spmd.reshape_view' op has result type '!spmd.buffer<tensor<4xi32>>'; expected '!spmd.buffer<tensor<4xf32>>'}}
  %0 = spmd.reshape_view %b : (!spmd.buffer<tensor<4xf32>>) -> !spmd.buffer<tensor<4xi32>>
  return
}

// -----

func.func @inferred_is_no_list(%t: tensor<4xf32>) {
  // expected-error @below {{'stablehlo.negate' op attribute 'spmd.inferred' is neither a unit nor a list of results}}
  %0 = stablehlo.negate %t {spmd.inferred = "yes"} : tensor<4xf32>
  return
}

// -----

func.func @inferred_result_out_of_range(%t: tensor<4xf32>) {
  // expected-error @below {{'stablehlo.negate' op attribute 'spmd.inferred' has 1 after -1; it lists results in ascending order, and there are 1}}
  %0 = stablehlo.negate %t {spmd.inferred = array<i64: 1>} : tensor<4xf32>
  return
}

// -----

func.func @missing_is_no_unit(%t: tensor<4xf32>) {
  // expected-error @below {{'stablehlo.negate' op attribute 'spmd.missing_sharding' is neither a unit nor a list of results}}
  %0 = stablehlo.negate %t {spmd.missing_sharding = 1} : tensor<4xf32>
  return
}

// -----

func.func @global_type_on_op(%t: tensor<4xf32>) {
  // expected-error @below {{'stablehlo.negate' op has attribute 'spmd.global_type', which belongs to an argument or result}}
  %0 = stablehlo.negate %t {spmd.global_type = tensor<8xf32>} : tensor<4xf32>
  return
}

// -----

// expected-error @below {{'func.func' op argument 0: attribute 'spmd.global_type' is no tensor type}}
func.func private @global_type_is_no_type(%t: tensor<4xf32> {spmd.global_type = 4})

// -----

// expected-error @below {{'func.func' op result 0: its type 'tensor<4xf32>' is no part of 'spmd.global_type' 'tensor<8x4xf32>'}}
func.func private @global_type_of_other_rank() -> (tensor<4xf32> {spmd.global_type = tensor<8x4xf32>})

// -----

// expected-error @below {{'func.func' op argument 0: attribute 'spmd.inferred' is no unit}}
func.func private @argument_inferred_is_no_unit(%t: tensor<4xf32> {spmd.inferred = array<i64: 0>})

// -----

// expected-error @below {{'func.func' op attribute 'spmd.manual_axes' is no array of names on a function}}
func.func @manual_axes_are_names() attributes {spmd.manual_axes = ["x", 2]} {
  return
}

// -----

// expected-error @below {{'func.func' op attribute 'spmd.partitioned' is no unit on a module}}
func.func private @partitioned_is_of_a_module() attributes {spmd.partitioned}

// -----

func.func @hint_is_no_sharding(%t: tensor<4xf32>) {
  // expected-error @below {{'stablehlo.negate' op attribute 'spmd.sharding_hint' is no #sdy.sharding_per_value}}
  %0 = stablehlo.negate %t {spmd.sharding_hint = "{replicated}"} : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @hint_of_other_rank(%t: tensor<4xf32>) {
  // expected-error @below {{'stablehlo.negate' op result 0: sharding has 2 dims, the tensor has 1}}
  %0 = stablehlo.negate %t {spmd.sharding_hint = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<4xf32>
  return
}
