// The C++ types that kernels compute in, and how stored elements become those.
//
// An element type is computed in its *native* type: bf16 and smaller floats in float, integers of
// less than 8 bits in 8 bits. Where storage and native type differ, a run of elements is loaded
// before a kernel computes and stored after it; between two steps it is rounded, so that a chain of
// steps gives the same bits fused or apart.
#pragma once

#include "spmd/lowering/interpreter/Float128.h"
#include "spmd/lowering/program/ElementType.h"

#include <complex>

namespace spmd {

enum class Native : uint8_t {
  i1,
  i8,
  i16,
  i32,
  i64,
  ui8,
  ui16,
  ui32,
  ui64,
  f32,
  f64,
  f128,
  c64,
  c128,
  c256
};

struct Storage {
  Native native;
  /// Bytes of one native element.
  int nativeBytes;
  /// Reads and writes `n` elements; null if storage and native type agree.
  void (*load)(int64_t n, const void *stored, void *native) = nullptr;
  void (*store)(int64_t n, const void *native, void *stored) = nullptr;
  /// Makes `n` native elements representable; null if they always are.
  void (*round)(int64_t n, void *native) = nullptr;

  bool isDirect() const { return load == nullptr; }
};

/// No native element has more bytes.
inline constexpr int mostNativeBytes = sizeof(std::complex<Float128>);

const Storage &storageOf(ElementType type);

/// Names a C++ type as a value.
template <typename T> struct TypeTag {
  using Type = T;
};

/// Returns `fn(TypeTag<T>())` for the native type T of `element`.
template <typename Fn> auto visitNative(ElementType element, Fn fn) {
  switch (storageOf(element).native) {
  case Native::i1:
    return fn(TypeTag<bool>());
  case Native::i8:
    return fn(TypeTag<int8_t>());
  case Native::i16:
    return fn(TypeTag<int16_t>());
  case Native::i32:
    return fn(TypeTag<int32_t>());
  case Native::i64:
    return fn(TypeTag<int64_t>());
  case Native::ui8:
    return fn(TypeTag<uint8_t>());
  case Native::ui16:
    return fn(TypeTag<uint16_t>());
  case Native::ui32:
    return fn(TypeTag<uint32_t>());
  case Native::ui64:
    return fn(TypeTag<uint64_t>());
  case Native::f32:
    return fn(TypeTag<float>());
  case Native::f64:
    return fn(TypeTag<double>());
  case Native::f128:
    return fn(TypeTag<Float128>());
  case Native::c64:
    return fn(TypeTag<std::complex<float>>());
  case Native::c128:
    return fn(TypeTag<std::complex<double>>());
  case Native::c256:
    break;
  }
  return fn(TypeTag<std::complex<Float128>>());
}

/// Bytes that are moved as one.
template <int n> struct Words {
  uint64_t words[n];
};

/// Returns `fn(TypeTag<T>())` for a type T of as many bytes as one element is stored in.
template <typename Fn> auto visitStoredSize(int64_t bytes, Fn fn) {
  switch (bytes) {
  case 1:
    return fn(TypeTag<uint8_t>());
  case 2:
    return fn(TypeTag<uint16_t>());
  case 4:
    return fn(TypeTag<uint32_t>());
  case 8:
    return fn(TypeTag<uint64_t>());
  case 16:
    return fn(TypeTag<Words<2>>());
  default:
    return fn(TypeTag<Words<4>>());
  }
}

} // namespace spmd

/// Tells the compiler that iterations of the next loop are independent. (Outputs may be the very
/// inputs, element by element.)
#if defined(__clang__)
#define SPMD_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define SPMD_INDEPENDENT _Pragma("GCC ivdep")
#endif
