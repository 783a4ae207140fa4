#include "spmd/tools/spmd-reduce/Minimize.h"

#include <algorithm>

namespace spmd {

bool minimize(size_t count, size_t largestRun, TryWithout tryWithout) {
  bool changed = false;
  for (size_t run = std::min(count, largestRun); run > 0; run = std::min(run / 2, count))
    for (size_t end = count; end > 0;) {
      size_t begin = end - std::min(run, end);
      std::optional<size_t> left = tryWithout(begin, end);
      changed |= left.has_value();
      count = left.value_or(count);
      end = std::min(begin, count);
    }
  return changed;
}

} // namespace spmd
