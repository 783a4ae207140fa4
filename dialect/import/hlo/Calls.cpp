// Calls and custom calls.

#include "spmd/dialect/import/hlo/Importer.h"
#include "spmd/dialect/import/hlo/OpSharding.h"
#include "spmd/dialect/import/hlo/ParseQuietly.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd::import_hlo {

namespace {

using mlir::LogicalResult;

//===- Calls -------------------------------------------------------------------===//

/// A call that frontend attributes give the name of a composite, in a namespace, is one.
bool isComposite(ComputationImporter &at) {
  if (!at.inst().is_composite())
    return false;
  const auto &notes = at.inst().frontend_attributes().map();
  auto name = notes.find("composite.name");
  return name != notes.end() && name->second.find('.') != std::string::npos;
}

LogicalResult readComposite(ComputationImporter &at) {
  const auto &notes = at.inst().frontend_attributes().map();
  auto textOf = [&](const char *name) -> llvm::StringRef {
    auto found = notes.find(name);
    return found == notes.end() ? llvm::StringRef() : llvm::StringRef(found->second);
  };
  llvm::StringRef written = textOf("composite.attributes"), number = textOf("composite.version");
  auto attributes = llvm::dyn_cast_if_present<mlir::DictionaryAttr>(
      parseQuietly(written.empty() ? "{}" : written, at.module.context));
  int32_t version = 0;
  if (!attributes || (!number.empty() && number.getAsInteger(10, version)))
    return at.fail(
        "its composite.attributes are no dictionary, or its composite.version no number");
  mlir::func::FuncOp callee = at.callee(at.inst().called_computation_ids(0));
  if (!callee)
    return mlir::failure();
  return at.make("stablehlo.composite",
                 {at.named("name", at.builder.getStringAttr(textOf("composite.name"))),
                  at.named("composite_attributes", attributes),
                  at.named("decomposition", mlir::FlatSymbolRefAttr::get(callee)),
                  at.named("version", at.builder.getI32IntegerAttr(version))});
}

LogicalResult readCall(ComputationImporter &at) {
  if (mlir::failed(at.expectBodies(1)))
    return mlir::failure();
  if (isComposite(at))
    return readComposite(at);
  return at.call(at.inst().called_computation_ids(0));
}

LogicalResult readInlined(ComputationImporter &at) {
  if (mlir::failed(at.expectBodies(1)))
    return mlir::failure();
  return at.inlined(at.inst().called_computation_ids(0));
}

/// The layouts of all leaves, as custom calls list them: dims from minor to major.
mlir::ArrayAttr layoutsOf(ComputationImporter &at, llvm::ArrayRef<const hlo::ShapeProto *> shapes) {
  llvm::SmallVector<mlir::Attribute> layouts;
  llvm::SmallVector<const hlo::ShapeProto *> left(llvm::reverse(shapes));
  while (!left.empty()) {
    const hlo::ShapeProto *shape = left.pop_back_val();
    if (shape->element_type() == hlo::TUPLE) {
      for (const hlo::ShapeProto &element : llvm::reverse(shape->tuple_shapes()))
        left.push_back(&element);
      continue;
    }
    llvm::SmallVector<int64_t> order(shape->layout().minor_to_major().begin(),
                                     shape->layout().minor_to_major().end());
    if (static_cast<int>(order.size()) != shape->dimensions_size())
      order.assign(llvm::reverse(llvm::seq<int64_t>(0, shape->dimensions_size())).begin(),
                   llvm::reverse(llvm::seq<int64_t>(0, shape->dimensions_size())).end());
    layouts.push_back(at.builder.getIndexTensorAttr(order));
  }
  return at.builder.getArrayAttr(layouts);
}

/// The configuration: of typed calls a dictionary in MLIR's syntax, of others any bytes.
mlir::Attribute configOf(ComputationImporter &at) {
  const std::string &text = at.inst().backend_config();
  if (at.inst().custom_call_api_version() != hlo::API_VERSION_TYPED_FFI)
    return at.builder.getStringAttr(text);
  mlir::Attribute parsed =
      text.empty() ? at.builder.getDictionaryAttr({}) : parseQuietly(text, at.module.context);
  return llvm::dyn_cast_if_present<mlir::DictionaryAttr>(parsed);
}

void addAliases(ComputationImporter &at, llvm::SmallVectorImpl<mlir::NamedAttribute> &attributes) {
  llvm::SmallVector<mlir::Attribute> aliases;
  for (const hlo::OutputOperandAliasing &alias : at.inst().output_operand_aliasing()) {
    llvm::SmallVector<int64_t> output(alias.output_shape_index().begin(),
                                      alias.output_shape_index().end());
    llvm::SmallVector<int64_t> operand(alias.operand_shape_index().begin(),
                                       alias.operand_shape_index().end());
    aliases.push_back(stablehlo::OutputOperandAliasAttr::get(&at.module.context, output,
                                                             alias.operand_index(), operand));
  }
  if (!aliases.empty())
    attributes.push_back(at.named("output_operand_aliases", at.builder.getArrayAttr(aliases)));
}

/// What XLA's CPU backend makes of a sort of which only the largest are used.
LogicalResult readTopKCall(ComputationImporter &at) {
  const hlo::ShapeProto &shape = at.inst().shape();
  if (mlir::failed(at.expectOperands(1)))
    return mlir::failure();
  if (shape.tuple_shapes_size() != 2 || shape.tuple_shapes(0).dimensions().empty())
    return at.fail("expected the largest elements and their places as its shape");
  return at.make("chlo.top_k", at.integer("k", *shape.tuple_shapes(0).dimensions().rbegin()));
}

LogicalResult readCustomCall(ComputationImporter &at) {
  const hlo::HloInstructionProto &inst = at.inst();
  if (inst.custom_call_target() == "TopK")
    return readTopKCall(at);
  mlir::Attribute config = configOf(at);
  if (!config)
    return at.fail("its backend_config is no dictionary, which a typed call has");
  llvm::SmallVector<mlir::NamedAttribute> attributes = {
      at.named("call_target_name", at.builder.getStringAttr(inst.custom_call_target())),
      at.named("backend_config", config)};
  if (inst.custom_call_has_side_effect())
    attributes.push_back(at.boolean("has_side_effect", true));
  if (int version = inst.custom_call_api_version(); version > 1 && version <= 4)
    attributes.push_back(at.named("api_version", at.builder.getI32IntegerAttr(version)));
  addAliases(at, attributes);
  if (inst.constrain_layout()) {
    llvm::SmallVector<const hlo::ShapeProto *> operandShapes;
    for (const hlo::ShapeProto &shape : inst.operand_shapes_with_layout())
      operandShapes.push_back(&shape);
    attributes.push_back(at.named("operand_layouts", layoutsOf(at, operandShapes)));
    attributes.push_back(at.named("result_layouts", layoutsOf(at, &inst.shape())));
  }
  if (inst.has_sharding())
    attributes.push_back(
        at.named("mhlo.sharding", at.builder.getStringAttr(textOf(inst.sharding()))));
  if (inst.frontend_attributes().map_size() > 0)
    attributes.push_back(
        at.named(frontendName, dictionaryOf(inst.frontend_attributes(), at.module.context)));
  return at.make("stablehlo.custom_call", attributes);
}

} // namespace

void addCallReaders(llvm::StringMap<Reader> &readers) {
  readers["call"] = readCall;
  readers["fusion"] = readInlined;
  readers["custom-call"] = readCustomCall;
}

} // namespace spmd::import_hlo
