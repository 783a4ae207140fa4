#include "spmd/passes/why/Why.h"

#include "spmd/passes/propagate/Spread.h"
#include "spmd/passes/why/Chains.h"
#include "spmd/passes/why/Collectives.h"
#include "spmd/passes/why/LeastBytes.h"
#include "spmd/passes/why/Trials.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/BitVector.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>

namespace spmd {

namespace {

class Explainer {
public:
  Explainer(const std::vector<FoundCollective> &found, ChainFinder &finder, WhyReport &report)
      : found(found), finder(finder), least(finder.codec()), report(report) {}

  void run() {
    for (const FoundCollective &each : found)
      report.collectives.push_back(tell(each));
    joinMoves();
  }

  /// Tries lines for the collectives that move most first: there may not be time for all.
  void advise(Trials &trials) {
    std::vector<size_t> order(found.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return std::pair(found[b].wireBytes, a) < std::pair(found[a].wireBytes, b);
    });
    for (size_t index : order)
      advise(found[index], report.collectives[index], trials);
  }

private:
  /// Where collectives were merged, this many of the moves are told of.
  static constexpr size_t mostCauses = 8;

  WhyCollective tell(const FoundCollective &each) {
    WhyCollective told;
    told.kind = each.kind;
    told.runs = each.runs;
    told.hasUnknownTrips = each.hasUnknownTrips;
    told.groupSize = each.groupSize;
    told.wireBytes = each.wireBytes;
    told.sharesMoveWith = firstOfMove(each);
    told.least = told.sharesMoveWith < 0 ? std::optional<int64_t>(0) : std::nullopt;
    for (const Cause &cause : each.causes) {
      std::optional<int64_t> bytes = least.of(cause);
      if (bytes)
        bytes = *bytes * each.runs;
      told.least = told.least && bytes ? std::optional(*told.least + *bytes) : std::nullopt;
      if (told.causes.size() == mostCauses)
        continue;
      told.causes.push_back(finder.tell(cause));
      told.causes.back().least = bytes;
    }
    // What moves data by itself, or was written so, is the least for what it does.
    bool isMove = llvm::any_of(each.causes, [](const Cause &cause) { return cause.from; });
    if (!isMove)
      told.least = each.wireBytes;
    return told;
  }

  /// Returns the collective before that is made of the same move, or -1. The location of a move is
  /// that of its value and of the op that wants it so, in both layouts.
  int32_t firstOfMove(const FoundCollective &each) {
    bool isMove = llvm::any_of(each.causes, [](const Cause &cause) { return cause.from; });
    auto [entry, isNew] = firstAt.try_emplace(each.op->getLoc(), report.collectives.size());
    // A second use of the same op, as in a copy of its function, has a move of its own.
    if (isNew || !isMove || found[entry->second].op->getBlock() != each.op->getBlock() ||
        found[entry->second].kind == each.kind)
      return -1;
    return static_cast<int32_t>(entry->second);
  }

  using MoveKey = std::array<const void *, 5>;

  static MoveKey keyOf(const Cause &cause) {
    return {cause.user.getAsOpaquePointer(), cause.value.getAsOpaquePointer(),
            cause.from.getAsOpaquePointer(), cause.to.getAsOpaquePointer(),
            cause.type.getAsOpaquePointer()};
  }

  /// No bound may stand at less than it. One that does is that of a move which other collectives
  /// are part of, too, or of several moves that became one: of sums that are added before they are
  /// reduced, of a part that is made before a loop. So the bound is for all collectives that such
  /// moves have in common.
  void joinMoves() {
    llvm::DenseMap<size_t, llvm::SmallVector<size_t>> parts; // By the first collective of a move.
    std::map<MoveKey, llvm::SmallVector<size_t>> makers;
    for (size_t i = 0; i < found.size(); ++i) {
      if (int32_t first = report.collectives[i].sharesMoveWith; first >= 0)
        parts[first].push_back(i);
      for (const Cause &cause : found[i].causes)
        if (cause.from)
          makers[keyOf(cause)].push_back(i);
    }
    llvm::BitVector isJoined(found.size());
    for (size_t i = 0; i < found.size(); ++i)
      if (const WhyCollective &told = report.collectives[i];
          !isJoined[i] && told.least && *told.least > told.wireBytes)
        join(i, makers, parts, isJoined);
  }

  void join(size_t start, const std::map<MoveKey, llvm::SmallVector<size_t>> &makers,
            const llvm::DenseMap<size_t, llvm::SmallVector<size_t>> &parts,
            llvm::BitVector &isJoined) {
    llvm::SmallVector<size_t> members = {start};
    isJoined.set(start);
    auto reach = [&](size_t other) {
      if (!isJoined[other])
        members.push_back(other);
      isJoined.set(other);
    };
    std::map<MoveKey, std::optional<int64_t>> bounds; // The fewest bytes of each move.
    int64_t sent = 0;
    for (size_t at = 0; at < members.size(); ++at) {
      size_t member = members[at];
      sent += report.collectives[member].wireBytes;
      if (int32_t first = report.collectives[member].sharesMoveWith; first >= 0)
        reach(first);
      if (auto rest = parts.find(member); rest != parts.end())
        llvm::for_each(rest->second, reach);
      for (const Cause &cause : found[member].causes) {
        if (!cause.from)
          continue;
        std::optional<int64_t> bytes = least.of(cause);
        if (bytes)
          bytes = *bytes * found[member].runs;
        auto [entry, isNew] = bounds.try_emplace(keyOf(cause), bytes);
        if (!isNew && bytes)
          entry->second = std::min(entry->second.value_or(*bytes), *bytes);
        llvm::for_each(makers.at(keyOf(cause)), reach);
      }
    }
    std::optional<int64_t> sum = 0, largest;
    for (const auto &[key, bytes] : bounds) {
      sum = sum && bytes ? std::optional(*sum + *bytes) : std::nullopt;
      if (bytes && *bytes <= sent)
        largest = std::max(largest.value_or(0), *bytes);
    }
    size_t first = *std::min_element(members.begin(), members.end());
    for (size_t member : members) {
      report.collectives[member].least = std::nullopt;
      report.collectives[member].sharesMoveWith =
          member == first ? -1 : static_cast<int32_t>(first);
    }
    report.collectives[first].least = sum && *sum <= sent ? sum : largest;
  }

  void advise(const FoundCollective &each, WhyCollective &told, Trials &trials) {
    for (const Cause &cause : llvm::ArrayRef(each.causes).take_front(mostCauses))
      for (const TriedLine &line : linesFor(cause, finder)) {
        if (!trials.mayTry() && !trials.isKnown(line))
          continue;
        told.wasTried = true;
        std::optional<WhyAdvice> advice = trials.attempt(line);
        if (advice && llvm::none_of(told.advice, [&](const WhyAdvice &known) {
              return known.write == advice->write;
            }))
          told.advice.push_back(*advice);
      }
    std::sort(told.advice.begin(), told.advice.end(), [](const WhyAdvice &a, const WhyAdvice &b) {
      return std::tie(a.wireBytes, a.localBytes, a.write) <
             std::tie(b.wireBytes, b.localBytes, b.write);
    });
    constexpr size_t mostAdvice = 3;
    if (told.advice.size() > mostAdvice)
      told.advice.resize(mostAdvice);
  }

  const std::vector<FoundCollective> &found;
  ChainFinder &finder;
  LeastBytes least;
  WhyReport &report;
  llvm::DenseMap<mlir::Attribute, size_t> firstAt; ///< By location.
};

} // namespace

mlir::FailureOr<WhyReport> explainCollectives(mlir::ModuleOp original, mlir::ModuleOp partitioned,
                                              const PipelineOptions &options) {
  mlir::IRMapping copies;
  mlir::OwningOpRef<mlir::ModuleOp> copy = llvm::cast<mlir::ModuleOp>(original->clone(copies));
  History history;
  mlir::FailureOr<std::unique_ptr<ProgramGraph>> program =
      propagateModule(*copy, options.conflicts, options.hints, &history);
  if (mlir::failed(program))
    return mlir::failure();
  WhyReport report;
  report.program = original.getName().value_or("").str();
  std::vector<FoundCollective> found = findCollectives(partitioned);
  report.wireBytes = wireBytesOf(found);
  if (mlir::func::FuncOp entry = entryOf(partitioned))
    report.localBytes = bytesOf(entry.getArgumentTypes()) + bytesOf(entry.getResultTypes());
  int32_t mesh = (*program)->codec.mainMesh();
  if (mesh < 0)
    return report; // One device, or none that is named.
  report.mesh = (*program)->codec.mesh(mesh).str();
  report.numDevices = (*program)->codec.mesh(mesh).numDevices();
  ChainFinder finder(**program, history);
  Explainer explainer(found, finder, report);
  explainer.run();
  Trials trials(original, copies, options, report.wireBytes);
  explainer.advise(trials);
  return report;
}

} // namespace spmd
