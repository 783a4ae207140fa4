// RUN: spmd-opt %s --split-input-file --verify-diagnostics --spmd-import-shardings

// expected-error @below {{argument 0 of @text: 'mhlo.sharding' "{devices=[3]0,1}": sharding {devices=[3]0,1}: there are 3 tiles for 2 devices}}
func.func @text(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[3]0,1}"}) { return }

// -----

// expected-error @below {{'mhlo.sharding' is no string}}
func.func @string(%arg0: tensor<8xf32> {mhlo.sharding = 3 : i32}) { return }

// -----

func.func @devices(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[8]<=[8]}"},
                   // expected-error @below {{argument 1 of @devices: sharding {devices=[3]<=[3]} is over 3 of 8 devices; their number must divide 8}}
                   %arg1: tensor<8xf32> {mhlo.sharding = "{devices=[3]<=[3]}"}) { return }

// -----

func.func @device_number(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[8]<=[8]}"},
                         // expected-error @below {{argument 1 of @device_number: sharding {devices=[2]1,9} names device 9 of 8}}
                         %arg1: tensor<8xf32> {mhlo.sharding = "{devices=[2]1,9}"}) { return }

// -----

// expected-error @below {{sharding {devices=[8]<=[8]} is of rank 1, the tensor of rank 2}}
func.func @rank(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[8]<=[8]}"}) { return }

// -----

func.func @bare(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @-1 {{its operand is made here}}
  // expected-warning @below {{'stablehlo.custom_call' calls @Sharding without a sharding; taken as no constraint}}
  %0 = stablehlo.custom_call @Sharding(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @types(%arg0: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error @below {{@Sharding has one operand and one result of its type}}
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{replicated}"} : (tensor<8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @unspecified(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'unspecified_dims' names a dim that its operand does not have}}
  %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @no_end(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<4xf32> {
  // expected-error @below {{its local value is used outside of the manual region; end the region with @SPMDShardToFullShape}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @unknown(%arg0: tensor<8xf32>, %arg1: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) {
  // expected-error @below {{the sharding of its operand is not known}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @disagree(%arg0: tensor<8xf32> {mhlo.sharding = "{replicated}"}) {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{devices=[1,2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{its local values are manual along other axes than those that it is computed with}}
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8xf32>
  return
}

// -----

// expected-error @below {{a manual region depends on its own results; mark what stands between @SPMDShardToFullShape and @SPMDFullToShardShape as manual, too}}
func.func @circle(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @SPMDShardToFullShape(%0) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
  %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %4 = stablehlo.add %0, %3 : tensor<4xf32>
  %5 = stablehlo.custom_call @SPMDShardToFullShape(%4) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return %5 : tensor<8xf32>
}

// -----

func.func @hint_is_no_sharding(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'mhlo.sharding' "{devices=[2": }}
  %0 = stablehlo.negate %arg0 {mhlo.sharding = "{devices=[2"} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-error @below {{'mhlo.sharding' "xx": }}
func.func @bytes(%arg0: tensor<8xf32> {mhlo.sharding = "xx"}) { return }

// -----

// expected-error-re @below {{'mhlo.sharding' "{{.*}}": column 1: expected}}
func.func @kind(%arg0: tensor<8xf32> {mhlo.sharding = "\08c"}) { return }

// -----

// expected-error @below {{argument 1 of @device: sharding {maximal device=4} is on device 4, mesh <["axis_0"=4]> has 4}}
func.func @device(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}, %arg1: tensor<8xf32> {mhlo.sharding = "{maximal device=4}"}) { return }

// -----

// expected-error @below {{argument 0 of @manual is manual: a part that nothing says the whole of; take and return whole values, and cut them with @SPMDFullToShardShape}}
func.func @manual(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2,2]<=[4] last_tile_dims={manual}}"}) { return }

// -----

// expected-error @below {{result 0 of @manual_result is manual: a part that nothing says the whole of; take and return whole values, and cut them with @SPMDFullToShardShape}}
func.func @manual_result(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> (tensor<8xf32> {mhlo.sharding = "{manual}"}) { return %arg0 : tensor<8xf32> }

// -----

func.func @goes_in(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[8,1]7,6,5,4,3,2,1,0}"}) -> tensor<8x2xf32> {
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[8,1]7,6,5,4,3,2,1,0}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error @below {{goes into or out of a manual region, whose mesh <["axis_0"=8], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]> has no axes for its sharding}}
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={replicated, manual}}"} : (tensor<8x8xf32>) -> tensor<8x2xf32>
  return %1 : tensor<8x2xf32>
}

// -----

// A value that is sharded in both notations.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @both(
    // expected-error @below {{argument 0 of @both has two shardings that contradict each other: 'sdy.sharding' [{"x"}, {}] and 'mhlo.sharding' "{devices=[1,2,4]<=[8] last_tile_dim_replicate}"; remove one}}
    %arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[1,2,4]<=[8] last_tile_dim_replicate}", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    // expected-error @below {{argument 1 of @both has two shardings that contradict each other: 'sdy.sharding' [{"x", ?}, {?}] and 'mhlo.sharding' "{replicated}"; remove one}}
    %arg1: tensor<8x8xf32> {mhlo.sharding = "{replicated}", sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>}) {
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @one = <[], device_ids=[3]>
// expected-error @below {{result 1 of @both_results has two shardings that contradict each other: 'sdy.sharding' [{}] and 'mhlo.sharding' "{maximal device=2}"; remove one}}
func.func @both_results(%arg0: tensor<8xf32>)
    -> (tensor<8xf32> {mhlo.sharding = "{maximal device=3}", sdy.sharding = #sdy.sharding<@one, [{}]>},
        tensor<8xf32> {mhlo.sharding = "{maximal device=2}", sdy.sharding = #sdy.sharding<@one, [{}]>}) {
  return %arg0, %arg0 : tensor<8xf32>, tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @both_at_a_call(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'stablehlo.custom_call' has two shardings that contradict each other: 'sdy.sharding' [{"x"}] and 'mhlo.sharding' "{devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"; remove one}}
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}", sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Types on both sides of a border that do not go together.
func.func @part_of_another(%arg0: tensor<16x8xf32> {mhlo.sharding = "{devices=[4,2]<=[8]}"}) -> tensor<16x8xf32> {
  // expected-error @below {{has local type 'tensor<2x8xf32>' for global type 'tensor<16x8xf32>', of which manual axes make 'tensor<4x4xf32>'}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<16x8xf32>) -> tensor<2x8xf32>
  %1 = stablehlo.custom_call @SPMDShardToFullShape(%0) {mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<2x8xf32>) -> tensor<16x8xf32>
  return %1 : tensor<16x8xf32>
}

// -----

func.func @whole_of_another(%arg0: tensor<16x8xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}) -> tensor<16x4xf32> {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<16x8xf32>) -> tensor<2x8xf32>
  // expected-error @below {{has local type 'tensor<2x8xf32>' for global type 'tensor<16x4xf32>', of which manual axes make 'tensor<2x4xf32>'}}
  %1 = stablehlo.custom_call @SPMDShardToFullShape(%0) {mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<2x8xf32>) -> tensor<16x4xf32>
  return %1 : tensor<16x4xf32>
}

// -----

func.func @uneven(%arg0: tensor<15x8xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}) -> tensor<15x8xf32> {
  // expected-error @below {{makes dim 0 of size 15 manual along axes with 8 shards, which do not divide it; pad it}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<15x8xf32>) -> tensor<2x8xf32>
  %1 = stablehlo.custom_call @SPMDShardToFullShape(%0) {mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<2x8xf32>) -> tensor<15x8xf32>
  return %1 : tensor<15x8xf32>
}

// -----

func.func @token(%arg0: !stablehlo.token, %arg1: tensor<16xf32> {mhlo.sharding = "{devices=[8]<=[8]}"}) -> !stablehlo.token {
  // expected-error @below {{takes and returns one tensor of known rank, not '!stablehlo.token'}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (!stablehlo.token) -> !stablehlo.token
  %1 = stablehlo.custom_call @SPMDShardToFullShape(%0) {mhlo.sharding = "{replicated}"} : (!stablehlo.token) -> !stablehlo.token
  return %1 : !stablehlo.token
}

// -----

func.func @two_operands(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  // expected-error @below {{@SPMDFullToShardShape has one operand and one result}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0, %arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @SPMDShardToFullShape(%0) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

func.func @two_results(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  // expected-error @below {{@SPMDShardToFullShape has one operand and one result}}
  %1:2 = stablehlo.custom_call @SPMDShardToFullShape(%0) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %1#0 : tensor<8xf32>
}

// -----

func.func @no_operand(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  // expected-error @below {{@Sharding has one operand and one result of its type}}
  %0 = stablehlo.custom_call @Sharding() {mhlo.sharding = "{manual}"} : () -> tensor<4xf32>
  %1 = stablehlo.custom_call @SPMDShardToFullShape(%0) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// A size that is not known says nothing of those behind it.
func.func @uneven_behind_dynamic(%arg0: tensor<?x9xf32> {mhlo.sharding = "{devices=[1,2]<=[2]}"}) -> tensor<?x9xf32> {
  // expected-error @below {{makes dim 1 of size 9 manual along axes with 2 shards, which do not divide it; pad it}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<?x9xf32>) -> tensor<?x4xf32>
  %1 = stablehlo.custom_call @SPMDShardToFullShape(%0) {mhlo.sharding = "{devices=[1,2]<=[2]}"} : (tensor<?x4xf32>) -> tensor<?x9xf32>
  return %1 : tensor<?x9xf32>
}

// -----

// The message names the side of the border that nothing is known of.
func.func @unknown_whole(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  // expected-error @below {{the sharding of its result is not known}}
  %1 = stablehlo.custom_call @SPMDShardToFullShape(%0) : (tensor<4xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

func.func @unknown_part(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  // expected-error @below {{the sharding of its result is not known}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) : (tensor<8xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @SPMDShardToFullShape(%0) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

func.func @unknown_end(%arg0: tensor<4xf32>, %arg1: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  // expected-error @below {{the sharding of its operand is not known}}
  %0 = stablehlo.custom_call @SPMDShardToFullShape(%arg0) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

module attributes {mhlo.num_partitions = 8 : i32} {
  func.func @too_many(%arg0: tensor<8xf32> {mhlo.sharding = "{replicated}"},
                      // expected-error @below {{argument 1 of @too_many: sharding {devices=[16]<=[16]} is for 16 devices, the program for 8}}
                      %arg1: tensor<8xf32> {mhlo.sharding = "{devices=[16]<=[16]}"}) { return }
}
