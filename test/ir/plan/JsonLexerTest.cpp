#include "spmd/ir/plan/JsonLexer.h"

#include <gtest/gtest.h>

namespace spmd {
namespace {

// What stands behind the text in memory is no part of it.
TEST(JsonLexer, EndsWithItsText) {
  std::string_view whole = "[1]  ,\"a\"";
  for (size_t size = 0; size <= 5; ++size) {
    JsonLexer lexer(whole.substr(0, size));
    int count = 0;
    while (lexer.next().kind != JsonToken::Kind::end)
      ++count;
    EXPECT_EQ(count, std::min<int>(size, 3)) << size;
    EXPECT_EQ(lexer.next().kind, JsonToken::Kind::end);
  }
}

} // namespace
} // namespace spmd
