// The ops, and the checks of all but computations and collectives.

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/sdy/Tokens.h"

using namespace mlir;
using namespace spmd::sdy;

//===- What the user asks of propagation -----------------------------------===//

LogicalResult ShardingConstraintOp::verify() {
  return verifySharding(*this, "sharding", getSharding(), getType());
}

LogicalResult ShardingGroupOp::verify() {
  if (static_cast<int64_t>(getGroupId()) < 0)
    return emitOpError() << "group_id is " << static_cast<int64_t>(getGroupId())
                         << "; ids are at least 0";
  return success();
}

LogicalResult PropagationBarrierOp::verify() {
  if (getAllowedDirection() == PropagationDirection::BOTH)
    return emitOpError() << "allows both directions and so stops nothing";
  return success();
}

LogicalResult ReshardOp::verify() {
  return verifySharding(*this, "sharding", getSharding(), getType());
}

LogicalResult DataFlowEdgeOp::verify() {
  if (!getInput().hasOneUse())
    return emitOpError() << "operand has more uses; an edge is the only one";
  return getShardingAttr() ? verifySharding(*this, "sharding", getShardingAttr(), getType())
                           : success();
}

//===- Text of reductions --------------------------------------------------===//

/// Reads `max {"x"}` or `max [{"x"}, {}]`; without a word, by sum.
template <typename Axes>
static ParseResult parseReductionAxes(OpAsmParser &parser, ReductionAttr &kind, Axes &axes) {
  AsmTokens tokens(parser);
  if (std::optional<std::string> word = tokens.word()) {
    std::optional<spmd::ReductionKind> named = spmd::reductionNamed(*word);
    if (!named)
      return tokens.fail("unknown reduction '" + *word + "'"), failure();
    if (*named != spmd::ReductionKind::sum)
      kind = ReductionAttr::get(parser.getContext(), *named);
  }
  axes = cast_or_null<Axes>(Axes::parse(parser, {}));
  return success(static_cast<bool>(axes));
}

template <typename Axes>
static void printReductionAxes(OpAsmPrinter &printer, Operation *, ReductionAttr kind, Axes axes) {
  if (kind)
    printer << spmd::nameOf(kind.getKind()) << ' ';
  axes.print(printer);
}

#include "spmd/dialect/sdy/Enums.cpp.inc"
#include "spmd/dialect/sdy/Interfaces.cpp.inc"
#define GET_OP_CLASSES
#include "spmd/dialect/sdy/Ops.cpp.inc"
