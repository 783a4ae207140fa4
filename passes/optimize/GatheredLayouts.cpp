#include "spmd/passes/optimize/GatheredLayouts.h"

#include "spmd/dialect/spmd/Sizes.h"
#include "spmd/passes/optimize/Collecting.h"
#include "spmd/passes/optimize/TurnedFactors.h"

#include "mlir/IR/Builders.h"

namespace spmd {

using namespace stablehlo;

/// Less travels with the earlier gather in no time, and need not be held until the later one.
constexpr uint64_t leastBytes = 1024;

/// So many gathers of one value are known at a time, of those which nothing has made one.
constexpr size_t mostKnown = 16;

static mlir::RankedTensorType tensorOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

static int64_t numBefore(mlir::RankedTensorType type, int64_t dim) {
  int64_t product = 1;
  for (int64_t size : type.getShape().take_front(dim))
    product *= size;
  return product;
}

/// Whether `op` gives the elements that it reads in the order that it reads them in, as other dims.
static bool isRegrouping(mlir::Operation *op) {
  if (auto broadcast = llvm::dyn_cast<BroadcastInDimOp>(op))
    return tensorOf(broadcast.getOperand()).getNumElements() ==
               tensorOf(broadcast.getResult()).getNumElements() &&
           llvm::is_sorted(broadcast.getBroadcastDimensions());
  return llvm::isa<ReshapeOp>(op);
}

/// Whether `op` computes each element from the one at its place, at no cost to speak of.
static bool isOfElements(mlir::Operation *op) { return llvm::isa<ConvertOp, NegOp, NotOp>(op); }

/// Returns the dim of what `op` reads that `dim` of its result is gathered along alike; -1 if `op`
/// does more than to put elements in another order, or puts those along `dim` in another.
static int64_t dimBefore(mlir::Operation *op, int64_t dim) {
  if (auto transpose = llvm::dyn_cast<TransposeOp>(op))
    return transpose.getPermutation()[dim];
  if (auto reverse = llvm::dyn_cast<ReverseOp>(op))
    return llvm::is_contained(reverse.getDimensions(), dim) ? -1 : dim;
  if (isOfElements(op))
    return dim;
  if (!isRegrouping(op))
    return -1;
  // Blocks of all elements from a dim on are put side by side, whatever dims they are written as.
  mlir::RankedTensorType before = tensorOf(op->getOperand(0)), after = tensorOf(op->getResult(0));
  int64_t blocks = numBefore(after, dim), found = -1;
  for (int64_t each = 0; each < before.getRank(); ++each)
    if (numBefore(before, each) == blocks && (found < 0 || before.getDimSize(each) > 1))
      found = each;
  return found;
}

/// Whether `op` reads what one gather gives, whole, to give it in another order.
static bool isOrdering(mlir::Operation *op) {
  return llvm::isa<TransposeOp, ReverseOp>(op) || isOfElements(op) || isRegrouping(op);
}

/// Returns the op of `block` that reads `value`, or it in another order, last: until then it is
/// held anyway. Null if none does.
static mlir::Operation *lastReader(mlir::Value value, mlir::Block *block, size_t depth = 0) {
  mlir::Operation *last = nullptr;
  auto note = [&](mlir::Operation *reader) {
    if (reader && (!last || last->isBeforeInBlock(reader)))
      last = reader;
  };
  for (mlir::Operation *user : value.getUsers()) {
    note(block->findAncestorOpInBlock(*user));
    if (depth < AlikeValues::mostLinks && isOrdering(user))
      note(lastReader(user->getResult(0), block, depth + 1));
  }
  return last;
}

static bool gatherAlike(AllGatherOp a, AllGatherOp b) {
  return a.getReplicaGroupsAttr() == b.getReplicaGroupsAttr() && numberingOf(a) == numberingOf(b) &&
         a->getDiscardableAttrDictionary() == b->getDiscardableAttrDictionary();
}

static AllGatherOp gatherOf(mlir::OpResult gathered) {
  return llvm::cast<AllGatherOp>(gathered.getOwner());
}

static mlir::Value pieceOf(mlir::OpResult gathered) {
  return gathered.getOwner()->getOperand(gathered.getResultNumber());
}

static bool hasElements(mlir::OpResult gathered) {
  return tensorOf(gathered).hasStaticShape() && tensorOf(pieceOf(gathered)).getNumElements() > 0;
}

llvm::SmallVector<GatheredLayouts::Ordered, 4> GatheredLayouts::ordersOf(mlir::OpResult gathered) {
  AllGatherOp gather = gatherOf(gathered);
  llvm::SmallVector<Ordered, 4> orders = {
      {pieceOf(gathered), static_cast<int64_t>(gather.getAllGatherDim())}};
  while (orders.size() <= AlikeValues::mostLinks) {
    mlir::Operation *op = orders.back().value.getDefiningOp();
    int64_t dim =
        op && op->getBlock() == gather->getBlock() ? dimBefore(op, orders.back().dim) : -1;
    if (dim < 0)
      break;
    orders.push_back({op->getOperand(0), dim});
  }
  return orders;
}

/// Returns how what `op` reads lies in what it gives, or the other way around if it `isBack`; none
/// if it does not transpose.
static llvm::SmallVector<int64_t> permutationOf(mlir::Operation *op, bool isBack) {
  auto transpose = llvm::dyn_cast<TransposeOp>(op);
  if (!transpose)
    return {};
  llvm::SmallVector<int64_t> permutation(transpose.getPermutation());
  if (isBack)
    for (auto [place, dim] : llvm::enumerate(transpose.getPermutation()))
      permutation[dim] = static_cast<int64_t>(place);
  return permutation;
}

mlir::Value GatheredLayouts::inOrder(mlir::OpBuilder &builder, llvm::ArrayRef<Ordered> orders,
                                     size_t from, size_t to, mlir::Value value, int64_t factor) {
  while (from != to) {
    bool isBack = from < to;
    mlir::Operation *op = orders[isBack ? from : from - 1].value.getDefiningOp();
    from = isBack ? from + 1 : from - 1;
    mlir::RankedTensorType local = tensorOf(orders[from].value);
    llvm::SmallVector<int64_t> shape(local.getShape());
    shape[orders[from].dim] *= factor;
    mlir::RankedTensorType type = local.clone(shape);
    if (isRegrouping(op)) {
      value = ReshapeOp::create(builder, op->getLoc(), type, value);
      continue;
    }
    mlir::Operation *again = builder.clone(*op);
    again->setOperand(0, value);
    if (auto transpose = llvm::dyn_cast<TransposeOp>(again))
      transpose.setPermutation(permutationOf(op, isBack));
    value = again->getResult(0);
    value.setType(type);
  }
  return value;
}

mlir::Value GatheredLayouts::find(mlir::OpResult gathered) {
  if (!hasElements(gathered))
    return nullptr;
  AllGatherOp gather = gatherOf(gathered);
  bool isSmall = bytesOf(gathered) < leastBytes;
  llvm::SmallVector<Ordered, 4> orders = ordersOf(gathered);
  int64_t dim = orders.front().dim,
          factor = tensorOf(gathered).getDimSize(dim) / tensorOf(pieceOf(gathered)).getDimSize(dim);
  for (auto [place, order] : llvm::enumerate(orders))
    for (const Known &each : known[{alike.first(order.value), order.dim}])
      if (gatherAlike(gatherOf(each.gathered), gather) &&
          !(isSmall && place + each.numBehind > 0) &&
          (each.gathered.getOwner() == gather || isHeldAt(each.gathered, gather) ||
           holdFor(each, gathered, llvm::ArrayRef(orders).take_front(place + 1)))) {
        mlir::OpBuilder builder(gather);
        if (each.gathered.getOwner() == gather)
          builder.setInsertionPointAfter(gather);
        mlir::Value value =
            inOrder(builder, ordersOf(each.gathered), 0, each.numBehind, each.gathered, factor);
        gone.insert(gather);
        replace(gathered, each.gathered);
        return inOrder(builder, orders, place, 0, value, factor);
      }
  return nullptr;
}

void GatheredLayouts::add(mlir::OpResult gathered) {
  if (!hasElements(gathered))
    return;
  mlir::Operation *gather = gathered.getOwner();
  lastReaders[gathered] = lastReader(gathered, gather->getBlock());
  for (auto [place, order] : llvm::enumerate(ordersOf(gathered))) {
    auto &ofValue = known[{alike.first(order.value), order.dim}];
    if (ofValue.size() == mostKnown)
      llvm::erase_if(ofValue, [&](const Known &each) { return !isHeldAt(each.gathered, gather); });
    if (ofValue.size() == mostKnown)
      ofValue.erase(ofValue.begin());
    ofValue.push_back({gathered, place});
    if (llvm::isa_and_nonnull<ConvertOp>(order.value.getDefiningOp()))
      break; // What was before may have been more than is left.
  }
}

void GatheredLayouts::replace(mlir::Operation *op, mlir::Operation *by) {
  gone.insert(op);
  for (auto [result, other] : llvm::zip(op->getResults(), by->getResults()))
    replace(result, other);
}

void GatheredLayouts::replace(mlir::Value gathered, mlir::Value by) {
  auto known = lastReaders.find(by);
  if (known == lastReaders.end())
    return;
  mlir::Operation *&last = known->second,
                  *next = lastReader(gathered, by.getDefiningOp()->getBlock());
  if (next && (!last || gone.contains(last) || last->isBeforeInBlock(next)))
    last = next;
}

bool GatheredLayouts::isHeldAt(mlir::Value gathered, mlir::Operation *op) const {
  // What is gone was in front of `op`, and so is what reads earlier.
  mlir::Operation *last = lastReaders.lookup(gathered);
  return last && !gone.contains(last) && op->isBeforeInBlock(last);
}

bool GatheredLayouts::holdFor(const Known &known, mlir::OpResult gathered,
                              llvm::ArrayRef<Ordered> orders) const {
  mlir::Operation *last = lastReaders.lookup(known.gathered);
  if (!room || !last || gone.contains(last))
    return false;
  // Products read it as it lies (`TurnedFactors.h`); else both are held at once.
  bool isOneLink = orders.size() - 1 + known.numBehind == 1, isBack = known.numBehind == 1;
  llvm::SmallVector<int64_t> permutation;
  if (isOneLink)
    permutation = permutationOf(
        (isBack ? pieceOf(known.gathered) : orders.front().value).getDefiningOp(), isBack);
  bool isCopied = permutation.empty() || !canReadUnturned(gathered, permutation);
  mlir::Operation *gather = gathered.getOwner();
  return room->take(last, isCopied ? gather->getNextNode() : gather, bytesOf(gathered));
}

} // namespace spmd
