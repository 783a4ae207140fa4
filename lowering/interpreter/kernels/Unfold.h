// The windows of an image as rows of a matrix (im2col), for convolutions as matrix products.
#pragma once

#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/Memory.h"
#include "spmd/lowering/interpreter/StridedCopy.h"

namespace spmd {

/// Where windows lie in an image of [space][features]; all lists by spatial dim.
struct WindowPlaces {
  Ints in, kernel, out;
  Ints strides, low, lhsDilation, rhsDilation;
  /// Of the image, and how many of them a row takes from each element of its window.
  int64_t imageFeatures, rowFeatures;
  /// Of one feature.
  int64_t bytes;
};

/// Writes a row for each output: the features at each element of its window, zeros outside.
///
/// The image gets its padding and dilation first; then all windows are one strided copy. Where the
/// padded image would be far larger than the rows, each window is looked up by itself.
class Unfolding {
public:
  Unfolding() = default;
  explicit Unfolding(WindowPlaces places);

  int64_t numRows() const { return rows; }
  int64_t rowBytes() const { return bytesOfRow; }
  /// Rows are written in steps of so many, the outputs that differ only in inner dims.
  int64_t rowsOfStep() const { return stepRows; }

  /// One image, padded if need be.
  class Image {
  public:
    explicit Image(const Unfolding &unfolding);
    void set(const std::byte *image);
    /// Writes rows of the image that was set, `count` steps from number `first` on: the features
    /// from `firstFeature` on.
    void unfold(int64_t first, int64_t count, int64_t firstFeature, std::byte *into) const;

  private:
    const Unfolding &unfolding;
    Scratch padded;
    const std::byte *current = nullptr;
  };

private:
  void planCopies();
  void planLookup();
  void lookUp(const std::byte *image, int64_t first, int64_t count, std::byte *into) const;

  WindowPlaces at;
  int64_t rows = 0, bytesOfRow = 0, stepRows = 1;
  bool looksUp = false;
  // By copies: the image into the padded one, and one step of windows out of that.
  int64_t paddedBytes = 0, interiorSource = 0, interiorTarget = 0;
  int64_t stepSource = 0; // From one step to the next.
  StridedCopy interior, windows;
  // By lookup: for each dim, output and tap the place in the image, in bytes; or none.
  std::vector<std::vector<int64_t>> lookups;
};

} // namespace spmd
