//===- Opcodes.h - the opcodes of HLO ---------------------------*- C++ -*-===//

#ifndef SPMD_IR_HLO_OPCODES_H
#define SPMD_IR_HLO_OPCODES_H

#include <string_view>

namespace spmd::hlo {

struct OpcodeInfo {
  std::string_view name;
  int leastOperands;
  int mostOperands; ///< -1: any number.
  int leastCalled = 0;
  int mostCalled = 0; ///< -1: any number.
};

/// Returns what is known of an opcode, or null if there is none of this name.
const OpcodeInfo *findOpcode(std::string_view name);

} // namespace spmd::hlo

#endif
