// Permutes of pieces of one value that overlap become one, of a piece that holds both.
//
//     permute(x[3:4]), permute(x[2:4])  =>  %p = permute(x[2:4]); %p[1:2], %p
//
// So are neighbours' rows that are read at several distances: differences of higher order,
// convolutions made of shifts.

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Collecting.h"
#include "spmd/passes/optimize/Optimize.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// The elements [from, to) of a tensor, of each dim.
struct Box {
  llvm::SmallVector<int64_t, 4> from, to;

  int64_t numElements() const {
    int64_t count = 1;
    for (auto [low, high] : llvm::zip(from, to))
      count *= high - low;
    return count;
  }
};

/// Returns the smallest box that holds both.
Box around(const Box &a, const Box &b) {
  Box all = a;
  for (size_t d = 0; d < all.from.size(); ++d) {
    all.from[d] = std::min(a.from[d], b.from[d]);
    all.to[d] = std::max(a.to[d], b.to[d]);
  }
  return all;
}

struct Member {
  CollectivePermuteOp op;
  int32_t place; ///< In the list of all collectives.
  Box box;
};

/// Permutes of pieces that travel together.
struct Group {
  Box box;
  llvm::SmallVector<Member, 4> members;
};

/// Permutes between the same devices, of pieces of one value.
using Groups = llvm::SmallVector<Group, 2>;

class PieceSharer {
public:
  explicit PieceSharer(ModuleCollectives &found) : found(found) {}

  void run(const ModuleCollectives::InBlock &block) {
    llvm::MapVector<std::pair<mlir::Value, mlir::Attribute>, Groups> byValue;
    for (int32_t place : block.members)
      if (auto op = llvm::dyn_cast_if_present<CollectivePermuteOp>(found.all()[place]))
        if (auto type = llvm::dyn_cast<mlir::RankedTensorType>(op.getOperand().getType());
            type && type.hasStaticShape() && type.getNumElements() > 0) {
          auto [value, box] = pieceOf(op.getOperand());
          add(byValue[{value, attributesOf(op)}], {op, place, std::move(box)});
        }
    for (auto &[key, groups] : byValue)
      for (Group &group : groups)
        if (group.members.size() > 1)
          join(key.first, group);
  }

private:
  /// Groups to which a permute may be added: many pieces of one value seldom overlap.
  static constexpr size_t maxGroups = 8;

  /// Returns what `piece` is cut out of, without gaps, and where.
  static std::pair<mlir::Value, Box> pieceOf(mlir::Value piece) {
    auto slice = piece.getDefiningOp<SliceOp>();
    if (slice && llvm::all_of(slice.getStrides(), [](int64_t stride) { return stride == 1; }))
      return {slice.getOperand(),
              {llvm::to_vector<4>(slice.getStartIndices()),
               llvm::to_vector<4>(slice.getLimitIndices())}};
    auto shape = llvm::cast<mlir::RankedTensorType>(piece.getType()).getShape();
    return {piece, {llvm::SmallVector<int64_t, 4>(shape.size(), 0), llvm::to_vector<4>(shape)}};
  }

  /// To the first group with which less travels than beside it.
  static void add(Groups &groups, Member member) {
    for (Group &group : groups) {
      Box all = around(group.box, member.box);
      if (all.numElements() >= group.box.numElements() + member.box.numElements())
        continue;
      group.box = std::move(all);
      group.members.push_back(std::move(member));
      return;
    }
    if (groups.size() < maxGroups)
      groups.push_back({member.box, {member}});
  }

  void join(mlir::Value value, Group &group) {
    CollectivePermuteOp first = group.members.front().op;
    mlir::OpBuilder builder(first);
    mlir::Value piece = cut(builder, first.getLoc(), value, group.box);
    auto sent = llvm::cast<CollectivePermuteOp>(builder.clone(*first));
    sent->setOperand(0, piece);
    sent->getResult(0).setType(piece.getType());
    for (Member &member : group.members) {
      Box own = member.box;
      for (size_t d = 0; d < own.from.size(); ++d) {
        own.from[d] -= group.box.from[d];
        own.to[d] -= group.box.from[d];
      }
      builder.setInsertionPoint(member.op);
      mlir::Operation *before = member.op.getOperand().getDefiningOp();
      member.op->replaceAllUsesWith(
          mlir::ValueRange{cut(builder, member.op.getLoc(), sent->getResult(0), own)});
      if (member.op == first)
        found.replace(member.place, sent);
      else
        found.erase(member.place);
      if (before && before->use_empty() && llvm::isa<SliceOp>(before))
        before->erase();
    }
  }

  static mlir::Value cut(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                         const Box &box) {
    auto type = llvm::cast<mlir::RankedTensorType>(value.getType());
    llvm::SmallVector<int64_t> shape, strides(type.getRank(), 1);
    for (auto [low, high] : llvm::zip(box.from, box.to))
      shape.push_back(high - low);
    if (type.getShape() == llvm::ArrayRef(shape))
      return value;
    return SliceOp::create(builder, loc, type.clone(shape), value, box.from, box.to, strides);
  }

  ModuleCollectives &found;
};

} // namespace

void sharePermutedPieces(ModuleCollectives &found) {
  PieceSharer sharer(found);
  for (const ModuleCollectives::InBlock &block : found.blocks())
    sharer.run(block);
}

} // namespace spmd
