#include "spmd/ir/graph/Interned.h"

#include "spmd/ir/graph/ShardGraph.h"

#include "absl/container/node_hash_map.h"

using namespace spmd;

/// Nodes, so that `items` may point at the keys.
template <typename T> struct Interned<T>::Index : absl::node_hash_map<T, int32_t> {};

template <typename T> Interned<T>::Interned() : indexOf(std::make_unique<Index>()) {}
template <typename T> Interned<T>::~Interned() = default;
template <typename T> Interned<T>::Interned(Interned &&) noexcept = default;
template <typename T> Interned<T> &Interned<T>::operator=(Interned &&) noexcept = default;

template <typename T> int32_t Interned<T>::intern(const T &value) {
  auto [entry, isNew] = indexOf->try_emplace(value, static_cast<int32_t>(items.size()));
  if (isNew)
    items.push_back(&entry->first);
  return entry->second;
}

template class spmd::Interned<Mesh>;
template class spmd::Interned<ShardGraph::Shape>;
template class spmd::Interned<OpRule>;
template class spmd::Interned<MeshSharding>;
template class spmd::Interned<Sharding>;
