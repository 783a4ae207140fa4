// Loops over functions of float that have vectors for most arguments, and the library for the rest.
//
// An op has `ofAll`, which is computed for every element; `isRegular`, whether that is right; and
// `ofOthers`, by which the elements are replaced where it is not. The result of an element depends
// on nothing but its arguments.
#pragma once

#include "spmd/lowering/interpreter/Vectorized.h"

#include <algorithm>
#include <cstdint>

namespace spmd {

/// So many elements at a time, whose arguments are kept: the results may overwrite them.
inline constexpr int64_t patchedElements = 256;

template <typename Op> struct PatchedUnaryLoop {
  static SPMD_INLINE void run(int64_t n, void *out, const void *const *in, const int64_t *) {
    auto *all = static_cast<const float *>(in[0]);
    auto *results = static_cast<float *>(out);
    float x[patchedElements];
    for (int64_t begin = 0; begin < n; begin += patchedElements) {
      int64_t count = std::min(patchedElements, n - begin);
      float *r = results + begin;
      std::copy_n(all + begin, count, x);
      bool areRegular = true;
      for (int64_t i = 0; i < count; ++i) {
        r[i] = Op::ofAll(x[i]);
        areRegular &= Op::isRegular(x[i]);
      }
      for (int64_t i = 0; !areRegular && i < count; ++i)
        if (!Op::isRegular(x[i]))
          r[i] = Op::ofOthers(x[i]);
    }
  }
};

template <typename Op> struct PatchedBinaryLoop {
  static SPMD_INLINE void run(int64_t n, void *out, const void *const *in, const int64_t *) {
    auto *allX = static_cast<const float *>(in[0]), *allY = static_cast<const float *>(in[1]);
    auto *results = static_cast<float *>(out);
    float x[patchedElements], y[patchedElements];
    for (int64_t begin = 0; begin < n; begin += patchedElements) {
      int64_t count = std::min(patchedElements, n - begin);
      float *r = results + begin;
      std::copy_n(allX + begin, count, x);
      std::copy_n(allY + begin, count, y);
      bool areRegular = true;
      for (int64_t i = 0; i < count; ++i) {
        r[i] = Op::ofAll(x[i], y[i]);
        areRegular &= Op::isRegular(x[i], y[i]);
      }
      for (int64_t i = 0; !areRegular && i < count; ++i)
        if (!Op::isRegular(x[i], y[i]))
          r[i] = Op::ofOthers(x[i], y[i]);
    }
  }
};

} // namespace spmd
