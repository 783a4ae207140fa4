#include "spmd/lowering/interpreter/kernels/Unfold.h"

#include <cstring>

namespace spmd {

static Ints concatenated(Ints a, const Ints &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Unfolding::Unfolding(WindowPlaces places) : at(std::move(places)) {
  rows = product(at.out);
  bytesOfRow = product(at.kernel) * at.rowFeatures * at.bytes;
  stepRows = at.out.empty() ? 1 : product(Ints(at.out.begin() + 1, at.out.end()));
  if (rows == 0 || bytesOfRow == 0)
    return;
  planCopies();
}

void Unfolding::planCopies() {
  size_t space = at.in.size();
  Ints paddedShape;
  double paddedElements = 1;
  bool isPadded = false;
  for (size_t d = 0; d < space; ++d) {
    int64_t size = (at.out[d] - 1) * at.strides[d] + (at.kernel[d] - 1) * at.rhsDilation[d] + 1;
    isPadded |= at.low[d] != 0 || at.lhsDilation[d] != 1 || size > at.in[d];
    paddedShape.push_back(size);
    paddedElements *= static_cast<double>(size);
  }
  constexpr double mostTimes = 8, someElements = 1 << 16;
  looksUp = isPadded && paddedElements * static_cast<double>(at.imageFeatures * at.bytes) >
                            mostTimes * static_cast<double>(rows * bytesOfRow) + someElements;
  if (looksUp)
    return planLookup();
  if (!isPadded)
    paddedShape = at.in;
  Ints paddedStrides = rowMajorStrides(concatenated(paddedShape, {at.imageFeatures}));
  Ints imageStrides = rowMajorStrides(concatenated(at.in, {at.imageFeatures}));
  if (isPadded) {
    CopyBox box{{}, imageStrides, paddedStrides};
    for (size_t d = 0; d < space; ++d) {
      int64_t low = at.low[d], step = at.lhsDilation[d];
      int64_t begin = low < 0 ? (-low + step - 1) / step : 0;
      int64_t room = paddedShape[d] - low;
      int64_t end = std::min(at.in[d], room > 0 ? (room + step - 1) / step : 0);
      box.shape.push_back(std::max<int64_t>(end - begin, 0));
      interiorSource += begin * imageStrides[d] * at.bytes;
      interiorTarget += (low + begin * step) * paddedStrides[d] * at.bytes;
      box.targetStrides[d] *= step;
    }
    box.shape.push_back(at.imageFeatures);
    interior = StridedCopy(box, at.bytes);
    paddedBytes = product(paddedShape) * at.imageFeatures * at.bytes;
  }
  // All outputs of one step, and all taps of each.
  Ints outShape = at.out;
  if (space > 0)
    outShape[0] = 1;
  CopyBox box{concatenated(concatenated(outShape, at.kernel), {at.rowFeatures}), {}, {}};
  box.targetStrides = rowMajorStrides(box.shape);
  for (size_t d = 0; d < space; ++d)
    box.sourceStrides.push_back(at.strides[d] * paddedStrides[d]);
  for (size_t d = 0; d < space; ++d)
    box.sourceStrides.push_back(at.rhsDilation[d] * paddedStrides[d]);
  box.sourceStrides.push_back(1);
  stepSource = space > 0 ? box.sourceStrides[0] * at.bytes : 0;
  windows = StridedCopy(box, at.bytes);
}

static constexpr int64_t none = -1;

void Unfolding::planLookup() {
  Ints strides = rowMajorStrides(at.in);
  lookups.resize(at.in.size());
  for (size_t d = 0; d < at.in.size(); ++d)
    for (int64_t out = 0; out < at.out[d]; ++out)
      for (int64_t tap = 0; tap < at.kernel[d]; ++tap) {
        int64_t place = out * at.strides[d] + tap * at.rhsDilation[d] - at.low[d];
        bool inside =
            place >= 0 && place % at.lhsDilation[d] == 0 && place / at.lhsDilation[d] < at.in[d];
        lookups[d].push_back(
            inside ? place / at.lhsDilation[d] * strides[d] * at.imageFeatures * at.bytes : none);
      }
}

void Unfolding::lookUp(const std::byte *image, int64_t first, int64_t count,
                       std::byte *into) const {
  size_t space = at.in.size();
  int64_t run = at.rowFeatures * at.bytes, numTaps = product(at.kernel);
  Ints out(space, 0), tap(space, 0);
  if (space > 0)
    out[0] = first;
  for (int64_t row = 0; row < count * stepRows; ++row, nextIndex(out, at.out))
    for (int64_t t = 0; t < numTaps; ++t, nextIndex(tap, at.kernel), into += run) {
      int64_t offset = 0;
      for (size_t d = 0; d < space && offset != none; ++d) {
        int64_t place = lookups[d][out[d] * at.kernel[d] + tap[d]];
        offset = place == none ? none : offset + place;
      }
      if (offset == none)
        std::memset(into, 0, run);
      else
        std::memcpy(into, image + offset, run);
    }
}

Unfolding::Image::Image(const Unfolding &unfolding)
    : unfolding(unfolding), padded(unfolding.paddedBytes) {
  if (unfolding.paddedBytes > 0)
    std::memset(padded.data(), 0, unfolding.paddedBytes);
}

void Unfolding::Image::set(const std::byte *image) {
  current = image;
  if (unfolding.paddedBytes == 0)
    return;
  unfolding.interior.run(image + unfolding.interiorSource,
                         padded.data() + unfolding.interiorTarget);
  current = padded.data();
}

void Unfolding::Image::unfold(int64_t first, int64_t count, int64_t firstFeature,
                              std::byte *into) const {
  const std::byte *from = current + firstFeature * unfolding.at.bytes;
  if (unfolding.looksUp)
    return unfolding.lookUp(from, first, count, into);
  for (int64_t step = first; step < first + count; ++step) {
    unfolding.windows.run(from + step * unfolding.stepSource, into);
    into += unfolding.stepRows * unfolding.bytesOfRow;
  }
}

} // namespace spmd
