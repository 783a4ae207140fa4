#include "spmd/lowering/equality/Judge.h"

#include "spmd/lowering/equality/Widen.h"
#include "spmd/lowering/interpreter/Boundary.h"
#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/StatusMacros.h"
#include "spmd/lowering/program/Fuse.h"
#include "spmd/lowering/program/Releases.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace spmd {

// Why these are what they are: docs/equality.md.

/// Runs whose roundings are made at random: at first, and at most where an element asks for more.
constexpr size_t fewSamples = 3, mostSamples = 24;
/// An element that is further from the center than so many standard deviations asks for more.
constexpr double asksForMore = 4;
/// How many standard deviations an element may be from the center: of runs by the program's own
/// types, and of wide runs, whose samples have far larger errors than they.
constexpr double ownFactor = 5, wideFactor = 2;
/// Runs that make their own choices, to see what hangs on these.
constexpr size_t numFreeRuns = 6;
/// By how much larger errors turn over choices that are all but made otherwise.
constexpr double largerErrors = 4;
/// A wide run may be as many times the work of the narrow one, and so much more: loops may take
/// some more turns, but not run without end.
constexpr int64_t workFactor = 32, moreWork = 1 << 24;

//===- Runs ----------------------------------------------------------------===//

absl::StatusOr<Judge> Judge::create(const DeviceProgram &whole, int64_t numParts,
                                    const KernelRegistry &kernels, std::vector<Tensor> arguments,
                                    Denormals denormals) {
  Judge judge(kernels, std::move(arguments), denormals);
  SPMD_RETURN_IF_ERROR(judge.prepare(whole, numParts));
  return std::move(judge);
}

absl::Status Judge::prepare(const DeviceProgram &whole, int64_t parts) {
  numParts = parts;
  const Function &entry = whole.functions[whole.entry];
  for (ValueId result : entry.results)
    resultTypes.push_back(entry.values[result].element);
  for (const Tensor &argument : arguments) {
    ElementType element = argument.type().element;
    wideArguments.push_back(argument);
    if (widened(element) != element) {
      SPMD_ASSIGN_OR_RETURN(wideArguments.back(), toF64(argument));
    }
  }
  DeviceProgram exposed = exposeChoices(whole);
  for (const Function &function : exposed.functions)
    for (const Instruction &instruction : function.instructions)
      if (instruction.attributes.contains("choice")) {
        auto number = static_cast<size_t>(*instruction.attributes.get<int64_t>("choice"));
        choiceNames.resize(std::max(choiceNames.size(), number + 1));
        choiceNames[number] = describe(instruction);
      }
  wideProgram = widen(exposed, numParts);
  fuseElementwise(wideProgram);
  planReleases(wideProgram);
  SPMD_ASSIGN_OR_RETURN(wideExecutable, Executable::prepare(wideProgram, kernels));
  return runBothWays(std::move(exposed));
}

/// Runs the program as it is and keeps its choices, then wide.
absl::Status Judge::runBothWays(DeviceProgram program) {
  fuseElementwise(program);
  planReleases(program);
  SPMD_ASSIGN_OR_RETURN(Executable executable, Executable::prepare(program, kernels));
  Arithmetic recording;
  recording.recorded = choices.get();
  WorkBudget budget(std::numeric_limits<int64_t>::max());
  SPMD_ASSIGN_OR_RETURN(RunElements own, run(program, executable, arguments, recording, budget));
  narrow = std::make_shared<RunElements>(std::move(own));
  mostWork = workFactor *
                 std::min(budget.spent(), std::numeric_limits<int64_t>::max() / (2 * workFactor)) +
             moreWork;

  std::set<int32_t> differing;
  Arithmetic comparing;
  comparing.compared = choices.get();
  comparing.differing = &differing;
  absl::StatusOr<RunElements> free = runWide(comparing);
  if (!free.ok() && !absl::IsResourceExhausted(free.status()))
    return free.status();
  if (free.ok())
    wide = std::make_shared<RunElements>(*std::move(free));
  center = wide;
  if (wide && differing.empty())
    return absl::OkStatus();
  Arithmetic replaying;
  replaying.replayed = choices.get();
  SPMD_ASSIGN_OR_RETURN(RunElements following, runWide(replaying));
  center = std::make_shared<RunElements>(std::move(following));
  return absl::OkStatus();
}

absl::StatusOr<RunElements> Judge::run(const DeviceProgram &program, const Executable &executable,
                                       const std::vector<Tensor> &whole,
                                       const Arithmetic &arithmetic, WorkBudget &budget) const {
  SPMD_ASSIGN_OR_RETURN(std::vector<std::vector<Tensor>> cut, cutArguments(program, whole));
  RunOptions options;
  options.denormals = denormals == Denormals::flush ? Denormals::zeroInComparisons : denormals;
  options.arithmetic = &arithmetic;
  options.budget = &budget;
  SPMD_ASSIGN_OR_RETURN(std::vector<std::vector<Tensor>> local,
                        executable.run(std::move(cut), options));
  RunElements out;
  SPMD_ASSIGN_OR_RETURN(out.results, joinResults(program, local, kernels));
  for (size_t r = 0; r < out.results.size(); ++r) {
    Elements &elements = out.elements.emplace_back();
    if (program.results[r].known != Known::part) {
      elements = toComplexDoubles(out.results[r]);
      continue;
    }
    out.results[r] = Tensor();
    for (const std::vector<Tensor> &device : local) { // Nobody says where each part lies.
      Elements part = toComplexDoubles(device[r]);
      elements.insert(elements.end(), part.begin(), part.end());
    }
  }
  return out;
}

absl::StatusOr<RunElements> Judge::runWide(const Arithmetic &arithmetic) const {
  WorkBudget budget(mostWork);
  return run(wideProgram, *wideExecutable, wideArguments, arithmetic, budget);
}

/// Makes `count` runs in all.
absl::Status Judge::addSamples(Samples &samples, size_t count) const {
  while (samples.numRuns() < count) {
    Arithmetic arithmetic = samples.arithmetic;
    arithmetic.seed = samples.numRuns() + 1;
    SPMD_ASSIGN_OR_RETURN(RunElements run, runWide(arithmetic));
    samples.add(run);
  }
  return absl::OkStatus();
}

//===- Comparing -----------------------------------------------------------===//

static bool isSameInteger(const Tensor &a, const Tensor &b, size_t i) {
  size_t bytes = storedBytes(a.type().element);
  return std::memcmp(a.data() + i * bytes, b.data() + i * bytes, bytes) == 0;
}

/// Returns the elements of result `r` that are further from the center than allowed. One that is
/// what a correct run gives, or a neighbour of that, is right by itself.
static std::vector<size_t> differingElements(const RunElements &compared, size_t r,
                                             const std::vector<double> &allowed,
                                             const Samples &samples) {
  std::vector<size_t> differing;
  const Elements &given = compared.elements[r], &center = samples.center->elements[r];
  bool isExact = isInteger(samples.types[r]);
  Spacing spacing = spacingOf(samples.types[r]);
  auto isRight = [&](size_t i) {
    if (isExact)
      return isSameInteger(compared.results[r], samples.center->results[r], i);
    if (distance(given[i], center[i]) <= allowed[i])
      return true;
    if (!samples.alsoRight)
      return false;
    std::complex<double> right = samples.alsoRight->elements[r][i];
    return distance(given[i], right) <= spacing.ulpAt(std::abs(right));
  };
  for (size_t i = 0; i < center.size(); ++i)
    if (!isRight(i))
      differing.push_back(i);
  return differing;
}

/// Returns how far each element of each result moves in runs that make their own choices, and adds
/// the choices that they make otherwise to `choosing`.
std::vector<std::vector<double>> Judge::moveByChoices(const Samples &samples,
                                                      std::set<int32_t> &choosing) const {
  std::vector<std::vector<double>> furthest;
  for (const Elements &result : samples.center->elements)
    furthest.emplace_back(result.size());
  for (size_t k = 0; k < numFreeRuns; ++k) {
    Arithmetic free = samples.arithmetic;
    free.replayed = nullptr;
    free.compared = samples.arithmetic.replayed;
    free.differing = &choosing;
    free.seed = 1000 + k;
    free.scale = k % 2 == 0 ? 1 : largerErrors;
    absl::StatusOr<RunElements> run = runWide(free);
    if (!run.ok()) // As one whose loops do not end.
      continue;
    for (size_t r = 0; r < furthest.size(); ++r) {
      double scale = isInteger(samples.types[r]) ? 1 : free.scale;
      for (size_t i = 0; i < furthest[r].size(); ++i)
        furthest[r][i] = std::max(
            furthest[r][i], distance(run->elements[r][i], samples.center->elements[r][i]) / scale);
    }
  }
  return furthest;
}

/// Judges all results that are joined, by as few runs as can tell.
absl::StatusOr<JudgeReport> Judge::judgeAll(const RunElements &compared, const Texts &texts,
                                            Samples &samples) const {
  size_t count = compared.results.size();
  bool isOwn = samples.arithmetic.rounding == Arithmetic::Rounding::ownType;
  std::vector<std::vector<double>> allowed(count);
  DifferingElements differing(count);
  auto findDiffering = [&](double factor) {
    bool areAny = false;
    for (size_t r = 0; r < count; ++r) {
      if (!compared.results[r])
        continue;
      if (!isInteger(samples.types[r]))
        allowed[r] = samples.allowances(r, factor);
      differing[r] = differingElements(compared, r, allowed[r], samples);
      areAny |= !differing[r].empty();
    }
    return areAny;
  };
  for (size_t runs = fewSamples; runs <= mostSamples; runs *= 2) {
    SPMD_RETURN_IF_ERROR(addSamples(samples, runs));
    if (!findDiffering(isOwn ? asksForMore : wideFactor))
      break;
  }
  std::set<int32_t> choosing;
  std::vector<std::vector<double>> moved(count);
  if (findDiffering(isOwn ? ownFactor : wideFactor))
    moved = moveByChoices(samples, choosing);

  JudgeReport report;
  for (size_t r = 0; r < count; ++r) {
    ResultVerdict &verdict = report.results.emplace_back();
    if (!compared.results[r])
      continue;
    const Elements &at = samples.center->elements[r];
    TensorType type = {samples.types[r], compared.results[r].type().shape};
    verdict = spmd::judge({type, compared.elements[r], at, allowed[r], differing[r], moved[r],
                           [&](size_t i) { return texts(r, i); }});
    if (!isInteger(samples.types[r]))
      describeUpdate(r, allowed[r], at, verdict);
  }
  if (report.verdict() == Verdict::undecided)
    for (int32_t choice : choosing)
      report.decidedBy.push_back(choiceNames[choice]);
  return report;
}

/// A result that is near an argument of its type is that argument, updated.
void Judge::describeUpdate(size_t result, const std::vector<double> &allowed,
                           const Elements &center, ResultVerdict &verdict) const {
  const TensorType &type = narrow->results[result].type();
  double nearest = 0;
  for (const std::complex<double> &each : center)
    nearest += std::norm(each) / 4; // Half of the result itself.
  Elements before;
  for (size_t a = 0; a < arguments.size(); ++a) {
    if (arguments[a].type() != type)
      continue;
    Elements argument = toComplexDoubles(arguments[a]);
    double apart = 0;
    for (size_t i = 0; i < center.size(); ++i)
      apart += std::norm(center[i] - argument[i]);
    if (apart > 0 && apart < nearest) {
      nearest = apart;
      before = std::move(argument);
      verdict.updatedArgument = static_cast<int64_t>(a);
    }
  }
  if (verdict.updatedArgument < 0)
    return;
  double least = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < center.size(); ++i)
    if (double update = std::abs(center[i] - before[i]); update > 0 && std::isfinite(update))
      least = std::min(least, allowed[i] / update);
  verdict.updateResolution = least;
}

//===- The two questions ---------------------------------------------------===//

/// Whether all elements agree to the bits that a wide run keeps in any case.
static bool agreeAtOnce(const RunElements &a, const RunElements &b,
                        const std::vector<ElementType> &types) {
  for (size_t r = 0; r < types.size(); ++r) {
    if (!a.results[r] || !b.results[r])
      continue;
    if (isInteger(types[r]) && !identical(a.results[r], b.results[r]))
      return false;
    for (size_t i = 0; i < a.elements[r].size(); ++i)
      if (distance(a.elements[r][i], b.elements[r][i]) >
          std::ldexp(std::abs(b.elements[r][i]), -wideBits))
        return false;
  }
  return true;
}

absl::StatusOr<JudgeReport> Judge::samePartitioned(const DeviceProgram &partitioned) {
  JudgeReport report;
  if (!wide) {
    report.undecidedBecause = "in f64 its loops run without end";
    return report;
  }
  DeviceProgram program = widen(unfuse(partitioned), numParts);
  fuseElementwise(program);
  planReleases(program);
  SPMD_ASSIGN_OR_RETURN(Executable executable, Executable::prepare(program, kernels));
  Arithmetic plain;
  WorkBudget budget(mostWork > std::numeric_limits<int64_t>::max() / partitioned.numDevices
                        ? std::numeric_limits<int64_t>::max()
                        : mostWork * partitioned.numDevices);
  absl::StatusOr<RunElements> other = run(program, executable, wideArguments, plain, budget);
  if (!other.ok() && absl::IsResourceExhausted(other.status())) {
    report.undecidedBecause = "in f64 loops of the partitioned program run without end";
    return report;
  }
  SPMD_RETURN_IF_ERROR(other.status());
  if (agreeAtOnce(*other, *wide, resultTypes)) {
    for (const Elements &elements : other->elements) {
      ResultVerdict &verdict = report.results.emplace_back();
      verdict.numElements = static_cast<int64_t>(elements.size());
      verdict.resolution = std::ldexp(1.0, -wideBits);
    }
    return report;
  }
  Arithmetic arithmetic;
  arithmetic.rounding = Arithmetic::Rounding::uniform;
  arithmetic.uniformBits = wideBits;
  arithmetic.replayed = choices.get();
  if (center != wide) {
    wideChoices = std::make_shared<ChoiceLog>();
    Arithmetic recording;
    recording.recorded = wideChoices.get();
    SPMD_RETURN_IF_ERROR(runWide(recording).status());
    arithmetic.replayed = wideChoices.get();
  }
  Samples samples(arithmetic, wide, nullptr, resultTypes);
  return judgeAll(
      *other,
      [&](size_t r, size_t i) {
        return std::make_pair(elementText(other->results[r], i), elementText(wide->results[r], i));
      },
      samples);
}

Samples &Judge::ownSamples() {
  if (!samplesOfOwnTypes) {
    Arithmetic arithmetic;
    arithmetic.rounding = Arithmetic::Rounding::ownType;
    arithmetic.replayed = choices.get();
    samplesOfOwnTypes.emplace(arithmetic, center, narrow, resultTypes);
  }
  return *samplesOfOwnTypes;
}

absl::StatusOr<double> Judge::allowedForParts(size_t result) {
  SPMD_RETURN_IF_ERROR(addSamples(ownSamples(), mostSamples));
  double largest = 0;
  for (double each : ownSamples().allowances(result, ownFactor))
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
    compared.elements.push_back(compared.results[r] ? toComplexDoubles(results[r]) : Elements());
  }
  auto texts = [&](size_t r, size_t i) {
    std::string text = elementText(results[r], i);
    if (role == Given::isResult)
      return std::make_pair(text, elementText(narrow->results[r], i));
    bool isShown = r < shown.size() && shown[r];
    return std::make_pair(elementText(isShown ? shown[r] : narrow->results[r], i), text);
  };
  return judgeAll(compared, texts, ownSamples());
}

} // namespace spmd
