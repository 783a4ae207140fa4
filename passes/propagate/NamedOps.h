// What is the same for all ops of one name.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/ByName.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Dialect.h"

#include "mlir/Interfaces/CallInterfaces.h"

namespace spmd {

/// Knows what ops are by their names.
class NamedOps {
public:
  struct Info {
    bool isAccess; ///< Of a buffer.
    bool isFlow, isCall, isTerminator;
    bool isFree; ///< Made anew wherever it is needed.
    bool isPure; ///< Whatever its attributes say.
  };

  Info of(mlir::Operation *op) {
    return infos.of(op, [](mlir::Operation *first) -> Info {
      auto partitionable = llvm::dyn_cast<Partitionable>(first);
      return {llvm::isa<AllocOp, LoadOp, StoreOp>(first),
              llvm::isa<DataFlow>(first),
              llvm::isa<mlir::CallOpInterface>(first),
              first->hasTrait<mlir::OpTrait::IsTerminator>(),
              partitionable && partitionable.isFree(),
              isPureByName(first)};
    });
  }

  /// Whether the results of an op are constants if all its operands are.
  bool makesConstants(mlir::Operation *op) {
    Info info = of(op);
    return info.isFree || (op->getNumOperands() > 0 && op->getNumRegions() == 0 &&
                           (info.isPure || mlir::isPure(op)));
  }

private:
  ByName<Info> infos;
};

} // namespace spmd
