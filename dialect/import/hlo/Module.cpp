// The module: functions, their attributes, locations.

#include "spmd/dialect/import/hlo/Importer.h"

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/import/hlo/OpSharding.h"
#include "spmd/dialect/import/hlo/Partitioned.h"
#include "spmd/dialect/spmd/Donation.h"
#include "spmd/dialect/spmd/PartitionedModule.h"
#include "spmd/dialect/spmd/ProgramLocation.h"
#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/dialect/stablehlo/LeftOut.h"

#include "mlir/IR/Diagnostics.h"

#include <limits>

namespace spmd {

namespace import_hlo {

/// Whether both say the same, and enough to be a location.
static bool isSamePlace(const hlo::OpMetadata &a, const hlo::OpMetadata &b) {
  return !a.op_name().empty() && !a.source_file().empty() && a.source_line() == b.source_line() &&
         a.source_column() == b.source_column() && a.op_name() == b.op_name() &&
         a.source_file() == b.source_file();
}

mlir::Location ModuleImporter::locationOf(const hlo::HloInstructionProto &instruction) {
  const hlo::OpMetadata &metadata = instruction.metadata();
  if (lastMetadata && isSamePlace(metadata, *lastMetadata))
    return lastLocation;
  mlir::Location inner = metadata.source_file().empty()
                             ? placeOf(instruction.id(), instruction.name())
                             : mlir::FileLineColLoc::get(&context, metadata.source_file(),
                                                         std::max(metadata.source_line(), 0),
                                                         std::max(metadata.source_column(), 0));
  const std::string &name = metadata.op_name().empty() ? instruction.name() : metadata.op_name();
  if (name.empty())
    return inner;
  lastMetadata = &metadata;
  lastLocation = mlir::NameLoc::get(mlir::StringAttr::get(&context, name), inner);
  return lastLocation;
}

mlir::Location ModuleImporter::locationOf(const hlo::HloComputationProto &computation) {
  return mlir::NameLoc::get(mlir::StringAttr::get(&context, computation.name()),
                            placeOf(computation.id(), computation.name()));
}

/// Bytes have no lines: what stands there is told by its name, as a member of an archive is.
mlir::Location ModuleImporter::placeOf(int64_t id, const std::string &name) {
  if (source.path.empty())
    return mlir::UnknownLoc::get(&context);
  if (!source.places)
    return locationInProgram(context, (source.path + "(" + name + ")").str(), 1, 1);
  hlo::TextPlaces::Place place = source.places->of(id);
  return locationInProgram(context, source.path, place.line, place.column);
}

const KnownOpcode &ModuleImporter::opcodeCalled(const std::string &name) {
  auto [found, isNew] = opcodes.try_emplace(name);
  if (!isNew)
    return found->second;
  found->second.read = readerOf(name);
  if (llvm::StringRef op = sameOpOf(name); !op.empty())
    found->second.sameOp.emplace(op, &context);
  return found->second;
}

/// Names all opcodes that nothing reads, each once for every computation it stands in, and returns
/// whether there are none.
bool ModuleImporter::summarize(const hlo::HloComputationProto &computation) {
  Summary &summary = summaries[&computation];
  summary.opcodes.reserve(computation.instructions_size());
  llvm::SmallPtrSet<const KnownOpcode *, 4> unknown;
  for (const hlo::HloInstructionProto &each : computation.instructions()) {
    const KnownOpcode &opcode = opcodeCalled(each.opcode());
    summary.opcodes.push_back(&opcode);
    summary.leastId = std::min(summary.leastId, each.id());
    summary.greatestId = std::max(summary.greatestId, each.id());
    if (each.id() == computation.root_id())
      summary.root = &each;
    if (each.opcode() == "parameter")
      summary.parameters[each.parameter_number()] = &each;
    if (!opcode.read && unknown.insert(&opcode).second)
      mlir::emitError(locationOf(each))
          << "instruction '" << each.name() << "' of computation '" << computation.name()
          << "': opcode '" << each.opcode() << "' is not known";
  }
  return unknown.empty();
}

const hlo::HloComputationProto *ModuleImporter::entry() {
  const hlo::HloComputationProto *found = computation(proto.entry_computation_id());
  for (const hlo::HloComputationProto &each : proto.computations())
    if (!found && each.name() == proto.entry_computation_name())
      found = &each;
  return found;
}

mlir::func::FuncOp ModuleImporter::makeFunction(const hlo::HloComputationProto &source,
                                                llvm::StringRef name) {
  auto types = ComputationImporter::parameterTypes(*this, source);
  if (!types)
    return {};
  mlir::Location location = locationOf(source);
  mlir::OpBuilder builder(&context, &checks);
  auto function = mlir::func::FuncOp::create(builder, location, name,
                                             mlir::FunctionType::get(&context, *types, {}));
  mlir::Block *block = function.addEntryBlock();
  builder.setInsertionPointToEnd(block);
  ComputationImporter importer(*this, source, builder);
  std::optional<Leaves> returned = importer.run(block->getArguments());
  if (!returned) {
    function.erase();
    return {};
  }
  mlir::func::ReturnOp::create(importer.builder, location, *returned);
  function.setType(mlir::FunctionType::get(
      &context, *types, llvm::to_vector(mlir::ValueRange(*returned).getTypes())));
  checks.check(function);
  return function;
}

mlir::func::FuncOp ModuleImporter::functionOf(const hlo::HloComputationProto &callee,
                                              mlir::Location location) {
  if (mlir::func::FuncOp found = functions.lookup(&callee))
    return found;
  if (open.contains(&callee)) {
    mlir::emitError(location) << "computation '" << callee.name() << "' calls itself";
    return {};
  }
  // That name is the entry's.
  mlir::func::FuncOp made =
      makeFunction(callee, callee.name() == "main" ? "main.called" : callee.name());
  if (!made)
    return {};
  made.setPrivate();
  symbols->insert(made); // Renames it if need be.
  functions[&callee] = made;
  return made;
}

//===- Attributes ----------------------------------------------------------===//

mlir::DictionaryAttr dictionaryOf(const hlo::FrontendAttributes &attributes,
                                  mlir::MLIRContext &context) {
  std::map<std::string, std::string> sorted(attributes.map().begin(), attributes.map().end());
  llvm::SmallVector<mlir::NamedAttribute> entries;
  for (const auto &[name, value] : sorted)
    if (!name.empty())
      entries.emplace_back(mlir::StringAttr::get(&context, name),
                           mlir::StringAttr::get(&context, value));
  return mlir::DictionaryAttr::get(&context, entries);
}

/// Returns the sharding of each of `count` leaves as text: those of a tuple, or the same for all.
static std::vector<std::string> leafShardings(const hlo::OpSharding &sharding, size_t count) {
  if (sharding.type() != hlo::OpSharding::TUPLE)
    return std::vector<std::string>(count, textOf(sharding));
  std::vector<std::string> texts;
  for (const hlo::OpSharding &element : sharding.tuple_shardings())
    texts.push_back(textOf(element));
  texts.resize(count);
  return texts;
}

void ModuleImporter::annotate(mlir::func::FuncOp main, const hlo::HloComputationProto &source) {
  const auto &parameters = summaryOf(source).parameters;
  const hlo::HloInstructionProto *root = summaryOf(source).root;
  llvm::SmallVector<size_t> firstArgument;
  size_t argument = 0;
  auto string = [&](const std::string &text) { return mlir::StringAttr::get(&context, text); };
  for (auto [number, each] : parameters) {
    firstArgument.push_back(argument);
    size_t count = countLeaves(each->shape());
    std::vector<std::string> shardings;
    if (each->has_sharding())
      shardings = leafShardings(each->sharding(), count);
    else if (number < proto.spmd_parameters_shardings_size())
      shardings = leafShardings(proto.spmd_parameters_shardings(number), count);
    for (size_t leaf = 0; leaf < count; ++leaf, ++argument) {
      main.getArgument(argument).setLoc(withNamesOf(main.getArgument(argument), locationOf(*each)));
      if (leaf < shardings.size() && !shardings[leaf].empty())
        main.setArgAttr(argument, shardingName, string(shardings[leaf]));
      if (each->frontend_attributes().map_size() > 0 && count == 1)
        main.setArgAttr(argument, frontendName, dictionaryOf(each->frontend_attributes(), context));
    }
  }
  bool says = proto.has_spmd_output_sharding() || (root && root->has_sharding());
  if (says) {
    std::vector<std::string> shardings = leafShardings(
        proto.has_spmd_output_sharding() ? proto.spmd_output_sharding() : root->sharding(),
        main.getNumResults());
    for (unsigned i = 0; i < main.getNumResults(); ++i)
      if (!shardings[i].empty())
        main.setResultAttr(i, shardingName, string(shardings[i]));
  }
  annotateDonations(main, firstArgument);
}

/// A donor says which buffers may be reused, not for what: each gets a result of its type.
void ModuleImporter::annotateDonations(mlir::func::FuncOp main,
                                       llvm::ArrayRef<size_t> firstArgument) {
  llvm::SmallDenseSet<unsigned> taken;
  auto donate = [&](size_t argument, unsigned result) {
    taken.insert(result);
    main.setArgAttr(argument, donationName,
                    mlir::IntegerAttr::get(mlir::IntegerType::get(&context, 32), result));
  };
  auto argumentOf = [&](int64_t parameter, const auto &index) -> std::optional<size_t> {
    if (parameter < 0 || parameter >= static_cast<int64_t>(firstArgument.size()) ||
        index.size() > 1)
      return std::nullopt;
    size_t argument =
        firstArgument[parameter] + (index.empty() ? 0 : std::max<int64_t>(index[0], 0));
    return argument < main.getNumArguments() ? std::optional(argument) : std::nullopt;
  };
  for (const auto &alias : proto.input_output_alias().entries()) {
    auto argument = argumentOf(alias.parameter_number(), alias.parameter_shape_index());
    int64_t result = alias.output_shape_index_size() == 0 ? 0 : alias.output_shape_index(0);
    if (argument && alias.output_shape_index_size() <= 1 && result >= 0 &&
        result < main.getNumResults() && !taken.contains(result))
      donate(*argument, result);
  }
  for (const auto &donor : proto.buffer_donor().entries()) {
    auto argument = argumentOf(donor.parameter_number(), donor.parameter_shape_index());
    if (!argument || main.getArgAttr(*argument, donationName))
      continue;
    for (unsigned result = 0; result < main.getNumResults(); ++result)
      if (!taken.contains(result) &&
          main.getArgumentTypes()[*argument] == main.getResultTypes()[result]) {
        donate(*argument, result);
        main.setArgAttr(*argument, donorName, mlir::BoolAttr::get(&context, true));
        break;
      }
  }
}

int64_t ModuleImporter::numDevices() const {
  return std::max<int64_t>(proto.text_config().num_partitions(),
                           proto.device_assignment().computation_count());
}

void ModuleImporter::annotateModule() {
  mlir::OpBuilder builder(&context);
  if (numDevices() > 0)
    module.get()->setAttr("mhlo.num_partitions", builder.getI32IntegerAttr(numDevices()));
  if (proto.text_config().replica_count() > 1)
    module.get()->setAttr("mhlo.num_replicas",
                          builder.getI32IntegerAttr(proto.text_config().replica_count()));
  // One of our own says all of its results.
  bool saysAll = proto.frontend_attributes().map().contains("spmd.result_types");
  if (isPartitioned(proto) && !saysAll)
    module.get()->setAttr(partitionedAttrName, builder.getUnitAttr());
  if (proto.frontend_attributes().map_size() > 0)
    module.get()->setAttr(frontendName, dictionaryOf(proto.frontend_attributes(), context));
}

mlir::OwningOpRef<mlir::ModuleOp> ModuleImporter::run() {
  context.loadDialect<mlir::func::FuncDialect, stablehlo::StablehloDialect, chlo::ChloDialect>();
  std::string name = proto.name().empty() ? "module" : proto.name();
  mlir::Location place = mlir::UnknownLoc::get(&context);
  if (!source.path.empty())
    place = locationInProgram(context, source.path, 1, 1);
  mlir::Location location = mlir::NameLoc::get(mlir::StringAttr::get(&context, name), place);
  module = mlir::ModuleOp::create(location, name);
  symbols.emplace(*module);
  for (const hlo::HloComputationProto &each : proto.computations())
    computations[each.id()] = &each;
  const hlo::HloComputationProto *first = entry();
  if (!first) {
    mlir::emitError(location) << "the module has no entry computation";
    return {};
  }
  for (int64_t count : {numDevices(), proto.text_config().replica_count()})
    if (count > std::numeric_limits<int32_t>::max()) {
      mlir::emitError(location) << "the module is for " << count << " "
                                << (count == numDevices() ? "partitions" : "replicas")
                                << "; at most 2^31-1 are read";
      return {};
    }
  bool ok = true;
  for (const hlo::HloComputationProto &each : proto.computations())
    ok &= summarize(each);
  if (!ok)
    return {};
  readsShardings = !isPartitioned(proto);
  mlir::func::FuncOp main = makeFunction(*first, "main");
  if (!main)
    return {};
  symbols->insert(main, module->getBody()->begin());
  annotate(main, *first);
  annotateModule();
  if (mlir::failed(checks.finish()))
    return {};
  if (numLeftOut > 0)
    mlir::emitWarning(firstLeftOut)
        << "the elements of " << numLeftOut << (numLeftOut == 1 ? " constant" : " constants")
        << " are left out; the program can be partitioned, but not run; " << leftOutHint;
  return std::move(module);
}

} // namespace import_hlo

mlir::OwningOpRef<mlir::ModuleOp> importHlo(const hlo::HloModuleProto &module,
                                            mlir::MLIRContext &context, const HloSource &source) {
  return import_hlo::ModuleImporter(module, context, source).run();
}

} // namespace spmd
