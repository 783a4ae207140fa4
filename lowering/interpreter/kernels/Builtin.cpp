// All kernels of this folder together.
#include "spmd/lowering/interpreter/TileProgram.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"
#include "spmd/lowering/interpreter/kernels/Steps.h"

namespace spmd {

void addElementwiseKernels(KernelRegistry &registry) {
  registry.addKernel("fused", prepareFused);
  addArithmeticSteps(registry);
  addBitwiseSteps(registry);
  addCompareSteps(registry);
  addComplexSteps(registry);
  addConvertSteps(registry);
  addRoundingSteps(registry);
  addTranscendentalSteps(registry);
}

void addBuiltinKernels(KernelRegistry &registry) {
  addConstantKernels(registry);
  addConvolutionKernels(registry);
  addCustomCallKernels(registry);
  addDotKernels(registry);
  addDynamicSliceKernels(registry);
  addElementwiseKernels(registry);
  addGatherKernels(registry);
  addMoveKernels(registry);
  addPadKernels(registry);
  addReduceKernels(registry);
  addReduceWindowKernels(registry);
  addScatterKernels(registry);
  addShapeKernels(registry);
}

} // namespace spmd
