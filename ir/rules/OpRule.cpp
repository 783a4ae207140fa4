#include "spmd/ir/rules/OpRule.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include <limits>

namespace spmd {

const char *nameOf(FactorKind kind) {
  constexpr const char *names[] = {"pass", "reduce", "window",    "index", "scan",
                                   "fold", "sort",   "transpose", "whole"};
  return names[static_cast<int>(kind)];
}

std::string factorName(int64_t index) {
  constexpr int64_t numLetters = 'z' - 'i' + 1;
  if (index < numLetters)
    return std::string(1, 'i' + index);
  return absl::StrCat("z_", index - numLetters + 1);
}

//===- Printing ------------------------------------------------------------===//

static std::string str(absl::Span<const TensorFactors> tensors) {
  auto dimText = [](std::string *out, const DimFactors &dim) {
    if (dim.empty())
      *out += "*";
    for (int32_t factor : dim)
      *out += factorName(factor);
  };
  auto tensorText = [&](std::string *out, const TensorFactors &tensor) {
    absl::StrAppend(out, "[", absl::StrJoin(tensor, ", ", dimText), "]");
  };
  return absl::StrCat("(", absl::StrJoin(tensors, ", ", tensorText), ")");
}

template <typename Predicate>
static void appendSet(std::string &text, const OpRule &rule, const char *keyword,
                      Predicate isMember) {
  std::vector<std::string> names;
  for (int64_t i = 0; i < rule.numFactors(); ++i)
    if (isMember(rule.factors[i]))
      names.push_back(factorName(i));
  if (!names.empty())
    absl::StrAppend(&text, " ", keyword, "={", absl::StrJoin(names, ", "), "}");
}

void OpRule::setCustom() {
  custom = true;
  for (Factor &factor : factors)
    factor.custom = true;
}

void OpRule::dropUnused() {
  std::vector<int32_t> numbers(factors.size(), -1);
  std::vector<Factor> used;
  for (std::vector<TensorFactors> *side : {&operands, &results})
    for (TensorFactors &tensor : *side)
      for (DimFactors &dim : tensor)
        for (int32_t &factor : dim) {
          if (numbers[factor] < 0) {
            numbers[factor] = static_cast<int32_t>(used.size());
            used.push_back(factors[factor]);
          }
          factor = numbers[factor];
        }
  factors = std::move(used);
}

std::string OpRule::str() const {
  std::vector<std::string> sizes;
  for (int64_t i = 0; i < numFactors(); ++i)
    sizes.push_back(absl::StrCat(factorName(i), "=", factors[i].size));
  std::string text = absl::StrCat(spmd::str(operands), "->", spmd::str(results));
  if (!sizes.empty())
    absl::StrAppend(&text, " {", absl::StrJoin(sizes, ", "), "}");
  appendSet(text, *this, "reduction", [](const Factor &f) { return f.kind == FactorKind::reduce; });
  appendSet(text, *this, "need_replication", [](const Factor &f) {
    return f.kind != FactorKind::pass && f.kind != FactorKind::reduce &&
           f.kind != FactorKind::window;
  });
  appendSet(text, *this, "permutation",
            [](const Factor &f) { return f.kind == FactorKind::window; });
  appendSet(text, *this, "blocked_propagation", [](const Factor &f) { return f.blocked; });
  if (custom)
    text += ", custom";
  return text;
}

//===- Checking ------------------------------------------------------------===//

static absl::Status verifyTensor(const OpRule &rule, const TensorFactors &tensor,
                                 const std::vector<int64_t> &shape, const std::string &name,
                                 bool checkSizes, std::vector<bool> &occurs) {
  if (tensor.size() != shape.size())
    return absl::InvalidArgumentError(absl::StrCat("sharding rule gives ", name, " ", tensor.size(),
                                                   " dims, the tensor has ", shape.size()));
  std::vector<bool> inTensor(rule.factors.size(), false);
  for (size_t d = 0; d < tensor.size(); ++d) {
    int64_t size = 1;
    for (int32_t factor : tensor[d]) {
      if (inTensor[factor])
        return absl::InvalidArgumentError(
            absl::StrCat("sharding rule has factor ", factorName(factor), " twice in ", name));
      inTensor[factor] = occurs[factor] = true;
      if (__builtin_mul_overflow(size, rule.factors[factor].size, &size))
        size = std::numeric_limits<int64_t>::max();
    }
    if (checkSizes && !tensor[d].empty() && size != shape[d])
      return absl::InvalidArgumentError(absl::StrCat("sharding rule gives dim ", d, " of ", name,
                                                     " size ", size, ", the tensor has ",
                                                     shape[d]));
  }
  return absl::OkStatus();
}

static absl::Status verify(const OpRule &rule, absl::Span<const std::vector<int64_t>> operandShapes,
                           absl::Span<const std::vector<int64_t>> resultShapes, bool checkSizes) {
  if (rule.operands.size() != operandShapes.size() || rule.results.size() != resultShapes.size())
    return absl::InvalidArgumentError(absl::StrCat(
        "sharding rule has ", rule.operands.size(), " operands and ", rule.results.size(),
        " results, the op has ", operandShapes.size(), " and ", resultShapes.size()));
  std::vector<bool> occurs(rule.factors.size(), false);
  for (size_t i = 0; i < operandShapes.size(); ++i)
    if (absl::Status status = verifyTensor(rule, rule.operands[i], operandShapes[i],
                                           absl::StrCat("operand ", i), checkSizes, occurs);
        !status.ok())
      return status;
  std::vector<bool> inOperands = occurs;
  for (size_t i = 0; i < resultShapes.size(); ++i)
    if (absl::Status status = verifyTensor(rule, rule.results[i], resultShapes[i],
                                           absl::StrCat("result ", i), checkSizes, occurs);
        !status.ok())
      return status;
  for (const TensorFactors &result : rule.results)
    for (const DimFactors &dim : result)
      for (int32_t factor : dim)
        if (leavesPartial(rule.factors[factor].kind))
          return absl::InvalidArgumentError(absl::StrCat(
              "sharding rule reduces factor ", factorName(factor), ", which a result still has"));
  for (int64_t i = 0; i < rule.numFactors(); ++i)
    if (!occurs[i])
      return absl::InvalidArgumentError(
          absl::StrCat("sharding rule has factor ", factorName(i), " in no tensor"));
  return absl::OkStatus();
}

absl::Status verify(const OpRule &rule, absl::Span<const std::vector<int64_t>> operandShapes,
                    absl::Span<const std::vector<int64_t>> resultShapes) {
  return verify(rule, operandShapes, resultShapes, /*checkSizes=*/true);
}

absl::Status verifyRanks(const OpRule &rule, absl::Span<const std::vector<int64_t>> operandShapes,
                         absl::Span<const std::vector<int64_t>> resultShapes) {
  return verify(rule, operandShapes, resultShapes, /*checkSizes=*/false);
}

//===- Building ------------------------------------------------------------===//

RuleBuilder::RuleBuilder(size_t numOperands, size_t numResults) {
  rule.operands.resize(numOperands);
  rule.results.resize(numResults);
  rule.factors.reserve(numOperands + numResults); // Mostly there are no more.
}

int32_t RuleBuilder::factor(const Factor &factor) {
  rule.factors.push_back(factor);
  return static_cast<int32_t>(rule.factors.size() - 1);
}

int32_t RuleBuilder::factor(int64_t size, FactorKind kind) { return factor(Factor{size, kind}); }

static void setDim(TensorFactors &tensor, size_t dim, DimFactors factors) {
  if (tensor.size() <= dim)
    tensor.resize(dim + 1);
  tensor[dim] = std::move(factors);
}

RuleBuilder &RuleBuilder::operand(size_t operand, size_t dim, DimFactors factors) {
  setDim(rule.operands[operand], dim, std::move(factors));
  return *this;
}

RuleBuilder &RuleBuilder::result(size_t result, size_t dim, DimFactors factors) {
  setDim(rule.results[result], dim, std::move(factors));
  return *this;
}

RuleBuilder &RuleBuilder::operandRank(size_t operand, size_t rank) {
  rule.operands[operand].resize(rank);
  return *this;
}

RuleBuilder &RuleBuilder::resultRank(size_t result, size_t rank) {
  rule.results[result].resize(rank);
  return *this;
}

} // namespace spmd
