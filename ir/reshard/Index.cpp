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
  static const std::shared_ptr<const Node> zero = std::make_shared<Node>(Node{Op::constant, 0, 0});
  node = value == 0 ? zero : std::make_shared<Node>(Node{Op::constant, value, value, value});
}

Index Index::coordinate(MeshSide side, absl::Span<const AxisRef> axes) {
  return Index(std::make_shared<Node>(
      Node{Op::coordinate, 0, sizeOf(axes) - 1, 0, side, AxisList(axes.begin(), axes.end()), {}}));
}

Index Index::combine(Op op, const Index &a, const Index &b, int64_t low, int64_t high) {
  if (a.isConstant() && b.isConstant())
    return Index(apply(op, a.value(), b.value()));
  return Index(std::make_shared<Node>(Node{op, low, high, 0, MeshSide::from, {}, {a, b}}));
}

// Constants are kept on the right, and joined.

Index operator+(const Index &a, const Index &b) {
  if (a.isConstant() && !b.isConstant())
    return b + a;
  if (b.isConstant(0))
    return a;
  if (b.isConstant() && a.op() == Index::Op::add && a.rhs().isConstant())
    return a.lhs() + Index(a.rhs().value() + b.value());
  return Index::combine(Index::Op::add, a, b, a.low() + b.low(), a.high() + b.high());
}

Index operator*(const Index &a, int64_t b) {
  if (b == 0)
    return Index(0);
  if (b == 1)
    return a;
  if (a.op() == Index::Op::multiply)
    return a.lhs() * (a.rhs().value() * b);
  if (a.op() == Index::Op::add && a.rhs().isConstant())
    return a.lhs() * b + Index(a.rhs().value() * b);
  return Index::combine(Index::Op::multiply, a, b, std::min(a.low() * b, a.high() * b),
                        std::max(a.low() * b, a.high() * b));
}

Index minimum(const Index &a, const Index &b) {
  if (a.node == b.node || a.high() <= b.low())
    return a;
  if (b.high() <= a.low())
    return b;
  return Index::combine(Index::Op::minimum, a, b, std::min(a.low(), b.low()),
                        std::min(a.high(), b.high()));
}

Index maximum(const Index &a, const Index &b) {
  if (a.node == b.node || a.low() >= b.high())
    return a;
  if (b.low() >= a.high())
    return b;
  return Index::combine(Index::Op::maximum, a, b, std::max(a.low(), b.low()),
                        std::max(a.high(), b.high()));
}

int64_t Index::evaluate(
    const std::function<int64_t(MeshSide, absl::Span<const AxisRef>)> &coordinateAt) const {
  if (op() == Op::constant)
    return value();
  if (op() == Op::coordinate)
    return coordinateAt(side(), axes());
  return apply(op(), lhs().evaluate(coordinateAt), rhs().evaluate(coordinateAt));
}

std::string Index::str(const Mesh &from, const Mesh &to) const {
  auto factor = [&](const Index &index) {
    std::string text = index.str(from, to);
    return index.op() == Op::add ? absl::StrCat("(", text, ")") : text;
  };
  switch (op()) {
  case Op::constant:
    return absl::StrCat(value());
  case Op::coordinate:
    return side() == MeshSide::from ? absl::StrCat("{", spmd::str(toSpecs(from, axes())), "}")
                                    : absl::StrCat("to{", spmd::str(toSpecs(to, axes())), "}");
  case Op::add:
    if (rhs().isConstant() && rhs().value() < 0)
      return absl::StrCat(lhs().str(from, to), " - ", -rhs().value());
    return absl::StrCat(lhs().str(from, to), " + ", rhs().str(from, to));
  case Op::multiply:
    return absl::StrCat(factor(lhs()), " * ", factor(rhs()));
  case Op::minimum:
    return absl::StrCat("min(", lhs().str(from, to), ", ", rhs().str(from, to), ")");
  case Op::maximum:
    return absl::StrCat("max(", lhs().str(from, to), ", ", rhs().str(from, to), ")");
  }
  return "";
}

} // namespace spmd
