#include "spmd/lowering/interpreter/Locate.h"

#include "spmd/lowering/interpreter/StatusMacros.h"
#include "spmd/lowering/interpreter/StridedCopy.h"

#include "absl/strings/str_join.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace spmd {

namespace {

absl::StatusOr<Tensor> boxOf(const Tensor &source, const std::vector<int64_t> &offsets,
                             const std::vector<int64_t> &sizes) {
  SPMD_ASSIGN_OR_RETURN(Tensor box, Tensor::allocate({source.type().element, sizes}));
  std::vector<int64_t> strides = rowMajorStrides(source.type().shape);
  int64_t bytes = storedBytes(source.type().element);
  if (box.numElements() > 0)
    copyBox({sizes, strides, rowMajorStrides(sizes)}, bytes,
            source.data() + offsetOf(offsets, strides) * bytes, box.mutableData());
  return box;
}

/// The part that a device holds; devices with the same contents are one.
struct Holder {
  int64_t device;
  std::vector<int64_t> devices;
  bool holdsTile = false;
  std::optional<Comparison> nearest = std::nullopt;
};

std::vector<Holder> holdersOf(absl::Span<const Tensor> parts) {
  std::vector<Holder> holders;
  for (size_t device = 0; device < parts.size(); ++device) {
    auto isSame = [&](const Holder &holder) {
      const Tensor &other = parts[holder.device];
      return other.data() == parts[device].data() ||
             std::memcmp(other.data(), parts[device].data(), other.sizeInBytes()) == 0;
    };
    auto found = std::find_if(holders.begin(), holders.end(), isSame);
    if (found == holders.end())
      found = holders.insert(holders.end(), Holder{static_cast<int64_t>(device), {}});
    found->devices.push_back(device);
  }
  return holders;
}

/// Returns whether `size` in shards of `part` rows each can leave some of them empty: more shards
/// than hold a row, of a number that divides the devices.
bool canBeEmpty(int64_t size, int64_t part, int64_t numDevices) {
  for (int64_t shards = 1; shards <= numDevices; ++shards)
    if (numDevices % shards == 0 && (size + shards - 1) / shards == part &&
        part * (shards - 1) >= size)
      return true;
  return false;
}

void keepNearest(std::optional<Comparison> &nearest, const Comparison &comparison) {
  if (!nearest || comparison.numDifferent < nearest->numDifferent)
    nearest = comparison;
}

class Matcher {
public:
  Matcher(absl::Span<const Tensor> parts, const Tensor &expected, double rtol, double atol)
      : parts(parts), expected(expected), rtol(rtol), atol(atol), holders(holdersOf(parts)) {}

  absl::StatusOr<Comparison> run() {
    SPMD_RETURN_IF_ERROR(countTiles());
    std::vector<int64_t> tile(counts.size(), 0);
    do
      SPMD_RETURN_IF_ERROR(findTile(tile));
    while (nextIndex(tile, counts));
    for (const Holder &holder : holders)
      if (!holder.holdsTile && !mayBeEmpty)
        differ(absl::StrCat("what device ", holder.device, " holds is no part; in the nearest, ",
                            holder.nearest->message),
               *holder.nearest);
    return out;
  }

private:
  absl::Status countTiles() {
    const TensorType &part = parts[0].type(), &whole = expected.type();
    if (part.element != whole.element || part.shape.size() != whole.shape.size())
      return invalid("devices hold parts of type ", part.str(), "; expected is ", whole.str());
    int64_t numTiles = 1;
    for (size_t dim = 0; dim < part.shape.size(); ++dim) {
      int64_t size = whole.shape[dim], local = part.shape[dim];
      bool fits = local > 0 ? local <= std::max<int64_t>(size, 1) : size == 0;
      counts.push_back(local > 0 ? std::max<int64_t>((size + local - 1) / local, 1) : 1);
      numTiles *= fits ? counts.back() : static_cast<int64_t>(parts.size()) + 1;
      if (numTiles > static_cast<int64_t>(parts.size()))
        return invalid("parts of ", part.str(), " on ", parts.size(), " devices do not make up ",
                       whole.str());
      mayBeEmpty |= canBeEmpty(size, local, parts.size());
    }
    return absl::OkStatus();
  }

  /// Compares the tile with what every device holds.
  absl::Status findTile(const std::vector<int64_t> &tile) {
    const std::vector<int64_t> &local = parts[0].type().shape;
    std::vector<int64_t> offsets, sizes;
    for (size_t dim = 0; dim < tile.size(); ++dim) {
      offsets.push_back(tile[dim] * local[dim]);
      sizes.push_back(std::min(local[dim], expected.type().shape[dim] - offsets[dim]));
    }
    SPMD_ASSIGN_OR_RETURN(Tensor wanted, boxOf(expected, offsets, sizes));
    std::optional<Comparison> nearest;
    for (Holder &holder : holders) {
      SPMD_ASSIGN_OR_RETURN(
          Tensor held, boxOf(parts[holder.device], std::vector<int64_t>(tile.size(), 0), sizes));
      SPMD_ASSIGN_OR_RETURN(Comparison comparison, compare(held, wanted, rtol, atol));
      holder.holdsTile |= comparison.equal;
      keepNearest(holder.nearest, comparison);
      keepNearest(nearest, comparison);
    }
    out.maxAbsError = std::max(out.maxAbsError, nearest->maxAbsError);
    out.maxRelError = std::max(out.maxRelError, nearest->maxRelError);
    if (!nearest->equal)
      differ(absl::StrCat("no device holds the part at [", absl::StrJoin(offsets, ", "),
                          "]; in the nearest, ", nearest->message),
             *nearest);
    return absl::OkStatus();
  }

  void differ(const std::string &message, const Comparison &nearest) {
    if (out.equal)
      out.message = message;
    out.equal = false;
    out.numDifferent += nearest.numDifferent;
  }

  absl::Span<const Tensor> parts;
  const Tensor &expected;
  double rtol, atol;
  std::vector<Holder> holders;
  std::vector<int64_t> counts; ///< Tiles along each dim.
  bool mayBeEmpty = false;
  Comparison out;
};

} // namespace

absl::StatusOr<Comparison> compareParts(absl::Span<const Tensor> parts, const Tensor &expected,
                                        double rtol, double atol) {
  return Matcher(parts, expected, rtol, atol).run();
}

} // namespace spmd
