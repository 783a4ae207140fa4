#include "spmd/passes/estimate/Estimate.h"

#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/passes/estimate/BuildProgram.h"

#include <algorithm>
#include <numeric>

namespace spmd {

double EstimateReport::utilization() const {
  return times.total > 0 ? static_cast<double>(times.products) / static_cast<double>(times.total)
                         : 0;
}

std::vector<size_t> EstimateReport::slowest(size_t most) const {
  std::vector<size_t> order(collectives.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(collectives[b].times.time, a) < std::pair(collectives[a].times.time, b);
  });
  order.resize(std::min(order.size(), most));
  return order;
}

/// Returns the place of what a collective moves: that of its value where a move has both.
static std::string placeOf(const FoundCollective &each) {
  mlir::Location location = each.causes.empty() ? each.op->getLoc() : each.causes.front().value;
  return placeText(withoutWrittenNames(location));
}

std::optional<EstimateReport> estimateModule(mlir::ModuleOp module, const DeviceProfile &profile) {
  std::vector<FoundCollective> found = findCollectives(module);
  mlir::FailureOr<BuiltProgram> built = buildCostProgram(module, found, profile);
  if (mlir::failed(built))
    return std::nullopt;
  EstimateReport report;
  report.profile = profile.name;
  report.description = profile.description;
  report.deviceMemoryBytes = profile.memoryBytes;
  report.hasUnknownTrips = built->hasUnknownTrips;
  report.times = scheduleProgram(built->program, profile);
  for (size_t i = 0; i < found.size(); ++i) {
    EstimatedCollective each;
    each.kind = found[i].kind;
    each.tier = built->tiers[i] < 0 ? "" : profile.tiers[built->tiers[i]].name;
    each.location = placeOf(found[i]);
    each.groupSize = found[i].groupSize;
    each.runs = found[i].runs;
    each.hasUnknownTrips = found[i].hasUnknownTrips;
    each.wireBytes = found[i].wireBytes;
    each.times = report.times.collectives[i];
    report.collectives.push_back(std::move(each));
  }
  return report;
}

} // namespace spmd
