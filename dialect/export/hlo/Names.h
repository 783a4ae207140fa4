// Names that nothing else has.
#pragma once

#include "spmd/ir/hlo/Hlo.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace spmd::export_hlo {

/// Returns `wish` with nothing in it that a name in HLO may not have.
std::string legalName(llvm::StringRef wish);

/// Names of the instructions of a module, or of its computations.
class Names {
public:
  /// Returns `wish`, or something like it, that nothing is called yet.
  std::string wished(llvm::StringRef wish);

  /// Returns `add.5` for number 5, an `add`, or something like it. Most instructions are called so,
  /// so that these names are in no table: which number has which opcode says the same.
  std::string made(const hlo::HloInstructionProto &instruction);

private:
  bool take(const std::string &name);

  llvm::StringSet<llvm::BumpPtrAllocator> taken;         ///< But for those that were made.
  std::vector<const hlo::HloInstructionProto *> madeFor; ///< By number; null if it has another.
  llvm::StringMap<unsigned> nextSuffix;
};

} // namespace spmd::export_hlo
