// The values of manual computations that may differ from device to device.
#pragma once

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/passes/verify/GroupSpans.h"

#include "mlir/IR/SymbolTable.h"

#include <map>

namespace spmd {

/// Along which axes a value may differ.
struct Variation {
  AxisSet data = 0;  ///< By what the devices hold.
  AxisSet place = 0; ///< By the number of the device alone.

  bool any() const { return data | place; }
  Variation operator|(Variation other) const { return {data | other.data, place | other.place}; }
  Variation without(AxisSet axes) const { return {data & ~axes, place & ~axes}; }
};

class VaryingValues;

/// What is known of the values of a region that computes with the shapes of one device, or of a
/// function that is called there. What is in it depends on what comes in.
class VaryingRegion {
public:
  VaryingRegion(VaryingValues &all, mlir::Region &region) : all(all), region(region) {}

  /// Follows what differs to where nothing more is found. Each value is seen again only where more
  /// axes come to it.
  void run(llvm::ArrayRef<Variation> arguments);

  Variation of(mlir::Value value) const { return values.lookup(value); }
  /// The variations of what `call`, an op of the region, passes.
  std::vector<Variation> ofOperands(mlir::Operation *op) const;

  llvm::ArrayRef<DataFlow> getFlows() const { return flows; }
  llvm::ArrayRef<mlir::func::CallOp> getCalls() const { return calls; }

private:
  void collect();
  void collectFlows(DataFlow op);
  void add(mlir::Value value, Variation more);
  void addAll(mlir::ValueRange results, Variation more);
  void follow(mlir::OpOperand &use, Variation variation);
  void followCall(mlir::func::CallOp call);
  /// The op of a data-flow region of this one in which `op` is, itself as a rule.
  mlir::Operation *inFlow(mlir::Operation *op) const;

  VaryingValues &all;
  mlir::Region &region;
  llvm::DenseMap<mlir::Value, Variation> values;
  llvm::SmallVector<mlir::Value> left;
  llvm::DenseMap<mlir::OpOperand *, llvm::SmallVector<mlir::Value, 3>> targets;
  std::vector<DataFlow> flows;
  std::vector<mlir::func::CallOp> calls;
};

/// The values of all manual computations on one mesh. A function that is called there is followed
/// once for each way in which its arguments vary.
class VaryingValues {
public:
  VaryingValues(mlir::ModuleOp module, const Mesh &mesh)
      : spans(mesh), symbols(module), mesh(mesh), sites(module),
        evaluator(sites, mesh.numDevices()) {}

  /// Returns what is known of the body of `op`, if nothing outside varies.
  std::unique_ptr<VaryingRegion> ofComputation(DataFlow op);
  /// Returns what is known of the function that `call` calls with arguments that vary so; null if
  /// it has no body here.
  const VaryingRegion *ofCallee(mlir::func::CallOp call, llvm::ArrayRef<Variation> arguments);

  /// Returns the axes that `sharding` cuts a value of `op` along, of those that are manual in it.
  AxisSet manualAxesOf(DataFlow op, unsigned flow) const;
  /// Returns the axes that are manual in `op`, but not around it.
  AxisSet ownAxesOf(DataFlow op) const;
  /// Returns how the results of `op` vary if its operands vary so.
  Variation after(mlir::Operation *op, Variation operands);
  /// Whether `value` is arithmetic on the number of the device, which can be worked out.
  bool isKnown(mlir::Value value) { return evaluator.evaluate(value); }

  GroupSpans spans;

private:
  mlir::SymbolTable symbols;
  const Mesh &mesh;
  CallSites sites;
  Evaluator evaluator;
  using Key = std::pair<mlir::Operation *, std::vector<std::pair<AxisSet, AxisSet>>>;
  std::map<Key, std::unique_ptr<VaryingRegion>> callees;
};

} // namespace spmd
