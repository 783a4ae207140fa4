#include "spmd/dialect/stablehlo/ProcessCalls.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd::stablehlo {

/// Whether `target` is one of XLA's for callbacks: `xla_python_cpu_callback` and its like for other
/// devices, with or without `ffi` and `partitioned`; or one that shows shardings to Python.
static bool isCallback(llvm::StringRef target) {
  bool isOfProcess = target.contains("python") || target.contains("host");
  return target == "InspectSharding" || (isOfProcess && target.ends_with("callback"));
}

ProcessCall processCallOf(mlir::Operation *op) {
  if (auto call = llvm::dyn_cast<CustomCallOp>(op)) {
    if (call.getCallTargetName() == "CustomSPMDPartitioning")
      return ProcessCall::partitioning;
    return isCallback(call.getCallTargetName()) ? ProcessCall::callback : ProcessCall::none;
  }
  auto send = llvm::dyn_cast<SendOp>(op);
  auto receive = llvm::dyn_cast<RecvOp>(op);
  bool isTransfer = (send && send.getIsHostTransfer()) || (receive && receive.getIsHostTransfer());
  return isTransfer ? ProcessCall::callback : ProcessCall::none;
}

bool onlyPrints(mlir::Operation *op) {
  return processCallOf(op) == ProcessCall::callback &&
         llvm::all_of(op->getResults(), [](mlir::OpResult result) {
           return result.use_empty() || llvm::isa<TokenType>(result.getType());
         });
}

} // namespace spmd::stablehlo
