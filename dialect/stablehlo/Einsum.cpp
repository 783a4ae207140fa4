#include "spmd/dialect/stablehlo/Einsum.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

constexpr StringRef dots = "...";

std::optional<spmd::stablehlo::EinsumConfig> spmd::stablehlo::parseEinsum(StringRef text) {
  EinsumConfig config;
  size_t arrow = text.find("->");
  if (arrow == StringRef::npos)
    return std::nullopt;
  llvm::SmallVector<StringRef, 2> operands;
  text.take_front(arrow).split(operands, ',');
  for (StringRef side : operands)
    config.operands.push_back(side.trim().str());
  config.result = text.drop_front(arrow + 2).trim().str();
  auto isSide = [](StringRef side) {
    auto [left, right] = side.split(dots);
    return llvm::all_of(left, llvm::isAlpha) && llvm::all_of(right, llvm::isAlpha);
  };
  if (!llvm::all_of(config.operands, isSide) || !isSide(config.result))
    return std::nullopt;
  return config;
}

bool spmd::stablehlo::nameEllipsis(std::string &side, int64_t rank) {
  size_t at = side.find(dots);
  if (at == std::string::npos)
    return true;
  int64_t count = rank - static_cast<int64_t>(side.size() - dots.size());
  if (count < 0 || count > 10)
    return false;
  std::string digits;
  while (count > 0)
    digits += static_cast<char>('0' + --count);
  side.replace(at, dots.size(), digits);
  return true;
}
