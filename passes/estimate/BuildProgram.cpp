#include "spmd/passes/estimate/BuildProgram.h"

#include "spmd/dialect/groups/Groups.h"
#include "spmd/dialect/partitioning/MemoryUse.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/NumPartitions.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/cost/Collectives.h"
#include "spmd/ir/cost/Roofline.h"

#include "llvm/ADT/SetVector.h"

#include <numeric>

namespace spmd {

using namespace stablehlo;

namespace {

/// Returns what data sheets call elements of this type: formats of the same narrow width are one.
std::string elementNameOf(mlir::Type type) {
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type))
    type = complex.getElementType();
  if (type.isBF16())
    return "bf16";
  int32_t bits = spmd::elementBits(type);
  if (llvm::isa<mlir::FloatType>(type))
    return "f" + std::to_string(bits <= 4 ? 4 : bits <= 8 ? 8 : bits);
  return "i" + std::to_string(bits <= 4    ? 4
                              : bits <= 8  ? 8
                              : bits <= 16 ? 16
                              : bits <= 32 ? 32
                                           : 64);
}

/// Prices collectives by their groups. Programs have few distinct groups.
class GroupPrices {
public:
  GroupPrices(mlir::ModuleOp module, const DeviceProfile &profile)
      : numDevices(numDevicesIn(module)), model(profile) {}

  mlir::FailureOr<CollectiveCost> costOf(const FoundCollective &each) {
    std::optional<CollectiveKind> kind = collectiveKindOf(each.kind);
    if (!kind)
      return CollectiveCost();
    if (auto permute = llvm::dyn_cast<CollectivePermuteOp>(each.op)) {
      auto pairs = llvm::to_vector(permute.getSourceTargetPairs().getValues<int64_t>());
      return model.costOfPermute(each.operandBytes, {pairs.data(), pairs.size()});
    }
    const std::vector<TierSpan> *spans = spansOf(each.op);
    if (!spans)
      return mlir::failure();
    CollectiveCost worst;
    bool gathers = *kind == CollectiveKind::allGather;
    for (const TierSpan &span : *spans)
      if (CollectiveCost cost =
              model.costOf(*kind, gathers ? each.resultBytes : each.operandBytes, span);
          cost.time > worst.time)
        worst = cost;
    return worst;
  }

private:
  /// Returns the groups of `op`; null for all devices together. A ragged exchange is a custom call,
  /// whose configuration has them.
  static mlir::Attribute groupsOf(mlir::Operation *op) {
    auto call = llvm::dyn_cast<CustomCallOp>(op);
    auto config = llvm::dyn_cast_if_present<mlir::DictionaryAttr>(call ? call.getBackendConfigAttr()
                                                                       : mlir::Attribute());
    return config ? config.get("replica_groups") : op->getAttr("replica_groups");
  }

  /// Returns the distinct spans of the groups of `op`; null after a diagnostic.
  const std::vector<TierSpan> *spansOf(mlir::Operation *op) {
    mlir::Attribute groups = groupsOf(op);
    auto [entry, isNew] = known.try_emplace(groups);
    if (!isNew)
      return &entry->second;
    std::vector<int64_t> all(groups ? 0 : numDevices);
    std::iota(all.begin(), all.end(), 0);
    mlir::FailureOr<std::vector<std::vector<int64_t>>> expanded =
        std::vector<std::vector<int64_t>>{std::move(all)};
    if (groups)
      expanded = expandGroups(op, groups, numDevices, /*mustCover=*/false);
    if (mlir::failed(expanded))
      return nullptr;
    for (const std::vector<int64_t> &group : *expanded) {
      TierSpan span = model.spanOf({group.data(), group.size()});
      if (!llvm::is_contained(entry->second, span))
        entry->second.push_back(std::move(span));
    }
    return &entry->second;
  }

  int64_t numDevices;
  CollectiveModel model;
  llvm::DenseMap<mlir::Attribute, std::vector<TierSpan>> known;
};

class Builder {
public:
  Builder(mlir::ModuleOp module, llvm::ArrayRef<FoundCollective> collectives,
          const DeviceProfile &profile)
      : prices(module, profile), model(profile) {
    built.program.numCollectives = static_cast<int32_t>(collectives.size());
    for (const auto &[index, each] : llvm::enumerate(collectives))
      collectiveOf.try_emplace(each.op, &each, static_cast<int32_t>(index));
    built.tiers.resize(collectives.size(), -1);
  }

  mlir::FailureOr<BuiltProgram> run(mlir::func::FuncOp entry) {
    ReachedFunctions reached(entry);
    functions = &reached;
    for (mlir::func::FuncOp func : reached.calleesFirst())
      blockOf[func] = buildBlock(func.getBody().front());
    built.program.entry = blockOf[entry];
    if (hasFailed)
      return mlir::failure();
    return std::move(built);
  }

private:
  using Values = llvm::DenseMap<mlir::Value, int32_t>;

  /// A block under construction.
  struct Scope {
    CostBlock block;
    Values values;
  };

  /// Returns the number of a block of costs. Blocks inside it have smaller numbers.
  int32_t buildBlock(mlir::Block &from) {
    Scope scope;
    scope.block.ops.reserve(from.getOperations().size());
    for (mlir::Value argument : from.getArguments())
      scope.block.arguments.push_back(valueIn(scope, argument));
    for (mlir::Operation &op : from)
      if (op.hasTrait<mlir::OpTrait::IsTerminator>())
        for (mlir::Value result : op.getOperands())
          scope.block.results.push_back(valueIn(scope, result));
      else
        add(&op, scope);
    built.program.blocks.push_back(std::move(scope.block));
    return static_cast<int32_t>(built.program.blocks.size()) - 1;
  }

  /// Returns the number of `value` in the block; one from outside gets a new number.
  static int32_t valueIn(Scope &scope, mlir::Value value) {
    auto [entry, isNew] = scope.values.try_emplace(value, -1);
    if (isNew)
      entry->second = scope.block.addValue(bytesOf(value.getType()));
    return entry->second;
  }

  void add(mlir::Operation *op, Scope &scope) {
    if (mlir::func::FuncOp callee = functions->calleeOf(op))
      return addCall(op, blockOf.lookup(callee), scope);
    if (auto found = collectiveOf.find(op); found != collectiveOf.end())
      return addCollective(op, *found->second.first, found->second.second, scope);
    MemoryUse use = memoryUseOf(op, strategies);
    if (use == MemoryUse::none && op->getNumOperands() >= op->getNumResults()) {
      for (auto [result, operand] : llvm::zip(op->getResults(), op->getOperands()))
        scope.values[result] = valueIn(scope, operand);
      return;
    }
    if (use == MemoryUse::resident)
      return; // Known by the bytes that readers read.
    if (!runsRegions(op))
      return addWork(op, use, scope);
    CostOp cost;
    auto flow = llvm::dyn_cast<DataFlow>(op);
    bool isLoop = !flow || flow.isLoop();
    cost.role = isLoop ? OpRole::loop : OpRole::branch;
    if (flow && isLoop) {
      std::optional<int64_t> trips = flow.getTripCount();
      built.hasUnknownTrips |= !trips;
      cost.runs = trips.value_or(1);
    }
    for (mlir::Region &region : op->getRegions())
      if (!region.empty())
        cost.blocks.push_back(buildBlock(region.front()));
    readAll(op->getOperands(), scope, cost);
    readAll(capturedBy(op), scope, cost);
    finish(op, std::move(cost), scope);
  }

  /// Returns the values from outside that ops in the regions of `op` read.
  static llvm::SmallSetVector<mlir::Value, 8> capturedBy(mlir::Operation *op) {
    llvm::SmallSetVector<mlir::Value, 8> captured;
    op->walk([&](mlir::Operation *inner) {
      for (mlir::Value operand : inner->getOperands())
        if (inner != op && !op->isAncestor(operand.getParentRegion()->getParentOp()))
          captured.insert(operand);
    });
    return captured;
  }

  /// Whether the regions of `op` are parts of the program, and not computations on elements.
  bool runsRegions(mlir::Operation *op) {
    if (op->getNumRegions() == 0)
      return false;
    if (llvm::isa<DataFlow>(op))
      return true;
    return op
        ->walk([&](mlir::Operation *inner) {
          return collectiveOf.contains(inner) ? mlir::WalkResult::interrupt()
                                              : mlir::WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// The op needs these values, in memory; what it reads is counted where it is used.
  template <typename Range> static void readAll(const Range &values, Scope &scope, CostOp &cost) {
    for (mlir::Value value : values)
      cost.reads.push_back({valueIn(scope, value), 0, /*mayFuse=*/false});
  }

  static void finish(mlir::Operation *op, CostOp cost, Scope &scope) {
    for (mlir::Value result : op->getResults())
      cost.results.push_back(valueIn(scope, result));
    scope.block.ops.push_back(std::move(cost));
  }

  void addCall(mlir::Operation *op, int32_t callee, Scope &scope) {
    const CostBlock &block = built.program.blocks[callee];
    bool fits = block.arguments.size() == op->getNumOperands() &&
                block.results.size() == op->getNumResults();
    if (fits && static_cast<int64_t>(block.ops.size()) <= mostInlinedOps) {
      std::vector<int32_t> operands;
      for (mlir::Value operand : op->getOperands())
        operands.push_back(valueIn(scope, operand));
      std::vector<int32_t> results = inlineBlock(block, operands, scope.block);
      for (auto [result, value] : llvm::zip(op->getResults(), results))
        scope.values[result] = value;
      return;
    }
    CostOp cost;
    cost.role = OpRole::loop;
    cost.blocks = {callee};
    readAll(op->getOperands(), scope, cost);
    finish(op, std::move(cost), scope);
  }

  void addCollective(mlir::Operation *op, const FoundCollective &each, int32_t number,
                     Scope &scope) {
    mlir::FailureOr<CollectiveCost> price = prices.costOf(each);
    hasFailed |= mlir::failed(price);
    CostOp cost;
    cost.role = OpRole::collective;
    cost.collective = number;
    if (mlir::succeeded(price)) {
      cost.collectiveTime = price->time;
      built.tiers[number] = price->tier;
    }
    readAll(op->getOperands(), scope, cost);
    finish(op, std::move(cost), scope);
  }

  void addWork(mlir::Operation *op, MemoryUse use, Scope &scope) {
    CostOp cost;
    cost.role = use == MemoryUse::made        ? OpRole::free
                : use == MemoryUse::reduction ? OpRole::absorbing
                : use == MemoryUse::update    ? OpRole::absorbing
                : use == MemoryUse::whole     ? OpRole::apart
                                              : OpRole::fusible;
    int64_t resultBytes = bytesOf(op->getResultTypes());
    cost.bytesWritten = resultBytes;
    unsigned numInPlace = use == MemoryUse::update ? numUpdatedInPlace(op) : 0;
    if (use == MemoryUse::update) // Writes what it is given; the rest stays.
      cost.bytesWritten = 0;
    for (const auto &[index, operand] : llvm::enumerate(op->getOperands())) {
      int64_t bytes = bytesOf(operand.getType());
      bool isInPlace = index < numInPlace;
      if (use == MemoryUse::update && !isInPlace)
        cost.bytesWritten += bytes;
      if (use == MemoryUse::part && index == 0)
        bytes = std::min(bytes, resultBytes);
      cost.reads.push_back({valueIn(scope, operand), isInPlace ? 0 : bytes, !isInPlace});
    }
    addArithmetic(op, use, cost);
    finish(op, std::move(cost), scope);
  }

  /// One operation for each element of an elementwise op; of others the work that their strategies
  /// count, once for each element that a reduction reads. What only moves elements has none.
  void addArithmetic(mlir::Operation *op, MemoryUse use, CostOp &cost) {
    if (op->getNumResults() == 0 || op->getNumOperands() == 0 || use == MemoryUse::made ||
        use == MemoryUse::moves || use == MemoryUse::part)
      return;
    mlir::RankedTensorType operand = tensorTypeOf(op->getOperand(0)),
                           result = tensorTypeOf(op->getResult(0));
    if (!operand || !result || !operand.hasStaticShape() || !result.hasStaticShape())
      return;
    WorkKind kind = WorkKind::elementwise;
    double operations = 0;
    if (use == MemoryUse::elements) {
      operations = static_cast<double>(result.getNumElements());
      if (isTranscendental(op))
        kind = WorkKind::transcendental;
    } else if (use == MemoryUse::update) { // A body combines each element that is written.
      mlir::RankedTensorType written = tensorTypeOf(op->getOperands().back());
      operations = op->getNumRegions() > 0 ? static_cast<double>(written.getNumElements()) : 0;
    } else if (const Strategies *known = strategies.lookup(op)) {
      operations = known->front().flops;
      if (known->front().multiplies)
        kind = WorkKind::product;
    }
    bool isProduct = kind == WorkKind::product;
    bool isComplex = llvm::isa<mlir::ComplexType>(operand.getElementType());
    if (isComplex)
      operations *= isProduct ? complexProductWork : complexElementWork;
    cost.arithmetic = model.arithmetic(kind, elementNameOf(operand.getElementType()), operations);
    if (isProduct) {
      cost.products = cost.arithmetic;
      cost.flops = operations;
    }
  }

  GroupPrices prices;
  Roofline model;
  StrategyCache strategies;
  ReachedFunctions *functions = nullptr;
  llvm::DenseMap<mlir::Operation *, std::pair<const FoundCollective *, int32_t>> collectiveOf;
  llvm::DenseMap<mlir::Operation *, int32_t> blockOf; ///< By function.
  BuiltProgram built;
  bool hasFailed = false;
};

} // namespace

mlir::FailureOr<BuiltProgram> buildCostProgram(mlir::ModuleOp module,
                                               llvm::ArrayRef<FoundCollective> collectives,
                                               const DeviceProfile &profile) {
  mlir::func::FuncOp entry = entryOf(module);
  if (!entry)
    return BuiltProgram();
  return Builder(module, collectives, profile).run(entry);
}

} // namespace spmd
