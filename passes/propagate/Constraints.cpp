#include "spmd/passes/propagate/Constraints.h"

#include "spmd/dialect/spmd/DataFlow.h"

namespace spmd {

/// Whether a user of a tensor says how it lies.
static bool dictates(mlir::Operation *user) {
  auto flow = llvm::dyn_cast<DataFlow>(user);
  return llvm::isa<sdy::ShardingConstraintOp>(user) || (flow && flow.getOwnManualAxes());
}

static int64_t countDictating(mlir::Value value) {
  llvm::SmallPtrSet<mlir::Operation *, 2> users;
  for (mlir::Operation *user : value.getUsers())
    if (dictates(user))
      users.insert(user);
  return users.size();
}

//===- Chains ----------------------------------------------------------------===//

/// Returns the first constraint of the chain that ends with `last`.
static sdy::ShardingConstraintOp firstOfChain(sdy::ShardingConstraintOp last) {
  while (auto before = last.getInput().getDefiningOp<sdy::ShardingConstraintOp>()) {
    if (!before.getResult().hasOneUse())
      break;
    last = before;
  }
  return last;
}

static void lengthen(sdy::ShardingConstraintOp last) {
  if (countDictating(last.getResult()) > 0)
    return;
  mlir::Value input = firstOfChain(last).getInput();
  if (input.hasOneUse() || input.getDefiningOp<sdy::ShardingConstraintOp>() ||
      countDictating(input) > 1)
    return;
  input.replaceUsesWithIf(last.getResult(), [&](mlir::OpOperand &use) {
    return use.getOwner()->getBlock() == last->getBlock() && last->isBeforeInBlock(use.getOwner());
  });
}

void lengthenConstraints(mlir::ModuleOp module) {
  for (auto func : module.getOps<mlir::func::FuncOp>())
    walkDataFlow(func, [](mlir::Operation *op) {
      if (auto constraint = llvm::dyn_cast<sdy::ShardingConstraintOp>(op))
        lengthen(constraint);
    });
}

//===- Inputs ----------------------------------------------------------------===//

namespace {

/// A tensor of a function and what its user says of it.
struct Dictated {
  mlir::Value value;
  ValueSharding sharding;
};

} // namespace

/// Whether `value` comes out of a data-flow op, whose tensor lies as the flow does.
static bool isOfFlow(mlir::Value value) {
  mlir::Operation *owner = value.getDefiningOp();
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
    owner = argument.getOwner()->getParentOp();
  return llvm::isa_and_nonnull<DataFlow>(owner);
}

static std::vector<Dictated> dictatedIn(mlir::func::FuncOp func) {
  std::vector<Dictated> all;
  auto add = [&](mlir::Value value, ValueSharding sharding) {
    if (isClosed(sharding) && !shardingOf(value) && !isOfFlow(value) && countDictating(value) == 1)
      all.push_back({value, sharding});
  };
  walkDataFlow(func, [&](mlir::Operation *op) {
    if (auto constraint = llvm::dyn_cast<sdy::ShardingConstraintOp>(op))
      return add(constraint.getInput(), shardingOf(constraint.getResult()));
    if (!dictates(op))
      return;
    auto flow = llvm::cast<DataFlow>(op);
    for (auto [index, each] : llvm::enumerate(flow.getFlows()))
      for (mlir::OpOperand *source : each.sources)
        if (source->getOwner() == op)
          add(source->get(), flow.getFlowSharding(index));
  });
  return all;
}

void applyConstraints(ProgramGraph &program) {
  std::vector<std::vector<Dictated>> dictated;
  for (const ProgramGraph::Body &body : program.bodies)
    dictated.push_back(dictatedIn(body.func));
  for (const ProgramGraph::Instance &instance : program.instances)
    for (const Dictated &each : dictated[instance.body]) {
      int32_t index = program.valueOf(instance, each.value);
      const MeshSharding *sharding = program.codec.decode(each.sharding.attr);
      if (index == ShardGraph::none || !sharding)
        continue;
      ShardGraph::Value &value = program.graph.value(index);
      int64_t rank = program.graph.shape(value.shape).size();
      std::optional<MeshSharding> onAxes = program.codec.onAxes(*sharding, rank);
      if (!onAxes || value.sharding != ShardGraph::none)
        continue;
      program.graph.setSharding(index, *std::move(onAxes));
      value.state = ShardingState::inferred;
    }
}

} // namespace spmd
