#include "spmd/tools/spmd-run/Arrays.h"

#include "spmd/lowering/interpreter/Boundary.h"
#include "spmd/lowering/interpreter/Npy.h"
#include "spmd/tools/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace spmd {

std::string arrayPath(const std::string &directory, size_t index) {
  std::string number = std::to_string(index);
  for (size_t width = number.size(); width <= 6; ++width) {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, std::string(width - std::min(width, number.size()), '0') +
                                      number + ".npy");
    if (llvm::sys::fs::exists(path))
      return path.str().str();
  }
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, number + ".npy");
  return path.str().str();
}

static absl::StatusOr<Tensor> readArray(const std::string &path, Boundary &boundary,
                                        int64_t numDevices) {
  if (boundary.known == Known::all)
    return readNpy(path, boundary.global);
  absl::StatusOr<Tensor> array = readNpy(path);
  if (!array.ok())
    return array;
  TensorType type{boundary.global.element, array->type().shape};
  if (boundary.known == Known::sharding)
    if (absl::Status status = setGlobalShape(boundary, type.shape, numDevices); !status.ok())
      return status;
  return readNpy(path, type);
}

bool readArrays(const std::string &directory, std::vector<Boundary> &boundaries, const char *what,
                int64_t numDevices, std::vector<Tensor> &arrays, llvm::raw_ostream &errors) {
  if (!llvm::sys::fs::is_directory(directory)) {
    errors << directory << ": error: no such folder\n";
    return false;
  }
  bool ok = true;
  for (size_t i = 0; i < boundaries.size(); ++i) {
    std::string path = arrayPath(directory, i);
    absl::StatusOr<Tensor> array = readArray(path, boundaries[i], numDevices);
    if (!array.ok()) {
      errors << "error: " << what << " " << i << ": " << std::string(array.status().message())
             << "\n";
      ok = false;
      continue;
    }
    arrays.push_back(*std::move(array));
  }
  return ok;
}

bool writeArrays(const std::string &directory, const std::vector<Tensor> &arrays,
                 llvm::raw_ostream &errors) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory)) {
    errors << directory << ": error: cannot make the folder: " << error.message() << "\n";
    return false;
  }
  StagedFiles files;
  for (size_t i = 0; i < arrays.size(); ++i) {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, std::to_string(i) + ".npy");
    if (!files.add(path, npyToBytes(arrays[i]), errors))
      return false;
  }
  return files.keep(errors);
}

} // namespace spmd
