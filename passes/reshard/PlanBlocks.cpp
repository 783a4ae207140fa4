#include "spmd/passes/reshard/PlanBlocks.h"

namespace spmd {

/// The trip count of loops whose text does not say how often they run.
constexpr double unknownTripCount = 8;

void PlanBlocks::start(mlir::func::FuncOp newFunc, const Mesh &newMesh) {
  func = newFunc;
  mesh = &newMesh;
  tripCounts.clear();
  freeAxes.clear();
}

double PlanBlocks::tripCountOf(mlir::Block *block) {
  if (auto found = tripCounts.find(block); found != tripCounts.end())
    return found->second;
  double count = 1;
  if (mlir::Operation *parent = block->getParentOp(); parent != func && parent->getBlock()) {
    count = tripCountOf(parent->getBlock());
    if (auto flow = llvm::dyn_cast<DataFlow>(parent); flow && flow.isLoop())
      count *= std::max<double>(1, flow.getTripCount() ? static_cast<double>(*flow.getTripCount())
                                                       : unknownTripCount);
  }
  return tripCounts[block] = count;
}

const std::vector<int32_t> &PlanBlocks::axesIn(mlir::Block *block) {
  auto [entry, isNew] = freeAxes.try_emplace(block);
  if (isNew) {
    llvm::SmallVector<llvm::StringRef> manual = manualAxesInside(block->getParentOp());
    for (auto [a, axis] : llvm::enumerate(mesh->axes()))
      if (!llvm::is_contained(manual, llvm::StringRef(axis.name)))
        entry->second.push_back(static_cast<int32_t>(a));
  }
  return entry->second;
}

} // namespace spmd
