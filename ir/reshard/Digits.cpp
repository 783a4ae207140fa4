#include "spmd/ir/reshard/Digits.h"

#include <algorithm>
#include <numeric>

namespace spmd {

namespace {

/// The places where axes are cut, and lists of axes cut there.
class Cuts {
public:
  /// Returns whether every axis can be cut at all these places at once: (1)2 and (1)3 of an axis of
  /// size 6 have no common parts.
  bool areNested() const {
    for (size_t i = 1; i < cuts.size(); ++i)
      if (cuts[i].first == cuts[i - 1].first && cuts[i].second % cuts[i - 1].second != 0)
        return false;
    return true;
  }

  /// Cuts the axes of `list`.
  void refine(AxisList &list) const {
    AxisList refined;
    for (const AxisRef &ref : list) {
      AxisRef rest = ref;
      for (const auto &[axis, at] : cuts) {
        if (axis != rest.axis || at <= rest.preSize || at >= rest.end())
          continue;
        int32_t head = at / rest.preSize;
        refined.push_back({rest.axis, rest.preSize, head});
        rest = {rest.axis, at, rest.size / head};
      }
      refined.push_back(rest);
    }
    list = std::move(refined);
  }

  void add(int32_t axis, int64_t at) {
    std::pair<int32_t, int32_t> cut(axis, static_cast<int32_t>(at));
    auto place = std::lower_bound(cuts.begin(), cuts.end(), cut);
    if (place == cuts.end() || *place != cut)
      cuts.insert(place, cut);
  }

private:
  absl::InlinedVector<std::pair<int32_t, int32_t>, 8> cuts;
};

enum class Match { equal, cut, misaligned };

} // namespace

/// Adds the first cut that the two lists of a dim need of each other, if they need one.
static Match match(const AxisList &from, const AxisList &to, Cuts &cuts) {
  for (size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
    if (from[i].size == to[i].size)
      continue;
    int32_t common = std::gcd(from[i].size, to[i].size);
    if (common == 1)
      return Match::misaligned;
    for (const AxisRef &ref : {from[i], to[i]})
      if (ref.size != common)
        cuts.add(ref.axis, int64_t{ref.preSize} * common);
    return Match::cut;
  }
  return Match::equal;
}

/// Returns the number of the atom that stands at `axis`, a new one if there is none.
static int atomAt(Alignment &alignment, const AxisRef &axis) {
  for (size_t i = 0; i < alignment.atoms.size(); ++i)
    if (alignment.atoms[i].axis == axis)
      return i;
  alignment.atoms.push_back({axis});
  return alignment.atoms.size() - 1;
}

std::optional<Alignment> align(const Mesh &mesh, const Sharding &from, const Sharding &to) {
  size_t rank = from.dims.size();
  std::vector<AxisList> lists;
  lists.reserve(2 * rank + 2);
  for (const Sharding *side : {&from, &to}) {
    for (const DimSharding &dim : side->dims)
      lists.push_back(dim.axes);
    lists.push_back(side->unreduced);
  }
  Cuts cuts;
  for (const AxisList &list : lists)
    for (const AxisRef &ref : list) {
      cuts.add(ref.axis, ref.preSize);
      cuts.add(ref.axis, ref.end());
    }

  for (bool changed = true; changed;) {
    changed = false;
    if (!cuts.areNested())
      return std::nullopt;
    for (AxisList &list : lists)
      cuts.refine(list);
    for (size_t d = 0; d < rank; ++d) {
      Match result = match(lists[d], lists[rank + 1 + d], cuts);
      if (result == Match::misaligned)
        return std::nullopt;
      changed |= result == Match::cut;
    }
  }

  Alignment alignment;
  for (size_t d = 0; d < rank; ++d) {
    const AxisList &source = lists[d], &target = lists[rank + 1 + d];
    alignment.dimBegin.push_back(alignment.digits.size());
    for (size_t i = 0; i < std::max(source.size(), target.size()); ++i) {
      Digit digit{static_cast<int>(d), i < source.size() ? source[i].size : target[i].size};
      int number = alignment.digits.size();
      if (i < source.size()) {
        digit.source = atomAt(alignment, source[i]);
        alignment.atoms[digit.source].source = number;
      }
      if (i < target.size()) {
        digit.target = atomAt(alignment, target[i]);
        alignment.atoms[digit.target].target = number;
      }
      alignment.digits.push_back(digit);
    }
  }
  alignment.dimBegin.push_back(alignment.digits.size());
  for (const AxisRef &ref : lists[rank])
    alignment.atoms[atomAt(alignment, ref)].partialBefore = true;
  for (const AxisRef &ref : lists[2 * rank + 1])
    alignment.atoms[atomAt(alignment, ref)].partialAfter = true;
  return alignment;
}

} // namespace spmd
