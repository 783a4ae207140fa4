// HLO modules from bytes: which message they are, and the module inside; where modules are stored.

#include "spmd/ir/hlo/Hlo.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/message.h>
#include <google/protobuf/stubs/logging.h>

#include <limits>
#include <vector>

namespace spmd::hlo {

namespace {
/// What the fields of a message show without knowing its type.
struct Glance {
  bool isMessage = false;       ///< The bytes are fields with sound tags and lengths.
  bool hasComputations = false; ///< There is a field 3 with bytes: of a module, its computations.
  std::string_view first;       ///< The bytes of field 1.
};
} // namespace

static Glance glance(std::string_view bytes) {
  using google::protobuf::io::CodedInputStream;
  Glance result;
  CodedInputStream stream(reinterpret_cast<const uint8_t *>(bytes.data()),
                          static_cast<int>(bytes.size()));
  while (uint32_t tag = stream.ReadTag()) {
    uint32_t number = tag >> 3, length = 0;
    uint64_t ignored = 0;
    bool read = false;
    switch (tag & 7) {
    case 0:
      read = stream.ReadVarint64(&ignored);
      break;
    case 1:
      read = stream.Skip(8);
      break;
    case 5:
      read = stream.Skip(4);
      break;
    case 2: {
      read = stream.ReadVarint32(&length) &&
             length <= static_cast<uint32_t>(std::numeric_limits<int>::max());
      size_t start = stream.CurrentPosition();
      read = read && stream.Skip(static_cast<int>(length));
      if (read && number == 1)
        result.first = bytes.substr(start, length);
      result.hasComputations |= read && number == 3;
      break;
    }
    default:
      break;
    }
    if (!read || number == 0)
      return {};
  }
  result.isMessage = stream.CurrentPosition() == static_cast<int>(bytes.size());
  return result;
}

absl::Status parseHloProto(std::string_view bytes, HloModuleProto &module) {
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max()))
    return absl::InvalidArgumentError(
        "the bytes are more than 2 GiB, the most that a message may have");
  // Of the three messages each holds the one before in its field 1, so the innermost that fits is
  // it. A module's own field 1 is its name, which is no module.
  google::protobuf::LogSilencer silence; // The caller gets an error instead.
  std::string_view outer = bytes, middle = glance(outer).first, inner = glance(middle).first;
  for (std::string_view candidate : {inner, middle, outer}) {
    Glance seen = glance(candidate);
    if (!seen.isMessage || !seen.hasComputations)
      continue;
    if (module.ParseFromArray(candidate.data(), static_cast<int>(candidate.size())) &&
        module.computations_size())
      return absl::OkStatus();
  }
  return absl::InvalidArgumentError("the bytes are no HloModuleProto, HloProto or HloSnapshot with "
                                    "computations; they may be cut off");
}

absl::StatusOr<HloModuleProto> parseHloProto(std::string_view bytes) {
  HloModuleProto module;
  if (absl::Status status = parseHloProto(bytes, module); !status.ok())
    return status;
  return module;
}

//===- Shardings ------------------------------------------------------------===//

/// Whether all that the message says is in fields that are known.
static bool isKnown(const google::protobuf::Message &message) {
  const google::protobuf::Reflection &reflection = *message.GetReflection();
  if (!reflection.GetUnknownFields(message).empty())
    return false;
  std::vector<const google::protobuf::FieldDescriptor *> fields;
  reflection.ListFields(message, &fields);
  for (const google::protobuf::FieldDescriptor *field : fields) {
    if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE)
      continue;
    if (!field->is_repeated() && !isKnown(reflection.GetMessage(message, field)))
      return false;
    for (int i = 0; field->is_repeated() && i < reflection.FieldSize(message, field); ++i)
      if (!isKnown(reflection.GetRepeatedMessage(message, field, i)))
        return false;
  }
  return true;
}

static bool hasKnownKinds(const OpSharding &sharding) {
  bool known = OpSharding::Type_IsValid(sharding.type());
  for (int kind : sharding.last_tile_dims())
    known &= OpSharding::Type_IsValid(kind);
  for (const OpSharding &element : sharding.tuple_shardings())
    known &= hasKnownKinds(element);
  return known;
}

absl::StatusOr<OpSharding> parseHloShardingProto(std::string_view bytes) {
  google::protobuf::LogSilencer silence;
  OpSharding sharding;
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max()) ||
      !sharding.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      !isKnown(sharding) || !hasKnownKinds(sharding) || sharding.SerializeAsString() != bytes)
    return absl::InvalidArgumentError("the bytes are no sharding");
  return sharding;
}

//===- Memory ---------------------------------------------------------------===//

static google::protobuf::ArenaOptions inLargeBlocks() {
  google::protobuf::ArenaOptions options;
  options.max_block_size = size_t{1} << 20;
  return options;
}

StoredModule::StoredModule()
    : memory(std::make_unique<google::protobuf::Arena>(inLargeBlocks())),
      module(google::protobuf::Arena::CreateMessage<HloModuleProto>(memory.get())) {}

} // namespace spmd::hlo
