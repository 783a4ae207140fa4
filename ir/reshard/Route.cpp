#include "spmd/ir/reshard/Route.h"

#include "spmd/ir/reshard/RouteEnd.h"

#include <algorithm>
#include <cassert>

namespace spmd {

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

namespace {

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
        while (missing(d, prime) > 0 && near.fill(d, prime))
          ;
    moveToFar();
    for (int64_t prime : primes)
      for (int d = 0; d < rank; ++d)
        if (missing(d, prime) > 0)
          return viaReordered();
    for (int64_t prime : primes)
      for (int d = 0; d < rank; ++d)
        while (missing(d, prime) < 0 && far.fill(d, prime))
          ; // There is always a spare one: both meshes have the same primes.
    return join();
  }

private:
  /// Returns which of the shares of one end stay shares: over one mesh those that both ends have,
  /// over two all or none.
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
          moved |= missing(d, prime) < 0 && near.move(d, dimMissing(prime), prime);
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
          moved |= missing(d, prime) > 0 && over != none && far.move(d, over, prime);
        }
    }
  }

  /// First puts axes that must change dims at the minor ends of their dims, by a permute of their
  /// own.
  std::vector<Stop> viaReordered();
  Sharding reordered() const;

  /// Appends the way along `way` over one mesh: each time to the furthest sharding that aligns.
  static void appendLegs(const Mesh &mesh, bool onTo, absl::Span<const Sharding> way,
                         std::vector<Stop> &stops) {
    for (size_t at = 0; at + 1 < way.size();) {
      size_t next = way.size() - 1;
      std::optional<Alignment> alignment;
      while (!(alignment = align(mesh, way[at], way[next])) && next > at + 1)
        --next;
      assert(alignment && "a single move aligns, and so do added minor axes");
      if (way[at] != way[next])
        stops.push_back({onTo, way[next], false, std::move(*alignment)});
      at = next;
    }
  }

  std::vector<Stop> join() {
    std::vector<Stop> stops;
    std::vector<Sharding> out = near.steps(), in = far.steps();
    std::reverse(in.begin(), in.end());
    appendLegs(near.mesh(), false, out, stops);
    if (!isOneMesh || out.back() != in.front())
      stops.push_back({!isOneMesh, in.front(), true, {}});
    appendLegs(far.mesh(), !isOneMesh, in, stops);
    return stops;
  }

  int rank;
  bool isOneMesh;
  const Sharding &source, &target;
  RouteEnd near, far;
  std::vector<int64_t> primes;
};

} // namespace

/// Returns `source` with the parts of its dims that are too many there, counted against `target`,
/// at the minor ends.
Sharding Router::reordered() const {
  Sharding result = source;
  RouteEnd start(near.mesh(), source, keptOf(source.unreduced));
  for (int64_t prime : primes) {
    auto over = [&](int dim) {
      return start.countOf(dim, prime) - exponentOf(prime, sizeOf(target.dims[dim].axes));
    };
    int needed = -start.numSpare(prime);
    for (int d = 0; d < rank; ++d)
      needed += std::max(-over(d), 0);
    for (int d = 0; d < rank; ++d) {
      AxisList &axes = result.dims[d].axes;
      AxisList others, last;
      int movable = over(d);
      for (size_t i = axes.size(); i-- > 0;) {
        AxisRef ref = axes[i];
        for (; ref.size % prime == 0 && movable > 0 && needed > 0; --movable, --needed) {
          ref.size /= prime;
          last.insert(last.begin(),
                      {ref.axis, static_cast<int32_t>(ref.end()), static_cast<int32_t>(prime)});
        }
        if (ref.size > 1)
          others.insert(others.begin(), ref);
      }
      others.insert(others.end(), last.begin(), last.end());
      axes = std::move(others);
    }
  }
  return result.layout();
}

std::vector<Stop> Router::viaReordered() {
  std::vector<Stop> stops;
  Sharding next = reordered();
  if (next != source) {
    stops.push_back({false, next, true, {}});
  } else {
    // What can move is in the way of what cannot: make those moves, then see. If nothing can, the
    // last resort is to gather; no pair of shardings is known that comes to that.
    std::vector<Sharding> way = near.moved();
    if (way.size() == 1)
      way.push_back(Sharding::replicatedOf(rank));
    next = way.back();
    appendLegs(near.mesh(), false, way, stops);
  }
  for (Stop &stop : Router(near.mesh(), next, far.mesh(), target).run())
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
