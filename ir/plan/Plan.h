// What a user asks for in a file beside the program: a mesh, how values lie on it, rules of custom
// calls, policies.
//
//     mesh { axis { name: "dp" size: 2 } axis { name: "tp" size: 4 } }
//     entry { argument: "x" sharding: '[{"dp"}, {}]' }
//     entry { argument: "up*" colwise { axis: "tp" } }
//     entry { argument: "down*" rowwise { axis: "tp" } }
//
// `plan.proto` is the form of the file. Here is what is left after reading: every text parsed,
// every part with its place, so that whoever applies the plan can say which line asked for what.
#pragma once

#include "spmd/ir/plan/Glob.h"
#include "spmd/ir/sharding/Placements.h"
#include "spmd/ir/textproto/FileFinding.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace spmd {

using PlanPlace = FilePlace;
using PlanFinding = FileFinding;

/// What an entry calls values by.
struct PlanPattern {
  Glob glob;
  PlanPlace place;
};

/// A sharding of all dims, or, in JAX's notation (PartitionSpec.h), of the first dims: those behind
/// them are whole.
struct PlanSharding : ShardingSpec {
  bool isOfFirstDims = false;
};

/// A sharding, complete.
struct ShardingStatement {
  PlanSharding spec;
};

/// DTensor placements, one for each axis of the mesh.
struct PlacementStatement {
  std::vector<AxisPlacement> placements;
};

/// Parameters of a layer whose products the axes split: `colwise` the dims that products keep,
/// `rowwise` those that they sum over.
struct TensorParallelStatement {
  bool isColwise = true;
  std::vector<AxisSpec> axes;
  std::optional<int64_t> dim; ///< Instead of what the products say.
};

/// Parameters that are cut along their largest dim, whatever is done with them.
struct FullyShardedStatement {
  std::vector<AxisSpec> axes;
  std::vector<AxisSpec> replicated; ///< Axes over which there are copies (HSDP).
  bool reshardAfterForward = true;  ///< Otherwise gathered once, for all uses.
};

/// One dim of values: of the sequence, of the classes of a loss. Other dims stay open.
struct DimStatement {
  std::string_view style; ///< As the plan names it.
  std::vector<AxisSpec> axes;
  int64_t dim = 0;         ///< Counted from the end if negative.
  bool mayLackDim = false; ///< Tensors of one dim are whole (parameters of a norm).
};

/// A change of layout at a border: of an op's operand, of an op's result, of an argument or result.
struct ChangeStatement {
  bool isInput = true;
  int64_t operand = 0;
  std::optional<PlanSharding> from;
  PlanSharding to;
};

using PlanStatement = std::variant<ShardingStatement, PlacementStatement, TensorParallelStatement,
                                   FullyShardedStatement, DimStatement, ChangeStatement>;

struct PlanEntry {
  PlanPlace place;          ///< Of the entry.
  PlanPlace statementPlace; ///< Of what it says.
  std::vector<PlanPattern> arguments, results, ops, locations;
  std::optional<int64_t> number; ///< Of the ops' results; all of them without.
  int64_t priority = 0;
  PlanStatement statement;
};

/// How calls of a target split. The sizes of factors are those of each call.
struct PlanRule {
  /// As the messages of the same names in plan.proto say.
  struct Along {
    std::string factor, with;
    std::vector<std::string> ways;
    std::string merge;
    int64_t low = 0, high = 0;
  };
  struct Local {
    std::string attribute, factor;
  };
  struct Condition {
    std::string attribute;
    std::vector<std::string> values, factors;
    std::string fallback; ///< What the op takes without the attribute; empty if nobody says.
  };
  struct Offset {
    int64_t operand = 0;
    std::string factor;
  };

  PlanPlace place;
  std::string target;
  std::string text; ///< Empty: only the reference is given.
  std::vector<Along> along = {};
  std::vector<std::string> even = {};
  std::vector<Local> locals = {};
  std::vector<Condition> onlyIf = {}, unless = {};
  std::vector<Offset> offsets = {};
  std::string backward = "";
  std::vector<int64_t> writes = {};
  std::string reference = "";              ///< A function of the program, or of `referenceFile`.
  std::string referenceFile = "";          ///< Empty: the program.
  std::vector<PlanPattern> locations = {}; ///< Empty: calls that no other rule matches.

  /// Whether there is nothing but the text.
  bool isPlain() const {
    return along.empty() && even.empty() && locals.empty() && onlyIf.empty() && unless.empty() &&
           offsets.empty() && backward.empty() && writes.empty();
  }
};

struct PlanMesh {
  PlanPlace place;
  std::string name; ///< Empty if the plan gives none.
  Mesh mesh;
};

struct ProgramPlan {
  std::string file; ///< For messages.
  std::optional<PlanMesh> mesh;
  std::vector<PlanEntry> entries;
  std::vector<PlanRule> rules;
  std::optional<std::string> onMissing; ///< "error" or "replicate".
  std::optional<std::string> onNoRule;  ///< "error", "replicate" or "infer-from-users".
};

/// Reads a plan: JSON if its first character that is no blank is a brace, else Protobuf's text
/// format. Returns nothing, and at least one finding, if the text is no plan; all findings of a
/// text that parses are listed, in the order of their places. Linear.
std::optional<ProgramPlan> readPlan(std::string_view text, std::string_view file,
                                    std::vector<PlanFinding> &findings);

} // namespace spmd
