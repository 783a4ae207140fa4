// Scalars that are arithmetic on `partition_id`, device by device.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <optional>
#include <vector>

namespace spmd {

/// An integer on each device.
using PerDevice = std::vector<int64_t>;

/// The calls of each function of a module, which are looked up where the first is asked for.
class CallSites {
public:
  explicit CallSites(mlir::ModuleOp module) : module(module) {}

  /// The calls of the function whose argument `argument` is; none if it is no argument of a private
  /// function.
  llvm::ArrayRef<mlir::func::CallOp> of(mlir::BlockArgument argument);

private:
  mlir::ModuleOp module;
  bool isLookedUp = false;
  llvm::StringMap<llvm::SmallVector<mlir::func::CallOp, 1>> calls;
};

/// Works out scalars that are arithmetic on `partition_id`. An argument of a private function is
/// what all its calls pass alike.
class Evaluator {
public:
  Evaluator(CallSites &calls, int64_t numDevices) : calls(calls), numDevices(numDevices) {}

  /// Returns what `value` is on each device, or null if that is not known.
  const PerDevice *evaluate(mlir::Value value, int depth = 0);

  /// Says what `value` is, an argument of a region, before anything is worked out from it.
  void bind(mlir::Value value, const PerDevice &number) {
    known[value] = std::make_unique<PerDevice>(number);
  }

private:
  std::unique_ptr<PerDevice> compute(mlir::Value value, int depth);
  std::unique_ptr<PerDevice> ofCalls(mlir::BlockArgument argument, int depth);

  CallSites &calls;
  int64_t numDevices;
  llvm::DenseMap<mlir::Value, std::unique_ptr<PerDevice>> known;
};

/// Whether `value` may be arithmetic on `partition_id`, as far as one looks through scalars, loops
/// and calls. Takes time in proportion to the scalars it is made of, whatever the number of
/// devices.
bool mayDependOnDevice(mlir::Value value, CallSites &calls);

} // namespace spmd
