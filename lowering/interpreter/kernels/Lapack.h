// The routines of LAPACK that kernels call, with one name for all element types. Matrices are
// stored by columns; sizes fit into int, which the caller checks. Routines that need work space get
// it here. loadOpenBlas() comes before all of them.
#pragma once

#include "spmd/lowering/interpreter/kernels/OpenBlas.h"

#include <algorithm>
#include <complex>
#include <vector>

// The library's own symbols: real and complex types share a routine's arguments in the first list.
#define SPMD_LAPACK_ANY(x, T)                                                                      \
  void x##potrf_(const char *, const int *, T *, const int *, int *);                              \
  void x##getrf_(const int *, const int *, T *, const int *, int *, int *);                        \
  void x##geqrf_(const int *, const int *, T *, const int *, T *, T *, const int *, int *);        \
  void x##gehrd_(const int *, const int *, const int *, T *, const int *, T *, T *, const int *,   \
                 int *);                                                                           \
  void x##gtsv_(const int *, const int *, T *, T *, T *, T *, const int *, int *);

#define SPMD_LAPACK_REAL(x, T)                                                                     \
  SPMD_LAPACK_ANY(x, T)                                                                            \
  void x##orgqr_(const int *, const int *, const int *, T *, const int *, const T *, T *,          \
                 const int *, int *);                                                              \
  void x##ormqr_(const char *, const char *, const int *, const int *, const int *, const T *,     \
                 const int *, const T *, T *, const int *, T *, const int *, int *);               \
  void x##geqp3_(const int *, const int *, T *, const int *, int *, T *, T *, const int *, int *); \
  void x##syevd_(const char *, const char *, const int *, T *, const int *, T *, T *, const int *, \
                 int *, const int *, int *);                                                       \
  void x##sytrd_(const char *, const int *, T *, const int *, T *, T *, T *, T *, const int *,     \
                 int *);                                                                           \
  void x##gesdd_(const char *, const int *, const int *, T *, const int *, T *, T *, const int *,  \
                 T *, const int *, T *, const int *, int *, int *);                                \
  void x##gesvd_(const char *, const char *, const int *, const int *, T *, const int *, T *, T *, \
                 const int *, T *, const int *, T *, const int *, int *);                          \
  void x##geev_(const char *, const char *, const int *, T *, const int *, T *, T *, T *,          \
                const int *, T *, const int *, T *, const int *, int *);                           \
  void x##gees_(const char *, const char *, int (*)(const T *, const T *), const int *, T *,       \
                const int *, int *, T *, T *, T *, const int *, T *, const int *, int *, int *);

#define SPMD_LAPACK_COMPLEX(x, T, R)                                                               \
  SPMD_LAPACK_ANY(x, T)                                                                            \
  void x##ungqr_(const int *, const int *, const int *, T *, const int *, const T *, T *,          \
                 const int *, int *);                                                              \
  void x##unmqr_(const char *, const char *, const int *, const int *, const int *, const T *,     \
                 const int *, const T *, T *, const int *, T *, const int *, int *);               \
  void x##geqp3_(const int *, const int *, T *, const int *, int *, T *, T *, const int *, R *,    \
                 int *);                                                                           \
  void x##heevd_(const char *, const char *, const int *, T *, const int *, R *, T *, const int *, \
                 R *, const int *, int *, const int *, int *);                                     \
  void x##hetrd_(const char *, const int *, T *, const int *, R *, R *, T *, T *, const int *,     \
                 int *);                                                                           \
  void x##gesdd_(const char *, const int *, const int *, T *, const int *, R *, T *, const int *,  \
                 T *, const int *, T *, const int *, R *, int *, int *);                           \
  void x##gesvd_(const char *, const char *, const int *, const int *, T *, const int *, R *, T *, \
                 const int *, T *, const int *, T *, const int *, R *, int *);                     \
  void x##geev_(const char *, const char *, const int *, T *, const int *, T *, T *, const int *,  \
                T *, const int *, T *, const int *, R *, int *);                                   \
  void x##gees_(const char *, const char *, int (*)(const T *), const int *, T *, const int *,     \
                int *, T *, T *, const int *, T *, const int *, R *, int *, int *);

extern "C" {
SPMD_LAPACK_REAL(s, float)
SPMD_LAPACK_REAL(d, double)
SPMD_LAPACK_COMPLEX(c, std::complex<float>, float)
SPMD_LAPACK_COMPLEX(z, std::complex<double>, double)
}

#undef SPMD_LAPACK_ANY
#undef SPMD_LAPACK_REAL
#undef SPMD_LAPACK_COMPLEX

namespace spmd::lapack {

// The same, in the library that loadOpenBlas() has loaded.
#define SPMD_LAPACK_ANY_NAMES(F, x)                                                                \
  F(x##potrf_)                                                                                     \
  F(x##getrf_)                                                                                     \
  F(x##geqrf_)                                                                                     \
  F(x##gehrd_) F(x##gtsv_) F(x##geqp3_) F(x##gesdd_) F(x##gesvd_) F(x##geev_) F(x##gees_)
#define SPMD_LAPACK_REAL_NAMES(F, x)                                                               \
  SPMD_LAPACK_ANY_NAMES(F, x) F(x##orgqr_) F(x##ormqr_) F(x##syevd_) F(x##sytrd_)
#define SPMD_LAPACK_COMPLEX_NAMES(F, x)                                                            \
  SPMD_LAPACK_ANY_NAMES(F, x) F(x##ungqr_) F(x##unmqr_) F(x##heevd_) F(x##hetrd_)
#define SPMD_LAPACK_FUNCTIONS(F)                                                                   \
  SPMD_LAPACK_REAL_NAMES(F, s)                                                                     \
  SPMD_LAPACK_REAL_NAMES(F, d) SPMD_LAPACK_COMPLEX_NAMES(F, c) SPMD_LAPACK_COMPLEX_NAMES(F, z)

SPMD_LAPACK_FUNCTIONS(SPMD_OPENBLAS_FUNCTION)

template <typename T> struct RealOf {
  using Type = T;
};
template <typename T> struct RealOf<std::complex<T>> {
  using Type = T;
};

/// Calls `routine(work, size)` for its best size, then with that much.
template <typename T, typename Fn> void withWork(Fn routine) {
  T best = 0;
  int query = -1;
  routine(&best, &query);
  int size = std::max(1, static_cast<int>(std::real(best)));
  std::vector<T> work(size);
  routine(work.data(), &size);
}

/// The routines of element type T, as functions of one signature.
template <typename T> struct Routines;

#define SPMD_LAPACK_ANY(x, T)                                                                      \
  using Element = T;                                                                               \
  using Real = RealOf<T>::Type;                                                                    \
  static int potrf(char uplo, int n, T *a) {                                                       \
    int info = 0, lda = std::max(n, 1);                                                            \
    x##potrf_(&uplo, &n, a, &lda, &info);                                                          \
    return info;                                                                                   \
  }                                                                                                \
  static int getrf(int m, int n, T *a, int *pivots) {                                              \
    int info = 0, lda = std::max(m, 1);                                                            \
    x##getrf_(&m, &n, a, &lda, pivots, &info);                                                     \
    return info;                                                                                   \
  }                                                                                                \
  static int geqrf(int m, int n, T *a, T *tau) {                                                   \
    int info = 0, lda = std::max(m, 1);                                                            \
    withWork<T>([&](T *w, int *size) { x##geqrf_(&m, &n, a, &lda, tau, w, size, &info); });        \
    return info;                                                                                   \
  }                                                                                                \
  static int gehrd(int n, int low, int high, T *a, T *tau) {                                       \
    int info = 0, lda = std::max(n, 1);                                                            \
    withWork<T>(                                                                                   \
        [&](T *w, int *size) { x##gehrd_(&n, &low, &high, a, &lda, tau, w, size, &info); });       \
    return info;                                                                                   \
  }                                                                                                \
  static int gtsv(int n, int count, T *lower, T *main, T *upper, T *b) {                           \
    int info = 0, ldb = std::max(n, 1);                                                            \
    x##gtsv_(&n, &count, lower, main, upper, b, &ldb, &info);                                      \
    return info;                                                                                   \
  }                                                                                                \
  static int gesdd(char mode, int m, int n, T *a, Real *s, T *u, int ldu, T *vt, int ldvt) {       \
    int info = 0, lda = std::max(m, 1);                                                            \
    std::vector<int> integers(8 * std::max(1, std::min(m, n)));                                    \
    return svd(mode, m, n, a, lda, s, u, ldu, vt, ldvt, integers.data(), info);                    \
  }

/// An orthogonal factor kept as reflectors; of complex matrices it is unitary.
#define SPMD_LAPACK_ORTHOGONAL(generate, multiply, adjoined, T)                                    \
  static int orgqr(int m, int n, int k, T *a, const T *tau) {                                      \
    int info = 0, lda = std::max(m, 1);                                                            \
    withWork<T>([&](T *w, int *size) { generate(&m, &n, &k, a, &lda, tau, w, size, &info); });     \
    return info;                                                                                   \
  }                                                                                                \
  static int ormqr(char side, bool adjoint, int m, int n, int k, const T *a, int lda,              \
                   const T *tau, T *c) {                                                           \
    int info = 0, ldc = std::max(m, 1);                                                            \
    char transpose = adjoint ? adjoined : 'N';                                                     \
    withWork<T>([&](T *w, int *size) {                                                             \
      multiply(&side, &transpose, &m, &n, &k, a, &lda, tau, c, &ldc, w, size, &info);              \
    });                                                                                            \
    return info;                                                                                   \
  }

#define SPMD_LAPACK_REAL(x, T)                                                                     \
  template <> struct Routines<T> {                                                                 \
    SPMD_LAPACK_ANY(x, T)                                                                          \
    SPMD_LAPACK_ORTHOGONAL(x##orgqr_, x##ormqr_, 'T', T)                                           \
    static int geqp3(int m, int n, T *a, int *pivots, T *tau) {                                    \
      int info = 0, lda = std::max(m, 1);                                                          \
      withWork<T>(                                                                                 \
          [&](T *w, int *size) { x##geqp3_(&m, &n, a, &lda, pivots, tau, w, size, &info); });      \
      return info;                                                                                 \
    }                                                                                              \
    static int eigh(char mode, char uplo, int n, T *a, Real *w) {                                  \
      int info = 0, lda = std::max(n, 1), few = 3 + 5 * n;                                         \
      std::vector<int> integers(few);                                                              \
      withWork<T>([&](T *work, int *size) {                                                        \
        x##syevd_(&mode, &uplo, &n, a, &lda, w, work, size, integers.data(), &few, &info);         \
      });                                                                                          \
      return info;                                                                                 \
    }                                                                                              \
    static int tridiagonal(char uplo, int n, T *a, Real *d, Real *e, T *tau) {                     \
      int info = 0, lda = std::max(n, 1);                                                          \
      withWork<T>(                                                                                 \
          [&](T *w, int *size) { x##sytrd_(&uplo, &n, a, &lda, d, e, tau, w, size, &info); });     \
      return info;                                                                                 \
    }                                                                                              \
    static int svd(char mode, int m, int n, T *a, int lda, Real *s, T *u, int ldu, T *vt,          \
                   int ldvt, int *integers, int info) {                                            \
      withWork<T>([&](T *w, int *size) {                                                           \
        x##gesdd_(&mode, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, w, size, integers, &info);        \
      });                                                                                          \
      return info;                                                                                 \
    }                                                                                              \
    static int gesvd(char mode, int m, int n, T *a, Real *s, T *u, int ldu, T *vt, int ldvt) {     \
      int info = 0, lda = std::max(m, 1);                                                          \
      withWork<T>([&](T *w, int *size) {                                                           \
        x##gesvd_(&mode, &mode, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, w, size, &info);           \
      });                                                                                          \
      return info;                                                                                 \
    }                                                                                              \
    static int geev(char left, char right, int n, T *a, T *wr, T *wi, T *vl, T *vr) {              \
      int info = 0, ld = std::max(n, 1);                                                           \
      withWork<T>([&](T *w, int *size) {                                                           \
        x##geev_(&left, &right, &n, a, &ld, wr, wi, vl, &ld, vr, &ld, w, size, &info);             \
      });                                                                                          \
      return info;                                                                                 \
    }                                                                                              \
    static int gees(char mode, int n, T *a, T *wr, T *wi, T *vs) {                                 \
      int info = 0, ld = std::max(n, 1), selected = 0;                                             \
      char sort = 'N';                                                                             \
      withWork<T>([&](T *w, int *size) {                                                           \
        x##gees_(&mode, &sort, nullptr, &n, a, &ld, &selected, wr, wi, vs, &ld, w, size, nullptr,  \
                 &info);                                                                           \
      });                                                                                          \
      return info;                                                                                 \
    }                                                                                              \
  };

#define SPMD_LAPACK_COMPLEX(x, T)                                                                  \
  template <> struct Routines<T> {                                                                 \
    SPMD_LAPACK_ANY(x, T)                                                                          \
    SPMD_LAPACK_ORTHOGONAL(x##ungqr_, x##unmqr_, 'C', T)                                           \
    static int geqp3(int m, int n, T *a, int *pivots, T *tau) {                                    \
      int info = 0, lda = std::max(m, 1);                                                          \
      std::vector<Real> reals(2 * std::max(n, 1));                                                 \
      withWork<T>([&](T *w, int *size) {                                                           \
        x##geqp3_(&m, &n, a, &lda, pivots, tau, w, size, reals.data(), &info);                     \
      });                                                                                          \
      return info;                                                                                 \
    }                                                                                              \
    static int eigh(char mode, char uplo, int n, T *a, Real *w) {                                  \
      int info = 0, lda = std::max(n, 1), few = 3 + 5 * n, some = 1 + 5 * n + 2 * n * n;           \
      std::vector<int> integers(few);                                                              \
      std::vector<Real> reals(some);                                                               \
      withWork<T>([&](T *work, int *size) {                                                        \
        x##heevd_(&mode, &uplo, &n, a, &lda, w, work, size, reals.data(), &some, integers.data(),  \
                  &few, &info);                                                                    \
      });                                                                                          \
      return info;                                                                                 \
    }                                                                                              \
    static int tridiagonal(char uplo, int n, T *a, Real *d, Real *e, T *tau) {                     \
      int info = 0, lda = std::max(n, 1);                                                          \
      withWork<T>(                                                                                 \
          [&](T *w, int *size) { x##hetrd_(&uplo, &n, a, &lda, d, e, tau, w, size, &info); });     \
      return info;                                                                                 \
    }                                                                                              \
    static int svd(char mode, int m, int n, T *a, int lda, Real *s, T *u, int ldu, T *vt,          \
                   int ldvt, int *integers, int info) {                                            \
      size_t k = std::max(1, std::min(m, n)), larger = std::max(m, n);                             \
      std::vector<Real> reals(std::max(5 * k * k + 7 * k, 2 * larger * k + 2 * k * k + k));        \
      withWork<T>([&](T *w, int *size) {                                                           \
        x##gesdd_(&mode, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, w, size, reals.data(), integers,  \
                  &info);                                                                          \
      });                                                                                          \
      return info;                                                                                 \
    }                                                                                              \
    static int gesvd(char mode, int m, int n, T *a, Real *s, T *u, int ldu, T *vt, int ldvt) {     \
      int info = 0, lda = std::max(m, 1);                                                          \
      std::vector<Real> reals(5 * std::max(1, std::min(m, n)));                                    \
      withWork<T>([&](T *w, int *size) {                                                           \
        x##gesvd_(&mode, &mode, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, w, size, reals.data(),     \
                  &info);                                                                          \
      });                                                                                          \
      return info;                                                                                 \
    }                                                                                              \
    static int geev(char left, char right, int n, T *a, T *w, T *, T *vl, T *vr) {                 \
      int info = 0, ld = std::max(n, 1);                                                           \
      std::vector<Real> reals(2 * ld);                                                             \
      withWork<T>([&](T *work, int *size) {                                                        \
        x##geev_(&left, &right, &n, a, &ld, w, vl, &ld, vr, &ld, work, size, reals.data(), &info); \
      });                                                                                          \
      return info;                                                                                 \
    }                                                                                              \
    static int gees(char mode, int n, T *a, T *w, T *, T *vs) {                                    \
      int info = 0, ld = std::max(n, 1), selected = 0;                                             \
      char sort = 'N';                                                                             \
      std::vector<Real> reals(ld);                                                                 \
      withWork<T>([&](T *work, int *size) {                                                        \
        x##gees_(&mode, &sort, nullptr, &n, a, &ld, &selected, w, vs, &ld, work, size,             \
                 reals.data(), nullptr, &info);                                                    \
      });                                                                                          \
      return info;                                                                                 \
    }                                                                                              \
  };

SPMD_LAPACK_REAL(s, float)
SPMD_LAPACK_REAL(d, double)
SPMD_LAPACK_COMPLEX(c, std::complex<float>)
SPMD_LAPACK_COMPLEX(z, std::complex<double>)

#undef SPMD_LAPACK_ANY
#undef SPMD_LAPACK_REAL
#undef SPMD_LAPACK_COMPLEX

} // namespace spmd::lapack
