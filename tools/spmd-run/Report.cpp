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
  row("error") << "largest absolute " << llvm::format("%.3g", report.maxAbsError)
               << ", largest relative " << llvm::format("%.3g", report.maxRelError) << "\n";
  if (!report.ofNoise.empty()) {
    row("rounding") << (report.ofNoise.size() == 1 ? "result " : "results ");
    llvm::interleaveComma(report.ofNoise, os);
    os << (report.ofNoise.size() == 1 ? " differs" : " differ")
       << " by no more than rounding makes\n";
  }
  for (const std::string &difference : report.differences)
    row("differs") << difference << "\n";
  row("equal:") << (!report.equal       ? "no"
                    : report.isCompared ? "yes"
                                        : "not compared; replicas agree")
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
                                         "reshard", "partition", "optimize",      "lower",
                                         "run",     "run_whole"};

/// Returns the milliseconds that `stage` took, 0 if it was not run.
static double timeOf(const RunReport &report, llvm::StringRef stage) {
  for (const auto &[name, milliseconds] : report.times)
    if (name == stage)
      return milliseconds;
  return 0;
}

void printJson(const RunReport &report, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attribute("program", report.program);
    json.attribute("mesh", report.mesh);
    json.attribute("devices", report.numDevices);
    json.attribute("equal", report.equal);
    json.attribute("compared", report.isRun && report.isCompared);
    writeError(json, "max_abs_error", report.maxAbsError);
    writeError(json, "max_rel_error", report.maxRelError);
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
    if (report.repeatedWork) {
      json.attributeBegin("repeated_work");
      writeJson(*report.repeatedWork, json);
      json.attributeEnd();
    }
    json.attributeArray("results_of_rounding", [&] {
      for (size_t index : report.ofNoise)
        json.value(static_cast<int64_t>(index));
    });
    json.attributeArray("differences", [&] {
      for (const std::string &difference : report.differences)
        json.value(difference);
    });
  });
  os << "\n";
}

} // namespace spmd
