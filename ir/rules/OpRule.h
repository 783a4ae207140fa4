// What an op does with the dims of its tensors: the one thing that propagation, resharding and
// partitioning ask about an op.
//
// A rule names *factors* and writes each dim of each tensor as an ordered list of them, major
// first:
//
//     dot_general      ([i, k], [k, j]) -> ([i, j])   {i=8, k=4, j=6}   reduction={k}
//     reshape 8x4 -> 32    ([i, j]) -> ([ij])         {i=8, j=4}
//
// Dims that share a factor lie alike when the op runs locally on each device. The kind of a factor
// says what splitting it takes.
#pragma once

#include "spmd/ir/sharding/Sharding.h"

#include "absl/container/inlined_vector.h"

namespace spmd {

/// What it takes to split a factor over devices.
enum class FactorKind : uint8_t {
  pass,      ///< Nothing: each device does its part.
  reduce,    ///< Each device gets a partial result, to be combined by `Factor::reduction`.
  window,    ///< Neighbours' rows (a halo), described by `Factor::window`.
  index,     ///< An offset, a mask and a reduction: values say which rows of the dim are read.
  scan,      ///< The running value of the devices before.
  fold,      ///< One result of each shard, gathered and combined once more: a body without a kind.
  sort,      ///< A distributed sort.
  transpose, ///< Moving the split to another dim and back (FFT and the like).
  whole      ///< Must not be split.
};

/// Whether splitting a factor of this kind leaves a partial result on each device. Results do not
/// have such factors.
inline bool leavesPartial(FactorKind kind) {
  return kind == FactorKind::reduce || kind == FactorKind::index;
}

/// Returns "pass", "reduce" and so on.
const char *nameOf(FactorKind kind);

/// How a window moves over a dim, as in convolution and reduce_window. Sizes are in elements.
///
/// Result row r reads, for each w < size, what stands at r * stride + w * windowDilation - padLow,
/// where row i stands at i * baseDilation. A slice is a window of one row with a stride and
/// negative padding, a pad one of one row with padding and base dilation.
struct Window {
  int64_t size = 1, stride = 1;
  int64_t padLow = 0, padHigh = 0;
  int64_t baseDilation = 1, windowDilation = 1;
  /// The dim is read from its end.
  bool reversed = false;

  friend bool operator==(const Window &a, const Window &b) {
    return std::tie(a.size, a.stride, a.padLow, a.padHigh, a.baseDilation, a.windowDilation,
                    a.reversed) == std::tie(b.size, b.stride, b.padLow, b.padHigh, b.baseDilation,
                                            b.windowDilation, b.reversed);
  }
  template <typename H> friend H AbslHashValue(H h, const Window &w) {
    return H::combine(std::move(h), w.size, w.stride, w.padLow, w.padHigh, w.baseDilation,
                      w.windowDilation, w.reversed);
  }
};

struct Factor {
  int64_t size;
  FactorKind kind = FactorKind::pass;
  /// Of a reduce or index factor: how partial results combine.
  ReductionKind reduction = ReductionKind::sum;
  /// Of a window factor: that of the first operand that has it (see `WindowUse` for all of them).
  Window window = {};
  /// Propagation does not carry axes along this factor.
  bool blocked = false;
  /// What is said of it is the user's.
  bool custom = false;

  friend bool operator==(const Factor &a, const Factor &b) {
    return a.size == b.size && a.kind == b.kind && a.reduction == b.reduction &&
           a.window == b.window && a.blocked == b.blocked && a.custom == b.custom;
  }
  template <typename H> friend H AbslHashValue(H h, const Factor &f) {
    return H::combine(std::move(h), f.size, f.kind, f.reduction, f.window, f.blocked, f.custom);
  }
};

/// The factors of one dim, major first; none if the dim has nothing to do with the others.
using DimFactors = absl::InlinedVector<int32_t, 2>;

/// The factors of each dim of one tensor.
using TensorFactors = std::vector<DimFactors>;

/// Which side of an op learns from the other along blocked factors.
enum class OneWay : uint8_t { none, forward, backward };

struct OpRule {
  std::vector<Factor> factors;
  std::vector<TensorFactors> operands;
  std::vector<TensorFactors> results;
  /// Written by the user, or an op's own that the user took something from.
  bool custom = false;
  /// Results learn along blocked factors after all, or operands do.
  OneWay oneWay = OneWay::none;

  int64_t numFactors() const { return factors.size(); }
  int64_t numTensors() const { return operands.size() + results.size(); }
  /// Operands first, then results.
  const TensorFactors &tensor(size_t i) const {
    return i < operands.size() ? operands[i] : results[i - operands.size()];
  }
  /// Makes all of it the user's.
  void setCustom();
  /// Removes the factors that no tensor has.
  void dropUnused();

  /// Returns Shardy's text form: `([i, k], [k, j])->([i, j]) {i=8, k=4, j=6} reduction={k}`. Kinds
  /// that Shardy does not know (window, index, scan, fold, sort, transpose) print as
  /// `need_replication`, except window, which prints as `permutation`.
  std::string str() const;

  friend bool operator==(const OpRule &a, const OpRule &b) {
    return a.factors == b.factors && a.operands == b.operands && a.results == b.results &&
           a.custom == b.custom && a.oneWay == b.oneWay;
  }
  friend bool operator!=(const OpRule &a, const OpRule &b) { return !(a == b); }
  template <typename H> friend H AbslHashValue(H h, const OpRule &rule) {
    return H::combine(std::move(h), rule.factors, rule.operands, rule.results, rule.custom,
                      rule.oneWay);
  }
};

/// Checks `rule` against the shapes of an op's tensors.
///
/// InvalidArgument, naming the tensor and dim, if: the number of operands or results or a rank
/// differs; the factors of a dim do not multiply to its size; a factor occurs twice in a tensor or
/// in no tensor; a reduce factor occurs in a result.
absl::Status verify(const OpRule &rule, absl::Span<const std::vector<int64_t>> operandShapes,
                    absl::Span<const std::vector<int64_t>> resultShapes);

/// The same, but for sizes: a slice, say, may have the factor of its operand in a smaller result.
absl::Status verifyRanks(const OpRule &rule, absl::Span<const std::vector<int64_t>> operandShapes,
                         absl::Span<const std::vector<int64_t>> resultShapes);

class TokenSource;

/// Reads Shardy's text form. Returns false after reporting an error to `tokens`.
bool parseRule(TokenSource &tokens, OpRule &rule);

/// Reads all of `text` as a rule. InvalidArgument with line and column if it is none.
absl::StatusOr<OpRule> ruleFromText(std::string_view text);
/// The same, but the sizes may be left out: all are 1 then, and `hasSizes` says so.
absl::StatusOr<OpRule> ruleFromText(std::string_view text, bool &hasSizes);

/// Returns the name of factor `index`: i .. z, then z_1, z_2, ..
std::string factorName(int64_t index);

/// Builds a rule dim by dim.
class RuleBuilder {
public:
  RuleBuilder(size_t numOperands, size_t numResults);

  /// Adds a factor and returns its index. `factor.size` is that of the dims it stands for.
  int32_t factor(const Factor &factor);
  int32_t factor(int64_t size, FactorKind kind = FactorKind::pass);

  /// Makes `factors` the factors of dim `dim` of an operand or result, whose rank grows as needed.
  RuleBuilder &operand(size_t operand, size_t dim, DimFactors factors);
  RuleBuilder &result(size_t result, size_t dim, DimFactors factors);
  /// Gives a tensor its rank, for tensors some of whose dims have no factor.
  RuleBuilder &operandRank(size_t operand, size_t rank);
  RuleBuilder &resultRank(size_t result, size_t rank);

  OpRule take() { return std::move(rule); }

private:
  OpRule rule;
};

} // namespace spmd
