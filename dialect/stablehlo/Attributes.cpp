// Text of the attributes. VerifyAttributes.cpp says what they must hold.

#include "spmd/dialect/stablehlo/Syntax.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace spmd::stablehlo;

#include "spmd/dialect/stablehlo/Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "spmd/dialect/stablehlo/Attributes.cpp.inc"

void StablehloDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "spmd/dialect/stablehlo/Attributes.cpp.inc"
      >();
}

//===- Dispatch ------------------------------------------------------------===//

/// Parses the list of bounds of both spellings: `4, ?`.
static Attribute parseBounds(AsmParser &parser, AsmParser::Delimiter delimiter) {
  SmallVector<int64_t> bounds;
  if (parser.parseCommaSeparatedList(delimiter, [&]() -> ParseResult {
        if (succeeded(parser.parseOptionalQuestion())) {
          bounds.push_back(ShapedType::kDynamic);
          return success();
        }
        SMLoc loc = parser.getCurrentLocation();
        if (parser.parseInteger(bounds.emplace_back()))
          return failure();
        if (bounds.back() < 0)
          return parser.emitError(loc) << "bound " << bounds.back() << " is negative";
        return success();
      }))
    return {};
  return TypeExtensionsAttr::get(parser.getContext(), bounds);
}

Attribute StablehloDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  SMLoc loc = parser.getCurrentLocation();
  StringRef mnemonic;
  Attribute attr;
  OptionalParseResult result = generatedAttributeParser(parser, &mnemonic, type, attr);
  if (result.has_value())
    return succeeded(*result) ? attr : Attribute();
  if (mnemonic == "type_extensions") { // older spelling of `bounds`
    if (parser.parseLess() || parser.parseKeyword("bounds") || parser.parseEqual() ||
        !(attr = parseBounds(parser, AsmParser::Delimiter::Square)) || parser.parseGreater())
      return {};
    return attr;
  }
  parser.emitError(loc) << "'stablehlo' has no attribute '" << mnemonic << "'";
  return {};
}

void StablehloDialect::printAttribute(Attribute attr, DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attr, printer);
}

Attribute TypeExtensionsAttr::parse(AsmParser &parser, Type) {
  return parseBounds(parser, AsmParser::Delimiter::LessGreater);
}

void TypeExtensionsAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getBounds(), printer.getStream(), [&](int64_t bound) {
    ShapedType::isDynamic(bound) ? printer << '?' : printer << bound;
  });
  printer << '>';
}

//===- Records -------------------------------------------------------------===//

namespace {
/// One `name = value` of a record: a list of integers or one integer.
struct Field {
  Field(StringRef name, SmallVectorImpl<int64_t> &list) : name(name), list(&list) {}
  Field(StringRef name, int64_t &value) : name(name), value(&value) {}
  StringRef name;
  SmallVectorImpl<int64_t> *list = nullptr;
  int64_t *value = nullptr;
};
using List = SmallVector<int64_t, 4>;
} // namespace

/// Parses `name = value, ...>` in any order, each field at most once.
static ParseResult parseFields(AsmParser &parser, ArrayRef<Field> fields) {
  SmallVector<bool> seen(fields.size(), false);
  if (succeeded(parser.parseOptionalGreater()))
    return success();
  while (true) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    const Field *field =
        llvm::find_if(fields, [&](const Field &field) { return field.name == name; });
    if (field == fields.end())
      return parser.emitError(loc) << "unknown field '" << name << "'";
    if (std::exchange(seen[field - fields.begin()], true))
      return parser.emitError(loc) << "field '" << name << "' occurs twice";
    if (field->value ? parser.parseInteger(*field->value) : parseDims(parser, *field->list))
      return failure();
    if (failed(parser.parseOptionalComma()))
      return parser.parseGreater();
    if (succeeded(parser.parseOptionalGreater())) // a comma before the end
      return success();
  }
}
static ParseResult parseRecord(AsmParser &parser, ArrayRef<Field> fields) {
  return failure(parser.parseLess() || parseFields(parser, fields));
}

namespace {
/// Prints the fields of a record in order.
class RecordPrinter {
public:
  explicit RecordPrinter(AsmPrinter &printer, StringRef start = "<") : printer(printer) {
    printer << start;
  }
  ~RecordPrinter() { printer << '>'; }
  void list(StringRef name, ArrayRef<int64_t> values) {
    start(name);
    printDims(printer, values);
  }
  void value(StringRef name, int64_t value) {
    start(name);
    printer << value;
  }
  /// An empty list and a zero are the default and need no text.
  void optionalList(StringRef name, ArrayRef<int64_t> values) {
    if (!values.empty())
      list(name, values);
  }
  void optionalValue(StringRef name, int64_t number) {
    if (number)
      value(name, number);
  }
  AsmPrinter &start(StringRef name) {
    if (!first)
      printer << ", ";
    first = false;
    return printer << name << " = ";
  }

private:
  AsmPrinter &printer;
  bool first = true;
};
} // namespace

Attribute DotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  List lhsBatching, rhsBatching, lhsContracting, rhsContracting;
  if (parseRecord(parser, {{"lhs_batching_dimensions", lhsBatching},
                           {"rhs_batching_dimensions", rhsBatching},
                           {"lhs_contracting_dimensions", lhsContracting},
                           {"rhs_contracting_dimensions", rhsContracting}}))
    return {};
  return get(parser.getContext(), lhsBatching, rhsBatching, lhsContracting, rhsContracting);
}

void DotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  RecordPrinter record(printer);
  record.optionalList("lhs_batching_dimensions", getLhsBatchingDimensions());
  record.optionalList("rhs_batching_dimensions", getRhsBatchingDimensions());
  record.optionalList("lhs_contracting_dimensions", getLhsContractingDimensions());
  record.optionalList("rhs_contracting_dimensions", getRhsContractingDimensions());
}

Attribute GatherDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  List offset, collapsed, operandBatching, indicesBatching, startIndexMap;
  int64_t indexVectorDim = 0;
  if (parseRecord(parser, {{"offset_dims", offset},
                           {"collapsed_slice_dims", collapsed},
                           {"operand_batching_dims", operandBatching},
                           {"start_indices_batching_dims", indicesBatching},
                           {"start_index_map", startIndexMap},
                           {"index_vector_dim", indexVectorDim}}))
    return {};
  return get(parser.getContext(), offset, collapsed, operandBatching, indicesBatching,
             startIndexMap, indexVectorDim);
}

void GatherDimensionNumbersAttr::print(AsmPrinter &printer) const {
  RecordPrinter record(printer);
  record.optionalList("offset_dims", getOffsetDims());
  record.optionalList("collapsed_slice_dims", getCollapsedSliceDims());
  record.optionalList("operand_batching_dims", getOperandBatchingDims());
  record.optionalList("start_indices_batching_dims", getStartIndicesBatchingDims());
  record.optionalList("start_index_map", getStartIndexMap());
  record.optionalValue("index_vector_dim", getIndexVectorDim());
}

Attribute ScatterDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  List window, inserted, inputBatching, indicesBatching, toOperand;
  int64_t indexVectorDim = 0;
  if (parseRecord(parser, {{"update_window_dims", window},
                           {"inserted_window_dims", inserted},
                           {"input_batching_dims", inputBatching},
                           {"scatter_indices_batching_dims", indicesBatching},
                           {"scatter_dims_to_operand_dims", toOperand},
                           {"index_vector_dim", indexVectorDim}}))
    return {};
  return get(parser.getContext(), window, inserted, inputBatching, indicesBatching, toOperand,
             indexVectorDim);
}

void ScatterDimensionNumbersAttr::print(AsmPrinter &printer) const {
  RecordPrinter record(printer);
  record.optionalList("update_window_dims", getUpdateWindowDims());
  record.optionalList("inserted_window_dims", getInsertedWindowDims());
  record.optionalList("input_batching_dims", getInputBatchingDims());
  record.optionalList("scatter_indices_batching_dims", getScatterIndicesBatchingDims());
  record.optionalList("scatter_dims_to_operand_dims", getScatterDimsToOperandDims());
  record.optionalValue("index_vector_dim", getIndexVectorDim());
}

Attribute ChannelHandleAttr::parse(AsmParser &parser, Type) {
  int64_t handle = 0, type = 0;
  if (parseRecord(parser, {{"handle", handle}, {"type", type}}))
    return {};
  return get(parser.getContext(), handle, type);
}

void ChannelHandleAttr::print(AsmPrinter &printer) const {
  RecordPrinter record(printer);
  record.value("handle", getHandle());
  record.value("type", getType());
}

Attribute OutputOperandAliasAttr::parse(AsmParser &parser, Type) {
  List output, operand;
  int64_t operandIndex = 0;
  if (parseRecord(parser, {{"output_tuple_indices", output},
                           {"operand_index", operandIndex},
                           {"operand_tuple_indices", operand}}))
    return {};
  return get(parser.getContext(), output, operandIndex, operand);
}

void OutputOperandAliasAttr::print(AsmPrinter &printer) const {
  RecordPrinter record(printer);
  record.list("output_tuple_indices", getOutputTupleIndices());
  record.value("operand_index", getOperandIndex());
  record.list("operand_tuple_indices", getOperandTupleIndices());
}

//===- Convolutions --------------------------------------------------------===//

static Attribute parseRawConvolution(AsmParser &parser) {
  int64_t inputBatch = 0, inputFeature = 0, kernelInput = 0, kernelOutput = 0, outputBatch = 0,
          outputFeature = 0;
  List input, kernel, output;
  if (parseFields(parser, {{"input_batch_dimension", inputBatch},
                           {"input_feature_dimension", inputFeature},
                           {"input_spatial_dimensions", input},
                           {"kernel_input_feature_dimension", kernelInput},
                           {"kernel_output_feature_dimension", kernelOutput},
                           {"kernel_spatial_dimensions", kernel},
                           {"output_batch_dimension", outputBatch},
                           {"output_feature_dimension", outputFeature},
                           {"output_spatial_dimensions", output}}))
    return {};
  return ConvDimensionNumbersAttr::get(parser.getContext(), inputBatch, inputFeature, input,
                                       kernelInput, kernelOutput, kernel, outputBatch,
                                       outputFeature, output);
}

Attribute ConvDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalKeyword("raw")))
    return parseRawConvolution(parser);
  ConvDimensionNumbersAttr numbers;
  if (parseConvolutionDimensions(parser, numbers) || parser.parseGreater())
    return {};
  return numbers;
}

void ConvDimensionNumbersAttr::print(AsmPrinter &printer) const {
  if (hasConvolutionText(*this)) {
    printer << '<';
    printConvolutionDimensions(printer, nullptr, *this);
    printer << '>';
    return;
  }
  RecordPrinter record(printer, "<raw ");
  record.value("input_batch_dimension", getInputBatchDimension());
  record.value("input_feature_dimension", getInputFeatureDimension());
  record.list("input_spatial_dimensions", getInputSpatialDimensions());
  record.value("kernel_input_feature_dimension", getKernelInputFeatureDimension());
  record.value("kernel_output_feature_dimension", getKernelOutputFeatureDimension());
  record.list("kernel_spatial_dimensions", getKernelSpatialDimensions());
  record.value("output_batch_dimension", getOutputBatchDimension());
  record.value("output_feature_dimension", getOutputFeatureDimension());
  record.list("output_spatial_dimensions", getOutputSpatialDimensions());
}

//===- Accuracy ------------------------------------------------------------===//

ResultAccuracyAttr spmd::stablehlo::defaultResultAccuracy(MLIRContext *context) {
  return ResultAccuracyAttr::get(context, APFloat(0.0), APFloat(0.0), 0,
                                 ResultAccuracyModeAttr::get(context, ResultAccuracyMode::DEFAULT));
}

Attribute ResultAccuracyAttr::parse(AsmParser &parser, Type) {
  MLIRContext *context = parser.getContext();
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  auto mode = ResultAccuracyModeAttr::get(context, ResultAccuracyMode::DEFAULT);
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  do {
    SMLoc fieldLoc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return {};
    ParseResult result = name == "atol"   ? parser.parseFloat(atol)
                         : name == "rtol" ? parser.parseFloat(rtol)
                         : name == "ulps" ? parser.parseInteger(ulps)
                         : name == "mode"
                             ? parser.parseCustomAttributeWithFallback(mode)
                             : parser.emitError(fieldLoc) << "unknown field '" << name << "'";
    if (result)
      return {};
  } while (succeeded(parser.parseOptionalComma()));
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, context, APFloat(atol), APFloat(rtol),
                    ulps, mode);
}

void ResultAccuracyAttr::print(AsmPrinter &printer) const {
  RecordPrinter record(printer);
  if (!getAtol().isZero())
    record.start("atol") << getAtol();
  if (!getRtol().isZero())
    record.start("rtol") << getRtol();
  record.optionalValue("ulps", getUlps());
  record.start("mode") << getMode();
}

//===- Device groups -------------------------------------------------------===//

template <typename T>
static ParseResult parseAttrList(AsmParser &parser, SmallVectorImpl<T> &list) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseCustomAttributeWithFallback(list.emplace_back());
  });
}

Attribute MeshAttr::parse(AsmParser &parser, Type) {
  SmallVector<MeshAxisAttr> axes;
  DenseIntElementsAttr deviceIds;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword("axes") || parser.parseEqual() ||
      parseAttrList(parser, axes))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("device_ids") || parser.parseEqual() ||
       parser.parseAttribute(deviceIds)))
    return {};
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), axes, deviceIds);
}

void MeshAttr::print(AsmPrinter &printer) const {
  printer << "<axes=[";
  llvm::interleaveComma(getAxes(), printer.getStream(),
                        [&](MeshAxisAttr axis) { printer.printStrippedAttrOrType(axis); });
  printer << ']';
  if (getDeviceIds())
    printer << ", device_ids=" << getDeviceIds();
  printer << '>';
}

Attribute ReplicaGroupMeshAxesAttr::parse(AsmParser &parser, Type) {
  Attribute mesh;
  SmallVector<AxisRefAttr> axes;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword("mesh") || parser.parseEqual() ||
      parser.parseAttribute(mesh) || parser.parseComma() || parser.parseKeyword("axes") ||
      parser.parseEqual() || parseAttrList(parser, axes) || parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), mesh, axes);
}

void ReplicaGroupMeshAxesAttr::print(AsmPrinter &printer) const {
  printer << "<mesh = " << getMesh() << ", axes = [";
  llvm::interleaveComma(getAxes(), printer.getStream(), [&](AxisRefAttr axis) { printer << axis; });
  printer << "]>";
}
