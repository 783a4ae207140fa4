// Files that tools write.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace spmd {

/// What a tool does first: where standard output cannot take what is written to it, be it a result,
/// --help or a list, the tool then ends with a message and exit code 1.
void reportLostOutput();

/// Writes `contents` to `path` as a whole: to a file beside it first, which then takes its place.
/// Returns false after a message if that fails; the old file is then untouched. Links stay, and
/// devices and pipes are written to as they are. "-" is standard output,
/// of which a message names the failure, too.
bool writeFile(llvm::StringRef path, llvm::StringRef contents, llvm::raw_ostream &errors);

/// Files that take their places together: each is written to a file beside its own first, and none
/// of the old ones is touched before all new ones are there. What is not kept goes with the object.
class StagedFiles {
public:
  StagedFiles() = default;
  StagedFiles(const StagedFiles &) = delete;
  StagedFiles &operator=(const StagedFiles &) = delete;
  ~StagedFiles();

  /// Writes what is to stand at `path`, or where a link there leads. Returns false after a message
  /// if that fails, or if a folder is there.
  bool add(llvm::StringRef path, llvm::StringRef contents, llvm::raw_ostream &errors);

  /// Puts all files in their places. Returns false after a message at the first that stays out.
  bool keep(llvm::raw_ostream &errors);

private:
  struct Staged {
    std::string temporary, target;
  };
  std::vector<Staged> files;
};

} // namespace spmd
