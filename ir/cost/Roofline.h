// The time of ops on a device.
//
// An op takes the longer of its arithmetic at the device's peak and of its memory traffic at the
// device's bandwidth (roofline), and what it takes to start.
#pragma once

#include "spmd/ir/cost/CostConstants.h"
#include "spmd/ir/cost/DeviceProfile.h"

namespace spmd {

/// Keeps a reference to the profile.
class Roofline {
public:
  explicit Roofline(const DeviceProfile &profile) : profile(profile) {}

  /// Returns what `operations` of `kind` on elements of type `element` take at the peak.
  Picoseconds arithmetic(WorkKind kind, std::string_view element, double operations) const;

  /// Returns the time of an op with so much arithmetic that reads and writes `bytes`; 0 for an op
  /// that does neither.
  Picoseconds timeOf(Picoseconds arithmetic, int64_t bytes) const;

private:
  const DeviceProfile &profile;
};

} // namespace spmd
