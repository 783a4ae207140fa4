// Fuzzes the reader of plans: whatever the text, no crash, and what is rejected is rejected with a
// message that has a place in the text.

#include "spmd/ir/plan/Plan.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  std::vector<spmd::PlanFinding> findings;
  bool isPlan = spmd::readPlan(text, "fuzz.plan", findings).has_value();
  auto lines = std::count(text.begin(), text.end(), '\n') + 1;
  bool isLocated = std::all_of(findings.begin(), findings.end(), [&](const auto &each) {
    return !each.message.empty() && each.place.line >= 0 && each.place.line <= lines;
  });
  if (isPlan != findings.empty() || !isLocated) {
    std::fprintf(stderr, "rejected without a message, or with one that has no place\n");
    std::abort();
  }
  return 0;
}
