#include "spmd/ir/reshard/Transition.h"

#include <algorithm>

namespace spmd {

namespace {

/// Atom i comes from digit i, if the chain starts at a digit, else from digit i-1; it goes to the
/// next.
struct Chain {
  std::vector<int> atoms;
  std::vector<int> digits;
  bool startsAtDigit;

  bool endsAtDigit() const { return digits.size() == atoms.size() + (startsAtDigit ? 1 : 0); }
  /// The move of atom i, in a chain that starts at a digit and ends at one.
  Move move(int i) const { return {atoms[i], digits[i], digits[i + 1]}; }
};

class Transition {
public:
  Transition(PlanBuilder &builder, const Alignment &alignment, MeshSide side, ReductionKind from,
             ReductionKind to, absl::Span<const int64_t> padded, const CostModel &model)
      : builder(builder), alignment(alignment), side(side), from(from), to(to), model(model),
        block(builder, alignment, side, padded) {
    findChains();
  }

  void run(const std::function<void(Block &)> &prepare) {
    shrink(prepare);
    changeDigits();
    grow();
  }

private:
  const Atom &atom(int number) const { return alignment.atoms[number]; }
  /// Whether shares over atom `before` can be handed to atom `after` as they are.
  bool staysPartial(int before, int after) const {
    return atom(before).partialBefore && atom(after).partialAfter && from == to;
  }

  void findChains() {
    for (size_t a = 0; a < alignment.atoms.size(); ++a)
      if (atom(a).source == none)
        follow({{}, {}, false}, a);
    for (size_t d = 0; d < alignment.digits.size(); ++d)
      if (alignment.digits[d].target == none)
        follow({{}, {static_cast<int>(d)}, true}, alignment.digits[d].source);
  }

  void follow(Chain chain, int next) {
    while (next != none) {
      chain.atoms.push_back(next);
      int digit = atom(next).target;
      if (digit == none)
        break;
      chain.digits.push_back(digit);
      next = alignment.digits[digit].source;
    }
    chains.push_back(std::move(chain));
  }

  /// Slices and reduces: everything that makes the block smaller.
  void shrink(const std::function<void(Block &)> &prepare) {
    Moves early, late, scattered;
    std::vector<int> reduced;
    for (const Chain &chain : chains) {
      if (chain.startsAtDigit)
        continue;
      int first = chain.atoms.front(), last = chain.atoms.back();
      if (chain.endsAtDigit()) {
        Move move{first, none, chain.digits.back()};
        bool canWait = !block.isPrepared(alignment.digits[move.to].dim);
        (atom(first).partialBefore ? scattered : canWait ? late : early).push_back(move);
      } else if (staysPartial(first, last)) {
        sharesBefore.push_back(first);
        sharesAfter.push_back(last);
      } else {
        if (atom(first).partialBefore)
          reduced.push_back(first);
        if (atom(last).partialAfter)
          masked.push_back(&chain);
      }
    }
    block.slice(early);
    late = block.sliceUnpadded(late);
    prepare(block);
    block.slice(late);
    block.collective(StepKind::reduceScatter, scattered, from);
    if (!reduced.empty())
      builder.allReduce(side, inMeshOrder(reduced), from);
  }

  /// All-to-alls, and the permute that the chains share.
  void changeDigits() {
    std::vector<const Chain *> across;
    bool mustPermute = false;
    size_t longest = 0;
    for (const Chain &chain : chains)
      if (chain.startsAtDigit && chain.endsAtDigit()) {
        across.push_back(&chain);
        longest = std::max(longest, chain.atoms.size());
      }
    // What no longer stands as the target wants it, apart from chains that go across.
    std::vector<bool> isAcross(alignment.digits.size(), false);
    for (const Chain *chain : across)
      for (int digit : chain->digits)
        isAcross[digit] = true;
    for (size_t d = 0; d < alignment.digits.size(); ++d)
      mustPermute |= !isAcross[d] && block.holder(d) != none && block.holder(d) != afterPermute(d);
    mustPermute |= sharesBefore != sharesAfter;

    // Either each chain takes one all-to-all and the permute, or as many all-to-alls as it has
    // atoms.
    std::vector<Moves> direct(1), hops(longest);
    for (const Chain *chain : across) {
      direct[0].push_back({chain->atoms.front(), chain->digits.front(), chain->digits.back()});
      for (size_t i = 0; i < chain->atoms.size(); ++i)
        hops[i].push_back(chain->move(chain->atoms.size() - 1 - i));
    }
    double permuteCost = mustPermute ? 0 : cost(blockBytes(), 1);
    bool useHops = longest > 1 && costOf(hops) <= costOf(direct) + permuteCost;
    for (const Moves &moves : useHops ? hops : direct)
      block.collective(StepKind::allToAll, moves);

    std::vector<int> after;
    for (size_t d = 0; d < alignment.digits.size(); ++d)
      after.push_back(block.holder(d) == none ? none : afterPermute(d));
    block.permute(after, sharesBefore, sharesAfter);
    mask();
  }

  /// Makes a share of each block over the atoms at the ends of `masked`.
  ///
  /// Such an atom either is a replica, and the device at 0 keeps the block, or it still holds the
  /// digit that the first atom of its chain should hold: then the device where both are equal has
  /// what it needs.
  void mask() {
    std::vector<int> replicas, lasts, firsts;
    for (const Chain *chain : masked) {
      bool holdsDigit = !chain->digits.empty();
      (holdsDigit ? lasts : replicas).push_back(chain->atoms.back());
      if (holdsDigit) {
        firsts.push_back(chain->atoms.front());
        block.relabel(chain->digits.front(), chain->atoms.front());
      }
    }
    if (!replicas.empty())
      builder.mask(side, inMeshOrder(replicas), 0, to);
    if (!lasts.empty())
      builder.mask(side, block.axesOf(lasts), Index::coordinate(side, block.axesOf(firsts)), to);
  }

  /// Gathers and expands: everything that makes the block larger.
  void grow() {
    Moves gathered, expanded;
    for (const Chain &chain : chains)
      if (chain.startsAtDigit && !chain.endsAtDigit()) {
        int last = chain.atoms.back();
        (atom(last).partialAfter ? expanded : gathered).push_back({last, chain.digits.front()});
      }
    block.collective(StepKind::allGather, gathered);
    block.expand(expanded, to);
  }

  /// The atom that should hold a digit before the block grows: that of the target, or for a digit
  /// that is to be empty, or changes hands by a mask, the atom at the end of its chain.
  int afterPermute(int digit) const {
    for (const Chain *chain : masked)
      if (!chain->digits.empty() && chain->digits.front() == digit)
        return chain->atoms.back();
    if (alignment.digits[digit].target != none)
      return alignment.digits[digit].target;
    for (const Chain &chain : chains)
      if (chain.startsAtDigit && chain.digits.front() == digit)
        return chain.atoms.back();
    return none;
  }

  AxisList inMeshOrder(std::vector<int> atoms) const {
    std::sort(atoms.begin(), atoms.end(),
              [&](int a, int b) { return atom(a).axis < atom(b).axis; });
    return block.axesOf(atoms);
  }

  double blockBytes() const {
    return static_cast<double>(numElements(builder.shape())) * builder.elementBytes();
  }
  double cost(double bytes, int collectives) const {
    return model.latency * collectives + bytes / model.bandwidth;
  }
  double costOf(const std::vector<Moves> &allToAlls) const {
    double total = 0;
    for (const Moves &moves : allToAlls) {
      double group = 1;
      for (const Move &move : moves)
        group *= atom(move.atom).axis.size;
      total += cost(blockBytes() * (1 - 1 / group), 1);
    }
    return total;
  }

  PlanBuilder &builder;
  const Alignment &alignment;
  MeshSide side;
  ReductionKind from, to;
  const CostModel &model;
  Block block;
  std::vector<Chain> chains;
  /// Shares over sharesBefore[i] become shares over sharesAfter[i].
  std::vector<int> sharesBefore, sharesAfter;
  /// Chains between two atoms, of which the last gets shares.
  std::vector<const Chain *> masked;
};

} // namespace

void appendTransition(PlanBuilder &builder, const Alignment &alignment, MeshSide side,
                      ReductionKind from, ReductionKind to, absl::Span<const int64_t> padded,
                      const CostModel &model, const std::function<void(Block &)> &prepare) {
  Transition(builder, alignment, side, from, to, padded, model).run(prepare);
}

} // namespace spmd
