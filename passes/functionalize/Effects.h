// Which functions write the buffers that they are given, and what nobody may do with a buffer.
#pragma once

#include "spmd/dialect/spmd/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallBitVector.h"

namespace spmd {

inline bool isBuffer(mlir::Value value) { return llvm::isa<BufferType>(value.getType()); }

/// Returns whether a value of `module` is a buffer.
bool hasBuffers(mlir::ModuleOp module);

/// What the functions of a module do with their buffer arguments.
class BufferEffects {
public:
  explicit BufferEffects(mlir::ModuleOp module);

  /// Returns whether `func`, or what it calls, stores into its argument `index`.
  bool writes(mlir::func::FuncOp func, unsigned index) const;
  /// Returns whether `operand` is a buffer that its op, or what that calls, stores into.
  bool writes(mlir::OpOperand &operand) const;
  /// Returns whether a function of the module calls `func`.
  bool isCalled(mlir::func::FuncOp func) const { return called.contains(func); }
  /// Returns the function with a body that `call` calls, or null.
  mlir::func::FuncOp calleeOf(mlir::func::CallOp call) const { return callees.lookup(call); }

private:
  llvm::DenseMap<mlir::Operation *, llvm::SmallBitVector>
      written; ///< By function: a bit for each argument.
  llvm::DenseMap<mlir::Operation *, mlir::func::FuncOp> callees;
  llvm::DenseSet<mlir::Operation *> called;
};

/// Returns the op of `block` that is `op` or has it inside, if on the way from there every region
/// is a branch or the body of a loop: `op` runs there in program order. Null if there is none.
mlir::Operation *placeOfWrite(mlir::Block *block, mlir::Operation *op);

/// Reports every use of a buffer that leaves what the compiler sees: returned, passed to an op that
/// knows no buffers, to a custom call that does not say whether it writes it or to a function
/// without a body, made by such an op, stored to from inside a
/// region that is no branch and no body of a loop, or from another block, passed to a call twice
/// when the callee writes it; and stores through views that show an element twice.
mlir::LogicalResult checkBuffers(mlir::ModuleOp module, const BufferEffects &effects);

} // namespace spmd
