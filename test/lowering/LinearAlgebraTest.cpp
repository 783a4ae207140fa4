// Factorizations and solves: the factors multiply back to what they came from.
#include "Programs.h"

#include <cmath>
#include <complex>

namespace spmd::test {
namespace {

using E = ElementType;
using C = std::complex<double>;
using Matrix = std::vector<C>; ///< By rows.

Matrix product(const Matrix &a, const Matrix &b, int64_t m, int64_t k, int64_t n) {
  Matrix out(m * n);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t l = 0; l < k; ++l)
        out[i * n + j] += a[i * k + l] * b[l * n + j];
  return out;
}

Matrix adjoint(const Matrix &a, int64_t m, int64_t n) {
  Matrix out(m * n);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      out[j * m + i] = std::conj(a[i * n + j]);
  return out;
}

Matrix randomMatrix(int64_t m, int64_t n, unsigned seed) {
  std::mt19937 generator(seed);
  Matrix out(m * n);
  for (C &value : out)
    value = {static_cast<int>(generator() % 9) - 4.0, static_cast<int>(generator() % 7) - 3.0};
  return out;
}

/// A A^H + n I.
Matrix positiveMatrix(int64_t n, unsigned seed) {
  Matrix a = randomMatrix(n, n, seed), out = product(a, adjoint(a, n, n), n, n, n);
  for (int64_t i = 0; i < n; ++i)
    out[i * n + i] += static_cast<double>(n);
  return out;
}

void expectNear(const Matrix &actual, const Matrix &expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(std::abs(actual[i] - expected[i]), 0, 1e-9) << "at " << i;
}

Tensor tensorOf(const Matrix &values, Ints shape) {
  return Tensor::of<C>(E::complexF64, std::move(shape), values);
}

TEST(Cholesky, FactorsMultiplyBack) {
  for (int64_t n : {1, 2, 5, 40})
    for (bool lower : {false, true}) {
      Matrix a = positiveMatrix(n, n);
      auto result = runOp("cholesky", {tensorOf(a, {1, n, n})}, {type(E::complexF64, {1, n, n})},
                          {{"lower", lower}});
      ASSERT_TRUE(result.ok()) << result.status();
      Matrix factor = elementsOf<C>((*result)[0]), other = adjoint(factor, n, n);
      expectNear(lower ? product(factor, other, n, n, n) : product(other, factor, n, n, n), a);
    }
}

TEST(Cholesky, WhatHasNoFactorIsNaN) {
  auto result = runOp("cholesky", {Tensor::of<float>(E::f32, {2, 2}, {1, 2, 2, 1})}, {f32({2, 2})},
                      {{"lower", true}});
  ASSERT_TRUE(result.ok()) << result.status();
  for (float value : elementsOf<float>((*result)[0]))
    EXPECT_TRUE(std::isnan(value));
}

TEST(TriangularSolve, EveryForm) {
  int64_t n = 4, m = 3;
  for (int form = 0; form < 24; ++form) {
    bool left = form & 1, lower = form & 2, unit = form & 4;
    const char *transposes[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
    std::string transpose = transposes[form / 8];
    Matrix a = randomMatrix(n, n, form), triangle = a;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        if (i == j)
          triangle[i * n + j] = unit ? C(1) : (a[i * n + j] = C(5, 1));
        else if (lower ? j > i : j < i)
          triangle[i * n + j] = 0; // The other triangle is not read.
    if (transpose != "NO_TRANSPOSE")
      triangle = adjoint(triangle, n, n);
    if (transpose == "TRANSPOSE")
      for (C &value : triangle)
        value = std::conj(value);
    Ints shape = left ? Ints{n, m} : Ints{m, n};
    Matrix b = randomMatrix(n, m, 100 + form);
    auto result = runOp("triangular_solve", {tensorOf(a, {n, n}), tensorOf(b, shape)},
                        {type(E::complexF64, shape)},
                        {{"left_side", left},
                         {"lower", lower},
                         {"unit_diagonal", unit},
                         {"transpose_a", transpose}});
    ASSERT_TRUE(result.ok()) << result.status();
    Matrix x = elementsOf<C>((*result)[0]);
    expectNear(left ? product(triangle, x, n, n, m) : product(x, triangle, m, n, n), b);
  }
}

/// Runs a LAPACK call with options that are codes of letters.
absl::StatusOr<std::vector<Tensor>> lapack(const char *name, std::vector<Tensor> operands,
                                           std::vector<TensorType> results,
                                           std::vector<std::pair<std::string, char>> options = {}) {
  Attributes attributes{{"call_target_name", std::string("lapack_") + name + "_ffi"}};
  for (const auto &[option, letter] : options)
    attributes.set("backend_config." + option, int64_t{letter});
  return runOp("custom_call", std::move(operands), std::move(results), std::move(attributes));
}

/// Returns the upper triangle of the first n rows, and zeros below it.
Matrix upperPart(const Tensor &tensor, int64_t n) {
  Matrix r = elementsOf<C>(tensor);
  r.resize(n * n);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < i; ++j)
      r[i * n + j] = 0;
  return r;
}

TEST(Lapack, QrMultipliesBack) {
  int64_t m = 5, n = 3;
  Matrix a = randomMatrix(m, n, 1);
  auto qr = lapack("zgeqrf", {tensorOf(a, {m, n})},
                   {type(E::complexF64, {m, n}), type(E::complexF64, {n})});
  ASSERT_TRUE(qr.ok()) << qr.status();
  auto q = lapack("zungqr", {(*qr)[0], (*qr)[1]}, {type(E::complexF64, {m, n})});
  ASSERT_TRUE(q.ok()) << q.status();
  expectNear(product(elementsOf<C>((*q)[0]), upperPart((*qr)[0], n), m, n, n), a);
}

/// On both sides, as it is and adjoint: as the product with the factor itself.
TEST(Lapack, ReflectorsMultiplyAsTheirProduct) {
  int64_t n = 4, k = 3;
  auto qr = lapack("zgeqrf", {tensorOf(randomMatrix(n, n, 5), {n, n})},
                   {type(E::complexF64, {n, n}), type(E::complexF64, {n})});
  ASSERT_TRUE(qr.ok()) << qr.status();
  auto whole = lapack("zungqr", {(*qr)[0], (*qr)[1]}, {type(E::complexF64, {n, n})});
  ASSERT_TRUE(whole.ok()) << whole.status();
  Matrix q = elementsOf<C>((*whole)[0]), adjoint(n * n);
  for (int64_t i = 0; i < n * n; ++i)
    adjoint[i] = std::conj(q[i % n * n + i / n]);
  for (bool left : {true, false})
    for (bool transpose : {true, false}) {
      int64_t rows = left ? n : k, columns = left ? k : n;
      Matrix c = randomMatrix(rows, columns, 6);
      Attributes attributes{{"call_target_name", std::string("lapack_zunmqr_ffi")},
                            {"backend_config.left", left},
                            {"backend_config.transpose", transpose}};
      auto result = runOp("custom_call", {(*qr)[0], (*qr)[1], tensorOf(c, {rows, columns})},
                          {type(E::complexF64, {rows, columns})}, std::move(attributes));
      ASSERT_TRUE(result.ok()) << result.status();
      const Matrix &factor = transpose ? adjoint : q;
      expectNear(elementsOf<C>((*result)[0]),
                 left ? product(factor, c, n, n, k) : product(c, factor, k, n, n));
    }
}

TEST(Lapack, SingularValuesMultiplyBack) {
  for (const char *name : {"zgesdd", "zgesvd"}) {
    int64_t m = 3, n = 4;
    Matrix a = randomMatrix(m, n, 2);
    auto svd = lapack(name, {tensorOf(a, {m, n})},
                      {type(E::complexF64, {m, n}), type(E::f64, {m}), type(E::complexF64, {m, m}),
                       type(E::complexF64, {m, n}), i32()},
                      {{"mode", 'S'}});
    ASSERT_TRUE(svd.ok()) << svd.status();
    Matrix u = elementsOf<C>((*svd)[2]);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < m; ++j)
        u[i * m + j] *= elementsOf<double>((*svd)[1])[j];
    expectNear(product(u, elementsOf<C>((*svd)[3]), m, m, n), a);
    EXPECT_EQ(elementsOf<int32_t>((*svd)[4])[0], 0);
  }
}

TEST(Lapack, EigenvectorsOfABatch) {
  int64_t n = 4;
  Matrix one = positiveMatrix(n, 3), two = positiveMatrix(n, 4), both = one;
  both.insert(both.end(), two.begin(), two.end());
  auto result = lapack("zheevd", {tensorOf(both, {2, n, n})},
                       {type(E::complexF64, {2, n, n}), type(E::f64, {2, n}), i32({2})},
                       {{"mode", 'V'}, {"uplo", 'L'}});
  ASSERT_TRUE(result.ok()) << result.status();
  Matrix vectors = elementsOf<C>((*result)[0]);
  for (int64_t b = 0; b < 2; ++b) {
    Matrix v(vectors.begin() + b * n * n, vectors.begin() + (b + 1) * n * n), scaled = v;
    for (int64_t i = 0; i < n * n; ++i)
      scaled[i] *= elementsOf<double>((*result)[1])[b * n + i % n];
    expectNear(product(b == 0 ? one : two, v, n, n, n), scaled);
  }
}

/// The eigenvalues of a rotation are a complex pair, though the matrix is real.
TEST(Lapack, EigenvectorsOfARealMatrix) {
  std::vector<double> rotation = {0, -1, 1, 0};
  auto result = lapack("dgeev", {Tensor::of<double>(E::f64, {2, 2}, rotation)},
                       {type(E::f64, {2}), type(E::f64, {2}), type(E::complexF64, {2, 2}),
                        type(E::complexF64, {2, 2}), i32()},
                       {{"compute_left", 'N'}, {"compute_right", 'V'}});
  ASSERT_TRUE(result.ok()) << result.status();
  Matrix v = elementsOf<C>((*result)[3]), scaled = v;
  for (int64_t i = 0; i < 4; ++i)
    scaled[i] *=
        C(elementsOf<double>((*result)[0])[i % 2], elementsOf<double>((*result)[1])[i % 2]);
  expectNear(product({0, -1, 1, 0}, v, 2, 2, 2), scaled);
}

TEST(Lapack, TridiagonalSolve) {
  // Rows (2 1 0), (1 2 1), (0 1 2); the solution is (1, 2, 3).
  auto vector = [](std::vector<float> values) { return Tensor::of<float>(E::f32, {3}, values); };
  auto result = lapack("sgtsv",
                       {vector({0, 1, 1}), vector({2, 2, 2}), vector({1, 1, 0}),
                        Tensor::of<float>(E::f32, {3, 1}, {4, 8, 8})},
                       {f32({3}), f32({3}), f32({3}), f32({3, 1}), i32()});
  ASSERT_TRUE(result.ok()) << result.status();
  std::vector<float> x = elementsOf<float>((*result)[3]);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(x[i], i + 1, 1e-6);
}

/// The same solution where there is one, with rows that change places; a finite one where there is
/// none.
TEST(Lapack, PerturbedTridiagonalSolve) {
  auto vector = [](std::vector<double> values) { return Tensor::of<double>(E::f64, {4}, values); };
  auto solve = [&](std::vector<double> main) {
    Attributes attributes{{"call_target_name", std::string("tridiagonal_solve_perturbed_ffi")}};
    return runOp("custom_call",
                 {vector({0, 5, 1, 4}), vector(main), vector({1, 2, 3, 0}),
                  Tensor::of<double>(E::f64, {4, 2}, {3, 1, 16, 1, 23, 1, 16, 1})},
                 {type(E::f64, {4, 2})}, std::move(attributes));
  };
  // Rows (1 1 0 0), (5 2.5 2 0), (0 1 3 3), (0 0 4 1); the first solution is (1, 2, 3, 4).
  auto result = solve({1, 2.5, 3, 1});
  ASSERT_TRUE(result.ok()) << result.status();
  std::vector<double> x = elementsOf<double>((*result)[0]);
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(x[2 * i], i + 1, 1e-12);
  auto singular = solve({0, 0, 0, 0});
  ASSERT_TRUE(singular.ok()) << singular.status();
  for (double value : elementsOf<double>((*singular)[0]))
    EXPECT_TRUE(std::isfinite(value));
}

/// Runs the call of a GPU or TPU, with options that are true or false.
absl::StatusOr<std::vector<Tensor>>
accelerator(const std::string &name, std::vector<Tensor> operands, std::vector<TensorType> results,
            std::vector<std::pair<std::string, bool>> options = {}) {
  Attributes attributes{{"call_target_name", name}};
  for (const auto &[option, value] : options)
    attributes.set("backend_config." + option, value);
  return runOp("custom_call", std::move(operands), std::move(results), std::move(attributes));
}

TEST(Accelerator, FactorsMultiplyBack) {
  int64_t n = 4;
  Matrix a = positiveMatrix(n, 7);
  for (bool lower : {true, false})
    for (const char *name : {"cusolver_potrf_ffi", "hipsolver_potrf_ffi"}) {
      auto result = accelerator(name, {tensorOf(a, {n, n})}, {type(E::complexF64, {n, n}), i32()},
                                {{"lower", lower}});
      ASSERT_TRUE(result.ok()) << result.status();
      Matrix factor = elementsOf<C>((*result)[0]);
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j)
          if (lower ? j > i : j < i)
            factor[i * n + j] = 0;
      Matrix other = adjoint(factor, n, n);
      expectNear(lower ? product(factor, other, n, n, n) : product(other, factor, n, n, n), a);
    }
}

TEST(Accelerator, QrMultipliesBack) {
  int64_t m = 5, n = 3;
  Matrix a = randomMatrix(m, n, 8);
  const std::pair<const char *, const char *> names[] = {
      {"cusolver_geqrf_ffi", "cusolver_orgqr_ffi"},
      {"cublas_geqrf_batched_ffi", "cusolver_orgqr_ffi"},
      {"Qr", "ProductOfElementaryHouseholderReflectors"}};
  for (auto [geqrf, orgqr] : names) {
    auto qr = accelerator(geqrf, {tensorOf(a, {m, n})},
                          {type(E::complexF64, {m, n}), type(E::complexF64, {n})});
    ASSERT_TRUE(qr.ok()) << geqrf << ": " << qr.status();
    auto q = accelerator(orgqr, {(*qr)[0], (*qr)[1]}, {type(E::complexF64, {m, n})});
    ASSERT_TRUE(q.ok()) << orgqr << ": " << q.status();
    expectNear(product(elementsOf<C>((*q)[0]), upperPart((*qr)[0], n), m, n, n), a);
  }
}

/// Both forms of the right singular vectors; a transposed call returns them before the left ones.
TEST(Accelerator, SingularValuesMultiplyBack) {
  struct Call {
    const char *name;
    bool isPlain, isTransposed;
  };
  for (Call call :
       {Call{"cusolver_gesvd_ffi", false, false}, Call{"cusolver_gesvd_ffi", false, true},
        Call{"cusolver_gesvdj_ffi", true, false}, Call{"cusolver_gesvdp_ffi", true, false}})
    for (bool full : {false, true}) {
      int64_t m = 3, n = 4, k = full ? n : m;
      Matrix a = randomMatrix(m, n, 9);
      TensorType u = type(E::complexF64, {m, m}),
                 v = type(E::complexF64, call.isPlain ? Ints{n, k} : Ints{k, n});
      auto svd = accelerator(
          call.name, {tensorOf(a, {m, n})},
          {type(E::complexF64, {m, n}), type(E::f64, {m}), call.isTransposed ? v : u,
           call.isTransposed ? u : v, i32()},
          {{"compute_uv", true}, {"full_matrices", full}, {"transposed", call.isTransposed}});
      ASSERT_TRUE(svd.ok()) << call.name << ": " << svd.status();
      Matrix left = elementsOf<C>((*svd)[call.isTransposed ? 3 : 2]),
             right = elementsOf<C>((*svd)[call.isTransposed ? 2 : 3]);
      if (call.isPlain)
        right = adjoint(right, n, k);
      right.resize(m * n);
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < m; ++j)
          left[i * m + j] *= elementsOf<double>((*svd)[1])[j];
      expectNear(product(left, right, m, m, n), a);
    }
}

TEST(Accelerator, EigenvectorsMultiplyBack) {
  int64_t n = 4;
  Matrix a = positiveMatrix(n, 10);
  for (const char *name : {"cusolver_syevd_ffi", "Eigh"}) {
    bool isTpu = name[0] == 'E';
    std::vector<TensorType> types = {type(E::complexF64, {n, n}), type(E::f64, {n})};
    if (!isTpu)
      types.push_back(i32());
    Attributes attributes{{"call_target_name", std::string(name)}};
    if (isTpu)
      attributes.set("backend_config", std::string("1,1,100,1e-6"));
    else
      attributes.set("backend_config.lower", true);
    auto result = runOp("custom_call", {tensorOf(a, {n, n})}, types, std::move(attributes));
    ASSERT_TRUE(result.ok()) << name << ": " << result.status();
    Matrix v = elementsOf<C>((*result)[0]), scaled = v;
    for (int64_t i = 0; i < n * n; ++i)
      scaled[i] *= elementsOf<double>((*result)[1])[i % n];
    expectNear(product(a, v, n, n, n), scaled);
  }
}

TEST(Accelerator, LuMultipliesBack) {
  int64_t n = 4;
  Matrix a = randomMatrix(n, n, 11);
  auto result = accelerator("LuDecomposition", {tensorOf(a, {n, n})},
                            {type(E::complexF64, {n, n}), i32({n}), i32({n})});
  ASSERT_TRUE(result.ok()) << result.status();
  Matrix both = elementsOf<C>((*result)[0]), lower(n * n), upper(n * n), permuted(n * n);
  std::vector<int32_t> order = elementsOf<int32_t>((*result)[2]);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      lower[i * n + j] = i == j ? C(1) : j < i ? both[i * n + j] : C(0);
      upper[i * n + j] = j >= i ? both[i * n + j] : C(0);
      permuted[i * n + j] = a[order[i] * n + j];
    }
  expectNear(product(lower, upper, n, n, n), permuted);
  auto again = accelerator("cu_lu_pivots_to_permutation", {(*result)[1]}, {i32({n})});
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(elementsOf<int32_t>((*again)[0]), order);
}

TEST(Accelerator, TridiagonalSolve) {
  auto vector = [](std::vector<float> values) { return Tensor::of<float>(E::f32, {3}, values); };
  auto result = accelerator("cusparse_gtsv2_ffi",
                            {vector({0, 1, 1}), vector({2, 2, 2}), vector({1, 1, 0}),
                             Tensor::of<float>(E::f32, {3, 1}, {4, 8, 8})},
                            {f32({3, 1})});
  ASSERT_TRUE(result.ok()) << result.status();
  std::vector<float> x = elementsOf<float>((*result)[0]);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(x[i], i + 1, 1e-6);
}

TEST(Accelerator, WhatDoesNotFitIsRefused) {
  Tensor pivots = Tensor::of<int32_t>(E::i32, {2}, {0, 7});
  EXPECT_EQ(accelerator("cu_lu_pivots_to_permutation", {pivots}, {i32({3})}).status().message(),
            "'custom_call' of @cu_lu_pivots_to_permutation: has a pivot that is no row of 3");
  EXPECT_EQ(
      accelerator("cu_lu_pivots_to_permutation", {pivots}, {f32({3})}).status().message(),
      "'custom_call' of @cu_lu_pivots_to_permutation: makes 3xf32 of 2xi32; expected integers "
      "of 32 bits in the same batch");
  EXPECT_EQ(accelerator("Qr", {pivots}, {i32({2}), i32({2})}).status().message(),
            "'custom_call' of @Qr: operand 0 is 2xi32; expected matrices of floats");
  EXPECT_EQ(accelerator("Eigh", {pivots}, {i32({2}), i32({2})}).status().message(),
            "'custom_call' of @Eigh: operand 0 is 2xi32; expected floats");
  Attributes config{{"call_target_name", std::string("Eigh")},
                    {"backend_config", std::string("x")}};
  Tensor a = Tensor::of<float>(E::f32, {2, 2}, {1, 2, 2, 1});
  EXPECT_EQ(runOp("custom_call", {a}, {f32({2, 2}), f32({2})}, config).status().message(),
            "'custom_call' of @Eigh: backend_config is \"x\"; expected lower, sort, iterations and "
            "tolerance, such as \"1,1,100,1e-6\"");
  config.set("call_target_name", std::string("Qr"));
  EXPECT_EQ(runOp("custom_call", {a}, {f32({2, 2}), f32({2})}, config).status().message(),
            "'custom_call' of @Qr: backend_config is \"x\"; expected none");
  Tensor one = Tensor::of<float>(E::f32, {}, {1});
  EXPECT_EQ(accelerator("cusolver_syrk_ffi", {a, a, one, a}, {f32({2, 2})}).status().message(),
            "'custom_call' of @cusolver_syrk_ffi: operand 3 has type 2x2xf32; expected f32");
}

/// The lower triangle of the product; the upper one is that of C.
TEST(Accelerator, SymmetricProduct) {
  int64_t m = 3, k = 2;
  Matrix a = randomMatrix(m, k, 11), c = randomMatrix(m, m, 12);
  C alpha(2, 1), beta(0, 3);
  Matrix plainTranspose(m * k);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < k; ++j)
      plainTranspose[j * m + i] = a[i * k + j];
  Matrix expected = product(a, plainTranspose, m, k, m);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < m; ++j)
      expected[i * m + j] =
          j > i ? c[i * m + j] : alpha * expected[i * m + j] + beta * c[i * m + j];
  for (bool transpose : {false, true}) {
    Tensor operand = transpose ? tensorOf(plainTranspose, {k, m}) : tensorOf(a, {m, k});
    auto result =
        accelerator("cusolver_syrk_ffi",
                    {operand, tensorOf(c, {m, m}), tensorOf({alpha}, {}), tensorOf({beta}, {})},
                    {type(E::complexF64, {m, m})}, {{"transpose", transpose}});
    ASSERT_TRUE(result.ok()) << result.status();
    expectNear(elementsOf<C>((*result)[0]), expected);
  }
}

TEST(Lapack, SizesThatDoNotFit) {
  Tensor a = Tensor::of<float>(E::f32, {2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(lapack("spotrf", {a}, {f32({2, 3}), i32()}, {{"uplo", 'L'}}).status().message(),
            "'custom_call' of @lapack_spotrf_ffi: has operands or results whose sizes do not fit "
            "together");
  EXPECT_FALSE(lapack("dpotrf", {a}, {f32({2, 3}), i32()}).ok());
  EXPECT_FALSE(lapack("sgetrf", {a}, {f32({2, 3}), i32({9}), i32()}).ok());
}

TEST(Lapack, OptionsThatNoRoutineKnows) {
  Tensor a = Tensor::of<double>(E::f64, {2, 2}, {4, 1, 1, 4});
  std::vector<TensorType> results = {type(E::f64, {2, 2}), i32()};
  EXPECT_EQ(lapack("dpotrf", {a}, results).status().message(),
            "'custom_call' of @lapack_dpotrf_ffi: needs option 'uplo', the code of "
            "one of the letters LU; it is 0");
  EXPECT_EQ(lapack("dpotrf", {a}, results, {{"uplo", 'X'}}).status().message(),
            "'custom_call' of @lapack_dpotrf_ffi: needs option 'uplo', the code of "
            "one of the letters LU; it is 88");
}

/// Neither is read or written as what it is not.
TEST(Lapack, TypesThatDoNotFit) {
  Tensor a = Tensor::of<double>(E::f64, {2, 2}, {4, 1, 1, 4});
  auto messageOf = [&](std::vector<Tensor> operands, std::vector<TensorType> results) {
    const char *name = operands.size() == 1 ? "dpotrf" : "dormqr";
    return std::string(
        lapack(name, std::move(operands), std::move(results), {{"uplo", 'L'}}).status().message());
  };
  EXPECT_EQ(messageOf({a}, {f32({2, 2}), i32()}),
            "'custom_call' of @lapack_dpotrf_ffi: result 0 is 2x2xf32; expected f64");
  EXPECT_EQ(messageOf({a}, {type(E::f64, {2, 2}), type(E::i8, {})}),
            "'custom_call' of @lapack_dpotrf_ffi: result 1 is i8; expected i32");
  Tensor tau = Tensor::of<int32_t>(E::i32, {2}, {0, 0});
  EXPECT_EQ(messageOf({a, tau, a}, {type(E::f64, {2, 2})}),
            "'custom_call' of @lapack_dormqr_ffi: operand 1 is 2xi32; expected f64");
  Tensor vector = Tensor::of<double>(E::f64, {2}, {1, 1});
  EXPECT_EQ(messageOf({a, vector, vector}, {type(E::f64, {2})}),
            "'custom_call' of @lapack_dormqr_ffi: has operands or results whose sizes do not fit "
            "together");
}

TEST(Lapack, WhatIsNoNumberStaysSo) {
  Tensor zero = Tensor::of<double>(E::f64, {1}, {0}),
         none = Tensor::of<double>(E::f64, {1}, {std::nan("")});
  Attributes attributes{{"call_target_name", std::string("tridiagonal_solve_perturbed_ffi")}};
  auto result = runOp("custom_call", {zero, none, zero, Tensor::of<double>(E::f64, {1, 1}, {1})},
                      {type(E::f64, {1, 1})}, std::move(attributes));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(std::isnan(elementsOf<double>((*result)[0])[0]));
}

} // namespace
} // namespace spmd::test
