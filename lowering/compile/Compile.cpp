#include "spmd/lowering/compile/Compile.h"

#include "spmd/dialect/interpreter/Dialect.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/lowering/compile/Boundaries.h"
#include "spmd/lowering/compile/Cells.h"
#include "spmd/lowering/compile/ConvertAttributes.h"
#include "spmd/lowering/compile/Emitter.h"
#include "spmd/lowering/compile/Expand.h"
#include "spmd/lowering/compile/Fuse.h"
#include "spmd/lowering/compile/Grid.h"
#include "spmd/lowering/compile/Quantize.h"
#include "spmd/lowering/program/Releases.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"

namespace spmd {

bool isPartitioned(mlir::ModuleOp module) {
  for (auto func : module.getOps<mlir::func::FuncOp>()) {
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (func.getArgAttr(i, globalTypeAttrName))
        return true;
    for (unsigned i = 0; i < func.getNumResults(); ++i)
      if (func.getResultAttr(i, globalTypeAttrName))
        return true;
  }
  return false;
}

namespace {

std::string textOf(mlir::Location location) {
  if (auto place = location->findInstanceOf<mlir::FileLineColLoc>())
    return (place.getFilename().getValue() + ":" + llvm::Twine(place.getLine()) + ":" +
            llvm::Twine(place.getColumn()))
        .str();
  return "";
}

class Compiler {
public:
  Compiler(mlir::ModuleOp module, const Grid &grid)
      : module(module), symbols(module), grid(grid), constants(program) {
    program.name = module.getName().value_or("program").str();
    program.numDevices = grid.numDevices();
    program.numReplicas = grid.numReplicas;
  }

  mlir::FailureOr<DeviceProgram> run(mlir::func::FuncOp main) {
    program.entry = functionOf(main);
    compilePending();
    failed |= mlir::failed(describeBoundary(main, program));
    return finish();
  }

  /// Compiles programs that differ by device, without boundaries.
  mlir::FailureOr<DeviceProgram> run(interpreter::RunParallelOp op) {
    for (mlir::Attribute row : op.getPrograms())
      for (mlir::Attribute name : llvm::cast<mlir::ArrayAttr>(row))
        program.entries.push_back(functionNamed(name));
    program.entry = program.entries[0];
    if (mlir::ArrayAttr infeed = op.getInfeedAttr())
      for (mlir::Attribute name : infeed)
        program.infeed.push_back(functionNamed(name));
    compilePending();
    return finish();
  }

private:
  using Ids = llvm::SmallVector<ValueId, 1>;
  /// What each value is on a device: one tensor; several if it is a tuple.
  using Values = llvm::DenseMap<mlir::Value, Ids>;
  using Handler = void (Compiler::*)(mlir::Operation *, Function &, Values &);

  mlir::FailureOr<DeviceProgram> finish() {
    if (failed)
      return mlir::failure();
    fuseElementwise(program);
    if (absl::Status status = verify(program); !status.ok())
      return module.emitError() << std::string(status.message());
    planReleases(program);
    return std::move(program);
  }

  //===- Functions -----------------------------------------------------------===//

  int32_t functionOf(mlir::func::FuncOp func) {
    auto [entry, isNew] = functionIndex.try_emplace(func, program.functions.size());
    if (isNew) {
      program.functions.emplace_back();
      pending.emplace_back(func, entry->second);
    }
    return entry->second;
  }

  /// Requires that the name is that of a function, which verifiers see to.
  int32_t functionNamed(mlir::Attribute name) {
    auto symbol = llvm::cast<mlir::FlatSymbolRefAttr>(name);
    return functionOf(symbols.lookup<mlir::func::FuncOp>(symbol.getValue()));
  }

  void compilePending() {
    while (!pending.empty()) {
      auto [func, index] = pending.back();
      pending.pop_back();
      if (func.isExternal())
        failed |= mlir::failed(func.emitOpError("has no body"));
      else
        compileFunction(func, index);
    }
  }

  void compileFunction(mlir::func::FuncOp func, int32_t index) {
    Function function;
    function.name = func.getSymName().str();
    Values values;
    compileBlock(func.getBody().front(), function, values, {}, index == program.entry);
    program.functions[index] = std::move(function);
  }

  /// Compiles the only block of `region`, with `captures` as further arguments and copies of the
  /// constants `sunk`, to a function of its own.
  int32_t compileRegion(mlir::Region &region, llvm::StringRef name,
                        llvm::ArrayRef<mlir::Value> captures, llvm::ArrayRef<mlir::Value> sunk,
                        bool yieldsCaptures) {
    Function function;
    function.name = name.str();
    Values values;
    compileBlock(region.front(), function, values, captures, /*isEntry=*/false, sunk);
    if (yieldsCaptures)
      for (mlir::Value capture : captures)
        append(function.results, values.lookup(capture));
    program.functions.push_back(std::move(function));
    return program.functions.size() - 1;
  }

  void compileBlock(mlir::Block &block, Function &function, Values &values,
                    llvm::ArrayRef<mlir::Value> captures = {}, bool isEntry = false,
                    llvm::ArrayRef<mlir::Value> sunk = {}) {
    for (mlir::Value argument : block.getArguments())
      define(argument, function, values);
    for (mlir::Value capture : captures)
      define(capture, function, values);
    function.numArguments = function.values.size();
    for (mlir::Value constant : sunk)
      compileOp(constant.getDefiningOp(), function, values);
    if (isEntry)
      makeCells(block, function, values);
    llvm::DenseSet<mlir::Operation *> taking = findTakingLoads(block, /*diesAtEnd=*/isEntry);
    takingLoads.insert(taking.begin(), taking.end());
    for (mlir::Operation &op : block) {
      if (op.hasTrait<mlir::OpTrait::ReturnLike>()) {
        for (mlir::Value operand : op.getOperands())
          append(function.results, values.lookup(operand));
        return;
      }
      compileOp(&op, function, values);
    }
  }

  /// The program's arguments are tensors; each that is a buffer here begins as one.
  void makeCells(mlir::Block &block, Function &function, Values &values) {
    for (mlir::BlockArgument argument : block.getArguments()) {
      if (!llvm::isa<BufferType>(argument.getType()))
        continue;
      Instruction instruction;
      instruction.op = "buffer_alloc";
      append(instruction.operands, values.lookup(argument));
      append(instruction.results, define(argument, function, values));
      instruction.location = textOf(argument.getLoc());
      function.instructions.push_back(std::move(instruction));
    }
  }

  static void append(std::vector<ValueId> &list, llvm::ArrayRef<ValueId> ids) {
    list.insert(list.end(), ids.begin(), ids.end());
  }

  const Ids &define(mlir::Value value, Function &function, Values &values) {
    std::optional<std::vector<TensorType>> types = deviceTypes(value.getType());
    if (!types) {
      auto shaped = llvm::dyn_cast<mlir::ShapedType>(value.getType());
      bool isDynamic = shaped && !shaped.hasStaticShape();
      mlir::emitError(value.getLoc()) << "type " << value.getType() << " has no form on a device"
                                      << (isDynamic ? "; shapes must be static" : "");
      failed = true;
      types.emplace(1);
    }
    Ids &ids = values[value];
    ids.clear();
    for (TensorType &type : *types) {
      ids.push_back(function.values.size());
      function.values.push_back(std::move(type));
    }
    return ids;
  }

  //===- Ops -----------------------------------------------------------------===//

  void compileOp(mlir::Operation *op, Function &function, Values &values) {
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

  Emitter emitterAt(mlir::Operation *op, Function &function) {
    return {program, function, constants, textOf(op->getLoc())};
  }

  Instruction instructionFor(mlir::Operation *op, Values &values) {
    Instruction instruction;
    instruction.op = op->getName().stripDialect().str();
    instruction.location = textOf(op->getLoc());
    for (mlir::Value operand : op->getOperands())
      append(instruction.operands, values.lookup(operand));
    return instruction;
  }

  void defineResults(mlir::Operation *op, Instruction instruction, Function &function,
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

  /// An op that has no kernel becomes several that do.
  void compileExpanded(mlir::Operation *op, const Instruction &instruction, Function &function,
                       Values &values) {
    std::vector<TensorType> types;
    for (mlir::Value result : op->getResults())
      if (std::optional<TensorType> type = numberType(result.getType()))
        types.push_back(*type);
    Emitter emit = emitterAt(op, function);
    absl::StatusOr<std::vector<ValueId>> ids =
        absl::InvalidArgumentError("has no form on a device");
    if (types.size() == op->getNumResults())
      ids = expand(emit, instruction, types);
    if (!ids.ok())
      failed |= mlir::failed(op->emitOpError() << std::string(ids.status().message()));
    for (auto [i, result] : llvm::enumerate(op->getResults()))
      if (!ids.ok())
        define(result, function, values);
      else
        values[result] = {isQuantized(result.getType())
                              ? quantize(emit, (*ids)[i], result.getType())
                              : (*ids)[i]};
  }

  /// Results are the operands under other names.
  void compileRenaming(mlir::Operation *op, Function &function, Values &values) {
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

  void compileTupleElement(mlir::Operation *op, Function &, Values &values) {
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

  /// Custom calls that only say how a value lies.
  static bool isShardingMarker(mlir::Operation *op) {
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

  /// On one device a value lies the same whatever is said of it.
  void compileShardingOp(mlir::Operation *op, Function &function, Values &values) {
    bool isIdentity =
        op->getNumOperands() == 1 && op->getNumResults() == 1 && op->getNumRegions() == 0;
    if (isIdentity)
      values[op->getResult(0)] = values.lookup(op->getOperand(0));
    else if (op->getNumResults() > 0)
      failed |= mlir::failed(op->emitOpError("has no form on a device yet"));
  }

  /// The body of `op` runs where `op` stands.
  void compileInPlace(mlir::Operation *op, Function &function, Values &values) {
    compileInPlace(op, op->getRegion(0).front(), function, values);
  }

  /// A body of single elements runs fastest without calls.
  void compileInlined(mlir::func::CallOp call, Function &function, Values &values) {
    auto callee = symbols.lookup<mlir::func::FuncOp>(call.getCallee());
    if (!callee || callee.isExternal() || !inlining.insert(callee).second) {
      failed |= mlir::failed(call.emitOpError("calls a function that has no body or still runs"));
      return;
    }
    compileInPlace(call, callee.getBody().front(), function, values);
    inlining.erase(callee);
  }

  void compileInPlace(mlir::Operation *op, mlir::Block &body, Function &function, Values &values) {
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

  /// A call, or a composite, which is a call of its decomposition.
  void compileCall(mlir::Operation *op, Function &function, Values &values) {
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

  void compileConstant(mlir::Operation *op, Function &function, Values &values) {
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

  /// infeed, outfeed, send and recv: the token they give is the one they take.
  void compileTransfer(mlir::Operation *op, Function &function, Values &values) {
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

  std::vector<int64_t> pairsOf(mlir::Operation *op, mlir::DenseIntElementsAttr pairs) const {
    return devicePairs(op, llvm::to_vector(pairs.getValues<int64_t>()), grid);
  }

  void compileParallel(mlir::Operation *op, Function &function, Values &values) {
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

  /// An all-reduce that has no body: the sum over replicas.
  void compileReplicaSum(mlir::Operation *op, Function &function, Values &values) {
    Instruction instruction = instructionFor(op, values);
    instruction.op = "all_reduce";
    if (mlir::Attribute groups = op->getAttr("replica_groups"))
      compileGroups(op, groups, instruction);
    instruction.functions.push_back(
        emitterAt(op, function).addBody("add", function.values[instruction.operands[0]].element));
    defineResults(op, std::move(instruction), function, values);
  }

  void compileGeneric(mlir::Operation *op, Instruction &instruction, Values &values) {
    if (llvm::isa<mlir::ViewLikeOpInterface>(op))
      failed |= mlir::failed(op->emitOpError(
          "is a view, which has no form on a device; run spmd-functionalize first"));
    auto properties =
        llvm::dyn_cast_if_present<mlir::DictionaryAttr>(op->getPropertiesAsAttribute());
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

  /// Values from outside become operands, which a loop carries along; constants are copied into
  /// bodies that are applied to elements.
  void compileRegions(mlir::Operation *op, Instruction &instruction, Values &values) {
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
          compileRegion(region, (instruction.op + "." + llvm::Twine(i)).str(),
                        captures.getArrayRef(), sunk.getArrayRef(), isLoop && i == 1));
    inScalarBody = isAround;
    if (isLoop)
      numResults = instruction.operands.size();
  }

  void compileGroups(mlir::Operation *op, mlir::Attribute attr, Instruction &instruction) {
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

  //===- Quantized tensors ---------------------------------------------------===//

  /// Replaces operands that are quantized by the numbers they stand for.
  void takeNumbers(mlir::Operation *op, Instruction &instruction, Function &function) {
    Emitter emit = emitterAt(op, function);
    for (auto [operand, id] : llvm::zip(op->getOperands(), instruction.operands))
      if (isQuantized(operand.getType()))
        id = dequantize(emit, id, operand.getType());
  }

  /// Returns the type of the numbers that a tensor holds, quantized or not.
  static std::optional<TensorType> numberType(mlir::Type type) {
    return isQuantized(type) ? expressedType(type) : convertType(type);
  }

  /// Lets `instruction` give numbers, and quantizes those that `op` gives quantized.
  void giveNumbers(mlir::Operation *op, Instruction instruction, Function &function,
                   Values &values) {
    for (mlir::Value result : op->getResults()) {
      std::optional<TensorType> type = isQuantized(result.getType())
                                           ? expressedType(result.getType())
                                           : convertType(result.getType());
      instruction.results.push_back(function.values.size());
      function.values.push_back(type.value_or(TensorType()));
      failed |= !type && mlir::failed(op->emitOpError("has a result without a form on a device"));
    }
    std::vector<ValueId> numbers = instruction.results;
    Emitter emit = emitterAt(op, function);
    function.instructions.push_back(std::move(instruction));
    for (auto [result, number] : llvm::zip(op->getResults(), numbers))
      values[result] = {isQuantized(result.getType()) ? quantize(emit, number, result.getType())
                                                      : number};
  }

  /// uniform_quantize, whose operand may be quantized otherwise, and uniform_dequantize.
  void compileRequantize(mlir::Operation *op, Function &function, Values &values) {
    mlir::Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
    for (mlir::Type type : {from, to})
      if (!deviceTypes(type)) {
        define(op->getResult(0), function, values);
        failed |= mlir::failed(op->emitOpError()
                               << "has type " << type << ", which has no form on a device");
        return;
      }
    Emitter emit = emitterAt(op, function);
    ValueId value = values.lookup(op->getOperand(0))[0];
    if (isQuantized(from))
      value = dequantize(emit, value, from);
    if (isQuantized(to))
      value = quantize(emit, value, to);
    values[op->getResult(0)] = {value};
  }

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  Grid grid;
  DeviceProgram program;
  ConstantPool constants;
  llvm::DenseMap<mlir::Operation *, int32_t> functionIndex;
  std::vector<std::pair<mlir::func::FuncOp, int32_t>> pending;
  std::map<ReplicaGroups, int32_t> groupIndex;
  llvm::DenseSet<mlir::Operation *> takingLoads;
  llvm::DenseSet<mlir::Operation *> inlining; ///< Functions whose calls are being inlined.
  bool inScalarBody = false;
  size_t numResults = 0;
  bool failed = false;
};

} // namespace

mlir::FailureOr<DeviceProgram> compileModule(mlir::ModuleOp module) {
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  if (!main || main.isExternal())
    return module.emitError("module has no function @main with a body");
  Grid grid;
  if (isPartitioned(module))
    if (auto count = module->getAttrOfType<mlir::IntegerAttr>("mhlo.num_partitions"))
      grid.numPartitions = count.getInt();
  return Compiler(module, grid).run(main);
}

} // namespace spmd
