// A device program: what every device of a mesh executes, as plain data.
//
// All devices run the same instructions on local tensors; `partition_id` and the replica groups
// tell them apart. A function numbers its values: first the arguments, then what its instructions
// define, each once, before any use. `str` shows one:
//
//     program "mlp" on 2 devices
//     groups #0: [[0, 1]]
//     argument 0 "x": 4x8xf32 on <["x"=2]> as [{"x"}, {}]
//     result 0: 4xf32 on <["x"=2]> as [{"x"}]
//     entry function #0 "main"(%0: 2x8xf32, %1: f32) {
//       %2: 2xf32 = reduce(%0, %1) {dimensions = [1]} functions [#1] release [%0]
//       return %2
//     }
//
// An instruction is named as in StableHLO, without the prefix, and has StableHLO's attributes.
// Beyond these there are `fused` (a body of elementwise steps), `buffer_alloc`, `buffer_load` and
// `buffer_store`:
//
//     fused(operands)               runs its body of elementwise steps; scalars are broadcast, and
//     other tensors by `broadcast_in_dim` alone
//     buffer_alloc() or (initial)   makes a mutable cell; without initial contents it holds zeros
//     buffer_load(cell)             the tensor in the cell; with `take = true` the cell gives it
//     up, and
//                                   must be stored to before the next load
//     buffer_store(cell, tensor)    replaces the tensor; no results
//
//     run_parallel(operands)        runs another program: attribute `program` is an index in
//     DeviceProgram::programs; the operands are the arguments of its devices, one after the other,
//     the results likewise
//
// Bodies capture nothing. Those of `while` take all carries; the branches of `if` and `case` take
// the operands after the first; `call` passes its operands on. Cells can be passed like tensors.
#pragma once

#include "spmd/lowering/program/Attributes.h"
#include "spmd/lowering/program/TensorType.h"

namespace spmd {

/// The number of a value in its function.
using ValueId = int32_t;

struct Instruction {
  std::string op = {};
  std::vector<ValueId> operands = {};
  std::vector<ValueId> results = {};
  Attributes attributes = {};
  /// The functions it runs, as indices in DeviceProgram::functions: a reducer, a callee, the
  /// condition and the body of a `while`, the branches of an `if` (true first) or `case`.
  std::vector<int32_t> functions = {};
  /// Values that nobody reads after it, in ascending order. See `planReleases`.
  std::vector<ValueId> releases = {};
  /// Which list of DeviceProgram::groups a collective runs in; -1 means all devices together.
  int32_t groups = -1;
  /// Where the instruction comes from, for messages.
  std::string location = {};
};

struct Function {
  std::string name = {};
  /// The types of all values, by id.
  std::vector<TensorType> values = {};
  /// The first values are the arguments.
  int32_t numArguments = 0;
  std::vector<Instruction> instructions = {};
  std::vector<ValueId> results = {};
};

/// What a program says of an argument or a result. One that was partitioned elsewhere may not say
/// all.
enum class Known : uint8_t {
  all,
  sharding, ///< The global shape is `global` or any other with the same local shape.
  part,     ///< `global` is the part of one device; where it lies is not said.
};

/// How an argument or a result of the whole program lies on the devices.
struct Boundary {
  TensorType global = {};
  /// The text of a Mesh and of a ShardingSpec.
  std::string mesh = {};
  std::string sharding = {};
  /// For an argument: the result that takes over its buffer, or -1.
  int64_t aliases = -1;
  std::string name = {};
  Known known = Known::all;
};

/// The members of each group; a device is in at most one.
using ReplicaGroups = std::vector<std::vector<int64_t>>;

struct DeviceProgram {
  std::string name = {};
  int64_t numDevices = 1;
  /// Device `r * (numDevices / numReplicas) + p` is partition p of replica r.
  int64_t numReplicas = 1;
  std::vector<Function> functions = {};
  /// The function that every device starts with.
  int32_t entry = 0;
  /// Where devices differ: the function each starts with. Else empty.
  std::vector<int32_t> entries = {};
  /// Functions without arguments: what the `infeed`s of each device take, in order.
  std::vector<int32_t> infeed = {};
  std::vector<Boundary> arguments = {};
  std::vector<Boundary> results = {};
  /// The distinct lists of groups that collectives run in.
  std::vector<ReplicaGroups> groups = {};
  /// Dense row-major little-endian bytes. Attribute `pool` of a `constant` is an index here; with
  /// attribute `splat`, the entry holds one element, which fills the tensor.
  std::vector<std::string> constants = {};
  /// The programs that `run_parallel` runs.
  std::vector<DeviceProgram> programs = {};

  /// Returns the function that `device` starts with.
  int32_t entryOf(int64_t device) const { return entries.empty() ? entry : entries[device]; }
};

/// Returns `program` as text, as shown at the top of this file.
std::string str(const DeviceProgram &program);

/// Returns `op "name" at location`, for messages.
std::string describe(const Instruction &instruction);

/// Checks that `program` can be walked: every index is in range, every value is defined once and
/// before its uses, no released value is used again, calls do not recurse, groups name each device
/// at most once, sizes are not negative, replicas are equally large; the same of all that it runs.
/// Types and attributes of ops are checked where they are prepared. InvalidArgument with the
/// function and the instruction otherwise.
absl::Status verify(const DeviceProgram &program);

} // namespace spmd
