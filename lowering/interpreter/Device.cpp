#include "spmd/lowering/interpreter/Device.h"

#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/StatusMacros.h"
#include "spmd/lowering/program/Work.h"

#include <algorithm>

namespace spmd {

using Kind = PreparedInstruction::Kind;

Device::Device(const PreparedProgram &program, int64_t id, int32_t entry,
               std::vector<Tensor> arguments, WorkBudget *budget, const Arithmetic *arithmetic)
    : program(program), id(id), budget(budget), arithmetic(arithmetic) {
  std::vector<Value> &values = push(entry, Role::plain).values;
  for (size_t i = 0; i < arguments.size(); ++i)
    values[i].tensor = std::move(arguments[i]);
}

Device::State Device::advance() {
  state_ = State::runnable;
  ArithmeticScope scope(arithmetic, &numRandomTaken);
  while (state_ == State::runnable) {
    Frame &frame = current();
    bool isAtEnd = frame.pc == frame.function->instructions.size();
    absl::Status status = isAtEnd ? returnFromFunction() : step(*frame.at());
    if (!status.ok())
      fail(std::move(status));
  }
  return state_;
}

absl::Status Device::spend(const PreparedInstruction &instruction, int64_t work) {
  absl::Status status = budget ? budget->spend(work) : absl::OkStatus();
  return status.ok() ? status
                     : absl::Status(status.code(),
                                    absl::StrCat(instruction.description, ": ", status.message()));
}

absl::Status Device::step(const PreparedInstruction &instruction) {
  SPMD_RETURN_IF_ERROR(spend(instruction, instruction.work));
  switch (instruction.kind) {
  case Kind::kernel:
    return runKernel(instruction);
  case Kind::collective:
    return runCollective(instruction);
  case Kind::send:
  case Kind::receive: {
    SPMD_ASSIGN_OR_RETURN(pendingContribution, takeTensors(instruction));
    state_ = State::waiting;
    return absl::OkStatus();
  }
  case Kind::infeed:
    return runInfeed(instruction);
  case Kind::call:
    call(instruction, instruction.functions[0], /*first=*/0);
    return absl::OkStatus();
  case Kind::loop:
    current().iteration = 0;
    current().carries = takeOperands(instruction);
    return startIteration();
  case Kind::branch:
    return runBranch(instruction);
  case Kind::alloc:
  case Kind::load:
  case Kind::store:
    return runCell(instruction);
  }
  return absl::InternalError("instruction of no kind");
}

// Operands and results.

std::vector<Value> Device::takeOperands(const PreparedInstruction &instruction) {
  std::vector<Value> out;
  out.reserve(instruction.operands.size());
  for (size_t i = 0; i < instruction.operands.size(); ++i)
    out.push_back(current().give(instruction.operands[i], instruction.takes[i]));
  return out;
}

absl::StatusOr<std::vector<Tensor>> Device::takeTensors(const PreparedInstruction &instruction) {
  std::vector<Tensor> tensors;
  tensors.reserve(instruction.operands.size());
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    Value value = current().give(instruction.operands[i], instruction.takes[i]);
    if (!value.tensor)
      return invalid(instruction.description, ": operand ", i, " is a cell; expected a tensor");
    tensors.push_back(std::move(value.tensor));
  }
  return tensors;
}

void Device::release(const PreparedInstruction &instruction) {
  std::vector<Value> &values = current().values;
  for (ValueId id : instruction.releases)
    values[id] = Value();
}

void Device::finishInstruction(absl::Span<Value> results) {
  const PreparedInstruction &instruction = *current().at();
  for (size_t i = 0; i < results.size(); ++i)
    current().values[instruction.results[i]] = std::move(results[i]);
  release(instruction);
  ++current().pc;
}

void Device::finishInstruction(absl::Span<Tensor> results) {
  const PreparedInstruction &instruction = *current().at();
  for (size_t i = 0; i < results.size(); ++i)
    current().values[instruction.results[i]].tensor = std::move(results[i]);
  release(instruction);
  ++current().pc;
}

/// Internal unless the kernel of `instruction` has set the outputs that it should.
static absl::Status expectOutputs(const PreparedInstruction &instruction,
                                  absl::Span<const Tensor> outputs) {
  for (size_t r = 0; r < outputs.size(); ++r)
    if (!outputs[r] || outputs[r].typeRef() != instruction.resultTypes[r])
      return absl::InternalError(absl::StrCat(instruction.description, ": kernel returned ",
                                              outputs[r] ? outputs[r].type().str() : "nothing",
                                              " as result ", r, "; expected ",
                                              instruction.resultTypes[r]->str()));
  return absl::OkStatus();
}

/// Lets results have the buffers of operands that die here and that nobody else holds; allocates
/// the others.
absl::Status Device::makeOutputs(const PreparedInstruction &instruction) {
  for (auto [r, i] : instruction.reuse) {
    Tensor &operand = current().values[instruction.operands[i]].tensor;
    if (outputs[r] || !operand.isSoleOwner())
      continue;
    if (operand.typeRef() != instruction.resultTypes[r]) {
      outputs[r] = Tensor(instruction.resultTypes[r], operand.buffer());
      continue;
    }
    outputs[r] = std::move(operand); // Moved, not shared: to count owners takes as long as to add.
    inputs[i] = &outputs[r];
  }
  for (size_t r = 0; r < instruction.resultTypes.size(); ++r)
    if (!outputs[r]) {
      SPMD_ASSIGN_OR_RETURN(outputs[r], Tensor::allocate(instruction.resultTypes[r]));
    }
  return absl::OkStatus();
}

absl::Status Device::runKernel(const PreparedInstruction &instruction) {
  Frame &frame = current();
  const size_t numInputs = instruction.operands.size(), numOutputs = instruction.results.size();
  if (inputs.size() < numInputs)
    inputs.resize(numInputs);
  if (outputs.size() < numOutputs)
    outputs.resize(numOutputs);
  for (size_t i = 0; i < numInputs; ++i) {
    inputs[i] = &frame.tensorOf(instruction.operands[i]);
    if (!*inputs[i])
      return invalid(instruction.description, ": operand ", i, " is a cell; expected a tensor");
  }
  const Kernel &kernel = instruction.kernel;
  if (!kernel.definesOutputs)
    SPMD_RETURN_IF_ERROR(makeOutputs(instruction));
  absl::Span<Tensor> made(outputs.data(), numOutputs);
  if (absl::Status status = kernel.run({absl::MakeConstSpan(inputs.data(), numInputs), made, id});
      !status.ok())
    return absl::Status(status.code(),
                        absl::StrCat(instruction.description, ": ", status.message()));
  if (kernel.definesOutputs)
    SPMD_RETURN_IF_ERROR(expectOutputs(instruction, made));
  if (arithmetic && instruction.choice >= 0)
    SPMD_RETURN_IF_ERROR(handleChoice(instruction, made));
  for (size_t r = 0; r < numOutputs; ++r)
    frame.values[instruction.results[r]].tensor = std::exchange(made[r], Tensor());
  release(instruction);
  ++frame.pc;
  return absl::OkStatus();
}

/// Whether a choice is all that the instruction makes. One that also makes floats of others, such
/// as the largest value beside its index, chooses the integers alone.
static bool choosesAll(absl::Span<const Tensor> results) {
  return std::none_of(results.begin(), results.end(),
                      [](const Tensor &each) { return isInteger(each.type().element); });
}

/// Puts what another run has chosen in the place of what this one has.
absl::Status Device::replaceChoices(const PreparedInstruction &instruction,
                                    const std::vector<Tensor> &chosen,
                                    absl::Span<Tensor> made) const {
  for (const FreeVectors &vectors : instruction.kernel.freeVectors)
    alignVectors(vectors, chosen, made);
  if (!instruction.kernel.freeVectors.empty())
    return absl::OkStatus();
  bool areAll = choosesAll(made);
  for (size_t r = 0; r < made.size(); ++r) {
    if (!areAll && !isInteger(made[r].type().element))
      continue;
    made[r] = chosen[r];
    if (made[r].typeRef() != instruction.resultTypes[r]) {
      SPMD_ASSIGN_OR_RETURN(made[r], toWide(chosen[r], instruction.resultTypes[r]->element));
    }
  }
  return absl::OkStatus();
}

/// Whether two runs have made the same choice.
static bool areSameChoice(const PreparedInstruction &instruction, const std::vector<Tensor> &chosen,
                          absl::Span<const Tensor> made) {
  if (!instruction.kernel.freeVectors.empty())
    return std::all_of(
        instruction.kernel.freeVectors.begin(), instruction.kernel.freeVectors.end(),
        [&](const FreeVectors &vectors) { return areAligned(vectors, chosen, made); });
  bool isSame = true, areAll = choosesAll(made);
  for (size_t r = 0; isSame && r < made.size(); ++r)
    if (isInteger(made[r].type().element))
      isSame = identical(made[r], chosen[r]);
    else if (areAll)
      isSame = toComplexDoubles(made[r]) == toComplexDoubles(chosen[r]);
  return isSame;
}

/// Records the choices of `instruction`, replaces or compares them, as the arithmetic says.
absl::Status Device::handleChoice(const PreparedInstruction &instruction, absl::Span<Tensor> made) {
  int32_t choice = instruction.choice;
  if (static_cast<int32_t>(numChoices.size()) <= choice)
    numChoices.resize(choice + 1);
  size_t occurrence = numChoices[choice]++;
  if (arithmetic->recorded)
    arithmetic->recorded->add(id, choice, {made.begin(), made.end()});
  if (arithmetic->replayed) {
    const std::vector<Tensor> *chosen = arithmetic->replayed->find(id, choice, occurrence);
    if (!chosen || chosen->size() != made.size())
      return absl::FailedPreconditionError(absl::StrCat(
          instruction.description, ": the run that it follows has made no such choice"));
    return replaceChoices(instruction, *chosen, made);
  }
  if (!arithmetic->compared || !arithmetic->differing || instruction.holdsOperand)
    return absl::OkStatus();
  const std::vector<Tensor> *chosen = arithmetic->compared->find(id, choice, occurrence);
  if (!chosen || chosen->size() != made.size() || !areSameChoice(instruction, *chosen, made))
    arithmetic->differing->insert(choice);
  return absl::OkStatus();
}

absl::Status Device::runCell(const PreparedInstruction &instruction) {
  std::vector<Value> operands = takeOperands(instruction);
  if (instruction.kind == Kind::alloc) {
    Value value;
    if (operands.empty()) {
      SPMD_ASSIGN_OR_RETURN(value.tensor, Tensor::zeros(instruction.resultTypes[0]));
    } else {
      value.tensor = std::move(operands[0].tensor);
    }
    if (!value.tensor)
      return invalid(instruction.description, ": operand 0 is a cell; expected a tensor");
    value.cell = std::make_shared<Tensor>(std::exchange(value.tensor, Tensor()));
    finishInstruction({&value, 1});
    return absl::OkStatus();
  }
  if (!operands[0].cell)
    return invalid(instruction.description, ": operand 0 is a tensor; expected a cell");
  Tensor &content = *operands[0].cell;
  if (instruction.kind == Kind::store) {
    if (!operands[1].tensor)
      return invalid(instruction.description, ": operand 1 is a cell; expected a tensor");
    content = std::move(operands[1].tensor);
    finishInstruction(absl::Span<Value>());
    return absl::OkStatus();
  }
  if (!content)
    return invalid(instruction.description, ": the cell was taken from and not stored to since");
  Value loaded{instruction.takesFromCell ? std::exchange(content, Tensor()) : content, nullptr};
  finishInstruction({&loaded, 1});
  return absl::OkStatus();
}

// Functions.

Device::Frame &Device::push(int32_t function, Role role) {
  std::vector<Value> values;
  if (!spareValues.empty()) {
    values = std::move(spareValues.back());
    spareValues.pop_back();
  }
  const PreparedFunction *prepared = &program.functions[function];
  values.resize(prepared->numValues);
  frames.push_back({function, prepared, role, std::move(values), 0, 0, {}});
  return frames.back();
}

void Device::pop() {
  std::vector<Value> values = std::move(current().values);
  frames.pop_back();
  values.clear(); // What dies with the frame is free before its caller goes on.
  spareValues.push_back(std::move(values));
}

void Device::call(const PreparedInstruction &instruction, int32_t function, size_t first) {
  std::vector<Value> &values = push(function, Role::plain).values;
  Frame &caller = frames[frames.size() - 2];
  for (size_t i = first; i < instruction.operands.size(); ++i)
    values[i - first] = caller.give(instruction.operands[i], instruction.takes[i]);
}

absl::Status Device::runBranch(const PreparedInstruction &instruction) {
  const Tensor &selector = current().tensorOf(instruction.operands[0]);
  if (!selector)
    return invalid(instruction.description, ": operand 0 is a cell; expected a tensor");
  int64_t numBranches = instruction.functions.size();
  int64_t branch = selector.as<uint8_t>()[0] ? 0 : 1;
  if (instruction.selectsByIndex) {
    branch = selector.as<int32_t>()[0];
    if (branch < 0 || branch >= numBranches) // The last is the default.
      branch = numBranches - 1;
  }
  call(instruction, instruction.functions[branch], /*first=*/1);
  return absl::OkStatus();
}

absl::Status Device::returnFromFunction() {
  Frame &frame = current();
  if (frame.role == Role::condition)
    return decideIteration();
  const PreparedFunction &function = *frame.function;
  auto give = [&](size_t i) { return frame.give(function.results[i], function.takesResult[i]); };
  if (frames.size() == 1) {
    for (size_t i = 0; i < function.results.size(); ++i) {
      results.push_back(std::move(give(i).tensor));
      if (!results.back())
        return invalid("the program returns a cell; expected a tensor");
    }
    pop();
    state_ = State::finished;
    return absl::OkStatus();
  }
  Frame &caller = frames[frames.size() - 2];
  if (frame.role == Role::body) {
    caller.carries.resize(function.results.size());
    for (size_t i = 0; i < function.results.size(); ++i)
      caller.carries[i] = give(i);
    pop();
    ++current().iteration;
    return startIteration();
  }
  for (size_t i = 0; i < function.results.size(); ++i)
    caller.values[caller.at()->results[i]] = give(i);
  pop();
  finishInstruction(absl::Span<Value>());
  return absl::OkStatus();
}

/// Runs the condition of the loop at pc on the carries.
absl::Status Device::startIteration() {
  // Its condition and its body may have no instruction but constants.
  SPMD_RETURN_IF_ERROR(spend(*current().at(), workToStart));
  std::vector<Value> &values = push(current().at()->functions[0], Role::condition).values;
  const std::vector<bool> &isRead = current().function->readsArgument;
  const std::vector<Value> &carries = frames[frames.size() - 2].carries;
  for (size_t i = 0; i < carries.size(); ++i)
    if (isRead[i]) // Most conditions read one of many.
      values[i] = carries[i];
  return absl::OkStatus();
}

/// Runs the body of the loop, or goes on behind it, as the condition, which is at its end, says.
absl::Status Device::decideIteration() {
  const Tensor &decision = current().tensorOf(current().function->results[0]);
  const PreparedInstruction &loop = *frames[frames.size() - 2].at();
  if (!decision)
    return invalid(loop.description, ": the condition is a cell; expected a tensor");
  bool goesOn = decision.as<uint8_t>()[0];
  pop();
  if (!goesOn) {
    std::vector<Value> carries = std::move(current().carries);
    current().carries.clear();
    current().iteration = 0;
    finishInstruction(absl::MakeSpan(carries));
    return absl::OkStatus();
  }
  std::vector<Value> &values = push(loop.functions[1], Role::body).values;
  std::vector<Value> &carries = frames[frames.size() - 2].carries;
  for (size_t i = 0; i < carries.size(); ++i)
    values[i] = std::move(carries[i]);
  return absl::OkStatus();
}

absl::Status Device::runInfeed(const PreparedInstruction &instruction) {
  if (numFed == program.infeed.size())
    return invalid(instruction.description, ": nothing is left in the infeed, which had ", numFed,
                   numFed == 1 ? " entry" : " entries");
  int32_t source = program.infeed[numFed++];
  const std::vector<TensorType> &given = program.functions[source].resultTypes;
  bool fits = given.size() == instruction.resultTypes.size();
  for (size_t i = 0; fits && i < given.size(); ++i)
    fits = given[i] == *instruction.resultTypes[i];
  if (!fits)
    return invalid(instruction.description, ": entry ", numFed - 1,
                   " of the infeed has other types than the results");
  push(source, Role::plain);
  return absl::OkStatus();
}

// Collectives.

absl::Status Device::runCollective(const PreparedInstruction &instruction) {
  const Collective &collective = *instruction.collective;
  SPMD_ASSIGN_OR_RETURN(pendingContribution, takeTensors(instruction));
  if (collective.groupOf[id] >= 0) {
    state_ = State::waiting;
    return absl::OkStatus();
  }
  pendingContribution.clear();
  if (!collective.othersGetZeros)
    return invalid(instruction.description, ": device ", id, " is in none of its groups");
  std::vector<Tensor> zeros;
  for (TypeRef type : instruction.resultTypes) {
    SPMD_ASSIGN_OR_RETURN(Tensor zero, Tensor::zeros(type));
    zeros.push_back(std::move(zero));
  }
  finishInstruction(absl::MakeSpan(zeros));
  return absl::OkStatus();
}

std::vector<Tensor> Device::contribution() { return std::move(pendingContribution); }

MeetingPoint Device::meetingPoint() const {
  MeetingPoint point;
  point.reserve(3 * frames.size() + 1);
  for (const Frame &frame : frames) {
    // The function tells the condition of a loop from its body, and branches apart.
    point.push_back(frame.functionIndex);
    point.push_back(frame.pc);
    point.push_back(frame.iteration);
  }
  point.push_back(waitingAt().collective->groupOf[id]);
  return point;
}

void Device::resume(std::vector<Tensor> results) {
  finishInstruction(absl::MakeSpan(results));
  state_ = State::runnable;
}

void Device::fail(absl::Status status) {
  status_ = std::move(status);
  state_ = State::failed;
  frames.clear(); // Lets go of all tensors.
  outputs.clear();
}

} // namespace spmd
