// The graph that analyses run on: a program reduced to what matters for sharding.
//
// Flat and index-based. A *value* is a tensor: a shape and a sharding. An *op* has a rule and lists
// of operand and result values. An *edge* ties values that are the same tensor at another place: a
// call's argument and the callee's, a loop's carry and what its body returns; it is an op whose
// rule is the identity. So no engine treats calls or regions specially.
//
// Equal shapes, rules and shardings are stored once and compared by index, so that an engine can
// remember what it did for one op and reuse it for the thousands like it. User priorities are kept
// beside the shardings, for values that differ in them alone lie alike.
//
//     value 0: 16x64xf32 pinned [{"x"}, {}]          (text form, one line a value and an op)
//     value 1: 64x32xf32
//     op 0: (0, 1) -> (2) ([i, k], [k, j])->([i, j]) {i=16, k=64, j=32} reduction={k}
#pragma once

#include "spmd/ir/graph/Interned.h"
#include "spmd/ir/rules/OpRule.h"

#include "absl/container/flat_hash_map.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace spmd {

/// A sharding and the index of the mesh it lies on.
struct MeshSharding {
  int32_t mesh = 0;
  Sharding sharding;

  friend bool operator==(const MeshSharding &a, const MeshSharding &b) {
    return a.mesh == b.mesh && a.sharding == b.sharding;
  }
  template <typename H> friend H AbslHashValue(H h, const MeshSharding &s) {
    return H::combine(std::move(h), s.mesh, s.sharding);
  }
};

class ShardGraph {
public:
  using Shape = std::vector<int64_t>;
  static constexpr int32_t none = -1;

  /// Small: there are millions of them, looked at in any order.
  struct Value {
    Value(int32_t shape, int32_t elementBits)
        : shape(shape), elementBits(std::clamp(elementBits, -1, maxElementBits)) {}

    static constexpr int32_t maxElementBits = (1 << 23) - 1;

    int32_t shape;
    /// Bits of one element.
    int32_t elementBits : 24;
    ShardingState state = ShardingState::unspecified;
    /// Index of a MeshSharding, or `none`.
    int32_t sharding = none;
    /// The op whose step gave the value its sharding, or `none`.
    int32_t origin = none;
    float turns = 1; ///< How often it is made: inside a loop more than once.
  };
  static_assert(sizeof(Value) == 20);

  struct Op {
    int32_t rule;
    int32_t firstTensor; ///< In the list of tensors: operands, then results.
    int32_t numOperands;
    int32_t numResults;
    float turns = 1; ///< How often it runs: inside a loop more than once.
  };

  /// Values [first, last) are parts along axes of meshes, by number of both: these split nothing
  /// more of them.
  struct Parts {
    int32_t first, last;
    std::vector<std::pair<int32_t, int32_t>> axes;
  };

  /// Makes room for so many more of each; growth stays geometric.
  void reserve(size_t moreValues, size_t moreOps, size_t moreTensors);

  int32_t addMesh(const Mesh &mesh) { return meshes_.intern(mesh); }
  int32_t addValue(const Shape &shape, int32_t elementBits) {
    return addValueOfShape(internShape(shape), elementBits);
  }
  int32_t addValueOfShape(int32_t shape, int32_t elementBits, float turns = 1) {
    values_.push_back({shape, elementBits});
    values_.back().turns = turns;
    return numValues() - 1;
  }
  int32_t addOp(int32_t rule, absl::Span<const int32_t> operands,
                absl::Span<const int32_t> results);
  /// Adds the tensors of ops to come, said by numbers that are less by `shift`. Returns where the
  /// first is, for `Op::firstTensor`.
  int32_t addTensors(absl::Span<const int32_t> tensors, int32_t shift = 0);
  /// Adds an op on tensors that were added.
  int32_t addOp(const Op &op) {
    ops_.push_back(op);
    return numOps() - 1;
  }
  int32_t addOp(const OpRule &rule, absl::Span<const int32_t> operands,
                absl::Span<const int32_t> results);
  /// Ties `values`, which are one tensor at several places.
  int32_t addEdge(absl::Span<const int32_t> values);
  /// Returns the rule that does so for `count` values of a shape.
  int32_t ruleOfEdge(int32_t shape, size_t count);

  int32_t internRule(const OpRule &rule) { return rules_.intern(rule); }
  /// Requires a sharding whose dims have no priorities.
  int32_t internSharding(const MeshSharding &sharding) { return shardings_.intern(sharding); }
  int32_t internShape(const Shape &shape) { return shapes_.intern(shape); }

  int32_t numValues() const { return static_cast<int32_t>(values_.size()); }
  int32_t numOps() const { return static_cast<int32_t>(ops_.size()); }
  int32_t numRules() const { return rules_.size(); }
  int32_t numShardings() const { return shardings_.size(); }
  int32_t numMeshes() const { return meshes_.size(); }

  Value &value(int32_t index) { return values_[index]; }
  const Value &value(int32_t index) const { return values_[index]; }
  Op &op(int32_t index) { return ops_[index]; }
  const Op &op(int32_t index) const { return ops_[index]; }
  const OpRule &rule(int32_t index) const { return rules_[index]; }
  const MeshSharding &sharding(int32_t index) const { return shardings_[index]; }
  const Shape &shape(int32_t index) const { return shapes_[index]; }
  const Mesh &mesh(int32_t index) const { return meshes_[index]; }

  /// Gives a value a sharding, with the user priorities of its dims.
  void setSharding(int32_t value, MeshSharding sharding);
  /// Returns the sharding of a value that has one, with the user priorities of its dims.
  MeshSharding shardingOf(int32_t value) const;
  /// Returns the user priority of a dim, 0 the highest, which is also that of a dim without one.
  int64_t priorityOf(int32_t value, int32_t dim) const {
    return hasPriorities(value) ? priorities_[firstPriorities_[value] + dim].value_or(0) : 0;
  }
  /// Whether some value was given a sharding with a user priority below the highest.
  bool hasLowerPriorities() const;
  /// Lets dims of every user priority take part from the start.
  void admitAllPriorities() { admitsAllPriorities_ = true; }
  bool admitsAllPriorities() const { return admitsAllPriorities_; }
  /// Whether some dim of the sharding that the value was given has a user priority.
  bool hasPriorities(int32_t value) const {
    return static_cast<size_t>(value) < firstPriorities_.size() && firstPriorities_[value] != none;
  }
  void dropPriorities(int32_t value) {
    if (hasPriorities(value))
      firstPriorities_[value] = none;
  }
  void copyPriorities(int32_t from, int32_t to);
  /// Makes nothing known of a value: it may learn anew, on another mesh, too.
  void forget(int32_t index) {
    value(index).state = ShardingState::unspecified;
    value(index).sharding = none;
    dropPriorities(index);
  }

  /// What are parts along axes, as inside a region that makes them manual. Ranges may nest.
  void addParts(Parts parts) { parts_.push_back(std::move(parts)); }
  absl::Span<const Parts> parts() const { return parts_; }

  /// Notes that an op computes nothing: it says how its one tensor lies. In order of ops.
  void addPlacement(int32_t op) { placements_.push_back(op); }
  absl::Span<const int32_t> placements() const { return placements_; }

  /// Operands, then results.
  absl::Span<const int32_t> tensorsOf(const Op &op) const {
    return absl::MakeConstSpan(tensors_).subspan(op.firstTensor, op.numOperands + op.numResults);
  }

  /// Size of the whole tensor in bytes.
  double bytesOf(const Value &value) const;

  /// Returns for each value the ops that it is a tensor of, as one list cut by `offsets`: the ops
  /// of value v are at offsets[v] .. offsets[v+1]-1, in program order, an op once for each
  /// occurrence.
  void opsOfValues(std::vector<int32_t> &offsets, std::vector<int32_t> &ops) const;

  /// Returns the text form. Linear in the graph.
  std::string str() const;

private:
  Interned<Mesh> meshes_;
  Interned<Shape> shapes_;
  Interned<OpRule> rules_;
  Interned<MeshSharding> shardings_;
  std::vector<Value> values_;
  std::vector<Op> ops_;
  std::vector<int32_t> tensors_;
  std::vector<Parts> parts_;
  std::vector<int32_t> placements_;
  std::vector<std::optional<int64_t>> priorities_; ///< Of all dims of the values that have some.
  /// By value, that of its dim 0, or `none`. As long as it has to be: mostly empty.
  std::vector<int32_t> firstPriorities_;
  bool admitsAllPriorities_ = false;
  /// The rules of edges, by the shape and the number of their values.
  absl::flat_hash_map<std::pair<int32_t, size_t>, int32_t> edgeRules_;
};

/// The ops of each value, as ShardGraph::opsOfValues lists them.
struct ValueUses {
  explicit ValueUses(const ShardGraph &graph) { graph.opsOfValues(offsets, ops); }

  absl::Span<const int32_t> of(int32_t value) const {
    return absl::MakeConstSpan(ops).subspan(offsets[value], offsets[value + 1] - offsets[value]);
  }

  std::vector<int32_t> offsets, ops;
};

/// Checks that indices are in range, that ranks and sizes of tensors agree with the rules of their
/// ops, and that shardings are valid for their values. Returns every finding, in program order.
std::vector<std::string> verify(const ShardGraph &graph);

/// Returns the rule that ties `count` tensors of `shape`, the first as operand, the rest as
/// results.
OpRule identityRule(const ShardGraph::Shape &shape, size_t count);

class ShardGraphProto;

ShardGraphProto toProto(const ShardGraph &graph);

/// InvalidArgument, naming the value or op, if `proto` is not a valid graph.
absl::StatusOr<ShardGraph> fromProto(const ShardGraphProto &proto);

} // namespace spmd
