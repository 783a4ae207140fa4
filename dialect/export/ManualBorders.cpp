#include "spmd/dialect/export/ManualBorders.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd::export_shardings {

namespace {

using mlir::LogicalResult;

/// Returns whether a value that lies as `placed` lies as `wanted` says along the manual axes, and
/// `wanted` says nothing else of the others.
bool isPlacedAs(sdy::ShardingAttr placed, sdy::ShardingAttr wanted, sdy::ManualAxesAttr manual) {
  if (placed == wanted)
    return true;
  if (placed.getMeshOrRef() != wanted.getMeshOrRef() || placed.getRank() != wanted.getRank())
    return false;
  auto split = [&](llvm::ArrayRef<AxisSpec> axes, std::vector<AxisSpec> &free) {
    std::vector<AxisSpec> own;
    for (const AxisSpec &axis : axes)
      (manual.contains(axis.name) ? own : free).push_back(axis);
    return own;
  };
  auto agree = [&](llvm::ArrayRef<AxisSpec> a, llvm::ArrayRef<AxisSpec> b) {
    std::vector<AxisSpec> freeOfPlaced, freeOfWanted;
    return split(a, freeOfPlaced) == split(b, freeOfWanted) &&
           (freeOfWanted == freeOfPlaced || freeOfWanted.empty());
  };
  const ShardingSpec &a = placed.getSpec(), &b = wanted.getSpec();
  if (!agree(a.unreduced, b.unreduced) || (!b.unreduced.empty() && a.kind != b.kind))
    return false;
  return llvm::all_of(llvm::zip_equal(a.dims, b.dims), [&](const auto &dims) {
    return agree(std::get<0>(dims).axes, std::get<1>(dims).axes);
  });
}

class Borders {
public:
  Borders(ShardingCalls &calls, sdy::ManualComputationOp op, const ManualAxes &outer)
      : calls(calls), op(op), outer(outer), inner(outer), builder(op) {
    llvm::append_range(inner, op.getManualAxes().getAxes());
  }

  LogicalResult run() {
    if (mlir::failed(enter()))
      return mlir::failure();
    llvm::SmallVector<mlir::Value> returned = isCall() ? inlined() : outlined();
    if (mlir::failed(leave(returned)))
      return mlir::failure();
    op->erase();
    return mlir::success();
  }

private:
  /// Returns whether the body is a call, with constraints around it.
  bool isCall() {
    return llvm::all_of(op.getBody().front().without_terminator(), [](mlir::Operation &inner) {
      auto call = llvm::dyn_cast<stablehlo::CustomCallOp>(inner);
      return llvm::isa<mlir::func::CallOp, sdy::ShardingConstraintOp>(inner) ||
             (call && call.getCallTargetName() == "Sharding");
    });
  }

  /// Makes the operands local: constraints first, then what changes their shapes.
  LogicalResult enter() {
    mlir::Block &body = op.getBody().front();
    llvm::SmallVector<std::pair<mlir::Value, sdy::ShardingAttr>> globals;
    for (auto [operand, sharding] :
         llvm::zip_equal(op.getTensors(), op.getInShardings().getShardings())) {
      mlir::Value global = operand;
      sdy::ShardingAttr known = calls.placed.lookup(global);
      if (!known || !isPlacedAs(known, sharding, op.getManualAxes())) {
        global = calls.constrain(builder, op.getLoc(), global, sharding, outer);
        known = sharding;
      }
      if (!global)
        return mlir::failure();
      globals.push_back({global, known});
    }
    for (auto [global, sharding, argument] :
         llvm::zip_equal(llvm::make_first_range(globals), op.getInShardings().getShardings(),
                         body.getArguments())) {
      // Along the other axes the value lies inside as outside.
      mlir::StringAttr text = textInside(globals[argument.getArgNumber()].second);
      if (!text)
        return mlir::failure();
      locals.push_back(ShardingCalls::make(builder, op.getLoc(), "SPMDFullToShardShape", global,
                                           argument.getType(), text, configOf(sharding)));
    }
    return mlir::success();
  }

  /// Makes what the body returned global.
  LogicalResult leave(llvm::ArrayRef<mlir::Value> returned) {
    builder.setInsertionPoint(op);
    for (auto [value, sharding, result] :
         llvm::zip_equal(returned, op.getOutShardings().getShardings(), op->getResults())) {
      sdy::ShardingAttr free = sdy::withoutAxes(sharding, op.getManualAxes());
      mlir::Value local = value;
      // A constraint in the body is written after this, and says what is said here.
      if (!local.getDefiningOp<sdy::ShardingConstraintOp>())
        local = calls.constrain(builder, op.getLoc(), local, free, inner);
      mlir::StringAttr text = local ? calls.texts.textOf(op, sharding, outer) : mlir::StringAttr();
      if (!text)
        return mlir::failure();
      mlir::Value global = ShardingCalls::make(builder, op.getLoc(), "SPMDShardToFullShape", local,
                                               result.getType(), text, configOf(sharding));
      result.replaceAllUsesWith(global);
    }
    return mlir::success();
  }

  mlir::StringAttr textInside(sdy::ShardingAttr sharding) {
    return calls.texts.textOf(op, sdy::withoutAxes(sharding, op.getManualAxes()), inner);
  }

  std::string configOf(sdy::ShardingAttr sharding) const {
    return calls.texts.form() == ShardingForm::v3 ? "" : openDimsOf(sharding);
  }

  llvm::SmallVector<mlir::Value> inlined() {
    mlir::Block &body = op.getBody().front();
    for (auto [argument, local] : llvm::zip_equal(body.getArguments(), locals))
      argument.replaceAllUsesWith(local);
    mlir::Operation *end = body.getTerminator();
    llvm::SmallVector<mlir::Value> returned(end->getOperands());
    end->erase();
    op->getBlock()->getOperations().splice(op->getIterator(), body.getOperations());
    return returned;
  }

  llvm::SmallVector<mlir::Value> outlined() {
    mlir::func::FuncOp function = outlineBody(calls, op, "manual_body");
    auto call = mlir::func::CallOp::create(builder, op.getLoc(), function, locals);
    return {call->result_begin(), call->result_end()};
  }

  ShardingCalls &calls;
  sdy::ManualComputationOp op;
  const ManualAxes &outer;
  ManualAxes inner;
  mlir::OpBuilder builder;
  llvm::SmallVector<mlir::Value> locals;
};

} // namespace

LogicalResult writeManualBorders(ShardingCalls &calls, sdy::ManualComputationOp op,
                                 const ManualAxes &manual) {
  return Borders(calls, op, manual).run();
}

mlir::func::FuncOp outlineBody(ShardingCalls &calls, sdy::ManualComputationOp op,
                               llvm::StringRef name) {
  mlir::Block &body = op.getBody().front();
  mlir::Operation *end = body.getTerminator();
  mlir::OpBuilder builder(op.getContext());
  auto type = builder.getFunctionType(body.getArgumentTypes(), end->getOperandTypes());
  auto function = mlir::func::FuncOp::create(builder, op.getLoc(), name, type);
  function.setPrivate();
  calls.symbols.insert(function); // Renames it if need be.
  function.getBody().takeBody(op.getBody());
  builder.setInsertionPoint(end);
  mlir::func::ReturnOp::create(builder, end->getLoc(), end->getOperands());
  end->erase();
  return function;
}

} // namespace spmd::export_shardings
