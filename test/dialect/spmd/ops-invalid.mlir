// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// expected-error @+1 {{a buffer holds a tensor of static shape; got 'tensor<?xf32>'}}
func.func private @dynamic_buffer(%b: !spmd.buffer<tensor<?xf32>>)

// -----

// expected-error @+1 {{a buffer holds numbers; got 'tensor<4x!spmd.buffer<tensor<2xf32>>>'}}
func.func private @buffer_of_buffers(%b: !spmd.buffer<tensor<4x!spmd.buffer<tensor<2xf32>>>>)

// -----

func.func @slice_view_of_huge_stride(%b: !spmd.buffer<tensor<8xf32>>) {
  // expected-error @below {{'spmd.slice_view' op has result type '!spmd.buffer<tensor<2xf32>>'; expected '!spmd.buffer<tensor<1xf32>>'}}
  %0 = spmd.slice_view %b [0:8:9223372036854775807] : (!spmd.buffer<tensor<8xf32>>) -> !spmd.buffer<tensor<2xf32>>
  return
}

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

func.func @rule_of_another_form(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'func.call' op attribute 'spmd.composite_rule' is no #sdy.op_sharding_rule}}
  %0 = call @rule_of_another_form(%a) {spmd.composite_rule} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'func.func' op attribute 'spmd.priorities_served' is no unit on a module}}
func.func private @priorities_are_of_a_module() attributes {spmd.priorities_served}

// -----

func.func @reference_by_text(%x: tensor<6xf32>) {
  // expected-error @below {{'stablehlo.negate' op attribute 'spmd.reference' is no name of a function}}
  %0 = stablehlo.negate %x {spmd.reference = "negate"} : tensor<6xf32>
  return
}

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

// -----

// What a view is made of is a buffer: a tensor is no memory that a store could reach.
func.func @view_of_tensor(%t: tensor<8xf32>) {
  // expected-error @below {{'spmd.slice_view' op operand #0 must be mutable memory that holds one tensor, but got 'tensor<8xf32>'}}
  %0 = spmd.slice_view %t [0:4] : (tensor<8xf32>) -> !spmd.buffer<tensor<4xf32>>
  return
}

// -----

func.func @broadcast_view_c1(%b: !spmd.buffer<tensor<8x4xf32>>) {
  // expected-error @below {{'spmd.broadcast_view' op has 1 dims for an operand of 2}}
  %0 = spmd.broadcast_view %b, dims = [0] : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<8x4xf32>>
  return
}

// -----

func.func @broadcast_view_c1_twice(%b: !spmd.buffer<tensor<8x4xf32>>) {
  // expected-error @below {{'spmd.broadcast_view' op dims [0, 0] do not name one of the result's 3 dims each}}
  %0 = spmd.broadcast_view %b, dims = [0, 0] : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<8x4x3xf32>>
  return
}

// -----

func.func @broadcast_view_c2(%b: !spmd.buffer<tensor<8xf32>>) {
  // expected-error @below {{'spmd.broadcast_view' op shows 8 elements as dim 1 of size 4}}
  %0 = spmd.broadcast_view %b, dims = [1] : (!spmd.buffer<tensor<8xf32>>) -> !spmd.buffer<tensor<3x4xf32>>
  return
}

// -----

func.func @broadcast_view_c3(%b: !spmd.buffer<tensor<8xf32>>) {
  // expected-error @below {{'spmd.broadcast_view' op has result type '!spmd.buffer<tensor<3x8xi32>>'; expected '!spmd.buffer<tensor<3x8xf32>>'}}
  %0 = spmd.broadcast_view %b, dims = [1] : (!spmd.buffer<tensor<8xf32>>) -> !spmd.buffer<tensor<3x8xi32>>
  return
}

// -----

func.func @bitcast_view_c1_widths(%b: !spmd.buffer<tensor<8xi32>>) {
  // expected-error @below {{'spmd.bitcast_view' op shows elements of 32 bits as elements of 0}}
  %0 = spmd.bitcast_view %b : (!spmd.buffer<tensor<8xi32>>) -> !spmd.buffer<tensor<8xindex>>
  return
}

// -----

func.func @bitcast_view_c1_wider(%b: !spmd.buffer<tensor<8x3xi8>>) {
  // expected-error @below {{'spmd.bitcast_view' op makes elements of 32 bits of the last dim of 'tensor<8x3xi8>'; expected it to be of size 4}}
  %0 = spmd.bitcast_view %b : (!spmd.buffer<tensor<8x3xi8>>) -> !spmd.buffer<tensor<8xi32>>
  return
}

// -----

func.func @bitcast_view_c1_shape(%b: !spmd.buffer<tensor<8xi32>>) {
  // expected-error @below {{'spmd.bitcast_view' op has result type '!spmd.buffer<tensor<4xf32>>'; expected '!spmd.buffer<tensor<8xf32>>'}}
  %0 = spmd.bitcast_view %b : (!spmd.buffer<tensor<8xi32>>) -> !spmd.buffer<tensor<4xf32>>
  return
}

// -----

func.func @diagonal_view_c1(%b: !spmd.buffer<tensor<8x4xf32>>) {
  // expected-error @below {{'spmd.diagonal_view' op dims [1, 1] are no two of the operand's 2 dims}}
  %0 = spmd.diagonal_view %b, dims = [1, 1] : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<4xf32>>
  return
}

// -----

func.func @diagonal_view_c2_offset(%b: !spmd.buffer<tensor<8x4xf32>>) {
  // expected-error @below {{'spmd.diagonal_view' op offset 4 is outside of dims of sizes 8 and 4}}
  %0 = spmd.diagonal_view %b, dims = [0, 1], offset = 4 : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<1xf32>>
  return
}

// -----

func.func @diagonal_view_c2(%b: !spmd.buffer<tensor<8x4xf32>>) {
  // expected-error @below {{'spmd.diagonal_view' op has result type '!spmd.buffer<tensor<4xf32>>'; expected '!spmd.buffer<tensor<3xf32>>'}}
  %0 = spmd.diagonal_view %b, dims = [0, 1], offset = 1 : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<4xf32>>
  return
}

// -----

func.func @dynamic_slice_view_c1(%b: !spmd.buffer<tensor<8x4xf32>>, %i: tensor<i32>) {
  // expected-error @below {{'spmd.dynamic_slice_view' op has 1 starts and 2 sizes for 2 dims}}
  %0 = spmd.dynamic_slice_view %b, %i, sizes = [2, 2] : (!spmd.buffer<tensor<8x4xf32>>, tensor<i32>) -> !spmd.buffer<tensor<2x2xf32>>
  return
}

// -----

func.func @dynamic_slice_view_c1_types(%b: !spmd.buffer<tensor<8x4xf32>>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error @below {{'spmd.dynamic_slice_view' op has starts of several types}}
  %0 = spmd.dynamic_slice_view %b, %i, %j, sizes = [2, 2] : (!spmd.buffer<tensor<8x4xf32>>, tensor<i32>, tensor<i64>) -> !spmd.buffer<tensor<2x2xf32>>
  return
}

// -----

func.func @dynamic_slice_view_c2(%b: !spmd.buffer<tensor<8xf32>>, %i: tensor<i32>) {
  // expected-error @below {{'spmd.dynamic_slice_view' op size 9 of dim 0 is no part of its size 8}}
  %0 = spmd.dynamic_slice_view %b, %i, sizes = [9] : (!spmd.buffer<tensor<8xf32>>, tensor<i32>) -> !spmd.buffer<tensor<9xf32>>
  return
}

// -----

func.func @index_view_c1(%b: !spmd.buffer<tensor<8xf32>>, %i: tensor<2xi32>) {
  // expected-error @below {{'spmd.index_view' op dim 1 is none of '!spmd.buffer<tensor<8xf32>>' with elements}}
  %0 = spmd.index_view %b, %i, dim = 1 : (!spmd.buffer<tensor<8xf32>>, tensor<2xi32>) -> !spmd.buffer<tensor<2xf32>>
  return
}

// -----

func.func @index_view_c1_dynamic(%b: !spmd.buffer<tensor<8xf32>>, %i: tensor<?xi32>) {
  // expected-error @below {{'spmd.index_view' op has indices of dynamic shape, 'tensor<?xi32>'}}
  %0 = spmd.index_view %b, %i, dim = 0 : (!spmd.buffer<tensor<8xf32>>, tensor<?xi32>) -> !spmd.buffer<tensor<2xf32>>
  return
}

// -----

func.func @index_view_c2(%b: !spmd.buffer<tensor<8x4xf32>>, %i: tensor<2x3xi32>) {
  // expected-error @below {{'spmd.index_view' op has result type '!spmd.buffer<tensor<2x3xf32>>'; expected '!spmd.buffer<tensor<8x2x3xf32>>'}}
  %0 = spmd.index_view %b, %i, dim = 1 : (!spmd.buffer<tensor<8x4xf32>>, tensor<2x3xi32>) -> !spmd.buffer<tensor<2x3xf32>>
  return
}

// -----

// A buffer stays in the region that it is made in.
func.func @buffer_leaves_branch(%p: tensor<i1>) {
  %0 = "stablehlo.if"(%p) ({
    %b = spmd.alloc : !spmd.buffer<tensor<4xf32>>
    // expected-error @below {{'stablehlo.return' op operand 0 has type '!spmd.buffer<tensor<4xf32>>', and memory stays where it is made; return what a load of it gives}}
    "stablehlo.return"(%b) : (!spmd.buffer<tensor<4xf32>>) -> ()
  }, {
    %t = stablehlo.constant dense<0.0> : tensor<4xf32>
    stablehlo.return %t : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}

// -----

// expected-error @below {{'func.func' op argument 0: has attribute 'spmd.memory', which belongs to a buffer; its type is 'tensor<4xf32>'}}
func.func private @memory_of_tensor(%t: tensor<4xf32> {spmd.memory = {}})

// -----

// expected-error @below {{'func.func' op argument 0: attribute 'spmd.memory' is no dictionary of 'name', a string, and of 'shape', 'start_indices', 'limit_indices' and 'strides', of a number each a dim}}
func.func private @memory_without_strides(%b: !spmd.buffer<tensor<4xf32>> {spmd.memory = {name = "m",
    shape = array<i64: 8>, start_indices = array<i64: 0>, limit_indices = array<i64: 4>, strides = array<i64>}})

// -----

// expected-error @below {{'func.func' op argument 0: range 6:10:1 of dim 0 of memory "m" is no part of its size 8}}
func.func private @memory_out_of_range(%b: !spmd.buffer<tensor<4xf32>> {spmd.memory = {name = "m",
    shape = array<i64: 8>, start_indices = array<i64: 6>, limit_indices = array<i64: 10>, strides = array<i64: 1>}})

// -----

// expected-error @below {{'func.func' op argument 0: its type '!spmd.buffer<tensor<4xf32>>' has 4 elements; its part of memory "m" has 3}}
func.func private @memory_of_other_size(%b: !spmd.buffer<tensor<4xf32>> {spmd.memory = {name = "m",
    shape = array<i64: 8>, start_indices = array<i64: 2>, limit_indices = array<i64: 8>, strides = array<i64: 2>}})

// -----

// expected-error @below {{'func.func' op argument 0: attribute 'spmd.not_donated' is no unit}}
func.func private @not_donated_false(%b: !spmd.buffer<tensor<4xf32>> {spmd.not_donated = false})

// -----

func.func @rotate_of_no_dim(%x: tensor<8x4xf32>) {
  // expected-error @below {{'spmd.rotate' op dim 2 is none of the operand's 2}}
  %y = spmd.rotate %x by 1 along 2 : tensor<8x4xf32>
  return
}

// -----

func.func @rotate_by_all(%x: tensor<8x4xf32>) {
  // expected-error @below {{'spmd.rotate' op moves dim 1 of size 4 by 4; expected more than 0, and less than the size}}
  %y = spmd.rotate %x by 4 along 1 : tensor<8x4xf32>
  return
}

// -----

// expected-error @below {{'func.func' op argument 0: attribute 'spmd.uneven_sharding' is no #sdy.sharding}}
func.func @uneven_unit(%a: tensor<4xf32> {spmd.uneven_sharding}) {
  return
}

// -----

sdy.mesh @mesh = <["x"=2]>

// expected-error @below {{argument 0: attribute 'spmd.uneven_sharding'}}
func.func @uneven_of_another_rank(%a: tensor<4xf32> {spmd.uneven_sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  return
}

// -----

// expected-error @below {{'func.func' op argument 0: attribute 'spmd.grown_from' is no #sdy.sharding}}
func.func @grown_unit(%a: !spmd.buffer<tensor<4xf32>> {spmd.grown_from}) {
  return
}

// -----

func.func @grown_of_an_op() {
  // expected-error @below {{'spmd.alloc' op attribute 'spmd.grown_from' is no #sdy.sharding_per_value}}
  %a = spmd.alloc {spmd.grown_from} : !spmd.buffer<tensor<4xf32>>
  return
}
