// A device with round numbers, so that expected times can be computed by hand.
#pragma once

#include "spmd/ir/cost/DeviceProfile.h"

#include <limits>

namespace spmd {

/// Products of bf16 at 100e12 operations per second, of f32 at 50e12; elementwise f32 at 10e12 and
/// transcendental at 1e12. Memory: 1e12 bytes per second. Nothing takes time to start.
///
/// Two tiers: 4 devices at 100e9 bytes per second and 1 us a step, all others at 10e9 and 10 us.
inline DeviceProfile testProfile() {
  DeviceProfile profile;
  profile.name = "test";
  profile.peaks = {{WorkKind::product, "bf16", 100e12},
                   {WorkKind::product, "f32", 50e12},
                   {WorkKind::elementwise, "f32", 10e12},
                   {WorkKind::transcendental, "f32", 1e12}};
  profile.memoryBytesPerSecond = 1e12;
  profile.memoryBytes = 1'000'000'000;
  profile.tiers = {{"inner", 4, false, 1e-6, 100e9},
                   {"outer", std::numeric_limits<int64_t>::max(), false, 10e-6, 10e9}};
  return profile;
}

constexpr int64_t microsecond = 1'000'000; ///< In picoseconds.

} // namespace spmd
