// The pass `spmd-expand-composites`: from ops that a function defines, and a user's rule splits, to
// calls.
//
// By now the rule has had its say. What a composite takes and gives is split by one split of it;
// the function is cloned with just these shardings at its borders, each clone is propagated by
// itself, as a program of its own, and what the composite was becomes a call. So the rule decides
// how the op meets the program around it, and what is inside is partitioned like any other code: a
// rule that promises too much costs moves in there, and no wrong number.

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/sdy/GroupCopies.h"
#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/CompositeRule.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/rules/AllSplits.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/legalize/Legalize.h"
#include "spmd/passes/propagate/Flags.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <map>
#include <set>

namespace spmd {

#define GEN_PASS_DEF_EXPANDCOMPOSITESPASS
#include "spmd/passes/Passes.h.inc"

namespace {

using mlir::func::FuncOp;
using stablehlo::CompositeOp;

/// Removes what an earlier propagation found in a copy of a function.
void forgetInferred(FuncOp func) {
  BoundaryAttributes boundary(func);
  auto forget = [](mlir::NamedAttrList &attributes) {
    if (attributes.erase(inferredAttrName))
      attributes.erase(shardingAttrName);
    attributes.erase(missingAttrName);
  };
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    forget(boundary.ofArgument(i));
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    forget(boundary.ofResult(i));
  boundary.write();
  func->removeDiscardableAttr(manualAxesAttrName);
  func->walk([](mlir::Operation *op) {
    op->removeDiscardableAttr(missingAttrName);
    if (holdsSharding(op) || !op->hasAttr(inferredAttrName))
      return;
    llvm::SmallVector<ValueSharding> pins;
    for (mlir::Value result : op->getResults())
      pins.push_back(pinOf(result));
    removeSharding(op);
    if (llvm::any_of(pins, [](const ValueSharding &pin) { return static_cast<bool>(pin); }))
      setShardings(op, pins);
  });
}

/// What an op takes another function for: the callee, or what a composite with a rule decomposes
/// into.
llvm::StringRef functionNamedBy(mlir::Operation *op, mlir::SymbolTableCollection &tables) {
  if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
    return call.getCallee();
  auto composite = llvm::dyn_cast<CompositeOp>(op);
  return composite && legalize::isSplitByRule(composite, tables) ? composite.getDecomposition()
                                                                 : "";
}

/// Reports the composites that come to be needed for themselves.
mlir::LogicalResult checkRecursion(mlir::ModuleOp module) {
  struct Node {
    FuncOp func;
    std::vector<std::pair<mlir::Operation *, int32_t>> uses;
    std::vector<int32_t> users;
    size_t numUses = 0; ///< Of functions that may run in circles.
  };
  mlir::SymbolTableCollection tables;
  std::vector<Node> nodes;
  llvm::StringMap<int32_t> numbers;
  for (auto func : module.getOps<FuncOp>()) {
    numbers[func.getSymName()] = static_cast<int32_t>(nodes.size());
    nodes.push_back({func, {}, {}});
  }
  for (auto [number, node] : llvm::enumerate(nodes))
    node.func.walk([&, number = static_cast<int32_t>(number)](mlir::Operation *op) {
      auto used = numbers.find(functionNamedBy(op, tables));
      if (used == numbers.end())
        return;
      nodes[number].uses.emplace_back(op, used->second);
      nodes[used->second].users.push_back(number);
    });
  std::vector<int32_t> done;
  for (auto [number, node] : llvm::enumerate(nodes))
    if ((node.numUses = node.uses.size()) == 0)
      done.push_back(static_cast<int32_t>(number));
  for (size_t i = 0; i < done.size(); ++i)
    for (int32_t user : nodes[done[i]].users)
      if (--nodes[user].numUses == 0)
        done.push_back(user);
  for (const Node &node : nodes)
    for (auto [op, used] : node.uses)
      if (node.numUses > 0 && nodes[used].numUses > 0 && llvm::isa<CompositeOp>(op))
        return op->emitOpError() << "is made of @" << nodes[used].func.getSymName()
                                 << ", which comes back to itself; recursion has no sharding";
  return mlir::success();
}

class Expander {
public:
  explicit Expander(mlir::ModuleOp module)
      : module(module), symbols(tables.getSymbolTable(module)), codec(module), groups(module),
        meshes(module.getOps<sdy::MeshOp>()) {}

  /// Returns the composites that have rules, where something runs.
  llvm::SmallVector<CompositeOp> find() { return findIn(findRun()); }

  /// Makes composites the calls of functions, of which some may be new.
  void expand(llvm::ArrayRef<CompositeOp> composites) {
    for (CompositeOp op : composites)
      expand(op);
    helpers.clear(); // They are propagated for those that call them now.
  }

  /// Takes the functions that are to be propagated into a module of their own, at the end of the
  /// program's. What their composites are made of is only named there.
  mlir::ModuleOp separate() {
    mlir::OpBuilder builder(module.getBodyRegion());
    builder.setInsertionPointToEnd(module.getBody());
    auto apart = mlir::ModuleOp::create(builder, module.getLoc());
    for (sdy::MeshOp mesh : meshes)
      apart.push_back(mesh->clone());
    llvm::SetVector<FuncOp> named;
    for (FuncOp func : clones) {
      func.walk([&](CompositeOp op) {
        if (auto callee = symbols.lookup<FuncOp>(op.getDecomposition()))
          named.insert(callee);
      });
      symbols.remove(func);
      func->moveBefore(apart.getBody(), apart.getBody()->end());
      if (entries.contains(func))
        func.setPublic(); // Nobody calls it there.
    }
    clones.clear();
    builder.setInsertionPointToEnd(apart.getBody());
    for (FuncOp func : named)
      FuncOp::create(builder, func.getLoc(), func.getSymName(), func.getFunctionType())
          .setPrivate();
    return apart;
  }

  /// Puts all functions of `apart` back, those that propagation has made too, and returns the
  /// composites with rules in there.
  llvm::SmallVector<CompositeOp> join(mlir::ModuleOp apart) {
    if (apart->hasAttr(prioritiesServedAttrName))
      module->setAttr(prioritiesServedAttrName, mlir::UnitAttr::get(module.getContext()));
    for (FuncOp func : llvm::to_vector(apart.getOps<FuncOp>()))
      if (func.isExternal())
        func.erase();
    groups.renumber(apart);
    mlir::SymbolTable inner(apart);
    auto functions = llvm::to_vector(apart.getOps<FuncOp>());
    for (FuncOp func : functions) {
      if (!entries.contains(func) && symbols.lookup(func.getSymName()))
        (void)inner.renameToUnique(func, {&symbols});
      func.setPrivate();
    }
    for (FuncOp func : functions) {
      func->remove();
      symbols.insert(func, mlir::Block::iterator(apart));
    }
    apart.erase();
    return findIn(functions);
  }

  /// Erases the originals that nobody names any more, or only such. Linear.
  void eraseUnused() {
    auto isCandidate = [&](FuncOp func) { return replaced.contains(func) && func.isPrivate(); };
    llvm::DenseSet<mlir::StringAttr> named;
    llvm::SmallVector<FuncOp> queue;
    auto addNamesIn = [&](mlir::Operation *op) {
      for (mlir::StringAttr name : namesOf(findCallers(op)))
        if (named.insert(name).second)
          if (auto func = symbols.lookup<FuncOp>(name); func && isCandidate(func))
            queue.push_back(func);
    };
    for (mlir::Operation &op : *module.getBody())
      if (auto func = llvm::dyn_cast<FuncOp>(op); !func || !isCandidate(func))
        addNamesIn(&op);
    while (!queue.empty())
      addNamesIn(queue.pop_back_val());
    for (FuncOp func : replaced)
      if (isCandidate(func) && !named.contains(func.getSymNameAttr()))
        symbols.erase(func);
    replaced.clear();
  }

private:
  /// What a composite is made of, how it lies, and which axes are manual there: those that are
  /// alike share a function.
  using Key = std::tuple<void *, std::vector<const void *>, std::vector<llvm::StringRef>>;

  /// Returns the functions that are more than what composites are made of: those in here are copied
  /// with them.
  llvm::SmallVector<FuncOp> findRun() {
    llvm::DenseSet<mlir::StringAttr> named = namesOf(findCallers(module));
    llvm::SetVector<FuncOp> run;
    for (auto func : module.getOps<FuncOp>())
      if (func.isPublic() || !named.contains(func.getSymNameAttr()))
        run.insert(func);
    for (size_t i = 0; i < run.size(); ++i) { // It grows.
      FuncOp func = run[i];
      func.walk([&](mlir::func::CallOp call) {
        if (auto callee = symbols.lookup<FuncOp>(call.getCallee()))
          run.insert(callee);
      });
    }
    return run.takeVector();
  }

  llvm::SmallVector<CompositeOp> findIn(llvm::ArrayRef<FuncOp> functions) {
    llvm::SmallVector<CompositeOp> found;
    for (FuncOp func : functions)
      func.walk([&](CompositeOp op) {
        if (legalize::isSplitByRule(op, tables))
          found.push_back(op);
      });
    return found;
  }

  void expand(CompositeOp op) {
    auto callee = symbols.lookup<FuncOp>(op.getDecomposition());
    std::vector<sdy::ShardingAttr> borders = bordersOf(op);
    std::vector<llvm::StringRef> manual;
    llvm::append_range(manual, manualAxesInside(op));
    llvm::sort(manual);
    FuncOp &clone = made[keyOf(callee, borders, manual)];
    if (!clone) {
      clone = cloneOf(callee, manual);
      entries.insert(clone);
      BoundaryAttributes boundary(clone);
      for (auto [i, sharding] : llvm::enumerate(borders)) {
        mlir::NamedAttrList &attributes = i < op->getNumOperands()
                                              ? boundary.ofArgument(i)
                                              : boundary.ofResult(i - op->getNumOperands());
        setSharding(attributes, {sharding, ShardingState::pinned});
      }
      boundary.write();
    }
    mlir::Attribute rule = op->removeDiscardableAttr(sdy::shardingRuleName);
    mlir::OpBuilder builder(op);
    auto call = mlir::func::CallOp::create(builder, op.getLoc(), clone, op.getInputs());
    legalize::replaceOp(op, call.getResults());
    call->setDiscardableAttr(compositeRuleAttrName, rule);
  }

  /// Returns how operands and results lie, in this order, by one split of the op's rule: each
  /// factor as the first result has it that is split along it, else as the first operand. Empty
  /// without a mesh.
  std::vector<sdy::ShardingAttr> bordersOf(CompositeOp op) {
    const Strategy &strategy = strategies.lookup(op)->front();
    const OpRule &rule = strategy.rule;
    llvm::SmallVector<mlir::Value> tensors(op->getResults());
    llvm::append_range(tensors, op->getOperands());
    llvm::SmallVector<std::pair<const TensorFactors *, const MeshSharding *>> known;
    int32_t mesh = -1;
    for (auto [i, tensor] : llvm::enumerate(tensors)) {
      size_t number = i < rule.results.size() ? i + rule.operands.size() : i - rule.results.size();
      ValueSharding sharding = shardingOf(tensor);
      const MeshSharding *lies = sharding ? codec.decode(sharding.attr) : nullptr;
      if (!lies || codec.mesh(lies->mesh).axes().empty())
        continue;
      if (mesh < 0)
        mesh = lies->mesh;
      if (mesh == lies->mesh && lies->sharding.dims.size() == rule.tensor(number).size())
        known.emplace_back(&rule.tensor(number), lies);
    }
    if (mesh < 0 && (mesh = codec.mainMesh()) < 0)
      return {};
    FactorAxes split(rule.factors.size());
    AxisList used;
    for (auto [factors, lies] : known) {
      FactorAxes own = project(rule, *factors, lies->sharding);
      for (size_t f = 0; f < own.size(); ++f) {
        bool isTaken =
            llvm::any_of(own[f], [&](const AxisRef &axis) { return overlaps(axis, used); });
        if (own[f].empty() || !split[f].empty() || isTaken ||
            !canSplit(rule, strategy.windows, static_cast<int32_t>(f)))
          continue;
        split[f] = own[f];
        used.insert(used.end(), own[f].begin(), own[f].end());
      }
    }
    std::vector<sdy::ShardingAttr> borders;
    for (int64_t i = 0; i < rule.numTensors(); ++i)
      borders.push_back(codec.encode({mesh, unproject(rule, rule.tensor(i), split)}));
    return borders;
  }

  static Key keyOf(FuncOp callee, llvm::ArrayRef<sdy::ShardingAttr> borders,
                   std::vector<llvm::StringRef> manual) {
    std::vector<const void *> lies;
    for (sdy::ShardingAttr border : borders)
      lies.push_back(border.getAsOpaquePointer());
    return {callee.getOperation(), std::move(lies), std::move(manual)};
  }

  /// Returns a copy of `func`, with copies of all that it calls. These are shared: propagation
  /// tells apart who calls them.
  FuncOp cloneOf(FuncOp func, const std::vector<llvm::StringRef> &manual) {
    FuncOp clone = copyAlone(func, manual);
    llvm::SmallVector<FuncOp> queue{clone};
    while (!queue.empty())
      queue.pop_back_val().walk([&](mlir::func::CallOp call) {
        auto callee = symbols.lookup<FuncOp>(call.getCallee());
        if (!callee)
          return;
        FuncOp &copy = helpers[{callee.getOperation(), manual}];
        if (!copy)
          queue.push_back(copy = copyAlone(callee, manual));
        call.setCallee(copy.getSymName());
      });
    return clone;
  }

  /// Returns a copy of `func` that names what `func` does.
  FuncOp copyAlone(FuncOp func, llvm::ArrayRef<llvm::StringRef> manual) {
    FuncOp copy = func.clone();
    copy.setPrivate();
    forgetInferred(copy);
    if (!manual.empty())
      copy->setAttr(manualAxesAttrName, mlir::Builder(copy.getContext()).getStrArrayAttr(manual));
    replaced.insert(func);
    symbols.insert(copy, std::next(mlir::Block::iterator(func)));
    groups.separate(copy);
    clones.insert(copy);
    return copy;
  }

  mlir::ModuleOp module;
  mlir::SymbolTableCollection tables;
  mlir::SymbolTable &symbols; ///< Of the module.
  ShardingCodec codec;
  StrategyCache strategies;
  sdy::GroupCopies groups;
  llvm::SmallVector<sdy::MeshOp> meshes;
  std::map<Key, FuncOp> made;
  /// Copies of what the copies at hand call.
  std::map<std::pair<void *, std::vector<llvm::StringRef>>, FuncOp> helpers;
  llvm::SetVector<FuncOp> clones;   ///< Not propagated yet.
  llvm::DenseSet<FuncOp> entries;   ///< Those that composites became calls of.
  llvm::SetVector<FuncOp> replaced; ///< The originals.
};

/// What is said of one place in several copies is said once, and not again if it was said of the
/// original.
class SaidOnce {
public:
  SaidOnce(mlir::ModuleOp module, OnMissing onMissing)
      : handler(module.getContext(), [this](mlir::Diagnostic &diagnostic) {
          return mlir::success(!isNew(diagnostic.getLocation(), diagnostic.str()));
        }) {
    forEachFlagged(module,
                   [&](mlir::Value value) { isNew(value.getLoc(), textOfFlag(value, onMissing)); });
  }

private:
  bool isNew(mlir::Location location, const std::string &text) {
    return llvm::isa<mlir::UnknownLoc>(location) || // Which is no place.
           said.insert({location.getAsOpaquePointer(), text}).second;
  }

  std::set<std::pair<const void *, std::string>> said;
  mlir::ScopedDiagnosticHandler handler;
};

struct ExpandCompositesPass : impl::ExpandCompositesPassBase<ExpandCompositesPass> {
  using ExpandCompositesPassBase::ExpandCompositesPassBase;

  void runOnOperation() override {
    bool hasAny = false; // Mostly there is nothing to do.
    mlir::SymbolTableCollection tables;
    forEachOp(getOperation(), [&](mlir::Operation *op) {
      hasAny |= llvm::isa<CompositeOp>(op) && legalize::isSplitByRule(op, tables);
    });
    if (!hasAny)
      return;
    if (mlir::failed(checkRecursion(getOperation())) || mlir::failed(expandIn(getOperation())))
      signalPassFailure();
  }

  /// Composites may be made of others: those of one level are propagated together.
  mlir::LogicalResult expandIn(mlir::ModuleOp module) {
    SaidOnce saidOnce(module, onMissing);
    Expander expander(module);
    for (llvm::SmallVector<CompositeOp> found = expander.find(); !found.empty();) {
      expander.expand(found);
      mlir::ModuleOp apart = expander.separate();
      mlir::OpPassManager manager(mlir::ModuleOp::getOperationName());
      manager.addPass(createPropagatePass({onMissing, onNoRule, conflicts, hints, verbose}));
      if (mlir::failed(runPipeline(manager, apart)))
        return mlir::failure();
      found = expander.join(apart);
    }
    expander.eraseUnused();
    return mlir::success();
  }
};

} // namespace
} // namespace spmd
