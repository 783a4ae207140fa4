// The ops that are no instruction of their own name: calls, tuples, tokens, transfers, markers,
// quantization, and those that are said in terms of others.
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/dialect/stablehlo/LeftOut.h"
#include "spmd/lowering/compile/Boundaries.h"
#include "spmd/lowering/compile/Compiler.h"
#include "spmd/lowering/compile/ConvertAttributes.h"
#include "spmd/lowering/compile/Expand.h"
#include "spmd/lowering/compile/Quantize.h"

#include "llvm/ADT/StringSet.h"

namespace spmd {

void Compiler::compileExpanded(mlir::Operation *op, const Instruction &instruction,
                               Function &function, Values &values) {
  std::vector<TensorType> types;
  bool onNumbers = computesOnNumbers(op); // Else integers stand for them, as in the operands.
  for (mlir::Value result : op->getResults())
    if (std::optional<TensorType> type =
            onNumbers ? numberType(result.getType()) : convertType(result.getType()))
      types.push_back(*type);
  Emitter emit = emitterAt(op, function);
  absl::StatusOr<std::vector<ValueId>> ids = absl::InvalidArgumentError("has no form on a device");
  if (types.size() == op->getNumResults())
    ids = expand(emit, instruction, types);
  if (!ids.ok())
    failed |= mlir::failed(op->emitOpError() << std::string(ids.status().message()));
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    if (!ids.ok())
      define(result, function, values);
    else
      values[result] = {onNumbers && isQuantized(result.getType())
                            ? quantize(emit, (*ids)[i], result.getType())
                            : (*ids)[i]};
}

void Compiler::compileRenaming(mlir::Operation *op, Function &function, Values &values) {
  Ids ids;
  for (mlir::Value operand : op->getOperands())
    ids.append(values.lookup(operand));
  size_t next = 0;
  for (mlir::Value result : op->getResults()) {
    std::optional<std::vector<TensorType>> types = deviceTypes(result.getType());
    size_t count = types ? types->size() : 0;
    bool fits = types && next + count <= ids.size();
    for (size_t i = 0; fits && i < count; ++i)
      fits = function.values[ids[next + i]] == (*types)[i];
    if (!fits) {
      failed |= mlir::failed(op->emitOpError("has results of other types than its operands; on a "
                                             "device it only names them anew"));
      define(result, function, values);
      continue;
    }
    values[result].assign(ids.begin() + next, ids.begin() + next + count);
    next += count;
  }
}

void Compiler::compileTupleElement(mlir::Operation *op, Function &, Values &values) {
  auto element = llvm::cast<stablehlo::GetTupleElementOp>(op);
  auto type = llvm::cast<mlir::TupleType>(op->getOperand(0).getType());
  size_t first = 0, count = 0;
  for (int64_t i = 0; i <= static_cast<int64_t>(element.getIndex()); ++i) {
    first += count;
    std::optional<std::vector<TensorType>> types = deviceTypes(type.getType(i));
    count = types ? types->size() : 1; // Reported where the tuple is made.
  }
  Ids tuple = values.lookup(op->getOperand(0));
  values[op->getResult(0)].assign(tuple.begin() + first, tuple.begin() + first + count);
}

bool Compiler::isShardingMarker(mlir::Operation *op) {
  static const llvm::StringSet<> targets = {"Sharding",
                                            "SPMDFullToShardShape",
                                            "SPMDShardToFullShape",
                                            "LayoutConstraint",
                                            "MoveToDevice",
                                            "MoveToHost",
                                            "PinToDevice",
                                            "PinToDeviceSram",
                                            "ShardBarrierFrom",
                                            "ShardBarrierTo",
                                            "annotate_device_placement",
                                            "xla.sdy.FuncResultSharding",
                                            "xla.sdy.GlobalToLocalShape",
                                            "xla.sdy.LocalToGlobalShape"};
  auto call = llvm::dyn_cast<stablehlo::CustomCallOp>(op);
  return call && targets.contains(call.getCallTargetName());
}

void Compiler::compileShardingOp(mlir::Operation *op, Function &function, Values &values) {
  bool isIdentity =
      op->getNumOperands() == 1 && op->getNumResults() == 1 && op->getNumRegions() == 0;
  if (isIdentity)
    values[op->getResult(0)] = values.lookup(op->getOperand(0));
  else if (op->getNumResults() > 0)
    failed |= mlir::failed(op->emitOpError("has no form on a device yet"));
}

void Compiler::compileInPlace(mlir::Operation *op, Function &function, Values &values) {
  compileInPlace(op, op->getRegion(0).front(), function, values);
}

void Compiler::compileInlined(mlir::func::CallOp call, Function &function, Values &values) {
  auto callee = symbols.lookup<mlir::func::FuncOp>(call.getCallee());
  if (!callee || callee.isExternal() || !inlining.insert(callee).second) {
    failed |= mlir::failed(call.emitOpError("calls a function that has no body or still runs"));
    return;
  }
  compileInPlace(call, callee.getBody().front(), function, values);
  inlining.erase(callee);
}

void Compiler::compileInPlace(mlir::Operation *op, mlir::Block &body, Function &function,
                              Values &values) {
  for (auto [argument, operand] : llvm::zip(body.getArguments(), op->getOperands())) {
    Ids ids = values.lookup(operand);
    values[argument] = ids;
  }
  for (mlir::Operation &inner : body.without_terminator())
    compileOp(&inner, function, values);
  Ids returned;
  for (mlir::Value value : body.getTerminator()->getOperands())
    returned.append(values.lookup(value));
  size_t next = 0;
  for (mlir::Value result : op->getResults()) {
    size_t count = deviceTypes(result.getType()).value_or(std::vector<TensorType>()).size();
    count = std::min(count, returned.size() - next);
    values[result].assign(returned.begin() + next, returned.begin() + next + count);
    next += count;
  }
}

void Compiler::compileCall(mlir::Operation *op, Function &function, Values &values) {
  auto call = llvm::dyn_cast<mlir::func::CallOp>(op);
  mlir::StringRef name =
      call ? call.getCallee() : llvm::cast<stablehlo::CompositeOp>(op).getDecomposition();
  Instruction instruction = instructionFor(op, values);
  instruction.op = "call";
  auto callee = symbols.lookup<mlir::func::FuncOp>(name);
  if (!callee || callee.isExternal())
    failed |= mlir::failed(op->emitOpError("calls a function without a body"));
  else
    instruction.functions.push_back(functionOf(callee));
  defineResults(op, std::move(instruction), function, values);
}

void Compiler::compileConstant(mlir::Operation *op, Function &function, Values &values) {
  bool isSplat;
  mlir::ElementsAttr value = llvm::cast<stablehlo::ConstantOp>(op).getValue();
  std::optional<std::string> bytes = constantBytes(value, isSplat);
  Instruction instruction = instructionFor(op, values);
  if (isLeftOut(value))
    failed |= mlir::failed(op->emitOpError("has elements that are left out; ") << leftOutHint);
  else if (!bytes)
    failed |= mlir::failed(op->emitOpError("has no elements that can be read"));
  else
    instruction.attributes.set("pool", constants.add(*bytes));
  if (isSplat)
    instruction.attributes.set("splat", true);
  defineResults(op, std::move(instruction), function, values);
}

void Compiler::compileTransfer(mlir::Operation *op, Function &function, Values &values) {
  Instruction instruction = instructionFor(op, values);
  ValueId token = instruction.operands.back();
  instruction.operands.pop_back();
  if (auto channel = op->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle"))
    instruction.attributes.set("channel", channel.getHandle());
  if (auto pairs = op->getAttrOfType<mlir::DenseIntElementsAttr>("source_target_pairs"))
    instruction.attributes.set("source_target_pairs", pairsOf(op, pairs));
  for (mlir::Value result : op->getResults())
    if (llvm::isa<stablehlo::TokenType>(result.getType()))
      values[result] = {token};
    else
      append(instruction.results, define(result, function, values));
  function.instructions.push_back(std::move(instruction));
}

std::vector<int64_t> Compiler::pairsOf(mlir::Operation *op,
                                       mlir::DenseIntElementsAttr pairs) const {
  return devicePairs(op, llvm::to_vector(pairs.getValues<int64_t>()), grid);
}

void Compiler::compileParallel(mlir::Operation *op, Function &function, Values &values) {
  auto parallel = llvm::cast<interpreter::RunParallelOp>(op);
  Grid inner;
  inner.byChannel = true;
  inner.numReplicas = parallel.getPrograms().size();
  inner.numPartitions = llvm::cast<mlir::ArrayAttr>(parallel.getPrograms()[0]).size();
  mlir::FailureOr<DeviceProgram> compiled = Compiler(module, inner).run(parallel);
  Instruction instruction = instructionFor(op, values);
  instruction.attributes.set("program", static_cast<int64_t>(program.programs.size()));
  if (mlir::succeeded(compiled))
    program.programs.push_back(*std::move(compiled));
  else
    failed = true;
  defineResults(op, std::move(instruction), function, values);
}

void Compiler::compileReplicaSum(mlir::Operation *op, Function &function, Values &values) {
  Instruction instruction = instructionFor(op, values);
  instruction.op = "all_reduce";
  if (mlir::Attribute groups = op->getAttr("replica_groups"))
    compileGroups(op, groups, instruction);
  instruction.functions.push_back(
      emitterAt(op, function).addBody("add", function.values[instruction.operands[0]].element));
  defineResults(op, std::move(instruction), function, values);
}

} // namespace spmd
