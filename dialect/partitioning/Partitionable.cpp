#include "spmd/dialect/partitioning/Partitionable.h"

#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Dialect.h"

#include "spmd/ir/rules/Restrict.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include "spmd/dialect/partitioning/Partitionable.cpp.inc"

namespace spmd {

mlir::RankedTensorType tensorTypeOf(mlir::Type type) {
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type))
    return tensor; // As mostly.
  auto buffer = llvm::dyn_cast<BufferType>(type);
  return buffer ? buffer.getTensor() : nullptr;
}

mlir::Type withTensorType(mlir::Type type, mlir::RankedTensorType tensor) {
  return llvm::isa<BufferType>(type) ? mlir::Type(BufferType::get(tensor)) : tensor;
}

bool makesConstants(mlir::Operation *op, llvm::function_ref<bool(mlir::Value)> isConstant) {
  if (auto partitionable = llvm::dyn_cast<Partitionable>(op);
      partitionable && partitionable.isFree())
    return true;
  auto isScalar = [](mlir::Value value) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    return type && type.getRank() == 0;
  };
  return op->getNumOperands() > 0 && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(),
                      [&](mlir::Value each) { return isScalar(each) || isConstant(each); }) &&
         mlir::isPure(op); // Not custom calls or collectives, which are dear to do again.
}

bool placesValue(mlir::Operation *op) {
  auto partitionable = llvm::dyn_cast<Partitionable>(op);
  return partitionable && partitionable.isPlacement() && op->getNumOperands() == 1 &&
         op->getNumResults() == 1;
}

mlir::Value computedValue(mlir::Value value) {
  while (mlir::Operation *op = value.getDefiningOp()) {
    if (!placesValue(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Bodies of more ops than this are not looked into.
constexpr size_t maxBodyOps = 8;

/// Whether `op` has no regions but short ones of one block, such as the body of a reduction.
static bool hasShortBodies(mlir::Operation *op) {
  return llvm::all_of(op->getRegions(), [](mlir::Region &region) {
    return region.hasOneBlock() && llvm::hasNItemsOrLess(region.front(), maxBodyOps);
  });
}

/// What says where its operand should lie splits as its types say, wherever that is. Of a barrier
/// an attribute says what passes.
static bool isPlacement(mlir::Operation *op) {
  if (!llvm::isa_and_present<sdy::SdyDialect>(op->getDialect()) ||
      llvm::isa<sdy::PropagationBarrierOp>(op))
    return false;
  auto partitionable = llvm::dyn_cast<Partitionable>(op);
  return partitionable && partitionable.isPlacement();
}

/// Mixes words well enough for a table, in a few instructions each.
class WordHash {
public:
  void add(uint64_t word) {
    state = (state ^ word) * 0x9E3779B97F4A7C15;
    state ^= state >> 32;
  }
  template <typename T> void addPointer(T value) {
    add(reinterpret_cast<uintptr_t>(value.getAsOpaquePointer()));
  }
  uint64_t get() const { return state; }

private:
  uint64_t state = 0;
};

static unsigned hashOf(mlir::Operation *op, bool isPlacement, mlir::Attribute config) {
  WordHash hash;
  hash.addPointer(op->getName());
  if (!isPlacement)
    hash.add(static_cast<size_t>(op->hashProperties()));
  if (config)
    hash.addPointer(config);
  for (mlir::Region &region : op->getRegions())
    for (mlir::Operation &inner : region.front())
      hash.addPointer(inner.getName());
  for (mlir::OpOperand &operand : op->getOpOperands())
    hash.addPointer(operand.get().getType());
  for (mlir::Value result : op->getResults())
    hash.addPointer(result.getType());
  return static_cast<unsigned>(hash.get()) & 0x7fffffff; // DenseMap reserves two keys.
}

static bool haveBodiesAlike(mlir::Operation *a, mlir::Operation *b) {
  using mlir::OperationEquivalence;
  if (a->getNumRegions() != b->getNumRegions())
    return false;
  if (a->getNumRegions() == 0)
    return true;
  for (auto [inA, inB] : llvm::zip(a->getRegions(), b->getRegions()))
    if (!OperationEquivalence::isRegionEquivalentTo(
            &inA, &inB,
            OperationEquivalence::IgnoreLocations | OperationEquivalence::IgnoreDiscardableAttrs))
      return false;
  return true;
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

/// Returns what `op` itself says, without memory.
static std::unique_ptr<Strategies> computeStrategies(mlir::Operation *op) {
  auto isDynamic = [](mlir::Type type) {
    mlir::RankedTensorType tensor = tensorTypeOf(type);
    return tensor && !tensor.hasStaticShape();
  };
  if (llvm::any_of(op->getOperandTypes(), isDynamic) ||
      llvm::any_of(op->getResultTypes(), isDynamic))
    return nullptr; // Factors have sizes.
  auto rule = op->getAttrOfType<sdy::OpShardingRuleAttr>("sdy.sharding_rule");
  if (rule && !fits(rule.getRule(), op))
    rule = nullptr;
  if (auto partitionable = llvm::dyn_cast<Partitionable>(op)) {
    Strategies strategies = partitionable.getStrategies();
    keepQuantizedWhole(op, strategies);
    if (rule && !customCallTarget(op)) // What is said otherwise of a call says more.
      for (Strategy &strategy : strategies)
        restrictTo(strategy.rule, rule.getRule());
    if (!strategies.empty())
      return std::make_unique<Strategies>(std::move(strategies));
  }
  // What the user says stands for ops that nobody else knows; of others we know more than a rule
  // can say, but for what it forbids. Calls and what carries values on split as what is inside.
  bool isFlow =
      llvm::isa<DataFlow, mlir::CallOpInterface>(op) || op->hasTrait<mlir::OpTrait::IsTerminator>();
  return rule && !isFlow ? std::make_unique<Strategies>(1, strategyOfRule(rule.getRule()))
                         : nullptr;
}

/// Ops that came to be of the same hash; one that a pass changed meanwhile is like no other.
constexpr size_t maxInBucket = 16;

const StrategyCache::Told &StrategyCache::toldBy(mlir::DictionaryAttr attributes) {
  if (attributes == lastAttributes) // Most ops have none.
    return lastTold;
  auto [known, isNew] = told.try_emplace(attributes);
  if (isNew)
    known->second = {attributes.contains("sdy.sharding_rule") ||
                         attributes.contains(customRuleAttrName),
                     attributes.get("mhlo.backend_config")};
  lastAttributes = attributes;
  return lastTold = known->second;
}

bool StrategyCache::isAlike(const Entry &entry, mlir::Operation *op, const Told &told) const {
  mlir::Operation *other = entry.representative;
  unsigned numOperands = op->getNumOperands(), numResults = op->getNumResults();
  if (other->getName() != op->getName() || other->getNumOperands() != numOperands ||
      entry.types.size() != numOperands + numResults)
    return false;
  const mlir::Type *type = entry.types.data(); // Where it was read last, unlike the other's.
  for (mlir::OpOperand &operand : op->getOpOperands())
    if (operand.get().getType() != *type++)
      return false;
  for (unsigned i = 0; i < numResults; ++i)
    if (op->getResult(i).getType() != *type++)
      return false;
  return entry.config == told.config &&
         (entry.isPlacement || op->getName().compareOpProperties(other->getPropertiesStorage(),
                                                                 op->getPropertiesStorage())) &&
         haveBodiesAlike(other, op);
}

int32_t StrategyCache::find(mlir::Operation *op, const Told &told) {
  // Long bodies and rules of the user are not part of the key.
  bool hasOwnRule = told.hasRule || (customCallTarget(op) && customRuleAttrOf(op));
  bool isShared = !hasOwnRule && hasShortBodies(op), isPlaced = isPlacement(op);
  auto add = [&]() -> int32_t {
    llvm::SmallVector<mlir::Type, 4> types(op->getOperandTypes());
    llvm::append_range(types, op->getResultTypes());
    entries.push_back(
        {op, std::move(types), computeStrategies(op), told.config, isPlaced, isShared});
    next.reserve(entries.size());
    return static_cast<int32_t>(entries.size()) - 1;
  };
  if (!isShared)
    return add();
  llvm::SmallVector<int32_t, 1> &bucket = byHash[hashOf(op, isPlaced, told.config)];
  for (int32_t entry : bucket)
    if (isAlike(entries[entry], op, told))
      return entry;
  int32_t entry = add();
  if (bucket.size() < maxInBucket)
    bucket.push_back(entry);
  return entry;
}

const Strategies *StrategyCache::lookup(mlir::Operation *op) {
  const Told &told = toldBy(op->getRawDictionaryAttrs());
  int32_t entry = next.guess();
  if (entry == NextNumber::none || !entries[entry].isShared || told.hasRule ||
      !isAlike(entries[entry], op, told))
    entry = find(op, told);
  next.came(entry);
  return entries[entry].strategies.get();
}

bool isElementwise(mlir::Operation *op, StrategyCache &strategies) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 || !mlir::isMemoryEffectFree(op))
    return false;
  // What somebody else says of an op is true of tensors of these ranks and dims, and of no others.
  if (customCallTarget(op) || op->hasAttr(sdy::shardingRuleName))
    return false;
  const Strategies *known = strategies.lookup(op);
  if (!known)
    return false;
  const OpRule &rule = known->front().rule;
  const TensorFactors &result = rule.results.front();
  bool passes = llvm::all_of(result, [&](const DimFactors &dim) {
    return dim.size() == 1 && rule.factors[dim.front()].kind == FactorKind::pass;
  });
  return passes &&
         llvm::all_of(rule.operands, [&](const TensorFactors &each) { return each == result; });
}

void eraseUnused(mlir::Operation *op) {
  llvm::SmallSetVector<mlir::Operation *, 8> unused;
  for (unused.insert(op); !unused.empty();) {
    mlir::Operation *next = unused.pop_back_val();
    if (!mlir::isOpTriviallyDead(next))
      continue;
    for (mlir::Value operand : next->getOperands())
      if (mlir::Operation *before = operand.getDefiningOp())
        unused.insert(before);
    next->erase();
  }
}

} // namespace spmd
