// Gathers of one value that lies in different orders: the value, its transpose, its reversal.
//
// A convolution reads its kernel, and its gradient reads it reversed; a product reads a weight, and
// another one its transpose; of what is compared pairwise, one is a column. Where the kernel is cut
// among devices, both are gathered. Once is enough: what is gathered first is reversed on each
// device. So it is with what is negated or converted in between. But no more memory is taken for
// it: a weight that the forward pass read last is gathered again for the backward pass, unless what
// is held until then is less than at the worst moment by as much (the weights of the last layers),
// or it is small.
// A gather of several values loses those that it need not send.
//
//     %a = all_gather(%k); %b = all_gather(reverse(%k))  =>  %a = all_gather(%k); %b = reverse(%a)
#pragma once

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/AlikeValues.h"
#include "spmd/passes/optimize/Room.h"

#include "llvm/ADT/DenseSet.h"

namespace spmd {

/// The gathers of one block, to be given in program order.
class GatheredLayouts {
public:
  /// What is gathered is held on to for later ones where there is `room`; null is none.
  GatheredLayouts(AlikeValues &alike, Room *room) : alike(alike), room(room) {}

  /// Returns `gathered`, what a gather gives, made of what one that was added did: right before
  /// that gather, or right behind it, of what else it gives. Null if none did.
  mlir::Value find(mlir::OpResult gathered);

  /// Lets later ones be made of `gathered`, what a gather gives, which stays.
  void add(mlir::OpResult gathered);

  /// Notes that `op`, which may be no gather, is to be erased at the end, and `by` to be read in
  /// its place.
  void replace(mlir::Operation *op, mlir::Operation *by);

private:
  /// A value that an op gathers in another order, which it lies in before `numBehind` ops.
  struct Ordered {
    mlir::Value value;
    int64_t dim; ///< Is gathered.
  };
  struct Known {
    mlir::OpResult gathered;
    size_t numBehind;
  };

  /// Returns the operand that `gathered` is made of, and what it was before each of the ops that
  /// put it in the order that it has, one behind the other.
  static llvm::SmallVector<Ordered, 4> ordersOf(mlir::OpResult gathered);

  /// Notes that what reads `gathered` will read `by` in its place.
  void replace(mlir::Value gathered, mlir::Value by);

  /// Returns what is gathered in order `orders[to]`, given `value`, which is in `orders[from]`.
  static mlir::Value inOrder(mlir::OpBuilder &builder, llvm::ArrayRef<Ordered> orders, size_t from,
                             size_t to, mlir::Value value, int64_t factor);

  /// Whether `gathered` is read behind `op` in any order.
  bool isHeldAt(mlir::Value gathered, mlir::Operation *op) const;

  /// Whether `known` can be held until `gathered` is made, of what lies `orders.back()` before,
  /// without more memory; it is then.
  bool holdFor(const Known &known, mlir::OpResult gathered, llvm::ArrayRef<Ordered> orders) const;

  AlikeValues &alike;
  Room *room;
  llvm::DenseMap<mlir::Value, mlir::Operation *> lastReaders; ///< Of what gathers give.
  llvm::DenseSet<mlir::Operation *> gone;                     ///< Ops, replaced at least in part.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, llvm::SmallVector<Known, 1>> known;
};

} // namespace spmd
