// Functions of f64 by vectors: steps (KernelRegistry.h) without parameters.
#pragma once

#include <cstdint>

namespace spmd::by_vectors {

/// Whether there are such functions, on a machine with vectors of 32 bytes.
extern const bool areThere;

// Each computes `n` elements; `out` may be one of `in`. Results are off by up to 4 ulps (glibc's
// manual, "Known Maximum Errors in Math Functions"), and depend on nothing but their arguments.
void atan2(int64_t n, void *out, const void *const *in, const int64_t *);
void cbrt(int64_t n, void *out, const void *const *in, const int64_t *);
void cos(int64_t n, void *out, const void *const *in, const int64_t *);
void exp(int64_t n, void *out, const void *const *in, const int64_t *);
void expm1(int64_t n, void *out, const void *const *in, const int64_t *);
void log(int64_t n, void *out, const void *const *in, const int64_t *);
void log1p(int64_t n, void *out, const void *const *in, const int64_t *);
void logistic(int64_t n, void *out, const void *const *in, const int64_t *);
void pow(int64_t n, void *out, const void *const *in, const int64_t *);
void sin(int64_t n, void *out, const void *const *in, const int64_t *);
void tan(int64_t n, void *out, const void *const *in, const int64_t *);
void tanh(int64_t n, void *out, const void *const *in, const int64_t *);

} // namespace spmd::by_vectors
