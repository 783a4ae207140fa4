// Which flow of which op a tensor of a program belongs to.
#pragma once

#include "spmd/passes/propagate/ProgramGraph.h"

#include <optional>

namespace spmd {

/// A flow of a data-flow op, by number.
struct FlowPlace {
  mlir::Operation *op;
  unsigned flow;
};

/// Finds flows by the values of the graph. Linear in the flows of a program's instances.
class FlowTensors {
public:
  explicit FlowTensors(const ProgramGraph &program);

  /// Returns the flow that value `v` is the tensor of, or, inside a manual computation, an argument
  /// of.
  std::optional<FlowPlace> flowOf(int32_t v) const;

private:
  llvm::DenseMap<int32_t, FlowPlace> flows;
};

} // namespace spmd
