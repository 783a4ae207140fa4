#include "spmd/passes/propagate/Constraints.h"

#include "spmd/dialect/spmd/DataFlow.h"

namespace spmd {

/// Whether an op is a wish of the user; a reshard is a decision, which says nothing of its operand.
static bool isConstraint(mlir::Operation *op) {
  return llvm::isa_and_present<sdy::ShardingConstraintOp>(op);
}

/// Whether a user of a tensor says how it lies.
static bool dictates(mlir::Operation *user) {
  auto flow = llvm::dyn_cast<DataFlow>(user);
  return isConstraint(user) || (flow && flow.getOwnManualAxes());
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
static mlir::Operation *firstOfChain(mlir::Operation *last) {
  while (mlir::Operation *before = last->getOperand(0).getDefiningOp()) {
    if (!isConstraint(before) || !before->hasOneUse())
      break;
    last = before;
  }
  return last;
}

static void lengthen(mlir::Operation *last) {
  if (countDictating(last->getResult(0)) > 0)
    return;
  mlir::Operation *first = firstOfChain(last);
  mlir::Value input = first->getOperand(0);
  if (first == last || input.hasOneUse() || isConstraint(input.getDefiningOp()) ||
      countDictating(input) > 1)
    return;
  input.replaceUsesWithIf(last->getResult(0), [&](mlir::OpOperand &use) {
    return use.getOwner()->getBlock() == last->getBlock() && last->isBeforeInBlock(use.getOwner());
  });
}

void lengthenConstraints(mlir::ModuleOp module) {
  for (auto func : module.getOps<mlir::func::FuncOp>())
    walkDataFlow(func, [](mlir::Operation *op) {
      if (isConstraint(op))
        lengthen(op);
    });
}

//===- Inputs ----------------------------------------------------------------===//

namespace {

/// A tensor of a function and what its user says of it.
struct Dictated {
  mlir::Value value;
  mlir::Operation *user;
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
  auto add = [&](mlir::Value value, mlir::Operation *user, ValueSharding sharding) {
    if (isClosed(sharding) && !isOfFlow(value) && countDictating(value) == 1)
      all.push_back({value, user, sharding});
  };
  walkDataFlow(func, [&](mlir::Operation *op) {
    if (isConstraint(op))
      return add(op->getOperand(0), op, shardingOf(op->getResult(0)));
    if (!dictates(op))
      return;
    auto flow = llvm::cast<DataFlow>(op);
    for (auto [index, each] : llvm::enumerate(flow.getFlows()))
      for (mlir::OpOperand *source : each.sources)
        if (source->getOwner() == op)
          add(source->get(), op, flow.getFlowSharding(index));
  });
  return all;
}

/// The op of the graph that ties a value to what its user makes of it.
static int32_t tieTo(const ProgramGraph &program, int32_t value, mlir::Operation *user) {
  for (int32_t op : program.uses->of(value))
    if (program.originOf(op).op == user)
      return op;
  return ShardGraph::none;
}

void applyConstraints(ProgramGraph &program, History *history) {
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
      if (int32_t tie = history ? tieTo(program, index, each.user) : ShardGraph::none;
          tie != ShardGraph::none) {
        value.origin = tie;
        history->changes.push_back({index, ShardGraph::none, value.sharding, tie,
                                    ++history->numSteps, Change::Cause::step});
      }
    }
}

} // namespace spmd
