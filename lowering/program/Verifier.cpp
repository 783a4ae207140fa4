// Checks that a device program can be walked safely.
#include "spmd/lowering/program/CallOrder.h"
#include "spmd/lowering/program/DeviceProgram.h"

#include <algorithm>

namespace spmd {

template <typename... Args> static absl::Status invalid(const Args &...args) {
  return absl::InvalidArgumentError(absl::StrCat(args...));
}

namespace {

/// Follows the values of one function from definition to release.
class FunctionVerifier {
public:
  FunctionVerifier(const DeviceProgram &program, int32_t index)
      : program(program), function(program.functions[index]),
        where(absl::StrCat("function #", index, " \"", function.name, "\"")),
        states(function.values.size(), State::undefined) {}

  absl::Status run() {
    if (function.numArguments < 0 ||
        function.numArguments > static_cast<int64_t>(function.values.size()))
      return invalid(where, " has ", function.numArguments, " arguments of ",
                     function.values.size(), " values");
    for (size_t id = 0; id < function.values.size(); ++id)
      if (checkedNumElements(function.values[id]) < 0)
        return invalid(where, ": type ", function.values[id].str(), " of %", id,
                       " has a negative size, or too many elements");
    std::fill_n(states.begin(), function.numArguments, State::live);
    for (const Instruction &instruction : function.instructions)
      if (absl::Status status = check(instruction); !status.ok())
        return invalid(where, ": ", describe(instruction), ": ", std::string(status.message()));
    for (ValueId id : function.results)
      if (absl::Status status = checkLive(id, "result"); !status.ok())
        return invalid(where, ": ", std::string(status.message()));
    return absl::OkStatus();
  }

private:
  enum class State : uint8_t { undefined, live, released };

  absl::Status checkRange(ValueId id, const char *role) const {
    if (id >= 0 && id < static_cast<int64_t>(states.size()))
      return absl::OkStatus();
    return invalid(role, " %", id, " is none of the ", states.size(), " values");
  }

  absl::Status checkLive(ValueId id, const char *role) const {
    if (absl::Status status = checkRange(id, role); !status.ok())
      return status;
    if (states[id] == State::live)
      return absl::OkStatus();
    return invalid(role, " %", id,
                   states[id] == State::undefined ? " is not defined yet" : " is already released");
  }

  absl::Status check(const Instruction &instruction) {
    for (ValueId id : instruction.operands)
      if (absl::Status status = checkLive(id, "operand"); !status.ok())
        return status;
    for (ValueId id : instruction.results) {
      if (absl::Status status = checkRange(id, "result"); !status.ok())
        return status;
      if (states[id] != State::undefined)
        return invalid("result %", id, " is defined twice");
      states[id] = State::live;
    }
    for (ValueId id : instruction.releases) {
      if (absl::Status status = checkLive(id, "released value"); !status.ok())
        return status;
      states[id] = State::released;
    }
    for (int32_t callee : instruction.functions)
      if (callee < 0 || callee >= static_cast<int64_t>(program.functions.size()))
        return invalid("function #", callee, " is none of the ", program.functions.size());
    if (instruction.groups < -1 ||
        instruction.groups >= static_cast<int64_t>(program.groups.size()))
      return invalid("groups #", instruction.groups, " are none of the ", program.groups.size());
    return absl::OkStatus();
  }

  const DeviceProgram &program;
  const Function &function;
  std::string where;
  std::vector<State> states;
};

} // namespace

static absl::Status verifyGroups(const DeviceProgram &program) {
  for (size_t i = 0; i < program.groups.size(); ++i) {
    std::vector<bool> seen(program.numDevices, false);
    for (const std::vector<int64_t> &group : program.groups[i])
      for (int64_t device : group) {
        if (device < 0 || device >= program.numDevices)
          return invalid("groups #", i, " name device ", device, " of ", program.numDevices);
        if (seen[device])
          return invalid("groups #", i, " name device ", device, " twice");
        seen[device] = true;
      }
  }
  return absl::OkStatus();
}

/// Checks who starts where, and what feeds them.
static absl::Status verifyDevices(const DeviceProgram &program) {
  if (program.numReplicas < 1 || program.numDevices % program.numReplicas != 0)
    return invalid("program has ", program.numReplicas, " replicas on ", program.numDevices,
                   " devices");
  if (!program.entries.empty() &&
      static_cast<int64_t>(program.entries.size()) != program.numDevices)
    return invalid("program has ", program.entries.size(), " entry functions for ",
                   program.numDevices, " devices");
  int64_t numFunctions = program.functions.size();
  for (int32_t entry : program.entries)
    if (entry < 0 || entry >= numFunctions)
      return invalid("entry function #", entry, " is none of the ", numFunctions);
  for (int32_t source : program.infeed)
    if (source < 0 || source >= numFunctions || program.functions[source].numArguments != 0)
      return invalid("infeed function #", source, " is none of the ", numFunctions,
                     ", or takes arguments");
  return absl::OkStatus();
}

static absl::Status verifyBoundaries(const DeviceProgram &program) {
  const Function &entry = program.functions[program.entry];
  // A program without boundaries is run on local tensors only.
  if (!program.arguments.empty() &&
      program.arguments.size() != static_cast<size_t>(entry.numArguments))
    return invalid("program describes ", program.arguments.size(), " arguments, function \"",
                   entry.name, "\" has ", entry.numArguments);
  if (!program.results.empty() && program.results.size() != entry.results.size())
    return invalid("program describes ", program.results.size(), " results, function \"",
                   entry.name, "\" has ", entry.results.size());
  for (size_t i = 0; i < program.arguments.size(); ++i)
    if (int64_t result = program.arguments[i].aliases;
        result < -1 || result >= static_cast<int64_t>(entry.results.size()))
      return invalid("argument ", i, " is donated to result ", result, " of ",
                     entry.results.size());
  for (const auto *boundaries : {&program.arguments, &program.results})
    for (const Boundary &boundary : *boundaries)
      if (checkedNumElements(boundary.global) < 0)
        return invalid("global type ", boundary.global.str(),
                       " has a negative size, or too many elements");
  return absl::OkStatus();
}

absl::Status verify(const DeviceProgram &program) {
  // A device costs memory before anything runs; the bound is that of a mesh.
  if (program.numDevices < 1 || program.numDevices > INT32_MAX)
    return invalid("program runs on ", program.numDevices, " devices");
  if (program.entry < 0 || program.entry >= static_cast<int64_t>(program.functions.size()))
    return invalid("entry function #", program.entry, " is none of the ", program.functions.size());
  for (size_t i = 0; i < program.functions.size(); ++i)
    if (absl::Status status = FunctionVerifier(program, i).run(); !status.ok())
      return status;
  if (absl::Status status = calleesFirst(program).status(); !status.ok())
    return status;
  if (absl::Status status = verifyGroups(program); !status.ok())
    return status;
  if (absl::Status status = verifyDevices(program); !status.ok())
    return status;
  for (size_t i = 0; i < program.programs.size(); ++i)
    if (absl::Status status = verify(program.programs[i]); !status.ok())
      return invalid("program #", i, ": ", std::string(status.message()));
  return verifyBoundaries(program);
}

} // namespace spmd
