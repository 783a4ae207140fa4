// The exporter's parts: one for the module, one for each computation as it is written.
#pragma once

#include "spmd/dialect/export/hlo/ExportHlo.h"
#include "spmd/dialect/export/hlo/Names.h"
#include "spmd/dialect/export/hlo/Types.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace spmd::export_hlo {

/// Names of discardable attributes that have a counterpart in HLO.
inline constexpr llvm::StringLiteral shardingName = "mhlo.sharding";
inline constexpr llvm::StringLiteral frontendName = "mhlo.frontend_attributes";

class ComputationWriter;

/// Writes one op. Succeeds with its results bound, or fails after a diagnostic.
using Writer = mlir::LogicalResult (*)(ComputationWriter &);

/// What a location says of an instruction.
struct LocationNotes {
  llvm::StringRef wish; ///< The name that it wishes for, or nothing.
  hlo::OpMetadata metadata;
  bool hasMetadata = false;
};

/// What the computations of a module share.
class ModuleExporter {
public:
  ModuleExporter(mlir::ModuleOp module, bool keepLeftOut)
      : module(module), keepLeftOut(keepLeftOut), symbols(module) {}

  std::optional<hlo::StoredModule> run();

  /// Returns the computation that `callee` became; null after a diagnostic, here or in it.
  hlo::HloComputationProto *computationOf(mlir::Operation *caller, llvm::StringRef callee);
  /// Adds a computation, all of whose parts are given, behind those it calls.
  hlo::HloComputationProto *add(hlo::HloComputationProto &computation);
  /// Returns an empty one that lies where the module does.
  hlo::HloComputationProto *makeComputation();

  int64_t newId() { return ++lastId; }

  /// Returns the shape of values of `type`, empty if there is none; `why` says why not then.
  const hlo::ShapeProto &cachedShape(mlir::Type type, std::string &why);
  /// Returns what writes `op`, or null.
  Writer writerOf(mlir::Operation *op);
  /// Returns what `location` says; valid until the next call.
  const LocationNotes &notesOf(mlir::Location location);

  /// Says that something is wrong; run() fails, after it has said all.
  void setFailed() { failed = true; }

  mlir::ModuleOp module;
  bool keepLeftOut; ///< Constants without elements are written so.
  Names instructionNames, computationNames;

private:
  hlo::HloComputationProto *write(mlir::func::FuncOp function);
  void writeFunctions(mlir::func::FuncOp main);
  void writeEntry(mlir::func::FuncOp main);
  void writeDonations(mlir::func::FuncOp main);
  void writeConfig(mlir::func::FuncOp main);
  void writeParts(mlir::func::FuncOp main);

  mlir::SymbolTable symbols;
  hlo::StoredModule stored;
  hlo::HloModuleProto &proto = *stored;
  llvm::DenseMap<mlir::Operation *, hlo::HloComputationProto *> functions;
  // What many ops have in common.
  llvm::DenseMap<mlir::Type, const hlo::ShapeProto *> shapes;
  llvm::DenseMap<mlir::OperationName, Writer> writers;
  std::optional<mlir::Location> lastLocation; ///< Ops of one line follow each other.
  LocationNotes lastNotes;
  int64_t lastId = 0;
  bool failed = false;
};

/// Writes the ops of one block as the instructions of a computation.
class ComputationWriter {
public:
  using Instruction = hlo::HloInstructionProto;

  ComputationWriter(ModuleExporter &module, mlir::Operation *owner);

  //===- Parts of a computation -----------------------------------------------===//

  /// Adds one parameter for each of `values`.
  void addParameters(mlir::ValueRange values);
  /// Adds one parameter for all `values` together: a tuple unless there is one alone.
  void addParameter(mlir::ValueRange values);
  /// Writes all ops of `block` but its terminator.
  void writeOps(mlir::Block &block);
  /// Makes `values` together the root, with an instruction of its own if `apart`, and adds the
  /// computation to the module.
  hlo::HloComputationProto *finish(mlir::ValueRange values, llvm::StringRef name,
                                   bool apart = false);

  //===- The op at hand, for the functions that write one ---------------------===//

  mlir::Operation *op() const { return current; }
  /// Returns the instruction that `value` is. Constants from outside are made here; other values
  /// from there are a failure, for which 0 is returned.
  int64_t idOf(mlir::Value value);
  const Instruction &instructionOf(mlir::Value value);
  /// Returns one instruction for all `values`: a tuple unless there is one alone.
  int64_t idOfAll(mlir::ValueRange values);

  /// Adds an instruction; it has the names and notes of the op.
  Instruction &add(llvm::StringRef opcode, const hlo::ShapeProto &shape,
                   llvm::ArrayRef<int64_t> operands);
  Instruction &add(llvm::StringRef opcode, mlir::Type type, llvm::ArrayRef<int64_t> operands);
  /// Adds the one that the op is, on all its operands or on `operands`, and takes its results from
  /// it.
  Instruction &make(llvm::StringRef opcode);
  Instruction &make(llvm::StringRef opcode, mlir::ValueRange operands);
  Instruction &make(llvm::StringRef opcode, llvm::ArrayRef<int64_t> operands);
  /// Takes `results`, values of the op, from the elements of `tuple`; one alone is `tuple` itself.
  void bind(mlir::ValueRange results, const Instruction &tuple);
  void bindTo(mlir::Value result, const Instruction &instruction) {
    values[result] = instruction.id();
  }
  /// Adds the element `index` of `tuple`.
  Instruction &element(const Instruction &tuple, int64_t index);

  /// Returns the computation of a body whose arguments are parameters one by one, or one tuple.
  hlo::HloComputationProto *body(mlir::Region &region, bool asTuple = false,
                                 mlir::ValueRange captured = {});
  /// Adds bodies to what `instruction` calls.
  void call(Instruction &instruction, std::initializer_list<hlo::HloComputationProto *> bodies);
  /// Returns the values from outside of the op that one or all of its regions use, in order of
  /// their first use; constants apart if `withoutConstants`.
  llvm::SetVector<mlir::Value> captures(mlir::Region &region, bool withoutConstants = false);
  llvm::SetVector<mlir::Value> captures(bool withoutConstants);

  mlir::LogicalResult fail(const llvm::Twine &why);
  bool isFailed() const { return hasFailed; }

  template <typename Attr> Attr attribute(llvm::StringRef name) const {
    return llvm::dyn_cast_if_present<Attr>(current->getAttr(name));
  }

  ModuleExporter &module;

private:
  void write(mlir::Operation &op);
  /// The default if there is none, as after a failure.
  const Instruction &instructionNumbered(int64_t id) const;
  Instruction &addAt(mlir::Location location, llvm::StringRef opcode, const hlo::ShapeProto &shape,
                     llvm::ArrayRef<int64_t> operands);
  void addNotes(Instruction &instruction, mlir::Location location);
  Instruction &add(llvm::StringRef opcode, mlir::TypeRange types, llvm::ArrayRef<int64_t> operands);
  void addOwnNotes(Instruction &instruction);
  int64_t capturedConstant(mlir::Value value);

  hlo::HloComputationProto &proto;
  mlir::Operation *owner; ///< What the computation belongs to: a function, or an op with regions.
  mlir::Operation *current;
  mlir::Block *ownBlock = nullptr;
  llvm::DenseMap<mlir::Value, int64_t> values;
  bool hasFailed = false;
};

/// Sets `notes` to what `location` says. Strings are UTF-8 then, as those of messages must be.
void writeLocation(mlir::Location location, LocationNotes &notes);

/// Reads a sharding in GSPMD's notation; null after a diagnostic at `op`.
std::optional<hlo::OpSharding> shardingOf(mlir::Operation *op, mlir::Attribute attribute);
/// Writes the strings in a dictionary.
void writeFrontendAttributes(mlir::Attribute attribute, hlo::FrontendAttributes &attributes);

/// Returns what writes ops called `name`, or null.
Writer writerOf(llvm::StringRef name);

void addShapeWriters(llvm::StringMap<Writer> &writers);
void addRegionWriters(llvm::StringMap<Writer> &writers);
void addContractionWriters(llvm::StringMap<Writer> &writers);
void addCollectiveWriters(llvm::StringMap<Writer> &writers);
void addCallWriters(llvm::StringMap<Writer> &writers);
void addTransferWriters(llvm::StringMap<Writer> &writers);

} // namespace spmd::export_hlo
