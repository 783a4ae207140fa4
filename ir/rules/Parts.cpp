#include "spmd/ir/rules/Parts.h"

#include <algorithm>
#include <numeric>

namespace spmd {

namespace {

/// Groups of tensors; each is known by its first.
class Groups {
public:
  explicit Groups(size_t count) : parent(count) { std::iota(parent.begin(), parent.end(), 0); }

  int32_t firstOf(int32_t tensor) {
    while (parent[tensor] != tensor)
      tensor = parent[tensor] = parent[parent[tensor]];
    return tensor;
  }
  void join(int32_t a, int32_t b) {
    a = firstOf(a);
    b = firstOf(b);
    parent[std::max(a, b)] = std::min(a, b);
  }

private:
  absl::InlinedVector<int32_t, 8> parent; ///< Most rules are short.
};

constexpr int32_t none = -1;

using Holders = absl::InlinedVector<int32_t, 8>;

/// Returns the first tensor that has each factor; `none` for a factor in no tensor.
Holders joinByFactors(const OpRule &rule, Groups &groups) {
  Holders holder(rule.factors.size(), none);
  for (int32_t t = 0; t < rule.numTensors(); ++t)
    for (const DimFactors &dim : rule.tensor(t))
      for (int32_t factor : dim) {
        if (holder[factor] == none)
          holder[factor] = t;
        groups.join(holder[factor], t);
      }
  return holder;
}

void joinReduced(const OpRule &rule, absl::Span<const int32_t> holder, Groups &groups) {
  int32_t first = none;
  for (int32_t f = 0; f < rule.numFactors(); ++f) {
    if (!leavesPartial(rule.factors[f].kind) || holder[f] == none)
      continue;
    first = first == none ? holder[f] : first;
    groups.join(first, holder[f]);
  }
  if (first != none)
    for (int32_t t = rule.operands.size(); t < rule.numTensors(); ++t)
      groups.join(first, t);
}

bool hasFactors(const TensorFactors &tensor) {
  return std::any_of(tensor.begin(), tensor.end(),
                     [](const DimFactors &dim) { return !dim.empty(); });
}

/// Joins the tensors of each part. Returns as joinByFactors does.
Holders joinParts(const OpRule &rule, Groups &groups) {
  Holders holder = joinByFactors(rule, groups);
  joinReduced(rule, holder, groups);
  return holder;
}

/// Returns for each tensor the number of its part.
std::vector<int32_t> partOfTensors(const OpRule &rule, Groups &groups, int32_t &numParts) {
  std::vector<int32_t> partOf(rule.numTensors(), none), partOfFirst(rule.numTensors(), none);
  numParts = 0;
  for (int32_t t = 0; t < rule.numTensors(); ++t) {
    if (!hasFactors(rule.tensor(t))) {
      partOf[t] = 0;
      continue;
    }
    int32_t &part = partOfFirst[groups.firstOf(t)];
    if (part == none)
      part = numParts++;
    partOf[t] = part;
  }
  return partOf;
}

RulePart wholeOf(const OpRule &rule) {
  RulePart part{rule, {}, {}, {}, 1};
  part.operands.resize(rule.operands.size());
  part.results.resize(rule.results.size());
  part.factors.resize(rule.factors.size());
  for (std::vector<int32_t> *indices : {&part.operands, &part.results, &part.factors})
    std::iota(indices->begin(), indices->end(), 0);
  return part;
}

/// Items by the number of their part, those of one in ascending order.
class ByPart {
public:
  ByPart(absl::Span<const int32_t> partOf, int32_t numParts)
      : firsts(numParts + 1, 0), items(partOf.size()) {
    for (int32_t part : partOf)
      ++firsts[part + 1];
    std::partial_sum(firsts.begin(), firsts.end(), firsts.begin());
    std::vector<int32_t> next(firsts.begin(), firsts.end() - 1);
    for (size_t i = 0; i < partOf.size(); ++i)
      items[next[partOf[i]]++] = static_cast<int32_t>(i);
  }

  absl::Span<const int32_t> of(int32_t part) const {
    return absl::MakeConstSpan(items).subspan(firsts[part], firsts[part + 1] - firsts[part]);
  }

private:
  std::vector<int32_t> firsts, items;
};

/// Makes a part of some tensors and factors of `rule`. `numberOf` gets the numbers that the factors
/// have in it.
RulePart partOfRule(const OpRule &rule, absl::Span<const int32_t> tensors,
                    absl::Span<const int32_t> factors, std::vector<int32_t> &numberOf) {
  RulePart part;
  part.rule.custom = rule.custom;
  for (int32_t f : factors) {
    numberOf[f] = static_cast<int32_t>(part.factors.size());
    part.factors.push_back(f);
    part.rule.factors.push_back(rule.factors[f]);
  }
  int32_t numOperands = static_cast<int32_t>(rule.operands.size());
  for (int32_t t : tensors) {
    TensorFactors tensor = rule.tensor(t);
    for (DimFactors &dim : tensor)
      for (int32_t &factor : dim)
        factor = numberOf[factor];
    bool isOperand = t < numOperands;
    (isOperand ? part.operands : part.results).push_back(isOperand ? t : t - numOperands);
    (isOperand ? part.rule.operands : part.rule.results).push_back(std::move(tensor));
  }
  return part;
}

} // namespace

bool isOnePart(const OpRule &rule) {
  Groups groups(rule.numTensors());
  joinParts(rule, groups);
  int32_t known = none;
  for (int32_t t = 0; t < rule.numTensors(); ++t) {
    if (!hasFactors(rule.tensor(t)))
      continue;
    if (known != none && groups.firstOf(t) != known)
      return false;
    known = groups.firstOf(t);
  }
  return true;
}

void forEachPart(const OpRule &rule, absl::FunctionRef<void(RulePart)> visit) {
  Groups groups(rule.numTensors());
  Holders holder = joinParts(rule, groups);
  int32_t numParts = 0;
  std::vector<int32_t> partOfTensor = partOfTensors(rule, groups, numParts);
  if (numParts <= 1)
    return visit(wholeOf(rule));
  std::vector<int32_t> partOfFactor;
  for (int32_t first : holder)
    partOfFactor.push_back(first == none ? 0 : partOfTensor[first]);
  ByPart tensors(partOfTensor, numParts), factors(partOfFactor, numParts);
  std::vector<int32_t> numberOf(rule.factors.size(), none);
  for (int32_t number = 0; number < numParts; ++number) {
    RulePart part = partOfRule(rule, tensors.of(number), factors.of(number), numberOf);
    part.numParts = numParts;
    visit(std::move(part));
  }
}

std::vector<RulePart> partsOf(const OpRule &rule) {
  std::vector<RulePart> parts;
  forEachPart(rule, [&](RulePart part) { parts.push_back(std::move(part)); });
  return parts;
}

} // namespace spmd
