#include "spmd/tools/spmd-run/Session.h"

#include "spmd/passes/why/Columns.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <cmath>

namespace spmd {

int64_t RunReport::wireBytes() const {
  int64_t sum = 0;
  for (const auto &[kind, each] : traffic)
    sum += each.wireBytes;
  return sum;
}

static void printTraffic(const std::map<std::string, Traffic> &traffic, llvm::raw_ostream &os) {
  std::vector<std::vector<std::string>> rows = {
      {"kind", "count", "operand bytes", "wire bytes", "   (one device)"}};
  for (const auto &[kind, each] : traffic)
    rows.push_back({kind, withCommas(each.count), withCommas(each.operandBytes),
                    withCommas(each.wireBytes),
                    each.hasUnknownTrips ? "   at least: in a loop of unknown trip count" : ""});
  printColumns(rows, {{22, /*isLeft=*/true}, {5}, {14}, {12}}, /*indent=*/14, os);
}

/// The largest number of all results, and the result that has it.
template <typename Get>
static std::pair<double, size_t> largestOf(const JudgeReport &report, Get get) {
  std::pair<double, size_t> largest = {0, 0};
  for (auto [i, each] : llvm::enumerate(report.results))
    if (std::optional<double> value = get(each); value && *value > largest.first)
      largest = {*value, i};
  return largest;
}

static std::optional<double> finite(std::optional<double> value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

/// Prints the largest error as a share of what is allowed, and how small an error would have shown.
static void printComparison(const RunComparison &comparison, llvm::raw_ostream &os) {
  const JudgeReport &report = comparison.report;
  os << llvm::left_justify("error", 14) << comparison.subject << ": ";
  if (report.results.empty()) {
    os << nameOf(report.verdict()) << "\n";
    return;
  }
  auto worst =
      largestOf(report, [](const ResultVerdict &each) { return std::optional(each.worstRatio); });
  os << llvm::format("%.2g", worst.first) << " of allowed";
  auto coarsest =
      largestOf(report, [](const ResultVerdict &each) { return finite(each.resolution); });
  if (coarsest.first > 0)
    os << "; resolution " << llvm::format("%.2g", coarsest.first) << " (result " << coarsest.second
       << ")";
  auto ofUpdates = largestOf(report, [](const ResultVerdict &each) {
    return each.updateResolution ? finite(each.updateResolution) : std::nullopt;
  });
  if (ofUpdates.first > 0)
    os << ", of updates " << llvm::format("%.2g", ofUpdates.first) << " (result "
       << ofUpdates.second << ")";
  int64_t numCoarse = 0;
  for (const ResultVerdict &each : report.results)
    numCoarse += each.numCoarse;
  if (numCoarse > 0)
    os << "; " << numCoarse << (numCoarse == 1 ? " element is" : " elements are") << " coarse";
  os << "\n";
}

void printTable(const RunReport &report, llvm::raw_ostream &os) {
  auto row = [&](llvm::StringRef name) -> llvm::raw_ostream & {
    return os << llvm::left_justify(name, 14);
  };
  row("program") << report.program << "\n";
  row("mesh") << report.mesh << ", " << report.numDevices
              << (report.numDevices == 1 ? " device\n" : " devices\n");
  row("time (ms)");
  for (auto [i, stage] : llvm::enumerate(report.times))
    os << (i == 0 ? "" : ", ") << stage.first << " " << llvm::format("%.2f", stage.second);
  os << "\n";
  row("collectives");
  if (report.traffic.empty())
    os << "none\n";
  else
    printTraffic(report.traffic, os);
  row("memory (bytes)") << " arguments and results " << withCommas(report.globalBytes)
                        << " in all, " << withCommas(report.localBytes) << " on each device; peak "
                        << withCommas(report.peakBytes) << " on each device\n";
  if (report.estimate)
    printText(*report.estimate, report.peakBytes, os);
  if (!report.missing.empty())
    row("missing") << report.missing.size()
                   << (report.missing.size() == 1 ? " value has" : " values have")
                   << " no sharding; held whole on every device\n";
  if (report.repeatedWork)
    row("replicated") << report.repeatedWork->message() << "\n";
  if (!report.isRun) {
    row("equal:") << "not run\n";
    return;
  }
  for (const RunComparison &each : report.comparisons)
    printComparison(each, os);
  for (const std::string &difference : report.differences)
    row("differs") << difference << "\n";
  row("equal:") << (report.verdict == Verdict::yes && !report.isCompared
                        ? "not compared; replicas agree"
                        : nameOf(report.verdict))
                << "\n";
}

/// Writes a number; JSON has no infinity, which becomes the text "inf".
static void writeError(llvm::json::OStream &json, llvm::StringRef name, double error) {
  if (std::isfinite(error))
    json.attribute(name, error);
  else
    json.attribute(name, "inf");
}

/// What `time_ms` names, whatever was run.
static constexpr const char *stages[] = {"parse",   "refine",    "functionalize", "propagate",
                                         "reshard", "partition", "optimize",      "estimate",
                                         "lower",   "run",       "run_whole",     "judge"};

/// Returns the milliseconds that `stage` took, 0 if it was not run.
static double timeOf(const RunReport &report, llvm::StringRef stage) {
  for (const auto &[name, milliseconds] : report.times)
    if (name == stage)
      return milliseconds;
  return 0;
}

static void writeComparison(const RunComparison &comparison, llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("subject", comparison.subject);
    json.attribute("verdict", nameOf(comparison.report.verdict()));
    if (!comparison.report.undecidedBecause.empty())
      json.attribute("undecided_because", comparison.report.undecidedBecause);
    json.attributeArray("decided_by", [&] {
      for (const std::string &each : comparison.report.decidedBy)
        json.value(each);
    });
    json.attributeArray("results", [&] {
      for (const ResultVerdict &each : comparison.report.results)
        json.object([&] {
          json.attribute("verdict", nameOf(each.verdict));
          json.attribute("elements", each.numElements);
          json.attribute("different", each.numDifferent);
          json.attribute("undecided", each.numUndecided);
          json.attribute("coarse", each.numCoarse);
          writeError(json, "error_of_allowed", each.worstRatio);
          writeError(json, "max_abs_error", each.maxAbsError);
          writeError(json, "resolution", each.resolution);
          if (each.updateResolution) {
            json.attribute("updated_argument", each.updatedArgument);
            writeError(json, "update_resolution", *each.updateResolution);
          }
          if (!each.message.empty())
            json.attribute("message", each.message);
        });
    });
  });
}

void printJson(const RunReport &report, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attribute("program", report.program);
    json.attribute("mesh", report.mesh);
    json.attribute("devices", report.numDevices);
    json.attribute("equal", report.verdict == Verdict::yes);
    json.attribute("verdict", nameOf(report.verdict));
    json.attribute("compared", report.isRun && report.isCompared);
    double maxAbsError = 0, maxRelError = 0;
    for (const RunComparison &comparison : report.comparisons)
      for (const ResultVerdict &each : comparison.report.results) {
        maxAbsError = std::max(maxAbsError, each.maxAbsError);
        maxRelError = std::max(maxRelError, each.maxRelError);
      }
    writeError(json, "max_abs_error", maxAbsError);
    writeError(json, "max_rel_error", maxRelError);
    json.attributeObject("time_ms", [&] {
      for (const char *stage : stages)
        json.attribute(stage, timeOf(report, stage));
    });
    json.attributeArray("collectives", [&] {
      for (const auto &entry : report.traffic)
        json.object([&] {
          const Traffic &traffic = entry.second;
          json.attribute("kind", entry.first);
          json.attribute("count", traffic.count);
          json.attribute("operand_bytes", traffic.operandBytes);
          json.attribute("wire_bytes", traffic.wireBytes);
          if (traffic.hasUnknownTrips)
            json.attribute("unknown_trip_count", true);
        });
    });
    json.attribute("wire_bytes_per_device", report.wireBytes());
    json.attribute("peak_bytes_per_device", report.peakBytes);
    json.attribute("argument_and_result_bytes", report.globalBytes);
    json.attribute("argument_and_result_bytes_per_device", report.localBytes);
    json.attributeArray("missing", [&] {
      for (const Flag &flag : report.missing)
        writeJson(flag, json);
    });
    if (report.estimate) {
      json.attributeBegin("estimate");
      writeJson(*report.estimate, json);
      json.attributeEnd();
    }
    if (report.repeatedWork) {
      json.attributeBegin("repeated_work");
      writeJson(*report.repeatedWork, json);
      json.attributeEnd();
    }
    json.attributeArray("comparisons", [&] {
      for (const RunComparison &each : report.comparisons)
        writeComparison(each, json);
    });
    json.attributeArray("differences", [&] {
      for (const std::string &difference : report.differences)
        json.value(difference);
    });
  });
  os << "\n";
}

} // namespace spmd
