// The words of a JSON text, one after the other, each with its place.
#pragma once

#include "spmd/ir/plan/Plan.h"

namespace spmd {

struct JsonToken {
  enum class Kind { punctuation, string, number, word, end, wrong };
  Kind kind = Kind::end;
  /// The character, the text without quotes and escapes, the digits, the word, or what is wrong.
  std::string text;
  PlanPlace place;

  bool is(char punctuation) const {
    return kind == Kind::punctuation && text.front() == punctuation;
  }
};

class JsonLexer {
public:
  explicit JsonLexer(std::string_view text) : text(text) {}

  /// Returns the next word. After one that is wrong, and at the end, it stays there.
  JsonToken next();

private:
  JsonToken string(PlanPlace place);
  bool unescape(std::string &content);
  void step();

  std::string_view text;
  size_t at = 0;
  PlanPlace here = {1, 1};
};

} // namespace spmd
