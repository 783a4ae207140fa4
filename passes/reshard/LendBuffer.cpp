#include "spmd/passes/reshard/LendBuffer.h"

#include "spmd/dialect/partitioning/Placement.h"
#include "spmd/dialect/spmd/Dialect.h"

namespace spmd {

void lendBuffer(mlir::OpOperand &operand, int32_t held, int32_t wanted, Layouts &layouts) {
  mlir::Operation *call = operand.getOwner();
  mlir::Value buffer = operand.get();
  mlir::OpBuilder builder(call);
  auto copy = [&](mlir::Value from, mlir::Value to, int32_t layout, int32_t target) {
    auto load = LoadOp::create(builder, call->getLoc(), from);
    setShardings(load, {{layouts.attr(layout), ShardingState::inferred}});
    mlir::Operation *move = createReshard(builder, call->getLoc(), load, layouts.attr(target));
    StoreOp::create(builder, call->getLoc(), move->getResult(0), to);
  };
  auto lent = AllocOp::create(builder, call->getLoc(), buffer.getType());
  setShardings(lent, {{layouts.attr(wanted), ShardingState::inferred}});
  copy(buffer, lent, held, wanted);
  operand.set(lent);
  builder.setInsertionPointAfter(call);
  copy(lent, buffer, wanted, held);
}

} // namespace spmd
