#include "spmd/lowering/interpreter/Npy.h"

#include "spmd/lowering/interpreter/StatusMacros.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

#include <cstring>
#include <fstream>

namespace spmd {

static constexpr std::string_view magic("\x93NUMPY", 6);

/// Returns how NumPy writes `element`: kind and bytes, "f4".
static std::string descrOf(ElementType element) {
  char kind = isComplex(element) ? 'c' : isSignedInteger(element) ? 'i' : 'u';
  if (element == ElementType::i1)
    kind = 'b';
  if (element == ElementType::f16 || element == ElementType::f32 || element == ElementType::f64)
    kind = 'f';
  return absl::StrCat(std::string(1, kind), storedBytes(element));
}

/// Returns the element type that NumPy means by `descr`, or nothing.
static std::optional<ElementType> elementOf(const std::string &descr) {
  using E = ElementType;
  for (E element : {E::i1, E::i8, E::i16, E::i32, E::i64, E::ui8, E::ui16, E::ui32, E::ui64, E::f16,
                    E::f32, E::f64, E::complexF32, E::complexF64})
    if (descrOf(element) == descr)
      return element;
  return std::nullopt;
}

namespace {
struct Header {
  std::string descr; // Without the byte order.
  std::vector<int64_t> shape;
  bool isColumnMajor = false;
};
} // namespace

/// Returns what follows `'key':` in the header, or nothing.
static std::string_view valueOf(std::string_view header, std::string_view key) {
  size_t at = header.find("'" + std::string(key) + "':");
  if (at == std::string_view::npos)
    return {};
  size_t begin = header.find_first_not_of(' ', at + key.size() + 3);
  return begin == std::string_view::npos ? std::string_view() : header.substr(begin);
}

static absl::StatusOr<Header> parseHeader(std::string_view text) {
  Header header;
  std::string_view descr = valueOf(text, "descr"), order = valueOf(text, "fortran_order"),
                   shape = valueOf(text, "shape");
  size_t quote = descr.empty() ? std::string_view::npos : descr.find('\'', 1);
  if (descr.substr(0, 1) != "'" || quote == std::string_view::npos || quote < 3)
    return invalid("npy header has no simple 'descr'");
  char byteOrder = descr[1];
  header.descr = std::string(descr.substr(2, quote - 2));
  bool isOneByte = header.descr.substr(1) == "1";
  if (byteOrder != '<' && !(isOneByte && byteOrder == '|') && header.descr[0] != 'V')
    return invalid("npy array is '", std::string(descr.substr(1, quote - 1)),
                   "', which is not little-endian");
  header.isColumnMajor = order.substr(0, 4) == "True";
  if (!header.isColumnMajor && order.substr(0, 5) != "False")
    return invalid("npy header has no 'fortran_order'");
  size_t close = shape.find(')');
  if (shape.substr(0, 1) != "(" || close == std::string_view::npos)
    return invalid("npy header has no 'shape'");
  std::string sizes(shape.substr(1, close - 1));
  for (absl::string_view part : absl::StrSplit(sizes, ',', absl::SkipWhitespace())) {
    int64_t size = 0;
    if (!absl::SimpleAtoi(part, &size) || size < 0)
      return invalid("npy header has size '", part, "'");
    header.shape.push_back(size);
  }
  return header;
}

/// Reads the header of a file, and takes it off `bytes`.
static absl::StatusOr<Header> takeHeader(std::string_view &bytes) {
  auto byteAt = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  if (bytes.size() < 10 || bytes.substr(0, 6) != magic)
    return invalid("does not start as an npy file");
  int version = byteAt(6);
  if (version < 1 || version > 3)
    return invalid("npy version ", version, " is not supported");
  size_t lengthBytes = version == 1 ? 2 : 4, begin = 8 + lengthBytes, length = 0;
  if (bytes.size() < begin)
    return invalid("npy header is cut short");
  for (size_t i = 0; i < lengthBytes; ++i)
    length |= static_cast<size_t>(byteAt(8 + i)) << (8 * i);
  if (bytes.size() - begin < length)
    return invalid("npy header is cut short");
  std::string_view header = bytes.substr(begin, length);
  bytes.remove_prefix(begin + length);
  return parseHeader(header);
}

/// Returns the elements of `type` in row-major order, given the first dim fastest as NumPy stores a
/// transposed array.
static std::string rowMajor(const TensorType &type, std::string_view bytes) {
  size_t rank = type.shape.size(), width = storedBytes(type.element);
  std::vector<size_t> strides(rank, width), index(rank);
  for (size_t d = 1; d < rank; ++d)
    strides[d] = strides[d - 1] * type.shape[d - 1];
  std::string sorted;
  sorted.reserve(bytes.size());
  size_t at = 0;
  while (sorted.size() < bytes.size()) {
    sorted.append(bytes.substr(at, width));
    for (size_t d = rank; d-- > 0;) {
      at += strides[d];
      if (++index[d] < static_cast<size_t>(type.shape[d]))
        break;
      at -= strides[d] * index[d];
      index[d] = 0;
    }
  }
  return sorted;
}

absl::StatusOr<Tensor> npyFromBytes(std::string_view bytes,
                                    const std::optional<TensorType> &expected) {
  SPMD_ASSIGN_OR_RETURN(Header header, takeHeader(bytes));
  std::optional<ElementType> element = elementOf(header.descr);
  if (expected) {
    // Raw bits: as this library writes them, or NumPy's void of the same size.
    ElementType wanted = expected->element;
    if (header.descr == descrOf(wanted) ||
        (!elementOf(header.descr) && header.descr == absl::StrCat("V", storedBytes(wanted))))
      element = wanted;
  }
  if (!element)
    return invalid("npy array has element type '", header.descr, "'",
                   expected ? "; expected " + expected->str() : "");
  TensorType type{*element, header.shape};
  if (expected && type != *expected)
    return invalid("npy array has type ", type.str(), "; expected ", expected->str());
  if (checkedNumElements(type) < 0 || static_cast<int64_t>(bytes.size()) != type.sizeInBytes())
    return invalid("npy array ", type.str(), " has ", bytes.size(), " bytes of data");
  std::string sorted;
  if (header.isColumnMajor) {
    sorted = rowMajor(type, bytes);
    bytes = sorted;
  }
  SPMD_ASSIGN_OR_RETURN(Tensor tensor, Tensor::fromBytes(type, bytes.data(), bytes.size()));
  if (*element == ElementType::i1) // Kernels rely on 0 and 1.
    for (int64_t i = 0; i < tensor.numElements(); ++i)
      tensor.mutableAs<uint8_t>()[i] = tensor.as<uint8_t>()[i] != 0;
  return tensor;
}

std::string npyToBytes(const Tensor &tensor) {
  const TensorType &type = tensor.type();
  std::string header =
      absl::StrCat("{'descr': '", storedBytes(type.element) == 1 ? "|" : "<", descrOf(type.element),
                   "', 'fortran_order': False, 'shape': (", absl::StrJoin(type.shape, ", "),
                   type.rank() == 1 ? ",), }" : "), }");
  // The data start at a multiple of 64.
  constexpr size_t prefix = 10;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';
  std::string out(magic);
  out.append({'\x01', '\x00', static_cast<char>(header.size() & 0xff),
              static_cast<char>(header.size() >> 8)});
  out += header;
  out.append(reinterpret_cast<const char *>(tensor.data()), tensor.sizeInBytes());
  return out;
}

/// Reads `path` and returns what `parse` makes of its bytes.
template <typename Parse>
static auto readFile(const std::string &path, Parse parse) -> decltype(parse(std::string_view())) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return absl::NotFoundError(absl::StrCat(path, ": cannot be opened"));
  std::string bytes;
  char block[1 << 16];
  while (file.read(block, sizeof(block)) || file.gcount() > 0)
    bytes.append(block, file.gcount());
  if (file.bad()) // As where `path` is a folder.
    return absl::NotFoundError(absl::StrCat(path, ": cannot be read"));
  auto parsed = parse(std::string_view(bytes));
  if (!parsed.ok())
    return absl::Status(parsed.status().code(),
                        absl::StrCat(path, ": ", parsed.status().message()));
  return parsed;
}

absl::StatusOr<Tensor> readNpy(const std::string &path, const std::optional<TensorType> &expected) {
  return readFile(path, [&](std::string_view bytes) { return npyFromBytes(bytes, expected); });
}

absl::StatusOr<std::vector<int64_t>> readNpyShape(const std::string &path) {
  return readFile(path, [](std::string_view bytes) -> absl::StatusOr<std::vector<int64_t>> {
    SPMD_ASSIGN_OR_RETURN(Header header, takeHeader(bytes));
    return header.shape;
  });
}

} // namespace spmd
