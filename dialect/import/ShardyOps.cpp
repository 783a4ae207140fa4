#include "spmd/dialect/import/ShardyOps.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "llvm/ADT/TypeSwitch.h"

namespace spmd {

static void replaceEdge(mlir::OpBuilder &builder, mlir::Operation *edge,
                        sdy::ShardingAttr sharding) {
  mlir::Value input = edge->getOperand(0);
  if (sharding)
    input = sdy::ShardingConstraintOp::create(builder, edge->getLoc(), input, sharding);
  edge->getResult(0).replaceAllUsesWith(input);
  edge->erase();
}

static void replaceConstant(mlir::OpBuilder &builder, sdy::ConstantOp constant) {
  auto plain = stablehlo::ConstantOp::create(builder, constant.getLoc(), constant.getType(),
                                             constant.getValue());
  plain->setDiscardableAttrs(constant->getDiscardableAttrDictionary());
  constant->replaceAllUsesWith(plain);
  constant.erase();
}

void importShardyOps(mlir::ModuleOp module) {
  mlir::OpBuilder builder(module.getContext());
  forEachOp(module, [&](mlir::Operation *op) {
    builder.setInsertionPoint(op);
    llvm::TypeSwitch<mlir::Operation *>(op)
        .Case([&](sdy::DataFlowEdgeOp edge) { replaceEdge(builder, edge, edge.getShardingAttr()); })
        .Case([&](sdy::FuncDataFlowEdgeOp edge) { replaceEdge(builder, edge, {}); })
        .Case([&](sdy::ConstantOp constant) { replaceConstant(builder, constant); });
  });
}

} // namespace spmd
