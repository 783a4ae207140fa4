#include "spmd/lowering/interpreter/PreparedProgram.h"

#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/SampledKernel.h"
#include "spmd/lowering/program/Work.h"

#include "absl/container/flat_hash_map.h"

namespace spmd {

using Kind = PreparedInstruction::Kind;

namespace {

/// What `constant` and `iota` make, by what they say: those alike are made once for a program.
using ConstantKernels = absl::flat_hash_map<std::string, Kernel>;

/// Returns the key of an instruction that may always have the same result, or "".
std::string constantKeyOf(const Instruction &instruction, const std::vector<TensorType> &results) {
  if (!instruction.operands.empty() || !instruction.functions.empty() || results.size() != 1)
    return "";
  std::string key = absl::StrCat(instruction.op, " ", results[0].str());
  for (const auto &[name, value] : instruction.attributes)
    absl::StrAppend(&key, " ", name, "=", str(value));
  return key;
}

/// Binds one instruction. The signatures of bodies are checked against what the instruction passes.
class Preparer {
public:
  Preparer(const DeviceProgram &program, const Function &function, const Instruction &instruction,
           const KernelRegistry &registry, ConstantKernels &constants)
      : function(function), instruction(instruction), constants(constants),
        request{program, instruction, typesOf(function, instruction.operands),
                typesOf(function, instruction.results), registry} {}

  absl::StatusOr<PreparedInstruction> run() {
    out.operands.assign(instruction.operands.begin(), instruction.operands.end());
    out.results.assign(instruction.results.begin(), instruction.results.end());
    out.releases.assign(instruction.releases.begin(), instruction.releases.end());
    out.functions = instruction.functions;
    out.description = describe(instruction);
    out.work = workOf(request.program, function, instruction);
    for (size_t i = 0; i < out.operands.size(); ++i) {
      auto later = out.operands.begin() + i + 1;
      out.takes.push_back(std::find(out.releases.begin(), out.releases.end(), out.operands[i]) !=
                              out.releases.end() &&
                          std::find(later, out.operands.end(), out.operands[i]) ==
                              out.operands.end());
    }
    for (const TensorType &type : request.results)
      out.resultTypes.emplace_back(type);
    SPMD_ASSIGN_OR_RETURN(int64_t choice, instruction.attributes.getOr<int64_t>("choice", -1));
    out.choice = static_cast<int32_t>(choice);
    out.holdsOperand = instruction.op == "optimization_barrier";
    SPMD_RETURN_IF_ERROR(bind());
    if (instruction.op == "custom_call" && out.kernel.freeVectors.empty())
      out.choice = -1;
    planReuse();
    return std::move(out);
  }

private:
  static std::vector<TensorType> typesOf(const Function &function,
                                         const std::vector<ValueId> &ids) {
    std::vector<TensorType> types;
    for (ValueId id : ids)
      types.push_back(function.values[id]);
    return types;
  }

  /// Keeps of what the kernel can do what the lives of the operands allow.
  void planReuse() {
    for (size_t r = 0; r < out.kernel.reuse.size(); ++r)
      for (int i : out.kernel.reuse[r])
        if (out.takes[i] &&
            std::count(out.operands.begin(), out.operands.end(), out.operands[i]) == 1 &&
            request.operands[i].sizeInBytes() == request.results[r].sizeInBytes())
          out.reuse.push_back({static_cast<int32_t>(r), i});
    out.kernel.reuse.clear();
  }

  absl::Status bind() {
    using Binder = absl::Status (Preparer::*)();
    static constexpr std::pair<const char *, Binder> binders[] = {
        {"call", &Preparer::bindCall},          {"while", &Preparer::bindWhile},
        {"if", &Preparer::bindBranch},          {"case", &Preparer::bindBranch},
        {"buffer_alloc", &Preparer::bindAlloc}, {"buffer_load", &Preparer::bindLoad},
        {"buffer_store", &Preparer::bindStore}, {"send", &Preparer::bindSend},
        {"recv", &Preparer::bindReceive},       {"infeed", &Preparer::bindInfeed}};
    for (const auto &[op, binder] : binders)
      if (instruction.op == op) {
        absl::Status status = (this->*binder)();
        return status.ok() ? status : invalid(out.description, ": ", std::string(status.message()));
      }
    if (isCollective(instruction.op)) {
      out.kind = Kind::collective;
      SPMD_ASSIGN_OR_RETURN(Collective collective, prepareCollective(request));
      out.collective = std::make_shared<const Collective>(std::move(collective));
      return absl::OkStatus();
    }
    out.kind = Kind::kernel;
    std::string key = constantKeyOf(instruction, request.results);
    if (auto known = constants.find(key); known != constants.end()) {
      out.kernel = known->second;
      return absl::OkStatus();
    }
    SPMD_ASSIGN_OR_RETURN(out.kernel, request.registry.prepare(request));
    if (instruction.attributes.contains("sampled_in_f32")) {
      SPMD_ASSIGN_OR_RETURN(out.kernel, sampledInF32(request, std::move(out.kernel)));
    }
    if (!key.empty() && out.kernel.constant)
      constants.emplace(std::move(key), out.kernel);
    return absl::OkStatus();
  }

  /// InvalidArgument unless body number `index` takes `arguments` to `results`.
  absl::Status expectBody(int index, absl::Span<const TensorType> arguments,
                          absl::Span<const TensorType> results) const {
    SPMD_ASSIGN_OR_RETURN(const Function *body, request.body(index));
    if (static_cast<size_t>(body->numArguments) != arguments.size() ||
        body->results.size() != results.size())
      return invalid("body \"", body->name, "\" takes ", body->numArguments, " values to ",
                     body->results.size(), "; expected ", arguments.size(), " to ", results.size());
    for (size_t i = 0; i < arguments.size(); ++i)
      SPMD_RETURN_IF_ERROR(expectType("argument of the body", body->values[i], arguments[i]));
    for (size_t i = 0; i < results.size(); ++i)
      SPMD_RETURN_IF_ERROR(
          expectType("result of the body", body->values[body->results[i]], results[i]));
    return absl::OkStatus();
  }

  absl::Status bindCall() {
    out.kind = Kind::call;
    return expectBody(0, request.operands, request.results);
  }

  absl::Status bindWhile() {
    out.kind = Kind::loop;
    if (request.operands != request.results)
      return invalid("has results that are not of the types of its operands");
    SPMD_RETURN_IF_ERROR(expectBody(0, request.operands, {TensorType{ElementType::i1, {}}}));
    return expectBody(1, request.operands, request.operands);
  }

  absl::Status bindBranch() {
    out.kind = Kind::branch;
    out.selectsByIndex = instruction.op == "case";
    TensorType selector{out.selectsByIndex ? ElementType::i32 : ElementType::i1, {}};
    if (request.operands.empty())
      return invalid("has no operands");
    SPMD_RETURN_IF_ERROR(expectType("operand 0", request.operands[0], selector));
    size_t numBranches = instruction.functions.size();
    if (numBranches == 0 || (!out.selectsByIndex && numBranches != 2))
      return invalid("has ", numBranches, " branches");
    for (size_t i = 0; i < numBranches; ++i)
      SPMD_RETURN_IF_ERROR(
          expectBody(i, absl::MakeConstSpan(request.operands).subspan(1), request.results));
    return absl::OkStatus();
  }

  absl::Status bindAlloc() {
    out.kind = Kind::alloc;
    SPMD_RETURN_IF_ERROR(request.expectCounts(std::min<size_t>(request.operands.size(), 1), 1));
    return request.operands.empty()
               ? absl::OkStatus()
               : expectType("operand 0", request.operands[0], request.results[0]);
  }

  absl::Status bindLoad() {
    out.kind = Kind::load;
    SPMD_RETURN_IF_ERROR(request.expectCounts(1, 1));
    SPMD_ASSIGN_OR_RETURN(out.takesFromCell, request.attributes().getOr<bool>("take", false));
    return expectType("result", request.results[0], request.operands[0]);
  }

  absl::Status bindStore() {
    out.kind = Kind::store;
    SPMD_RETURN_IF_ERROR(request.expectCounts(2, 0));
    return expectType("operand 1", request.operands[1], request.operands[0]);
  }

  absl::Status bindSend() {
    out.kind = Kind::send;
    SPMD_RETURN_IF_ERROR(request.expectCounts(request.operands.size(), 0));
    return bindMailboxes(/*isSender=*/true);
  }

  absl::Status bindReceive() {
    out.kind = Kind::receive;
    SPMD_RETURN_IF_ERROR(request.expectCounts(0, request.results.size()));
    return bindMailboxes(/*isSender=*/false);
  }

  /// A transfer between devices names its pairs; any other goes through the host.
  absl::Status bindMailboxes(bool isSender) {
    int64_t numDevices = request.program.numDevices;
    SPMD_ASSIGN_OR_RETURN(int64_t channel, request.attributes().getOr<int64_t>("channel", 0));
    SPMD_ASSIGN_OR_RETURN(Ints pairs, listOr(request.attributes(), "source_target_pairs", {}));
    if (pairs.empty()) {
      out.mailboxes.assign(numDevices, Mailbox{channel, -1, -1});
      return absl::OkStatus();
    }
    out.mailboxes.resize(numDevices);
    for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
      int64_t from = pairs[i], to = pairs[i + 1], self = isSender ? from : to;
      if (std::min(from, to) < 0 || std::max(from, to) >= numDevices)
        return invalid("pair ", from, " -> ", to, " names a device that is none of the ",
                       numDevices);
      if (out.mailboxes[self])
        return invalid("device ", self, isSender ? " sends twice" : " receives twice");
      out.mailboxes[self] = Mailbox{channel, from, to};
    }
    return absl::OkStatus();
  }

  absl::Status bindInfeed() {
    out.kind = Kind::infeed;
    return request.expectCounts(0, request.results.size());
  }

  const Function &function;
  const Instruction &instruction;
  ConstantKernels &constants;
  KernelRequest request;
  PreparedInstruction out{};
};

/// Returns which functions run as frames of their own, from those in `work` on: the rest are bodies
/// of kernels.
std::vector<bool> framesOf(const DeviceProgram &program, std::vector<int32_t> work) {
  std::vector<bool> runs(program.functions.size(), false);
  while (!work.empty()) {
    int32_t index = work.back();
    work.pop_back();
    if (runs[index])
      continue;
    runs[index] = true;
    for (const Instruction &instruction : program.functions[index].instructions)
      if (instruction.op == "call" || instruction.op == "while" || instruction.op == "if" ||
          instruction.op == "case")
        work.insert(work.end(), instruction.functions.begin(), instruction.functions.end());
  }
  return runs;
}

/// Takes what is constant out of `function`, and notes who reads what.
void findConstants(PreparedFunction &function) {
  std::vector<PreparedInstruction> &all = function.instructions;
  function.constants.resize(function.numValues);
  for (PreparedInstruction &instruction : all)
    if (instruction.kernel.constant)
      function.constants[instruction.results[0]] = std::move(instruction.kernel.constant);
  auto isConstant = [&](ValueId id) { return static_cast<bool>(function.constants[id]); };
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const PreparedInstruction &instruction) {
                             return instruction.results.size() == 1 &&
                                    isConstant(instruction.results[0]);
                           }),
            all.end());
  std::vector<bool> isRead(function.numValues, false);
  for (PreparedInstruction &instruction : all) {
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
      isRead[instruction.operands[i]] = true;
      if (isConstant(instruction.operands[i]))
        instruction.takes[i] = false;
    }
    auto &reuse = instruction.reuse;
    reuse.erase(std::remove_if(reuse.begin(), reuse.end(),
                               [&](const PreparedInstruction::Reuse &each) {
                                 return isConstant(instruction.operands[each.operand]);
                               }),
                reuse.end());
    auto &dead = instruction.releases;
    dead.erase(std::remove_if(dead.begin(), dead.end(), isConstant), dead.end());
  }
  for (size_t i = 0; i < function.results.size(); ++i) {
    auto later = function.results.begin() + i + 1;
    function.takesResult.push_back(!isConstant(function.results[i]) &&
                                   std::find(later, function.results.end(), function.results[i]) ==
                                       function.results.end());
    isRead[function.results[i]] = true;
  }
  function.readsArgument.assign(
      isRead.begin(), isRead.begin() + static_cast<int64_t>(function.argumentTypes.size()));
  auto mark = [&](ValueId &id) { id = isConstant(id) ? -1 - id : id; };
  for (PreparedInstruction &instruction : all)
    for (ValueId &operand : instruction.operands)
      mark(operand);
  for (ValueId &result : function.results)
    mark(result);
}

absl::StatusOr<PreparedProgram> prepareFunctions(PreparedProgram out, const DeviceProgram &program,
                                                 const std::vector<bool> &runs,
                                                 const KernelRegistry &registry) {
  ConstantKernels constants;
  for (size_t i = 0; i < program.functions.size(); ++i) {
    const Function &function = program.functions[i];
    PreparedFunction prepared;
    prepared.argumentTypes.assign(function.values.begin(),
                                  function.values.begin() + function.numArguments);
    for (ValueId result : function.results)
      prepared.resultTypes.push_back(function.values[result]);
    prepared.numValues = function.values.size();
    prepared.results = function.results;
    if (runs[i])
      for (const Instruction &instruction : function.instructions) {
        SPMD_ASSIGN_OR_RETURN(PreparedInstruction bound,
                              Preparer(program, function, instruction, registry, constants).run());
        prepared.instructions.push_back(std::move(bound));
      }
    findConstants(prepared);
    out.functions.push_back(std::move(prepared));
  }
  return out;
}

} // namespace

absl::StatusOr<PreparedProgram> PreparedProgram::create(const DeviceProgram &program,
                                                        const KernelRegistry &registry) {
  SPMD_RETURN_IF_ERROR(verify(program));
  std::vector<int32_t> roots = {program.entry};
  roots.insert(roots.end(), program.entries.begin(), program.entries.end());
  roots.insert(roots.end(), program.infeed.begin(), program.infeed.end());
  return prepareFunctions({program.numDevices, program.entry, program.entries, program.infeed, {}},
                          program, framesOf(program, std::move(roots)), registry);
}

absl::StatusOr<PreparedProgram> PreparedProgram::prepare(const DeviceProgram &program,
                                                         int32_t entry,
                                                         const KernelRegistry &registry) {
  return prepareFunctions({program.numDevices, entry, {}, {}, {}}, program,
                          framesOf(program, {entry}), registry);
}

} // namespace spmd
