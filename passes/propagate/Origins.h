// Where axes come from, as attributes in Shardy's debug notation.
//
//     %0 = stablehlo.add .. {sdy.sharding = .., sdy.sharding_origins = [{x = "input: 0"}]}
//     %1 = sdy.sharding_constraint .. {sdy.sharding_origin_name = "constraint_0"}
#pragma once

#include "spmd/ir/explain/Trace.h"
#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

inline constexpr llvm::StringLiteral originsAttrName = "sdy.sharding_origins";

/// The origins of the axes of a program's values: "self", "input: 0" and "output: 0" of the
/// function, or the name that an op has got: "constraint_0", "mc_0_input: 1" at the border of a
/// manual computation, "op_0" where an op is annotated. Of another function with `@f ` before it.
class Origins {
public:
  /// Names the annotated ops of the program. `history` must outlive this.
  Origins(ProgramGraph &program, const History &history);

  /// Returns `{x = "input: 0"}` for the axes of a value; empty if it has none.
  mlir::DictionaryAttr of(int32_t value);

private:
  void nameOps();
  std::string nameOf(int32_t root, int32_t seenFrom) const;

  ProgramGraph &program;
  std::vector<bool> isFree;
  Past past;
  Tracer tracer;
  llvm::DenseMap<mlir::Operation *, std::string> names;
};

} // namespace spmd
