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
  } else if constexpr (std::is_floating_point_v<T>) {
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
    auto *values = reinterpret_cast<const typename decltype(tag)::Type *>(native);
    return ComplexDoubles(values, values + n);
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

absl::StatusOr<Tensor> toF64(const Tensor &tensor) {
  bool isPair = isComplex(tensor.type().element);
  TensorType type = {isPair ? ElementType::complexF64 : ElementType::f64, tensor.type().shape};
  absl::StatusOr<Tensor> wide = Tensor::allocate(type);
  if (!wide.ok())
    return wide;
  ComplexDoubles elements = toComplexDoubles(tensor);
  for (size_t i = 0; i < elements.size(); ++i)
    if (isPair)
      wide->mutableAs<std::complex<double>>()[i] = elements[i];
    else
      wide->mutableAs<double>()[i] = elements[i].real();
  return wide;
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
