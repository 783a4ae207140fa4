// The arrays of a run: read from a folder, made from a seed, written to a folder.
#pragma once

#include "spmd/lowering/interpreter/Tensor.h"
#include "spmd/lowering/program/DeviceProgram.h"

#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace spmd {

/// Reads `directory`/N.npy (or 00N.npy) for each boundary, in order. Where a boundary does not know
/// the global shape, it takes that of the array. Reports every array that is absent or of another
/// type to `errors`, as "argument 3", and returns false if there are any.
bool readArrays(const std::string &directory, std::vector<Boundary> &boundaries, const char *what,
                int64_t numDevices, std::vector<Tensor> &arrays, llvm::raw_ostream &errors);

/// Returns the path of array `index` in `directory`: the first file among N.npy, 0N.npy, 00N.npy ..
/// that is there; the plain name if there is none.
std::string arrayPath(const std::string &directory, size_t index);

/// Makes an array for each boundary, the same for the same seed; RandomArrays.cpp says of what
/// values. ResourceExhausted if one does not fit in memory.
absl::StatusOr<std::vector<Tensor>> randomArrays(const std::vector<Boundary> &boundaries,
                                                 uint64_t seed);

/// Writes `directory`/N.npy for each array, creating the folder if needed. No file that is there is
/// touched unless all can be written.
bool writeArrays(const std::string &directory, const std::vector<Tensor> &arrays,
                 llvm::raw_ostream &errors);

} // namespace spmd
