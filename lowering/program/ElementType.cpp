#include "spmd/lowering/program/ElementType.h"

namespace spmd {

namespace {
struct Info {
  const char *name;
  int bits;
};
} // namespace

// In the order of the enum.
static constexpr Info infos[numElementTypes] = {{"i1", 1},
                                                {"i2", 2},
                                                {"i4", 4},
                                                {"i8", 8},
                                                {"i16", 16},
                                                {"i32", 32},
                                                {"i64", 64},
                                                {"ui2", 2},
                                                {"ui4", 4},
                                                {"ui8", 8},
                                                {"ui16", 16},
                                                {"ui32", 32},
                                                {"ui64", 64},
                                                {"f4E2M1FN", 4},
                                                {"f6E2M3FN", 6},
                                                {"f6E3M2FN", 6},
                                                {"f8E3M4", 8},
                                                {"f8E4M3", 8},
                                                {"f8E4M3FN", 8},
                                                {"f8E4M3FNUZ", 8},
                                                {"f8E4M3B11FNUZ", 8},
                                                {"f8E5M2", 8},
                                                {"f8E5M2FNUZ", 8},
                                                {"f8E8M0FNU", 8},
                                                {"bf16", 16},
                                                {"f16", 16},
                                                {"f32", 32},
                                                {"f64", 64},
                                                {"f128", 128},
                                                {"complex<f32>", 64},
                                                {"complex<f64>", 128},
                                                {"complex<f128>", 256}};

const char *nameOf(ElementType type) { return infos[static_cast<int>(type)].name; }

std::optional<ElementType> elementNamed(std::string_view name) {
  for (int i = 0; i < numElementTypes; ++i)
    if (name == infos[i].name)
      return static_cast<ElementType>(i);
  return std::nullopt;
}

int bitWidth(ElementType type) { return infos[static_cast<int>(type)].bits; }

int storedBytes(ElementType type) { return (bitWidth(type) + 7) / 8; }

bool isSignedInteger(ElementType type) {
  return type >= ElementType::i2 && type <= ElementType::i64;
}

bool isUnsignedInteger(ElementType type) {
  return type >= ElementType::ui2 && type <= ElementType::ui64;
}

bool isInteger(ElementType type) { return type <= ElementType::ui64; }

bool isFloat(ElementType type) {
  return type >= ElementType::f4E2M1FN && type <= ElementType::f128;
}

bool isComplex(ElementType type) { return type >= ElementType::complexF32; }

} // namespace spmd
