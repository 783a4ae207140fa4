#include "spmd/passes/plan/Statements.h"

#include "absl/strings/str_cat.h"

namespace spmd {

namespace {

/// The style of an entry, applied to a tensor.
class StyleReader {
public:
  StyleReader(const PlanClaim &claim, const PlanTarget &target, const PlanContext &context)
      : target(target), context(context), shape(target.type().getShape()) {
    wish.entry = claim.entry;
  }

  absl::StatusOr<Wish> operator()(const ShardingStatement &statement) {
    return complete(statement.spec);
  }

  absl::StatusOr<Wish> complete(const PlanSharding &sharding) {
    ShardingSpec spec = sharding;
    if (sharding.isOfFirstDims && spec.dims.size() < shape.size())
      spec.dims.resize(shape.size());
    if (spec.dims.size() != shape.size())
      return absl::InvalidArgumentError(absl::StrCat("sharding has ", spec.dims.size(), " dims, ",
                                                     target.describe(), " has ", shape.size()));
    wish.sharding = std::move(spec);
    return wish;
  }

  absl::StatusOr<Wish> operator()(const PlacementStatement &statement) {
    if (!target.type().hasStaticShape())
      return absl::InvalidArgumentError(
          absl::StrCat(target.describe(), " has a dynamic dim; placements need static shapes"));
    absl::StatusOr<Sharding> sharding = shardingOf(*context.mesh, statement.placements,
                                                   absl::MakeConstSpan(shape.data(), shape.size()));
    if (!sharding.ok())
      return absl::InvalidArgumentError(
          absl::StrCat(target.describe(), ": ", std::string(sharding.status().message())));
    return complete(PlanSharding{toSpec(*context.mesh, *sharding)});
  }

  absl::StatusOr<Wish> operator()(const FullyShardedStatement &statement) {
    wish.axes = statement.axes;
    wish.replicated = statement.replicated;
    wish.takesLargest = !shape.empty();
    wish.closes = true;
    return wish;
  }

  absl::StatusOr<Wish> operator()(const DimStatement &statement) {
    wish.axes = statement.axes;
    wish.dim = dimOf(statement.dim);
    if (wish.dim)
      return wish;
    if (!statement.mayLackDim || shape.size() > 1)
      return noSuchDim(std::string(statement.style), statement.dim);
    wish.closes = true;
    return wish;
  }

  absl::StatusOr<Wish> operator()(const ChangeStatement &statement) {
    return complete(statement.to);
  }

  absl::StatusOr<Wish> operator()(const TensorParallelStatement &statement) {
    wish.axes = statement.axes;
    wish.closes = true;
    const char *style = statement.isColwise ? "colwise" : "rowwise";
    if (statement.dim) {
      wish.dim = dimOf(*statement.dim);
      return wish.dim ? absl::StatusOr<Wish>(wish) : noSuchDim(style, *statement.dim);
    }
    const ParameterUse &use = context.uses()[target.index];
    if (use.isInProduct()) {
      llvm::ArrayRef<int64_t> dims = statement.isColwise ? use.kept : use.summed;
      if (dims.empty())
        return absl::InvalidArgumentError(
            absl::StrCat(target.describe(), " has no dim that its product ",
                         statement.isColwise ? "keeps" : "sums over", "; give ", style, " a dim"));
      wish.dim = chosen(dims, shape);
      return wish;
    }
    if (use.partner == ParameterUse::none)
      return absl::InvalidArgumentError(
          absl::StrCat(target.describe(), " is in no product and added to none, so ", style,
                       " means nothing for it; give it a sharding, or ", style, " a dim"));
    if (statement.isColwise)
      wish.dim = dimOfBias(use);
    return wish;
  }

private:
  /// Returns dim `dim`, counted from the end if negative; nothing if there is none.
  std::optional<int64_t> dimOf(int64_t dim) const {
    int64_t rank = shape.size();
    if (dim < 0)
      dim += rank;
    return dim >= 0 && dim < rank ? std::optional(dim) : std::nullopt;
  }

  absl::Status noSuchDim(const std::string &style, int64_t dim) const {
    return absl::InvalidArgumentError(absl::StrCat(
        style, " splits dim ", dim, ", and ", target.describe(), " has ", shape.size(), " dims"));
  }

  /// The first of `dims` that the axes split evenly, or else the first.
  int64_t chosen(llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> sizes) const {
    int64_t count = 1;
    for (const AxisSpec &axis : wish.axes)
      if (absl::StatusOr<AxisRef> ref = resolve(*context.mesh, axis); ref.ok())
        count *= ref->size;
    const auto *even = llvm::find_if(dims, [&](int64_t dim) { return sizes[dim] % count == 0; });
    return even == dims.end() ? dims.front() : *even;
  }

  /// What is added to a product splits as the product does, and so as the weight.
  std::optional<int64_t> dimOfBias(const ParameterUse &use) const {
    if (use.partnerKept.empty())
      return std::nullopt;
    PlanTarget partner{target.kind, target.op, static_cast<unsigned>(use.partner)};
    int64_t split = chosen(use.partnerKept, partner.type().getShape());
    const auto *own = llvm::find(use.partnerDims, split);
    if (own == use.partnerDims.end())
      return std::nullopt;
    return own - use.partnerDims.begin();
  }

  const PlanTarget &target;
  const PlanContext &context;
  llvm::ArrayRef<int64_t> shape;
  Wish wish;
};

void append(const ShardingSpec &spec, std::vector<AxisSpec> &axes) {
  for (const DimSpec &dim : spec.dims)
    llvm::append_range(axes, dim.axes);
  llvm::append_range(axes, spec.replicated);
  llvm::append_range(axes, spec.unreduced);
}

} // namespace

absl::StatusOr<Wish> wishOf(const PlanClaim &claim, const PlanTarget &target,
                            const PlanContext &context) {
  StyleReader reader(claim, target, context);
  return claim.spec ? reader.complete(*claim.spec) : std::visit(reader, claim.entry->statement);
}

std::vector<AxisSpec> axesOf(const PlanEntry &entry) {
  struct {
    std::vector<AxisSpec> axes;
    void operator()(const ShardingStatement &each) { append(each.spec, axes); }
    void operator()(const PlacementStatement &) {}
    void operator()(const TensorParallelStatement &each) { axes = each.axes; }
    void operator()(const DimStatement &each) { axes = each.axes; }
    void operator()(const FullyShardedStatement &each) {
      axes = each.axes;
      llvm::append_range(axes, each.replicated);
    }
    void operator()(const ChangeStatement &each) {
      if (each.from)
        append(*each.from, axes);
      append(each.to, axes);
    }
  } collector;
  std::visit(collector, entry.statement);
  return collector.axes;
}

} // namespace spmd
