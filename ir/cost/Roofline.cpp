#include "spmd/ir/cost/Roofline.h"

#include "spmd/ir/cost/Collectives.h"

#include <algorithm>

namespace spmd {

Picoseconds Roofline::arithmetic(WorkKind kind, std::string_view element, double operations) const {
  return toPicoseconds(operations / profile.peakOf(kind, element));
}

Picoseconds Roofline::timeOf(Picoseconds arithmetic, int64_t bytes) const {
  if (arithmetic == 0 && bytes == 0)
    return 0;
  Picoseconds memory = toPicoseconds(static_cast<double>(bytes) / profile.memoryBytesPerSecond);
  return std::max(arithmetic, memory) + toPicoseconds(profile.opStartSeconds);
}

} // namespace spmd
