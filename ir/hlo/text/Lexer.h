// Reads HLO text, token by token.
//
// Most functions skip white space and comments, then read one token. Those that return bool fail at
// most once: the first failure is kept with its position, and its readers return false up to the
// top.
#pragma once

#include "absl/status/status.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace spmd::hlo {

class Lexer {
public:
  explicit Lexer(std::string_view text)
      : text(text), next(text.data()), end(text.data() + text.size()) {}

  /// How deep tuples, literals and shardings may nest; the stack is finite.
  static constexpr int mostNested = 100;

  /// Returns the next character without reading it, 0 at the end.
  char peek() {
    skip();
    return next == end ? '\0' : *next;
  }
  /// Reads `token` if it is next.
  bool consume(char token) {
    if (peek() != token || next == end)
      return false;
    ++next;
    return true;
  }
  bool consume(std::string_view token);
  /// Reads the word `expected` if it is next, and not just the start of a longer one.
  bool consumeWord(std::string_view expected);
  /// Fails unless `token` is next.
  bool expect(char token);

  /// Returns the next word, `[A-Za-z_][A-Za-z0-9_.-]*`, or nothing.
  std::string_view word();
  /// Reads the name of an instruction or a computation, with or without `%` before it.
  bool name(std::string_view &result, const char *what);
  /// Reads a number with a sign; what does not fit 64 bits fails.
  bool integer(int64_t &result, const char *what);
  /// Returns the next number as it is written, also `inf`, `-nan`, `nan(0x1)`; nothing if none is
  /// next.
  std::string_view number();
  bool boolean(bool &result);
  /// Reads a string in double quotes and undoes its escapes. Only bytes may be no UTF-8 then.
  bool quoted(std::string &result, bool isBytes = false);
  /// Fails if the text is no UTF-8, which strings of messages must be.
  bool checkText();
  /// Reads `{ .. }` as it is written, with all that is inside.
  bool braced(std::string_view &result);
  /// Reads up to the comma or closing bracket that ends a value, as it is written.
  bool value(std::string_view &result);

  /// Keeps `message` and the position of the next token, unless there is a failure already. Returns
  /// false.
  bool fail(std::string message);
  /// As fail, at a place that was read before.
  bool failAt(const char *place, std::string message);
  /// As fail, and says what was seen instead.
  bool failExpected(std::string_view expected);
  bool failed() const { return !message.empty(); }
  absl::Status status() const;

  const char *position() {
    skip();
    return next;
  }
  void moveTo(const char *place) { next = place; }
  /// Returns how much there is to read; no list is longer.
  int64_t remaining() const { return end - next; }

  /// Counts the nested levels of a recursive reader.
  class Nesting {
  public:
    explicit Nesting(Lexer &lexer) : lexer(lexer) { ++lexer.depth; }
    ~Nesting() { --lexer.depth; }
    /// Fails where there are too many.
    bool check() { return lexer.depth <= mostNested || lexer.fail("more than 100 nested levels"); }

  private:
    Lexer &lexer;
  };

private:
  void skip() {
    // Nearly always there is one space or none.
    while (next != end && (*next == ' ' || *next == '\n'))
      ++next;
    if (next != end && (*next == '/' || *next == '\t' || *next == '\r'))
      skipComments();
  }
  void skipComments();
  bool skipString();

  std::string_view text;
  const char *next;
  const char *end;
  int depth = 0;
  std::string message;
  const char *failure = nullptr;
};

/// Reads `open element, element, .. close`; a comma before the end is allowed.
template <typename Element> bool parseList(Lexer &lexer, char open, char close, Element element) {
  if (!lexer.expect(open))
    return false;
  while (!lexer.consume(close)) {
    if (!element())
      return false;
    if (!lexer.consume(',') && lexer.peek() != close)
      return lexer.failExpected(std::string("',' or '") + close + "'");
  }
  return true;
}

/// Reads `open 1, 2, .. close` into a repeated field or a vector.
template <typename List>
bool parseIntegers(Lexer &lexer, char open, char close, List &list, const char *what) {
  return parseList(lexer, open, close, [&] {
    int64_t number;
    if (!lexer.integer(number, what))
      return false;
    list.Add(number);
    return true;
  });
}

} // namespace spmd::hlo
