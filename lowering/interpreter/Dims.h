// Checks of dims and shapes that many kernels share.
#pragma once

#include "spmd/lowering/interpreter/StatusMacros.h"
#include "spmd/lowering/program/Attributes.h"
#include "spmd/lowering/program/TensorType.h"

#include <algorithm>
#include <cstdint>

namespace spmd {

using Ints = std::vector<int64_t>;

/// Returns attribute `name` as a list; an absent one is `fallback`.
inline absl::StatusOr<Ints> listOr(const Attributes &attributes, const char *name, Ints fallback) {
  return attributes.getOr<Ints>(name, std::move(fallback));
}

/// Returns attribute `name` as a list of dims of a tensor of rank `rank`, each at most once; an
/// absent one is empty. InvalidArgument otherwise.
inline absl::StatusOr<Ints> dimsOf(const Attributes &attributes, const char *name, int64_t rank) {
  SPMD_ASSIGN_OR_RETURN(Ints dims, listOr(attributes, name, {}));
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0 || dims[i] >= rank)
      return invalid("attribute '", name, "' has dim ", dims[i], " of a tensor of rank ", rank);
    if (std::count(dims.begin(), dims.end(), dims[i]) != 1)
      return invalid("attribute '", name, "' has dim ", dims[i], " twice");
  }
  return dims;
}

/// Returns attribute `name` as a dim. InvalidArgument if it is absent or out of range.
inline absl::StatusOr<int64_t> dimOf(const Attributes &attributes, const char *name, int64_t rank) {
  SPMD_ASSIGN_OR_RETURN(int64_t dim, attributes.get<int64_t>(name));
  if (dim < 0 || dim >= rank)
    return invalid("attribute '", name, "' is dim ", dim, " of a tensor of rank ", rank);
  return dim;
}

/// InvalidArgument unless attribute `name`, given as `list`, has `size` entries.
inline absl::Status expectSize(const char *name, const Ints &list, size_t size) {
  return list.size() == size
             ? absl::OkStatus()
             : invalid("attribute '", name, "' has ", list.size(), " entries; expected ", size);
}

/// Returns attribute `name` as what a window does in each dim: `size` entries from `least` to what
/// 32 bits hold, so that sizes computed from them fit 64 bits. An absent one holds `fallback`.
inline absl::StatusOr<Ints> windowList(const Attributes &attributes, const char *name, size_t size,
                                       int64_t fallback, int64_t least) {
  SPMD_ASSIGN_OR_RETURN(Ints list, listOr(attributes, name, Ints(size, fallback)));
  SPMD_RETURN_IF_ERROR(expectSize(name, list, size));
  for (int64_t value : list)
    if (value < least || value > INT32_MAX)
      return invalid("attribute '", name, "' has entry ", value);
  return list;
}

/// InvalidArgument, with both types, unless `actual` is `expected`.
inline absl::Status expectType(const char *role, const TensorType &actual,
                               const TensorType &expected) {
  return actual == expected
             ? absl::OkStatus()
             : invalid(role, " has type ", actual.str(), "; expected ", expected.str());
}

inline bool contains(const Ints &list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// Returns the dims of 0 .. rank-1 that are not in `dims`, ascending.
inline Ints otherDims(int64_t rank, const Ints &dims) {
  Ints others;
  for (int64_t d = 0; d < rank; ++d)
    if (!contains(dims, d))
      others.push_back(d);
  return others;
}

/// Returns `values[d]` for each of `dims`.
inline Ints select(const Ints &values, const Ints &dims) {
  Ints out;
  for (int64_t d : dims)
    out.push_back(values[d]);
  return out;
}

inline int64_t product(const Ints &values) {
  int64_t result = 1;
  for (int64_t value : values)
    result *= value;
  return result;
}

} // namespace spmd
