#include "spmd/lowering/interpreter/Denormals.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace spmd {

#if defined(__x86_64__)
// Results that are flushed, and operands that are taken for zero.
constexpr uint64_t flushBits = 0x8000 | 0x0040;
static uint64_t controls() { return _mm_getcsr(); }
static void setControls(uint64_t bits) { _mm_setcsr(static_cast<unsigned>(bits)); }
#elif defined(__aarch64__)
constexpr uint64_t flushBits = uint64_t{1} << 24; // FZ, which is both; f16 has a bit of its own.
static uint64_t controls() {
  uint64_t bits;
  asm volatile("mrs %0, fpcr" : "=r"(bits));
  return bits;
}
static void setControls(uint64_t bits) { asm volatile("msr fpcr, %0" : : "r"(bits) : "memory"); }
#else
constexpr uint64_t flushBits = 0;
static uint64_t controls() { return 0; }
static void setControls(uint64_t) {}
#endif

static thread_local Denormals denormalsNow = Denormals::zeroInComparisons;

DenormalScope::DenormalScope(Denormals denormals)
    : before(denormalsNow), controlsBefore(controls()) {
  denormalsNow = denormals;
  uint64_t wanted =
      denormals == Denormals::flush ? controlsBefore | flushBits : controlsBefore & ~flushBits;
  if (wanted != controlsBefore)
    setControls(wanted);
}

DenormalScope::~DenormalScope() {
  denormalsNow = before;
  // Flags that were raised in between stay so.
  uint64_t now = controls(), wanted = (now & ~flushBits) | (controlsBefore & flushBits);
  if (wanted != now)
    setControls(wanted);
}

Denormals DenormalScope::current() { return denormalsNow; }

} // namespace spmd
