// The devices of each group of a collective as a ring.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

#include <optional>
#include <vector>

namespace spmd {

class Ring {
public:
  /// Returns the rings of the groups of `op`, a collective among devices; nothing if groups differ
  /// in size or name no devices.
  static std::optional<Ring> of(mlir::Operation *op, mlir::Attribute groups, int64_t numDevices);

  int64_t size() const { return static_cast<int64_t>(groups.front().size()); }
  /// Returns who sends to whom, if each sends to the device `distance` places behind it.
  mlir::DenseIntElementsAttr pairs(mlir::MLIRContext *context, int64_t distance) const;
  /// Returns the device's place in its group, a scalar i32.
  mlir::Value place(mlir::OpBuilder &builder, mlir::Location loc) const;

private:
  /// The distance of the ids of neighbours, if all groups are digits of the device's number.
  std::optional<int64_t> stride() const;

  std::vector<std::vector<int64_t>> groups;
  int64_t numDevices = 0;
};

} // namespace spmd
