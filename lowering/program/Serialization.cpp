#include "spmd/lowering/program/Serialization.h"

#include <algorithm>

namespace spmd {

// To proto.

static void write(const TensorType &type, proto::TensorType &out) {
  out.set_element(nameOf(type.element));
  *out.mutable_shape() = {type.shape.begin(), type.shape.end()};
}

namespace {
struct AttributeWriter {
  proto::Attribute &out;
  void operator()(int64_t value) const { out.set_integer(value); }
  void operator()(double value) const { out.set_real(value); }
  void operator()(bool value) const { out.set_boolean(value); }
  void operator()(const std::string &value) const { out.set_text(value); }
  void operator()(const std::vector<int64_t> &values) const {
    *out.mutable_integers()->mutable_values() = {values.begin(), values.end()};
  }
  void operator()(const std::vector<double> &values) const {
    *out.mutable_reals()->mutable_values() = {values.begin(), values.end()};
  }
};
} // namespace

static void write(const Instruction &instruction, proto::Instruction &out) {
  out.set_op(instruction.op);
  *out.mutable_operands() = {instruction.operands.begin(), instruction.operands.end()};
  *out.mutable_results() = {instruction.results.begin(), instruction.results.end()};
  for (const auto &[name, value] : instruction.attributes) {
    proto::Attribute *attribute = out.add_attributes();
    attribute->set_name(name);
    std::visit(AttributeWriter{*attribute}, value);
  }
  *out.mutable_functions() = {instruction.functions.begin(), instruction.functions.end()};
  *out.mutable_releases() = {instruction.releases.begin(), instruction.releases.end()};
  out.set_groups(instruction.groups + 1);
  out.set_location(instruction.location);
}

static void write(const Function &function, proto::Function &out) {
  out.set_name(function.name);
  for (const TensorType &type : function.values)
    write(type, *out.add_values());
  out.set_num_arguments(function.numArguments);
  for (const Instruction &instruction : function.instructions)
    write(instruction, *out.add_instructions());
  *out.mutable_results() = {function.results.begin(), function.results.end()};
}

static void write(const Boundary &boundary, proto::Boundary &out) {
  write(boundary.global, *out.mutable_global());
  out.set_mesh(boundary.mesh);
  out.set_sharding(boundary.sharding);
  out.set_aliases(boundary.aliases + 1);
  out.set_name(boundary.name);
  out.set_known(static_cast<int32_t>(boundary.known));
}

static void write(const DeviceProgram &program, proto::DeviceProgram &out) {
  out.set_name(program.name);
  out.set_num_devices(program.numDevices);
  for (const Function &function : program.functions)
    write(function, *out.add_functions());
  out.set_entry(program.entry);
  for (const Boundary &argument : program.arguments)
    write(argument, *out.add_arguments());
  for (const Boundary &result : program.results)
    write(result, *out.add_results());
  for (const ReplicaGroups &groups : program.groups) {
    proto::ReplicaGroups *list = out.add_groups();
    for (const std::vector<int64_t> &group : groups)
      *list->add_groups()->mutable_values() = {group.begin(), group.end()};
  }
  *out.mutable_constants() = {program.constants.begin(), program.constants.end()};
  out.set_num_replicas(program.numReplicas);
  *out.mutable_entries() = {program.entries.begin(), program.entries.end()};
  *out.mutable_infeed() = {program.infeed.begin(), program.infeed.end()};
  for (const DeviceProgram &inner : program.programs)
    write(inner, *out.add_programs());
}

proto::DeviceProgram toProto(const DeviceProgram &program) {
  proto::DeviceProgram out;
  write(program, out);
  return out;
}

// From proto.

static absl::StatusOr<TensorType> read(const proto::TensorType &in) {
  std::optional<ElementType> element = elementNamed(in.element());
  if (!element)
    return absl::InvalidArgumentError(
        absl::StrCat("\"", in.element(), "\" is not an element type"));
  return TensorType{*element, {in.shape().begin(), in.shape().end()}};
}

static absl::StatusOr<Attribute> read(const proto::Attribute &in) {
  switch (in.value_case()) {
  case proto::Attribute::kInteger:
    return Attribute(int64_t{in.integer()});
  case proto::Attribute::kReal:
    return Attribute(in.real());
  case proto::Attribute::kBoolean:
    return Attribute(in.boolean());
  case proto::Attribute::kText:
    return Attribute(in.text());
  case proto::Attribute::kIntegers:
    return Attribute(
        std::vector<int64_t>(in.integers().values().begin(), in.integers().values().end()));
  case proto::Attribute::kReals:
    return Attribute(std::vector<double>(in.reals().values().begin(), in.reals().values().end()));
  case proto::Attribute::VALUE_NOT_SET:
    break;
  }
  return absl::InvalidArgumentError(absl::StrCat("attribute '", in.name(), "' has no value"));
}

static absl::StatusOr<Instruction> read(const proto::Instruction &in) {
  Instruction out;
  out.op = in.op();
  out.operands = {in.operands().begin(), in.operands().end()};
  out.results = {in.results().begin(), in.results().end()};
  for (const proto::Attribute &attribute : in.attributes()) {
    absl::StatusOr<Attribute> value = read(attribute);
    if (!value.ok())
      return value.status();
    out.attributes.set(attribute.name(), *std::move(value));
  }
  out.functions = {in.functions().begin(), in.functions().end()};
  out.releases = {in.releases().begin(), in.releases().end()};
  out.groups = std::max(in.groups(), 0) - 1;
  out.location = in.location();
  return out;
}

static absl::StatusOr<Function> read(const proto::Function &in);
static absl::StatusOr<Boundary> read(const proto::Boundary &in);
static absl::StatusOr<DeviceProgram> read(const proto::DeviceProgram &message);

/// Appends the read form of every element of `in` to `out`.
template <typename List, typename T>
static absl::Status readAll(const List &in, std::vector<T> &out) {
  for (const auto &element : in) {
    absl::StatusOr<T> value = read(element);
    if (!value.ok())
      return value.status();
    out.push_back(*std::move(value));
  }
  return absl::OkStatus();
}

static absl::StatusOr<Function> read(const proto::Function &in) {
  Function out;
  out.name = in.name();
  if (absl::Status status = readAll(in.values(), out.values); !status.ok())
    return status;
  out.numArguments = in.num_arguments();
  if (absl::Status status = readAll(in.instructions(), out.instructions); !status.ok())
    return status;
  out.results = {in.results().begin(), in.results().end()};
  return out;
}

static absl::StatusOr<Boundary> read(const proto::Boundary &in) {
  absl::StatusOr<TensorType> global = read(in.global());
  if (!global.ok())
    return global.status();
  if (in.known() < 0 || in.known() > static_cast<int32_t>(Known::part))
    return absl::InvalidArgumentError(
        absl::StrCat("a boundary has ", in.known(), " for what is known of it"));
  return Boundary{*std::move(global), in.mesh(),
                  in.sharding(),      std::max<int64_t>(in.aliases(), 0) - 1,
                  in.name(),          static_cast<Known>(in.known())};
}

static absl::StatusOr<DeviceProgram> read(const proto::DeviceProgram &message) {
  DeviceProgram out;
  out.name = message.name();
  out.numDevices = message.num_devices();
  out.entry = message.entry();
  if (absl::Status status = readAll(message.functions(), out.functions); !status.ok())
    return status;
  if (absl::Status status = readAll(message.arguments(), out.arguments); !status.ok())
    return status;
  if (absl::Status status = readAll(message.results(), out.results); !status.ok())
    return status;
  for (const proto::ReplicaGroups &list : message.groups()) {
    ReplicaGroups &groups = out.groups.emplace_back();
    for (const proto::IntegerList &group : list.groups())
      groups.emplace_back(group.values().begin(), group.values().end());
  }
  out.constants = {message.constants().begin(), message.constants().end()};
  out.numReplicas = std::max<int64_t>(message.num_replicas(), 1);
  out.entries = {message.entries().begin(), message.entries().end()};
  out.infeed = {message.infeed().begin(), message.infeed().end()};
  if (absl::Status status = readAll(message.programs(), out.programs); !status.ok())
    return status;
  return out;
}

absl::StatusOr<DeviceProgram> fromProto(const proto::DeviceProgram &message) {
  absl::StatusOr<DeviceProgram> out = read(message);
  if (!out.ok())
    return out;
  if (absl::Status status = verify(*out); !status.ok())
    return status;
  return out;
}

std::string serialize(const DeviceProgram &program) { return toProto(program).SerializeAsString(); }

absl::StatusOr<DeviceProgram> deserialize(const std::string &bytes) {
  proto::DeviceProgram message;
  if (!message.ParseFromString(bytes))
    return absl::InvalidArgumentError("bytes are not a device program");
  return fromProto(message);
}

} // namespace spmd
