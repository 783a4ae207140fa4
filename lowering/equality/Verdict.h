// What was found out of results that were compared.
#pragma once

#include "spmd/lowering/equality/Distance.h"
#include "spmd/lowering/interpreter/Tensor.h"

#include <functional>
#include <optional>

namespace spmd {

enum class Verdict : uint8_t { yes, undecided, no };

/// Returns "yes", "undecided" or "no".
const char *nameOf(Verdict verdict);

/// What was found out of one result.
struct ResultVerdict {
  Verdict verdict = Verdict::yes;
  int64_t numElements = 0, numDifferent = 0, numUndecided = 0;
  /// Elements whose allowance, the last rounding apart, is more than an eighth of them and of what
  /// elements usually are: hardly any error of them would show.
  int64_t numCoarse = 0;
  /// The largest error, as a multiple of what its element is allowed.
  double worstRatio = 0;
  /// The largest absolute error, and the same relative to the largest value.
  double maxAbsError = 0, maxRelError = 0;
  /// The least relative error of the whole result that would have been a `no`: the smallest
  /// allowance relative to its element. Infinite for a result of zeros, 0 for integers.
  double resolution = 0;
  /// The same of the update, where the result is an argument that was updated; else nothing.
  std::optional<double> updateResolution;
  int64_t updatedArgument = -1;
  /// The element that differs by most, in words; empty for `yes`.
  std::string message;
};

/// The verdict on all results: the worst of theirs.
struct JudgeReport {
  std::vector<ResultVerdict> results;
  /// Why nothing can be told, if so: then `results` is empty.
  std::string undecidedBecause;
  /// Instructions whose choices decide undecided elements, as `op at location`.
  std::vector<std::string> decidedBy;

  Verdict verdict() const;
  /// Whether choices explain any element that differs.
  bool hasUndecided() const;
  /// Hardly any error in any result would show, so that none is known to be right.
  bool isAllCoarse() const;
};

/// One result beside what it is compared with.
struct ComparedResult {
  TensorType type;
  const Elements &given, &center;
  /// Of each element; unused for integers.
  const std::vector<double> &allowed;
  /// Numbers of the elements that are further off than allowed, ascending.
  const std::vector<size_t> &differing;
  /// Of each element: how far choices may move it; empty if nothing hangs on any.
  const std::vector<double> &movedByChoices;
  /// How far choices may move any element.
  double furthestMoved;
  /// Returns what element `i` is and what is expected, as text.
  std::function<std::pair<std::string, std::string>(size_t i)> texts;
};

/// Judges one result. An element that differs is undecided if choices move it by more than it is
/// allowed, and any element about as far as it is off.
ResultVerdict judge(const ComparedResult &compared);

} // namespace spmd
