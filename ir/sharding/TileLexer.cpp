#include "spmd/ir/sharding/TileLexer.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace spmd {

static absl::string_view view(std::string_view text) { return {text.data(), text.size()}; }

static bool isWordChar(char c) { return absl::ascii_isalnum(c) || c == '_'; }

//===- Words ---------------------------------------------------------------===//

void TileLexer::skipSpace() {
  while (at < text.size() && absl::ascii_isspace(text[at]))
    ++at;
}

bool TileLexer::peek(std::string_view what) {
  skipSpace();
  return text.substr(at, what.size()) == what;
}

bool TileLexer::consume(std::string_view what) {
  if (!peek(what))
    return false;
  at += what.size();
  return true;
}

bool TileLexer::expect(std::string_view what) {
  return consume(what) || fail(absl::StrCat("expected '", view(what), "'"));
}

bool TileLexer::fail(const std::string &message) {
  if (error.empty())
    error = absl::StrCat("column ", at + 1, ": ", message);
  return false;
}

bool TileLexer::word(std::string_view what) {
  if (!peek(what) || (at + what.size() < text.size() && isWordChar(text[at + what.size()])))
    return false;
  at += what.size();
  return true;
}

bool TileLexer::integer(int64_t &value) {
  skipSpace();
  size_t end = at;
  while (end < text.size() && absl::ascii_isdigit(text[end]))
    ++end;
  if (end == at || !absl::SimpleAtoi(view(text.substr(at, end - at)), &value))
    return fail("expected a number");
  at = end;
  return true;
}

bool TileLexer::integers(std::string_view open, std::string_view close,
                         std::vector<int64_t> &values) {
  if (!expect(open))
    return false;
  if (consume(close))
    return true;
  do {
    if (!integer(values.emplace_back()))
      return false;
  } while (consume(","));
  return expect(close);
}

bool TileLexer::quotedText(std::string &value) {
  if (!expect("\""))
    return false;
  for (value.clear(); at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size())
      ++at;
    value += text[at];
  }
  return expect("\"");
}

//===- Metadata ------------------------------------------------------------===//

bool TileLexer::metadata(ReductionKind &reduction) {
  size_t start = at;
  if (!expect("{"))
    return false;
  if (!peek("{"))
    return at = start, metadataEntry(reduction);
  do {
    if (!metadataEntry(reduction))
      return false;
  } while (consume(","));
  return expect("}");
}

bool TileLexer::metadataEntry(ReductionKind &reduction) {
  std::string type, name;
  if (!expect("{"))
    return false;
  while (!consume("}")) {
    if (at >= text.size())
      return fail("expected '}'");
    std::string *field = word("op_type") ? &type : word("op_name") ? &name : nullptr;
    if (field ? !expect("=") || !quotedText(*field) : !skipPiece())
      return false;
  }
  if (type != reductionMetadata)
    return true;
  std::optional<ReductionKind> kind = reductionNamed(absl::AsciiStrToLower(name));
  if (!kind)
    return fail(absl::StrCat("unknown reduction '", name, "'; write SUM, MAX or MIN"));
  reduction = *kind;
  return true;
}

/// Skips a text in quotes, braces with what is in them, a word or any other character.
bool TileLexer::skipPiece() {
  std::string ignored;
  if (peek("\""))
    return quotedText(ignored);
  if (peek("{"))
    return skipBraces();
  for (++at; at < text.size() && isWordChar(text[at]);)
    ++at;
  return true;
}

bool TileLexer::skipBraces() {
  int depth = 0;
  std::string ignored;
  while (at < text.size()) {
    if (text[at] == '"') {
      if (!quotedText(ignored))
        return false;
      continue;
    }
    depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
    ++at;
    if (depth == 0)
      return true;
  }
  return fail("expected '}'");
}

} // namespace spmd
