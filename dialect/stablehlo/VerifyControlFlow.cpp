// Branches, loops, barriers, custom calls.

#include "spmd/dialect/stablehlo/Verify.h"

using namespace mlir;
using namespace spmd::stablehlo;

/// Checks that no operand and no result is memory that ops write. It is read and written where it
/// is, also from inside of branches and loops.
static LogicalResult checkHandedOn(Operation *op) {
  auto check = [](Operation *at, const Subject &subject, StringRef advice) -> LogicalResult {
    if (isCarriedValue(subject.type))
      return success();
    return at->emitOpError() << subject.name << " has type " << subject.type
                             << ", and memory stays where it is made; " << advice;
  };
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    if (failed(check(op, operandSubject(op, i),
                     "load and store it where it is needed, or hand on what a load of it gives")))
      return failure();
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (failed(check(op, resultSubject(op, i),
                     "make it outside and store to it, or return what a load of it gives")))
      return failure();
  for (Region &region : op->getRegions())
    for (ReturnOp end : region.getOps<ReturnOp>())
      for (unsigned i = 0; i < end->getNumOperands(); ++i)
        if (failed(check(end, operandSubject(end, i), "return what a load of it gives")))
          return failure();
  return success();
}

LogicalResult WhileOp::verifyRegions() {
  if (failed(checkHandedOn(*this)))
    return failure();
  TypeRange carried = getOperandTypes();
  // while_c3
  if (getNumResults() != carried.size())
    return emitOpError() << "has " << carried.size() << " operands and " << getNumResults()
                         << " results";
  for (unsigned i = 0; i < getNumResults(); ++i)
    if (failed(checkType(*this, resultSubject(*this, i), operandSubject(*this, i))))
      return failure();
  // while_c1
  auto condition = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  if (failed(checkBody(*this, getCond(), "cond", carried, condition)))
    return failure();
  // while_c2
  return checkBody(*this, getBody(), "body", carried, carried);
}

LogicalResult IfOp::verifyRegions() {
  if (failed(checkHandedOn(*this)))
    return failure();
  // if_c1 to c3
  return failure(failed(checkBody(*this, getTrueBranch(), "true_branch", {}, getResultTypes())) ||
                 failed(checkBody(*this, getFalseBranch(), "false_branch", {}, getResultTypes())));
}

LogicalResult CaseOp::verify() {
  // case_c1
  if (getBranches().empty())
    return emitOpError() << "has no branches";
  return success();
}

LogicalResult CaseOp::verifyRegions() {
  if (failed(checkHandedOn(*this)))
    return failure();
  // case_c2 to c4
  for (auto [i, branch] : llvm::enumerate(getBranches()))
    if (failed(checkBody(*this, branch, ("branch " + Twine(i)).str(), {}, getResultTypes())))
      return failure();
  return success();
}

LogicalResult OptimizationBarrierOp::verify() {
  if (failed(checkHandedOn(*this)))
    return failure();
  // optimization_barrier_c1
  if (getNumOperands() != getNumResults())
    return emitOpError() << "has " << getNumOperands() << " operands and " << getNumResults()
                         << " results";
  for (unsigned i = 0; i < getNumOperands(); ++i) {
    if (isTensorOf(getOperand()[i].getType(), PerAxis))
      return emitOpError() << "operand " << i
                           << " is quantized along a dim; expected one scale for the whole tensor";
    if (failed(checkType(*this, resultSubject(*this, i), operandSubject(*this, i))))
      return failure();
  }
  return success();
}

//===- custom_call ---------------------------------------------------------===//

/// Checks one layout a value: a permutation of the dims of a tensor, empty for what is no tensor.
static LogicalResult checkLayouts(Operation *op, StringRef name, ArrayAttr layouts, TypeRange types,
                                  StringRef what) {
  // One result that is a tuple has a layout for each of its elements.
  SmallVector<Type> values(types.begin(), types.end());
  if (values.size() == 1)
    if (auto tuple = dyn_cast<TupleType>(values[0]))
      values.assign(tuple.getTypes().begin(), tuple.getTypes().end());
  if (layouts.size() != values.size())
    return op->emitOpError() << name << " has " << layouts.size() << " entries, there are "
                             << values.size() << " " << what << "s";
  for (auto [i, value] : llvm::enumerate(layouts)) {
    auto layout = cast<DenseIntElementsAttr>(value);
    auto tensor = dyn_cast<ShapedType>(values[i]);
    int64_t rank = tensor && tensor.hasRank() ? tensor.getRank() : 0;
    if (isa<TupleType>(values[i]))
      return op->emitOpError() << name << " has a layout for " << what << " " << i << ", a tuple";
    if (layout.getNumElements() != rank)
      return op->emitOpError() << name << " has " << layout.getNumElements() << " dims for " << what
                               << " " << i << " of rank " << rank;
    SmallVector<int64_t> dims;
    for (const APInt &dim : layout.getValues<APInt>())
      dims.push_back(dim.getSExtValue());
    if (failed(checkDims(op, (name + " entry " + Twine(i)).str(), dims, rank,
                         (what + " " + Twine(i)).str())))
      return failure();
  }
  return success();
}

/// Follows indices into nested tuples; null if there is no such part.
static Type partAt(Type type, Dims indices) {
  for (int64_t index : indices) {
    auto tuple = dyn_cast_if_present<TupleType>(type);
    if (!tuple || index < 0 || index >= static_cast<int64_t>(tuple.size()))
      return {};
    type = tuple.getType(index);
  }
  return type;
}

/// Checks that an aliased operand and result are there and have one type.
static LogicalResult checkAlias(CustomCallOp op, OutputOperandAliasAttr alias) {
  int64_t index = alias.getOperandIndex();
  if (index < 0 || index >= static_cast<int64_t>(op.getNumOperands()))
    return op.emitOpError() << "output_operand_aliases names operand " << index << ", there are "
                            << op.getNumOperands();
  // Several results count as one tuple.
  Dims path = alias.getOutputTupleIndices();
  Type result;
  if (op.getNumResults() == 1)
    result = op.getResult(0).getType();
  else if (!path.empty() && path[0] >= 0 && path[0] < static_cast<int64_t>(op.getNumResults()))
    result = op.getResult(path[0]).getType(), path = path.drop_front();
  Type operand = partAt(op.getOperand(index).getType(), alias.getOperandTupleIndices());
  result = partAt(result, path);
  if (!operand || !result)
    return op.emitOpError() << "output_operand_aliases names a part of operand " << index
                            << " or of the results that does not exist";
  if (!typesAgree(operand, result))
    return op.emitOpError() << "output_operand_aliases ties type " << operand << " of operand "
                            << index << " to type " << result;
  return success();
}

LogicalResult CustomCallOp::verify() {
  // Typed calls take a dictionary, all others text.
  bool isTyped = getApiVersion() == CustomCallApiVersion::TYPED_FFI;
  if (std::optional<Attribute> config = getBackendConfig();
      config && isTyped != isa<DictionaryAttr>(*config) &&
      !(isTyped && cast<StringAttr>(*config).empty()))
    return emitOpError() << "backend_config is a " << (isTyped ? "string" : "dictionary")
                         << ", api_version is " << static_cast<int>(getApiVersion());
  if (getOperandLayouts().has_value() != getResultLayouts().has_value())
    return emitOpError() << "only one of operand_layouts and result_layouts is given";
  if (getOperandLayouts() && (failed(checkLayouts(*this, "operand_layouts", *getOperandLayouts(),
                                                  getOperandTypes(), "operand")) ||
                              failed(checkLayouts(*this, "result_layouts", *getResultLayouts(),
                                                  getResultTypes(), "result"))))
    return failure();
  for (Attribute alias : getOutputOperandAliases())
    if (failed(checkAlias(*this, cast<OutputOperandAliasAttr>(alias))))
      return failure();
  return success();
}
