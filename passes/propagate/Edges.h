// Which tensor of an op gave which axes to which others, as attributes in Shardy's debug notation.
//
//     %2 = stablehlo.add %0, %1 {sdy.propagation_edges = #sdy.propagation_edges<[
//            {step-2 = [{"x" = operand-0 -> [operand-1, result-0]}]}]>, ..}
//     %3 = stablehlo.while .. {sdy.result_propagation_edges = [#sdy.propagation_edges<[
//            {step-3 = [{"x" = operand-0 -> [operand-1, result-0]}]}]>, ..]}
#pragma once

#include "spmd/ir/explain/Past.h"
#include "spmd/passes/propagate/FlowTensors.h"

#include "llvm/ADT/MapVector.h"

#include <map>

namespace spmd {

/// The edges of a program's ops, read out of its history. Linear in the history.
///
/// A step is one op's; steps count from 1 over the whole program. Of what a data-flow op ties, the
/// operands are the places where a flow comes in (of the op, then of the terminators of its
/// regions), and its result is the tensor that comes out; so, too, of what a function returns.
class Edges {
public:
  /// `history` must outlive this only while it is built.
  Edges(const ProgramGraph &program, const History &history);

  /// Calls `visit` for each op that moved axes in an instance of its function, with the attributes
  /// that tell its edges by step.
  void visit(int32_t instance,
             llvm::function_ref<void(mlir::Operation *, mlir::NamedAttribute)> visit) const;

  /// Returns the edges between what an instance's function returns as result `result` and that
  /// result; null if nothing went either way.
  sdy::PropagationEdgesAttr ofResult(int32_t instance, unsigned result) const;

private:
  using Steps = std::vector<sdy::PropagationStep>;
  /// By flow, of a data-flow op; by result, of a terminator of a function; else all at 0.
  using OwnSteps = std::map<unsigned, Steps>;

  void addStep(const Past &past, const FlowTensors &flows, int32_t first, int32_t last);

  const ProgramGraph &program;
  /// By instance, and by op in the order of first steps.
  std::map<int32_t, llvm::MapVector<mlir::Operation *, OwnSteps>> steps;
};

} // namespace spmd
