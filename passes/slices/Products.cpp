#include "spmd/passes/slices/Products.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <numeric>

namespace spmd {

int64_t DimParts::size() const {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

bool hasProduct(const Dims &dims) {
  return llvm::any_of(dims, [](const DimParts &dim) { return dim.isProduct(); });
}

bool areAlike(const Dims &one, const Dims &other) {
  return llvm::equal(one, other, [](const DimParts &left, const DimParts &right) {
    return left.sizes == right.sizes;
  });
}

Dims plainDims(llvm::ArrayRef<int64_t> sizes) {
  Dims dims;
  for (int64_t size : sizes)
    dims.push_back({{size}});
  return dims;
}

Ints flat(const Dims &dims) {
  Ints sizes;
  for (const DimParts &dim : dims)
    sizes.append(dim.sizes);
  return sizes;
}

Ints places(const Dims &dims) {
  Ints first;
  int64_t place = 0;
  for (const DimParts &dim : dims) {
    first.push_back(place);
    place += static_cast<int64_t>(dim.sizes.size());
  }
  return first;
}

void appendPlaces(Ints &out, const Dims &dims, const Ints &first, int64_t d) {
  for (size_t k = 0; k < dims[d].sizes.size(); ++k)
    out.push_back(first[d] + static_cast<int64_t>(k));
}

llvm::SmallVector<Range, 4> rangesOf(const Dims &dims) {
  llvm::SmallVector<Range, 4> ranges(dims.size());
  int64_t begin = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    int64_t end = begin * dims[d].size();
    ranges[d] = {begin, end};
    begin = end;
  }
  return ranges;
}

Dims reshapedDims(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to) {
  llvm::SmallVector<Range, 4> cuts = rangesOf(plainDims(from));
  Dims dims = plainDims(to);
  for (auto [dim, range] : llvm::zip(dims, rangesOf(dims))) {
    Ints sizes;
    int64_t last = range.end;
    for (const Range &cut : cuts) {
      if (cut.begin <= range.begin || cut.begin >= last)
        continue;
      if (last % cut.begin != 0 || cut.begin % range.begin != 0) {
        sizes.clear();
        break;
      }
      sizes.push_back(last / cut.begin);
      last = cut.begin;
    }
    if (sizes.empty())
      continue;
    sizes.push_back(last / range.begin);
    dim.sizes = std::move(sizes);
  }
  return dims;
}

} // namespace spmd
