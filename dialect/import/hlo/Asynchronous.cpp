// Instructions that start here and end there, and those that take data in and out. What is
// asynchronous runs where it starts: the start stands for the operands, the results, and zeros for
// what the backend keeps beside them.

#include "spmd/dialect/import/hlo/Importer.h"

#include "spmd/dialect/stablehlo/Dialect.h"

#include "llvm/ADT/StringExtras.h"

namespace spmd::import_hlo {

namespace {

using mlir::LogicalResult;

/// Returns zeros, all alike.
mlir::DenseElementsAttr zerosOf(mlir::RankedTensorType tensor) {
  mlir::Type element = tensor.getElementType();
  auto complex = llvm::dyn_cast<mlir::ComplexType>(element);
  if (!complex)
    return mlir::DenseElementsAttr::get(tensor,
                                        mlir::Builder(element.getContext()).getZeroAttr(element));
  auto part = llvm::cast<mlir::FloatType>(complex.getElementType());
  llvm::APFloat zero = llvm::APFloat::getZero(part.getFloatSemantics());
  return mlir::DenseElementsAttr::get(tensor, {std::complex<llvm::APFloat>(zero, zero)});
}

/// Returns a value for a leaf that nobody reads.
mlir::Value placeholder(ComputationImporter &at, mlir::Location location, mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor)
    return stablehlo::AfterAllOp::create(at.builder, location, type, mlir::ValueRange());
  return stablehlo::ConstantOp::create(at.builder, location, zerosOf(tensor));
}

/// Runs `read` for an instruction whose shape is a tuple of its operands, its results and more.
LogicalResult readStart(ComputationImporter &at, Reader read) {
  const hlo::ShapeProto &shape = at.inst().shape();
  llvm::SmallVector<mlir::Type> types;
  if (shape.tuple_shapes_size() < 2 ||
      !leafTypes(shape.tuple_shapes(1), at.module.context, types).empty())
    return at.fail("its shape is no tuple of its operands, its results and more");
  if (mlir::failed(at.withResultTypes(types, [&] { return read(at); })))
    return mlir::failure();
  Leaves all = at.operands();
  all.append(at.takeResults());
  for (int i = 2; i < shape.tuple_shapes_size(); ++i) {
    types.clear();
    if (std::string why = leafTypes(shape.tuple_shapes(i), at.module.context, types); !why.empty())
      return at.fail(why);
    for (mlir::Type type : types)
      all.push_back(placeholder(at, at.location(), type));
  }
  return at.forward(std::move(all));
}

LogicalResult readCollectiveStart(ComputationImporter &at) {
  llvm::StringRef opcode = at.inst().opcode();
  opcode.consume_back("-start");
  if (opcode == "collective-permute" && at.numOperands() != 1)
    return at.fail("a permutation into parts of a buffer is not read");
  return readStart(at, readerOf(opcode));
}

LogicalResult readAsyncStart(ComputationImporter &at) {
  if (mlir::failed(at.expectBodies(1)))
    return mlir::failure();
  return readStart(at, [](ComputationImporter &inner) {
    return inner.inlined(inner.inst().called_computation_ids(0));
  });
}

/// The shape of a copy that starts is its result, its operand and more.
LogicalResult readCopyStart(ComputationImporter &at) {
  if (mlir::failed(at.expectOperands(1)))
    return mlir::failure();
  const hlo::ShapeProto &shape = at.inst().shape();
  Leaves all = at.operands();
  all.append(at.operands());
  llvm::SmallVector<mlir::Type> types;
  for (int i = 2; i < shape.tuple_shapes_size(); ++i)
    if (std::string why = leafTypes(shape.tuple_shapes(i), at.module.context, types); !why.empty())
      return at.fail(why);
  for (mlir::Type type : types)
    all.push_back(placeholder(at, at.location(), type));
  return at.forward(std::move(all));
}

LogicalResult readWhole(ComputationImporter &at) {
  if (mlir::failed(at.expectOperands(1)))
    return mlir::failure();
  return at.forward(at.operands());
}

template <int element> LogicalResult readElementOfStart(ComputationImporter &at) {
  if (mlir::failed(at.expectOperands(1)))
    return mlir::failure();
  std::optional<Leaves> leaves = at.element(0, element);
  return leaves ? at.forward(*std::move(leaves)) : mlir::failure();
}

//===- Data in and out ---------------------------------------------------------===//

/// Reads `{{0,1},{1,2}}`. Returns false if a text is none such.
bool readPairs(llvm::StringRef text, llvm::SmallVectorImpl<int64_t> &ids) {
  std::string plain = llvm::join(llvm::split(text, ' '), "");
  text = plain;
  if (!text.consume_front("{") || !text.consume_back("}"))
    return false;
  while (!text.empty()) {
    int64_t source = 0, target = 0;
    bool isPair = text.consume_front("{") && !text.consumeInteger(10, source) &&
                  text.consume_front(",") && !text.consumeInteger(10, target) &&
                  text.consume_front("}");
    if (!isPair || (!text.empty() && !text.consume_front(",")))
      return false;
    ids.append({source, target});
  }
  return true;
}

/// Which devices send to which stands in a field, or in an attribute for the frontend.
LogicalResult addPairs(ComputationImporter &at,
                       llvm::SmallVectorImpl<mlir::NamedAttribute> &attributes) {
  llvm::SmallVector<int64_t> ids;
  for (const hlo::SourceTarget &pair : at.inst().source_target_pairs())
    ids.append({pair.source(), pair.target()});
  constexpr const char *name = "_xla_send_recv_source_target_pairs";
  const auto &entries = at.inst().frontend_attributes().map();
  if (auto found = entries.find(name); ids.empty() && found != entries.end())
    if (!readPairs(found->second, ids))
      return at.fail(llvm::Twine("its ") + name +
                     " are no pairs of devices as in {{0,1},{1,0}}, but '" + found->second + "'");
  if (!ids.empty())
    attributes.push_back(at.pairs("source_target_pairs", ids));
  return mlir::success();
}

/// What the host sends has its own kinds of channel.
llvm::SmallVector<mlir::NamedAttribute> transferAttributes(ComputationImporter &at,
                                                           int64_t kindOfHost) {
  bool isHost = at.inst().is_host_transfer();
  auto channel = stablehlo::ChannelHandleAttr::get(&at.module.context, at.inst().channel_id(),
                                                   isHost ? kindOfHost : 1);
  llvm::SmallVector<mlir::NamedAttribute> attributes = {at.named("channel_handle", channel)};
  if (isHost)
    attributes.push_back(at.boolean("is_host_transfer", true));
  return attributes;
}

/// Returns the last operand, a token; null after a diagnostic.
mlir::Value tokenOf(ComputationImporter &at, int numOperands) {
  if (mlir::failed(at.expectOperands(numOperands)))
    return {};
  llvm::ArrayRef<mlir::Value> last = at.operand(numOperands - 1);
  if (last.size() == 1 && llvm::isa<stablehlo::TokenType>(last[0].getType()))
    return last[0];
  static_cast<void>(at.fail("its last operand is no token"));
  return {};
}

/// The number that a backend keeps beside what it moves.
mlir::Type numberType(ComputationImporter &at) {
  return mlir::RankedTensorType::get({}, at.builder.getIntegerType(32, /*isSigned=*/false));
}

/// A send stands for what is sent, a number of the backend and a token.
LogicalResult readSend(ComputationImporter &at) {
  mlir::Value token = tokenOf(at, 2);
  if (!token)
    return mlir::failure();
  llvm::SmallVector<mlir::NamedAttribute> attributes = transferAttributes(at, 2);
  if (mlir::failed(addPairs(at, attributes)) ||
      mlir::failed(at.withResultTypes(
          token.getType(), [&] { return at.make("stablehlo.send", at.operands(), attributes); })))
    return mlir::failure();
  Leaves sent = at.takeResults(), all = at.operands(0, 1);
  all.push_back(placeholder(at, at.location(), numberType(at)));
  all.append(sent);
  return at.forward(std::move(all));
}

/// A receive stands for what comes, a number of the backend and a token.
LogicalResult readRecv(ComputationImporter &at) {
  mlir::Value token = tokenOf(at, 1);
  const hlo::ShapeProto &shape = at.inst().shape();
  llvm::SmallVector<mlir::Type> types;
  if (!token)
    return mlir::failure();
  if (shape.tuple_shapes_size() != 3 ||
      !leafTypes(shape.tuple_shapes(0), at.module.context, types).empty())
    return at.fail("its shape is no tuple of what comes, a number and a token");
  types.push_back(token.getType());
  llvm::SmallVector<mlir::NamedAttribute> attributes = transferAttributes(at, 3);
  if (mlir::failed(addPairs(at, attributes)) || mlir::failed(at.withResultTypes(types, [&] {
        return at.make("stablehlo.recv", at.operands(), attributes);
      })))
    return mlir::failure();
  Leaves all = at.takeResults();
  all.insert(all.end() - 1, placeholder(at, at.location(), numberType(at)));
  return at.forward(std::move(all));
}

LogicalResult readSendDone(ComputationImporter &at) {
  if (mlir::failed(at.expectOperands(1)))
    return mlir::failure();
  return at.forward(Leaves(at.operand(0).take_back(1)));
}

LogicalResult readRecvDone(ComputationImporter &at) {
  if (mlir::failed(at.expectOperands(1)))
    return mlir::failure();
  std::optional<Leaves> leaves = at.element(0, 0);
  if (!leaves)
    return mlir::failure();
  leaves->push_back(at.operand(0).back());
  return at.forward(*std::move(leaves));
}

LogicalResult readInfeed(ComputationImporter &at) {
  return tokenOf(at, 1) ? at.make("stablehlo.infeed",
                                  at.named("infeed_config",
                                           at.builder.getStringAttr(at.inst().infeed_config())))
                        : mlir::failure();
}

LogicalResult readOutfeed(ComputationImporter &at) {
  return tokenOf(at, 2) ? at.make("stablehlo.outfeed",
                                  at.named("outfeed_config",
                                           at.builder.getStringAttr(at.inst().outfeed_config())))
                        : mlir::failure();
}

} // namespace

void addAsynchronousReaders(llvm::StringMap<Reader> &readers) {
  readers["all-gather-start"] = readCollectiveStart;
  readers["all-gather-done"] = readElementOfStart<1>;
  readers["all-reduce-done"] = readWhole;
  readers["async-start"] = readAsyncStart;
  readers["async-update"] = readWhole;
  readers["async-done"] = readElementOfStart<1>;
  readers["collective-permute-start"] = readCollectiveStart;
  readers["collective-permute-done"] = readElementOfStart<1>;
  readers["copy-start"] = readCopyStart;
  readers["copy-done"] = readElementOfStart<0>;
  readers["infeed"] = readInfeed;
  readers["outfeed"] = readOutfeed;
  readers["recv"] = readRecv;
  readers["recv-done"] = readRecvDone;
  readers["send"] = readSend;
  readers["send-done"] = readSendDone;
}

} // namespace spmd::import_hlo
