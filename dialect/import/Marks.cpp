#include "spmd/dialect/import/Marks.h"

#include "spmd/dialect/import/Shardings.h"
#include "spmd/dialect/spmd/WrittenNames.h"

#include "mlir/IR/Diagnostics.h"

namespace spmd {

using stablehlo::CustomCallOp;

std::string nameOf(CustomCallOp call) {
  if (auto name = llvm::dyn_cast<mlir::NameLoc>(withoutWrittenNames(call.getLoc())))
    return "'" + name.getName().str() + "'";
  return "'stablehlo.custom_call'";
}

void warnOfBareMark(CustomCallOp call) {
  mlir::Value operand = call->getOperand(0), seen = call->getResult(0);
  mlir::InFlightDiagnostic warning = call.emitWarning() << nameOf(call) << " " << bareMarkerText;
  warning.attachNote(operand.getLoc()) << "its operand is made here";
  auto showsOperand = [](mlir::Operation *op) {
    return llvm::isa<stablehlo::ReshapeOp, stablehlo::TransposeOp>(op);
  };
  constexpr int mostViews = 8;
  for (int i = 0; i < mostViews; ++i) {
    auto view = llvm::find_if(seen.getUsers(), showsOperand);
    if (view == seen.getUsers().end())
      return;
    if (auto text = view->getAttrOfType<mlir::StringAttr>("mhlo.sharding")) {
      warning.attachNote(view->getLoc()) << viewHasShardingText << text.getValue();
      return;
    }
    seen = view->getResult(0);
  }
}

bool hasMarksInPlace(mlir::ModuleOp module) {
  llvm::StringRef name = module.getName().value_or("");
  llvm::StringRef stem = name.take_until([](char c) { return c == '.'; });
  return stem == "SyncTensorsGraph" || stem == "IrToHlo";
}

/// Returns the mark that `call` stands directly behind, if nothing else reads that; null otherwise.
static CustomCallOp markBefore(CustomCallOp call) {
  auto before = call->getNumOperands() == 1 ? call->getOperand(0).getDefiningOp<CustomCallOp>()
                                            : CustomCallOp();
  return before && before.getCallTargetName() == "Sharding" && before->hasOneUse() ? before
                                                                                   : CustomCallOp();
}

static bool entersManualRegion(CustomCallOp call) {
  return llvm::any_of(call->getUsers(), [](mlir::Operation *user) {
    auto border = llvm::dyn_cast<CustomCallOp>(user);
    return border && border.getCallTargetName() == "SPMDFullToShardShape";
  });
}

/// Whether `said` is all that there is to say of a tensor: no dim is left open, and its elements
/// are not sums yet, which a second mark would have made.
static bool isClosed(sdy::ShardingAttr said) {
  return said && said.getSpec().unreduced.empty() &&
         llvm::none_of(said.getSpec().dims, [](const DimSpec &dim) { return dim.open; });
}

/// Whether a tensor that lies as `said` is split, and not only on one device or on all.
static bool isSplit(sdy::ShardingAttr said) {
  return llvm::any_of(said.getSpec().dims, [](const DimSpec &dim) { return !dim.axes.empty(); });
}

/// Whether `coarse` splits each dim as `fine` does, where it does; maybe fewer, or less.
static bool isCoarser(sdy::ShardingAttr coarse, sdy::ShardingAttr fine) {
  if (!isSplit(coarse))
    return true;
  return coarse.getMeshRef() == fine.getMeshRef() &&
         llvm::all_of(llvm::zip(coarse.getSpec().dims, fine.getSpec().dims), [](auto pair) {
           const auto &[a, b] = pair;
           return a.axes.size() <= b.axes.size() &&
                  std::equal(a.axes.begin(), a.axes.end(), b.axes.begin());
         });
}

/// Returns how `said` reads, with its mesh if `other` reads the same without.
static std::string textOf(sdy::ShardingAttr said, sdy::ShardingAttr other) {
  std::string text = said.getSpec().str();
  if (said.getSpec() == other.getSpec())
    text += " of @" + said.getMeshRef().getValue().str();
  return text;
}

/// Whether what `call` marks leaves the program, as what a tensor of its own holds then.
static bool isReturned(CustomCallOp call) {
  return llvm::any_of(call->getUsers(), [](mlir::Operation *user) {
    return user->hasTrait<mlir::OpTrait::IsTerminator>() || llvm::isa<stablehlo::TupleOp>(user);
  });
}

/// Reports the marks `before` and `call` on one tensor. Returns false if they contradict each
/// other.
static bool report(CustomCallOp before, CustomCallOp call, sdy::ShardingAttr first,
                   sdy::ShardingAttr second) {
  bool isError = !isCoarser(first, second) && !isCoarser(second, first);
  mlir::InFlightDiagnostic diagnostic =
      isError ? mlir::emitError(call.getLoc()) : mlir::emitWarning(call.getLoc());
  diagnostic << nameOf(call) << " pins a tensor as " << textOf(second, first) << " that "
             << nameOf(before) << " pins as " << textOf(first, second);
  if (isError)
    diagnostic << ", and nothing reads it in between; " << twoMarksText
               << ", so leave one of the marks out, or let an op stand between if data is to move";
  else
    diagnostic << "; both hold, and data moves in between";
  diagnostic.attachNote(before.getLoc()) << "the other pin is here";
  return !isError;
}

mlir::LogicalResult checkMarks(llvm::ArrayRef<CustomCallOp> calls,
                               llvm::function_ref<sdy::ShardingAttr(CustomCallOp)> saidBy) {
  bool ok = true;
  for (CustomCallOp call : calls) {
    CustomCallOp before = markBefore(call);
    if (!before || entersManualRegion(call) || isReturned(call))
      continue;
    sdy::ShardingAttr first = saidBy(before), second = saidBy(call);
    if (isClosed(first) && isClosed(second) && first != second &&
        (isSplit(first) || isSplit(second)))
      ok &= report(before, call, first, second);
  }
  return mlir::success(ok);
}

} // namespace spmd
