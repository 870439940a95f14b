// Element types, conversions, the order of elements, and positions in strided arrays.
#define SA_DEVICE static __device__ __forceinline__
#define SA_MEMBER static __device__ __forceinline__

// Kernels that take long to compile stand between `#if !defined(SA_ONLY) || defined(SA_ONLY_name)`: a text may be for one of
// them. Every kernel takes one structure, so that a launch is one pointer to its bytes.
#if defined(SA_HOST)
#ifndef SA_PREFIX
#define SA_PREFIX
#endif
#define SA_PASTE_(a, b) a##b
#define SA_PASTE(a, b) SA_PASTE_(a, b)
#define SA_KERNEL(name, type)                                                                                          \
    static void name##_thread(const type &p);                                                                          \
    extern "C" void SA_PASTE(SA_PREFIX, name)(const type *p, const unsigned *shape)                                    \
    {                                                                                                                  \
        sa_host::run([](const void *q) { name##_thread(*(const type *)q); }, p, shape);                                \
    }                                                                                                                  \
    extern "C" const unsigned long SA_PASTE(SA_PREFIX, name##_bytes);                                                  \
    const unsigned long SA_PASTE(SA_PREFIX, name##_bytes) = sizeof(type);                                              \
    static void name##_thread(const type &p)
#define SA_SHARED static
#else
// A file may bound the registers of its kernels.
#define SA_BOUNDS
#define SA_KERNEL(name, type) extern "C" __global__ void SA_BOUNDS name(const __grid_constant__ type p)
#define SA_SHARED __shared__
#endif

typedef signed char sa_i8;
typedef short sa_i16;
typedef int sa_i32;
typedef long long sa_i64;
typedef unsigned char sa_u8;
typedef unsigned short sa_u16;
typedef unsigned sa_u32;
typedef unsigned long long sa_u64;
struct sa_u128 { sa_u64 low, high; };

template <class T> struct sa_complex { T re, im; };
typedef sa_complex<float> sa_c64;
typedef sa_complex<double> sa_c128;

template <class T> SA_DEVICE sa_complex<T> operator+(sa_complex<T> a, sa_complex<T> b) { return {a.re + b.re, a.im + b.im}; }
template <class T> SA_DEVICE sa_complex<T> operator-(sa_complex<T> a, sa_complex<T> b) { return {a.re - b.re, a.im - b.im}; }
template <class T> SA_DEVICE sa_complex<T> operator*(sa_complex<T> a, sa_complex<T> b)
{
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T> SA_DEVICE bool operator==(sa_complex<T> a, sa_complex<T> b) { return (a.re == b.re) & (a.im == b.im); }
template <class T> SA_DEVICE bool operator!=(sa_complex<T> a, sa_complex<T> b) { return !(a == b); }

// Kinds of element types: 0 truth values, 1 integers, 2 floats, 3 complex numbers.
template <class T> struct sa_traits { enum { kind = 1 }; typedef T part; };
template <> struct sa_traits<bool> { enum { kind = 0 }; typedef bool part; };
template <> struct sa_traits<float> { enum { kind = 2 }; typedef float part; };
template <> struct sa_traits<double> { enum { kind = 2 }; typedef double part; };
template <class T> struct sa_traits<sa_complex<T> > { enum { kind = 3 }; typedef T part; };

// Floats to integers as x86 converts them: the most negative number for NaN and what is out of range.
SA_DEVICE sa_i32 sa_to_i32(double x) { return x > -2147483649.0 && x < 2147483648.0 ? (sa_i32)x : (sa_i32)0x80000000u; }
SA_DEVICE sa_i64 sa_to_i64(double x)
{
    return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? (sa_i64)x : (sa_i64)0x8000000000000000ULL;
}
SA_DEVICE sa_u64 sa_to_u64(double x)
{
    const double two63 = 9223372036854775808.0;
    return x >= two63 ? (sa_u64)sa_to_i64(x - two63) ^ 0x8000000000000000ULL : (sa_u64)sa_to_i64(x);
}
template <class D> struct sa_truncate { SA_MEMBER D of(double x) { return (D)sa_to_i32(x); } };
template <> struct sa_truncate<sa_i64> { SA_MEMBER sa_i64 of(double x) { return sa_to_i64(x); } };
template <> struct sa_truncate<sa_u32> { SA_MEMBER sa_u32 of(double x) { return (sa_u32)sa_to_i64(x); } };
template <> struct sa_truncate<sa_u64> { SA_MEMBER sa_u64 of(double x) { return sa_to_u64(x); } };

template <class D, class S, int KD, int KS> struct sa_convert { SA_MEMBER D of(S x) { return (D)x; } };
template <class D, class S, int KS> struct sa_convert<D, S, 0, KS> { SA_MEMBER D of(S x) { return x != (S)0; } };
template <class D, class S> struct sa_convert<D, S, 1, 2> { SA_MEMBER D of(S x) { return sa_truncate<D>::of((double)x); } };
template <class D, class S> struct sa_convert<D, S, 0, 3> { SA_MEMBER D of(S x) { return (x.re != 0) | (x.im != 0); } };
template <class D, class S> struct sa_convert<D, S, 2, 3> { SA_MEMBER D of(S x) { return (D)x.re; } };
template <class D, class S> struct sa_convert<D, S, 1, 3> { SA_MEMBER D of(S x) { return sa_truncate<D>::of((double)x.re); } };
template <class D, class S, int KS> struct sa_convert<D, S, 3, KS> { SA_MEMBER D of(S x) { return D{(typename sa_traits<D>::part)x, 0}; } };
template <class D, class S> struct sa_convert<D, S, 3, 3>
{
    SA_MEMBER D of(S x) { return D{(typename sa_traits<D>::part)x.re, (typename sa_traits<D>::part)x.im}; }
};
template <class D, class S> SA_DEVICE D sa_cast(S x)
{
    return sa_convert<D, S, sa_traits<D>::kind, sa_traits<S>::kind>::of(x);
}

// Comparison as NumPy's: complex numbers lexicographic, NaN beyond everything in either direction.
template <class T> SA_DEVICE bool sa_is_nan(T x) { return x != x; }
template <class T> SA_DEVICE bool sa_is_nan(sa_complex<T> x) { return (x.re != x.re) | (x.im != x.im); }
template <class T> SA_DEVICE bool sa_less(T a, T b) { return a < b; }
template <class T> SA_DEVICE bool sa_less(sa_complex<T> a, sa_complex<T> b)
{
    return (a.re < b.re) | ((a.re == b.re) & (a.im < b.im));
}
// Whether `b` replaces `best`.
template <bool MAX, class T> SA_DEVICE bool sa_beats(T b, T best)
{
    return !sa_is_nan(best) && (sa_is_nan(b) || (MAX ? sa_less(best, b) : sa_less(b, best)));
}

SA_DEVICE int sa_max(int a, int b) { return a > b ? a : b; }
SA_DEVICE sa_i64 sa_min(sa_i64 a, sa_i64 b) { return a < b ? a : b; }

SA_DEVICE sa_i64 sa_thread() { return (sa_i64)blockIdx.x * blockDim.x + threadIdx.x; }
SA_DEVICE sa_i64 sa_threads() { return (sa_i64)gridDim.x * blockDim.x; }

// Dimensions that K arrays share, the last one innermost, and their strides in elements. More dimensions than fit after those
// that lie behind each other are merged are a define of the text.
#ifndef SA_DIMS
#define SA_DIMS 6
#endif
template <int K> struct sa_layout {
    sa_i64 ndim, size[SA_DIMS], stride[K][SA_DIMS];
};

// Of several dimensions; a call of its own, as divisions of 64 bits are long code.
template <int K, class I> static __device__ __noinline__ void sa_divide(const sa_layout<K> &l, I i, sa_i64 (&at)[K])
{
    for (int k = 0; k < K; ++k) at[k] = 0;
    for (int d = (int)l.ndim - 1; d >= 0; --d) {
        const I n = (I)l.size[d], rest = d > 0 ? i / n : 0, here = i - rest * n;
        for (int k = 0; k < K; ++k) at[k] += (sa_i64)here * l.stride[k][d];
        i = rest;
    }
}

// The offsets of position `i` in C order.
template <int K, class I> SA_DEVICE void sa_offsets(const sa_layout<K> &l, I i, sa_i64 (&at)[K])
{
    if (l.ndim > 1) sa_divide(l, i, at);
    else
        for (int k = 0; k < K; ++k) at[k] = l.ndim ? (sa_i64)i * l.stride[k][0] : 0;
}
