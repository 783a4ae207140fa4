// Tensors as .npy files (NumPy's format, versions 1 to 3), little-endian and row-major.
//
// Element types that NumPy does not have are kept as raw bits: bf16 as uint16, types of 8 bits and
// less as uint8 (i2 and i4 as int8). Such a file says nothing of its type, so the reader must be
// told.
#pragma once

#include "spmd/lowering/interpreter/Tensor.h"

#include <optional>

namespace spmd {

/// Returns the tensor in `bytes`, the contents of a file. With `expected`, it must have that type.
/// InvalidArgument with what was seen if it is no such file, is cut short, or has another type.
absl::StatusOr<Tensor> npyFromBytes(std::string_view bytes,
                                    const std::optional<TensorType> &expected = std::nullopt);
std::string npyToBytes(const Tensor &tensor);

/// Reads a file. NotFound if `path` cannot be opened; messages start with the path.
absl::StatusOr<Tensor> readNpy(const std::string &path,
                               const std::optional<TensorType> &expected = std::nullopt);
/// Returns the shape of the array in the file `path`, of whatever type.
absl::StatusOr<std::vector<int64_t>> readNpyShape(const std::string &path);

} // namespace spmd
