#include "spmd/passes/propagate/Neighbours.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

/// The op that makes a value, or whose region it comes into; null for an argument of a function.
static mlir::Operation *sourceOf(mlir::Value value) {
  if (mlir::Operation *op = value.getDefiningOp())
    return op;
  mlir::Operation *parent = llvm::cast<mlir::BlockArgument>(value).getOwner()->getParentOp();
  return llvm::isa<mlir::func::FuncOp>(parent) ? nullptr : parent;
}

static int32_t depthOf(mlir::Operation *op) {
  int32_t depth = 0;
  while ((op = op->getParentOp()))
    ++depth;
  return depth;
}

/// Whether `a` comes behind `b` in a walk that visits an op before what is inside it.
static bool isBehind(mlir::Operation *a, mlir::Operation *b) {
  int32_t depthOfA = depthOf(a), depthOfB = depthOf(b);
  bool isDeeper = depthOfA > depthOfB; // Then it comes behind the op that it is inside of.
  for (; depthOfA > depthOfB; --depthOfA)
    a = a->getParentOp();
  for (; depthOfB > depthOfA; --depthOfB)
    b = b->getParentOp();
  if (a == b)
    return isDeeper;
  while (a->getParentOp() != b->getParentOp()) {
    a = a->getParentOp();
    b = b->getParentOp();
  }
  if (a->getBlock() == b->getBlock())
    return b->isBeforeInBlock(a);
  if (a->getParentRegion() != b->getParentRegion())
    return a->getParentRegion()->getRegionNumber() > b->getParentRegion()->getRegionNumber();
  for (mlir::Block &block : *a->getParentRegion())
    if (&block == a->getBlock() || &block == b->getBlock())
      return &block == b->getBlock();
  return false;
}

/// Takes the nearer of two; the one that was there first if they are equally near.
static void take(Neighbours::Near &own, Neighbours::Near other) {
  if (other.value && (!own.value || other.distance < own.distance))
    own = other;
}

/// Takes the nearer of two, and of those equally near that of the first operand.
void Neighbours::takeAlong(Along &own, const Along &other) {
  own.isTied |= other.isTied;
  if (other.near.value && (!own.near.value || std::pair(other.near.distance, other.operand) <
                                                  std::pair(own.near.distance, own.operand))) {
    own.near = other.near;
    own.operand = other.operand;
  }
}

static Neighbours::Near oneFurther(Neighbours::Near near) {
  near.distance += near.value ? 1 : 0;
  return near;
}

//===- Before --------------------------------------------------------------===//

/// What a result is made of are the operands that it shares factors with, or, if there are none,
/// all.
Neighbours::Near Neighbours::madeFrom(mlir::Value value) {
  mlir::Operation *source = sourceOf(value);
  if (!source)
    return {};
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  if (const OpRule *rule = result ? ruleOf(source) : nullptr) {
    const std::vector<Along> &along = alongFactorsOf(source, *rule);
    Along nearest;
    for (const DimFactors &dim : rule->results[result.getResultNumber()])
      for (int32_t factor : dim)
        takeAlong(nearest, along[factor]);
    if (nearest.isTied)
      return oneFurther(nearest.near);
  }
  lookBefore(source);
  return before.lookup(source);
}

/// The rule of an op with several results, which may be made of different operands; null if there
/// is none.
const OpRule *Neighbours::ruleOf(mlir::Operation *op) {
  if (op->getNumResults() <= 1)
    return nullptr;
  auto [known, isNew] = rules.try_emplace(op, nullptr);
  if (const Strategies *all = isNew ? strategies.lookup(op) : nullptr; all && !all->empty())
    known->second = &all->front().rule;
  return known->second;
}

Neighbours::Near Neighbours::lookAt(mlir::Value operand) {
  if (isSharded(operand))
    return {operand, 0};
  mlir::Operation *source = sourceOf(operand);
  if (!source)
    return {};
  lookBefore(source);
  return before.lookup(source);
}

const std::vector<Neighbours::Along> &Neighbours::alongFactorsOf(mlir::Operation *op,
                                                                 const OpRule &rule) {
  auto [known, isNew] = alongFactors.try_emplace(op);
  if (!isNew)
    return known->second;
  known->second.resize(rule.numFactors());
  for (size_t i = 0; i < rule.operands.size() && i < op->getNumOperands(); ++i) {
    Along own = {lookAt(op->getOperand(i)), i, /*isTied=*/true};
    for (const DimFactors &dim : rule.operands[i])
      for (int32_t factor : dim)
        takeAlong(known->second[factor], own);
  }
  return known->second;
}

/// Fills `before` for an op and all that it needs for that.
void Neighbours::lookBefore(mlir::Operation *op) {
  llvm::SmallVector<mlir::Operation *> stack = {op};
  while (!stack.empty()) {
    mlir::Operation *at = stack.back();
    size_t height = stack.size();
    if (before.contains(at)) {
      stack.pop_back();
      continue;
    }
    for (mlir::Value operand : at->getOperands())
      if (mlir::Operation *source = sourceOf(operand);
          source && !before.contains(source) && !isSharded(operand))
        stack.push_back(source);
    if (stack.size() > height)
      continue;
    stack.pop_back();
    Near nearest;
    for (mlir::Value operand : at->getOperands()) {
      mlir::Operation *source = sourceOf(operand);
      take(nearest, isSharded(operand) ? Near{operand, 0}
                    : source           ? before.lookup(source)
                                       : Near());
    }
    before.try_emplace(at, oneFurther(nearest));
  }
}

//===- Behind --------------------------------------------------------------===//

Neighbours::Near Neighbours::usedFor(mlir::Value value) {
  for (mlir::Operation *user : value.getUsers())
    lookBehind(user);
  return nearestUser(value);
}

/// The nearest of the users' own; of those equally near, that of the last user.
Neighbours::Near Neighbours::nearestUser(mlir::Value value) const {
  Near nearest;
  mlir::Operation *through = nullptr;
  for (mlir::Operation *user : value.getUsers()) {
    Near near = behind.lookup(user);
    if (near.value && (!through || near.distance < nearest.distance ||
                       (near.distance == nearest.distance && isBehind(user, through)))) {
      nearest = near;
      through = user;
    }
  }
  return nearest;
}

/// Fills `behind` for an op and all that it needs for that.
void Neighbours::lookBehind(mlir::Operation *op) {
  llvm::SmallVector<mlir::Operation *> stack = {op};
  while (!stack.empty()) {
    mlir::Operation *at = stack.back();
    size_t height = stack.size();
    if (behind.contains(at)) {
      stack.pop_back();
      continue;
    }
    for (mlir::Value result : at->getResults())
      if (!isSharded(result))
        for (mlir::Operation *user : result.getUsers())
          if (!behind.contains(user))
            stack.push_back(user);
    if (stack.size() > height)
      continue;
    stack.pop_back();
    Near nearest;
    for (mlir::Value result : at->getResults())
      take(nearest, isSharded(result) ? Near{result, 0} : nearestUser(result));
    behind.try_emplace(at, oneFurther(nearest));
  }
}

} // namespace spmd
