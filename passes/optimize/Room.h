// What a block can hold for longer without more memory at its worst moment.
#pragma once

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace spmd {

/// The bytes that a block holds while each of its ops is done, as what it is worth to move again is
/// held on to instead.
class Room {
public:
  explicit Room(mlir::Block &block) : block(block) {}

  /// Whether `bytes` more can be held from behind `last` until right before `until`, and the block
  /// holds no more at its worst moment than when first asked, or 64 KiB more of what is at most
  /// 4 KiB each; if so they are. Never past a loop, a
  /// branch or a call, nor to or from an op that the block did not have when first asked, which is
  /// linear; later, logarithmic in the ops.
  bool take(mlir::Operation *last, mlir::Operation *until, uint64_t bytes);

private:
  /// Of a range of ops, in a tree of such: what was taken for all of them, and what is held at
  /// most.
  struct Range {
    uint64_t taken = 0, most = 0;
  };

  void fill();
  /// Returns what is held at most within ops `first` to `end` of the `size` that `range` is of.
  uint64_t mostIn(size_t range, size_t size, size_t first, size_t end) const;
  void add(size_t range, size_t size, size_t first, size_t end, uint64_t bytes);

  mlir::Block &block;
  llvm::DenseMap<mlir::Operation *, size_t> numberOf;
  std::vector<Range> ranges; ///< Halves of range i are 2 i and 2 i + 1; 1 is all.
  uint64_t limit = 0;
};

} // namespace spmd
