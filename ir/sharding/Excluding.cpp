#include "spmd/ir/sharding/Excluding.h"

#include <algorithm>

namespace spmd {

bool exclude(const AxisRef &a, const AxisRef &b) {
  const AxisRef &major = std::min(a, b), &minor = std::max(a, b);
  return overlaps(a, b) || (a.axis == b.axis && minor.preSize % major.end() != 0);
}

bool exclude(const AxisRef &a, absl::Span<const AxisRef> list) {
  return std::any_of(list.begin(), list.end(), [&](const AxisRef &b) { return exclude(a, b); });
}

bool exclude(absl::Span<const AxisRef> a, absl::Span<const AxisRef> b) {
  return std::any_of(a.begin(), a.end(), [&](const AxisRef &ref) { return exclude(ref, b); });
}

} // namespace spmd
