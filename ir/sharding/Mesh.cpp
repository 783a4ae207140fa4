#include "spmd/ir/sharding/Mesh.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include <algorithm>

namespace spmd {

std::string quoted(std::string_view name) {
  constexpr const char *hexDigits = "0123456789ABCDEF";
  std::string text = "\"";
  for (unsigned char c : name) {
    if (c == '\\')
      text += "\\\\";
    else if (c == '"' || !absl::ascii_isprint(c))
      text += {'\\', hexDigits[c >> 4], hexDigits[c & 15]};
    else
      text += static_cast<char>(c);
  }
  return text + "\"";
}

static absl::Status checkAxes(absl::Span<const MeshAxis> axes) {
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].name.empty())
      return absl::InvalidArgumentError(absl::StrCat("mesh axis ", i, " has no name"));
    if (axes[i].size <= 0)
      return absl::InvalidArgumentError(absl::StrCat("mesh axis \"", axes[i].name, "\" has size ",
                                                     axes[i].size, "; sizes are at least 1"));
    for (size_t j = 0; j < i; ++j)
      if (axes[j].name == axes[i].name)
        return absl::InvalidArgumentError(
            absl::StrCat("mesh axis \"", axes[i].name, "\" occurs twice"));
  }
  return absl::OkStatus();
}

static absl::Status checkDeviceIds(absl::Span<const int64_t> ids, int64_t numDevices) {
  if (static_cast<int64_t>(ids.size()) != numDevices)
    return absl::InvalidArgumentError(
        absl::StrCat("mesh has ", ids.size(), " device ids for ", numDevices, " devices"));
  std::vector<bool> seen(ids.size(), false);
  for (int64_t id : ids) {
    if (id < 0 || id >= numDevices || seen[id])
      return absl::InvalidArgumentError(absl::StrCat(
          "mesh device id ", id, id < 0 || id >= numDevices ? " is out of range" : " occurs twice",
          "; the ids are a permutation of 0 to ", numDevices - 1));
    seen[id] = true;
  }
  return absl::OkStatus();
}

absl::StatusOr<Mesh> Mesh::create(std::vector<MeshAxis> axes, std::vector<int64_t> deviceIds) {
  if (absl::Status status = checkAxes(axes); !status.ok())
    return status;
  Mesh mesh;
  mesh.axes_ = std::move(axes);
  mesh.deviceIds_ = std::move(deviceIds);
  if (mesh.axes_.empty()) {
    if (mesh.deviceIds_.size() > 1)
      return absl::InvalidArgumentError(absl::StrCat(
          "mesh without axes has ", mesh.deviceIds_.size(), " device ids; a maximal mesh has one"));
    if (!mesh.deviceIds_.empty() && mesh.deviceIds_[0] < 0)
      return absl::InvalidArgumentError("mesh device id is negative");
    return mesh;
  }
  constexpr int64_t limit = int64_t{1} << 31;
  for (const MeshAxis &axis : mesh.axes_) {
    if (axis.size >= limit || mesh.numDevices_ * axis.size >= limit)
      return absl::InvalidArgumentError("mesh has more than 2147483647 devices");
    mesh.numDevices_ *= axis.size;
  }
  if (mesh.deviceIds_.empty())
    return mesh;
  if (absl::Status status = checkDeviceIds(mesh.deviceIds_, mesh.numDevices_); !status.ok())
    return status;
  if (std::is_sorted(mesh.deviceIds_.begin(), mesh.deviceIds_.end()))
    mesh.deviceIds_.clear();
  return mesh;
}

std::optional<int> Mesh::axisNamed(std::string_view name) const {
  for (size_t i = 0; i < axes_.size(); ++i)
    if (axes_[i].name == name)
      return static_cast<int>(i);
  return std::nullopt;
}

int64_t Mesh::strideOf(int axis) const {
  int64_t stride = 1;
  for (size_t i = axis + 1; i < axes_.size(); ++i)
    stride *= axes_[i].size;
  return stride;
}

int64_t Mesh::positionOf(int64_t device) const {
  if (deviceIds_.empty())
    return device;
  return std::find(deviceIds_.begin(), deviceIds_.end(), device) - deviceIds_.begin();
}

std::string Mesh::str() const {
  std::string axes = absl::StrJoin(axes_, ", ", [](std::string *out, const MeshAxis &axis) {
    absl::StrAppend(out, quoted(axis.name), "=", axis.size);
  });
  if (deviceIds_.empty())
    return absl::StrCat("<[", axes, "]>");
  return absl::StrCat("<[", axes, "], device_ids=[", absl::StrJoin(deviceIds_, ", "), "]>");
}

} // namespace spmd
