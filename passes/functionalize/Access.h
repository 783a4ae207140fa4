// Access to buffers through views, made access to whole buffers.
#pragma once

#include "spmd/passes/functionalize/Effects.h"
#include "spmd/passes/functionalize/Views.h"

namespace spmd {

/// One access to a buffer through views: an op, at its place in the buffer's own block.
class Access {
public:
  Access(mlir::Operation *op, mlir::Value shown);

  bool isWhole() const { return chain.views.empty(); }

  /// Returns what the chain shows, each view's pin as a constraint.
  mlir::Value load();
  /// Stores `tensor` in place of what the chain shows.
  void store(mlir::Value tensor);

  mlir::OpBuilder &getBuilder() { return builder; }

private:
  mlir::Value contentBefore(size_t i, llvm::MutableArrayRef<mlir::Value> before);

  ViewChain chain;
  mlir::Operation *place;
  mlir::OpBuilder builder;
  mlir::Location loc;
};

/// Makes the pins on results of `call` constraints: where buffers become values, it has more
/// results than it could list.
void constrainResults(mlir::Operation *call);

/// Makes a custom call on buffers one on what they hold. Of those that it writes it has further
/// results, which are aliases of the operands and are stored:
///
///     custom_call @f(%b) {spmd.writes = [0]}    %0 = load %b; %1 = custom_call @f(%0) {output 0 is
///                                               operand 0}; store %1, %b
void composeCustomCall(mlir::Operation *call, const BufferEffects &effects);

} // namespace spmd
