// Two shardings of one tensor over one mesh, cut so fine that they differ only in who holds what.
//
// A row number is written in mixed radix. Of 16 rows over {"x"=2, "y"=4}, the first digit is the
// place along "x", the second that along "y", and what is left counts rows within a block. An
// *atom* is a part of a mesh axis. Cut axes and dims fine enough, and on either side each digit is
// held by one atom, or by none (a *hole*: all its values lie within each block):
//
//     mesh <["x"=2, "y"=4]>    [{"x", "y"}, {}] -> [{"y":(1)2}, {"y":(2)2, "x"}]
//
//     dim 0    digit 0, size 2    "x"       ->  "y":(1)2
//              digit 1, size 2    "y":(1)2  ->  hole
//              digit 2, size 2    "y":(2)2  ->  hole
//     dim 1    digit 3, size 2    hole      ->  "y":(2)2
//              digit 4, size 2    hole      ->  "x"
//
// Where one side cuts a dim by 2 and the other by 3, there are no such digits; `align` says so.
#pragma once

#include "spmd/ir/sharding/Sharding.h"

namespace spmd {

/// No atom, or no digit.
inline constexpr int none = -1;

/// Where an atom stands on one side: a digit, or none, and then it is a replica or holds a share.
struct Atom {
  AxisRef axis;
  int source = none;
  int target = none;
  bool partialBefore = false;
  bool partialAfter = false;
};

/// Who holds a digit on each side: an atom of the same size, or none.
struct Digit {
  int dim;
  int64_t size;
  int source = none;
  int target = none;
};

struct Alignment {
  std::vector<Atom> atoms;
  /// By dim, major first.
  std::vector<Digit> digits;
  /// Digits of dim d are dimBegin[d] .. dimBegin[d+1]-1.
  std::vector<int> dimBegin;
};

/// Returns the digits and atoms of two shardings of the same rank over `mesh`, neither with axes of
/// size 1, or nothing if they have none in common.
std::optional<Alignment> align(const Mesh &mesh, const Sharding &from, const Sharding &to);

} // namespace spmd
