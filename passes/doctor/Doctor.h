// `spmd-opt --spmd-doctor`: which known failure modes a program contains, where, and what to do.
//
// Each is one that people met in practice, mostly as a crash, a silent replication or numbers that
// were wrong somewhere else; docs/doctor.md tells of each.
#pragma once

#include "spmd/passes/doctor/Finding.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

namespace spmd {

/// Returns what a diagnostic says.
Report reportOf(mlir::Diagnostic &diagnostic);

/// Returns what is found in `module`, a program as it was read, in the order of Checks.h.
/// `readReports` is what was reported while it was read; a program that the compiler refuses later
/// is one finding more. `plan` is a plan file to put on the program first, or empty. The module is
/// left with its buffers and names. Fails if the plan does not apply; its errors are in `refused`.
mlir::LogicalResult examine(mlir::ModuleOp module, llvm::ArrayRef<Report> readReports,
                            llvm::StringRef plan, Findings &findings, std::vector<Report> &refused);

/// Adds each error of `reports` as a finding: a program that the compiler refuses, in its own
/// words.
void addRefusals(llvm::ArrayRef<Report> reports, Findings &findings);

/// Prints findings for people, with their number in the last line.
void printText(const Findings &findings, llvm::raw_ostream &os);
/// Prints `{"findings": [{"kind": .., "location": .., "message": .., "notes": [..], "fix": ..}]}`.
void printJson(const Findings &findings, llvm::raw_ostream &os);

} // namespace spmd
