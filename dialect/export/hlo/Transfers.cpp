// Data that comes in and goes out, and what runs beside the program.

#include "spmd/dialect/export/hlo/Exporter.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd::export_hlo {

namespace {

using mlir::LogicalResult;
using mlir::success;
using namespace stablehlo;

/// The shape of the data of a transfer: `values` without the token behind them.
LogicalResult dataShape(ComputationWriter &at, mlir::ValueRange values, hlo::ShapeProto &shape,
                        bool alwaysTuple) {
  std::string why;
  if (!alwaysTuple || values.size() != 1)
    why = shapeOf(values.getTypes(), shape);
  else
    makeTuple(shape), why = shapeOf(values.front().getType(), *shape.add_tuple_shapes());
  return why.empty() ? success() : at.fail(why);
}

hlo::ShapeProto pairOf(const hlo::ShapeProto &first, const hlo::ShapeProto &second) {
  hlo::ShapeProto pair;
  makeTuple(pair);
  *pair.add_tuple_shapes() = first;
  *pair.add_tuple_shapes() = second;
  return pair;
}

hlo::ShapeProto tokenShape() {
  hlo::ShapeProto shape;
  shape.set_element_type(hlo::TOKEN);
  return shape;
}

/// Binds what came in: the data, and the token behind it.
void bindData(ComputationWriter &at, mlir::ValueRange data, mlir::Value token,
              const hlo::HloInstructionProto &made, bool isTuple) {
  if (!data.empty()) {
    hlo::HloInstructionProto &all = at.element(made, 0);
    if (isTuple && data.size() == 1)
      at.bindTo(data.front(), at.element(all, 0));
    else
      at.bind(data, all);
  }
  at.bindTo(token, at.element(made, 1));
}

LogicalResult writeInfeed(ComputationWriter &at) {
  auto op = llvm::cast<InfeedOp>(at.op());
  mlir::ResultRange data = op->getResults().drop_back();
  hlo::ShapeProto shape;
  if (mlir::failed(dataShape(at, data, shape, /*alwaysTuple=*/true)))
    return mlir::failure();
  hlo::HloInstructionProto &made =
      at.add("infeed", pairOf(shape, tokenShape()), at.idOf(op.getToken()));
  made.set_infeed_config(op.getInfeedConfig().str());
  bindData(at, data, op->getResults().back(), made, /*isTuple=*/true);
  return success();
}

LogicalResult writeOutfeed(ComputationWriter &at) {
  auto op = llvm::cast<OutfeedOp>(at.op());
  hlo::ShapeProto shape;
  if (mlir::failed(dataShape(at, op.getInputs(), shape, /*alwaysTuple=*/false)))
    return mlir::failure();
  hlo::HloInstructionProto &made =
      at.make("outfeed", {at.idOfAll(op.getInputs()), at.idOf(op.getToken())});
  *made.mutable_outfeed_shape() = shape;
  made.set_outfeed_config(op.getOutfeedConfig().str());
  return success();
}

//===- From device to device ----------------------------------------------------===//

/// What the two halves of a transfer have in common.
template <typename Op> void addChannel(Op op, hlo::HloInstructionProto &made) {
  made.set_channel_id(op.getChannelHandle().getHandle());
  made.set_is_host_transfer(op.getIsHostTransfer());
  mlir::DenseIntElementsAttr pairs = op.getSourceTargetPairsAttr();
  if (!pairs)
    return;
  std::string text;
  llvm::SmallVector<int64_t> ids(pairs.template getValues<int64_t>());
  for (size_t i = 0; i + 1 < ids.size(); i += 2)
    text += (text.empty() ? "{{" : ",{") + std::to_string(ids[i]) + "," +
            std::to_string(ids[i + 1]) + "}";
  (*made.mutable_frontend_attributes()->mutable_map())["_xla_send_recv_source_target_pairs"] =
      text + "}";
}

/// Data, a number of the transfer, a token.
hlo::ShapeProto transferShape(const hlo::ShapeProto &data) {
  hlo::ShapeProto shape = pairOf(data, hlo::ShapeProto());
  shape.mutable_tuple_shapes(1)->set_element_type(hlo::U32);
  shape.mutable_tuple_shapes(1)->mutable_layout();
  *shape.add_tuple_shapes() = tokenShape();
  return shape;
}

LogicalResult writeSend(ComputationWriter &at) {
  auto op = llvm::cast<SendOp>(at.op());
  hlo::ShapeProto shape;
  if (mlir::failed(dataShape(at, op.getInputs(), shape, /*alwaysTuple=*/false)))
    return mlir::failure();
  hlo::HloInstructionProto &start =
      at.add("send", transferShape(shape), {at.idOfAll(op.getInputs()), at.idOf(op.getToken())});
  addChannel(op, start);
  addChannel(op, at.make("send-done", start.id()));
  return success();
}

LogicalResult writeRecv(ComputationWriter &at) {
  auto op = llvm::cast<RecvOp>(at.op());
  mlir::ResultRange data = op->getResults().drop_back();
  hlo::ShapeProto shape;
  if (mlir::failed(dataShape(at, data, shape, /*alwaysTuple=*/false)))
    return mlir::failure();
  hlo::HloInstructionProto &start = at.add("recv", transferShape(shape), at.idOf(op.getToken()));
  addChannel(op, start);
  hlo::HloInstructionProto &done = at.add("recv-done", pairOf(shape, tokenShape()), start.id());
  addChannel(op, done);
  bindData(at, data, op->getResults().back(), done, /*isTuple=*/false);
  return success();
}

//===- Asynchronous ops ------------------------------------------------------------===//

/// The operands, as a tuple, and the result of the computation.
LogicalResult writeAsyncStart(ComputationWriter &at) {
  auto *body = at.body(at.op()->getRegion(0));
  if (!body)
    return mlir::failure();
  hlo::ShapeProto operands;
  if (mlir::failed(dataShape(at, at.op()->getOperands(), operands, /*alwaysTuple=*/true)))
    return mlir::failure();
  llvm::SmallVector<int64_t> ids;
  for (mlir::Value operand : at.op()->getOperands())
    ids.push_back(at.idOf(operand));
  hlo::HloInstructionProto &made =
      at.add("async-start", pairOf(operands, body->program_shape().result()), ids);
  at.call(made, {body});
  at.bindTo(at.op()->getResult(0), made);
  return success();
}

LogicalResult writeAsyncDone(ComputationWriter &at) {
  at.make("async-done");
  return success();
}

} // namespace

void addTransferWriters(llvm::StringMap<Writer> &writers) {
  writers["stablehlo.infeed"] = writeInfeed;
  writers["stablehlo.outfeed"] = writeOutfeed;
  writers["stablehlo.send"] = writeSend;
  writers["stablehlo.recv"] = writeRecv;
  writers["stablehlo.async_start"] = writeAsyncStart;
  writers["stablehlo.async_done"] = writeAsyncDone;
}

} // namespace spmd::export_hlo
