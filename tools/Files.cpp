#include "spmd/tools/Files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"

#include <cstdlib>
#include <unistd.h>

namespace spmd {

/// Hands on what is still held back for standard output. Returns false after a message if that, or
/// anything before it, was lost; the stream then counts as sound again, since its destructor ends
/// the process otherwise.
static bool flushOutput(llvm::raw_ostream &errors) {
  llvm::raw_fd_ostream &os = llvm::outs();
  os.flush();
  std::error_code error = os.error();
  os.clear_error();
  if (error)
    errors << "<stdout>: error: cannot write the output: " << error.message() << "\n";
  return !error;
}

void reportLostOutput() {
  llvm::outs(); // Made before the handler, hence destroyed behind it.
  llvm::errs();
  std::atexit([] {
    bool ok = flushOutput(llvm::errs());
    llvm::errs().clear_error(); // Whom else to tell?
    if (!ok)
      _exit(1);
  });
}

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

static bool fail(llvm::StringRef path, std::error_code error, llvm::raw_ostream &errors) {
  errors << path << ": error: cannot write the file: " << error.message() << "\n";
  return false;
}

/// Writes a new file beside `target`, of the name it returns in `temporary`.
static std::error_code writeBeside(llvm::StringRef target, llvm::StringRef contents,
                                   std::string &temporary) {
  int descriptor = -1;
  llvm::SmallString<256> path;
  if (std::error_code error = llvm::sys::fs::createUniqueFile(target + ".tmp-%%%%%%", descriptor,
                                                              path, llvm::sys::fs::OF_None, 0644))
    return error;
  llvm::sys::RemoveFileOnSignal(path);
  temporary = path.str().str();
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os << contents;
  os.close();
  std::error_code error = os.error();
  os.clear_error();
  return error;
}

bool StagedFiles::add(llvm::StringRef path, llvm::StringRef contents, llvm::raw_ostream &errors) {
  llvm::SmallString<256> target;
  if (llvm::sys::fs::real_path(path, target))
    target = path; // There is none yet.
  if (llvm::sys::fs::is_directory(target))
    return fail(path, std::make_error_code(std::errc::is_a_directory), errors);
  Staged &staged = files.emplace_back();
  staged.target = target.str().str();
  std::error_code error = writeBeside(target, contents, staged.temporary);
  return !error || fail(path, error, errors);
}

bool StagedFiles::keep(llvm::raw_ostream &errors) {
  for (Staged &file : files) {
    if (std::error_code error = llvm::sys::fs::rename(file.temporary, file.target))
      return fail(file.target, error, errors);
    llvm::sys::DontRemoveFileOnSignal(file.temporary);
    file.temporary.clear();
  }
  return true;
}

StagedFiles::~StagedFiles() {
  for (const Staged &file : files)
    if (!file.temporary.empty()) {
      static_cast<void>(llvm::sys::fs::remove(file.temporary));
      llvm::sys::DontRemoveFileOnSignal(file.temporary);
    }
}

bool writeFile(llvm::StringRef path, llvm::StringRef contents, llvm::raw_ostream &errors) {
  if (path == "-") {
    llvm::outs() << contents;
    return flushOutput(errors);
  }
  if (isSink(path)) {
    std::error_code error = writeInto(path, contents);
    return !error || fail(path, error, errors);
  }
  StagedFiles file;
  return file.add(path, contents, errors) && file.keep(errors);
}

} // namespace spmd
