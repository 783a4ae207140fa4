#include "spmd/tools/OutOfMemory.h"

#include "llvm/Support/ErrorHandling.h"

#include <new>
#include <unistd.h>

namespace spmd {

/// Takes no memory itself.
[[noreturn]] static void endForLackOfMemory() {
  static constexpr char message[] =
      "error: out of memory; the program needs more than this machine gives\n";
  [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, message, sizeof(message) - 1);
  ::_exit(1);
}

void reportLostMemory() {
  std::set_new_handler([] { endForLackOfMemory(); });
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { endForLackOfMemory(); },
                                        nullptr);
}

} // namespace spmd
