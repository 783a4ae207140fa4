#include "spmd/lowering/compile/Compiler.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/lowering/compile/Boundaries.h"
#include "spmd/lowering/compile/Cells.h"
#include "spmd/lowering/compile/ConvertAttributes.h"
#include "spmd/lowering/compile/Expand.h"
#include "spmd/lowering/compile/Quantize.h"
#include "spmd/lowering/compile/TripCount.h"

#include "llvm/ADT/StringSet.h"

namespace spmd {

void Compiler::compileOp(mlir::Operation *op, Function &function, Values &values) {
  static const llvm::StringMap<Handler> handlers = {
      {"func.call", &Compiler::compileCall},
      {"interpreter.run_parallel", &Compiler::compileParallel},
      {"sdy.named_computation", &Compiler::compileInPlace},
      {"stablehlo.async_done", &Compiler::compileRenaming},
      {"stablehlo.async_start", &Compiler::compileInPlace},
      {"stablehlo.composite", &Compiler::compileCall},
      {"stablehlo.constant", &Compiler::compileConstant},
      {"stablehlo.cross-replica-sum", &Compiler::compileReplicaSum},
      {"stablehlo.get_tuple_element", &Compiler::compileTupleElement},
      {"stablehlo.infeed", &Compiler::compileTransfer},
      {"stablehlo.outfeed", &Compiler::compileTransfer},
      {"stablehlo.recv", &Compiler::compileTransfer},
      {"stablehlo.send", &Compiler::compileTransfer},
      {"stablehlo.tuple", &Compiler::compileRenaming},
      {"stablehlo.uniform_dequantize", &Compiler::compileRequantize},
      {"stablehlo.uniform_quantize", &Compiler::compileRequantize}};
  if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op); call && inScalarBody)
    return compileInlined(call, function, values);
  auto handler = handlers.find(op->getName().getStringRef());
  if (handler != handlers.end())
    return (this->*handler->second)(op, function, values);
  if (op->getName().getDialectNamespace() == sdy::SdyDialect::getDialectNamespace())
    return compileShardingOp(op, function, values);
  if (isShardingMarker(op))
    return compileRenaming(op, function, values);
  Instruction instruction = instructionFor(op, values);
  bool onNumbers = computesOnNumbers(op);
  if (onNumbers && !haveForms(op, function, values))
    return;
  if (onNumbers)
    takeNumbers(op, instruction, function);
  if (!compileAccess(op, takingLoads.contains(op), instruction))
    compileGeneric(op, instruction, values);
  if (isExpanded(instruction.op))
    return compileExpanded(op, instruction, function, values);
  if (!onNumbers || !llvm::any_of(op->getResultTypes(), isQuantized))
    return defineResults(op, std::move(instruction), function, values);
  giveNumbers(op, std::move(instruction), function, values);
}

Emitter Compiler::emitterAt(mlir::Operation *op, Function &function) {
  return {program, function, constants, textOf(op->getLoc())};
}

Instruction Compiler::instructionFor(mlir::Operation *op, Values &values) {
  Instruction instruction;
  instruction.op = op->getName().stripDialect().str();
  instruction.location = textOf(op->getLoc());
  for (mlir::Value operand : op->getOperands())
    append(instruction.operands, values.lookup(operand));
  return instruction;
}

void Compiler::defineResults(mlir::Operation *op, Instruction instruction, Function &function,
                             Values &values) {
  for (mlir::Value result : op->getResults())
    append(instruction.results, define(result, function, values));
  for (size_t i = instruction.results.size(); i < numResults; ++i) { // Captures of a loop.
    function.values.push_back(function.values[instruction.operands[i]]);
    instruction.results.push_back(function.values.size() - 1);
  }
  numResults = 0;
  function.instructions.push_back(std::move(instruction));
}

void Compiler::compileExpanded(mlir::Operation *op, const Instruction &instruction,
                               Function &function, Values &values) {
  std::vector<TensorType> types;
  for (mlir::Value result : op->getResults())
    if (std::optional<TensorType> type = numberType(result.getType()))
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
      values[result] = {isQuantized(result.getType()) ? quantize(emit, (*ids)[i], result.getType())
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
  std::optional<std::string> bytes =
      constantBytes(llvm::cast<stablehlo::ConstantOp>(op).getValue(), isSplat);
  Instruction instruction = instructionFor(op, values);
  if (!bytes)
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

void Compiler::compileGeneric(mlir::Operation *op, Instruction &instruction, Values &values) {
  if (llvm::isa<mlir::ViewLikeOpInterface>(op))
    failed |= mlir::failed(
        op->emitOpError("is a view, which has no form on a device; run spmd-functionalize first"));
  auto properties = llvm::dyn_cast_if_present<mlir::DictionaryAttr>(op->getPropertiesAsAttribute());
  if (properties)
    for (mlir::NamedAttribute attr : properties) {
      if (attr.getName() == "replica_groups")
        compileGroups(op, attr.getValue(), instruction);
      else if (attr.getName() == "source_target_pairs")
        instruction.attributes.set(
            "source_target_pairs",
            pairsOf(op, llvm::cast<mlir::DenseIntElementsAttr>(attr.getValue())));
      else
        addAttribute(instruction.attributes, attr.getName(), attr.getValue());
    }
  if (mlir::Attribute config = op->getDiscardableAttr("mhlo.backend_config"))
    addAttribute(instruction.attributes, "backend_config", config);
  if (op->getNumRegions() > 0)
    compileRegions(op, instruction, values);
}

void Compiler::compileRegions(mlir::Operation *op, Instruction &instruction, Values &values) {
  bool isLoop = llvm::isa<stablehlo::WhileOp>(op);
  bool isFrame = isLoop || llvm::isa<stablehlo::IfOp, stablehlo::CaseOp>(op);
  llvm::SetVector<mlir::Value> captures, sunk;
  for (mlir::Region &region : op->getRegions())
    region.walk([&](mlir::Operation *inner) {
      for (mlir::Value operand : inner->getOperands())
        if (!op->isAncestor(operand.getParentBlock()->getParentOp())) {
          bool isConstant = llvm::isa_and_present<stablehlo::ConstantOp>(operand.getDefiningOp());
          (isConstant && !isFrame ? sunk : captures).insert(operand);
        }
    });
  for (mlir::Value capture : captures)
    append(instruction.operands, values.lookup(capture));
  bool isAround = std::exchange(inScalarBody, inScalarBody || !llvm::isa<DataFlow>(op));
  for (auto [i, region] : llvm::enumerate(op->getRegions()))
    instruction.functions.push_back(
        compileRegion(region, (instruction.op + "." + llvm::Twine(i)).str(), captures.getArrayRef(),
                      sunk.getArrayRef(), isLoop && i == 1));
  inScalarBody = isAround;
  if (!isLoop)
    return;
  numResults = instruction.operands.size();
  if (std::optional<int64_t> trips = tripCountOf(llvm::cast<stablehlo::WhileOp>(op)))
    instruction.attributes.set("trip_count", *trips);
}

void Compiler::compileGroups(mlir::Operation *op, mlir::Attribute attr, Instruction &instruction) {
  mlir::FailureOr<ReplicaGroups> groups = groupsOf(op, attr, grid);
  if (mlir::failed(groups)) {
    failed = true;
    return;
  }
  auto [known, isNew] = groupIndex.try_emplace(*groups, program.groups.size());
  if (isNew)
    program.groups.push_back(*std::move(groups));
  instruction.groups = known->second;
}

} // namespace spmd
