// ceil, floor, round_nearest_afz (ties away from zero) and round_nearest_even.
#include "spmd/lowering/interpreter/kernels/Steps.h"

#include <cmath>

namespace spmd {
namespace {

struct Ceil {
  static constexpr unsigned kinds = floats;
  template <typename T> T operator()(T a) const { return math::ceil(a); }
};
struct Floor {
  static constexpr unsigned kinds = floats;
  template <typename T> T operator()(T a) const { return math::floor(a); }
};
struct RoundAwayFromZero {
  static constexpr unsigned kinds = floats;
  template <typename T> T operator()(T a) const { return math::round(a); }
};
struct RoundToEven {
  static constexpr unsigned kinds = floats;
  template <typename T> T operator()(T a) const { return math::nearbyint(a); }
};

} // namespace

void addRoundingSteps(KernelRegistry &registry) {
  addUnary<Ceil>(registry, "ceil");
  addUnary<Floor>(registry, "floor");
  addUnary<RoundAwayFromZero>(registry, "round_nearest_afz");
  addUnary<RoundToEven>(registry, "round_nearest_even");
}

} // namespace spmd
