#include "spmd/passes/reshard/Moves.h"

#include "spmd/dialect/partitioning/Placement.h"
#include "spmd/dialect/spmd/Causes.h"
#include "spmd/dialect/spmd/DataFlow.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spmd {

void Moves::startFunction() {
  moved.clear();
  inserted.clear();
}

/// Returns whether `op` can make its result in any layout. A reshape of a scalar cannot: dims of
/// one element have no factor there.
static bool splitsAnyDim(Partitionable op) {
  if (op->getNumOperands() == 0 || tensorTypeOf(op->getResult(0)).getRank() == 0)
    return true;
  Strategies strategies = op.getStrategies();
  return llvm::any_of(strategies, [](const Strategy &strategy) {
    return llvm::all_of(strategy.rule.results[0], [&](const DimFactors &dim) {
      return !dim.empty() && llvm::all_of(dim, [&](int32_t factor) {
        return strategy.rule.factors[factor].kind == FactorKind::pass;
      });
    });
  });
}

bool Moves::isMove(mlir::Operation *op) {
  auto placement = llvm::dyn_cast_if_present<Partitionable>(op);
  return placement && placement.isPlacement() && op->getNumOperands() == 1 &&
         op->getNumResults() == 1;
}

bool Moves::isFree(mlir::Value value) {
  mlir::Operation *op = value.getDefiningOp();
  auto partitionable = llvm::dyn_cast_if_present<Partitionable>(op);
  return partitionable && !partitionable.isPlacement() && op->getNumResults() == 1 &&
         op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(),
                      [](mlir::Value operand) {
                        mlir::RankedTensorType type = tensorTypeOf(operand);
                        return type && type.getRank() == 0;
                      }) &&
         mlir::isPure(op) && splitsAnyDim(partitionable); // These take longest.
}

/// Returns the op before which a value that `user` reads is moved: outside of loops, which would
/// move it in each turn, but inside of branches, which may not run.
static mlir::Operation *placeOfMove(mlir::Value value, mlir::Operation *user) {
  mlir::Operation *place = user;
  while (place->getBlock() != value.getParentBlock()) {
    auto around = llvm::dyn_cast<DataFlow>(place->getParentOp());
    if (!around || !around.isLoop())
      break;
    place = around;
  }
  return place;
}

mlir::Value Moves::lookUp(mlir::Value value, int32_t wanted, mlir::Operation *place) {
  for (mlir::Operation *at = place; at; at = at->getParentOp()) {
    if (mlir::Value known = moved.lookup({value, {wanted, at->getBlock()}}))
      return known;
    if (at->getBlock() == value.getParentBlock())
      break;
  }
  return nullptr;
}

/// The roles in which values move.
static constexpr const char *operandRole = "operand", *resultRole = "result",
                            *insideRole = "a value inside";

mlir::DictionaryAttr Moves::reasonFor(mlir::Operation *op, const char *role, unsigned number) {
  mlir::DictionaryAttr &reason = reasons[{op->getName().getAsOpaquePointer(), role, number}];
  if (!reason)
    reason = reasonAttr(op->getContext(),
                        llvm::Twine(role) +
                            (role == insideRole ? llvm::Twine() : " " + llvm::Twine(number)) +
                            " of '" + op->getName().getStringRef() + "'");
  return reason;
}

mlir::Location Moves::placeFor(mlir::Value value, mlir::Operation *user) {
  auto operand = llvm::find(user->getOperands(), value);
  bool isOperand = operand != user->operand_end();
  unsigned number = isOperand ? operand.getIndex() : 0;
  return placeOfMove(user->getLoc(), value.getLoc(),
                     reasonFor(user, isOperand ? operandRole : insideRole, number));
}

mlir::Value Moves::bring(mlir::Value value, int32_t wanted, mlir::Operation *user) {
  int32_t held = layouts.ofValue(value);
  if (held == wanted || held < 0)
    return value;
  mlir::Operation *place = placeOfMove(value, user);
  if (mlir::Value known = lookUp(value, wanted, place))
    return known;
  mlir::OpBuilder builder(place);
  // A value made anew is the same everywhere, so it is no share of a partial result.
  if (isFree(value) && layouts[wanted].sharding.unreduced.empty()) {
    builder.setInsertionPointAfter(value.getDefiningOp());
    mlir::Operation *clone = builder.clone(*value.getDefiningOp());
    setShardings(clone, {{layouts.attr(wanted), ShardingState::inferred}});
    return moved[{value, {wanted, clone->getBlock()}}] = clone->getResult(0);
  }
  inserted.push_back(createReshard(builder, placeFor(value, user), value, layouts.attr(wanted)));
  return moved[{value, {wanted, place->getBlock()}}] = inserted.back()->getResult(0);
}

mlir::Value Moves::bringAnew(mlir::Value value, int32_t wanted, mlir::Operation *user) {
  if (isFree(value) || layouts.ofValue(value) == wanted)
    return bring(value, wanted, user);
  mlir::OpBuilder builder(user);
  inserted.push_back(createReshard(builder, placeFor(value, user), value, layouts.attr(wanted)));
  return inserted.back()->getResult(0);
}

bool Moves::isOnlyUser(mlir::Value value, mlir::Operation *user) const {
  return llvm::all_of(value.getUsers(),
                      [&](mlir::Operation *each) { return each == user || isDropped(each); });
}

void Moves::passOn(mlir::OpResult result, int32_t wanted) {
  mlir::Operation *op = result.getOwner();
  mlir::OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  mlir::Location place =
      placeOfMove(op->getLoc(), op->getLoc(), reasonFor(op, resultRole, result.getResultNumber()));
  mlir::Operation *move = createReshard(builder, place, result, layouts.attr(wanted));
  result.replaceAllUsesExcept(move->getResult(0), move);
  inserted.push_back(move);
}

double Moves::costOf(mlir::RankedTensorType type, int32_t from, int32_t to) {
  auto [entry, isNew] = knownCosts.try_emplace({type, {from, to}}, 0);
  if (isNew)
    entry->second = costs.cost(layouts[from], layouts[to],
                               absl::MakeConstSpan(type.getShape().data(), type.getRank()),
                               elementBits(type.getElementType()));
  return entry->second;
}

void Moves::composeChains() {
  for (mlir::Operation *second : inserted) {
    if (isDropped(second))
      continue;
    mlir::Value middle = second->getOperand(0);
    mlir::Operation *first = middle.getDefiningOp();
    auto placement = llvm::dyn_cast_if_present<Partitionable>(first);
    if (!placement || !placement.isPlacement() || !isOnlyUser(middle, second) ||
        first->getBlock() != second->getBlock()) // A loop would go the longer way in each turn.
      continue;
    int32_t a = layouts.ofValue(first->getOperand(0)), b = layouts.ofValue(middle),
            c = layouts.ofValue(second->getResult(0));
    mlir::RankedTensorType type = tensorTypeOf(middle);
    if (costOf(type, a, c) > costOf(type, a, b) + costOf(type, b, c))
      continue;
    second->setOperand(0, first->getOperand(0));
    drop(first);
    if (a == c) {
      second->getResult(0).replaceAllUsesWith(first->getOperand(0));
      drop(second);
    }
  }
}

void Moves::dropUnused(mlir::func::FuncOp func) {
  walkDataFlow(func, [&](mlir::Operation *op) {
    if (op->getNumResults() == 1 && op->use_empty() &&
        (llvm::isa<sdy::ReshardOp>(op) || isFree(op->getResult(0))))
      drop(op);
  });
}

void Moves::eraseDropped() {
  for (mlir::Operation *op : obsolete)
    op->dropAllReferences(); // Of each other.
  for (mlir::Operation *op : obsolete)
    op->erase();
  obsolete.clear();
}

} // namespace spmd
