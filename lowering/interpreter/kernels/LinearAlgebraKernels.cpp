// cholesky and triangular_solve, through BLAS and LAPACK; small floats are computed in float.
//
// LAPACK stores matrices by columns: it sees the transpose of what lies here.
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/kernels/Gemm.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"
#include "spmd/lowering/interpreter/kernels/Lapack.h"
#include "spmd/lowering/interpreter/kernels/OpenBlas.h"

#include "spmd/lowering/interpreter/Storage.h"

#include <climits>
#include <cstring>
#include <limits>

namespace spmd {
namespace {

/// Returns the elements of `in` in native form.
std::vector<std::byte> nativeCopy(const Tensor &in) {
  const Storage &storage = storageOf(in.type().element);
  int64_t n = in.numElements();
  std::vector<std::byte> native(n * storage.nativeBytes);
  if (storage.isDirect())
    std::memcpy(native.data(), in.data(), native.size());
  else
    storage.load(n, in.data(), native.data());
  return native;
}

void storeNative(const std::vector<std::byte> &native, const Tensor &out) {
  const Storage &storage = storageOf(out.type().element);
  if (storage.isDirect())
    std::memcpy(out.mutableData(), native.data(), native.size());
  else
    storage.store(out.numElements(), native.data(), out.mutableData());
}

/// Whether LAPACK has routines for the native type of `element`.
bool isFactored(ElementType element) {
  return !isInteger(element) && element != ElementType::f128 && element != ElementType::complexF128;
}

/// Calls `fn` with a tag of float, double or their complex types.
template <typename Fn> void visitFactored(ElementType element, Fn fn) {
  visitNative(element, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (!std::is_integral_v<T> && !std::is_same_v<T, Float128> &&
                  !std::is_same_v<T, std::complex<Float128>>)
      fn(tag);
  });
}

/// Replaces an n x n matrix by its factor; by NaN if it is not positive definite.
template <typename T> void factor(T *a, int n, bool lower) {
  int info = lapack::Routines<T>::potrf(lower ? 'U' : 'L', n, a);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (info != 0)
        a[i * n + j] = T(std::numeric_limits<double>::quiet_NaN());
      else if (lower ? j > i : j < i)
        a[i * n + j] = T(0);
}

absl::StatusOr<Kernel> prepareCholesky(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(1, 1));
  const TensorType &type = request.operands[0];
  SPMD_ASSIGN_OR_RETURN(bool lower, request.attributes().getOr<bool>("lower", false));
  SPMD_RETURN_IF_ERROR(expectType("result", request.results[0], type));
  int64_t rank = type.rank();
  if (!isFactored(type.element) || rank < 2 || type.shape[rank - 1] != type.shape[rank - 2] ||
      type.shape[rank - 1] > INT_MAX)
    return invalid("takes ", type.str(), "; expected square matrices of floats");
  int64_t n = type.shape[rank - 1];
  return Kernel{[n, lower](const KernelCall &call) {
    SPMD_RETURN_IF_ERROR(loadOpenBlas());
    std::vector<std::byte> work = nativeCopy(call.inputs[0]);
    int64_t count = n == 0 ? 0 : call.inputs[0].numElements() / (n * n);
    visitFactored(call.inputs[0].type().element, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      for (int64_t i = 0; i < count; ++i)
        factor(reinterpret_cast<T *>(work.data()) + i * n * n, static_cast<int>(n), lower);
    });
    storeNative(work, call.outputs[0]);
    return absl::OkStatus();
  }};
}

struct Solve {
  CBLAS_SIDE side;
  CBLAS_UPLO uplo;
  CBLAS_TRANSPOSE transpose;
  CBLAS_DIAG diagonal;
  int size, rows, columns; ///< Of the triangle, and of the right-hand sides.

  void run(const float *a, float *b) const {
    cblas_strsm(CblasRowMajor, side, uplo, transpose, diagonal, rows, columns, 1, a, size, b,
                columns);
  }
  void run(const double *a, double *b) const {
    cblas_dtrsm(CblasRowMajor, side, uplo, transpose, diagonal, rows, columns, 1, a, size, b,
                columns);
  }
  void run(const std::complex<float> *a, std::complex<float> *b) const {
    std::complex<float> one = 1;
    cblas_ctrsm(CblasRowMajor, side, uplo, transpose, diagonal, rows, columns, &one, a, size, b,
                columns);
  }
  void run(const std::complex<double> *a, std::complex<double> *b) const {
    std::complex<double> one = 1;
    cblas_ztrsm(CblasRowMajor, side, uplo, transpose, diagonal, rows, columns, &one, a, size, b,
                columns);
  }
};

absl::StatusOr<Kernel> prepareSolve(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(2, 1));
  const TensorType &a = request.operands[0], &b = request.operands[1];
  const Attributes &attributes = request.attributes();
  SPMD_ASSIGN_OR_RETURN(bool left, attributes.get<bool>("left_side"));
  SPMD_ASSIGN_OR_RETURN(bool lower, attributes.get<bool>("lower"));
  SPMD_ASSIGN_OR_RETURN(bool unit, attributes.get<bool>("unit_diagonal"));
  SPMD_ASSIGN_OR_RETURN(std::string transpose, attributes.get<std::string>("transpose_a"));
  SPMD_RETURN_IF_ERROR(expectType("result", request.results[0], b));
  int64_t rank = a.rank();
  if (!isFactored(a.element) || rank < 2 || b.rank() != rank)
    return invalid("takes ", a.str(), " and ", b.str(), "; expected matrices of floats");
  TensorType expected = b;
  int64_t size = b.shape[left ? rank - 2 : rank - 1];
  expected.shape[rank - 1] = expected.shape[rank - 2] = size;
  SPMD_RETURN_IF_ERROR(expectType("operand 0", a, expected));
  int64_t rows = b.shape[rank - 2], columns = b.shape[rank - 1];
  if (std::max({size, rows, columns}) > INT_MAX)
    return invalid("takes ", a.str(), " and ", b.str(), ", which are too large");
  Solve solve{left ? CblasLeft : CblasRight,
              lower ? CblasLower : CblasUpper,
              transpose == "ADJOINT"     ? CblasConjTrans
              : transpose == "TRANSPOSE" ? CblasTrans
                                         : CblasNoTrans,
              unit ? CblasUnit : CblasNonUnit,
              static_cast<int>(size),
              static_cast<int>(rows),
              static_cast<int>(columns)};
  return Kernel{[solve](const KernelCall &call) {
    if (call.outputs[0].numElements() == 0)
      return absl::OkStatus();
    SPMD_RETURN_IF_ERROR(loadOpenBlas());
    std::vector<std::byte> triangle = nativeCopy(call.inputs[0]),
                           sides = nativeCopy(call.inputs[1]);
    int64_t square = int64_t{solve.size} * solve.size, block = int64_t{solve.rows} * solve.columns;
    int64_t count = call.inputs[1].numElements() / block;
    visitFactored(call.inputs[0].type().element, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      for (int64_t i = 0; i < count; ++i)
        solve.run(reinterpret_cast<const T *>(triangle.data()) + i * square,
                  reinterpret_cast<T *>(sides.data()) + i * block);
    });
    storeNative(sides, call.outputs[0]);
    return absl::OkStatus();
  }};
}

} // namespace

void addLinearAlgebraKernels(KernelRegistry &registry) {
  registry.addKernel("cholesky", prepareCholesky);
  registry.addKernel("triangular_solve", prepareSolve);
}

} // namespace spmd
