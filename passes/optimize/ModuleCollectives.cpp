#include "spmd/passes/optimize/ModuleCollectives.h"

#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

void ModuleCollectives::findAgain() {
  ops.clear();
  inBlocks.clear();
  dataFlows.clear();
  places.clear();
  otherChannels.clear();
  find(module.getBodyRegion());
}

static constexpr llvm::StringRef channelName = "channel_handle";

ModuleCollectives::Kind ModuleCollectives::kindOf(mlir::Operation *op) {
  if (op->hasTrait<stablehlo::Collective>() || llvm::isa<stablehlo::DynamicSliceOp>(op))
    return Kind::listed;
  return llvm::is_contained(op->getName().getAttributeNames(), channelName) ? Kind::withChannel
                                                                            : Kind::other;
}

void ModuleCollectives::find(mlir::Region &region) {
  bool isFlow = llvm::isa_and_nonnull<DataFlow>(region.getParentOp());
  for (mlir::Block &block : region) {
    InBlock own{&block, {}};
    for (mlir::Operation &op : block) {
      ++own.numOps;
      for (mlir::Region &inner : op.getRegions())
        find(inner);
      if (op.getNumRegions() > 0)
        if (auto flow = llvm::dyn_cast<DataFlow>(op))
          dataFlows.push_back(flow);
      Kind kind = kinds.of(&op, kindOf);
      if (kind == Kind::withChannel)
        if (auto channel = op.getAttrOfType<stablehlo::ChannelHandleAttr>(channelName))
          otherChannels.insert(channel.getHandle());
      if (kind != Kind::listed)
        continue;
      own.members.push_back(static_cast<int32_t>(ops.size()));
      ops.push_back(&op);
    }
    if (isFlow || !own.members.empty())
      inBlocks.push_back(std::move(own));
  }
}

void ModuleCollectives::erase(int32_t place) {
  mlir::Operation *op = std::exchange(ops[place], nullptr);
  places.erase(op);
  op->erase();
}

int32_t ModuleCollectives::placeOf(mlir::Operation *op) {
  if (places.empty())
    for (auto [place, each] : llvm::enumerate(ops))
      if (each)
        places[each] = static_cast<int32_t>(place);
  auto known = places.find(op);
  return known == places.end() ? -1 : known->second;
}

void ModuleCollectives::erase(mlir::Operation *op) {
  if (int32_t place = placeOf(op); place >= 0)
    return erase(place);
  op->erase();
}

void ModuleCollectives::replace(int32_t place, mlir::Operation *other) {
  erase(place);
  ops[place] = other;
  if (!places.empty())
    places[other] = place;
}

void ModuleCollectives::replace(mlir::Operation *op, mlir::Operation *other) {
  replace(placeOf(op), other);
}

} // namespace spmd
