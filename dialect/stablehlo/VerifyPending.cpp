// Verifiers of ops that are defined but whose constraints are not checked yet.

#include "spmd/dialect/stablehlo/Verify.h"
using namespace mlir;
using namespace spmd::stablehlo;
LogicalResult AsyncDoneOp::verify() { return success(); }
LogicalResult AsyncStartOp::verify() { return success(); }
LogicalResult AsyncStartOp::verifyRegions() { return success(); }
LogicalResult BatchNormGradOp::verify() { return success(); }
LogicalResult BatchNormInferenceOp::verify() { return success(); }
LogicalResult BatchNormTrainingOp::verify() { return success(); }
LogicalResult BroadcastOp::verify() { return success(); }
LogicalResult CholeskyOp::verify() { return success(); }
LogicalResult CollectiveReduceOp::verify() { return success(); }
LogicalResult CollectiveReduceOp::verifyRegions() { return success(); }
LogicalResult CompositeOp::verify() { return success(); }
LogicalResult CrossReplicaSumOp::verify() { return success(); }
LogicalResult DotOp::verify() { return success(); }
LogicalResult DynamicBroadcastInDimOp::verify() { return success(); }
LogicalResult DynamicConvOp::verify() { return success(); }
LogicalResult DynamicGatherOp::verify() { return success(); }
LogicalResult DynamicIotaOp::verify() { return success(); }
LogicalResult DynamicPadOp::verify() { return success(); }
LogicalResult DynamicReshapeOp::verify() { return success(); }
LogicalResult EinsumOp::verify() { return success(); }
LogicalResult FftOp::verify() { return success(); }
LogicalResult GetDimensionSizeOp::verify() { return success(); }
LogicalResult GetTupleElementOp::verify() { return success(); }
LogicalResult InfeedOp::verify() { return success(); }
LogicalResult MapOp::verify() { return success(); }
LogicalResult MapOp::verifyRegions() { return success(); }
LogicalResult OutfeedOp::verify() { return success(); }
LogicalResult RealDynamicSliceOp::verify() { return success(); }
LogicalResult RecvOp::verify() { return success(); }
LogicalResult RngBitGeneratorOp::verify() { return success(); }
LogicalResult RngOp::verify() { return success(); }
LogicalResult SelectAndScatterOp::verify() { return success(); }
LogicalResult SelectAndScatterOp::verifyRegions() { return success(); }
LogicalResult SendOp::verify() { return success(); }
LogicalResult SetDimensionSizeOp::verify() { return success(); }
LogicalResult TorchIndexSelectOp::verify() { return success(); }
LogicalResult TriangularSolveOp::verify() { return success(); }
LogicalResult TupleOp::verify() { return success(); }
LogicalResult UnaryEinsumOp::verify() { return success(); }
LogicalResult UniformDequantizeOp::verify() { return success(); }
LogicalResult UniformQuantizeOp::verify() { return success(); }
LogicalResult CompositeOp::verifySymbolUses(SymbolTableCollection &) { return success(); }
