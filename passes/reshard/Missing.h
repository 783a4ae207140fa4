// Values that nobody gave a sharding.
#pragma once

#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/passes/Options.h"

#include <optional>

namespace spmd {

/// Reports arguments and ops' results of rank 1 or more that have no sharding, in program order: an
/// error each (OnMissing::error), else a warning each, and the value gets an inferred sharding that
/// holds it whole. A function's result without one lies as the value that is returned.
///
/// Requires a mesh with axes. What is inside regions where all axes are manual needs no sharding.
class MissingShardings {
public:
  MissingShardings(ShardingCodec &codec, OnMissing onMissing)
      : codec(codec), onMissing(onMissing) {}

  /// Whether `value` is to have a sharding, and has none.
  static bool isMissing(mlir::Value value, ValueSharding sharding);

  /// Looks at the arguments of a function; its ops come next.
  void begin(mlir::func::FuncOp func);
  /// Fills in the results of an op some of which have none.
  void fillResults(mlir::Operation *op);
  /// Looks at the results of the function.
  void end(mlir::func::FuncOp func);

  bool hasFailed() const { return failed; }

private:
  ValueSharding wholeOf(mlir::Type type);
  void report(mlir::Value value);

  ShardingCodec &codec;
  OnMissing onMissing;
  std::optional<BoundaryAttributes> boundary; ///< Read and written once, if at all.
  bool failed = false;
};

/// Does so for a whole module. Fails after reporting, as `onMissing` says.
mlir::LogicalResult fillMissing(mlir::ModuleOp module, ShardingCodec &codec, OnMissing onMissing);

} // namespace spmd
