// Files that people write in Protobuf's text format: reading them, with the place of every field.
#pragma once

#include "spmd/ir/textproto/FileFinding.h"

#include "absl/container/flat_hash_map.h"
#include "google/protobuf/message.h"

#include <string_view>
#include <tuple>
#include <vector>

namespace spmd {

/// Where the fields of a message were written.
class FieldPlaces {
public:
  /// Returns where value `index` of `field` of `message` starts; nowhere if it was not written.
  FilePlace of(const google::protobuf::Message &message, int field, int index = 0) const {
    auto found = places.find({&message, field, index});
    return found == places.end() ? FilePlace() : found->second;
  }
  void set(const google::protobuf::Message &message, int field, int index, FilePlace place) {
    places[{&message, field, index}] = place;
  }

private:
  absl::flat_hash_map<std::tuple<const google::protobuf::Message *, int, int>, FilePlace> places;
};

/// Reads `text` into `message`, which must not move while `places` is in use. Returns false after
/// adding to `findings` if the text does not parse, or has fields that the message lacks.
bool readTextProto(std::string_view text, google::protobuf::Message &message, FieldPlaces &places,
                   std::vector<FileFinding> &findings);

/// Returns the message for a field that messages of `descriptor` lack.
std::string unknownField(const google::protobuf::Descriptor &descriptor, std::string_view name);

} // namespace spmd
