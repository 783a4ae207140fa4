// The pass `spmd-resolve-callbacks`: what a program calls in the process that traced it is dropped
// where it only prints, and refused where the program needs it.
//
// Goes backwards, so that a callback of which only a dropped one used the results is dropped, too.

#include "spmd/passes/Passes.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/dialect/stablehlo/ProcessCalls.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

#define GEN_PASS_DEF_RESOLVECALLBACKSPASS
#include "spmd/passes/Passes.h.inc"

using stablehlo::ProcessCall;

/// Returns `'stablehlo.custom_call' op @target`, or the name of a transfer.
static std::string nameOf(mlir::Operation *op) {
  std::string name = ("'" + op->getName().getStringRef() + "' op").str();
  if (auto call = llvm::dyn_cast<stablehlo::CustomCallOp>(op))
    name += " @" + call.getCallTargetName().str();
  return name;
}

/// Returns the type of a reference of `op`: `(tensor<?xf32>) -> tensor<?xf32>`.
static std::string typeOfReference(mlir::Operation *op) {
  auto ofAnySize = [](mlir::TypeRange types) {
    llvm::SmallVector<mlir::Type> result;
    for (mlir::Type type : types)
      if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type))
        result.push_back(
            tensor.clone(llvm::SmallVector<int64_t>(tensor.getRank(), mlir::ShapedType::kDynamic)));
      else
        result.push_back(type);
    return result;
  };
  std::string text;
  llvm::raw_string_ostream(text) << mlir::FunctionType::get(
      op->getContext(), ofAnySize(op->getOperandTypes()), ofAnySize(op->getResultTypes()));
  return text;
}

/// Reports that nobody can run `op`, and what to write so that somebody can.
static void refuse(mlir::Operation *op) {
  bool isPartitioning = stablehlo::processCallOf(op) == ProcessCall::partitioning;
  mlir::InFlightDiagnostic error =
      mlir::emitError(op->getLoc())
      << nameOf(op)
      << (isPartitioning ? " is a function of JAX's custom_partitioning"
                         : " computes what the program uses")
      << ", in the process that traced the program, which is not here; ";
  auto call = llvm::dyn_cast<stablehlo::CustomCallOp>(op);
  if (!call) {
    error << "take the callback out of the program";
    return;
  }
  error
      << "define a function that computes the same, and name it in a plan: rule { target: \""
      << call.getCallTargetName()
      << "\" reference: \"f\" reference_file: \"f.mlir\" }, or as spmd.reference = @f on the call";
  error.attachNote(op->getLoc()) << "@f may have any name, and this type, for parts of any size: "
                                 << typeOfReference(op);
}

/// Erases `op`, whose results but tokens nobody uses, and what is computed for it alone.
static void drop(mlir::Operation *op) {
  mlir::Value token;
  for (mlir::Value operand : op->getOperands())
    if (llvm::isa<stablehlo::TokenType>(operand.getType()))
      token = operand;
  for (mlir::OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    mlir::OpBuilder builder(op);
    if (!token)
      token = stablehlo::AfterAllOp::create(builder, op->getLoc(), result.getType(),
                                            mlir::ValueRange());
    result.replaceAllUsesWith(token);
  }
  llvm::SmallVector<mlir::Operation *> unused = {op};
  while (!unused.empty()) {
    mlir::Operation *next = unused.pop_back_val();
    llvm::SmallVector<mlir::Value> operands(next->getOperands());
    next->erase();
    for (mlir::Value operand : operands)
      if (mlir::Operation *maker = operand.getDefiningOp();
          maker && stablehlo::processCallOf(maker) == ProcessCall::none &&
          mlir::isOpTriviallyDead(maker) && !llvm::is_contained(unused, maker))
        unused.push_back(maker);
  }
}

/// Removes the sharding of `op` if it names one device: JAX has the callback run there alone. The
/// reference that takes its place runs on any.
static void dropDevice(mlir::Operation *op, mlir::ModuleOp module) {
  auto shardings = op->getAttrOfType<sdy::ShardingPerValueAttr>(sdy::shardingName);
  auto isOneDevice = [&](sdy::ShardingAttr sharding) {
    auto mesh = llvm::dyn_cast<sdy::MeshAttr>(sharding.getMeshOrRef());
    if (auto name = llvm::dyn_cast<mlir::FlatSymbolRefAttr>(sharding.getMeshOrRef()))
      if (auto named = module.lookupSymbol<sdy::MeshOp>(name.getAttr()))
        mesh = named.getMesh();
    return mesh && mesh.getMesh().isMaximal();
  };
  if (shardings && llvm::all_of(shardings.getShardings(), isOneDevice))
    op->removeAttr(sdy::shardingName);
}

namespace {

struct ResolveCallbacksPass : impl::ResolveCallbacksPassBase<ResolveCallbacksPass> {
  using ResolveCallbacksPassBase::ResolveCallbacksPassBase;

  void runOnOperation() override {
    llvm::SmallVector<mlir::Operation *> found;
    getOperation().walk([&](mlir::Operation *op) {
      if (stablehlo::processCallOf(op) == ProcessCall::none)
        return;
      if (op->hasAttr(referenceAttrName))
        dropDevice(op, getOperation());
      else
        found.push_back(op);
    });
    if (found.empty() || callbacks == Callbacks::ignore)
      return markAllAnalysesPreserved();
    // What is dropped is known behind the walk, and told in the order of the program.
    llvm::SmallVector<mlir::Operation *> left;
    llvm::SmallVector<std::pair<mlir::Location, std::string>> dropped;
    for (mlir::Operation *op : llvm::reverse(found)) {
      if (callbacks != Callbacks::drop || !stablehlo::onlyPrints(op)) {
        left.push_back(op);
        continue;
      }
      dropped.emplace_back(op->getLoc(), nameOf(op));
      drop(op);
    }
    for (auto &[location, name] : llvm::reverse(dropped))
      mlir::emitRemark(location) << name
                                 << " only prints, in the process that traced the program; it is "
                                    "dropped";
    for (mlir::Operation *op : llvm::reverse(left))
      report(op);
  }

private:
  void report(mlir::Operation *op) {
    bool isPartitioning = stablehlo::processCallOf(op) == ProcessCall::partitioning;
    if (callbacks == Callbacks::keep && !isPartitioning) {
      mlir::emitRemark(op->getLoc())
          << nameOf(op) << (stablehlo::onlyPrints(op) ? " only prints" : " computes")
          << ", in the process that traced the program; it is kept for a runtime that has this "
             "process; callbacks=drop leaves out what only prints";
      return;
    }
    signalPassFailure();
    if (!stablehlo::onlyPrints(op))
      return refuse(op);
    mlir::emitError(op->getLoc()) << nameOf(op)
                                  << " only prints, in the process that traced the program, which "
                                     "is not here; set callbacks=drop to leave it out";
  }
};

} // namespace
} // namespace spmd
