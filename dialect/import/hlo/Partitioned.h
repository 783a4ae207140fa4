// Whether a module was partitioned already.
#pragma once

#include "spmd/ir/hlo/hlo.pb.h"

namespace spmd {

/// Returns whether `module` is the program of one of several devices, as XLA's partitioner leaves
/// it.
///
/// The format has no mark for it; either of these tells: the shardings that the partitioner
/// records of what it cut; the name that it gives the entry, `.._spmd`; an instruction that only
/// the program of one partition may have (a partition's number, a collective between partitions)
/// in a module without a border between global and local values.
bool isPartitioned(const hlo::HloModuleProto &module);

} // namespace spmd
