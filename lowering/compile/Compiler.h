// The walk from a module to a device program: private to this folder.
#pragma once

#include "spmd/dialect/interpreter/Dialect.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/lowering/compile/Emitter.h"
#include "spmd/lowering/compile/Grid.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace spmd {

/// Compiles functions to those of one program, each op by the handler of its name, if it has one,
/// else to the instruction of the same name. Used once.
class Compiler {
public:
  Compiler(mlir::ModuleOp module, const Grid &grid)
      : module(module), symbols(module), grid(grid), constants(program) {
    program.name = module.getName().value_or("program").str();
    program.numDevices = grid.numDevices();
    program.numReplicas = grid.numReplicas;
  }

  mlir::FailureOr<DeviceProgram> run(mlir::func::FuncOp main);

  /// Compiles programs that differ by device, without boundaries.
  mlir::FailureOr<DeviceProgram> run(interpreter::RunParallelOp op);

private:
  using Ids = llvm::SmallVector<ValueId, 1>;
  /// What each value is on a device: one tensor; several if it is a tuple.
  using Values = llvm::DenseMap<mlir::Value, Ids>;
  using Handler = void (Compiler::*)(mlir::Operation *, Function &, Values &);

  mlir::FailureOr<DeviceProgram> finish();

  //===- Functions -----------------------------------------------------------===//

  int32_t functionOf(mlir::func::FuncOp func);

  /// Requires that the name is that of a function, which verifiers see to.
  int32_t functionNamed(mlir::Attribute name);

  void compilePending();

  void compileFunction(mlir::func::FuncOp func, int32_t index);

  /// Compiles the only block of `region`, with `captures` as further arguments and copies of the
  /// constants `sunk`, to a function of its own.
  int32_t compileRegion(mlir::Region &region, llvm::StringRef name,
                        llvm::ArrayRef<mlir::Value> captures, llvm::ArrayRef<mlir::Value> sunk,
                        bool yieldsCaptures);

  void compileBlock(mlir::Block &block, Function &function, Values &values,
                    llvm::ArrayRef<mlir::Value> captures = {}, bool isEntry = false,
                    llvm::ArrayRef<mlir::Value> sunk = {});

  /// The program's arguments are tensors; each that is a buffer here begins as one.
  void makeCells(mlir::Block &block, Function &function, Values &values);
  void compileFirstStore(StoreOp store, Function &function, Values &values);

  static void append(std::vector<ValueId> &list, llvm::ArrayRef<ValueId> ids);

  const Ids &define(mlir::Value value, Function &function, Values &values);

  //===- Ops -----------------------------------------------------------------===//

  void compileOp(mlir::Operation *op, Function &function, Values &values);

  Emitter emitterAt(mlir::Operation *op, Function &function);

  Instruction instructionFor(mlir::Operation *op, Values &values);

  void defineResults(mlir::Operation *op, Instruction instruction, Function &function,
                     Values &values);

  /// An op that has no kernel becomes several that do.
  void compileExpanded(mlir::Operation *op, const Instruction &instruction, Function &function,
                       Values &values);

  /// Results are the operands under other names.
  void compileRenaming(mlir::Operation *op, Function &function, Values &values);

  void compileTupleElement(mlir::Operation *op, Function &, Values &values);

  /// Custom calls that only say how a value lies.
  static bool isShardingMarker(mlir::Operation *op);

  /// On one device a value lies the same whatever is said of it.
  void compileShardingOp(mlir::Operation *op, Function &function, Values &values);

  /// The body of `op` runs where `op` stands.
  void compileInPlace(mlir::Operation *op, Function &function, Values &values);

  /// A body of single elements runs fastest without calls.
  void compileInlined(mlir::func::CallOp call, Function &function, Values &values);

  void compileInPlace(mlir::Operation *op, mlir::Block &body, Function &function, Values &values);

  /// A call, or a composite, which is a call of its decomposition.
  void compileCall(mlir::Operation *op, Function &function, Values &values);

  void compileConstant(mlir::Operation *op, Function &function, Values &values);

  /// infeed, outfeed, send and recv: the token they give is the one they take.
  void compileTransfer(mlir::Operation *op, Function &function, Values &values);

  std::vector<int64_t> pairsOf(mlir::Operation *op, mlir::DenseIntElementsAttr pairs) const;

  void compileParallel(mlir::Operation *op, Function &function, Values &values);

  /// An all-reduce that has no body: the sum over replicas.
  void compileReplicaSum(mlir::Operation *op, Function &function, Values &values);

  void compileGeneric(mlir::Operation *op, Instruction &instruction, Values &values);

  /// Values from outside become operands, which a loop carries along; constants are copied into
  /// bodies that are applied to elements.
  void compileRegions(mlir::Operation *op, Instruction &instruction, Values &values);

  void compileGroups(mlir::Operation *op, mlir::Attribute attr, Instruction &instruction);

  //===- Quantized tensors ---------------------------------------------------===//

  /// Returns whether all tensors of `op` can be on a device, if any is quantized; reports that one
  /// cannot, and defines the results.
  bool haveForms(mlir::Operation *op, Function &function, Values &values);

  /// Replaces operands that are quantized by the numbers they stand for.
  void takeNumbers(mlir::Operation *op, Instruction &instruction, Function &function);

  /// Returns the type of the numbers that a tensor holds, quantized or not.
  static std::optional<TensorType> numberType(mlir::Type type);

  /// Lets `instruction` give numbers, and quantizes those that `op` gives quantized.
  void giveNumbers(mlir::Operation *op, Instruction instruction, Function &function,
                   Values &values);

  /// uniform_quantize, whose operand may be quantized otherwise, and uniform_dequantize.
  void compileRequantize(mlir::Operation *op, Function &function, Values &values);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  Grid grid;
  DeviceProgram program;
  ConstantPool constants;
  llvm::DenseMap<mlir::Operation *, int32_t> functionIndex;
  std::vector<std::pair<mlir::func::FuncOp, int32_t>> pending;
  std::map<ReplicaGroups, int32_t> groupIndex;
  llvm::DenseSet<mlir::Operation *> takingLoads;
  /// Stores that make the cells of buffers, which `lateCells` declare.
  llvm::DenseSet<mlir::Operation *> firstStores, lateCells;
  llvm::DenseSet<mlir::Operation *> inlining; ///< Functions whose calls are being inlined.
  bool inScalarBody = false;
  size_t numResults = 0;
  bool failed = false;
};

} // namespace spmd
