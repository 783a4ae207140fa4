// From a program for any sizes to one for the sizes at hand.
//
//     func.func @main(%x: tensor<?x4xf32>) -> tensor<?xf32> { .. }        argument 0 is a 3x4
//     tensor func.func @main(%x: tensor<3x4xf32>) -> tensor<12xf32> { .. }
//
// Types are followed from the arguments through the program: sizes are what the verifiers of ops
// compute of them (dialect/stablehlo/InferSizes.h), operands that say sizes are worked out
// (KnownInts.h), and ops whose sizes are operands become their static forms (StaticForms.h). A
// function is cloned for each distinct set of sizes that it is called with. Where the arguments are
// known, so are sizes that depend on data: what they follow from is run first (Evaluation.h).
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

namespace spmd {

class Execution;

/// What is known of an argument of @main before the program runs.
struct ArgumentFacts {
  mlir::RankedTensorType type;         ///< Static; null to leave it as it is declared.
  mlir::DenseIntElementsAttr elements; ///< Null if they are not known.
};

/// Returns whether a function of `module` has values of dynamic shape, or ops whose sizes are
/// operands.
bool isDynamic(mlir::ModuleOp module);

/// Gives the dynamic dims of the arguments of @main the `sizes`, in order. Fails, after a
/// diagnostic, where there are not as many.
mlir::LogicalResult argumentsOfSizes(mlir::ModuleOp module, llvm::ArrayRef<int64_t> sizes,
                                     llvm::SmallVectorImpl<ArgumentFacts> &facts);

/// Makes all shapes of @main, of other public functions of static arguments, and of what these
/// call, static. `arguments` has an entry for each argument of @main, or none. Fails, after
/// diagnostics, where types do not fit, where an assertion on sizes does not hold, and for each
/// value whose sizes are not known before the program runs. With an `execution`, sizes that follow
/// from arguments are computed; a branch with sizes in it takes the place of its op, and the result
/// is a program for these arguments alone.
///
/// A module that is not dynamic is left alone. Linear in the ops of all clones, and in what is run.
mlir::LogicalResult refineShapes(mlir::ModuleOp module,
                                 llvm::ArrayRef<ArgumentFacts> arguments = {},
                                 Execution *execution = nullptr);

} // namespace spmd
