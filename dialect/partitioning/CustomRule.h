// What a user says of how calls of a target split: dims, and ways to split what no device can do
// alone.
//
//     spmd.rule = {dims = "([i, j, k, l], [i, j, m, l], [i, j, m, l])->([i, j, k, l])
//     need_replication={l}",
//                  along = [{factor = "m", with = "k", ways = ["gather", "ring"], merge = @merge}],
//                  even = ["j"], local = [{attribute = "head_num", factor = "j"}],
//                  only_if = [{attribute = "keep_prob", is = ["1.0"], default = "1.0"}]}
//
// `dims` is Shardy's notation of a rule; sizes may be left out. The keys are those of a rule in a
// plan (docs/custom-ops.md tells of each).
#pragma once

#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/ir/rules/Strategy.h"

namespace spmd {

inline constexpr llvm::StringLiteral customRuleAttrName = "spmd.rule";
/// On a custom call: the buffers among its operands that it writes.
inline constexpr llvm::StringLiteral writesAttrName = "spmd.writes";
/// On a call that stands for the `merge` of a ring: what it is, its reference says alone.
inline constexpr llvm::StringLiteral mergeAttrName = "spmd.merge";

struct CustomRule {
  /// How devices come by the rows of a factor that each of them needs all of.
  enum class Way : uint8_t {
    gather,   ///< All rows are brought to each device.
    ring,     ///< Blocks of rows go round; the results of each are merged.
    allToAll, ///< Neither factor is split while the op runs; another one is instead.
    halo      ///< Some rows of the neighbours.
  };
  struct Along {
    int32_t factor; ///< Its rows are needed by all that `with` is split over.
    int32_t with;   ///< The factor that is split; itself for a halo.
    llvm::SmallVector<Way> ways;
    mlir::StringAttr merge;    ///< Of a ring: merges two sets of results. Null: they are added.
    int64_t low = 0, high = 0; ///< Of a halo: rows of the neighbours before and behind.
  };
  /// An integer attribute that counts what is split along a factor.
  struct LocalAttribute {
    mlir::StringAttr attribute;
    int32_t factor;
  };
  /// What an attribute must be, or must not be, so that factors may be split.
  struct Condition {
    mlir::StringAttr attribute;
    std::vector<std::string> values; ///< Empty: any, but for `false` and `null`.
    /// What the op takes where the call lacks the attribute; null if the rule does not say.
    mlir::StringAttr fallback;
    bool isForbidden = false;
    std::vector<int32_t> factors; ///< Empty: all.
  };
  /// A scalar operand that counts rows in front of those at hand along a factor.
  struct Offset {
    unsigned operand;
    int32_t factor;
  };

  OpRule dims;
  std::vector<Along> along;
  std::vector<int32_t> even; ///< Factors of which all shards have as many rows.
  std::vector<LocalAttribute> locals;
  std::vector<Condition> conditions;
  std::vector<Offset> offsets;
  std::string backward; ///< The target of the backward op; empty if none is named.
};

/// Returns what a user says of how `op` splits: its own `spmd.rule`, or else what is registered for
/// its target (CustomCallRules.h). Null if there is nothing, or it is no dictionary.
mlir::DictionaryAttr customRuleAttrOf(mlir::Operation *op);

/// Returns which of its buffers a custom call writes, in ascending order: by `spmd.writes`, or else
/// by its rule. Nothing if neither says.
std::optional<llvm::SmallVector<int64_t>> operandsWritten(mlir::Operation *op);

/// Returns the shapes of what `op` gives as a function of values: of its results, and behind them
/// of the buffers that it writes.
std::vector<std::vector<int64_t>> shapesGiven(mlir::Operation *op);

/// Returns the user's rule of `op` (customRuleAttrOf) for tensors of these shapes. InvalidArgument
/// if it is none or does not fit.
absl::StatusOr<CustomRule> customRuleOf(mlir::Operation *op,
                                        absl::Span<const std::vector<int64_t>> operandShapes,
                                        absl::Span<const std::vector<int64_t>> resultShapes);
/// The same, for the types that `op` has.
absl::StatusOr<CustomRule> customRuleOf(mlir::Operation *op);

/// Returns whether a tensor with these dims stays where it is while the blocks of a ring go round.
bool staysInRing(const TensorFactors &tensor, const CustomRule::Along &along);

/// One way to run a call, and what it comes from.
struct CustomStrategy {
  Strategy strategy;
  /// The way of each `CustomRule::along`; nothing where both factors are whole.
  llvm::SmallVector<std::optional<CustomRule::Way>, 2> ways;
};

/// Returns the strategies of a rule, for a call with the attributes of `op`. The first is the one
/// by which axes pass in propagation.
std::vector<CustomStrategy> customStrategies(const CustomRule &rule, mlir::Operation *op);

/// A condition of a rule that keeps a call, or a part of it, from being split.
struct UnmetCondition {
  /// The end of a sentence that starts with "does not split it": "where 'keep_prob' is 0.9".
  std::string reason;
  /// The call lacks the attribute, and the rule has no `default`: `advice` says what to write.
  bool isUnknown = false;
  std::string advice = "";
};

/// Returns the first condition of the user's rule of `op` that the call is known not to meet, or
/// else the first that is unknown; none if it meets all, or has no such rule.
std::optional<UnmetCondition> unmetCondition(mlir::Operation *op);

/// Returns the first condition that is unknown.
std::optional<UnmetCondition> unknownCondition(mlir::Operation *op);

/// Returns what is wrong with the user's rule of `op`; empty if nothing is, or it has none.
std::string whyNoRule(mlir::Operation *op);

/// Returns the target that the user's rule of `op` names as its backward op; empty if it names
/// none.
std::string backwardTarget(mlir::Operation *op);

/// Turns a call with a user's rule, whose operands are local by now, into what one device runs.
mlir::LogicalResult localizeCustomRule(mlir::Operation *op, Localizer &localizer);

/// Returns the strategy of an op of which only `rule` is known. Those factors are whole that only
/// operands or only results have: how an op that nobody knows gathers or creates such a dim is not
/// known either. Nor is what it reads of its neighbours. Along dims that are summed, padding is
/// zero, which most sums do not see; a rule of others calls the factor even.
Strategy strategyOfRule(OpRule rule);

/// Returns "gather", "ring" and so on; nothing for a word that is no way.
const char *nameOf(CustomRule::Way way);
std::optional<CustomRule::Way> wayNamed(llvm::StringRef name);

} // namespace spmd
