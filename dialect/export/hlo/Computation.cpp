// One computation: the ops of a block in order, each made into instructions.

#include "spmd/dialect/export/hlo/Exporter.h"

#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/hlo/Hlo.h"
#include "spmd/ir/sharding/TileSharding.h"

namespace spmd::export_hlo {

using mlir::LogicalResult;

ComputationWriter::ComputationWriter(ModuleExporter &module, mlir::Operation *owner)
    : module(module), proto(*module.makeComputation()), owner(owner), current(owner) {}

LogicalResult ComputationWriter::fail(const llvm::Twine &why) {
  hasFailed = true;
  module.setFailed();
  return current->emitError() << "'" << current->getName() << "' op " << why;
}

//===- Values --------------------------------------------------------------===//

int64_t ComputationWriter::idOf(mlir::Value value) {
  if (auto found = values.find(value); found != values.end())
    return found->second;
  if (int64_t constant = capturedConstant(value))
    return constant;
  // After an op that failed, what it would have given is missing, too.
  bool isOwn = value.getParentBlock() == ownBlock;
  if (!isOwn && !hasFailed) {
    hasFailed = true;
    module.setFailed();
    mlir::InFlightDiagnostic error = owner->emitError();
    error << "'" << owner->getName()
          << "' op has a body that uses a value from outside, which has no counterpart in HLO";
    error.attachNote(current->getLoc()) << "used here";
  }
  return 0;
}

/// A constant from outside of a body is made again inside.
int64_t ComputationWriter::capturedConstant(mlir::Value value) {
  auto constant = value.getDefiningOp<stablehlo::ConstantOp>();
  if (!constant || value.getParentBlock() == ownBlock)
    return 0;
  mlir::Operation *user = std::exchange(current, constant);
  if (mlir::failed(module.writerOf(constant)(*this)))
    values[value] = 0;
  current = user;
  return values[value];
}

const hlo::HloInstructionProto &ComputationWriter::instructionOf(mlir::Value value) {
  return instructionNumbered(idOf(value));
}

const hlo::HloInstructionProto &ComputationWriter::instructionNumbered(int64_t id) const {
  // Ids are given in order.
  const auto &all = proto.instructions();
  auto found = std::lower_bound(all.begin(), all.end(), id,
                                [](const Instruction &each, int64_t id) { return each.id() < id; });
  return found != all.end() && found->id() == id ? *found : Instruction::default_instance();
}

int64_t ComputationWriter::idOfAll(mlir::ValueRange all) {
  if (all.size() == 1)
    return idOf(all.front());
  llvm::SmallVector<int64_t> ids;
  hlo::ShapeProto shape;
  makeTuple(shape);
  for (mlir::Value value : all) {
    ids.push_back(idOf(value));
    *shape.add_tuple_shapes() = instructionNumbered(ids.back()).shape();
  }
  return add("tuple", shape, ids).id();
}

//===- Instructions --------------------------------------------------------===//

/// Sets the name and where it comes from.
void ComputationWriter::addNotes(Instruction &instruction, mlir::Location location) {
  const LocationNotes &notes = module.notesOf(location);
  instruction.set_name(notes.wish.empty() ? module.instructionNames.made(instruction)
                                          : module.instructionNames.wished(notes.wish));
  if (notes.hasMetadata)
    *instruction.mutable_metadata() = notes.metadata;
  if (!notes.wish.empty() && instruction.name() != notes.wish)
    instruction.mutable_metadata()->set_op_name(notes.wish.str());
}

hlo::HloInstructionProto &ComputationWriter::add(llvm::StringRef opcode,
                                                 const hlo::ShapeProto &shape,
                                                 llvm::ArrayRef<int64_t> operands) {
  bool isOp = opcode != "tuple" && opcode != "get-tuple-element" && opcode != "parameter" &&
              opcode != "copy";
  mlir::Location nowhere = mlir::UnknownLoc::get(current->getContext());
  return addAt(isOp ? current->getLoc() : nowhere, opcode, shape, operands);
}

hlo::HloInstructionProto &ComputationWriter::addAt(mlir::Location location, llvm::StringRef opcode,
                                                   const hlo::ShapeProto &shape,
                                                   llvm::ArrayRef<int64_t> operands) {
  Instruction &added = *proto.add_instructions();
  added.set_id(module.newId());
  added.set_opcode(opcode.data(), opcode.size());
  *added.mutable_shape() = shape;
  for (int64_t operand : operands)
    added.add_operand_ids(operand);
  addNotes(added, location);
  return added;
}

hlo::HloInstructionProto &ComputationWriter::add(llvm::StringRef opcode, mlir::Type type,
                                                 llvm::ArrayRef<int64_t> operands) {
  std::string why;
  const hlo::ShapeProto &shape = module.cachedShape(type, why);
  if (!why.empty())
    static_cast<void>(fail(why));
  return add(opcode, shape, operands);
}

hlo::HloInstructionProto &ComputationWriter::add(llvm::StringRef opcode, mlir::TypeRange types,
                                                 llvm::ArrayRef<int64_t> operands) {
  if (types.size() == 1)
    return add(opcode, types.front(), operands);
  hlo::ShapeProto shape;
  if (std::string why = shapeOf(types, shape); !why.empty())
    static_cast<void>(fail(why));
  return add(opcode, shape, operands);
}

hlo::HloInstructionProto &ComputationWriter::make(llvm::StringRef opcode) {
  return make(opcode, current->getOperands());
}

hlo::HloInstructionProto &ComputationWriter::make(llvm::StringRef opcode,
                                                  mlir::ValueRange operands) {
  llvm::SmallVector<int64_t> ids;
  for (mlir::Value operand : operands)
    ids.push_back(idOf(operand));
  return make(opcode, llvm::ArrayRef<int64_t>(ids));
}

hlo::HloInstructionProto &ComputationWriter::make(llvm::StringRef opcode,
                                                  llvm::ArrayRef<int64_t> operands) {
  Instruction &made = add(opcode, current->getResultTypes(), operands);
  addOwnNotes(made);
  if (!hasFailed)
    bind(current->getResults(), made);
  return made;
}

/// What the op says of its sharding and to whoever compiles it.
void ComputationWriter::addOwnNotes(Instruction &instruction) {
  if (mlir::Attribute text = current->getDiscardableAttr(shardingName)) {
    if (std::optional<hlo::OpSharding> sharding = shardingOf(current, text))
      *instruction.mutable_sharding() = *std::move(sharding);
    else
      hasFailed = true, module.setFailed();
  }
  if (mlir::Attribute frontend = current->getDiscardableAttr(frontendName))
    writeFrontendAttributes(frontend, *instruction.mutable_frontend_attributes());
}

hlo::HloInstructionProto &ComputationWriter::element(const Instruction &tuple, int64_t index) {
  Instruction &made =
      add("get-tuple-element", tuple.shape().tuple_shapes(static_cast<int>(index)), tuple.id());
  made.set_tuple_index(index);
  return made;
}

void ComputationWriter::bind(mlir::ValueRange results, const Instruction &tuple) {
  if (results.size() == 1) {
    values[results.front()] = tuple.id();
    return;
  }
  for (auto [i, result] : llvm::enumerate(results))
    if (!result.use_empty())
      values[result] = element(tuple, i).id();
}

//===- Parameters and the root ---------------------------------------------===//

void ComputationWriter::addParameters(mlir::ValueRange arguments) {
  auto function = llvm::dyn_cast<mlir::func::FuncOp>(owner);
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    hlo::ShapeProto shape;
    if (std::string why = shapeOf(argument.getType(), shape); !why.empty())
      static_cast<void>(fail(why));
    mlir::Location nowhere = mlir::UnknownLoc::get(owner->getContext());
    Instruction &parameter = addAt(function ? argument.getLoc() : nowhere, "parameter", shape, {});
    parameter.set_parameter_number(i);
    values[argument] = parameter.id();
    *proto.mutable_program_shape()->add_parameters() = parameter.shape();
    proto.mutable_program_shape()->add_parameter_names(parameter.name());
    if (!function)
      continue;
    if (mlir::Attribute text = function.getArgAttr(i, shardingName)) {
      if (std::optional<hlo::OpSharding> sharding = shardingOf(function, text))
        *parameter.mutable_sharding() = *std::move(sharding);
      else
        hasFailed = true, module.setFailed();
    }
    hlo::FrontendAttributes frontend;
    writeFrontendAttributes(function.getArgAttr(i, frontendName), frontend);
    if (mlir::Attribute type = function.getArgAttr(i, globalTypeAttrName))
      llvm::raw_string_ostream((*frontend.mutable_map())[globalTypeAttrName.str()]) << type;
    if (!frontend.map().empty())
      *parameter.mutable_frontend_attributes() = std::move(frontend);
  }
}

void ComputationWriter::addParameter(mlir::ValueRange arguments) {
  hlo::ShapeProto shape;
  if (std::string why = shapeOf(arguments.getTypes(), shape); !why.empty())
    static_cast<void>(fail(why));
  const Instruction &parameter = add("parameter", shape, {});
  *proto.mutable_program_shape()->add_parameters() = parameter.shape();
  proto.mutable_program_shape()->add_parameter_names(parameter.name());
  if (!hasFailed)
    bind(arguments, parameter);
}

hlo::HloComputationProto *ComputationWriter::finish(mlir::ValueRange results, llvm::StringRef name,
                                                    bool apart) {
  if (hasFailed)
    return nullptr;
  int64_t root = idOfAll(results);
  if (apart && results.size() == 1)
    root = add("copy", instructionNumbered(root).shape(), root).id();
  if (hasFailed)
    return nullptr;
  proto.set_name(module.computationNames.wished(name));
  proto.set_id(module.newId());
  proto.set_root_id(root);
  *proto.mutable_program_shape()->mutable_result() = instructionNumbered(root).shape();
  return module.add(proto);
}

//===- Ops -----------------------------------------------------------------===//

void ComputationWriter::write(mlir::Operation &op) {
  current = &op;
  Writer writer = module.writerOf(&op);
  if (!writer)
    static_cast<void>(fail(llvm::isa_and_present<SpmdDialect>(op.getDialect())
                               ? "has no counterpart in HLO; run spmd-functionalize first"
                               : "has no counterpart in HLO"));
  else if (mlir::failed(writer(*this)))
    hasFailed = true, module.setFailed();
}

void ComputationWriter::writeOps(mlir::Block &block) {
  ownBlock = &block;
  for (mlir::Operation &op : block.without_terminator())
    write(op);
  current = block.getTerminator();
}

//===- Bodies --------------------------------------------------------------===//

llvm::SetVector<mlir::Value> ComputationWriter::captures(mlir::Region &region,
                                                         bool withoutConstants) {
  llvm::SetVector<mlir::Value> found;
  region.walk([&](mlir::Operation *inner) {
    for (mlir::Value operand : inner->getOperands()) {
      bool isInside = current->isAncestor(operand.getParentBlock()->getParentOp());
      if (!isInside && !(withoutConstants && operand.getDefiningOp<stablehlo::ConstantOp>()))
        found.insert(operand);
    }
  });
  return found;
}

llvm::SetVector<mlir::Value> ComputationWriter::captures(bool withoutConstants) {
  llvm::SetVector<mlir::Value> found;
  for (mlir::Region &region : current->getRegions())
    found.insert_range(captures(region, withoutConstants));
  return found;
}

hlo::HloComputationProto *ComputationWriter::body(mlir::Region &region, bool asTuple,
                                                  mlir::ValueRange captured) {
  ComputationWriter inner(module, current);
  mlir::Block &block = region.front();
  llvm::SmallVector<mlir::Value> arguments(block.getArguments());
  arguments.append(captured.begin(), captured.end());
  if (asTuple)
    inner.addParameter(arguments);
  else
    inner.addParameters(arguments);
  inner.writeOps(block);
  llvm::SmallVector<mlir::Value> results(block.getTerminator()->getOperands());
  // What a loop only reads is carried along.
  bool isLoopBody = llvm::isa<stablehlo::WhileOp>(current) && region.getRegionNumber() == 1;
  if (isLoopBody)
    results.append(captured.begin(), captured.end());
  hlo::HloComputationProto *made =
      inner.finish(results, ("region_" + llvm::Twine(region.getRegionNumber())).str());
  hasFailed |= inner.hasFailed;
  return made;
}

void ComputationWriter::call(Instruction &instruction,
                             std::initializer_list<hlo::HloComputationProto *> bodies) {
  for (const hlo::HloComputationProto *each : bodies)
    if (each)
      instruction.add_called_computation_ids(each->id());
}

//===- Notes ---------------------------------------------------------------===//

/// Returns by what a sharding is partial that HLO has no word for, if it is such a sharding.
static std::optional<ReductionKind> unspeakableReduction(std::string_view text) {
  absl::StatusOr<TileSharding> tiles = tileShardingFromText(text);
  if (!tiles.ok())
    return std::nullopt;
  std::vector<TileSharding> elements = tiles->elements;
  elements.push_back(*std::move(tiles));
  for (const TileSharding &each : elements)
    if (each.reduction != ReductionKind::sum && each.reduction != ReductionKind::max &&
        each.reduction != ReductionKind::min)
      return each.reduction;
  return std::nullopt;
}

std::optional<hlo::OpSharding> shardingOf(mlir::Operation *op, mlir::Attribute attribute) {
  auto text = llvm::dyn_cast<mlir::StringAttr>(attribute);
  if (!text) {
    op->emitError() << "'" << shardingName << "' is no string";
    return std::nullopt;
  }
  llvm::StringRef words = text.getValue();
  if (!words.empty() && words.front() != '{') // Some write the message itself.
    if (auto proto = hlo::parseHloShardingProto({words.data(), words.size()}); proto.ok())
      return *std::move(proto);
  absl::StatusOr<hlo::OpSharding> sharding = hlo::parseHloSharding({words.data(), words.size()});
  if (sharding.ok())
    return *std::move(sharding);
  if (std::optional<ReductionKind> reduction = unspeakableReduction({words.data(), words.size()})) {
    op->emitError() << "has a value that is partial by " << nameOf(*reduction)
                    << ", which HLO cannot say: it knows sum, max and min; write StableHLO "
                       "(--export-gspmd), or a sharding without 'unreduced'";
    return std::nullopt;
  }
  op->emitError() << "'" << shardingName << "' \"" << words
                  << "\": " << std::string(sharding.status().message());
  return std::nullopt;
}

void writeFrontendAttributes(mlir::Attribute attribute, hlo::FrontendAttributes &attributes) {
  auto dictionary = llvm::dyn_cast_if_present<mlir::DictionaryAttr>(attribute);
  if (!dictionary)
    return;
  for (mlir::NamedAttribute entry : dictionary)
    if (auto text = llvm::dyn_cast<mlir::StringAttr>(entry.getValue()))
      (*attributes.mutable_map())[entry.getName().str()] = text.getValue().str();
}

} // namespace spmd::export_hlo
