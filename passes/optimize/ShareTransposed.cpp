// Gathers of a value and of its transpose become one.
//
//     %t = transpose(%x), dims = [1, 0]
//     %a = all_gather(%t) along 1; %b = all_gather(%x) along 0
//  => %a = all_gather(%t) along 1; %b = transpose(%a), dims = [1, 0]
//
// So a Gram matrix and what is multiplied with it (x xᵀ x) take what is gathered once.

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Optimize.h"

#include "mlir/IR/Builders.h"

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

} // namespace

void shareTransposedGathers(ModuleCollectives &found) {
  for (const ModuleCollectives::InBlock &block : found.blocks()) {
    llvm::DenseMap<std::pair<mlir::Value, int64_t>, llvm::SmallVector<Gathered, 1>> known;
    for (int32_t place : block.members) {
      auto gather = llvm::dyn_cast_or_null<AllGatherOp>(found.all()[place]);
      if (!gather || gather->getNumOperands() != 1)
        continue;
      auto [root, order] = turned(gather->getOperand(0));
      auto &ofRoot = known[{root, order[gather.getAllGatherDim()]}];
      const Gathered *earlier = llvm::find_if(
          ofRoot, [&](const Gathered &each) { return areAmongTheSame(each.op, gather); });
      if (earlier == ofRoot.end()) {
        ofRoot.push_back({gather, order});
        continue;
      }
      mlir::OpBuilder builder(gather);
      mlir::Value whole = TransposeOp::create(
          builder, gather->getLoc(), gather->getResult(0).getType(), earlier->op->getResult(0),
          builder.getDenseI64ArrayAttr(orderBetween(earlier->order, order)));
      gather->getResult(0).replaceAllUsesWith(whole);
      mlir::Operation *unread = gather->getOperand(0).getDefiningOp();
      found.erase(place);
      while (llvm::isa_and_nonnull<TransposeOp>(unread) && unread->use_empty()) {
        mlir::Operation *maker = unread->getOperand(0).getDefiningOp();
        unread->erase();
        unread = maker;
      }
    }
  }
}

} // namespace spmd
