// Layouts by number, so that equal numbers mean lying alike.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/ValueSharding.h"

namespace spmd {

/// Shardings with their wishes dropped (`Sharding::layout`), interned.
class Layouts {
public:
  explicit Layouts(ShardingCodec &codec) : codec(codec) {}

  /// Returns the number of what `attr` says of a tensor of rank `rank`, or -1 after a diagnostic.
  int32_t of(sdy::ShardingAttr attr, int64_t rank) {
    auto [entry, isNew] = byAttr.try_emplace({attr, rank}, -1);
    if (!isNew)
      return entry->second;
    const MeshSharding *sharding = codec.decode(attr);
    std::optional<MeshSharding> onAxes = sharding ? codec.onAxes(*sharding, rank) : std::nullopt;
    if (!onAxes)
      return -1;
    return entry->second = intern({onAxes->mesh, onAxes->sharding.layout()});
  }
  int32_t intern(const MeshSharding &layout) { return all.intern(layout); }
  int32_t replicated(int64_t rank) {
    while (static_cast<int64_t>(ofRank.size()) <= rank)
      ofRank.push_back(intern({codec.mainMesh(), Sharding::replicatedOf(ofRank.size())}));
    return ofRank[rank];
  }
  size_t size() const { return all.size(); }
  const MeshSharding &operator[](int32_t index) const { return all[index]; }
  sdy::ShardingAttr attr(int32_t index) {
    attrs.resize(all.size());
    return attrs[index] ? attrs[index] : attrs[index] = codec.encode(all[index]);
  }

private:
  ShardingCodec &codec;
  Interned<MeshSharding> all;
  std::vector<int32_t> ofRank; ///< What lies whole, by rank.
  std::vector<sdy::ShardingAttr> attrs;
  llvm::DenseMap<std::pair<mlir::Attribute, int64_t>, int32_t> byAttr;
};

} // namespace spmd
