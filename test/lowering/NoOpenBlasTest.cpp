// A machine without OpenBLAS: small products are computed, others are refused with what to install.
#include "Programs.h"

#include "spmd/lowering/interpreter/kernels/OpenBlas.h"

#include <dlfcn.h>

/// Takes the place of the system's, so that no library is found.
extern "C" void *dlmopen(Lmid_t, const char *, int) noexcept { return nullptr; }

namespace spmd::test {
namespace {

absl::Status multiply(int64_t n) {
  Tensor ones = Tensor::of<float>(ElementType::f32, {n, n}, std::vector<float>(n * n, 1));
  return runOp("dot_general", {ones, ones}, {f32({n, n})},
               {{"lhs_contracting_dimensions", Ints{1}},
                {"rhs_contracting_dimensions", Ints{0}},
                {"lhs_batching_dimensions", Ints{}},
                {"rhs_batching_dimensions", Ints{}}})
      .status();
}

TEST(NoOpenBlas, SmallProductsDoNotNeedIt) { EXPECT_TRUE(multiply(8).ok()); }

TEST(NoOpenBlas, LargeProductsSayWhatToInstall) {
  absl::Status status = multiply(96);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(status.message().find("OpenBLAS cannot be loaded: "), absl::string_view::npos)
      << status;
  EXPECT_NE(status.message().find("; install libopenblas0"), absl::string_view::npos) << status;
}

TEST(NoOpenBlas, LinearAlgebraSaysSo) {
  auto result = runOp("cholesky", {Tensor::of<float>(ElementType::f32, {1, 1}, {4})}, {f32({1, 1})},
                      {{"lower", true}});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kUnavailable);
  result = runOp("triangular_solve",
                 {Tensor::of<float>(ElementType::f32, {1, 1}, {4}),
                  Tensor::of<float>(ElementType::f32, {1, 1}, {4})},
                 {f32({1, 1})},
                 {{"left_side", true},
                  {"lower", true},
                  {"unit_diagonal", false},
                  {"transpose_a", std::string("NO_TRANSPOSE")}});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kUnavailable);
}

} // namespace
} // namespace spmd::test
