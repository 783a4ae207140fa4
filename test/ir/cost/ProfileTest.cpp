#include "spmd/ir/cost/DeviceProfile.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"

#include <limits>

namespace spmd {
namespace {

using Lines = std::vector<std::string>;

constexpr const char *valid = R"(description: "d"
peak { work: PRODUCT element: "bf16" element: "f32" operations_per_second: 2e12 source: "s" }
peak { work: ELEMENTWISE element: "f32" operations_per_second: 1e12 source: "s" }
memory { bytes_per_second: 1e12 bytes: 100 source: "s" }
start { op_seconds: 1e-6 collective_seconds: 2e-6 source: "s" }
tier { name: "a" devices: 4 network: RING latency_seconds: 1e-6 bytes_per_second: 1e9 source: "s" }
tier { name: "b" devices: 16 network: SWITCH latency_seconds: 0 bytes_per_second: 1e8 source: "s" }
tier { name: "c" network: SWITCH latency_seconds: 1e-5 bytes_per_second: 1e7 source: "s" }
)";

/// Returns the findings in the valid profile with `from` replaced, `line:column: message` each.
Lines findingsWith(std::string_view from, std::string_view to) {
  std::string text = absl::StrReplaceAll(valid, {{absl::string_view(from.data(), from.size()),
                                                  absl::string_view(to.data(), to.size())}});
  EXPECT_NE(text, valid);
  std::vector<FileFinding> findings;
  std::optional<DeviceProfile> profile = readProfile(text, "p", findings);
  EXPECT_EQ(profile.has_value(), findings.empty());
  Lines lines;
  for (const FileFinding &each : findings)
    lines.push_back(absl::StrCat(each.place.line, ":", each.place.column, ": ", each.message));
  return lines;
}

DeviceProfile validProfile() {
  std::vector<FileFinding> findings;
  std::optional<DeviceProfile> profile = readProfile(valid, "p", findings);
  EXPECT_TRUE(profile.has_value());
  return profile.value_or(DeviceProfile());
}

TEST(Profile, Fields) {
  DeviceProfile profile = validProfile();
  EXPECT_EQ(profile.name, "p");
  EXPECT_EQ(profile.peaks.size(), 3u);
  EXPECT_EQ(profile.memoryBytes, 100);
  EXPECT_EQ(profile.opStartSeconds, 1e-6);
  EXPECT_EQ(profile.collectiveStartSeconds, 2e-6);
  ASSERT_EQ(profile.tiers.size(), 3u);
  EXPECT_TRUE(profile.tiers[0].isRing);
  EXPECT_EQ(profile.tiers[1].devices, 16);
  EXPECT_EQ(profile.tiers[2].devices, std::numeric_limits<int64_t>::max());
}

TEST(Profile, PeaksOfElementsThatAreNotListed) {
  DeviceProfile profile = validProfile();
  EXPECT_EQ(profile.peakOf(WorkKind::product, "f32"), 2e12);
  EXPECT_EQ(profile.peakOf(WorkKind::product, "f8"), 2e12);  // As bf16, which is wider.
  EXPECT_EQ(profile.peakOf(WorkKind::product, "i8"), 1e12);  // As elementwise work.
  EXPECT_EQ(profile.peakOf(WorkKind::product, "f64"), 5e11); // Also, at half the rate of f32.
  EXPECT_EQ(profile.peakOf(WorkKind::elementwise, "bf16"), 1e12);
  EXPECT_EQ(profile.peakOf(WorkKind::elementwise, "i64"), 5e11);
  EXPECT_EQ(profile.peakOf(WorkKind::transcendental, "f32"), 1e12);
}

TEST(Profile, ShippedOnesAreRead) {
  std::string names;
  for (const ShippedProfile &each : shippedProfiles()) {
    std::vector<FileFinding> findings;
    EXPECT_TRUE(readProfile(each.text, each.name, findings).has_value())
        << each.name << ": " << (findings.empty() ? "" : findings[0].message);
    absl::StrAppend(&names, " ", std::string(each.name));
  }
  EXPECT_EQ(names, " cpu h100-nvlink-ib tpu-v5p");
}

TEST(ProfileErrors, OfTheForm) {
  EXPECT_EQ(findingsWith("network: RING", "net: RING"),
            Lines{"6:29: unknown field 'net'; expected name, devices, network, latency_seconds, "
                  "bytes_per_second, source"});
  EXPECT_EQ(findingsWith("bytes: 100", "bytes: many").size(), 1u);
}

TEST(ProfileErrors, OfPeaks) {
  EXPECT_EQ(findingsWith("2e12 source: \"s\"", "2e12"),
            Lines{"2:1: peak has no source; say where its numbers are from"});
  EXPECT_EQ(findingsWith("2e12", "-1"),
            Lines{"2:53: operations_per_second is -1; a finite number above 0 is needed"});
  EXPECT_EQ(findingsWith("2e12", "inf"),
            Lines{"2:53: operations_per_second is inf; a finite number above 0 is needed"});
  EXPECT_EQ(findingsWith("work: PRODUCT ", ""),
            (Lines{"0:0: profile has no peak of PRODUCT work",
                   "2:1: peak has no work; give it PRODUCT, ELEMENTWISE or TRANSCENDENTAL"}));
  EXPECT_EQ(findingsWith("work: ELEMENTWISE element: \"f32\"", "work: PRODUCT element: \"f64\""),
            Lines{"0:0: profile has no peak of ELEMENTWISE work"});
  EXPECT_EQ(findingsWith("work: ELEMENTWISE element: \"f32\"", "work: ELEMENTWISE"),
            Lines{"3:1: peak has no element"});
  EXPECT_EQ(
      findingsWith("\"bf16\"", "\"bf17\""),
      Lines{"2:22: unknown element 'bf17'; expected f4, f8, bf16, f16, f32, f64, i4, i8, i16, "
            "i32, i64"});
  EXPECT_EQ(findingsWith("\"bf16\"", "\"f32\""),
            Lines{"2:37: element 'f32' has two peaks of the same work"});
}

TEST(ProfileErrors, OfMemoryAndStart) {
  EXPECT_EQ(findingsWith("memory { bytes_per_second: 1e12 bytes: 100 source: \"s\" }\n", ""),
            Lines{"0:0: profile has no memory"});
  EXPECT_EQ(findingsWith("memory { bytes_per_second: 1e12 bytes: 100 source: \"s\" }", "memory {}"),
            (Lines{"4:1: bytes is 0; a finite number above 0 is needed",
                   "4:1: bytes_per_second is 0; a finite number above 0 is needed",
                   "4:1: memory has no source; say where its numbers are from"}));
  EXPECT_EQ(findingsWith("op_seconds: 1e-6", "op_seconds: -1e-6"),
            Lines{"5:9: op_seconds is -1e-06; a finite number of at least 0 is needed"});
  EXPECT_EQ(findingsWith("collective_seconds: 2e-6 source: \"s\"", "collective_seconds: nan"),
            (Lines{"5:1: start has no source; say where its numbers are from",
                   "5:26: collective_seconds is nan; a finite number of at least 0 is needed"}));
}

TEST(ProfileErrors, OfTiers) {
  EXPECT_EQ(findingsWith("name: \"b\"", "name: \"a\""), Lines{"7:8: two tiers have the name 'a'"});
  EXPECT_EQ(findingsWith("name: \"b\" ", ""), Lines{"7:1: tier has no name"});
  EXPECT_EQ(findingsWith("network: RING", ""),
            Lines{"6:1: tier has no network; give it SWITCH or RING"});
  EXPECT_EQ(findingsWith("latency_seconds: 0", "latency_seconds: -1"),
            Lines{"7:46: latency_seconds is -1; a finite number of at least 0 is needed"});
  EXPECT_EQ(findingsWith("1e8 source: \"s\"", "0"),
            (Lines{"7:1: bytes_per_second is 0; a finite number above 0 is needed",
                   "7:1: tier has no source; say where its numbers are from"}));
  EXPECT_EQ(findingsWith("devices: 16 ", ""),
            Lines{"7:1: tier has no number of devices; only the last may connect all"});
  EXPECT_EQ(findingsWith("devices: 16", "devices: 4"),
            Lines{"7:18: tier has 4 devices; more than 4 are needed, those of the tier before it"});
  EXPECT_EQ(findingsWith("devices: 16", "devices: 18"),
            Lines{"7:18: tier has 18 devices, no multiple of the 4 of the tier before it"});
  EXPECT_EQ(findingsWith("\"c\" network: SWITCH", "\"c\" network: RING"),
            Lines{"8:1: a ring needs its number of devices"});
}

TEST(ProfileErrors, WithoutTiers) {
  std::string text(valid);
  text.resize(text.find("tier"));
  std::vector<FileFinding> findings;
  EXPECT_FALSE(readProfile(text, "p", findings).has_value());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].message, "profile has no tier; programs of several devices need links");
}

} // namespace
} // namespace spmd
