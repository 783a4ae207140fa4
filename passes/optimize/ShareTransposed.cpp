// Gathers of a value and of its transpose become one.
//
//     %t = transpose(%x), dims = [1, 0]
//     %a = all_gather(%t) along 1; %b = all_gather(%x) along 0
//  => %a = all_gather(%t) along 1; %b = transpose(%a), dims = [1, 0]
//
// So a Gram matrix and what is multiplied with it (x xᵀ x) take what is gathered once. What is far
// apart is gathered twice, as the weights of a layer for its results and for its gradients: all of
// them would be held in between.

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Optimize.h"
#include "spmd/passes/optimize/merge/Order.h"

#include "mlir/IR/Builders.h"

#include <numeric>

namespace spmd {

using namespace stablehlo;

namespace {

/// A value as another with its dims in another order: dim d of it is dim `order[d]` of `root`.
struct Turned {
  mlir::Value root;
  llvm::SmallVector<int64_t> order;
};

Turned turned(mlir::Value value) {
  int64_t rank = llvm::cast<mlir::RankedTensorType>(value.getType()).getRank();
  Turned result{value, llvm::to_vector(llvm::seq<int64_t>(0, rank))};
  while (auto transpose = result.root.getDefiningOp<TransposeOp>()) {
    for (int64_t &dim : result.order)
      dim = transpose.getPermutation()[dim];
    result.root = transpose.getOperand();
  }
  return result;
}

struct Gathered {
  AllGatherOp op;
  llvm::SmallVector<int64_t> order;
};

/// Returns the order of the dims of `from` that makes it lie as `to`.
llvm::SmallVector<int64_t> orderBetween(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to) {
  llvm::SmallVector<int64_t> order;
  for (int64_t dim : to)
    order.push_back(llvm::find(from, dim) - from.begin());
  return order;
}

/// Whether two gathers differ in nothing but the dim.
bool areAmongTheSame(AllGatherOp a, AllGatherOp b) {
  mlir::NamedAttrList ofA(a->getAttrs()), ofB(b->getAttrs());
  ofA.erase(a.getAllGatherDimAttrName());
  ofB.erase(b.getAllGatherDimAttrName());
  return ofA == ofB;
}

/// A gather, and an earlier one that it could be made of.
struct Pair {
  Gathered later, earlier;
  int32_t place; ///< Of the later.
};

std::vector<Pair> pairsIn(const ModuleCollectives &found, const ModuleCollectives::InBlock &block) {
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, llvm::SmallVector<Gathered, 1>> known;
  std::vector<Pair> pairs;
  for (int32_t place : block.members) {
    auto gather = llvm::dyn_cast_or_null<AllGatherOp>(found.all()[place]);
    if (!gather || gather->getNumOperands() != 1)
      continue;
    auto [root, order] = turned(gather->getOperand(0));
    auto &ofRoot = known[{root, order[gather.getAllGatherDim()]}];
    Gathered *earlier = llvm::find_if(
        ofRoot, [&](const Gathered &each) { return areAmongTheSame(each.op, gather); });
    if (earlier == ofRoot.end())
      ofRoot.push_back({gather, order});
    else
      pairs.push_back({{gather, order}, *earlier, place});
  }
  return pairs;
}

/// What a block holds, op by op.
class Held {
public:
  Held(const ModuleCollectives::InBlock &block, llvm::ArrayRef<Pair> pairs)
      : graph(*block.block, block.numOps, effects) {
    for (const Pair &pair : pairs)
      numberOf[pair.earlier.op] = numberOf[pair.later.op] = -1;
    std::vector<Footprint> footprints;
    for (int32_t number = 0; number < graph.size(); ++number) {
      footprints.push_back(footprintOf(graph.op(number)));
      if (auto asked = numberOf.find(graph.op(number)); asked != numberOf.end())
        asked->second = number;
    }
    Meetings none;
    none.groupOf.assign(graph.size(), -1);
    std::vector<int32_t> order(graph.size());
    std::iota(order.begin(), order.end(), 0);
    bytes = heldBytes(graph, none, order, footprints);
    most = *std::max_element(bytes.begin(), bytes.end());
  }

  /// Whether no more is held at the worst moment if the earlier of two gathers is held until the
  /// later, which is not far; then it is from now on.
  bool extend(const Pair &pair) {
    int32_t end = numberOf.lookup(pair.later.op), from = lastReader(pair.earlier.op) + 1;
    if (graph.numComputedBefore(end) - graph.numComputedBefore(from) > farthest)
      return false;
    uint64_t added = bytesOf(pair.earlier.op->getResults());
    for (int32_t at = from; at <= end; ++at)
      if (bytes[at] + added > most)
        return false;
    for (int32_t at = from; at <= end; ++at)
      bytes[at] += added;
    return true;
  }

private:
  int32_t lastReader(mlir::Operation *op) const {
    int32_t number = numberOf.lookup(op), last = number;
    for (int32_t reader : graph.after(number))
      last = std::max(last, reader);
    return std::min(last, graph.size() - 1);
  }

  /// As for collectives that meet.
  static constexpr int32_t farthest = 512;

  Effects effects;
  BlockGraph graph;
  llvm::DenseMap<mlir::Operation *, int32_t> numberOf;
  std::vector<uint64_t> bytes;
  uint64_t most = 0;
};

void replace(const Pair &pair, ModuleCollectives &found) {
  mlir::Operation *gather = pair.later.op;
  mlir::OpBuilder builder(gather);
  mlir::Value whole = TransposeOp::create(
      builder, gather->getLoc(), gather->getResult(0).getType(), pair.earlier.op->getResult(0),
      builder.getDenseI64ArrayAttr(orderBetween(pair.earlier.order, pair.later.order)));
  gather->getResult(0).replaceAllUsesWith(whole);
  mlir::Operation *unread = gather->getOperand(0).getDefiningOp();
  found.erase(pair.place);
  while (llvm::isa_and_nonnull<TransposeOp>(unread) && unread->use_empty()) {
    mlir::Operation *maker = unread->getOperand(0).getDefiningOp();
    unread->erase();
    unread = maker;
  }
}

} // namespace

void shareTransposedGathers(ModuleCollectives &found) {
  for (const ModuleCollectives::InBlock &block : found.blocks()) {
    std::vector<Pair> pairs = pairsIn(found, block);
    if (pairs.empty() || !block.block->mightHaveTerminator())
      continue;
    Held held(block, pairs);
    llvm::erase_if(pairs, [&](const Pair &pair) { return !held.extend(pair); });
    for (const Pair &pair : pairs)
      replace(pair, found);
  }
}

} // namespace spmd
