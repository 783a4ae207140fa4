#include "spmd/passes/partition/Partitioner.h"

#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/spmd/Causes.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Donation.h"
#include "spmd/dialect/spmd/NumPartitions.h"
#include "spmd/passes/partition/EmitPlan.h"
#include "spmd/passes/partition/OneDevice.h"
#include "spmd/passes/reshard/Missing.h"

#include <map>

namespace spmd {

namespace {

class Partitioner {
public:
  Partitioner(ModuleSituation &situation, OnMissing onMissing)
      : situation(situation), module(situation.module), onMissing(onMissing),
        codec(situation.codec), layouts(situation.layouts), mainMesh(codec.mainMesh()) {}

  mlir::LogicalResult run() {
    if (mainMesh < 0) {
      partitionForOneDevice(module);
      return mlir::success();
    }
    if (mlir::failed(checkNumPartitions(module)) || mlir::failed(checkSingleBlocks(module)) ||
        mlir::failed(checkShardings()))
      return mlir::failure();
    for (const FunctionSituation &function : situation.functions)
      rewrite(function);
    dropUncalledFunctions();
    mlir::Builder builder(module.getContext());
    module->removeAttr(prioritiesServedAttrName);
    module->setAttr(numPartitionsName,
                    builder.getI32IntegerAttr(codec.mesh(mainMesh).numDevices()));
    if (!module->hasAttr("mhlo.num_replicas"))
      module->setAttr("mhlo.num_replicas", builder.getI32IntegerAttr(1));
    return mlir::failure(failed || collectives.hasFailed());
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

  /// Fails if a value has no sharding, and may not do without, or none that its mesh knows.
  mlir::LogicalResult checkShardings() {
    if (layouts.isAnyMissing()) {
      if (mlir::failed(fillMissing(module, codec, onMissing)))
        return mlir::failure();
      situation.gather();
    }
    return mlir::failure(layouts.hasFailed());
  }

  void rewrite(const FunctionSituation &function) {
    Positions positions(function.func, function.hasShortDims);
    masked.clear();
    localizeSignature(function.func);
    for (const OpSituation &each : function.ops) {
      if (each.kind == OpSituation::Kind::entry)
        localizeArguments(each);
      else if (each.kind == OpSituation::Kind::move)
        emitReshard(each, positions);
      else
        rewriteOp(each, positions);
    }
    function.func->removeDiscardableAttr(manualAxesAttrName);
  }

  void localizeArguments(const OpSituation &entry) {
    size_t next = entry.firstTensor;
    for (mlir::Region &region : entry.op->getRegions())
      for (mlir::BlockArgument argument : region.getArguments())
        if (const Tensor &tensor = situation.tensors[next++]; tensor.type)
          argument.setType(
              withTensorType(argument.getType(), localTypeOf(tensor.type, *tensor.sharding)));
  }

  void rewriteOp(const OpSituation &each, Positions &positions) {
    mlir::Operation *op = each.op;
    auto around = llvm::ArrayRef(situation.tensors)
                      .slice(each.firstTensor, op->getNumOperands() + op->getNumResults());
    auto operands = around.take_front(op->getNumOperands()),
         results = around.take_back(op->getNumResults());
    int32_t mesh = meshOf(results);
    dropGlobalAttributes(op);
    if (each.hasRule && !each.split) {
      ModuleSituation::reportNoSplit(op, "; run spmd-reshard first");
      failed = true;
    }
    const Split *split = each.split ? each.split : &noSplit;
    Localizer localizer(op, codec.mesh(mesh), codec.meshAttr(mesh), positions, collectives,
                        localTypes, split->strategy, split->factorAxes, operands, results);
    if (localizer.strategy)
      maskOperands(localizer);
    collectives.startOp(op->getName());
    bool isFlow = op->getNumRegions() > 0 && llvm::isa<DataFlow>(op);
    Partitionable partitionable = each.partitionable;
    if (partitionable && (localizer.strategy || isFlow))
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

  /// The mesh that the op's results lie on.
  int32_t meshOf(llvm::ArrayRef<Tensor> results) const {
    if (codec.numMeshes() > 1)
      for (const Tensor &result : results)
        if (int32_t mesh = result.type ? layouts.meshOf(result.sharding, -1) : -1; mesh >= 0)
          return mesh;
    return mainMesh;
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
      mlir::Value &filled = masked[{operand.getAsOpaquePointer(),
                                    op->getBlock(),
                                    tensor.type.getAsOpaquePointer(),
                                    tensor.sharding,
                                    {dims.begin(), dims.end()},
                                    need.fill}];
      if (!filled)
        filled = maskPadding(localizer.builder, op->getLoc(), localizer.positions, localizer.mesh,
                             operand, *tensor.sharding, tensor.type.getShape(), dims, need.fill);
      op->setOperand(need.operand, filled);
    }
  }

  void emitReshard(const OpSituation &each, Positions &positions) {
    mlir::Operation *op = each.op;
    const Tensor &input = situation.tensors[each.firstTensor];
    const Sharding *to = situation.tensors[each.firstTensor + 1].sharding;
    // What is no tensor lies nowhere; what is whole is so on every mesh, also where axes are
    // manual.
    if (!input.type || (input.sharding->isFullyReplicated() && to->isFullyReplicated())) {
      op->replaceAllUsesWith(op->getOperands());
      return op->erase();
    }
    std::optional<Move> move = moveOf(op, input, to);
    if (!move) {
      failed = true;
      return;
    }
    mlir::OpBuilder builder(op);
    PlanEmitter emitter{builder,     placeOf(op, *move, input, to),  positions,
                        collectives, codec.meshAttr(move->fromMesh), codec.meshAttr(move->toMesh)};
    mlir::Value moved = emitter.emit(*move->plan, op->getOperand(0));
    op->getResult(0).replaceAllUsesWith(moved);
    op->erase();
  }

  /// How a value gets from one layout to another.
  struct Move {
    const Plan *plan;
    int32_t fromMesh, toMesh;
  };

  /// Reports what cannot be moved so. Moves alike are planned once, unless axes are manual there.
  std::optional<Move> moveOf(mlir::Operation *op, const Tensor &input, const Sharding *to) {
    llvm::ArrayRef<llvm::StringRef> manual = manualAxesAround(op);
    Move *known = nullptr;
    if (manual.empty()) {
      known = &moves[{input.sharding, to, input.type.getAsOpaquePointer()}];
      if (known->plan)
        return *known;
    }
    int32_t toMesh = layouts.meshOf(to, 0), fromMesh = layouts.meshOf(input.sharding, toMesh);
    if (input.sharding->isFullyReplicated()) // It is so on every mesh.
      fromMesh = toMesh;
    else if (to->isFullyReplicated())
      toMesh = fromMesh;
    mlir::FailureOr<AxisList> held = axesNamed(manual, op, codec.mesh(fromMesh));
    if (mlir::failed(held))
      return std::nullopt;
    absl::StatusOr<const Plan *> plan =
        plans.plan({&codec.mesh(fromMesh), *input.sharding}, {&codec.mesh(toMesh), *to},
                   absl::MakeConstSpan(input.type.getShape().data(), input.type.getRank()),
                   std::max(1, elementBits(input.type.getElementType()) / 8), *held);
    if (!plan.ok()) {
      op->emitOpError() << std::string(plan.status().message());
      return std::nullopt;
    }
    Move move{*plan, fromMesh, toMesh};
    if (known)
      *known = move;
    return move;
  }

  /// Returns the location of a move with how the value lies and is wanted.
  mlir::Location placeOf(mlir::Operation *op, const Move &move, const Tensor &input,
                         const Sharding *to) {
    mlir::DictionaryAttr reason = reasonOf(op->getLoc());
    mlir::DictionaryAttr &known =
        reasons[{reason.getAsOpaquePointer(), input.sharding, to, input.type.getAsOpaquePointer()}];
    if (!known) {
      mlir::DictionaryAttr own = reason;
      if (!own) // One that the program itself has.
        own = reasonAttr(op->getContext(), "'" + op->getName().getStringRef() + "'");
      known = withLayouts(own, codec.encode({move.fromMesh, *input.sharding}),
                          shardingOf(op->getResult(0)).attr, input.type);
    }
    return known == reason ? op->getLoc() : withReason(op->getLoc(), known);
  }

  /// The names of the axes along which values at `op` are each device's own.
  llvm::ArrayRef<llvm::StringRef> manualAxesAround(mlir::Operation *op) {
    auto [known, isNew] = manualAxes.try_emplace(op->getParentOp());
    if (isNew)
      known->second = manualAxesInside(op->getParentOp());
    return known->second;
  }

  /// Returns the axes with `names`; reports a move on a mesh that has not all of them.
  static mlir::FailureOr<AxisList> axesNamed(llvm::ArrayRef<llvm::StringRef> names,
                                             mlir::Operation *op, const Mesh &mesh) {
    AxisList axes;
    for (llvm::StringRef name : names) {
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

  void localizeSignature(mlir::func::FuncOp func) {
    llvm::SmallVector<mlir::Type> inputs, outputs;
    llvm::SmallVector<mlir::DictionaryAttr> ofInputs, ofOutputs;
    bool isBoundary = func.isPublic() || func.getSymName() == "main";
    for (mlir::BlockArgument argument : func.getArguments()) {
      mlir::DictionaryAttr all = func.getArgAttrDict(argument.getArgNumber());
      Tensor tensor = layouts.tensorOf(argument);
      if (tensor.type)
        argument.setType(
            withTensorType(argument.getType(), localTypeOf(tensor.type, *tensor.sharding)));
      ofInputs.push_back(boundaryOf(all, tensor.type, isBoundary));
      inputs.push_back(argument.getType());
    }
    for (unsigned i = 0; i < func.getNumResults(); ++i) {
      mlir::Type type = func.getFunctionType().getResult(i);
      mlir::RankedTensorType tensor = tensorTypeOf(type);
      if (tensor)
        type = withTensorType(
            type, localTypeOf(tensor,
                              *layouts.layoutOf(shardingOfResult(func, i).attr, tensor.getRank())));
      ofOutputs.push_back(boundaryOf(func.getResultAttrDict(i), tensor, isBoundary));
      outputs.push_back(type);
    }
    func.setFunctionType(mlir::FunctionType::get(func.getContext(), inputs, outputs));
    for (unsigned i = 0; i < inputs.size(); ++i)
      keepDonation(func, i, inputs, outputs, ofInputs[i]);
    func.setAllArgAttrs(ofInputs);
    func.setAllResultAttrs(ofOutputs);
  }

  /// Returns what a function says of its part of a tensor of the global type `type`, which may be
  /// null, if it said `all` of the whole; those alike are written once.
  mlir::DictionaryAttr boundaryOf(mlir::DictionaryAttr all, mlir::RankedTensorType type,
                                  bool isBoundary) {
    mlir::DictionaryAttr &known = boundaries[{all.getAsOpaquePointer(), type.getAsOpaquePointer(),
                                              static_cast<int>(isBoundary)}];
    if (known)
      return known;
    mlir::NamedAttrList attributes(all);
    if (type) {
      for (llvm::StringRef name : boundaryNoteNames)
        attributes.erase(name);
      if (isBoundary)
        attributes.set(globalTypeAttrName, mlir::TypeAttr::get(type));
      else
        attributes.erase(shardingAttrName);
    }
    return known = attributes.getDictionary(module.getContext());
  }

  /// Returns `[{"x"}, {}]`.
  static std::string lieText(ValueSharding sharding) {
    return sharding ? sharding.attr.getSpec().str() : "whole on every device";
  }

  /// An argument can only be reused for a result of the same local type.
  static void keepDonation(mlir::func::FuncOp func, unsigned argument,
                           llvm::ArrayRef<mlir::Type> inputs, llvm::ArrayRef<mlir::Type> outputs,
                           mlir::DictionaryAttr &attributes) {
    auto result = llvm::dyn_cast_if_present<mlir::IntegerAttr>(attributes.get(donationName));
    if (!result || result.getInt() < 0 || result.getInt() >= static_cast<int64_t>(outputs.size()) ||
        tensorTypeOf(inputs[argument]) == tensorTypeOf(outputs[result.getInt()]))
      return;
    mlir::NamedAttrList kept(attributes);
    kept.erase(donationName);
    attributes = kept.getDictionary(func.getContext());
    if (attributes.get(donorName))
      return; // It offers its buffer, and nobody asked for a certain result.
    mlir::InFlightDiagnostic warning = mlir::emitWarning(func.getArgument(argument).getLoc());
    warning << "argument " << argument << " of @" << func.getSymName() << " is donated to result "
            << result.getInt() << ", but one device's part is " << inputs[argument]
            << " of one and " << outputs[result.getInt()]
            << " of the other; the donation is dropped";
    if (!func.isExternal())
      warning.attachNote(func.getBody().back().getTerminator()->getLoc())
          << "result " << result.getInt() << " is returned here and lies as "
          << lieText(shardingOfResult(func, result.getInt())) << ", the argument as "
          << lieText(shardingOf(func.getArgument(argument)))
          << "; the memory is reused where both lie alike";
  }

  ModuleSituation &situation;
  mlir::ModuleOp module;
  OnMissing onMissing;
  ShardingCodec &codec;
  ValueLayouts &layouts;
  int32_t mainMesh;
  const Split noSplit;
  llvm::DenseMap<mlir::Attribute, mlir::DictionaryAttr> localAttributes;
  PlanCache plans;
  CollectiveBuilder collectives;
  LocalTypes localTypes;
  /// Where no axes are manual, by the two layouts and the type.
  llvm::DenseMap<std::tuple<const void *, const void *, const void *>, Move> moves;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<llvm::StringRef>> manualAxes;
  /// Values of the current function with their padding filled, by value, block, global type and
  /// sharding, of which one local value may have several, dims and fill.
  std::map<std::tuple<const void *, mlir::Block *, const void *, const Sharding *,
                      std::vector<int64_t>, FillValue>,
           mlir::Value>
      masked;
  /// What moves say of themselves, by the reason that the stage before gave, the two layouts and
  /// the type.
  llvm::DenseMap<std::tuple<const void *, const void *, const void *, const void *>,
                 mlir::DictionaryAttr>
      reasons;
  /// What functions say of parts, by what they said of the whole, its type, and whether they may
  /// be called from outside.
  llvm::DenseMap<std::tuple<const void *, const void *, int>, mlir::DictionaryAttr> boundaries;
  bool failed = false;
};

} // namespace

mlir::LogicalResult partitionModule(ModuleSituation &situation, OnMissing onMissing) {
  return Partitioner(situation, onMissing).run();
}

} // namespace spmd
