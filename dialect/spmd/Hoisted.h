// What has left a loop already, handed from the reshard stage to the optimizer, which goes on.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace spmd {

/// On a loop in which moves stayed that exceeded `hoist`, or that reads what was settled for it
/// (`passes/reshard/Unchanging.h`): the bytes of a device by which moves that stand before it, and
/// before the loops around it, make values larger.
inline constexpr llvm::StringLiteral hoistedName = "spmd.hoisted";

/// What a loop writes row by row may be reduced as a whole behind it where a row takes no more
/// bytes: what counts then is how many reductions there are, and what is held twice is little.
inline constexpr uint64_t mostOfWrittenRow = 256;

/// Returns the bytes that the reshard stage has spent before the loop, or one around it.
inline uint64_t spentBefore(mlir::Operation *loop) {
  for (; loop; loop = loop->getParentOp())
    if (auto spent = loop->getAttrOfType<mlir::IntegerAttr>(hoistedName))
      return static_cast<uint64_t>(spent.getInt());
  return 0;
}

/// Says that so many were spent.
inline void setSpentBefore(mlir::Operation *loop, uint64_t bytes) {
  loop->setAttr(hoistedName, mlir::IntegerAttr::get(mlir::IntegerType::get(loop->getContext(), 64),
                                                    static_cast<int64_t>(bytes)));
}

} // namespace spmd
