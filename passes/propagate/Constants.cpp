#include "spmd/passes/propagate/Constants.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"

#include "llvm/ADT/MapVector.h"

namespace spmd {

namespace {

/// What takes more ops to make is not made anew.
constexpr int32_t mostOps = 64;

/// Finds the constants of a function that may be copied, and what is made of them alone.
class Finder {
public:
  /// Returns them in program order: what a constant is made of comes before it.
  std::vector<mlir::Operation *> run(mlir::func::FuncOp func) {
    walkDataFlow(func, [&](mlir::Operation *op) {
      if (int32_t ops = opsToMake(op)) {
        sizes[op] = ops;
        found.push_back(op);
      }
    });
    return std::move(found);
  }

private:
  /// Returns how many ops make a constant, 0 if `op` is none that may be copied.
  int32_t opsToMake(mlir::Operation *op) const {
    if (op->getNumResults() != 1 || isScalar(op->getResult(0)))
      return 0; // Of scalars there is nothing to split.
    int32_t ops = 1;
    for (mlir::Value operand : op->getOperands()) {
      auto known = sizes.find(operand.getDefiningOp());
      if (known != sizes.end())
        ops += known->second;
      else if (!isScalar(operand))
        return 0; // So are most.
    }
    bool isConstant = makesConstants(op, [](mlir::Value) { return true; });
    return isConstant && ops <= mostOps && !saysHowItLies(op->getResult(0)) ? ops : 0;
  }

  static bool isScalar(mlir::Value value) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    return type && type.getRank() == 0;
  }

  /// Whether the program says how the value itself lies: by a pin, as the others of a sharding
  /// group, or as whatever else an unpinned buffer holds.
  static bool saysHowItLies(mlir::Value value) {
    return pinOf(value) || llvm::any_of(value.getUsers(), [](mlir::Operation *user) {
             if (user->getNumResults() > 0)
               return false;
             if (auto store = llvm::dyn_cast<StoreOp>(user))
               return !pinOf(store.getBuffer());
             auto partitionable = llvm::dyn_cast<Partitionable>(user);
             return partitionable && partitionable.getGroup();
           });
  }

  std::vector<mlir::Operation *> found;
  llvm::DenseMap<mlir::Operation *, int32_t> sizes; ///< Ops that make each constant.
};

} // namespace

/// Gives each use of an op but the first a copy of it, in a function of `size`. What it is made of
/// then has more uses.
static void copyForUses(mlir::Operation *op, FirstLook::Size &size, ConstantCopies &copies) {
  llvm::SmallVector<mlir::OpOperand *> uses;
  for (mlir::OpOperand &use : op->getUses())
    uses.push_back(&use);
  if (uses.size() < 2)
    return;
  std::vector<mlir::Operation *> alike = {op};
  mlir::OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  for (mlir::OpOperand *use : llvm::drop_begin(llvm::reverse(uses))) { // Use lists run backward.
    alike.push_back(builder.clone(*op));
    use->set(alike.back()->getResult(0));
  }
  size.numOps += alike.size() - 1;
  size.numOperands += (alike.size() - 1) * op->getNumOperands();
  size.numResults += alike.size() - 1;
  copies.push_back(std::move(alike));
}

ConstantCopies splitConstants(mlir::ModuleOp module, FirstLook &look) {
  ConstantCopies copies;
  for (auto [func, size] : llvm::zip_equal(module.getOps<mlir::func::FuncOp>(), look.functions)) {
    if (func.isExternal())
      continue;
    std::vector<mlir::Operation *> found = Finder().run(func);
    for (mlir::Operation *op : llvm::reverse(found))
      copyForUses(op, size, copies);
  }
  std::reverse(copies.begin(), copies.end());
  return copies;
}

void mergeConstants(const ConstantCopies &copies) {
  for (const std::vector<mlir::Operation *> &alike : copies) {
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
