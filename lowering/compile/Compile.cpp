#include "spmd/lowering/compile/Compile.h"

#include "spmd/dialect/groups/Groups.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/lowering/compile/Cells.h"
#include "spmd/lowering/compile/ConvertAttributes.h"
#include "spmd/lowering/compile/Fuse.h"
#include "spmd/lowering/program/Releases.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

#include <map>

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
  explicit Compiler(mlir::ModuleOp module) : module(module), symbols(module) {}

  mlir::FailureOr<DeviceProgram> run() {
    auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
    if (!main || main.isExternal())
      return module.emitError("module has no function @main with a body");
    program.name = module.getName().value_or("program").str();
    if (isPartitioned(module))
      if (auto count = module->getAttrOfType<mlir::IntegerAttr>("mhlo.num_partitions"))
        program.numDevices = count.getInt();
    program.entry = functionOf(main);
    while (!pending.empty()) {
      auto [func, index] = pending.back();
      pending.pop_back();
      compileFunction(func, index);
    }
    describeBoundary(main);
    if (failed)
      return mlir::failure();
    fuseElementwise(program);
    if (absl::Status status = verify(program); !status.ok())
      return module.emitError() << std::string(status.message());
    planReleases(program);
    return std::move(program);
  }

private:
  using Values = llvm::DenseMap<mlir::Value, ValueId>;

  //===- Functions -----------------------------------------------------------===//

  int32_t functionOf(mlir::func::FuncOp func) {
    auto [entry, isNew] = functionIndex.try_emplace(func, program.functions.size());
    if (isNew) {
      program.functions.emplace_back();
      pending.emplace_back(func, entry->second);
    }
    return entry->second;
  }

  void compileFunction(mlir::func::FuncOp func, int32_t index) {
    Function function;
    function.name = func.getSymName().str();
    Values values;
    compileBlock(func.getBody().front(), function, values, {}, index == program.entry);
    program.functions[index] = std::move(function);
  }

  /// Compiles the only block of `region`, with `captures` as further arguments, to a function of
  /// its own.
  int32_t compileRegion(mlir::Region &region, llvm::StringRef name,
                        llvm::ArrayRef<mlir::Value> captures, bool yieldsCaptures) {
    Function function;
    function.name = name.str();
    Values values;
    compileBlock(region.front(), function, values, captures);
    if (yieldsCaptures)
      for (mlir::Value capture : captures)
        function.results.push_back(values.lookup(capture));
    program.functions.push_back(std::move(function));
    return program.functions.size() - 1;
  }

  void compileBlock(mlir::Block &block, Function &function, Values &values,
                    llvm::ArrayRef<mlir::Value> captures = {}, bool isEntry = false) {
    for (mlir::Value argument : block.getArguments())
      define(argument, function, values);
    for (mlir::Value capture : captures)
      define(capture, function, values);
    function.numArguments = function.values.size();
    if (isEntry)
      makeCells(block, function, values);
    llvm::DenseSet<mlir::Operation *> taking = findTakingLoads(block, /*diesAtEnd=*/isEntry);
    takingLoads.insert(taking.begin(), taking.end());
    for (mlir::Operation &op : block) {
      if (op.hasTrait<mlir::OpTrait::ReturnLike>()) {
        for (mlir::Value operand : op.getOperands())
          function.results.push_back(values.lookup(operand));
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
      instruction.operands.push_back(values.lookup(argument));
      instruction.results.push_back(define(argument, function, values));
      instruction.location = textOf(argument.getLoc());
      function.instructions.push_back(std::move(instruction));
    }
  }

  ValueId define(mlir::Value value, Function &function, Values &values) {
    std::optional<TensorType> type = convertType(value.getType());
    if (!type) {
      auto shaped = llvm::dyn_cast<mlir::ShapedType>(value.getType());
      bool isDynamic = shaped && !shaped.hasStaticShape();
      mlir::emitError(value.getLoc()) << "type " << value.getType() << " has no form on a device"
                                      << (isDynamic ? "; shapes must be static" : "");
      failed = true;
    }
    function.values.push_back(type.value_or(TensorType()));
    return values[value] = function.values.size() - 1;
  }

  //===- Ops -----------------------------------------------------------------===//

  void compileOp(mlir::Operation *op, Function &function, Values &values) {
    if (op->getName().getDialectNamespace() == sdy::SdyDialect::getDialectNamespace())
      return compileShardingOp(op, function, values);
    if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op); call && inScalarBody)
      return compileInlined(call, function, values);
    Instruction instruction;
    instruction.op = op->getName().stripDialect().str();
    instruction.location = textOf(op->getLoc());
    for (mlir::Value operand : op->getOperands())
      instruction.operands.push_back(values.lookup(operand));
    if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
      compileCall(call, instruction);
    else if (auto constant = llvm::dyn_cast<stablehlo::ConstantOp>(op))
      compileConstant(constant, instruction);
    else if (!compileAccess(op, takingLoads.contains(op), instruction))
      compileGeneric(op, instruction, values);
    for (mlir::Value result : op->getResults())
      instruction.results.push_back(define(result, function, values));
    for (size_t i = op->getNumResults(); i < numResults;
         ++i) { // Captures that a loop carries along.
      function.values.push_back(function.values[instruction.operands[i]]);
      instruction.results.push_back(function.values.size() - 1);
    }
    numResults = 0;
    function.instructions.push_back(std::move(instruction));
  }

  /// On one device a value lies the same whatever is said of it.
  void compileShardingOp(mlir::Operation *op, Function &function, Values &values) {
    if (auto computation = llvm::dyn_cast<sdy::NamedComputationOp>(op))
      return compileInPlace(computation, function, values);
    bool isIdentity =
        op->getNumOperands() == 1 && op->getNumResults() == 1 && op->getNumRegions() == 0;
    if (isIdentity)
      values[op->getResult(0)] = values.lookup(op->getOperand(0));
    else if (op->getNumResults() > 0)
      failed |= mlir::failed(op->emitOpError("has no form on a device yet"));
  }

  void compileInPlace(sdy::NamedComputationOp op, Function &function, Values &values) {
    compileInPlace(op, op.getBody().front(), function, values);
  }

  /// Kernels that run a body on single elements know no calls.
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
    for (auto [argument, operand] : llvm::zip(body.getArguments(), op->getOperands()))
      values[argument] = values.lookup(operand);
    for (mlir::Operation &inner : body.without_terminator())
      compileOp(&inner, function, values);
    for (auto [result, returned] : llvm::zip(op->getResults(), body.getTerminator()->getOperands()))
      values[result] = values.lookup(returned);
  }

  void compileCall(mlir::func::CallOp call, Instruction &instruction) {
    auto callee = symbols.lookup<mlir::func::FuncOp>(call.getCallee());
    if (!callee || callee.isExternal()) {
      failed |= mlir::failed(call.emitOpError("calls a function without a body"));
      return;
    }
    instruction.functions.push_back(functionOf(callee));
  }

  void compileConstant(stablehlo::ConstantOp constant, Instruction &instruction) {
    bool isSplat;
    std::optional<std::string> bytes = constantBytes(constant.getValue(), isSplat);
    if (!bytes) {
      failed |= mlir::failed(constant.emitOpError("has no elements that can be read"));
      return;
    }
    auto [entry, isNew] = constantIndex.try_emplace(*bytes, program.constants.size());
    if (isNew)
      program.constants.push_back(*bytes);
    instruction.attributes.set("pool", entry->second);
    if (isSplat)
      instruction.attributes.set("splat", true);
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
        else
          addAttribute(instruction.attributes, attr.getName(), attr.getValue());
      }
    if (mlir::Attribute config = op->getDiscardableAttr("mhlo.backend_config"))
      addAttribute(instruction.attributes, "backend_config", config);
    if (op->getNumRegions() == 0)
      return;
    // Values from outside become operands; a loop carries them along.
    llvm::SetVector<mlir::Value> captures;
    for (mlir::Region &region : op->getRegions())
      region.walk([&](mlir::Operation *inner) {
        for (mlir::Value operand : inner->getOperands())
          if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
            captures.insert(operand);
      });
    for (mlir::Value capture : captures)
      instruction.operands.push_back(values.lookup(capture));
    bool isLoop = llvm::isa<stablehlo::WhileOp>(op);
    bool isAround = std::exchange(inScalarBody, inScalarBody || !llvm::isa<DataFlow>(op));
    for (auto [i, region] : llvm::enumerate(op->getRegions()))
      instruction.functions.push_back(compileRegion(region,
                                                    (instruction.op + "." + llvm::Twine(i)).str(),
                                                    captures.getArrayRef(), isLoop && i == 1));
    inScalarBody = isAround;
    if (isLoop)
      numResults = instruction.operands.size();
  }

  void compileGroups(mlir::Operation *op, mlir::Attribute attr, Instruction &instruction) {
    auto [known, isNew] = groupIndex.try_emplace(attr, -1);
    if (isNew) {
      mlir::FailureOr<ReplicaGroups> groups = expandGroups(op, attr, program.numDevices);
      if (mlir::failed(groups)) {
        failed = true;
        return;
      }
      groupIndex[attr] = program.groups.size();
      program.groups.push_back(*std::move(groups));
    }
    instruction.groups = groupIndex[attr];
  }

  //===- Arguments and results -----------------------------------------------===//

  void describeBoundary(mlir::func::FuncOp main) {
    llvm::ArrayRef<mlir::Type> inputs = main.getArgumentTypes(), outputs = main.getResultTypes();
    for (unsigned i = 0; i < inputs.size(); ++i) {
      checkBoundary(main, "argument " + llvm::Twine(i), inputs[i],
                    main.getArgAttr(i, globalTypeAttrName), main.getArgAttr(i, "sdy.sharding"));
      Boundary boundary = boundaryOf(main, inputs[i], main.getArgAttr(i, globalTypeAttrName),
                                     main.getArgAttr(i, "sdy.sharding"));
      if (auto aliased = main.getArgAttrOfType<mlir::IntegerAttr>(i, "tf.aliasing_output"))
        boundary.aliases = aliased.getInt();
      program.arguments.push_back(std::move(boundary));
    }
    for (unsigned i = 0; i < outputs.size(); ++i) {
      checkBoundary(main, "result " + llvm::Twine(i), outputs[i],
                    main.getResultAttr(i, globalTypeAttrName),
                    main.getResultAttr(i, "sdy.sharding"));
      Boundary boundary = boundaryOf(main, outputs[i], main.getResultAttr(i, globalTypeAttrName),
                                     main.getResultAttr(i, "sdy.sharding"));
      if (auto name =
              llvm::dyn_cast_if_present<mlir::StringAttr>(main.getResultAttr(i, "jax.result_info")))
        boundary.name = name.getValue().str();
      program.results.push_back(std::move(boundary));
    }
  }

  /// Reports an argument or result that is not the part its whole type and its sharding give.
  void checkBoundary(mlir::func::FuncOp main, const llvm::Twine &name, mlir::Type local,
                     mlir::Attribute global, mlir::Attribute shardingAttr) {
    if (!global)
      return;
    auto report = [&]() -> mlir::InFlightDiagnostic {
      failed = true;
      return main.emitOpError() << name << ": ";
    };
    auto globalType = llvm::dyn_cast<mlir::TypeAttr>(global);
    auto whole =
        globalType ? llvm::dyn_cast<mlir::RankedTensorType>(globalType.getValue()) : nullptr;
    if (!whole) {
      report() << "attribute '" << globalTypeAttrName << "' is no tensor type";
      return;
    }
    auto sharding = llvm::dyn_cast_if_present<sdy::ShardingAttr>(shardingAttr);
    mlir::Type expected = whole;
    if (const Mesh *mesh = sharding ? sdy::lookupMesh(main, sharding) : nullptr;
        mesh && !mesh->axes().empty()) {
      if (mesh->numDevices() != program.numDevices) {
        report() << "mesh has " << mesh->numDevices() << " devices, mhlo.num_partitions is "
                 << program.numDevices;
        return;
      }
      absl::StatusOr<Sharding> resolved = resolve(*mesh, sharding.getSpec());
      if (!resolved.ok() || static_cast<int64_t>(resolved->dims.size()) != whole.getRank()) {
        report() << "sharding does not fit " << whole;
        return;
      }
      std::vector<int64_t> part =
          localShape(*resolved, absl::MakeConstSpan(whole.getShape().data(), whole.getRank()));
      expected = whole.clone(llvm::ArrayRef<int64_t>(part));
    }
    if (tensorTypeOf(local) != expected)
      report() << "type is " << local << "; one device's part of " << whole << " is " << expected;
  }

  Boundary boundaryOf(mlir::func::FuncOp main, mlir::Type local, mlir::Attribute global,
                      mlir::Attribute shardingAttr) {
    Boundary boundary;
    auto globalType = llvm::dyn_cast_if_present<mlir::TypeAttr>(global);
    std::optional<TensorType> type = convertType(globalType ? globalType.getValue() : local);
    boundary.global = type.value_or(TensorType());
    Mesh mesh = *Mesh::create({{"device", program.numDevices}});
    ShardingSpec spec;
    spec.dims.resize(boundary.global.rank());
    auto sharding = llvm::dyn_cast_if_present<sdy::ShardingAttr>(shardingAttr);
    if (sharding && globalType) {
      const Mesh *named = sdy::lookupMesh(main, sharding);
      if (named && named->numDevices() == program.numDevices && !named->axes().empty()) {
        mesh = *named;
        spec = sharding.getSpec();
      }
    }
    boundary.mesh = mesh.str();
    boundary.sharding = spec.str();
    return boundary;
  }

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  DeviceProgram program;
  llvm::DenseMap<mlir::Operation *, int32_t> functionIndex;
  std::vector<std::pair<mlir::func::FuncOp, int32_t>> pending;
  std::map<std::string, int64_t> constantIndex;
  llvm::DenseMap<mlir::Attribute, int32_t> groupIndex;
  llvm::DenseSet<mlir::Operation *> takingLoads;
  llvm::DenseSet<mlir::Operation *> inlining; ///< Functions whose calls are being inlined.
  bool inScalarBody = false;
  size_t numResults = 0;
  bool failed = false;
};

} // namespace

mlir::FailureOr<DeviceProgram> compileModule(mlir::ModuleOp module) {
  return Compiler(module).run();
}

} // namespace spmd
