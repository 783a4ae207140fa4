#include "spmd/passes/reshard/Resharder.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/passes/reshard/Choose.h"
#include "spmd/passes/reshard/WholeRegions.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

namespace {

/// Layouts by number: shardings with their wishes dropped, so that equal numbers mean lying alike.
class Layouts {
public:
  explicit Layouts(ShardingCodec &codec) : codec(codec) {}

  /// Returns the number of what `attr` says of a tensor of rank `rank`, or -1 after a diagnostic.
  int32_t of(sdy::ShardingAttr attr, int64_t rank) {
    auto [entry, isNew] = byAttr.try_emplace({attr, rank}, -1);
    if (!isNew)
      return entry->second;
    const MeshSharding *sharding = codec.decode(attr);
    std::optional<MeshSharding> onAxes = sharding ? codec.onAxes(*sharding, rank) : std::nullopt;
    if (!onAxes)
      return -1;
    return byAttr[{attr, rank}] = intern({onAxes->mesh, onAxes->sharding.layout()});
  }
  int32_t intern(const MeshSharding &layout) { return all.intern(layout); }
  int32_t replicated(int64_t rank) {
    return intern({codec.mainMesh(), Sharding::replicatedOf(rank)});
  }
  const MeshSharding &operator[](int32_t index) const { return all[index]; }
  sdy::ShardingAttr attr(int32_t index) { return codec.encode(all[index]); }

private:
  ShardingCodec &codec;
  Interned<MeshSharding> all;
  llvm::DenseMap<std::pair<mlir::Attribute, int64_t>, int32_t> byAttr;
};

class Resharder {
public:
  Resharder(mlir::ModuleOp module, const ReshardOptions &options)
      : module(module), options(options), codec(module), layouts(codec),
        costs([this](int32_t mesh) -> const Mesh & { return codec.mesh(mesh); }, CostModel{}),
        wholeRegions(module, [this](mlir::Value value, mlir::Operation *user) {
          mlir::RankedTensorType type = tensorTypeOf(value);
          return type ? bring(value, layouts.replicated(type.getRank()), user) : value;
        }) {}

  mlir::LogicalResult run() {
    if (codec.mainMesh() < 0)
      return mlir::success(); // A program for one device.
    for (auto func : llvm::to_vector(module.getOps<mlir::func::FuncOp>())) // Copies may be added.
      if (!func.isExternal())
        visitFunction(func);
    for (mlir::Operation *op : llvm::reverse(obsolete.getArrayRef()))
      op->erase();
    return mlir::failure(failed);
  }

private:
  //===- Walk ----------------------------------------------------------------===//

  void visitFunction(mlir::func::FuncOp func) {
    this->func = func;
    moved.clear();
    inserted.clear();
    for (mlir::BlockArgument argument : func.getArguments())
      if (tensorTypeOf(argument))
        declaredLayout(argument);
    for (mlir::Operation &op : llvm::make_early_inc_range(func.getBody().front()))
      visit(&op);
    composeChains();
    dropDeadFreeOps();
  }

  void visit(mlir::Operation *op) {
    if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op))
      return visitCall(call);
    if (op->hasTrait<mlir::OpTrait::ReturnLike>())
      return visitReturn(op);
    if (auto partitionable = llvm::dyn_cast<Partitionable>(op);
        partitionable && partitionable.isPlacement())
      return visitPlacement(op);
    if (llvm::isa<sdy::ShardingGroupOp>(op))
      return static_cast<void>(obsolete.insert(op)); // Said all it had to say in propagation.
    if (auto manual = llvm::dyn_cast<sdy::ManualComputationOp>(op))
      return visitManual(manual);
    if (llvm::none_of(op->getOperands(), isTensor) && llvm::none_of(op->getResults(), isTensor))
      return;
    if (mlir::Value buffer = bufferOf(op))
      return visitBufferOp(op, buffer);
    const Strategies *strategies = strategyCache.lookup(op);
    if (strategies && llvm::all_of(op->getOperands(), isTensor) &&
        llvm::all_of(op->getResults(), isTensor))
      return visitByRule(op, *strategies);
    visitWithoutRule(op);
  }

  static bool isTensor(mlir::Value value) { return tensorTypeOf(value) != nullptr; }
  static bool isBuffer(mlir::Value value) { return llvm::isa<BufferType>(value.getType()); }

  /// Returns the buffer that `op` makes, reads or writes; null for any other op.
  static mlir::Value bufferOf(mlir::Operation *op) {
    for (mlir::ValueRange values :
         {mlir::ValueRange(op->getOperands()), mlir::ValueRange(op->getResults())})
      for (mlir::Value value : values)
        if (isBuffer(value))
          return value;
    return nullptr;
  }

  /// A buffer stays as it lies: what goes into it and comes out lies alike.
  void visitBufferOp(mlir::Operation *op, mlir::Value buffer) {
    int32_t layout = declaredLayout(buffer);
    auto own = [&](mlir::Value value) { return isTensor(value) && !isBuffer(value) ? layout : -1; };
    Decision decision;
    for (mlir::Value operand : op->getOperands())
      decision.operands.push_back(own(operand));
    for (mlir::Value result : op->getResults())
      decision.results.push_back(own(result));
    apply(op, decision);
  }

  void visitByRule(mlir::Operation *op, const Strategies &strategies) {
    wholeRegions.bringCaptures(op);
    key.clear();
    for (mlir::Value operand : op->getOperands())
      key.push_back(heldLayout(operand) * 2 + isFree(operand));
    for (mlir::OpResult result : op->getResults())
      key.push_back(declaredLayout(result));
    if (llvm::any_of(key, [](int32_t layout) { return layout < 0; }))
      return;
    Decision &decision = decisions[{&strategies, key}];
    if (decision.operands.empty() && decision.results.empty())
      decision = decide(op, strategies);
    if (decision.operands.size() != op->getNumOperands() ||
        decision.results.size() != op->getNumResults()) {
      op->emitOpError("cannot be brought to one split: its operands and results lie on meshes "
                      "between which there "
                      "is no way");
      failed = true;
      return;
    }
    apply(op, decision);
  }

  /// Every operand comes to what the callee's argument says, results come out as the callee's.
  void visitCall(mlir::CallOpInterface call) {
    auto callee =
        llvm::dyn_cast_if_present<mlir::func::FuncOp>(call.resolveCallableInTable(&symbols));
    if (!callee || callee.isExternal())
      return visitWithoutRule(call);
    Decision decision;
    for (mlir::OpOperand &operand : call->getOpOperands()) {
      ValueSharding wanted = shardingOf(callee.getArgument(operand.getOperandNumber()));
      decision.operands.push_back(isTensor(operand.get()) ? layoutOr(wanted, operand.get()) : -1);
      if (isBuffer(operand.get()))
        lend(operand, std::exchange(decision.operands.back(), -1));
    }
    for (mlir::OpResult result : call->getResults())
      decision.results.push_back(
          isTensor(result) ? layoutOr(shardingOfResult(callee, result.getResultNumber()), result)
                           : -1);
    apply(call, decision);
  }

  /// A callee that wants a buffer to lie otherwise gets one of its own, which is copied back after
  /// the call.
  void lend(mlir::OpOperand &operand, int32_t wanted) {
    mlir::Operation *call = operand.getOwner();
    mlir::Value buffer = operand.get();
    int32_t held = declaredLayout(buffer);
    if (held == wanted || held < 0 || wanted < 0)
      return;
    mlir::OpBuilder builder(call);
    auto copy = [&](mlir::Value from, mlir::Value to, int32_t layout, int32_t target) {
      auto load = LoadOp::create(builder, call->getLoc(), from);
      setShardings(load, {{layouts.attr(layout), ShardingState::inferred}});
      auto reshard = sdy::ReshardOp::create(builder, call->getLoc(), load, layouts.attr(target));
      StoreOp::create(builder, call->getLoc(), reshard, to);
    };
    auto lent = AllocOp::create(builder, call->getLoc(), buffer.getType());
    setShardings(lent, {{layouts.attr(wanted), ShardingState::inferred}});
    copy(buffer, lent, held, wanted);
    operand.set(lent);
    builder.setInsertionPointAfter(call);
    copy(lent, buffer, wanted, held);
  }

  void visitReturn(mlir::Operation *op) {
    Decision decision;
    for (mlir::OpOperand &operand : op->getOpOperands())
      decision.operands.push_back(
          isTensor(operand.get())
              ? layoutOr(shardingOfResult(func, operand.getOperandNumber()), operand.get())
              : -1);
    apply(op, decision);
  }

  void visitPlacement(mlir::Operation *op) {
    int32_t held = heldLayout(op->getOperand(0)), wanted = declaredLayout(op->getResult(0));
    if (held < 0 || wanted < 0)
      return;
    mlir::Value value = bring(op->getOperand(0), wanted, op);
    op->getResult(0).replaceAllUsesWith(value);
    obsolete.insert(op);
  }

  /// Operands come to the shardings that the region is written for. Inside, shapes are local
  /// already; nothing is left to the compiler there.
  void visitManual(sdy::ManualComputationOp op) {
    auto isManual = [&](sdy::ShardingAttr sharding) {
      return llvm::all_of(sharding.getSpec().dims, [&](const DimSpec &dim) {
        return llvm::all_of(
            dim.axes, [&](const AxisSpec &axis) { return op.getManualAxes().contains(axis.name); });
      });
    };
    bool isAllManual = llvm::all_of(op.getInShardings().getShardings(), isManual) &&
                       llvm::all_of(op.getOutShardings().getShardings(), isManual);
    op.getBody().walk([&](mlir::Operation *inner) {
      for (mlir::Value result : inner->getResults())
        if (ValueSharding sharding = shardingOf(result))
          isAllManual &= llvm::all_of(sharding.attr.getSpec().dims,
                                      [](const DimSpec &dim) { return dim.axes.empty(); });
    });
    if (!isAllManual) {
      op.emitOpError("leaves axes to the compiler inside; only regions that are manual over all "
                     "their axes can be "
                     "partitioned");
      failed = true;
      return;
    }
    Decision decision;
    for (sdy::ShardingAttr sharding : op.getInShardings().getShardings())
      decision.operands.push_back(check(layouts.of(sharding, sharding.getSpec().dims.size())));
    for (sdy::ShardingAttr sharding : op.getOutShardings().getShardings())
      decision.results.push_back(check(layouts.of(sharding, sharding.getSpec().dims.size())));
    apply(op, decision);
  }

  /// The op runs whole on every device.
  void visitWithoutRule(mlir::Operation *op) {
    mlir::InFlightDiagnostic diagnostic =
        options.onNoRule == OnNoRule::error
            ? op->emitOpError("has no sharding rule; register one or set on-no-rule=replicate")
            : op->emitWarning() << "'" << op->getName()
                                << "' op has no sharding rule; every device runs it whole";
    for (mlir::OpOperand &operand : op->getOpOperands())
      if (ValueSharding sharding = shardingOf(operand.get()))
        diagnostic.attachNote(op->getLoc()) << "operand " << operand.getOperandNumber()
                                            << " has sharding " << sharding.attr.getSpec().str();
    failed |= options.onNoRule == OnNoRule::error;
    wholeRegions.makeWhole(op);
    Decision decision;
    auto whole = [&](mlir::Value value) {
      mlir::RankedTensorType type = tensorTypeOf(value);
      return type ? layouts.replicated(type.getRank()) : -1;
    };
    for (mlir::Value operand : op->getOperands())
      decision.operands.push_back(whole(operand));
    for (mlir::Value result : op->getResults())
      decision.results.push_back(whole(result));
    apply(op, decision);
  }

  //===- Layouts of values ---------------------------------------------------===//

  /// How `value` should lie, as propagation says; reports a value without a sharding.
  int32_t declaredLayout(mlir::Value value) {
    ValueSharding sharding = shardingOf(value);
    if (sharding)
      return check(layouts.of(sharding.attr, tensorTypeOf(value).getRank()));
    int64_t rank = tensorTypeOf(value).getRank();
    if (rank > 0 && reported.insert(value).second) {
      bool isError = options.onMissing == OnMissing::error;
      (isError ? mlir::emitError(value.getLoc()) : mlir::emitWarning(value.getLoc()))
          << describeValue(value) << " has no sharding; "
          << (isError ? "annotate it or set on-missing=replicate"
                      : "every device holds it whole; annotate it to split it");
      failed |= isError;
    }
    return layouts.replicated(rank);
  }

  /// How `value` lies where it is made: operands of earlier reshards keep their own layout.
  int32_t heldLayout(mlir::Value value) { return declaredLayout(value); }

  int32_t layoutOr(ValueSharding sharding, mlir::Value otherwise) {
    return sharding ? check(layouts.of(sharding.attr, tensorTypeOf(otherwise).getRank()))
                    : declaredLayout(otherwise);
  }

  int32_t check(int32_t layout) {
    failed |= layout < 0;
    return layout;
  }

  /// Made of nothing but scalars, so as well made anew. A move of a scalar is a move.
  static bool isFree(mlir::Value value) {
    mlir::Operation *op = value.getDefiningOp();
    auto partitionable = llvm::dyn_cast_if_present<Partitionable>(op);
    return partitionable && !partitionable.isPlacement() && op->getNumResults() == 1 &&
           op->getNumRegions() == 0 && mlir::isPure(op) &&
           llvm::all_of(op->getOperands(), [](mlir::Value operand) {
             mlir::RankedTensorType type = tensorTypeOf(operand);
             return type && type.getRank() == 0;
           });
  }

  //===- Decisions -----------------------------------------------------------===//

  /// The layout that each operand must have, and that each result comes out with; -1 for no tensor.
  struct Decision {
    llvm::SmallVector<int32_t, 3> operands;
    llvm::SmallVector<int32_t, 1> results;
  };

  Decision decide(mlir::Operation *op, const Strategies &strategies) {
    std::vector<TensorSituation> operands, results;
    auto situation = [&](mlir::Value value, int32_t layout, bool isFree) {
      mlir::RankedTensorType type = tensorTypeOf(value);
      return TensorSituation{absl::MakeConstSpan(type.getShape().data(), type.getRank()),
                             elementBits(type.getElementType()), &layouts[layout], isFree};
    };
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      operands.push_back(situation(operand, key[i] / 2, key[i] % 2));
    for (mlir::OpResult result : op->getResults())
      results.push_back(
          situation(result, key[op->getNumOperands() + result.getResultNumber()], false));
    Choice choice = choose(strategies, operands, results, costs);
    Decision decision;
    for (const MeshSharding &operand : choice.operands)
      decision.operands.push_back(layouts.intern(operand));
    for (const MeshSharding &result : choice.results)
      decision.results.push_back(layouts.intern(result));
    return decision;
  }

  void apply(mlir::Operation *op, const Decision &decision) {
    for (mlir::OpOperand &operand : op->getOpOperands())
      if (int32_t wanted = decision.operands[operand.getOperandNumber()]; wanted >= 0)
        operand.set(bring(operand.get(), wanted, op));
    bool differs = false;
    llvm::SmallVector<ValueSharding, 1> shardings;
    llvm::SmallVector<int32_t, 1> declared;
    for (auto [result, produced] : llvm::zip(op->getResults(), decision.results)) {
      declared.push_back(produced < 0 ? -1 : declaredLayout(result));
      differs |= declared.back() != produced;
    }
    if (!differs)
      return;
    for (auto [result, produced] : llvm::zip(op->getResults(), decision.results))
      if (produced >= 0)
        shardings.push_back({layouts.attr(produced), ShardingState::inferred});
    if (shardings.size() == op->getNumResults())
      setShardings(op, shardings);
    mlir::OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    for (auto [result, produced, wanted] :
         llvm::zip(op->getResults(), decision.results, declared)) {
      if (produced == wanted)
        continue;
      auto reshard = sdy::ReshardOp::create(builder, op->getLoc(), result, layouts.attr(wanted));
      result.replaceAllUsesExcept(reshard, reshard);
      inserted.push_back(reshard);
    }
  }

  /// Returns `value` with layout `wanted`, usable at `user`; the same for all who want it so.
  mlir::Value bring(mlir::Value value, int32_t wanted, mlir::Operation *user) {
    int32_t held = heldLayout(value);
    if (held == wanted || held < 0)
      return value;
    mlir::Value &entry = moved[{value, wanted}];
    if (entry)
      return entry;
    mlir::OpBuilder builder(user);
    // A value made anew is the same everywhere, so it is no share of a partial result.
    if (isFree(value) && layouts[wanted].sharding.unreduced.empty()) {
      builder.setInsertionPointAfter(value.getDefiningOp());
      mlir::Operation *clone = builder.clone(*value.getDefiningOp());
      setShardings(clone, {{layouts.attr(wanted), ShardingState::inferred}});
      return entry = clone->getResult(0);
    }
    auto reshard = sdy::ReshardOp::create(builder, user->getLoc(), value, layouts.attr(wanted));
    inserted.push_back(reshard);
    return entry = reshard.getResult();
  }

  //===- Cleaning up ---------------------------------------------------------===//

  /// a -> b -> c becomes a -> c where nobody else wants b and the way is no longer.
  void composeChains() {
    for (sdy::ReshardOp second : inserted) {
      auto first = second.getInput().getDefiningOp<sdy::ReshardOp>();
      if (!first || !first->hasOneUse())
        continue;
      int32_t a = declaredLayout(first.getInput()), b = declaredLayout(first.getResult()),
              c = declaredLayout(second.getResult());
      mlir::RankedTensorType type = tensorTypeOf(second.getInput());
      auto cost = [&](int32_t from, int32_t to) {
        return costs.cost(layouts[from], layouts[to],
                          absl::MakeConstSpan(type.getShape().data(), type.getRank()),
                          elementBits(type.getElementType()));
      };
      if (cost(a, c) > cost(a, b) + cost(b, c))
        continue;
      second.getInputMutable().set(first.getInput());
      obsolete.insert(first);
      if (a == c) {
        second.getResult().replaceAllUsesWith(first.getInput());
        obsolete.insert(second);
      }
    }
  }

  void dropDeadFreeOps() {
    for (mlir::Operation &op : llvm::make_early_inc_range(llvm::reverse(func.getBody().front())))
      if (op.getNumResults() == 1 && op.use_empty() && isFree(op.getResult(0)))
        obsolete.insert(&op);
  }

  mlir::ModuleOp module;
  mlir::SymbolTableCollection symbols;
  ReshardOptions options;
  ShardingCodec codec;
  Layouts layouts;
  ReshardCosts costs;
  WholeRegions wholeRegions;
  StrategyCache strategyCache;
  mlir::func::FuncOp func;
  bool failed = false;
  llvm::DenseSet<mlir::Value> reported;
  std::vector<int32_t> key;
  absl::flat_hash_map<std::pair<const Strategies *, std::vector<int32_t>>, Decision> decisions;
  llvm::DenseMap<std::pair<mlir::Value, int32_t>, mlir::Value> moved;
  std::vector<sdy::ReshardOp> inserted;
  llvm::SetVector<mlir::Operation *> obsolete; ///< Erased last, since caches refer to ops.
};

} // namespace

mlir::LogicalResult reshardModule(mlir::ModuleOp module, const ReshardOptions &options) {
  return Resharder(module, options).run();
}

} // namespace spmd
