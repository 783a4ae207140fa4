// The dialect, its type, and the checks of its discardable attributes.

#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/spmd/Rotate.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/CompositeRule.h"
#include "spmd/dialect/spmd/PartitionedModule.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace spmd;

#include "spmd/dialect/spmd/Dialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "spmd/dialect/spmd/Types.cpp.inc"

void SpmdDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "spmd/dialect/spmd/Types.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "spmd/dialect/spmd/Ops.cpp.inc"
      >();
  addOperations<RotateOp>();
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 RankedTensorType tensor) {
  if (!tensor.hasStaticShape())
    return emitError() << "a buffer holds a tensor of static shape; got " << tensor;
  if (isa<BufferType>(tensor.getElementType()))
    return emitError() << "a buffer holds numbers; got " << tensor;
  return success();
}

//===- Attributes of ops ---------------------------------------------------===//

/// Checks `spmd.inferred` on an op: a unit, or results of the op in ascending order.
/// Checks an attribute that concerns all results of `op`, or those it lists.
static LogicalResult verifyResultList(Operation *op, StringRef name, Attribute value) {
  if (isa<UnitAttr>(value))
    return success();
  auto results = dyn_cast<DenseI64ArrayAttr>(value);
  if (!results)
    return op->emitOpError() << "attribute '" << name
                             << "' is neither a unit nor a list of results";
  int64_t previous = -1;
  for (int64_t result : results.asArrayRef()) {
    if (result <= previous || result >= op->getNumResults())
      return op->emitOpError() << "attribute '" << name << "' has " << result << " after "
                               << previous
                               << "; it lists results in ascending order, and there are "
                               << op->getNumResults();
    previous = result;
  }
  return success();
}

/// Checks `spmd.writes`: operands that are buffers, in ascending order.
static LogicalResult verifyWrites(Operation *op, StringRef name, Attribute value) {
  auto operands = dyn_cast<DenseI64ArrayAttr>(value);
  if (!operands)
    return op->emitOpError() << "attribute '" << name << "' is no list of operands";
  int64_t previous = -1;
  for (int64_t operand : operands.asArrayRef()) {
    if (operand <= previous || operand >= op->getNumOperands())
      return op->emitOpError() << "attribute '" << name << "' has " << operand << " after "
                               << previous
                               << "; it lists operands in ascending order, and there are "
                               << op->getNumOperands();
    if (!isa<BufferType>(op->getOperand(operand).getType()))
      return op->emitOpError() << "attribute '" << name << "' names operand " << operand
                               << " of type " << op->getOperand(operand).getType()
                               << "; only a buffer can be written";
    previous = operand;
  }
  return success();
}

LogicalResult SpmdDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == inferredAttrName || name == missingAttrName)
    return verifyResultList(op, name, attribute.getValue());
  if (name == "spmd.writes")
    return verifyWrites(op, name, attribute.getValue());
  if (name == hintAttrName || name == grownFromAttrName) {
    auto shardings = dyn_cast<sdy::ShardingPerValueAttr>(attribute.getValue());
    return shardings
               ? sdy::verifyResultShardings(op, shardings)
               : op->emitOpError() << "attribute '" << name << "' is no #sdy.sharding_per_value";
  }
  if (name == manualAxesAttrName) {
    auto names = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!isa<FunctionOpInterface>(op) || !names || !llvm::all_of(names, llvm::IsaPred<StringAttr>))
      return op->emitOpError() << "attribute '" << name << "' is no array of names on a function";
    return success();
  }
  if (name == referenceAttrName && !isa<FlatSymbolRefAttr>(attribute.getValue()))
    return op->emitOpError() << "attribute '" << name << "' is no name of a function";
  if (name == compositeRuleAttrName && !isa<sdy::OpShardingRuleAttr>(attribute.getValue()))
    return op->emitOpError() << "attribute '" << name << "' is no #sdy.op_sharding_rule";
  if (name == "spmd.rule" && !isa<DictionaryAttr>(attribute.getValue()))
    return op->emitOpError() << "attribute '" << name << "' is no dictionary";
  if (name == "spmd.assumed_rule" && !isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError() << "attribute '" << name << "' is no unit";
  if (name == partitionedAttrName || name == prioritiesServedAttrName) {
    if (isa<UnitAttr>(attribute.getValue()) && isa<ModuleOp>(op))
      return success();
    return op->emitOpError() << "attribute '" << name << "' is no unit on a module";
  }
  if (name == globalTypeAttrName)
    return op->emitOpError() << "has attribute '" << name
                             << "', which belongs to an argument or result";
  return success();
}

//===- Attributes of function arguments and results ------------------------===//

/// Checks that `part` says where in a memory elements of `type` lie.
static LogicalResult verifyMemory(Operation *op, const Twine &what, Attribute attribute,
                                  BufferType type) {
  std::optional<MemoryPart> part = MemoryPart::read(attribute);
  if (!part)
    return op->emitOpError()
           << what << ": attribute '" << memoryAttrName
           << "' is no dictionary of 'name', a string, and of 'shape', "
              "'start_indices', 'limit_indices' and 'strides', of a number each a dim";
  int64_t count = 1;
  for (size_t d = 0; d < part->shape.size(); ++d) {
    int64_t start = part->starts[d], limit = part->limits[d], stride = part->strides[d];
    if (start < 0 || limit < start || part->shape[d] < limit || stride <= 0)
      return op->emitOpError() << what << ": range " << start << ":" << limit << ":" << stride
                               << " of dim " << d << " of memory \"" << part->name
                               << "\" is no part of its size " << part->shape[d];
    count *= (limit - start) / stride + ((limit - start) % stride != 0);
  }
  if (count != type.getTensor().getNumElements())
    return op->emitOpError() << what << ": its type " << type << " has "
                             << type.getTensor().getNumElements()
                             << " elements; its part of memory \"" << part->name << "\" has "
                             << count;
  return success();
}

std::optional<MemoryPart> MemoryPart::read(Attribute attribute) {
  auto all = dyn_cast_if_present<DictionaryAttr>(attribute);
  auto name = all ? all.getAs<StringAttr>("name") : nullptr;
  MemoryPart part;
  if (!name || all.size() != 5)
    return std::nullopt;
  part.name = name.getValue();
  for (auto [key, list] :
       {std::pair("shape", &part.shape), std::pair("start_indices", &part.starts),
        std::pair("limit_indices", &part.limits), std::pair("strides", &part.strides)}) {
    auto numbers = all.getAs<DenseI64ArrayAttr>(key);
    if (!numbers)
      return std::nullopt;
    *list = numbers.asArrayRef();
    if (list->size() != part.shape.size())
      return std::nullopt;
  }
  return part;
}

static LogicalResult verifyFunctionAttribute(Operation *op, const Twine &what,
                                             NamedAttribute attribute, Type type) {
  StringRef name = attribute.getName().getValue();
  if (name == memoryAttrName || name == notDonatedAttrName) {
    auto buffer = dyn_cast<BufferType>(type);
    if (!buffer)
      return op->emitOpError() << what << ": has attribute '" << name
                               << "', which belongs to a buffer; its type is " << type;
    if (name == memoryAttrName)
      return verifyMemory(op, what, attribute.getValue(), buffer);
  }
  if (name == notDonatedAttrName && !isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError() << what << ": attribute '" << name << "' is no unit";
  if ((name == inferredAttrName || name == missingAttrName) && !isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError() << what << ": attribute '" << name << "' is no unit";
  if (name == unevenAttrName || name == grownFromAttrName) {
    auto sharding = dyn_cast<sdy::ShardingAttr>(attribute.getValue());
    return sharding
               ? sdy::verifySharding(op, what + ": attribute '" + name + "'", sharding, type)
               : op->emitOpError() << what << ": attribute '" << name << "' is no #sdy.sharding";
  }
  if (name != globalTypeAttrName)
    return success();
  auto typeAttr = dyn_cast<TypeAttr>(attribute.getValue());
  auto global = typeAttr ? dyn_cast<RankedTensorType>(typeAttr.getValue()) : nullptr;
  if (!global)
    return op->emitOpError() << what << ": attribute '" << name << "' is no tensor type";
  auto local = dyn_cast<ShapedType>(type);
  if (!local || local.getElementType() != global.getElementType() || !local.hasRank() ||
      local.getRank() != global.getRank())
    return op->emitOpError() << what << ": its type " << type << " is no part of '" << name << "' "
                             << global;
  return success();
}

LogicalResult SpmdDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument,
                                                    NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  return function ? verifyFunctionAttribute(op, "argument " + Twine(argument), attribute,
                                            function.getArgumentTypes()[argument])
                  : success();
}

LogicalResult SpmdDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned result,
                                                       NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  return function ? verifyFunctionAttribute(op, "result " + Twine(result), attribute,
                                            function.getResultTypes()[result])
                  : success();
}
