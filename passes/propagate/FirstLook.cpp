#include "spmd/passes/propagate/FirstLook.h"

#include "spmd/dialect/import/Shardings.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/spmd/Sizes.h"
#include "spmd/passes/legalize/Legalize.h"
#include "spmd/passes/propagate/UnreadShardings.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <array>

namespace spmd {

namespace {

class Looker {
public:
  mlir::FailureOr<FirstLook> run(mlir::ModuleOp module) {
    top = module;
    bareMarkerName = mlir::StringAttr::get(module.getContext(), bareMarkerAttrName);
    look(module, /*isInBody=*/false);
    unread.warn();
    for (mlir::Value value : tooLarge)
      reportTooLarge(value);
    if (!tooLarge.empty())
      return mlir::failure();
    return found;
  }

private:
  void look(mlir::Operation *op, bool isInBody) {
    bool hasAttributes = !op->getRawDictionaryAttrs().empty();
    if (hasAttributes || op->getNumRegions() > 0)
      unread.look(op);
    for (mlir::NamedAttribute attribute : op->getRawDictionaryAttrs())
      found.hasBareMarkers |= attribute.getName() == bareMarkerName;
    if (isInBody && (hasAttributes || llvm::isa_and_present<sdy::SdyDialect>(op->getDialect())))
      found.hasShardingsInBodies = true;
    for (mlir::Value result : op->getResults())
      checkSize(result);
    found.hasComposites |= legalize::isComposite(op);
    ++size.numOps;
    size.numOperands += op->getNumOperands();
    size.numResults += op->getNumResults();
    // Modules inside have functions that run nowhere: what custom calls compute.
    bool isFunction = llvm::isa<mlir::func::FuncOp>(op) && op->getParentOp() == top;
    if (isFunction)
      size = {};
    if (op->getNumRegions() > 0)
      lookInside(op, isInBody);
    if (isFunction)
      found.functions.push_back(size);
  }

  void lookInside(mlir::Operation *op, bool isInBody) {
    bool isComputation = llvm::isa<sdy::NamedComputationOp>(op);
    found.hasComputations |= isComputation;
    isInBody |= !isComputation && !llvm::isa<mlir::ModuleOp, mlir::func::FuncOp, DataFlow>(op);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region) {
        for (mlir::Value argument : block.getArguments())
          checkSize(argument);
        for (mlir::Operation &inner : block)
          look(&inner, isInBody);
      }
  }

  /// A program has few types, so one that is fine mostly was seen just before.
  void checkSize(mlir::Value value) {
    const void *type = value.getType().getAsOpaquePointer();
    const void *&known = fine[reinterpret_cast<uintptr_t>(type) / alignof(void *) % fine.size()];
    if (known == type)
      return;
    found.hasBuffers |= llvm::isa<BufferType>(value.getType());
    if (isTooLarge(value.getType()))
      tooLarge.push_back(value);
    else
      known = type;
  }

  mlir::ModuleOp top;
  FirstLook found;
  FirstLook::Size size; ///< Of the function at hand, so far.
  mlir::StringAttr bareMarkerName;
  UnreadShardings unread;
  std::vector<mlir::Value> tooLarge;
  std::array<const void *, 256> fine = {}; ///< Types, by where they lie.
};

} // namespace

FirstLook::Size FirstLook::total() const {
  Size all;
  for (const Size &size : functions) {
    all.numOps += size.numOps;
    all.numOperands += size.numOperands;
    all.numResults += size.numResults;
  }
  return all;
}

mlir::FailureOr<FirstLook> lookFirst(mlir::ModuleOp module) { return Looker().run(module); }

} // namespace spmd
