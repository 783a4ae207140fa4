// Dim classes: the dims of a whole program that should be split alike.
//
// Two dims that share a factor of some op are split alike, or something moves. Uniting such dims
// over the whole graph leaves a few classes: batch, sequence, heads, hidden, vocabulary. A class
// *wants* the axes that annotations claim for any of its dims.
//
//     value 0: 16x64 pinned [{"x"}, {}]     a
//     value 1: 64x32 pinned [{}, {"y"}]     w       dot 0, 1 -> 2, add 2, 3 -> 4
//
//     {0.0, 2.0, 3.0, 4.0} wants "x"        {2.1, 3.1, 4.1, 1.1} wants "y"        {0.1, 1.0}
//
// A dim that a pinned sharding closes is in no class: it never changes, and nothing passes through
// it; nor are the dims of a pinned sharding that names replicated axes, which may not take them. It
// claims its axes for the classes on all sides. Constants, which are made anew wherever they are
// needed, are in no class either: a shared one would tie dims that have nothing in common. A dim of
// several factors belongs to the class of its first, the major one. Rows that a window runs over
// are one class with those that it makes, unless nothing passes along them.
//
// A loop that takes one part of a dim in each turn has its work split by no axis along that dim: 64
// rows, cut into 4 chunks of 16 that a scan takes one by one. So the rows of a chunk want what the
// chunks want, and what is better is decided as any other conflict.
#pragma once

#include "spmd/ir/graph/KeyNumbers.h"
#include "spmd/ir/graph/ShardGraph.h"

#include <limits>

namespace spmd {

/// One axis that a class wants.
struct WantedAxis {
  AxisRef axis;
  /// User priority of the first claim, 0 the highest.
  int64_t priority;
};

/// What a class wants: no two axes overlap, major first.
struct Want {
  int32_t mesh = ShardGraph::none;
  absl::InlinedVector<WantedAxis, 1> axes;
  /// The order that another claim has its axes in, if it shares some with the first; else empty. So
  /// do rows that lie along "x", then "y", and others of the class that lie along "y".
  absl::InlinedVector<WantedAxis, 1> otherwise;
  /// Whether the class has it from what loops take in turns, so that a part of it may be left of
  /// that.
  bool isPassedOn = false;
  /// Whether half of the devices or more hold nothing of each dim that it is claimed for, and no op
  /// makes any of these. It may pay to follow such axes nowhere. Of all, so that a further pin
  /// never makes it so, and what is made, once pinned, makes it not so.
  bool leavesIdle = false;
  /// Whether some dim of the class is a part of a dim, too short for all of this; and whether the
  /// part behind it wants the rest, which splits that evenly.
  bool leavesRest = false, sharesRest = false;
  /// Of the dims of what ops make that are pinned to fewer rows than positions, that of the fewest
  /// for each: its rows and positions.
  int64_t pinnedRows = 0, pinnedShards = 0;

  /// Whether the user cut as many rows or fewer for each position: then such pieces are meant.
  bool isMeant(int64_t rows, int64_t shards) const {
    constexpr int64_t most = std::numeric_limits<int32_t>::max(); // Of more hardly any is padding.
    return pinnedShards > 0 && rows <= most && rows * pinnedShards >= pinnedRows * shards;
  }

  bool hasOrders() const { return !otherwise.empty(); }
};

class DimClasses {
public:
  /// Collects the classes of `graph` and what the pinned shardings in it claim. Values where
  /// `isFree` are in none. Linear in the dims of all ops' tensors.
  DimClasses(const ShardGraph &graph, const std::vector<bool> &isFree);

  /// Returns the class of a dim, a number that means nothing by itself; none if it has no class.
  int32_t classOf(int32_t value, int32_t dim) const {
    int32_t root = roots[firstDim[value] + dim];
    return root < 0 ? ShardGraph::none : root;
  }

  /// Returns what a class wants, null if nothing.
  const Want *wantOf(int32_t dimClass) const {
    return dimClass < 0 || wantIndex[dimClass] < 0 ? nullptr : &wants[wantIndex[dimClass]];
  }

  /// Returns the number of what a class wants, equal for classes that want the same; none if
  /// nothing.
  int32_t wantIndexOf(int32_t dimClass) const {
    return dimClass < 0 ? ShardGraph::none : wantIndex[dimClass];
  }

  /// Returns a number that is equal for classes that want the same axes of one mesh, with whatever
  /// priorities. Requires that the class wants something.
  int32_t axesNumberOf(int32_t dimClass) const { return axesNumbers[wantIndex[dimClass]]; }

  /// Returns a number that is equal for values whose dims want the same, one by one; none if no dim
  /// wants anything.
  int32_t wantsNumberOf(int32_t value) const { return wantsNumbers[value]; }

  int32_t numWants() const { return static_cast<int32_t>(wants.size()); }
  const Want &want(int32_t index) const { return wants[index]; }

  int32_t rankOf(int32_t value) const { return firstDim[value + 1] - firstDim[value]; }

  /// Returns each mesh and number of an axis that some class wants, in order.
  std::vector<std::pair<int32_t, int32_t>> wantedAxes() const;

  /// Whether no op of the graph makes a value that wants what leaves devices idle: an argument, as
  /// a rule. Requires that a class of its dims is such.
  bool isSource(int32_t value) const { return !isMade[value]; }

  bool wantsAnything() const { return !wants.empty(); }

  /// Whether some class may want its axes in one of two orders.
  bool hasOrders() const {
    return std::any_of(wants.begin(), wants.end(),
                       [](const Want &want) { return want.hasOrders(); });
  }

  int64_t numFactorsOf(int32_t rule) const { return ruleLeads[rule].numFactors; }

  /// Returns, for each dim of tensor `tensor` of a rule, the factor that leads it: the first of its
  /// factors that is not of size 1 and along which axes may pass; none if there is none.
  const int32_t *leadsOf(int32_t rule, int32_t tensor) const {
    const RuleLeads &leads = ruleLeads[rule];
    return leads.factors.data() + leads.firstDim[tensor];
  }

private:
  static constexpr int32_t claiming = -2;

  struct Claim {
    int32_t dimClass; ///< Before the classes are final, some dim of it.
    int32_t value, dim;
  };

  /// Two factors of one dim, or of a graph's op a dim of each, where the second cuts in parts what
  /// the first has one of.
  struct Following {
    int32_t lead, next;
    int64_t leadSize, nextSize;
  };

  /// The leading factors of all dims of a rule's tensors.
  struct RuleLeads {
    int64_t numFactors;
    absl::InlinedVector<int32_t, 4> firstDim;
    absl::InlinedVector<int32_t, 8> factors;
    /// Of dims of several factors, the one that leads, its size, and the one that follows.
    absl::InlinedVector<Following, 1> following;
    bool addresses = false; ///< Whether some dim is read or written by index.
  };

  void collectLeads();
  void noteFollowing(const RuleLeads &leads);
  void passOnToRows();
  void passOn(absl::Span<const WantedAxis> axes, int32_t from, int32_t to, bool isPassedOn);
  absl::InlinedVector<WantedAxis, 1> restOf(const Want &want, int64_t size) const;
  std::vector<bool> classesOfTurns() const;
  int32_t internWant(Want want);
  void uniteOp(const ShardGraph::Op &op);
  void claimOwn(int32_t value);
  bool claims(int32_t value, int32_t dim) const;
  void sortByClass();
  void keepFirst(std::vector<Claim> &ofClass) const;
  bool leavesIdle(const Claim &claim) const;
  bool mayBeDropped(absl::Span<const Claim> ofClass);
  void settleWants();
  Want wantFrom(std::vector<Claim> &ofClass);
  void noteRows(const Claim &claim, Want &want);
  bool isOfOp(int32_t value);
  void add(const Claim &claim, Want &want) const;
  void addOtherOrder(absl::Span<const Claim> ofClass, Want &want) const;
  void numberClasses();
  void numberWants();
  void startClasses(int32_t v, bool isFree);
  int32_t rootOf(int32_t dim);
  int32_t unite(int32_t a, int32_t b);

  const ShardGraph &graph;
  std::vector<RuleLeads> ruleLeads;
  std::vector<int32_t> firstDim; ///< By value: where its dims begin.
  /// By dim: its class, till then a dim of it; below 0 if it has none, `claiming` if it says
  /// something for those of others.
  std::vector<int32_t> roots;
  int32_t numClasses = 0;
  std::vector<int32_t> wantIndex; ///< By class, an index in `wants`.
  std::vector<Want> wants;
  std::vector<int32_t> axesNumbers;  ///< By want.
  std::vector<int32_t> wantsNumbers; ///< By value.
  std::vector<Claim> claimed;
  std::vector<bool>
      isMade; ///< By value; empty unless something is pinned that leaves devices idle.
  std::vector<Following> rowsOf;
  KeyNumbers numbersOfWants, numbersOfAxes; ///< Many classes want the same.
  std::vector<int32_t> key;                 ///< Room for one of these.
  std::vector<int32_t> memberOf;            ///< By factor of the op at hand: a dim of its class.
};

/// Whether an op takes rows of a dim by index.
bool isAddressed(const OpRule &rule, const DimFactors &dim);

} // namespace spmd
