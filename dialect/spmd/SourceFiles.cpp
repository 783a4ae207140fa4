#include "spmd/dialect/spmd/SourceFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

namespace spmd {

const SourceFiles::Source &SourceFiles::sourceOf(llvm::StringRef file) {
  auto [known, isNew] = sources.try_emplace(file);
  Source &source = known->second;
  if (!isNew || !llvm::sys::fs::is_regular_file(file))
    return source;
  auto text = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!text)
    return source;
  source.text = std::move(*text);
  source.lines.push_back(0);
  for (auto [at, character] : llvm::enumerate(source.text->getBuffer()))
    if (character == '\n')
      source.lines.push_back(at + 1);
  return source;
}

std::optional<llvm::StringRef> SourceFiles::lineAt(llvm::StringRef file, unsigned line) {
  const Source &source = sourceOf(file);
  if (!source.text || line == 0 || line > source.lines.size())
    return std::nullopt;
  return source.text->getBuffer().drop_front(source.lines[line - 1]);
}

} // namespace spmd
