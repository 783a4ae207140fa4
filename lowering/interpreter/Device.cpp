#include "spmd/lowering/interpreter/Device.h"

#include "spmd/lowering/interpreter/StatusMacros.h"

#include <algorithm>

namespace spmd {

using Kind = PreparedInstruction::Kind;

static std::vector<Value> toValues(std::vector<Tensor> tensors) {
  std::vector<Value> values;
  for (Tensor &tensor : tensors)
    values.push_back({std::move(tensor), nullptr});
  return values;
}

Device::Device(const PreparedProgram &program, int64_t id, int32_t entry,
               std::vector<Tensor> arguments)
    : program(program), id(id) {
  push(entry, Role::plain, toValues(std::move(arguments)));
}

Device::State Device::advance() {
  state_ = State::runnable;
  while (state_ == State::runnable) {
    Frame &frame = current();
    bool isAtEnd = frame.pc == frame.function->instructions.size();
    absl::Status status = isAtEnd ? returnFromFunction() : step(*frame.at());
    if (!status.ok())
      fail(std::move(status));
  }
  return state_;
}

absl::Status Device::step(const PreparedInstruction &instruction) {
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
    push(instruction.functions[0], Role::plain, takeOperands(instruction));
    return absl::OkStatus();
  case Kind::loop:
    current().iteration = -1;
    return continueLoop(Role::body, takeOperands(instruction));
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

std::vector<Value> Device::takeOperands(const PreparedInstruction &instruction, size_t first) {
  std::vector<Value> out;
  std::vector<Value> &values = current().values;
  for (size_t i = first; i < instruction.operands.size(); ++i) {
    Value &value = values[instruction.operands[i]];
    out.push_back(instruction.takes[i] ? std::move(value) : value);
  }
  return out;
}

absl::StatusOr<std::vector<Tensor>> Device::takeTensors(const PreparedInstruction &instruction) {
  std::vector<Tensor> tensors;
  tensors.reserve(instruction.operands.size());
  std::vector<Value> &values = current().values;
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    Value &value = values[instruction.operands[i]];
    if (!value.tensor)
      return invalid(instruction.description, ": operand ", i, " is a cell; expected a tensor");
    tensors.push_back(instruction.takes[i] ? std::move(value.tensor) : value.tensor);
  }
  return tensors;
}

void Device::finishInstruction(std::vector<Value> results) {
  Frame &frame = current();
  const PreparedInstruction &instruction = *frame.at();
  for (size_t i = 0; i < results.size(); ++i)
    frame.values[instruction.results[i]] = std::move(results[i]);
  for (ValueId id : instruction.releases)
    frame.values[id] = Value();
  ++frame.pc;
}

absl::Status Device::runKernel(const PreparedInstruction &instruction) {
  SPMD_ASSIGN_OR_RETURN(std::vector<Tensor> inputs, takeTensors(instruction));
  const Kernel &kernel = instruction.kernel;
  std::vector<Tensor> outputs(instruction.resultTypes.size());
  for (size_t r = 0; r < outputs.size() && !kernel.definesOutputs; ++r) {
    const Tensor::TypeRef &type = instruction.resultTypes[r];
    if (r < kernel.reuse.size())
      for (int candidate : kernel.reuse[r])
        if (!outputs[r] && inputs[candidate].isSoleOwner() &&
            inputs[candidate].sizeInBytes() == type->sizeInBytes())
          outputs[r] = Tensor(type, inputs[candidate].buffer());
    if (!outputs[r]) {
      SPMD_ASSIGN_OR_RETURN(outputs[r], Tensor::allocate(type));
    }
  }
  if (absl::Status status = kernel.run({inputs, absl::MakeSpan(outputs), id}); !status.ok())
    return absl::Status(status.code(),
                        absl::StrCat(instruction.description, ": ", status.message()));
  for (size_t r = 0; r < outputs.size(); ++r)
    if (!outputs[r] || outputs[r].type() != *instruction.resultTypes[r])
      return absl::InternalError(absl::StrCat(instruction.description, ": kernel returned ",
                                              outputs[r] ? outputs[r].type().str() : "nothing",
                                              " as result ", r, "; expected ",
                                              instruction.resultTypes[r]->str()));
  finishInstruction(toValues(std::move(outputs)));
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
    finishInstruction({{Tensor(), std::make_shared<Tensor>(std::move(value.tensor))}});
    return absl::OkStatus();
  }
  if (!operands[0].cell)
    return invalid(instruction.description, ": operand 0 is a tensor; expected a cell");
  Tensor &content = *operands[0].cell;
  if (instruction.kind == Kind::store) {
    if (!operands[1].tensor)
      return invalid(instruction.description, ": operand 1 is a cell; expected a tensor");
    content = std::move(operands[1].tensor);
    finishInstruction({});
    return absl::OkStatus();
  }
  if (!content)
    return invalid(instruction.description, ": the cell was taken from and not stored to since");
  Value loaded{instruction.takesFromCell ? std::exchange(content, Tensor()) : content, nullptr};
  finishInstruction({std::move(loaded)});
  return absl::OkStatus();
}

// Functions.

void Device::push(int32_t function, Role role, std::vector<Value> arguments) {
  Frame frame{function, &program.functions[function], role, std::move(arguments), 0, 0, {}};
  frame.values.resize(frame.function->numValues);
  frames.push_back(std::move(frame));
}

absl::Status Device::runBranch(const PreparedInstruction &instruction) {
  const Tensor &selector = current().values[instruction.operands[0]].tensor;
  if (!selector)
    return invalid(instruction.description, ": operand 0 is a cell; expected a tensor");
  int64_t numBranches = instruction.functions.size();
  int64_t branch = selector.as<uint8_t>()[0] ? 0 : 1;
  if (instruction.selectsByIndex) {
    branch = selector.as<int32_t>()[0];
    if (branch < 0 || branch >= numBranches) // The last is the default.
      branch = numBranches - 1;
  }
  push(instruction.functions[branch], Role::plain, takeOperands(instruction, 1));
  return absl::OkStatus();
}

absl::Status Device::returnFromFunction() {
  Frame frame = std::move(frames.back());
  std::vector<Value> out;
  const std::vector<ValueId> &ids = frame.function->results;
  for (size_t i = 0; i < ids.size(); ++i) {
    bool isLast = std::find(ids.begin() + i + 1, ids.end(), ids[i]) == ids.end();
    out.push_back(isLast ? std::move(frame.values[ids[i]]) : frame.values[ids[i]]);
  }
  frames.pop_back();
  if (frames.empty()) {
    for (Value &value : out) {
      if (!value.tensor)
        return invalid("the program returns a cell; expected a tensor");
      results.push_back(std::move(value.tensor));
    }
    state_ = State::finished;
    return absl::OkStatus();
  }
  frame.values.clear(); // What dies with the frame is free before its caller goes on.
  if (frame.role != Role::plain)
    return continueLoop(frame.role, std::move(out));
  finishInstruction(std::move(out));
  return absl::OkStatus();
}

absl::Status Device::continueLoop(Role finished, std::vector<Value> values) {
  Frame &frame = current();
  const PreparedInstruction &loop = *frame.at();
  if (finished == Role::body) {
    ++frame.iteration;
    frame.carries = values;
    push(loop.functions[0], Role::condition, std::move(values));
    return absl::OkStatus();
  }
  if (!values[0].tensor)
    return invalid(loop.description, ": the condition is a cell; expected a tensor");
  std::vector<Value> carries = std::move(frame.carries);
  frame.carries.clear();
  if (values[0].tensor.as<uint8_t>()[0]) {
    push(loop.functions[1], Role::body, std::move(carries));
    return absl::OkStatus();
  }
  frame.iteration = 0;
  finishInstruction(std::move(carries));
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
  push(source, Role::plain, {});
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
  for (const Tensor::TypeRef &type : instruction.resultTypes) {
    SPMD_ASSIGN_OR_RETURN(Tensor zero, Tensor::zeros(type));
    zeros.push_back(std::move(zero));
  }
  finishInstruction(toValues(std::move(zeros)));
  return absl::OkStatus();
}

std::vector<Tensor> Device::contribution() { return std::move(pendingContribution); }

MeetingPoint Device::meetingPoint() const {
  MeetingPoint point;
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
  finishInstruction(toValues(std::move(results)));
  state_ = State::runnable;
}

void Device::fail(absl::Status status) {
  status_ = std::move(status);
  state_ = State::failed;
  frames.clear(); // Lets go of all tensors.
}

} // namespace spmd
