// Opcodes by name: those that are an op of the same operands and no attributes, and shape ops.

#include "spmd/dialect/import/hlo/Importer.h"
#include "spmd/dialect/import/hlo/OpSharding.h"

#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/TypeUtilities.h"

namespace spmd::import_hlo {

namespace {

using mlir::LogicalResult;
using namespace stablehlo;

/// Opcodes whose op takes the operands as they are. Where no name follows, the op is called as the
/// opcode, with underscores.
struct SameOp {
  llvm::StringLiteral opcode, op = "";
};

constexpr SameOp sameOps[] = {
    {"abs"},
    {"add"},
    {"after-all"},
    {"and"},
    {"atan2"},
    {"bitcast-convert"},
    {"cbrt"},
    {"ceil"},
    {"clamp"},
    {"complex"},
    {"convert"},
    {"cosine"},
    {"count-leading-zeros"},
    {"divide"},
    {"exponential"},
    {"exponential-minus-one"},
    {"floor"},
    {"imag"},
    {"is-finite"},
    {"log"},
    {"log-plus-one"},
    {"logistic"},
    {"maximum"},
    {"minimum"},
    {"multiply"},
    {"negate"},
    {"not"},
    {"opt-barrier", "stablehlo.optimization_barrier"},
    {"or"},
    {"partition-id"},
    {"popcnt"},
    {"power"},
    {"real"},
    {"remainder"},
    {"replica-id"},
    {"round-nearest-afz"},
    {"round-nearest-even"},
    {"rsqrt"},
    {"select"},
    {"shift-left"},
    {"shift-right-arithmetic"},
    {"shift-right-logical"},
    {"sign"},
    {"sine"},
    {"sqrt"},
    {"subtract"},
    {"tan"},
    {"tanh"},
    {"xor"},
    {"acos", "chlo.acos"},
    {"acosh", "chlo.acosh"},
    {"asin", "chlo.asin"},
    {"asinh", "chlo.asinh"},
    {"atanh", "chlo.atanh"},
    {"cosh", "chlo.cosh"},
    {"erf", "chlo.erf"},
    {"mulhi", "chlo.mulhi"},
    {"sinh", "chlo.sinh"},
};

const llvm::StringMap<std::string> &opNames() {
  static const llvm::StringMap<std::string> names = [] {
    llvm::StringMap<std::string> map;
    for (const SameOp &each : sameOps) {
      std::string name = each.op.empty() ? "stablehlo." + each.opcode.str() : each.op.str();
      std::replace(name.begin(), name.end(), '-', '_');
      map[each.opcode] = name;
    }
    return map;
  }();
  return names;
}

/// How precise a result has to be, of ops that can say so.
LogicalResult readAccuracy(ComputationImporter &at, mlir::OperationName op) {
  const hlo::ResultAccuracy &written = at.inst().result_accuracy();
  bool isHighest = written.specs_case() == hlo::ResultAccuracy::kMode &&
                   written.mode() == hlo::ResultAccuracy::HIGHEST;
  bool isBounded = written.specs_case() == hlo::ResultAccuracy::kTolerance;
  auto mode = isHighest   ? ResultAccuracyMode::HIGHEST
              : isBounded ? ResultAccuracyMode::TOLERANCE
                          : ResultAccuracyMode::DEFAULT;
  const hlo::ResultAccuracy::Tolerance &bounds = written.tolerance();
  auto accuracy = ResultAccuracyAttr::getChecked(
      [&] { return mlir::emitError(at.location()); }, &at.module.context,
      llvm::APFloat(bounds.atol()), llvm::APFloat(bounds.rtol()), bounds.ulps(),
      ResultAccuracyModeAttr::get(&at.module.context, mode));
  if (!accuracy)
    return at.fail("its result_accuracy cannot be read");
  return at.make(op, at.operands(), at.named("result_accuracy", accuracy));
}

LogicalResult readSame(ComputationImporter &at) {
  mlir::OperationName op = *at.opcode().sameOp;
  bool says = at.inst().result_accuracy().specs_case() != hlo::ResultAccuracy::SPECS_NOT_SET;
  if (says && llvm::is_contained(op.getAttributeNames(), "result_accuracy"))
    return readAccuracy(at, op);
  return at.make(op, at.operands(), {});
}

LogicalResult readConstant(ComputationImporter &at) { return at.constant(); }

LogicalResult readParameter(ComputationImporter &at) { return at.parameter(); }

LogicalResult readTuple(ComputationImporter &at) { return at.forward(at.operands()); }

/// Copies, and what only orders instructions.
LogicalResult readIdentity(ComputationImporter &at) {
  if (at.numOperands() < 1)
    return at.fail("expected an operand");
  return at.forward(at.operands(0, 1));
}

/// XLA replaces a call of @Sharding by a copy that has its sharding.
LogicalResult readCopy(ComputationImporter &at) {
  bool isConstraint = at.inst().has_sharding() && at.module.readsShardings &&
                      at.inst().shape().element_type() != hlo::TUPLE;
  if (!isConstraint)
    return readIdentity(at);
  return at.make(
      "stablehlo.custom_call",
      {at.named("call_target_name", at.builder.getStringAttr("Sharding")),
       at.named("mhlo.sharding", at.builder.getStringAttr(textOf(at.inst().sharding())))});
}

LogicalResult readElement(ComputationImporter &at) { return at.getTupleElement(); }

LogicalResult readBroadcast(ComputationImporter &at) {
  return at.make("stablehlo.broadcast_in_dim",
                 at.array("broadcast_dimensions", at.inst().dimensions()));
}

/// A change of layout alone is nothing here.
LogicalResult readReshape(ComputationImporter &at) {
  if (at.numOperands() == 1 && at.operand(0).size() == 1 &&
      at.operandShape(0).element_type() == at.inst().shape().element_type() &&
      llvm::equal(at.operandShape(0).dimensions(), at.inst().shape().dimensions()))
    return readIdentity(at);
  return at.make("stablehlo.reshape");
}

/// The dims of `shape` in memory order, major first; row-major where it has no layout.
llvm::SmallVector<int64_t> memoryOrder(const hlo::ShapeProto &shape) {
  llvm::SmallVector<int64_t> order(llvm::reverse(shape.layout().minor_to_major()));
  if (static_cast<int>(order.size()) != shape.dimensions_size())
    order.assign(llvm::seq<int64_t>(0, shape.dimensions_size()).begin(),
                 llvm::seq<int64_t>(0, shape.dimensions_size()).end());
  return order;
}

/// Makes a transpose, if it is one, by `permutation` to a tensor of dims `shape`.
mlir::Value transposed(ComputationImporter &at, mlir::Value value, llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return value;
  mlir::Type type = llvm::cast<mlir::RankedTensorType>(value.getType()).clone(shape);
  return stablehlo::TransposeOp::create(at.builder, at.location(), type, value, permutation);
}

/// The elements in the order of memory stay what they are: as a row-major tensor is reshaped.
LogicalResult readBitcast(ComputationImporter &at) {
  if (mlir::failed(at.expectOperands(1)))
    return mlir::failure();
  const hlo::ShapeProto &from = at.operandShape(0), &to = at.inst().shape();
  if (from.element_type() != to.element_type())
    return at.make("stablehlo.bitcast_convert");
  if (from.layout().tiles_size() > 0 || to.layout().tiles_size() > 0)
    return at.fail("a bitcast between layouts with tiles is not read");
  auto type = at.operand(0).size() == 1
                  ? llvm::dyn_cast<mlir::RankedTensorType>(at.operand(0).front().getType())
                  : mlir::RankedTensorType();
  auto count = [](const hlo::ShapeProto &shape) {
    int64_t product = 1;
    for (int64_t size : shape.dimensions())
      product *= size; // Fits: the types were made.
    return product;
  };
  if (!type || count(from) != count(to))
    return at.fail("expected as many elements as its operand has");
  llvm::SmallVector<int64_t> order = memoryOrder(from), toOrder = memoryOrder(to), inMemory,
                             toInMemory, back(toOrder.size());
  for (int64_t dim : order)
    inMemory.push_back(from.dimensions(dim));
  for (auto [position, dim] : llvm::enumerate(toOrder)) {
    toInMemory.push_back(to.dimensions(dim));
    back[dim] = position;
  }
  mlir::Value value = transposed(at, at.operand(0).front(), inMemory, order);
  if (inMemory != toInMemory)
    value = stablehlo::ReshapeOp::create(at.builder, at.location(), type.clone(toInMemory), value);
  llvm::SmallVector<int64_t> dims(to.dimensions().begin(), to.dimensions().end());
  return at.forward({transposed(at, value, dims, back)});
}

LogicalResult readTranspose(ComputationImporter &at) {
  return at.make("stablehlo.transpose", at.array("permutation", at.inst().dimensions()));
}

LogicalResult readReverse(ComputationImporter &at) {
  return at.make("stablehlo.reverse", at.array("dimensions", at.inst().dimensions()));
}

LogicalResult readIota(ComputationImporter &at) {
  return at.make(
      "stablehlo.iota",
      at.integer("iota_dimension", at.inst().dimensions_size() > 0 ? at.inst().dimensions(0) : 0));
}

LogicalResult readConcatenate(ComputationImporter &at) {
  if (at.inst().dimensions_size() != 1)
    return at.fail("expected one dim");
  return at.make("stablehlo.concatenate", at.integer("dimension", at.inst().dimensions(0)));
}

LogicalResult readSlice(ComputationImporter &at) {
  llvm::SmallVector<int64_t> start, limit, stride;
  for (const auto &dim : at.inst().slice_dimensions()) {
    start.push_back(dim.start());
    limit.push_back(dim.limit());
    stride.push_back(dim.stride() == 0 ? 1 : dim.stride());
  }
  return at.make("stablehlo.slice",
                 {at.array("start_indices", start), at.array("limit_indices", limit),
                  at.array("strides", stride)});
}

LogicalResult readPad(ComputationImporter &at) {
  llvm::SmallVector<int64_t> low, high, interior;
  for (const auto &dim : at.inst().padding_config().dimensions()) {
    low.push_back(dim.edge_padding_low());
    high.push_back(dim.edge_padding_high());
    interior.push_back(dim.interior_padding());
  }
  return at.make("stablehlo.pad",
                 {at.array("edge_padding_low", low), at.array("edge_padding_high", high),
                  at.array("interior_padding", interior)});
}

/// Returns all operands, and in the place of one index vector, as older HLO has it from operand
/// `first` on, its elements.
Leaves withScalarStarts(ComputationImporter &at, int first) {
  Leaves inputs = at.operands();
  bool isLast = at.numOperands() == first + 1 && static_cast<int>(inputs.size()) == first + 1;
  auto type = isLast ? llvm::dyn_cast<mlir::RankedTensorType>(inputs.back().getType())
                     : mlir::RankedTensorType();
  if (!type || type.getRank() != 1)
    return inputs;
  mlir::Value starts = inputs.pop_back_val();
  for (int64_t k = 0; k < type.getDimSize(0); ++k) {
    mlir::Value one = stablehlo::SliceOp::create(
        at.builder, at.location(), type.clone({1}), starts, at.builder.getDenseI64ArrayAttr({k}),
        at.builder.getDenseI64ArrayAttr({k + 1}), at.builder.getDenseI64ArrayAttr({1}));
    inputs.push_back(stablehlo::ReshapeOp::create(at.builder, at.location(),
                                                  type.clone(llvm::ArrayRef<int64_t>()), one));
  }
  return inputs;
}

LogicalResult readDynamicSlice(ComputationImporter &at) {
  return at.make("stablehlo.dynamic_slice", withScalarStarts(at, 1),
                 at.array("slice_sizes", at.inst().dynamic_slice_sizes()));
}

LogicalResult readDynamicUpdateSlice(ComputationImporter &at) {
  return at.make("stablehlo.dynamic_update_slice", withScalarStarts(at, 2), {});
}

LogicalResult readGetDimensionSize(ComputationImporter &at) {
  if (at.inst().dimensions_size() != 1)
    return at.fail("expected one dim");
  return at.make("stablehlo.get_dimension_size", at.integer("dimension", at.inst().dimensions(0)));
}

/// Of static shape: XLA leaves a dim static only where the size is known to be all of it.
LogicalResult readSetDimensionSize(ComputationImporter &at) {
  if (at.inst().dimensions_size() != 1)
    return at.fail("expected one dim");
  return at.make("stablehlo.set_dimension_size", at.integer("dimension", at.inst().dimensions(0)));
}

LogicalResult readCompare(ComputationImporter &at) {
  auto direction = stablehlo::symbolizeComparisonDirection(at.inst().comparison_direction());
  if (!direction)
    return at.fail("comparison direction '" + at.inst().comparison_direction() + "' is not known");
  llvm::SmallVector<mlir::NamedAttribute> attributes = {
      at.named("comparison_direction",
               stablehlo::ComparisonDirectionAttr::get(&at.module.context, *direction))};
  bool isTotal = false;
  if (const std::string &name = at.inst().comparison_type(); !name.empty()) {
    auto type = stablehlo::symbolizeComparisonType(name);
    if (!type)
      return at.fail("comparison type '" + name + "' is not known");
    isTotal = *type == stablehlo::ComparisonType::TOTALORDER;
  }
  if (const std::string &order = at.inst().comparison_order(); !order.empty()) {
    if (order != "PARTIAL" && order != "TOTAL")
      return at.fail("comparison order '" + order + "' is not known");
    // The order of integers is always total, and StableHLO says so of floats alone.
    isTotal |= order == "TOTAL" && at.numOperands() > 0 &&
               llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(at.operand(0).front()));
  }
  if (isTotal)
    attributes.push_back(
        at.named("compare_type", stablehlo::ComparisonTypeAttr::get(
                                     &at.module.context, stablehlo::ComparisonType::TOTALORDER)));
  return at.make("stablehlo.compare", attributes);
}

LogicalResult readReducePrecision(ComputationImporter &at) {
  return at.make(
      "stablehlo.reduce_precision",
      {at.named("exponent_bits", at.builder.getI32IntegerAttr(at.inst().exponent_bits())),
       at.named("mantissa_bits", at.builder.getI32IntegerAttr(at.inst().mantissa_bits()))});
}

LogicalResult readRngBitGenerator(ComputationImporter &at) {
  auto algorithm = stablehlo::symbolizeRngAlgorithm(at.inst().rng_algorithm());
  if (!algorithm)
    return at.fail("the algorithm is not known");
  return at.make(
      "stablehlo.rng_bit_generator",
      at.named("rng_algorithm", stablehlo::RngAlgorithmAttr::get(&at.module.context, *algorithm)));
}

LogicalResult readRng(ComputationImporter &at) {
  auto distribution = stablehlo::symbolizeRngDistribution(at.inst().distribution());
  if (!distribution || mlir::failed(at.expectOperands(2)))
    return at.fail("expected two operands and a uniform or normal distribution");
  llvm::SmallVector<int64_t> dims(at.inst().shape().dimensions().begin(),
                                  at.inst().shape().dimensions().end());
  Leaves inputs = at.operands();
  inputs.push_back(stablehlo::ConstantOp::create(at.builder, inputs.front().getLoc(),
                                                 at.builder.getI64TensorAttr(dims)));
  return at.make("stablehlo.rng", inputs,
                 at.named("rng_distribution",
                          stablehlo::RngDistributionAttr::get(&at.module.context, *distribution)));
}

} // namespace

void addShapeReaders(llvm::StringMap<Reader> &readers) {
  for (const SameOp &each : sameOps)
    readers[each.opcode] = readSame;
  readers["constant"] = readConstant;
  readers["parameter"] = readParameter;
  readers["tuple"] = readTuple;
  readers["get-tuple-element"] = readElement;
  readers["copy"] = readCopy;
  for (llvm::StringRef opcode : {"domain", "add-dependency"})
    readers[opcode] = readIdentity;
  readers["broadcast"] = readBroadcast;
  readers["reshape"] = readReshape;
  readers["bitcast"] = readBitcast;
  readers["transpose"] = readTranspose;
  readers["reverse"] = readReverse;
  readers["iota"] = readIota;
  readers["concatenate"] = readConcatenate;
  readers["slice"] = readSlice;
  readers["pad"] = readPad;
  readers["dynamic-slice"] = readDynamicSlice;
  readers["dynamic-update-slice"] = readDynamicUpdateSlice;
  readers["get-dimension-size"] = readGetDimensionSize;
  readers["set-dimension-size"] = readSetDimensionSize;
  readers["compare"] = readCompare;
  readers["reduce-precision"] = readReducePrecision;
  readers["rng-bit-generator"] = readRngBitGenerator;
  readers["rng"] = readRng;
}

llvm::StringRef sameOpOf(llvm::StringRef opcode) {
  auto found = opNames().find(opcode);
  return found == opNames().end() ? llvm::StringRef() : llvm::StringRef(found->second);
}

Reader readerOf(llvm::StringRef opcode) {
  static const llvm::StringMap<Reader> readers = [] {
    llvm::StringMap<Reader> all;
    addShapeReaders(all);
    addRegionReaders(all);
    addContractionReaders(all);
    addCollectiveReaders(all);
    addCallReaders(all);
    addAsynchronousReaders(all);
    return all;
  }();
  return readers.lookup(opcode);
}

} // namespace spmd::import_hlo
