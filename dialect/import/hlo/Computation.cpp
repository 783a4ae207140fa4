// One computation: its instructions in order, each made into ops.

#include "spmd/dialect/import/hlo/Importer.h"

#include "spmd/dialect/import/hlo/OpSharding.h"
#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/dialect/stablehlo/LeftOut.h"

#include "mlir/IR/Diagnostics.h"

namespace spmd::import_hlo {

mlir::LogicalResult ComputationImporter::fail(const llvm::Twine &why) const {
  return mlir::emitError(place) << "instruction '" << current->name() << "' (" << current->opcode()
                                << ") of computation '" << proto.name() << "': " << why;
}

mlir::LogicalResult ComputationImporter::expectOperands(int count) const {
  if (numOperands() == count)
    return mlir::success();
  return fail("expected " + llvm::Twine(count) + " operands, got " + llvm::Twine(numOperands()));
}

mlir::LogicalResult ComputationImporter::expectBodies(int count) const {
  if (current->called_computation_ids_size() == count)
    return mlir::success();
  return fail("expected " + llvm::Twine(count) + " called computations, got " +
              llvm::Twine(current->called_computation_ids_size()));
}

Leaves ComputationImporter::operands(int begin, int end) const {
  Leaves all;
  for (int i = begin; i < (end < 0 ? numOperands() : end); ++i)
    all.append(operandLeaves[i].begin(), operandLeaves[i].end());
  return all;
}

mlir::NamedAttribute ComputationImporter::pairs(llvm::StringRef name,
                                                llvm::ArrayRef<int64_t> flat) {
  auto type =
      mlir::RankedTensorType::get({static_cast<int64_t>(flat.size()) / 2, 2}, builder.getI64Type());
  return named(name, mlir::DenseIntElementsAttr::get(type, flat));
}

/// A region has no op yet while it is filled, so that its block does not know the context.
static mlir::OpBuilder builderAt(mlir::Block &block, ModuleImporter &module) {
  mlir::OpBuilder builder(&module.context, &module.checks);
  builder.setInsertionPointToEnd(&block);
  return builder;
}

//===- Making ops ------------------------------------------------------------===//

mlir::LogicalResult ComputationImporter::make(llvm::StringRef name,
                                              llvm::ArrayRef<mlir::NamedAttribute> attributes) {
  return make(name, operands(), attributes);
}

mlir::LogicalResult ComputationImporter::make(mlir::OperationName name, mlir::ValueRange inputs,
                                              llvm::ArrayRef<mlir::NamedAttribute> attributes,
                                              llvm::ArrayRef<int64_t> bodies) {
  mlir::OperationState state(place, name, inputs, resultTypes, attributes);
  for (int64_t body : bodies)
    if (mlir::failed(fillRegion(*state.addRegion(), body)))
      return mlir::failure();
  results.assign(builder.create(state)->result_begin(), builder.getBlock()->back().result_end());
  return mlir::success();
}

mlir::LogicalResult ComputationImporter::makeEach(llvm::StringRef name,
                                                  llvm::ArrayRef<mlir::NamedAttribute> attributes,
                                                  llvm::ArrayRef<int64_t> bodies) {
  Leaves inputs = operands(), all;
  if (inputs.size() != resultTypes.size())
    return fail("expected as many results as operands, got " + llvm::Twine(resultTypes.size()) +
                " for " + llvm::Twine(inputs.size()));
  llvm::SmallVector<mlir::Type> types = resultTypes;
  for (auto [input, type] : llvm::zip_equal(inputs, types)) {
    if (mlir::failed(withResultTypes(
            type, [&, input = input] { return make(name, input, attributes, bodies); })))
      return mlir::failure();
    all.append(takeResults());
  }
  return forward(std::move(all));
}

mlir::LogicalResult
ComputationImporter::withResultTypes(llvm::ArrayRef<mlir::Type> types,
                                     llvm::function_ref<mlir::LogicalResult()> read) {
  llvm::SmallVector<mlir::Type> own = std::exchange(resultTypes, llvm::to_vector(types));
  mlir::LogicalResult result = read();
  resultTypes = std::move(own);
  return result;
}

mlir::LogicalResult ComputationImporter::makeBranches(llvm::StringRef name, mlir::Value selector,
                                                      llvm::ArrayRef<Leaves> captured) {
  mlir::OperationState state(place, name, selector, resultTypes);
  for (auto [id, leaves] : llvm::zip_equal(current->called_computation_ids(), captured)) {
    mlir::Block &block = state.addRegion()->emplaceBlock();
    const hlo::HloComputationProto *body = module.computation(id);
    if (!body)
      return fail("there is no computation number " + llvm::Twine(id));
    ComputationImporter inner(module, *body, builderAt(block, module));
    std::optional<Leaves> returned = inner.run(leaves);
    if (!returned)
      return mlir::failure();
    stablehlo::ReturnOp::create(inner.builder, place, *returned);
  }
  results.assign(builder.create(state)->result_begin(), builder.getBlock()->back().result_end());
  return mlir::success();
}

mlir::LogicalResult ComputationImporter::fillRegion(mlir::Region &region, int64_t id) {
  const hlo::HloComputationProto *body = module.computation(id);
  if (!body)
    return fail("there is no computation number " + llvm::Twine(id));
  auto types = parameterTypes(module, *body);
  if (!types)
    return mlir::failure();
  mlir::Block &block = region.emplaceBlock();
  block.addArguments(*types, llvm::SmallVector<mlir::Location>(types->size(), place));
  ComputationImporter inner(module, *body, builderAt(block, module));
  std::optional<Leaves> returned = inner.run(block.getArguments());
  if (!returned)
    return mlir::failure();
  stablehlo::ReturnOp::create(inner.builder, place, *returned);
  return mlir::success();
}

mlir::LogicalResult ComputationImporter::forward(Leaves leaves) {
  results = std::move(leaves);
  return mlir::success();
}

mlir::LogicalResult ComputationImporter::inlined(int64_t id) {
  const hlo::HloComputationProto *body = module.computation(id);
  if (!body)
    return fail("there is no computation number " + llvm::Twine(id));
  ComputationImporter inner(module, *body, builder);
  std::optional<Leaves> returned = inner.run(operands());
  return returned ? forward(*std::move(returned)) : mlir::failure();
}

mlir::func::FuncOp ComputationImporter::callee(int64_t id) {
  if (const hlo::HloComputationProto *body = module.computation(id))
    return module.functionOf(*body, place);
  static_cast<void>(fail("there is no computation number " + llvm::Twine(id)));
  return {};
}

mlir::LogicalResult ComputationImporter::call(int64_t id) {
  mlir::func::FuncOp called = callee(id);
  if (!called)
    return mlir::failure();
  auto made = mlir::func::CallOp::create(builder, place, called.getSymName(),
                                         called.getFunctionType().getResults(), operands());
  return forward(Leaves(made.result_begin(), made.result_end()));
}

mlir::LogicalResult ComputationImporter::constant() {
  llvm::SmallVector<mlir::ElementsAttr> values;
  if (std::string why = leafValues(current->literal(), current->shape(), module.context, values);
      !why.empty())
    return fail(why);
  Leaves leaves;
  for (mlir::ElementsAttr value : values) {
    leaves.push_back(stablehlo::ConstantOp::create(builder, place, value));
    if (isLeftOut(value))
      module.countLeftOut(place);
  }
  return forward(std::move(leaves));
}

std::optional<Leaves> ComputationImporter::element(int operand, int64_t index) const {
  const hlo::ShapeProto &tuple = operandShape(operand);
  if (tuple.element_type() != hlo::TUPLE || index < 0 || index >= tuple.tuple_shapes_size()) {
    static_cast<void>(fail("its operand has no element number " + llvm::Twine(index)));
    return std::nullopt;
  }
  size_t first = 0;
  for (int64_t i = 0; i < index; ++i)
    first += countLeaves(tuple.tuple_shapes(i));
  llvm::ArrayRef<mlir::Value> leaves =
      operandLeaves[operand].slice(first, countLeaves(tuple.tuple_shapes(index)));
  return Leaves(leaves.begin(), leaves.end());
}

mlir::LogicalResult ComputationImporter::getTupleElement() {
  if (mlir::failed(expectOperands(1)))
    return mlir::failure();
  std::optional<Leaves> leaves = element(0, current->tuple_index());
  return leaves ? forward(*std::move(leaves)) : mlir::failure();
}

//===- Reading -----------------------------------------------------------------===//

std::optional<llvm::SmallVector<mlir::Type>>
ComputationImporter::parameterTypes(ModuleImporter &module, const hlo::HloComputationProto &proto) {
  const auto &byNumber = module.summaryOf(proto).parameters;
  llvm::SmallVector<mlir::Type> types;
  for (size_t number = 0; number < byNumber.size(); ++number) {
    auto found = byNumber.find(static_cast<int64_t>(number));
    const hlo::HloInstructionProto *each = found == byNumber.end() ? nullptr : found->second;
    std::string why = each ? leafTypes(each->shape(), module.context, types)
                           : "there is no parameter number " + std::to_string(number);
    if (why.empty())
      continue;
    mlir::emitError(each ? module.locationOf(*each) : module.locationOf(proto))
        << "computation '" << proto.name()
        << "': " << (each ? "parameter '" + each->name() + "': " : "") << why;
    return std::nullopt;
  }
  return types;
}

mlir::LogicalResult ComputationImporter::parameter() {
  auto first = firstLeafOfParameter.find(current->parameter_number());
  size_t count = resultTypes.size();
  if (first == firstLeafOfParameter.end() || first->second + count > parameters.size())
    return fail("the computation is given no argument for parameter " +
                llvm::Twine(current->parameter_number()));
  mlir::ValueRange mine = parameters.slice(first->second, count);
  if (llvm::ArrayRef<mlir::Type>(resultTypes) !=
      llvm::ArrayRef<mlir::Type>(llvm::to_vector(mine.getTypes())))
    return fail("the argument that it is given has another shape");
  return forward(Leaves(mine.begin(), mine.end()));
}

/// Most instructions have the type of an operand.
std::string ComputationImporter::findResultTypes() {
  const hlo::ShapeProto &shape = current->shape();
  bool isOperands = !operandShapes.empty() && shape.element_type() != hlo::TUPLE &&
                    shape.element_type() == operandShape(0).element_type() &&
                    llvm::equal(shape.dimensions(), operandShape(0).dimensions()) &&
                    !llvm::is_contained(shape.is_dynamic_dimension(), true);
  if (!isOperands)
    return leafTypes(shape, module.context, resultTypes);
  resultTypes.push_back(operand(0).front().getType());
  return "";
}

mlir::LogicalResult ComputationImporter::read(const hlo::HloInstructionProto &instruction,
                                              const KnownOpcode &opcode) {
  current = &instruction;
  currentOpcode = &opcode;
  place = module.locationOf(instruction);
  operandLeaves.clear();
  operandShapes.clear();
  resultTypes.clear();
  results.clear();
  for (int64_t id : instruction.operand_ids()) {
    const Value *found = values.find(id);
    if (!found)
      return fail("operand number " + llvm::Twine(operandLeaves.size()) +
                  " is no instruction before it");
    operandLeaves.push_back(found->leaves);
    operandShapes.push_back(found->shape);
  }
  if (std::string why = findResultTypes(); !why.empty())
    return fail(why);
  mlir::Block *block = builder.getBlock();
  mlir::Operation *lastBefore = block->empty() ? nullptr : &block->back();
  if (mlir::failed(opcode.read(*this)) || module.checks.hasFailed())
    return mlir::failure();
  bool fits = results.size() == resultTypes.size();
  for (size_t i = 0; fits && i < results.size(); ++i)
    fits = results[i].getType() == resultTypes[i];
  if (!fits)
    return fail("its shape is not what its operands and computations give");
  if (instruction.has_sharding() || instruction.has_frontend_attributes())
    addNotes(lastBefore);
  if (module.keepsNames())
    addNames();
  return mlir::success();
}

/// Names what the instruction stands for: its value %x, or %x#0, %x#1 .. what its tuple holds. That
/// of an element of a tuple comes before the number it has there.
void ComputationImporter::addNames() {
  for (auto [i, value] : llvm::enumerate(results)) {
    std::string name = "%" + current->name();
    if (current->shape().element_type() == hlo::TUPLE)
      name += "#" + std::to_string(i);
    addWrittenName(value, name);
  }
}

/// Writes what an ordinary instruction says of its sharding, and what the frontend says of it, at
/// the op that it became, the last one, if it became any. What parameters and the root say of
/// shardings is for their function to say.
void ComputationImporter::addNotes(mlir::Operation *lastBefore) {
  mlir::Operation *made = results.empty() ? nullptr : results.front().getDefiningOp();
  if (!made || made == lastBefore || made != &builder.getBlock()->back() ||
      made->getNumResults() != results.size())
    return;
  if (current->has_sharding() && module.readsShardings && current->id() != proto.root_id() &&
      !made->hasAttr(shardingName))
    made->setDiscardableAttr(shardingName, builder.getStringAttr(textOf(current->sharding())));
  if (current->frontend_attributes().map_size() > 0 && !made->hasAttr(frontendName) &&
      !llvm::isa<stablehlo::CompositeOp>(made))
    made->setDiscardableAttr(frontendName,
                             dictionaryOf(current->frontend_attributes(), module.context));
}

std::optional<Leaves> ComputationImporter::run(mlir::ValueRange parameterLeaves) {
  if (!module.open.insert(&proto).second) {
    mlir::emitError(module.locationOf(proto))
        << "computation '" << proto.name() << "' calls itself";
    return std::nullopt;
  }
  parameters = parameterLeaves;
  size_t first = 0;
  for (auto [number, parameter] : summary.parameters) {
    firstLeafOfParameter[number] = first;
    first += countLeaves(parameter->shape());
  }
  for (auto [each, opcode] : llvm::zip_equal(proto.instructions(), summary.opcodes)) {
    if (mlir::failed(read(each, *opcode)))
      return std::nullopt;
    values.add(each.id(), {std::move(results), &each.shape()});
    results.clear();
  }
  module.open.erase(&proto);
  if (const Value *root = values.find(proto.root_id()))
    return root->leaves;
  mlir::emitError(module.locationOf(proto)) << "computation '" << proto.name() << "' has no root";
  return std::nullopt;
}

} // namespace spmd::import_hlo
