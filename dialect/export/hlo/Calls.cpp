// Calls of functions, and of what only others know.

#include "spmd/dialect/export/hlo/Exporter.h"

#include "spmd/dialect/stablehlo/Dialect.h"

#include "llvm/Support/JSON.h"

namespace spmd::export_hlo {

namespace {

using mlir::LogicalResult;
using mlir::success;
using namespace stablehlo;

std::string textOf(mlir::Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

//===- Functions ---------------------------------------------------------------===//

LogicalResult writeCall(ComputationWriter &at) {
  auto *callee =
      at.module.computationOf(at.op(), llvm::cast<mlir::func::CallOp>(at.op()).getCallee());
  if (!callee)
    return mlir::failure();
  at.call(at.make("call"), {callee});
  return success();
}

LogicalResult writeComposite(ComputationWriter &at) {
  auto op = llvm::cast<CompositeOp>(at.op());
  if (!op.getCompositeRegions().empty())
    return at.fail("has regions, which have no counterpart in HLO");
  auto *callee = at.module.computationOf(op, op.getDecomposition());
  if (!callee)
    return mlir::failure();
  hlo::HloInstructionProto &made = at.make("call");
  at.call(made, {callee});
  made.set_is_composite(true);
  auto &notes = *made.mutable_frontend_attributes()->mutable_map();
  notes["composite.name"] = op.getName().str();
  notes["composite.attributes"] = textOf(op.getCompositeAttributes());
  notes["composite.version"] = std::to_string(op.getVersion());
  return success();
}

//===- Custom calls --------------------------------------------------------------===//

/// Sets the layouts of the leaves of `shape` to those in `layouts` from `next` on.
void setLayouts(hlo::ShapeProto &shape, mlir::ArrayAttr layouts, size_t &next) {
  if (shape.element_type() == hlo::TUPLE) {
    for (hlo::ShapeProto &element : *shape.mutable_tuple_shapes())
      setLayouts(element, layouts, next);
    return;
  }
  auto layout = next < layouts.size() ? llvm::dyn_cast<mlir::DenseIntElementsAttr>(layouts[next])
                                      : mlir::DenseIntElementsAttr();
  ++next;
  if (!layout || shape.element_type() == hlo::TOKEN)
    return;
  shape.mutable_layout()->clear_minor_to_major();
  for (const llvm::APInt &dim : layout.getValues<llvm::APInt>())
    shape.mutable_layout()->add_minor_to_major(dim.getSExtValue());
}

void writeLayouts(CustomCallOp op, ComputationWriter &at, hlo::HloInstructionProto &made) {
  mlir::ArrayAttr operands = op.getOperandLayoutsAttr(), results = op.getResultLayoutsAttr();
  size_t next = 0;
  if (results)
    setLayouts(*made.mutable_shape(), results, next);
  if (!operands)
    return;
  made.set_constrain_layout(true);
  next = 0;
  for (mlir::Value operand : op->getOperands()) {
    hlo::ShapeProto &shape = *made.add_operand_shapes_with_layout();
    shape = at.instructionOf(operand).shape();
    setLayouts(shape, operands, next);
  }
}

/// Writes the configuration: a dictionary in MLIR's syntax, which makes the call a typed one, or
/// any bytes.
void writeConfig(CustomCallOp op, hlo::HloInstructionProto &made) {
  made.set_custom_call_api_version(static_cast<hlo::CustomCallApiVersion>(op.getApiVersion()));
  mlir::Attribute config = op.getBackendConfigAttr();
  auto text = llvm::dyn_cast_if_present<mlir::StringAttr>(config);
  if (!config || (text && text.getValue().empty()))
    if (mlir::Attribute dictionary = op->getDiscardableAttr("mhlo.backend_config"))
      config = dictionary, text = {};
  if (text)
    return made.set_backend_config(text.getValue().str());
  if (!config)
    return;
  made.set_backend_config(textOf(config));
  made.set_custom_call_api_version(hlo::API_VERSION_TYPED_FFI);
}

LogicalResult addCallees(CustomCallOp op, ComputationWriter &at,
                         llvm::SmallVectorImpl<hlo::HloComputationProto *> &callees) {
  for (auto symbol : op.getCalledComputations().getAsRange<mlir::FlatSymbolRefAttr>()) {
    callees.push_back(at.module.computationOf(op, symbol.getValue()));
    if (!callees.back())
      return mlir::failure();
  }
  return success();
}

/// Opcodes that some write as calls: `@mhlo.erf` with `mhlo.attributes`. Returns null if this is
/// none.
Writer writerOfOpcodeCall(CustomCallOp op) {
  llvm::StringRef target = op.getCallTargetName();
  if (target == "ragged_all_to_all")
    return writerOf("@ragged_all_to_all");
  bool isUnary = op->getNumOperands() == 1 && op->getNumResults() == 1;
  static constexpr llvm::StringLiteral unary[] = {"acos", "acosh", "asin", "asinh", "atanh",
                                                  "cosh", "erf",   "sinh", "tan"};
  if (!target.consume_front("mhlo.") || !isUnary || !llvm::is_contained(unary, target))
    return nullptr;
  return [](ComputationWriter &at) {
    at.make(llvm::cast<CustomCallOp>(at.op()).getCallTargetName().drop_front(5));
    return success();
  };
}

LogicalResult writeCustomCall(ComputationWriter &at) {
  auto op = llvm::cast<CustomCallOp>(at.op());
  if (Writer writer = writerOfOpcodeCall(op))
    return writer(at);
  if (!llvm::json::isUTF8(op.getCallTargetName()))
    return at.fail("has a target whose name is no UTF-8 text");
  llvm::SmallVector<hlo::HloComputationProto *> callees;
  if (mlir::failed(addCallees(op, at, callees)))
    return mlir::failure();
  hlo::HloInstructionProto &made = at.make("custom-call");
  made.set_custom_call_target(op.getCallTargetName().str());
  writeConfig(op, made);
  made.set_custom_call_has_side_effect(op.getHasSideEffect());
  made.set_feature_group_count(1); // As every reader of text has it.
  made.set_batch_group_count(1);
  for (auto alias : op.getOutputOperandAliases().getAsRange<OutputOperandAliasAttr>()) {
    hlo::OutputOperandAliasing &written = *made.add_output_operand_aliasing();
    for (int64_t index : alias.getOutputTupleIndices())
      written.add_output_shape_index(index);
    written.set_operand_index(alias.getOperandIndex());
    for (int64_t index : alias.getOperandTupleIndices())
      written.add_operand_shape_index(index);
  }
  writeLayouts(op, at, made);
  for (hlo::HloComputationProto *callee : callees)
    at.call(made, {callee});
  return success();
}

} // namespace

void addCallWriters(llvm::StringMap<Writer> &writers) {
  writers["func.call"] = writeCall;
  writers["stablehlo.composite"] = writeComposite;
  writers["stablehlo.custom_call"] = writeCustomCall;
}

} // namespace spmd::export_hlo
