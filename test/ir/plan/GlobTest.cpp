#include "spmd/ir/plan/Glob.h"

#include "gtest/gtest.h"

namespace spmd {
namespace {

/// The definition: the first character of the pattern decides.
bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.empty())
    return name.empty();
  if (pattern[0] == '*')
    return matches(pattern.substr(1), name) || (!name.empty() && matches(pattern, name.substr(1)));
  return !name.empty() && (pattern[0] == '?' || pattern[0] == name[0]) &&
         matches(pattern.substr(1), name.substr(1));
}

/// Returns all words over `letters` with at most `length` of them.
std::vector<std::string> words(std::string_view letters, size_t length) {
  std::vector<std::string> all = {""};
  for (size_t first = 0, n = 0; n < length; ++n) {
    size_t last = all.size();
    for (; first < last; ++first)
      for (char letter : letters)
        all.push_back(all[first] + letter);
  }
  return all;
}

TEST(GlobTest, IsTheDefinitionOnAllShortWords) {
  for (const std::string &pattern : words("ab*?", 5))
    for (const std::string &name : words("ab", 5))
      ASSERT_EQ(Glob(pattern).matches(name), matches(pattern, name)) << pattern << " " << name;
}

TEST(GlobTest, BracketsStandForThemselves) {
  EXPECT_TRUE(Glob("*['layers'][?]['up']").matches("params['layers'][0]['up']"));
  EXPECT_FALSE(Glob("[ab]").matches("a"));
}

TEST(GlobTest, ManyStarsTakeNoMoreThanTheProductOfTheLengths) {
  std::string pattern, name(100000, 'a');
  for (int i = 0; i < 100; ++i)
    pattern += "a*";
  EXPECT_FALSE(Glob(pattern + "b").matches(name));
}

} // namespace
} // namespace spmd
