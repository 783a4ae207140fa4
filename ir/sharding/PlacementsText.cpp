// The text form of placements.

#include "spmd/ir/sharding/Placements.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace spmd {

using Kind = AxisPlacement::Kind;

static std::string textOf(const AxisPlacement &placement) {
  switch (placement.kind) {
  case Kind::replicate:
    return "Replicate()";
  case Kind::partial:
    return absl::StrCat("Partial(", nameOf(placement.reduction), ")");
  case Kind::shard:
    break;
  }
  if (placement.splitFactor == 1)
    return absl::StrCat("Shard(", placement.dim, ")");
  return absl::StrCat("_StridedShard(dim=", placement.dim, ", sf=", placement.splitFactor, ")");
}

std::string str(absl::Span<const AxisPlacement> placements) {
  return absl::StrCat("[",
                      absl::StrJoin(placements, ", ",
                                    [](std::string *out, const AxisPlacement &placement) {
                                      absl::StrAppend(out, textOf(placement));
                                    }),
                      "]");
}

/// Reads `name=` if it is there, then an integer.
static bool parseArgument(TokenSource &tokens, std::initializer_list<const char *> names,
                          int64_t &value) {
  for (const char *name : names)
    if (tokens.consumeWord(name) && !tokens.expect('='))
      return false;
  std::optional<int64_t> number = tokens.integer();
  if (!number)
    return tokens.fail("expected an integer");
  value = *number;
  return true;
}

static bool parseShard(TokenSource &tokens, bool isStrided, AxisPlacement &placement) {
  placement.kind = Kind::shard;
  if (!tokens.expect('(') || !parseArgument(tokens, {"dim"}, placement.dim))
    return false;
  if (isStrided && (!tokens.expect(',') ||
                    !parseArgument(tokens, {"sf", "split_factor"}, placement.splitFactor)))
    return false;
  if (placement.splitFactor < 1)
    return tokens.fail("the split factor is not positive");
  return tokens.expect(')');
}

static bool parsePartial(TokenSource &tokens, AxisPlacement &placement) {
  placement.kind = Kind::partial;
  if (!tokens.consume('(') || tokens.consume(')'))
    return true;
  std::optional<std::string> name = tokens.word();
  if (!name)
    name = tokens.string();
  if (name && *name == "avg")
    return tokens.fail("an average has no addends here; divide by their number and write "
                       "Partial(sum)");
  std::optional<ReductionKind> kind = name ? reductionNamed(*name) : std::nullopt;
  if (!kind)
    return tokens.fail("expected 'sum', 'max', 'min' or 'product'");
  placement.reduction = *kind;
  return tokens.expect(')');
}

static bool parsePlacement(TokenSource &tokens, AxisPlacement &placement) {
  if (tokens.consumeWord("Replicate") || tokens.consumeWord("R"))
    return !tokens.consume('(') || tokens.expect(')');
  if (tokens.consumeWord("Shard") || tokens.consumeWord("S"))
    return parseShard(tokens, /*isStrided=*/false, placement);
  if (tokens.consumeWord("_StridedShard"))
    return parseShard(tokens, /*isStrided=*/true, placement);
  if (tokens.consumeWord("Partial") || tokens.consumeWord("P"))
    return parsePartial(tokens, placement);
  if (tokens.consumeWord("_NormPartial") || tokens.consumeWord("_MaskPartial"))
    return tokens.fail("the addends of a norm or of a masked lookup have no counterpart");
  return tokens.fail("expected 'Shard', 'Replicate', 'Partial' or '_StridedShard'");
}

/// A tuple of one ends with a comma: `(Shard(0),)`.
static bool parseAll(TokenSource &tokens, std::vector<AxisPlacement> &placements) {
  char close = tokens.consume('(') ? ')' : ']';
  if (close == ']' && !tokens.expect('['))
    return false;
  while (!tokens.consume(close)) {
    if (!parsePlacement(tokens, placements.emplace_back()))
      return false;
    if (!tokens.consume(','))
      return tokens.expect(close);
  }
  return true;
}

absl::StatusOr<std::vector<AxisPlacement>> placementsFromText(std::string_view text) {
  std::string error;
  std::vector<AxisPlacement> placements;
  std::unique_ptr<TokenSource> tokens = tokensOf(text, error);
  if (parseAll(*tokens, placements) && tokens->atEnd())
    return placements;
  return absl::InvalidArgumentError(error);
}

} // namespace spmd
