#if defined(__CUDACC__)
#define SA_FUNCTION static __device__
#define SA_TABLE static __device__ const
#define SA_INLINE static __device__ inline
SA_INLINE long long sa_to_bits(double x) { return __double_as_longlong(x); }
SA_INLINE double sa_from_bits(long long b) { return __longlong_as_double(b); }
#else
#include <math.h>
#include <string.h>
#define SA_FUNCTION static
#define SA_TABLE static const
#define SA_INLINE static inline
SA_INLINE long long sa_to_bits(double x) { long long b; memcpy(&b, &x, sizeof b); return b; }
SA_INLINE double sa_from_bits(long long b) { double x; memcpy(&x, &b, sizeof x); return x; }
#endif
SA_INLINE int sa_index(long long i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : (int)i; }
