// The collectives of a module, found in one walk and kept up to date by the rewrites.
//
// A walk over a large program waits for memory at each op, and the rewrites look at few of them.
#pragma once

#include "spmd/dialect/spmd/ByName.h"
#include "spmd/dialect/spmd/DataFlow.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace spmd {

class ModuleCollectives {
public:
  /// A block that has collectives, or that data flows through.
  struct InBlock {
    mlir::Block *block;
    std::vector<int32_t> members; ///< Places in the list of all, in program order.
    size_t numOps = 0;            ///< Of all kinds, without those in regions.
  };

  /// Linear.
  explicit ModuleCollectives(mlir::ModuleOp module) : module(module) { findAgain(); }

  /// Finds all again, after ops came or went that nobody told of.
  void findAgain();

  /// Collectives, and slices at a computed place, which may take a device's own piece of what they
  /// give; in the order of a walk, null where erased.
  llvm::ArrayRef<mlir::Operation *> all() const { return ops; }
  /// Inner blocks come first, and inner loops.
  llvm::ArrayRef<InBlock> blocks() const { return inBlocks; }
  llvm::ArrayRef<DataFlow> flows() const { return dataFlows; }
  /// Channels of ops that are no collectives, such as those that send and receive.
  const llvm::DenseSet<int64_t> &channelsOfOthers() const { return otherChannels; }

  mlir::ModuleOp getModule() const { return module; }

  /// Erases the op at `place`.
  void erase(int32_t place);
  /// Erases `op`, which may be no collective.
  void erase(mlir::Operation *op);
  /// Erases an op, in whose place `other` stands from now on.
  void replace(int32_t place, mlir::Operation *other);
  void replace(mlir::Operation *op, mlir::Operation *other);

private:
  /// Returns the place of `op`, or -1 if it has none.
  int32_t placeOf(mlir::Operation *op);
  void find(mlir::Region &region);

  mlir::ModuleOp module;
  std::vector<mlir::Operation *> ops;
  std::vector<InBlock> inBlocks;
  std::vector<DataFlow> dataFlows;
  llvm::DenseMap<mlir::Operation *, int32_t> places; ///< Made when first asked.
  llvm::DenseSet<int64_t> otherChannels;
  enum class Kind { other, listed, withChannel };
  static Kind kindOf(mlir::Operation *op);
  ByName<Kind> kinds;
};

} // namespace spmd
