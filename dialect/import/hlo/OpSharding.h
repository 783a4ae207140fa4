// Shardings of HLO protos as text.
#pragma once

#include "spmd/ir/hlo/xla_data.pb.h"

#include <string>

namespace spmd {

/// Returns the text form of `sharding`, as ir/sharding/TileSharding.h reads it. What the message
/// says wrongly, the text says, too.
std::string textOf(const hlo::OpSharding &sharding);

} // namespace spmd
