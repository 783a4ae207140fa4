// How long a step of a partitioned program takes on a device that a profile describes.
#pragma once

#include "spmd/ir/cost/DeviceProfile.h"
#include "spmd/ir/cost/Schedule.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace spmd {

struct EstimatedCollective {
  std::string kind;     ///< "all_gather"
  std::string tier;     ///< The slowest that it crosses; empty if it sends nothing.
  std::string location; ///< `file:line:column` of what it moves.
  int64_t groupSize = 1;
  int64_t runs = 1;
  bool hasUnknownTrips = false;
  int64_t wireBytes = 0; ///< In all runs, as `spmd-run` counts them.
  CollectiveTimes times; ///< In all runs.
};

struct EstimateReport {
  std::string profile, description;
  int64_t deviceMemoryBytes = 0;
  ProgramTimes times;
  bool hasUnknownTrips = false; ///< Some loop of unknown trip count is counted as one iteration.
  std::vector<EstimatedCollective> collectives; ///< In program order.

  /// Returns the share of the step in which the units for products would be busy at their peak.
  double utilization() const;
  /// Returns the numbers of the collectives that take longest, at most `most`.
  std::vector<size_t> slowest(size_t most) const;
};

/// Estimates one run of `module`, the program of one device, as docs/cost-model.md describes. The
/// module is unchanged. Returns nothing after diagnostics where groups of a collective name unknown
/// meshes.
std::optional<EstimateReport> estimateModule(mlir::ModuleOp module, const DeviceProfile &profile);

/// Returns the shipped profile called `name`, or that in the file `name`. Returns nothing after
/// diagnostics at the lines of the file.
std::optional<DeviceProfile> loadProfile(mlir::MLIRContext &context, llvm::StringRef name);

/// Prints the estimate for people. `peakBytes` is what the program holds at most, 0 if unknown.
void printText(const EstimateReport &report, int64_t peakBytes, llvm::raw_ostream &os);
/// Writes it as an object.
void writeJson(const EstimateReport &report, llvm::json::OStream &json);

} // namespace spmd
