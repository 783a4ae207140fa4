#include "spmd/passes/functionalize/Functionalize.h"
#include "spmd/passes/functionalize/Views.h"

#include "spmd/dialect/stablehlo/Dialect.h"

#include "llvm/ADT/SetVector.h"

namespace spmd {

namespace {

/// A region in which buffers from outside become buffers of its own, made where they are used.
class LocalBuffers {
public:
  /// `outside` holds `contents` where the region begins.
  LocalBuffers(mlir::Region &region, llvm::ArrayRef<mlir::Value> outside, mlir::ValueRange contents)
      : block(region.front()), builder(&block, block.begin()) {
    for (auto [buffer, content] : llvm::zip(outside, contents))
      contentOf[buffer] = content;
  }

  void replaceUses() {
    std::vector<mlir::OpOperand *> uses;
    block.walk([&](mlir::Operation *op) {
      for (mlir::OpOperand &operand : op->getOpOperands())
        if (isBuffer(operand.get()) && contentOf.contains(bufferOf(operand.get())) &&
            !isInside(operand.get()))
          uses.push_back(&operand);
    });
    for (mlir::OpOperand *use : uses)
      use->set(localOf(use->get()));
  }

  /// Returns from the region what `buffer` holds at its end.
  void yield(mlir::Value buffer) {
    mlir::Operation *terminator = block.getTerminator();
    auto found = local.find(buffer);
    mlir::Value content = contentOf[buffer];
    if (found != local.end()) {
      mlir::OpBuilder atEnd(terminator);
      content = LoadOp::create(atEnd, terminator->getLoc(), found->second);
    }
    terminator->insertOperands(terminator->getNumOperands(), content);
  }

private:
  bool isInside(mlir::Value value) {
    return block.getParentOp()->isAncestor(value.getParentBlock()->getParentOp());
  }

  /// Returns what stands for `shown`, a buffer or a view of one, inside.
  mlir::Value localOf(mlir::Value shown) {
    if (mlir::Value known = local.lookup(shown))
      return known;
    mlir::Value made;
    if (mlir::Operation *view = shown.getDefiningOp<mlir::ViewLikeOpInterface>()) {
      mlir::Value source = localOf(view->getOperand(0));
      mlir::Operation *clone = builder.clone(*view);
      clone->setOperand(0, source);
      made = clone->getResult(0);
    } else {
      auto buffer = AllocOp::create(builder, shown.getLoc(), shown.getType());
      if (ValueSharding pin = pinOf(shown))
        setShardings(buffer, {pin});
      StoreOp::create(builder, shown.getLoc(), contentOf[shown], buffer);
      made = buffer;
    }
    return local[shown] = made;
  }

  mlir::Block &block;
  mlir::OpBuilder builder; ///< Before what the block held at first.
  llvm::DenseMap<mlir::Value, mlir::Value> contentOf, local;
};

/// Returns the buffers from outside that are stored to inside `op`, in the order of their stores.
llvm::SmallSetVector<mlir::Value, 4> writtenInside(mlir::Operation *op,
                                                   const BufferEffects &effects) {
  llvm::SmallSetVector<mlir::Value, 4> written;
  op->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *inner) {
    for (mlir::OpOperand &operand : inner->getOpOperands())
      if (effects.writes(operand)) {
        mlir::Value buffer = bufferOf(operand.get());
        if (!op->isAncestor(buffer.getParentBlock()->getParentOp()))
          written.insert(buffer);
      }
  });
  return written;
}

/// Returns `op` with its regions, further operands and further results.
mlir::Operation *extend(mlir::OpBuilder &builder, mlir::Operation *op, mlir::ValueRange operands,
                        mlir::TypeRange types) {
  mlir::OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addOperands(operands);
  state.addTypes(op->getResultTypes());
  state.addTypes(types);
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (mlir::Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  mlir::Operation *extended = builder.create(state);
  llvm::SmallVector<ValueSharding> shardings;
  for (mlir::OpResult result : op->getResults())
    shardings.push_back(shardingOf(result));
  extended->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  removeSharding(extended); // Like the others, it lists results.
  extended->removeDiscardableAttr(hintAttrName);
  extended->removeDiscardableAttr(missingAttrName);
  if (!shardings.empty() &&
      llvm::all_of(shardings, [](ValueSharding each) { return bool(each); })) {
    for (mlir::Type type : types)
      shardings.push_back({sdy::fullyOpen(shardings.front().attr.getMeshOrRef(),
                                          llvm::cast<mlir::RankedTensorType>(type).getRank()),
                           ShardingState::inferred});
    setShardings(extended, shardings);
  }
  op->replaceAllUsesWith(extended->getResults().take_front(op->getNumResults()));
  op->erase();
  return extended;
}

/// Passes what the buffers written inside `op` hold in and out as values. Returns what `op` became.
mlir::Operation *carryThrough(mlir::Operation *op, const BufferEffects &effects) {
  llvm::SmallSetVector<mlir::Value, 4> written = writtenInside(op, effects);
  if (written.empty())
    return op;
  bool isLoop = llvm::isa<stablehlo::WhileOp>(op);
  mlir::OpBuilder builder(op);
  llvm::SmallVector<mlir::Value> before;
  for (mlir::Value buffer : written)
    before.push_back(LoadOp::create(builder, op->getLoc(), buffer));
  llvm::SmallVector<mlir::Type> types(mlir::ValueRange(before).getTypes());
  for (mlir::Region &region : op->getRegions()) {
    llvm::SmallVector<mlir::Value> contents = before;
    for (auto [type, content] : llvm::zip(types, contents))
      if (isLoop)
        content = region.addArgument(type, op->getLoc());
    LocalBuffers local(region, written.getArrayRef(), contents);
    local.replaceUses();
    bool isCondition = isLoop && region.getRegionNumber() == 0;
    for (mlir::Value buffer : written)
      if (!isCondition)
        local.yield(buffer);
  }
  unsigned first = op->getNumResults();
  mlir::Operation *extended =
      extend(builder, op, isLoop ? mlir::ValueRange(before) : mlir::ValueRange(), types);
  builder.setInsertionPointAfter(extended);
  for (auto [i, buffer] : llvm::enumerate(written))
    StoreOp::create(builder, extended->getLoc(), extended->getResult(first + i), buffer);
  return extended;
}

void carryThroughOpsOf(mlir::Block &block, const BufferEffects &effects) {
  for (mlir::Operation &op : llvm::make_early_inc_range(block)) {
    if (op.getNumRegions() == 0)
      continue;
    mlir::Operation *now = &op;
    if (llvm::isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op))
      now = carryThrough(&op, effects);
    for (mlir::Region &region : now->getRegions())
      for (mlir::Block &inner : region)
        carryThroughOpsOf(inner, effects);
  }
}

} // namespace

void carryBuffers(mlir::func::FuncOp func, const BufferEffects &effects) {
  for (mlir::Block &block : func.getBody())
    carryThroughOpsOf(block, effects);
}

} // namespace spmd
