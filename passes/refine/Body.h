// The refinement of one function: private to this folder.
#pragma once

#include "spmd/passes/refine/Evaluation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

/// A function for one set of facts about its arguments.
struct Version {
  mlir::func::FuncOp func;
  /// Elements of its results, where they are known.
  std::vector<std::optional<Ints>> results;
  bool failed; ///< Reported; nothing is known of the results.
  bool isOfOneCall = false;
};

/// Where bodies ask for the functions they call.
class Calls {
public:
  virtual ~Calls() = default;

  /// Returns the version of the function that `call` calls for the types of its operands, of which
  /// `known` holds the elements, or null. Null for functions of which the types say all.
  virtual const Version *versionFor(mlir::Operation *call, llvm::ArrayRef<const Ints *> known) = 0;

  /// Returns whether nothing is lost with `call` if nobody uses its results.
  virtual bool canDrop(mlir::Operation *call) = 0;

  /// Returns what computes values of the function at hand from the arguments of this run; null if
  /// nothing does.
  virtual Evaluation *evaluation() = 0;
};

/// Gives every value of `func` a static type, from its arguments on, and then `func` its type. What
/// is known of values is in `known`, at first of the arguments. Reports every value whose sizes are
/// not known, but not what follows from one that is reported. What is computed for sizes alone is
/// erased. Where `isShared`, the function serves
/// calls of which other things are known, too: its sizes are only worked out.
mlir::LogicalResult refineBody(mlir::func::FuncOp func, Calls &calls, KnownInts &known,
                               bool isShared = false);

} // namespace spmd
