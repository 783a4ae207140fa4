#include "spmd/dialect/import/Shardings.h"
#include "spmd/dialect/spmd/Walk.h"

#include "spmd/dialect/import/BothNotations.h"
#include "spmd/dialect/import/Boundaries.h"
#include "spmd/dialect/import/EmptyDims.h"
#include "spmd/dialect/import/Hints.h"
#include "spmd/dialect/import/Layouts.h"
#include "spmd/dialect/import/ManualRegions.h"
#include "spmd/dialect/import/Marks.h"
#include "spmd/dialect/import/MeshSizes.h"
#include "spmd/dialect/import/Meshes.h"
#include "spmd/dialect/import/ShardyAttributes.h"
#include "spmd/dialect/import/ShardyOps.h"
#include "spmd/dialect/import/Unreached.h"
#include "spmd/dialect/import/hlo/OpSharding.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/PartitionedModule.h"
#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/hlo/Hlo.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"

#include <functional>

namespace spmd {

namespace {

using mlir::LogicalResult;
using stablehlo::CustomCallOp;
using Kind = TileSharding::Kind;

constexpr llvm::StringLiteral tilesName = "mhlo.sharding";

/// Reads all shardings of a module in GSPMD's notation, and writes them in `sdy`'s.
class Importer {
public:
  explicit Importer(mlir::ModuleOp module) : module(module) {}

  LogicalResult run() {
    if (mlir::failed(readAll()) ||
        mlir::failed(unifyMeshSizes(module, saidNumDevices(module, inOrder))))
      return mlir::failure();
    // Hints make no axes where anything else is said.
    bool says = !texts.empty() || !calls.empty();
    if (mlir::failed(readHints(/*alone=*/!says)) ||
        mlir::failed(coverAllDevices(/*mayFail=*/!says)))
      return mlir::failure();
    if (says || !leftOver.empty())
      if (mlir::failed(addMeshes(module, inOrder, numDevices, /*mayFail=*/!says, meshes)) ||
          mlir::failed(writeBoundaries()))
        return mlir::failure();
    llvm::SetVector<mlir::Block *> blocks;
    for (CustomCallOp call : calls)
      blocks.insert(call->getBlock());
    if (mlir::failed(placeAll()) || mlir::failed(checkAllMarks()) ||
        mlir::failed(makeRegions(blocks.getArrayRef())))
      return mlir::failure();
    bool ok = true;
    for (CustomCallOp call : constraints)
      ok &= mlir::succeeded(writeConstraint(call));
    const MeshByName first = meshes.empty() ? MeshByName() : meshes.front();
    writeHints(leftOver, first.mesh, first.name,
               [&](mlir::StringAttr text) { return texts[text].get(); });
    for (mlir::func::FuncOp function : functions) {
      writeGroups(function);
      dropBoundaryTexts(function);
    }
    return mlir::success(ok);
  }

private:
  //===- Reading -------------------------------------------------------------===//

  /// Returns what a text says, null after a diagnostic. The mesh is made for those that `decide`.
  const TileSharding *read(const SaidAt &place, mlir::Attribute attribute, bool decides = true) {
    auto text = llvm::dyn_cast_if_present<mlir::StringAttr>(attribute);
    if (!text)
      return place.emitError() << "'" << tilesName << "' is no string", nullptr;
    auto [entry, isNew] = texts.try_emplace(text);
    if (!isNew)
      return entry->second.get();
    std::string words = text.getValue().str();
    if (!words.empty() && words[0] != '{') // Some write the message itself.
      if (absl::StatusOr<hlo::OpSharding> proto = hlo::parseHloShardingProto(words); proto.ok())
        words = textOf(*proto);
    absl::StatusOr<TileSharding> sharding = tileShardingFromText(words);
    if (!sharding.ok()) {
      place.emitError() << "'" << tilesName << "' \"" << words
                        << "\": " << std::string(sharding.status().message());
      return nullptr;
    }
    entry->second = std::make_unique<TileSharding>(*std::move(sharding));
    if (decides) {
      inOrder.push_back(entry->second.get());
      saidAt.push_back(place);
    }
    return entry->second.get();
  }

  LogicalResult readAll() {
    bool ok = true;
    auto readFrom = [&](const SaidAt &place, mlir::DictionaryAttr attributes) {
      if (mlir::Attribute text = attributes ? attributes.get(tilesName) : mlir::Attribute())
        ok &= read(place, text) != nullptr;
    };
    forEachOp(module, [&](mlir::Operation *op) {
      if (auto function = llvm::dyn_cast<mlir::func::FuncOp>(op)) {
        functions.push_back(function);
        forEachBoundary(function,
                        [&](const BoundaryValue &value) { readFrom(value, value.attributes); });
        return;
      }
      dropLayout(op);
      auto call = llvm::dyn_cast<CustomCallOp>(op);
      llvm::StringRef target = call ? call.getCallTargetName() : "";
      bool isBorder = target == "SPMDFullToShardShape" || target == "SPMDShardToFullShape";
      if (target == "Sharding")
        constraints.push_back(call);
      else if (isBorder && (op->getNumOperands() != 1 || op->getNumResults() != 1)) {
        op->emitError() << "@" << target << " has one operand and one result";
        ok = false;
      } else if (isBorder)
        calls.push_back(call);
      else if (op->hasAttr(tilesName))
        leftOver.push_back(op); // Said by an earlier pass, not by the user.
      if (target == "Sharding" || isBorder)
        readFrom(op, op->getDiscardableAttrDictionary());
    });
    return mlir::success(ok);
  }

  /// Reads what ordinary ops say. Where nothing else is said, the mesh is made for them.
  LogicalResult readHints(bool alone) {
    bool ok = true;
    for (mlir::Operation *op : leftOver)
      ok &= read(op, op->getAttr(tilesName), /*decides=*/alone) != nullptr;
    return mlir::success(ok);
  }

  /// Gives devices that a sharding does not name copies. What only hints say may stay as it is.
  LogicalResult coverAllDevices(bool mayFail) {
    numDevices = countDevices(module, inOrder);
    bool ok = true;
    for (auto [sharding, place] : llvm::zip_equal(inOrder, saidAt))
      ok &= mlir::succeeded(coverDevices(*sharding, numDevices, mayFail ? nullptr : &place)) ||
            mayFail;
    for (auto &entry : texts)
      static_cast<void>(coverDevices(*entry.second, numDevices, nullptr));
    return mlir::success(ok);
  }

  /// All lies on the meshes that the module has, or on one made for what is said, or several where
  /// no one will do. There is none after success if it `mayFail`, and what is said does not go
  /// together.

  //===- Placing -----------------------------------------------------------===//

  static int64_t rankOf(mlir::Type type) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return tensor ? tensor.getRank() : 0;
  }

  /// What is placed, and on which of the meshes.
  struct Placed : PlacedTiles {
    size_t mesh = 0;
  };

  /// Returns what a text says of one tensor.
  const TileSharding &sharded(mlir::Attribute text) {
    const TileSharding &sharding = *texts[llvm::cast<mlir::StringAttr>(text)];
    bool isOne = sharding.kind == Kind::tuple && sharding.elements.size() == 1;
    return isOne ? sharding.elements.front() : sharding;
  }

  /// Places a sharding on a mesh, if that has axes for it.
  absl::StatusOr<Placed> placeOnMesh(mlir::Attribute text, mlir::Type type, size_t mesh) {
    absl::StatusOr<PlacedTiles> placed = placeOn(meshes[mesh].mesh, sharded(text), rankOf(type));
    if (!placed.ok())
      return placed.status();
    return Placed{*std::move(placed), mesh};
  }

  /// Places a sharding on the first mesh that has axes for it.
  std::optional<Placed> place(const SaidAt &at, mlir::Attribute text, mlir::Type type) {
    absl::Status first;
    for (size_t i = 0; i < meshes.size(); ++i) {
      absl::StatusOr<Placed> placed = placeOnMesh(text, type, i);
      if (placed.ok())
        return *std::move(placed);
      first.Update(placed.status());
    }
    at.emitError() << std::string(first.message());
    return std::nullopt;
  }

  /// Places what calls say, while their attributes and operands are what they were.
  LogicalResult placeAll() {
    bool ok = true;
    auto add = [&](CustomCallOp call) {
      mlir::Attribute text = call->getDiscardableAttr(tilesName);
      if (!text || call->getNumResults() != 1)
        return;
      auto placed = place(call.getOperation(), text, call->getResult(0).getType());
      ok &= placed.has_value();
      if (placed)
        placements[call->getResult(0)] = *std::move(placed);
    };
    llvm::for_each(constraints, add);
    llvm::for_each(calls, add);
    return mlir::success(ok);
  }

  LogicalResult checkAllMarks() {
    if (!hasMarksInPlace(module))
      return mlir::success();
    auto saidBy = [&](CustomCallOp call) {
      auto found = placements.find(call->getResult(0));
      if (found == placements.end() || !found->second.manual.empty())
        return sdy::ShardingAttr();
      Placed said = found->second;
      return openDims(call, said.sharding) ? attributeOf(said) : sdy::ShardingAttr();
    };
    return checkMarks(constraints, saidBy);
  }

  //===- Regions ---------------------------------------------------------------===//

  /// Returns what a call says of its result, or a function of its argument.
  mlir::Attribute saidOf(mlir::Value value) {
    if (auto found = placements.find(value); found != placements.end())
      return value.getDefiningOp()->getDiscardableAttr(tilesName);
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    auto function = argument
                        ? llvm::dyn_cast<mlir::func::FuncOp>(argument.getOwner()->getParentOp())
                        : mlir::func::FuncOp();
    return function ? function.getArgAttr(argument.getArgNumber(), tilesName) : mlir::Attribute();
  }

  LogicalResult makeRegions(llvm::ArrayRef<mlir::Block *> blocks) {
    auto fits = [&](mlir::Value value, size_t mesh) {
      mlir::Attribute text = saidOf(value);
      return !text || hasAxesFor(meshes[mesh].mesh, sharded(text));
    };
    auto placementOf = [&](mlir::Value value, size_t mesh) -> std::optional<PlacedTiles> {
      mlir::Attribute text = saidOf(value);
      if (!text)
        return std::nullopt;
      absl::StatusOr<Placed> placed = placeOnMesh(text, value.getType(), mesh);
      return placed.ok() ? std::optional<PlacedTiles>(*placed) : std::nullopt;
    };
    // Constraints in a region are on its mesh, if that has axes for them; so are those in functions
    // that it calls.
    mlir::SymbolTable symbols(module);
    llvm::DenseSet<std::pair<mlir::Operation *, size_t>> visited;
    std::function<void(mlir::Operation *, size_t)> standsOn = [&](mlir::Operation *op,
                                                                  size_t mesh) {
      if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
        if (mlir::Operation *callee = symbols.lookup(call.getCallee());
            callee && visited.insert({callee, mesh}).second)
          callee->walk([&](mlir::Operation *inner) { standsOn(inner, mesh); });
      auto found = op->getNumResults() == 1 ? placements.find(op->getResult(0)) : placements.end();
      if (found == placements.end())
        return;
      absl::StatusOr<Placed> placed =
          placeOnMesh(op->getDiscardableAttr(tilesName), op->getResult(0).getType(), mesh);
      if (placed.ok())
        found->second = *std::move(placed);
    };
    for (mlir::Block *block : blocks)
      if (mlir::failed(makeManualRegions(*block, {meshes, fits, placementOf, standsOn})))
        return mlir::failure();
    return mlir::success();
  }

  //===- Writing -------------------------------------------------------------===//

  sdy::ShardingAttr attributeOf(const Placed &placed) {
    if (placed.device) {
      mlir::FlatSymbolRefAttr name = meshOf(*placed.device);
      return sdy::ShardingAttr::get(name, meshesOfDevices[*placed.device].second,
                                    Sharding::replicatedOf(placed.sharding.rank()));
    }
    const MeshByName &own = meshes[placed.mesh];
    return sdy::ShardingAttr::get(own.name, own.mesh, placed.sharding);
  }

  /// Returns the mesh that is one device, made when first asked for.
  mlir::FlatSymbolRefAttr meshOf(int64_t device) {
    auto &[name, own] = meshesOfDevices[device];
    if (name)
      return name;
    for (auto each : module.getOps<sdy::MeshOp>())
      if (const Mesh &found = each.getMeshAttr().getMesh();
          found.isMaximal() && found.deviceIds().front() == device) {
        own = found;
        return name = mlir::FlatSymbolRefAttr::get(each.getSymNameAttr());
      }
    own = *Mesh::create({}, {device});
    mlir::OpBuilder builder(module.getContext());
    builder.setInsertionPointAfter(firstMesh());
    auto made =
        sdy::MeshOp::create(builder, module.getLoc(), ("maximal_mesh_" + llvm::Twine(device)).str(),
                            sdy::MeshAttr::get(module.getContext(), own));
    mlir::SymbolTable(module).insert(made); // Renames it if need be.
    return name = mlir::FlatSymbolRefAttr::get(made.getSymNameAttr());
  }

  mlir::Operation *firstMesh() { return *module.getOps<sdy::MeshOp>().begin(); }

  /// Whether a value is local along every axis.
  bool isLocal(const PlacedTiles &placed) const {
    return sizeOf(placed.manual) == meshes.front().mesh.numDevices();
  }

  /// An unknown sharding says nothing of the program's mesh.
  static bool saysNothing(const PlacedTiles &placed) {
    return placed.manual.empty() && placed.sharding.unreduced.empty() && !placed.device &&
           llvm::all_of(placed.sharding.dims,
                        [](const DimSharding &dim) { return dim.open && dim.axes.empty(); }) &&
           placed.sharding.rank() > 0;
  }

  LogicalResult writeBoundaries() {
    bool ok = true;
    auto write = [&](mlir::func::FuncOp function, const BoundaryValue &value) {
      mlir::Attribute text = value.attributes ? value.attributes.get(tilesName) : mlir::Attribute();
      if (!text)
        return;
      if (mlir::Attribute known = value.attributes.get(sdy::shardingName)) {
        ok &= agrees(value.location, value.name, value.type, known, text);
        return;
      }
      std::optional<Placed> placed = place(value, text, value.type);
      ok &= placed && mlir::succeeded(checkWhole(function, value, *placed));
      if (!placed || isLocal(*placed))
        return; // Where every axis is manual, nothing is left to say.
      placed->manual.clear();
      if (saysNothing(*placed))
        return;
      if (value.isResult)
        function.setResultAttr(value.index, sdy::shardingName, attributeOf(*placed));
      else
        function.setArgAttr(value.index, sdy::shardingName, attributeOf(*placed));
    };
    for (mlir::func::FuncOp function : functions)
      forEachBoundary(function, [&](const BoundaryValue &value) { write(function, value); });
    return mlir::success(ok);
  }

  /// Whether `known`, a sharding in `sdy`'s notation, goes with `text` at one value; else reports.
  bool agrees(mlir::Location location, const llvm::Twine &what, mlir::Type type,
              mlir::Attribute known, mlir::Attribute text) {
    auto name = llvm::cast<mlir::StringAttr>(text);
    if (!codec)
      codec.emplace(module);
    return mlir::succeeded(
        checkBothNotations(*codec, location, what, type, known, name.getValue(), *texts[name]));
  }

  /// The values that a program is given and gives are whole, if it was not partitioned already.
  /// Functions that it calls may stand in manual regions.
  LogicalResult checkWhole(mlir::func::FuncOp function, const BoundaryValue &value,
                           const PlacedTiles &placed) {
    if (placed.manual.empty() || function.isPrivate() || module->hasAttr(partitionedAttrName))
      return mlir::success();
    return mlir::emitError(value.location)
           << value.name
           << " is manual: a part that nothing says the whole of; take and "
              "return whole values, and cut them with @SPMDFullToShardShape";
  }

  //===- Groups --------------------------------------------------------------===//

  /// Makes members of groups of arguments and of what is returned.
  void writeGroups(mlir::func::FuncOp function) {
    if (function.isExternal())
      return;
    auto write = [&](mlir::OpBuilder builder, mlir::Attribute text, mlir::Value value) {
      const TileSharding *tiles = text ? texts[llvm::cast<mlir::StringAttr>(text)].get() : nullptr;
      if (tiles && tiles->kind == Kind::tuple && tiles->elements.size() == 1)
        tiles = &tiles->elements.front();
      if (tiles && tiles->group && llvm::isa<mlir::RankedTensorType>(value.getType()))
        sdy::ShardingGroupOp::create(builder, value.getLoc(), value, *tiles->group);
    };
    mlir::Block &block = function.front();
    for (mlir::BlockArgument argument : block.getArguments())
      write(mlir::OpBuilder::atBlockBegin(&block),
            function.getArgAttr(argument.getArgNumber(), tilesName), argument);
    mlir::Operation *end = block.getTerminator();
    // A function that does not end as it should is reported later.
    for (auto [i, value] : llvm::enumerate(end->getOperands()))
      if (i < function.getNumResults())
        write(mlir::OpBuilder(end), function.getResultAttr(i, tilesName), value);
  }

  void dropBoundaryTexts(mlir::func::FuncOp function) {
    auto name = mlir::StringAttr::get(module.getContext(), tilesName);
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.removeArgAttr(i, name);
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      function.removeResultAttr(i, name);
  }

  /// Opens the dims that "unspecified_dims=[0,1]" leaves to propagation. Returns false if the text
  /// is of this form, but wrong.
  static bool openDims(CustomCallOp call, Sharding &sharding) {
    auto config = llvm::dyn_cast_if_present<mlir::StringAttr>(call.getBackendConfigAttr());
    llvm::StringRef text = config ? config.getValue() : "";
    if (!text.consume_front("unspecified_dims=["))
      return true;
    text.consume_back("]");
    llvm::SmallVector<llvm::StringRef> parts;
    text.split(parts, ',', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef part : parts) {
      int64_t dim = 0;
      if (part.trim().getAsInteger(10, dim) || dim < 0 || dim >= sharding.rank())
        return false;
      sharding.dims[dim].open = true;
    }
    return true;
  }

  LogicalResult writeConstraint(CustomCallOp call) {
    if (call->getNumOperands() != 1 || call->getNumResults() != 1 ||
        call->getOperand(0).getType() != call->getResult(0).getType())
      return call.emitError() << "@Sharding has one operand and one result of its type";
    mlir::Value input = call->getOperand(0), result = input;
    mlir::Attribute text = call->getDiscardableAttr(tilesName);
    sdy::ShardingAttr own = shardingOf(call->getResult(0)).attr;
    if (text && own && !agrees(call.getLoc(), nameOf(call), input.getType(), own, text))
      return mlir::failure();
    auto constrain = [&](sdy::ShardingAttr attr) {
      mlir::OpBuilder builder(call);
      result =
          sdy::ShardingConstraintOp::create(builder, call.getLoc(), input.getType(), input, attr);
    };
    if (own) {
      constrain(own);
    } else if (!text) {
      warnOfBareMark(call);
      if (mlir::Operation *maker = input.getDefiningOp(); maker && maker->getNumResults() == 1)
        maker->setDiscardableAttr(bareMarkerAttrName,
                                  mlir::StringAttr::get(call.getContext(), nameOf(call)));
    } else if (auto found = placements.find(call->getResult(0)); found != placements.end()) {
      Placed opened = found->second;
      opened.manual.clear();
      if (!openDims(call, opened.sharding))
        return call.emitError() << "'unspecified_dims' names a dim that its operand does not have";
      // Where every axis is manual, nothing is left to say.
      if (!isLocal(found->second) && !saysNothing(opened))
        constrain(attributeOf(opened));
    }
    if (text && texts[llvm::cast<mlir::StringAttr>(text)]->group) {
      mlir::OpBuilder builder(call);
      sdy::ShardingGroupOp::create(builder, call.getLoc(), result,
                                   *texts[llvm::cast<mlir::StringAttr>(text)]->group);
    }
    // The doctor finds what a bare call was to pin by its location, of which names are a part.
    if (result == input && text)
      handNamesOn(call->getResult(0), result);
    call->getResult(0).replaceAllUsesWith(result);
    call->erase();
    return mlir::success();
  }

  mlir::ModuleOp module;
  std::vector<MeshByName> meshes;
  llvm::DenseMap<int64_t, std::pair<mlir::FlatSymbolRefAttr, Mesh>> meshesOfDevices;
  llvm::DenseMap<mlir::StringAttr, std::unique_ptr<TileSharding>> texts;
  std::vector<TileSharding *> inOrder;
  std::vector<SaidAt> saidAt;                         ///< Where each of `inOrder` stands first.
  int64_t numDevices = 0;                             ///< Of the program; 0 if nothing tells.
  llvm::SmallVector<CustomCallOp> constraints, calls; ///< Of @Sharding; of the borders of regions.
  llvm::SmallVector<mlir::Operation *> leftOver;
  llvm::SmallVector<mlir::func::FuncOp> functions;
  llvm::DenseMap<mlir::Value, Placed> placements; ///< Of the results of such calls.
  std::optional<ShardingCodec> codec; ///< Made where a value is sharded in both notations.
};

} // namespace

mlir::LogicalResult importShardings(mlir::ModuleOp module) {
  module.getContext()->loadDialect<sdy::SdyDialect, stablehlo::StablehloDialect>();
  importShardyOps(module);
  if (mlir::failed(importShardyAttributes(module)))
    return mlir::failure();
  eraseUnreachedFunctions(module);
  if (mlir::failed(Importer(module).run()))
    return mlir::failure();
  dropAxesOfEmptyDims(module);
  return mlir::success();
}

} // namespace spmd
