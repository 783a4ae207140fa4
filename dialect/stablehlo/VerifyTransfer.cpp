// Data that comes in and goes out, and what runs beside the program.

#include "spmd/dialect/stablehlo/Verify.h"

using namespace mlir;
using namespace spmd::stablehlo;

/// Checks that results are tensors and, last, a token: infeed_c1 to c3, recv_c2 to c4.
static LogicalResult checkReceived(Operation *op) {
  if (op->getNumResults() == 0)
    return op->emitOpError() << "has no results, expected at least a token";
  for (auto [i, type] : llvm::enumerate(op->getResultTypes())) {
    bool isLast = i + 1 == op->getNumResults();
    if (isa<TokenType>(type) != isLast)
      return op->emitOpError() << "result " << i << " has type " << type << ", expected a "
                               << (isLast ? "token" : "tensor");
  }
  return success();
}

LogicalResult InfeedOp::verify() {
  if (failed(checkReceived(*this)))
    return failure();
  std::optional<ArrayAttr> layouts = getLayout();
  if (!layouts)
    return success();
  if (failed(checkCount(*this, "layout", layouts->size(), getNumResults() - 1,
                        "the number of tensors is")))
    return failure();
  for (auto [i, layout] : llvm::enumerate(*layouts)) {
    auto entries = dyn_cast<ArrayAttr>(layout);
    SmallVector<int64_t> dims;
    for (Attribute entry : entries ? entries.getValue() : ArrayRef<Attribute>())
      if (auto dim = dyn_cast<IntegerAttr>(entry))
        dims.push_back(dim.getValue().getSExtValue());
    int64_t rank = cast<RankedTensorType>(getResult(i).getType()).getRank();
    if (!entries || dims.size() != entries.size())
      return emitOpError() << "layout entry " << i << " is " << layout
                           << ", expected a list of dims";
    if (failed(checkCount(*this, ("layout entry " + Twine(i)).str(), dims.size(), rank,
                          ("the rank of result " + Twine(i) + " is").str())) ||
        failed(checkDims(*this, ("layout entry " + Twine(i)).str(), dims, rank,
                         ("result " + Twine(i)).str())))
      return failure();
  }
  return success();
}

LogicalResult OutfeedOp::verify() { return success(); }

/// Checks that the type of a channel is that of the transfer: `host` for one with the host, else 1.
static LogicalResult checkChannel(Operation *op, ChannelHandleAttr channel, bool isHost,
                                  int64_t host) {
  int64_t expected = isHost ? host : 1;
  if (channel.getType() == expected)
    return success();
  return op->emitOpError() << "channel_handle has type " << channel.getType() << ", expected "
                           << expected << " where is_host_transfer is "
                           << (isHost ? "true" : "false");
}

LogicalResult SendOp::verify() {
  // send_c1; 2 is device to host
  if (failed(checkChannel(*this, getChannelHandle(), getIsHostTransfer(), 2)))
    return failure();
  return getSourceTargetPairs() ? checkSourceTargetPairs(*this, getSourceTargetPairsAttr())
                                : success();
}

LogicalResult RecvOp::verify() {
  // recv_c1; 3 is host to device
  if (failed(checkChannel(*this, getChannelHandle(), getIsHostTransfer(), 3)) ||
      failed(checkReceived(*this)))
    return failure();
  return getSourceTargetPairs() ? checkSourceTargetPairs(*this, getSourceTargetPairsAttr())
                                : success();
}

//===- Asynchronous ops ------------------------------------------------------------------===//

LogicalResult AsyncStartOp::verify() {
  // Ops run beside the program only if they are collectives or move data.
  if (!llvm::hasSingleElement(getBody()) || !llvm::hasNItems(getBody().front(), 2))
    return emitOpError() << "region 'body' does not consist of one op and a return";
  Operation &op = getBody().front().front();
  if (op.hasTrait<Collective>() || isa<SliceOp, DynamicSliceOp, DynamicUpdateSliceOp>(op))
    return success();
  return emitOpError()
         << "region 'body' runs '" << op.getName()
         << "'; expected a collective, 'stablehlo.slice', 'stablehlo.dynamic_slice' or "
            "'stablehlo.dynamic_update_slice'";
}

LogicalResult AsyncStartOp::verifyRegions() {
  return checkBody(*this, getBody(), "body", getOperandTypes(), getType().getTypes());
}

LogicalResult AsyncDoneOp::verify() {
  ArrayRef<Type> types = getFuture().getType().getTypes();
  if (types.size() != getNumResults())
    return emitOpError() << "has " << getNumResults() << " results, the future has "
                         << types.size();
  for (unsigned i = 0; i < getNumResults(); ++i)
    if (failed(checkType(*this, resultSubject(*this, i),
                         {("value " + Twine(i) + " of the future").str(), types[i]})))
      return failure();
  return success();
}
