// Views that pick elements by their places: what they show is gathered, what is stored through them
// scattered.
#pragma once

#include "spmd/dialect/spmd/Dialect.h"

#include <optional>

namespace spmd {

/// Which slices of a tensor a view shows: those of size 1 along `dims` that start where the rows of
/// `places` say.
struct Picks {
  mlir::Value places;                 ///< Its last dim has an entry for each of `dims`, or
  int64_t indexVectorDim;             ///< lies at `places`' rank where there is one of them.
  llvm::SmallVector<int64_t, 2> dims; ///< Of what the view looks at.
  llvm::SmallVector<int64_t> windows; ///< The dims of what is shown that are whole, ascending.
  llvm::SmallVector<int64_t> shape;   ///< Of what the view looks at.
  bool areDistinct;                   ///< Whether no two places are alike.
};

/// Returns what `view` picks, or nothing if it is of another kind.
std::optional<Picks> picksOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *view);

/// Returns what is picked of `content`, as a tensor of `type`.
mlir::Value gatherPicks(mlir::OpBuilder &builder, mlir::Location loc, const Picks &picks,
                        mlir::RankedTensorType type, mlir::Value content);

/// Returns `content` with `shown` in place of what is picked.
mlir::Value scatterPicks(mlir::OpBuilder &builder, mlir::Location loc, const Picks &picks,
                         mlir::Value shown, mlir::Value content);

} // namespace spmd
