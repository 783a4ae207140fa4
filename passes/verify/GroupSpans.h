// The axes of a mesh that the groups of a collective join.
#pragma once

#include "spmd/ir/sharding/Mesh.h"
#include "spmd/passes/verify/PerDevice.h"

namespace spmd {

/// A set of axes of a mesh: bit i is axis i.
using AxisSet = uint64_t;

/// What the groups of a collective join.
struct GroupSpan {
  AxisSet some = 0;  ///< Axes along which devices of a group lie apart.
  AxisSet whole = 0; ///< Those of them of which each group holds whole lines.
  /// Whether each device is sent something, for a permute.
  bool reachesAll = true;
};

/// Works out what groups span on one mesh, each table of groups once. Linear in devices and axes.
class GroupSpans {
public:
  /// The most axes and devices that a mesh may have.
  static constexpr int maxAxes = 64;
  static constexpr int64_t maxDevices = 1 << 16;

  explicit GroupSpans(const Mesh &mesh);

  /// Returns what the groups of `op` span; null if it has none, or none that can be right, which
  /// others report. The devices of a permute that hand on to each other, one after another, are one
  /// group.
  const GroupSpan *of(mlir::Operation *op);

  /// Returns the axes along which `number` differs between devices.
  AxisSet axesOf(const PerDevice &number) const;

private:
  std::optional<GroupSpan> spanOf(mlir::Operation *op);
  AxisSet wholeLines(llvm::ArrayRef<int64_t> groupOf) const;
  /// The device that stands first on the line of `device` along `axis`.
  int64_t firstOnLine(int64_t device, int axis) const;

  const Mesh &mesh;
  std::vector<int64_t> positions; ///< By device.
  llvm::DenseMap<mlir::Attribute, std::optional<GroupSpan>> known;
};

} // namespace spmd
