// The moves that the reshard stage inserts: each value once for each layout in which it is wanted.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/ir/choose/Choose.h"
#include "spmd/passes/reshard/Remade.h"

#include "llvm/ADT/DenseSet.h"

#include <map>
#include <tuple>

namespace spmd {

class Moves {
public:
  Moves(Layouts &layouts, Values &values, ReshardCosts &costs)
      : layouts(layouts), values(values), costs(costs), remade(layouts, values) {}

  /// Takes in an op of the function that lies as it will.
  void addOp(mlir::Operation *op, const OpKind &kind) {
    if (remade.add(op, kind))
      clones.push_back(op);
  }

  /// Forgets the moves of the function before.
  void startFunction();

  /// Says which values ops of several blocks read in one layout: these are moved before a branch
  /// that some of the ops are in.
  void setReadInSeveralBlocks(std::function<bool(mlir::Value, int32_t)> is) {
    isReadInSeveralBlocks = std::move(is);
  }

  /// Returns `value` with layout `wanted`, usable at `user`; the same for all who want it so.
  mlir::Value bring(mlir::Value value, int32_t wanted, mlir::Operation *user);

  /// As `bring`, for a user in front of others for which values were moved: moves that stand behind
  /// it go before it.
  mlir::Value bringOutOfTurn(mlir::Value value, int32_t wanted, mlir::Operation *user);

  /// Whether `bring` put `move` before a loop, or found it there, for an op inside.
  bool isBeforeLoop(mlir::Operation *move) const { return beforeLoops.contains(move); }
  /// Makes the moves of `chain`, each of what the one before brings, once more before `user`;
  /// returns what the last one brings.
  mlir::Value repeat(llvm::ArrayRef<mlir::Operation *> chain, mlir::Operation *user);

  /// Lets all users of `result`, which comes out as `produced`, see it as `wanted`. Returns what
  /// they see.
  mlir::Value passOn(mlir::OpResult result, int32_t wanted);

  /// Returns the seconds it takes to move `value` from one layout to another.
  double costOf(mlir::Value value, int32_t from, int32_t to);

  /// a -> b -> c becomes a -> c where nobody else wants b and the way is no longer, or where that
  /// is much shorter than b -> c.
  void composeChains();

  /// Marks `op`, whose uses are gone, to be erased in the end: caches refer to ops. It has one
  /// result at most.
  void drop(mlir::Operation *op);
  /// Lets those who read what `move` brings read `value` instead, which lies alike, and drops it.
  void replace(mlir::Operation *move, mlir::Value value);
  /// All moves of the function, in the order in which they were inserted, dropped ones too.
  llvm::ArrayRef<mlir::Operation *> all() const { return inserted; }
  /// Returns move `i` of all, for those who walk them: fetches what lies around the next ones.
  mlir::Operation *at(size_t i) const {
    if (i + farAhead < inserted.size()) {
      __builtin_prefetch(inserted[i + farAhead]);
      __builtin_prefetch(inserted[i + nearAhead]->getOperand(0).getAsOpaquePointer());
    }
    return inserted[i];
  }
  bool isDropped(mlir::Operation *op) const;
  /// Whether nobody but `user` uses `value`, apart from what is dropped.
  bool isOnlyUser(mlir::Value value, mlir::Operation *user) const;
  /// Whether `op`, which may be null, moves one tensor: an op of this stage or of the user.
  bool isMove(mlir::Operation *op) const {
    return op && op->getNumResults() == 1 && values.isPlaced(op->getResult(0));
  }
  bool isUnused(mlir::Value value) const { return isOnlyUser(value, nullptr); }
  /// Drops what nobody wants: free ops, those of the function and those that were made anew, and
  /// moves. A constraint that nobody reads has said in propagation how its operand lies.
  void dropUnused(llvm::ArrayRef<mlir::Operation *> freeOps);
  void eraseDropped();

private:
  static constexpr size_t nearAhead = 8, farAhead = 16;

  void compose(mlir::Operation *second);
  /// Returns the place of a move of `value`, from `source`, that `user` wants, with the operand it
  /// is.
  mlir::Location placeFor(mlir::Value value, mlir::Value source, int32_t wanted,
                          mlir::Operation *user);
  /// Returns `reason` with what is moved so: the stage that partitions has no more to add.
  mlir::DictionaryAttr withLayouts(mlir::DictionaryAttr reason, mlir::Value value, int32_t wanted);
  /// Returns the reason that is operand or result `number` of ops of that name, "operand" or
  /// "result" being `role`.
  mlir::DictionaryAttr reasonFor(mlir::Operation *op, const char *role, unsigned number);
  /// Makes a free value once more, as `wanted`; null if what it is made of cannot lie so.
  mlir::Value makeAnew(mlir::Value value, int32_t wanted);
  mlir::Value insertMove(mlir::OpBuilder &builder, mlir::Location place, mlir::Value value,
                         int32_t wanted);
  /// Returns the op before which a value that `user` reads is moved.
  mlir::Operation *pointFor(mlir::Value value, int32_t wanted, mlir::Operation *user);
  /// Remembers that what is read at `user` was brought at `place`.
  void noteBeforeLoop(mlir::Value brought, mlir::Operation *place, mlir::Operation *user);
  /// Returns a move of `value` to `wanted` that stands before `place`, or null.
  mlir::Value lookUp(mlir::Value value, int32_t wanted, mlir::Operation *place);

  /// Returns `value`, or what `bring` made of it before `place` if the way from there is much
  /// shorter: what has been gathered is cut.
  mlir::Value nearestCopy(mlir::Value value, int32_t wanted, mlir::Operation *place);

  Layouts &layouts;
  Values &values;
  ReshardCosts &costs;
  Remade remade;
  std::function<bool(mlir::Value, int32_t)> isReadInSeveralBlocks;
  /// By value, layout and the block of the move.
  llvm::DenseMap<std::pair<mlir::Value, std::pair<int32_t, mlir::Block *>>, mlir::Value> moved;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> copies; ///< By what was moved.
  /// By name of the op, role and number: the same few, over and over.
  std::map<std::tuple<const void *, const char *, unsigned>, mlir::DictionaryAttr> reasons;
  using TypedMove = std::pair<mlir::Type, std::pair<int32_t, int32_t>>; ///< From layout to layout.
  llvm::DenseMap<std::pair<mlir::Attribute, TypedMove>, mlir::DictionaryAttr> fullReasons;
  llvm::DenseMap<TypedMove, double> knownCosts;
  std::vector<mlir::Operation *> inserted, clones, obsolete;
  llvm::DenseSet<mlir::Operation *> beforeLoops;
  /// Those to be erased that have no result to say so.
  llvm::DenseSet<mlir::Operation *> droppedSilent;
};

} // namespace spmd
