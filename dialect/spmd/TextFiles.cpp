#include "spmd/dialect/spmd/TextFiles.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/FileSystem.h"

namespace spmd {

std::unique_ptr<llvm::MemoryBuffer> openTextFile(llvm::StringRef path, std::string &why) {
  llvm::sys::fs::file_status status;
  std::error_code error = llvm::sys::fs::status(path, status);
  if (!error && !llvm::sys::fs::is_regular_file(status)) {
    why = llvm::sys::fs::is_directory(status)
              ? "is a folder; expected a file"
              : "is a device or a pipe; expected a file, which is read more than once";
    return nullptr;
  }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer(error);
  if (!error)
    buffer = llvm::MemoryBuffer::getFile(path);
  if (buffer)
    return std::move(*buffer);
  why = "cannot be opened: " + buffer.getError().message();
  return nullptr;
}

void reportUnreadable(mlir::MLIRContext &context, llvm::StringRef path, llvm::StringRef what,
                      llvm::StringRef why) {
  // Whoever prints a message reads the file it is about; devices have no end.
  bool hasPlace = llvm::sys::fs::is_directory(path) || !llvm::sys::fs::exists(path);
  mlir::Location place = hasPlace ? mlir::Location(mlir::FileLineColLoc::get(&context, path, 1, 1))
                                  : mlir::UnknownLoc::get(&context);
  mlir::emitError(place) << what << " '" << path << "' " << why;
}

} // namespace spmd
