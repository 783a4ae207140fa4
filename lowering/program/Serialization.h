// Device programs as protobuf messages.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"
#include "spmd/lowering/program/device_program.pb.h"

namespace spmd {

proto::DeviceProgram toProto(const DeviceProgram &program);

/// Returns the program that `message` holds, verified.
/// InvalidArgument if it names an unknown element type, has an attribute without a value, or does
/// not verify.
absl::StatusOr<DeviceProgram> fromProto(const proto::DeviceProgram &message);

/// As above, from and to the wire format.
std::string serialize(const DeviceProgram &program);
absl::StatusOr<DeviceProgram> deserialize(const std::string &bytes);

} // namespace spmd
