#include "spmd/ir/rules/SizedRule.h"

#include "absl/strings/str_cat.h"

#include <algorithm>

namespace spmd {

absl::Status checkRuleText(std::string_view text) {
  bool hasSizes;
  return ruleFromText(text, hasSizes).status();
}

namespace {

/// Finds the sizes of factors from dims of which all other factors are known.
class SizeFinder {
public:
  explicit SizeFinder(OpRule &rule) : rule(rule), isKnown(rule.numFactors(), false) {}

  absl::Status run(absl::Span<const std::vector<int64_t>> operandShapes,
                   absl::Span<const std::vector<int64_t>> resultShapes) {
    bool isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (size_t i = 0; i < rule.operands.size() && i < operandShapes.size(); ++i)
        isChanged |= readTensor(rule.operands[i], operandShapes[i]);
      for (size_t i = 0; i < rule.results.size() && i < resultShapes.size(); ++i)
        isChanged |= readTensor(rule.results[i], resultShapes[i]);
    }
    for (int64_t i = 0; i < rule.numFactors(); ++i)
      if (!isKnown[i] && !occurs(i))
        return absl::InvalidArgumentError(absl::StrCat(
            "factor ", factorName(i), " is in no tensor, and ", factorName(rule.numFactors() - 1),
            " is; name factors from i on, leaving out no letter"));
      else if (!isKnown[i])
        return absl::InvalidArgumentError(absl::StrCat("the size of factor ", factorName(i),
                                                       " does not follow from the shapes; write {",
                                                       factorName(i), "=..} behind the results"));
    return absl::OkStatus();
  }

private:
  bool occurs(int64_t factor) const {
    auto has = [&](const TensorFactors &tensor) {
      return std::any_of(tensor.begin(), tensor.end(), [&](const DimFactors &dim) {
        return std::find(dim.begin(), dim.end(), factor) != dim.end();
      });
    };
    return std::any_of(rule.operands.begin(), rule.operands.end(), has) ||
           std::any_of(rule.results.begin(), rule.results.end(), has);
  }

  bool readTensor(const TensorFactors &tensor, const std::vector<int64_t> &shape) {
    bool isChanged = false;
    for (size_t d = 0; d < tensor.size() && d < shape.size(); ++d)
      isChanged |= readDim(tensor[d], shape[d]);
    return isChanged;
  }

  bool readDim(const DimFactors &dim, int64_t size) {
    int32_t open = -1;
    for (int32_t factor : dim) {
      if (!isKnown[factor] && open >= 0)
        return false;
      if (!isKnown[factor])
        open = factor;
      else if (rule.factors[factor].size > 0)
        size /= rule.factors[factor].size;
    }
    if (open < 0)
      return false;
    rule.factors[open].size = size;
    return isKnown[open] = true;
  }

  OpRule &rule;
  std::vector<bool> isKnown;
};

} // namespace

/// Makes dims of one row factorless where their factor has more: a mask of [1, 1, T, T], say, is
/// the same for all that a mask of [B, H, T, T] tells apart.
static void leaveOutBroadcast(std::vector<TensorFactors> &tensors,
                              absl::Span<const std::vector<int64_t>> shapes, const OpRule &rule) {
  for (size_t t = 0; t < tensors.size() && t < shapes.size(); ++t)
    for (size_t d = 0; d < tensors[t].size() && d < shapes[t].size(); ++d) {
      bool hasRows = std::any_of(tensors[t][d].begin(), tensors[t][d].end(),
                                 [&](int32_t factor) { return rule.factors[factor].size > 1; });
      if (shapes[t][d] == 1 && hasRows)
        tensors[t][d].clear();
    }
}

absl::StatusOr<OpRule> sizedRule(std::string_view text,
                                 absl::Span<const std::vector<int64_t>> operandShapes,
                                 absl::Span<const std::vector<int64_t>> resultShapes) {
  bool hasSizes;
  absl::StatusOr<OpRule> rule = ruleFromText(text, hasSizes);
  if (!rule.ok())
    return rule.status();
  if (!hasSizes)
    if (absl::Status status = SizeFinder(*rule).run(operandShapes, resultShapes); !status.ok())
      return status;
  leaveOutBroadcast(rule->operands, operandShapes, *rule);
  if (absl::Status status = verify(*rule, operandShapes, resultShapes); !status.ok())
    return status;
  return rule;
}

} // namespace spmd
