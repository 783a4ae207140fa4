#include "spmd/passes/partition/Partitioner.h"

#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/spmd/Causes.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Donation.h"
#include "spmd/dialect/spmd/NumPartitions.h"
#include "spmd/ir/rules/SplitCache.h"
#include "spmd/passes/partition/EmitPlan.h"
#include "spmd/passes/partition/OneDevice.h"
#include "spmd/passes/reshard/Missing.h"

#include "mlir/Interfaces/CallInterfaces.h"

#include <map>

namespace spmd {

namespace {

/// What one op looks like globally, gathered before anything changes.
struct OpSituation {
  mlir::Operation *op;
  const Strategies *strategies;
  size_t firstTensor; ///< In the list of tensors: operands, then results.
  /// The op itself comes behind what is in its regions; this is where they begin. The tensors are
  /// those of the regions' arguments.
  bool isEntry = false;
};

class Partitioner {
public:
  Partitioner(mlir::ModuleOp module, OnMissing onMissing)
      : module(module), onMissing(onMissing), codec(module) {}

  mlir::LogicalResult run() {
    int32_t mainMesh = codec.mainMesh();
    if (mainMesh < 0) {
      partitionForOneDevice(module);
      return mlir::success();
    }
    if (mlir::failed(checkNumPartitions(module)) || mlir::failed(checkSingleBlocks(module)) ||
        mlir::failed(fillMissing(module, codec, onMissing)))
      return mlir::failure();
    clearScalarBodies(module);
    for (auto func : module.getOps<mlir::func::FuncOp>())
      if (!func.isExternal())
        gather(func);
    if (failed)
      return mlir::failure();
    for (auto func : module.getOps<mlir::func::FuncOp>())
      if (!func.isExternal())
        rewrite(func);
    dropUncalledFunctions();
    mlir::Builder builder(module.getContext());
    module->setAttr(numPartitionsName,
                    builder.getI32IntegerAttr(codec.mesh(mainMesh).numDevices()));
    if (!module->hasAttr("mhlo.num_replicas"))
      module->setAttr("mhlo.num_replicas", builder.getI32IntegerAttr(1));
    return mlir::failure(failed);
  }

private:
  using Tensor = Localizer::Tensor;

  /// Private functions that nobody names: all calls have become calls of copies. Attributes are
  /// only searched for names if some function is not called.
  void dropUncalledFunctions() {
    llvm::DenseSet<mlir::StringAttr> unnamed;
    for (auto func : module.getOps<mlir::func::FuncOp>())
      if (func.isPrivate() && func.getSymName() != "main" && !func.isExternal())
        unnamed.insert(func.getSymNameAttr());
    auto isNamed = [&](mlir::SymbolRefAttr name) { unnamed.erase(name.getRootReference()); };
    if (!unnamed.empty())
      module.walk([&](mlir::func::CallOp call) { isNamed(call.getCalleeAttr()); });
    if (unnamed.empty())
      return;
    if (auto uses = mlir::SymbolTable::getSymbolUses(&module.getBodyRegion()))
      for (const mlir::SymbolTable::SymbolUse &use : *uses)
        isNamed(use.getSymbolRef());
    for (auto func : llvm::make_early_inc_range(module.getOps<mlir::func::FuncOp>()))
      if (unnamed.contains(func.getSymNameAttr()))
        func.erase();
  }

  //===- Gathering -----------------------------------------------------------===//

  void gather(mlir::func::FuncOp func) { gather(func.getBody().front(), byFunction[func]); }

  void gather(mlir::Block &block, std::vector<OpSituation> &situations) {
    for (mlir::Operation &op : block) {
      if (llvm::isa<DataFlow>(op)) {
        situations.push_back({&op, nullptr, tensors.size(), /*isEntry=*/true});
        for (mlir::Region &region : op.getRegions())
          for (mlir::Value argument : region.getArguments())
            tensors.push_back(tensorOf(argument));
        for (mlir::Region &region : op.getRegions())
          gather(region.front(), situations);
      }
      situations.push_back({&op, nullptr, tensors.size()});
      if (!isMove(&op) && !llvm::isa<mlir::CallOpInterface>(op))
        situations.back().strategies = strategyCache.lookup(&op);
      for (mlir::Value operand : op.getOperands())
        tensors.push_back(tensorOf(operand));
      for (mlir::Value result : op.getResults())
        tensors.push_back(tensorOf(result));
    }
  }

  /// Placements that the reshard stage left stand for the moves it wants.
  static bool isMove(mlir::Operation *op) {
    auto partitionable = llvm::dyn_cast<Partitionable>(op);
    return partitionable && partitionable.isPlacement() && op->getNumOperands() == 1 &&
           op->getNumResults() == 1;
  }

  Tensor tensorOf(mlir::Value value) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    if (!type)
      return {nullptr, nullptr};
    return {type, layoutOf(shardingOf(value).attr, type.getRank())};
  }

  /// Returns the layout that `attr` stands for; without one the value lies whole on every device.
  const Sharding *layoutOf(sdy::ShardingAttr attr, int64_t rank) {
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

  //===- Rewriting -----------------------------------------------------------===//

  void rewrite(mlir::func::FuncOp func) {
    Positions positions(func);
    masked.clear();
    localizeSignature(func);
    for (const OpSituation &situation : byFunction[func]) {
      if (situation.isEntry)
        localizeArguments(situation);
      else if (isMove(situation.op))
        emitReshard(situation.op, tensors[situation.firstTensor], positions);
      else
        rewriteOp(situation, positions);
    }
    func->removeDiscardableAttr(manualAxesAttrName);
  }

  void localizeArguments(const OpSituation &situation) {
    size_t next = situation.firstTensor;
    for (mlir::Region &region : situation.op->getRegions())
      for (mlir::BlockArgument argument : region.getArguments())
        if (const Tensor &tensor = tensors[next++]; tensor.type)
          argument.setType(
              withTensorType(argument.getType(), localTypeOf(tensor.type, *tensor.sharding)));
  }

  void rewriteOp(const OpSituation &situation, Positions &positions) {
    mlir::Operation *op = situation.op;
    auto operands = llvm::ArrayRef(tensors).slice(situation.firstTensor, op->getNumOperands());
    auto results = llvm::ArrayRef(tensors).slice(situation.firstTensor + op->getNumOperands(),
                                                 op->getNumResults());
    int32_t mesh = meshOf(op);
    dropGlobalAttributes(op);
    Split split = splitOfOp(situation);
    Localizer localizer(op, codec.mesh(mesh), codec.meshAttr(mesh), positions, collectives,
                        split.strategy, std::move(split.factorAxes), operands, results);
    auto partitionable = llvm::dyn_cast<Partitionable>(op);
    if (localizer.strategy)
      maskOperands(localizer);
    collectives.startOp(op->getName());
    if (partitionable && (localizer.strategy || llvm::isa<DataFlow>(op)))
      failed |= mlir::failed(partitionable.localize(localizer));
    else
      localizer.setResultTypes();
  }

  /// Removes what speaks of shardings and global sizes; ops alike share what is left.
  void dropGlobalAttributes(mlir::Operation *op) {
    mlir::DictionaryAttr all = op->getRawDictionaryAttrs();
    if (all.empty())
      return;
    mlir::DictionaryAttr &local = localAttributes[all];
    if (!local) {
      mlir::NamedAttrList kept(all);
      for (llvm::StringRef name : {shardingAttrName, inferredAttrName, missingAttrName,
                                   hintAttrName, llvm::StringLiteral("sdy.sharding_rule")})
        kept.erase(name);
      local = kept.getDictionary(op->getContext());
    }
    op->setDiscardableAttrs(local);
  }

  /// Returns the first split that the shardings around the op fit; reports it if there is none.
  Split splitOfOp(const OpSituation &situation) {
    if (!situation.strategies)
      return {};
    size_t count = situation.op->getNumOperands() + situation.op->getNumResults();
    around.clear();
    for (const Tensor &tensor : llvm::ArrayRef(tensors).slice(situation.firstTensor, count))
      around.push_back(tensor.type ? tensor.sharding : nullptr);
    if (const Split *split = splits.lookup(*situation.strategies, around))
      return *split;
    situation.op->emitOpError(
        "has operands and results that no split of its rule has so; run spmd-reshard first");
    failed = true;
    return {};
  }

  /// The mesh that the op's tensors lie on.
  int32_t meshOf(mlir::Operation *op) {
    for (mlir::Value result : op->getResults())
      if (ValueSharding sharding = shardingOf(result))
        if (auto found = layouts.find(sharding.attr); found != layouts.end())
          return found->second.mesh;
    return codec.mainMesh();
  }

  /// Gives padding the value that the op's rule asks for, where a dim is uneven.
  void maskOperands(Localizer &localizer) {
    const Strategy &strategy = *localizer.strategy;
    for (const PaddingNeed &need : strategy.padding) {
      const Tensor &tensor = localizer.operand(need.operand);
      if (need.fill == FillValue::anything || !tensor.type)
        continue;
      llvm::SmallVector<int64_t, 2> dims;
      const TensorFactors &factors = strategy.rule.operands[need.operand];
      for (size_t d = 0; d < factors.size(); ++d)
        if (llvm::is_contained(factors[d], need.factor) &&
            tensor.type.getDimSize(d) % numShards(tensor.sharding->dims[d]) != 0)
          dims.push_back(d);
      if (dims.empty())
        continue;
      mlir::Operation *op = localizer.op;
      mlir::Value operand = op->getOperand(need.operand);
      mlir::Value &filled = masked[{
          operand.getAsOpaquePointer(), op->getBlock(), {dims.begin(), dims.end()}, need.fill}];
      if (!filled)
        filled = maskPadding(localizer.builder, op->getLoc(), localizer.positions, localizer.mesh,
                             operand, *tensor.sharding, tensor.type.getShape(), dims, need.fill);
      op->setOperand(need.operand, filled);
    }
  }

  void emitReshard(mlir::Operation *move, const Tensor &input, Positions &positions) {
    if (!input.type) { // What is no tensor lies nowhere.
      move->replaceAllUsesWith(move->getOperands());
      return move->erase();
    }
    ValueSharding target = shardingOf(move->getResult(0));
    const Sharding *to = layoutOf(target.attr, input.type.getRank());
    int32_t toMesh = layouts[target.attr].mesh, fromMesh = sourceMesh(input.sharding, toMesh);
    if (input.sharding->isFullyReplicated()) // It is so on every mesh.
      fromMesh = toMesh;
    else if (to->isFullyReplicated())
      toMesh = fromMesh;
    mlir::FailureOr<AxisList> held = manualAxesAt(move, codec.mesh(fromMesh));
    if (mlir::failed(held)) {
      failed = true;
      return;
    }
    absl::StatusOr<const Plan *> plan =
        plans.plan({&codec.mesh(fromMesh), *input.sharding}, {&codec.mesh(toMesh), *to},
                   absl::MakeConstSpan(input.type.getShape().data(), input.type.getRank()),
                   std::max(1, elementBits(input.type.getElementType()) / 8), *held);
    if (!plan.ok()) {
      move->emitOpError() << std::string(plan.status().message());
      failed = true;
      return;
    }
    mlir::OpBuilder builder(move);
    PlanEmitter emitter{builder,
                        placeOf(move, *input.sharding, fromMesh, target.attr, input.type),
                        positions,
                        collectives,
                        codec.meshAttr(fromMesh),
                        codec.meshAttr(toMesh)};
    move->replaceAllUsesWith(mlir::ValueRange{emitter.emit(**plan, move->getOperand(0))});
    move->erase();
  }

  /// Returns the location of `move` with how the value lies and is wanted.
  mlir::Location placeOf(mlir::Operation *move, const Sharding &from, int32_t mesh,
                         sdy::ShardingAttr to, mlir::RankedTensorType type) {
    mlir::DictionaryAttr reason = reasonOf(move->getLoc());
    mlir::DictionaryAttr &known = reasons[{{reason, to}, {&from, type}}];
    if (!known) {
      if (!reason) // One that the program itself has.
        reason = reasonAttr(move->getContext(), "'" + move->getName().getStringRef() + "'");
      known = withLayouts(reason, codec.encode({mesh, from}), to, type);
    }
    return withReason(move->getLoc(), known);
  }

  /// Returns the axes along which values at `op` are each device's own; reports a move on a mesh
  /// that has not all of them.
  static mlir::FailureOr<AxisList> manualAxesAt(mlir::Operation *op, const Mesh &mesh) {
    AxisList axes;
    for (llvm::StringRef name : manualAxesInside(op)) {
      std::optional<int> axis = mesh.axisNamed(name.str());
      if (!axis)
        return op->emitOpError() << "moves data on a mesh without axis \"" << name
                                 << "\", which is manual here; use one mesh there";
      axes.push_back(wholeAxis(mesh, *axis));
    }
    llvm::sort(axes);
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
    return axes;
  }

  /// The mesh of a layout that was gathered; a value that lies whole lies so on every mesh.
  int32_t sourceMesh(const Sharding *layout, int32_t otherwise) const {
    auto found = meshOfLayout.find(layout);
    return found == meshOfLayout.end() ? otherwise : found->second;
  }

  void localizeSignature(mlir::func::FuncOp func) {
    llvm::SmallVector<mlir::Type> inputs, outputs;
    BoundaryAttributes boundary(func);
    bool isBoundary = func.isPublic() || func.getSymName() == "main";
    auto keep = [&](mlir::RankedTensorType type, mlir::NamedAttrList &attributes) {
      attributes.erase(inferredAttrName);
      attributes.erase(missingAttrName);
      if (isBoundary)
        attributes.set(globalTypeAttrName, mlir::TypeAttr::get(type));
      else
        attributes.erase(shardingAttrName);
    };
    for (mlir::BlockArgument argument : func.getArguments()) {
      if (Tensor tensor = tensorOf(argument); tensor.type) {
        argument.setType(
            withTensorType(argument.getType(), localTypeOf(tensor.type, *tensor.sharding)));
        keep(tensor.type, boundary.ofArgument(argument.getArgNumber()));
      }
      inputs.push_back(argument.getType());
    }
    for (unsigned i = 0; i < func.getNumResults(); ++i) {
      mlir::Type type = func.getFunctionType().getResult(i);
      if (mlir::RankedTensorType tensor = tensorTypeOf(type)) {
        type = withTensorType(
            type, localTypeOf(tensor, *layoutOf(shardingOfResult(func, i).attr, tensor.getRank())));
        keep(tensor, boundary.ofResult(i));
      }
      outputs.push_back(type);
    }
    func.setFunctionType(mlir::FunctionType::get(func.getContext(), inputs, outputs));
    for (unsigned i = 0; i < inputs.size(); ++i)
      keepDonation(func, i, inputs, outputs, boundary.ofArgument(i));
    boundary.write();
  }

  /// An argument can only be reused for a result of the same local type.
  static void keepDonation(mlir::func::FuncOp func, unsigned argument,
                           llvm::ArrayRef<mlir::Type> inputs, llvm::ArrayRef<mlir::Type> outputs,
                           mlir::NamedAttrList &attributes) {
    auto result = llvm::dyn_cast_if_present<mlir::IntegerAttr>(attributes.get(donationName));
    if (!result || result.getInt() < 0 || result.getInt() >= static_cast<int64_t>(outputs.size()) ||
        tensorTypeOf(inputs[argument]) == tensorTypeOf(outputs[result.getInt()]))
      return;
    attributes.erase(donationName);
    if (attributes.get(donorName))
      return; // It offers its buffer, and nobody asked for a certain result.
    mlir::emitWarning(func.getArgument(argument).getLoc())
        << "argument " << argument << " of @" << func.getSymName() << " is donated to result "
        << result.getInt() << ", but one device's part is " << inputs[argument] << " of one and "
        << outputs[result.getInt()] << " of the other; the donation is dropped";
  }

  struct Layout {
    int32_t mesh = 0;
    std::unique_ptr<Sharding> sharding;
  };

  mlir::ModuleOp module;
  OnMissing onMissing;
  ShardingCodec codec;
  StrategyCache strategyCache;
  SplitCache splits;
  std::vector<const Sharding *> around; ///< The op at hand.
  llvm::DenseMap<mlir::Attribute, mlir::DictionaryAttr> localAttributes;
  PlanCache plans;
  CollectiveBuilder collectives;
  std::vector<Tensor> tensors;
  llvm::DenseMap<mlir::Operation *, std::vector<OpSituation>> byFunction;
  llvm::DenseMap<mlir::Attribute, Layout> layouts;
  llvm::DenseMap<const Sharding *, int32_t> meshOfLayout;
  std::vector<std::unique_ptr<Sharding>> replicated;
  /// Values of the current function with their padding filled, by value, block, dims and fill.
  std::map<std::tuple<const void *, mlir::Block *, std::vector<int64_t>, FillValue>, mlir::Value>
      masked;
  /// What moves say of themselves, by the reason that the stage before gave, and the two layouts.
  llvm::DenseMap<
      std::pair<std::pair<mlir::Attribute, mlir::Attribute>, std::pair<const void *, mlir::Type>>,
      mlir::DictionaryAttr>
      reasons;
  bool failed = false;
};

} // namespace

mlir::LogicalResult partitionModule(mlir::ModuleOp module, OnMissing onMissing) {
  return Partitioner(module, onMissing).run();
}

} // namespace spmd
