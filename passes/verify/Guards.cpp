#include "spmd/passes/verify/Guards.h"

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/verify/Varying.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// What decides how a branch or a loop goes; null if nothing does.
mlir::Value decisionOf(DataFlow flow) {
  if (auto loop = llvm::dyn_cast<WhileOp>(flow.getOperation()))
    return loop.getCond().front().getTerminator()->getOperand(0);
  return flow.getDecision();
}

class Guards {
public:
  Guards(mlir::ModuleOp module, const Mesh &mesh)
      : symbols(module), mesh(mesh), values(module, mesh) {}

  void check(DataFlow computation) { check(*values.ofComputation(computation)); }

private:
  void check(const VaryingRegion &found) {
    for (DataFlow flow : found.getFlows())
      if (mlir::Value decision = decisionOf(flow))
        checkGuard(flow, decision, found.of(decision));
    for (mlir::func::CallOp call : found.getCalls()) {
      const VaryingRegion *callee = values.ofCallee(call, found.ofOperands(call));
      if (callee && seen.insert(callee).second)
        check(*callee);
    }
  }

  void checkGuard(DataFlow guard, mlir::Value decision, Variation variation) {
    // How often a loop turns may be the same although what it counts is not.
    if (llvm::isa<WhileOp>(guard))
      variation.place = 0;
    if (!variation.any() || reported.contains(guard) || values.isKnown(decision))
      return;
    llvm::DenseSet<mlir::Operation *> entered;
    for (mlir::Region &region : guard->getRegions())
      if (mlir::Operation *op = findJoining(region, variation, entered))
        return report(guard, decision, op, joined(op, variation));
  }

  /// The axes along which devices that `op` joins may differ in what varies so.
  AxisSet joined(mlir::Operation *op, Variation variation) {
    const GroupSpan *span = values.spans.of(op);
    return span ? (variation.data & span->some) | (variation.place & span->whole) : 0;
  }

  /// Returns the first collective in `region`, or in what it calls, that joins devices which may
  /// differ; null if there is none.
  mlir::Operation *findJoining(mlir::Region &region, Variation variation,
                               llvm::DenseSet<mlir::Operation *> &entered) {
    mlir::Operation *found = nullptr;
    region.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      if (op->hasTrait<Collective>() && joined(op, variation)) {
        found = op;
      } else if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op)) {
        auto callee = symbols.lookup<mlir::func::FuncOp>(call.getCallee());
        if (callee && !callee.isExternal() && entered.insert(callee).second)
          found = findJoining(callee.getBody(), variation, entered);
      }
      return found ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
    });
    return found;
  }

  void report(DataFlow guard, mlir::Value decision, mlir::Operation *op, AxisSet axes) {
    reported.insert(guard);
    std::string names;
    for (auto [i, axis] : llvm::enumerate(mesh.axes()))
      if (axes >> i & 1)
        names += (names.empty() ? "" : ", ") + quoted(axis.name);
    mlir::InFlightDiagnostic warning =
        op->emitWarning() << "'" << op->getName() << "' op joins devices along " << names
                          << ", along which what decides "
                          << (guard.isLoop() ? "how often a loop around it turns"
                                             : "which branch around it is taken")
                          << " may differ; those that get here would wait for ever for those that "
                             "do not: decide by a value that is the same along "
                          << names << ", such as an all_reduce of it";
    warning.attachNote(decision.getLoc())
        << "'" << guard->getName() << "' decides by " << describeValue(decision);
  }

  mlir::SymbolTable symbols;
  const Mesh &mesh;
  VaryingValues values;
  llvm::DenseSet<const VaryingRegion *> seen;
  llvm::DenseSet<mlir::Operation *> reported;
};

/// Whether `computation` has a branch or a loop around a collective, or calls, where they may be.
bool mayGuard(DataFlow computation) {
  bool found = false;
  computation->walk([&](mlir::Operation *op) {
    found |= llvm::isa<mlir::func::CallOp>(op);
    if (op->hasTrait<Collective>())
      for (mlir::Operation *at = op->getParentOp(); at != computation && !found;
           at = at->getParentOp())
        if (auto flow = llvm::dyn_cast<DataFlow>(at))
          found = static_cast<bool>(decisionOf(flow));
    return found ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found;
}

/// Returns the mesh of the axes that `computation` makes manual, or null if it makes none or the
/// mesh is too large to look at each device.
const Mesh *meshOf(DataFlow computation) {
  if (computation.getOwnManualAxes().getAxes().empty())
    return nullptr;
  ValueSharding some = computation.getFlowSharding(0);
  const Mesh *mesh = some ? sdy::lookupMesh(computation, some.attr) : nullptr;
  bool isSmall = mesh && mesh->axes().size() <= GroupSpans::maxAxes &&
                 mesh->numDevices() <= GroupSpans::maxDevices;
  return isSmall ? mesh : nullptr;
}

} // namespace

bool isOutermostManual(mlir::Operation *op) {
  if (op->getNumRegions() != 1)
    return false;
  auto flow = llvm::dyn_cast<DataFlow>(op);
  return flow && flow.getOwnManualAxes() && manualAxesInside(op->getParentOp()).empty();
}

void warnOfGuards(mlir::ModuleOp module, llvm::ArrayRef<DataFlow> computations) {
  std::vector<std::pair<const Mesh *, std::unique_ptr<Guards>>> byMesh;
  for (DataFlow computation : computations) {
    const Mesh *mesh = mayGuard(computation) ? meshOf(computation) : nullptr;
    if (!mesh)
      continue;
    auto known = llvm::find_if(byMesh, [&](const auto &entry) { return *entry.first == *mesh; });
    if (known == byMesh.end())
      known = byMesh.insert(known, {mesh, std::make_unique<Guards>(module, *mesh)});
    known->second->check(computation);
  }
}

} // namespace spmd
