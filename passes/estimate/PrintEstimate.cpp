#include "spmd/passes/estimate/Estimate.h"

#include "spmd/passes/why/Columns.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace spmd {

/// Reports list this many collectives: those that take longest.
static constexpr size_t mostListed = 10;

static double seconds(Picoseconds time) { return static_cast<double>(time) / picosecondsPerSecond; }

/// Returns the time in the unit that leaves one to three digits before the point: "1.25 ms".
static std::string inUnits(Picoseconds time) {
  constexpr std::pair<double, const char *> units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}};
  for (auto [unit, name] : units)
    if (seconds(time) >= unit)
      return llvm::formatv("{0:f2} {1}", seconds(time) / unit, name);
  return llvm::formatv("{0:f2} ns", seconds(time) / 1e-9);
}

static std::string inPercent(double share) { return llvm::formatv("{0:f1} %", 100 * share); }

static void printCollectives(const EstimateReport &report, llvm::raw_ostream &os) {
  std::vector<std::vector<std::string>> rows = {
      {"kind", "group", "runs", "wire bytes", "time", "exposed", "tier", "  where"}};
  for (size_t index : report.slowest(mostListed)) {
    const EstimatedCollective &each = report.collectives[index];
    rows.push_back({each.kind, std::to_string(each.groupSize),
                    std::to_string(each.runs) + (each.hasUnknownTrips ? "+" : ""),
                    withCommas(each.wireBytes), inUnits(each.times.time),
                    inUnits(each.times.exposed), each.tier.empty() ? "-" : each.tier,
                    "  " + each.location});
  }
  printColumns(rows, {{18, /*isLeft=*/true}, {5}, {4}, {12}, {9}, {9}, {5, /*isLeft=*/true}},
               /*indent=*/14, os.indent(14));
}

void printText(const EstimateReport &report, int64_t peakBytes, llvm::raw_ostream &os) {
  const ProgramTimes &times = report.times;
  os << llvm::left_justify("estimate", 14) << report.profile << ": step " << inUnits(times.total)
     << (report.hasUnknownTrips ? " at least" : "") << ", compute " << inUnits(times.compute)
     << ", communication " << inUnits(times.communication) << ", exposed " << inUnits(times.exposed)
     << "; products at " << inPercent(report.utilization()) << " of their peak";
  if (peakBytes > 0)
    os << "; memory "
       << inPercent(static_cast<double>(peakBytes) / static_cast<double>(report.deviceMemoryBytes))
       << " of the device's";
  os << "\n";
  if (!report.collectives.empty())
    printCollectives(report, os);
}

void writeJson(const EstimateReport &report, llvm::json::OStream &json) {
  const ProgramTimes &times = report.times;
  json.object([&] {
    json.attribute("profile", report.profile);
    json.attribute("step_seconds", seconds(times.total));
    json.attribute("compute_seconds", seconds(times.compute));
    json.attribute("communication_seconds", seconds(times.communication));
    json.attribute("exposed_seconds", seconds(times.exposed));
    json.attribute("product_flops", times.flops);
    json.attribute("utilization", report.utilization());
    json.attribute("memory_traffic_bytes", times.memoryBytes);
    json.attribute("device_memory_bytes", report.deviceMemoryBytes);
    json.attribute("unknown_trip_count", report.hasUnknownTrips);
    json.attributeArray("collectives", [&] {
      for (size_t index : report.slowest(mostListed))
        json.object([&] {
          const EstimatedCollective &each = report.collectives[index];
          json.attribute("kind", each.kind);
          json.attribute("group_size", each.groupSize);
          json.attribute("runs", each.runs);
          json.attribute("wire_bytes", each.wireBytes);
          json.attribute("tier", each.tier);
          json.attribute("seconds", seconds(each.times.time));
          json.attribute("exposed_seconds", seconds(each.times.exposed));
          json.attribute("location", each.location);
        });
    });
  });
}

} // namespace spmd
