#include "spmd/passes/functionalize/Ranges.h"

#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/passes/functionalize/Views.h"

#include <numeric>

namespace spmd {

/// Products of two sizes.
__extension__ using Wide = __int128;

/// Returns the number x of [0, modulus) with `factor` * x = 1, modulo `modulus`. Requires them to
/// have no divisor in common.
static Wide inverse(Wide factor, Wide modulus) {
  Wide x = 0, next = 1, rest = modulus, divisor = factor % modulus;
  while (divisor != 0) {
    Wide quotient = rest / divisor;
    rest = std::exchange(divisor, rest - quotient * divisor);
    x = std::exchange(next, x - quotient * next);
  }
  return modulus == 1 ? 0 : (x % modulus + modulus) % modulus;
}

/// Returns whether two ranges with strides have a number in common. Requires starts from 0 on and
/// strides above 0.
static bool meet(Wide startA, Wide limitA, Wide strideA, Wide startB, Wide limitB, Wide strideB) {
  Wide distance = startB - startA;
  Wide divisor = std::gcd(static_cast<int64_t>(strideA), static_cast<int64_t>(strideB));
  if (distance % divisor != 0)
    return false;
  Wide modulus = strideB / divisor, period = strideA * modulus;
  Wide steps = distance / divisor % modulus * inverse(strideA / divisor, modulus) % modulus;
  Wide first = startA + (steps + modulus) % modulus * strideA; // Not before a, and one of b's.
  if (first < startB)
    first += (startB - first + period - 1) / period * period;
  return first < std::min(limitA, limitB);
}

bool haveCommonElement(const Ranges &a, const Ranges &b) {
  for (size_t d = 0; d < a.starts.size(); ++d)
    if (!meet(a.starts[d], a.limits[d], a.strides[d], b.starts[d], b.limits[d], b.strides[d]))
      return false;
  return true;
}

/// Whether a view may show an element at several places. (Indices may be equal.)
static bool mayRepeat(mlir::Operation *view) {
  auto broadcast = llvm::dyn_cast<BroadcastViewOp>(view);
  return llvm::isa<IndexViewOp>(view) || (broadcast && broadcast.repeats());
}

bool areApart(mlir::Value a, mlir::Value b) {
  llvm::SmallVector<mlir::ViewLikeOpInterface, 2> toA = chainOf(a).views, toB = chainOf(b).views;
  size_t i = 0;
  for (; i < toA.size() && i < toB.size() && toA[i] == toB[i]; ++i)
    if (mayRepeat(toA[i]))
      return false;
  if (i == toA.size() || i == toB.size())
    return false;
  auto ofA = llvm::dyn_cast<SliceViewOp>(toA[i].getOperation()),
       ofB = llvm::dyn_cast<SliceViewOp>(toB[i].getOperation());
  return ofA && ofB &&
         !haveCommonElement({ofA.getStartIndices(), ofA.getLimitIndices(), ofA.getStrides()},
                            {ofB.getStartIndices(), ofB.getLimitIndices(), ofB.getStrides()});
}

} // namespace spmd
