#include "spmd/passes/optimize/merge/BlockGraph.h"

#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/spmd/OpNumbers.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace spmd {

bool Effects::has(mlir::Operation *op) { return !pure.of(op, isPureByName) && find(op); }

bool Effects::find(mlir::Operation *op) {
  if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op))
    return ofCall(call);
  bool isAsInside = op->hasTrait<mlir::OpTrait::HasRecursiveMemoryEffects>();
  if (auto own = llvm::dyn_cast<mlir::MemoryEffectOpInterface>(op)) {
    if (!own.hasNoEffect())
      return true;
  } else if (!isAsInside) {
    return true;
  }
  if (isAsInside)
    for (mlir::Region &region : op->getRegions())
      for (mlir::Operation &inner : region.getOps())
        if (has(&inner))
          return true;
  return false;
}

bool Effects::ofCall(mlir::CallOpInterface call) {
  auto function =
      llvm::dyn_cast_or_null<mlir::CallableOpInterface>(call.resolveCallableInTable(&symbols));
  if (!function || !function.getCallableRegion())
    return true;
  // A function that calls itself has effects: it may not end.
  auto [known, isNew] = ofFunction.try_emplace(function, true);
  if (!isNew)
    return known->second;
  bool hasAny = llvm::any_of(function.getCallableRegion()->getOps(),
                             [&](mlir::Operation &op) { return has(&op); });
  return ofFunction[function] = hasAny;
}

namespace {

/// The loads and stores of a block, by buffer.
class Accesses {
public:
  explicit Accesses(mlir::Block &block) : block(block) {}

  /// Says by `wait` what op `number` waits for. Returns false if it is no load or store of a buffer
  /// that only those take, and only in this block.
  template <typename Wait> bool follow(mlir::Operation *op, int32_t number, Wait wait) {
    if (!llvm::isa<LoadOp, StoreOp>(op))
      return false;
    auto store = llvm::dyn_cast<StoreOp>(op);
    mlir::Value buffer = store ? store.getBuffer() : llvm::cast<LoadOp>(op).getBuffer();
    auto [known, isNew] = buffers.try_emplace(buffer);
    if (isNew)
      known->second.isPlain = isPlain(buffer);
    Buffer &accessed = known->second;
    if (!accessed.isPlain)
      return false;
    if (accessed.store >= 0)
      wait(accessed.store);
    if (!store) {
      accessed.loads.push_back(number);
      return true;
    }
    for (int32_t load : accessed.loads)
      wait(load);
    accessed.loads.clear();
    accessed.store = number;
    return true;
  }

  /// Says all that comes last.
  template <typename Wait> void finish(Wait wait) const {
    for (const auto &[value, buffer] : buffers) {
      if (buffer.store >= 0)
        wait(buffer.store);
      for (int32_t load : buffer.loads)
        wait(load);
    }
  }

private:
  struct Buffer {
    bool isPlain = false;
    int32_t store = -1;                  ///< The last one.
    llvm::SmallVector<int32_t, 2> loads; ///< Since then.
  };

  bool isPlain(mlir::Value buffer) const {
    mlir::Operation *maker = buffer.getDefiningOp();
    return (!maker || llvm::isa<AllocOp>(maker)) &&
           llvm::all_of(buffer.getUsers(), [&](mlir::Operation *user) {
             return llvm::isa<LoadOp, StoreOp>(user) && user->getBlock() == &block;
           });
  }

  mlir::Block &block;
  llvm::MapVector<mlir::Value, Buffer> buffers;
};

} // namespace

BlockGraph::BlockGraph(mlir::Block &block, size_t numOps, Effects &effects) {
  OpNumbers numberOf;
  ops.reserve(numOps);
  for (mlir::Operation &op : block) {
    numberOf.set(&op, size());
    ops.push_back(&op);
  }
  befores.begins.reserve(ops.size() + 1);
  befores.numbers.reserve(2 * ops.size());
  befores.begins.push_back(0);
  Accesses accesses(block);
  int32_t lastEffect = -1;
  auto wait = [&](int32_t number) { befores.numbers.push_back(number); };
  for (mlir::Operation *op : ops) {
    auto read = [&](mlir::Operation *reader) {
      for (mlir::Value operand : reader->getOperands())
        if (mlir::Operation *maker = operand.getDefiningOp(); maker && maker->getBlock() == &block)
          wait(numberOf.lookup(maker));
    };
    read(op);
    for (mlir::Region &region : op->getRegions())
      region.walk(read);
    bool isTerminator = op == ops.back() && op->hasTrait<mlir::OpTrait::IsTerminator>();
    auto number = static_cast<int32_t>(befores.begins.size()) - 1;
    if (!accesses.follow(op, number, wait) && (isTerminator || effects.has(op))) {
      if (lastEffect >= 0)
        wait(lastEffect);
      lastEffect = number;
    }
    if (isTerminator)
      accesses.finish(wait);
    befores.begins.push_back(static_cast<int32_t>(befores.numbers.size()));
  }
  listAfters();
  countComputed();
}

BlockGraph::BlockGraph(const BlockGraph &other, llvm::ArrayRef<int32_t> order) {
  std::vector<int32_t> numberOf(order.size());
  for (auto [number, old] : llvm::enumerate(order)) {
    numberOf[old] = static_cast<int32_t>(number);
    ops.push_back(other.op(old));
  }
  befores.begins.push_back(0);
  for (int32_t old : order) {
    for (int32_t earlier : other.before(old))
      befores.numbers.push_back(numberOf[earlier]);
    befores.begins.push_back(static_cast<int32_t>(befores.numbers.size()));
  }
  listAfters();
  countComputed();
}

void BlockGraph::listAfters() {
  std::vector<int32_t> counts(ops.size());
  for (int32_t earlier : befores.numbers)
    ++counts[earlier];
  afters.begins.reserve(ops.size() + 1);
  afters.begins.push_back(0);
  for (int32_t count : counts)
    afters.begins.push_back(afters.begins.back() + count);
  afters.numbers.resize(befores.numbers.size());
  std::vector<int32_t> next(afters.begins.begin(), afters.begins.end() - 1);
  for (int32_t number = 0; number < size(); ++number)
    for (int32_t earlier : before(number))
      afters.numbers[next[earlier]++] = number;
}

static bool computes(mlir::Operation *op) {
  bool isMadeWhenRead = op->getNumOperands() == 0 && op->getNumRegions() == 0;
  return !isMadeWhenRead &&
         !llvm::isa<LoadOp, StoreOp, stablehlo::ReshapeOp, stablehlo::BroadcastInDimOp,
                    stablehlo::TransposeOp, stablehlo::SliceOp>(op);
}

void BlockGraph::countComputed() {
  computedBefore.reserve(ops.size());
  int32_t count = 0;
  for (mlir::Operation *op : ops) {
    computedBefore.push_back(count);
    count += computes(op) ? 1 : 0;
  }
}

} // namespace spmd
