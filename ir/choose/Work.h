// What the work of one device counts, in the cost model's bytes on the wire.
#pragma once

#include "spmd/ir/choose/Choose.h"
#include "spmd/ir/rules/AllSplits.h"

#include <algorithm>

namespace spmd {

/// What work counts, in bytes on the wire. An H100 does 2,200 operations of a narrow product, and
/// writes 7 bytes of memory, in the time one byte takes on NVLink.
struct WorkWeights {
  double operation = 1.0 / 2000; ///< Of a product of narrow elements.
  double memoryByte = 1.0 / 8;   ///< Read or written.
  /// How many times as long as these take products of elements of more than 16 bits: f32 takes 2
  /// (rounded) to 15 times on an H100, 8 on an MI300X, 6 passes where it is made of bf16.
  double wideProduct = 8;
};

/// Returns the bytes of the whole tensor.
inline double bytesOf(const TensorSituation &tensor) {
  double bits = tensor.elementBits;
  for (int64_t size : tensor.shape)
    bits *= static_cast<double>(size);
  return bits / 8;
}

/// Returns the bytes that one device has of it.
inline double heldBytes(const TensorSituation &tensor) {
  double bytes = bytesOf(tensor);
  for (const DimSharding &dim : tensor.sharding->sharding.dims)
    bytes /= static_cast<double>(sizeOf(dim.axes));
  return bytes;
}

/// Whether more than two operands are read through windows along factor `f`: they lie one behind
/// the other in the result, so that most rows go to another device if it is split. (Two are mostly
/// what goes round or is rotated, in few steps.)
inline bool isStrung(absl::Span<const WindowUse> windows, int32_t f) {
  return std::count_if(windows.begin(), windows.end(), [f](const WindowUse &use) {
           return use.factor == f && use.window.stride != 0;
         }) > 2;
}

/// Whether factor `f` can be split, and not only by sending most of what is split along it.
inline bool splitsCheaply(const OpRule &rule, absl::Span<const WindowUse> windows, int32_t f) {
  FactorKind kind = rule.factors[f].kind;
  return canSplit(rule, windows, f) && kind != FactorKind::sort && kind != FactorKind::transpose &&
         !isStrung(windows, f);
}

/// Returns what the arithmetic of an op counts, in operations of narrow products.
inline double weightedFlops(const Strategy &strategy, absl::Span<const TensorSituation> operands,
                            const WorkWeights &weights) {
  bool isWide = std::any_of(operands.begin(), operands.end(), [](const TensorSituation &operand) {
    return operand.elementBits > 16;
  });
  return strategy.multiplies && isWide ? weights.wideProduct * strategy.flops : strategy.flops;
}

/// Whether an op adds up products of two operands, each of which it reads many times: no op in
/// front runs as one with it.
inline bool isProduct(const OpRule &rule) {
  for (int32_t f = 0; f < rule.numFactors(); ++f) {
    auto hasIt = [&](const TensorFactors &tensor) {
      return std::any_of(tensor.begin(), tensor.end(), [&](const DimFactors &dim) {
        return std::find(dim.begin(), dim.end(), f) != dim.end();
      });
    };
    if (rule.factors[f].kind == FactorKind::reduce &&
        std::count_if(rule.operands.begin(), rule.operands.end(), hasIt) > 1)
      return true;
  }
  return false;
}

/// The mesh of the heaviest tensor that an axis splits; the others come to it.
inline int32_t meshOfOp(absl::Span<const TensorSituation> operands,
                        absl::Span<const TensorSituation> results) {
  int32_t found = operands.empty() ? results.empty() ? 0 : results[0].sharding->mesh
                                   : operands[0].sharding->mesh;
  double heaviest = -1;
  auto look = [&](const TensorSituation &tensor) {
    if (!tensor.sharding->sharding.isFullyReplicated() && bytesOf(tensor) > heaviest) {
      heaviest = bytesOf(tensor);
      found = tensor.sharding->mesh;
    }
  };
  std::for_each(operands.begin(), operands.end(), look);
  std::for_each(results.begin(), results.end(), look);
  return found;
}

/// Whether an op that adds up rows, split so, has one row on each device: it passes on what it is
/// given, whole or as its share of a sum.
inline bool addsUpNothing(const OpRule &rule, const FactorAxes &split) {
  bool reduces = false;
  for (int32_t f = 0; f < rule.numFactors(); ++f) {
    if (rule.factors[f].kind != FactorKind::reduce)
      continue;
    if (rule.factors[f].size > sizeOf(split[f]))
      return false;
    reduces |= rule.factors[f].size > 1;
  }
  return reduces && !isProduct(rule);
}

} // namespace spmd
