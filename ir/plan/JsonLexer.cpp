#include "spmd/ir/plan/JsonLexer.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"

namespace spmd {

void JsonLexer::step() {
  if (text[at++] == '\n')
    here = {here.line + 1, 1};
  else
    ++here.column;
}

JsonToken JsonLexer::next() {
  while (at < text.size() && absl::ascii_isspace(text[at]))
    step();
  PlanPlace place = here;
  if (at == text.size())
    return {JsonToken::Kind::end, "the end of the file", place};
  char first = text[at];
  if (std::string_view("{}[]:,").find(first) != std::string_view::npos) {
    step();
    return {JsonToken::Kind::punctuation, std::string(1, first), place};
  }
  if (first == '"')
    return string(place);
  auto isPart = [](char c) { return absl::ascii_isalnum(c) || c == '-' || c == '+' || c == '.'; };
  if (!isPart(first))
    return {JsonToken::Kind::wrong, "unexpected character", place};
  std::string word;
  while (at < text.size() && isPart(text[at])) {
    word += text[at];
    step();
  }
  bool isNumber = first == '-' || absl::ascii_isdigit(first);
  return {isNumber ? JsonToken::Kind::number : JsonToken::Kind::word, word, place};
}

JsonToken JsonLexer::string(PlanPlace place) {
  step();
  std::string content;
  while (at < text.size() && text[at] != '"') {
    PlanPlace character = here;
    if (static_cast<unsigned char>(text[at]) < ' ')
      return {JsonToken::Kind::wrong, "string has a control character or no end", character};
    if (text[at] != '\\') {
      content += text[at];
      step();
    } else if (!unescape(content)) {
      return {JsonToken::Kind::wrong, "unknown escape in a string", character};
    }
  }
  if (at == text.size())
    return {JsonToken::Kind::wrong, "string has no end", place};
  step();
  return {JsonToken::Kind::string, content, place};
}

/// Appends the character `code` as UTF-8.
static void appendUtf8(uint32_t code, std::string &content) {
  if (code < 0x80) {
    content += static_cast<char>(code);
    return;
  }
  if (code < 0x800) {
    content += static_cast<char>(0xc0 | code >> 6);
  } else {
    content += static_cast<char>(0xe0 | code >> 12);
    content += static_cast<char>(0x80 | (code >> 6 & 0x3f));
  }
  content += static_cast<char>(0x80 | (code & 0x3f));
}

/// Characters that take two codes (beyond the first 65536) are not read.
bool JsonLexer::unescape(std::string &content) {
  constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  step();
  if (at == text.size())
    return false;
  if (size_t letter = letters.find(text[at]); letter != std::string_view::npos) {
    content += meanings[letter];
    step();
    return true;
  }
  uint32_t code;
  if (text[at] != 'u' || text.size() - at < 5 ||
      !absl::SimpleHexAtoi(absl::string_view(text.data() + at + 1, 4), &code) ||
      (code >= 0xd800 && code < 0xe000))
    return false;
  for (int i = 0; i < 5; ++i)
    step();
  appendUtf8(code, content);
  return true;
}

} // namespace spmd
