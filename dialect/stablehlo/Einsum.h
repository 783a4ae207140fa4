// The text that says what an einsum does: `ab,bc->ac`.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace spmd::stablehlo {

/// One letter a dim: a letter that the result lacks is summed over.
struct EinsumConfig {
  llvm::SmallVector<std::string, 2> operands;
  std::string result;
};

/// Reads `text`. Nothing if it is not of the form `a,b->c` or `a->c`. A side may have `...` once.
std::optional<EinsumConfig> parseEinsum(llvm::StringRef text);

/// Replaces the `...` of a side of `rank` dims by digits, one for each dim it stands for, the last
/// one `0`: of two sides, the last such dims are the same. Returns false if the letters are more
/// than dims, or dims without letters more than ten.
bool nameEllipsis(std::string &side, int64_t rank);

} // namespace spmd::stablehlo
