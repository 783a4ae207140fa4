#include "spmd/passes/reshard/Moves.h"

#include "spmd/dialect/partitioning/Placement.h"
#include "spmd/dialect/spmd/Causes.h"
#include "spmd/dialect/spmd/DataFlow.h"

namespace spmd {

void Moves::startFunction() {
  moved.clear();
  copies.clear();
  inserted.clear();
  beforeLoops.clear();
  clones.clear();
  remade.startFunction();
}

/// A move goes before loops, which would repeat it. It stays in a branch, which may not run, unless
/// ops in other blocks want the same.
mlir::Operation *Moves::pointFor(mlir::Value value, int32_t wanted, mlir::Operation *user) {
  mlir::Operation *place = user;
  while (place->getBlock() != value.getParentBlock()) {
    auto around = llvm::dyn_cast<DataFlow>(place->getParentOp());
    bool isShared = isReadInSeveralBlocks && isReadInSeveralBlocks(value, wanted);
    if (!around || !(around.isLoop() || isShared))
      break;
    place = around;
  }
  return place;
}

mlir::Value Moves::lookUp(mlir::Value value, int32_t wanted, mlir::Operation *place) {
  for (mlir::Operation *at = place; at; at = at->getParentOp()) {
    if (mlir::Value known = moved.lookup({value, {wanted, at->getBlock()}});
        known && !values.isDropped(known))
      return known;
    if (at->getBlock() == value.getParentBlock())
      break;
  }
  return nullptr;
}

/// A copy that is read once more lives longer, and what is moved from it goes by itself: from there
/// the way must be three fifths as long at most: enough for a gather of what a reduction was
/// scattered to.
static constexpr double nearness = 0.6;

mlir::Value Moves::nearestCopy(mlir::Value value, int32_t wanted, mlir::Operation *place) {
  auto known = copies.find(value);
  if (known == copies.end())
    return value;
  mlir::Value nearest = value;
  double least = costOf(value, values.layoutOf(value), wanted) * nearness;
  auto isThere = [&](mlir::Value copy) {
    mlir::Operation *at = place;
    while (at && at->getBlock() != copy.getParentBlock() &&
           at->getBlock() != value.getParentBlock())
      at = at->getParentOp();
    return at && at->getBlock() == copy.getParentBlock();
  };
  for (mlir::Value copy : known->second)
    if (double cost = costOf(value, values.layoutOf(copy), wanted);
        cost <= least && least > 0 && !values.isDropped(copy) && isThere(copy)) {
      least = cost;
      nearest = copy;
    }
  return nearest;
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

mlir::DictionaryAttr Moves::withLayouts(mlir::DictionaryAttr reason, mlir::Value value,
                                        int32_t wanted) {
  int32_t held = values.layoutOf(value);
  mlir::DictionaryAttr &known = fullReasons[{reason, {value.getType(), {held, wanted}}}];
  if (!known)
    known =
        spmd::withLayouts(reason, layouts.attr(held), layouts.attr(wanted), tensorTypeOf(value));
  return known;
}

mlir::Location Moves::placeFor(mlir::Value value, mlir::Value source, int32_t wanted,
                               mlir::Operation *user) {
  auto operand = llvm::find(user->getOperands(), value);
  bool isOperand = operand != user->operand_end();
  unsigned number = isOperand ? operand.getIndex() : 0;
  mlir::DictionaryAttr reason = reasonFor(user, isOperand ? operandRole : insideRole, number);
  return placeOfMove(user->getLoc(), value.getLoc(), withLayouts(reason, source, wanted));
}

mlir::Value Moves::insertMove(mlir::OpBuilder &builder, mlir::Location place, mlir::Value value,
                              int32_t wanted) {
  mlir::Operation *move = createReshard(builder, place, value, layouts.attr(wanted));
  inserted.push_back(move);
  values.addMove(move->getResult(0), wanted);
  return move->getResult(0);
}

mlir::Value Moves::bring(mlir::Value value, int32_t wanted, mlir::Operation *user) {
  int32_t held = values.layoutOf(value);
  if (held == wanted || held < 0)
    return value;
  mlir::Operation *place = pointFor(value, wanted, user);
  // A value made anew is the same everywhere, so it is no share of a partial result.
  bool isAnew = values.isFree(value) && layouts[wanted].sharding.unreduced.empty();
  // What has one user has been moved for nobody yet, and will be for nobody else; but a move may
  // come to be read by all who want the same.
  bool isShared = values.isFree(value) || values.isPlaced(value) || !value.hasOneUse();
  if (mlir::Value known = isShared ? lookUp(value, wanted, place) : nullptr) {
    noteBeforeLoop(known, place, user);
    return known;
  }
  mlir::OpBuilder builder(place);
  mlir::Value result;
  if (isAnew)
    result = makeAnew(value, wanted);
  if (!result) {
    mlir::Value source = isShared ? nearestCopy(value, wanted, place) : value;
    result = insertMove(builder, placeFor(value, source, wanted, user), source, wanted);
    noteBeforeLoop(result, place, user);
    if (isShared)
      copies[value].push_back(result);
  }
  if (isShared)
    moved[{value, {wanted, result.getParentBlock()}}] = result;
  return result;
}

mlir::Value Moves::makeAnew(mlir::Value value, int32_t wanted) {
  mlir::Operation *maker = value.getDefiningOp();
  llvm::SmallVector<int32_t> layoutsOfOperands;
  if (remade.contains(maker))
    for (unsigned i = 0; i < maker->getNumOperands(); ++i) {
      layoutsOfOperands.push_back(remade.layoutOfOperand(maker, i, wanted));
      if (layoutsOfOperands.back() < 0)
        return nullptr;
    }
  llvm::SmallVector<mlir::Value> operands(maker->getOperands());
  for (auto [operand, layout] : llvm::zip(operands, layoutsOfOperands))
    operand = bringOutOfTurn(operand, layout, maker);
  mlir::OpBuilder builder(maker->getContext());
  builder.setInsertionPointAfter(maker);
  mlir::Operation *clone = builder.clone(*maker);
  clone->setOperands(operands);
  setShardings(clone, {{layouts.attr(wanted), ShardingState::inferred}});
  clones.push_back(clone);
  remade.addClone(maker, clone);
  values.addClone(clone->getResult(0), wanted);
  return clone->getResult(0);
}

mlir::Value Moves::bringOutOfTurn(mlir::Value value, int32_t wanted, mlir::Operation *user) {
  mlir::Value brought = bring(value, wanted, user);
  mlir::Operation *next = pointFor(value, wanted, user), *move = brought.getDefiningOp();
  for (; isMove(move); next = move, move = next->getOperand(0).getDefiningOp()) {
    // What is brought for others may stand in a block around.
    mlir::Operation *reader = move->getBlock()->findAncestorOpInBlock(*next);
    if (!reader)
      break;
    if (!move->isBeforeInBlock(reader))
      move->moveBefore(reader);
  }
  return brought;
}

void Moves::noteBeforeLoop(mlir::Value brought, mlir::Operation *place, mlir::Operation *user) {
  if (place != user)
    beforeLoops.insert(brought.getDefiningOp());
}

mlir::Value Moves::repeat(llvm::ArrayRef<mlir::Operation *> chain, mlir::Operation *user) {
  mlir::OpBuilder builder(user);
  mlir::Value value = chain.front()->getOperand(0);
  for (mlir::Operation *move : chain)
    value = insertMove(builder, move->getLoc(), value, values.layoutOf(move->getResult(0)));
  return value;
}

bool Moves::isDropped(mlir::Operation *op) const {
  return op->getNumResults() == 1 ? values.isDropped(op->getResult(0)) : droppedSilent.contains(op);
}

void Moves::drop(mlir::Operation *op) {
  if (isDropped(op))
    return;
  obsolete.push_back(op);
  if (op->getNumResults() == 1)
    values.drop(op->getResult(0));
  else
    droppedSilent.insert(op);
}

void Moves::replace(mlir::Operation *move, mlir::Value value) {
  move->getResult(0).replaceAllUsesWith(value);
  drop(move);
}

bool Moves::isOnlyUser(mlir::Value value, mlir::Operation *user) const {
  return llvm::all_of(value.getUsers(),
                      [&](mlir::Operation *each) { return each == user || isDropped(each); });
}

mlir::Value Moves::passOn(mlir::OpResult result, int32_t wanted) {
  mlir::Operation *op = result.getOwner();
  mlir::OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  mlir::DictionaryAttr reason = reasonFor(op, resultRole, result.getResultNumber());
  mlir::Location place =
      placeOfMove(op->getLoc(), op->getLoc(), withLayouts(reason, result, wanted));
  mlir::Value moved = insertMove(builder, place, result, wanted);
  result.replaceAllUsesExcept(moved, moved.getDefiningOp());
  return moved;
}

double Moves::costOf(mlir::Value value, int32_t from, int32_t to) {
  mlir::RankedTensorType type = tensorTypeOf(value);
  auto [entry, isNew] = knownCosts.try_emplace({type, {from, to}}, 0);
  if (isNew)
    entry->second = costs.cost(layouts[from], layouts[to],
                               absl::MakeConstSpan(type.getShape().data(), type.getRank()),
                               elementBits(type.getElementType()));
  return entry->second;
}

/// Lets `second` take the shorter way, if there is one. What the first move brings may be wanted
/// by others, too, for whom it stays.
void Moves::compose(mlir::Operation *second) {
  mlir::Value middle = second->getOperand(0);
  mlir::Operation *first = middle.getDefiningOp();
  if (first->getBlock() != second->getBlock()) // A loop would go the longer way in each turn.
    return;
  bool isOnly = isOnlyUser(middle, second);
  int32_t a = values.layoutOf(first->getOperand(0)), b = values.layoutOf(middle),
          c = values.layoutOf(second->getResult(0));
  double there = costOf(middle, a, c), onwards = costOf(middle, b, c);
  if (isOnly ? there > costOf(middle, a, b) + onwards : there > onwards * nearness || onwards == 0)
    return;
  second->setOperand(0, first->getOperand(0));
  if (isOnly)
    drop(first);
  if (a == c)
    replace(second, first->getOperand(0));
}

void Moves::composeChains() {
  for (size_t i = 0; i < inserted.size(); ++i) {
    mlir::Operation *second = at(i);
    if (!isDropped(second) && values.isPlaced(second->getOperand(0)))
      compose(second);
  }
}

void Moves::dropUnused(llvm::ArrayRef<mlir::Operation *> freeOps) {
  for (size_t i = 0; i < inserted.size(); ++i)
    if (mlir::Operation *op = at(i); op->use_empty())
      drop(op);
  // Readers before what they read.
  for (llvm::ArrayRef<mlir::Operation *> some : {llvm::ArrayRef(clones), freeOps})
    for (mlir::Operation *op : llvm::reverse(some))
      if (isUnused(op->getResult(0)))
        drop(op);
}

void Moves::eraseDropped() {
  for (mlir::Operation *op : obsolete) {
    op->dropAllUses(); // By others that are dropped.
    op->erase();
  }
  obsolete.clear();
}

} // namespace spmd
