#include "spmd/ir/planner/MoveMatrices.h"

namespace spmd {

int32_t MoveMatrices::numberOf(int32_t kind, const OptionSet::Side &made,
                               const OptionSet::Side &read) {
  auto [entry, isNew] = known.try_emplace(std::make_tuple(kind, &made, &read), 0);
  if (!isNew)
    return entry->second;
  bool isRegular = table.areRegular(kind, made.layouts) && table.areRegular(kind, read.layouts);
  std::tuple<int32_t, int32_t, double, int32_t> content{
      lists.number(made.layouts).first, lists.number(read.layouts).first,
      isRegular ? table.bytesOf(kind) : 0, isRegular ? -1 : kind};
  auto [same, isFirst] = byContent.try_emplace(content, static_cast<int32_t>(matrices.size()));
  if (isFirst)
    matrices.push_back(compute(kind, made, read));
  return entry->second = same->second;
}

MoveMatrix MoveMatrices::compute(int32_t kind, const OptionSet::Side &made,
                                 const OptionSet::Side &read) {
  MoveMatrix matrix{made.layouts.size(), read.layouts.size(), {}, {}};
  matrix.byMade.resize(matrix.numMade * matrix.numRead);
  matrix.byRead.resize(matrix.numMade * matrix.numRead);
  for (size_t m = 0; m < matrix.numMade; ++m) {
    float *row = matrix.byMade.data() + m * matrix.numRead;
    table.roughMoveCosts(kind, made.layouts[m], read.layouts, row);
    for (size_t r = 0; r < matrix.numRead; ++r)
      matrix.byRead[r * matrix.numMade + m] = row[r];
  }
  return matrix;
}

} // namespace spmd
