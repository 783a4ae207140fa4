#include "spmd/passes/reshard/Values.h"

#include "spmd/ir/sharding/Layout.h"

namespace spmd {

void Values::add(mlir::Operation *op, const OpKind &kind, llvm::ArrayRef<ValueSharding> shardings) {
  int32_t marks = (kind.isPlacement ? placed : 0) | (kind.isFree ? free : 0);
  for (auto [result, sharding] : llvm::zip(op->getResults(), shardings)) {
    mlir::RankedTensorType type = tensorTypeOf(result);
    int32_t layout = 0;
    if (type)
      layout = wordOf(sharding ? layouts.of(sharding.attr, type.getRank())
                               : layouts.replicated(type.getRank()));
    words.set(result, layout | marks | (sharding.state == ShardingState::pinned ? pinned : 0));
  }
}

int32_t Values::find(mlir::Value value) {
  int32_t marks = 0;
  if (mlir::Operation *op = value.getDefiningOp()) {
    const OpKind &kind = kinds.of(op);
    marks = (kind.isPlacement ? placed : 0) | (kind.isFree ? free : 0);
  }
  words.set(value, marks);
  return marks;
}

int32_t Values::findLayout(mlir::Value value, int32_t word) {
  int64_t rank = tensorTypeOf(value).getRank();
  ValueSharding sharding = shardingOf(value);
  int32_t layout = sharding ? layouts.of(sharding.attr, rank) : layouts.replicated(rank);
  words.set(value, wordOf(layout) | word);
  return layout;
}

int32_t Values::operandSituation(mlir::Value value) {
  int32_t known = word(value), layout = layoutIn(value, known);
  return layout < 0 ? -1 : layout * 2 + (known & free ? 1 : 0);
}

int32_t Values::resultSituation(mlir::Value value) {
  int32_t layout = layoutOf(value);
  return layout < 0 ? -1 : layout * 2;
}

uint64_t Values::bytesOf(mlir::Value value, int32_t layout) {
  mlir::RankedTensorType type = tensorTypeOf(value);
  if (!type || !type.hasStaticShape())
    return 0;
  uint64_t bits = elementBits(type.getElementType());
  for (int64_t size : localShape(layouts[layout].sharding,
                                 absl::MakeConstSpan(type.getShape().data(), type.getRank())))
    bits *= size;
  return (bits + 7) / 8;
}

} // namespace spmd
