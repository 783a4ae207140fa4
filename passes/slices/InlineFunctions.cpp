// The pass `spmd-inline-functions`: short functions are written where they are called.

#include "spmd/passes/Passes.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

namespace spmd {

#define GEN_PASS_DEF_INLINEFUNCTIONSPASS
#include "spmd/passes/Passes.h.inc"

using mlir::func::CallOp;
using mlir::func::FuncOp;

namespace {

using AxisNames = llvm::ArrayRef<llvm::StringRef>;

bool names(const std::vector<AxisSpec> &axes, AxisNames wanted) {
  return llvm::any_of(axes,
                      [&](const AxisSpec &axis) { return llvm::is_contained(wanted, axis.name); });
}

bool names(const ShardingSpec &spec, AxisNames axes) {
  return names(spec.replicated, axes) || names(spec.unreduced, axes) ||
         llvm::any_of(spec.dims, [&](const DimSpec &dim) { return names(dim.axes, axes); });
}

/// Whether an op of `func` says something of one of `axes`.
bool names(FuncOp func, AxisNames axes) {
  mlir::AttrTypeWalker walker;
  walker.addWalk([&](sdy::ShardingAttr sharding) {
    return names(sharding.getSpec(), axes) ? mlir::WalkResult::interrupt()
                                           : mlir::WalkResult::advance();
  });
  walker.addWalk([&](sdy::ManualAxesAttr manual) {
    return llvm::any_of(axes, [&](llvm::StringRef axis) { return manual.contains(axis); })
               ? mlir::WalkResult::interrupt()
               : mlir::WalkResult::advance();
  });
  auto visited = func.getBody().walk(
      [&](mlir::Operation *op) { return walker.walk(op->getAttrDictionary()); });
  return visited.wasInterrupted();
}

class Inliner {
public:
  explicit Inliner(mlir::ModuleOp module) : module(module), table(module) {
    for (auto func : module.getOps<FuncOp>())
      functions.push_back(func);
    module.walk([&](CallOp call) { ++numCalls[calleeOf(call)]; });
  }

  void run() {
    for (FuncOp func : functions)
      visit(func);
    if (!inlined.empty())
      dropUnused();
  }

private:
  /// A function that is called more than once is copied if it has no more ops than this, and no
  /// more ops that only say how a value is sharded.
  static constexpr size_t maxCopied = 32, maxPlacements = 256;

  FuncOp calleeOf(CallOp call) { return table.lookup<FuncOp>(call.getCallee()); }

  /// A function whose callees are seen to, up to one.
  struct Open {
    FuncOp func;
    llvm::SmallVector<CallOp> calls;
    size_t next = 0;
  };

  void enter(FuncOp func) {
    open.push_back({func, {}});
    isOpen.insert(func);
    func.walk([&](CallOp call) { open.back().calls.push_back(call); });
  }

  /// Sees to the callees of a function first: what they call is theirs by then.
  void visit(FuncOp root) {
    if (visited.insert(root).second)
      enter(root);
    while (!open.empty()) {
      Open &top = open.back();
      if (top.next == top.calls.size()) {
        leave();
        continue;
      }
      FuncOp callee = calleeOf(top.calls[top.next++]);
      if (callee && visited.insert(callee).second)
        enter(callee);
      else if (callee)
        markCycle(callee);
    }
  }

  void leave() {
    Open done = open.pop_back_val();
    for (CallOp call : done.calls)
      if (FuncOp callee = calleeOf(call); callee && call->getDiscardableAttrDictionary().empty() &&
                                          call.getOperandTypes() == callee.getArgumentTypes() &&
                                          brief.contains(callee) && maySpeakOfAxes(callee, call))
        inlineCall(call, callee);
    order.push_back(done.func);
    isOpen.erase(done.func);
    if (isBrief(done.func))
      brief.insert(done.func);
  }

  /// Calls that never end are left to be reported: those of the functions from `func` on, if it is
  /// open itself.
  void markCycle(FuncOp func) {
    if (!isOpen.contains(func))
      return;
    for (const Open &each : llvm::reverse(open)) {
      endless.insert(each.func);
      if (each.func == func)
        return;
    }
  }

  bool isBrief(FuncOp func) {
    if (endless.contains(func) || !func.isPrivate() || func.isExternal() ||
        !func.getBody().hasOneBlock() || func.getArgAttrsAttr() || func.getResAttrsAttr())
      return false;
    bool isAnyLength = numCalls[func] == 1;
    size_t count = 0, placed = 0;
    auto visited = func.getBody().walk([&](mlir::Operation *op) {
      ++(placesValue(op) ? placed : count);
      bool isTooLong = !isAnyLength && (count > maxCopied || placed > maxPlacements);
      return isTooLong || !isPlain(*op) ? mlir::WalkResult::interrupt()
                                        : mlir::WalkResult::advance();
    });
    return !visited.wasInterrupted();
  }

  /// A custom call does the same wherever it stands, and so does what says how a value lies behind
  /// it. (One that nothing reads speaks of its operand, which here is another value than there.)
  /// `rng` does not, nor does what has to do with memory.
  static bool isPlain(mlir::Operation &op) {
    if (placesValue(&op))
      return !op.use_empty();
    return llvm::isa<CallOp, mlir::func::ReturnOp, stablehlo::CustomCallOp>(op) ||
           mlir::isMemoryEffectFree(&op);
  }

  /// What is said of axes in a function that is called where they are manual is reported there.
  static bool maySpeakOfAxes(FuncOp func, CallOp call) {
    llvm::SmallVector<llvm::StringRef> manual = manualAxesInside(call->getParentOp());
    return manual.empty() || !names(func, manual);
  }

  void inlineCall(CallOp call, FuncOp func) {
    mlir::OpBuilder builder(call);
    mlir::IRMapping mapping;
    mapping.map(func.getArguments(), call.getOperands());
    mlir::Block &body = func.getBody().front();
    for (mlir::Operation &op : body.without_terminator())
      builder.clone(op, mapping)->walk([&](CallOp inner) { ++numCalls[calleeOf(inner)]; });
    llvm::SmallVector<mlir::Value> results;
    for (mlir::Value result : body.getTerminator()->getOperands())
      results.push_back(mapping.lookup(result));
    call->replaceAllUsesWith(results);
    call->erase();
    inlined.insert(func);
  }

  /// An unused function may be all that names another one.
  void dropUnused() {
    Callers callers = findCallers(module);
    llvm::DenseMap<mlir::StringAttr, llvm::SmallVector<FuncOp, 1>> callersOf;
    for (CallOp call : callers.calls)
      callersOf[call.getCalleeAttr().getAttr()].push_back(call->getParentOfType<FuncOp>());
    for (FuncOp func : llvm::reverse(order))
      if (mlir::StringAttr name = func.getSymNameAttr();
          inlined.contains(func) && !callers.namedByOthers.contains(name) &&
          llvm::all_of(callersOf[name], [&](FuncOp by) { return dropped.contains(by); }))
        dropped.insert(func);
    for (mlir::Operation *func : dropped)
      func->erase();
  }

  mlir::ModuleOp module;
  mlir::SymbolTable table;
  llvm::SmallVector<FuncOp> functions;
  llvm::DenseMap<mlir::Operation *, size_t> numCalls;
  llvm::DenseSet<mlir::Operation *> visited, isOpen, endless, brief;
  llvm::SmallVector<Open> open;    ///< Each is called by the one before.
  llvm::SmallVector<FuncOp> order; ///< Callees before callers.
  llvm::DenseSet<mlir::Operation *> inlined, dropped;
};

struct InlineFunctionsPass : impl::InlineFunctionsPassBase<InlineFunctionsPass> {
  using InlineFunctionsPassBase::InlineFunctionsPassBase;

  void runOnOperation() override { Inliner(getOperation()).run(); }
};

} // namespace

} // namespace spmd
