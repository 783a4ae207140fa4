#include "spmd/lowering/compile/Recursion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

using mlir::Operation;

namespace {

/// A function that is being looked at, and the ops in it that name others.
struct Visit {
  Operation *func;
  llvm::SmallVector<mlir::SymbolTable::SymbolUse> uses;
  size_t next = 0;
};

Visit enter(Operation *func) {
  Visit visit{func, {}};
  if (auto uses = mlir::SymbolTable::getSymbolUses(func))
    llvm::append_range(visit.uses, *uses);
  return visit;
}

} // namespace

mlir::LogicalResult checkRecursion(Operation *from, const mlir::SymbolTable &symbols) {
  enum class Mark : uint8_t { unseen, open, done };
  llvm::DenseMap<Operation *, Mark> marks;
  bool failed = false;
  std::vector<Visit> stack = {enter(from)}; // Chains of calls may be long.
  marks[from] = Mark::open;
  while (!stack.empty()) {
    Visit &visit = stack.back();
    if (visit.next == visit.uses.size()) {
      marks[visit.func] = Mark::done;
      stack.pop_back();
      continue;
    }
    const mlir::SymbolTable::SymbolUse &use = visit.uses[visit.next++];
    auto callee = symbols.lookup<mlir::func::FuncOp>(use.getSymbolRef().getRootReference());
    if (!callee)
      continue;
    Mark &mark = marks[callee];
    if (mark == Mark::open) {
      use.getUser()->emitOpError() << "calls @" << callee.getSymName()
                                   << ", which is still running; recursion is not executed";
      failed = true;
    } else if (mark == Mark::unseen) {
      mark = Mark::open;
      stack.push_back(enter(callee));
    }
  }
  return mlir::failure(failed);
}

} // namespace spmd
