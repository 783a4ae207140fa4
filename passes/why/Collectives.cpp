#include "spmd/passes/why/Collectives.h"

#include "spmd/dialect/groups/Groups.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/NumPartitions.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/reshard/WireBytes.h"

#include <algorithm>

namespace spmd {

using namespace stablehlo;

int64_t bytesOf(mlir::TypeRange types) {
  int64_t bytes = 0;
  for (mlir::Type type : types)
    if (mlir::RankedTensorType tensor = tensorTypeOf(type); tensor && tensor.hasStaticShape())
      bytes = saturatingAdd(
          bytes, saturatingMultiply(tensor.getNumElements(),
                                    std::max(1, spmd::elementBits(tensor.getElementType()) / 8)));
  return bytes;
}

/// Also the exchange of ragged rows, which is a custom call.
static bool isCollective(mlir::Operation *op) {
  auto call = llvm::dyn_cast<CustomCallOp>(op);
  return op->hasTrait<stablehlo::Collective>() ||
         (call && call.getCallTargetName() == "ragged_all_to_all");
}

namespace {

class Search {
public:
  explicit Search(mlir::ModuleOp module) : module(module), numDevices(numDevicesIn(module)) {}

  std::vector<FoundCollective> run() {
    forEachRun(module, [&](mlir::Operation *op, const RunCount &runs) {
      if (!isCollective(op))
        return true;
      add(op, runs);
      return false;
    });
    return std::move(found);
  }

private:
  int64_t groupSizeOf(mlir::Operation *op) {
    mlir::Attribute groups = op->getAttr("replica_groups");
    if (!groups)
      return numDevices;
    auto [entry, isNew] = sizes.try_emplace(groups, 1);
    if (isNew)
      if (auto expanded = expandGroups(op, groups, numDevices, /*mustCover=*/false);
          mlir::succeeded(expanded))
        for (const std::vector<int64_t> &group : *expanded)
          entry->second = std::max<int64_t>(entry->second, group.size());
    return entry->second;
  }

  static bool sendsNothing(mlir::Operation *op) {
    auto permute = llvm::dyn_cast<CollectivePermuteOp>(op);
    if (!permute)
      return false;
    auto ids = llvm::to_vector(permute.getSourceTargetPairs().getValues<int64_t>());
    for (size_t i = 0; i + 1 < ids.size(); i += 2)
      if (ids[i] != ids[i + 1])
        return false;
    return true;
  }

  void add(mlir::Operation *op, const RunCount &runs) {
    FoundCollective one;
    one.op = op;
    auto call = llvm::dyn_cast<CustomCallOp>(op);
    one.kind = call ? call.getCallTargetName().str() : op->getName().stripDialect().str();
    one.runs = runs.count;
    one.hasUnknownTrips = runs.isAtLeast;
    one.groupSize = groupSizeOf(op);
    mlir::ValueRange operands = op->getOperands();
    one.operandBytes = bytesOf(call ? operands.take_front(1).getTypes() : operands.getTypes());
    one.resultBytes = bytesOf(op->getResultTypes());
    one.wireBytes =
        saturatingMultiply(one.runs, wireBytes(one.kind, one.operandBytes, one.resultBytes,
                                               one.groupSize, sendsNothing(op)));
    one.causes = causesOf(op->getLoc());
    found.push_back(std::move(one));
  }

  mlir::ModuleOp module;
  int64_t numDevices;
  llvm::DenseMap<mlir::Attribute, int64_t> sizes; ///< By groups.
  std::vector<FoundCollective> found;
};

} // namespace

std::vector<FoundCollective> findCollectives(mlir::ModuleOp module) { return Search(module).run(); }

int64_t wireBytesOf(const std::vector<FoundCollective> &collectives) {
  int64_t sum = 0;
  for (const FoundCollective &each : collectives)
    sum = saturatingAdd(sum, each.wireBytes);
  return sum;
}

} // namespace spmd
