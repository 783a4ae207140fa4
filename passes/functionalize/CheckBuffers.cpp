// What nobody may do with a buffer.

#include "spmd/passes/functionalize/Functionalize.h"
#include "spmd/passes/functionalize/Ranges.h"
#include "spmd/passes/functionalize/Views.h"

#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

mlir::Operation *placeOfWrite(mlir::Block *block, mlir::Operation *op) {
  while (op && op->getBlock() != block) {
    mlir::Region *region = op->getParentRegion();
    mlir::Operation *around = op->getParentOp();
    auto loop = llvm::dyn_cast<stablehlo::WhileOp>(around);
    if (!(loop && region == &loop.getBody()) &&
        !llvm::isa<stablehlo::IfOp, stablehlo::CaseOp>(around))
      return nullptr;
    op = around;
  }
  return op;
}

namespace {

class BufferChecker {
public:
  BufferChecker(mlir::ModuleOp module, const BufferEffects &effects)
      : module(module), effects(effects) {}

  mlir::LogicalResult run() {
    module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      checkRegions(op);
      checkResults(op);
      checkPin(op);
      for (mlir::OpOperand &operand : op->getOpOperands())
        if (isBuffer(operand.get())) {
          checkUse(op, operand);
          checkRepeats(operand);
        }
      if (llvm::isa<mlir::func::CallOp, stablehlo::CustomCallOp>(op))
        checkAliases(op);
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
    if (llvm::isa<stablehlo::CustomCallOp>(op)) {
      if (operandsWritten(op))
        return checkBlock(op, operand.get(), "passes on", !effects.writes(operand));
      report(op) << "takes a buffer as operand " << operand.getOperandNumber()
                 << " and does not say whether it writes it; list the operands that it writes in '"
                 << writesAttrName << "'";
      return;
    }
    if (op->hasTrait<mlir::OpTrait::ReturnLike>())
      report(op) << "returns a buffer as operand " << operand.getOperandNumber()
                 << "; return what it holds";
    else
      report(op) << "takes a buffer as operand " << operand.getOperandNumber()
                 << "; only loads, stores, views and calls do";
  }

  /// Buffers are followed along the block that they are made in, and through branches and loops.
  void checkBlock(mlir::Operation *op, mlir::Value shown, llvm::StringRef action,
                  bool mayBeInside) {
    mlir::Value buffer = bufferOf(shown);
    mlir::Block *home = buffer.getParentBlock();
    mlir::Operation *place = home->findAncestorOpInBlock(*op);
    if ((place && mayBeInside) || placeOfWrite(home, op))
      return;
    mlir::InFlightDiagnostic diagnostic = report(op) << action << " a buffer ";
    if (place)
      diagnostic << "from inside '" << op->getParentOp()->getName()
                 << "'; only branches and bodies of loops may";
    else
      diagnostic << "from another block than its own";
    diagnostic.attachNote(buffer.getLoc()) << "the buffer is made here";
  }

  /// What is stored to one element at several places has no one value.
  void checkRepeats(mlir::OpOperand &operand) {
    if (!effects.writes(operand))
      return;
    for (mlir::ViewLikeOpInterface view : chainOf(operand.get()).views) {
      auto broadcast = llvm::dyn_cast<BroadcastViewOp>(view.getOperation());
      if (!broadcast || !broadcast.repeats())
        continue;
      mlir::InFlightDiagnostic diagnostic = report(operand.getOwner())
                                            << "writes through a view that shows elements more "
                                               "than once; store to what it is a view of";
      diagnostic.attachNote(broadcast.getLoc()) << "the view is made here";
      return;
    }
  }

  /// Returns the buffer, or the view of one, of which `shown` is all in its own shape, whatever
  /// other shapes and orders of dims are in between; the last, if there are several.
  static mlir::Value allThatShows(mlir::Value shown) {
    auto iota = [](mlir::Value value) {
      int64_t rank = llvm::cast<BufferType>(value.getType()).getShape().size();
      return llvm::to_vector(llvm::seq<int64_t>(rank));
    };
    mlir::Value whole = shown, at = shown;
    llvm::SmallVector<int64_t> order = iota(at); // Of the dims of `at`, as `shown` has them.
    while (mlir::Operation *view = at.getDefiningOp<mlir::ViewLikeOpInterface>()) {
      mlir::Value of = view->getOperand(0);
      if (auto transpose = llvm::dyn_cast<TransposeViewOp>(view)) {
        for (int64_t &dim : order)
          dim = transpose.getPermutation()[dim];
      } else if (llvm::isa<ReshapeViewOp>(view)) {
        if (order != iota(at))
          break;
        order = iota(of);
      } else if (!llvm::isa<SliceViewOp, DynamicSliceViewOp>(view) ||
                 of.getType() != at.getType()) {
        break;
      }
      at = of;
      if (at.getType() == shown.getType() && order == iota(at))
        whole = at;
    }
    return whole;
  }

  /// A pin on a view of all of a buffer, in its own shape, is one on the buffer: there can be one.
  void checkPin(mlir::Operation *op) {
    auto view = llvm::dyn_cast<mlir::ViewLikeOpInterface>(op);
    if (!view || !isBuffer(op->getResult(0)) || !pinOf(op->getResult(0)))
      return;
    mlir::Value buffer = allThatShows(op->getResult(0));
    auto [first, isFirst] = pinned.try_emplace(buffer, pinOf(buffer) ? buffer : op->getResult(0));
    if (canBeOne(pinOf(first->second).attr.getSpec(), pinOf(op->getResult(0)).attr.getSpec()))
      return;
    mlir::InFlightDiagnostic diagnostic =
        report(op) << "pins a buffer to " << pinOf(op->getResult(0)).attr << ", which is pinned to "
                   << pinOf(first->second).attr << "; " << twoPinsText;
    diagnostic.attachNote(first->second.getLoc()) << "the other pin is here";
  }

  /// Whether a tensor can lie by both: of open dims, what is given is the beginning.
  static bool canBeOne(const ShardingSpec &a, const ShardingSpec &b) {
    return a.dims.size() == b.dims.size() && llvm::all_of(llvm::zip(a.dims, b.dims), [](auto pair) {
             const auto &[one, other] = pair;
             size_t common = std::min(one.axes.size(), other.axes.size());
             bool startAlike =
                 std::equal(one.axes.begin(), one.axes.begin() + common, other.axes.begin());
             return startAlike && (one.axes.size() == common || other.open) &&
                    (other.axes.size() == common || one.open);
           });
  }

  void checkAliases(mlir::Operation *call) {
    auto function = llvm::dyn_cast<mlir::func::CallOp>(call);
    mlir::func::FuncOp callee = function ? effects.calleeOf(function) : nullptr;
    if (function && !callee)
      return;
    llvm::SmallDenseMap<mlir::Value, llvm::SmallVector<mlir::OpOperand *, 2>> seen;
    for (mlir::OpOperand &operand : call->getOpOperands()) {
      if (!isBuffer(operand.get()))
        continue;
      auto &others = seen[bufferOf(operand.get())];
      auto other = llvm::find_if(others, [&](mlir::OpOperand *each) {
        return (effects.writes(operand) || effects.writes(*each)) &&
               !areApart(each->get(), operand.get());
      });
      if (other != others.end())
        reportPassedTwice(call, callee, **other, operand);
      others.push_back(&operand);
    }
  }

  void reportPassedTwice(mlir::Operation *call, mlir::func::FuncOp callee, mlir::OpOperand &first,
                         mlir::OpOperand &second) {
    mlir::InFlightDiagnostic diagnostic =
        report(call) << "passes one buffer as operands " << first.getOperandNumber() << " and "
                     << second.getOperandNumber() << ", and "
                     << (callee ? "@" + callee.getSymName().str() : std::string("the call"))
                     << " writes it";
    diagnostic.attachNote(callee ? callee.getLoc() : bufferOf(second.get()).getLoc())
        << (callee ? "arguments of a function are different memory" : "the buffer is made here");
  }

  mlir::ModuleOp module;
  const BufferEffects &effects;
  llvm::DenseMap<mlir::Value, mlir::Value> pinned; ///< Of a buffer, where it was pinned first.
  bool failed = false;
};

} // namespace

mlir::LogicalResult checkBuffers(mlir::ModuleOp module, const BufferEffects &effects) {
  return BufferChecker(module, effects).run();
}

} // namespace spmd
