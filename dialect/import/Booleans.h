// Constants of booleans in hexadecimal, of which there are two forms.
//
//     dense<"0x5501"> : tensor<9xi1>                    eight to a byte, the first in the lowest
//     bit dense<"0x010001000100010001"> : tensor<9xi1>      a byte each
//
// MLIR 22 and all before it, and what prints with them (JAX, PyTorch/XLA), write and read the
// first; later ones the second. Which one it is, the number of digits tells, as a single element is
// never written so. Our own text has words, which all of them read (ConstantOp::print).
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace spmd {

/// Returns `text` with each constant of the second form in the first, blanks behind it, so that all
/// else stays in its place; nothing if there is none. What is of neither form is left to the
/// parser. Linear.
std::optional<std::string> packBooleans(llvm::StringRef text);

} // namespace spmd
