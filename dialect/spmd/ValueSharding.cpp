#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/ModulePlace.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace spmd {

//===- Reading -------------------------------------------------------------===//

bool holdsSharding(mlir::Operation *op) {
  return llvm::isa_and_nonnull<sdy::SdyDialect>(op->getDialect()) &&
         !op->hasAttr(shardingAttrName) &&
         !llvm::isa<sdy::PropagationBarrierOp, sdy::ConstantOp>(op);
}

/// What stands among the shardings of an op's results for one that has none: all dims open, on the
/// mesh that stands for any.
static sdy::ShardingAttr standIn(mlir::Type type) {
  auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  return sdy::fullyOpen(sdy::MeshAttr::get(type.getContext(), Mesh()),
                        shaped && shaped.hasRank() ? shaped.getRank() : 0);
}

static bool isStandIn(sdy::ShardingAttr sharding) {
  auto inlined = llvm::dyn_cast<sdy::MeshAttr>(sharding.getMeshOrRef());
  return inlined && inlined.getMesh().isEmpty();
}

/// One look at the attributes: this is asked a dozen times of each value.
static ValueSharding shardingOfOpResult(mlir::OpResult result) {
  mlir::Operation *op = result.getOwner();
  if (holdsSharding(op))
    return {sdy::getSharding(result), ShardingState::pinned};
  mlir::Attribute sharding, inferred;
  for (mlir::NamedAttribute attr : op->getRawDictionaryAttrs())
    if (attr.getName() == shardingAttrName)
      sharding = attr.getValue();
    else if (attr.getName() == inferredAttrName)
      inferred = attr.getValue();
  auto all = llvm::dyn_cast_if_present<sdy::ShardingPerValueAttr>(sharding);
  unsigned index = result.getResultNumber();
  if (!all || index >= all.getShardings().size())
    return {};
  auto some = llvm::dyn_cast_if_present<mlir::DenseI64ArrayAttr>(inferred);
  bool isInferred = inferred && (!some || llvm::is_contained(some.asArrayRef(), index));
  if (isInferred && all.size() > 1 && isStandIn(all[index]))
    return {};
  return {all.getShardings()[index], isInferred ? ShardingState::inferred : ShardingState::pinned};
}

/// Reads what the attributes of an argument or a result say; there may be none.
static ValueSharding fromBoundary(mlir::DictionaryAttr attributes) {
  auto sharding = attributes ? attributes.getAs<sdy::ShardingAttr>(shardingAttrName) : nullptr;
  bool isInferred = attributes && attributes.contains(inferredAttrName);
  return {sharding, isInferred ? ShardingState::inferred : ShardingState::pinned};
}

ValueSharding shardingOf(mlir::Value value) {
  if (auto result = llvm::dyn_cast<mlir::OpResult>(value))
    return shardingOfOpResult(result);
  auto argument = llvm::cast<mlir::BlockArgument>(value);
  mlir::Operation *parent = argument.getOwner()->getParentOp();
  auto func = llvm::dyn_cast<mlir::func::FuncOp>(parent); // The quicker question, so the first.
  if (!func)
    if (auto flow = llvm::dyn_cast<DataFlow>(parent))
      return shardingInside(flow, argument.getArgNumber());
  if (!func || !argument.getOwner()->isEntryBlock())
    return {};
  return fromBoundary(func.getArgAttrDict(argument.getArgNumber()));
}

ValueSharding shardingOfResult(mlir::func::FuncOp func, unsigned index) {
  return fromBoundary(func.getResultAttrDict(index));
}

ValueSharding pinOf(mlir::Value value) {
  ValueSharding sharding = shardingOf(value);
  return sharding.state == ShardingState::pinned ? sharding : ValueSharding();
}

bool isClosed(ValueSharding sharding) {
  return sharding &&
         llvm::none_of(sharding.attr.getSpec().dims, [](const DimSpec &dim) { return dim.open; });
}

//===- Writing -------------------------------------------------------------===//

/// Whether an op has attributes beside those that say how its results lie.
static bool hasOtherAttributes(mlir::Operation *op) {
  return llvm::any_of(op->getRawDictionaryAttrs(), [](mlir::NamedAttribute attr) {
    return attr.getName() != shardingAttrName && attr.getName() != inferredAttrName;
  });
}

void setShardings(mlir::Operation *op, llvm::ArrayRef<ValueSharding> shardings) {
  if (holdsSharding(op))
    return; // Theirs is part of the op.
  mlir::MLIRContext *context = op->getContext();
  llvm::SmallVector<sdy::ShardingAttr> attrs;
  llvm::SmallVector<int64_t> inferred;
  for (auto [i, sharding] : llvm::enumerate(shardings)) {
    attrs.push_back(sharding ? sharding.attr : standIn(op->getResult(i).getType()));
    if (!sharding || sharding.state == ShardingState::inferred)
      inferred.push_back(i);
  }
  llvm::SmallVector<mlir::NamedAttribute, 2> own;
  own.emplace_back(mlir::StringAttr::get(context, shardingAttrName),
                   sdy::ShardingPerValueAttr::get(context, attrs));
  if (!inferred.empty()) {
    mlir::Attribute mark = mlir::UnitAttr::get(context);
    if (inferred.size() != shardings.size())
      mark = mlir::DenseI64ArrayAttr::get(context, inferred);
    own.emplace_back(mlir::StringAttr::get(context, inferredAttrName), mark);
  }
  if (!hasOtherAttributes(op)) {
    op->setDiscardableAttrs(mlir::DictionaryAttr::get(context, own));
    return;
  }
  removeSharding(op);
  for (mlir::NamedAttribute attr : own)
    op->setDiscardableAttr(attr.getName(), attr.getValue());
}

void ShardingWriter::set(mlir::Operation *op, llvm::ArrayRef<ValueSharding> shardings) {
  bool hasSome = !op->getRawDictionaryAttrs().empty(); // Which is quick to see.
  if (shardings.size() != 1 || (hasSome && hasOtherAttributes(op)) || holdsSharding(op))
    return setShardings(op, shardings);
  mlir::DictionaryAttr &known =
      ofSingleResults[{shardings.front().attr, static_cast<int>(shardings.front().state)}];
  if (known)
    return op->setDiscardableAttrs(known);
  setShardings(op, shardings);
  known = op->getRawDictionaryAttrs();
}

void removeSharding(mlir::Operation *op) {
  if (op->getRawDictionaryAttrs().empty())
    return;
  op->removeDiscardableAttr(shardingAttrName);
  op->removeDiscardableAttr(inferredAttrName);
}

BoundaryAttributes::BoundaryAttributes(mlir::func::FuncOp func) : func(func) {
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    arguments.emplace_back(func.getArgAttrDict(i));
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    results.emplace_back(func.getResultAttrDict(i));
}

void BoundaryAttributes::write() {
  auto set = [&](std::vector<mlir::NamedAttrList> &lists, auto setAll) {
    llvm::SmallVector<mlir::DictionaryAttr> dictionaries;
    for (mlir::NamedAttrList &list : lists)
      dictionaries.push_back(list.getDictionary(func.getContext()));
    setAll(dictionaries);
  };
  set(arguments, [&](llvm::ArrayRef<mlir::DictionaryAttr> all) { func.setAllArgAttrs(all); });
  set(results, [&](llvm::ArrayRef<mlir::DictionaryAttr> all) { func.setAllResultAttrs(all); });
}

void setSharding(mlir::NamedAttrList &attributes, ValueSharding sharding) {
  attributes.set(shardingAttrName, sharding.attr);
  if (sharding.state == ShardingState::inferred)
    attributes.set(inferredAttrName, mlir::UnitAttr::get(sharding.attr.getContext()));
  else
    attributes.erase(inferredAttrName);
}

std::string describeValue(mlir::Value value) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    mlir::Operation *parent = argument.getOwner()->getParentOp();
    if (auto func = llvm::dyn_cast<mlir::func::FuncOp>(parent))
      return ("argument " + llvm::Twine(argument.getArgNumber()) + " of @" + func.getSymName())
          .str();
    return ("argument " + llvm::Twine(argument.getArgNumber()) + " of '" +
            parent->getName().getStringRef() + "'")
        .str();
  }
  auto result = llvm::cast<mlir::OpResult>(value);
  return ("'" + result.getOwner()->getName().getStringRef() + "' op result " +
          llvm::Twine(result.getResultNumber()))
      .str();
}

int32_t elementBits(mlir::Type elementType) {
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(elementType))
    return 2 * elementBits(complex.getElementType());
  if (!elementType.isIntOrFloat())
    return 0;
  return elementType.isInteger(1) ? 8 : elementType.getIntOrFloatBitWidth();
}

//===- Attributes <-> shardings --------------------------------------------===//

/// Returns the first mesh with axes that stands in a sharding itself, or null.
static sdy::MeshAttr firstInlinedMesh(mlir::ModuleOp module) {
  sdy::MeshAttr first;
  mlir::AttrTypeWalker walker; // Looks at each attribute once.
  walker.addWalk([&](sdy::ShardingAttr sharding) {
    auto mesh = llvm::dyn_cast<sdy::MeshAttr>(sharding.getMeshOrRef());
    if (!first && mesh && !mesh.getMesh().axes().empty())
      first = mesh;
    return mlir::WalkResult::advance();
  });
  module.walk([&](mlir::Operation *op) {
    bool keepsSharding = holdsSharding(op) || llvm::isa<mlir::func::FuncOp>(op);
    walker.walk(keepsSharding ? op->getAttrDictionary() : op->getDiscardableAttrDictionary());
    return first ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return first;
}

ShardingCodec::ShardingCodec(mlir::ModuleOp module) : module(module) {
  for (auto mesh : module.getOps<sdy::MeshOp>()) {
    auto name = mlir::FlatSymbolRefAttr::get(mesh.getSymNameAttr());
    int32_t index = meshes.intern(mesh.getMesh().getMesh());
    meshOfAttr[name] = index;
    if (index == static_cast<int32_t>(meshAttrs.size()))
      meshAttrs.push_back(name);
  }
  if (sdy::MeshAttr inlined = mainMesh() < 0 ? firstInlinedMesh(module) : nullptr)
    addInlined(inlined);
}

int32_t ShardingCodec::addInlined(sdy::MeshAttr mesh) {
  int32_t index = meshes.intern(mesh.getMesh());
  if (index == static_cast<int32_t>(meshAttrs.size()))
    meshAttrs.push_back(mesh);
  return meshOfAttr[mesh] = index;
}

const MeshSharding *ShardingCodec::decode(sdy::ShardingAttr attr) {
  std::unique_ptr<MeshSharding> &entry = decoded[attr];
  if (entry)
    return entry.get();
  auto found = meshOfAttr.find(attr.getMeshOrRef());
  if (found == meshOfAttr.end()) {
    auto inlined = llvm::dyn_cast<sdy::MeshAttr>(attr.getMeshOrRef());
    if (!inlined) {
      mlir::emitError(placeOf(module)) << "sharding names the mesh " << attr.getMeshOrRef()
                                       << ", which the module does not have";
      return nullptr;
    }
    addInlined(inlined);
    found = meshOfAttr.find(inlined);
  }
  // Those that the module names are of one size since it was read.
  const Mesh &mesh = meshes[found->second];
  if (int32_t main = mainMesh();
      !mesh.axes().empty() && mesh.numDevices() != meshes[main].numDevices()) {
    mlir::emitError(placeOf(module))
        << "mesh " << mesh.str() << " in a sharding has " << mesh.numDevices() << " devices, mesh "
        << meshes[main].str() << " has " << meshes[main].numDevices()
        << "; all meshes of a module have equally many";
    return nullptr;
  }
  absl::StatusOr<Sharding> sharding = resolve(meshes[found->second], attr.getSpec());
  if (!sharding.ok()) {
    mlir::emitError(placeOf(module)) << std::string(sharding.status().message());
    return nullptr;
  }
  entry = std::make_unique<MeshSharding>(MeshSharding{found->second, *std::move(sharding)});
  return entry.get();
}

int32_t ShardingCodec::mainMesh() const {
  for (int32_t i = 0; i < numMeshes(); ++i)
    if (!mesh(i).axes().empty())
      return i;
  return -1;
}

std::optional<MeshSharding> ShardingCodec::onAxes(const MeshSharding &sharding,
                                                  int64_t rank) const {
  if (!mesh(sharding.mesh).axes().empty())
    return sharding;
  if (mainMesh() < 0)
    return std::nullopt;
  return MeshSharding{mainMesh(), sharding.sharding.rank() == rank ? sharding.sharding
                                                                   : Sharding::replicatedOf(rank)};
}

sdy::ShardingAttr ShardingCodec::encode(const MeshSharding &sharding) {
  sdy::ShardingAttr &entry = encoded[sharding];
  if (!entry)
    entry = sdy::ShardingAttr::get(module.getContext(), meshAttrs[sharding.mesh],
                                   toSpec(meshes[sharding.mesh], sharding.sharding));
  return entry;
}

} // namespace spmd
