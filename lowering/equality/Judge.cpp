#include "spmd/lowering/equality/Judge.h"

#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/StatusMacros.h"

#include "absl/strings/str_cat.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace spmd {

// Why these are what they are: docs/equality.md.

/// Runs whose roundings are made at random: at first, and at most where an element is further off
/// than these allow, but no more than `beyondChance` times.
constexpr size_t fewSamples = 3, mostSamples = 24;
constexpr double beyondChance = 32;
/// How many standard deviations an element may be from the center: of runs by the program's own
/// types, and of wide runs, whose samples have far larger errors than they.
constexpr double ownFactor = 5, wideFactor = 2;
/// Where correct runs are further off than that, others may be so many times as far, and at most so
/// many times as far as usual.
constexpr double beyondCorrect = 1.5, mostFactor = 4;
/// How many random runs can judge each other.
constexpr size_t enoughToCalibrate = 9;
/// Runs that make their own choices, to see what hangs on these: at first, and at most where they
/// explain some elements and not all.
constexpr size_t fewFreeRuns = 6, mostFreeRuns = 24;
/// Half of the free runs multiply rounding errors by this, to flip choices that are nearly tied.
constexpr double largerErrors = 4;
//===- Runs ----------------------------------------------------------------===//

absl::StatusOr<Judge> Judge::create(const DeviceProgram &whole, const DeviceProgram *partitioned,
                                    const KernelRegistry &kernels, std::vector<Tensor> arguments,
                                    const JudgeOptions &options,
                                    std::shared_ptr<RecordedRun> recorded) {
  SPMD_ASSIGN_OR_RETURN(JudgedProgram program,
                        JudgedProgram::create(whole, partitioned, kernels, std::move(arguments),
                                              options, std::move(recorded)));
  Judge judge(std::move(program));
  judge.willBeGiven = options.willBeGiven;
  SPMD_RETURN_IF_ERROR(judge.runBothWays());
  return std::move(judge);
}

/// Runs the program as it is and wide, and the first of the random runs beside that.
absl::Status Judge::runBothWays() {
  SPMD_ASSIGN_OR_RETURN(RunElements own, program.runAsItIs(choices));
  narrow = std::make_shared<RunElements>(std::move(own));
  std::set<int32_t> differing;
  const Arithmetic plain;
  std::vector<Arithmetic> requests(1);
  requests[0].compared = choices.get();
  requests[0].differing = &differing;
  for (size_t k = 0; willBeGiven && k < fewSamples; ++k) {
    requests.push_back(ownRoundings());
    requests.back().seed = k + 1;
  }
  JudgedProgram::Runs runs = program.runWide(requests, program.isPartitioned() ? &plain : nullptr);
  if (program.isPartitioned()) {
    partitionedRun = std::move(runs.back());
    runs.pop_back();
  }
  absl::StatusOr<RunElements> free = std::move(runs.front());
  runs.erase(runs.begin());
  runsAhead = std::move(runs);
  if (!free.ok() && !absl::IsResourceExhausted(free.status()))
    return free.status();
  if (free.ok())
    wide = std::make_shared<RunElements>(*std::move(free));
  center = wide;
  if (wide && differing.empty())
    return absl::OkStatus();
  Arithmetic replaying;
  replaying.replayed = choices.get();
  SPMD_ASSIGN_OR_RETURN(RunElements following, std::move(program.runWide({replaying}).front()));
  center = std::make_shared<RunElements>(std::move(following));
  return absl::OkStatus();
}

/// Makes `count` random runs in all.
absl::Status Judge::addSamples(Samples &samples, size_t count) const {
  std::vector<Arithmetic> requests;
  for (size_t k = samples.numRandomRuns(); k < count; ++k) {
    requests.push_back(samples.arithmetic);
    requests.back().seed = k + 1;
  }
  for (absl::StatusOr<RunElements> &run : program.runWide(requests)) {
    SPMD_RETURN_IF_ERROR(run.status());
    samples.add(*run);
  }
  return absl::OkStatus();
}

//===- Comparing -----------------------------------------------------------===//

static bool isSameInteger(const Tensor &a, const Tensor &b, size_t i) {
  size_t bytes = storedBytes(a.type().element);
  return std::memcmp(a.data() + i * bytes, b.data() + i * bytes, bytes) == 0;
}

/// Returns the elements of result `r` that are further from `right` than allowed. One that is what
/// `alsoRight` has, or a neighbour of that, is right by itself.
static std::vector<size_t> differingElements(const RunElements &compared, size_t r,
                                             const std::vector<double> &allowed, ElementType type,
                                             const RunElements &right,
                                             const RunElements *alsoRight) {
  std::vector<size_t> differing;
  const Elements &given = compared.elements[r], &center = right.elements[r];
  Spacing spacing = isInteger(type) ? Spacing() : spacingOf(type);
  auto isRight = [&](size_t i) {
    if (isInteger(type))
      return isSameInteger(compared.results[r], right.results[r], i);
    // An infinite allowance, of runs that overflow, shows nothing.
    double apart = distance(given, center, i);
    if (apart == 0 || (std::isfinite(allowed[i]) && apart <= allowed[i]))
      return true;
    if (!alsoRight)
      return false;
    std::complex<double> own = alsoRight->elements[r][i];
    return distance(given[i], own) <= spacing.ulpAt(magnitude(own));
  };
  for (size_t i = 0; i < center.size(); ++i)
    if (!isRight(i))
      differing.push_back(i);
  return differing;
}

/// Returns the error of an element that differs, as a multiple of its allowance. It is at most
/// `beyondChance` where no run has moved the element, since more runs may move it.
static double ratioOf(const RunElements &compared, size_t r, size_t i,
                      const std::vector<double> &allowed, const Samples &samples) {
  if (isInteger(samples.types[r]))
    return std::numeric_limits<double>::infinity();
  if (std::isinf(allowed[i]))
    return beyondChance;
  double ratio = distance(compared.elements[r], samples.center->elements[r], i) / allowed[i];
  return samples.moves(r, i) ? ratio : std::min(ratio, beyondChance);
}

/// Returns how many standard deviations elements may be off, where errors are not spread as usual
/// and those of correct runs are up to `furthest`, by the judgement of each other.
static double calibrated(double furthest, double factor) {
  return std::clamp(beyondCorrect * furthest, factor, mostFactor * factor);
}

/// Makes `count` runs in all that make their own choices. What rounding alone moves is brought to
/// as many deviations as are allowed. Nothing moves where all choose the same.
void Judge::addFreeRuns(const Samples &samples, double factor, size_t count, FreeRuns &free) const {
  std::vector<Arithmetic> requests(count - free.numRuns, samples.arithmetic);
  std::vector<std::set<int32_t>> differing(requests.size());
  for (size_t k = 0; k < requests.size(); ++k) {
    Arithmetic &request = requests[k];
    request.compared = std::exchange(request.replayed, nullptr);
    request.differing = &differing[k];
    request.seed = 1000 + free.numRuns + k;
    request.scale = k % 2 == 0 ? 1 : largerErrors;
  }
  free.numRuns = count;
  JudgedProgram::Runs runs = program.runWide(requests);
  for (const std::set<int32_t> &each : differing)
    free.choosing.insert(each.begin(), each.end());
  if (free.choosing.empty())
    return;
  for (size_t k = 0; k < requests.size(); ++k) {
    if (!runs[k].ok()) // As one whose loops do not end.
      continue;
    for (size_t r = 0; r < free.moved.size(); ++r) {
      const Elements &at = samples.center->elements[r];
      double scale = isInteger(samples.types[r]) ? 1 : requests[k].scale * ownFactor / factor;
      free.moved[r].resize(at.size());
      for (size_t i = 0; i < at.size(); ++i) {
        double apart = distance(runs[k]->elements[r], at, i);
        free.furthest[r] = std::max(free.furthest[r], apart);
        free.moved[r][i] = std::max(free.moved[r][i], apart / scale);
      }
    }
  }
}

/// Judges all results that are joined, by as few runs as can tell.
absl::StatusOr<JudgeReport> Judge::judgeAll(const RunElements &compared, const Texts &texts,
                                            Samples &samples) const {
  size_t count = compared.results.size();
  bool isOwn = samples.arithmetic.rounding == Arithmetic::Rounding::ownType;
  double factor = isOwn ? ownFactor : wideFactor;
  std::vector<std::vector<double>> allowed(count);
  DifferingElements differing(count);
  /// Returns the largest error of an element that is too far off, as a multiple of its allowance.
  /// `factorOf` says of a result how many standard deviations its elements may be off.
  auto findDiffering = [&](auto factorOf) {
    double worst = 0;
    for (size_t r = 0; r < count; ++r) {
      if (!compared.results[r])
        continue;
      if (!isInteger(samples.types[r]))
        allowed[r] = samples.allowances(r, factorOf(r));
      differing[r] = differingElements(compared, r, allowed[r], samples.types[r], *samples.center,
                                       samples.alsoRight.get());
      for (size_t i : differing[r])
        worst = std::max(worst, ratioOf(compared, r, i, allowed[r], samples));
    }
    return worst;
  };
  auto usual = [&](size_t) { return factor; };
  auto certain = [&](size_t r) { return calibrated(samples.furthestForCertain(r), factor); };
  auto latest = [&](size_t r) { return calibrated(samples.furthest(r), factor); };
  double worst = 0;
  for (size_t runs = fewSamples;; runs = std::min(runs + runs / 2, mostSamples)) {
    SPMD_RETURN_IF_ERROR(addSamples(samples, runs));
    worst = findDiffering(usual);
    if (worst == 0 || worst > beyondChance)
      break;
    if (runs >= enoughToCalibrate)
      worst = runs < mostSamples ? findDiffering(certain) : findDiffering(latest);
    if (worst == 0 || runs == mostSamples)
      break;
  }
  auto describe = [&](const FreeRuns &free) {
    JudgeReport report;
    for (size_t r = 0; r < count; ++r) {
      ResultVerdict &verdict = report.results.emplace_back();
      if (!compared.results[r])
        continue;
      const Elements &at = samples.center->elements[r];
      TensorType type = {samples.types[r], compared.results[r].type().shape};
      verdict =
          spmd::judge({type, compared.elements[r], at, allowed[r], differing[r], free.moved[r],
                       free.furthest[r], [&](size_t i) { return texts(r, i); }});
      if (!isInteger(samples.types[r]))
        describeUpdate(r, allowed[r], at, verdict);
    }
    return report;
  };
  FreeRuns free{std::vector<std::vector<double>>(count), std::vector<double>(count), {}, 0};
  JudgeReport report = describe(free);
  for (size_t runs = fewFreeRuns; runs <= mostFreeRuns && worst > 0; runs *= 2) {
    addFreeRuns(samples, factor, runs, free);
    report = describe(free);
    if (report.verdict() != Verdict::no || !report.hasUndecided())
      break; // Choices explain all, or none.
  }
  if (report.verdict() == Verdict::undecided)
    for (int32_t choice : free.choosing)
      report.decidedBy.push_back(program.nameOfChoice(choice));
  return report;
}

/// Returns the sum of squares of the differences, or what is at least `limit` where that is more.
static double squaredDistance(const Elements &center, const Tensor &wide, double limit) {
  constexpr size_t batch = 1024; // Most arguments are far off from the start.
  ElementType element = wide.type().element;
  auto at = [&](size_t i) {
    return element == ElementType::complexF64 ? wide.as<std::complex<double>>()[i]
           : element == ElementType::f64      ? std::complex<double>(wide.as<double>()[i])
                                              : toComplexDouble(wide, static_cast<int64_t>(i));
  };
  double apart = 0;
  for (size_t begin = 0; begin < center.size() && apart < limit; begin += batch)
    for (size_t i = begin; i < std::min(begin + batch, center.size()); ++i)
      apart += std::norm(center[i] - at(i));
  return apart;
}

/// A result that is near an argument of its type is that argument, updated.
void Judge::describeUpdate(size_t result, const std::vector<double> &allowed,
                           const Elements &center, ResultVerdict &verdict) const {
  const TensorType &type = narrow->results[result].type();
  double nearest = 0;
  for (const std::complex<double> &each : center)
    nearest += std::norm(each) / 4; // Half of the result itself.
  for (size_t a = 0; a < program.arguments().size(); ++a) {
    if (program.arguments()[a].type() != type)
      continue;
    double apart = squaredDistance(center, program.wideArgument(a), nearest);
    if (apart > 0 && apart < nearest) {
      nearest = apart;
      verdict.updatedArgument = static_cast<int64_t>(a);
    }
  }
  if (verdict.updatedArgument < 0)
    return;
  Elements before(program.wideArgument(verdict.updatedArgument));
  double least = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < center.size(); ++i)
    if (double update = magnitude(center[i] - before[i]); update > 0 && std::isfinite(update))
      least = std::min(least, allowed[i] / update);
  verdict.updateResolution = least;
}

//===- The two questions ---------------------------------------------------===//

/// Whether all elements agree to the bits that a wide run keeps in any case.
static bool agreeAtOnce(const RunElements &a, const RunElements &b,
                        const std::vector<ElementType> &types, double unit) {
  for (size_t r = 0; r < types.size(); ++r) {
    if (!a.results[r] || !b.results[r])
      continue;
    if (isInteger(types[r]) && !identical(a.results[r], b.results[r]))
      return false;
    for (size_t i = 0; i < a.elements[r].size(); ++i)
      if (distance(a.elements[r], b.elements[r], i) > magnitude(b.elements[r][i]) * unit)
        return false;
  }
  return true;
}

/// Whether all elements agree to what the errors of the program's own roundings would be if all its
/// types had so many bits as wide runs are rounded to, or less: those of the narrowest one shrink
/// to that, others to less. If so, says what was found in `report`.
bool Judge::agreeByOwnSamples(const RunElements &other, const Samples &samples, const Texts &texts,
                              JudgeReport &report) const {
  const double scale = powerOfTwo(program.leastPrecision() - program.wideBits());
  const std::vector<size_t> none;
  const std::vector<double> unmoved;
  std::vector<ResultVerdict> verdicts(other.results.size());
  for (size_t r = 0; r < verdicts.size(); ++r) {
    if (!other.results[r])
      continue;
    std::vector<double> allowed;
    if (!isInteger(program.resultTypes()[r]))
      allowed = samples.allowances(r, wideFactor);
    for (double &each : allowed)
      each *= scale;
    if (!differingElements(other, r, allowed, program.resultTypes()[r], *wide, nullptr).empty())
      return false;
    TensorType type = {program.resultTypes()[r], other.results[r].type().shape};
    verdicts[r] = spmd::judge({type, other.elements[r], wide->elements[r], allowed, none, unmoved,
                               0, [&](size_t i) { return texts(r, i); }});
    if (!isInteger(program.resultTypes()[r]))
      describeUpdate(r, allowed, wide->elements[r], verdicts[r]);
  }
  report.results = std::move(verdicts);
  return true;
}

/// Random roundings to `bits` bits, with the choices of another run.
static Arithmetic wideRoundings(int bits, const ChoiceLog &choices) {
  Arithmetic arithmetic;
  arithmetic.rounding = Arithmetic::Rounding::uniform;
  arithmetic.uniformBits = bits;
  arithmetic.replayed = &choices;
  return arithmetic;
}

absl::StatusOr<JudgeReport> Judge::samePartitioned() {
  JudgeReport report;
  const std::string inWide = absl::StrCat("in ", nameOf(program.wide()));
  const double unit = powerOfTwo(-program.wideBits());
  if (!wide) {
    report.undecidedBecause = inWide + " its loops run without end";
    return report;
  }
  const absl::StatusOr<RunElements> &other = *partitionedRun;
  if (!other.ok() && absl::IsResourceExhausted(other.status())) {
    report.undecidedBecause = inWide + " loops of the partitioned program run without end";
    return report;
  }
  SPMD_RETURN_IF_ERROR(other.status());
  if (agreeAtOnce(*other, *wide, program.resultTypes(), unit)) {
    for (size_t r = 0; r < other->elements.size(); ++r) {
      ResultVerdict &verdict = report.results.emplace_back();
      if (!other->results[r] || !wide->results[r])
        continue;
      verdict.numElements = static_cast<int64_t>(other->elements[r].size());
      verdict.resolution = isInteger(program.resultTypes()[r]) ? 0 : unit;
    }
    return report;
  }
  auto texts = [&](size_t r, size_t i) {
    return std::make_pair(elementText(other->results[r], i), elementText(wide->results[r], i));
  };
  if (center == wide && willBeGiven) {
    SPMD_ASSIGN_OR_RETURN(Samples * samples, ownSamples());
    if (agreeByOwnSamples(*other, *samples, texts, report))
      return report;
  }
  Arithmetic arithmetic = wideRoundings(program.wideBits(), *choices);
  if (center != wide) {
    wideChoices = std::make_shared<ChoiceLog>();
    Arithmetic recording;
    recording.recorded = wideChoices.get();
    SPMD_RETURN_IF_ERROR(program.runWide({recording}).front().status());
    arithmetic.replayed = wideChoices.get();
  }
  Samples samples(arithmetic, wide, nullptr, program.resultTypes());
  SPMD_ASSIGN_OR_RETURN(report, judgeAll(*other, texts, samples));
  if (report.verdict() == Verdict::yes)
    return report;
  absl::StatusOr<JudgeReport> unbounded = samePartitionedUnbounded(); // Its loops may not end.
  return unbounded.ok() && unbounded->verdict() == Verdict::yes ? *unbounded : report;
}

/// Compares both programs without the range of their types. What underflows or overflows in parts
/// of a sum, and not in the whole, is a matter of rounding: the second question sees it.
absl::StatusOr<JudgeReport> Judge::samePartitionedUnbounded() {
  ChoiceLog own;
  Arithmetic plain, recording;
  plain.unbounded = recording.unbounded = true;
  recording.recorded = &own;
  JudgedProgram::Runs runs = program.runWide({recording}, &plain);
  for (const absl::StatusOr<RunElements> &run : runs)
    SPMD_RETURN_IF_ERROR(run.status());
  auto whole = std::make_shared<const RunElements>(*std::move(runs[0]));
  Arithmetic arithmetic = wideRoundings(program.wideBits(), own);
  arithmetic.unbounded = true;
  Samples samples(arithmetic, whole, nullptr, program.resultTypes());
  const RunElements &parts = *runs[1];
  return judgeAll(
      parts,
      [&](size_t r, size_t i) {
        return std::make_pair(elementText(parts.results[r], i), elementText(whole->results[r], i));
      },
      samples);
}

Arithmetic Judge::ownRoundings() const {
  Arithmetic arithmetic;
  arithmetic.rounding = Arithmetic::Rounding::ownType;
  arithmetic.replayed = choices.get();
  return arithmetic;
}

absl::StatusOr<Samples *> Judge::ownSamples() {
  if (!samplesOfOwnTypes) {
    samplesOfOwnTypes.emplace(ownRoundings(), center, narrow, program.resultTypes());
    for (const absl::StatusOr<RunElements> &run : runsAhead) {
      SPMD_RETURN_IF_ERROR(run.status());
      samplesOfOwnTypes->add(*run);
    }
    runsAhead.clear();
  }
  return &*samplesOfOwnTypes;
}

absl::StatusOr<double> Judge::allowedForParts(size_t result) {
  SPMD_ASSIGN_OR_RETURN(Samples * samples, ownSamples());
  SPMD_RETURN_IF_ERROR(addSamples(*samples, mostSamples));
  double largest = 0;
  for (double each : samples->allowances(result, ownFactor))
    if (std::isfinite(each))
      largest = std::max(largest, each);
  return largest;
}

absl::StatusOr<JudgeReport> Judge::given(absl::Span<const Tensor> results, Given role,
                                         absl::Span<const Tensor> shown) {
  RunElements compared;
  for (size_t r = 0; r < results.size(); ++r) {
    const Tensor &known = narrow->results[r];
    compared.results.push_back(known ? results[r] : Tensor());
    if (compared.results[r] && compared.results[r].type() != known.type())
      return invalid("result ", r, " has type ", results[r].type().str(), "; expected ",
                     known.type().str());
    compared.elements.push_back(compared.results[r] ? Elements(results[r]) : Elements());
  }
  auto texts = [&](size_t r, size_t i) {
    std::string text = elementText(results[r], i);
    if (role == Given::isResult)
      return std::make_pair(text, elementText(narrow->results[r], i));
    bool isShown = r < shown.size() && shown[r];
    return std::make_pair(elementText(isShown ? shown[r] : narrow->results[r], i), text);
  };
  SPMD_ASSIGN_OR_RETURN(Samples * samples, ownSamples());
  return judgeAll(compared, texts, *samples);
}

} // namespace spmd
