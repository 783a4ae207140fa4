// What buffers hold, as where they became values (passes/functionalize), so that both ways give the
// same shardings:
//
//     %0 = spmd.load %b       what %b holds: the tensor that was stored last
//     spmd.store %t, %b       from here on %t; if %b is pinned, a tensor of its own that lies so
//     call @f(%b)             from here on one more result of the call, if @f writes its argument
//     %b = spmd.alloc         zeros, if somebody looks before a store
#pragma once

#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/passes/functionalize/Effects.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace spmd {

/// Returns how often `value` is used but for stores, as what they store is used by loads, and for
/// sharding groups, which only say how it lies.
int32_t countUses(mlir::Value value);

/// What the buffers of one function hold. Requires accesses as `functionalize` leaves them: whole,
/// and in the buffer's own block. Of others less is known.
class BufferContents {
public:
  /// Contents are numbered from 0 in the order in which buffers come to hold them.
  static constexpr int32_t none = -1;

  BufferContents(mlir::func::FuncOp func, const BufferEffects &effects);

  /// A buffer, with all that it holds in turn.
  struct Cell {
    ValueSharding pin;
    int32_t content = none; ///< At the end of its block.
    bool isDonated = false; ///< Then what it holds lies as what it holds at first.
    llvm::SmallSetVector<int32_t, 2> history;

    /// Whether both ends lie alike without a pin that says so.
    bool tiesEnds() const { return isDonated && content != history.front() && !isClosed(pin); }
  };
  const Cell &cellOf(mlir::Value buffer) const { return cells.find(buffer)->second; }
  /// Arguments first, then in program order.
  const llvm::MapVector<mlir::Value, Cell> &getCells() const { return cells; }

  /// Returns the value that a content is; of zeros and of what an argument holds at first, the
  /// buffer. Null if the program has no value for it.
  mlir::Value valueOf(int32_t content) const { return contents[content].value; }
  /// Returns what `access`, a load or the buffer, was found to lie as, if that says something of
  /// the content, which lies alike: what its pin, if it has open dims, has grown to, else what was
  /// inferred.
  ValueSharding knownBy(mlir::Value access, int32_t content) const;
  /// Returns what a load reads.
  int32_t loadedBy(LoadOp load) const { return loaded.lookup(load); }
  /// Returns what the buffers among the operands of a call hold; `none` for other operands. Empty
  /// if there are none.
  llvm::ArrayRef<int32_t> passedBy(mlir::Operation *call) const;

  /// What an op gives to a buffer, and what that holds from there on: something of its own, if a
  /// pin is to be met.
  struct Put {
    mlir::Value buffer;
    int32_t given, held;
  };
  /// Returns what a store or call puts, in the order of operands. Empty for a store of what is
  /// there already.
  llvm::ArrayRef<Put> putsOf(mlir::Operation *op) const;

  /// What is left in an argument that the function writes, for its callers.
  struct Left {
    mlir::BlockArgument argument;
    int32_t content;
  };
  llvm::ArrayRef<Left> getLeft() const { return left; }

  /// Returns what is pinned with open dims among buffers and what they are given: what the user
  /// said decides whether that is a tensor of its own, not what the dims take up.
  llvm::ArrayRef<mlir::Value> getOpenlyPinned() const { return openlyPinned.getArrayRef(); }

  /// Returns whether `value` is used once where buffers became values.
  bool isUsedOnce(mlir::Value value) const;

private:
  struct Content {
    mlir::Value value;
    sdy::ShardingAttr pin;
    int32_t numUses;
  };

  int32_t add(mlir::Value value, sdy::ShardingAttr pin);
  int32_t contentOf(mlir::Value value);
  int32_t heldBy(mlir::Value buffer);
  Cell &track(mlir::Value buffer);
  void put(mlir::Value buffer, int32_t given, mlir::Operation *op);
  void noteOpen(mlir::Value value, sdy::ShardingAttr pin);
  void follow(mlir::func::CallOp call, const BufferEffects &effects);

  std::vector<Content> contents;
  llvm::DenseMap<mlir::Value, int32_t> numbers; ///< Of the values that are contents.
  llvm::DenseMap<mlir::Operation *, int32_t> loaded;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<int32_t, 4>> passed;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Put, 1>> puts;
  llvm::MapVector<mlir::Value, Cell> cells;
  std::vector<Left> left;
  llvm::SmallSetVector<mlir::Value, 2> openlyPinned;
};

} // namespace spmd
