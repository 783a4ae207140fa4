// Resharding: how a tensor gets from any sharding to any other over the same devices.
//
// A plan comes in one order, whatever the two shardings are, because data is smallest in its
// middle:
//
//     slice*  reduce-scatter?  all-reduce?  all-to-all?  permute?  all-gather?  expand*
//
// Each collective runs once, over the union of all axes that need it. No block in between is larger
// than the larger of the blocks that go in and come out. (The normal form and its memory bound are
// those of Rink et al., arXiv:2112.01075; partial values, sub-axes, uneven dims and foreign meshes
// are added here.)
//
//     mesh <["x"=2, "y"=4]>, tensor 16x16
//
//     [{"x"}, {}]    -> [{"x", "y"}, {}]    slice: no communication
//     [{"x"}, {}]    -> [{}, {"x"}]         all-to-all over "x"
//     [{"x"}, {"y"}] -> [{}, {}]            one all-gather over "x" and "y"
//     [{"y"}, {}]    -> [{"x"}, {}]         permute, all-gather over half of "y"
//     [{}, {}], unreduced={"x"} -> [{"x"}, {}]    reduce-scatter over "x"
//     [{"x"}, {}] -> [{}, {}], unreduced={"x"}    each block is written into zeros
//
// Dims that do not divide evenly are padded: blocks are ceil(n/k) rows, what lies past row n is
// undefined. Where source and target cut such a dim into different numbers of shards, rows at the
// cuts move between neighbours first (`Repad.h`).
#pragma once

#include "spmd/ir/reshard/Plan.h"
#include "spmd/ir/sharding/Layout.h"

#include "absl/container/flat_hash_map.h"

#include <memory>

namespace spmd {

/// A sharding and the mesh it speaks of. The mesh must outlive it.
struct Layout {
  const Mesh *mesh;
  Sharding sharding;
};

/// Returns the steps that take a tensor of `globalShape` from one layout to another.
///
/// No step where the two are alike. Takes a few microseconds, whatever the number of devices,
/// unless a mesh has explicit device ids: then it looks at each once.
/// InvalidArgument if a mesh is empty or maximal, the numbers of devices differ, a sharding does
/// not fit its mesh or the shape, or `elementBytes` is not positive.
absl::StatusOr<Plan> planReshard(const Layout &from, const Layout &to,
                                 absl::Span<const int64_t> globalShape, int64_t elementBytes,
                                 const CostModel &model = {});

/// Returns planReshard(..) for values that each device along the axes `held` has for itself: no
/// data moves along them. Blocks of the plan may have a first dim of size 1 in addition.
///
/// InvalidArgument too if a layout uses an axis of `held`, or the meshes differ.
absl::StatusOr<Plan> planBeside(absl::Span<const AxisRef> held, const Layout &from,
                                const Layout &to, absl::Span<const int64_t> globalShape,
                                int64_t elementBytes, const CostModel &model = {});

/// Returns planReshard(..)->cost(model), in seconds.
absl::StatusOr<double> estimateCost(const Layout &from, const Layout &to,
                                    absl::Span<const int64_t> globalShape, int64_t elementBytes,
                                    const CostModel &model = {});

/// Plans that were asked for before: a program has few distinct reshards. Not thread-safe.
class PlanCache {
public:
  explicit PlanCache(CostModel model = {}) : model(model) {}

  /// Returns planBeside(held, ..); the plan belongs to the cache and lives as long as it.
  absl::StatusOr<const Plan *> plan(const Layout &from, const Layout &to,
                                    absl::Span<const int64_t> globalShape, int64_t elementBytes,
                                    const AxisList &held = {});
  size_t size() const { return plans.size(); }

private:
  struct Key {
    Mesh fromMesh, toMesh;
    Sharding from, to;
    std::vector<int64_t> shape;
    int64_t elementBytes;
    AxisList held;

    friend bool operator==(const Key &a, const Key &b) {
      return a.from == b.from && a.to == b.to && a.shape == b.shape &&
             a.elementBytes == b.elementBytes && a.held == b.held && a.fromMesh == b.fromMesh &&
             a.toMesh == b.toMesh;
    }
    template <typename H> friend H AbslHashValue(H h, const Key &key) {
      return H::combine(std::move(h), key.from, key.to, key.shape, key.elementBytes, key.held,
                        key.fromMesh, key.toMesh);
    }
  };

  CostModel model;
  absl::flat_hash_map<Key, std::unique_ptr<const Plan>> plans;
};

/// Returns the least bytes that a device must send, on average, for any way to do this reshard.
///
/// Each device must receive every element of its target that it lacks; an element that is partial
/// over g devices must travel g-1 times before it is whole anywhere. Enumerates devices and
/// elements of the tensor: for tests and reports. Requires what planReshard requires.
double lowerBoundBytes(const Layout &from, const Layout &to, absl::Span<const int64_t> globalShape,
                       int64_t elementBytes);

} // namespace spmd
