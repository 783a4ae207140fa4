#include "spmd/lowering/compile/Compile.h"

#include "spmd/dialect/partitioning/CallAttributes.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/ModulePlace.h"
#include "spmd/dialect/spmd/PartitionedModule.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/dialect/stablehlo/TripCount.h"
#include "spmd/lowering/compile/Boundaries.h"
#include "spmd/lowering/compile/Cells.h"
#include "spmd/lowering/compile/Compiler.h"
#include "spmd/lowering/compile/ConvertAttributes.h"
#include "spmd/lowering/compile/Expand.h"
#include "spmd/lowering/compile/Inline.h"
#include "spmd/lowering/compile/PromoteCells.h"
#include "spmd/lowering/compile/Quantize.h"
#include "spmd/lowering/compile/Recursion.h"
#include "spmd/lowering/program/Fuse.h"
#include "spmd/lowering/program/Releases.h"

#include "llvm/ADT/StringMap.h"

namespace spmd {

static std::string textOf(mlir::Location location) {
  if (auto place = location->findInstanceOf<mlir::FileLineColLoc>())
    return (place.getFilename().getValue() + ":" + llvm::Twine(place.getLine()) + ":" +
            llvm::Twine(place.getColumn()))
        .str();
  return "";
}

mlir::FailureOr<DeviceProgram> Compiler::run(mlir::func::FuncOp main) {
  if (mlir::failed(checkRecursion(main, symbols)))
    return mlir::failure();
  program.entry = functionOf(main);
  compilePending();
  failed |= mlir::failed(describeBoundary(main, program));
  return finish();
}

mlir::FailureOr<DeviceProgram> Compiler::run(interpreter::RunParallelOp op) {
  if (mlir::failed(checkRecursion(op, symbols)))
    return mlir::failure();
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

mlir::FailureOr<DeviceProgram> Compiler::finish() {
  if (failed)
    return mlir::failure();
  inlineCalls(program);
  if (isPartitioned(module)) // The whole program keeps its cells: others are judged by it.
    promoteCells(program);
  fuseElementwise(program);
  if (absl::Status status = verify(program); !status.ok())
    return mlir::emitError(placeOf(module)) << std::string(status.message());
  planReleases(program);
  return std::move(program);
}

int32_t Compiler::functionOf(mlir::func::FuncOp func) {
  auto [entry, isNew] = functionIndex.try_emplace(func, program.functions.size());
  if (isNew) {
    program.functions.emplace_back();
    pending.emplace_back(func, entry->second);
  }
  return entry->second;
}

int32_t Compiler::functionNamed(mlir::Attribute name) {
  auto symbol = llvm::cast<mlir::FlatSymbolRefAttr>(name);
  return functionOf(symbols.lookup<mlir::func::FuncOp>(symbol.getValue()));
}

void Compiler::compilePending() {
  while (!pending.empty()) {
    auto [func, index] = pending.back();
    pending.pop_back();
    if (func.isExternal())
      failed |= mlir::failed(func.emitOpError("has no body"));
    else
      compileFunction(func, index);
  }
}

void Compiler::compileFunction(mlir::func::FuncOp func, int32_t index) {
  Function function;
  function.name = func.getSymName().str();
  Values values;
  compileBlock(func.getBody().front(), function, values, {}, index == program.entry);
  program.functions[index] = std::move(function);
}

int32_t Compiler::compileRegion(mlir::Region &region, llvm::StringRef name,
                                llvm::ArrayRef<mlir::Value> captures,
                                llvm::ArrayRef<mlir::Value> sunk, bool yieldsCaptures) {
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

/// Whether `op` is a constant of which every element is its own.
static bool isTable(mlir::Operation *op) {
  auto constant = llvm::dyn_cast<stablehlo::ConstantOp>(op);
  return constant && !constant.getValue().isSplat();
}

void Compiler::compileBlock(mlir::Block &block, Function &function, Values &values,
                            llvm::ArrayRef<mlir::Value> captures, bool isEntry,
                            llvm::ArrayRef<mlir::Value> sunk) {
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
  llvm::DenseSet<mlir::Operation *> first = findFirstStores(block);
  firstStores.insert(first.begin(), first.end());
  for (mlir::Operation *store : first)
    lateCells.insert(llvm::cast<StoreOp>(store).getBuffer().getDefiningOp());
  // A table is held from where it is first read, wherever it stands.
  std::vector<mlir::Operation *> tables;
  llvm::DenseSet<mlir::Operation *> waiting;
  auto compileTable = [&](mlir::Operation *table) {
    if (table && waiting.erase(table))
      compileOp(table, function, values);
  };
  auto compileTables = [&](mlir::Operation &reader) {
    for (mlir::Value operand : reader.getOperands())
      compileTable(operand.getDefiningOp());
    if (reader.getNumRegions() == 0)
      return;
    for (mlir::Operation *table : tables)
      compileTable(table);
    tables.clear();
  };
  for (mlir::Operation &op : block) {
    if (isTable(&op)) {
      tables.push_back(&op);
      waiting.insert(&op);
      continue;
    }
    compileTables(op);
    if (op.hasTrait<mlir::OpTrait::ReturnLike>()) {
      for (mlir::Value operand : op.getOperands())
        append(function.results, values.lookup(operand));
      return;
    }
    compileOp(&op, function, values);
  }
}

void Compiler::makeCells(mlir::Block &block, Function &function, Values &values) {
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

void Compiler::compileFirstStore(StoreOp store, Function &function, Values &values) {
  Instruction instruction;
  instruction.op = "buffer_alloc";
  instruction.location = textOf(store.getLoc());
  append(instruction.operands, values.lookup(store.getValue()));
  append(instruction.results, define(store.getBuffer(), function, values));
  function.instructions.push_back(std::move(instruction));
}

void Compiler::append(std::vector<ValueId> &list, llvm::ArrayRef<ValueId> ids) {
  list.insert(list.end(), ids.begin(), ids.end());
}

const Compiler::Ids &Compiler::define(mlir::Value value, Function &function, Values &values) {
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
  if (lateCells.contains(op))
    return; // Its first store makes it.
  if (firstStores.contains(op))
    return compileFirstStore(llvm::cast<StoreOp>(op), function, values);
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

/// Returns the groups of the one collective that StableHLO has only as a custom call, or null.
static mlir::Attribute groupsOfRagged(mlir::Operation *op) {
  auto call = llvm::dyn_cast<stablehlo::CustomCallOp>(op);
  if (!call || call.getCallTargetName() != "ragged_all_to_all")
    return {};
  auto config = llvm::dyn_cast_if_present<mlir::DictionaryAttr>(call.getBackendConfigAttr());
  return config ? config.get("replica_groups") : mlir::Attribute();
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
  if (mlir::Attribute groups = groupsOfRagged(op)) {
    instruction.op = "ragged_all_to_all";
    compileGroups(op, groups, instruction);
  }
  if (mlir::Attribute config = op->getDiscardableAttr("mhlo.backend_config"))
    addAttribute(instruction.attributes, "backend_config", config);
  if (mlir::Attribute function = op->getDiscardableAttr("spmd.function"))
    addAttribute(instruction.attributes, "function", function);
  if (auto call = llvm::dyn_cast<stablehlo::CustomCallOp>(op)) {
    auto text = llvm::dyn_cast_if_present<mlir::StringAttr>(call.getBackendConfigAttr());
    if (mlir::DictionaryAttr config = text ? dictionaryIn(text) : mlir::DictionaryAttr())
      addAttribute(instruction.attributes, "backend_config", config);
    for (mlir::NamedAttribute attr : op->getDiscardableAttrs()) // Its own: `head_num`.
      if (!attr.getName().strref().contains('.'))
        addAttribute(instruction.attributes, attr.getName(), attr.getValue());
  }
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
  if (!isFrame && !captures.empty()) {
    mlir::InFlightDiagnostic diagnostic = op->emitOpError();
    diagnostic << "has a body that uses a value from outside, which is no constant; a device runs "
                  "such a body on its arguments alone";
    diagnostic.attachNote(captures.front().getLoc()) << "the value comes from here";
    failed = true;
    return;
  }
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

/// Returns the mesh of an argument or result that has one, or null.
static const Mesh *meshOfBoundary(mlir::func::FuncOp main) {
  auto meshOf = [&](mlir::Attribute attr) -> const Mesh * {
    auto sharding = llvm::dyn_cast_if_present<sdy::ShardingAttr>(attr);
    const Mesh *mesh = sharding ? sdy::lookupMesh(main, sharding) : nullptr;
    return mesh && !mesh->axes().empty() ? mesh : nullptr;
  };
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (const Mesh *mesh = meshOf(main.getArgAttr(i, "sdy.sharding")))
      return mesh;
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    if (const Mesh *mesh = meshOf(main.getResultAttr(i, "sdy.sharding")))
      return mesh;
  return nullptr;
}

int64_t numPartitionsOf(mlir::ModuleOp module) {
  if (auto count = module->getAttrOfType<mlir::IntegerAttr>("mhlo.num_partitions"))
    return count.getInt();
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  const Mesh *mesh = main ? meshOfBoundary(main) : nullptr;
  return mesh ? mesh->numDevices() : 1;
}

mlir::FailureOr<DeviceProgram> compileModule(mlir::ModuleOp module) {
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  if (!main || main.isExternal())
    return mlir::emitError(placeOf(module), "module has no function @main with a body");
  Grid grid;
  if (isPartitioned(module))
    grid.numPartitions = numPartitionsOf(module);
  if (grid.numPartitions < 1)
    return mlir::emitError(placeOf(module)) << "'mhlo.num_partitions' is " << grid.numPartitions
                                            << "; at least 1 partition is needed";
  return Compiler(module, grid).run(main);
}

} // namespace spmd
