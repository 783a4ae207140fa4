// Reads Shardy's text form of a rule.
//
//     ([ij, k], [*])->([i, jk]) {i=2, j=4, k=4} reduction={..} need_replication={..}
//         permutation={..} blocked_propagation={..}, custom

#include "spmd/ir/rules/OpRule.h"
#include "spmd/ir/sharding/Spec.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

#include <utility>

namespace spmd {

namespace {

/// Reads one rule; factors are numbered by their names.
class RuleParser {
public:
  /// With `hasSizes`, a rule may leave out the sizes, which are 1 then.
  RuleParser(TokenSource &tokens, OpRule &rule, bool *hasSizes = nullptr)
      : tokens(tokens), rule(rule), hasSizes(hasSizes) {}

  bool parse() {
    if (!parseTensors(rule.operands) || !tokens.expectArrow() || !parseTensors(rule.results) ||
        !parseSizes())
      return false;
    if (!checkMentions())
      return false;
    auto give = [](FactorKind kind) {
      return [kind](Factor &f) { return std::exchange(f.kind, kind) == FactorKind::pass; };
    };
    if (!parseSet("reduction", give(FactorKind::reduce)) ||
        !parseSet("need_replication", give(FactorKind::whole)) ||
        !parseSet("permutation", give(FactorKind::window)) ||
        !parseSet("blocked_propagation", [](Factor &f) { return !std::exchange(f.blocked, true); }))
      return false;
    if (!tokens.consume(','))
      return true;
    if (!tokens.consumeWord("custom"))
      return tokens.fail("expected 'custom'");
    rule.setCustom();
    return true;
  }

private:
  bool parseTensors(std::vector<TensorFactors> &tensors) {
    if (!tokens.expect('('))
      return false;
    if (tokens.consume(')'))
      return true;
    do {
      if (!parseTensor(tensors.emplace_back()))
        return false;
    } while (tokens.consume(','));
    return tokens.expect(')');
  }

  bool parseTensor(TensorFactors &tensor) {
    if (!tokens.expect('['))
      return false;
    if (tokens.consume(']'))
      return true;
    do {
      if (!parseDim(tensor.emplace_back()))
        return false;
    } while (tokens.consume(','));
    return tokens.expect(']');
  }

  bool parseDim(DimFactors &dim) {
    if (tokens.consume('*'))
      return true;
    std::optional<std::string> word = tokens.word();
    if (!word)
      return tokens.fail("expected factors or '*'");
    for (absl::string_view rest = *word; !rest.empty();) {
      int32_t index;
      if (!takeFactor(rest, index))
        return tokens.fail(
            absl::StrCat("expected factors i to z and z_1, z_2 and so on, not '", *word, "'"));
      dim.push_back(index);
      mentioned = std::max<int64_t>(mentioned, index + 1);
    }
    return true;
  }

  /// Takes one factor name off the front of `text`.
  static bool takeFactor(absl::string_view &text, int32_t &index) {
    if (text.front() < 'i' || text.front() > 'z')
      return false;
    index = text.front() - 'i';
    text.remove_prefix(1);
    if (index != 'z' - 'i' || text.empty() || text.front() != '_')
      return true;
    size_t end = 1;
    while (end < text.size() && absl::ascii_isdigit(text[end]))
      ++end;
    int64_t number;
    if (!absl::SimpleAtoi(text.substr(1, end - 1), &number) || number < 1 || number > 1024)
      return false;
    index += number;
    text.remove_prefix(end);
    return true;
  }

  bool parseFactor(int32_t &index) {
    std::optional<std::string> word = tokens.word();
    absl::string_view rest = word ? absl::string_view(*word) : absl::string_view();
    if (rest.empty() || !takeFactor(rest, index) || !rest.empty())
      return tokens.fail("expected a factor");
    return true;
  }

  /// Reads `{i=8, k=4}`; a rule without factors may leave it out.
  bool parseSizes() {
    bool isSized = tokens.consume('{');
    if (hasSizes)
      *hasSizes = isSized;
    if (!isSized) {
      bool mayLackSizes = hasSizes != nullptr;
      if (mayLackSizes)
        rule.factors.resize(mentioned, Factor{1});
      return mayLackSizes || mentioned == 0 || tokens.expect('{');
    }
    if (tokens.consume('}'))
      return true;
    do {
      int32_t index;
      if (!parseFactor(index) || !tokens.expect('='))
        return false;
      std::optional<int64_t> size = tokens.integer();
      if (!size || *size < 0)
        return tokens.fail("expected the size of the factor");
      if (index != rule.numFactors())
        return tokens.fail(
            absl::StrCat("expected the size of factor ", factorName(rule.numFactors())));
      rule.factors.push_back({*size});
    } while (tokens.consume(','));
    return tokens.expect('}');
  }

  bool checkMentions() {
    if (mentioned <= rule.numFactors())
      return true;
    return tokens.fail(absl::StrCat("factor ", factorName(rule.numFactors()), " has no size"));
  }

  /// Reads `keyword={i, k}` if it comes next. `mark` returns whether the factor can be marked so.
  template <typename Mark> bool parseSet(const char *keyword, Mark mark) {
    if (!tokens.consumeWord(keyword))
      return true;
    if (!tokens.expect('=') || !tokens.expect('{'))
      return false;
    do {
      int32_t index;
      if (!parseFactor(index))
        return false;
      if (index >= rule.numFactors())
        return tokens.fail(absl::StrCat("factor ", factorName(index), " has no size"));
      if (!mark(rule.factors[index]))
        return tokens.fail(
            absl::StrCat("factor ", factorName(index), " stands in two sets or in one twice"));
    } while (tokens.consume(','));
    return tokens.expect('}');
  }

  TokenSource &tokens;
  OpRule &rule;
  bool *hasSizes;
  int64_t mentioned = 0;
};

} // namespace

bool parseRule(TokenSource &tokens, OpRule &rule) { return RuleParser(tokens, rule).parse(); }

absl::StatusOr<OpRule> ruleFromText(std::string_view text) {
  std::string error;
  std::unique_ptr<TokenSource> tokens = tokensOf(text, error);
  OpRule rule;
  if (parseRule(*tokens, rule) && tokens->atEnd())
    return rule;
  return absl::InvalidArgumentError(error);
}

absl::StatusOr<OpRule> ruleFromText(std::string_view text, bool &hasSizes) {
  std::string error;
  std::unique_ptr<TokenSource> tokens = tokensOf(text, error);
  OpRule rule;
  if (RuleParser(*tokens, rule, &hasSizes).parse() && tokens->atEnd())
    return rule;
  return absl::InvalidArgumentError(error);
}

} // namespace spmd
