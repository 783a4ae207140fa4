// What is the same for all ops of one name.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Dialect.h"

#include "mlir/Interfaces/CallInterfaces.h"

namespace spmd {

/// Remembers what ops are by their names: each answer is a search otherwise.
class NamedOps {
public:
  struct Info {
    bool isAccess; ///< Of a buffer.
    bool isFlow, isCall, isTerminator;
    bool isFree; ///< Made anew wherever it is needed.
  };

  Info of(mlir::Operation *op) {
    const void *name = op->getName().getAsOpaquePointer();
    if (auto known = infos.find(name); known != infos.end())
      return known->second;
    auto partitionable = llvm::dyn_cast<Partitionable>(op);
    return infos[name] = {llvm::isa<AllocOp, LoadOp, StoreOp>(op), llvm::isa<DataFlow>(op),
                          llvm::isa<mlir::CallOpInterface>(op),
                          op->hasTrait<mlir::OpTrait::IsTerminator>(),
                          partitionable && partitionable.isFree()};
  }

private:
  llvm::DenseMap<const void *, Info> infos;
};

} // namespace spmd
