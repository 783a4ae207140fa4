#include "spmd/passes/verify/rules/OpProgram.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/partitioning/algorithms/CollectiveBuilder.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/rules/Split.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace spmd {

/// Returns the values that regions of `op` read and do not define, in the order of first use.
static llvm::SetVector<mlir::Value> valuesReadOutside(mlir::Operation *op) {
  llvm::SetVector<mlir::Value> outside;
  op->walk([&](mlir::Operation *inner) {
    for (mlir::Value value : inner->getOperands())
      if (inner != op && !op->isAncestor(value.getParentBlock()->getParentOp()))
        outside.insert(value);
  });
  return outside;
}

namespace {

class ProgramMaker {
public:
  explicit ProgramMaker(const PlacedOp &placed)
      : placed(placed), op(placed.op), loc(op->getLoc()), builder(op->getContext()),
        module(mlir::ModuleOp::create(loc)) {
    if (placed.mesh) {
      builder.setInsertionPointToStart(module->getBody());
      sdy::MeshOp::create(builder, loc, "mesh", sdy::MeshAttr::get(op->getContext(), *placed.mesh));
      codec.emplace(*module);
    }
  }

  mlir::OwningOpRef<mlir::ModuleOp> make() {
    makeMain();
    llvm::SmallVector<mlir::Value> operands;
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      operands.push_back(operandOf(i));
    copyConstants();
    mlir::Operation *copy = builder.clone(*op, mapping);
    copy->setOperands(operands); // Equal operands are different arguments.
    removeSharding(copy);
    llvm::SmallVector<Sharding> shardings;
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      shardings.push_back(shardingOfResult(placed, i));
    shard(copy, shardings);
    mlir::func::ReturnOp::create(builder, loc, copy->getResults());
    shardBoundary(shardings);
    return std::move(module);
  }

private:
  bool isPartial(unsigned operand) const {
    return llvm::is_contained(placed.partial.operands, operand);
  }

  mlir::Type argumentType(unsigned operand) const {
    mlir::Type type = op->getOperand(operand).getType();
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    if (!tensor || !isPartial(operand))
      return type;
    llvm::SmallVector<int64_t> shape(tensor.getShape());
    shape.insert(shape.begin(), placed.numShares);
    return tensor.clone(shape);
  }

  void makeMain() {
    llvm::SmallVector<mlir::Type> arguments;
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      arguments.push_back(argumentType(i));
    builder.setInsertionPointToEnd(module->getBody());
    main = mlir::func::FuncOp::create(builder, loc, "main",
                                      builder.getFunctionType(arguments, op->getResultTypes()));
    builder.setInsertionPointToStart(main.addEntryBlock());
  }

  mlir::Value operandOf(unsigned operand) {
    mlir::Value argument = main.getArgument(operand);
    if (!isPartial(operand))
      return argument;
    auto type = llvm::cast<mlir::RankedTensorType>(op->getOperand(operand).getType());
    ReductionKind kind = placed.partial.kind;
    mlir::Value identity =
        fillConstant(builder, loc, type.clone(llvm::ArrayRef<int64_t>{}), identityOf(kind));
    shard(identity.getDefiningOp(), Sharding());
    auto reduce =
        stablehlo::ReduceOp::create(builder, loc, mlir::TypeRange{type}, mlir::ValueRange{argument},
                                    mlir::ValueRange{identity}, llvm::ArrayRef<int64_t>{0});
    buildReducer(reduce.getBody(), loc, type.getElementType(), kind);
    shard(reduce, shardingOfOperand(operand));
    return reduce->getResult(0);
  }

  void copyConstants() {
    for (mlir::Value value : valuesReadOutside(op)) {
      mlir::Operation *copy = builder.clone(*value.getDefiningOp());
      removeSharding(copy);
      mapping.map(value, copy->getResult(0));
    }
  }

  /// Returns how operand `operand` comes to the op.
  Sharding shardingOfOperand(unsigned operand) const {
    Sharding sharding = placed.mesh
                            ? unproject(placed.strategy->rule,
                                        placed.strategy->rule.operands[operand], placed.factorAxes)
                            : Sharding();
    if (placed.mesh && isPartial(operand)) {
      sharding.unreduced = {wholeAxis(*placed.mesh, placed.mesh->axes().size() - 1)};
      sharding.kind = placed.partial.kind;
    }
    return sharding;
  }

  sdy::ShardingAttr attrOf(const Sharding &sharding) {
    return codec->encode({codec->indexOf(*placed.mesh), sharding});
  }

  void shard(mlir::Operation *made, llvm::ArrayRef<Sharding> shardings) {
    if (!placed.mesh)
      return;
    llvm::SmallVector<ValueSharding> values;
    for (const Sharding &sharding : shardings)
      values.push_back({attrOf(sharding), ShardingState::pinned});
    setShardings(made, values);
  }

  void shardBoundary(llvm::ArrayRef<Sharding> results) {
    if (!placed.mesh)
      return;
    BoundaryAttributes boundary(main);
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      if (!tensorTypeOf(op->getOperand(i)))
        continue;
      Sharding sharding = shardingOfOperand(i);
      if (isPartial(i)) { // Its shares side by side.
        DimSharding shares{sharding.unreduced};
        sharding.dims.insert(sharding.dims.begin(), shares);
        sharding.unreduced.clear();
        sharding.kind = ReductionKind::sum;
      }
      setSharding(boundary.ofArgument(i), {attrOf(sharding), ShardingState::pinned});
    }
    for (auto [i, sharding] : llvm::enumerate(results))
      if (tensorTypeOf(op->getResult(i)))
        setSharding(boundary.ofResult(i), {attrOf(sharding), ShardingState::pinned});
    boundary.write();
  }

  const PlacedOp &placed;
  mlir::Operation *op;
  mlir::Location loc;
  mlir::OpBuilder builder;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<ShardingCodec> codec;
  mlir::func::FuncOp main;
  mlir::IRMapping mapping;
};

} // namespace

void copyNamedFunctions(mlir::Operation *from, mlir::ModuleOp module) {
  mlir::Operation *table = mlir::SymbolTable::getNearestSymbolTable(from);
  if (!table)
    return;
  llvm::SetVector<mlir::Operation *> needed;
  auto addNamedBy = [&](mlir::Operation *op) {
    if (auto uses = mlir::SymbolTable::getSymbolUses(op))
      for (const mlir::SymbolTable::SymbolUse &use : *uses) {
        auto func = llvm::dyn_cast_if_present<mlir::func::FuncOp>(
            mlir::SymbolTable::lookupSymbolIn(table, use.getSymbolRef()));
        if (!func)
          func = functionNamed(op, use.getSymbolRef().getRootReference().getValue());
        if (func && func.getSymName() != "main") // That is what the op is put into.
          needed.insert(func);
      }
  };
  addNamedBy(from);
  size_t next = 0;
  while (next < needed.size()) // It grows on the way.
    addNamedBy(needed[next++]);
  for (mlir::Operation *func : needed) {
    mlir::Operation *copy = func->clone();
    mlir::SymbolTable::setSymbolVisibility(copy, mlir::SymbolTable::Visibility::Private);
    module.push_back(copy);
  }
}

mlir::OwningOpRef<mlir::ModuleOp> makeProgram(const PlacedOp &placed) {
  return ProgramMaker(placed).make();
}

bool readsOutside(mlir::Operation *op, bool butConstants) {
  return llvm::any_of(valuesReadOutside(op), [&](mlir::Value value) {
    return !butConstants || !llvm::isa_and_present<stablehlo::ConstantOp>(value.getDefiningOp());
  });
}

/// What is left of partial operands.
static PartialState passedBy(const PlacedOp &placed) {
  if (placed.partial.operands.empty())
    return {};
  const Commuting &commuting = placed.strategy->commuting[placed.partial.operands.front()];
  return {{wholeAxis(*placed.mesh, placed.mesh->axes().size() - 1)},
          commuting[placed.partial.kind].becomes};
}

bool leavesOneState(const PlacedOp &placed) {
  return partialResult(placed.strategy->rule, placed.factorAxes, passedBy(placed)).has_value();
}

Sharding shardingOfResult(const PlacedOp &placed, unsigned result) {
  if (!placed.mesh)
    return {};
  const OpRule &rule = placed.strategy->rule;
  Sharding sharding = unproject(rule, rule.results[result], placed.factorAxes);
  std::optional<PartialState> partial = partialResult(rule, placed.factorAxes, passedBy(placed));
  if (partial && !partial->axes.empty()) {
    sharding.unreduced = partial->axes;
    sharding.kind = partial->kind;
  }
  return sharding;
}

} // namespace spmd
