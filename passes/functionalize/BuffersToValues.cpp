#include "spmd/passes/functionalize/Functionalize.h"
#include "spmd/passes/functionalize/Results.h"
#include "spmd/passes/functionalize/Views.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/spmd/Donation.h"
#include "spmd/dialect/spmd/GrownPin.h"

#include "llvm/ADT/MapVector.h"

namespace spmd {

namespace {

/// Follows the buffers of one function from its start to its end.
class FunctionRewriter {
public:
  FunctionRewriter(mlir::func::FuncOp func, const BufferEffects &effects)
      : func(func), effects(effects) {}

  /// Makes all buffers values. Sharding groups take their numbers from `nextGroup`, if it is not
  /// null.
  void makeValues(int64_t *nextGroup) {
    followBuffers();
    if (effects.isCalled(func))
      returnContents();
    if (nextGroup)
      groupContents(*nextGroup);
    eraseObsolete();
    replaceArguments();
  }

  /// Does the same once shardings are known, but for the arguments: these stay buffers, which are
  /// read at the start and written at the end.
  void forward() {
    isPropagated = true;
    followBuffers();
    storeContents();
    eraseObsolete();
    for (LoadOp load : first)
      if (load->use_empty())
        load.erase();
  }

private:
  void followBuffers() {
    std::vector<mlir::Operation *> ops;
    func.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      if (llvm::isa<AllocOp, LoadOp, StoreOp>(op))
        ops.push_back(op);
    });
    loadArguments();
    for (mlir::Operation *op : ops) {
      obsolete.push_back(op);
      if (auto alloc = llvm::dyn_cast<AllocOp>(op))
        cells[alloc].pin = pinToMeet(alloc);
      else if (auto load = llvm::dyn_cast<LoadOp>(op))
        replace(load);
      else if (auto store = llvm::dyn_cast<StoreOp>(op))
        put(cells[store.getBuffer()], store.getValue(), store);
    }
  }

  void eraseObsolete() {
    for (mlir::Operation *op : llvm::reverse(obsolete))
      op->erase();
  }

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
      cells[argument].pin = pinToMeet(argument);
      if (ValueSharding sharding = known(argument))
        setShardings(first.back(), {sharding});
      cells[argument].hold(first.back());
    }
  }

  void replaceArguments() {
    for (LoadOp load : first) {
      mlir::Value argument = load.getBuffer();
      argument.setType(load.getType());
      func.removeArgAttr(llvm::cast<mlir::BlockArgument>(argument).getArgNumber(),
                         grownFromAttrName);
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

  /// Stores at the end what the arguments hold there, and returns it from there.
  void storeContents() {
    mlir::Operation *terminator = func.getBody().front().getTerminator();
    mlir::OpBuilder builder(terminator);
    for (LoadOp load : first) {
      auto argument = llvm::cast<mlir::BlockArgument>(load.getBuffer());
      mlir::Value content = cells[argument].content;
      if (content == load.getResult())
        continue;
      StoreOp::create(builder, argument.getLoc(), content, argument);
      auto result = func.getArgAttrOfType<mlir::IntegerAttr>(argument.getArgNumber(), donationName);
      bool isResult = result && result.getInt() >= 0 &&
                      result.getInt() < static_cast<int64_t>(terminator->getNumOperands());
      if (!isResult || terminator->getOperand(result.getInt()) != content)
        continue;
      auto left = LoadOp::create(builder, argument.getLoc(), argument);
      if (ValueSharding sharding = shardingOf(argument))
        setShardings(left, {sharding});
      terminator->setOperand(result.getInt(), left);
    }
  }

  //===- Contents ------------------------------------------------------------===//

  /// What is known of how a buffer lies: what propagation found, or before it the pin.
  ValueSharding known(mlir::Value buffer) const {
    return isPropagated ? shardingOf(buffer) : pinOf(buffer);
  }

  /// What all that is stored in a buffer is brought to: once that is known, what propagation found.
  ValueSharding pinToMeet(mlir::Value buffer) const {
    return isPropagated ? pinOf(buffer) : originalPinOf(buffer);
  }

  void replace(LoadOp load) {
    mlir::Value content = contentOf(load.getBuffer());
    // Where a pin left dims open, the first that reads tells how the tensor came to lie.
    if (ValueSharding sharding = shardingOf(load); sharding && open.erase(content.getDefiningOp()))
      content.getDefiningOp<sdy::ShardingConstraintOp>().setShardingAttr(sharding.attr);
    load.getResult().replaceAllUsesWith(content);
  }

  mlir::Value contentOf(mlir::Value buffer) {
    Cell &cell = cells[buffer];
    if (!cell.content) {
      auto alloc = buffer.getDefiningOp<AllocOp>();
      mlir::OpBuilder builder(alloc);
      cell.hold(
          fillConstant(builder, alloc.getLoc(), alloc.getType().getTensor(), FillValue::zero));
      if (ValueSharding sharding = known(buffer))
        setShardings(cell.content.getDefiningOp(), {sharding});
    }
    return cell.content;
  }

  /// The buffer holds `tensor` from before `op` on.
  void put(Cell &cell, mlir::Value tensor, mlir::Operation *op) {
    if (tensor == cell.content)
      return;
    mlir::OpBuilder builder(op);
    cell.hold(constrain(builder, op->getLoc(), tensor, cell.pin));
    if (isPropagated && cell.content != tensor && !isClosed(cell.pin))
      open.insert(cell.content.getDefiningOp());
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

  /// Ties by a sharding group what an argument holds at first to what it leaves in the memory that
  /// it is donated to; what it holds in between lies as it likes. A constant has a group of its
  /// own: it is one thing to all who read the buffer, not one that they share by chance.
  void groupContents(int64_t &nextGroup) {
    llvm::DenseSet<mlir::Value> constants = findConstants();
    for (auto &[buffer, cell] : cells) {
      if (cell.history.empty() || isClosed(cell.pin))
        continue;
      llvm::SmallSetVector<mlir::Value, 2> tied;
      if (isDonated(buffer) && cell.content != cell.history.front())
        tied.insert_range(llvm::ArrayRef{cell.history.front(), cell.content});
      group(tied.getArrayRef(), nextGroup);
      for (mlir::Value content : cell.history)
        if (constants.contains(content) && !tied.contains(content))
          group(content, nextGroup);
    }
  }

  static void group(mlir::ValueRange members, int64_t &nextGroup) {
    for (mlir::Value member : members) {
      mlir::OpBuilder builder(member.getContext());
      builder.setInsertionPointAfterValue(member);
      sdy::ShardingGroupOp::create(builder, member.getLoc(), member, nextGroup);
    }
    nextGroup += members.empty() ? 0 : 1;
  }

  mlir::func::FuncOp func;
  const BufferEffects &effects;
  llvm::MapVector<mlir::Value, Cell> cells;
  std::vector<LoadOp> first;
  std::vector<mlir::Operation *> obsolete; ///< Accesses; they stay until nothing refers to them.
  bool isPropagated = false;               ///< Whether shardings are known.
  /// Constraints to pins with open dims, till something is read that lies so.
  llvm::SmallDenseSet<mlir::Operation *> open;
};

} // namespace

void buffersToValues(mlir::ModuleOp module, const BufferEffects &effects, bool ofCalleesOnly) {
  int64_t nextGroup = 0;
  module.walk([&](sdy::ShardingGroupOp group) {
    nextGroup = std::max(nextGroup, static_cast<int64_t>(group.getGroupId()) + 1);
  });
  bool hasMesh = ShardingCodec(module).mainMesh() >= 0;
  for (auto func : module.getOps<mlir::func::FuncOp>())
    if (!func.isExternal() && (!ofCalleesOnly || effects.isCalled(func)))
      FunctionRewriter(func, effects).makeValues(hasMesh ? &nextGroup : nullptr);
}

void forwardContents(mlir::ModuleOp module, const BufferEffects &effects) {
  for (auto func : module.getOps<mlir::func::FuncOp>())
    if (!func.isExternal())
      FunctionRewriter(func, effects).forward();
}

} // namespace spmd
