#include "spmd/passes/verify/Varying.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

//===- Regions -------------------------------------------------------------===//

void VaryingRegion::run(llvm::ArrayRef<Variation> arguments) {
  for (auto [argument, variation] : llvm::zip(region.getArguments(), arguments))
    add(argument, variation);
  collect();
  while (!left.empty()) {
    mlir::Value value = left.pop_back_val();
    Variation variation = of(value);
    for (mlir::OpOperand &use : value.getUses())
      follow(use, variation);
  }
}

std::vector<Variation> VaryingRegion::ofOperands(mlir::Operation *op) const {
  std::vector<Variation> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(of(operand));
  return operands;
}

void VaryingRegion::collect() {
  region.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (llvm::isa<PartitionIdOp>(op))
      addAll(op->getResults(), all.after(op, {}));
    else if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
      calls.push_back(call);
    else if (auto flow = llvm::dyn_cast<DataFlow>(op))
      collectFlows(flow);
    else if (op->getNumRegions() > 0)
      return mlir::WalkResult::skip(); // Computes with single elements.
    return mlir::WalkResult::advance();
  });
  for (mlir::func::CallOp call : calls)
    followCall(call);
}

void VaryingRegion::collectFlows(DataFlow op) {
  flows.push_back(op);
  bool isManual = op.getOwnManualAxes() != nullptr;
  for (auto [i, flow] : llvm::enumerate(op.getFlows())) {
    for (mlir::OpOperand *source : flow.sources)
      llvm::append_range(targets[source], flow.targets);
    if (isManual)
      for (mlir::Value target : flow.targets)
        if (llvm::isa<mlir::BlockArgument>(target))
          add(target, {all.manualAxesOf(op, i)});
  }
}

void VaryingRegion::add(mlir::Value value, Variation more) {
  // To those around it, the result of a manual computation is one tensor.
  if (auto flow = llvm::dyn_cast_or_null<DataFlow>(value.getDefiningOp());
      flow && flow.getOwnManualAxes())
    more = more.without(all.ownAxesOf(flow));
  if (!more.any())
    return;
  Variation &known = values[value];
  Variation joined = known | more;
  if (joined.data == known.data && joined.place == known.place)
    return;
  known = joined;
  left.push_back(value);
}

void VaryingRegion::addAll(mlir::ValueRange results, Variation more) {
  for (mlir::Value result : results)
    add(result, more);
}

mlir::Operation *VaryingRegion::inFlow(mlir::Operation *op) const {
  mlir::Operation *found = op;
  for (mlir::Operation *at = op->getParentOp(); at && at != region.getParentOp();
       at = at->getParentOp())
    if (!llvm::isa<DataFlow>(at))
      found = at;
  return found;
}

void VaryingRegion::follow(mlir::OpOperand &use, Variation variation) {
  mlir::Operation *user = inFlow(use.getOwner());
  if (user->getParentRegion() == &region && user->hasTrait<mlir::OpTrait::IsTerminator>())
    return;
  if (auto found = targets.find(&use); found != targets.end()) {
    llvm::SmallVector<mlir::Value, 3> reached = found->second;
    return addAll(reached, variation);
  }
  if (auto call = llvm::dyn_cast<mlir::func::CallOp>(user))
    return followCall(call);
  if (llvm::isa<OptimizationBarrierOp>(user))
    return add(user->getResult(use.getOperandNumber()), variation);
  // What decides is in no flow: where it differs, so do the results.
  bool decides = user->hasTrait<mlir::OpTrait::IsTerminator>();
  mlir::Operation *op = decides ? user->getParentOp() : user;
  addAll(op->getResults(), all.after(op, variation));
}

void VaryingRegion::followCall(mlir::func::CallOp call) {
  std::vector<Variation> arguments = ofOperands(call);
  const VaryingRegion *callee = all.ofCallee(call, arguments);
  if (!callee)
    return;
  mlir::Operation *last = callee->region.front().getTerminator();
  for (auto [result, returned] : llvm::zip(call.getResults(), last->getOperands()))
    add(result, callee->of(returned));
}

//===- Meshes --------------------------------------------------------------===//

std::unique_ptr<VaryingRegion> VaryingValues::ofComputation(DataFlow op) {
  mlir::Region &body = op->getRegion(0);
  std::vector<Variation> arguments(body.getNumArguments());
  for (auto [i, argument] : llvm::enumerate(arguments))
    argument.data = manualAxesOf(op, i);
  auto found = std::make_unique<VaryingRegion>(*this, body);
  found->run(arguments);
  return found;
}

const VaryingRegion *VaryingValues::ofCallee(mlir::func::CallOp call,
                                             llvm::ArrayRef<Variation> arguments) {
  auto callee = symbols.lookup<mlir::func::FuncOp>(call.getCallee());
  if (!callee || callee.isExternal())
    return nullptr;
  Key key{callee, {}};
  for (Variation variation : arguments)
    key.second.emplace_back(variation.data, variation.place);
  auto [entry, isNew] = callees.try_emplace(std::move(key));
  if (isNew) {
    auto found = std::make_unique<VaryingRegion>(*this, callee.getBody());
    found->run(arguments);
    entry->second = std::move(found);
  }
  return entry->second.get();
}

AxisSet VaryingValues::ownAxesOf(DataFlow op) const {
  AxisSet axes = 0;
  for (mlir::StringAttr name : op.getOwnManualAxes().getAxes())
    if (std::optional<int> axis = mesh.axisNamed(name.getValue().str()))
      axes |= AxisSet(1) << *axis;
  return axes;
}

AxisSet VaryingValues::manualAxesOf(DataFlow op, unsigned flow) const {
  ValueSharding outside = op.getFlowSharding(flow);
  const Mesh *of = outside ? sdy::lookupMesh(op, outside.attr) : nullptr;
  if (!of || *of != mesh)
    return 0;
  mlir::FailureOr<Sharding> sharding = sdy::resolve(op, outside.attr);
  AxisSet axes = 0;
  if (mlir::succeeded(sharding))
    for (const AxisRef &ref : sharding->usedAxes())
      if (mesh.axes()[ref.axis].size > 1)
        axes |= AxisSet(1) << ref.axis;
  return axes & ownAxesOf(op);
}

/// Returns how the results of a collective vary.
static Variation afterCollective(mlir::Operation *op, const GroupSpan &span, Variation operands) {
  if (llvm::isa<AllReduceOp, AllGatherOp, CollectiveBroadcastOp, CrossReplicaSumOp>(op))
    return operands.without(span.whole);
  if (!llvm::isa<CollectivePermuteOp>(op))
    return operands | Variation{span.some};
  Variation moved = operands;
  if (operands.data & span.some)
    moved.data |= span.some;
  if ((operands.place & span.some) || !span.reachesAll)
    moved.place |= span.some;
  return moved;
}

Variation VaryingValues::after(mlir::Operation *op, Variation operands) {
  if (op->hasTrait<Collective>()) {
    const GroupSpan *span = spans.of(op);
    return span ? afterCollective(op, *span, operands) : Variation();
  }
  if (operands.data == 0 && op->getNumResults() == 1)
    if (const PerDevice *number = evaluator.evaluate(op->getResult(0)))
      return {0, spans.axesOf(*number)};
  return operands;
}

} // namespace spmd
