#include "spmd/passes/propagate/Constants.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace spmd {

namespace {

/// What takes more ops to make is not made anew.
constexpr int32_t mostOps = 64;

class Splitter {
public:
  explicit Splitter(ConstantCopies &copies) : copies(copies) {}

  void run(mlir::func::FuncOp func) {
    std::vector<mlir::Operation *> users;
    walkDataFlow(func, [&](mlir::Operation *op) {
      if (int32_t ops = opsToMake(op))
        sizes[op] = ops;
      else
        users.push_back(op);
    });
    for (mlir::Operation *user : users)
      for (mlir::OpOperand &operand : user->getOpOperands())
        if (mlir::Operation *maker = operand.get().getDefiningOp(); sizes.count(maker))
          giveOwn(operand, maker);
  }

private:
  /// Returns how many ops make a constant, 0 if `op` is none.
  int32_t opsToMake(mlir::Operation *op) const {
    auto partitionable = llvm::dyn_cast<Partitionable>(op);
    if (!partitionable || op->getNumResults() != 1 || isScalar(op->getResult(0)) ||
        pinOf(op->getResult(0)))
      return 0; // Of scalars there is nothing to split.
    if (partitionable.isFree())
      return 1;
    if (op->getNumOperands() == 0 || op->getNumRegions() > 0 || !mlir::isMemoryEffectFree(op))
      return 0;
    int32_t ops = 1;
    for (mlir::Value operand : op->getOperands()) {
      auto known = sizes.find(operand.getDefiningOp());
      if (known != sizes.end())
        ops += known->second;
      else if (!isScalar(operand))
        return 0;
    }
    return ops <= mostOps ? ops : 0;
  }

  static bool isScalar(mlir::Value value) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    return type && type.getRank() == 0;
  }

  /// The first use takes the op itself; all others a copy that stands behind it.
  void giveOwn(mlir::OpOperand &use, mlir::Operation *maker) {
    if (!taken.insert(maker).second)
      use.set(copy(maker)->getResult(0));
    else
      for (mlir::OpOperand &operand : maker->getOpOperands())
        if (mlir::Operation *below = operand.get().getDefiningOp(); sizes.count(below))
          giveOwn(operand, below);
  }

  mlir::Operation *copy(mlir::Operation *op) {
    mlir::OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    mlir::Operation *made = builder.clone(*op);
    auto [entry, isNew] = indices.try_emplace(op, copies.size());
    size_t index = entry->second;
    if (isNew)
      copies.push_back({sizes.lookup(op), {op}});
    copies[index].alike.push_back(made);
    // What is copied further has its own of the copy, too.
    sizes[made] = copies[index].opsToMake;
    indices[made] = index;
    for (mlir::OpOperand &operand : made->getOpOperands())
      if (mlir::Operation *below = operand.get().getDefiningOp(); sizes.count(below))
        operand.set(copy(below)->getResult(0));
    return made;
  }

  ConstantCopies &copies;
  llvm::DenseMap<mlir::Operation *, int32_t> sizes; ///< Ops that make each constant.
  llvm::DenseSet<mlir::Operation *> taken;          ///< Constants that have a user.
  llvm::DenseMap<mlir::Operation *, size_t> indices;
};

} // namespace

ConstantCopies splitConstants(mlir::ModuleOp module) {
  ConstantCopies copies;
  for (auto func : module.getOps<mlir::func::FuncOp>())
    if (!func.isExternal())
      Splitter(copies).run(func);
  // What a constant is made of comes before it.
  std::vector<ConstantCopies> bySize(mostOps + 1);
  for (CopiedConstant &each : copies)
    bySize[each.opsToMake].push_back(std::move(each));
  copies.clear();
  for (ConstantCopies &alike : bySize)
    llvm::append_range(copies, std::move(alike));
  return copies;
}

void mergeConstants(const ConstantCopies &copies) {
  for (const auto &[opsToMake, alike] : copies) {
    llvm::MapVector<mlir::Attribute, mlir::Operation *> known;
    for (mlir::Operation *op : alike) {
      auto [entry, isNew] = known.insert({op->getDiscardableAttr(shardingAttrName), op});
      if (isNew || entry->second->getOperands() != op->getOperands())
        continue;
      op->replaceAllUsesWith(entry->second);
      op->erase();
    }
  }
}

} // namespace spmd
