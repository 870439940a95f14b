//! Four doubles: AVX2 with FMA.

use std::arch::x86_64::*;
use std::ops::Neg;

use super::{LaneMask, Lanes, Twice, compiled_functions, control_flow, methods, operators};
use crate::real::{Arith, Bits, Body, Mask, Real, Rows, Table, inlined};

/// Four doubles.
#[derive(Clone, Copy, Debug)]
pub struct F64x4(__m256d);
/// Four integers of 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct I64x4(__m256i);
/// Four truth values, all bits of a lane alike.
#[derive(Clone, Copy, Debug)]
pub struct M64x4(__m256d);

impl LaneMask for M64x4 {
    methods! {
        fn any(self) -> bool = _mm256_movemask_pd(self.0) != 0;
    }
}

impl M64x4 {
    methods! {
        fn of(v: __m256i) -> Self = M64x4(_mm256_castsi256_pd(v));
    }
}

impl Mask for M64x4 {
    methods! {
        fn lit(v: bool) -> Self = M64x4::of(_mm256_set1_epi64x(if v { -1 } else { 0 }));
        fn and(self, o: Self) -> Self = M64x4(_mm256_and_pd(self.0, o.0));
        fn or(self, o: Self) -> Self = M64x4(_mm256_or_pd(self.0, o.0));
        fn not(self) -> Self = M64x4(_mm256_xor_pd(self.0, M64x4::lit(true).0));
    }
}

impl Bits for I64x4 {
    type Mask = M64x4;
    methods! {
        fn lit(v: i64) -> Self = I64x4(_mm256_set1_epi64x(v));
        fn add(self, o: Self) -> Self = I64x4(_mm256_add_epi64(self.0, o.0));
        fn sub(self, o: Self) -> Self = I64x4(_mm256_sub_epi64(self.0, o.0));
        fn and(self, o: Self) -> Self = I64x4(_mm256_and_si256(self.0, o.0));
        fn or(self, o: Self) -> Self = I64x4(_mm256_or_si256(self.0, o.0));
        fn xor(self, o: Self) -> Self = I64x4(_mm256_xor_si256(self.0, o.0));
        fn shl(self, n: u32) -> Self = I64x4(_mm256_sllv_epi64(self.0, _mm256_set1_epi64x(i64::from(n))));
        fn shr(self, n: u32) -> Self = I64x4(_mm256_srlv_epi64(self.0, _mm256_set1_epi64x(i64::from(n))));
        fn eq(self, o: Self) -> M64x4 = M64x4::of(_mm256_cmpeq_epi64(self.0, o.0));
        fn lt(self, o: Self) -> M64x4 = M64x4::of(_mm256_cmpgt_epi64(o.0, self.0));
        fn select(m: M64x4, a: Self, b: Self) -> Self = {
            I64x4(_mm256_blendv_epi8(b.0, a.0, _mm256_castpd_si256(m.0)))
        };
    }
}

operators!(F64x4: Add add _mm256_add_pd, Sub sub _mm256_sub_pd, Mul mul _mm256_mul_pd, Div div _mm256_div_pd);

impl Neg for F64x4 {
    type Output = Self;
    methods! {
        fn neg(self) -> Self = F64x4(_mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)));
    }
}

impl Arith for F64x4 {
    type Mask = M64x4;
    methods! {
        fn lit(v: f64) -> Self = F64x4(_mm256_set1_pd(v));
        fn abs(self) -> Self = F64x4(_mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0));
        fn sqrt(self) -> Self = F64x4(_mm256_sqrt_pd(self.0));
        fn fma(self, b: Self, c: Self) -> Self = F64x4(_mm256_fmadd_pd(self.0, b.0, c.0));
        fn floor(self) -> Self = F64x4(_mm256_round_pd::<0x09>(self.0));
        fn ceil(self) -> Self = F64x4(_mm256_round_pd::<0x0a>(self.0));
        fn trunc(self) -> Self = F64x4(_mm256_round_pd::<0x0b>(self.0));
        fn round(self) -> Self = F64x4(_mm256_round_pd::<0x08>(self.0));
        fn copysign(self, sign: Self) -> Self = {
            let bit = _mm256_set1_pd(-0.0);
            F64x4(_mm256_or_pd(_mm256_andnot_pd(bit, self.0), _mm256_and_pd(bit, sign.0)))
        };
        fn eq(self, o: Self) -> M64x4 = M64x4(_mm256_cmp_pd::<_CMP_EQ_OQ>(self.0, o.0));
        fn ne(self, o: Self) -> M64x4 = M64x4(_mm256_cmp_pd::<_CMP_NEQ_UQ>(self.0, o.0));
        fn lt(self, o: Self) -> M64x4 = M64x4(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, o.0));
        fn le(self, o: Self) -> M64x4 = M64x4(_mm256_cmp_pd::<_CMP_LE_OQ>(self.0, o.0));
        fn min(self, o: Self) -> Self = F64x4(_mm256_min_pd(o.0, self.0));
        fn max(self, o: Self) -> Self = F64x4(_mm256_max_pd(o.0, self.0));
        fn select(m: M64x4, a: Self, b: Self) -> Self = F64x4(_mm256_blendv_pd(b.0, a.0, m.0));
    }
}

impl Real for F64x4 {
    type Bits = I64x4;
    methods! {
        fn to_bits(self) -> I64x4 = I64x4(_mm256_castpd_si256(self.0));
        fn from_bits(b: I64x4) -> Self = F64x4(_mm256_castsi256_pd(b.0));
        fn gather(table: &'static Table, i: I64x4) -> Self = {
            let last = I64x4::lit(table.values.len() as i64 - 1);
            let i = I64x4::select(i.lt(I64x4::lit(0)), I64x4::lit(0), i);
            let i = I64x4::select(last.lt(i), last, i);
            F64x4(_mm256_i64gather_pd::<8>(table.values.as_ptr(), i.0))
        };
    }
    /// From the pairs of the four rows that hold it, which the compiler reads once for both numbers: a third of what gathering takes.
    #[inline(always)]
    fn column<const N: usize, const C: usize>(table: &'static Rows<N, C>, k: usize, row: I64x4) -> Self {
        let pair = (k / 2 * 2).min(N - 2);
        // SAFETY: a row is at most the last one, as unsigned numbers compare, the pair ends inside it, and the caller has enabled the
        // instruction set.
        unsafe {
            let row = _mm256_min_epu32(row.0, _mm256_set1_epi64x(C as i64 - 1));
            let mut at = [0u64; 4];
            _mm256_storeu_si256(at.as_mut_ptr().cast(), _mm256_mul_epu32(row, _mm256_set1_epi64x(N as i64)));
            let values = table.rows.as_ptr().cast::<f64>();
            let of = inlined(
                #[inline(always)]
                |lane: usize| _mm_loadu_pd(values.add(at[lane] as usize + pair)),
            );
            let two = inlined(
                #[inline(always)]
                |lane: usize| _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(of(lane)), of(lane + 2)),
            );
            let (even, odd) = (two(0), two(1));
            F64x4(if k == pair { _mm256_unpacklo_pd(even, odd) } else { _mm256_unpackhi_pd(even, odd) })
        }
    }
    control_flow!(M64x4);
    compiled_functions!("avx2,fma,bmi1,bmi2");
}

impl Lanes for F64x4 {
    const LANES: usize = 4;
    #[inline(always)]
    unsafe fn load(p: *const f64) -> Self {
        // SAFETY: four elements by the caller's promise.
        F64x4(unsafe { _mm256_loadu_pd(p) })
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut f64) {
        // SAFETY: four elements by the caller's promise.
        unsafe { _mm256_storeu_pd(p, self.0) }
    }
    #[inline(always)]
    unsafe fn load_f32(p: *const f32) -> Self {
        // SAFETY: four elements by the caller's promise.
        F64x4(unsafe { _mm256_cvtps_pd(_mm_loadu_ps(p)) })
    }
    #[inline(always)]
    unsafe fn store_f32(self, p: *mut f32) {
        // SAFETY: four elements by the caller's promise.
        unsafe { _mm_storeu_ps(p, _mm256_cvtpd_ps(self.0)) }
    }
    #[inline(always)]
    fn shared_twice<B: Body<N>, const N: usize>(x: [Twice<Self>; N]) -> Twice<Self> {
        Self::outlined(
            #[inline(always)]
            move || B::eval(x),
        )
    }
}
