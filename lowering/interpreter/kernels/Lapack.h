// The routines of LAPACK that kernels call, one overload for each element type; matrices are stored
// by columns. Sizes fit into int: who calls checks that.
#pragma once

#include <complex>

#define SPMD_LAPACK(prefix, T, R)                                                                  \
  extern "C" {                                                                                     \
  void prefix##potrf_(const char *, const int *, T *, const int *, int *);                         \
  void prefix##getrf_(const int *, const int *, T *, const int *, int *, int *);                   \
  void prefix##geqrf_(const int *, const int *, T *, const int *, T *, T *, const int *, int *);   \
  void prefix##gehrd_(const int *, const int *, const int *, T *, const int *, T *, T *,           \
                      const int *, int *);                                                         \
  void prefix##gtsv_(const int *, const int *, T *, T *, T *, T *, const int *, int *);            \
  }                                                                                                \
  inline void potrf(char uplo, int n, T *a, int &info) {                                           \
    prefix##potrf_(&uplo, &n, a, &n, &info);                                                       \
  }                                                                                                \
  inline void getrf(int m, int n, T *a, int *pivots, int &info) {                                  \
    prefix##getrf_(&m, &n, a, &m, pivots, &info);                                                  \
  }                                                                                                \
  inline void geqrf(int m, int n, T *a, T *tau, T *work, int size, int &info) {                    \
    prefix##geqrf_(&m, &n, a, &m, tau, work, &size, &info);                                        \
  }                                                                                                \
  inline void gehrd(int n, int low, int high, int lda, T *a, T *tau, T *work, int size,            \
                    int &info) {                                                                   \
    prefix##gehrd_(&n, &low, &high, a, &lda, tau, work, &size, &info);                             \
  }                                                                                                \
  inline void gtsv(int n, int count, T *lower, T *main, T *upper, T *b, int &info) {               \
    prefix##gtsv_(&n, &count, lower, main, upper, b, &n, &info);                                   \
  }

namespace spmd::lapack {
SPMD_LAPACK(s, float, float)
SPMD_LAPACK(d, double, double)
SPMD_LAPACK(c, std::complex<float>, float)
SPMD_LAPACK(z, std::complex<double>, double)
} // namespace spmd::lapack

#undef SPMD_LAPACK

// Routines whose names or arguments differ between real and complex types.
#define SPMD_LAPACK_REAL(prefix, T)                                                                \
  extern "C" {                                                                                     \
  void prefix##orgqr_(const int *, const int *, const int *, T *, const int *, const T *, T *,     \
                      const int *, int *);                                                         \
  void prefix##geqp3_(const int *, const int *, T *, const int *, int *, T *, T *, const int *,    \
                      int *);                                                                      \
  void prefix##syevd_(const char *, const char *, const int *, T *, const int *, T *, T *,         \
                      const int *, int *, const int *, int *);                                     \
  void prefix##sytrd_(const char *, const int *, T *, const int *, T *, T *, T *, T *,             \
                      const int *, int *);                                                         \
  void prefix##gesdd_(const char *, const int *, const int *, T *, const int *, T *, T *,          \
                      const int *, T *, const int *, T *, const int *, int *, int *);              \
  void prefix##gesvd_(const char *, const char *, const int *, const int *, T *, const int *, T *, \
                      T *, const int *, T *, const int *, T *, const int *, int *);                \
  void prefix##geev_(const char *, const char *, const int *, T *, const int *, T *, T *, T *,     \
                     const int *, T *, const int *, T *, const int *, int *);                      \
  void prefix##gees_(const char *, const char *, int (*)(const T *, const T *), const int *, T *,  \
                     const int *, int *, T *, T *, T *, const int *, T *, const int *, int *,      \
                     int *);                                                                       \
  }

#define SPMD_LAPACK_COMPLEX(prefix, T, R)                                                          \
  extern "C" {                                                                                     \
  void prefix##ungqr_(const int *, const int *, const int *, T *, const int *, const T *, T *,     \
                      const int *, int *);                                                         \
  void prefix##geqp3_(const int *, const int *, T *, const int *, int *, T *, T *, const int *,    \
                      R *, int *);                                                                 \
  void prefix##heevd_(const char *, const char *, const int *, T *, const int *, R *, T *,         \
                      const int *, R *, const int *, int *, const int *, int *);                   \
  void prefix##hetrd_(const char *, const int *, T *, const int *, R *, R *, T *, T *,             \
                      const int *, int *);                                                         \
  void prefix##gesdd_(const char *, const int *, const int *, T *, const int *, R *, T *,          \
                      const int *, T *, const int *, T *, const int *, R *, int *, int *);         \
  void prefix##gesvd_(const char *, const char *, const int *, const int *, T *, const int *, R *, \
                      T *, const int *, T *, const int *, T *, const int *, R *, int *);           \
  void prefix##geev_(const char *, const char *, const int *, T *, const int *, T *, T *,          \
                     const int *, T *, const int *, T *, const int *, R *, int *);                 \
  void prefix##gees_(const char *, const char *, int (*)(const T *), const int *, T *,             \
                     const int *, int *, T *, T *, const int *, T *, const int *, R *, int *,      \
                     int *);                                                                       \
  }

SPMD_LAPACK_REAL(s, float)
SPMD_LAPACK_REAL(d, double)
SPMD_LAPACK_COMPLEX(c, std::complex<float>, float)
SPMD_LAPACK_COMPLEX(z, std::complex<double>, double)

#undef SPMD_LAPACK_REAL
#undef SPMD_LAPACK_COMPLEX
