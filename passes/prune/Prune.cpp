// The pass `spmd-prune`: what nobody needs is neither moved nor held.

#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/CompositeRule.h"
#include "spmd/dialect/spmd/Donation.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace spmd {

#define GEN_PASS_DEF_PRUNEPASS
#include "spmd/passes/Passes.h.inc"

namespace {

using mlir::func::CallOp;
using mlir::func::FuncOp;

/// Functions that only calls name, and these calls.
class Calls {
public:
  explicit Calls(mlir::ModuleOp module) {
    llvm::DenseMap<mlir::StringAttr, FuncOp> named;
    for (auto func : module.getOps<FuncOp>())
      if (func.isPrivate() && !func.isExternal())
        named[func.getSymNameAttr()] = func;
    if (named.empty())
      return;
    Callers found = findCallers(module);
    for (CallOp call : found.calls)
      if (FuncOp callee = named.lookup(call.getCalleeAttr().getRootReference());
          callee && !found.namedByOthers.contains(callee.getSymNameAttr())) {
        callers[callee].insert(call);
        callees[call] = callee;
      }
  }

  bool isCall(mlir::Operation *op) const { return callees.contains(op); }
  /// The function that `op` calls, if all who use it are calls; else null.
  FuncOp calleeOf(mlir::Operation *op) const { return callees.lookup(op); }
  /// The calls of a function, or null if others use it too.
  llvm::SetVector<mlir::Operation *> *callersOf(mlir::Operation *func) {
    auto found = callers.find(func);
    return found == callers.end() ? nullptr : &found->second;
  }

  void forget(mlir::Operation *call) {
    callers[callees.lookup(call)].remove(call);
    callees.erase(call);
  }
  void forgetFunction(FuncOp func) { callers.erase(func); }
  void replace(mlir::Operation *call, mlir::Operation *by) {
    FuncOp func = callees.lookup(call);
    forget(call);
    callers[func].insert(by);
    callees[by] = func;
  }

private:
  llvm::DenseMap<mlir::Operation *, llvm::SetVector<mlir::Operation *>> callers;
  llvm::DenseMap<mlir::Operation *, FuncOp> callees;
};

class Pruner {
public:
  explicit Pruner(mlir::ModuleOp module) : module(module), calls(module) {}

  void run() {
    // Groups have said that values lie alike; none needs a value for that any more.
    module.walk([](sdy::ShardingGroupOp group) { group.erase(); });
    std::vector<mlir::Block *> blocks;
    module.walk([&](mlir::Block *block) { blocks.push_back(block); });
    for (mlir::Block *block : blocks)
      dropStores(*block);
    forEachOp(module, [&](mlir::Operation *op) {
      bool isUnused = op->getNumResults() > 0 ? op->use_empty() : calls.isCall(op);
      if (isUnused || llvm::isa<AllocOp>(op))
        ops.insert(op);
      else if (llvm::isa<FuncOp>(op))
        functions.insert(op);
    });
    // What comes last is looked at first.
    while (!ops.empty() || !functions.empty()) {
      while (!ops.empty())
        eraseIfDead(ops.pop_back_val());
      if (!functions.empty())
        shorten(llvm::cast<FuncOp>(functions.pop_back_val()));
    }
  }

private:
  /// Whether nothing of a function but its results is seen outside.
  bool hasNoEffect(FuncOp func) {
    auto [entry, isNew] = effectFree.try_emplace(func, false); // False for one that calls itself.
    if (!isNew)
      return entry->second;
    bool isFree = !func.walk([&](mlir::Operation *op) {
                         return op == func || isQuiet(op, func) ? mlir::WalkResult::advance()
                                                                : mlir::WalkResult::interrupt();
                       })
                       .wasInterrupted();
    return effectFree[func] = isFree;
  }

  /// Whether nothing of an op but its results, and what it contains, is seen outside of `around`.
  /// Nobody knows what a custom call does.
  bool isQuiet(mlir::Operation *op, mlir::Operation *around) {
    if (auto store = llvm::dyn_cast<StoreOp>(op)) {
      auto alloc = store.getBuffer().getDefiningOp<AllocOp>();
      return alloc && around->isProperAncestor(alloc);
    }
    // A constraint has said what it had to say.
    if (llvm::isa<AllocOp, LoadOp, sdy::ShardingConstraintOp>(op))
      return true;
    if (FuncOp callee = calls.calleeOf(op))
      return hasNoEffect(callee);
    return op->hasTrait<mlir::OpTrait::HasRecursiveMemoryEffects>() ||
           (mlir::isMemoryEffectFree(op) && !llvm::isa<stablehlo::CustomCallOp>(op));
  }

  bool isDead(mlir::Operation *op) {
    if (llvm::isa<AllocOp>(op)) // Nobody looks at what is stored there.
      return llvm::all_of(op->getUsers(), llvm::IsaPred<StoreOp>);
    if (!op->use_empty() || llvm::isa<FuncOp>(op) ||
        (op->getNumResults() == 0 && !calls.isCall(op)))
      return false;
    return !op->walk([&](mlir::Operation *each) {
                return isQuiet(each, op) ? mlir::WalkResult::advance()
                                         : mlir::WalkResult::interrupt();
              }).wasInterrupted();
  }

  /// Whether all that touches a buffer is seen in the block that it belongs to.
  static bool isTouchedOnlyIn(mlir::Block &block, mlir::Value buffer) {
    return llvm::all_of(buffer.getUsers(), [&](mlir::Operation *user) {
      return user->getBlock() == &block && llvm::isa<LoadOp, StoreOp, CallOp>(user);
    });
  }

  /// Drops stores to what is stored to again before anybody looks. Goes from the end of `block`,
  /// and drops what is dead on its way: a load for nobody is no look.
  void dropStores(mlir::Block &block) {
    llvm::SmallDenseMap<mlir::Value, bool> isSimple;
    llvm::SmallDenseSet<mlir::Value> overwritten;
    for (StoreOp store : block.getOps<StoreOp>())
      if (auto [entry, isNew] = isSimple.try_emplace(store.getBuffer()); isNew)
        entry->second = isTouchedOnlyIn(block, store.getBuffer());
    for (AllocOp alloc : block.getOps<AllocOp>())
      if (isSimple.lookup(alloc))
        overwritten.insert(alloc); // Nobody looks after the end.
    for (mlir::Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (auto store = llvm::dyn_cast<StoreOp>(op)) {
        if (isSimple.lookup(store.getBuffer()) && !overwritten.insert(store.getBuffer()).second)
          store.erase();
      } else if (!llvm::isa<AllocOp>(op) && isDead(&op)) {
        forgetCalls(&op);
        op.erase();
      } else {
        for (mlir::Value operand : op.getOperands())
          overwritten.erase(operand);
      }
    }
  }

  void eraseIfDead(mlir::Operation *op) {
    if (!isDead(op))
      return;
    if (llvm::isa<AllocOp>(op))
      for (mlir::Operation *store : llvm::make_early_inc_range(op->getUsers()))
        erase(store);
    erase(op);
  }

  void erase(mlir::Operation *op) {
    llvm::SmallVector<mlir::Value> used;
    op->walk([&](mlir::Operation *inner) {
      llvm::append_range(used, inner->getOperands());
      ops.remove(inner);
    });
    forgetCalls(op);
    llvm::SetVector<mlir::Operation *> makers;
    for (mlir::Value value : used)
      if (mlir::Operation *maker = makerOf(value); maker && !op->isAncestor(maker))
        makers.insert(maker);
    op->erase();
    for (mlir::Operation *maker : makers)
      lookAgain(maker);
  }

  /// The calls in `op`, which goes.
  void forgetCalls(mlir::Operation *op) {
    op->walk([&](mlir::Operation *inner) {
      if (FuncOp callee = calls.calleeOf(inner)) {
        calls.forget(inner);
        functions.insert(callee);
      }
    });
  }

  /// The op that a value comes from; its function if it is an argument of that.
  static mlir::Operation *makerOf(mlir::Value value) {
    mlir::Operation *maker = value.getDefiningOp();
    return maker ? maker : llvm::cast<mlir::BlockArgument>(value).getOwner()->getParentOp();
  }

  /// Something that `maker` gives has lost a user.
  void lookAgain(mlir::Operation *maker) {
    if (llvm::isa<FuncOp>(maker))
      functions.insert(maker);
    else
      ops.insert(maker);
    if (FuncOp callee = calls.calleeOf(maker))
      functions.insert(callee);
  }

  /// Takes from a function the arguments that it does not read and the results that no caller
  /// reads; the function itself if nobody calls it any more.
  void shorten(FuncOp func) {
    llvm::SetVector<mlir::Operation *> *callers = calls.callersOf(func);
    if (!callers)
      return;
    if (callers->empty())
      return eraseFunction(func);
    if (numbersResults(func))
      return;
    llvm::BitVector arguments(func.getNumArguments()), results(func.getNumResults());
    for (mlir::BlockArgument argument : func.getArguments())
      arguments[argument.getArgNumber()] = argument.use_empty();
    for (unsigned i = 0; i < results.size(); ++i)
      results[i] = llvm::all_of(
          *callers, [&](mlir::Operation *call) { return call->getResult(i).use_empty(); });
    if (arguments.none() && results.none())
      return;
    mlir::Operation *returned = func.getBody().front().getTerminator();
    llvm::SmallVector<mlir::Value> dropped;
    for (unsigned i : results.set_bits())
      dropped.push_back(returned->getOperand(i));
    returned->eraseOperands(results);
    if (mlir::failed(func.eraseResults(results)) || mlir::failed(func.eraseArguments(arguments)))
      return;
    for (mlir::Operation *call : callers->takeVector())
      shortenCall(llvm::cast<CallOp>(call), func, arguments, results);
    for (mlir::Value value : dropped)
      lookAgain(makerOf(value));
  }

  /// Whether an argument says by its number which result takes over its memory.
  static bool numbersResults(FuncOp func) {
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (func.getArgAttr(i, donationName))
        return true;
    return false;
  }

  void shortenCall(CallOp call, FuncOp func, const llvm::BitVector &arguments,
                   const llvm::BitVector &results) {
    mlir::OpBuilder builder(call);
    llvm::SmallVector<mlir::Value> operands, dropped;
    for (auto [i, operand] : llvm::enumerate(call.getOperands()))
      (arguments[i] ? dropped : operands).push_back(operand);
    auto shorter = CallOp::create(builder, call.getLoc(), func, operands);
    copyAttributes(call, shorter, results);
    unsigned next = 0;
    for (auto [i, result] : llvm::enumerate(call.getResults()))
      if (!results[i])
        result.replaceAllUsesWith(shorter.getResult(next++));
    ops.remove(call);
    calls.replace(call, shorter);
    call.erase();
    ops.insert(shorter);
    for (mlir::Value value : dropped)
      lookAgain(makerOf(value));
  }

  /// Copies what is not said of results one by one, and the shardings of those that stay.
  static void copyAttributes(CallOp from, CallOp to, const llvm::BitVector &dropped) {
    llvm::SmallVector<ValueSharding> shardings;
    bool hasAll = true;
    for (auto [i, result] : llvm::enumerate(from.getResults()))
      if (!dropped[i]) {
        shardings.push_back(shardingOf(result));
        hasAll &= static_cast<bool>(shardings.back());
      }
    for (mlir::NamedAttribute attribute : from->getDiscardableAttrs())
      if (attribute.getName() != shardingAttrName && attribute.getName() != inferredAttrName &&
          attribute.getName() != missingAttrName && attribute.getName() != hintAttrName &&
          attribute.getName() != compositeRuleAttrName)
        to->setDiscardableAttr(attribute.getName(), attribute.getValue());
    if (hasAll && !shardings.empty())
      setShardings(to, shardings);
  }

  void eraseFunction(FuncOp func) {
    func.walk([&](mlir::Operation *op) { ops.remove(op); });
    forgetCalls(func);
    functions.remove(func);
    calls.forgetFunction(func);
    func.erase();
  }

  mlir::ModuleOp module;
  Calls calls;
  llvm::SetVector<mlir::Operation *> ops, functions; ///< That may not be needed.
  llvm::DenseMap<mlir::Operation *, bool> effectFree;
};

struct PrunePass : impl::PrunePassBase<PrunePass> {
  using PrunePassBase::PrunePassBase;
  void runOnOperation() override { Pruner(getOperation()).run(); }
};

} // namespace
} // namespace spmd
