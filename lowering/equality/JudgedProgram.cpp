#include "spmd/lowering/equality/JudgedProgram.h"

#include "spmd/lowering/equality/Rounding.h"
#include "spmd/lowering/interpreter/Boundary.h"
#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/Helpers.h"
#include "spmd/lowering/interpreter/StatusMacros.h"
#include "spmd/lowering/program/Fuse.h"
#include "spmd/lowering/program/Peak.h"
#include "spmd/lowering/program/Releases.h"

#include <algorithm>
#include <atomic>

namespace spmd {

/// A wide run may be as many times the work of the narrow one, and so much more: loops may take
/// some more turns, but not run without end.
constexpr int64_t workFactor = 32, moreWork = 1 << 24;

/// Returns a * b, or the largest number.
static int64_t product(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<int64_t>::max() : result;
}

absl::StatusOr<JudgedProgram>
JudgedProgram::create(const DeviceProgram &whole, const DeviceProgram *partitioned,
                      const KernelRegistry &kernels, std::vector<Tensor> arguments,
                      const JudgeOptions &options, std::shared_ptr<RecordedRun> recorded) {
  JudgedProgram program(kernels, std::move(arguments), options);
  program.hasRun = recorded != nullptr;
  program.asItIs = std::move(recorded);
  SPMD_RETURN_IF_ERROR(program.prepareAll(whole, partitioned));
  return std::move(program);
}

absl::Status JudgedProgram::prepareAll(const DeviceProgram &whole,
                                       const DeviceProgram *partitioned) {
  wide_ = wideTypeFor(whole);
  if (partitioned)
    wide_ = std::max(wide_, wideTypeFor(*partitioned));
  for (const Tensor &argument : arguments_) {
    ElementType element = argument.type().element, wideElement = widened(element, wide_);
    wideArguments.push_back(argument);
    if (wideElement != element) {
      SPMD_ASSIGN_OR_RETURN(wideArguments.back(), toWide(argument, wideElement));
    }
  }
  if (!asItIs) {
    SPMD_ASSIGN_OR_RETURN(RecordedRun prepared, RecordedRun::prepare(whole, kernels));
    asItIs = std::make_shared<RecordedRun>(std::move(prepared));
  }
  const DeviceProgram &exposed = asItIs->program();
  describe(exposed);
  int64_t numParts = partitioned ? partitioned->numDevices : whole.numDevices;
  SPMD_ASSIGN_OR_RETURN(wideWhole, prepare(widen(exposed, numParts, wide_)));
  if (partitioned) {
    SPMD_ASSIGN_OR_RETURN(widePartitioned, prepare(widen(unfuse(*partitioned), numParts, wide_)));
  }
  int64_t bytes = std::max<int64_t>(1, peakBytes(wideWhole->program));
  if (widePartitioned)
    bytes = std::max(bytes, product(peakBytes(widePartitioned->program), partitioned->numDevices));
  options.threads = static_cast<int>(
      std::clamp<int64_t>(options.memory / bytes, 1, std::max(options.threads, 1)));
  return absl::OkStatus();
}

void JudgedProgram::describe(const DeviceProgram &exposed) {
  const Function &entry = exposed.functions[exposed.entry];
  for (ValueId result : entry.results)
    resultTypes_.push_back(entry.values[result].element);
  leastPrecision_ = wideBits();
  for (const Function &function : exposed.functions) {
    for (const TensorType &value : function.values)
      if (isRounded(value.element))
        leastPrecision_ = std::min(leastPrecision_, precisionOf(value.element));
    for (const Instruction &instruction : function.instructions)
      if (instruction.attributes.contains("choice")) {
        auto number = static_cast<size_t>(*instruction.attributes.get<int64_t>("choice"));
        choiceNames.resize(std::max(choiceNames.size(), number + 1));
        choiceNames[number] = spmd::describe(instruction);
      }
  }
}

absl::StatusOr<JudgedProgram::Ready> JudgedProgram::prepare(DeviceProgram program) const {
  fuseElementwise(program);
  planReleases(program);
  SPMD_ASSIGN_OR_RETURN(Executable executable, Executable::prepare(program, kernels));
  return Ready{std::move(program), std::move(executable)};
}

/// Returns what a run of `program` gave as elements.
static RunElements elementsOf(const DeviceProgram &program, std::vector<Tensor> joined,
                              const std::vector<std::vector<Tensor>> &local) {
  RunElements out;
  out.results = std::move(joined);
  for (size_t r = 0; r < out.results.size(); ++r) {
    Elements &elements = out.elements.emplace_back();
    if (program.results[r].known != Known::part) {
      elements = Elements(out.results[r]);
      continue;
    }
    out.results[r] = Tensor();
    for (const std::vector<Tensor> &device : local) // The position of each part is unknown.
      elements.append(Elements(device[r]));
  }
  return out;
}

Denormals JudgedProgram::denormals() const {
  return options.denormals == Denormals::flush ? Denormals::zeroInComparisons : options.denormals;
}

absl::StatusOr<RunElements> JudgedProgram::runAsItIs(std::shared_ptr<const ChoiceLog> &choices) {
  if (!hasRun)
    SPMD_RETURN_IF_ERROR(asItIs->run(arguments_, denormals()));
  choices = asItIs->choices();
  mostWork = product(asItIs->work() + moreWork / workFactor, workFactor);
  RunElements elements = elementsOf(asItIs->program(), asItIs->joined(), asItIs->local());
  asItIs.reset();
  return elements;
}

JudgedProgram::Runs JudgedProgram::runWide(absl::Span<const Arithmetic> requests,
                                           const Arithmetic *partitioned) const {
  size_t count = requests.size() + (partitioned ? 1 : 0);
  Runs runs(count, absl::UnknownError("not run"));
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t i; (i = next++) < count;) {
      bool isPartitioned = i == requests.size();
      const Ready &ready = isPartitioned ? *widePartitioned : *wideWhole;
      WorkBudget budget(isPartitioned ? product(mostWork, ready.program.numDevices) : mostWork);
      runs[i] = run(ready, isPartitioned ? *partitioned : requests[i], budget);
    }
  };
  {
    Helpers helpers(std::min(options.threads, static_cast<int>(count)) - 1, work);
    work();
  }
  return runs;
}

absl::StatusOr<RunElements> JudgedProgram::run(const Ready &ready, const Arithmetic &arithmetic,
                                               WorkBudget &budget) const {
  SPMD_ASSIGN_OR_RETURN(std::vector<std::vector<Tensor>> cut,
                        cutArguments(ready.program, wideArguments));
  RunOptions runOptions;
  runOptions.denormals = denormals();
  runOptions.arithmetic = &arithmetic;
  runOptions.budget = &budget;
  SPMD_ASSIGN_OR_RETURN(std::vector<std::vector<Tensor>> local,
                        ready.executable.run(std::move(cut), runOptions));
  SPMD_ASSIGN_OR_RETURN(std::vector<Tensor> joined, joinResults(ready.program, local, kernels));
  return elementsOf(ready.program, std::move(joined), local);
}

} // namespace spmd
