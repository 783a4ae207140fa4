// How often the blocks of a function run, and along which axes their ops may be split.
#pragma once

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/ir/sharding/Mesh.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseMap.h"

namespace spmd {

class PlanBlocks {
public:
  /// Forgets the function before. `mesh` must outlive this.
  void start(mlir::func::FuncOp func, const Mesh &mesh);

  /// Returns how often a block runs for one run of the function.
  double tripCountOf(mlir::Block *block);
  /// Returns the axes of the mesh that no manual computation around a block has taken.
  const std::vector<int32_t> &axesIn(mlir::Block *block);

private:
  mlir::func::FuncOp func;
  const Mesh *mesh = nullptr;
  llvm::DenseMap<mlir::Block *, double> tripCounts;
  llvm::DenseMap<mlir::Block *, std::vector<int32_t>> freeAxes;
};

} // namespace spmd
