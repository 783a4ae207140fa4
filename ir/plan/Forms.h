// Plans as JSON, with the place of every field.
#pragma once

#include "spmd/ir/plan/Plan.h"
#include "spmd/ir/plan/plan.pb.h"
#include "spmd/ir/textproto/TextProto.h"

namespace spmd {

using PlanPlaces = FieldPlaces;

/// Reads JSON into `proto`, which must not move while `places` is in use. Returns false after
/// adding to `findings` if the text is not of this form, or has fields that a plan lacks. Plans in
/// text format are read by `readTextProto`.
bool readJsonForm(std::string_view text, PlanProto &proto, PlanPlaces &places,
                  std::vector<PlanFinding> &findings);

} // namespace spmd
