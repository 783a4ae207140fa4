// The functions of OpenBLAS that kernels call. The library is loaded when the first of them is
// called: it brings two others along and starts a thread for each core, and most programs never
// need it.
#pragma once

#include <atomic>
#include <cblas.h>

namespace spmd {

/// Returns the function of that name. Without the library, or the function in it, the process ends
/// with a message.
void *openBlasSymbol(const char *name);

/// A function of the library, found when it is first called.
template <typename Function> class OpenBlasFunction;
template <typename Result, typename... Arguments> class OpenBlasFunction<Result(Arguments...)> {
public:
  constexpr explicit OpenBlasFunction(const char *name) : name(name) {}

  Result operator()(Arguments... arguments) {
    Result (*function)(Arguments...) = found.load(std::memory_order_relaxed);
    if (!function) {
      function = reinterpret_cast<Result (*)(Arguments...)>(openBlasSymbol(name));
      found.store(function, std::memory_order_relaxed);
    }
    return function(arguments...);
  }

private:
  const char *name;
  std::atomic<Result (*)(Arguments...)> found{nullptr};
};

/// Defines what calls the library's function `name`, under that name.
#define SPMD_OPENBLAS_FUNCTION(name) inline OpenBlasFunction<decltype(::name)> name{#name};

SPMD_OPENBLAS_FUNCTION(cblas_sgemm)
SPMD_OPENBLAS_FUNCTION(cblas_dgemm)
SPMD_OPENBLAS_FUNCTION(cblas_strsm)
SPMD_OPENBLAS_FUNCTION(cblas_dtrsm)
SPMD_OPENBLAS_FUNCTION(cblas_ctrsm)
SPMD_OPENBLAS_FUNCTION(cblas_ztrsm)

} // namespace spmd
