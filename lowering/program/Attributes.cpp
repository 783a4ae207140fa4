#include "spmd/lowering/program/Attributes.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

#include <algorithm>

namespace spmd {

const char *kindOf(const Attribute &attribute) {
  static constexpr const char *names[] = {
      "an integer", "a float", "a boolean", "a string", "a list of integers", "a list of floats"};
  return names[attribute.index()];
}

static std::string textOf(double value) {
  std::string text = absl::StrFormat("%.17g", value);
  return text.find_first_of(".eni") == std::string::npos ? text + ".0" : text;
}

namespace {
struct Printer {
  std::string operator()(int64_t value) const { return absl::StrCat(value); }
  std::string operator()(double value) const { return textOf(value); }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string &value) const {
    return absl::StrCat("\"", absl::CEscape(value), "\"");
  }
  std::string operator()(const std::vector<int64_t> &values) const {
    return absl::StrCat("[", absl::StrJoin(values, ", "), "]");
  }
  std::string operator()(const std::vector<double> &values) const {
    auto append = [](std::string *out, double value) { out->append(textOf(value)); };
    return absl::StrCat("[", absl::StrJoin(values, ", ", append), "]");
  }
};
} // namespace

std::string str(const Attribute &attribute) { return std::visit(Printer(), attribute); }

static bool nameLess(const Attributes::Entry &entry, std::string_view name) {
  return entry.first < name;
}

Attributes::Attributes(std::initializer_list<Entry> entries) {
  for (const Entry &entry : entries)
    set(entry.first, entry.second);
}

void Attributes::set(std::string name, Attribute value) {
  auto it = std::lower_bound(entries_.begin(), entries_.end(), name, nameLess);
  if (it != entries_.end() && it->first == name)
    it->second = std::move(value);
  else
    entries_.insert(it, Entry(std::move(name), std::move(value)));
}

const Attribute *Attributes::find(std::string_view name) const {
  auto it = std::lower_bound(entries_.begin(), entries_.end(), name, nameLess);
  return it != entries_.end() && it->first == name ? &it->second : nullptr;
}

} // namespace spmd
