// A tensor's element type and shape.
#pragma once

#include "spmd/lowering/program/ElementType.h"

#include <string>
#include <vector>

namespace spmd {

struct TensorType {
  ElementType element = ElementType::f32;
  std::vector<int64_t> shape;

  int64_t rank() const { return shape.size(); }
  /// Returns the product of the sizes; 1 for rank 0.
  int64_t numElements() const;
  /// Returns the bytes of all elements as stored, dense and row-major.
  int64_t sizeInBytes() const { return numElements() * storedBytes(element); }
  /// Returns "4x8xf32", or "f32" for rank 0.
  std::string str() const;

  friend bool operator==(const TensorType &a, const TensorType &b) {
    return a.element == b.element && a.shape == b.shape;
  }
  friend bool operator!=(const TensorType &a, const TensorType &b) { return !(a == b); }
};

/// Returns the number of elements, or -1 if a size is negative or the stored bytes pass 2^62.
int64_t checkedNumElements(const TensorType &type);

/// Returns how many elements apart neighbours along each dim stand, dense and row-major.
std::vector<int64_t> rowMajorStrides(const std::vector<int64_t> &shape);

} // namespace spmd
