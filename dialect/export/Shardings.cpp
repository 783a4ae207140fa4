#include "spmd/dialect/export/Shardings.h"

#include "spmd/dialect/export/ManualBorders.h"
#include "spmd/dialect/export/ShardingTexts.h"
#include "spmd/dialect/spmd/CompositeRule.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/spmd/NumPartitions.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/SymbolTable.h"

namespace spmd {

namespace export_shardings {

using mlir::LogicalResult;
using stablehlo::CustomCallOp;

//===- Calls ---------------------------------------------------------------===//

mlir::Value ShardingCalls::make(mlir::OpBuilder &builder, mlir::Location location,
                                llvm::StringRef target, mlir::Value operand, mlir::Type type,
                                mlir::StringAttr text, llvm::StringRef config) {
  auto call = CustomCallOp::create(builder, location, type, operand);
  call.setCallTargetName(target);
  call.setBackendConfigAttr(builder.getStringAttr(config));
  call->setDiscardableAttr(tilesName, text);
  return call->getResult(0);
}

mlir::Value ShardingCalls::constrain(mlir::OpBuilder &builder, mlir::Location location,
                                     mlir::Value value, sdy::ShardingAttr sharding,
                                     llvm::ArrayRef<mlir::StringAttr> manual) {
  mlir::StringAttr text = texts.textOf(value.getParentRegion()->getParentOp(), sharding, manual);
  if (!text)
    return {};
  bool saysOpen = texts.form() == ShardingForm::v3;
  mlir::Value made = make(builder, location, "Sharding", value, value.getType(), text,
                          saysOpen ? "" : openDimsOf(sharding));
  placed[made] = sharding;
  return made;
}

namespace {

/// Something of `sdy`, and the axes that are manual where it stands.
struct Found {
  mlir::Operation *op;
  ManualAxes manual;
  bool isPinned = false; ///< Somebody asked for what an ordinary op says of its results.
};

class Exporter {
public:
  Exporter(mlir::ModuleOp module, ShardingForm form)
      : module(module), form(form), calls(module, form) {}

  LogicalResult run() {
    findAll();
    inlineMeshes();
    module->removeAttr(prioritiesServedAttrName);
    bool ok = mlir::succeeded(setNumPartitions());
    for (auto function : module.getOps<mlir::func::FuncOp>())
      ok &= mlir::succeeded(writeBoundary(function));
    for (const Found &each : found)
      ok &= mlir::succeeded(write(each));
    if (!ok)
      return mlir::failure();
    for (auto mesh : llvm::make_early_inc_range(module.getOps<sdy::MeshOp>()))
      mesh.erase();
    return mlir::success();
  }

private:
  //===- Finding ---------------------------------------------------------------===//

  /// Functions are met where they are called first: what is manual there is so inside.
  void findAll() {
    mlir::SymbolTable symbols(module);
    llvm::SmallVector<mlir::func::FuncOp> all;
    for (bool isPrivate : {false, true})
      for (auto function : module.getOps<mlir::func::FuncOp>())
        if (function.isPrivate() == isPrivate)
          all.push_back(function);
    for (mlir::func::FuncOp function : all) {
      called.push_back({function, {}});
      while (!called.empty()) {
        Found next = called.pop_back_val();
        visit(llvm::cast<mlir::func::FuncOp>(next.op), next.manual, symbols);
      }
    }
  }

  void visit(mlir::func::FuncOp function, ManualAxes manual, const mlir::SymbolTable &symbols) {
    if (!visited.insert(function).second)
      return;
    if (auto names = function->getAttrOfType<mlir::ArrayAttr>(manualAxesAttrName)) {
      manual.clear();
      for (mlir::Attribute name : names)
        if (auto text = llvm::dyn_cast<mlir::StringAttr>(name))
          manual.push_back(text);
    }
    function->removeDiscardableAttr(manualAxesAttrName);
    functionManual[function] = manual;
    visit(function.getBody(), manual, symbols);
  }

  void visit(mlir::Region &region, const ManualAxes &manual, const mlir::SymbolTable &symbols) {
    for (mlir::Operation &op : region.getOps()) {
      if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
        if (auto callee = symbols.lookup<mlir::func::FuncOp>(call.getCallee()))
          called.push_back({callee, manual});
      // Of results that are in part inferred, those shardings are open, and pin nothing.
      bool isPinned =
          !llvm::isa_and_present<mlir::UnitAttr>(op.removeDiscardableAttr(inferredAttrName));
      op.removeDiscardableAttr(missingAttrName);
      op.removeDiscardableAttr(compositeRuleAttrName);
      bool isOurs = llvm::isa_and_present<sdy::SdyDialect>(op.getDialect()) &&
                    !op.hasTrait<mlir::OpTrait::IsTerminator>();
      if (isOurs || op.hasAttr(sdy::shardingName) || op.hasAttr(hintAttrName) ||
          op.hasAttr(sdy::shardingRuleName))
        found.push_back({&op, manual, isPinned});
      ManualAxes inner = manual;
      if (auto computation = llvm::dyn_cast<sdy::ManualComputationOp>(op))
        llvm::append_range(inner, computation.getManualAxes().getAxes());
      for (mlir::Region &each : op.getRegions())
        visit(each, inner, symbols);
    }
  }

  //===- Meshes ------------------------------------------------------------------===//

  /// Groups of collectives that name a mesh get the mesh itself.
  void inlineMeshes() {
    llvm::DenseMap<mlir::StringAttr, mlir::Attribute> inlined;
    for (auto mesh : module.getOps<sdy::MeshOp>())
      if (const Mesh &axes = mesh.getMeshAttr().getMesh(); !axes.axes().empty())
        inlined[mesh.getSymNameAttr()] = inlinedOf(axes);
    module.walk([&](mlir::Operation *op) {
      auto groups = llvm::dyn_cast_if_present<stablehlo::ReplicaGroupMeshAxesAttr>(
          op->getAttr("replica_groups"));
      auto symbol = groups ? llvm::dyn_cast<mlir::FlatSymbolRefAttr>(groups.getMesh())
                           : mlir::FlatSymbolRefAttr();
      if (mlir::Attribute mesh = symbol ? inlined.lookup(symbol.getAttr()) : mlir::Attribute())
        op->setAttr("replica_groups", stablehlo::ReplicaGroupMeshAxesAttr::get(
                                          module.getContext(), mesh, groups.getAxes()));
    });
  }

  mlir::Attribute inlinedOf(const Mesh &mesh) {
    mlir::Builder builder(module.getContext());
    llvm::SmallVector<stablehlo::MeshAxisAttr> axes;
    for (const MeshAxis &axis : mesh.axes())
      axes.push_back(stablehlo::MeshAxisAttr::get(module.getContext(),
                                                  builder.getStringAttr(axis.name), axis.size));
    mlir::DenseIntElementsAttr ids;
    if (!mesh.isIota())
      ids = builder.getI64TensorAttr(
          llvm::SmallVector<int64_t>(mesh.deviceIds().begin(), mesh.deviceIds().end()));
    return stablehlo::MeshAttr::get(module.getContext(), axes, ids);
  }

  /// Tiles speak of numbered devices: how many there are must be known without a mesh. In Shardy's
  /// form, the meshes go along.
  LogicalResult setNumPartitions() {
    if (mlir::failed(checkNumPartitions(module)))
      return mlir::failure();
    mlir::Builder builder(module.getContext());
    llvm::SmallVector<mlir::NamedAttribute> meshes;
    int64_t count = 1;
    for (auto mesh : module.getOps<sdy::MeshOp>()) {
      count = std::max(count, mesh.getMeshAttr().getMesh().numDevices());
      meshes.emplace_back(mesh.getSymNameAttr(), mesh.getMeshAttr());
    }
    if (count > 1 && !module->hasAttr("mhlo.num_partitions"))
      module->setAttr("mhlo.num_partitions",
                      builder.getI32IntegerAttr(static_cast<int32_t>(count)));
    if (form == ShardingForm::shardy && !meshes.empty())
      module->setAttr(frontendName,
                      withFrontend(module->getAttrOfType<mlir::DictionaryAttr>(frontendName),
                                   "xla.sdy.meshes", builder.getDictionaryAttr(meshes)));
    return mlir::success();
  }

  //===- Boundaries ----------------------------------------------------------------===//

  LogicalResult writeBoundary(mlir::func::FuncOp function) {
    bool ok = true;
    const ManualAxes &manual = functionManual[function];
    auto name = mlir::StringAttr::get(module.getContext(), sdy::shardingName);
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      auto sharding = function.getArgAttrOfType<sdy::ShardingAttr>(i, sdy::shardingName);
      function.removeArgAttr(i, name);
      for (llvm::StringRef each : {inferredAttrName, unevenAttrName, grownFromAttrName})
        function.removeArgAttr(i, each);
      if (!sharding)
        continue;
      if (form == ShardingForm::shardy)
        function.setArgAttr(
            i, frontendName,
            withFrontend(function.getArgAttrOfType<mlir::DictionaryAttr>(i, frontendName),
                         "xla.sdy.sharding", sharding));
      // What was partitioned lies as it says, open or not.
      else if (saysNothing(sharding) && !function.getArgAttr(i, globalTypeAttrName))
        continue;
      mlir::StringAttr text = calls.texts.textOf(function, sharding, manual);
      ok &= text != nullptr;
      if (text)
        function.setArgAttr(i, tilesName, text);
      calls.placed[function.getArgument(i)] = sharding;
    }
    for (unsigned i = 0; i < function.getNumResults(); ++i) {
      auto sharding = function.getResultAttrOfType<sdy::ShardingAttr>(i, sdy::shardingName);
      function.removeResultAttr(i, name);
      for (llvm::StringRef each : {inferredAttrName, unevenAttrName, grownFromAttrName})
        function.removeResultAttr(i, mlir::StringAttr::get(module.getContext(), each));
      if (!sharding)
        continue;
      if (form == ShardingForm::shardy)
        writeShardyResult(calls, function, i, sharding);
      else if (!saysNothing(sharding) || function.getResultAttr(i, globalTypeAttrName)) {
        mlir::StringAttr text = calls.texts.textOf(function, sharding, manual);
        ok &= text != nullptr;
        if (text)
          function.setResultAttr(i, tilesName, text);
      }
    }
    return mlir::success(ok);
  }

  //===- Ops -------------------------------------------------------------------------===//

  LogicalResult write(const Found &each) {
    auto [op, manual, isPinned] = each;
    mlir::OpBuilder builder(op);
    writeRule(op);
    if (auto constraint = llvm::dyn_cast<sdy::ShardingConstraintOp>(op))
      return writeConstraint(op, constraint.getSharding(), manual);
    if (auto reshard = llvm::dyn_cast<sdy::ReshardOp>(op))
      return writeConstraint(op, reshard.getSharding(), manual);
    if (auto collective = llvm::dyn_cast<sdy::CollectiveOpInterface>(op))
      return writeConstraint(op, op->getAttrOfType<sdy::ShardingAttr>("out_sharding"), manual);
    if (auto group = llvm::dyn_cast<sdy::ShardingGroupOp>(op))
      return writeGroup(group);
    if (auto computation = llvm::dyn_cast<sdy::ManualComputationOp>(op))
      return form == ShardingForm::shardy ? writeShardyComputation(calls, computation)
                                          : writeManualBorders(calls, computation, manual);
    if (auto constant = llvm::dyn_cast<sdy::ConstantOp>(op))
      return replace(op, stablehlo::ConstantOp::create(builder, op->getLoc(), constant.getValue()));
    if (auto barrier = llvm::dyn_cast<sdy::PropagationBarrierOp>(op))
      return writeBarrier(barrier);
    if (llvm::isa<sdy::DataFlowEdgeOp, sdy::FuncDataFlowEdgeOp>(op))
      return replace(op, op->getOperand(0));
    if (auto named = llvm::dyn_cast<sdy::NamedComputationOp>(op))
      return writeNamed(named);
    return writeOrdinary(op, manual, isPinned);
  }

  LogicalResult replace(mlir::Operation *op, mlir::Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
    return mlir::success();
  }

  LogicalResult writeBarrier(sdy::PropagationBarrierOp barrier) {
    mlir::OpBuilder builder(barrier);
    if (form == ShardingForm::shardy)
      return replace(barrier, writeShardyBarrier(builder, barrier));
    if (barrier.getAllowedDirection() == sdy::PropagationDirection::NONE) {
      barrier.emitWarning() << "'sdy.propagation_barrier' that stops both directions has no form "
                               "but form=shardy; left out";
      return replace(barrier, barrier.getInput());
    }
    bool isForward = barrier.getAllowedDirection() == sdy::PropagationDirection::FORWARD;
    auto call =
        CustomCallOp::create(builder, barrier.getLoc(), barrier.getType(), barrier.getInput());
    call.setCallTargetName(isForward ? "ShardBarrierTo" : "ShardBarrierFrom");
    call.setHasSideEffect(true);
    call.setBackendConfigAttr(builder.getStringAttr(""));
    return replace(barrier, call->getResult(0));
  }

  /// A constraint that nobody uses pins its operand: what uses that later uses the call.
  LogicalResult writeConstraint(mlir::Operation *op, sdy::ShardingAttr sharding,
                                const ManualAxes &manual) {
    mlir::OpBuilder builder(op);
    mlir::Value input = op->getOperand(0);
    mlir::Value made = calls.constrain(builder, op->getLoc(), input, sharding, manual);
    if (!made)
      return mlir::failure();
    if (form == ShardingForm::shardy)
      addShardySharding(made.getDefiningOp(), sharding);
    else if (op->use_empty())
      useLater(input, made);
    return replace(op, made);
  }

  /// Lets the ops behind `made`, in its block, use it in the place of `value`.
  static void useLater(mlir::Value value, mlir::Value made) {
    mlir::Operation *at = made.getDefiningOp();
    value.replaceUsesWithIf(made, [&](mlir::OpOperand &use) {
      mlir::Operation *user = at->getBlock()->findAncestorOpInBlock(*use.getOwner());
      return user && user != at && at->isBeforeInBlock(user);
    });
  }

  LogicalResult writeGroup(sdy::ShardingGroupOp group) {
    mlir::OpBuilder builder(group);
    mlir::Value input = group.getInput();
    if (form == ShardingForm::shardy) {
      writeShardyGroup(builder, group);
    } else {
      auto text =
          builder.getStringAttr("{unknown shard_as " + llvm::Twine(group.getGroupId()) + "}");
      useLater(input, ShardingCalls::make(builder, group.getLoc(), "Sharding", input,
                                          input.getType(), text, ""));
    }
    group.erase();
    return mlir::success();
  }

  /// Its body takes the place of the op.
  LogicalResult writeNamed(sdy::NamedComputationOp op) {
    mlir::Block &body = op.getBody().front();
    for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), op.getOperands()))
      argument.replaceAllUsesWith(operand);
    mlir::Operation *end = body.getTerminator();
    op->replaceAllUsesWith(end->getOperands());
    end->erase();
    op->getBlock()->getOperations().splice(op->getIterator(), body.getOperations());
    op->erase();
    return mlir::success();
  }

  /// Rules go along in any form: only Shardy knows them.
  void writeRule(mlir::Operation *op) {
    mlir::Attribute rule = op->removeDiscardableAttr(sdy::shardingRuleName);
    if (rule)
      op->setDiscardableAttr(frontendName,
                             withFrontend(op->getAttrOfType<mlir::DictionaryAttr>(frontendName),
                                          "xla.sdy.sharding_rule", rule));
  }

  /// What nobody asked for goes along as tiles alone, which are read as a hint. What somebody asked
  /// for is a constraint, too, but in Shardy's form, which tells the two apart.
  LogicalResult writeOrdinary(mlir::Operation *op, const ManualAxes &manual, bool isPinned) {
    auto hint = op->removeDiscardableAttr(hintAttrName);
    auto own = op->removeDiscardableAttr(sdy::shardingName);
    auto shardings = llvm::dyn_cast_if_present<sdy::ShardingPerValueAttr>(own ? own : hint);
    if (!shardings || shardings.size() == 0 || llvm::all_of(shardings.getShardings(), saysNothing))
      return mlir::success();
    isPinned &= own != nullptr;
    if (form == ShardingForm::shardy && isPinned)
      addShardyShardings(op, shardings);
    std::string all;
    for (sdy::ShardingAttr sharding : shardings.getShardings()) {
      mlir::StringAttr text = calls.texts.textOf(op, sharding, manual);
      if (!text)
        return mlir::failure();
      all += (all.empty() ? "" : ", ") + text.str();
    }
    op->setDiscardableAttr(
        tilesName,
        mlir::StringAttr::get(op->getContext(), shardings.size() == 1 ? all : "{" + all + "}"));
    if (form == ShardingForm::shardy || !isPinned)
      return mlir::success();
    return constrainResults(op, shardings, manual);
  }

  /// Whoever uses a result of `op` uses a constraint of it.
  LogicalResult constrainResults(mlir::Operation *op, sdy::ShardingPerValueAttr shardings,
                                 const ManualAxes &manual) {
    mlir::OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    for (auto [result, sharding] : llvm::zip(op->getResults(), shardings.getShardings())) {
      if (saysNothing(sharding) || !llvm::isa<mlir::RankedTensorType>(result.getType()))
        continue;
      mlir::Value made = calls.constrain(builder, op->getLoc(), result, sharding, manual);
      if (!made)
        return mlir::failure();
      result.replaceAllUsesExcept(made, made.getDefiningOp());
    }
    return mlir::success();
  }

  mlir::ModuleOp module;
  ShardingForm form;
  ShardingCalls calls;
  llvm::SmallVector<Found> found, called; ///< Ops; functions that are still to be visited.
  llvm::DenseSet<mlir::Operation *> visited;
  llvm::DenseMap<mlir::Operation *, ManualAxes> functionManual;
};

} // namespace
} // namespace export_shardings

mlir::LogicalResult exportShardings(mlir::ModuleOp module, ShardingForm form) {
  module.getContext()->getOrLoadDialect<stablehlo::StablehloDialect>();
  return export_shardings::Exporter(module, form).run();
}

} // namespace spmd
