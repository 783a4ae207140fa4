// Groups of devices, in each way that HLO writes them.
#pragma once

#include "spmd/ir/hlo/hlo.pb.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace spmd {

/// Groups of devices as a table: one row a group; shorter groups are filled up with -1.
struct GroupTable {
  int64_t rows = 0, columns = 0;
  llvm::SmallVector<int64_t> ids;
};

/// Returns the groups of the collective `instruction`: one by one, as a transposed grid, or as axes
/// of a mesh; no rows where it names none, which means all devices. Nothing if they are none of
/// these: a grid that does not fit its size, an axis that the mesh does not have, too many devices
/// to list.
std::optional<GroupTable> groupsOf(const hlo::HloInstructionProto &instruction);

} // namespace spmd
