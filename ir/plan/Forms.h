// The two written forms of a plan, with the place of every field.
#pragma once

#include "spmd/ir/plan/Plan.h"
#include "spmd/ir/plan/plan.pb.h"

#include "absl/container/flat_hash_map.h"

#include <tuple>

namespace spmd {

/// Where the fields of a message were written.
class PlanPlaces {
public:
  /// Returns where value `index` of `field` of `message` starts; nowhere if it was not written.
  PlanPlace of(const google::protobuf::Message &message, int field, int index = 0) const {
    auto found = places.find({&message, field, index});
    return found == places.end() ? PlanPlace() : found->second;
  }
  void set(const google::protobuf::Message &message, int field, int index, PlanPlace place) {
    places[{&message, field, index}] = place;
  }

private:
  absl::flat_hash_map<std::tuple<const google::protobuf::Message *, int, int>, PlanPlace> places;
};

/// Reads the text into `proto`, which must not move while `places` is in use. Returns false after
/// adding to `findings` if it is not of this form, or has fields that a plan has not.
bool readTextForm(std::string_view text, PlanProto &proto, PlanPlaces &places,
                  std::vector<PlanFinding> &findings);
bool readJsonForm(std::string_view text, PlanProto &proto, PlanPlaces &places,
                  std::vector<PlanFinding> &findings);

/// Returns what is said of a field that messages of `descriptor` have not.
std::string unknownField(const google::protobuf::Descriptor &descriptor, std::string_view name);

/// Returns `message` as a clause of ours: without a capital at the start or a period at the end.
std::string asClause(std::string message);

} // namespace spmd
