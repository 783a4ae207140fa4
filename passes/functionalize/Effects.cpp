#include "spmd/passes/functionalize/Effects.h"

#include "spmd/passes/functionalize/Views.h"

namespace spmd {

bool hasBuffers(mlir::ModuleOp module) {
  auto isBufferType = [](mlir::Type type) { return llvm::isa<BufferType>(type); };
  return module
      .walk([&](mlir::Operation *op) {
        bool found = llvm::any_of(op->getResultTypes(), isBufferType);
        for (mlir::Region &region : op->getRegions())
          for (mlir::Block &block : region)
            found |= llvm::any_of(block.getArgumentTypes(), isBufferType);
        return found ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
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

//===- Checks --------------------------------------------------------------===//

namespace {

class BufferChecker {
public:
  BufferChecker(mlir::ModuleOp module, const BufferEffects &effects)
      : module(module), effects(effects) {}

  mlir::LogicalResult run() {
    module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      checkRegions(op);
      checkResults(op);
      for (mlir::OpOperand &operand : op->getOpOperands())
        if (isBuffer(operand.get()))
          checkUse(op, operand);
      if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
        checkAliases(call);
    });
    return mlir::failure(failed);
  }

private:
  mlir::InFlightDiagnostic report(mlir::Operation *op) {
    failed = true;
    return op->emitOpError();
  }

  /// Only functions take buffers into a region.
  void checkRegions(mlir::Operation *op) {
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        if (!(llvm::isa<mlir::func::FuncOp>(op) && block.isEntryBlock()))
          for (mlir::BlockArgument argument : block.getArguments())
            if (isBuffer(argument))
              report(op) << "takes a buffer as argument " << argument.getArgNumber()
                         << " of a block; only functions take buffers";
  }

  void checkResults(mlir::Operation *op) {
    if (llvm::isa<AllocOp, mlir::ViewLikeOpInterface>(op))
      return;
    for (mlir::OpResult result : op->getResults())
      if (isBuffer(result))
        report(op) << "gives a buffer as result " << result.getResultNumber()
                   << "; only 'spmd.alloc' and views do";
  }

  void checkUse(mlir::Operation *op, mlir::OpOperand &operand) {
    if (llvm::isa<LoadOp>(op) || llvm::isa<mlir::ViewLikeOpInterface>(op))
      return checkBlock(op, operand.get(), "reads", /*mayBeInside=*/true);
    if (llvm::isa<StoreOp>(op))
      return checkBlock(op, operand.get(), "writes", /*mayBeInside=*/false);
    if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op)) {
      if (effects.calleeOf(call))
        return checkBlock(op, operand.get(), "passes on", /*mayBeInside=*/false);
      report(op) << "passes a buffer as operand " << operand.getOperandNumber() << " to @"
                 << call.getCallee() << ", which has no body";
      return;
    }
    if (op->hasTrait<mlir::OpTrait::ReturnLike>())
      report(op) << "returns a buffer as operand " << operand.getOperandNumber()
                 << "; return what it holds";
    else
      report(op) << "takes a buffer as operand " << operand.getOperandNumber()
                 << "; only loads, stores, views and calls do";
  }

  /// Buffers are followed along one block: the one that they are made in.
  void checkBlock(mlir::Operation *op, mlir::Value shown, llvm::StringRef action,
                  bool mayBeInside) {
    mlir::Value buffer = bufferOf(shown);
    mlir::Block *home = buffer.getParentBlock();
    mlir::Operation *place = home->findAncestorOpInBlock(*op);
    if (place == op || (place && mayBeInside))
      return;
    mlir::InFlightDiagnostic diagnostic = report(op) << action << " a buffer ";
    if (place)
      diagnostic << "from inside '" << place->getName()
                 << "'; only what runs once in its block may";
    else
      diagnostic << "from another block than its own";
    diagnostic.attachNote(buffer.getLoc()) << "the buffer is made here";
  }

  void checkAliases(mlir::func::CallOp call) {
    mlir::func::FuncOp callee = effects.calleeOf(call);
    if (!callee)
      return;
    struct Seen {
      unsigned operand;
      bool isWritten;
    };
    llvm::SmallDenseMap<mlir::Value, Seen> seen;
    for (mlir::OpOperand &operand : call->getOpOperands()) {
      if (!isBuffer(operand.get()))
        continue;
      unsigned index = operand.getOperandNumber();
      bool isWritten = effects.writes(callee, index);
      auto [other, isNew] = seen.try_emplace(bufferOf(operand.get()), Seen{index, isWritten});
      if (isNew || !(isWritten || other->second.isWritten))
        continue;
      mlir::InFlightDiagnostic diagnostic =
          report(call) << "passes one buffer as operands " << other->second.operand << " and "
                       << index << ", and @" << callee.getSymName() << " writes it";
      diagnostic.attachNote(callee.getLoc()) << "arguments of a function are different memory";
    }
  }

  mlir::ModuleOp module;
  const BufferEffects &effects;
  bool failed = false;
};

} // namespace

mlir::LogicalResult checkBuffers(mlir::ModuleOp module, const BufferEffects &effects) {
  return BufferChecker(module, effects).run();
}

} // namespace spmd
