#include "spmd/lowering/interpreter/Elements.h"

#include "spmd/lowering/interpreter/Storage.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

#include <algorithm>
#include <limits>

namespace spmd {

/// The poison of a native type, which holds an element of `bits` bits.
template <typename T> static T nativePoison(int bits, bool isHigh) {
  if constexpr (std::is_same_v<T, bool>) {
    return isHigh;
  } else if constexpr (std::is_integral_v<T>) {
    // Odd, and of wide types not next to the ends: no power of it is 0, and few are 1.
    int unused = std::max<int>(0, 8 * sizeof(T) - bits), from = bits > 8 ? 2 : 0;
    T end = (isHigh ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min()) >> unused;
    return isHigh ? end - from : end + 2 * from + 1;
  } else if constexpr (isRealFloat<T>) {
    return std::numeric_limits<T>::quiet_NaN();
  } else {
    using Part = typename T::value_type;
    return T(nativePoison<Part>(bits, isHigh), nativePoison<Part>(bits, isHigh));
  }
}

std::string poisonOf(ElementType element, bool isHigh) {
  int bits = bitWidth(element);
  if (bits < 8 && isFloat(element)) // No NaN: all bits but the sign, or all bits.
    return std::string(1, (1 << (bits - isHigh)) - 1);
  return visitNative(element, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    T native = nativePoison<T>(bits, isHigh);
    std::string bytes(storedBytes(element), '\0');
    if (const Storage &storage = storageOf(element); storage.isDirect())
      std::copy_n(reinterpret_cast<const char *>(&native), bytes.size(), bytes.data());
    else
      storage.store(1, &native, bytes.data());
    return bytes;
  });
}

/// Returns `n` elements from number `begin` on in native form.
static std::vector<std::byte> nativeElements(const Tensor &tensor, int64_t begin, int64_t n) {
  ElementType element = tensor.type().element;
  const Storage &storage = storageOf(element);
  std::vector<std::byte> native(n * storage.nativeBytes);
  const std::byte *stored = tensor.data() + begin * storedBytes(element);
  if (storage.isDirect())
    std::copy_n(stored, native.size(), native.data());
  else
    storage.load(n, stored, native.data());
  return native;
}

/// Returns `n` elements from number `begin` on as complex doubles.
static ComplexDoubles complexDoubles(const Tensor &tensor, int64_t begin, int64_t n) {
  ElementType element = tensor.type().element;
  std::vector<std::byte> converted;
  const std::byte *native = tensor.data() + begin * storedBytes(element);
  if (!storageOf(element).isDirect()) {
    converted = nativeElements(tensor, begin, n);
    native = converted.data();
  }
  return visitNative(element, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    auto *values = reinterpret_cast<const T *>(native);
    if constexpr (std::is_arithmetic_v<T>)
      return ComplexDoubles(values, values + n);
    ComplexDoubles out;
    out.reserve(n);
    for (int64_t i = 0; i < n; ++i)
      if constexpr (std::is_arithmetic_v<T> || isRealFloat<T>)
        out.emplace_back(static_cast<double>(values[i]));
      else
        out.emplace_back(static_cast<double>(values[i].real()),
                         static_cast<double>(values[i].imag()));
    return out;
  });
}

void normalize(Tensor &tensor) {
  ElementType element = tensor.type().element;
  if (element == ElementType::i1)
    for (int64_t i = 0; i < tensor.numElements(); ++i)
      tensor.mutableAs<uint8_t>()[i] = tensor.as<uint8_t>()[i] != 0;
  else if (isInteger(element) && storageOf(element).round)
    storageOf(element).round(tensor.numElements(), tensor.mutableData());
}

ComplexDoubles toComplexDoubles(const Tensor &tensor) {
  return complexDoubles(tensor, 0, tensor.numElements());
}

absl::StatusOr<Tensor> toWide(const Tensor &tensor, ElementType wide) {
  absl::StatusOr<Tensor> out = Tensor::allocate({wide, tensor.type().shape});
  if (!out.ok())
    return out;
  ComplexDoubles elements = toComplexDoubles(tensor);
  visitNative(wide, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    auto *to = out->template mutableAs<T>();
    for (const std::complex<double> &element : elements)
      if constexpr (std::is_arithmetic_v<T> || isRealFloat<T>)
        *to++ = static_cast<T>(element.real());
      else
        *to++ = T(static_cast<typename T::value_type>(element.real()),
                  static_cast<typename T::value_type>(element.imag()));
  });
  return out;
}

std::complex<double> toComplexDouble(const Tensor &tensor, int64_t i) {
  return complexDoubles(tensor, i, 1)[0];
}

std::string elementText(const Tensor &tensor, int64_t i) {
  std::vector<std::byte> native = nativeElements(tensor, i, 1);
  return visitNative(tensor.type().element, [&](auto tag) -> std::string {
    using T = typename decltype(tag)::Type;
    T value = *reinterpret_cast<const T *>(native.data());
    if constexpr (std::is_same_v<T, bool>)
      return value ? "true" : "false";
    else if constexpr (std::is_integral_v<T>)
      return std::to_string(value);
    else if constexpr (std::is_floating_point_v<T>)
      return absl::StrFormat("%.9g", value);
    else if constexpr (std::is_same_v<T, Float128>)
      return absl::StrFormat("%.17g", static_cast<double>(value));
    else if constexpr (std::is_same_v<T, std::complex<Float128>>)
      return absl::StrFormat("(%.17g, %.17g)", static_cast<double>(value.real()),
                             static_cast<double>(value.imag()));
    else
      return absl::StrFormat("(%.9g, %.9g)", value.real(), value.imag());
  });
}

std::string indexText(const std::vector<int64_t> &shape, int64_t i) {
  std::vector<int64_t> strides = rowMajorStrides(shape), index;
  for (size_t d = 0; d < shape.size(); ++d)
    index.push_back(i / strides[d] % shape[d]);
  return absl::StrCat("[", absl::StrJoin(index, ", "), "]");
}

} // namespace spmd
