#include "spmd/passes/partition/Partitioner.h"

#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/ir/rules/SplitCache.h"
#include "spmd/passes/partition/EmitPlan.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/StringSet.h"

#include <map>

namespace spmd {

namespace {

/// What one op looks like globally, gathered before anything changes.
struct OpSituation {
  mlir::Operation *op;
  const Strategies *strategies;
  size_t firstTensor; ///< In the list of tensors: operands, then results.
};

class Partitioner {
public:
  explicit Partitioner(mlir::ModuleOp module) : module(module), codec(module) {}

  mlir::LogicalResult run() {
    int32_t mainMesh = codec.mainMesh();
    if (mainMesh < 0)
      return mlir::success(); // Nothing is sharded.
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
    module->setAttr("mhlo.num_partitions",
                    builder.getI32IntegerAttr(codec.mesh(mainMesh).numDevices()));
    if (!module->hasAttr("mhlo.num_replicas"))
      module->setAttr("mhlo.num_replicas", builder.getI32IntegerAttr(1));
    return mlir::failure(failed);
  }

private:
  using Tensor = Localizer::Tensor;

  /// Private functions whose calls have all become calls of copies.
  void dropUncalledFunctions() {
    llvm::StringSet<> called;
    module.walk([&](mlir::func::CallOp call) { called.insert(call.getCallee()); });
    for (auto func : llvm::make_early_inc_range(module.getOps<mlir::func::FuncOp>()))
      if (func.isPrivate() && func.getSymName() != "main" && !func.isExternal() &&
          !called.contains(func.getSymName()))
        func.erase();
  }

  //===- Gathering -----------------------------------------------------------===//

  void gather(mlir::func::FuncOp func) {
    std::vector<OpSituation> &situations = byFunction[func];
    for (mlir::Operation &op : func.getBody().front()) {
      situations.push_back({&op, nullptr, tensors.size()});
      if (!llvm::isa<sdy::ReshardOp, sdy::ManualComputationOp, mlir::CallOpInterface>(op))
        situations.back().strategies = strategyCache.lookup(&op);
      for (mlir::Value operand : op.getOperands())
        tensors.push_back(tensorOf(operand));
      for (mlir::Value result : op.getResults())
        tensors.push_back(tensorOf(result));
    }
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
      mlir::Operation *op = situation.op;
      auto operands = llvm::ArrayRef(tensors).slice(situation.firstTensor, op->getNumOperands());
      auto results = llvm::ArrayRef(tensors).slice(situation.firstTensor + op->getNumOperands(),
                                                   op->getNumResults());
      if (auto reshard = llvm::dyn_cast<sdy::ReshardOp>(op)) {
        emitReshard(reshard, operands[0], positions);
        continue;
      }
      if (auto manual = llvm::dyn_cast<sdy::ManualComputationOp>(op)) {
        inlineManual(manual);
        continue;
      }
      const Mesh &mesh = meshOf(op);
      dropGlobalAttributes(op);
      Split split = splitOfOp(situation);
      Localizer localizer(op, mesh, positions, split.strategy, std::move(split.factorAxes),
                          operands, results);
      if (localizer.strategy)
        maskOperands(localizer);
      if (!localizer.strategy)
        localizer.setResultTypes();
      else if (auto partitionable = llvm::dyn_cast<Partitionable>(op))
        failed |= mlir::failed(partitionable.localize(localizer));
      else
        localizer.setResultTypes();
    }
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
                                   llvm::StringLiteral("sdy.sharding_rule")})
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
  const Mesh &meshOf(mlir::Operation *op) {
    for (mlir::Value result : op->getResults())
      if (ValueSharding sharding = shardingOf(result))
        if (auto found = layouts.find(sharding.attr); found != layouts.end())
          return codec.mesh(found->second.mesh);
    return codec.mesh(codec.mainMesh());
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
      mlir::Value &filled =
          masked[{operand.getAsOpaquePointer(), {dims.begin(), dims.end()}, need.fill}];
      if (!filled)
        filled = maskPadding(localizer.builder, op->getLoc(), localizer.positions, localizer.mesh,
                             operand, *tensor.sharding, tensor.type.getShape(), dims, need.fill);
      op->setOperand(need.operand, filled);
    }
  }

  void emitReshard(sdy::ReshardOp reshard, const Tensor &input, Positions &positions) {
    ValueSharding target = shardingOf(reshard.getResult());
    mlir::Value source = reshard.getInput();
    const Sharding *to = layoutOf(target.attr, input.type.getRank());
    int32_t toMesh = layouts[target.attr].mesh, fromMesh = sourceMesh(input.sharding, toMesh);
    absl::StatusOr<const Plan *> plan =
        plans.plan({&codec.mesh(fromMesh), *input.sharding}, {&codec.mesh(toMesh), *to},
                   absl::MakeConstSpan(input.type.getShape().data(), input.type.getRank()),
                   std::max(1, elementBits(input.type.getElementType()) / 8));
    if (!plan.ok()) {
      reshard.emitOpError() << std::string(plan.status().message());
      failed = true;
      return;
    }
    mlir::OpBuilder builder(reshard);
    PlanEmitter emitter{builder,     reshard.getLoc(),         positions,
                        collectives, codec.meshAttr(fromMesh), codec.meshAttr(toMesh)};
    reshard.getResult().replaceAllUsesWith(emitter.emit(**plan, source));
    reshard.erase();
  }

  /// Puts the ops of a region that is local already in the place of the op.
  void inlineManual(sdy::ManualComputationOp op) {
    op.getBody().walk([](sdy::ShardingConstraintOp constraint) {
      constraint.getResult().replaceAllUsesWith(constraint.getInput());
      constraint.erase();
    });
    mlir::Block &body = op.getBody().front();
    for (auto [argument, operand] : llvm::zip(body.getArguments(), op.getTensors())) {
      if (argument.getType() != operand.getType()) {
        op.emitOpError() << "has an argument of type " << argument.getType()
                         << " for a part of type " << operand.getType();
        failed = true;
        return;
      }
      argument.replaceAllUsesWith(operand);
    }
    mlir::Operation *terminator = body.getTerminator();
    op->replaceAllUsesWith(terminator->getOperands());
    terminator->erase();
    op->getBlock()->getOperations().splice(op->getIterator(), body.getOperations());
    op->erase();
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
    auto result =
        llvm::dyn_cast_if_present<mlir::IntegerAttr>(attributes.get("tf.aliasing_output"));
    if (!result || result.getInt() < 0 || result.getInt() >= static_cast<int64_t>(outputs.size()) ||
        tensorTypeOf(inputs[argument]) == tensorTypeOf(outputs[result.getInt()]))
      return;
    mlir::emitWarning(func.getArgument(argument).getLoc())
        << "argument " << argument << " of @" << func.getSymName() << " is donated to result "
        << result.getInt() << ", but one device's part is " << inputs[argument] << " of one and "
        << outputs[result.getInt()] << " of the other; the donation is dropped";
    attributes.erase("tf.aliasing_output");
  }

  struct Layout {
    int32_t mesh = 0;
    std::unique_ptr<Sharding> sharding;
  };

  mlir::ModuleOp module;
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
  /// Values of the current function with their padding filled, by value, dims and fill.
  std::map<std::tuple<const void *, std::vector<int64_t>, FillValue>, mlir::Value> masked;
  bool failed = false;
};

} // namespace

mlir::LogicalResult partitionModule(mlir::ModuleOp module) { return Partitioner(module).run(); }

} // namespace spmd
