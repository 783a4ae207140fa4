// Patterns over names: `*` stands for any text, `?` for one character, all else for itself.
//
// Brackets are not special: names of parameters are full of them (`params['layers'][0]['up']`).
#pragma once

#include <string>
#include <string_view>

namespace spmd {

class Glob {
public:
  Glob() = default;
  explicit Glob(std::string pattern) : pattern(std::move(pattern)) {}

  /// Returns whether the whole of `name` is what the pattern stands for. Takes at most the product
  /// of both lengths.
  bool matches(std::string_view name) const;

  /// Whether it stands for one name alone.
  bool isName() const { return pattern.find_first_of("*?") == std::string::npos; }

  const std::string &str() const { return pattern; }

private:
  std::string pattern;
};

} // namespace spmd
