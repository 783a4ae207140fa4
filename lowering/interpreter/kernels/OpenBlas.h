// The functions of OpenBLAS that kernels call. The library is loaded when a kernel first needs it,
// since it brings two others along and most programs never need it.
#pragma once

#include "absl/status/status.h"

#include <cblas.h>

namespace spmd {

/// Loads OpenBLAS unless it is loaded already, and finds its functions; any thread may call it.
/// Each function below needs a call that returned OK. Unavailable if the library or one of the
/// functions cannot be found.
///
/// The copy is private to the kernels, in a namespace of its own, and computes on the calling
/// thread alone. The number of threads is global in OpenBLAS, so a shared copy would change how the
/// host program's own calls run.
absl::Status loadOpenBlas();

/// A function of the library, as its name and its address.
struct OpenBlasSymbol {
  const char *name;
  void *address = nullptr; ///< Set once, by loadOpenBlas().
};

/// The same, to be called.
template <typename Function> struct OpenBlasFunction;
template <typename Result, typename... Arguments>
struct OpenBlasFunction<Result(Arguments...)> : OpenBlasSymbol {
  Result operator()(Arguments... arguments) const {
    return reinterpret_cast<Result (*)(Arguments...)>(address)(arguments...);
  }
};

/// Defines what calls the library's function `name`, under that name.
#define SPMD_OPENBLAS_FUNCTION(name) inline OpenBlasFunction<decltype(::name)> name{{#name}};

#define SPMD_CBLAS_FUNCTIONS(F)                                                                    \
  F(cblas_sgemm) F(cblas_dgemm) F(cblas_strsm) F(cblas_dtrsm) F(cblas_ctrsm) F(cblas_ztrsm)

SPMD_CBLAS_FUNCTIONS(SPMD_OPENBLAS_FUNCTION)

} // namespace spmd
