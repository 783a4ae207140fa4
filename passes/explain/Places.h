// How explanations call values, dims, axes and ops of the graph.
#pragma once

#include "spmd/dialect/spmd/SourceNames.h"
#include "spmd/ir/explain/Ties.h"
#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

class Places {
public:
  explicit Places(ProgramGraph &program) : program(program) {}

  /// Returns `%x` where the text is known to call the value so, else "argument 0 of @main",
  /// "result 0 of @main", "'stablehlo.add' op result 0".
  std::string nameOf(int32_t value) const;
  /// Returns `file:line:column`.
  std::string locationOf(int32_t value) const;
  /// Returns what messages call the value if its name is one of the text; else nothing.
  std::string descriptionOf(int32_t value) const;
  /// Returns the function that the value belongs to.
  mlir::func::FuncOp functionOf(int32_t value) const;

  /// Returns `'stablehlo.add'`, "the call of @f", "a sharding group".
  std::string nameOfOp(int32_t op) const;
  std::string locationOfOp(int32_t op) const;

  /// Returns `[{"x"}, {?}]`, or "none".
  std::string shardingText(int32_t sharding) const;
  /// Returns `[{"x"}p1, {?}]`, with the user priorities of a value's dims.
  std::string annotationText(int32_t value, int32_t sharding) const;
  /// Returns the same, with the line of the plan that says so, if one does.
  std::string originText(int32_t value, int32_t sharding) const;
  /// Returns `file:line:column` of the plan's entry that says how a value lies; empty if none does.
  std::string planPlaceOf(int32_t value) const;
  /// Returns `"x", "y"`, axes of the mesh that value `value` lies on.
  std::string axesText(int32_t value, absl::Span<const AxisRef> axes) const;

  const ProgramGraph::Tensor &tensorOf(int32_t value) const;
  /// Returns whether a result may take over the memory of `value`.
  bool isDonated(int32_t value) const;

  ProgramGraph &program;
  /// What a named computation said of an operand or a result.
  struct Border {
    std::string name;        ///< Of its first result.
    std::string description; ///< Of the operand or result.
    std::string attribute;   ///< `in_shardings` or `out_shardings`
    sdy::ShardingPerValueAttr shardings;
    unsigned index; ///< In these.
  };
  /// Constraints that nobody wrote: named computations became them.
  llvm::DenseMap<mlir::Operation *, Border> computations;
  SourceNames names; ///< For lines about what nobody kept the name of.

private:
  /// The op at whose border, or the buffer in which, a tensor lies that is no value.
  mlir::Operation *ownerOf(int32_t value) const;
};

/// Returns "1,234" and the unit: "1,234 bytes".
std::string bytesText(double bytes);

/// Returns microseconds, to three digits: "1,130 us", "0.139 us".
std::string timeText(double seconds);

} // namespace spmd
