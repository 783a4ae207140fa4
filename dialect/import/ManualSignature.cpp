#include "spmd/dialect/import/ManualSignature.h"

#include "spmd/dialect/import/Meshes.h"
#include "spmd/dialect/spmd/Notation.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

namespace spmd {

namespace {

using mlir::LogicalResult;
using stablehlo::CustomCallOp;

constexpr llvm::StringLiteral tilesName = "mhlo.sharding";

class Reader {
public:
  Reader(CustomCallOp begin, mlir::func::CallOp call, CustomCallOp end, mlir::SymbolTable &symbols)
      : begin(begin), call(call), end(end), last(end ? end.getOperation() : call.getOperation()),
        symbols(symbols) {}

  mlir::FailureOr<ManualSignature> read() {
    if (mlir::failed(readAll()) || mlir::failed(findMesh()) || mlir::failed(findManual()))
      return mlir::failure();
    ManualSignature signature;
    llvm::SmallVector<mlir::Value> inputs;
    if (begin)
      inputs = begin->getOperands();
    if (mlir::failed(place(inputs, inputShardings, signature.in)) ||
        mlir::failed(place(last->getResults(), outputShardings, signature.out)))
      return mlir::failure();
    mlir::Builder builder(last->getContext());
    llvm::SmallVector<mlir::StringAttr> names;
    for (const AxisRef &axis : manual)
      names.push_back(builder.getStringAttr(mesh.mesh.axes()[axis.axis].name));
    signature.axes = sdy::ManualAxesAttr::get(last->getContext(), names);
    return signature;
  }

private:
  using Shardings = std::vector<TileSharding>;

  /// Reads the shardings of all results of `op`, or of the one value that it is about.
  LogicalResult read(mlir::Operation *op, size_t count, Shardings &shardings) {
    auto text = op ? op->getAttrOfType<mlir::StringAttr>(tilesName) : mlir::StringAttr();
    if (!text)
      return (op ? op : last)->emitError()
             << "has neither 'xla.sdy.*' attributes nor a sharding; the shardings of a manual "
                "computation are not known";
    absl::StatusOr<TileSharding> read = tileShardingFromText(text.getValue().str());
    if (!read.ok())
      return op->emitError() << "'" << tilesName << "' \"" << text.getValue()
                             << "\": " << std::string(read.status().message());
    if (read->kind == TileSharding::Kind::tuple)
      llvm::append_range(shardings, read->elements);
    else
      shardings.push_back(*std::move(read));
    if (shardings.size() != count)
      return op->emitError() << "'" << tilesName << "' has " << shardings.size()
                             << " shardings for " << count << " values";
    return mlir::success();
  }

  LogicalResult readAll() {
    if ((end && mlir::failed(read(end, end->getNumResults(), outputShardings))) ||
        (call->getNumResults() > 0 &&
         mlir::failed(read(call, call->getNumResults(), localShardings))))
      return mlir::failure();
    if (!begin)
      return mlir::success();
    for (mlir::Value operand : begin->getOperands()) {
      mlir::Operation *source = operand.getDefiningOp();
      if (!source || !source->hasAttr(tilesName))
        return begin.emitError() << "operand " << inputShardings.size()
                                 << " is no result of @Sharding, which declares its sharding";
      Shardings own;
      if (mlir::failed(read(source, 1, own)))
        return mlir::failure();
      inputShardings.push_back(own.front());
    }
    Shardings locals;
    if (mlir::failed(read(begin, begin->getNumResults(), locals)))
      return mlir::failure();
    llvm::append_range(localShardings, locals);
    return mlir::success();
  }

  /// Finds the mesh that the shardings name among those of the module, or adds it.
  LogicalResult findMesh() {
    const TileSharding *named = nullptr;
    for (const Shardings *list : {&localShardings, &inputShardings, &outputShardings})
      for (const TileSharding &each : *list)
        if (!named && each.kind == TileSharding::Kind::named)
          named = &each;
    if (!named)
      return last->emitError()
             << "the shardings of a manual computation name no mesh; write them as "
                "{mesh['x'=2], [{'x'}]}";
    mesh.mesh = named->mesh;
    auto module = llvm::cast<mlir::ModuleOp>(symbols.getOp());
    for (auto each : module.getOps<sdy::MeshOp>())
      if (each.getMeshAttr().getMesh() == mesh.mesh) {
        mesh.name = mlir::FlatSymbolRefAttr::get(each.getSymNameAttr());
        return mlir::success();
      }
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(module.getBody());
    auto made = sdy::MeshOp::create(builder, module.getLoc(), "mesh",
                                    sdy::MeshAttr::get(module.getContext(), mesh.mesh));
    symbols.insert(made); // Renames it if need be.
    setNotation(made, Notation::gspmd);
    mesh.name = mlir::FlatSymbolRefAttr::get(made.getSymNameAttr());
    return mlir::success();
  }

  mlir::FailureOr<PlacedTiles> placed(const TileSharding &sharding, mlir::Type type) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    absl::StatusOr<PlacedTiles> placed =
        placeOn(mesh.mesh, sharding, tensor ? tensor.getRank() : 0);
    if (!placed.ok())
      return last->emitError() << std::string(placed.status().message());
    return *std::move(placed);
  }

  /// Finds the axes that are manual inside, and not already outside.
  LogicalResult findManual() {
    llvm::SmallVector<mlir::Value> locals(call->getResults());
    if (begin)
      llvm::append_range(locals, begin->getResults());
    AxisList outer;
    if (begin) {
      auto found = placed(inputShardings.front(), begin->getOperand(0).getType());
      if (mlir::failed(found))
        return mlir::failure();
      outer = found->manual;
    }
    for (auto [i, value] : llvm::enumerate(locals)) {
      auto found = placed(localShardings[i], value.getType());
      if (mlir::failed(found))
        return mlir::failure();
      AxisList own;
      for (const AxisRef &axis : found->manual)
        if (!overlaps(axis, outer))
          own.push_back(axis);
      if (i > 0 && own != manual)
        return last->emitError() << "the local values of a manual computation are manual along "
                                    "different axes: "
                                 << localShardings[0].str() << " and " << localShardings[i].str();
      manual = own;
    }
    return mlir::success();
  }

  LogicalResult place(mlir::ValueRange values, const Shardings &shardings,
                      sdy::ShardingPerValueAttr &result) {
    llvm::SmallVector<sdy::ShardingAttr> attributes;
    for (auto [value, sharding] : llvm::zip_equal(values, shardings)) {
      auto found = placed(sharding, value.getType());
      if (mlir::failed(found))
        return mlir::failure();
      attributes.push_back(sdy::ShardingAttr::get(mesh.name, mesh.mesh, found->sharding));
    }
    result = sdy::ShardingPerValueAttr::get(last->getContext(), attributes);
    return mlir::success();
  }

  CustomCallOp begin;
  mlir::func::CallOp call;
  CustomCallOp end;
  mlir::Operation *last; ///< Has the global results.
  mlir::SymbolTable &symbols;

  Shardings inputShardings, outputShardings;
  Shardings localShardings; ///< Of the results of `call`, then of `begin`.
  MeshByName mesh;
  AxisList manual;
};

} // namespace

mlir::FailureOr<ManualSignature> readManualSignature(CustomCallOp begin, mlir::func::CallOp call,
                                                     CustomCallOp end, mlir::SymbolTable &symbols) {
  return Reader(begin, call, end, symbols).read();
}

} // namespace spmd
