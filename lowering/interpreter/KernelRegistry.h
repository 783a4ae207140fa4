// What the interpreter can execute: kernels by op name, steps of elementwise chains, custom calls.
//
// A kernel is prepared once for each instruction: a factory checks types and attributes and returns
// a function that is bound to them. Nothing is looked up by name while a program runs. The registry
// is an object that its user owns; `addBuiltinKernels` fills it with what StableHLO defines.
#pragma once

#include "spmd/lowering/interpreter/FreeVectors.h"
#include "spmd/lowering/interpreter/Tensor.h"
#include "spmd/lowering/program/DeviceProgram.h"

#include "absl/types/span.h"

#include <functional>
#include <map>

namespace spmd {

class KernelRegistry;

/// Tensors that stay where they are: pointers, read as a list of what they point at.
class TensorRefs {
public:
  class Iterator {
  public:
    explicit Iterator(const Tensor *const *at) : at(at) {}
    const Tensor &operator*() const { return **at; }
    Iterator &operator++() {
      ++at;
      return *this;
    }
    friend bool operator!=(Iterator a, Iterator b) { return a.at != b.at; }

  private:
    const Tensor *const *at;
  };

  TensorRefs(absl::Span<const Tensor *const> tensors) : tensors(tensors) {}

  size_t size() const { return tensors.size(); }
  const Tensor &operator[](size_t i) const { return *tensors[i]; }
  TensorRefs subspan(size_t first, size_t count = -1) const {
    return tensors.subspan(first, count);
  }
  Iterator begin() const { return Iterator(tensors.data()); }
  Iterator end() const { return Iterator(tensors.data() + tensors.size()); }

private:
  absl::Span<const Tensor *const> tensors;
};

/// One execution of a kernel on one device.
struct KernelCall {
  TensorRefs inputs;
  /// Allocated by the caller with the types of the results.
  absl::Span<Tensor> outputs;
  int64_t device;
};

struct Kernel {
  std::function<absl::Status(const KernelCall &)> run;
  /// Per result: the operands whose buffer it may take over, if nobody else reads that. Empty means
  /// none.
  std::vector<std::vector<int>> reuse = {};
  /// The kernel sets the outputs itself, because they share or are chosen from the inputs.
  bool definesOutputs = false;
  /// The only result, if it is known already: then the kernel never runs.
  Tensor constant = {};
  /// Results that are vectors of any sign, each of which is a choice.
  std::vector<FreeVectors> freeVectors = {};
};

/// What a factory sees. Ids and function indices of the instruction are in range.
struct KernelRequest {
  const DeviceProgram &program;
  const Instruction &instruction;
  std::vector<TensorType> operands;
  std::vector<TensorType> results;
  const KernelRegistry &registry;

  const Attributes &attributes() const { return instruction.attributes; }
  /// Returns body number `index`; InvalidArgument if the instruction has none.
  absl::StatusOr<const Function *> body(int index = 0) const;
  /// As above, but its number in the program.
  absl::StatusOr<int32_t> bodyIndex(int index = 0) const;
  /// InvalidArgument, with both numbers, unless there are that many operands and results.
  absl::Status expectCounts(size_t numOperands, size_t numResults) const;
};

/// Checks the request, and returns the kernel or InvalidArgument.
using KernelFactory = std::function<absl::StatusOr<Kernel>(const KernelRequest &)>;

/// Computes `n` elements in native types, see Storage.h. `out` may be one of `in`.
using StepFunction = void (*)(int64_t n, void *out, const void *const *in, const int64_t *params);

/// One operation of an elementwise chain.
struct TileStep {
  StepFunction function = nullptr;
  int64_t params[2] = {0, 0};
};

/// Checks element types and attributes, and returns the step or InvalidArgument.
using StepFactory = std::function<absl::StatusOr<TileStep>(
    const Attributes &attributes, absl::Span<const ElementType> operands, ElementType result)>;

/// A user's op. `out` is allocated; in and out never share elements.
using CustomCall = std::function<absl::Status(absl::Span<const Tensor> in, absl::Span<Tensor> out,
                                              const Attributes &attributes)>;

class KernelRegistry {
public:
  /// Each adds a name, or replaces what it stood for.
  void addKernel(std::string op, KernelFactory factory);
  void addStep(std::string op, StepFactory factory);
  void addCustomCall(std::string target, CustomCall call);
  /// As above for a call that checks its types and attributes once, as kernels do.
  void addCustomCallKernel(std::string target, KernelFactory factory);

  /// Each returns what the name stands for, or null.
  const KernelFactory *findKernel(const std::string &op) const;
  const StepFactory *findStep(const std::string &op) const;
  const KernelFactory *findCustomCall(const std::string &target) const;

  /// Returns the kernel for `request`. InvalidArgument, starting with the op and its location, if
  /// nothing has the op's name or its factory refuses.
  absl::StatusOr<Kernel> prepare(const KernelRequest &request) const;

private:
  std::map<std::string, KernelFactory> kernels;
  std::map<std::string, StepFactory> steps;
  std::map<std::string, KernelFactory> customCalls;
};

/// Adds every kernel of kernels/.
void addBuiltinKernels(KernelRegistry &registry);

} // namespace spmd
