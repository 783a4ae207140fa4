#include "spmd/passes/functionalize/Functionalize.h"
#include "spmd/passes/functionalize/Results.h"
#include "spmd/passes/functionalize/Views.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"

#include "llvm/ADT/MapVector.h"

namespace spmd {

namespace {

/// Follows the buffers of one function from its start to its end.
class FunctionRewriter {
public:
  FunctionRewriter(mlir::func::FuncOp func, const BufferEffects &effects)
      : func(func), effects(effects) {}

  /// Sharding groups take their numbers from `nextGroup`, if it is not null.
  void run(int64_t *nextGroup) {
    std::vector<mlir::Operation *> ops;
    func.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      if (llvm::isa<AllocOp, LoadOp, StoreOp, mlir::func::CallOp>(op))
        ops.push_back(op);
    });
    loadArguments();
    for (mlir::Operation *op : ops) {
      if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op)) {
        rewrite(call);
        continue;
      }
      obsolete.push_back(op);
      if (auto alloc = llvm::dyn_cast<AllocOp>(op))
        cells[alloc].pin = pinOf(alloc);
      else if (auto load = llvm::dyn_cast<LoadOp>(op))
        load.getResult().replaceAllUsesWith(contentOf(load.getBuffer()));
      else if (auto store = llvm::dyn_cast<StoreOp>(op))
        put(cells[store.getBuffer()], store.getValue(), store);
    }
    if (effects.isCalled(func))
      returnContents();
    if (nextGroup)
      groupContents(*nextGroup);
    for (mlir::Operation *op : llvm::reverse(obsolete))
      op->erase();
    replaceArguments();
  }

private:
  /// A buffer: what it holds at this point, and all that it held.
  struct Cell {
    ValueSharding pin;
    mlir::Value content; ///< Null as long as nothing was stored or loaded.
    llvm::SmallSetVector<mlir::Value, 2> history;

    void hold(mlir::Value value) {
      content = value;
      history.insert(value);
    }
  };

  //===- Arguments -----------------------------------------------------------===//

  /// Until all else is done, a load stands for what an argument holds at first.
  void loadArguments() {
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(&func.getBody().front());
    for (mlir::BlockArgument argument : func.getArguments()) {
      if (!isBuffer(argument))
        continue;
      first.push_back(LoadOp::create(builder, argument.getLoc(), argument));
      cells[argument].pin = pinOf(argument);
      if (ValueSharding pin = pinOf(argument))
        setShardings(first.back(), {pin});
      cells[argument].hold(first.back());
    }
  }

  void replaceArguments() {
    for (LoadOp load : first) {
      mlir::Value argument = load.getBuffer();
      argument.setType(load.getType());
      load.getResult().replaceAllUsesWith(argument);
      load.erase();
    }
    func.setFunctionType(mlir::FunctionType::get(
        func.getContext(), func.getBody().getArgumentTypes(), func.getResultTypes()));
  }

  void returnContents() {
    std::vector<Content> contents;
    for (mlir::BlockArgument argument : func.getArguments())
      if (isBuffer(argument) && effects.writes(func, argument.getArgNumber()))
        contents.push_back({argument.getArgNumber(), contentOf(argument)});
    appendResults(func, contents);
  }

  //===- Contents ------------------------------------------------------------===//

  mlir::Value contentOf(mlir::Value buffer) {
    Cell &cell = cells[buffer];
    if (!cell.content) {
      auto alloc = buffer.getDefiningOp<AllocOp>();
      mlir::OpBuilder builder(alloc);
      cell.hold(
          fillConstant(builder, alloc.getLoc(), alloc.getType().getTensor(), FillValue::zero));
      if (cell.pin)
        setShardings(cell.content.getDefiningOp(), {cell.pin});
    }
    return cell.content;
  }

  /// The buffer holds `tensor` from before `op` on.
  void put(Cell &cell, mlir::Value tensor, mlir::Operation *op) {
    if (tensor == cell.content)
      return;
    mlir::OpBuilder builder(op);
    cell.hold(constrain(builder, op->getLoc(), tensor, cell.pin));
  }

  /// Passes what the buffers hold, and takes what the callee returns of those that it writes.
  void rewrite(mlir::func::CallOp call) {
    if (llvm::none_of(call->getOperands(), isBuffer))
      return;
    mlir::func::FuncOp callee = effects.calleeOf(call);
    llvm::SmallVector<mlir::Value> operands, written;
    llvm::SmallVector<mlir::Type> types(call->getResultTypes());
    for (mlir::OpOperand &operand : call->getOpOperands()) {
      operands.push_back(isBuffer(operand.get()) ? contentOf(operand.get()) : operand.get());
      if (isBuffer(operand.get()) && effects.writes(callee, operand.getOperandNumber())) {
        written.push_back(operand.get());
        types.push_back(operands.back().getType());
      }
    }
    mlir::OpBuilder builder(call);
    auto values =
        mlir::func::CallOp::create(builder, call.getLoc(), call.getCallee(), types, operands);
    for (auto [from, to] : llvm::zip(call->getResults(), values->getResults()))
      from.replaceAllUsesWith(to);
    values->setDiscardableAttrs(call->getDiscardableAttrDictionary());
    removeSharding(values); // It has results now that are not listed there.
    for (auto [i, buffer] : llvm::enumerate(written))
      put(cells[buffer], values->getResult(call->getNumResults() + i), call);
    call.erase();
  }

  /// Returns the values that are made of constants alone.
  llvm::DenseSet<mlir::Value> findConstants() {
    llvm::DenseSet<mlir::Value> found;
    func.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      if (makesConstants(op, [&](mlir::Value value) { return found.contains(value); }))
        found.insert_range(op->getResults());
    });
    return found;
  }

  /// Ties what each unpinned buffer holds in turn by a sharding group. So a constant that it holds,
  /// even if that is all: it is one thing to all who read it, not one that they share by chance.
  void groupContents(int64_t &nextGroup) {
    llvm::DenseSet<mlir::Value> constants = findConstants();
    for (auto &[buffer, cell] : cells) {
      bool isAlone = cell.history.size() == 1 && !constants.contains(cell.history.front());
      if (cell.history.empty() || isAlone || isClosed(cell.pin))
        continue;
      int64_t id = nextGroup++;
      for (mlir::Value content : cell.history) {
        mlir::OpBuilder builder(func.getContext());
        builder.setInsertionPointAfterValue(content);
        sdy::ShardingGroupOp::create(builder, content.getLoc(), content, id);
      }
    }
  }

  mlir::func::FuncOp func;
  const BufferEffects &effects;
  llvm::MapVector<mlir::Value, Cell> cells;
  std::vector<LoadOp> first;
  std::vector<mlir::Operation *> obsolete; ///< Accesses; they stay until nothing refers to them.
};

} // namespace

void buffersToValues(mlir::ModuleOp module, const BufferEffects &effects) {
  int64_t nextGroup = 0;
  module.walk([&](sdy::ShardingGroupOp group) {
    nextGroup = std::max(nextGroup, static_cast<int64_t>(group.getGroupId()) + 1);
  });
  bool hasMesh = ShardingCodec(module).mainMesh() >= 0;
  for (auto func : module.getOps<mlir::func::FuncOp>())
    if (!func.isExternal())
      FunctionRewriter(func, effects).run(hasMesh ? &nextGroup : nullptr);
}

} // namespace spmd
