// The values that attributes of `sdy` hold, and what MLIR needs to keep them unique.
#pragma once

#include "spmd/ir/rules/OpRule.h"
#include "spmd/ir/sharding/Spec.h"

#include "absl/hash/hash.h"
#include "llvm/ADT/Hashing.h"

namespace spmd::sdy {

/// One move of an all-to-all: `{"x"}: 0->2`.
struct AllToAllParam {
  std::vector<AxisSpec> axes;
  int64_t from = 0;
  int64_t to = 0;

  friend bool operator==(const AllToAllParam &a, const AllToAllParam &b) {
    return a.axes == b.axes && a.from == b.from && a.to == b.to;
  }
  template <typename H> friend H AbslHashValue(H h, const AllToAllParam &param) {
    return H::combine(std::move(h), param.axes, param.from, param.to);
  }
};

/// An operand or result of an op: `operand-1`.
struct ValueIndex {
  bool isResult = false;
  int64_t index = 0;

  friend bool operator==(const ValueIndex &a, const ValueIndex &b) {
    return a.isResult == b.isResult && a.index == b.index;
  }
  template <typename H> friend H AbslHashValue(H h, const ValueIndex &value) {
    return H::combine(std::move(h), value.isResult, value.index);
  }
};

/// An axis that values got from another: `"y" = operand-1 -> [operand-0, result-0]`.
struct AxisEdge {
  AxisSpec axis;
  ValueIndex source;
  std::vector<ValueIndex> targets;

  friend bool operator==(const AxisEdge &a, const AxisEdge &b) {
    return a.axis == b.axis && a.source == b.source && a.targets == b.targets;
  }
  template <typename H> friend H AbslHashValue(H h, const AxisEdge &edge) {
    return H::combine(std::move(h), edge.axis, edge.source, edge.targets);
  }
};

/// What one step of propagation did to an op: `step-2 = [..]`.
struct PropagationStep {
  int64_t number = 0;
  std::vector<AxisEdge> edges;

  friend bool operator==(const PropagationStep &a, const PropagationStep &b) {
    return a.number == b.number && a.edges == b.edges;
  }
  template <typename H> friend H AbslHashValue(H h, const PropagationStep &step) {
    return H::combine(std::move(h), step.number, step.edges);
  }
};

inline llvm::hash_code hash_value(const std::vector<AllToAllParam> &params) {
  return absl::HashOf(params);
}
inline llvm::hash_code hash_value(const std::vector<PropagationStep> &steps) {
  return absl::HashOf(steps);
}

} // namespace spmd::sdy

namespace spmd {

// MLIR hashes what an attribute holds by these; they are found by argument-dependent lookup.
inline llvm::hash_code hash_value(const Mesh &mesh) { return absl::HashOf(mesh); }
inline llvm::hash_code hash_value(const ShardingSpec &spec) { return absl::HashOf(spec); }
inline llvm::hash_code hash_value(const OpRule &rule) { return absl::HashOf(rule); }
inline llvm::hash_code hash_value(const std::vector<AxisSpec> &axes) { return absl::HashOf(axes); }
inline llvm::hash_code hash_value(const std::vector<std::vector<AxisSpec>> &lists) {
  return absl::HashOf(lists);
}

} // namespace spmd
