// What is the same for all ops of one name, asked once: traits and interfaces are searched for at
// each question otherwise.
#pragma once

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace spmd {

/// Whether no op of the name of this one has effects, or is undefined for some operands. Not so for
/// ops whose attributes or regions say that of themselves.
inline bool isPureByName(mlir::Operation *op) {
  return op->hasTrait<mlir::OpTrait::AlwaysSpeculatableImplTrait>() && op->getNumRegions() == 0 &&
         mlir::isMemoryEffectFree(op);
}

/// Remembers an `Answer` for each name of an op.
template <typename Answer> class ByName {
public:
  /// Returns what `ask` says of `op`; it is called for the first op of a name.
  template <typename Ask> Answer of(mlir::Operation *op, Ask &&ask) {
    const void *name = op->getName().getAsOpaquePointer();
    if (auto known = answers.find(name); known != answers.end())
      return known->second;
    return answers[name] = ask(op);
  }

private:
  llvm::DenseMap<const void *, Answer> answers;
};

} // namespace spmd
