// Calls that were composites with a sharding rule (`spmd-expand-composites`), and pass axes by it.
#pragma once

#include "spmd/ir/rules/OpRule.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>

namespace spmd {

class CompositeRules {
public:
  /// Returns the rule of the composite that `call` was; null if it was none, or now takes or gives
  /// tensors of other sizes than the rule says.
  const OpRule *of(mlir::Operation *call);

private:
  llvm::DenseMap<mlir::Attribute, std::unique_ptr<OpRule>> rules;
};

} // namespace spmd
