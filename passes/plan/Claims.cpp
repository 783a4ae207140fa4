#include "spmd/passes/plan/Claims.h"

namespace spmd {

WishJoiner::WishJoiner(const Mesh &mesh, llvm::ArrayRef<int64_t> shape) : mesh(mesh), shape(shape) {
  result.dims.resize(shape.size());
}

static int rankOf(const Wish &wish) { return wish.sharding ? 0 : wish.takesLargest ? 2 : 1; }

std::optional<Contradiction> WishJoiner::join(std::vector<Wish> wishes) {
  std::vector<const Wish *> order;
  for (const Wish &wish : wishes)
    order.push_back(&wish);
  llvm::sort(order, [](const Wish *a, const Wish *b) { // Those alike stay in order.
    return std::tuple(a->entry->priority, rankOf(*a), a) <
           std::tuple(b->entry->priority, rankOf(*b), b);
  });
  for (const Wish *next : order) {
    const Wish &wish = *next;
    const Wish *opponent = add(wish);
    if (opponent && opponent->entry->priority == wish.entry->priority)
      return Contradiction{opponent->entry, wish.entry, alone(*opponent), alone(wish)};
    if (!opponent)
      added.push_back(&wish);
  }
  bool isClosed = complete || llvm::any_of(added, [](const Wish *each) { return each->closes; });
  for (DimSpec &dim : result.dims)
    if (!isClosed && dim.axes.empty())
      dim.open = true;
  if (absl::StatusOr<AxisList> replicated = resolve(mesh, result.replicated); replicated.ok()) {
    llvm::sort(*replicated); // They stand in mesh order.
    result.replicated = toSpecs(mesh, *replicated);
  }
  return std::nullopt;
}

std::string WishJoiner::alone(const Wish &wish) const {
  WishJoiner joiner(mesh, shape);
  joiner.join({wish});
  return joiner.sharding().str();
}

/// Returns null, or what `wish` does not go with.
const Wish *WishJoiner::add(const Wish &wish) {
  if (wish.sharding) {
    if (complete)
      return *complete->sharding == *wish.sharding ? nullptr : complete;
    if (!added.empty())
      return added.front();
    complete = &wish;
    result = *wish.sharding;
    for (DimSpec &dim : result.dims)
      setPriority(dim, wish);
    return nullptr;
  }
  if (const Wish *user = userOf(wish.replicated))
    return user;
  std::optional<int64_t> dim = wish.takesLargest ? freeDim(wish) : wish.dim;
  const Wish *opponent = dim ? addToDim(wish, *dim) : userOf(wish.axes);
  if (!opponent && !complete)
    llvm::append_range(result.replicated, wish.replicated);
  return opponent;
}

const Wish *WishJoiner::addToDim(const Wish &wish, int64_t dim) {
  DimSpec &target = result.dims[dim];
  bool hasAll = llvm::all_of(
      wish.axes, [&](const AxisSpec &axis) { return llvm::is_contained(target.axes, axis); });
  if (hasAll)
    return nullptr;
  if (const Wish *user = userOf(wish.axes))
    return user;
  if (complete && !target.open)
    return complete;
  llvm::append_range(target.axes, wish.axes);
  setPriority(target, wish);
  return nullptr;
}

/// The dim that has the axes already; else the largest of those without any, the first on ties;
/// else the largest of all.
std::optional<int64_t> WishJoiner::freeDim(const Wish &wish) const {
  std::optional<int64_t> best;
  for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d) {
    const DimSpec &dim = result.dims[d];
    if (overlap(dim.axes, wish.axes))
      return d;
    auto worth = [&](int64_t each) {
      return std::pair(result.dims[each].axes.empty() && (!complete || result.dims[each].open),
                       shape[each]);
    };
    if (!best || worth(d) > worth(*best))
      best = d;
  }
  return best;
}

/// Returns the wish that has put some of `axes` to use, or null.
const Wish *WishJoiner::userOf(llvm::ArrayRef<AxisSpec> axes) const {
  auto isUsed = [&](const ShardingSpec &spec) {
    return overlap(spec.replicated, axes) || overlap(spec.unreduced, axes) ||
           llvm::any_of(spec.dims, [&](const DimSpec &dim) { return overlap(dim.axes, axes); });
  };
  if (!isUsed(result))
    return nullptr;
  for (const Wish *each : added)
    if (each->sharding ? isUsed(*each->sharding)
                       : overlap(each->axes, axes) || overlap(each->replicated, axes))
      return each;
  return added.empty() ? complete : added.front();
}

bool WishJoiner::overlap(llvm::ArrayRef<AxisSpec> a, llvm::ArrayRef<AxisSpec> b) const {
  absl::StatusOr<AxisList> left = resolve(mesh, absl::MakeConstSpan(a.data(), a.size()));
  absl::StatusOr<AxisList> right = resolve(mesh, absl::MakeConstSpan(b.data(), b.size()));
  return left.ok() && right.ok() &&
         llvm::any_of(*left, [&](const AxisRef &axis) { return overlaps(axis, *right); });
}

void WishJoiner::setPriority(DimSpec &dim, const Wish &wish) const {
  if (wish.entry->priority > 0 && !dim.priority && (!dim.axes.empty() || dim.open))
    dim.priority = wish.entry->priority;
}

} // namespace spmd
