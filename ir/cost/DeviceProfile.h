// A kind of device and the links between devices: peaks, memory, latencies, bandwidths.
//
//     peak { work: PRODUCT element: "bf16" operations_per_second: 989.4e12 source: ".." }
//     memory { bytes_per_second: 3.35e12 bytes: 80000000000 source: ".." }
//     tier { name: "nvlink" devices: 8 network: SWITCH latency_seconds: 0.6e-6
//            bytes_per_second: 450e9 source: ".." }
//     tier { name: "infiniband" network: SWITCH .. }
//
// `device_profile.proto` is the form of the file, docs/cost-model.md explains the fields.
#pragma once

#include "spmd/ir/textproto/FileFinding.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spmd {

/// What kind of arithmetic an op does. Devices have units of their own for each.
enum class WorkKind : uint8_t { product, elementwise, transcendental };

struct PeakRate {
  WorkKind kind;
  std::string element; ///< "bf16"
  double operationsPerSecond;
};

/// Links that connect each block of `devices` consecutive devices.
struct LinkTier {
  std::string name;
  int64_t devices; ///< The largest integer for all.
  /// A device reaches only the neighbors in its ring; otherwise any device of the block.
  bool isRing;
  double latencySeconds; ///< Of one step.
  double bytesPerSecond; ///< That one device sends, over all its links of the tier.
};

struct DeviceProfile {
  std::string name, description;
  std::vector<PeakRate> peaks;
  double memoryBytesPerSecond = 0;
  int64_t memoryBytes = 0;
  double opStartSeconds = 0, collectiveStartSeconds = 0;
  std::vector<LinkTier> tiers; ///< From the fastest to the slowest.

  /// Returns the operations per second of `kind` on `element` ("bf16", "i32"). For an element that
  /// the profile does not list, a product takes the rate of the narrowest wider element of the same
  /// kind of number; without any, it runs as elementwise work. Elementwise work takes the rate of
  /// the narrowest element that is at least as wide; past the widest, the rate falls with the
  /// width.
  double peakOf(WorkKind kind, std::string_view element) const;
};

/// Reads the profile in `text`, text format of `DeviceProfileProto`. Returns nothing, and at least
/// one finding, if the text is no profile; all findings of a text that parses are listed, in the
/// order of their places.
std::optional<DeviceProfile> readProfile(std::string_view text, std::string_view name,
                                         std::vector<FileFinding> &findings);

/// A profile that comes with the compiler.
struct ShippedProfile {
  std::string_view name, text;
};

/// Returns the profiles of `ir/cost/profiles`, sorted by name.
const std::vector<ShippedProfile> &shippedProfiles();

} // namespace spmd
