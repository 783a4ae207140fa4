// Explanations as text for people, and as JSON.
#pragma once

#include "spmd/passes/explain/Explanation.h"
#include "spmd/passes/propagate/Flags.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace spmd {

/// Prints one value: a line for it, then indented chains, a step a line.
void printText(const Explanation &told, llvm::raw_ostream &os);

/// Prints a line for one value, and which device holds which part of it.
void printPicture(const Explanation &told, llvm::raw_ostream &os);

/// Prints a value without a sharding, with what is around it.
void printText(const Flag &flag, llvm::raw_ostream &os);

/// Prints what all devices do alike, and what to do about it.
void printText(const ToldRepeatedWork &work, llvm::raw_ostream &os);

/// Prints `{"values": [..]}`, with `"missing"` beside it if `flags` are asked for,
/// `"repeated_work"` if devices do the same, and `"unknown"` if there are names that nothing has.
void printJson(const std::vector<Explanation> &told, const std::vector<Flag> *flags,
               const std::optional<ToldRepeatedWork> &work, const std::vector<UnknownName> &unknown,
               llvm::raw_ostream &os);

/// Prints one chain as a list of its steps.
void writeJson(const std::vector<ToldLink> &chain, llvm::json::OStream &json);

} // namespace spmd
