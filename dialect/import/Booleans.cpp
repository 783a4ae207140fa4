#include "spmd/dialect/import/Booleans.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace spmd {

static constexpr llvm::StringLiteral opening = "dense<\"0x";

/// Returns the number of elements if `text` starts with ` : tensor<..xi1`, else 0; also if there
/// are too many to be written.
static uint64_t numBooleans(llvm::StringRef text, uint64_t most) {
  text = text.ltrim();
  if (!text.consume_front(":"))
    return 0;
  text = text.ltrim();
  if (!text.consume_front("tensor<"))
    return 0;
  uint64_t count = 1, size;
  while (!text.consumeInteger(10, size) && text.consume_front("x")) {
    if (size == 0 || size > most / count)
      return 0;
    count *= size;
  }
  return text.starts_with("i1>") || text.starts_with("i1,") ? count : 0;
}

/// Returns the digits of `digits`, a byte each of 0 or 1, with eight to a byte; empty if some byte
/// is another.
static std::string packed(llvm::StringRef digits) {
  std::string bytes((digits.size() / 2 + 7) / 8, '\0');
  for (size_t i = 0; 2 * i < digits.size(); ++i) {
    if (digits[2 * i] != '0' || (digits[2 * i + 1] != '0' && digits[2 * i + 1] != '1'))
      return "";
    bytes[i / 8] |= (digits[2 * i + 1] - '0') << i % 8;
  }
  return llvm::toHex(bytes);
}

std::optional<std::string> packBooleans(llvm::StringRef text) {
  std::optional<std::string> result;
  for (size_t at = text.find(opening); at != llvm::StringRef::npos; at = text.find(opening, at)) {
    size_t begin = at + opening.size(), end = text.find('"', begin);
    at = begin;
    if (!text.substr(end).starts_with("\">"))
      continue;
    llvm::StringRef digits = text.slice(begin, end);
    uint64_t count = numBooleans(text.drop_front(end + 2), digits.size());
    if (count < 2 || digits.size() != 2 * count)
      continue;
    std::string repacked = packed(digits);
    if (repacked.empty())
      continue;
    if (!result)
      result = text.str();
    repacked += "\">";
    std::fill(result->begin() + begin, result->begin() + end + 2, ' ');
    std::copy(repacked.begin(), repacked.end(), result->begin() + begin);
  }
  return result;
}

} // namespace spmd
