// A plan: the steps that take a tensor from one sharding to another, and what they cost.
//
//     mesh <["x"=2, "y"=4]>, 16x12 elements of 4 bytes, [{"x"}, {}] -> [{}, {"x"}]
//
//         all_to_all dim 1 to 0 over {"x"} 8x12 -> 16x6
//
// Each device sends half of its 8x12 block: 192 bytes. Read `Step.h` for what the steps mean.
#pragma once

#include "spmd/ir/reshard/Step.h"

namespace spmd {

/// What a reshard takes: latency * collectives + bytes sent per device / bandwidth.
struct CostModel {
  /// In seconds, per collective.
  double latency = 8e-9;
  /// In bytes per second, out of one device. The defaults make one collective worth 8 bytes on the
  /// wire, so that bytes decide except for the smallest tensors.
  double bandwidth = 1e9;
};

/// A straight-line program over blocks; see `Step.h`. Holds copies of the meshes it speaks of.
class Plan {
public:
  Plan(Mesh from, Mesh to, Shape inputShape, int64_t elementBytes)
      : from_(std::move(from)), to_(std::move(to)), inputShape_(std::move(inputShape)),
        elementBytes_(elementBytes) {}

  absl::Span<const Step> steps() const { return steps_; }
  bool empty() const { return steps_.empty(); }
  /// The mesh that a MeshSide stands for.
  const Mesh &mesh(MeshSide side) const { return side == MeshSide::from ? from_ : to_; }
  /// Shape of register 0, and of the register with the result, which is always the last.
  const Shape &inputShape() const { return inputShape_; }
  const Shape &outputShape() const {
    return steps_.empty() ? inputShape_ : steps_.back().outputShape;
  }
  const Shape &shapeOf(int reg) const {
    return reg == 0 ? inputShape_ : steps_[reg - 1].outputShape;
  }
  int64_t elementBytes() const { return elementBytes_; }

  /// Returns the seconds it takes.
  double cost(const CostModel &model = {}) const;
  int64_t numCollectives() const;
  /// Returns the most bytes that one device sends.
  int64_t wireBytes() const;
  /// Returns the most bytes of blocks that are alive on one device while a step runs, its operands
  /// and its result included. A reshape takes no room, and an update writes in place.
  int64_t peakBytes() const;

  /// Returns the (source, target) pairs of a permute, as device ids. Linear in the number of
  /// devices.
  std::vector<std::pair<int64_t, int64_t>> pairs(const Step &permute) const {
    return permute.exchange->pairs(from_, to_);
  }

  /// Returns one line a step, `%1 = all_gather %0 dim 0 over {"x"} 4x3 -> 8x3`; empty for no steps.
  std::string str() const;

private:
  friend class PlanBuilder;

  Mesh from_, to_;
  Shape inputShape_;
  int64_t elementBytes_;
  std::vector<Step> steps_;
};

} // namespace spmd
