#include "spmd/lowering/compile/Boundaries.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/spmd/Donation.h"
#include "spmd/dialect/spmd/PartitionedModule.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/lowering/compile/ConvertAttributes.h"

#include "llvm/Support/MathExtras.h"

namespace spmd {

std::optional<std::vector<TensorType>> deviceTypes(mlir::Type type) {
  if (llvm::isa<stablehlo::TokenType>(type))
    return std::vector<TensorType>{{ElementType::i1, {0}}};
  llvm::SmallVector<mlir::Type> parts;
  if (auto tuple = llvm::dyn_cast<mlir::TupleType>(type))
    llvm::append_range(parts, tuple.getTypes());
  else if (auto future = llvm::dyn_cast<stablehlo::FutureType>(type))
    llvm::append_range(parts, future.getTypes());
  else if (std::optional<TensorType> tensor = convertType(type))
    return std::vector<TensorType>{*tensor};
  else
    return std::nullopt;
  std::vector<TensorType> all;
  for (mlir::Type part : parts) {
    std::optional<std::vector<TensorType>> own = deviceTypes(part);
    if (!own)
      return std::nullopt;
    all.insert(all.end(), own->begin(), own->end());
  }
  return all;
}

namespace {

class Describer {
public:
  Describer(mlir::func::FuncOp main, DeviceProgram &program) : main(main), program(program) {}

  mlir::LogicalResult run() {
    llvm::ArrayRef<mlir::Type> inputs = main.getArgumentTypes(), outputs = main.getResultTypes();
    // Donations name results by number, which tuples among them would shift.
    bool isFlat = llvm::none_of(outputs, llvm::IsaPred<mlir::TupleType>);
    for (unsigned i = 0; i < inputs.size(); ++i) {
      mlir::Attribute global = main.getArgAttr(i, globalTypeAttrName),
                      sharding = main.getArgAttr(i, "sdy.sharding");
      check("argument " + llvm::Twine(i), inputs[i], global, sharding);
      size_t count = add(program.arguments, inputs[i], global, sharding);
      if (auto aliased = main.getArgAttrOfType<mlir::IntegerAttr>(i, donationName);
          aliased && count == 1 && isFlat)
        program.arguments.back().aliases = aliased.getInt();
    }
    for (unsigned i = 0; i < outputs.size(); ++i) {
      mlir::Attribute global = main.getResultAttr(i, globalTypeAttrName),
                      sharding = main.getResultAttr(i, "sdy.sharding");
      check("result " + llvm::Twine(i), outputs[i], global, sharding);
      size_t count = add(program.results, outputs[i], global, sharding);
      if (auto name = main.getResultAttrOfType<mlir::StringAttr>(i, "jax.result_info");
          name && count == 1)
        program.results.back().name = name.getValue().str();
    }
    if (isFlat && program.arguments.size() == inputs.size())
      assignDonors();
    return mlir::failure(failed);
  }

private:
  /// Gives each donor a result whose part takes as many bytes on a device, one of its own type if
  /// there is one, as XLA does with `buffer_donor`.
  void assignDonors() {
    std::vector<bool> isTaken(main.getNumResults(), false);
    for (const Boundary &argument : program.arguments)
      if (argument.aliases >= 0)
        isTaken[argument.aliases] = true;
    for (unsigned i = 0; i < main.getNumArguments(); ++i) {
      auto donor = main.getArgAttrOfType<mlir::BoolAttr>(i, donorName);
      if (!donor || !donor.getValue() || program.arguments[i].aliases >= 0)
        continue;
      std::optional<unsigned> found;
      std::optional<TensorType> given = convertType(main.getArgumentTypes()[i]);
      for (unsigned j = 0; j < main.getNumResults() && given; ++j) {
        std::optional<TensorType> type = convertType(main.getResultTypes()[j]);
        if (isTaken[j] || !type || type->sizeInBytes() != given->sizeInBytes())
          continue;
        bool isAlike = main.getResultTypes()[j] == main.getArgumentTypes()[i];
        if (!found || isAlike)
          found = j;
        if (isAlike)
          break;
      }
      if (!found)
        continue;
      program.arguments[i].aliases = *found;
      isTaken[*found] = true;
    }
  }

  /// Reports an argument or result that is not the part its whole type and its sharding give.
  void check(const llvm::Twine &name, mlir::Type local, mlir::Attribute global,
             mlir::Attribute shardingAttr) {
    if (!global)
      return;
    auto report = [&]() -> mlir::InFlightDiagnostic {
      failed = true;
      return main.emitOpError() << name << ": ";
    };
    auto globalType = llvm::dyn_cast<mlir::TypeAttr>(global);
    auto whole =
        globalType ? llvm::dyn_cast<mlir::RankedTensorType>(globalType.getValue()) : nullptr;
    if (!whole) {
      report() << "attribute '" << globalTypeAttrName << "' is no tensor type";
      return;
    }
    auto sharding = llvm::dyn_cast_if_present<sdy::ShardingAttr>(shardingAttr);
    mlir::Type expected = whole;
    if (const Mesh *mesh = sharding ? sdy::lookupMesh(main, sharding) : nullptr;
        mesh && !mesh->axes().empty()) {
      if (mesh->numDevices() != program.numDevices) {
        report() << "mesh has " << mesh->numDevices() << " devices, "
                 << (main->getParentOp()->hasAttr("mhlo.num_partitions")
                         ? "mhlo.num_partitions is "
                         : "that of other arguments or results ")
                 << program.numDevices;
        return;
      }
      absl::StatusOr<Sharding> resolved = resolve(*mesh, sharding.getSpec());
      if (!resolved.ok() || static_cast<int64_t>(resolved->dims.size()) != whole.getRank()) {
        report() << "sharding does not fit " << whole;
        return;
      }
      std::vector<int64_t> part =
          localShape(*resolved, absl::MakeConstSpan(whole.getShape().data(), whole.getRank()));
      expected = whole.clone(llvm::ArrayRef<int64_t>(part));
    }
    if (tensorTypeOf(local) != expected)
      report() << "type is " << local << "; one device's part of " << whole << " is " << expected;
  }

  /// Adds what an argument or result of type `local` is: several where it is a tuple.
  size_t add(std::vector<Boundary> &boundaries, mlir::Type local, mlir::Attribute global,
             mlir::Attribute sharding) {
    auto globalType = llvm::dyn_cast_if_present<mlir::TypeAttr>(global);
    auto types = deviceTypes(globalType ? globalType.getValue() : local);
    if (!types)
      return 0; // Reported where the value is defined.
    for (const TensorType &type : *types)
      boundaries.push_back(boundaryOf(type, static_cast<bool>(globalType), sharding));
    if (!globalType && isElsewhere && llvm::isa<mlir::RankedTensorType>(local))
      guess(boundaries.back(), &boundaries == &program.arguments, sharding);
    return types->size();
  }

  Boundary boundaryOf(const TensorType &type, bool isPart, mlir::Attribute shardingAttr) {
    Boundary boundary;
    boundary.global = type;
    Mesh mesh = *Mesh::create({{"device", program.numDevices}});
    ShardingSpec spec;
    spec.dims.resize(boundary.global.rank());
    auto sharding = llvm::dyn_cast_if_present<sdy::ShardingAttr>(shardingAttr);
    if (sharding && isPart) {
      const Mesh *named = sdy::lookupMesh(main, sharding);
      if (named && named->numDevices() == program.numDevices && !named->axes().empty()) {
        mesh = *named;
        spec = sharding.getSpec();
      }
    }
    boundary.mesh = mesh.str();
    boundary.sharding = spec.str();
    return boundary;
  }

  /// Fills in what a program that was partitioned elsewhere says: the parts, how they lie beside
  /// each other or at least that they do, but not how much of the last ones is padding.
  void guess(Boundary &boundary, bool isArgument, mlir::Attribute shardingAttr) {
    auto attr = llvm::dyn_cast_if_present<sdy::ShardingAttr>(shardingAttr);
    const Mesh *mesh = attr ? sdy::lookupMesh(main, attr) : nullptr;
    if (!mesh || mesh->axes().empty()) {
      boundary.known = isArgument ? Known::all : Known::part;
      return;
    }
    std::vector<int64_t> &shape = boundary.global.shape;
    absl::StatusOr<Sharding> sharding = resolve(*mesh, attr.getSpec());
    if (!sharding.ok() || sharding->rank() != boundary.global.rank() ||
        mesh->numDevices() != program.numDevices)
      return; // Reported by the verifier of the dialect.
    for (size_t dim = 0; dim < shape.size(); ++dim)
      if (llvm::MulOverflow(shape[dim], numShards(sharding->dims[dim]), shape[dim])) {
        failed = true;
        main.emitOpError() << "a whole argument or result has too many elements";
        return;
      }
    boundary.mesh = mesh->str();
    boundary.sharding = attr.getSpec().str();
    bool isCut = !sharding->layout().isFullyReplicated();
    boundary.known = isCut ? Known::sharding : Known::all;
  }

  mlir::func::FuncOp main;
  DeviceProgram &program;
  /// Others partitioned it: what it does not say is not known, rather than whole.
  bool isElsewhere = main->getParentOfType<mlir::ModuleOp>()->hasAttr(partitionedAttrName);
  bool failed = false;
};

} // namespace

mlir::LogicalResult describeBoundary(mlir::func::FuncOp main, DeviceProgram &program) {
  return Describer(main, program).run();
}

} // namespace spmd
