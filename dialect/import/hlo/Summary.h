// What is known of a computation before it is read.
#pragma once

#include "spmd/dialect/import/hlo/ImportHlo.h"

#include "absl/container/flat_hash_map.h"
#include "mlir/IR/OperationSupport.h"

#include <limits>
#include <map>

namespace spmd::import_hlo {

class ComputationImporter;

/// Reads one instruction. Succeeds with its results made, or fails after a diagnostic.
using Reader = mlir::LogicalResult (*)(ComputationImporter &);

/// What to do with the instructions of one opcode.
struct KnownOpcode {
  Reader read = nullptr; ///< Null if nothing reads them.
  /// The op that takes the operands as they are, if there is one.
  std::optional<mlir::OperationName> sameOp;
};

/// One walk over a computation gathers what is asked for many times.
struct Summary {
  /// Of each instruction.
  std::vector<const KnownOpcode *> opcodes;
  /// By number; of several with one number the last.
  std::map<int64_t, const hlo::HloInstructionProto *> parameters;
  const hlo::HloInstructionProto *root = nullptr;
  int64_t leastId = std::numeric_limits<int64_t>::max();
  int64_t greatestId = std::numeric_limits<int64_t>::min();
};

/// Things by the ids of the instructions of one computation. Ids may be any numbers; as a rule
/// those of a computation lie close together, and are indices then.
template <typename Thing> class IdMap {
public:
  explicit IdMap(const Summary &summary) : leastId(summary.leastId) {
    uint64_t range = static_cast<uint64_t>(summary.greatestId) - static_cast<uint64_t>(leastId);
    if (!summary.opcodes.empty() && range / 4 <= summary.opcodes.size())
      places.resize(range + 1);
    things.reserve(summary.opcodes.size());
  }

  /// Returns what was added for `id`, or null. Stays where it is.
  const Thing *find(int64_t id) const {
    uint64_t index = static_cast<uint64_t>(id) - static_cast<uint64_t>(leastId);
    if (!places.empty())
      return index < places.size() && places[index] > 0 ? &things[places[index] - 1] : nullptr;
    auto found = scattered.find(id);
    return found == scattered.end() ? nullptr : &things[found->second - 1];
  }

  /// Adds `thing` for the id of one of the computation's instructions.
  void add(int64_t id, Thing thing) {
    things.push_back(std::move(thing));
    if (places.empty())
      scattered[id] = things.size();
    else
      places[static_cast<uint64_t>(id) - static_cast<uint64_t>(leastId)] = things.size();
  }

private:
  int64_t leastId;
  std::vector<Thing> things;
  // From 1; one of the two is empty.
  std::vector<uint32_t> places;
  absl::flat_hash_map<int64_t, size_t> scattered;
};

} // namespace spmd::import_hlo
