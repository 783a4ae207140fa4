#include "spmd/passes/explain/StopTexts.h"

#include "spmd/dialect/spmd/DataFlow.h"

#include "mlir/Interfaces/CallInterfaces.h"

namespace spmd {

const char *obstacleName(StepObstacle obstacle) {
  switch (obstacle) {
  case StepObstacle::none:
    return "meshes";
  case StepObstacle::closed:
    return "closed";
  case StepObstacle::blocked:
    return "barrier";
  case StepObstacle::differs:
    return "differs";
  case StepObstacle::part:
    return "part";
  case StepObstacle::behind:
    return "behind";
  case StepObstacle::used:
    return "used";
  case StepObstacle::reserved:
    return "reserved";
  case StepObstacle::uneven:
    return "uneven";
  case StepObstacle::few:
    return "few";
  }
  return "";
}

const char *factorText(FactorKind kind) {
  switch (kind) {
  case FactorKind::pass:
    return "kept";
  case FactorKind::reduce:
    return "reduced over";
  case FactorKind::window:
    return "with a halo";
  case FactorKind::index:
    return "addressed by indices";
  case FactorKind::scan:
  case FactorKind::fold:
    return "running along it";
  case FactorKind::sort:
    return "sorted along it";
  case FactorKind::transpose:
    return "transformed along it";
  case FactorKind::whole:
    return "needed whole";
  }
  return "";
}

const char *blockedText(FactorKind kind) {
  switch (kind) {
  case FactorKind::pass:
    return "it";
  case FactorKind::window:
    return "along a window of which a device would hold little";
  case FactorKind::sort:
    return "along a sorted dim that is too short to be sorted in parts";
  case FactorKind::transpose:
    return "along this transformed dim";
  case FactorKind::whole:
    return "along a dim that is needed whole";
  default:
    return "along this dim";
  }
}

std::vector<mlir::Operation *> opsWithoutRule(Places &places, llvm::ArrayRef<int32_t> values,
                                              size_t most) {
  StrategyCache strategies;
  std::vector<mlir::Operation *> found;
  llvm::DenseSet<mlir::Operation *> seen;
  auto look = [&](mlir::Operation *op) {
    if (!op || found.size() == most || !seen.insert(op).second ||
        op->hasTrait<mlir::OpTrait::IsTerminator>() ||
        llvm::isa<mlir::CallOpInterface, DataFlow, LoadOp, StoreOp>(op) || strategies.lookup(op))
      return;
    if (auto partitionable = llvm::dyn_cast<Partitionable>(op);
        partitionable && op->getNumOperands() == 1 && partitionable.getGroup())
      return;
    found.push_back(op);
  };
  for (int32_t v : values) {
    mlir::Value value = places.tensorOf(v).value;
    if (!value)
      continue;
    look(value.getDefiningOp());
    for (mlir::Operation *user : value.getUsers())
      look(user);
  }
  return found;
}

} // namespace spmd
