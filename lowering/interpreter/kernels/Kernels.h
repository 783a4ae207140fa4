// The families of kernels, one function per file of this folder.
#pragma once

#include "spmd/lowering/interpreter/KernelRegistry.h"
#include "spmd/lowering/interpreter/StatusMacros.h"

namespace spmd {

void addConstantKernels(KernelRegistry &registry);
void addConvolutionKernels(KernelRegistry &registry);
void addCustomCallKernels(KernelRegistry &registry);
void addDotKernels(KernelRegistry &registry);
void addDynamicSliceKernels(KernelRegistry &registry);
void addElementwiseKernels(KernelRegistry &registry);
void addGatherKernels(KernelRegistry &registry);
void addMoveKernels(KernelRegistry &registry);
void addPadKernels(KernelRegistry &registry);
void addReduceKernels(KernelRegistry &registry);
void addReduceWindowKernels(KernelRegistry &registry);
void addScatterKernels(KernelRegistry &registry);
void addShapeKernels(KernelRegistry &registry);

} // namespace spmd
