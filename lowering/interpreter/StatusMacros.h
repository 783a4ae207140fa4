// Early return of statuses.
#pragma once

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

#define SPMD_CONCAT_IMPL(a, b) a##b
#define SPMD_CONCAT(a, b) SPMD_CONCAT_IMPL(a, b)

/// Returns the status of `expression` from this function if it is not ok.
#define SPMD_RETURN_IF_ERROR(expression)                                                           \
  do {                                                                                             \
    if (absl::Status spmdStatus = (expression); !spmdStatus.ok())                                  \
      return spmdStatus;                                                                           \
  } while (false)

/// Declares or assigns `target` from a StatusOr, or returns its status from this function.
#define SPMD_ASSIGN_OR_RETURN(target, expression)                                                  \
  SPMD_ASSIGN_OR_RETURN_IMPL(SPMD_CONCAT(spmdResult, __LINE__), target, expression)
#define SPMD_ASSIGN_OR_RETURN_IMPL(result, target, expression)                                     \
  auto result = (expression);                                                                      \
  if (!result.ok())                                                                                \
    return result.status();                                                                        \
  target = *std::move(result)

namespace spmd {

/// Returns an InvalidArgument status with all of `parts` as its text.
template <typename... Parts> absl::Status invalid(const Parts &...parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

} // namespace spmd
