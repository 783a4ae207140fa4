#include "spmd/dialect/partitioning/Partitionable.h"

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Dialect.h"

#include "spmd/dialect/partitioning/Partitionable.cpp.inc"

namespace spmd {

mlir::RankedTensorType tensorTypeOf(mlir::Type type) {
  auto buffer = llvm::dyn_cast<BufferType>(type);
  return buffer ? buffer.getTensor() : llvm::dyn_cast<mlir::RankedTensorType>(type);
}

mlir::Type withTensorType(mlir::Type type, mlir::RankedTensorType tensor) {
  return llvm::isa<BufferType>(type) ? mlir::Type(BufferType::get(tensor)) : tensor;
}

static unsigned hashOf(mlir::Operation *op) {
  llvm::hash_code hash = llvm::hash_combine(op->getName(), op->hashProperties());
  for (mlir::Type type : op->getOperandTypes())
    hash = llvm::hash_combine(hash, type);
  for (mlir::Type type : op->getResultTypes())
    hash = llvm::hash_combine(hash, type);
  return static_cast<unsigned>(static_cast<size_t>(hash)) &
         0x7fffffff; // DenseMap reserves two keys.
}

static bool isAlike(mlir::Operation *a, mlir::Operation *b) {
  return a->getName() == b->getName() && a->getOperandTypes() == b->getOperandTypes() &&
         a->getResultTypes() == b->getResultTypes() &&
         a->getName().compareOpProperties(a->getPropertiesStorage(), b->getPropertiesStorage());
}

/// Whether the factors of `rule` multiply to the sizes of the tensors of `op`.
static bool fits(const OpRule &rule, mlir::Operation *op) {
  auto shapesOf = [](mlir::ValueRange values) {
    std::vector<std::vector<int64_t>> shapes;
    for (mlir::Value value : values)
      shapes.push_back(shapeOf(value).vec());
    return shapes;
  };
  return verify(rule, shapesOf(op->getOperands()), shapesOf(op->getResults())).ok();
}

/// Returns `rule` with those factors whole that only operands or only results have: how an op that
/// nobody knows gathers or creates such a dim is not known either. Nor is what it reads of its
/// neighbours.
static OpRule withUnknownFactorsWhole(OpRule rule) {
  std::vector<bool> isTaken(rule.numFactors()), isGiven(rule.numFactors());
  auto mark = [](const std::vector<TensorFactors> &tensors, std::vector<bool> &seen) {
    for (const TensorFactors &tensor : tensors)
      for (const DimFactors &dim : tensor)
        for (int32_t factor : dim)
          seen[factor] = true;
  };
  mark(rule.operands, isTaken);
  mark(rule.results, isGiven);
  for (int64_t i = 0; i < rule.numFactors(); ++i)
    if (rule.factors[i].kind == FactorKind::window ||
        (rule.factors[i].kind == FactorKind::pass && isTaken[i] != isGiven[i]))
      rule.factors[i].kind = FactorKind::whole;
  return rule;
}

/// Returns what `op` itself says, without memory.
static std::unique_ptr<Strategies> computeStrategies(mlir::Operation *op) {
  auto isDynamic = [](mlir::Type type) {
    mlir::RankedTensorType tensor = tensorTypeOf(type);
    return tensor && !tensor.hasStaticShape();
  };
  if (llvm::any_of(op->getOperandTypes(), isDynamic) ||
      llvm::any_of(op->getResultTypes(), isDynamic))
    return nullptr; // Factors have sizes.
  if (auto partitionable = llvm::dyn_cast<Partitionable>(op)) {
    Strategies strategies = partitionable.getStrategies();
    keepQuantizedWhole(op, strategies);
    if (!strategies.empty())
      return std::make_unique<Strategies>(std::move(strategies));
  }
  // What the user says stands for ops that nobody else knows; of others we know more than a rule
  // can say.
  if (auto rule = op->getAttrOfType<sdy::OpShardingRuleAttr>("sdy.sharding_rule");
      rule && fits(rule.getRule(), op))
    return std::make_unique<Strategies>(
        1, Strategy{withUnknownFactorsWhole(rule.getRule()), {}, {}, 0});
  return nullptr;
}

const Strategies *StrategyCache::lookup(mlir::Operation *op) {
  // Bodies of regions and attributes of the user are not part of the key.
  bool isKeyed = op->getNumRegions() == 0 && !op->hasAttr("sdy.sharding_rule");
  llvm::SmallVector<unsigned, 1> *bucket = nullptr;
  if (isKeyed) {
    bucket = &byHash[hashOf(op)];
    for (unsigned index : *bucket)
      if (isAlike(entries[index].representative, op))
        return entries[index].strategies.get();
    bucket->push_back(entries.size());
  }
  entries.push_back({op, computeStrategies(op)});
  return entries.back().strategies.get();
}

} // namespace spmd
