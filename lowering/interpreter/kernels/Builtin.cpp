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
  addRandomRoundingSteps(registry);
  addRoundingSteps(registry);
  addTranscendentalSteps(registry);
  addVectorSteps(registry);
}

void addBuiltinKernels(KernelRegistry &registry) {
  addAcceleratorCalls(registry);
  addCheckCalls(registry);
  addConstantKernels(registry);
  addConvolutionKernels(registry);
  addCustomCallKernels(registry);
  addDotKernels(registry);
  addDynamicKernels(registry);
  addDynamicSliceKernels(registry);
  addElementwiseKernels(registry);
  addFftKernels(registry);
  addGatherKernels(registry);
  addLapackCalls(registry);
  addLinearAlgebraKernels(registry);
  addMapKernels(registry);
  addMoveKernels(registry);
  addPadKernels(registry);
  addParallelKernels(registry);
  addRandomKernels(registry);
  addReduceKernels(registry);
  addReduceWindowKernels(registry);
  addScatterKernels(registry);
  addSelectAndScatterKernels(registry);
  addShapeKernels(registry);
  addSortKernels(registry);
  addTokenKernels(registry);
}

} // namespace spmd
