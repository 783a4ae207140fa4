#include "spmd/passes/partition/Situations.h"

#include "spmd/dialect/spmd/ByName.h"
#include "spmd/dialect/spmd/DataFlow.h"

#include "mlir/Interfaces/CallInterfaces.h"

namespace spmd {

//===- Layouts of values ---------------------------------------------------===//

sdy::ShardingAttr ValueLayouts::shardingOf(mlir::Value value) {
  if (auto result = llvm::dyn_cast<mlir::OpResult>(value)) {
    mlir::Operation *op = result.getOwner();
    mlir::DictionaryAttr attributes = op->getRawDictionaryAttrs();
    if (llvm::isa_and_nonnull<sdy::SdyDialect>(op->getDialect()))
      return spmd::shardingOf(value).attr; // Maybe part of the op.
    if (attributes.empty())
      return {};
    auto [known, isNew] = ofResults.try_emplace({attributes, result.getResultNumber()});
    if (isNew)
      known->second = spmd::shardingOf(value).attr;
    return known->second;
  }
  auto argument = llvm::cast<mlir::BlockArgument>(value);
  auto func = llvm::dyn_cast<mlir::func::FuncOp>(argument.getOwner()->getParentOp());
  if (!func)
    return spmd::shardingOf(value).attr;
  mlir::DictionaryAttr attributes = func.getArgAttrDict(argument.getArgNumber());
  if (!attributes || attributes.empty())
    return {};
  auto [known, isNew] = ofArguments.try_emplace({attributes, 0});
  if (isNew)
    known->second = spmd::shardingOf(value).attr;
  return known->second;
}

Localizer::Tensor ValueLayouts::tensorOf(mlir::Value value) {
  mlir::RankedTensorType type = tensorTypeOf(value);
  if (!type)
    return {nullptr, nullptr};
  sdy::ShardingAttr attr = shardingOf(value);
  note(attr, type.getRank());
  return {type, layoutOf(attr, type.getRank())};
}

const Sharding *ValueLayouts::layoutOf(sdy::ShardingAttr attr, int64_t rank) {
  if (!attr) {
    while (static_cast<int64_t>(replicated.size()) <= rank)
      replicated.push_back(std::make_unique<Sharding>(Sharding::replicatedOf(replicated.size())));
    return replicated[rank].get();
  }
  Layout &entry = layouts[attr];
  if (!entry.sharding) {
    const MeshSharding *decoded = codec.decode(attr);
    std::optional<MeshSharding> sharding = decoded ? codec.onAxes(*decoded, rank) : std::nullopt;
    failed |= !sharding;
    entry.mesh = sharding ? sharding->mesh : 0;
    entry.sharding = std::make_unique<Sharding>(sharding ? sharding->sharding.layout()
                                                         : Sharding::replicatedOf(rank));
    meshOfLayout[entry.sharding.get()] = entry.mesh;
  }
  return entry.sharding.get();
}

int32_t ValueLayouts::meshOf(const Sharding *layout, int32_t otherwise) const {
  auto found = meshOfLayout.find(layout);
  return found == meshOfLayout.end() ? otherwise : found->second;
}

void ValueLayouts::forget() {
  ofResults.clear();
  ofArguments.clear();
  isMissing = false;
}

//===- Gathering -----------------------------------------------------------===//

namespace {

/// Returns whether offsets into the dims of `type` fit in 32 bits. A padded dim is less than twice
/// as long, or as long as there are devices.
bool hasShortDims(mlir::Type type) {
  auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  auto isShort = [](int64_t size) { return size <= INT32_MAX / 2; };
  return !shaped || !shaped.hasRank() || llvm::all_of(shaped.getShape(), isShort);
}

class Gatherer {
public:
  Gatherer(ModuleSituation &all, StrategyCache &strategies, SplitCache &splits)
      : all(all), layouts(all.layouts), strategies(strategies), splits(splits) {}

  void gather(mlir::func::FuncOp func) {
    FunctionSituation &function = all.functions.emplace_back();
    function.func = func;
    function.hasShortDims =
        llvm::all_of(func.getArgumentTypes(), [&](mlir::Type type) { return isShort(type); });
    for (mlir::Value argument : func.getArguments())
      layouts.tensorOf(argument);
    for (unsigned i = 0; i < func.getNumResults(); ++i)
      if (mlir::RankedTensorType type = tensorTypeOf(func.getFunctionType().getResult(i)))
        layouts.note(shardingOfResult(func, i).attr, type.getRank());
    gather(func.getBody().front(), function);
  }

private:
  void gather(mlir::Block &block, FunctionSituation &function) {
    for (mlir::Operation &op : block) {
      if (op.getNumRegions() > 0)
        gatherRegions(op, function);
      auto partitionable = llvm::dyn_cast<Partitionable>(op);
      OpSituation situation{&op, partitionable, all.tensors.size()};
      bool isCall = calls.of(&op, llvm::IsaPred<mlir::CallOpInterface>);
      if (partitionable && partitionable.isPlacement() && op.getNumOperands() == 1 &&
          op.getNumResults() == 1)
        situation.kind = OpSituation::Kind::move;
      for (mlir::Value operand : op.getOperands())
        all.tensors.push_back(layouts.tensorOf(operand));
      for (mlir::Value result : op.getResults()) {
        all.tensors.push_back(layouts.tensorOf(result));
        function.hasShortDims = function.hasShortDims && isShort(result.getType());
      }
      if (situation.kind == OpSituation::Kind::op && !isCall)
        findSplit(situation);
      function.ops.push_back(situation);
    }
  }

  void findSplit(OpSituation &situation) {
    const Strategies *known = strategies.lookup(situation.op);
    if (!known)
      return;
    around.clear();
    for (const Localizer::Tensor &tensor :
         llvm::ArrayRef(all.tensors).drop_front(situation.firstTensor))
      around.push_back(tensor.type ? tensor.sharding : nullptr);
    situation.hasRule = true;
    situation.split = splits.lookup(*known, around);
  }

  void gatherRegions(mlir::Operation &op, FunctionSituation &function) {
    if (!llvm::isa<DataFlow>(op)) {
      for (mlir::Region &region : op.getRegions())
        region.walk([&](mlir::Operation *inner) {
          function.hasShortDims =
              function.hasShortDims && llvm::all_of(inner->getResultTypes(), hasShortDims);
        });
      return;
    }
    function.ops.push_back({&op, Partitionable(), all.tensors.size(), OpSituation::Kind::entry});
    for (mlir::Region &region : op.getRegions())
      for (mlir::Value argument : region.getArguments())
        all.tensors.push_back(layouts.tensorOf(argument));
    for (mlir::Region &region : op.getRegions())
      gather(region.front(), function);
  }

  bool isShort(mlir::Type type) {
    auto [known, isNew] = shortTypes.try_emplace(type);
    if (isNew)
      known->second = hasShortDims(type);
    return known->second;
  }

  ModuleSituation &all;
  ValueLayouts &layouts;
  StrategyCache &strategies;
  SplitCache &splits;
  std::vector<const Sharding *> around; ///< The op at hand.
  ByName<bool> calls;
  llvm::DenseMap<mlir::Type, bool> shortTypes;
};

} // namespace

ModuleSituation::ModuleSituation(mlir::Operation *module)
    : module(llvm::cast<mlir::ModuleOp>(module)), codec(this->module), layouts(codec) {
  if (codec.mainMesh() >= 0)
    gather();
}

void ModuleSituation::gather() {
  layouts.forget();
  functions.clear();
  tensors.clear();
  Gatherer gatherer(*this, strategies, splits);
  for (auto func : module.getOps<mlir::func::FuncOp>())
    if (isRun(func))
      gatherer.gather(func);
}

void ModuleSituation::reportNoSplit(mlir::Operation *op, llvm::StringRef advice) {
  mlir::InFlightDiagnostic error =
      op->emitOpError("has operands and results that no split of its rule has so") << advice;
  for (mlir::OpOperand &operand : op->getOpOperands())
    if (ValueSharding sharding = shardingOf(operand.get()))
      error.attachNote(operand.get().getLoc()) << "operand " << operand.getOperandNumber()
                                               << " lies as " << sharding.attr.getSpec().str();
  for (mlir::OpResult result : op->getResults())
    if (ValueSharding sharding = shardingOf(result))
      error.attachNote(op->getLoc())
          << "result " << result.getResultNumber() << " lies as " << sharding.attr.getSpec().str();
}

} // namespace spmd
