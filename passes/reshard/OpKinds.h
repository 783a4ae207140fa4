// What ops alike have in common, found once: how the stage treats them, and whether they are free.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <map>

namespace spmd {

/// How the stage treats an op.
enum class Treatment : uint8_t {
  call,
  dataFlow,
  terminator,
  placement,
  nothing, ///< It has no tensors.
  buffer,  ///< It makes, reads or writes a buffer.
  byRule,
  withoutRule
};

struct OpKind {
  int32_t number = 0;
  Treatment treatment = Treatment::nothing;
  /// Made of nothing but scalars, so as well made anew. A move of a scalar is a move.
  bool isFree = false;
  bool isPlacement = false;
  bool isDataFlow = false;
  bool isAssumed = false;                 ///< Its rule is one that nobody gave.
  bool lacksAttribute = false;            ///< Its rule asks for an attribute that it has not.
  const Strategies *strategies = nullptr; ///< Null if there is no rule.
};

/// Finds the kinds of ops, remembering them by name and by strategies.
class OpKinds {
public:
  explicit OpKinds(StrategyCache &cache) : cache(cache) {}

  /// Returns the kind of `op`, which lives as long as this.
  const OpKind &of(mlir::Operation *op);

private:
  /// What the name of an op tells alone.
  struct NameKind {
    Treatment treatment = Treatment::nothing; ///< Nothing if the name does not tell.
    bool isPartitionable = false;
    const OpKind *kind = nullptr; ///< If the name tells all.
  };

  const NameKind &ofName(mlir::Operation *op);
  const OpKind *ofStrategies(mlir::Operation *op, const NameKind &name,
                             const Strategies *strategies);
  const OpKind *withoutStrategies(Treatment treatment, bool isFree);
  OpKind &add(Treatment treatment);

  StrategyCache &cache;
  std::deque<OpKind> kinds;
  llvm::DenseMap<const void *, NameKind> byName;
  llvm::DenseMap<const Strategies *, const OpKind *> byStrategies;
  std::map<std::pair<Treatment, bool>, const OpKind *> others;
};

} // namespace spmd
