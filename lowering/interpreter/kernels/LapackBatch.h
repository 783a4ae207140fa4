// What a routine of linear algebra sees of a call on a batch of matrices.
#pragma once

#include "spmd/lowering/interpreter/kernels/Kernels.h"

#include "absl/strings/str_cat.h"

#include <algorithm>
#include <complex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace spmd::lapack {

/// One matrix or vector out of each operand and result of a call, by columns.
template <typename T> using Array = std::vector<T>;

struct Shape {
  int rows = 1, columns = 1;
};

/// A system of equations. The first entry of `lower` and the last of `upper` are unused.
template <typename T> struct Tridiagonal {
  Array<T> lower, main, upper; ///< Of as many entries as `b` has rows.
  Array<T> b;
  Shape shape; ///< Of `b`.
};

template <typename T> constexpr ElementType elementOf() {
  if (std::is_same_v<T, int>)
    return ElementType::i32;
  return std::is_same_v<T, float>                 ? ElementType::f32
         : std::is_same_v<T, double>              ? ElementType::f64
         : std::is_same_v<T, std::complex<float>> ? ElementType::complexF32
                                                  : ElementType::complexF64;
}

/// What a routine sees: number `index` of the batch. What is not as the routine takes it is noted:
/// a routine reads zeros for it, and writes nothing. LAPACK prints a line for an option that it
/// does not know, so none of these reaches it.
class Batch {
public:
  Batch(const KernelCall &call, const Attributes &attributes, int64_t index, int64_t size)
      : call(call), attributes(attributes), index(index), size(size) {}

  /// The sizes of one matrix of operand or result `i`; none if it has no matrices.
  Shape shapeIn(size_t i) const { return shapeOf(call.inputs[i]); }
  Shape shapeOut(size_t i) const { return shapeOf(call.outputs[i]); }

  template <typename T> Array<T> matrixIn(size_t i) const {
    Shape shape = shapeIn(i);
    Array<T> out(static_cast<size_t>(shape.rows) * shape.columns);
    if (!expectElement<T>("operand ", i, call.inputs[i]))
      return out;
    const T *from = call.inputs[i].as<T>() + index * shape.rows * shape.columns;
    for (int r = 0; r < shape.rows; ++r)
      for (int c = 0; c < shape.columns; ++c)
        out[r + static_cast<size_t>(c) * shape.rows] = *from++;
    return out;
  }
  template <typename T, typename From> void matrixOut(size_t i, const Array<From> &values) const {
    Shape shape = shapeOut(i);
    if (!expect(values.size() == static_cast<size_t>(shape.rows) * shape.columns) ||
        !expectElement<T>("result ", i, call.outputs[i]))
      return;
    T *to = call.outputs[i].mutableAs<T>() + index * shape.rows * shape.columns;
    for (int r = 0; r < shape.rows; ++r)
      for (int c = 0; c < shape.columns; ++c)
        *to++ = T(values[r + static_cast<size_t>(c) * shape.rows]);
  }
  template <typename T> Array<T> vectorIn(size_t i) const {
    int64_t n = call.inputs[i].numElements() / size;
    if (!expectElement<T>("operand ", i, call.inputs[i]))
      return Array<T>(n);
    const T *from = call.inputs[i].as<T>() + index * n;
    return Array<T>(from, from + n);
  }
  template <typename T> void vectorOut(size_t i, const Array<T> &values) const {
    int64_t n = call.outputs[i].numElements() / size;
    if (!expect(n == static_cast<int64_t>(values.size())) ||
        !expectElement<T>("result ", i, call.outputs[i]))
      return;
    std::copy_n(values.begin(), n, call.outputs[i].mutableAs<T>() + index * n);
  }
  /// Returns the system that the first four operands are, or nothing where their sizes do not fit.
  template <typename T> std::optional<Tridiagonal<T>> tridiagonalIn() const {
    Tridiagonal<T> system{vectorIn<T>(0), vectorIn<T>(1), vectorIn<T>(2), matrixIn<T>(3),
                          shapeIn(3)};
    size_t n = system.shape.rows;
    bool fits =
        n > 0 && system.lower.size() == n && system.main.size() == n && system.upper.size() == n;
    return expect(fits) ? std::optional(std::move(system)) : std::nullopt;
  }
  /// Notes that sizes do not fit unless `condition`, which is returned.
  bool expect(bool condition) const {
    if (!condition && misfit_.empty())
      misfit_ = "has operands or results whose sizes do not fit together";
    return condition;
  }
  bool fits() const { return misfit_.empty(); }
  const std::string &misfit() const { return misfit_; } ///< The first one noted.

  /// The side of the square matrix that is operand 0; 0 if it is not square.
  int squareSide() const {
    Shape shape = shapeIn(0);
    return expect(shape.rows == shape.columns) ? shape.rows : 0;
  }
  void status(int info) const { vectorOut<int>(call.outputs.size() - 1, Array<int>(1, info)); }

  /// Returns an option of the call that is the code of one of the letters `allowed`. Any other code
  /// is noted; the routine is then given the first of them.
  char letter(const char *name, std::string_view allowed) const {
    int code = number(name);
    if (code > 0 && code < 128 && allowed.find(static_cast<char>(code)) != allowed.npos)
      return static_cast<char>(code);
    if (misfit_.empty())
      misfit_ = absl::StrCat("needs option '", name, "', the code of one of the letters ",
                             std::string(allowed), "; it is ", code);
    return allowed.front();
  }
  bool flag(const char *name) const {
    absl::StatusOr<bool> flag =
        attributes.getOr<bool>(absl::StrCat("backend_config.", name), false);
    return flag.ok() ? *flag : number(name) != 0;
  }
  int number(const char *name) const {
    return static_cast<int>(
        attributes.getOr<int64_t>(absl::StrCat("backend_config.", name), 0).value_or(0));
  }

private:
  Shape shapeOf(const Tensor &tensor) const {
    const Ints &shape = tensor.type().shape;
    if (!expect(shape.size() >= 2))
      return {0, 0};
    int64_t rows = shape[shape.size() - 2], columns = shape.back();
    if (!expect(tensor.numElements() == size * rows * columns)) // Vectors, side by side.
      return {0, 0};
    return {static_cast<int>(rows), static_cast<int>(columns)};
  }

  template <typename T> bool expectElement(const char *what, size_t i, const Tensor &tensor) const {
    bool isSo = tensor.type().element == elementOf<T>();
    if (!isSo && misfit_.empty())
      misfit_ =
          absl::StrCat(what, i, " is ", tensor.type().str(), "; expected ", nameOf(elementOf<T>()));
    return isSo;
  }

  const KernelCall &call;
  const Attributes &attributes;
  int64_t index, size;
  mutable std::string misfit_;
};

/// Computes one matrix of a batch.
using Routine = void (*)(const Batch &);

/// Whether a routine calls OpenBLAS.
enum class Library { isCalled, isNotCalled };

/// Returns the kernel that runs `routine` on each matrix of a batch, once the library is loaded
/// that it calls. InvalidArgument unless there are that many operands and results, and all have the
/// batch dims of operand `matrixOperand`.
absl::StatusOr<Kernel> prepareBatch(const KernelRequest &request, Library library, Routine routine,
                                    size_t numOperands, size_t numResults, size_t matrixOperand);

} // namespace spmd::lapack
