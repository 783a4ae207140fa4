#include "spmd/tools/Files.h"

#include "llvm/Support/FileSystem.h"

namespace spmd {

/// Returns whether `path` is a device or a pipe, of which there is nothing to replace.
static bool isSink(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  return !llvm::sys::fs::status(path, status) && llvm::sys::fs::exists(status) &&
         !llvm::sys::fs::is_regular_file(status) && !llvm::sys::fs::is_directory(status);
}

/// Writes into what stands at `path`.
static std::error_code writeInto(llvm::StringRef path, llvm::StringRef contents) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error, llvm::sys::fs::CD_OpenExisting);
  if (error)
    return error;
  os << contents;
  os.flush();
  error = os.error();
  os.clear_error();
  return error;
}

/// Replaces the file at `path`, or the one that a link there leads to, by a new one.
static std::error_code replace(llvm::StringRef path, llvm::StringRef contents) {
  llvm::SmallString<256> target;
  if (llvm::sys::fs::real_path(path, target))
    target = path; // There is none yet.
  llvm::Expected<llvm::sys::fs::TempFile> temporary =
      llvm::sys::fs::TempFile::create(target + ".tmp-%%%%%%", 0644);
  if (!temporary)
    return llvm::errorToErrorCode(temporary.takeError());
  llvm::raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
  os << contents;
  os.flush();
  if (std::error_code error = os.error()) {
    os.clear_error();
    llvm::consumeError(temporary->discard());
    return error;
  }
  return llvm::errorToErrorCode(temporary->keep(target));
}

bool writeFile(llvm::StringRef path, llvm::StringRef contents, llvm::raw_ostream &errors) {
  if (path == "-") {
    llvm::outs() << contents;
    return true;
  }
  std::error_code error = isSink(path) ? writeInto(path, contents) : replace(path, contents);
  if (error)
    errors << path << ": error: cannot write the file: " << error.message() << "\n";
  return !error;
}

} // namespace spmd
