// The dialect, and the checks of its discardable attributes.

#include "spmd/dialect/sdy/Dialect.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace spmd::sdy;

#include "spmd/dialect/sdy/Dialect.cpp.inc"

void SdyDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "spmd/dialect/sdy/Ops.cpp.inc"
      >();
}

//===- Attributes of ops ---------------------------------------------------===//

/// Reports that attribute `name` of `op` is of the wrong kind.
static LogicalResult reportKind(Operation *op, StringRef name, StringRef expected) {
  return op->emitOpError() << "attribute '" << name << "' is no " << expected;
}

LogicalResult spmd::sdy::verifyResultShardings(Operation *op, ShardingPerValueAttr shardings) {
  unsigned numResults = op->getNumResults();
  if (numResults == 0 && shardings.size() <= 1) {
    for (ShardingAttr sharding : shardings.getShardings())
      if (failed(verifySharding(op, "sharding of no result", sharding,
                                NoneType::get(op->getContext()))))
        return failure();
    return success();
  }
  if (shardings.size() != numResults)
    return op->emitOpError() << "has " << shardings.size() << " shardings for " << numResults
                             << " results";
  for (auto [i, sharding, type] : llvm::enumerate(shardings.getShardings(), op->getResultTypes()))
    if (failed(verifySharding(op, "result " + Twine(i), sharding, type)))
      return failure();
  return success();
}

/// Appends the shapes of `types`, empty for what is no tensor. Returns false if a size is not
/// known.
static bool shapesOf(TypeRange types, std::vector<std::vector<int64_t>> &shapes) {
  for (Type type : types) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (shaped && !shaped.hasStaticShape())
      return false;
    shapes.emplace_back();
    if (shaped)
      shapes.back().assign(shaped.getShape().begin(), shaped.getShape().end());
  }
  return true;
}

/// What Shardy inferred for an op that has a definition may be loose about sizes: its slices have
/// the factor of their operand. A `custom` rule stands for the op, or takes something from it.
static LogicalResult verifyRule(Operation *op, OpShardingRuleAttr rule) {
  std::vector<std::vector<int64_t>> operands, results;
  if (!shapesOf(op->getOperandTypes(), operands) || !shapesOf(op->getResultTypes(), results))
    return success();
  bool isInferred = op->isRegistered() && !rule.getRule().custom;
  absl::Status status = isInferred ? verifyRanks(rule.getRule(), operands, results)
                                   : spmd::verify(rule.getRule(), operands, results);
  if (status.ok())
    return success();
  return op->emitOpError() << StringRef(status.message().data(), status.message().size());
}

LogicalResult SdyDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == shardingName) {
    auto shardings = dyn_cast<ShardingPerValueAttr>(attribute.getValue());
    return shardings ? verifyResultShardings(op, shardings)
                     : reportKind(op, name, "#sdy.sharding_per_value");
  }
  if (name == shardingRuleName) {
    auto rule = dyn_cast<OpShardingRuleAttr>(attribute.getValue());
    return rule ? verifyRule(op, rule) : reportKind(op, name, "#sdy.op_sharding_rule");
  }
  if (name == shardingOriginNameName && !isa<StringAttr>(attribute.getValue()))
    return reportKind(op, name, "string");
  return success();
}

//===- Attributes of function arguments and results ------------------------===//

static LogicalResult verifyFunctionAttribute(Operation *op, const Twine &what,
                                             NamedAttribute attribute, Type type) {
  if (attribute.getName() != shardingName)
    return success();
  auto sharding = dyn_cast<ShardingAttr>(attribute.getValue());
  if (!sharding)
    return op->emitOpError() << what << ": attribute '" << shardingName << "' is no #sdy.sharding";
  return verifySharding(op, what, sharding, type);
}

LogicalResult SdyDialect::verifyRegionArgAttribute(Operation *op, unsigned region,
                                                   unsigned argument, NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return success();
  return verifyFunctionAttribute(op, "argument " + Twine(argument), attribute,
                                 function.getArgumentTypes()[argument]);
}

LogicalResult SdyDialect::verifyRegionResultAttribute(Operation *op, unsigned region,
                                                      unsigned result, NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return success();
  return verifyFunctionAttribute(op, "result " + Twine(result), attribute,
                                 function.getResultTypes()[result]);
}
