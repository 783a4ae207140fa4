// Plans: what a file beside a program says about it is put on the program, as if it were written
// there.
#pragma once

#include "spmd/ir/plan/Plan.h"
#include "spmd/passes/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

/// On an argument, a result or an op, a location: the entry of the plan that says how it lies. Only
/// where places are to be noted.
inline constexpr llvm::StringLiteral planPlaceAttrName = "spmd.plan_place";

/// Reads the plan in the file at `path`. Fails after reporting every finding at its place in it.
mlir::FailureOr<ProgramPlan> loadPlan(mlir::MLIRContext &context, llvm::StringRef path);

/// Writes what `plan` says into `module`: its mesh, shardings of arguments and results, constraints
/// on what ops compute, rules of custom calls. What the program says of the same values gives way,
/// with a remark.
///
/// The program's shardings must be in `sdy`'s notation. Fails after reporting at the plan's lines:
/// each that matches nothing, two that contradict on one value, each that does not fit a value it
/// matches; the module is then half written. With `notesPlaces`, what the plan says of is marked by
/// `planPlaceAttrName`. Linear in the program, for each entry that speaks of ops.
mlir::LogicalResult applyPlan(mlir::ModuleOp module, const ProgramPlan &plan,
                              bool notesPlaces = false);

/// Writes only the rules of custom calls into `module`: what they write and compute matters on one
/// device, too. Fails after reporting a plan that cannot be read. Of one that does not fit nothing
/// is said: the pass reports it.
mlir::LogicalResult describeCustomCalls(mlir::ModuleOp module, llvm::StringRef path);

/// Makes `options` follow the policies of the plan it names, where that has any. A plan that cannot
/// be read changes nothing: the pass reports it.
void followPolicies(PipelineOptions &options);

} // namespace spmd
