// How a run rounds and decides, where it is made to judge other runs.
//
// Such runs execute *wide* programs (lowering/equality/Widen.h): floats are held in f64 or f128,
// and the steps `round_result` and `perturb_terms` say where the program rounds, to which type. An
// `Arithmetic` decides what these steps do, and whether choices are taken from another run:
//
//     Arithmetic wide;                                   // wide precision, the range of each type
//     Arithmetic random{Arithmetic::Rounding::ownType};  // Monte Carlo: every rounding at random
//     random.replayed = &choicesOfTheNarrowRun;
//
// A *choice* is an instruction whose result jumps where its operands move by a rounding error:
// a comparison, the order of a sort, a conversion to an integer. Such instructions carry the
// attribute `choice`, a number.
#pragma once

#include "spmd/lowering/interpreter/Tensor.h"

#include <set>
#include <vector>

namespace spmd {

/// The results of all choices of one run, in the order in which each device made them.
class ChoiceLog {
public:
  void add(int64_t device, int32_t choice, std::vector<Tensor> results);

  /// Returns what `device` chose when it came to `choice` for time number `occurrence`, or null.
  const std::vector<Tensor> *find(int64_t device, int32_t choice, size_t occurrence) const;

  int64_t sizeInBytes() const { return bytes; }

private:
  /// By device, choice and occurrence.
  std::vector<std::vector<std::vector<std::vector<Tensor>>>> entries;
  int64_t bytes = 0;
};

struct Arithmetic {
  enum class Rounding : uint8_t {
    none,    ///< Results keep wide precision within the range of their type.
    ownType, ///< Every rounding to a type goes up or down at random (stochastic rounding).
    uniform  ///< As `ownType`, but all types have `uniformBits` bits of mantissa.
  };
  Rounding rounding = Rounding::none;
  int uniformBits = 44;
  /// Whether numbers keep the range of the wide type, and not that of their type.
  bool unbounded = false;
  uint64_t seed = 0;
  /// Multiplies every random error; 1 is what rounding makes.
  double scale = 1;
  ChoiceLog *recorded = nullptr;       ///< Takes the choices of this run.
  const ChoiceLog *replayed = nullptr; ///< Choices to take instead of own ones.
  const ChoiceLog *compared = nullptr; ///< Choices to compare own ones with.
  /// Choices that differ from those in `compared`. Written by a run on one thread.
  std::set<int32_t> *differing = nullptr;
};

/// While it lives, steps on this thread round as `arithmetic` says, or, if that is null, as a wide
/// program does by itself. `position` is where the random numbers go on.
class ArithmeticScope {
public:
  ArithmeticScope(const Arithmetic *arithmetic, uint64_t *position);
  ~ArithmeticScope();
  ArithmeticScope(const ArithmeticScope &) = delete;
  ArithmeticScope &operator=(const ArithmeticScope &) = delete;

  static const Arithmetic *current();
  /// Reserves `n` random numbers and returns the number of the first.
  static uint64_t take(int64_t n);

private:
  const Arithmetic *before;
  uint64_t *positionBefore;
};

} // namespace spmd
