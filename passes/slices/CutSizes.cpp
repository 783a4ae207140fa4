#include "spmd/passes/slices/CutSizes.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/spmd/Walk.h"

namespace spmd {

static bool isCut(const MeshSharding &sharding) {
  return llvm::any_of(sharding.sharding.dims,
                      [](const DimSharding &dim) { return sizeOf(dim.axes) > 1; });
}

CutSizes cutSizes(mlir::ModuleOp module) {
  ShardingCodec codec(module);
  CutSizes cut;
  auto look = [&](mlir::Value value) {
    auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
    ValueSharding pin = pinOf(value);
    const MeshSharding *decoded =
        pin && type && type.hasStaticShape() ? codec.decode(pin.attr) : nullptr;
    if (!decoded)
      return;
    if (isCut(*decoded))
      cut.kept.add(value);
    int64_t before = 1; // Of the last dim that is more than one row.
    for (auto [size, dim] : llvm::zip(type.getShape(), decoded->sharding.dims)) {
      if (size <= 1)
        continue;
      if (size % sizeOf(dim.axes) != 0)
        cut.uneven.insert(size);
      if (before > 1 && sizeOf(dim.axes) > 1)
        cut.inner.insert({before, size});
      before = size;
    }
  };
  forEachOp(module, [&](mlir::Operation *op) {
    if (auto func = llvm::dyn_cast<mlir::func::FuncOp>(op); func && !func.isExternal()) {
      llvm::for_each(func.getArguments(), look);
      for (unsigned i = 0; i < func.getNumResults(); ++i)
        if (ValueSharding pin = shardingOfResult(func, i);
            pin && pin.state == ShardingState::pinned)
          if (const MeshSharding *decoded = codec.decode(pin.attr); decoded && isCut(*decoded))
            cut.kept.addResult(func, i);
    }
    if (!op->getRawDictionaryAttrs().empty() || holdsSharding(op)) // Few, and the rest is quick.
      llvm::for_each(op->getResults(), look);
  });
  return cut;
}

} // namespace spmd
