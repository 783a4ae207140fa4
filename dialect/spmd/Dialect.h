// The `spmd` dialect: mutable buffers and views of them, and the attributes that the passes leave.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace spmd {

/// Beside `sdy.sharding`, which nobody wrote then. Unit: all results of the op; an array of
/// integers: these results. On an argument or result: unit.
inline constexpr llvm::StringLiteral inferredAttrName = "spmd.inferred";
/// On an op or argument: some value of it has no sharding.
inline constexpr llvm::StringLiteral missingAttrName = "spmd.missing_sharding";
/// On an op, shardings of its results that nobody asked for, from an earlier pass or a tracer:
/// where propagation leaves a dim open, it takes what they say.
inline constexpr llvm::StringLiteral hintAttrName = "spmd.sharding_hint";
/// On an argument or result, the sharding that propagation by Shardy's rules found for it before it
/// was left with what divides evenly: where that begins when it runs again.
inline constexpr llvm::StringLiteral unevenAttrName = "spmd.uneven_sharding";
/// On a buffer, or what is stored in one: the user's sharding, of which that beside it has grown.
inline constexpr llvm::StringLiteral grownFromAttrName = "spmd.grown_from";
/// What propagation notes beside the shardings of arguments and results.
inline constexpr llvm::StringLiteral boundaryNoteNames[] = {inferredAttrName, missingAttrName,
                                                            unevenAttrName, grownFromAttrName};
/// On a module: propagation has let dims of lower user priorities wait. What it inferred does not
/// say at which, so when it runs again, dims of all of them take part from the start.
inline constexpr llvm::StringLiteral prioritiesServedAttrName = "spmd.priorities_served";
/// On a function: the axes that are manual where it is called, as an array of names.
inline constexpr llvm::StringLiteral manualAxesAttrName = "spmd.manual_axes";
/// On an argument or result of a public function: its type before partitioning.
inline constexpr llvm::StringLiteral globalTypeAttrName = "spmd.global_type";
/// On a buffer argument, a dictionary: in which memory it lies, and where. Arguments that name one
/// memory share it.
///
///     spmd.memory = {name = "cache", shape = array<i64: 8, 4>, start_indices = array<i64: 2, 0>,
///                    limit_indices = array<i64: 8, 4>, strides = array<i64: 2, 1>}
inline constexpr llvm::StringLiteral memoryAttrName = "spmd.memory";
/// On a buffer argument, a unit: its memory may not be taken over by a result.
inline constexpr llvm::StringLiteral notDonatedAttrName = "spmd.not_donated";
/// On an op with a rule, the name of a function of what the op computes. Its arguments and results
/// are of dynamic shape, so that it says what the op computes on shards, too.
inline constexpr llvm::StringLiteral referenceAttrName = "spmd.reference";

/// What `spmd.memory` says.
struct MemoryPart {
  llvm::StringRef name;
  llvm::ArrayRef<int64_t> shape; ///< Of all of the memory.
  llvm::ArrayRef<int64_t> starts, limits, strides;

  /// Returns what `attribute` says, or nothing where it is not of the form.
  static std::optional<MemoryPart> read(mlir::Attribute attribute);
};

} // namespace spmd

#include "spmd/dialect/spmd/Dialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "spmd/dialect/spmd/Types.h.inc"

#define GET_OP_CLASSES
#include "spmd/dialect/spmd/Ops.h.inc"
