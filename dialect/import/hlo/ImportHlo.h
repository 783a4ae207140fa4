// HLO modules as StableHLO.
#pragma once

#include "spmd/ir/hlo/Hlo.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace spmd {

/// Where a module was read from.
struct HloSource {
  llvm::StringRef path;                    ///< Empty if from no file.
  const hlo::TextPlaces *places = nullptr; ///< Of a text; bytes have no lines.
  bool keepNames = false;                  ///< Values remember the instructions that make them.
};

/// Returns `module` as StableHLO, verified: the entry as `@main`, called computations as private
/// functions, those of other ops as regions, tuples as several values.
///
/// Shardings stay as HLO has them: `mhlo.sharding` of `@main`'s arguments and results and of ops,
/// `mhlo.frontend_attributes` of the same, but for ops other than custom calls, and of the module;
/// `importShardings` reads both. What ordinary instructions say of shardings is what some earlier
/// pass left behind, not what anyone asked for (docs/rationale/left-over-shardings.md). A module
/// that was partitioned already is marked so (dialect/spmd/PartitionedModule.h). Donated parameters
/// get `tf.aliasing_output`, a donor without a result of its own that of the first result of its
/// type that no other has.
///
/// Fails after diagnostics that name the instruction and its computation: opcodes that are not
/// known (all of them at once), shapes and attributes that do not go together, dynamic shapes.
///
/// A constant whose elements are left out, `{...}`, becomes one of MLIR's form of it
/// (dialect/stablehlo/LeftOut.h); one warning tells of all.
///
/// What says nothing of the user's source stands in `source` (`locationInProgram`).
mlir::OwningOpRef<mlir::ModuleOp> importHlo(const hlo::HloModuleProto &module,
                                            mlir::MLIRContext &context,
                                            const HloSource &source = {});

} // namespace spmd
