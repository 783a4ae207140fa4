#include "spmd/dialect/export/hlo/Names.h"

#include "llvm/ADT/StringExtras.h"

namespace spmd::export_hlo {

std::string legalName(llvm::StringRef wish) {
  std::string name;
  name.reserve(wish.size() + 1);
  for (char c : wish)
    name += llvm::isAlnum(c) || c == '_' || c == '.' || c == '-' ? c : '_';
  if (name.empty() || (!llvm::isAlpha(name.front()) && name.front() != '_'))
    name.insert(name.begin(), '_');
  return name;
}

/// Returns whether nothing was called `name`, which is taken then.
bool Names::take(const std::string &name) {
  auto [opcode, digits] = llvm::StringRef(name).rsplit('.');
  size_t number = 0;
  bool isMade = !digits.getAsInteger(10, number) && number < madeFor.size() && madeFor[number] &&
                madeFor[number]->opcode() == opcode && std::to_string(number) == digits;
  return !isMade && taken.insert(name).second;
}

std::string Names::wished(llvm::StringRef wish) {
  std::string base = legalName(wish), name = base;
  while (!take(name))
    name = base + "." + std::to_string(++nextSuffix[base]);
  return name;
}

std::string Names::made(const hlo::HloInstructionProto &instruction) {
  std::string name = instruction.opcode();
  name += '.';
  name += std::to_string(instruction.id());
  if (!taken.empty() && taken.contains(name))
    return wished(name);
  madeFor.resize(instruction.id() + 1);
  madeFor[instruction.id()] = &instruction;
  return name;
}

} // namespace spmd::export_hlo
