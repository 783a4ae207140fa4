// Rules of ops as the graph has them.
#pragma once

#include "spmd/ir/graph/ShardGraph.h"

#include "llvm/ADT/DenseMap.h"

#include <memory>

namespace spmd {

/// Remembers where in a graph the rules of a StrategyCache are. A rule whose operands fall into
/// several parts that have no factor in common is one rule of the graph for each of them.
class KnownRules {
public:
  explicit KnownRules(ShardGraph &graph) : graph(graph) {}

  struct Part {
    int32_t rule, numOperands, numResults; ///< The rule by its index in the graph.
  };

  /// A rule's index in the graph; if it has several parts, these instead.
  struct Entry {
    int32_t index = ShardGraph::none;
    std::vector<Part> parts;
    std::vector<int32_t> tensors; ///< Operands and results of the parts, one after the other.
  };

  /// A rule is told by where it lies, so it must outlive this.
  const Entry &of(const OpRule &rule);

private:
  ShardGraph &graph;
  llvm::DenseMap<const OpRule *, std::unique_ptr<Entry>> known;
};

} // namespace spmd
