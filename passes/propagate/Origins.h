// Where axes come from, as attributes in Shardy's debug notation.
//
//     %0 = stablehlo.add .. {sdy.sharding = .., sdy.sharding_origins = [{x = "input: 0"}]}
//     %1 = sdy.sharding_constraint .. {sdy.sharding_origin_name = "constraint_0",
//     sdy.sharding_origins = {x = "self"}} %2 = stablehlo.while .. {sdy.result_sharding_origins =
//     [{x = "constraint_0"}, {}]}
#pragma once

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/ir/explain/Trace.h"
#include "spmd/passes/propagate/FlowTensors.h"

namespace spmd {

/// The origins of the axes of a program's values: "self", "input: 0" and "output: 0" of the
/// function, or the name that an op has got: "constraint_0", "mc_0_input: 1" at the border of a
/// manual computation, "op_0" where an op is annotated. Of another function with `@f ` before it.
class Origins {
public:
  /// Names the annotated ops of the program. `history` must outlive this.
  Origins(ProgramGraph &program, const History &history);

  /// Returns `{x = "input: 0"}` for the axes of a value; empty if it has none.
  mlir::DictionaryAttr of(int32_t value);

  /// Writes at `op` where the axes of `count` results come from, of which the first is value `v`.
  void write(mlir::Operation *op, int32_t v, size_t count);

  /// Writes at a data-flow op where the axes of its flows come from: of those that come out as
  /// results, and of those that only go in, as arguments of its regions.
  void writeFlows(DataFlow op, llvm::ArrayRef<int32_t> values);

private:
  void nameOps();
  std::string nameOf(int32_t root, int32_t seenFrom) const;

  ProgramGraph &program;
  std::vector<bool> isFree;
  Past past;
  Tracer tracer;
  FlowTensors flows;
  llvm::DenseMap<mlir::Operation *, std::string> names;
};

} // namespace spmd
