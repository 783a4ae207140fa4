// The pass `spmd-move-weights`: where a product would move to be cut, or to be written in other
// dims, its weight moves.
//
//     x: [batch, d], w: [d, 3 * heads * k] in 4 shards: the first has q of all heads but some
//     q, k, v = slices of dot(x, w), each split over heads
//
// becomes three products of slices of w, and likewise where gradients of the parts are joined:
//
//     g = concatenate(dq, dk, dv);  dot(g, transpose w);  dot(transpose x, g)
//
// becomes the sum of three products, and the concatenation of three. A weight is as large as the
// model is wide; a product is as long as the batch, too.

#include "spmd/dialect/spmd/Walk.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/weights/Parts.h"
#include "spmd/passes/weights/Source.h"
#include "spmd/passes/weights/Users.h"

namespace spmd {

#define GEN_PASS_DEF_MOVEWEIGHTSPASS
#include "spmd/passes/Passes.h.inc"

using namespace stablehlo;

namespace {

/// Products are that much larger than the weights that move for them: those may move more than
/// once.
constexpr double minGain = 2;

class Mover {
public:
  explicit Mover(mlir::ModuleOp module) : module(module), codec(module), bytes(codec) {}

  void run() {
    std::vector<mlir::Operation *> ops;
    llvm::DenseSet<mlir::Value> cut;
    forEachOp(module, [&](mlir::Operation *op) {
      auto slice = llvm::dyn_cast<SliceOp>(op);
      if (slice ? cut.insert(slice.getOperand()).second
                : llvm::isa<ReshapeOp, ConcatenateOp, AddOp>(op))
        ops.push_back(op);
    });
    for (mlir::Operation *op : ops)
      if (op->use_empty())
        continue; // Its users were made anew.
      else if (auto slice = llvm::dyn_cast<SliceOp>(op))
        moveForSlices(slice.getOperand());
      else if (auto concatenate = llvm::dyn_cast<ConcatenateOp>(op))
        moveForUsers(op, partsOfJoined(concatenate, bytes));
      else if (auto sum = llvm::dyn_cast<AddOp>(op))
        moveForUsers(op, partsOfPadded(sum, bytes));
      else if (auto reshape = llvm::cast<ReshapeOp>(op); !moveForSplit(reshape))
        moveForUsers(op, partsOfReshape(reshape.getResult(), reshape.getOperand(), bytes));
    for (mlir::Operation *op : unused)
      eraseUnused(op);
  }

private:
  /// For slices that cut what comes from a product along one dim.
  void moveForSlices(mlir::Value value) {
    std::optional<Parts> parts = partsOfSlices(value, bytes);
    if (!parts)
      return;
    for (const DimChange &change : parts->changes) {
      DimChanger changer(codec, strategies, change);
      if (!pays(Source(changer, bytes).cost(value, parts->dim), value))
        return;
    }
    llvm::SmallVector<mlir::Operation *> slices(value.getUsers());
    for (auto [slice, change] : llvm::zip(slices, parts->changes)) {
      DimChanger changer(codec, strategies, change);
      mlir::OpBuilder builder(slice);
      replace(slice, Source(changer, bytes).make(builder, value, parts->dim));
    }
  }

  /// For a reshape that writes one dim of what comes from a product as several.
  bool moveForSplit(ReshapeOp reshape) {
    mlir::Value value = reshape.getOperand();
    std::optional<Parts> parts =
        value.hasOneUse() ? partsOfReshape(value, reshape.getResult(), bytes) : std::nullopt;
    if (!parts)
      return false;
    DimChanger changer(codec, strategies, parts->changes.front());
    Source source(changer, bytes);
    if (!pays(source.cost(value, parts->dim), value))
      return false;
    mlir::OpBuilder builder(reshape);
    replace(reshape, source.make(builder, value, parts->dim));
    return true;
  }

  /// For a tensor that is joined of several, or written in dims of which one stands for several,
  /// and is read by products. Of such dims there is one piece, which is made.
  void moveForUsers(mlir::Operation *op, std::optional<Parts> parts) {
    if (!parts)
      return;
    mlir::Value value = op->getResult(0);
    llvm::SmallVector<DimChanger, 3> changers;
    for (const DimChange &change : parts->changes)
      changers.emplace_back(codec, strategies, change);
    Users users(changers, bytes);
    if (!pays(users.cost(value, parts->dim), value))
      return;
    mlir::OpBuilder builder(op);
    if (parts->pieces.empty())
      parts->pieces = {changers.front().reshaped(builder, op->getOperand(0), value, parts->dim)};
    users.remake(value, parts->dim, parts->pieces, unused);
  }

  bool pays(std::optional<double> cost, mlir::Value value) const {
    return cost && *cost * minGain <= bytes.onDevice(value);
  }

  /// Lets `made` stand for the result of `op`: it has its elements, in the same order.
  void replace(mlir::Operation *op, mlir::Value made) {
    mlir::Value before = op->getResult(0);
    if (made.getType() != before.getType()) {
      mlir::OpBuilder builder(op);
      made = ReshapeOp::create(builder, op->getLoc(), before.getType(), made);
    }
    setShardings(made.getDefiningOp(), {shardingOf(before)});
    before.replaceAllUsesWith(made);
    unused.push_back(op);
  }

  mlir::ModuleOp module;
  ShardingCodec codec;
  Bytes bytes;
  StrategyCache strategies;
  llvm::SmallVector<mlir::Operation *> unused;
};

struct MoveWeightsPass : impl::MoveWeightsPassBase<MoveWeightsPass> {
  using MoveWeightsPassBase::MoveWeightsPassBase;
  void runOnOperation() override { Mover(getOperation()).run(); }
};

} // namespace
} // namespace spmd
