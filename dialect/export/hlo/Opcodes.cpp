// Ops by name: those that are an opcode on the same operands and no attributes, and shape ops.

#include "spmd/dialect/export/hlo/Exporter.h"

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/dialect/stablehlo/LeftOut.h"

namespace spmd::export_hlo {

namespace {

using mlir::LogicalResult;
using mlir::success;
using namespace stablehlo;

/// Ops that take their operands as they are. Where no name follows, the opcode is called as the op,
/// with hyphens.
struct SameOp {
  llvm::StringLiteral op, opcode = "";
};

constexpr SameOp sameOps[] = {
    {"stablehlo.abs"},
    {"stablehlo.add"},
    {"stablehlo.after_all"},
    {"stablehlo.and"},
    {"stablehlo.atan2"},
    {"stablehlo.bitcast_convert"},
    {"stablehlo.cbrt"},
    {"stablehlo.ceil"},
    {"stablehlo.complex"},
    {"stablehlo.convert"},
    {"stablehlo.cosine"},
    {"stablehlo.count_leading_zeros"},
    {"stablehlo.create_token", "after-all"},
    {"stablehlo.divide"},
    {"stablehlo.dynamic_update_slice"},
    {"stablehlo.exponential"},
    {"stablehlo.exponential_minus_one"},
    {"stablehlo.floor"},
    {"stablehlo.imag"},
    {"stablehlo.is_finite"},
    {"stablehlo.log"},
    {"stablehlo.log_plus_one"},
    {"stablehlo.logistic"},
    {"stablehlo.maximum"},
    {"stablehlo.minimum"},
    {"stablehlo.multiply"},
    {"stablehlo.negate"},
    {"stablehlo.not"},
    {"stablehlo.or"},
    {"stablehlo.partition_id"},
    {"stablehlo.popcnt"},
    {"stablehlo.power"},
    {"stablehlo.real"},
    {"stablehlo.remainder"},
    {"stablehlo.replica_id"},
    {"stablehlo.reshape"},
    {"stablehlo.round_nearest_afz"},
    {"stablehlo.round_nearest_even"},
    {"stablehlo.rsqrt"},
    {"stablehlo.shift_left"},
    {"stablehlo.shift_right_arithmetic"},
    {"stablehlo.shift_right_logical"},
    {"stablehlo.sign"},
    {"stablehlo.sine"},
    {"stablehlo.sqrt"},
    {"stablehlo.subtract"},
    {"stablehlo.tan"},
    {"stablehlo.tanh"},
    {"stablehlo.xor"},
    {"chlo.acos"},
    {"chlo.acosh"},
    {"chlo.asin"},
    {"chlo.asinh"},
    {"chlo.atanh"},
    {"chlo.cosh"},
    {"chlo.erf"},
    {"chlo.sinh"},
};

const llvm::StringMap<std::string> &opcodes() {
  static const llvm::StringMap<std::string> names = [] {
    llvm::StringMap<std::string> map;
    for (const SameOp &each : sameOps) {
      std::string opcode =
          each.opcode.empty() ? each.op.split('.').second.str() : each.opcode.str();
      std::replace(opcode.begin(), opcode.end(), '_', '-');
      map[each.op] = opcode;
    }
    return map;
  }();
  return names;
}

/// How precise a result has to be, if the op says so.
void writeAccuracy(ComputationWriter &at, hlo::HloInstructionProto &instruction) {
  auto accuracy = at.attribute<ResultAccuracyAttr>("result_accuracy");
  if (!accuracy || accuracy == defaultResultAccuracy(accuracy.getContext()))
    return;
  hlo::ResultAccuracy &written = *instruction.mutable_result_accuracy();
  if (accuracy.getMode().getValue() == ResultAccuracyMode::HIGHEST)
    return written.set_mode(hlo::ResultAccuracy::HIGHEST);
  written.mutable_tolerance()->set_atol(accuracy.getAtol().convertToDouble());
  written.mutable_tolerance()->set_rtol(accuracy.getRtol().convertToDouble());
  written.mutable_tolerance()->set_ulps(accuracy.getUlps());
}

LogicalResult writeSame(ComputationWriter &at) {
  writeAccuracy(at, at.make(opcodes().at(at.op()->getName().getStringRef())));
  return success();
}

//===- Values from nothing -----------------------------------------------------===//

/// More equal elements than this are one element, broadcast.
constexpr int64_t mostAlike = 1 << 20;

LogicalResult writeConstant(ComputationWriter &at) {
  mlir::Operation *constant = at.op();
  // The shape of random numbers is an operand of the op only.
  if (!constant->use_empty() && llvm::all_of(constant->getUses(), [](mlir::OpOperand &use) {
        return llvm::isa<RngOp>(use.getOwner()) && use.getOperandNumber() == 2;
      }))
    return success();
  auto value = at.attribute<mlir::ElementsAttr>("value");
  if (!value)
    return at.fail("has a value that is no tensor");
  auto dense = llvm::dyn_cast<mlir::SplatElementsAttr>(value);
  bool isBroadcast = dense && dense.getNumElements() > mostAlike;
  if (isBroadcast)
    value = dense.reshape(mlir::RankedTensorType::get({}, dense.getElementType()));
  hlo::ShapeProto shape;
  hlo::LiteralProto literal;
  std::string why = shapeOf(value.getShapedType(), shape);
  if (why.empty() &&
      value.getShapedType().getElementType() != mlir::getElementTypeOrSelf(constant->getResult(0)))
    why = "has a quantized type, which has no counterpart in HLO";
  if (isLeftOut(value) && !at.module.keepLeftOut)
    why = ("has elements that are left out; " + leftOutHint).str();
  if (why.empty() && isLeftOut(value))
    *literal.mutable_shape() = shape;
  else if (why.empty())
    why = literalOf(value, shape, literal);
  if (!why.empty())
    return at.fail(why);
  if (!isBroadcast) {
    *at.make("constant").mutable_literal() = std::move(literal);
    return success();
  }
  hlo::HloInstructionProto &element = at.add("constant", shape, {});
  *element.mutable_literal() = std::move(literal);
  at.make("broadcast", element.id());
  return success();
}

LogicalResult writeIota(ComputationWriter &at) {
  at.make("iota").add_dimensions(llvm::cast<IotaOp>(at.op()).getIotaDimension());
  return success();
}

LogicalResult writeDynamicIota(ComputationWriter &at) {
  at.make("iota", mlir::ValueRange{})
      .add_dimensions(llvm::cast<DynamicIotaOp>(at.op()).getIotaDimension());
  return success();
}

LogicalResult writeDynamicReshape(ComputationWriter &at) {
  at.make("reshape", at.idOf(llvm::cast<DynamicReshapeOp>(at.op()).getOperand()));
  return success();
}

LogicalResult writeRng(ComputationWriter &at) {
  auto op = llvm::cast<RngOp>(at.op());
  at.make("rng", mlir::ValueRange{op.getA(), op.getB()})
      .set_distribution(op.getRngDistribution() == RngDistribution::UNIFORM ? hlo::RNG_UNIFORM
                                                                            : hlo::RNG_NORMAL);
  return success();
}

LogicalResult writeRngBitGenerator(ComputationWriter &at) {
  auto op = llvm::cast<RngBitGeneratorOp>(at.op());
  at.make("rng-bit-generator")
      .set_rng_algorithm(static_cast<hlo::RandomAlgorithm>(op.getRngAlgorithm()));
  return success();
}

//===- Shapes ------------------------------------------------------------------===//

template <typename Field, typename Values> void append(Field *field, const Values &values) {
  field->Add(values.begin(), values.end());
}

/// A dim of size 1 that becomes longer is dropped first: opcodes repeat along new dims only.
/// Of an op whose shape is an operand, the type says the same: only static types are written.
template <typename Op> LogicalResult writeBroadcast(ComputationWriter &at) {
  auto op = llvm::cast<Op>(at.op());
  auto from = llvm::cast<mlir::RankedTensorType>(op.getOperand().getType());
  auto to = llvm::cast<mlir::RankedTensorType>(op.getResult().getType());
  if (!from.hasStaticShape() || !to.hasStaticShape())
    return at.fail("has a dynamic dim; only static shapes are written");
  llvm::SmallVector<int64_t> kept, keptDims;
  for (auto [size, dim] : llvm::zip_equal(from.getShape(), op.getBroadcastDimensions()))
    if (size == to.getDimSize(dim)) {
      kept.push_back(size);
      keptDims.push_back(dim);
    }
  int64_t operand = at.idOf(op.getOperand());
  if (static_cast<int64_t>(kept.size()) != from.getRank())
    operand =
        at.add("reshape", mlir::RankedTensorType::get(kept, from.getElementType()), operand).id();
  append(at.make("broadcast", operand).mutable_dimensions(), keptDims);
  return success();
}

/// Deprecated: new dims in front.
LogicalResult writeOldBroadcast(ComputationWriter &at) {
  auto op = llvm::cast<BroadcastOp>(at.op());
  int64_t added = op.getBroadcastSizes().size();
  int64_t rank = llvm::cast<mlir::RankedTensorType>(op.getOperand().getType()).getRank();
  append(at.make("broadcast").mutable_dimensions(), llvm::seq<int64_t>(added, added + rank));
  return success();
}

/// Returns `value`, a scalar, in the shape of `type`.
int64_t broadcastTo(ComputationWriter &at, mlir::Value value, mlir::Type type) {
  auto tensor = llvm::cast<mlir::RankedTensorType>(type);
  auto scalar = llvm::cast<mlir::RankedTensorType>(value.getType());
  if (scalar.getRank() == tensor.getRank())
    return at.idOf(value);
  return at.add("broadcast", tensor.clone(scalar.getElementType()), at.idOf(value)).id();
}

LogicalResult writeClampOrSelect(ComputationWriter &at) {
  llvm::SmallVector<int64_t> operands;
  for (mlir::Value operand : at.op()->getOperands())
    operands.push_back(broadcastTo(at, operand, at.op()->getResult(0).getType()));
  at.make(at.op()->getName().stripDialect(), llvm::ArrayRef<int64_t>(operands));
  return success();
}

LogicalResult writeTranspose(ComputationWriter &at) {
  append(at.make("transpose").mutable_dimensions(),
         llvm::cast<TransposeOp>(at.op()).getPermutation());
  return success();
}

LogicalResult writeReverse(ComputationWriter &at) {
  append(at.make("reverse").mutable_dimensions(), llvm::cast<ReverseOp>(at.op()).getDimensions());
  return success();
}

LogicalResult writeConcatenate(ComputationWriter &at) {
  at.make("concatenate").add_dimensions(llvm::cast<ConcatenateOp>(at.op()).getDimension());
  return success();
}

LogicalResult writeSlice(ComputationWriter &at) {
  auto op = llvm::cast<SliceOp>(at.op());
  hlo::HloInstructionProto &made = at.make("slice");
  for (auto [start, limit, stride] :
       llvm::zip_equal(op.getStartIndices(), op.getLimitIndices(), op.getStrides())) {
    auto &dim = *made.add_slice_dimensions();
    dim.set_start(start);
    dim.set_limit(limit);
    dim.set_stride(stride);
  }
  return success();
}

LogicalResult writePad(ComputationWriter &at) {
  auto op = llvm::cast<PadOp>(at.op());
  hlo::PaddingConfig &config = *at.make("pad").mutable_padding_config();
  for (auto [low, high, interior] :
       llvm::zip_equal(op.getEdgePaddingLow(), op.getEdgePaddingHigh(), op.getInteriorPadding())) {
    auto &dim = *config.add_dimensions();
    dim.set_edge_padding_low(low);
    dim.set_edge_padding_high(high);
    dim.set_interior_padding(interior);
  }
  return success();
}

LogicalResult writeDynamicSlice(ComputationWriter &at) {
  append(at.make("dynamic-slice").mutable_dynamic_slice_sizes(),
         llvm::cast<DynamicSliceOp>(at.op()).getSliceSizes());
  return success();
}

LogicalResult writeGetDimensionSize(ComputationWriter &at) {
  at.make("get-dimension-size")
      .add_dimensions(llvm::cast<GetDimensionSizeOp>(at.op()).getDimension());
  return success();
}

LogicalResult writeCompare(ComputationWriter &at) {
  auto op = llvm::cast<CompareOp>(at.op());
  hlo::HloInstructionProto &made = at.make("compare");
  made.set_comparison_direction(stringifyComparisonDirection(op.getComparisonDirection()).str());
  // The others are what the type of the operands says.
  if (op.getCompareType() == ComparisonType::TOTALORDER)
    made.set_comparison_type("TOTALORDER");
  return success();
}

LogicalResult writeReducePrecision(ComputationWriter &at) {
  auto op = llvm::cast<ReducePrecisionOp>(at.op());
  hlo::HloInstructionProto &made = at.make("reduce-precision");
  made.set_exponent_bits(op.getExponentBits());
  made.set_mantissa_bits(op.getMantissaBits());
  return success();
}

/// Several values go through as one tuple.
LogicalResult writeBarrier(ComputationWriter &at) {
  if (at.op()->getNumOperands() > 0)
    at.make("opt-barrier", at.idOfAll(at.op()->getOperands()));
  return success();
}

LogicalResult writeTuple(ComputationWriter &at) {
  at.make("tuple");
  return success();
}

LogicalResult writeElement(ComputationWriter &at) {
  at.make("get-tuple-element").set_tuple_index(llvm::cast<GetTupleElementOp>(at.op()).getIndex());
  return success();
}

} // namespace

void addShapeWriters(llvm::StringMap<Writer> &writers) {
  for (const SameOp &each : sameOps)
    writers[each.op] = writeSame;
  writers["stablehlo.constant"] = writeConstant;
  writers["arith.constant"] = writeConstant;
  writers["stablehlo.iota"] = writeIota;
  writers["stablehlo.rng"] = writeRng;
  writers["stablehlo.rng_bit_generator"] = writeRngBitGenerator;
  writers["stablehlo.broadcast_in_dim"] = writeBroadcast<BroadcastInDimOp>;
  writers["stablehlo.dynamic_broadcast_in_dim"] = writeBroadcast<DynamicBroadcastInDimOp>;
  writers["stablehlo.dynamic_iota"] = writeDynamicIota;
  writers["stablehlo.dynamic_reshape"] = writeDynamicReshape;
  writers["stablehlo.broadcast"] = writeOldBroadcast;
  writers["stablehlo.clamp"] = writeClampOrSelect;
  writers["stablehlo.select"] = writeClampOrSelect;
  writers["stablehlo.transpose"] = writeTranspose;
  writers["stablehlo.reverse"] = writeReverse;
  writers["stablehlo.concatenate"] = writeConcatenate;
  writers["stablehlo.slice"] = writeSlice;
  writers["stablehlo.pad"] = writePad;
  writers["stablehlo.dynamic_slice"] = writeDynamicSlice;
  writers["stablehlo.get_dimension_size"] = writeGetDimensionSize;
  writers["stablehlo.compare"] = writeCompare;
  writers["stablehlo.reduce_precision"] = writeReducePrecision;
  writers["stablehlo.optimization_barrier"] = writeBarrier;
  writers["stablehlo.tuple"] = writeTuple;
  writers["stablehlo.get_tuple_element"] = writeElement;
}

Writer writerOf(llvm::StringRef name) {
  static const llvm::StringMap<Writer> writers = [] {
    llvm::StringMap<Writer> all;
    addShapeWriters(all);
    addRegionWriters(all);
    addContractionWriters(all);
    addCollectiveWriters(all);
    addCallWriters(all);
    addTransferWriters(all);
    return all;
  }();
  return writers.lookup(name);
}

} // namespace spmd::export_hlo

bool spmd::hasUsualOpcode(llvm::StringRef name) {
  return name == "chlo.erf" || name == "chlo.ragged_dot" || name == "chlo.top_k" ||
         name == "stablehlo.composite";
}
