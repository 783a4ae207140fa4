// Arithmetic on where a device stands: the offsets of local slices.
//
// Every device runs the same steps; what differs is an offset, and an offset is an expression over
// the device's coordinates. 12 rows, cut over "y"=3 into pieces of 4, are sliced at
//
//     {"y"} * 4
//
// where {"y"} is the position of the device along "y". No table of devices occurs, so an offset is
// as long for 8192 devices as for 8.
#pragma once

#include "spmd/ir/sharding/AxisRef.h"

#include <functional>
#include <memory>

namespace spmd {

/// Which of the two meshes of a reshard axes belong to. They are the same mesh more often than not.
enum class MeshSide : uint8_t { from, to };

/// An integer expression over mesh coordinates. A value; copies share their nodes. Each knows the
/// range of its values, so that a bound that is never reached disappears as the expression is
/// built.
class Index {
public:
  enum class Op : uint8_t { constant, coordinate, add, multiply, minimum, maximum };

  /// The constant 0.
  Index() : Index(0) {}
  /*implicit*/ Index(int64_t value);
  /// Returns the position of the device along `axes` of one mesh, 0 .. sizeOf(axes)-1.
  static Index coordinate(MeshSide side, absl::Span<const AxisRef> axes);

  Op op() const { return node->op; }
  /// The number, of a constant.
  int64_t value() const { return node->value; }
  /// The axes, of a coordinate.
  MeshSide side() const { return node->side; }
  absl::Span<const AxisRef> axes() const { return node->axes; }
  /// The operands, of everything else.
  const Index &lhs() const { return node->operands[0]; }
  const Index &rhs() const { return node->operands[1]; }

  /// Bounds of the values it takes, both included.
  int64_t low() const { return node->low; }
  int64_t high() const { return node->high; }

  bool isConstant() const { return op() == Op::constant; }
  bool isConstant(int64_t value) const { return op() == Op::constant && this->value() == value; }

  /// Returns the value where `coordinateAt` says where the device stands.
  int64_t
  evaluate(const std::function<int64_t(MeshSide, absl::Span<const AxisRef>)> &coordinateAt) const;

  /// Returns `{"x"} * 2 + 1`; axes of the second mesh are written `to{"x"}`.
  std::string str(const Mesh &from, const Mesh &to) const;

  friend Index operator+(const Index &a, const Index &b);
  friend Index operator*(const Index &a, int64_t b);
  friend Index minimum(const Index &a, const Index &b);
  friend Index maximum(const Index &a, const Index &b);

private:
  struct Node {
    Op op;
    int64_t low;
    int64_t high;
    int64_t value = 0;
    MeshSide side = MeshSide::from;
    AxisList axes = {};
    std::vector<Index> operands = {};
  };
  explicit Index(std::shared_ptr<const Node> node) : node(std::move(node)) {}
  static Index combine(Op op, const Index &a, const Index &b, int64_t low, int64_t high);

  std::shared_ptr<const Node> node;
};

Index operator+(const Index &a, const Index &b);
Index operator*(const Index &a, int64_t b);
Index minimum(const Index &a, const Index &b);
Index maximum(const Index &a, const Index &b);

} // namespace spmd
