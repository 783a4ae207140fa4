// The families of kernels, one function per file of this folder.
#pragma once

#include "spmd/lowering/interpreter/KernelRegistry.h"
#include "spmd/lowering/interpreter/StatusMacros.h"

namespace spmd {

class CheckLog;

void addAcceleratorCalls(KernelRegistry &registry);
/// Checks report to `log`, and the program goes on; without one, a check that fails ends the run.
void addCheckCalls(KernelRegistry &registry, CheckLog *log = nullptr);
void addConstantKernels(KernelRegistry &registry);
void addConvolutionKernels(KernelRegistry &registry);
void addCustomCallKernels(KernelRegistry &registry);
void addDotKernels(KernelRegistry &registry);
void addDynamicKernels(KernelRegistry &registry);
void addDynamicSliceKernels(KernelRegistry &registry);
void addElementwiseKernels(KernelRegistry &registry);
void addFftKernels(KernelRegistry &registry);
void addGatherKernels(KernelRegistry &registry);
void addLapackCalls(KernelRegistry &registry);
void addLinearAlgebraKernels(KernelRegistry &registry);
void addMapKernels(KernelRegistry &registry);
void addMoveKernels(KernelRegistry &registry);
void addPadKernels(KernelRegistry &registry);
void addParallelKernels(KernelRegistry &registry);
void addRandomKernels(KernelRegistry &registry);
void addReduceKernels(KernelRegistry &registry);
void addReduceWindowKernels(KernelRegistry &registry);
void addScatterKernels(KernelRegistry &registry);
void addSelectAndScatterKernels(KernelRegistry &registry);
void addShapeKernels(KernelRegistry &registry);
void addSortKernels(KernelRegistry &registry);
void addTokenKernels(KernelRegistry &registry);

} // namespace spmd
