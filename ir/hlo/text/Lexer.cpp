// Tokens of HLO text.

#include "spmd/ir/hlo/text/Lexer.h"

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace spmd::hlo {

enum : uint8_t { WordStart = 1, WordPart = 2, NumberPart = 4 };

static constexpr std::array<uint8_t, 256> classes = [] {
  std::array<uint8_t, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c)
    table[c] = table[c - 'a' + 'A'] = WordStart | WordPart;
  for (int c = '0'; c <= '9'; ++c)
    table[c] = WordPart | NumberPart;
  table['_'] = WordStart | WordPart;
  table['.'] = WordPart | NumberPart;
  table['-'] = WordPart | NumberPart;
  table['+'] = table['e'] = table['E'] = NumberPart;
  table['e'] |= WordStart | WordPart;
  table['E'] |= WordStart | WordPart;
  return table;
}();

static bool is(char c, uint8_t what) { return classes[static_cast<uint8_t>(c)] & what; }

void Lexer::skipComments() {
  while (next != end) {
    if (*next == ' ' || *next == '\n' || *next == '\t' || *next == '\r') {
      ++next;
      continue;
    }
    if (*next != '/' || next + 1 == end || (next[1] != '/' && next[1] != '*'))
      return;
    std::string_view rest(next, end - next);
    bool line = next[1] == '/';
    size_t close = rest.find(line ? "\n" : "*/", 2);
    if (!line && close == std::string_view::npos)
      failAt(next, "the comment has no end");
    next = close == std::string_view::npos ? end : next + close + (line ? 1 : 2);
  }
}

bool Lexer::consume(std::string_view token) {
  skip();
  if (std::string_view(next, end - next).substr(0, token.size()) != token)
    return false;
  next += token.size();
  return true;
}

bool Lexer::consumeWord(std::string_view expected) {
  const char *start = position();
  if (word() == expected)
    return true;
  next = start;
  return false;
}

bool Lexer::expect(char token) {
  return consume(token) || failExpected(std::string("'") + token + "'");
}

std::string_view Lexer::word() {
  skip();
  const char *start = next;
  if (next == end || !is(*next, WordStart))
    return {};
  do
    ++next;
  while (next != end && is(*next, WordPart) &&
         !(*next == '-' && next + 1 != end && next[1] == '>'));
  return {start, static_cast<size_t>(next - start)};
}

bool Lexer::name(std::string_view &result, const char *what) {
  consume('%');
  const char *start = position();
  while (next != end && is(*next, WordPart) && !(*next == '-' && next + 1 != end && next[1] == '>'))
    ++next;
  result = {start, static_cast<size_t>(next - start)};
  return !result.empty() || failExpected(what);
}

bool Lexer::integer(int64_t &result, const char *what) {
  skip();
  auto [rest, error] = std::from_chars(next, end, result);
  if (error == std::errc::result_out_of_range)
    return fail(absl::StrCat(what, " does not fit 64 bits"));
  if (error != std::errc())
    return failExpected(what);
  next = rest;
  return true;
}

std::string_view Lexer::number() {
  skip();
  const char *start = next;
  if (next != end && (*next == '-' || *next == '+'))
    ++next;
  std::string_view rest(next, end - next);
  if (rest.substr(0, 3) == "inf") {
    next += 3;
  } else if (rest.substr(0, 3) == "nan") {
    next += 3;
    if (next != end && *next == '(') {
      size_t close = rest.find(')');
      next = close == std::string_view::npos ? end : rest.data() + close + 1;
    }
  } else {
    while (next != end && is(*next, NumberPart))
      ++next;
  }
  return {start, static_cast<size_t>(next - start)};
}

bool Lexer::boolean(bool &result) {
  if (consumeWord("true") || consume('1')) {
    result = true;
    return true;
  }
  if (consumeWord("false") || consume('0')) {
    result = false;
    return true;
  }
  return failExpected("'true' or 'false'");
}

bool Lexer::skipString() {
  for (++next; next != end && *next != '"'; ++next)
    if (*next == '\\' && next + 1 != end)
      ++next;
  if (next == end)
    return false;
  ++next;
  return true;
}

/// Returns where `text` stops to be UTF-8: at a byte that starts no character, or at one that is
/// cut short or encoded in more bytes than it needs; its size if it does not.
static size_t endOfUtf8(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    uint64_t eight;
    if (at + sizeof(eight) <= text.size()) {
      std::memcpy(&eight, text.data() + at, sizeof(eight));
      if ((eight & 0x8080808080808080u) == 0) {
        at += sizeof(eight);
        continue;
      }
    }
    auto byte = [&](size_t i) { return i < text.size() ? static_cast<uint8_t>(text[i]) : 0u; };
    uint32_t first = byte(at), length = 1;
    if (first >= 0x80) {
      length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
      uint32_t code = first & (0xffu >> (length + 1));
      for (uint32_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xc0) != 0x80)
          return at;
        code = code << 6 | (byte(at + i) & 0x3f);
      }
      constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
      bool isSurrogate = code >= 0xd800 && code < 0xe000;
      if (first < 0xc0 || first > 0xf4 || code < least[length] || code > 0x10ffff || isSurrogate)
        return at;
    }
    at += length;
  }
  return text.size();
}

bool Lexer::checkText() {
  size_t valid = endOfUtf8(text);
  return valid == text.size() || failAt(text.data() + valid, "the text is no UTF-8");
}

bool Lexer::quoted(std::string &result, bool isBytes) {
  if (peek() != '"')
    return failExpected("a string in quotes");
  const char *start = next;
  if (!skipString())
    return failAt(start, "the string has no end");
  absl::string_view inside(start + 1, next - start - 2);
  if (inside.find('\\') == absl::string_view::npos) {
    result.assign(inside.data(), inside.size());
    return true;
  }
  std::string error;
  if (!absl::CUnescape(inside, &result, &error))
    return failAt(start, absl::StrCat("the string has a wrong escape: ", error));
  return isBytes || endOfUtf8(result) == result.size() || failAt(start, "the string is no UTF-8");
}

bool Lexer::braced(std::string_view &result) {
  if (peek() != '{')
    return failExpected("'{'");
  const char *start = next;
  int64_t open = 0;
  while (next != end) {
    if (*next == '"') {
      if (!skipString())
        break;
      continue;
    }
    open += *next == '{' ? 1 : *next == '}' ? -1 : 0;
    ++next;
    if (open == 0) {
      result = {start, static_cast<size_t>(next - start)};
      return true;
    }
  }
  return failAt(start, "the '{' is not closed");
}

bool Lexer::value(std::string_view &result) {
  const char *start = position();
  int64_t open = 0;
  while (next != end) {
    if (*next == '"') {
      if (!skipString())
        return failAt(start, "the string has no end");
      continue;
    }
    bool opens = *next == '{' || *next == '(' || *next == '[';
    bool closes = *next == '}' || *next == ')' || *next == ']';
    if (open == 0 && (closes || *next == ',' || *next == '\n'))
      break;
    open += opens ? 1 : closes ? -1 : 0;
    ++next;
  }
  result = {start, static_cast<size_t>(next - start)};
  return !result.empty() || failExpected("a value");
}

bool Lexer::fail(std::string what) { return failAt(position(), std::move(what)); }

bool Lexer::failAt(const char *place, std::string what) {
  if (message.empty()) {
    message = std::move(what);
    failure = place;
  }
  return false;
}

bool Lexer::failExpected(std::string_view expected) {
  const char *start = position();
  std::string seen = "the end of the text";
  if (start != end) {
    size_t length = 1;
    while (is(*start, WordPart) && start + length != end && is(start[length], WordPart) &&
           length < 40)
      ++length;
    seen = absl::ascii_isprint(*start) ? std::string(start, length) : absl::CHexEscape({start, 1});
    seen = absl::StrCat("'", seen, "'");
  }
  next = start;
  return failAt(start,
                absl::StrCat("expected ", absl::string_view(expected.data(), expected.size()),
                             ", got ", seen));
}

absl::Status Lexer::status() const {
  if (!failed())
    return absl::OkStatus();
  int64_t line = std::count(text.begin(), failure, '\n') + 1;
  const char *start = failure;
  while (start != text.data() && start[-1] != '\n')
    --start;
  return absl::InvalidArgumentError(absl::StrCat(line, ":", failure - start + 1, ": ", message));
}

} // namespace spmd::hlo
