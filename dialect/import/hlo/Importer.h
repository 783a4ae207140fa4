// The importer's parts: one for the module, one for each computation as it is read.
#pragma once

#include "spmd/dialect/import/hlo/OpChecks.h"
#include "spmd/dialect/import/hlo/Summary.h"
#include "spmd/dialect/import/hlo/Types.h"

#include "absl/container/flat_hash_map.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace spmd::import_hlo {

/// An HLO value: a tensor or token, or what a tuple holds, in order.
using Leaves = llvm::SmallVector<mlir::Value, 1>;

inline constexpr llvm::StringLiteral shardingName = "mhlo.sharding";
inline constexpr llvm::StringLiteral frontendName = "mhlo.frontend_attributes";

/// What the instructions of one computation share with those of all others.
class ModuleImporter {
public:
  ModuleImporter(const hlo::HloModuleProto &proto, mlir::MLIRContext &context, HloSource source)
      : proto(proto), context(context), source(source) {}

  mlir::OwningOpRef<mlir::ModuleOp> run();

  /// Returns the computation number `id`, or null.
  const hlo::HloComputationProto *computation(int64_t id) const {
    auto found = computations.find(id);
    return found == computations.end() ? nullptr : found->second;
  }
  /// Returns the function that `callee` became, made when first called; null after a diagnostic.
  mlir::func::FuncOp functionOf(const hlo::HloComputationProto &callee, mlir::Location location);

  /// Returns what is known of `computation`, one of the module's.
  const Summary &summaryOf(const hlo::HloComputationProto &computation) const {
    return summaries.find(&computation)->second;
  }

  mlir::Location locationOf(const hlo::HloInstructionProto &instruction);
  /// Returns that of a computation.
  mlir::Location locationOf(const hlo::HloComputationProto &computation);

  /// Notes that the constant at `place` has no elements.
  void countLeftOut(mlir::Location place) {
    if (numLeftOut++ == 0)
      firstLeftOut = place;
  }

  /// Whether what ordinary instructions say of shardings is about the values of the whole program.
  bool readsShardings = false;

  /// Whether values remember the instructions that make them.
  bool keepsNames() const { return source.keepNames; }

  /// Returns for how many devices the module is written, 0 if it does not say.
  int64_t numDevices() const;

  const hlo::HloModuleProto &proto;
  mlir::MLIRContext &context;
  OpChecks checks;
  /// Computations being read, for calls in a circle.
  llvm::SmallPtrSet<const hlo::HloComputationProto *, 8> open;

private:
  mlir::Location placeOf(int64_t id, const std::string &name);
  const KnownOpcode &opcodeCalled(const std::string &name);
  bool summarize(const hlo::HloComputationProto &computation);
  const hlo::HloComputationProto *entry();
  mlir::func::FuncOp makeFunction(const hlo::HloComputationProto &source, llvm::StringRef name);
  void annotate(mlir::func::FuncOp main, const hlo::HloComputationProto &source);
  void annotateDonations(mlir::func::FuncOp main, llvm::ArrayRef<size_t> firstArgument);
  void annotateModule();

  HloSource source;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<mlir::SymbolTable> symbols;
  absl::flat_hash_map<int64_t, const hlo::HloComputationProto *> computations;
  llvm::DenseMap<const hlo::HloComputationProto *, Summary> summaries;
  llvm::StringMap<KnownOpcode> opcodes; ///< Those met so far.
  llvm::DenseMap<const hlo::HloComputationProto *, mlir::func::FuncOp> functions;
  /// Instructions of one line of a program follow each other.
  const hlo::OpMetadata *lastMetadata = nullptr;
  mlir::LocationAttr lastLocation;
  mlir::LocationAttr firstLeftOut; ///< Of the constants without elements.
  size_t numLeftOut = 0;
};

/// Turns the instructions of one computation into ops at a builder's place.
class ComputationImporter {
public:
  ComputationImporter(ModuleImporter &module, const hlo::HloComputationProto &proto,
                      mlir::OpBuilder builder)
      : module(module), proto(proto), builder(builder), summary(module.summaryOf(proto)),
        values(summary) {}

  /// Returns the leaves of the root, given those of all parameters in a row; nothing after a
  /// diagnostic.
  std::optional<Leaves> run(mlir::ValueRange parameterLeaves);

  /// Returns the types of all parameters in a row.
  static std::optional<llvm::SmallVector<mlir::Type>>
  parameterTypes(ModuleImporter &module, const hlo::HloComputationProto &proto);

  //===- The instruction at hand, for the functions that read one ------------===//

  const hlo::HloInstructionProto &inst() const { return *current; }
  const KnownOpcode &opcode() const { return *currentOpcode; }
  int numOperands() const { return current->operand_ids_size(); }
  llvm::ArrayRef<mlir::Value> operand(int index) const { return operandLeaves[index]; }
  const hlo::ShapeProto &operandShape(int index) const { return *operandShapes[index]; }
  mlir::Location location() const { return place; }
  /// The leaves of all operands, or of those from `begin` to before `end`, in a row.
  Leaves operands(int begin = 0, int end = -1) const;

  /// Makes an op on all operands whose results are those of the instruction.
  mlir::LogicalResult make(llvm::StringRef name,
                           llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  /// Makes one on `inputs`, with the computations called `bodies` as regions.
  mlir::LogicalResult make(llvm::StringRef name, mlir::ValueRange inputs,
                           llvm::ArrayRef<mlir::NamedAttribute> attributes,
                           llvm::ArrayRef<int64_t> bodies = {}) {
    return make(mlir::OperationName(name, &module.context), inputs, attributes, bodies);
  }
  mlir::LogicalResult make(mlir::OperationName name, mlir::ValueRange inputs,
                           llvm::ArrayRef<mlir::NamedAttribute> attributes,
                           llvm::ArrayRef<int64_t> bodies = {});
  /// Makes an op on each operand by itself.
  mlir::LogicalResult makeEach(llvm::StringRef name,
                               llvm::ArrayRef<mlir::NamedAttribute> attributes,
                               llvm::ArrayRef<int64_t> bodies = {});
  /// Lets `read` make an op of other result types than the instruction's.
  mlir::LogicalResult withResultTypes(llvm::ArrayRef<mlir::Type> types,
                                      llvm::function_ref<mlir::LogicalResult()> read);
  /// Returns what was made last, to be a part of what the instruction stands for.
  Leaves takeResults() { return std::exchange(results, {}); }
  /// Makes one whose regions have no arguments: body i sees the leaves `captured[i]`.
  mlir::LogicalResult makeBranches(llvm::StringRef name, mlir::Value selector,
                                   llvm::ArrayRef<Leaves> captured);
  /// The instruction stands for values that are there already.
  mlir::LogicalResult forward(Leaves leaves);
  /// Reads the computation `id` in place.
  mlir::LogicalResult inlined(int64_t id);
  mlir::LogicalResult call(int64_t id);
  /// Returns the function that computation `id` became; null after a diagnostic.
  mlir::func::FuncOp callee(int64_t id);
  mlir::LogicalResult constant();
  mlir::LogicalResult parameter();
  mlir::LogicalResult getTupleElement();
  /// Returns the leaves of an element of an operand that is a tuple; nothing after a diagnostic.
  std::optional<Leaves> element(int operand, int64_t index) const;

  size_t numResults() const { return resultTypes.size(); }
  mlir::LogicalResult fail(const llvm::Twine &why) const;
  mlir::LogicalResult expectOperands(int count) const;
  mlir::LogicalResult expectBodies(int count) const;

  mlir::NamedAttribute named(llvm::StringRef name, mlir::Attribute value) {
    return builder.getNamedAttr(name, value);
  }
  mlir::NamedAttribute integer(llvm::StringRef name, int64_t value) {
    return named(name, builder.getI64IntegerAttr(value));
  }
  mlir::NamedAttribute boolean(llvm::StringRef name, bool value) {
    return named(name, builder.getBoolAttr(value));
  }
  template <typename Range> mlir::NamedAttribute array(llvm::StringRef name, const Range &values) {
    llvm::SmallVector<int64_t> copy(values.begin(), values.end());
    return named(name, builder.getDenseI64ArrayAttr(copy));
  }
  /// A table of two columns.
  mlir::NamedAttribute pairs(llvm::StringRef name, llvm::ArrayRef<int64_t> flat);

  ModuleImporter &module;
  const hlo::HloComputationProto &proto;
  mlir::OpBuilder builder;

private:
  mlir::LogicalResult read(const hlo::HloInstructionProto &instruction, const KnownOpcode &opcode);
  std::string findResultTypes();
  void addNotes(mlir::Operation *lastBefore);
  void addNames();
  mlir::LogicalResult fillRegion(mlir::Region &region, int64_t id);

  struct Value {
    Leaves leaves;
    const hlo::ShapeProto *shape = nullptr;
  };
  const Summary &summary;
  IdMap<Value> values;
  absl::flat_hash_map<int64_t, size_t> firstLeafOfParameter;
  mlir::ValueRange parameters;

  const hlo::HloInstructionProto *current = nullptr;
  const KnownOpcode *currentOpcode = nullptr;
  mlir::Location place = mlir::UnknownLoc::get(&module.context);
  llvm::SmallVector<mlir::Type> resultTypes;
  llvm::SmallVector<llvm::ArrayRef<mlir::Value>> operandLeaves;
  llvm::SmallVector<const hlo::ShapeProto *> operandShapes;
  Leaves results;
};

/// Returns what a frontend says of an instruction or of the module, sorted by name.
mlir::DictionaryAttr dictionaryOf(const hlo::FrontendAttributes &attributes,
                                  mlir::MLIRContext &context);

/// Returns what reads instructions called `opcode`, or null.
Reader readerOf(llvm::StringRef opcode);
/// Returns the name of the op that takes the operands of `opcode` as they are; "" if there is none.
llvm::StringRef sameOpOf(llvm::StringRef opcode);

void addShapeReaders(llvm::StringMap<Reader> &readers);
void addRegionReaders(llvm::StringMap<Reader> &readers);
void addContractionReaders(llvm::StringMap<Reader> &readers);
void addCollectiveReaders(llvm::StringMap<Reader> &readers);
void addCallReaders(llvm::StringMap<Reader> &readers);
void addAsynchronousReaders(llvm::StringMap<Reader> &readers);

} // namespace spmd::import_hlo
