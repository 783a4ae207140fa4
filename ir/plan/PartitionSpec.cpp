#include "spmd/ir/plan/PartitionSpec.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace spmd {

namespace {

/// What stands in front of the parenthesis.
constexpr const char *heads[] = {"jax.sharding.PartitionSpec", "PartitionSpec", "jax.P", "P", ""};

/// Takes the head and the opening parenthesis of `text`.
bool takeHead(absl::string_view &text) {
  text = absl::StripAsciiWhitespace(text);
  for (const char *head : heads) {
    absl::string_view rest = text;
    if (!absl::ConsumePrefix(&rest, head))
      continue;
    rest = absl::StripLeadingAsciiWhitespace(rest);
    if (!absl::ConsumePrefix(&rest, "("))
      continue;
    text = rest;
    return true;
  }
  return false;
}

class Reader {
public:
  explicit Reader(absl::string_view rest) : rest(rest) {}

  absl::StatusOr<ShardingSpec> read() {
    ShardingSpec spec;
    while (!take(")")) {
      absl::Status status = take("unreduced") ? unreduced(spec) : entry(spec.dims.emplace_back());
      if (!status.ok())
        return status;
      if (take(","))
        continue;
      if (!take(")"))
        return expected("',' or ')'");
      break;
    }
    skip();
    if (!rest.empty())
      return expected("nothing more");
    return spec;
  }

private:
  void skip() { rest = absl::StripLeadingAsciiWhitespace(rest); }

  bool take(absl::string_view token) {
    skip();
    return absl::ConsumePrefix(&rest, token);
  }

  absl::Status expected(absl::string_view what) {
    skip();
    return absl::InvalidArgumentError(absl::StrCat(
        "expected ", what, rest.empty() ? " at the end" : absl::StrCat(" before '", rest, "'")));
  }

  absl::Status entry(DimSpec &dim) {
    if (take("None"))
      return absl::OkStatus();
    for (const char *open : {"P.UNCONSTRAINED", "PartitionSpec.UNCONSTRAINED", "UNCONSTRAINED"})
      if (take(open)) {
        dim.open = true;
        return absl::OkStatus();
      }
    if (take("("))
      return names(dim.axes, ")");
    return name(dim.axes);
  }

  absl::Status name(std::vector<AxisSpec> &axes) {
    skip();
    absl::string_view quote = rest.substr(0, 1);
    size_t end = quote == "'" || quote == "\"" ? rest.find(quote[0], 1) : absl::string_view::npos;
    if (end == absl::string_view::npos)
      return expected("the name of an axis in quotes, a tuple of names, None or P.UNCONSTRAINED");
    axes.push_back({std::string(rest.substr(1, end - 1))});
    rest.remove_prefix(end + 1);
    return absl::OkStatus();
  }

  /// Reads names up to `close`.
  absl::Status names(std::vector<AxisSpec> &axes, absl::string_view close) {
    while (!take(close)) {
      if (absl::Status status = name(axes); !status.ok())
        return status;
      if (take(","))
        continue;
      if (!take(close))
        return expected(absl::StrCat("',' or '", close, "'"));
      break;
    }
    return absl::OkStatus();
  }

  absl::Status unreduced(ShardingSpec &spec) {
    if (!take("=") || !take("{"))
      return expected("'={'");
    return names(spec.unreduced, "}");
  }

  absl::string_view rest;
};

} // namespace

bool isPartitionSpec(std::string_view text) {
  absl::string_view rest(text.data(), text.size());
  return takeHead(rest);
}

absl::StatusOr<ShardingSpec> partitionSpecFromText(std::string_view text) {
  absl::string_view rest(text.data(), text.size());
  if (!takeHead(rest))
    return absl::InvalidArgumentError("expected P(..)");
  return Reader(rest).read();
}

} // namespace spmd
