// The pass `spmd-verify-memory`: one device holds no more than it may.
//
// The program is compiled for our own runtime, whose plan says what is alive when. Another runtime
// may need more, or less; what is large stays large.

#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/lowering/compile/Compile.h"
#include "spmd/lowering/program/Peak.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/propagate/Lines.h"

#include "llvm/ADT/StringExtras.h"

namespace spmd {

#define GEN_PASS_DEF_VERIFYMEMORYPASS
#include "spmd/passes/Passes.h.inc"

namespace {

/// So many of the largest tensors are named.
constexpr size_t mostNamed = 4;

/// "f.mlir:3:5" as a location; where it is none, that of the module.
mlir::Location locationFrom(llvm::StringRef text, mlir::ModuleOp module) {
  auto [rest, column] = text.rsplit(':');
  auto [file, line] = rest.rsplit(':');
  unsigned lineNumber = 0, columnNumber = 0;
  if (line.getAsInteger(10, lineNumber) || column.getAsInteger(10, columnNumber))
    return module.getLoc();
  return mlir::FileLineColLoc::get(module.getContext(), file, lineNumber, columnNumber);
}

std::string bytes(int64_t number) {
  return std::to_string(number) + (number == 1 ? " byte" : " bytes");
}

/// Returns the line that splits an argument along one axis more; empty if there is none left.
std::string lineThatSplitsFurther(mlir::func::FuncOp main, int32_t number, ShardingCodec &codec) {
  auto global = main.getArgAttrOfType<mlir::TypeAttr>(number, globalTypeAttrName);
  auto type =
      global ? llvm::dyn_cast<mlir::RankedTensorType>(global.getValue()) : mlir::RankedTensorType();
  auto attr = main.getArgAttrOfType<sdy::ShardingAttr>(number, shardingAttrName);
  const MeshSharding *known = type && attr ? codec.decode(attr) : nullptr;
  std::optional<MeshSharding> sharding =
      known ? codec.onAxes(*known, type.getRank()) : std::nullopt;
  if (!sharding)
    return "";
  const Mesh &mesh = codec.mesh(sharding->mesh);
  for (int64_t d = 0; d < type.getRank(); ++d) {
    AxisList &axes = sharding->sharding.dims[d].axes;
    int64_t rows = type.getDimSize(d) / sizeOf(axes);
    AxisList more = axisToSplit(mesh, sharding->sharding.usedAxes(), rows);
    if (more.empty() || type.getDimSize(d) % (sizeOf(axes) * sizeOf(more)) != 0)
      continue;
    for (const AxisRef &axis : more)
      appendMerged(axes, axis);
    std::string line = "%arg" + std::to_string(number) + ": ";
    llvm::raw_string_ostream(line)
        << type << " {sdy.sharding = #sdy.sharding<"
        << innerText(codec.encode({sharding->mesh, sharding->sharding.layout()})) << ">}";
    return line;
  }
  return "";
}

struct VerifyMemoryPass : impl::VerifyMemoryPassBase<VerifyMemoryPass> {
  using VerifyMemoryPassBase::VerifyMemoryPassBase;

  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    if (limit == 0)
      return;
    mlir::FailureOr<DeviceProgram> program = compileModule(module);
    if (mlir::failed(program))
      return signalPassFailure();
    PeakMoment moment = peakMoment(*program);
    if (moment.bytes <= 0 || static_cast<uint64_t>(moment.bytes) <= limit)
      return;
    report(module, moment);
    signalPassFailure();
  }

private:
  void report(mlir::ModuleOp module, const PeakMoment &moment) {
    auto error = mlir::emitError(locationFrom(moment.location, module));
    error << "a device holds " << bytes(moment.bytes) << " at once "
          << (moment.op.empty() ? "as its arguments" : "at '" + moment.op + "'")
          << ", more than memory-limit=" << std::to_string(limit) << "; split what is largest";
    ShardingCodec codec(module);
    auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
    size_t named = 0;
    for (const PeakMoment::Held &held : moment.held) {
      if (named++ == mostNamed)
        break;
      if (held.argument < 0) {
        error.attachNote(locationFrom(held.location, module))
            << bytes(held.bytes) << ": "
            << (held.op.empty() ? "what a loop or a call takes" : "result of '" + held.op + "'")
            << (held.op == "all_gather" ? "; spmd-run --why tells what it is gathered for" : "");
        continue;
      }
      bool isKnown = main && held.argument < static_cast<int32_t>(main.getNumArguments());
      mlir::Diagnostic &note =
          error.attachNote(isKnown ? main.getArgument(held.argument).getLoc() : module.getLoc());
      note << bytes(held.bytes) << ": argument " << held.argument << " of @main";
      if (std::string line = isKnown ? lineThatSplitsFurther(main, held.argument, codec) : "";
          !line.empty())
        note << "; to split it further, write: " << line;
    }
  }
};

} // namespace
} // namespace spmd
