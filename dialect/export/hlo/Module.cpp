// The module: functions, their order and names, what is said of the entry.

#include "spmd/dialect/export/hlo/Exporter.h"

#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/spmd/Donation.h"
#include "spmd/dialect/spmd/ModulePlace.h"
#include "spmd/dialect/spmd/PartitionedModule.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "llvm/ADT/StringExtras.h"

namespace spmd {

namespace export_hlo {

//===- What many ops have in common ----------------------------------------===//

const hlo::ShapeProto &ModuleExporter::cachedShape(mlir::Type type, std::string &why) {
  auto [found, isNew] = shapes.try_emplace(type);
  if (!isNew)
    return *found->second;
  auto &shape = *google::protobuf::Arena::CreateMessage<hlo::ShapeProto>(proto.GetArena());
  why = shapeOf(type, shape);
  if (why.empty())
    found->second = &shape;
  else
    shapes.erase(found);
  return shape;
}

Writer ModuleExporter::writerOf(mlir::Operation *op) {
  auto [found, isNew] = writers.try_emplace(op->getName());
  if (isNew)
    found->second = export_hlo::writerOf(op->getName().getStringRef());
  return found->second;
}

const LocationNotes &ModuleExporter::notesOf(mlir::Location location) {
  if (lastLocation != location)
    writeLocation(location, lastNotes);
  lastLocation = location;
  return lastNotes;
}

//===- Functions -----------------------------------------------------------===//

hlo::HloComputationProto *ModuleExporter::makeComputation() {
  return google::protobuf::Arena::CreateMessage<hlo::HloComputationProto>(proto.GetArena());
}

hlo::HloComputationProto *ModuleExporter::add(hlo::HloComputationProto &computation) {
  proto.mutable_computations()->AddAllocated(&computation);
  return &computation;
}

hlo::HloComputationProto *ModuleExporter::write(mlir::func::FuncOp function) {
  ComputationWriter writer(*this, function);
  mlir::Block &block = function.front();
  writer.addParameters(block.getArguments());
  writer.writeOps(block);
  return writer.finish(block.getTerminator()->getOperands(), function.getSymName());
}

/// Returns the names of the functions that `function` calls.
static llvm::SmallVector<mlir::FlatSymbolRefAttr> calleesOf(mlir::func::FuncOp function) {
  llvm::SmallVector<mlir::FlatSymbolRefAttr> names;
  function.walk([&](mlir::Operation *op) {
    if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
      names.push_back(call.getCalleeAttr());
    else if (auto composite = llvm::dyn_cast<stablehlo::CompositeOp>(op))
      names.push_back(composite.getDecompositionAttr());
    else if (auto custom = llvm::dyn_cast<stablehlo::CustomCallOp>(op))
      llvm::append_range(names,
                         custom.getCalledComputations().getAsRange<mlir::FlatSymbolRefAttr>());
  });
  return names;
}

static bool hasBody(mlir::func::FuncOp function) {
  return function && !function.isExternal() && function.getBody().hasOneBlock();
}

/// Callees come first. Chains of calls may be long, so that this does not call itself.
void ModuleExporter::writeFunctions(mlir::func::FuncOp main) {
  struct Open {
    mlir::func::FuncOp function;
    llvm::SmallVector<mlir::FlatSymbolRefAttr> callees;
  };
  std::vector<Open> stack = {{main, calleesOf(main)}};
  llvm::DenseSet<mlir::Operation *> met = {main};
  while (!stack.empty()) {
    if (stack.back().callees.empty()) {
      mlir::func::FuncOp done = stack.back().function;
      stack.pop_back();
      if (done != main)
        functions[done] = write(done);
      continue;
    }
    auto callee =
        symbols.lookup<mlir::func::FuncOp>(stack.back().callees.pop_back_val().getValue());
    if (hasBody(callee) && met.insert(callee).second)
      stack.push_back({callee, calleesOf(callee)});
  }
}

hlo::HloComputationProto *ModuleExporter::computationOf(mlir::Operation *caller,
                                                        llvm::StringRef callee) {
  auto function = symbols.lookup<mlir::func::FuncOp>(callee);
  auto found = functions.find(function);
  if (found != functions.end())
    return found->second;
  if (!hasBody(function))
    caller->emitError() << "calls '" << callee << "', which has no body of one block";
  else
    caller->emitError() << "calls '" << callee << "', which it is called by";
  return nullptr;
}

//===- The entry -----------------------------------------------------------===//

static bool isOfOneDevice(mlir::func::FuncOp main) {
  if (main->getParentOfType<mlir::ModuleOp>()->hasAttr(partitionedAttrName))
    return true;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (main.getArgAttr(i, globalTypeAttrName))
      return true;
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    if (main.getResultAttr(i, globalTypeAttrName))
      return true;
  return false;
}

/// Returns what the results say of their shardings; nothing if none does. Of those that say
/// nothing, the sharding is unknown.
static std::optional<hlo::OpSharding> resultShardings(mlir::func::FuncOp main, bool &ok) {
  hlo::OpSharding all, unknown;
  all.set_type(hlo::OpSharding::TUPLE);
  unknown.set_type(hlo::OpSharding::UNKNOWN);
  bool says = false;
  for (unsigned i = 0; i < main.getNumResults(); ++i) {
    mlir::Attribute text = main.getResultAttr(i, shardingName);
    std::optional<hlo::OpSharding> sharding = text ? shardingOf(main, text) : unknown;
    says |= text != nullptr;
    ok &= sharding.has_value();
    if (sharding)
      *all.add_tuple_shardings() = *sharding;
  }
  return says && ok ? std::optional(all) : std::nullopt;
}

/// Returns the types that the results have on all devices together, as a list; empty if one does
/// not say.
static std::string globalTypes(mlir::func::FuncOp main) {
  llvm::SmallVector<mlir::Attribute> types;
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    types.push_back(main.getResultAttr(i, globalTypeAttrName));
  if (llvm::is_contained(types, mlir::Attribute()))
    return "";
  std::string text;
  llvm::raw_string_ostream(text) << mlir::ArrayAttr::get(main.getContext(), types);
  return text;
}

void ModuleExporter::writeEntry(mlir::func::FuncOp main) {
  ComputationWriter writer(*this, main);
  mlir::Block &block = main.front();
  writer.addParameters(block.getArguments());
  writer.writeOps(block);
  mlir::OperandRange results = block.getTerminator()->getOperands();
  bool ok = true;
  std::optional<hlo::OpSharding> sharding = resultShardings(main, ok);
  if (!ok)
    setFailed();
  // What is said of a single result stands at the root, unless that says something else already.
  bool apart = false;
  if (results.size() == 1 && !writer.isFailed()) {
    const hlo::HloInstructionProto &root = writer.instructionOf(results.front());
    bool saysSame = sharding && root.sharding().SerializeAsString() ==
                                    sharding->tuple_shardings(0).SerializeAsString();
    apart = (root.has_sharding() && !saysSame) || (root.opcode() == "parameter" && sharding);
  }
  hlo::HloComputationProto *written =
      writer.finish(results, isOfOneDevice(main) ? "main_spmd" : "main", apart);
  if (!written)
    return;
  hlo::HloComputationProto &entry = *written;
  hlo::HloInstructionProto &root = *std::find_if(
      entry.mutable_instructions()->begin(), entry.mutable_instructions()->end(),
      [&](const hlo::HloInstructionProto &each) { return each.id() == entry.root_id(); });
  if (sharding && results.size() != 1)
    *root.mutable_sharding() = *sharding;
  else if (sharding)
    *root.mutable_sharding() = sharding->tuple_shardings(0);
  proto.set_entry_computation_id(entry.id());
  proto.set_entry_computation_name(entry.name());
  // Whoever calls it sees row-major arrays, whatever the root's layout.
  static_cast<void>(shapeOf(results.getTypes(), *entry.mutable_program_shape()->mutable_result()));
  *proto.mutable_host_program_shape() = entry.program_shape();
}

void ModuleExporter::writeDonations(mlir::func::FuncOp main) {
  bool isTuple = proto.host_program_shape().result().element_type() == hlo::TUPLE;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    auto donor = main.getArgAttrOfType<mlir::BoolAttr>(i, donorName);
    if (donor && donor.getValue()) { // Which result takes its memory is for XLA to choose.
      proto.mutable_buffer_donor()->add_entries()->set_parameter_number(i);
    } else if (auto result = main.getArgAttrOfType<mlir::IntegerAttr>(i, donationName)) {
      auto &entry = *proto.mutable_input_output_alias()->add_entries();
      if (isTuple)
        entry.add_output_shape_index(result.getInt());
      entry.set_parameter_number(i);
      entry.set_kind(hlo::MAY_ALIAS);
    }
  }
}

/// Of the program of one device, XLA's partitioner records what it cut, and so do we; what the
/// whole was, besides.
void ModuleExporter::writeParts(mlir::func::FuncOp main) {
  const hlo::HloComputationProto &entry = *proto.computations().rbegin();
  llvm::SmallVector<hlo::OpSharding> shardings(main.getNumArguments());
  for (const hlo::HloInstructionProto &each : entry.instructions()) {
    if (each.opcode() == "parameter")
      shardings[each.parameter_number()] = each.sharding();
    if (each.id() == entry.root_id() && each.has_sharding())
      *proto.mutable_spmd_output_sharding() = each.sharding();
  }
  for (const hlo::OpSharding &each : shardings)
    *proto.add_spmd_parameters_shardings() = each;
  if (std::string types = globalTypes(main); !types.empty())
    (*proto.mutable_frontend_attributes()->mutable_map())["spmd.result_types"] = types;
}

void ModuleExporter::writeConfig(mlir::func::FuncOp main) {
  auto count = [&](llvm::StringRef name) {
    auto attribute = module->getAttrOfType<mlir::IntegerAttr>(name);
    return attribute && attribute.getInt() > 1 ? attribute.getInt() : 0;
  };
  hlo::TextConfigProto &config = *proto.mutable_text_config();
  config.set_num_partitions(count("mhlo.num_partitions"));
  config.set_replica_count(count("mhlo.num_replicas"));
  writeFrontendAttributes(module->getAttr(frontendName), *proto.mutable_frontend_attributes());
  if (proto.frontend_attributes().map().empty())
    proto.clear_frontend_attributes();
  if (isOfOneDevice(main))
    return writeParts(main);
  if (config.num_partitions() == 0)
    return;
  auto addFlags = [](auto &flags, unsigned size, auto isFree) {
    for (unsigned i = 0; i < size; ++i)
      flags.Add(isFree(i));
    if (!llvm::is_contained(flags, true))
      flags.Clear();
  };
  addFlags(*config.mutable_allow_spmd_sharding_propagation_to_parameters(), main.getNumArguments(),
           [&](unsigned i) { return !main.getArgAttr(i, shardingName); });
  addFlags(*config.mutable_allow_spmd_sharding_propagation_to_output(), main.getNumResults(),
           [&](unsigned i) { return !main.getResultAttr(i, shardingName); });
}

std::optional<hlo::StoredModule> ModuleExporter::run() {
  auto main = symbols.lookup<mlir::func::FuncOp>("main");
  if (!hasBody(main)) {
    mlir::emitError(placeOf(module), "module has no function @main with a body of one block");
    return std::nullopt;
  }
  proto.set_name(legalName(module.getSymName().value_or("module")));
  writeFunctions(main);
  writeEntry(main);
  failed |= mlir::failed(checkDonations(module));
  if (!failed)
    writeDonations(main);
  if (failed)
    return std::nullopt;
  writeConfig(main);
  return std::move(stored);
}

} // namespace export_hlo

std::optional<hlo::StoredModule> exportHlo(mlir::ModuleOp module, bool keepLeftOut) {
  return export_hlo::ModuleExporter(module, keepLeftOut).run();
}

} // namespace spmd
