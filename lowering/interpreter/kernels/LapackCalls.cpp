// The custom calls `lapack_*_ffi` that JAX makes for linear algebra on CPUs: batches of matrices,
// last dims last. LAPACK stores matrices by columns, so each is transposed on the way in and out. A
// status of 0 in the last result means success, as in LAPACK.
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"
#include "spmd/lowering/interpreter/kernels/Lapack.h"
#include "spmd/lowering/interpreter/kernels/LapackBatch.h"
#include "spmd/lowering/interpreter/kernels/OpenBlas.h"

#include <climits>
#include <limits>

namespace spmd {
namespace {

using lapack::Array, lapack::Batch, lapack::elementOf, lapack::Routine, lapack::Shape;

// The routines. What does not fit the sizes that a routine takes is noted before it is called.

template <typename T> void potrf(const Batch &batch) {
  Array<T> a = batch.matrixIn<T>(0);
  int info = lapack::Routines<T>::potrf(batch.letter("uplo", "LU"), batch.squareSide(), a.data());
  batch.matrixOut<T>(0, a);
  batch.status(info);
}

template <typename T> void getrf(const Batch &batch) {
  Array<T> a = batch.matrixIn<T>(0);
  Shape shape = batch.shapeIn(0);
  Array<int> pivots(std::min(shape.rows, shape.columns));
  int info = lapack::Routines<T>::getrf(shape.rows, shape.columns, a.data(), pivots.data());
  batch.matrixOut<T>(0, a);
  batch.vectorOut<int>(1, pivots);
  batch.status(info);
}

template <typename T> void geqrf(const Batch &batch) {
  Array<T> a = batch.matrixIn<T>(0);
  Shape shape = batch.shapeIn(0);
  Array<T> tau(std::min(shape.rows, shape.columns));
  lapack::Routines<T>::geqrf(shape.rows, shape.columns, a.data(), tau.data());
  batch.matrixOut<T>(0, a);
  batch.vectorOut<T>(1, tau);
}

template <typename T> void geqp3(const Batch &batch) {
  Array<T> a = batch.matrixIn<T>(0);
  Shape shape = batch.shapeIn(0);
  Array<int> pivots = batch.vectorIn<int>(1);
  Array<T> tau(std::min(shape.rows, shape.columns));
  if (!batch.expect(pivots.size() == static_cast<size_t>(shape.columns)))
    return;
  lapack::Routines<T>::geqp3(shape.rows, shape.columns, a.data(), pivots.data(), tau.data());
  batch.matrixOut<T>(0, a);
  batch.vectorOut<int>(1, pivots);
  batch.vectorOut<T>(2, tau);
}

template <typename T> void orgqr(const Batch &batch) {
  Array<T> a = batch.matrixIn<T>(0), tau = batch.vectorIn<T>(1);
  Shape shape = batch.shapeIn(0);
  if (!batch.expect(shape.columns <= shape.rows &&
                    tau.size() <= static_cast<size_t>(shape.columns)))
    return;
  lapack::Routines<T>::orgqr(shape.rows, shape.columns, static_cast<int>(tau.size()), a.data(),
                             tau.data());
  batch.matrixOut<T>(0, a);
}

/// Multiplies a matrix by the orthogonal factor that `geqrf` left as reflectors.
template <typename T> void ormqr(const Batch &batch) {
  Array<T> a = batch.matrixIn<T>(0), tau = batch.vectorIn<T>(1), c = batch.matrixIn<T>(2);
  Shape reflectors = batch.shapeIn(0), shape = batch.shapeIn(2);
  bool isLeft = batch.flag("left");
  if (!batch.expect(tau.size() <= static_cast<size_t>(reflectors.columns) &&
                    tau.size() <= static_cast<size_t>(reflectors.rows) &&
                    reflectors.rows == (isLeft ? shape.rows : shape.columns)))
    return;
  lapack::Routines<T>::ormqr(isLeft ? 'L' : 'R', batch.flag("transpose"), shape.rows, shape.columns,
                             static_cast<int>(tau.size()), a.data(), std::max(reflectors.rows, 1),
                             tau.data(), c.data());
  batch.matrixOut<T>(0, c);
}

template <typename T> void eigh(const Batch &batch) {
  using Real = typename lapack::RealOf<T>::Type;
  Array<T> a = batch.matrixIn<T>(0);
  int n = batch.squareSide();
  Array<Real> values(n);
  int info = lapack::Routines<T>::eigh(batch.letter("mode", "NV"), batch.letter("uplo", "LU"), n,
                                       a.data(), values.data());
  batch.matrixOut<T>(0, a);
  batch.vectorOut<Real>(1, values);
  batch.status(info);
}

template <typename T> void tridiagonal(const Batch &batch) {
  using Real = typename lapack::RealOf<T>::Type;
  Array<T> a = batch.matrixIn<T>(0);
  int n = batch.squareSide();
  Array<Real> diagonal(n), beside(std::max(n - 1, 0));
  Array<T> tau(std::max(n - 1, 0));
  int info = lapack::Routines<T>::tridiagonal(batch.letter("uplo", "LU"), n, a.data(),
                                              diagonal.data(), beside.data(), tau.data());
  batch.matrixOut<T>(0, a);
  batch.vectorOut<Real>(1, diagonal);
  batch.vectorOut<Real>(2, beside);
  batch.vectorOut<T>(3, tau);
  batch.status(info);
}

template <typename T> void gehrd(const Batch &batch) {
  Array<T> a = batch.matrixIn<T>(0);
  int n = batch.squareSide();
  Array<T> tau(std::max(n - 1, 0));
  int info = lapack::Routines<T>::gehrd(n, batch.number("low"), batch.number("high"), a.data(),
                                        tau.data());
  batch.matrixOut<T>(0, a);
  batch.vectorOut<T>(1, tau);
  batch.status(info);
}

template <typename T> void gtsv(const Batch &batch) {
  std::optional<lapack::Tridiagonal<T>> system = batch.tridiagonalIn<T>();
  if (!system)
    return;
  int info =
      lapack::Routines<T>::gtsv(system->shape.rows, system->shape.columns, system->lower.data() + 1,
                                system->main.data(), system->upper.data(), system->b.data());
  batch.vectorOut<T>(0, system->lower);
  batch.vectorOut<T>(1, system->main);
  batch.vectorOut<T>(2, system->upper);
  batch.matrixOut<T>(3, system->b);
  batch.status(info);
}

/// Solves as `gtsv` does, but never divides by less than the rounding of the largest pivot, so that
/// systems which are all but singular have a finite solution, too.
template <typename T> void solvePerturbed(const Batch &batch) {
  using Real = typename lapack::RealOf<T>::Type;
  Array<T> lower = batch.vectorIn<T>(0), main = batch.vectorIn<T>(1), upper = batch.vectorIn<T>(2);
  Array<T> b = batch.matrixIn<T>(3);
  size_t n = batch.shapeIn(3).rows, count = batch.shapeIn(3).columns;
  if (!batch.expect(lower.size() == n && main.size() == n && upper.size() == n))
    return;
  Array<T> second(n, T(0)); // Above `upper`: where rows change places.
  for (size_t i = 0; i + 1 < n; ++i) {
    if (std::abs(lower[i + 1]) > std::abs(main[i])) {
      std::swap(main[i], lower[i + 1]);
      std::swap(upper[i], main[i + 1]);
      if (i + 2 < n)
        std::swap(second[i], upper[i + 1]);
      for (size_t c = 0; c < count; ++c)
        std::swap(b[i + c * n], b[i + 1 + c * n]);
    }
    T factor = main[i] == T(0) ? T(0) : lower[i + 1] / main[i];
    main[i + 1] -= factor * upper[i];
    upper[i + 1] -= factor * second[i];
    for (size_t c = 0; c < count; ++c)
      b[i + 1 + c * n] -= factor * b[i + c * n];
  }
  Real largest = 0;
  for (size_t i = 0; i < n; ++i)
    largest = std::max({largest, std::abs(main[i]), i + 1 < n ? std::abs(upper[i]) : Real(0),
                        std::abs(second[i])});
  Real least = std::numeric_limits<Real>::epsilon() * (largest > 0 ? largest : Real(1));
  for (size_t i = n; i-- > 0;) {
    bool isLess = std::abs(main[i]) < least; // What is no number stays so.
    T pivot = !isLess ? main[i] : std::real(main[i]) < 0 ? T(-least) : T(least);
    for (size_t c = 0; c < count; ++c) {
      T &x = b[i + c * n];
      x -= i + 1 < n ? upper[i] * b[i + 1 + c * n] : T(0);
      x -= i + 2 < n ? second[i] * b[i + 2 + c * n] : T(0);
      x /= pivot;
    }
  }
  batch.matrixOut<T>(0, b);
}

template <typename T, bool byDivision> void svd(const Batch &batch) {
  using Real = typename lapack::RealOf<T>::Type;
  Array<T> a = batch.matrixIn<T>(0);
  Shape shape = batch.shapeIn(0), u = batch.shapeOut(2), vt = batch.shapeOut(3);
  Array<Real> values(std::min(shape.rows, shape.columns));
  Array<T> left(static_cast<size_t>(u.rows) * u.columns),
      right(static_cast<size_t>(vt.rows) * vt.columns);
  int m = shape.rows, n = shape.columns, least = std::min(m, n);
  char mode = batch.letter("mode", "NSA");
  bool hasRoom = mode == 'A' ? u.rows == m && u.columns == m && vt.rows == n && vt.columns == n
                 : mode == 'S'
                     ? u.rows == m && u.columns == least && vt.rows == least && vt.columns == n
                     : mode == 'N';
  if (!batch.expect(hasRoom))
    return;
  auto *routine = byDivision ? &lapack::Routines<T>::gesdd : &lapack::Routines<T>::gesvd;
  int info = routine(mode, shape.rows, shape.columns, a.data(), values.data(), left.data(),
                     std::max(u.rows, 1), right.data(), std::max(vt.rows, 1));
  batch.matrixOut<T>(0, a);
  batch.vectorOut<Real>(1, values);
  batch.matrixOut<T>(2, left);
  batch.matrixOut<T>(3, right);
  batch.status(info);
}

/// Eigenvectors of a real matrix come in pairs of columns, real and imaginary part, where the value
/// is complex.
template <typename T>
Array<std::complex<T>> unpacked(const Array<T> &packed, const Array<T> &imaginary, int n) {
  Array<std::complex<T>> out(packed.size());
  for (int c = 0; c < n; ++c)
    for (int r = 0; r < n; ++r) {
      size_t at = r + static_cast<size_t>(c) * n;
      if (imaginary[c] == 0) {
        out[at] = packed[at];
      } else if (imaginary[c] > 0 && c + 1 < n) {
        out[at] = {packed[at], packed[at + n]};
        out[at + n] = std::conj(out[at]);
      }
    }
  return out;
}

template <typename T> void geev(const Batch &batch) {
  using Real = typename lapack::RealOf<T>::Type;
  constexpr bool isReal = std::is_same_v<T, Real>;
  Array<T> a = batch.matrixIn<T>(0);
  int n = batch.squareSide();
  Array<T> real(n), imaginary(n), left(a.size()), right(a.size());
  int info = lapack::Routines<T>::geev(batch.letter("compute_left", "NV"),
                                       batch.letter("compute_right", "NV"), n, a.data(),
                                       real.data(), imaginary.data(), left.data(), right.data());
  batch.vectorOut<T>(0, real);
  if constexpr (isReal) {
    batch.vectorOut<T>(1, imaginary);
    batch.matrixOut<std::complex<T>>(2, unpacked(left, imaginary, n));
    batch.matrixOut<std::complex<T>>(3, unpacked(right, imaginary, n));
  } else {
    batch.matrixOut<T>(1, left);
    batch.matrixOut<T>(2, right);
  }
  batch.status(info);
}

template <typename T> void gees(const Batch &batch) {
  constexpr bool isReal = std::is_same_v<T, typename lapack::RealOf<T>::Type>;
  Array<T> a = batch.matrixIn<T>(0);
  int n = batch.squareSide();
  Array<T> real(n), imaginary(n), vectors(a.size());
  int info = lapack::Routines<T>::gees(batch.letter("mode", "NV"), n, a.data(), real.data(),
                                       imaginary.data(), vectors.data());
  batch.matrixOut<T>(0, a);
  batch.matrixOut<T>(1, vectors);
  batch.vectorOut<T>(2, real);
  if constexpr (isReal)
    batch.vectorOut<T>(3, imaginary);
  batch.vectorOut<int>(isReal ? 4 : 3, Array<int>(1, 0)); // How many eigenvalues were chosen.
  batch.status(info);
}

inline void solve(CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transpose, CBLAS_DIAG diagonal,
                  Shape b, const float *a, int lda, float *x) {
  cblas_strsm(CblasColMajor, side, uplo, transpose, diagonal, b.rows, b.columns, 1, a, lda, x,
              b.rows);
}
inline void solve(CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transpose, CBLAS_DIAG diagonal,
                  Shape b, const double *a, int lda, double *x) {
  cblas_dtrsm(CblasColMajor, side, uplo, transpose, diagonal, b.rows, b.columns, 1, a, lda, x,
              b.rows);
}
inline void solve(CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transpose, CBLAS_DIAG diagonal,
                  Shape b, const std::complex<float> *a, int lda, std::complex<float> *x) {
  std::complex<float> one = 1;
  cblas_ctrsm(CblasColMajor, side, uplo, transpose, diagonal, b.rows, b.columns, &one, a, lda, x,
              b.rows);
}
inline void solve(CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transpose, CBLAS_DIAG diagonal,
                  Shape b, const std::complex<double> *a, int lda, std::complex<double> *x) {
  std::complex<double> one = 1;
  cblas_ztrsm(CblasColMajor, side, uplo, transpose, diagonal, b.rows, b.columns, &one, a, lda, x,
              b.rows);
}

template <typename T> void trsm(const Batch &batch) {
  Array<T> a = batch.matrixIn<T>(0), b = batch.matrixIn<T>(1);
  char transpose = batch.letter("trans_x", "NTC");
  Shape sides = batch.shapeIn(1);
  if (!batch.expect(batch.squareSide() ==
                    (batch.letter("side", "LR") == 'R' ? sides.columns : sides.rows)))
    return;
  solve(batch.letter("side", "LR") == 'R' ? CblasRight : CblasLeft,
        batch.letter("uplo", "LU") == 'U' ? CblasUpper : CblasLower,
        transpose == 'C'   ? CblasConjTrans
        : transpose == 'T' ? CblasTrans
                           : CblasNoTrans,
        batch.letter("diag", "NU") == 'U' ? CblasUnit : CblasNonUnit, batch.shapeIn(1), a.data(),
        batch.shapeIn(0).rows, b.data());
  batch.matrixOut<T>(0, b);
}

// Registration.

struct Entry {
  const char *name;
  Routine routine;
  size_t numOperands, numResults, matrixOperand = 0;
  std::vector<FreeVectors> freeVectors = {};
};

/// Adds the routines of element type T, whose prefix is `prefix`.
template <typename T> void addRoutines(KernelRegistry &registry, char prefix) {
  constexpr bool isReal = std::is_same_v<T, typename lapack::RealOf<T>::Type>;
  const size_t left = isReal ? 2 : 1; // Of geev; the right eigenvectors come next.
  const std::vector<FreeVectors> singular = {{{{2}, {3, true}}}},
                                 bothSides = {{{{left}}}, {{{left + 1}}}};
  const Entry entries[] = {{"potrf", potrf<T>, 1, 2},
                           {"getrf", getrf<T>, 1, 3},
                           {"geqrf", geqrf<T>, 1, 2},
                           {"geqp3", geqp3<T>, 2, 3},
                           {isReal ? "orgqr" : "ungqr", orgqr<T>, 2, 1},
                           {isReal ? "ormqr" : "unmqr", ormqr<T>, 3, 1},
                           {isReal ? "syevd" : "heevd", eigh<T>, 1, 3, 0, {{{{0}}}}},
                           {isReal ? "sytrd" : "hetrd", tridiagonal<T>, 1, 5},
                           {"gehrd", gehrd<T>, 1, 3},
                           {"gtsv", gtsv<T>, 4, 5, 3},
                           {"gesdd", svd<T, true>, 1, 5, 0, singular},
                           {"gesvd", svd<T, false>, 1, 5, 0, singular},
                           {"geev", geev<T>, 1, isReal ? size_t{5} : size_t{4}, 0, bothSides},
                           {"gees", gees<T>, 1, isReal ? size_t{6} : size_t{5}},
                           {"trsm", trsm<T>, 2, 1}};
  for (const Entry &entry : entries)
    registry.addCustomCallKernel(
        absl::StrCat("lapack_", std::string(1, prefix), entry.name, "_ffi"),
        [entry, element = elementOf<T>()](const KernelRequest &request) -> absl::StatusOr<Kernel> {
          for (size_t i = 0; i < request.operands.size(); ++i)
            if (request.operands[i].element != element &&
                request.operands[i].element != ElementType::i32)
              return invalid("operand ", i, " is ", request.operands[i].str(), "; expected ",
                             nameOf(element));
          absl::StatusOr<Kernel> kernel =
              lapack::prepareBatch(request, lapack::Library::isCalled, entry.routine,
                                   entry.numOperands, entry.numResults, entry.matrixOperand);
          if (kernel.ok())
            kernel->freeVectors = entry.freeVectors;
          return kernel;
        });
}

} // namespace

absl::StatusOr<Kernel> lapack::prepareBatch(const KernelRequest &request, Library library,
                                            Routine routine, size_t numOperands, size_t numResults,
                                            size_t matrixOperand) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(numOperands, numResults));
  int64_t rank = request.operands[matrixOperand].rank();
  if (rank < 2)
    return invalid("operand ", matrixOperand, " is ", request.operands[matrixOperand].str(),
                   "; expected matrices");
  Ints batch(request.operands[matrixOperand].shape.begin(),
             request.operands[matrixOperand].shape.end() - 2);
  for (const auto *types : {&request.operands, &request.results})
    for (const TensorType &type : *types) {
      bool sharesBatch = type.shape.size() >= batch.size() &&
                         std::equal(batch.begin(), batch.end(), type.shape.begin()) &&
                         type.rank() <= rank;
      bool fits = std::all_of(type.shape.begin(), type.shape.end(),
                              [](int64_t size) { return size <= INT_MAX; });
      if (!sharesBatch || !fits)
        return invalid("has a value of type ", type.str(), " beside matrices ",
                       request.operands[matrixOperand].str());
    }
  return Kernel{[=, attributes = request.attributes(),
                 size = product(batch)](const KernelCall &call) -> absl::Status {
    if (library == Library::isCalled)
      SPMD_RETURN_IF_ERROR(loadOpenBlas());
    for (int64_t i = 0; i < size; ++i) {
      Batch matrix(call, attributes, i, size);
      routine(matrix);
      if (!matrix.fits())
        return invalid(matrix.misfit());
    }
    return absl::OkStatus();
  }};
}

void addLapackCalls(KernelRegistry &registry) {
  registry.addCustomCallKernel(
      "tridiagonal_solve_perturbed_ffi",
      [](const KernelRequest &request) -> absl::StatusOr<Kernel> {
        SPMD_RETURN_IF_ERROR(request.expectCounts(4, 1));
        ElementType element = request.operands[0].element;
        for (const TensorType &operand : request.operands)
          if (operand.element != element)
            return invalid("has operands of different types");
        Routine routine = element == ElementType::f32          ? solvePerturbed<float>
                          : element == ElementType::f64        ? solvePerturbed<double>
                          : element == ElementType::complexF32 ? solvePerturbed<std::complex<float>>
                          : element == ElementType::complexF64
                              ? solvePerturbed<std::complex<double>>
                              : nullptr;
        if (!routine)
          return invalid("operand 0 is ", request.operands[0].str(), "; expected floats");
        return lapack::prepareBatch(request, lapack::Library::isNotCalled, routine, 4, 1, 3);
      });
  addRoutines<float>(registry, 's');
  addRoutines<double>(registry, 'd');
  addRoutines<std::complex<float>>(registry, 'c');
  addRoutines<std::complex<double>>(registry, 'z');
}

} // namespace spmd
