// The custom calls that JAX emits for linear algebra on GPUs (cuSOLVER, hipSOLVER, cuSPARSE) and
// TPUs: the routines of LapackCalls.cpp under other names, with other options.
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"
#include "spmd/lowering/interpreter/kernels/Lapack.h"
#include "spmd/lowering/interpreter/kernels/LapackBatch.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

#include <numeric>
#include <optional>

namespace spmd {
namespace {

using lapack::Array, lapack::Batch, lapack::Routine, lapack::Shape;

//===- Calls that LAPACK's of the same operands and results stand for -------===//

/// Returns the prefix of LAPACK's routines on `element`; none has '\0'.
char prefixOf(ElementType element) {
  switch (element) {
  case ElementType::f32:
    return 's';
  case ElementType::f64:
    return 'd';
  case ElementType::complexF32:
    return 'c';
  case ElementType::complexF64:
    return 'z';
  default:
    return '\0';
  }
}

/// Adds LAPACK's options that say what a boolean option of GPUs does.
void translateOptions(const Attributes &from, Attributes &to) {
  auto isSet = [&](const char *name) { return from.getOr<bool>(name, false).value_or(false); };
  to.set("backend_config.uplo", int64_t{isSet("backend_config.lower") ? 'L' : 'U'});
  to.set("backend_config.mode", int64_t{'V'});
  to.set("backend_config.compute_left", int64_t{isSet("backend_config.left") ? 'V' : 'N'});
  to.set("backend_config.compute_right", int64_t{isSet("backend_config.right") ? 'V' : 'N'});
}

/// Returns the kernel of LAPACK's routine called `real`, or `complex` on complex elements.
absl::StatusOr<Kernel> prepareAsLapack(const KernelRequest &request, const std::string &real,
                                       const std::string &complex) {
  char prefix = request.operands.empty() ? '\0' : prefixOf(request.operands[0].element);
  if (!prefix)
    return invalid(request.operands.empty()
                       ? "has no operand"
                       : absl::StrCat("operand 0 is ", request.operands[0].str(),
                                      "; expected matrices of floats"));
  bool isReal = prefix == 's' || prefix == 'd';
  const KernelFactory *factory = request.registry.findCustomCall(
      absl::StrCat("lapack_", std::string(1, prefix), isReal ? real : complex, "_ffi"));
  if (!factory)
    return invalid("there is no LAPACK routine for ", request.operands[0].str());
  Instruction instruction = request.instruction;
  translateOptions(request.attributes(), instruction.attributes);
  return (*factory)(
      {request.program, instruction, request.operands, request.results, request.registry});
}

//===- Calls with results of their own --------------------------------------===//

template <typename T> Array<T> adjointOf(const Array<T> &matrix, int rows, int columns) {
  Array<T> out(matrix.size());
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      T value = matrix[r + static_cast<size_t>(c) * rows];
      if constexpr (!std::is_same_v<T, typename lapack::RealOf<T>::Type>)
        value = std::conj(value);
      out[c + static_cast<size_t>(r) * columns] = value;
    }
  return out;
}

/// Computes A = U diag(s) V^H. Results: what is left of A, s, U, and V (`plain`) or V^H; a
/// `transposed` call returns V^H before U.
template <typename T, bool isPlain> void svd(const Batch &batch) {
  using Real = typename lapack::RealOf<T>::Type;
  Array<T> a = batch.matrixIn<T>(0);
  Shape shape = batch.shapeIn(0);
  int m = shape.rows, n = shape.columns, least = std::min(m, n);
  bool hasVectors = batch.flag("compute_uv"), isTransposed = batch.flag("transposed");
  char mode = !hasVectors ? 'N' : batch.flag("full_matrices") ? 'A' : 'S';
  int left = mode == 'S' ? least : m, right = mode == 'S' ? least : n;
  Array<Real> values(least);
  Array<T> u(static_cast<size_t>(m) * left), vt(static_cast<size_t>(right) * n);
  int info = lapack::Routines<T>::gesdd(mode, m, n, a.data(), values.data(), u.data(),
                                        std::max(m, 1), vt.data(), std::max(right, 1));
  batch.matrixOut<T>(0, a);
  batch.vectorOut<Real>(1, values);
  if (hasVectors) {
    batch.matrixOut<T>(isTransposed ? 3 : 2, u);
    batch.matrixOut<T>(isTransposed ? 2 : 3, isPlain ? adjointOf(vt, right, n) : vt);
  } else { // Undefined.
    for (size_t i : {2, 3}) {
      Shape out = batch.shapeOut(i);
      batch.matrixOut<T>(i, Array<T>(static_cast<size_t>(out.rows) * out.columns));
    }
  }
  batch.status(info);
}

/// Solves tridiagonal systems, and returns the solution alone.
template <typename T> void solveTridiagonal(const Batch &batch) {
  std::optional<lapack::Tridiagonal<T>> system = batch.tridiagonalIn<T>();
  if (!system)
    return;
  lapack::Routines<T>::gtsv(system->shape.rows, system->shape.columns, system->lower.data() + 1,
                            system->main.data(), system->upper.data(), system->b.data());
  batch.matrixOut<T>(0, system->b);
}

/// Computes the lower triangle of alpha A A^T + beta C, or of alpha A^T A + beta C. The rest of the
/// result is that of C. Complex numbers are not conjugated.
template <typename T> absl::Status multiplySymmetric(const KernelCall &call, bool isTransposed) {
  const Ints &shape = call.inputs[0].type().shape;
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  int64_t n = isTransposed ? columns : rows, k = isTransposed ? rows : columns;
  int64_t count = product(Ints(shape.begin(), shape.end() - 2));
  T alpha = *call.inputs[2].as<T>(), beta = *call.inputs[3].as<T>();
  const T *a = call.inputs[0].as<T>(), *c = call.inputs[1].as<T>();
  T *out = call.outputs[0].mutableAs<T>();
  int64_t alongRow = isTransposed ? n : 1, betweenRows = isTransposed ? 1 : k;
  for (int64_t i = 0; i < count; ++i, a += n * k, c += n * n, out += n * n)
    for (int64_t row = 0; row < n; ++row)
      for (int64_t column = 0; column < n; ++column) {
        T &to = out[row * n + column];
        to = c[row * n + column];
        if (column > row)
          continue;
        T sum = 0;
        for (int64_t s = 0; s < k; ++s)
          sum += a[row * betweenRows + s * alongRow] * a[column * betweenRows + s * alongRow];
        to = alpha * sum + (beta == T(0) ? T(0) : beta * to);
      }
  return absl::OkStatus();
}

/// Operands A, C, alpha and beta.
absl::StatusOr<Kernel> prepareSymmetricProduct(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(4, 1));
  SPMD_ASSIGN_OR_RETURN(bool isTransposed,
                        request.attributes().getOr<bool>("backend_config.transpose", false));
  const TensorType &a = request.operands[0];
  if (a.rank() < 2 || !prefixOf(a.element))
    return invalid("operand 0 is ", a.str(), "; expected matrices of floats");
  TensorType square = a;
  size_t last = a.shape.size() - 1;
  square.shape[last] = square.shape[last - 1] = a.shape[isTransposed ? last : last - 1];
  SPMD_RETURN_IF_ERROR(expectType("operand 1", request.operands[1], square));
  SPMD_RETURN_IF_ERROR(expectType("result 0", request.results[0], square));
  for (size_t i : {2, 3})
    SPMD_RETURN_IF_ERROR(
        expectType(absl::StrCat("operand ", i).c_str(), request.operands[i], {a.element, {}}));
  return Kernel{[=](const KernelCall &call) {
    switch (a.element) {
    case ElementType::f32:
      return multiplySymmetric<float>(call, isTransposed);
    case ElementType::f64:
      return multiplySymmetric<double>(call, isTransposed);
    case ElementType::complexF32:
      return multiplySymmetric<std::complex<float>>(call, isTransposed);
    default:
      return multiplySymmetric<std::complex<double>>(call, isTransposed);
    }
  }};
}

/// Eigenvectors and eigenvalues, in ascending order. LAPACK reads one triangle of the matrix.
template <typename T, bool isLower> void eigh(const Batch &batch) {
  using Real = typename lapack::RealOf<T>::Type;
  Array<T> a = batch.matrixIn<T>(0);
  int n = batch.squareSide();
  Array<Real> values(n);
  lapack::Routines<T>::eigh('V', isLower ? 'L' : 'U', n, a.data(), values.data());
  batch.matrixOut<T>(0, a);
  batch.vectorOut<Real>(1, values);
}

/// Returns the order that swapping row i with row `pivots[i]`, for each i, brings 0..n-1 into;
/// nothing if a pivot is no row.
std::optional<Array<int>> permutationOf(const Array<int> &pivots, size_t n) {
  Array<int> permutation(n);
  std::iota(permutation.begin(), permutation.end(), 0);
  for (size_t i = 0; i < pivots.size(); ++i) {
    if (i >= n || pivots[i] < 0 || static_cast<size_t>(pivots[i]) >= n)
      return std::nullopt;
    std::swap(permutation[i], permutation[pivots[i]]);
  }
  return permutation;
}

/// The factors in one matrix, the rows that were swapped, counted from 0, and the order of rows.
template <typename T> void factorize(const Batch &batch) {
  Array<T> a = batch.matrixIn<T>(0);
  Shape shape = batch.shapeIn(0);
  Array<int> pivots(std::min(shape.rows, shape.columns));
  lapack::Routines<T>::getrf(shape.rows, shape.columns, a.data(), pivots.data());
  for (int &pivot : pivots)
    --pivot;
  batch.matrixOut<T>(0, a);
  batch.vectorOut<int>(1, pivots);
  if (std::optional<Array<int>> permutation = permutationOf(pivots, shape.rows))
    batch.vectorOut<int>(2, *permutation);
}

absl::StatusOr<Kernel> preparePermutation(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(1, 1));
  const TensorType &pivots = request.operands[0], &result = request.results[0];
  bool fits = pivots.element == ElementType::i32 && result.element == ElementType::i32 &&
              pivots.rank() > 0 && pivots.rank() == result.rank() &&
              std::equal(pivots.shape.begin(), pivots.shape.end() - 1, result.shape.begin());
  if (!fits)
    return invalid("makes ", result.str(), " of ", pivots.str(),
                   "; expected integers of 32 bits in the same batch");
  size_t k = pivots.shape.back(), n = result.shape.back();
  size_t count = product(Ints(pivots.shape.begin(), pivots.shape.end() - 1));
  return Kernel{[=](const KernelCall &call) {
    const int *from = call.inputs[0].as<int>();
    int *to = call.outputs[0].mutableAs<int>();
    for (size_t i = 0; i < count; ++i) {
      auto permutation = permutationOf(Array<int>(from + i * k, from + (i + 1) * k), n);
      if (!permutation)
        return invalid("has a pivot that is no row of ", n);
      std::copy(permutation->begin(), permutation->end(), to + i * n);
    }
    return absl::OkStatus();
  }};
}

//===- Registration ---------------------------------------------------------===//

/// Returns what `typed` makes of a number of type `element`; null if LAPACK has no such numbers.
template <typename Typed> Routine routineOf(ElementType element, Typed typed) {
  switch (element) {
  case ElementType::f32:
    return typed(float());
  case ElementType::f64:
    return typed(double());
  case ElementType::complexF32:
    return typed(std::complex<float>());
  case ElementType::complexF64:
    return typed(std::complex<double>());
  default:
    return nullptr;
  }
}

/// Returns the factory of a call whose routine `typed` chooses by the element type and the call.
template <typename Typed>
KernelFactory factoryOf(size_t numOperands, size_t numResults, size_t matrixOperand, Typed typed) {
  return [=](const KernelRequest &request) -> absl::StatusOr<Kernel> {
    SPMD_RETURN_IF_ERROR(request.expectCounts(numOperands, numResults));
    Routine routine = routineOf(request.operands[0].element, [&](auto number) -> Routine {
      return typed(request.attributes(), number);
    });
    if (!routine)
      return invalid("operand 0 is ", request.operands[0].str(), "; expected floats");
    return lapack::prepareBatch(request, lapack::Library::isCalled, routine, numOperands,
                                numResults, matrixOperand);
  };
}

/// Returns the factory of calls of `svd`.
template <bool isPlain> KernelFactory svdFactory() {
  KernelFactory factory = factoryOf(1, 5, 0, [](const Attributes &, auto number) -> Routine {
    return svd<decltype(number), isPlain>;
  });
  return [factory](const KernelRequest &request) {
    absl::StatusOr<Kernel> kernel = factory(request);
    bool isTransposed =
        request.attributes().getOr<bool>("backend_config.transposed", false).value_or(false);
    size_t u = isTransposed ? 3 : 2, v = isTransposed ? 2 : 3;
    if (kernel.ok())
      kernel->freeVectors = {{{{u}, {v, !isPlain}}}};
    return kernel;
  };
}

/// Returns whether a call of @Eigh reads the lower triangle, which the first of the four numbers in
/// its configuration `lower,sort,iterations,tolerance` says. A call without one does.
absl::StatusOr<bool> readsLower(const Attributes &attributes) {
  SPMD_ASSIGN_OR_RETURN(std::string config, attributes.getOr<std::string>("backend_config", ""));
  if (config.empty())
    return true;
  std::vector<std::string> parts = absl::StrSplit(config, ',');
  double number = 0;
  bool areNumbers = parts.size() == 4 && (parts[0] == "0" || parts[0] == "1") &&
                    std::all_of(parts.begin(), parts.end(), [&](const std::string &part) {
                      return absl::SimpleAtod(part, &number);
                    });
  if (!areNumbers)
    return invalid("backend_config is \"", config,
                   "\"; expected lower, sort, iterations and tolerance, such as \"1,1,100,1e-6\"");
  return parts[0] == "1";
}

absl::StatusOr<Kernel> prepareEigh(const KernelRequest &request) {
  SPMD_ASSIGN_OR_RETURN(bool isLower, readsLower(request.attributes()));
  absl::StatusOr<Kernel> kernel =
      factoryOf(1, 2, 0, [=](const Attributes &, auto number) -> Routine {
        return isLower ? eigh<decltype(number), true> : eigh<decltype(number), false>;
      })(request);
  if (kernel.ok())
    kernel->freeVectors = {{{{0}}}};
  return kernel;
}

/// Calls of TPUs other than @Eigh have no options.
absl::Status expectNoConfig(const Attributes &attributes) {
  SPMD_ASSIGN_OR_RETURN(std::string config, attributes.getOr<std::string>("backend_config", ""));
  return config.empty() ? absl::OkStatus()
                        : invalid("backend_config is \"", config, "\"; expected none");
}

struct Synonym {
  const char *name, *real, *complex;
};

/// Calls that differ from LAPACK's by name and options alone.
constexpr Synonym synonyms[] = {{"solver_potrf_ffi", "potrf", "potrf"},
                                {"solver_getrf_ffi", "getrf", "getrf"},
                                {"blas_getrf_batched_ffi", "getrf", "getrf"},
                                {"solver_geqrf_ffi", "geqrf", "geqrf"},
                                {"blas_geqrf_batched_ffi", "geqrf", "geqrf"},
                                {"solver_orgqr_ffi", "orgqr", "ungqr"},
                                {"solver_ormqr_ffi", "ormqr", "unmqr"},
                                {"solver_syevd_ffi", "syevd", "heevd"},
                                {"solver_sytrd_ffi", "sytrd", "hetrd"},
                                {"hybrid_geqp3", "geqp3", "geqp3"},
                                {"hybrid_eig_real", "geev", "geev"},
                                {"hybrid_eig_comp", "geev", "geev"},
                                {"Qr", "geqrf", "geqrf"},
                                {"ProductOfElementaryHouseholderReflectors", "orgqr", "ungqr"}};

} // namespace

void addAcceleratorCalls(KernelRegistry &registry) {
  auto addOfLibraries = [&](const std::string &name, const KernelFactory &factory) {
    for (const char *vendor : {"cu", "hip"})
      registry.addCustomCallKernel(vendor + name, factory);
  };
  for (const Synonym &each : synonyms) {
    bool isOfTpu = each.name[0] == 'Q' || each.name[0] == 'P';
    KernelFactory factory = [each,
                             isOfTpu](const KernelRequest &request) -> absl::StatusOr<Kernel> {
      if (isOfTpu)
        SPMD_RETURN_IF_ERROR(expectNoConfig(request.attributes()));
      return prepareAsLapack(request, each.real, each.complex);
    };
    if (isOfTpu)
      registry.addCustomCallKernel(each.name, factory);
    else
      addOfLibraries(each.name, factory);
  }
  addOfLibraries("solver_gesvd_ffi", svdFactory</*isPlain=*/false>());
  addOfLibraries("solver_gesvdj_ffi", svdFactory</*isPlain=*/true>());
  addOfLibraries("solver_gesvdp_ffi", svdFactory</*isPlain=*/true>());
  addOfLibraries("sparse_gtsv2_ffi",
                 factoryOf(4, 1, 3, [](const Attributes &, auto number) -> Routine {
                   return solveTridiagonal<decltype(number)>;
                 }));
  addOfLibraries("_tridiagonal_solve_perturbed", [](const KernelRequest &request) {
    return (*request.registry.findCustomCall("tridiagonal_solve_perturbed_ffi"))(request);
  });
  addOfLibraries("_lu_pivots_to_permutation", preparePermutation);
  addOfLibraries("solver_syrk_ffi", prepareSymmetricProduct);
  auto lu = factoryOf(1, 3, 0, [](const Attributes &, auto number) -> Routine {
    return factorize<decltype(number)>;
  });
  registry.addCustomCallKernel("LuDecomposition",
                               [lu](const KernelRequest &request) -> absl::StatusOr<Kernel> {
                                 SPMD_RETURN_IF_ERROR(expectNoConfig(request.attributes()));
                                 return lu(request);
                               });
  registry.addCustomCallKernel("Eigh", prepareEigh);
}

} // namespace spmd
