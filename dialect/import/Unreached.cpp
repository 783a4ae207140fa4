#include "spmd/dialect/import/Unreached.h"

#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/spmd/Walk.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace spmd {

static bool saysSharding(mlir::DictionaryAttr attributes) {
  return attributes &&
         (attributes.contains(shardingAttrName) || attributes.contains("mhlo.sharding"));
}

/// Whether an op in `function`, or its border, has a sharding in either notation.
static bool hasShardings(mlir::func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (saysSharding(function.getArgAttrDict(i)))
      return true;
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (saysSharding(function.getResultAttrDict(i)))
      return true;
  return anyOp(function, [](mlir::Operation *op) {
    return holdsSharding(op) || saysSharding(op->getDiscardableAttrDictionary());
  });
}

void eraseUnreachedFunctions(mlir::ModuleOp module) {
  llvm::MapVector<mlir::StringAttr, mlir::func::FuncOp> unreached; // Those that may be.
  llvm::SmallVector<mlir::Operation *> reached;                    // Not looked at yet.
  for (mlir::Operation &op : module.getBodyRegion().front())
    if (auto function = llvm::dyn_cast<mlir::func::FuncOp>(op); function && function.isPrivate())
      unreached[function.getSymNameAttr()] = function;
    else
      reached.push_back(&op);
  if (unreached.empty() || llvm::none_of(reached, llvm::IsaPred<mlir::func::FuncOp>))
    return;
  while (!reached.empty())
    for (mlir::StringAttr name : namesOf(findCallers(reached.pop_back_val())))
      if (auto found = unreached.find(name); found != unreached.end() && found->second) {
        reached.push_back(found->second);
        found->second = nullptr;
      }
  if (llvm::none_of(unreached,
                    [](auto &entry) { return entry.second && hasShardings(entry.second); }))
    return;
  for (auto &[name, function] : unreached)
    if (function)
      function.erase();
}

} // namespace spmd
