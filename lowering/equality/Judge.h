// Whether runs agree with a program, as closely as its own rounding lets that be told.
//
// Two questions are answered apart (docs/equality.md):
//
//     Judge judge = *Judge::create(whole, &partitioned, kernels, arguments, options);
//     judge.samePartitioned();                        // (i)  is it the same function?
//     judge.given(results, Judge::Given::isResult);   // (ii) are these its results?
//
// (i) runs both programs wide (Widen.h): they agree to a few roundings of that, or differ. (ii)
// lets the errors of the program's own roundings, made at random in several runs, be the allowance
// of each element.
#pragma once

#include "spmd/lowering/equality/JudgedProgram.h"
#include "spmd/lowering/equality/Samples.h"
#include "spmd/lowering/equality/Verdict.h"

#include <optional>

namespace spmd {

class Judge {
public:
  /// Runs the program as it is, and wide. `whole` is the unpartitioned program, or where there is
  /// none the partitioned one. `partitioned` takes the same arguments; null if only `given` will be
  /// asked. `kernels` must outlive the judge. `recorded` is a run of `whole` on `arguments`, which
  /// saves one; null if there has been none. Fails where a run of `whole` does, or a kernel has no
  /// form in the wide type.
  static absl::StatusOr<Judge> create(const DeviceProgram &whole, const DeviceProgram *partitioned,
                                      const KernelRegistry &kernels, std::vector<Tensor> arguments,
                                      const JudgeOptions &options,
                                      std::shared_ptr<RecordedRun> recorded = nullptr);

  /// (i) Compares the program with the partitioned one, which there must be.
  absl::StatusOr<JudgeReport> samePartitioned();

  /// What given results are in messages.
  enum class Given : uint8_t {
    isResult,  ///< What another run has made of the program.
    isExpected ///< What somebody expects, to be told beside what a run has made.
  };

  /// (ii) Compares the results of the program with `given`, which are joined, by their own types.
  /// Results that are empty tensors are left out. `shown` are what messages tell beside what is
  /// expected. InvalidArgument where a type differs.
  absl::StatusOr<JudgeReport> given(absl::Span<const Tensor> given, Given role,
                                    absl::Span<const Tensor> shown = {});

  /// Returns how far any element of a result may be from what the program gives, for a result of
  /// which only the parts are known (Known::part). `given` leaves such results out.
  absl::StatusOr<double> allowedForParts(size_t result);

  /// The results of the program as it is.
  absl::Span<const Tensor> results() const { return narrow->results; }

private:
  /// Two texts for element `i` of result `r`: what it is, and what is expected.
  using Texts = std::function<std::pair<std::string, std::string>(size_t r, size_t i)>;
  using DifferingElements = std::vector<std::vector<size_t>>; ///< By result.

  /// What runs do that make their own choices.
  struct FreeRuns {
    /// By result and element: how far at most, beside what is allowed.
    std::vector<std::vector<double>> moved;
    std::vector<double> furthest; ///< By result: how far any element moved.
    std::set<int32_t> choosing;   ///< The choices that they make otherwise.
    size_t numRuns = 0;
  };

  explicit Judge(JudgedProgram program) : program(std::move(program)) {}

  absl::Status runBothWays();
  absl::Status addSamples(Samples &samples, size_t count) const;
  Arithmetic ownRoundings() const;
  absl::StatusOr<Samples *> ownSamples();
  absl::StatusOr<JudgeReport> judgeAll(const RunElements &compared, const Texts &texts,
                                       Samples &samples) const;
  void addFreeRuns(const Samples &samples, double factor, size_t count, FreeRuns &free) const;
  bool agreeByOwnSamples(const RunElements &other, const Samples &samples, const Texts &texts,
                         JudgeReport &report) const;
  absl::StatusOr<JudgeReport> samePartitionedUnbounded();
  void describeUpdate(size_t result, const std::vector<double> &allowed, const Elements &center,
                      ResultVerdict &verdict) const;

  JudgedProgram program;
  bool willBeGiven = true;
  /// Those of `narrow`, and those of `wide` where they are others.
  std::shared_ptr<const ChoiceLog> choices;
  std::shared_ptr<ChoiceLog> wideChoices;
  std::shared_ptr<const RunElements> narrow; ///< The program as it is.
  std::shared_ptr<const RunElements> wide;   ///< By its own choices; null if it runs without end.
  std::shared_ptr<const RunElements> center; ///< Wide, by the choices of `narrow`.
  std::optional<absl::StatusOr<RunElements>> partitionedRun;
  JudgedProgram::Runs runsAhead; ///< The first of `samplesOfOwnTypes`.
  std::optional<Samples> samplesOfOwnTypes;
};

} // namespace spmd
