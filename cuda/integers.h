// The integer functions of `rust/kernels/src/map/basic.rs`: everything wraps around, division by zero gives zero.
template <class T> struct sa_unsigned { typedef T type; };
template <> struct sa_unsigned<sa_i8> { typedef sa_u8 type; };
template <> struct sa_unsigned<sa_i16> { typedef sa_u16 type; };
template <> struct sa_unsigned<sa_i32> { typedef sa_u32 type; };
template <> struct sa_unsigned<sa_i64> { typedef sa_u64 type; };
#define SA_U(x) ((sa_u64)(x))

template <class T> SA_DEVICE T sa_int_zero(T) { return 0; }
template <class T> SA_DEVICE T sa_int_add(T a, T b) { return (T)(SA_U(a) + SA_U(b)); }
template <class T> SA_DEVICE T sa_int_subtract(T a, T b) { return (T)(SA_U(a) - SA_U(b)); }
template <class T> SA_DEVICE T sa_int_multiply(T a, T b) { return (T)(SA_U(a) * SA_U(b)); }
template <class T> SA_DEVICE T sa_int_negative(T a) { return (T)(0 - SA_U(a)); }
template <class T> SA_DEVICE T sa_int_positive(T a) { return a; }
template <class T> SA_DEVICE T sa_int_abs(T a) { return a < 0 ? sa_int_negative(a) : a; }
template <class T> SA_DEVICE T sa_int_square(T a) { return sa_int_multiply(a, a); }
template <class T> SA_DEVICE T sa_int_quotient(T a, T b)
{
    return b == 0 ? 0 : b == (T)-1 && (T)-1 < 0 ? sa_int_negative(a) : (T)(a / b);
}
template <class T> SA_DEVICE T sa_int_fmod(T a, T b) { return b == 0 || (b == (T)-1 && (T)-1 < 0) ? 0 : (T)(a % b); }
template <class T> SA_DEVICE T sa_int_reciprocal(T a) { return sa_int_quotient((T)1, a); }
template <class T> SA_DEVICE T sa_int_floor_divide(T a, T b)
{
    const T q = sa_int_quotient(a, b);
    return (a < 0) != (b < 0) && b != 0 && sa_int_multiply(q, b) != a ? sa_int_subtract(q, (T)1) : q;
}
template <class T> SA_DEVICE T sa_int_remainder(T a, T b)
{
    const T r = sa_int_fmod(a, b);
    return r != 0 && (r < 0) != (b < 0) ? sa_int_add(r, b) : r;
}
template <class T> SA_DEVICE T sa_int_power(T base, T exponent)
{
    T result = 1;
    for (typename sa_unsigned<T>::type e = exponent; e != 0; e >>= 1) {
        if (e & 1) result = sa_int_multiply(result, base);
        base = sa_int_multiply(base, base);
    }
    return result;
}
template <class T> SA_DEVICE T sa_int_gcd(T a, T b)
{
    a = sa_int_abs(a), b = sa_int_abs(b);
    while (b != 0) {
        const T rest = sa_int_fmod(a, b);
        a = b, b = rest;
    }
    return sa_int_abs(a);
}
template <class T> SA_DEVICE T sa_int_lcm(T a, T b)
{
    return sa_int_multiply(sa_int_quotient(sa_int_abs(a), sa_int_gcd(a, b)), sa_int_abs(b));
}
template <class T> SA_DEVICE T sa_int_minimum(T a, T b) { return b < a ? b : a; }
template <class T> SA_DEVICE T sa_int_maximum(T a, T b) { return a < b ? b : a; }
template <class T> SA_DEVICE T sa_int_fmin(T a, T b) { return sa_int_minimum(a, b); }
template <class T> SA_DEVICE T sa_int_fmax(T a, T b) { return sa_int_maximum(a, b); }
template <class T> SA_DEVICE T sa_int_clip(T a, T low, T high) { return sa_int_minimum(sa_int_maximum(a, low), high); }
template <class T> SA_DEVICE T sa_int_sign(T a) { return (T)((a > 0) - (a < 0)); }
template <class T> SA_DEVICE T sa_int_floor(T a) { return a; }
template <class T> SA_DEVICE T sa_int_ceil(T a) { return a; }
template <class T> SA_DEVICE T sa_int_trunc(T a) { return a; }
template <class T> SA_DEVICE T sa_int_round(T a) { return a; }
template <class T> SA_DEVICE T sa_int_bitwise_and(T a, T b) { return (T)(a & b); }
template <class T> SA_DEVICE T sa_int_bitwise_or(T a, T b) { return (T)(a | b); }
template <class T> SA_DEVICE T sa_int_bitwise_xor(T a, T b) { return (T)(a ^ b); }
template <class T> SA_DEVICE T sa_int_bitwise_invert(T a) { return (T)~a; }
// Whether `n` is a number of bits that a shift of a T may have.
template <class T> SA_DEVICE bool sa_int_shifts(T n) { return (typename sa_unsigned<T>::type)n < 8 * sizeof(T); }
template <class T> SA_DEVICE T sa_int_bitwise_left_shift(T a, T n) { return sa_int_shifts(n) ? (T)(SA_U(a) << n) : 0; }
template <class T> SA_DEVICE T sa_int_bitwise_right_shift(T a, T n)
{
    return sa_int_shifts(n) ? (T)(a >> n) : (T)(a < 0 ? -1 : 0);
}
template <class T> SA_DEVICE bool sa_int_signbit(T a) { return a < 0; }
template <class T> SA_DEVICE bool sa_int_equal(T a, T b) { return a == b; }
template <class T> SA_DEVICE bool sa_int_not_equal(T a, T b) { return a != b; }
template <class T> SA_DEVICE bool sa_int_less(T a, T b) { return a < b; }
template <class T> SA_DEVICE bool sa_int_less_equal(T a, T b) { return a <= b; }
template <class T> SA_DEVICE bool sa_int_greater(T a, T b) { return a > b; }
template <class T> SA_DEVICE bool sa_int_greater_equal(T a, T b) { return a >= b; }
