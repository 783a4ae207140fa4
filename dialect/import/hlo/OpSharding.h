// Shardings of HLO protos as text.
#pragma once

#include "spmd/ir/hlo/xla_data.pb.h"
#include "spmd/ir/sharding/Spec.h"

namespace spmd {

/// Returns the text form of `sharding`, as ir/sharding/TileSharding.h reads it. What the message
/// says wrongly, the text says, too.
std::string textOf(const hlo::OpSharding &sharding);

/// Returns the mesh with its devices one by one; the empty mesh if it is none.
Mesh meshOf(const hlo::MeshProto &proto);

/// Returns `axes` of `mesh` by name, those that it does not have by a name that it does not have.
std::vector<AxisSpec> axesOf(const hlo::MeshProto &mesh,
                             const google::protobuf::RepeatedPtrField<hlo::AxisRefProto> &axes);

} // namespace spmd
