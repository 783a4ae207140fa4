#include "spmd/passes/propagate/Listing.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/ValueSharding.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace spmd {

constexpr size_t mostListed = 10;
constexpr int64_t smallestShare = 1000; ///< One part in so many.

static int64_t bytesOfType(mlir::Type type) {
  mlir::RankedTensorType tensor = tensorTypeOf(type);
  if (!tensor || !tensor.hasStaticShape())
    return 0;
  return (tensor.getNumElements() * elementBits(tensor.getElementType()) + 7) / 8;
}

int64_t wholeBytes(mlir::Value value) { return bytesOfType(value.getType()); }

static int64_t bytesOfProgram(mlir::ModuleOp module) {
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  if (!main)
    return 0;
  int64_t bytes = 0;
  for (mlir::Type type : main.getArgumentTypes())
    bytes += bytesOfType(type);
  for (mlir::Type type : main.getResultTypes())
    bytes += bytesOfType(type);
  return bytes;
}

/// What values have in common that ops of one line make: the file and the line. Arguments of a
/// function stand in one line and have nothing in common; what has no place in a file stands alone.
static std::pair<const void *, unsigned> lineOf(mlir::Value value) {
  auto place = value.getLoc()->findInstanceOf<mlir::FileLineColLoc>();
  if (!place || llvm::isa<mlir::BlockArgument>(value))
    return {value.getAsOpaquePointer(), 0};
  return {place.getFilename().getAsOpaquePointer(), place.getLine()};
}

Listing listValues(mlir::ModuleOp module, const std::vector<mlir::Value> &values, bool all) {
  Listing listing;
  if (all) {
    for (mlir::Value value : values)
      listing.listed.push_back({{value}, wholeBytes(value)});
    return listing;
  }
  int64_t least = bytesOfProgram(module) / smallestShare;
  llvm::MapVector<std::pair<const void *, unsigned>, ListedValues> byLine;
  for (mlir::Value value : values) {
    int64_t bytes = wholeBytes(value);
    if (bytes < least) {
      ++listing.numOthers;
      listing.bytesOfOthers += bytes;
      continue;
    }
    ListedValues &group = byLine[lineOf(value)];
    group.values.push_back(value);
    group.bytes += bytes;
  }
  auto isLarger = [](const ListedValues &a, const ListedValues &b) { return a.bytes > b.bytes; };
  for (auto &[line, group] : byLine) {
    llvm::stable_sort(group.values, [](auto a, auto b) { return wholeBytes(a) > wholeBytes(b); });
    listing.listed.push_back(std::move(group));
  }
  if (listing.listed.size() > mostListed)
    llvm::stable_sort(listing.listed, isLarger);
  while (listing.listed.size() > mostListed) {
    listing.numOthers += listing.listed.back().values.size();
    listing.bytesOfOthers += listing.listed.back().bytes;
    listing.listed.pop_back();
  }
  return listing;
}

} // namespace spmd
