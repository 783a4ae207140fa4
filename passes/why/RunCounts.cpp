#include "spmd/passes/why/RunCounts.h"

#include "spmd/dialect/spmd/DataFlow.h"

#include "mlir/Interfaces/CallInterfaces.h"

#include <limits>

namespace spmd {

int64_t saturatingMultiply(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<int64_t>::max() : product;
}

int64_t saturatingAdd(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

RunCount RunCount::operator*(const RunCount &other) const {
  return {saturatingMultiply(count, other.count), isAtLeast || other.isAtLeast};
}

void RunCount::operator+=(const RunCount &other) {
  count = saturatingAdd(count, other.count);
  isAtLeast |= other.isAtLeast;
}

mlir::func::FuncOp entryOf(mlir::ModuleOp module) {
  if (auto main = module.lookupSymbol<mlir::func::FuncOp>("main"))
    return main;
  for (auto func : module.getOps<mlir::func::FuncOp>())
    if (func.isPublic() && !func.isExternal())
      return func;
  return nullptr;
}

ReachedFunctions::ReachedFunctions(mlir::func::FuncOp entry) {
  std::vector<std::pair<mlir::func::FuncOp, bool>> pending = {{entry, false}};
  while (!pending.empty()) {
    auto [func, isDone] = pending.back();
    pending.pop_back();
    if (isDone) {
      order.push_back(func);
      continue;
    }
    if (!known.insert(func).second)
      continue;
    pending.emplace_back(func, true);
    func.walk([&, into = &pending](mlir::Operation *op) {
      if (mlir::func::FuncOp callee = calleeOf(op); callee && !known.contains(callee))
        into->emplace_back(callee, false);
    });
  }
}

mlir::func::FuncOp ReachedFunctions::calleeOf(mlir::Operation *op) {
  auto call = llvm::dyn_cast<mlir::CallOpInterface>(op);
  auto callee =
      call ? llvm::dyn_cast_if_present<mlir::func::FuncOp>(call.resolveCallableInTable(&symbols))
           : mlir::func::FuncOp();
  return callee && !callee.isExternal() ? callee : nullptr;
}

namespace {

class Walk {
public:
  Walk(mlir::func::FuncOp entry,
       llvm::function_ref<bool(mlir::Operation *, const RunCount &)> visitor)
      : visitor(visitor), functions(entry) {
    runs[entry].count = 1;
  }

  void run() {
    for (mlir::func::FuncOp func : llvm::reverse(functions.calleesFirst()))
      visit(func.getBody(), runs[func]);
  }

private:
  void visit(mlir::Region &region, RunCount here) {
    for (mlir::Block &block : region)
      for (mlir::Operation &op : block) {
        if (mlir::func::FuncOp callee = functions.calleeOf(&op)) {
          runs[callee] += here;
          continue;
        }
        if (!visitor(&op, here))
          continue;
        auto flow = llvm::dyn_cast<DataFlow>(op);
        RunCount iterations = {1, false};
        if (flow && flow.isLoop()) {
          std::optional<int64_t> trips = flow.getTripCount();
          iterations = {trips.value_or(1), !trips};
        }
        for (mlir::Region &inner : op.getRegions())
          visit(inner, here * iterations);
      }
  }

  llvm::function_ref<bool(mlir::Operation *, const RunCount &)> visitor;
  ReachedFunctions functions;
  llvm::DenseMap<mlir::Operation *, RunCount> runs;
};

} // namespace

void forEachRun(mlir::ModuleOp module,
                llvm::function_ref<bool(mlir::Operation *, const RunCount &)> visit) {
  if (mlir::func::FuncOp entry = entryOf(module))
    Walk(entry, visit).run();
}

} // namespace spmd
