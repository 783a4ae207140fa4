// The op interface by which the compiler learns how an op splits, and what serves it.
#pragma once

#include "spmd/ir/rules/NextNumber.h"
#include "spmd/ir/rules/Projection.h"
#include "spmd/ir/rules/Strategy.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <vector>

namespace spmd {
class Localizer;
/// The default of Partitionable::localize: only types change.
void setResultTypes(Localizer &localizer);
} // namespace spmd

#include "spmd/dialect/partitioning/Partitionable.h.inc"

namespace spmd {

/// Attaches the models of all families to the ops of `registry`'s dialects.
void registerPartitioning(mlir::DialectRegistry &registry);

/// The tensor type behind a value: its own, or that of the buffer it is; null if it has none.
mlir::RankedTensorType tensorTypeOf(mlir::Type type);
inline mlir::RankedTensorType tensorTypeOf(mlir::Value value) {
  return tensorTypeOf(value.getType());
}

/// Whether the tensor type behind `type` has scales for each place along a dim. Such a tensor is
/// not split.
bool isQuantizedAlongDim(mlir::Type type);

/// Returns `type`, which has a tensor type behind it, with `tensor` in its place.
mlir::Type withTensorType(mlir::Type type, mlir::RankedTensorType tensor);

/// Whether what `op` makes costs nothing wherever it is needed: it is made of nothing, or without
/// effects of scalars and of values of which `isConstant` says so.
bool makesConstants(mlir::Operation *op, llvm::function_ref<bool(mlir::Value)> isConstant);

/// Whether `op` computes nothing: it says how its one operand, which is its result, too, lies.
bool placesValue(mlir::Operation *op);

/// Returns what `value` is where it is computed, in front of such ops.
mlir::Value computedValue(mlir::Value value);

/// Returns the strategies of ops, remembering them by name, types, attributes and short bodies. A
/// program has few distinct ops, and repeats itself: the op that came at such a place before is
/// compared first, and mostly nothing is hashed.
class StrategyCache {
public:
  /// Returns the strategies of `op`, or null if it has no rule. A `sdy.sharding_rule` is the rule
  /// of ops that no family knows; of others it takes from theirs what it forbids, if a user wrote
  /// it
  /// (`custom`). The result lives as long as the cache.
  const Strategies *lookup(mlir::Operation *op);

private:
  /// What stands beside the own attributes of an op.
  struct Told {
    bool hasRule = false;
    mlir::Attribute
        config; ///< Of a call of a library: a triangular solve splits as its `side` says.
  };
  struct Entry {
    mlir::Operation *representative;
    llvm::SmallVector<mlir::Type, 4> types; ///< Of its operands and results.
    std::unique_ptr<Strategies> strategies;
    mlir::Attribute config;
    bool isPlacement = false;
    bool isShared = false; ///< By all ops that are like the representative.
  };

  const Told &toldBy(mlir::DictionaryAttr attributes);
  bool isAlike(const Entry &entry, mlir::Operation *op, const Told &told) const;
  /// Returns the number of the entry of `op`, which is added if none is like it.
  int32_t find(mlir::Operation *op, const Told &told);

  llvm::DenseMap<unsigned, llvm::SmallVector<int32_t, 1>> byHash;
  std::vector<Entry> entries;
  NextNumber next; ///< Entry.
  llvm::DenseMap<mlir::Attribute, Told> told;
  mlir::DictionaryAttr lastAttributes; ///< What `told` was asked for last.
  Told lastTold;
};

/// Whether `op` makes one tensor, each element of which comes from those at its place in all
/// operands, by the op's rule: it may run on tensors of other shapes, too. False for custom calls
/// and ops with a rule of the user's.
bool isElementwise(mlir::Operation *op, StrategyCache &strategies);

/// Erases `op` if nothing needs it, and what was there for it alone.
void eraseUnused(mlir::Operation *op);

} // namespace spmd
