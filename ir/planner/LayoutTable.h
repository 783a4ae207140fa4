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
  double moveCost(int32_t kind, int32_t from, int32_t to) {
    return costBy(kind, from, to, /*exact=*/true);
  }
  /// Returns an estimate of `moveCost` without planning the move. It assumes that one collective of
  /// each kind is enough where axes change places.
  double roughMoveCost(int32_t kind, int32_t from, int32_t to) {
    return costBy(kind, from, to, /*exact=*/false);
  }

  /// More than any plan costs.
  static constexpr double impossible = 0x1p80; // Also as a message, which is rounded.

private:
  /// Where each axis of the mesh stands: in a dim, nowhere, or it holds shares.
  struct Detail {
    bool isRegular = false; ///< Only whole axes.
    double shards = 1;
    std::vector<int32_t> dimOf; ///< By axis; `replicated` or `holdsShares` for no dim.
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
    bool isExact = false;
  };

  Detail detailOf(const Sharding &layout) const;
  bool isEven(int32_t kind, int32_t layout);
  double costBy(int32_t kind, int32_t from, int32_t to, bool exact);
  const Coefficient &coefficient(int32_t from, int32_t to, bool exact);
  Coefficient estimate(int32_t from, int32_t to) const;
  Coefficient measure(int32_t from, int32_t to) const;
  bool keepsOrder(int32_t from, int32_t to) const;

  int32_t meshNumber;
  ReshardCosts &costs;
  std::vector<double> axisSizes;
  Interned<Sharding> layouts;
  std::vector<Detail> details; ///< By layout.
  std::vector<Kind> kinds;
  absl::flat_hash_map<std::pair<std::vector<int64_t>, int32_t>, int32_t> kindNumbers;
  std::vector<std::vector<Coefficient>> coefficients; ///< By layouts, from and to.
  std::vector<std::vector<int8_t>> evenness;          ///< By kind and layout: -1 for unknown.
};

} // namespace spmd
