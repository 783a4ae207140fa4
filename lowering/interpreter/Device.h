// One device: active functions, each with its values and where it stands.
#pragma once

#include "spmd/lowering/comm/Communicator.h"
#include "spmd/lowering/interpreter/Arithmetic.h"
#include "spmd/lowering/interpreter/PreparedProgram.h"
#include "spmd/lowering/interpreter/WorkBudget.h"

namespace spmd {

/// A tensor, or a mutable cell that holds one.
struct Value {
  Tensor tensor;
  std::shared_ptr<Tensor> cell;
};

class Device {
public:
  enum class State : uint8_t { runnable, waiting, finished, failed };

  /// A device at the start of function number `entry`, which spends from `budget` if there is one,
  /// and rounds by `arithmetic` if that is not null. All that is given must outlive it.
  Device(const PreparedProgram &program, int64_t id, int32_t entry, std::vector<Tensor> arguments,
         WorkBudget *budget, const Arithmetic *arithmetic);

  /// Runs until the device waits at a collective, a send or a receive, finishes or fails.
  State advance();

  /// What it waits at, what it brings, and the point. Requires that it waits.
  const PreparedInstruction &waitingAt() const { return *current().at(); }
  std::vector<Tensor> contribution();
  MeetingPoint meetingPoint() const;

  /// Gives the results of what it waits at; the device can run on.
  void resume(std::vector<Tensor> results);
  void fail(absl::Status status);

  State state() const { return state_; }
  const absl::Status &status() const { return status_; }
  /// The results of the entry function. Requires that it has finished.
  std::vector<Tensor> takeResults() { return std::move(results); }

private:
  enum class Role : uint8_t { plain, condition, body };
  struct Frame {
    int32_t functionIndex;
    const PreparedFunction *function;
    Role role;
    std::vector<Value> values;
    size_t pc = 0;
    /// Of the loop that stands at pc, while it runs.
    int64_t iteration = 0;
    std::vector<Value> carries;

    const PreparedInstruction *at() const { return &function->instructions[pc]; }
    /// The tensor that value `id` holds, or constant number -1 - `id`; none if it is a cell.
    const Tensor &tensorOf(ValueId id) const {
      return id < 0 ? function->constants[-1 - id] : values[id].tensor;
    }
    /// Moves out or shares value `id`.
    Value give(ValueId id, bool takes) {
      if (takes)
        return std::move(values[id]);
      return id < 0 ? Value{function->constants[-1 - id], nullptr} : values[id];
    }
  };

  Frame &current() { return frames.back(); }
  const Frame &current() const { return frames.back(); }

  absl::Status step(const PreparedInstruction &instruction);
  /// ResourceExhausted, with op and location, if the budget has less than `work` left.
  absl::Status spend(const PreparedInstruction &instruction, int64_t work);
  absl::Status runKernel(const PreparedInstruction &instruction);
  absl::Status makeOutputs(const PreparedInstruction &instruction);
  absl::Status replaceChoices(const PreparedInstruction &instruction,
                              const std::vector<Tensor> &chosen, absl::Span<Tensor> made) const;
  absl::Status handleChoice(const PreparedInstruction &instruction, absl::Span<Tensor> made);
  absl::Status runBranch(const PreparedInstruction &instruction);
  absl::Status runCell(const PreparedInstruction &instruction);
  absl::Status runCollective(const PreparedInstruction &instruction);
  absl::Status runInfeed(const PreparedInstruction &instruction);
  /// Starts a function whose arguments the caller then sets: the first values of the new frame.
  Frame &push(int32_t function, Role role);
  void pop();
  /// Runs `function` on the operands from number `first` on.
  void call(const PreparedInstruction &instruction, int32_t function, size_t first);
  absl::Status returnFromFunction();
  absl::Status startIteration();
  absl::Status decideIteration();
  /// Moves out or shares the operands.
  std::vector<Value> takeOperands(const PreparedInstruction &instruction);
  absl::StatusOr<std::vector<Tensor>> takeTensors(const PreparedInstruction &instruction);
  /// Sets the results of the instruction at pc, releases what dies there, and goes on.
  void finishInstruction(absl::Span<Value> results);
  void finishInstruction(absl::Span<Tensor> results);
  void release(const PreparedInstruction &instruction);

  const PreparedProgram &program;
  int64_t id;
  WorkBudget *budget;
  const Arithmetic *arithmetic;
  uint64_t numRandomTaken = 0;
  std::vector<size_t> numChoices; ///< By choice: how often it was made.
  size_t numFed = 0;              ///< How often it has taken from the infeed.
  std::vector<Frame> frames;
  std::vector<std::vector<Value>> spareValues; ///< Of frames that are gone, empty.
  /// Of the kernel that runs; as long as the longest so far, with no outputs between two.
  std::vector<const Tensor *> inputs;
  std::vector<Tensor> outputs;
  State state_ = State::runnable;
  absl::Status status_;
  std::vector<Tensor> pendingContribution;
  std::vector<Tensor> results;
};

} // namespace spmd
