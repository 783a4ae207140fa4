// A program that is judged, and the partitioned one, in the forms in which they run.
#pragma once

#include "spmd/lowering/equality/RecordedRun.h"
#include "spmd/lowering/equality/Samples.h"
#include "spmd/lowering/equality/Widen.h"

#include <limits>
#include <optional>

namespace spmd {

struct JudgeOptions {
  Denormals denormals = Denormals::zeroInComparisons;
  /// How many runs may be made at the same time, and the bytes that they may take, results apart.
  int threads = 1;
  int64_t memory = std::numeric_limits<int64_t>::max();
  /// Whether `Judge::given` will be asked: its runs are then made beside others.
  bool willBeGiven = true;
};

class JudgedProgram {
public:
  /// Prepares `whole`, with its choices exposed and wide, and `partitioned`, if it is not null,
  /// wide. Both take `arguments`. `kernels` must outlive the object. `recorded` is a run of `whole`
  /// on `arguments`; null if there has been none. InvalidArgument where a kernel has no form in the
  /// wide type.
  static absl::StatusOr<JudgedProgram>
  create(const DeviceProgram &whole, const DeviceProgram *partitioned,
         const KernelRegistry &kernels, std::vector<Tensor> arguments, const JudgeOptions &options,
         std::shared_ptr<RecordedRun> recorded = nullptr);

  bool isPartitioned() const { return widePartitioned.has_value(); }
  const std::vector<Tensor> &arguments() const { return arguments_; }
  /// Returns argument `i` as wide runs take it.
  const Tensor &wideArgument(size_t i) const { return wideArguments[i]; }
  const std::vector<ElementType> &resultTypes() const { return resultTypes_; }
  /// The type in which wide runs compute, and the bits to which some of them round at random.
  ElementType wide() const { return wide_; }
  int wideBits() const { return sampledBits(wide_); }
  /// Of all float types of the program, in bits of mantissa; at most `wideBits`.
  int leastPrecision() const { return leastPrecision_; }
  /// Returns `op at location` of the instruction that makes a choice.
  const std::string &nameOfChoice(int32_t choice) const { return choiceNames[choice]; }

  /// Runs the program as it is, if that has not been done, for once and before any other run. Its
  /// choices go to `choices`.
  absl::StatusOr<RunElements> runAsItIs(std::shared_ptr<const ChoiceLog> &choices);

  using Runs = std::vector<absl::StatusOr<RunElements>>; ///< One for each request.
  /// Runs the wide program once for each request, and behind these the partitioned one, unless
  /// `partitioned` is null, as many at the same time as the options allow. ResourceExhausted for a
  /// run that takes many times the work of the program as it is: its loops do not end.
  Runs runWide(absl::Span<const Arithmetic> requests,
               const Arithmetic *partitioned = nullptr) const;

private:
  /// A program that is ready to run.
  struct Ready {
    DeviceProgram program;
    Executable executable;
  };

  JudgedProgram(const KernelRegistry &kernels, std::vector<Tensor> arguments,
                const JudgeOptions &options)
      : kernels(kernels), arguments_(std::move(arguments)), options(options) {}

  absl::Status prepareAll(const DeviceProgram &whole, const DeviceProgram *partitioned);
  void describe(const DeviceProgram &exposed);
  absl::StatusOr<Ready> prepare(DeviceProgram program) const;
  Denormals denormals() const;
  absl::StatusOr<RunElements> run(const Ready &ready, const Arithmetic &arithmetic,
                                  WorkBudget &budget) const;

  const KernelRegistry &kernels;
  std::vector<Tensor> arguments_, wideArguments;
  JudgeOptions options;
  std::vector<ElementType> resultTypes_;
  std::vector<std::string> choiceNames; ///< By choice.
  ElementType wide_ = ElementType::f64;
  int leastPrecision_ = 0;
  int64_t mostWork = 0; ///< Of a wide run.
  std::shared_ptr<RecordedRun> asItIs;
  bool hasRun = false; ///< `asItIs` has.
  std::optional<Ready> wideWhole, widePartitioned;
};

} // namespace spmd
