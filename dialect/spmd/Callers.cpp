#include "spmd/dialect/spmd/Callers.h"

#include "spmd/dialect/spmd/ByName.h"
#include "spmd/dialect/spmd/Walk.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

/// Adds the names of symbols in an attribute: of itself, or in lists and dictionaries, as the
/// configurations of custom calls are.
static void addSymbols(mlir::Attribute attribute, llvm::DenseSet<mlir::StringAttr> &names) {
  if (auto symbol = llvm::dyn_cast_if_present<mlir::SymbolRefAttr>(attribute))
    names.insert(symbol.getRootReference());
  else if (auto list = llvm::dyn_cast_if_present<mlir::ArrayAttr>(attribute))
    for (mlir::Attribute each : list)
      addSymbols(each, names);
  else if (auto entries = llvm::dyn_cast_if_present<mlir::DictionaryAttr>(attribute))
    for (mlir::NamedAttribute each : entries)
      addSymbols(each.getValue(), names);
}

/// What is pure by its kind calls nothing, unless it says that it uses symbols.
static bool mayNameFunctions(mlir::Operation *op) {
  return !op->hasTrait<mlir::OpTrait::AlwaysSpeculatableImplTrait>() ||
         llvm::isa<mlir::SymbolUserOpInterface>(op);
}

Callers findCallers(mlir::Operation *root) {
  Callers found;
  ByName<bool> mayName;
  llvm::DenseSet<mlir::Attribute> seen; // Most ops say what others say.
  forEachOp(root, [&](mlir::Operation *op) {
    if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op)) {
      found.calls.push_back(call);
      return;
    }
    if (mayName.of(op, mayNameFunctions))
      for (mlir::StringAttr name : op->getName().getAttributeNames())
        addSymbols(op->getInherentAttr(name).value_or(mlir::Attribute()), found.namedByOthers);
    if (!seen.insert(op->getRawDictionaryAttrs()).second)
      return;
    for (mlir::NamedAttribute attribute : op->getDiscardableAttrs())
      addSymbols(attribute.getValue(), found.namedByOthers);
  });
  return found;
}

mlir::func::FuncOp functionNamed(mlir::Operation *op, llvm::StringRef name) {
  mlir::ModuleOp program;
  for (; op; op = op->getParentOp())
    if (auto module = llvm::dyn_cast<mlir::ModuleOp>(op))
      program = module;
  if (!program)
    return nullptr;
  if (auto func = program.lookupSymbol<mlir::func::FuncOp>(name))
    return func;
  for (auto inner : program.getOps<mlir::ModuleOp>())
    if (auto func = inner.lookupSymbol<mlir::func::FuncOp>(name))
      return func;
  return nullptr;
}

llvm::DenseSet<mlir::StringAttr> namesOf(const Callers &callers) {
  llvm::DenseSet<mlir::StringAttr> names = callers.namedByOthers;
  for (mlir::func::CallOp call : callers.calls)
    names.insert(call.getCalleeAttr().getAttr());
  return names;
}

mlir::func::FuncOp OnlyCallees::of(mlir::func::CallOp call) {
  if (!functions) {
    functions.emplace();
    for (auto func : module.getOps<mlir::func::FuncOp>())
      (*functions)[func.getSymNameAttr()].func = func;
    Callers callers = findCallers(module);
    for (mlir::func::CallOp each : callers.calls)
      ++(*functions)[each.getCalleeAttr().getAttr()].times;
    for (mlir::StringAttr name : callers.namedByOthers)
      ++(*functions)[name].times;
  }
  auto [callee, times] = functions->lookup(call.getCalleeAttr().getAttr());
  return callee && callee.isPrivate() && llvm::hasSingleElement(callee.getBlocks()) && times == 1
             ? callee
             : nullptr;
}

mlir::OpOperand *UseFollower::useOf(mlir::Value value, llvm::SmallVectorImpl<mlir::Value> &passed) {
  while (value.hasOneUse()) {
    mlir::OpOperand &use = *value.use_begin();
    auto call = llvm::dyn_cast<mlir::func::CallOp>(use.getOwner());
    if (mlir::func::FuncOp callee = call ? callees.of(call) : nullptr) {
      calls.push_back(call);
      value = callee.getArgument(use.getOperandNumber());
    } else if (llvm::isa<mlir::func::ReturnOp>(use.getOwner()) && isInside()) {
      value = calls.pop_back_val().getResult(use.getOperandNumber());
    } else {
      return &use;
    }
    passed.push_back(value);
  }
  return nullptr;
}

} // namespace spmd
