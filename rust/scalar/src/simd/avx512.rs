//! Eight doubles: AVX-512 F, DQ.

use std::arch::x86_64::*;
use std::ops::Neg;

use super::{LaneMask, Lanes, compiled_functions, control_flow, methods, operators};
use crate::real::{Arith, Bits, Mask, Real, Rows, Table, inlined};

/// Eight doubles.
#[derive(Clone, Copy, Debug)]
pub struct F64x8(__m512d);
/// Eight integers of 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct I64x8(__m512i);
/// Eight truth values.
#[derive(Clone, Copy, Debug)]
pub struct M64x8(__mmask8);

impl LaneMask for M64x8 {
    #[inline(always)]
    fn any(self) -> bool {
        self.0 != 0
    }
}

impl Mask for M64x8 {
    #[inline(always)]
    fn lit(v: bool) -> Self {
        M64x8(if v { 0xff } else { 0 })
    }
    #[inline(always)]
    fn and(self, o: Self) -> Self {
        M64x8(self.0 & o.0)
    }
    #[inline(always)]
    fn or(self, o: Self) -> Self {
        M64x8(self.0 | o.0)
    }
    #[inline(always)]
    fn not(self) -> Self {
        M64x8(!self.0)
    }
}

impl Bits for I64x8 {
    type Mask = M64x8;
    methods! {
        fn lit(v: i64) -> Self = I64x8(_mm512_set1_epi64(v));
        fn add(self, o: Self) -> Self = I64x8(_mm512_add_epi64(self.0, o.0));
        fn sub(self, o: Self) -> Self = I64x8(_mm512_sub_epi64(self.0, o.0));
        fn and(self, o: Self) -> Self = I64x8(_mm512_and_si512(self.0, o.0));
        fn or(self, o: Self) -> Self = I64x8(_mm512_or_si512(self.0, o.0));
        fn xor(self, o: Self) -> Self = I64x8(_mm512_xor_si512(self.0, o.0));
        fn shl(self, n: u32) -> Self = I64x8(_mm512_sllv_epi64(self.0, _mm512_set1_epi64(i64::from(n))));
        fn shr(self, n: u32) -> Self = I64x8(_mm512_srlv_epi64(self.0, _mm512_set1_epi64(i64::from(n))));
        fn eq(self, o: Self) -> M64x8 = M64x8(_mm512_cmpeq_epi64_mask(self.0, o.0));
        fn lt(self, o: Self) -> M64x8 = M64x8(_mm512_cmplt_epi64_mask(self.0, o.0));
        fn select(m: M64x8, a: Self, b: Self) -> Self = I64x8(_mm512_mask_blend_epi64(m.0, b.0, a.0));
    }
}

operators!(F64x8: Add add _mm512_add_pd, Sub sub _mm512_sub_pd, Mul mul _mm512_mul_pd, Div div _mm512_div_pd);

impl Neg for F64x8 {
    type Output = Self;
    methods! {
        fn neg(self) -> Self = F64x8(_mm512_xor_pd(self.0, _mm512_set1_pd(-0.0)));
    }
}

impl Arith for F64x8 {
    type Mask = M64x8;
    methods! {
        fn lit(v: f64) -> Self = F64x8(_mm512_set1_pd(v));
        fn abs(self) -> Self = F64x8(_mm512_abs_pd(self.0));
        fn sqrt(self) -> Self = F64x8(_mm512_sqrt_pd(self.0));
        fn fma(self, b: Self, c: Self) -> Self = F64x8(_mm512_fmadd_pd(self.0, b.0, c.0));
        fn floor(self) -> Self = F64x8(_mm512_roundscale_pd::<0x09>(self.0));
        fn ceil(self) -> Self = F64x8(_mm512_roundscale_pd::<0x0a>(self.0));
        fn trunc(self) -> Self = F64x8(_mm512_roundscale_pd::<0x0b>(self.0));
        fn round(self) -> Self = F64x8(_mm512_roundscale_pd::<0x08>(self.0));
        fn copysign(self, sign: Self) -> Self = {
            let bit = _mm512_set1_pd(-0.0);
            F64x8(_mm512_or_pd(_mm512_andnot_pd(bit, self.0), _mm512_and_pd(bit, sign.0)))
        };
        fn eq(self, o: Self) -> M64x8 = M64x8(_mm512_cmp_pd_mask::<_CMP_EQ_OQ>(self.0, o.0));
        fn ne(self, o: Self) -> M64x8 = M64x8(_mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(self.0, o.0));
        fn lt(self, o: Self) -> M64x8 = M64x8(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, o.0));
        fn le(self, o: Self) -> M64x8 = M64x8(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, o.0));
        fn min(self, o: Self) -> Self = F64x8(_mm512_min_pd(o.0, self.0));
        fn max(self, o: Self) -> Self = F64x8(_mm512_max_pd(o.0, self.0));
        fn select(m: M64x8, a: Self, b: Self) -> Self = F64x8(_mm512_mask_blend_pd(m.0, b.0, a.0));
    }
}

impl Real for F64x8 {
    type Bits = I64x8;
    methods! {
        fn to_bits(self) -> I64x8 = I64x8(_mm512_castpd_si512(self.0));
        fn from_bits(b: I64x8) -> Self = F64x8(_mm512_castsi512_pd(b.0));
        fn gather(table: &'static Table, i: I64x8) -> Self = {
            let last = _mm512_set1_epi64(table.values.len() as i64 - 1);
            let i = _mm512_min_epi64(_mm512_max_epi64(i.0, _mm512_setzero_si512()), last);
            F64x8(_mm512_i64gather_pd::<8>(i, table.values.as_ptr()))
        };
        fn scale_plainly(self, k: Self) -> Self = F64x8(_mm512_scalef_pd(self.0, k.0));
    }
    /// Looked up in registers, sixteen rows at a time, or else from the pairs of the eight rows that hold it, which the compiler reads
    /// once for both numbers.
    #[inline(always)]
    fn column<const N: usize, const C: usize>(table: &'static Rows<N, C>, k: usize, row: I64x8) -> Self {
        if C <= 32 {
            return in_registers(&table.columns[k], row);
        }
        let pair = (k / 2 * 2).min(N - 2);
        // SAFETY: a row is at most the last one, as unsigned numbers compare, the pair ends inside it, and the caller has enabled the
        // instruction set.
        unsafe {
            let row = _mm512_min_epu64(row.0, _mm512_set1_epi64(C as i64 - 1));
            let mut at = [0u64; 8];
            _mm512_storeu_si512(at.as_mut_ptr().cast(), _mm512_mul_epu32(row, _mm512_set1_epi64(N as i64)));
            let values = table.rows.as_ptr().cast::<f64>();
            let of = inlined(
                #[inline(always)]
                |lane: usize| _mm_loadu_pd(values.add(at[lane] as usize + pair)),
            );
            let four = inlined(
                #[inline(always)]
                |lane: usize| {
                    let v = _mm512_insertf64x2::<1>(_mm512_castpd128_pd512(of(lane)), of(lane + 2));
                    _mm512_insertf64x2::<3>(_mm512_insertf64x2::<2>(v, of(lane + 4)), of(lane + 6))
                },
            );
            let (even, odd) = (four(0), four(1));
            F64x8(if k == pair { _mm512_unpacklo_pd(even, odd) } else { _mm512_unpackhi_pd(even, odd) })
        }
    }
    control_flow!(M64x8);
    compiled_functions!("avx2,fma,bmi1,bmi2,avx512f,avx512cd,avx512dq,avx512bw,avx512vl");
}

/// `column[row]` by permutations.
#[inline(always)]
fn in_registers<const C: usize>(column: &'static [f64; C], row: I64x8) -> F64x8 {
    let part = inlined(
        #[inline(always)]
        |from: usize| {
            let n = C.saturating_sub(from).min(8);
            // SAFETY: `n` doubles of the column, in a caller that has enabled the instruction set.
            unsafe { _mm512_maskz_loadu_pd(((1u32 << n) - 1) as __mmask8, column.as_ptr().wrapping_add(from)) }
        },
    );
    // SAFETY: arithmetic on registers, in a caller that has enabled the instruction set.
    unsafe {
        if C <= 8 {
            return F64x8(_mm512_permutexvar_pd(row.0, part(0)));
        }
        let mut found = _mm512_permutex2var_pd(part(0), row.0, part(8));
        for from in (16..C).step_by(16) {
            let here = _mm512_permutex2var_pd(part(from), row.0, part(from + 8));
            let above = _mm512_cmpge_epi64_mask(row.0, _mm512_set1_epi64(from as i64));
            found = _mm512_mask_blend_pd(above, found, here);
        }
        F64x8(found)
    }
}

impl Lanes for F64x8 {
    const LANES: usize = 8;
    #[inline(always)]
    unsafe fn load(p: *const f64) -> Self {
        // SAFETY: eight elements by the caller's promise.
        F64x8(unsafe { _mm512_loadu_pd(p) })
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut f64) {
        // SAFETY: eight elements by the caller's promise.
        unsafe { _mm512_storeu_pd(p, self.0) }
    }
    #[inline(always)]
    unsafe fn load_f32(p: *const f32) -> Self {
        // SAFETY: eight elements by the caller's promise.
        F64x8(unsafe { _mm512_cvtps_pd(_mm256_loadu_ps(p)) })
    }
    #[inline(always)]
    unsafe fn store_f32(self, p: *mut f32) {
        // SAFETY: eight elements by the caller's promise.
        unsafe { _mm256_storeu_ps(p, _mm512_cvtpd_ps(self.0)) }
    }
}
