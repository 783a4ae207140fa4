#include "spmd/passes/verify/rules/Needs.h"

#include "spmd/ir/sharding/Layout.h"
#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/RandomTensor.h"
#include "spmd/lowering/interpreter/StatusMacros.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"

#include <cmath>
#include <cstring>

namespace spmd {

namespace {

/// For each operand, which of its elements; for a result, the same.
using Elements = std::vector<bool>;
using ElementsOfAll = std::vector<Elements>;

} // namespace

static bool isFinite(const std::complex<double> &number) {
  return std::isfinite(number.real()) && std::isfinite(number.imag());
}

/// Returns which elements of a tensor of this shape lie in `shard`.
static Elements elementsIn(absl::Span<const int64_t> shape, const Shard &shard) {
  std::vector<int64_t> index(shape.size());
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  Elements inside(count, true);
  for (int64_t element = 0; element < count; ++element) {
    for (size_t d = 0; d < shape.size(); ++d)
      if (index[d] < shard.offsets[d] || index[d] >= shard.offsets[d] + shard.sizes[d])
        inside[element] = false;
    for (size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];)
      index[d] = 0;
  }
  return inside;
}

/// Returns `own` with other numbers where `changed` says so; the same ones each time.
static absl::StatusOr<Tensor> withOthers(const Tensor &own, const Elements &changed) {
  SPMD_ASSIGN_OR_RETURN(Tensor other, Tensor::allocate(own.type()));
  std::mt19937_64 engine(1); // Not the numbers that are there.
  fillRandomly(other, engine);
  int64_t bytes = own.numElements() ? own.sizeInBytes() / own.numElements() : 0;
  for (size_t element = 0; element < changed.size(); ++element)
    if (!changed[element])
      std::memcpy(other.mutableData() + element * bytes, own.data() + element * bytes, bytes);
  return other;
}

static constexpr double tolerance =
    1e-2; // Of numbers with few bits; what another input makes is more.

static bool differ(const std::complex<double> &a, const std::complex<double> &b) {
  bool isNan = std::isnan(a.real()) || std::isnan(a.imag());
  if (isNan || std::isnan(b.real()) || std::isnan(b.imag()))
    return isNan != (std::isnan(b.real()) || std::isnan(b.imag()));
  return a != b && !(std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b)));
}

namespace {

/// Asks what the results of one placement depend on, by running the op whole on other numbers.
class Needs {
public:
  Needs(const PlacedOp &placed, const RunOutcome &whole, const KernelRegistry &kernels,
        absl::Span<const Tensor> given)
      : placed(placed), whole(whole), kernels(kernels), given(given) {
    for (const Tensor &result : whole.results)
      before.push_back(toComplexDoubles(result));
  }

  absl::StatusOr<std::string> lack() {
    Sharding made = shardingOfResult(placed, 0);
    if (!made.unreduced.empty())
      if (absl::Status status = checkKinds(made.kind); !status.ok())
        return status;
    for (const std::vector<int64_t> &members : deviceGroups(*placed.mesh, made.unreduced)) {
      SPMD_ASSIGN_OR_RETURN(std::string lack, lackOf(members));
      if (lack.empty() && members.size() > 1) {
        SPMD_ASSIGN_OR_RETURN(lack, whatIsNoSum(members));
      }
      if (!lack.empty())
        return lack;
    }
    return std::string();
  }

private:
  using Numbers = std::vector<ComplexDoubles>;

  /// Shares of other kinds than sums have laws of their own.
  absl::Status checkKinds(ReductionKind kind) const {
    for (const Tensor &result : whole.results)
      if (kind != ReductionKind::sum || result.type().element == ElementType::i1)
        return absl::UnimplementedError("its results are shares, and not of sums");
    return absl::OkStatus();
  }

  ElementsOfAll heldBy(int64_t device) const {
    const OpRule &rule = placed.strategy->rule;
    ElementsOfAll held;
    for (size_t i = 0; i < whole.inputs.size(); ++i) {
      const std::vector<int64_t> &shape = whole.inputs[i].type().shape;
      Sharding sharding = unproject(rule, rule.operands[i], placed.factorAxes);
      held.push_back(elementsIn(
          shape, shardAt(*placed.mesh, sharding, shape, placed.mesh->positionOf(device))));
    }
    return held;
  }

  Elements madeBy(int64_t device, size_t result) const {
    const std::vector<int64_t> &shape = whole.results[result].type().shape;
    return elementsIn(shape, shardAt(*placed.mesh, shardingOfResult(placed, result), shape,
                                     placed.mesh->positionOf(device)));
  }

  absl::StatusOr<std::vector<Tensor>> runWith(const ElementsOfAll &changed) const {
    std::vector<Tensor> inputs = whole.inputs;
    for (size_t i = 0; i < inputs.size(); ++i)
      if (i >= given.size() || !given[i]) {
        SPMD_ASSIGN_OR_RETURN(inputs[i], withOthers(inputs[i], changed[i]));
      }
    return runAgain(whole.program, kernels, inputs);
  }

  absl::StatusOr<Numbers> numbersWith(const ElementsOfAll &changed) const {
    SPMD_ASSIGN_OR_RETURN(std::vector<Tensor> results, runWith(changed));
    Numbers numbers;
    for (const Tensor &result : results)
      numbers.push_back(toComplexDoubles(result));
    return numbers;
  }

  std::string placeText(size_t result, size_t element) const {
    return absl::StrCat(
        indexText(whole.results[result].type().shape, static_cast<int64_t>(element)), " of result ",
        result);
  }

  /// Tells where `members`, which make one part of the results, need more than all of them hold.
  absl::StatusOr<std::string> lackOf(const std::vector<int64_t> &members) const {
    ElementsOfAll outside = heldBy(members.front());
    for (int64_t member : absl::MakeConstSpan(members).subspan(1))
      forEachElement(outside, heldBy(member), [](bool a, bool b) { return a || b; });
    for (Elements &elements : outside)
      elements.flip();
    for (size_t i = 0; i < outside.size(); ++i) {
      if (absl::c_none_of(outside[i], [](bool isOutside) { return isOutside; }))
        continue;
      ElementsOfAll changed;
      for (size_t j = 0; j < outside.size(); ++j)
        changed.push_back(j == i ? outside[j] : Elements(outside[j].size(), false));
      SPMD_ASSIGN_OR_RETURN(std::vector<Tensor> results, runWith(changed));
      for (size_t r = 0; r < results.size(); ++r) {
        ComplexDoubles after = toComplexDoubles(results[r]);
        Elements made = madeBy(members.front(), r);
        for (size_t element = 0; element < made.size(); ++element)
          if (made[element] && differ(after[element], before[r][element]))
            return absl::StrCat(
                "device ", members.front(),
                members.size() > 1 ? " and those it sums up with need" : " needs",
                " more of operand ", i, members.size() > 1 ? " than they hold" : " than it holds",
                ": with other numbers there, ", placeText(r, element), " is ",
                elementText(results[r], static_cast<int64_t>(element)), " and no longer ",
                elementText(whole.results[r], static_cast<int64_t>(element)));
      }
    }
    return std::string();
  }

  /// Tells where a result is no sum of what each of `members` can make of what it holds. In a sum,
  /// what a member alone holds and what it does not hold count for themselves: the change that one
  /// of them makes is the same whatever the other is.
  absl::StatusOr<std::string> whatIsNoSum(const std::vector<int64_t> &members) const {
    for (int64_t member : members) {
      ElementsOfAll own = heldBy(member), others = own;
      for (Elements &elements : others)
        elements.flip();
      for (int64_t other : members)
        if (other != member)
          forEachElement(own, heldBy(other), [](bool a, bool b) { return a && !b; });
      ElementsOfAll both = own;
      forEachElement(both, others, [](bool a, bool b) { return a || b; });
      SPMD_ASSIGN_OR_RETURN(Numbers byOwn, numbersWith(own));
      SPMD_ASSIGN_OR_RETURN(Numbers byOthers, numbersWith(others));
      SPMD_ASSIGN_OR_RETURN(Numbers byBoth, numbersWith(both));
      for (size_t r = 0; r < before.size(); ++r) {
        Elements made = madeBy(member, r);
        for (size_t element = 0; element < made.size(); ++element)
          if (made[element] && !isSum(whole.results[r].type().element, before[r][element],
                                      byOwn[r][element], byOthers[r][element], byBoth[r][element]))
            return absl::StrCat("no share of device ", member, " can be summed up to ",
                                placeText(r, element), ": how it changes with what device ", member,
                                " holds depends on what others hold");
      }
    }
    return std::string();
  }

  /// Whether two changes, each made alone and both together, add up.
  static bool isSum(ElementType type, std::complex<double> none, std::complex<double> one,
                    std::complex<double> other, std::complex<double> both) {
    if (!isFinite(none) || !isFinite(one) || !isFinite(other) || !isFinite(both))
      return true; // Nothing is known of such numbers.
    std::complex<double> left = both - one - other + none;
    if (isInteger(type) && storedBytes(type) <= 4) // Sums of integers wrap around.
      return std::fmod(left.real(), std::ldexp(1.0, bitWidth(type))) == 0;
    double largest = std::max({std::abs(none), std::abs(one), std::abs(other), std::abs(both)});
    return std::abs(left) <= tolerance * largest;
  }

  template <typename Combine>
  static void forEachElement(ElementsOfAll &into, const ElementsOfAll &from, Combine combine) {
    for (size_t i = 0; i < into.size(); ++i)
      for (size_t element = 0; element < into[i].size(); ++element)
        into[i][element] = combine(into[i][element], from[i][element]);
  }

  const PlacedOp &placed;
  const RunOutcome &whole;
  const KernelRegistry &kernels;
  absl::Span<const Tensor> given;
  Numbers before;
};

} // namespace

absl::StatusOr<std::string> whatDevicesLack(const PlacedOp &placed, const RunOutcome &whole,
                                            const KernelRegistry &kernels,
                                            absl::Span<const Tensor> given) {
  return Needs(placed, whole, kernels, given).lack();
}

} // namespace spmd
