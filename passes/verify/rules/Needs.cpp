#include "spmd/passes/verify/rules/Needs.h"

#include "spmd/ir/sharding/Layout.h"
#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/RandomTensor.h"
#include "spmd/lowering/interpreter/StatusMacros.h"

#include "absl/strings/str_cat.h"

#include <cmath>
#include <cstring>

namespace spmd {

/// Calls `visit` for each element of a tensor of this shape, by number and whether `shard` holds
/// it.
template <typename Visit>
static void forEachElement(absl::Span<const int64_t> shape, const Shard &shard, Visit visit) {
  std::vector<int64_t> index(shape.size());
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  for (int64_t element = 0; element < count; ++element) {
    bool isHeld = true;
    for (size_t d = 0; d < shape.size(); ++d)
      isHeld &= index[d] >= shard.offsets[d] && index[d] < shard.offsets[d] + shard.sizes[d];
    visit(element, isHeld);
    for (size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];)
      index[d] = 0;
  }
}

/// Returns `own` with other elements where `shard` does not hold them.
static absl::StatusOr<Tensor> changedOutside(const Tensor &own, const Shard &shard) {
  SPMD_ASSIGN_OR_RETURN(Tensor changed, Tensor::allocate(own.type()));
  std::mt19937_64 engine(1); // Not the numbers that are there.
  fillRandomly(changed, engine);
  if (own.numElements() == 0)
    return changed;
  int64_t bytes = own.sizeInBytes() / own.numElements();
  forEachElement(own.type().shape, shard, [&](int64_t element, bool isHeld) {
    if (isHeld)
      std::memcpy(changed.mutableData() + element * bytes, own.data() + element * bytes, bytes);
  });
  return changed;
}

static bool differ(const std::complex<double> &a, const std::complex<double> &b) {
  constexpr double tolerance = 1e-2; // Of numbers with few bits; what another input makes is more.
  bool isNan = std::isnan(a.real()) || std::isnan(a.imag());
  if (isNan || std::isnan(b.real()) || std::isnan(b.imag()))
    return isNan != (std::isnan(b.real()) || std::isnan(b.imag()));
  return a != b && !(std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b)));
}

/// Returns the first element in `shard` by which two tensors of a type differ.
static std::optional<int64_t> firstDifference(const Tensor &a, const Tensor &b,
                                              const Shard &shard) {
  std::vector<std::complex<double>> ofA = toComplexDoubles(a), ofB = toComplexDoubles(b);
  std::optional<int64_t> first;
  forEachElement(a.type().shape, shard, [&](int64_t element, bool isHeld) {
    if (isHeld && !first && differ(ofA[element], ofB[element]))
      first = element;
  });
  return first;
}

absl::StatusOr<std::string> whatDevicesLack(const PlacedOp &placed, const RunOutcome &whole,
                                            const KernelRegistry &kernels,
                                            absl::Span<const Tensor> given) {
  const OpRule &rule = placed.strategy->rule;
  for (size_t r = 0; r < whole.results.size(); ++r)
    if (!shardingOfResult(placed, r).unreduced.empty())
      return absl::UnimplementedError("its results are shares");
  for (int64_t position = 0; position < placed.mesh->numDevices(); ++position) {
    for (size_t i = 0; i < whole.inputs.size(); ++i) {
      if (i < given.size() && given[i])
        continue;
      const Tensor &own = whole.inputs[i];
      Shard held = shardAt(*placed.mesh, unproject(rule, rule.operands[i], placed.factorAxes),
                           own.type().shape, position);
      if (held.sizes == own.type().shape)
        continue;
      std::vector<Tensor> inputs = whole.inputs;
      SPMD_ASSIGN_OR_RETURN(inputs[i], changedOutside(own, held));
      SPMD_ASSIGN_OR_RETURN(std::vector<Tensor> results, runAgain(whole.program, kernels, inputs));
      for (size_t r = 0; r < results.size(); ++r) {
        const std::vector<int64_t> &shape = results[r].type().shape;
        Shard made = shardAt(*placed.mesh, shardingOfResult(placed, r), shape, position);
        if (auto element = firstDifference(results[r], whole.results[r], made))
          return absl::StrCat("device ", placed.mesh->deviceAt(position), " needs more of operand ",
                              i, " than it holds: with other numbers ", "there, ",
                              indexText(shape, *element), " of result ", r, " is ",
                              elementText(results[r], *element), " and no longer ",
                              elementText(whole.results[r], *element));
      }
    }
  }
  return std::string();
}

} // namespace spmd
