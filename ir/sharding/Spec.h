// The text form of meshes and shardings: Shardy's notation.
//
//     @m, [{"x"}, {"y", ?}p1, {?}, {}], replicated={"z"}, unreduced=max{"w":(1)2}
//
// A spec names axes; a Sharding numbers them. `resolve` goes one way, `toSpec` the other. The
// grammar reads from a TokenSource, so that MLIR's lexer and a plain string share it.
#pragma once

#include "spmd/ir/sharding/Layout.h"

#include <memory>

namespace spmd {

/// An axis or sub-axis by name: "x", or "x":(pre)size. Whole if `size` is 0.
struct AxisSpec {
  std::string name;
  int64_t preSize = 1;
  int64_t size = 0;

  std::string str() const;
  friend bool operator==(const AxisSpec &a, const AxisSpec &b) {
    return a.name == b.name && a.preSize == b.preSize && a.size == b.size;
  }
  template <typename H> friend H AbslHashValue(H h, const AxisSpec &axis) {
    return H::combine(std::move(h), axis.name, axis.preSize, axis.size);
  }
};

/// The axes of one dim, as written.
struct DimSpec {
  std::vector<AxisSpec> axes;
  bool open = false;
  std::optional<int64_t> priority = std::nullopt;

  std::string str() const;
  friend bool operator==(const DimSpec &a, const DimSpec &b) {
    return a.axes == b.axes && a.open == b.open && a.priority == b.priority;
  }
  template <typename H> friend H AbslHashValue(H h, const DimSpec &dim) {
    return H::combine(std::move(h), dim.axes, dim.open, dim.priority);
  }
};

/// A sharding as written, without its mesh.
struct ShardingSpec {
  std::vector<DimSpec> dims;
  std::vector<AxisSpec> replicated;
  std::vector<AxisSpec> unreduced;
  ReductionKind kind = ReductionKind::sum;

  /// Returns `[{"x"}, {?}], replicated={..}, unreduced={..}`.
  std::string str() const;
  friend bool operator==(const ShardingSpec &a, const ShardingSpec &b) {
    return a.dims == b.dims && a.replicated == b.replicated && a.unreduced == b.unreduced &&
           a.kind == b.kind;
  }
  template <typename H> friend H AbslHashValue(H h, const ShardingSpec &spec) {
    return H::combine(std::move(h), spec.dims, spec.replicated, spec.unreduced, spec.kind);
  }
};

/// Returns `spec` with its axes looked up in `mesh`.
///
/// InvalidArgument if the mesh has no such axis, or the part is not one of the axis: its sizes are
/// not positive, or preSize * size does not divide the axis, or it is the whole axis written as a
/// part.
absl::StatusOr<AxisRef> resolve(const Mesh &mesh, const AxisSpec &spec);
absl::StatusOr<AxisList> resolve(const Mesh &mesh, absl::Span<const AxisSpec> specs);
absl::StatusOr<Sharding> resolve(const Mesh &mesh, const ShardingSpec &spec);

/// Returns the named form of what lies on `mesh`.
AxisSpec toSpec(const Mesh &mesh, const AxisRef &axis);
std::vector<AxisSpec> toSpecs(const Mesh &mesh, absl::Span<const AxisRef> axes);
ShardingSpec toSpec(const Mesh &mesh, const Sharding &sharding);

/// Returns `"x", "y":(1)2`, the axes with commas between.
std::string str(absl::Span<const AxisSpec> axes);

/// Where the grammar reads from. An `expect` or `fail` has told the user what is wrong when it
/// returns false; reading stops there.
class TokenSource {
public:
  virtual ~TokenSource() = default;
  /// Consumes `punctuation`, one of `{ } [ ] < > ( ) , = : ? *`, if it comes next.
  virtual bool consume(char punctuation) = 0;
  virtual bool expect(char punctuation) = 0;
  /// Consumes `->`.
  virtual bool expectArrow() = 0;
  /// Consumes a bare word if one comes next, and returns it.
  virtual std::optional<std::string> word() = 0;
  /// Consumes the word `keyword` if it comes next.
  virtual bool consumeWord(std::string_view keyword) = 0;
  virtual std::optional<std::string> string() = 0;
  virtual std::optional<int64_t> integer() = 0;
  /// Reports `message` at the next token; always returns false.
  virtual bool fail(const std::string &message) = 0;
  /// Returns whether nothing follows; reports it if something does.
  virtual bool atEnd() = 0;
};

/// Returns a source over `text`, with line and column in its messages. What it reports first is
/// written to `error`. Both must outlive it.
std::unique_ptr<TokenSource> tokensOf(std::string_view text, std::string &error);

/// Reads `open element, element, .. close`. `element` reads one, and returns false where a parse
/// function would.
template <typename Element>
bool parseList(TokenSource &tokens, char open, char close, Element element) {
  if (!tokens.expect(open))
    return false;
  if (tokens.consume(close))
    return true;
  do {
    if (!element())
      return false;
  } while (tokens.consume(','));
  return tokens.expect(close);
}

/// Reads `["x"=2, "y"=4], device_ids=[..]`, what stands inside the angle brackets of a mesh.
bool parseMesh(TokenSource &tokens, Mesh &mesh);

/// Reads `"x"` or `"x":(1)2`.
bool parseAxis(TokenSource &tokens, AxisSpec &axis);

/// Reads `{"x", "y":(1)2}`.
bool parseAxes(TokenSource &tokens, std::vector<AxisSpec> &axes);

/// Reads `{"x", ?}p1`.
bool parseDim(TokenSource &tokens, DimSpec &dim);

/// Reads `[{"x"}, {}], replicated={..}, unreduced={..}`.
bool parseSharding(TokenSource &tokens, ShardingSpec &spec);

/// Reads all of `text` as a mesh `<["x"=2]>` or as a sharding `[{"x"}, {}]`.
/// InvalidArgument with line and column if it is none.
absl::StatusOr<Mesh> meshFromText(std::string_view text);
absl::StatusOr<ShardingSpec> shardingFromText(std::string_view text);

} // namespace spmd
