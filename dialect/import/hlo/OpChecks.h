// Verifying ops as they are made.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

namespace spmd::import_hlo {

/// Verifies each op that a builder inserts, while it is still in the cache: a walk over a large
/// module afterwards takes as long as making a third of it.
///
/// Checked is what an op itself says of its operands, results, attributes and regions. That
/// operands come before their uses, and blocks end in a terminator, is how the importer makes them.
class OpChecks : public mlir::OpBuilder::Listener {
public:
  void notifyOperationInserted(mlir::Operation *op, mlir::OpBuilder::InsertPoint previous) override;

  /// Verifies `op`, whose regions hold ops that are verified already, but for their terminators.
  void check(mlir::Operation *op);
  /// Verifies what ops say of symbols, when all have been made. Fails, too, if any op failed
  /// before.
  mlir::LogicalResult finish();

  /// Whether an op was wrong; a diagnostic says so.
  bool hasFailed() const { return failed; }

private:
  bool failed = false;
  std::vector<mlir::Operation *> symbolUsers;
};

} // namespace spmd::import_hlo
