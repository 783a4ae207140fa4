#include "spmd/dialect/stablehlo/Einsum.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

std::optional<spmd::stablehlo::EinsumConfig> spmd::stablehlo::parseEinsum(StringRef text) {
  EinsumConfig config;
  size_t arrow = text.find("->");
  if (arrow == StringRef::npos)
    return std::nullopt;
  text.take_front(arrow).split(config.operands, ',');
  config.result = text.drop_front(arrow + 2).trim();
  auto isSide = [&](StringRef side) {
    size_t dots = side.find("...");
    if (dots == StringRef::npos)
      return llvm::all_of(side, llvm::isAlpha);
    config.hasEllipsis = true;
    return llvm::all_of(side.take_front(dots), llvm::isAlpha) &&
           llvm::all_of(side.drop_front(dots + 3), llvm::isAlpha);
  };
  for (StringRef &side : config.operands)
    side = side.trim();
  if (!llvm::all_of(config.operands, isSide) || !isSide(config.result))
    return std::nullopt;
  return config;
}
