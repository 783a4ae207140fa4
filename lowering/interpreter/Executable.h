// A device program, prepared to run.
//
//     KernelRegistry registry;
//     addBuiltinKernels(registry);
//     absl::StatusOr<Executable> executable = Executable::prepare(program, registry);
//     auto results = executable->run(arguments, {/*threads=*/4});   // results[device][i]
//
// One scheduler runs all devices: each runs until it comes to a collective and waits there; the
// last member of a group to arrive executes the collective for all. Results do not depend on the
// number of threads, bit for bit.
#pragma once

#include "spmd/lowering/interpreter/Arithmetic.h"
#include "spmd/lowering/interpreter/Denormals.h"
#include "spmd/lowering/interpreter/KernelRegistry.h"
#include "spmd/lowering/interpreter/WorkBudget.h"

namespace spmd {

struct PreparedProgram;

struct RunOptions {
  /// How many threads execute devices; at least 1.
  int threads = 1;
  /// What kernels and collectives take denormal numbers for, on every thread.
  Denormals denormals = Denormals::zeroInComparisons;
  /// What the run may spend; null for what the calling thread may (`WorkScope`). Must outlive the
  /// run.
  WorkBudget *budget = nullptr;
  /// How a run rounds and decides that judges another; null for any other run. Random numbers are
  /// the same for any run on one thread.
  const Arithmetic *arithmetic = nullptr;
};

class Executable {
public:
  /// Verifies `program` and binds every instruction to its kernel. Neither argument is needed
  /// after.
  ///
  /// InvalidArgument, with function, op and location, if the program does not verify, an op is
  /// unknown, or its types or attributes are not what the op asks for. Linear.
  static absl::StatusOr<Executable> prepare(const DeviceProgram &program,
                                            const KernelRegistry &registry);

  /// Runs the program; `arguments[device][i]` are local tensors, which devices may share.
  ///
  /// InvalidArgument if the number or the types of arguments are not the entry's.
  /// FailedPrecondition if devices wait for each other without end: the message says which, at
  /// which op, for whom. ResourceExhausted, with op and location, if the budget does not
  /// suffice. What a kernel reports is returned for the first device it happens on.
  absl::StatusOr<std::vector<std::vector<Tensor>>> run(std::vector<std::vector<Tensor>> arguments,
                                                       const RunOptions &options = {}) const;

  int64_t numDevices() const;

private:
  explicit Executable(std::shared_ptr<const PreparedProgram> prepared)
      : prepared(std::move(prepared)) {}

  std::shared_ptr<const PreparedProgram> prepared;
};

} // namespace spmd
