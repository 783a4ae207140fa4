#include "spmd/passes/reshard/OpKinds.h"

#include "spmd/dialect/partitioning/AssumedRule.h"
#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/ir/rules/Parts.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

//===- What ops are --------------------------------------------------------===//

static bool isTensor(mlir::Value value) { return tensorTypeOf(value) != nullptr; }
static bool isBuffer(mlir::Value value) { return llvm::isa<BufferType>(value.getType()); }

/// Returns whether `op` can make its result in any layout. A reshape of a scalar cannot: dims of
/// one element have no factor there.
static bool splitsAnyDim(Partitionable op) {
  if (op->getNumOperands() == 0)
    return true;
  mlir::RankedTensorType type = tensorTypeOf(op->getResult(0));
  if (type.hasStaticShape() && type.getNumElements() == 1)
    return false; // It has no other layouts to be made in, but may be a share of a sum.
  Strategies strategies = op.getStrategies();
  return llvm::any_of(strategies, [](const Strategy &strategy) {
    return llvm::all_of(strategy.rule.results[0], [&](const DimFactors &dim) {
      return !dim.empty() && llvm::all_of(dim, [&](int32_t factor) {
        return strategy.rule.factors[factor].kind == FactorKind::pass;
      });
    });
  });
}

static bool isFreeOp(mlir::Operation *op) {
  auto isScalar = [](mlir::Value operand) {
    mlir::RankedTensorType type = tensorTypeOf(operand);
    return type && type.getRank() == 0;
  };
  auto partitionable = llvm::dyn_cast<Partitionable>(op);
  return partitionable && !partitionable.isPlacement() && op->getNumResults() == 1 &&
         op->getNumRegions() == 0 && llvm::all_of(op->getOperands(), isScalar) &&
         mlir::isPure(op) && splitsAnyDim(partitionable);
}

/// How an op is treated that is neither a call nor part of the data flow.
static Treatment treatmentOf(mlir::Operation *op, bool hasRule) {
  auto anyOf = [&](auto is) {
    return llvm::any_of(op->getOperands(), is) || llvm::any_of(op->getResults(), is);
  };
  if (!anyOf(isTensor))
    return Treatment::nothing;
  if (anyOf(isBuffer))
    return Treatment::buffer;
  return hasRule && llvm::all_of(op->getOperands(), isTensor) &&
                 llvm::all_of(op->getResults(), isTensor)
             ? Treatment::byRule
             : Treatment::withoutRule;
}

//===- Remembering ---------------------------------------------------------===//

OpKind &OpKinds::add(Treatment treatment) {
  OpKind &kind = kinds.emplace_back();
  kind.number = static_cast<int32_t>(kinds.size()) - 1;
  kind.treatment = treatment;
  kind.isPlacement = treatment == Treatment::placement;
  kind.isDataFlow = treatment == Treatment::dataFlow;
  return kind;
}

const OpKinds::NameKind &OpKinds::ofName(mlir::Operation *op) {
  auto [entry, isNew] = byName.try_emplace(op->getName().getAsOpaquePointer());
  NameKind &name = entry->second;
  if (!isNew)
    return name;
  auto partitionable = llvm::dyn_cast<Partitionable>(op);
  name.isPartitionable = static_cast<bool>(partitionable);
  if (llvm::isa<mlir::CallOpInterface>(op))
    name.treatment = Treatment::call;
  else if (llvm::isa<DataFlow>(op))
    name.treatment = Treatment::dataFlow;
  else if (op->hasTrait<mlir::OpTrait::IsTerminator>())
    name.treatment = Treatment::terminator;
  else if (partitionable && partitionable.isPlacement())
    name.treatment = Treatment::placement;
  if (name.treatment == Treatment::placement || name.treatment == Treatment::terminator ||
      (name.treatment == Treatment::dataFlow && !partitionable))
    name.kind = &add(name.treatment);
  return name;
}

const OpKind *OpKinds::withoutStrategies(Treatment treatment, bool isFree) {
  const OpKind *&known = others[{treatment, isFree}];
  if (!known) {
    OpKind &kind = add(treatment);
    kind.isFree = isFree;
    known = &kind;
  }
  return known;
}

const OpKind *OpKinds::ofStrategies(mlir::Operation *op, const NameKind &name,
                                    const Strategies *strategies) {
  Treatment treatment = name.treatment == Treatment::nothing
                            ? treatmentOf(op, strategies != nullptr)
                            : name.treatment;
  if (!strategies)
    return withoutStrategies(treatment, isFreeOp(op));
  OpKind &kind = add(treatment);
  kind.isFree = isFreeOp(op);
  kind.strategies = strategies;
  kind.isAssumed = op->hasAttr(assumedRuleAttrName); // It shares its strategies with no other op.
  kind.lacksAttribute = unknownCondition(op).has_value();
  return &kind;
}

const OpKind &OpKinds::of(mlir::Operation *op) {
  const NameKind &name = ofName(op);
  if (name.kind)
    return *name.kind;
  const Strategies *strategies = cache.lookup(op);
  if (!strategies)
    return *ofStrategies(op, name, nullptr);
  const OpKind *&known = byStrategies[strategies];
  if (!known)
    known = ofStrategies(op, name, strategies);
  return *known;
}

} // namespace spmd
