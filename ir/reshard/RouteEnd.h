// One end of a route, as it is brought to the shard counts of the other (see `Route.h`).
//
//     mesh <["x"=2, "y"=3, "z"=2]>    start [{"x"}, {}], to be 6 shards of dim 1
//
//     move(0, 1, 2)       "x" leaves dim 0 for dim 1       [{}, {"x"}]
//     fill(1, 3)          "y" was spare, and cuts dim 1    [{}, {"x", "y"}]
#pragma once

#include "spmd/ir/sharding/Sharding.h"

namespace spmd {

/// Returns how often `prime` divides `number`.
int exponentOf(int64_t prime, int64_t number);

class RouteEnd {
public:
  /// An end that lies as `start` on `mesh`, with the shares over `kept` to stay shares. Both must
  /// outlive it.
  RouteEnd(const Mesh &mesh, const Sharding &start, AxisList kept);

  const Mesh &mesh() const { return *mesh_; }

  /// How often `prime` divides the shard count of `dim`, and the number of positions along spare
  /// axes.
  int countOf(int dim, int64_t prime) const;
  int numSpare(int64_t prime) const { return exponentOf(prime, sizeOf(spare)); }

  /// Cuts `dim` by `prime` with an axis that cuts no dim. Returns false if there is none.
  bool fill(int dim, int32_t prime);
  /// Lets the minor part of dim `from` cut `to` instead. Returns false if it has no part of size
  /// `prime` there.
  bool move(int from, int to, int32_t prime);

  /// Returns shardings from the start to where all moves and fills lead, each of which aligns with
  /// the next. Fills come as early as they can: they make data on the way small.
  std::vector<Sharding> steps() const;
  /// The same without the fills.
  std::vector<Sharding> moved() const;

private:
  struct Part {
    int from;
    int to;
    AxisRef axis;
  };
  /// Dims that parts move away from are filled last, lest the fill be in the way.
  bool isFilledLast(int dim) const;

  const Mesh *mesh_;
  const Sharding *start;
  AxisList kept;
  /// Axes that cut no dim; those with shares first: what becomes of them otherwise costs more.
  AxisList spare;
  /// With the moves, without the fills.
  Sharding current;
  std::vector<AxisList> fills;
  std::vector<Part> moves;
};

} // namespace spmd
