// The checks of the doctor, each of which looks for one or two failure modes.
//
// They look at one program in three states: as it was read (buffers and all), with a sharding on
// every value, and with every move of data explicit.
#pragma once

#include "spmd/passes/doctor/Finding.h"
#include "spmd/passes/propose/RepeatedWork.h"

namespace spmd {

struct PipelineOptions;

/// Calls of @Sharding without a sharding, which say nothing; what they were meant to say is what
/// propagation gives their operand, or what a view behind them says instead. `propagated` may be
/// null.
void findBareMarkers(llvm::ArrayRef<Report> reports, mlir::ModuleOp propagated, Findings &findings);

/// `work`, most of which every device does alike.
void findRepeatedWork(mlir::ModuleOp program, const RepeatedWork &work,
                      const PipelineOptions &options, Findings &findings);

/// Parameters that the program says are whole on every device, and that are most of what it holds,
/// while other arguments, fewer of them, are split. Offers a plan if one that was tried helps.
void findReplicatedParameters(mlir::ModuleOp program, const PipelineOptions &options,
                              Findings &findings);

/// Values that are pinned twice, differently.
void findTwoPins(mlir::ModuleOp program, Findings &findings);

/// Pins of the user's and arguments of which some device holds less than others.
void findUnevenDims(mlir::ModuleOp propagated, Findings &findings);

/// Reshapes, transposes and the like behind a pinned value that cannot have its axes.
void findLostConstraints(mlir::ModuleOp propagated, Findings &findings);

/// Custom calls that nobody has a rule of.
void findOpsWithoutRule(mlir::ModuleOp propagated, Findings &findings);

/// Partial values that are reduced for more than one use. Offers a line if one that was tried
/// helps.
void findPartialsUsedTwice(mlir::ModuleOp program, mlir::ModuleOp resharded,
                           const PipelineOptions &options, Findings &findings);

/// Values in between that every device gathers whole, because an op can do with no part.
/// `program` tells what the user asked for.
void findRematerializations(mlir::ModuleOp program, mlir::ModuleOp resharded, Findings &findings);

} // namespace spmd
