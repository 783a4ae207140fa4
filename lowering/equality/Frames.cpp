#include "spmd/lowering/equality/Frames.h"

namespace spmd {

bool runsFrames(const std::string &op) {
  return op == "call" || op == "while" || op == "if" || op == "case";
}

static void visit(const DeviceProgram &program, int32_t index, FunctionRole role,
                  std::vector<FunctionRole> &roles) {
  if (roles[index] == role || roles[index] == FunctionRole::frame)
    return;
  roles[index] = role;
  for (const Instruction &instruction : program.functions[index].instructions)
    for (int32_t callee : instruction.functions) {
      bool isFrame = role == FunctionRole::frame && runsFrames(instruction.op);
      visit(program, callee, isFrame ? FunctionRole::frame : FunctionRole::body, roles);
    }
}

std::vector<FunctionRole> rolesOf(const DeviceProgram &program) {
  std::vector<FunctionRole> roles(program.functions.size(), FunctionRole::unused);
  visit(program, program.entry, FunctionRole::frame, roles);
  for (const auto *more : {&program.entries, &program.infeed})
    for (int32_t index : *more)
      visit(program, index, FunctionRole::frame, roles);
  return roles;
}

} // namespace spmd
