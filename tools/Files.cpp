#include "spmd/tools/Files.h"

#include "llvm/Support/FileSystem.h"

namespace spmd {

bool writeFile(llvm::StringRef path, llvm::StringRef contents, llvm::raw_ostream &errors) {
  if (path == "-") {
    llvm::outs() << contents;
    return true;
  }
  auto fail = [&](const std::error_code &error) {
    errors << path << ": error: cannot write the file: " << error.message() << "\n";
    return false;
  };
  llvm::Expected<llvm::sys::fs::TempFile> temporary =
      llvm::sys::fs::TempFile::create(path + ".tmp-%%%%%%", 0644);
  if (!temporary)
    return fail(llvm::errorToErrorCode(temporary.takeError()));
  llvm::raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
  os << contents;
  os.flush();
  if (std::error_code error = os.error()) {
    os.clear_error();
    llvm::consumeError(temporary->discard());
    return fail(error);
  }
  if (llvm::Error error = temporary->keep(path))
    return fail(llvm::errorToErrorCode(std::move(error)));
  return true;
}

} // namespace spmd
