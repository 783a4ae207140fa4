// The element types of tensors, and how one element is stored.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace spmd {

/// An element type, named as in StableHLO; `complexF32` prints as `complex<f32>`.
enum class ElementType : uint8_t {
  i1,
  i2,
  i4,
  i8,
  i16,
  i32,
  i64,
  ui2,
  ui4,
  ui8,
  ui16,
  ui32,
  ui64,
  f4E2M1FN,
  f6E2M3FN,
  f6E3M2FN,
  f8E3M4,
  f8E4M3,
  f8E4M3FN,
  f8E4M3FNUZ,
  f8E4M3B11FNUZ,
  f8E5M2,
  f8E5M2FNUZ,
  f8E8M0FNU,
  bf16,
  f16,
  f32,
  f64,
  f128, ///< Of wide programs alone (lowering/equality/Widen.h); so is complexF128.
  complexF32,
  complexF64,
  complexF128
};

inline constexpr int numElementTypes = static_cast<int>(ElementType::complexF128) + 1;

/// Returns the name in StableHLO's text: "f32", "ui8", "complex<f32>".
const char *nameOf(ElementType type);

/// Returns the type that `name` stands for, or nothing if no type has that name.
std::optional<ElementType> elementNamed(std::string_view name);

/// Returns how many bits carry the value: 4 for i4, 32 for f32, 64 for complex<f32>, 1 for i1.
int bitWidth(ElementType type);

/// Returns how many bytes one stored element takes; a type of less than 8 bits takes one.
int storedBytes(ElementType type);

/// i1 is none of these but an integer that is neither signed nor unsigned.
bool isSignedInteger(ElementType type);
bool isUnsignedInteger(ElementType type);
/// A signed or unsigned integer, or i1.
bool isInteger(ElementType type);
/// A real floating-point type of any width.
bool isFloat(ElementType type);
bool isComplex(ElementType type);

} // namespace spmd
