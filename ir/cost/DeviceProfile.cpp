#include "spmd/ir/cost/DeviceProfile.h"

#include "spmd/ir/cost/device_profile.pb.h"
#include "spmd/ir/textproto/TextProto.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

namespace spmd {

namespace {

struct ElementName {
  std::string_view name;
  int bits;
  bool isFloat;
};

/// Elements that data sheets tell apart. `f8` and `f4` are all formats of this width.
constexpr ElementName elementNames[] = {{"f4", 4, true},    {"f8", 8, true},   {"bf16", 16, true},
                                        {"f16", 16, true},  {"f32", 32, true}, {"f64", 64, true},
                                        {"i4", 4, false},   {"i8", 8, false},  {"i16", 16, false},
                                        {"i32", 32, false}, {"i64", 64, false}};

const ElementName *elementNamed(std::string_view name) {
  auto found = std::find_if(std::begin(elementNames), std::end(elementNames),
                            [&](const ElementName &each) { return each.name == name; });
  return found == std::end(elementNames) ? nullptr : found;
}

/// Makes a profile of a message, and lists everything that is wrong with it.
class ProfileReader {
public:
  ProfileReader(const DeviceProfileProto &proto, const FieldPlaces &places,
                std::vector<FileFinding> &findings)
      : proto(proto), places(places), findings(findings) {}

  DeviceProfile read(std::string_view name) {
    profile.name = name;
    profile.description = proto.description();
    for (int i = 0; i < proto.peak_size(); ++i)
      readPeak(proto.peak(i), places.of(proto, Proto::kPeakFieldNumber, i));
    for (auto [kind, text] :
         {std::pair(WorkKind::product, "PRODUCT"), std::pair(WorkKind::elementwise, "ELEMENTWISE")})
      if (!seenWork.count(kind))
        fail({}, absl::StrCat("profile has no peak of ", text, " work"));
    readMemory();
    readStart();
    for (int i = 0; i < proto.tier_size(); ++i)
      readTier(proto.tier(i), places.of(proto, Proto::kTierFieldNumber, i),
               i + 1 == proto.tier_size());
    if (proto.tier_size() == 0)
      fail({}, "profile has no tier; programs of several devices need links");
    return std::move(profile);
  }

private:
  using Proto = DeviceProfileProto;
  using Message = google::protobuf::Message;

  void fail(FilePlace place, std::string message) {
    findings.push_back({place, std::move(message)});
  }

  /// The place of `field`, or of its message where the field was not written.
  FilePlace placeOf(const Message &message, int field, FilePlace otherwise, int index = 0) const {
    FilePlace place = places.of(message, field, index);
    return place.line > 0 ? place : otherwise;
  }

  /// Reports a message of the profile that names no source. Every number must be checkable.
  void needSource(std::string_view what, const std::string &source, FilePlace place) {
    if (source.empty())
      fail(place,
           absl::StrCat(std::string(what), " has no source; say where its numbers are from"));
  }

  /// Reports `value` of `field` unless it is finite and above 0, or at least 0 if `mayBeZero`.
  void needPositive(const Message &message, int field, FilePlace otherwise, double value,
                    bool mayBeZero = false) {
    if (std::isfinite(value) && (mayBeZero ? value >= 0 : value > 0))
      return;
    const std::string &name = message.GetDescriptor()->FindFieldByNumber(field)->name();
    fail(placeOf(message, field, otherwise),
         absl::StrCat(name, " is ", value, "; a finite number ",
                      mayBeZero ? "of at least 0" : "above 0", " is needed"));
  }

  void readPeak(const Proto::PeakProto &peak, FilePlace place) {
    using Peak = Proto::PeakProto;
    needSource("peak", peak.source(), place);
    needPositive(peak, Peak::kOperationsPerSecondFieldNumber, place, peak.operations_per_second());
    if (peak.work() == Proto::UNKNOWN_WORK)
      fail(place, "peak has no work; give it PRODUCT, ELEMENTWISE or TRANSCENDENTAL");
    if (peak.element().empty())
      fail(place, "peak has no element");
    WorkKind kind = peak.work() == Proto::TRANSCENDENTAL ? WorkKind::transcendental
                    : peak.work() == Proto::ELEMENTWISE  ? WorkKind::elementwise
                                                         : WorkKind::product;
    if (peak.work() != Proto::UNKNOWN_WORK)
      seenWork.insert(kind);
    for (int i = 0; i < peak.element_size(); ++i) {
      const std::string &element = peak.element(i);
      FilePlace at = placeOf(peak, Peak::kElementFieldNumber, place, i);
      if (!elementNamed(element))
        fail(at, absl::StrCat("unknown element '", element, "'; expected ", knownElements()));
      else if (peak.work() != Proto::UNKNOWN_WORK && !seenPeaks.insert({kind, element}).second)
        fail(at, absl::StrCat("element '", element, "' has two peaks of the same work"));
      profile.peaks.push_back({kind, element, peak.operations_per_second()});
    }
  }

  static std::string knownElements() {
    return absl::StrJoin(elementNames, ", ", [](std::string *text, const ElementName &each) {
      text->append(each.name);
    });
  }

  void readMemory() {
    using Memory = Proto::MemoryProto;
    if (!proto.has_memory())
      return fail({}, "profile has no memory");
    const Memory &memory = proto.memory();
    FilePlace place = places.of(proto, Proto::kMemoryFieldNumber);
    needSource("memory", memory.source(), place);
    needPositive(memory, Memory::kBytesPerSecondFieldNumber, place, memory.bytes_per_second());
    needPositive(memory, Memory::kBytesFieldNumber, place, static_cast<double>(memory.bytes()));
    profile.memoryBytesPerSecond = memory.bytes_per_second();
    profile.memoryBytes = memory.bytes();
  }

  void readStart() {
    using Start = Proto::StartProto;
    if (!proto.has_start())
      return;
    const Start &start = proto.start();
    FilePlace place = places.of(proto, Proto::kStartFieldNumber);
    needSource("start", start.source(), place);
    needPositive(start, Start::kOpSecondsFieldNumber, place, start.op_seconds(), true);
    needPositive(start, Start::kCollectiveSecondsFieldNumber, place, start.collective_seconds(),
                 true);
    profile.opStartSeconds = start.op_seconds();
    profile.collectiveStartSeconds = start.collective_seconds();
  }

  void readTier(const Proto::TierProto &tier, FilePlace place, bool isLast) {
    using Tier = Proto::TierProto;
    needSource("tier", tier.source(), place);
    if (tier.name().empty())
      fail(place, "tier has no name");
    else if (!seenTiers.insert(tier.name()).second)
      fail(placeOf(tier, Tier::kNameFieldNumber, place),
           absl::StrCat("two tiers have the name '", tier.name(), "'"));
    if (tier.network() == Proto::UNKNOWN_NETWORK)
      fail(place, "tier has no network; give it SWITCH or RING");
    needPositive(tier, Tier::kLatencySecondsFieldNumber, place, tier.latency_seconds(), true);
    needPositive(tier, Tier::kBytesPerSecondFieldNumber, place, tier.bytes_per_second());
    FilePlace at = placeOf(tier, Tier::kDevicesFieldNumber, place);
    int64_t inner = innerDevices;
    if (tier.devices() == 0 && !isLast)
      fail(at, "tier has no number of devices; only the last may connect all");
    else if (tier.devices() == 0 && tier.network() == Proto::RING)
      fail(at, "a ring needs its number of devices");
    else if (tier.devices() < 0 || (tier.devices() > 0 && tier.devices() <= inner))
      fail(at, absl::StrCat("tier has ", tier.devices(), " devices; more than ", inner,
                            " are needed, those of the tier before it"));
    else if (tier.devices() % inner != 0)
      fail(at, absl::StrCat("tier has ", tier.devices(), " devices, no multiple of the ", inner,
                            " of the tier before it"));
    else if (tier.devices() > 0)
      innerDevices = tier.devices();
    profile.tiers.push_back(
        {tier.name(), tier.devices() > 0 ? tier.devices() : std::numeric_limits<int64_t>::max(),
         tier.network() == Proto::RING, tier.latency_seconds(), tier.bytes_per_second()});
  }

  const DeviceProfileProto &proto;
  const FieldPlaces &places;
  std::vector<FileFinding> &findings;
  DeviceProfile profile;
  int64_t innerDevices = 1; ///< Of the tier before.
  std::set<WorkKind> seenWork;
  std::set<std::pair<WorkKind, std::string>> seenPeaks;
  std::set<std::string> seenTiers;
};

} // namespace

double DeviceProfile::peakOf(WorkKind kind, std::string_view element) const {
  const ElementName *wanted = elementNamed(element);
  const PeakRate *best = nullptr;
  int bestBits = 0;
  for (const PeakRate &peak : peaks) {
    if (peak.kind != kind)
      continue;
    if (peak.element == element)
      return peak.operationsPerSecond;
    const ElementName *listed = elementNamed(peak.element);
    if (!wanted || !listed || (kind == WorkKind::product && listed->isFloat != wanted->isFloat))
      continue;
    // The narrowest that is wide enough, else the widest.
    bool fits = listed->bits >= wanted->bits, bestFits = bestBits >= wanted->bits;
    bool isBetter = fits ? !bestFits || listed->bits < bestBits
                         : !bestFits && listed->bits > bestBits && kind != WorkKind::product;
    if (isBetter) {
      best = &peak;
      bestBits = listed->bits;
    }
  }
  if (best)
    return best->operationsPerSecond * std::min(1.0, static_cast<double>(bestBits) / wanted->bits);
  if (kind == WorkKind::elementwise)
    return std::numeric_limits<double>::infinity(); // Of elements that are no numbers.
  return peakOf(WorkKind::elementwise, element);
}

std::optional<DeviceProfile> readProfile(std::string_view text, std::string_view name,
                                         std::vector<FileFinding> &findings) {
  DeviceProfileProto proto;
  FieldPlaces places;
  size_t before = findings.size();
  if (!readTextProto(text, proto, places, findings))
    return std::nullopt;
  DeviceProfile profile = ProfileReader(proto, places, findings).read(name);
  if (findings.size() == before)
    return profile;
  std::sort(findings.begin() + static_cast<std::ptrdiff_t>(before), findings.end(),
            [](const FileFinding &a, const FileFinding &b) {
              return std::tie(a.place.line, a.place.column, a.message) <
                     std::tie(b.place.line, b.place.column, b.message);
            });
  return std::nullopt;
}

} // namespace spmd
