// Text and checks of manual and named computations.

#include "spmd/dialect/sdy/Dialect.h"

using namespace mlir;
using namespace spmd::sdy;

//===- Text ----------------------------------------------------------------===//

/// Reads `keyword=[<..>, <..>]` if it comes next.
static ParseResult parseShardings(OpAsmParser &parser, StringRef keyword,
                                  ShardingPerValueAttr &shardings) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  if (parser.parseEqual())
    return failure();
  shardings = ShardingPerValueAttr::parseList(parser);
  return success(static_cast<bool>(shardings));
}

/// Reads `(%b: type) { .. } {attributes} : (types) -> types`.
static ParseResult parseBody(OpAsmParser &parser, OperationState &result,
                             ArrayRef<OpAsmParser::UnresolvedOperand> operands) {
  SmallVector<OpAsmParser::Argument> arguments;
  FunctionType type;
  SMLoc location;
  return failure(
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true) ||
      parser.parseRegion(*result.addRegion(), arguments) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.getCurrentLocation(&location) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), location, result.operands) ||
      parser.addTypesToList(type.getResults(), result.types));
}

static void printShardings(OpAsmPrinter &printer, StringRef keyword,
                           ShardingPerValueAttr shardings) {
  if (!shardings)
    return;
  printer << ' ' << keyword << '=';
  shardings.printList(printer);
}

static void printBody(OpAsmPrinter &printer, Operation *op) {
  printer << " (";
  if (!op->getRegion(0).empty())
    llvm::interleaveComma(op->getRegion(0).getArguments(), printer,
                          [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") ";
  printer.printRegion(op->getRegion(0), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict(op->getDiscardableAttrDictionary().getValue());
  printer << " : ";
  printer.printFunctionalType(op);
}

ParseResult ManualComputationOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  Properties &properties = result.getOrAddProperties<Properties>();
  if (parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("in_shardings") || parser.parseEqual())
    return failure();
  if (!(properties.in_shardings = ShardingPerValueAttr::parseList(parser)) ||
      parser.parseKeyword("out_shardings") || parser.parseEqual())
    return failure();
  if (!(properties.out_shardings = ShardingPerValueAttr::parseList(parser)) ||
      parser.parseKeyword("manual_axes") || parser.parseEqual())
    return failure();
  properties.manual_axes = cast_or_null<ManualAxesAttr>(ManualAxesAttr::parse(parser, {}));
  return properties.manual_axes ? parseBody(parser, result, operands) : failure();
}

void ManualComputationOp::print(OpAsmPrinter &printer) {
  printer << '(' << getTensors() << ')';
  printShardings(printer, "in_shardings", getInShardings());
  printShardings(printer, "out_shardings", getOutShardings());
  printer << " manual_axes=";
  getManualAxes().print(printer);
  printBody(printer, *this);
}

ParseResult NamedComputationOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  Properties &properties = result.getOrAddProperties<Properties>();
  if (parser.parseLess() || parser.parseAttribute(properties.name) || parser.parseGreater() ||
      parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      parseShardings(parser, "in_shardings", properties.in_shardings) ||
      parseShardings(parser, "out_shardings", properties.out_shardings))
    return failure();
  return parseBody(parser, result, operands);
}

void NamedComputationOp::print(OpAsmPrinter &printer) {
  printer << '<' << getNameAttr() << ">(" << getOperands() << ')';
  printShardings(printer, "in_shardings", getInShardingsAttr());
  printShardings(printer, "out_shardings", getOutShardingsAttr());
  printBody(printer, *this);
}

//===- Checks --------------------------------------------------------------===//

/// Checks that there is one sharding for each of `types`, and that it fits.
static LogicalResult verifyShardings(Operation *op, StringRef kind, ShardingPerValueAttr shardings,
                                     TypeRange types) {
  if (shardings.size() != types.size())
    return op->emitOpError() << "has " << shardings.size() << " shardings for " << types.size()
                             << " " << kind << "s";
  for (auto [i, sharding, type] : llvm::enumerate(shardings.getShardings(), types))
    if (failed(verifySharding(op, kind + " " + Twine(i), sharding, type)))
      return failure();
  return success();
}

/// Checks the number of `inner` values against that of the `outer` ones, and each type against what
/// `expected(i)` says.
template <typename Expected>
static LogicalResult verifyTypes(Operation *op, StringRef inner, TypeRange innerTypes,
                                 StringRef outer, TypeRange outerTypes, Expected expected) {
  if (innerTypes.size() != outerTypes.size())
    return op->emitOpError() << "has " << innerTypes.size() << " " << inner << "s for "
                             << outerTypes.size() << " " << outer << "s";
  for (unsigned i = 0; i < innerTypes.size(); ++i) {
    FailureOr<Type> type = expected(i);
    if (failed(type))
      return failure();
    if (innerTypes[i] != *type)
      return op->emitOpError() << inner << " " << i << " has type " << innerTypes[i] << "; "
                               << outer << " " << i << " makes it " << *type;
  }
  return success();
}

static TypeRange returnTypes(Region &body) {
  return body.front().getTerminator()->getOperandTypes();
}

/// Checks that the body ends in `sdy.return`.
static LogicalResult verifyTerminator(Operation *op) {
  if (isa<ReturnOp>(op->getRegion(0).front().back()))
    return success();
  return op->emitOpError() << "body does not end in 'sdy.return'";
}

LogicalResult NamedComputationOp::verify() {
  if (getInShardingsAttr() &&
      failed(verifyShardings(*this, "operand", getInShardingsAttr(), getOperandTypes())))
    return failure();
  if (getOutShardingsAttr() &&
      failed(verifyShardings(*this, "result", getOutShardingsAttr(), getResultTypes())))
    return failure();
  return success();
}

LogicalResult NamedComputationOp::verifyRegions() {
  if (failed(verifyTerminator(*this)))
    return failure();
  TypeRange operands = getOperandTypes(), results = getResultTypes();
  if (failed(verifyTypes(*this, "argument", getBody().getArgumentTypes(), "operand", operands,
                         [&](unsigned i) -> FailureOr<Type> { return operands[i]; })))
    return failure();
  return verifyTypes(*this, "returned value", returnTypes(getBody()), "result", results,
                     [&](unsigned i) -> FailureOr<Type> { return results[i]; });
}

//===- Manual axes ---------------------------------------------------------===//

/// Checks that each manual axis is one of `mesh`, once, and not manual around the op already.
static LogicalResult verifyManualAxes(ManualComputationOp op, const spmd::Mesh &mesh) {
  ArrayRef<StringAttr> axes = op.getManualAxes().getAxes();
  for (auto [i, axis] : llvm::enumerate(axes)) {
    if (llvm::is_contained(axes.take_front(i), axis))
      return op.emitOpError() << "manual axis " << axis << " is given twice";
    if (absl::StatusOr<spmd::AxisRef> ref =
            spmd::resolve(mesh, spmd::AxisSpec{axis.getValue().str()});
        !ref.ok())
      return report(op, "manual_axes", ref.status());
    for (auto outer = op->getParentOfType<ManualComputationOp>(); outer;
         outer = outer->getParentOfType<ManualComputationOp>())
      if (outer.getManualAxes().contains(axis.getValue())) {
        InFlightDiagnostic diagnostic = op.emitOpError() << "axis " << axis << " is manual already";
        diagnostic.attachNote(outer.getLoc()) << "made manual by this 'sdy.manual_computation'";
        return diagnostic;
      }
  }
  return success();
}

/// Checks that manual axes stand before free ones in every dim, and that all shardings share a
/// mesh.
static LogicalResult verifyManualOrder(ManualComputationOp op, StringRef kind,
                                       ShardingPerValueAttr shardings, const spmd::Mesh &mesh) {
  for (auto [i, sharding] : llvm::enumerate(shardings.getShardings())) {
    if (*lookupMesh(op, sharding) != mesh)
      return op.emitOpError()
             << kind << " " << i
             << " has another mesh; all shardings of a manual computation share one";
    for (auto [d, dim] : llvm::enumerate(sharding.getSpec().dims)) {
      const spmd::AxisSpec *free = nullptr;
      for (const spmd::AxisSpec &axis : dim.axes) {
        if (!op.getManualAxes().contains(axis.name))
          free = &axis;
        else if (free)
          return op.emitOpError() << kind << " " << i << ": dim " << d << " has free axis \""
                                  << free->name << "\" before manual axis \"" << axis.name << "\"";
      }
    }
  }
  return success();
}

LogicalResult ManualComputationOp::verify() {
  if (failed(verifyShardings(*this, "operand", getInShardings(), getOperandTypes())) ||
      failed(verifyShardings(*this, "result", getOutShardings(), getResultTypes())))
    return failure();
  ShardingPerValueAttr some = getInShardings().size() ? getInShardings() : getOutShardings();
  if (some.size() == 0) {
    if (!getManualAxes().getAxes().empty())
      return emitOpError()
             << "has manual axes, but neither operands nor results to name their mesh";
    return success();
  }
  const spmd::Mesh &mesh = *lookupMesh(*this, some[0]);
  if (failed(verifyManualAxes(*this, mesh)) ||
      failed(verifyManualOrder(*this, "operand", getInShardings(), mesh)))
    return failure();
  return verifyManualOrder(*this, "result", getOutShardings(), mesh);
}

/// Returns the type of the shard of `type` along the manual axes of `sharding`; reports a dim that
/// they do not divide.
static FailureOr<Type> localType(ManualComputationOp op, const Twine &what, ShardingAttr sharding,
                                 Type type) {
  auto tensor = dyn_cast<ShapedType>(type);
  if (!tensor || !tensor.hasRank())
    return type;
  FailureOr<spmd::Sharding> resolved = resolve(op, sharding);
  if (failed(resolved))
    return failure();
  SmallVector<int64_t> shape(tensor.getShape());
  const spmd::Mesh &mesh = *lookupMesh(op, sharding);
  for (auto [d, dim] : llvm::enumerate(resolved->dims)) {
    int64_t shards = 1;
    for (const spmd::AxisRef &axis : dim.axes)
      if (op.getManualAxes().contains(mesh.axes()[axis.axis].name))
        shards *= axis.size;
    if (ShapedType::isDynamic(shape[d]))
      continue;
    if (shape[d] % shards != 0)
      return op.emitOpError() << what << ": dim " << d << " of size " << shape[d]
                              << " is not divisible by the " << shards
                              << " shards along manual axes";
    shape[d] /= shards;
  }
  return Type(tensor.clone(shape));
}

LogicalResult ManualComputationOp::verifyRegions() {
  if (failed(verifyTerminator(*this)))
    return failure();
  TypeRange operands = getOperandTypes(), results = getResultTypes();
  auto local = [&](StringRef kind, ShardingPerValueAttr shardings, TypeRange types) {
    return
        [=](unsigned i) { return localType(*this, kind + " " + Twine(i), shardings[i], types[i]); };
  };
  if (failed(verifyTypes(*this, "argument", getBody().getArgumentTypes(), "operand", operands,
                         local("operand", getInShardings(), operands))))
    return failure();
  return verifyTypes(*this, "returned value", returnTypes(getBody()), "result", results,
                     local("result", getOutShardings(), results));
}
