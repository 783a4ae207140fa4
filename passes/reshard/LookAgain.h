// Decides once more how ops run that stand beside a move, with what is known by now: how far what
// they read has come, and where what they make goes.
//
//     %a = pad %x         [{}, {"x"}], an edge moves        %m = reshard %x     -> [{"x"}, {}]
//     %b = reshard %a     -> [{"x"}, {}]               =>   %b = pad %m         nothing moves
//
// When such an op was decided, all that told where its result goes was what propagation said. Its
// reader wants it otherwise, as a transform wants whole lines.
#pragma once

#include "spmd/passes/reshard/Moves.h"

#include <memory>

namespace spmd {

class LookAgain {
public:
  /// All arguments must outlive this.
  LookAgain(Layouts &layouts, Values &values, Moves &moves, OpKinds &kinds, ReshardCosts &costs);
  ~LookAgain();

  /// Rewrites the function that `moves` is at, in which every move is explicit, where that costs
  /// less in moves, exchanges and work. Values that the user pinned stay as they lie. Linear in the
  /// moves; ops that stand alike were decided in an earlier function.
  void run();

private:
  class Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace spmd
