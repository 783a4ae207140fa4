// Layouts of tensors by number, and the cost of moving a tensor from one to another.
//
//     int32_t kind = table.kindOf({4096, 512}, 16);          // 4 MiB of bf16
//     table.moveCost(kind, table.intern(rows), table.intern(columns));
//
// Costs are bytes on the wire that one device sends, plus a price for each collective. Layouts over
// whole axes whose shards are full are priced once for all tensors: their moves are linear in the
// size of the tensor. All other pairs are priced by the reshard planner.
#pragma once

#include "spmd/ir/choose/ReshardCosts.h"

#include "absl/container/flat_hash_map.h"

#include <limits>

namespace spmd {

class LayoutTable {
public:
  /// All layouts are those of one mesh, which `costs` knows by the number `mesh`. `costs` must
  /// outlive this.
  LayoutTable(int32_t mesh, ReshardCosts &costs);

  const Mesh &mesh() const { return costs.meshOf(meshNumber); }

  /// Returns the number of a layout, which is a sharding without wishes (`Sharding::layout`).
  int32_t intern(const Sharding &layout);
  const Sharding &operator[](int32_t layout) const { return layouts[layout]; }
  /// Returns into how many different shards a tensor is cut.
  double shardsOf(int32_t layout) const { return details[layout].shards; }
  /// Returns whether some axes hold shares of the tensor.
  bool isPartial(int32_t layout) const { return !layouts[layout].unreduced.empty(); }

  /// Returns the number of tensors of this shape and element size.
  int32_t kindOf(absl::Span<const int64_t> shape, int32_t elementBits);
  /// Returns the bytes of a whole tensor.
  double bytesOf(int32_t kind) const { return kinds[kind].bytes; }
  absl::Span<const int64_t> shapeOf(int32_t kind) const { return kinds[kind].shape; }
  int32_t elementBitsOf(int32_t kind) const { return kinds[kind].elementBits; }

  /// Returns the cost of one move; `impossible` if there is no way.
  double moveCost(int32_t kind, int32_t from, int32_t to);
  /// Returns a lower bound of `moveCost`, without planning the move.
  double leastMoveCost(int32_t kind, int32_t from, int32_t to);
  /// Writes estimates of `moveCost` from one layout to each of `to`, without planning the moves. An
  /// estimate assumes that one collective of each kind is enough where axes change places, and that
  /// the tensor is padded on its way where its shards are not full.
  void roughMoveCosts(int32_t kind, int32_t from, absl::Span<const int32_t> to, float *costs);
  /// Returns whether all layouts are over whole axes and have full shards. Moves between such
  /// layouts cost the same for all tensors of as many bytes.
  bool areRegular(int32_t kind, absl::Span<const int32_t> layouts);

  /// More than any plan costs.
  static constexpr double impossible = 0x1p80; // Also as a message, which is rounded.

private:
  /// Where each axis of the mesh stands: in a dim, nowhere, or it holds shares.
  struct Detail {
    bool isRegular = false; ///< Only whole axes.
    double shards = 1;
    std::vector<int32_t> dimOf;   ///< By axis; `replicated` or `holdsShares` for no dim.
    std::vector<int32_t> rankOf;  ///< By axis: how many axes of its dim are major to it.
    std::vector<int32_t> numAxes; ///< By dim.
  };
  /// A part of an axis that both layouts of a move treat as one.
  struct AxisPart {
    double size;
    int32_t before, after; ///< Its places in both.
  };
  static constexpr int32_t replicated = -1, holdsShares = -2;

  struct Kind {
    std::vector<int64_t> shape;
    int32_t elementBits;
    double bytes;
  };

  /// A move costs `bytes` for each byte of the whole tensor, and the price of `collectives`.
  struct Coefficient {
    float bytes = -1; ///< Negative while unknown.
    float collectives = 0;
  };
  struct Move {
    Coefficient least, rough, exact;
  };

  Detail detailOf(const Sharding &layout) const;
  double paddingOf(int32_t kind, int32_t layout) {
    std::vector<double> &known = paddings[kind];
    if (static_cast<size_t>(layout) >= known.size())
      known.resize(layouts.size(), 0);
    return known[layout] > 0 ? known[layout] : known[layout] = computePadding(kind, layout);
  }
  double computePadding(int32_t kind, int32_t layout) const;
  bool isLinear(int32_t kind, int32_t layout) {
    return details[layout].isRegular && paddingOf(kind, layout) == 1;
  }
  double costOf(const Coefficient &move, double bytes) const {
    const CostModel &model = costs.costModel();
    return std::min(move.bytes * bytes + move.collectives * model.latency * model.bandwidth,
                    impossible);
  }
  double plannedCost(int32_t kind, int32_t from, int32_t to);
  Move &moveOf(int32_t from, int32_t to);
  std::vector<AxisPart> partsOf(int32_t from, int32_t to) const;
  int32_t placeOf(int32_t layout, int32_t axis, int64_t at) const;
  Move estimate(int32_t from, int32_t to) const;
  Coefficient measure(int32_t from, int32_t to) const;
  bool keepsOrder(int32_t from, int32_t to) const;

  int32_t meshNumber;
  ReshardCosts &costs;
  std::vector<double> axisSizes;
  Interned<Sharding> layouts;
  std::vector<Detail> details; ///< By layout.
  std::vector<Kind> kinds;
  absl::flat_hash_map<std::pair<std::vector<int64_t>, int32_t>, int32_t> kindNumbers;
  std::vector<int32_t> numberOf;  ///< By layout: its number among those of as many dims.
  std::vector<int32_t> numOfRank; ///< How many layouts there are, by their number of dims.
  /// By layout from which data moves, then by number of the layout to which it moves.
  std::vector<std::vector<Move>> moves;
  std::vector<std::vector<double>> paddings; ///< By kind and layout; 0 while unknown.
};

} // namespace spmd
