// Which tensor of an op gave which axes to which others, as attributes in Shardy's debug notation.
//
//     %2 = stablehlo.add %0, %1 {sdy.propagation_edges = #sdy.propagation_edges<[
//            {step-2 = [{"x" = operand-0 -> [operand-1, result-0]}]}]>, ..}
#pragma once

#include "spmd/ir/explain/Past.h"
#include "spmd/passes/propagate/ProgramGraph.h"

#include "llvm/ADT/MapVector.h"

#include <map>

namespace spmd {

/// The edges of a program's ops, read out of its history. Linear in the history.
class Edges {
public:
  /// `history` must outlive this only while it is built.
  Edges(const ProgramGraph &program, const History &history);

  /// Calls `visit` for each op that moved axes in an instance of its function, with its edges by
  /// step. A step is one op's; steps count from 1 over the whole program. Values that are neither
  /// operands nor results of the op are named by their place among the tensors that it ties.
  void visit(int32_t instance,
             llvm::function_ref<void(mlir::Operation *, sdy::PropagationEdgesAttr)> visit) const;

private:
  void addStep(const Past &past, int32_t first, int32_t last);

  const ProgramGraph &program;
  /// By instance, and by op in the order of first steps.
  std::map<int32_t, llvm::MapVector<mlir::Operation *, std::vector<sdy::PropagationStep>>> steps;
};

} // namespace spmd
