// Files that tools write.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace spmd {

/// Writes `contents` to `path` as a whole: to a file beside it first, which then takes its place.
/// Returns false after a message if that fails; the old file is then untouched. Links stay, and
/// devices and pipes are written to as they are. "-" is standard output.
bool writeFile(llvm::StringRef path, llvm::StringRef contents, llvm::raw_ostream &errors);

} // namespace spmd
