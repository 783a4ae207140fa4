// Ops made of others, and tuples.

#include "spmd/dialect/stablehlo/Verify.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace spmd::stablehlo;

/// Returns whether `name` is that of an op: `my.op`, of letters, digits and, after a dot, `$`.
static bool isNamespaced(StringRef name) {
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  auto isWord = [](StringRef part, bool isFirst) {
    return !part.empty() && (!isFirst || llvm::isAlpha(part.front())) &&
           llvm::all_of(part, [&](char c) {
             return llvm::isAlnum(c) || c == '_' || (c == '$' && !isFirst);
           });
  };
  return parts.size() > 1 && isWord(parts.front(), true) &&
         llvm::all_of(ArrayRef(parts).drop_front(),
                      [&](StringRef part) { return isWord(part, false); });
}

LogicalResult CompositeOp::verify() {
  // composite_c1
  if (!isNamespaced(getName()))
    return emitOpError() << "name is '" << getName() << "', expected one such as 'my.op'";
  return success();
}

LogicalResult CompositeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // composite_c2
  auto function =
      symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getDecompositionAttr());
  if (!function)
    return emitOpError() << "decomposition names " << getDecompositionAttr()
                         << ", which is no function here";
  // composite_c3, c4
  auto check = [&](StringRef what, TypeRange ours, ArrayRef<Type> theirs) -> LogicalResult {
    if (ours.size() != theirs.size())
      return emitOpError() << "has " << ours.size() << " " << what << "s, the decomposition has "
                           << theirs.size();
    for (size_t i = 0; i < ours.size(); ++i)
      if (!typesAgree(ours[i], theirs[i]))
        return emitOpError() << what << " " << i << " has type " << ours[i]
                             << ", in the decomposition it has type " << theirs[i];
    return success();
  };
  return failure(failed(check("operand", getOperandTypes(), function.getArgumentTypes())) ||
                 failed(check("result", getResultTypes(), function.getResultTypes())));
}

//===- Tuples ----------------------------------------------------------------------------===//

LogicalResult TupleOp::verify() {
  ArrayRef<Type> parts = getType().getTypes();
  if (parts.size() != getNumOperands())
    return emitOpError() << "has " << getNumOperands() << " operands, result 0 has " << parts.size()
                         << " parts";
  // tuple_c1
  for (unsigned i = 0; i < parts.size(); ++i)
    if (failed(checkType(*this, operandSubject(*this, i),
                         {("part " + Twine(i) + " of result 0").str(), parts[i]})))
      return failure();
  return success();
}

LogicalResult GetTupleElementOp::verify() {
  ArrayRef<Type> parts = getOperand().getType().getTypes();
  int32_t index = getIndex();
  // get_tuple_element_c1
  if (index < 0 || index >= static_cast<int64_t>(parts.size()))
    return emitOpError() << "index is " << index << ", operand 0 has " << parts.size() << " parts";
  // get_tuple_element_c2
  return checkType(*this, resultSubject(*this, 0),
                   {("part " + Twine(index) + " of operand 0").str(), parts[index]});
}
