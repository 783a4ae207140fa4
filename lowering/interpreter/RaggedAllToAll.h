// Rows sent to the devices of a group, as many to each as is known only at run time.
#pragma once

#include "spmd/lowering/interpreter/Collective.h"

namespace spmd {

/// Prepares `ragged_all_to_all(operand, output, input_offsets, send_sizes, output_offsets,
/// recv_sizes)`.
///
/// Each member sends to member i the `send_sizes[i]` rows of its operand from row
/// `input_offsets[i]`, and they arrive in that member's result from row `output_offsets[i]`. The
/// other rows of the result are those of `output`. When run: InvalidArgument if rows do not lie in
/// the operand or the result, or fewer or more arrive than `recv_sizes` says.
absl::StatusOr<std::function<absl::StatusOr<MemberTensors>(int32_t, const MemberTensors &)>>
prepareRaggedAllToAll(const KernelRequest &request, const ReplicaGroups &groups);

} // namespace spmd
