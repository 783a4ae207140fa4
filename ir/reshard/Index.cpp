#include "spmd/ir/reshard/Index.h"

#include "spmd/ir/sharding/Spec.h"

#include "absl/strings/str_cat.h"

#include <algorithm>

namespace spmd {

static int64_t apply(Index::Op op, int64_t a, int64_t b) {
  switch (op) {
  case Index::Op::add:
    return a + b;
  case Index::Op::multiply:
    return a * b;
  case Index::Op::minimum:
    return std::min(a, b);
  case Index::Op::maximum:
    return std::max(a, b);
  case Index::Op::constant:
  case Index::Op::coordinate:
    break;
  }
  return a;
}

Index::Index(int64_t value) {
  static const std::shared_ptr<const Node> zero = std::make_shared<Node>(Node{Op::constant});
  node = value == 0 ? zero : std::make_shared<Node>(Node{Op::constant, value});
}

Index Index::coordinate(MeshSide side, absl::Span<const AxisRef> axes) {
  return Index(std::make_shared<Node>(
      Node{Op::coordinate, 0, side, AxisList(axes.begin(), axes.end()), {}}));
}

Index Index::combine(Op op, const Index &a, const Index &b) {
  if (a.op() == Op::constant && b.op() == Op::constant)
    return Index(apply(op, a.value(), b.value()));
  return Index(std::make_shared<Node>(Node{op, 0, MeshSide::from, {}, {a, b}}));
}

Index operator+(const Index &a, const Index &b) {
  if (a.isConstant(0))
    return b;
  if (b.isConstant(0))
    return a;
  return Index::combine(Index::Op::add, a, b);
}

Index operator*(const Index &a, const Index &b) {
  if (a.isConstant(0) || b.isConstant(0))
    return Index(0);
  if (a.isConstant(1))
    return b;
  if (b.isConstant(1))
    return a;
  return Index::combine(Index::Op::multiply, a, b);
}

Index minimum(const Index &a, const Index &b) { return Index::combine(Index::Op::minimum, a, b); }
Index maximum(const Index &a, const Index &b) { return Index::combine(Index::Op::maximum, a, b); }

int64_t Index::evaluate(
    const std::function<int64_t(MeshSide, absl::Span<const AxisRef>)> &coordinateAt) const {
  if (op() == Op::constant)
    return value();
  if (op() == Op::coordinate)
    return coordinateAt(side(), axes());
  return apply(op(), lhs().evaluate(coordinateAt), rhs().evaluate(coordinateAt));
}

std::string Index::str(const Mesh &from, const Mesh &to) const {
  auto operand = [&](const Index &index, bool inProduct) {
    std::string text = index.str(from, to);
    return inProduct && index.op() == Op::add ? absl::StrCat("(", text, ")") : text;
  };
  switch (op()) {
  case Op::constant:
    return absl::StrCat(value());
  case Op::coordinate:
    return side() == MeshSide::from ? absl::StrCat("{", spmd::str(toSpecs(from, axes())), "}")
                                    : absl::StrCat("to{", spmd::str(toSpecs(to, axes())), "}");
  case Op::add:
    return absl::StrCat(operand(lhs(), false), " + ", operand(rhs(), false));
  case Op::multiply:
    return absl::StrCat(operand(lhs(), true), " * ", operand(rhs(), true));
  case Op::minimum:
    return absl::StrCat("min(", lhs().str(from, to), ", ", rhs().str(from, to), ")");
  case Op::maximum:
    return absl::StrCat("max(", lhs().str(from, to), ", ", rhs().str(from, to), ")");
  }
  return "";
}

} // namespace spmd
