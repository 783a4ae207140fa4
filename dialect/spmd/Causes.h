// Why data moves, kept in the locations of the ops that move it.
//
// A move is made for a value and for the op that wants it otherwise. Its location is fused of both
// places, the op's first, with the reason beside them:
//
//     loc(fused<{spmd.why = "operand 1 of 'stablehlo.dot_general'"}>["f.mlir":9:8, "f.mlir":5:5])
//
// The partition stage adds how the value lay, how it was wanted, and the type of the whole value
// (`spmd.from`, `spmd.to`, `spmd.global_type`). Ops that need each other's data by themselves, such
// as a convolution, say so: "inside 'stablehlo.convolution'".
#pragma once

#include "spmd/dialect/sdy/Dialect.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"

#include <vector>

namespace spmd {

/// Returns the reason as locations hold it. Takes a hash of the text.
mlir::DictionaryAttr reasonAttr(mlir::MLIRContext *context, const llvm::Twine &text);

/// Returns the place of what `user` wants moved of what is made at `value`.
mlir::Location placeOfMove(mlir::Location user, mlir::Location value, mlir::DictionaryAttr reason);

/// Returns `location` as that of an op that needs data of others for itself; one that has a reason
/// keeps it.
mlir::Location placeInside(mlir::Location location, mlir::OperationName op);

/// Returns `reason` with what the partition stage knows of the move.
mlir::DictionaryAttr withLayouts(mlir::DictionaryAttr reason, sdy::ShardingAttr from,
                                 sdy::ShardingAttr to, mlir::RankedTensorType type);

/// Returns the reason that `location` has; null if it has none.
mlir::DictionaryAttr reasonOf(mlir::Location location);

/// Returns `location`, which may be of a move, with `reason` in the place of its own.
mlir::Location withReason(mlir::Location location, mlir::DictionaryAttr reason);

/// Why one value moves.
struct Cause {
  std::string reason;   ///< "operand 1 of 'stablehlo.dot_general'"
  mlir::Location user;  ///< Of the op that it moves for.
  mlir::Location value; ///< Of what made it.
  /// Null where the op moves data by itself.
  sdy::ShardingAttr from = nullptr, to = nullptr;
  mlir::RankedTensorType type = nullptr;
};

/// Returns the causes that `location` tells of: several where collectives were merged, none for one
/// that the program itself has.
std::vector<Cause> causesOf(mlir::Location location);

} // namespace spmd
