// Collectives: what a group computes once all its members have arrived.
#pragma once

#include "spmd/lowering/interpreter/KernelRegistry.h"

namespace spmd {

/// What all members bring, and what each gets, in group order. What members hold alike they share.
using MemberTensors = std::vector<std::vector<Tensor>>;

/// A collective bound to its instruction.
struct Collective {
  ReplicaGroups groups;
  /// By device: the group it is in and its position there; -1 if it is in none.
  std::vector<int32_t> groupOf;
  std::vector<int32_t> positionOf;
  /// A device in no group goes on with zeros; else that is an error.
  bool othersGetZeros = false;
  /// Computes what each member gets from what the members of group number `group` brought.
  std::function<absl::StatusOr<MemberTensors>(int32_t group, const MemberTensors &)> run;
};

/// Returns whether `op` is a collective: all_gather, all_reduce, all_to_all, collective_broadcast,
/// collective_permute, collective_reduce, ragged_all_to_all or reduce_scatter.
bool isCollective(const std::string &op);

/// Checks the request and returns the collective, or InvalidArgument. Reductions run in group
/// order.
absl::StatusOr<Collective> prepareCollective(const KernelRequest &request);

} // namespace spmd
