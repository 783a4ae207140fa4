#include "spmd/lowering/interpreter/kernels/OpenBlas.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace spmd {

static void *found(void *object, const char *what) {
  if (object)
    return object;
  fprintf(stderr, "error: %s of OpenBLAS cannot be loaded: %s; install libopenblas0\n", what,
          dlerror());
  exit(1);
}

/// Returns the library: the one that the system finds by its name, or the one that was there when
/// this was built.
static void *openBlas() {
  static void *const library = [] {
    void *opened = dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_LOCAL);
    if (!opened)
      opened = dlopen(SPMD_OPENBLAS, RTLD_LAZY | RTLD_LOCAL);
    found(opened, "the library");
    // Threads are ours: one device computes on one core.
    constexpr const char *name = "openblas_set_num_threads";
    auto setNumThreads =
        reinterpret_cast<decltype(&openblas_set_num_threads)>(found(dlsym(opened, name), name));
    setNumThreads(1);
    return opened;
  }();
  return library;
}

void *openBlasSymbol(const char *name) { return found(dlsym(openBlas(), name), name); }

} // namespace spmd
