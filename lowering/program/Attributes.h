// The named constants of an instruction.
#pragma once

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace spmd {

/// One attribute value. A list of integers also stands for dims, pairs (flattened) and shapes.
using Attribute =
    std::variant<int64_t, double, bool, std::string, std::vector<int64_t>, std::vector<double>>;

/// Returns what kind of value `attribute` holds: "an integer", "a list of integers", ...
const char *kindOf(const Attribute &attribute);

/// Returns `3`, `2.5`, `true`, `"text"`, `[1, 2]` or `[1.0, 2.5]`; a float always has a point or
/// exponent.
std::string str(const Attribute &attribute);

/// Attributes sorted by name, each name once.
class Attributes {
public:
  using Entry = std::pair<std::string, Attribute>;

  Attributes() = default;
  Attributes(std::initializer_list<Entry> entries);

  /// Adds `name`, or replaces its value.
  void set(std::string name, Attribute value);

  /// Returns the value, or null if there is none.
  const Attribute *find(std::string_view name) const;
  bool contains(std::string_view name) const { return find(name) != nullptr; }

  /// Returns the value as a T (int64_t, double, bool, std::string or a vector).
  /// InvalidArgument, naming the attribute, if there is none or it is of another kind.
  template <typename T> absl::StatusOr<T> get(std::string_view name) const;

  /// As `get`, but an absent attribute is `fallback`.
  template <typename T> absl::StatusOr<T> getOr(std::string_view name, T fallback) const {
    return contains(name) ? get<T>(name) : absl::StatusOr<T>(std::move(fallback));
  }

  bool empty() const { return entries_.empty(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  friend bool operator==(const Attributes &a, const Attributes &b) {
    return a.entries_ == b.entries_;
  }

private:
  std::vector<Entry> entries_;
};

template <typename T> absl::StatusOr<T> Attributes::get(std::string_view name) const {
  std::string quoted = "'" + std::string(name) + "'";
  const Attribute *attribute = find(name);
  if (!attribute)
    return absl::InvalidArgumentError(absl::StrCat("attribute ", quoted, " is missing"));
  if (const T *value = std::get_if<T>(attribute))
    return *value;
  return absl::InvalidArgumentError(absl::StrCat("attribute ", quoted, " is ", kindOf(*attribute),
                                                 "; expected ", kindOf(Attribute(T()))));
}

} // namespace spmd
