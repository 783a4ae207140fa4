// Functions of `chlo` in the clothes of custom calls, as programs carry them that must not name the
// dialect: @mhlo.erf is chlo.erf, @mhlo.topk is chlo.top_k.

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/legalize/Legalize.h"

#include "llvm/ADT/StringSet.h"

namespace spmd::legalize {

/// Attributes that stand for those of the op, and its version.
static constexpr llvm::StringLiteral attributesName = "mhlo.attributes";
static constexpr llvm::StringLiteral versionName = "mhlo.version";

/// Returns the name of the op of `chlo` that `target` stands for, with as many operands; empty if
/// it is none.
static std::string functionOf(llvm::StringRef target, unsigned numOperands) {
  static const llvm::StringSet<> ofOne = {
      "acos",    "acosh", "asin", "asinh",   "atan",   "atanh", "bessel_i1e", "cosh",
      "digamma", "erf",   "erfc", "erf_inv", "lgamma", "sinh",  "square",     "tan"};
  static const llvm::StringSet<> ofTwo = {"next_after", "polygamma", "zeta"};
  if (!target.consume_front("mhlo."))
    return "";
  if ((numOperands == 1 && ofOne.contains(target)) || (numOperands == 2 && ofTwo.contains(target)))
    return ("chlo." + target).str();
  return target == "topk" && numOperands == 1 ? "chlo.top_k" : "";
}

/// Returns `k` of a call of @mhlo.topk; nothing if it does not ask for the largest elements.
static mlir::IntegerAttr lengthOf(stablehlo::CustomCallOp call) {
  auto given = call->getAttrOfType<mlir::DictionaryAttr>(attributesName);
  auto length = given ? given.getAs<mlir::IntegerAttr>("k") : mlir::IntegerAttr();
  auto largest = given ? given.getAs<mlir::BoolAttr>("largest") : mlir::BoolAttr();
  return largest && !largest.getValue() ? mlir::IntegerAttr() : length;
}

/// Returns whether functions of elements can take the types of `call`.
static bool isElementwise(stablehlo::CustomCallOp call) {
  auto isSame = [&](mlir::Type type) { return type == call->getResult(0).getType(); };
  return call->getNumResults() == 1 && llvm::all_of(call->getOperandTypes(), isSame);
}

/// Returns the name of the op of `chlo` that `call` stands for; empty if it is none.
static std::string functionOf(stablehlo::CustomCallOp call) {
  std::string name = functionOf(call.getCallTargetName(), call->getNumOperands());
  bool fits = name == "chlo.top_k" ? lengthOf(call) && call->getNumResults() == 2
                                   : !name.empty() && isElementwise(call);
  return fits ? name : "";
}

bool isFunctionCall(mlir::Operation *op) {
  auto call = llvm::dyn_cast<stablehlo::CustomCallOp>(op);
  return call && !functionOf(call).empty();
}

void replaceFunctionCalls(mlir::ModuleOp module) {
  module.walk([](stablehlo::CustomCallOp call) {
    std::string name = functionOf(call);
    if (name.empty())
      return;
    mlir::OpBuilder builder(call);
    mlir::OperationState state(call.getLoc(), name, call->getOperands(), call->getResultTypes());
    if (name == "chlo.top_k")
      state.addAttribute("k", builder.getI64IntegerAttr(lengthOf(call).getInt()));
    mlir::Operation *function = builder.create(state);
    for (mlir::NamedAttribute attribute : call->getDiscardableAttrs())
      if (attribute.getName() != attributesName && attribute.getName() != versionName)
        function->setDiscardableAttr(attribute.getName(), attribute.getValue());
    call->replaceAllUsesWith(function->getResults());
    call->erase();
  });
}

} // namespace spmd::legalize
