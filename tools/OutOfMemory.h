// What a tool does where memory runs out.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace spmd {

/// From now on, memory that cannot be had ends the tool with a message and exit code 1, on any
/// thread. Files that are being written stay as they were.
void reportLostMemory();

/// That message is then an error at the start of the file `program`.
void reportLostMemoryAt(llvm::StringRef program);

} // namespace spmd
