#include "spmd/passes/propagate/Constants.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/passes/propagate/NamedOps.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace spmd {

namespace {

/// What takes more ops to make is not made anew: a table is shared on purpose. Shardy copies all.
constexpr int32_t mostOps = 8, mostOfShardy = 64;
/// Nor is what would make of a module more than so many times its ops: a long way to a constant
/// that thousands use.
constexpr int64_t mostGrowth = 4, leastRoom = 10000;

/// A constant, and how many ops make it.
struct Constant {
  mlir::Operation *op;
  int32_t numOps;
};

/// Finds the constants of a function that may be copied, and what is made of them alone.
class Finder {
public:
  explicit Finder(int32_t mostOps) : mostOps(mostOps) {}

  /// Returns them in program order: what a constant is made of comes before it.
  std::vector<Constant> run(mlir::func::FuncOp func) {
    walkDataFlow(func, [&](mlir::Operation *op) {
      if (int32_t ops = opsToMake(op)) {
        sizes[op] = ops;
        found.push_back({op, ops});
      }
    });
    return std::move(found);
  }

private:
  /// Returns how many ops make a constant, 0 if `op` is none that may be copied.
  int32_t opsToMake(mlir::Operation *op) {
    if (op->getNumResults() != 1)
      return 0;
    int32_t ops = 1;
    for (mlir::Value operand : op->getOperands()) {
      if (int32_t known = sizes.lookup(operand.getDefiningOp()))
        ops += known;
      else if (!isScalar(operand))
        return 0; // So are most.
    }
    if (isScalar(op->getResult(0)))
      return 0; // There is nothing to split.
    return ops <= mostOps && namedOps.makesConstants(op) && !saysHowItLies(op->getResult(0)) ? ops
                                                                                             : 0;
  }

  static bool isScalar(mlir::Value value) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    return type && type.getRank() == 0;
  }

  /// Whether the program says how the value itself lies: by a pin, as the others of a sharding
  /// group, or as all who read an unpinned buffer find it there.
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

  int32_t mostOps;
  NamedOps namedOps;
  std::vector<Constant> found;
  llvm::DenseMap<mlir::Operation *, int32_t> sizes; ///< Ops that make each constant.
};

/// Says which constants are copied, so that the module does not grow without end.
class Room {
public:
  explicit Room(int64_t numOps) : left(mostGrowth * numOps + leastRoom) {}

  /// Whether to copy a constant for each of its uses, which takes copies of all that it is made of,
  /// too. Those that are made of it come first: what theirs take is counted already.
  bool take(const Constant &constant) {
    int64_t numCopies = std::distance(constant.op->use_begin(), constant.op->use_end()) - 1;
    int64_t needed = (numCopies - counted.lookup(constant.op)) * constant.numOps;
    if (numCopies < 1 || needed > left)
      return false;
    left -= needed;
    for (mlir::Value operand : constant.op->getOperands())
      counted[operand.getDefiningOp()] += numCopies;
    return true;
  }

private:
  int64_t left; ///< Ops that may be added.
  /// Copies of an op that those of others take.
  llvm::DenseMap<mlir::Operation *, int64_t> counted;
};

} // namespace

using Uses = llvm::SmallVector<mlir::OpOperand *, 1>;

/// Returns the uses of an op in program order: use lists depend on how the program was made. Those
/// inside one op of its block come as they are listed, backward.
static Uses usesInOrder(mlir::Operation *op) {
  Uses uses;
  for (mlir::OpOperand &use : op->getUses())
    uses.push_back(&use);
  if (uses.size() < 2)
    return uses;
  std::reverse(uses.begin(), uses.end());
  mlir::Block *block = op->getBlock();
  auto isBefore = [&](mlir::OpOperand *a, mlir::OpOperand *b) {
    mlir::Operation *first = block->findAncestorOpInBlock(*a->getOwner()),
                    *second = block->findAncestorOpInBlock(*b->getOwner());
    return first != second && first->isBeforeInBlock(second);
  };
  if (!llvm::is_sorted(uses, isBefore)) // As they are in a program that was just read.
    llvm::stable_sort(uses, isBefore);
  return uses;
}

namespace {

/// Copies the constants of a function, those first that others are not made of.
class Copier {
public:
  Copier(FirstLook::Size &size, ConstantCopies &copies) : size(size), copies(copies) {}

  /// Gives each use of an op but the first a copy of it, which stands behind it. What it is made of
  /// then has more uses. `uses` were its uses before anything was copied.
  void run(mlir::Operation *op, const Uses &uses) {
    Uses all = withCopies(op, uses);
    std::vector<mlir::Operation *> alike = {op};
    mlir::OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    mlir::IRMapping mapping;
    for (mlir::OpOperand *use : llvm::drop_begin(all)) {
      alike.push_back(builder.clone(*op, mapping));
      use->set(alike.back()->getResult(0));
    }
    size.numOps += alike.size() - 1;
    size.numOperands += (alike.size() - 1) * op->getNumOperands();
    size.numResults += alike.size() - 1;
    indexOf[op] = copies.size();
    copies.push_back(std::move(alike));
  }

private:
  /// Returns `uses` of an op, each user followed by its copies.
  Uses withCopies(mlir::Operation *op, const Uses &uses) const {
    Uses all;
    for (size_t i = 0; i < uses.size(); ++i) {
      all.push_back(uses[i]);
      mlir::Operation *user = uses[i]->getOwner();
      auto copied = indexOf.find(user);
      if (copied == indexOf.end() || (i + 1 < uses.size() && uses[i + 1]->getOwner() == user))
        continue;
      for (mlir::Operation *copy : llvm::drop_begin(copies[copied->second]))
        for (mlir::OpOperand &operand : copy->getOpOperands())
          if (operand.get().getDefiningOp() == op)
            all.push_back(&operand);
    }
    return all;
  }

  FirstLook::Size &size;
  ConstantCopies &copies;
  llvm::DenseMap<mlir::Operation *, size_t> indexOf; ///< Of what was copied, in `copies`.
};

} // namespace

ConstantCopies splitConstants(mlir::ModuleOp module, Conflicts conflicts, FirstLook &look) {
  ConstantCopies copies;
  Room room(static_cast<int64_t>(look.total().numOps));
  for (auto [func, size] : llvm::zip_equal(module.getOps<mlir::func::FuncOp>(), look.functions)) {
    if (!isRun(func))
      continue;
    std::vector<Constant> found =
        Finder(conflicts == Conflicts::shardy ? mostOfShardy : mostOps).run(func);
    std::vector<Uses> uses; // Before ops come in between, which then would all be numbered anew.
    for (const Constant &constant : found)
      uses.push_back(usesInOrder(constant.op));
    Copier copier(size, copies);
    for (size_t i = found.size(); i-- > 0;)
      if (room.take(found[i]))
        copier.run(found[i].op, uses[i]);
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
