// The rough costs of all moves between two lists of layouts.
//
//                 [{}, {}]   [{"x"}, {}]   [{}, {"x"}]     <- layouts that a reader may read
//     [{}, {}]        0           0             0
//     [{"x"}, {}]   gather        0         all-to-all
//     ^ layouts that a maker may make
//
// Edges with equal lists and tensors of equal size share a matrix. The layers of a model are alike:
// a graph of 20,000 edges has 160 matrices.
#pragma once

#include "spmd/ir/planner/Options.h"

namespace spmd {

struct MoveMatrix {
  size_t numMade, numRead;
  std::vector<float> byMade; ///< One row for each layout that is made.
  std::vector<float> byRead; ///< The same costs, transposed.

  float cost(size_t made, size_t read) const { return byMade[made * numRead + read]; }
};

class MoveMatrices {
public:
  explicit MoveMatrices(LayoutTable &table) : table(table) {}

  /// Returns the number of the matrix for a tensor of `kind`. Both sides must outlive this.
  int32_t numberOf(int32_t kind, const OptionSet::Side &made, const OptionSet::Side &read);
  const MoveMatrix &operator[](int32_t number) const { return matrices[number]; }

private:
  MoveMatrix compute(int32_t kind, const OptionSet::Side &made, const OptionSet::Side &read);

  LayoutTable &table;
  /// By kind and sides.
  absl::flat_hash_map<std::tuple<int32_t, const void *, const void *>, int32_t> known;
  /// By lists and bytes, or by lists and kind where the costs depend on the shape.
  absl::flat_hash_map<std::tuple<int32_t, int32_t, double, int32_t>, int32_t> byContent;
  KeyNumbers lists; ///< Of layouts.
  std::vector<MoveMatrix> matrices;
};

} // namespace spmd
