#include "spmd/passes/partition/Partitioner.h"

#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/passes/partition/EmitPlan.h"

#include "mlir/Interfaces/CallInterfaces.h"

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
    int32_t mainMesh = findMainMesh();
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
    mlir::Builder builder(module.getContext());
    module->setAttr("mhlo.num_partitions", builder.getI32IntegerAttr(codec.mesh(mainMesh).numDevices()));
    if (!module->hasAttr("mhlo.num_replicas"))
      module->setAttr("mhlo.num_replicas", builder.getI32IntegerAttr(1));
    return mlir::failure(failed);
  }

private:
  using Tensor = Localizer::Tensor;

  int32_t findMainMesh() const {
    for (int32_t i = 0; i < codec.numMeshes(); ++i)
      if (!codec.mesh(i).axes().empty())
        return i;
    return -1;
  }

  //===- Gathering -----------------------------------------------------------===//

  void gather(mlir::func::FuncOp func) {
    std::vector<OpSituation> &situations = byFunction[func];
    for (mlir::Operation &op : func.getBody().front()) {
      situations.push_back({&op, nullptr, tensors.size()});
      if (!llvm::isa<sdy::ReshardOp, mlir::CallOpInterface>(op))
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
      const MeshSharding *sharding = codec.decode(attr);
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
      const Mesh &mesh = meshOf(op);
      removeSharding(op);
      Localizer localizer(op, mesh, positions,
                          situation.strategies ? &strategyFor(situation, operands, results) : nullptr, operands,
                          results);
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

  /// Returns the first strategy whose rule the shardings around the op fit.
  const Strategy &strategyFor(const OpSituation &situation, llvm::ArrayRef<Tensor> operands,
                              llvm::ArrayRef<Tensor> results) {
    auto fits = [&](const Strategy &strategy) {
      FactorAxes axes(strategy.rule.numFactors());
      auto agrees = [&](const TensorFactors &factors, const Tensor &tensor) {
        if (!tensor.type || factors.size() != tensor.sharding->dims.size())
          return !tensor.type;
        FactorAxes own = project(strategy.rule, factors, *tensor.sharding);
        for (const DimFactors &dim : factors)
          for (int16_t f : dim) {
            if (axes[f].empty())
              axes[f] = own[f];
            else if (axes[f] != own[f])
              return false;
          }
        return true;
      };
      for (auto [factors, tensor] : llvm::zip(strategy.rule.operands, operands))
        if (!agrees(factors, tensor))
          return false;
      for (auto [factors, tensor] : llvm::zip(strategy.rule.results, results))
        if (!agrees(factors, tensor))
          return false;
      return true;
    };
    if (situation.strategies->size() > 1)
      for (const Strategy &strategy : *situation.strategies)
        if (fits(strategy))
          return strategy;
    return situation.strategies->front();
  }

  /// The mesh that the op's tensors lie on.
  const Mesh &meshOf(mlir::Operation *op) {
    for (mlir::Value result : op->getResults())
      if (ValueSharding sharding = shardingOf(result))
        if (auto found = layouts.find(sharding.attr); found != layouts.end())
          return codec.mesh(found->second.mesh);
    return codec.mesh(findMainMesh());
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
      mlir::Value &filled = masked[{operand.getAsOpaquePointer(), {dims.begin(), dims.end()}, need.fill}];
      if (!filled)
        filled = maskPadding(localizer.builder, op->getLoc(), localizer.positions, localizer.mesh, operand,
                             *tensor.sharding, tensor.type.getShape(), dims, need.fill);
      op->setOperand(need.operand, filled);
    }
  }

  void emitReshard(sdy::ReshardOp reshard, const Tensor &input, Positions &positions) {
    ValueSharding target = shardingOf(reshard.getResult());
    mlir::Value source = reshard.getInput();
    const Sharding *to = layoutOf(target.attr, input.type.getRank());
    int32_t toMesh = layouts[target.attr].mesh, fromMesh = sourceMesh(input.sharding, toMesh);
    absl::StatusOr<const Plan *> plan = plans.plan(
        {&codec.mesh(fromMesh), *input.sharding}, {&codec.mesh(toMesh), *to},
        absl::MakeConstSpan(input.type.getShape().data(), input.type.getRank()),
        std::max(1, elementBits(input.type.getElementType()) / 8));
    if (!plan.ok()) {
      reshard.emitOpError() << std::string(plan.status().message());
      failed = true;
      return;
    }
    mlir::OpBuilder builder(reshard);
    PlanEmitter emitter{builder,     reshard.getLoc(),          positions,
                        collectives, codec.meshAttr(fromMesh), codec.meshAttr(toMesh)};
    reshard.getResult().replaceAllUsesWith(emitter.emit(**plan, source));
    reshard.erase();
  }

  /// The mesh of a layout that was gathered; a value that lies whole lies so on every mesh.
  int32_t sourceMesh(const Sharding *layout, int32_t otherwise) const {
    auto found = meshOfLayout.find(layout);
    return found == meshOfLayout.end() ? otherwise : found->second;
  }

  void localizeSignature(mlir::func::FuncOp func) {
    llvm::SmallVector<mlir::Type> inputs, outputs;
    bool isBoundary = func.isPublic() || func.getSymName() == "main";
    auto keep = [&](mlir::RankedTensorType type, auto setAttr, auto removeAttr) {
      removeAttr(inferredAttrName);
      removeAttr("spmd.missing_sharding");
      if (isBoundary)
        setAttr(globalTypeAttrName, mlir::TypeAttr::get(type));
      else
        removeAttr(shardingAttrName);
    };
    for (mlir::BlockArgument argument : func.getArguments()) {
      unsigned i = argument.getArgNumber();
      if (Tensor tensor = tensorOf(argument); tensor.type) {
        argument.setType(localTypeOf(tensor.type, *tensor.sharding));
        keep(tensor.type, [&](auto name, auto attr) { func.setArgAttr(i, name, attr); },
             [&](auto name) { func.removeArgAttr(i, name); });
      }
      inputs.push_back(argument.getType());
    }
    for (unsigned i = 0; i < func.getNumResults(); ++i) {
      mlir::Type type = func.getFunctionType().getResult(i);
      if (mlir::RankedTensorType tensor = tensorTypeOf(type)) {
        type = localTypeOf(tensor, *layoutOf(shardingOfResult(func, i).attr, tensor.getRank()));
        keep(tensor, [&](auto name, auto attr) { func.setResultAttr(i, name, attr); },
             [&](auto name) { func.removeResultAttr(i, mlir::StringAttr::get(func.getContext(), name)); });
      }
      outputs.push_back(type);
    }
    func.setFunctionType(mlir::FunctionType::get(func.getContext(), inputs, outputs));
  }

  struct Layout {
    int32_t mesh = 0;
    std::unique_ptr<Sharding> sharding;
  };

  mlir::ModuleOp module;
  ShardingCodec codec;
  StrategyCache strategyCache;
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
