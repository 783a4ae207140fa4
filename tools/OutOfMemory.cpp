#include "spmd/tools/OutOfMemory.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <unistd.h>

namespace spmd {

/// The program that the tool works on, with a colon, and its length; no memory is taken to name it.
static char programPlace[4096];
static size_t placeLength = 0;

static void writeError(const char *text, size_t length) {
  [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, text, length);
}

/// Takes no memory itself.
[[noreturn]] static void endForLackOfMemory() {
  static constexpr char message[] =
      "error: out of memory; the program needs more than this machine gives\n";
  writeError(programPlace, placeLength);
  writeError(message, sizeof(message) - 1);
  ::_exit(1);
}

void reportLostMemory() {
  std::set_new_handler([] { endForLackOfMemory(); });
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { endForLackOfMemory(); },
                                        nullptr);
}

void reportLostMemoryAt(llvm::StringRef program) {
  static constexpr char start[] = ":1:1: ";
  constexpr size_t length = sizeof(start) - 1;
  placeLength = std::min(program.size(), sizeof(programPlace) - length);
  std::memcpy(programPlace, program.data(), placeLength);
  std::memcpy(programPlace + placeLength, start, length);
  placeLength += length;
}

} // namespace spmd
