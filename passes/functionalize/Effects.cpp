#include "spmd/passes/functionalize/Effects.h"

#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/passes/functionalize/Views.h"

namespace spmd {

bool hasBuffers(mlir::ModuleOp module) {
  auto isBufferType = [](mlir::Type type) { return llvm::isa<BufferType>(type); };
  return anyOp(module, [&](mlir::Operation *op) {
    bool found = llvm::any_of(op->getResultTypes(), isBufferType);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        found |= llvm::any_of(block.getArgumentTypes(), isBufferType);
    return found;
  });
}

//===- Effects -------------------------------------------------------------===//

BufferEffects::BufferEffects(mlir::ModuleOp module) {
  llvm::StringMap<mlir::func::FuncOp> byName;
  for (auto func : module.getOps<mlir::func::FuncOp>())
    if (!func.isExternal()) {
      byName[func.getSymName()] = func;
      written[func].resize(func.getNumArguments());
    }
  // Who is written if a callee's argument is: a function's argument number, or none of interest.
  struct Flow {
    mlir::func::FuncOp callee, caller;
    unsigned to, from;
  };
  std::vector<Flow> flows;
  auto argumentOf = [](mlir::Value shown) {
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(bufferOf(shown));
    bool isOfFunction =
        argument && llvm::isa<mlir::func::FuncOp>(argument.getOwner()->getParentOp());
    return isOfFunction ? argument : mlir::BlockArgument();
  };
  for (auto func : module.getOps<mlir::func::FuncOp>())
    func.walk([&](mlir::Operation *op) {
      if (auto store = llvm::dyn_cast<StoreOp>(op))
        if (mlir::BlockArgument argument = argumentOf(store.getBuffer()))
          written[func].set(argument.getArgNumber());
      if (customCallTarget(op))
        for (int64_t operand : operandsWritten(op).value_or(llvm::SmallVector<int64_t>()))
          if (mlir::BlockArgument argument = argumentOf(op->getOperand(operand)))
            written[func].set(argument.getArgNumber());
      auto call = llvm::dyn_cast<mlir::func::CallOp>(op);
      mlir::func::FuncOp callee = call ? byName.lookup(call.getCallee()) : nullptr;
      if (!callee)
        return;
      callees[call] = callee;
      called.insert(callee);
      for (mlir::OpOperand &operand : call->getOpOperands())
        if (isBuffer(operand.get()))
          if (mlir::BlockArgument argument = argumentOf(operand.get()))
            flows.push_back({callee, func, operand.getOperandNumber(), argument.getArgNumber()});
    });
  for (bool changed = true; changed;) { // As many rounds as calls nest.
    changed = false;
    for (const Flow &flow : llvm::reverse(flows))
      if (writes(flow.callee, flow.to) && !written[flow.caller].test(flow.from)) {
        written[flow.caller].set(flow.from);
        changed = true;
      }
  }
}

bool BufferEffects::writes(mlir::func::FuncOp func, unsigned index) const {
  auto found = written.find(func);
  return found != written.end() && found->second.test(index);
}

bool BufferEffects::writes(mlir::OpOperand &operand) const {
  mlir::Operation *op = operand.getOwner();
  if (llvm::isa<StoreOp>(op))
    return isBuffer(operand.get());
  if (isBuffer(operand.get()) && customCallTarget(op))
    return llvm::is_contained(operandsWritten(op).value_or(llvm::SmallVector<int64_t>()),
                              operand.getOperandNumber());
  auto call = llvm::dyn_cast<mlir::func::CallOp>(op);
  mlir::func::FuncOp callee = call ? calleeOf(call) : nullptr;
  return callee && isBuffer(operand.get()) && writes(callee, operand.getOperandNumber());
}

} // namespace spmd
