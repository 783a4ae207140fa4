// The grammar of meshes and shardings, and a lexer over plain strings for it.

#include "spmd/ir/sharding/Spec.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

#include <algorithm>

namespace spmd {

//===- Grammar -------------------------------------------------------------===//

static bool expectInteger(TokenSource &tokens, int64_t &value, const char *what) {
  std::optional<int64_t> number = tokens.integer();
  if (!number)
    return tokens.fail(absl::StrCat("expected ", what));
  value = *number;
  return true;
}

bool parseMesh(TokenSource &tokens, Mesh &mesh) {
  std::vector<MeshAxis> axes;
  std::vector<int64_t> deviceIds;
  auto axis = [&] {
    std::optional<std::string> name = tokens.string();
    if (!name)
      return tokens.fail("expected the name of a mesh axis, in quotes");
    axes.push_back({*name, 0});
    return tokens.expect('=') && expectInteger(tokens, axes.back().size, "the size of the axis");
  };
  auto id = [&] { return expectInteger(tokens, deviceIds.emplace_back(), "a device id"); };
  if (!parseList(tokens, '[', ']', axis))
    return false;
  if (tokens.consume(',')) {
    if (!tokens.consumeWord("device_ids"))
      return tokens.fail("expected 'device_ids'");
    if (!tokens.expect('=') || !parseList(tokens, '[', ']', id))
      return false;
    if (deviceIds.empty())
      return tokens.fail("'device_ids' is empty");
  }
  absl::StatusOr<Mesh> created = Mesh::create(std::move(axes), std::move(deviceIds));
  if (!created.ok())
    return tokens.fail(std::string(created.status().message()));
  mesh = *std::move(created);
  return true;
}

bool parseAxis(TokenSource &tokens, AxisSpec &axis) {
  std::optional<std::string> name = tokens.string();
  if (!name)
    return tokens.fail("expected the name of an axis, in quotes");
  axis.name = *name;
  if (!tokens.consume(':'))
    return true;
  if (!tokens.expect('(') || !expectInteger(tokens, axis.preSize, "the size before the sub-axis") ||
      !tokens.expect(')') || !expectInteger(tokens, axis.size, "the size of the sub-axis"))
    return false;
  return axis.size > 0 || tokens.fail("size of a sub-axis is not positive");
}

bool parseAxes(TokenSource &tokens, std::vector<AxisSpec> &axes) {
  return parseList(tokens, '{', '}', [&] { return parseAxis(tokens, axes.emplace_back()); });
}

/// Reads the `p1` behind a dim.
static bool parsePriority(TokenSource &tokens, DimSpec &dim) {
  std::optional<std::string> word = tokens.word();
  if (!word)
    return true;
  absl::string_view digits = absl::string_view(*word).substr(1);
  int64_t priority = 0;
  bool isNumber = !digits.empty() &&
                  std::all_of(digits.begin(), digits.end(), absl::ascii_isdigit) &&
                  absl::SimpleAtoi(digits, &priority);
  if (word->front() != 'p' || !isNumber)
    return tokens.fail(absl::StrCat("expected a priority such as p1, not '", *word, "'"));
  if (digits.size() > 1 && digits.front() == '0')
    return tokens.fail(absl::StrCat("priority '", *word, "' has a leading zero"));
  if (dim.axes.empty() && !dim.open)
    return tokens.fail("a dim that is closed and empty takes no priority");
  dim.priority = priority;
  return true;
}

bool parseDim(TokenSource &tokens, DimSpec &dim) {
  auto element = [&] {
    if (dim.open)
      return tokens.fail("'?' stands last in a dim");
    if (tokens.consume('?'))
      return dim.open = true;
    return parseAxis(tokens, dim.axes.emplace_back());
  };
  return parseList(tokens, '{', '}', element) && parsePriority(tokens, dim);
}

static bool parseUnreduced(TokenSource &tokens, ShardingSpec &spec) {
  if (std::optional<std::string> word = tokens.word()) {
    std::optional<ReductionKind> kind = reductionNamed(*word);
    if (!kind)
      return tokens.fail(absl::StrCat("unknown reduction '", *word, "'"));
    spec.kind = *kind;
  }
  return parseAxes(tokens, spec.unreduced);
}

bool parseSharding(TokenSource &tokens, ShardingSpec &spec) {
  if (!parseList(tokens, '[', ']', [&] { return parseDim(tokens, spec.dims.emplace_back()); }))
    return false;
  bool hasReplicated = false, hasUnreduced = false;
  while (tokens.consume(',')) {
    bool isReplicated = tokens.consumeWord("replicated");
    if (!isReplicated && !tokens.consumeWord("unreduced"))
      return tokens.fail("expected 'replicated' or 'unreduced'");
    bool &given = isReplicated ? hasReplicated : hasUnreduced;
    if (given)
      return tokens.fail(
          absl::StrCat("'", isReplicated ? "replicated" : "unreduced", "' is given twice"));
    given = true;
    if (!tokens.expect('='))
      return false;
    if (!(isReplicated ? parseAxes(tokens, spec.replicated) : parseUnreduced(tokens, spec)))
      return false;
  }
  return true;
}

//===- Tokens of a string --------------------------------------------------===//

namespace {

class TextTokens : public TokenSource {
public:
  TextTokens(std::string_view text, std::string &error) : text(text), error(error) {}

  bool consume(char punctuation) override {
    skipBlanks();
    if (at >= text.size() || text[at] != punctuation)
      return false;
    ++at;
    return true;
  }
  bool expect(char punctuation) override {
    return consume(punctuation) ||
           fail(absl::StrCat("expected '", std::string(1, punctuation), "'"));
  }
  bool expectArrow() override {
    skipBlanks();
    if (text.substr(at, 2) != "->")
      return fail("expected '->'");
    at += 2;
    return true;
  }
  std::optional<std::string> word() override {
    skipBlanks();
    size_t end = at;
    while (end < text.size() && (absl::ascii_isalnum(text[end]) || text[end] == '_'))
      ++end;
    if (end == at || absl::ascii_isdigit(text[at]))
      return std::nullopt;
    return take(end);
  }
  bool consumeWord(std::string_view keyword) override {
    size_t start = at;
    if (word() == keyword)
      return true;
    at = start;
    return false;
  }
  std::optional<std::string> string() override {
    skipBlanks();
    if (at >= text.size() || text[at] != '"')
      return std::nullopt;
    std::string content;
    for (size_t next = at + 1; next < text.size(); ++next) {
      if (text[next] == '"') {
        at = next + 1;
        return content;
      }
      if (text[next] != '\\')
        content += text[next];
      else if (!unescape(next, content))
        return std::nullopt;
    }
    return std::nullopt;
  }
  std::optional<int64_t> integer() override {
    skipBlanks();
    size_t end = at;
    if (end < text.size() && text[end] == '-')
      ++end;
    while (end < text.size() && absl::ascii_isdigit(text[end]))
      ++end;
    int64_t value;
    if (!absl::SimpleAtoi(absl::string_view(text.data() + at, end - at), &value))
      return std::nullopt;
    at = end;
    return value;
  }
  bool fail(const std::string &message) override {
    if (error.empty()) {
      skipBlanks();
      std::string_view before = text.substr(0, at);
      size_t line = std::count(before.begin(), before.end(), '\n') + 1;
      size_t start = before.rfind('\n') + 1; // 0 if there is no line break.
      error = absl::StrCat(line, ":", at - start + 1, ": ", message);
    }
    return false;
  }
  bool atEnd() override {
    skipBlanks();
    return at == text.size() || fail("unexpected text after the end");
  }

private:
  void skipBlanks() {
    while (at < text.size() && absl::ascii_isspace(text[at]))
      ++at;
  }
  /// Appends what the escape at `next` stands for, and moves `next` to its last character.
  bool unescape(size_t &next, std::string &content) const {
    std::string_view rest = text.substr(next + 1, 2);
    constexpr std::string_view letters = "\"\\nt", meanings = "\"\\\n\t";
    if (size_t letter = rest.empty() ? std::string_view::npos : letters.find(rest[0]);
        letter != std::string_view::npos) {
      content += meanings[letter];
      next += 1;
      return true;
    }
    uint32_t value;
    if (rest.size() != 2 ||
        !absl::SimpleHexAtoi(absl::string_view(rest.data(), rest.size()), &value))
      return false;
    content += static_cast<char>(value);
    next += 2;
    return true;
  }
  std::string take(size_t end) {
    std::string piece(text.substr(at, end - at));
    at = end;
    return piece;
  }

  std::string_view text;
  std::string &error;
  size_t at = 0;
};

} // namespace

std::unique_ptr<TokenSource> tokensOf(std::string_view text, std::string &error) {
  return std::make_unique<TextTokens>(text, error);
}

absl::StatusOr<Mesh> meshFromText(std::string_view text) {
  std::string error;
  TextTokens tokens(text, error);
  Mesh mesh;
  if (tokens.expect('<') && parseMesh(tokens, mesh) && tokens.expect('>') && tokens.atEnd())
    return mesh;
  return absl::InvalidArgumentError(error);
}

absl::StatusOr<ShardingSpec> shardingFromText(std::string_view text) {
  std::string error;
  TextTokens tokens(text, error);
  ShardingSpec spec;
  if (parseSharding(tokens, spec) && tokens.atEnd())
    return spec;
  return absl::InvalidArgumentError(error);
}

} // namespace spmd
