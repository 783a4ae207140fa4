// The source lines that messages are printed with.
#pragma once

#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace spmd {

/// Lets `sourceMgr` print, of lines longer than a screen, only what stands around the place that a
/// message is about. It prints to `os`, whatever it is asked to.
void cutLongLines(llvm::SourceMgr &sourceMgr, llvm::raw_ostream &os);

} // namespace spmd
