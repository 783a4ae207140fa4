#include "spmd/passes/refine/Evaluation.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using mlir::Operation;
using mlir::Value;
using mlir::func::FuncOp;

/// What has to run for some values.
struct Evaluation::Slice {
  llvm::SetVector<Operation *> ops; ///< Each behind what it needs.
  llvm::SetVector<Value> inputs;    ///< Values that are known, as arrays.
};

//===- Functions and equal values ------------------------------------------===//

void Evaluation::enter(FuncOp func, Operation *call) {
  frameOf[func] = frames.size();
  frames.emplace_back().func = func;
  if (call)
    for (auto [argument, operand] : llvm::zip(func.getArguments(), call->getOperands()))
      equate(argument, operand);
}

llvm::SmallVector<unsigned> Evaluation::leave() {
  Frame frame = std::move(frames.back());
  frames.pop_back();
  frameOf.erase(frame.func);
  for (Value value : frame.arrays)
    arrays.erase(value);
  for (Value value : frame.equals)
    equals.erase(value);
  return llvm::to_vector(frame.asked);
}

void Evaluation::equate(Value target, Value source) {
  equals[target] = source;
  frames.back().equals.push_back(target);
}

/// The function that `value` stands in.
static Operation *functionOf(Value value) {
  return value.getParentRegion()->getParentOfType<FuncOp>();
}

void Evaluation::keep(Value value, Execution::ArrayRef array) {
  arrays[value] = std::move(array);
  frames[frameOf.lookup(functionOf(value))].arrays.push_back(value);
}

/// Returns the value that `value` is equal to, as far out as it is known to be the same.
Value Evaluation::resolve(Value value) {
  while (!arrays.contains(value)) {
    auto equal = equals.find(value);
    if (equal == equals.end())
      break;
    Operation *from = functionOf(value);
    if (functionOf(equal->second) != from)
      frames[frameOf.lookup(from)].asked.insert(
          llvm::cast<mlir::BlockArgument>(value).getArgNumber());
    value = equal->second;
  }
  return value;
}

//===- What has to run -----------------------------------------------------===//

/// Calls `visit` for the values that `op`, or an op inside it, takes from around it.
static void forEachInput(Operation *op, llvm::function_ref<void(Value)> visit) {
  for (Value operand : op->getOperands())
    visit(operand);
  for (mlir::Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
          visit(operand);
    });
}

/// Returns what keeps the op that gives `value` from being run by itself, if anything does.
std::optional<Obstacle> Evaluation::obstacleAt(Value value) {
  auto isOpen = [](mlir::Type type) { return isDynamic(type); };
  std::optional<Obstacle> found;
  value.getDefiningOp()->walk([&](Operation *op) {
    if (llvm::any_of(op->getOperandTypes(), isOpen) || llvm::any_of(op->getResultTypes(), isOpen)) {
      found.emplace(); // Why is reported.
      return mlir::WalkResult::interrupt();
    }
    const char *reason = nullptr;
    mlir::FlatSymbolRefAttr callee = calleeOf(op);
    FuncOp called = callee ? symbols.lookup<FuncOp>(callee.getValue()) : nullptr;
    if (dependsOnDevice(op) || (called && callees.dependsOnDevice(called)))
      reason = ", which differs from device to device";
    else if (callee ? !called || callees.hasEffects(called) : hasOwnEffects(op))
      reason = ", which has effects besides its results";
    if (!reason)
      return mlir::WalkResult::advance();
    found = Obstacle{value, reason};
    return mlir::WalkResult::interrupt();
  });
  return found;
}

/// Makes sure that the array of `argument` is there.
std::optional<Obstacle> Evaluation::take(mlir::BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (parent != frames.front().func) {
    auto flow = llvm::dyn_cast<DataFlow>(parent);
    return Obstacle{argument, flow && flow.getOwnManualAxes()
                                  ? ", which differs from device to device"
                                  : ", which differs from round to round"};
  }
  absl::StatusOr<Execution::ArrayRef> array =
      execution.argument(argument.getArgNumber(), argument.getType());
  if (!array.ok())
    return Obstacle{{}, std::string(array.status().message())};
  keep(argument, *std::move(array));
  return std::nullopt;
}

std::optional<Obstacle> Evaluation::collect(llvm::ArrayRef<Value> values, Slice &slice) {
  struct Open {
    Value value;
    bool isExpanded;
  };
  std::vector<Open> open;
  for (Value value : llvm::reverse(values))
    open.push_back({value, false});
  while (!open.empty()) {
    auto [asked, isExpanded] = open.back();
    open.pop_back();
    Value value = resolve(asked);
    Operation *op = value.getDefiningOp();
    if (isExpanded) {
      slice.ops.insert(op);
      continue;
    }
    if (op && slice.ops.contains(op))
      continue;
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
      if (!arrays.contains(value))
        if (std::optional<Obstacle> obstacle = take(argument))
          return obstacle;
    if (arrays.contains(value)) {
      slice.inputs.insert(value);
      continue;
    }
    if (std::optional<Obstacle> obstacle = obstacleAt(value))
      return obstacle;
    open.push_back({value, true});
    forEachInput(op, [&](Value input) { open.push_back({input, false}); });
  }
  return std::nullopt;
}

//===- Running it ----------------------------------------------------------===//

/// Copies into `program` what its ops name: functions that they call, meshes.
void Evaluation::addSymbols(mlir::ModuleOp program) {
  llvm::SetVector<Operation *> named;
  auto add = [&](Operation *from) {
    if (auto uses = mlir::SymbolTable::getSymbolUses(from))
      for (const mlir::SymbolTable::SymbolUse &use : *uses)
        if (Operation *symbol = symbols.lookup(use.getSymbolRef().getRootReference()))
          named.insert(symbol);
  };
  add(&program.getBody()->front());
  for (size_t i = 0; i < named.size(); ++i)
    add(named[i]);
  for (Operation *symbol : named)
    program.push_back(symbol->clone());
}

mlir::OwningOpRef<mlir::ModuleOp> Evaluation::programOf(const Slice &slice,
                                                        llvm::ArrayRef<Value> results) {
  mlir::Location loc = frames.front().func.getLoc();
  mlir::OwningOpRef<mlir::ModuleOp> program = mlir::ModuleOp::create(loc);
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(program->getBody());
  auto typesOf = [](auto values) {
    return llvm::map_to_vector(values, [](Value value) { return value.getType(); });
  };
  auto main = FuncOp::create(
      builder, loc, "main",
      builder.getFunctionType(typesOf(slice.inputs.getArrayRef()), typesOf(results)));
  builder.setInsertionPointToStart(main.addEntryBlock());
  mlir::IRMapping mapping;
  for (auto [input, argument] : llvm::zip(slice.inputs, main.getArguments()))
    mapping.map(input, argument);
  for (Operation *op : slice.ops) {
    forEachInput(op, [&](Value input) { mapping.map(input, mapping.lookup(resolve(input))); });
    builder.clone(*op, mapping);
  }
  auto returned = llvm::map_to_vector(
      results, [&](Value value) -> Value { return mapping.lookup(resolve(value)); });
  mlir::func::ReturnOp::create(builder, loc, returned);
  addSymbols(*program);
  return program;
}

std::optional<Obstacle> Evaluation::run(const Slice &slice, llvm::ArrayRef<Value> values) {
  auto isInside = [&](Operation *op) {
    while (op && !slice.ops.contains(op))
      op = op->getParentOp();
    return op != nullptr;
  };
  llvm::SetVector<Value> results;
  for (Value value : values)
    results.insert(resolve(value));
  for (Operation *op : slice.ops)
    if (!op->hasTrait<mlir::OpTrait::ConstantLike>())
      for (Value result : op->getResults())
        if (!llvm::all_of(result.getUsers(), isInside))
          results.insert(result);
  auto inputs = llvm::map_to_vector(slice.inputs, [&](Value input) { return arrays.at(input); });
  absl::StatusOr<std::vector<Execution::ArrayRef>> computed =
      execution.run(*programOf(slice, results.getArrayRef()), inputs);
  if (!computed.ok())
    return Obstacle{{}, std::string(computed.status().message())};
  for (auto [value, array] : llvm::zip(results, *computed))
    if (!arrays.contains(value))
      keep(value, std::move(array));
  return std::nullopt;
}

std::optional<Obstacle> Evaluation::compute(llvm::ArrayRef<Value> values,
                                            std::vector<Ints> &elements) {
  if (isStopped)
    return Obstacle{};
  Slice slice;
  if (std::optional<Obstacle> obstacle = collect(values, slice))
    return obstacle;
  if (!slice.ops.empty())
    if (std::optional<Obstacle> obstacle = run(slice, values))
      return obstacle;
  for (Value value : values)
    elements.push_back(execution.elements(*arrays.at(resolve(value)),
                                          llvm::cast<mlir::RankedTensorType>(value.getType())));
  return std::nullopt;
}

} // namespace spmd
