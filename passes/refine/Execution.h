// How refinement learns what a part of the program computes, where the arguments are known.
#pragma once

#include "spmd/passes/refine/KnownInts.h"

#include "absl/status/statusor.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <vector>

namespace spmd {

/// Runs parts of a program on what it is given. Implemented where there is an interpreter
/// (inputs/RefineToInputs.h); refinement itself does without.
///
/// A status without text stands for what was reported as a diagnostic already.
class Execution {
public:
  /// What a value of the program is in this run.
  struct Array {
    virtual ~Array() = default;
  };
  using ArrayRef = std::shared_ptr<const Array>;

  virtual ~Execution() = default;

  /// Returns argument `index` of @main, of type `type`, which is static.
  virtual absl::StatusOr<ArrayRef> argument(unsigned index, mlir::Type type) = 0;

  /// Runs `@main` of `program`, which is static and whole, and returns its results. The program may
  /// be changed.
  virtual absl::StatusOr<std::vector<ArrayRef>> run(mlir::ModuleOp program,
                                                    llvm::ArrayRef<ArrayRef> arguments) = 0;

  /// Returns the elements of `array`, a tensor of type `type` that `KnownInts` can hold.
  virtual Ints elements(const Array &array, mlir::RankedTensorType type) = 0;
};

} // namespace spmd
