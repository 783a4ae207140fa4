#include "spmd/passes/refine/References.h"

#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/stablehlo/ProcessCalls.h"
#include "spmd/passes/refine/RefineShapes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace spmd {

static constexpr llvm::StringLiteral hiddenName = "spmd.references";
/// On a call of a reference function, its name in the program, and the types that its results must
/// have.
static constexpr llvm::StringLiteral wantedAttrName = "spmd.wanted";

static mlir::ModuleOp hiddenModuleOf(mlir::ModuleOp module) {
  return module.lookupSymbol<mlir::ModuleOp>(hiddenName);
}

mlir::ModuleOp makeReferencesModule(mlir::ModuleOp module) {
  mlir::ModuleOp hidden = hiddenModuleOf(module);
  if (!hidden) {
    hidden = mlir::ModuleOp::create(module.getLoc(), hiddenName);
    module.push_back(hidden);
  }
  return hidden;
}

//===- Out of the way ------------------------------------------------------===//

/// Calls `visit` for each function that `op` names as what something computes.
static void forEachReference(mlir::Operation *op,
                             llvm::function_ref<void(mlir::FlatSymbolRefAttr)> visit) {
  if (auto name = op->getAttrOfType<mlir::FlatSymbolRefAttr>(referenceAttrName))
    visit(name);
  if (mlir::Attribute rule = op->getAttr(customRuleAttrName))
    rule.walk([&](mlir::FlatSymbolRefAttr name) { visit(name); });
}

/// Whether `func` is for arguments of any shape.
static bool isOfAnyShape(mlir::func::FuncOp func) {
  return llvm::any_of(func.getArgumentTypes(), [](mlir::Type type) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  });
}

/// Reports that nobody defined what `op` computes by `attribute`.
static mlir::InFlightDiagnostic reportNoFunction(mlir::Operation *op, mlir::Attribute attribute) {
  bool isReference = attribute == op->getAttr(referenceAttrName);
  return op->emitOpError() << (isReference ? "has reference " : "rule merges by ") << attribute
                           << ", which is no function with a body; define it";
}

/// Whether `name` is a function with a body, of the program or of what is `hidden`, if anything is.
static bool isDefined(mlir::FlatSymbolRefAttr name, const mlir::SymbolTable &symbols,
                      const std::optional<mlir::SymbolTable> &hidden) {
  auto func = symbols.lookup<mlir::func::FuncOp>(name.getAttr());
  if (hidden && !func)
    func = hidden->lookup<mlir::func::FuncOp>(name.getAttr());
  return func && !func.isExternal();
}

/// Returns the functions of `module` that references name, or their calls do; nothing, after
/// diagnostics, where some reference is none.
static mlir::FailureOr<llvm::SetVector<mlir::func::FuncOp>>
referencesOf(mlir::ModuleOp module, const mlir::SymbolTable &symbols) {
  llvm::SetVector<mlir::func::FuncOp> found;
  bool areThere = true;
  std::optional<mlir::SymbolTable> hidden;
  if (auto out = symbols.lookup<mlir::ModuleOp>(hiddenName))
    hidden.emplace(out);
  auto add = [&](mlir::FlatSymbolRefAttr name) {
    auto func = symbols.lookup<mlir::func::FuncOp>(name.getAttr());
    if (func && func.getSymName() != "main" && func.isPrivate())
      found.insert(func);
  };
  forEachOp(module, [&](mlir::Operation *op) {
    forEachReference(op, [&](mlir::FlatSymbolRefAttr name) {
      if (!isDefined(name, symbols, hidden)) {
        areThere = false;
        reportNoFunction(op, name);
      }
      add(name);
    });
  });
  if (!areThere)
    return mlir::failure();
  llvm::SmallVector<mlir::func::FuncOp> ofAnyShape;
  for (auto func : module.getOps<mlir::func::FuncOp>())
    if (func.isPrivate() && !func.isExternal() && isOfAnyShape(func))
      ofAnyShape.push_back(func);
  if (!ofAnyShape.empty()) {
    llvm::DenseSet<mlir::StringAttr> named = namesOf(findCallers(module));
    for (mlir::func::FuncOp func : ofAnyShape) // A plan may name these later.
      if (!named.contains(func.getSymNameAttr()))
        found.insert(func);
  }
  for (size_t i = 0; i < found.size(); ++i) {
    mlir::func::FuncOp func = found[i];
    func.walk([&](mlir::func::CallOp call) { add(call.getCalleeAttr()); });
  }
  return found;
}

mlir::LogicalResult hideReferences(mlir::ModuleOp module) {
  mlir::SymbolTable symbols(module);
  mlir::FailureOr<llvm::SetVector<mlir::func::FuncOp>> found = referencesOf(module, symbols);
  if (mlir::failed(found))
    return mlir::failure();
  llvm::SetVector<mlir::func::FuncOp> references = *std::move(found);
  if (references.empty())
    return mlir::success();
  // What the program itself calls is part of it.
  for (auto func : module.getOps<mlir::func::FuncOp>())
    if (!references.contains(func))
      func.walk([&](mlir::func::CallOp call) {
        if (auto callee = symbols.lookup<mlir::func::FuncOp>(call.getCallee()))
          references.remove(callee);
      });
  if (references.empty())
    return mlir::success();
  mlir::ModuleOp hidden = makeReferencesModule(module);
  for (mlir::func::FuncOp func : references)
    func->moveBefore(hidden.getBody(), hidden.getBody()->end());
  return mlir::success();
}

void showReferences(mlir::ModuleOp module) {
  mlir::ModuleOp hidden = hiddenModuleOf(module);
  if (!hidden)
    return;
  for (mlir::Operation &op : llvm::make_early_inc_range(*hidden.getBody()))
    op.moveBefore(hidden);
  hidden.erase();
}

void dropUnusedReferences(mlir::ModuleOp module) {
  mlir::ModuleOp hidden = hiddenModuleOf(module);
  if (!hidden)
    return;
  mlir::SymbolTable symbols(hidden);
  llvm::SetVector<mlir::func::FuncOp> used;
  auto add = [&](mlir::FlatSymbolRefAttr name) {
    if (auto func = symbols.lookup<mlir::func::FuncOp>(name.getAttr()))
      used.insert(func);
  };
  for (auto func : module.getOps<mlir::func::FuncOp>())
    func.walk([&](mlir::Operation *op) { forEachReference(op, add); });
  for (size_t i = 0; i < used.size(); ++i) {
    mlir::func::FuncOp func = used[i];
    func.walk([&](mlir::Operation *op) {
      forEachReference(op, add);
      if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
        add(call.getCalleeAttr());
    });
  }
  for (auto func : llvm::make_early_inc_range(hidden.getOps<mlir::func::FuncOp>()))
    if (!used.contains(func))
      func.erase();
  if (hidden.getBody()->empty())
    hidden.erase();
}

//===- In the place of calls -----------------------------------------------===//

/// Whether a value of `type` can be given where `declared` stands.
static bool isInstance(mlir::Type type, mlir::Type declared) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type),
       form = llvm::dyn_cast<mlir::RankedTensorType>(declared);
  return type == declared || (tensor && form && tensor.getElementType() == form.getElementType() &&
                              mlir::succeeded(mlir::verifyCompatibleShape(tensor, form)));
}

static mlir::LogicalResult replaceByReference(mlir::Operation *op, mlir::func::FuncOp func) {
  mlir::FunctionType type = func.getFunctionType();
  if (type.getNumInputs() != op->getNumOperands() || type.getNumResults() != op->getNumResults())
    return op->emitOpError() << "has " << op->getNumOperands() << " operands and "
                             << op->getNumResults() << " results, its reference @"
                             << func.getSymName() << " " << type.getNumInputs() << " and "
                             << type.getNumResults();
  for (auto [i, operand] : llvm::enumerate(op->getOperandTypes()))
    if (!isInstance(operand, type.getInput(i)))
      return op->emitOpError() << "has operand " << i << " of " << operand << ", its reference @"
                               << func.getSymName() << " takes " << type.getInput(i)
                               << "; give its argument dynamic dims";
  for (auto [i, result] : llvm::enumerate(op->getResultTypes()))
    if (!isInstance(result, type.getResult(i)))
      return op->emitOpError() << "has result " << i << " of " << result << ", its reference @"
                               << func.getSymName() << " gives " << type.getResult(i)
                               << "; give it the element type and the dims of the call";
  mlir::OpBuilder builder(op);
  auto call = mlir::func::CallOp::create(builder, op->getLoc(), func.getSymName(),
                                         type.getResults(), op->getOperands());
  call->setAttr(wantedAttrName,
                builder.getArrayAttr({mlir::FlatSymbolRefAttr::get(func),
                                      builder.getTypeArrayAttr(op->getResultTypes())}));
  op->replaceAllUsesWith(call->getResults());
  op->erase();
  return mlir::success();
}

/// Compares what references compute, as far as it is known, with what is wanted of them.
static mlir::LogicalResult checkResults(mlir::ModuleOp module) {
  mlir::LogicalResult result = mlir::success();
  module.walk([&](mlir::func::CallOp call) {
    auto wanted = llvm::dyn_cast_or_null<mlir::ArrayAttr>(call->removeAttr(wantedAttrName));
    if (!wanted)
      return;
    auto types = llvm::cast<mlir::ArrayAttr>(wanted[1]).getAsValueRange<mlir::TypeAttr>();
    for (auto [i, type] : llvm::enumerate(types))
      if (mlir::Type given = call.getResultTypes()[i]; !isInstance(type, given))
        result = mlir::emitError(call.getLoc())
                 << "reference " << wanted[0] << " gives " << given << " as result " << i
                 << ", where the call has " << type
                 << "; mend the reference, or the rule that splits the call";
  });
  return result;
}

mlir::LogicalResult refineReferences(mlir::ModuleOp module) {
  std::vector<mlir::Diagnostic> held;
  bool isRefined;
  {
    mlir::ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
      held.push_back(std::move(diagnostic));
    });
    isRefined = mlir::succeeded(refineShapes(module));
  }
  // Results of a wrong type are wrong for those who use them, too, which is not worth a word then.
  bool areWanted = mlir::succeeded(checkResults(module));
  if (areWanted)
    for (mlir::Diagnostic &diagnostic : held) {
      if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
        diagnostic.attachNote() << "a reference is called on what the rule of its call gives each "
                                   "device; --spmd-check-rules finds rules that are false";
      module.getContext()->getDiagEngine().emit(std::move(diagnostic));
    }
  return mlir::success(isRefined && areWanted);
}

mlir::LogicalResult callReferences(mlir::ModuleOp module,
                                   llvm::function_ref<bool(mlir::Operation *)> which) {
  llvm::SmallVector<mlir::Operation *> found;
  module.walk([&](mlir::Operation *op) {
    if (op->hasAttr(referenceAttrName) && which(op))
      found.push_back(op);
  });
  if (found.empty())
    return mlir::success();
  mlir::SymbolTable symbols(module);
  for (mlir::Operation *op : found) {
    auto name = llvm::dyn_cast<mlir::FlatSymbolRefAttr>(op->getAttr(referenceAttrName));
    auto func = name ? symbols.lookup<mlir::func::FuncOp>(name.getAttr()) : nullptr;
    if (!func || func.isExternal())
      return reportNoFunction(op, op->getAttr(referenceAttrName));
    if (func->isAncestor(op))
      return op->emitOpError() << "is in its own reference " << name
                               << "; name a function that does without the call";
    if (mlir::failed(replaceByReference(op, func)))
      return mlir::failure();
  }
  return mlir::success();
}

static bool hasReference(mlir::Operation *op) { return op->hasAttr(referenceAttrName); }

/// Whether nobody but the reference of `op` can compute it.
static bool isItsReference(mlir::Operation *op) {
  return op->hasAttr(mergeAttrName) ||
         (hasReference(op) && stablehlo::processCallOf(op) != stablehlo::ProcessCall::none);
}

mlir::LogicalResult inlineReferences(mlir::ModuleOp module) {
  if (!anyOp(module, hasReference))
    return mlir::success();
  dropUnusedReferences(module);
  showReferences(module);
  return mlir::success(
      mlir::succeeded(callReferences(module, [](mlir::Operation *) { return true; })) &&
      mlir::succeeded(refineReferences(module)));
}

mlir::LogicalResult inlineOwnReferences(mlir::ModuleOp module) {
  if (!anyOp(module, isItsReference))
    return mlir::success();
  showReferences(module);
  // What others still name is out of the way again; functions that nobody calls go.
  if (mlir::failed(callReferences(module, isItsReference)))
    return mlir::failure();
  return mlir::success(mlir::succeeded(hideReferences(module)) &&
                       mlir::succeeded(refineReferences(module)));
}

} // namespace spmd
