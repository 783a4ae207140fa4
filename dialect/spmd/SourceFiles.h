// The texts of the files that a program was read from, by line.
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <optional>
#include <vector>

namespace spmd {

/// Reads files, each once.
class SourceFiles {
public:
  /// Returns what stands in `file` from the start of `line` on, the first of which is 1; nothing if
  /// there is no such file or line: it may have changed or be gone.
  std::optional<llvm::StringRef> lineAt(llvm::StringRef file, unsigned line);

private:
  /// A file, and where its lines start.
  struct Source {
    std::unique_ptr<llvm::MemoryBuffer> text;
    std::vector<size_t> lines;
  };
  const Source &sourceOf(llvm::StringRef file);

  llvm::StringMap<Source> sources;
};

} // namespace spmd
