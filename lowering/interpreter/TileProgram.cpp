#include "spmd/lowering/interpreter/TileProgram.h"

#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/Memory.h"
#include "spmd/lowering/interpreter/Splat.h"
#include "spmd/lowering/interpreter/StatusMacros.h"
#include "spmd/lowering/interpreter/Storage.h"

#include "absl/container/fixed_array.h"
#include "absl/container/inlined_vector.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>

namespace spmd {

static constexpr int64_t tileElements = 512;

// Preparing.

/// Ops that only rename their operand: between scalars and full tensors they mean a broadcast,
/// which every step does by itself.
static bool isRenaming(const std::string &op) {
  return op == "broadcast_in_dim" || op == "reshape" || op == "optimization_barrier";
}

absl::StatusOr<TileProgram> TileProgram::create(const DeviceProgram &program, const Function &body,
                                                const KernelRegistry &registry) {
  TileProgram tiles;
  tiles.numArguments = body.numArguments;
  tiles.isExpanded.assign(body.numArguments, false);
  for (int32_t arg = 0; arg < body.numArguments; ++arg)
    tiles.isWhole.push_back(body.values[arg].rank() == 0 || body.results.empty() ||
                            body.values[arg].shape == body.values[body.results[0]].shape);
  for (const TensorType &type : body.values)
    tiles.elements.push_back(type.element);
  tiles.sameAs.resize(body.values.size());
  std::iota(tiles.sameAs.begin(), tiles.sameAs.end(), 0);
  for (const Instruction &instruction : body.instructions)
    if (absl::Status status = tiles.add(program, body, instruction, registry); !status.ok())
      return body.name.empty() ? status // The instruction itself, not a body of it.
                               : invalid(describe(instruction), " in body \"", body.name,
                                         "\": ", std::string(status.message()));
  for (ValueId id : body.results)
    tiles.results.push_back(tiles.sameAs[id]);
  tiles.allocateRegisters();
  tiles.findSingleStep();
  return tiles;
}

void TileProgram::findSingleStep() {
  auto isPlain = [&](int32_t value) { return storageOf(elements[value]).isDirect(); };
  isSingleStep = steps.size() == 1 && results.size() == 1 && results[0] == steps[0].result &&
                 isPlain(results[0]) && !steps[0].round;
  for (int i = 0; isSingleStep && i < steps[0].numOperands; ++i)
    isSingleStep = steps[0].operands[i] < numArguments && isPlain(steps[0].operands[i]);
}

absl::Status TileProgram::add(const DeviceProgram &program, const Function &body,
                              const Instruction &instruction, const KernelRegistry &registry) {
  if (instruction.results.size() != 1)
    return invalid("has ", instruction.results.size(), " results; an elementwise op has one");
  ValueId result = instruction.results[0];
  if (instruction.op == "constant")
    return addConstant(program, instruction);
  if (isRenaming(instruction.op) && instruction.operands.size() == 1) {
    const TensorType &from = body.values[instruction.operands[0]], &to = body.values[result];
    int32_t root = sameAs[instruction.operands[0]];
    bool isSplat = body.values[root].rank() == 0 || std::any_of(constants.begin(), constants.end(),
                                                                [&](const ConstantValue &constant) {
                                                                  return constant.value == root;
                                                                });
    if (!isSplat && from.shape != to.shape)
      return addBroadcast(body, instruction);
    sameAs[result] = sameAs[instruction.operands[0]];
    return absl::OkStatus();
  }
  const StepFactory *factory = registry.findStep(instruction.op);
  if (!factory)
    return invalid("is not an elementwise op");
  if (instruction.operands.empty() || instruction.operands.size() > 3)
    return invalid("has ", instruction.operands.size(), " operands; expected 1 to 3");
  std::vector<ElementType> types;
  for (ValueId id : instruction.operands) {
    const TensorType &type = body.values[id];
    if (type.rank() != 0 && type.shape != body.values[result].shape)
      return invalid("has an operand ", type.str(), " and a result ", body.values[result].str());
    types.push_back(type.element);
  }
  BoundStep bound{};
  SPMD_ASSIGN_OR_RETURN(bound.step, (*factory)(instruction.attributes, types, elements[result]));
  bound.numOperands = instruction.operands.size();
  for (int i = 0; i < bound.numOperands; ++i)
    bound.operands[i] = sameAs[instruction.operands[i]];
  bound.result = result;
  bound.round = storageOf(elements[result]).round;
  steps.push_back(bound);
  return absl::OkStatus();
}

absl::Status TileProgram::addBroadcast(const Function &body, const Instruction &instruction) {
  int32_t from = sameAs[instruction.operands[0]], to = instruction.results[0];
  const TensorType &type = body.values[instruction.operands[0]], &result = body.values[to];
  ExpandedValue value{to, from, {}, {}, 0};
  Ints strides = rowMajorStrides(type.shape);
  for (const ExpandedValue &other : expanded)
    if (other.value == from) {
      value.argument = other.argument;
      strides = other.strides;
    }
  if (instruction.op != "broadcast_in_dim" || value.argument >= numArguments)
    return invalid("takes ", type.str(), " to ", result.str(),
                   "; only a scalar or an argument can be broadcast");
  SPMD_ASSIGN_OR_RETURN(Ints dims,
                        dimsOf(instruction.attributes, "broadcast_dimensions", result.rank()));
  SPMD_RETURN_IF_ERROR(expectSize("broadcast_dimensions", dims, type.rank()));
  value.strides.assign(result.rank(), 0);
  for (int64_t d = 0; d < type.rank(); ++d) {
    if (type.shape[d] != 1 && type.shape[d] != result.shape[dims[d]])
      return invalid("operand dim ", d, " has size ", type.shape[d], ", result dim ", dims[d], " ",
                     result.shape[dims[d]]);
    if (type.shape[d] != 1)
      value.strides[dims[d]] = strides[d];
  }
  value.expansion = Expansion(result.shape, value.strides);
  value.argumentElements = body.values[value.argument].numElements();
  isExpanded[value.argument] = true;
  expanded.push_back(std::move(value));
  return absl::OkStatus();
}

absl::Status TileProgram::addConstant(const DeviceProgram &program,
                                      const Instruction &instruction) {
  SPMD_ASSIGN_OR_RETURN(int64_t pool, instruction.attributes.get<int64_t>("pool"));
  ValueId result = instruction.results[0];
  int64_t bytes = storedBytes(elements[result]);
  if (pool < 0 || pool >= static_cast<int64_t>(program.constants.size()) ||
      static_cast<int64_t>(program.constants[pool].size()) != bytes)
    return invalid("constant #", pool, " of the program is not one element of ", bytes, " bytes");
  const Storage &storage = storageOf(elements[result]);
  std::string native(storage.nativeBytes, '\0');
  if (storage.isDirect())
    native = program.constants[pool];
  else
    storage.load(1, program.constants[pool].data(), native.data());
  constants.push_back({result, native, keptSplat(native, tileElements)});
  return absl::OkStatus();
}

void TileProgram::allocateRegisters() {
  size_t numValues = elements.size();
  registers.assign(numValues, -1);
  directOutput.assign(numValues, -1);
  std::vector<int32_t> lastStep(numValues, -1);
  for (size_t s = 0; s < steps.size(); ++s)
    for (int i = 0; i < steps[s].numOperands; ++i)
      lastStep[steps[s].operands[i]] = s;
  std::vector<bool> isConstant(numValues, false); // Or expanded: no step computes it.
  for (const ConstantValue &constant : constants)
    isConstant[constant.value] = true;
  auto isUnread = [&](const ExpandedValue &value) {
    return lastStep[value.value] < 0 &&
           std::find(results.begin(), results.end(), value.value) == results.end();
  };
  expanded.erase(std::remove_if(expanded.begin(), expanded.end(), isUnread), expanded.end());
  for (const ExpandedValue &value : expanded)
    isConstant[value.value] = true;
  for (size_t r = 0; r < results.size(); ++r) {
    int32_t value = results[r];
    lastStep[value] = steps.size();
    if (value >= numArguments && !isConstant[value] && directOutput[value] < 0 &&
        storageOf(elements[value]).isDirect())
      directOutput[value] = r;
  }
  for (ElementType element : elements)
    registerBytes = std::max(registerBytes, storageOf(element).nativeBytes);

  // Arguments and constants keep theirs; a step's result takes one that is free.
  std::vector<bool> isKept(numValues, false);
  for (const ConstantValue &constant : constants)
    isKept[constant.value] = constant.kept != nullptr;
  for (int32_t value = 0; value < static_cast<int32_t>(numValues); ++value)
    if (value < numArguments || (isConstant[value] && !isKept[value]))
      registers[value] = numRegisters++;
  std::vector<int32_t> free;
  for (size_t s = 0; s < steps.size(); ++s) {
    BoundStep &step = steps[s];
    if (directOutput[step.result] < 0) {
      if (free.empty())
        free.push_back(numRegisters++);
      registers[step.result] = free.back();
      free.pop_back();
    }
    for (int i = 0; i < step.numOperands; ++i) {
      int32_t value = step.operands[i];
      bool isStepResult = value >= numArguments && !isConstant[value];
      if (isStepResult && lastStep[value] == static_cast<int32_t>(s) && registers[value] >= 0 &&
          directOutput[value] < 0 &&
          std::find(free.begin(), free.end(), registers[value]) == free.end())
        free.push_back(registers[value]);
    }
  }
}

std::vector<std::vector<int>> TileProgram::reuse(const std::vector<bool> &isScalar) const {
  std::vector<int32_t> definedBy(elements.size(), -1), lastRead(elements.size(), -1);
  for (size_t s = 0; s < steps.size(); ++s) {
    definedBy[steps[s].result] = s;
    for (int i = 0; i < steps[s].numOperands; ++i)
      lastRead[steps[s].operands[i]] = s;
  }
  for (int32_t value : results)
    lastRead[value] = steps.size();
  std::vector<std::vector<int>> candidates(results.size());
  for (size_t r = 0; r < results.size(); ++r)
    for (int32_t arg = 0; arg < numArguments; ++arg) {
      bool sameSize = storedBytes(elements[arg]) == storedBytes(elements[results[r]]);
      // A loaded argument is read at the start of the tile, results that are stored come at its
      // end.
      bool readBefore = !storageOf(elements[arg]).isDirect() ||
                        !storageOf(elements[results[r]]).isDirect() ||
                        lastRead[arg] <= definedBy[results[r]];
      if (sameSize && !isScalar[arg] && !isExpanded[arg] && readBefore &&
          lastRead[arg] < static_cast<int32_t>(steps.size()))
        candidates[r].push_back(arg);
    }
  return candidates;
}

// Running.

std::optional<TileProgram::SingleStep>
TileProgram::singleStep(int64_t n, const std::vector<bool> &isScalar) const {
  if (!isSingleStep || n == 0)
    return std::nullopt;
  if (n > 1 && std::find(isScalar.begin(), isScalar.end(), true) != isScalar.end())
    return std::nullopt;
  const BoundStep &only = steps[0];
  return SingleStep{
      only.step, only.numOperands, {only.operands[0], only.operands[1], only.operands[2]}};
}

void TileProgram::run(int64_t n, absl::Span<const void *const> inputs,
                      absl::Span<void *const> outputs, const std::vector<bool> &isScalar) const {
  if (n == 0)
    return;
  if (std::optional<SingleStep> only = singleStep(n, isScalar)) {
    const void *in[3];
    for (int i = 0; i < only->numOperands; ++i)
      in[i] = inputs[only->operands[i]];
    return only->step.function(n, outputs[0], in, only->step.params);
  }
  int64_t tile = std::min(n, tileElements);
  int64_t stride = (tile * registerBytes + 63) / 64 * 64;
  Scratch memory(stride * numRegisters + static_cast<int64_t>(elements.size() * sizeof(void *)));
  // Where each value of the tile lies.
  auto **at = reinterpret_cast<std::byte **>(memory.data() + stride * numRegisters);
  for (size_t value = 0; value < elements.size(); ++value)
    at[value] = registers[value] >= 0 ? memory.data() + registers[value] * stride : nullptr;

  for (const ConstantValue &constant : constants) {
    if (constant.kept) {
      at[constant.value] = const_cast<std::byte *>(constant.kept); // Only read.
      continue;
    }
    std::memcpy(at[constant.value], constant.native.data(), constant.native.size());
    splat(at[constant.value], tile, constant.native.size());
  }
  for (int32_t arg = 0; arg < numArguments; ++arg) {
    if (!isScalar[arg])
      continue;
    const Storage &storage = storageOf(elements[arg]);
    if (storage.isDirect())
      std::memcpy(at[arg], inputs[arg], storage.nativeBytes);
    else
      storage.load(1, inputs[arg], at[arg]);
    splat(at[arg], tile, storage.nativeBytes);
  }

  // Expanded arguments in native form, all of them.
  absl::InlinedVector<const std::byte *, 4> small;
  std::vector<std::unique_ptr<Scratch>> converted; // Seldom any: an empty deque takes memory, too.
  for (const ExpandedValue &value : expanded) {
    const Storage &storage = storageOf(elements[value.argument]);
    small.push_back(static_cast<const std::byte *>(inputs[value.argument]));
    if (storage.isDirect())
      continue;
    converted.push_back(std::make_unique<Scratch>(value.argumentElements * storage.nativeBytes));
    storage.load(value.argumentElements, small.back(), converted.back()->data());
    small.back() = converted.back()->data();
  }

  for (int64_t begin = 0; begin < n; begin += tile) {
    int64_t count = std::min(tile, n - begin);
    for (size_t i = 0; i < expanded.size(); ++i) {
      int32_t value = expanded[i].value;
      at[value] = const_cast<std::byte *>(expanded[i].expansion.elements( // Only read.
          begin, count, storageOf(elements[value]).nativeBytes, small[i],
          memory.data() + registers[value] * stride));
    }
    for (int32_t arg = 0; arg < numArguments; ++arg) {
      if (isScalar[arg] || !isWhole[arg])
        continue;
      const Storage &storage = storageOf(elements[arg]);
      auto *source =
          static_cast<const std::byte *>(inputs[arg]) + begin * storedBytes(elements[arg]);
      if (storage.isDirect())
        at[arg] = const_cast<std::byte *>(source); // Only read: an argument is no step's result.
      else
        storage.load(count, source, at[arg]);
    }
    for (const BoundStep &step : steps) {
      if (int32_t r = directOutput[step.result]; r >= 0)
        at[step.result] =
            static_cast<std::byte *>(outputs[r]) + begin * storedBytes(elements[step.result]);
      const void *in[3];
      for (int i = 0; i < step.numOperands; ++i)
        in[i] = at[step.operands[i]];
      step.step.function(count, at[step.result], in, step.step.params);
      if (step.round)
        step.round(count, at[step.result]);
    }
    for (size_t r = 0; r < results.size(); ++r) {
      int32_t value = results[r];
      if (directOutput[value] == static_cast<int32_t>(r))
        continue;
      const Storage &storage = storageOf(elements[value]);
      int64_t bytes = storedBytes(elements[value]);
      std::byte *target = static_cast<std::byte *>(outputs[r]) + begin * bytes;
      if (storage.isDirect())
        std::memcpy(target, at[value], count * bytes);
      else
        storage.store(count, at[value], target);
    }
  }
}

// Kernels.

static absl::StatusOr<Kernel> makeKernel(const KernelRequest &request, const Function &body) {
  if (request.results.empty() || request.results.size() != body.results.size())
    return invalid("has ", request.results.size(), " results, its body ", body.results.size());
  if (static_cast<int64_t>(request.operands.size()) != body.numArguments)
    return invalid("has ", request.operands.size(), " operands, its body ", body.numArguments);
  const std::vector<int64_t> &shape = request.results[0].shape;
  for (size_t i = 0; i < request.results.size(); ++i)
    if (request.results[i].shape != shape || body.values[body.results[i]].shape != shape ||
        request.results[i].element != body.values[body.results[i]].element)
      return invalid("result ", i, " is ", request.results[i].str(), ", its body returns ",
                     body.values[body.results[i]].str());
  std::vector<bool> isScalar;
  for (size_t i = 0; i < request.operands.size(); ++i) {
    const TensorType &type = request.operands[i];
    if (type != body.values[i])
      return invalid("operand ", i, " is ", type.str(), ", the argument of its body ",
                     body.values[i].str());
    isScalar.push_back(type.rank() == 0 && !shape.empty());
  }
  SPMD_ASSIGN_OR_RETURN(TileProgram tiles,
                        TileProgram::create(request.program, body, request.registry));
  Kernel kernel;
  kernel.reuse = tiles.reuse(isScalar);
  int64_t n = request.results[0].numElements();
  if (std::optional<TileProgram::SingleStep> only = tiles.singleStep(n, isScalar)) {
    kernel.run = [n, only = *only](const KernelCall &call) {
      const void *in[3];
      for (int i = 0; i < only.numOperands; ++i)
        in[i] = call.inputs[only.operands[i]].data();
      only.step.function(n, call.outputs[0].mutableData(), in, only.step.params);
      return absl::OkStatus();
    };
    return kernel;
  }
  kernel.run = [n, tiles = std::move(tiles), isScalar](const KernelCall &call) {
    absl::FixedArray<const void *, 8> inputs(call.inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i)
      inputs[i] = call.inputs[i].data();
    absl::FixedArray<void *, 2> outputs(call.outputs.size());
    for (size_t r = 0; r < outputs.size(); ++r)
      outputs[r] = call.outputs[r].mutableData();
    tiles.run(n, inputs, absl::MakeSpan(outputs), isScalar);
    return absl::OkStatus();
  };
  return kernel;
}

absl::StatusOr<Kernel> prepareStep(const KernelRequest &request) {
  // The instruction, alone in a body of its own.
  Function body;
  body.values = request.operands;
  body.values.insert(body.values.end(), request.results.begin(), request.results.end());
  body.numArguments = request.operands.size();
  Instruction instruction = request.instruction;
  std::iota(instruction.operands.begin(), instruction.operands.end(), 0);
  std::iota(instruction.results.begin(), instruction.results.end(), body.numArguments);
  body.results = instruction.results;
  body.instructions.push_back(std::move(instruction));
  return makeKernel(request, body);
}

absl::StatusOr<Kernel> prepareFused(const KernelRequest &request) {
  SPMD_ASSIGN_OR_RETURN(const Function *body, request.body());
  return makeKernel(request, *body);
}

} // namespace spmd
