#include "spmd/ir/reshard/Route.h"

#include <algorithm>
#include <cassert>

namespace spmd {

/// Returns how often `prime` divides `number`.
static int exponent(int64_t number, int64_t prime) {
  int count = 0;
  for (; number % prime == 0; number /= prime)
    ++count;
  return count;
}

static std::vector<int64_t> primesOf(int64_t number) {
  std::vector<int64_t> primes;
  for (int64_t p = 2; number > 1; ++p) {
    if (p * p > number)
      p = number;
    if (number % p != 0)
      continue;
    primes.push_back(p);
    while (number % p == 0)
      number /= p;
  }
  return primes;
}

/// Removes a part of size `prime` from the minor end of `list`, if it has one there.
static std::optional<AxisRef> popMinor(AxisList &list, int32_t prime) {
  if (list.empty() || list.back().size % prime != 0)
    return std::nullopt;
  AxisRef &last = list.back();
  int32_t major = last.size / prime;
  AxisRef part{last.axis, last.preSize * major, prime};
  if (major == 1)
    list.pop_back();
  else
    last.size = major;
  return part;
}

/// Returns the axes that both lists have.
static AxisList common(const AxisList &a, const AxisList &b) {
  AxisList result;
  for (const AxisRef &x : a)
    for (const AxisRef &y : b) {
      if (!overlaps(x, y))
        continue;
      int64_t begin = std::max(x.preSize, y.preSize), end = std::min(x.end(), y.end());
      if (begin % x.preSize == 0 && begin % y.preSize == 0 && end % begin == 0 &&
          x.end() % end == 0 && y.end() % end == 0)
        result.push_back({x.axis, static_cast<int32_t>(begin), static_cast<int32_t>(end / begin)});
    }
  return result;
}

static AxisList joined(AxisList a, const AxisList &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

namespace {

/// One end of a reshard, which grows towards the other: per dim the axes it has there, and the axes
/// that cut no dim.
struct End {
  const Mesh *mesh;
  Sharding sharding;
  /// Shares first: a reduce-scatter or an expansion is cheaper than what else happens to them.
  AxisList spare;

  End(const Mesh &mesh, const Sharding &sharding, const AxisList &kept)
      : mesh(&mesh), sharding(sharding) {
    AxisList used = sharding.usedAxes();
    AxisList idle = complement(mesh, used);
    AxisList rest = joined(idle, kept);
    for (const DimSharding &dim : sharding.dims)
      rest = joined(rest, dim.axes);
    spare = joined(complement(mesh, rest), idle);
  }

  int countOf(int dim, int64_t prime) const {
    return exponent(sizeOf(sharding.dims[dim].axes), prime);
  }
  void append(int dim, const AxisRef &part) { appendMerged(sharding.dims[dim].axes, part); }

  /// Cuts dim `dim` by `prime` with an axis that cuts no dim. Returns false if there is none.
  bool takeSpare(int dim, int32_t prime) {
    for (AxisRef &ref : spare) {
      if (ref.size % prime != 0)
        continue;
      AxisRef part{ref.axis, ref.preSize, prime};
      ref = {ref.axis, ref.preSize * prime, ref.size / prime};
      append(dim, part);
      return true;
    }
    return false;
  }
  int numSpare(int64_t prime) const { return exponent(sizeOf(spare), prime); }
};

/// Finds the pair of shardings with equal shard counts.
class Router {
public:
  Router(const Mesh &from, const Sharding &source, const Mesh &to, const Sharding &target)
      : rank(source.rank()), isOneMesh(&from == &to), source(source), target(target),
        near(from, source, keptOf(source.unreduced)), far(to, target, keptOf(target.unreduced)),
        primes(primesOf(from.numDevices())) {}

  std::vector<Stop> run() {
    moveFromNear();
    for (int64_t prime : primes)
      for (int d = 0; d < rank; ++d)
        while (missing(d, prime) > 0 && near.takeSpare(d, prime))
          ;
    moveToFar();
    for (int64_t prime : primes)
      for (int d = 0; d < rank; ++d)
        if (missing(d, prime) > 0)
          return viaReordered();
    for (int64_t prime : primes)
      for (int d = 0; d < rank; ++d)
        while (missing(d, prime) < 0) {
          bool taken = far.takeSpare(d, prime);
          assert(taken && "both meshes have the same primes");
          (void)taken;
        }
    close(near.sharding, source);
    close(far.sharding, target);
    return join();
  }

private:
  /// Returns which of the shares of one end stay shares: over one mesh those that both ends have, over
  /// two all or none.
  AxisList keptOf(const AxisList &shares) const {
    if (source.kind != target.kind)
      return {};
    if (isOneMesh)
      return common(source.unreduced, target.unreduced);
    return sizeOf(source.unreduced) == sizeOf(target.unreduced) ? shares : AxisList();
  }

  /// How often `prime` should cut `dim` more than it does.
  int missing(int dim, int64_t prime) const {
    return far.countOf(dim, prime) - near.countOf(dim, prime);
  }
  /// How many axes of size `prime` must change dims because none is spare.
  int mustMove(int64_t prime) const {
    int total = 0;
    for (int d = 0; d < rank; ++d)
      total += std::max(missing(d, prime), 0);
    return std::max(total - near.numSpare(prime), 0);
  }
  int dimMissing(int64_t prime) const {
    for (int d = 0; d < rank; ++d)
      if (missing(d, prime) > 0)
        return d;
    return none;
  }

  /// Moves minor axes of the source from dims that have too many of a prime.
  void moveFromNear() {
    for (bool moved = true; moved;) {
      moved = false;
      for (int64_t prime : primes)
        for (int d = 0; d < rank && mustMove(prime) > 0; ++d)
          if (missing(d, prime) < 0)
            if (std::optional<AxisRef> part = popMinor(near.sharding.dims[d].axes, prime)) {
              near.append(dimMissing(prime), *part);
              nearMoves.push_back(near.sharding);
              moved = true;
            }
    }
  }

  /// Moves minor axes of the target to dims of which the source has too many of a prime.
  void moveToFar() {
    for (bool moved = true; moved;) {
      moved = false;
      for (int64_t prime : primes)
        for (int d = 0; d < rank; ++d) {
          int over = none;
          for (int e = 0; e < rank; ++e)
            if (missing(e, prime) < 0)
              over = e;
          if (missing(d, prime) <= 0 || over == none)
            continue;
          if (std::optional<AxisRef> part = popMinor(far.sharding.dims[d].axes, prime)) {
            far.append(over, *part);
            farMoves.push_back(far.sharding);
            moved = true;
          }
        }
    }
  }

  /// Drops the wishes of an end that its middle does not share: shares that are not kept.
  void close(Sharding &middle, const Sharding &end) {
    middle.unreduced = keptOf(end.unreduced);
    middle = middle.layout();
  }

  /// First puts axes that must change dims at the minor ends of their dims, by a permute of their
  /// own.
  std::vector<Stop> viaReordered();

  /// Appends the way from `at` to `next` over one mesh: in one transition if they align, else
  /// through `between`.
  static void appendLegs(const Mesh &mesh, bool onTo, const Sharding &at, const Sharding &next,
                         absl::Span<const Sharding> between, std::vector<Stop> &stops) {
    if (std::optional<Alignment> alignment = align(mesh, at, next)) {
      if (at != next)
        stops.push_back({onTo, next, false, std::move(*alignment)});
      return;
    }
    // A single move and added minor axes always align; a gather and a slice would, whatever the case.
    assert(!between.empty() && "a single move aligns");
    Sharding first = between.empty() ? Sharding::replicatedOf(at.rank()) : between.front().layout();
    if (between.empty())
      between = {&first, 1};
    appendLegs(mesh, onTo, at, first, {}, stops);
    appendLegs(mesh, onTo, first, next, between.subspan(1), stops);
  }

  std::vector<Stop> join() {
    std::vector<Stop> stops;
    appendLegs(*near.mesh, false, source, near.sharding, nearMoves, stops);
    if (!isOneMesh || near.sharding != far.sharding)
      stops.push_back({!isOneMesh, far.sharding, true, {}});
    std::reverse(farMoves.begin(), farMoves.end());
    appendLegs(*far.mesh, !isOneMesh, far.sharding, target, farMoves, stops);
    return stops;
  }

  int rank;
  bool isOneMesh;
  const Sharding &source, &target;
  End near, far;
  std::vector<int64_t> primes;
  std::vector<Sharding> nearMoves, farMoves;
};

} // namespace

std::vector<Stop> Router::viaReordered() {
  End start(*near.mesh, source, keptOf(source.unreduced));
  Sharding reordered = source;
  for (int64_t prime : primes) {
    int needed = 0;
    for (int d = 0; d < rank; ++d)
      needed += std::max(exponent(sizeOf(target.dims[d].axes), prime) - start.countOf(d, prime), 0);
    needed -= start.numSpare(prime);
    for (int d = 0; d < rank; ++d) {
      // Parts of size `prime`, from the minor end on, as many as the dim has too many of.
      AxisList &axes = reordered.dims[d].axes;
      int over = start.countOf(d, prime) - exponent(sizeOf(target.dims[d].axes), prime);
      AxisList moved, others;
      for (int i = axes.size() - 1; i >= 0; --i) {
        AxisList ref{axes[i]};
        while (over > 0 && needed > 0) {
          std::optional<AxisRef> part = popMinor(ref, prime);
          if (!part)
            break;
          moved.insert(moved.begin(), *part);
          --over;
          --needed;
        }
        others.insert(others.begin(), ref.begin(), ref.end());
      }
      axes = joined(others, moved);
    }
  }
  reordered = reordered.layout();
  std::vector<Stop> stops;
  if (reordered != source) {
    stops.push_back({false, reordered, true, {}});
  } else {
    // What can move is in the way of what cannot: make those moves, then see. If nothing can, the
    // last resort is to gather; no pair of shardings is known that comes to that.
    reordered = nearMoves.empty() ? Sharding::replicatedOf(rank) : nearMoves.back().layout();
    appendLegs(*near.mesh, false, source, reordered, nearMoves, stops);
  }
  for (Stop &stop : Router(*near.mesh, reordered, *far.mesh, target).run())
    stops.push_back(std::move(stop));
  return stops;
}

std::vector<Stop> routeBetween(const Mesh &from, const Sharding &source, const Mesh &to,
                               const Sharding &target) {
  if (&from == &to) {
    if (source == target)
      return {};
    if (std::optional<Alignment> alignment = align(from, source, target))
      return {{false, target, false, std::move(*alignment)}};
  }
  return Router(from, source, to, target).run();
}

} // namespace spmd
