// The text that says what an einsum does: `ab,bc->ac`.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace spmd::stablehlo {

/// One letter a dim: a letter that the result lacks is summed over.
struct EinsumConfig {
  llvm::SmallVector<llvm::StringRef, 2> operands;
  llvm::StringRef result;
  /// Some side has `...`, dims without letters.
  bool hasEllipsis = false;
};

/// Reads `text`; the parts point into it. Nothing if it is not of the form `a,b->c` or `a->c`.
std::optional<EinsumConfig> parseEinsum(llvm::StringRef text);

} // namespace spmd::stablehlo
