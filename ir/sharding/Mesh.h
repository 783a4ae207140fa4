// A mesh: the devices of a program, arranged in a grid with named axes.
//
//     <["x"=2, "y"=4]>            8 devices; device 5 stands at x=1, y=1
//     <["x"=2], device_ids=[1, 0]>    device 1 stands at x=0
//     <[], device_ids=[3]>        a maximal mesh: one device, which holds everything
//     <[]>                        the empty mesh: a placeholder for any mesh
//
// Two numbers name a device, and are never mixed. Its *id* is what the runtime calls it. Its
// *position* is where it stands in the grid, counted with the last axis running fastest.
#pragma once

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spmd {

/// One axis of a mesh: its name and the number of devices along it.
struct MeshAxis {
  std::string name;
  int64_t size;

  friend bool operator==(const MeshAxis &a, const MeshAxis &b) {
    return a.name == b.name && a.size == b.size;
  }
};

/// Returns `name` in quotes as MLIR writes it: a quote, a backslash and what cannot be printed are
/// escaped.
std::string quoted(std::string_view name);

class Mesh {
public:
  /// The empty mesh.
  Mesh() = default;

  /// Returns the mesh with these axes, major first, and device `deviceIds[p]` at position p; no ids
  /// mean that device p stands at position p.
  ///
  /// InvalidArgument if an axis name is empty or repeated, a size is not positive, the number of
  /// devices passes 2^31, or the ids are not a permutation of 0 .. numDevices-1. Without axes, one
  /// id makes a maximal mesh.
  static absl::StatusOr<Mesh> create(std::vector<MeshAxis> axes,
                                     std::vector<int64_t> deviceIds = {});

  absl::Span<const MeshAxis> axes() const { return axes_; }
  int64_t numDevices() const { return numDevices_; }

  /// One device, no axes.
  bool isMaximal() const { return axes_.empty() && !deviceIds_.empty(); }
  /// No axes and no device: stands for any mesh.
  bool isEmpty() const { return axes_.empty() && deviceIds_.empty(); }
  /// Device p stands at position p, for all p.
  bool isIota() const { return deviceIds_.empty(); }

  /// The ids by position; empty if the mesh is iota.
  absl::Span<const int64_t> deviceIds() const { return deviceIds_; }

  /// Returns the index of the axis called `name`, or nothing.
  std::optional<int> axisNamed(std::string_view name) const;

  /// Returns how many positions apart two neighbours along `axis` stand.
  int64_t strideOf(int axis) const;

  int64_t deviceAt(int64_t position) const {
    return deviceIds_.empty() ? position : deviceIds_[position];
  }
  /// Returns where `device` stands. Linear in the number of devices unless the mesh is iota.
  int64_t positionOf(int64_t device) const;

  /// Returns the text form shown at the top of this file.
  std::string str() const;

  friend bool operator==(const Mesh &a, const Mesh &b) {
    return a.axes_ == b.axes_ && a.deviceIds_ == b.deviceIds_;
  }
  friend bool operator!=(const Mesh &a, const Mesh &b) { return !(a == b); }
  template <typename H> friend H AbslHashValue(H h, const Mesh &mesh) {
    for (const MeshAxis &axis : mesh.axes_)
      h = H::combine(std::move(h), axis.name, axis.size);
    return H::combine(std::move(h), mesh.deviceIds_);
  }

private:
  std::vector<MeshAxis> axes_;
  std::vector<int64_t> deviceIds_; // By position; empty if iota.
  int64_t numDevices_ = 1;
};

} // namespace spmd
