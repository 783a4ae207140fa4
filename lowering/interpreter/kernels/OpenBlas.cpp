#include "spmd/lowering/interpreter/kernels/OpenBlas.h"

#include "spmd/lowering/interpreter/StatusMacros.h"
#include "spmd/lowering/interpreter/kernels/Lapack.h"

#include <dlfcn.h>

namespace spmd {

#define SPMD_SYMBOL(name) &name,

/// Every function that kernels call.
static OpenBlasSymbol *const symbols[] = {SPMD_CBLAS_FUNCTIONS(SPMD_SYMBOL)};
namespace lapack {
static OpenBlasSymbol *const symbols[] = {SPMD_LAPACK_FUNCTIONS(SPMD_SYMBOL)};
} // namespace lapack

/// Loads a copy that nobody else has: the library that the system finds by its name, or the one
/// that was there when this was built. A namespace of its own shares neither variables nor threads
/// with a copy that the host program has loaded, or loads later.
static absl::StatusOr<void *> openPrivateCopy() {
  for (const char *path : {"libopenblas.so.0", SPMD_OPENBLAS})
    if (void *library = dlmopen(LM_ID_NEWLM, path, RTLD_LAZY | RTLD_LOCAL))
      return library;
  const char *reason = dlerror();
  return absl::UnavailableError(
      absl::StrCat("library OpenBLAS cannot be loaded: ", reason ? reason : "no reason given",
                   "; install libopenblas0"));
}

static absl::Status find(void *library, OpenBlasSymbol &symbol) {
  symbol.address = dlsym(library, symbol.name);
  if (symbol.address)
    return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(
      "function ", symbol.name, " is not in the library OpenBLAS; install libopenblas0"));
}

/// Lets the copy compute on the thread that calls it, and ends the threads that it starts for
/// itself: a child process that was forked would wait for them when it exits.
static absl::Status keepToOneThread(void *library) {
  OpenBlasFunction<void(int)> setNumThreads{{"openblas_set_num_threads"}};
  SPMD_RETURN_IF_ERROR(find(library, setNumThreads));
  setNumThreads(1);
  OpenBlasFunction<int()> endThreads{{"blas_thread_shutdown_"}};
  if (find(library, endThreads).ok()) // Builds that have no threads of their own lack it.
    endThreads();
  return absl::OkStatus();
}

static absl::Status load() {
  SPMD_ASSIGN_OR_RETURN(void *library, openPrivateCopy());
  SPMD_RETURN_IF_ERROR(keepToOneThread(library));
  for (OpenBlasSymbol *symbol : symbols)
    SPMD_RETURN_IF_ERROR(find(library, *symbol));
  for (OpenBlasSymbol *symbol : lapack::symbols)
    SPMD_RETURN_IF_ERROR(find(library, *symbol));
  return absl::OkStatus();
}

absl::Status loadOpenBlas() {
  static const absl::Status &status = *new absl::Status(load()); // Threads may outlive statics.
  return status;
}

} // namespace spmd
