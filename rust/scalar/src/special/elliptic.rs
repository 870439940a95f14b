//! Elliptic integrals, complete, incomplete and in Carlson's symmetric form, and Jacobi's elliptic functions.
//!
//! B. C. Carlson, "Numerical computation of real or complex elliptic integrals" (Numerical Algorithms 10, 1995), DLMF 19.36;
//! the complete integrals from tables and their expansion at the logarithmic point (DLMF 19.12).

use super::dual::{Dual, at, pack};
use super::pieces::{centred, intervals, octaves};
use super::tables as t;
use super::wide::{self, Wide};
use crate::dd::Dd;
use crate::elementary::{polynomial, sin_cos};
use crate::named;
use crate::real::{Mask, Real, each, inlined, mapped};
use crate::shared;
use std::f64::consts::{FRAC_1_PI, FRAC_PI_2, LN_2, PI};

const INF: f64 = f64::INFINITY;
const PI_LO: f64 = 1.2246467991473532e-16;
/// `1/3` in two parts.
const THIRD: (f64, f64) = (1.0 / 3.0, 1.850371707708594e-17);
/// Where the largest relative distance from the mean is below this, the series of Carlson's functions need no further term.
const CLOSE: f64 = 0.008;
/// The same for the longer series of the first kind.
const CLOSE_FIRST: f64 = 0.04;
const MAX_STEPS: u32 = 80;

/// A complete integral as a function of `p = 1 - m`: `q` is `p` or `1/p`, whichever is below 1, `l` is `log(1/q)`.
struct Complement<R: Real> {
    q: R,
    l: R,
    near: R::Mask,
    inverted: R::Mask,
}

#[inline(always)]
fn complement<R: Real>(p: R) -> Complement<R> {
    let one = R::lit(1.0);
    let inverted = p.gt(one);
    let q = R::select(inverted, one / p, p);
    Complement { q, l: shared::log(p).abs(), near: q.ge(R::lit(0.25)), inverted }
}

/// `K(1 - p)`.
#[inline(always)]
pub fn ellipkm1<R: Real>(p: R) -> R {
    named!("ellipkm1", |p| {
        let c = complement(p);
        let one = R::lit(1.0);
        let inside = R::select(c.near.and(c.q.lt(one)), c.q, R::lit(0.5));
        let table = octaves(-2, &t::ELLIPK, inside);
        let table = R::select(c.q.eq(one), R::lit(FRAC_PI_2), table);
        let log = centred(&t::ELLIPK_B, c.q, 0.25).fma(c.l, centred(&t::ELLIPK_A, c.q, 0.25));
        let out = R::select(c.near, table, log);
        let out = R::select(c.inverted, out / p.sqrt(), out);
        let out = R::select(p.eq(R::lit(INF)), R::lit(0.0), out);
        let out = R::select(p.eq(R::lit(0.0)), R::lit(INF), out);
        R::select(p.ge(R::lit(0.0)), out, R::lit(f64::NAN))
    })
}

/// Complete elliptic integral of the first kind.
#[inline(always)]
pub fn ellipk<R: Real>(m: R) -> R {
    named!("ellipk", |m| ellipkm1(R::lit(1.0) - m))
}

/// Complete elliptic integral of the second kind.
#[inline(always)]
pub fn ellipe<R: Real>(m: R) -> R {
    named!("ellipe", |m| {
        let one = R::lit(1.0);
        let p = one - m;
        let c = complement(p);
        let inside = R::select(c.near.and(c.q.lt(one)), c.q, R::lit(0.5));
        let table = octaves(-2, &t::ELLIPE, inside);
        let table = R::select(c.q.eq(one), R::lit(FRAC_PI_2), table);
        let log = centred(&t::ELLIPE_B, c.q, 0.25).fma(c.l, centred(&t::ELLIPE_A, c.q, 0.25));
        let out = R::select(c.near, table, c.q.fma(log, one));
        let out = R::select(c.inverted, out * p.sqrt(), out);
        let out = R::select(p.eq(R::lit(INF)), R::lit(INF), out);
        let out = R::select(p.eq(R::lit(0.0)), one, out);
        R::select(p.ge(R::lit(0.0)), out, R::lit(f64::NAN))
    })
}

/// `dK/dm` at `m = 1 - p`.
#[inline(always)]
pub fn ellipk_d1<R: Real>(p: R) -> R {
    named!("ellipk_d1", |p| {
        let m = R::lit(1.0) - p;
        let near = m.abs().lt(R::lit(0.5));
        let table = intervals(&t::ELLIPK_DM, R::select(near, m, R::lit(0.0)), -0.5, 0.125);
        // DLMF 19.4.1
        let outer = (shared::ellipe(m) / p - shared::ellipkm1(p)) / (m + m);
        let out = R::select(near, table, outer);
        let out = R::select(p.eq(R::lit(INF)), R::lit(0.0), out);
        R::select(p.eq(R::lit(0.0)), R::lit(INF), out)
    })
}

/// `d2K/dm2` at `m = 1 - p`.
#[inline(always)]
pub fn ellipk_d2<R: Real>(p: R) -> R {
    named!("ellipk_d2", |p| {
        let one = R::lit(1.0);
        let m = one - p;
        let near = m.abs().lt(R::lit(0.5));
        let table = intervals(&t::ELLIPK_DMM, R::select(near, m, R::lit(0.0)), -0.5, 0.125);
        // The differential equation DLMF 19.4.8
        let outer = (R::lit(0.25) * shared::ellipkm1(p) - (p - m) * ellipk_d1(p)) / m / p;
        let out = R::select(near, table, outer);
        let out = R::select(p.eq(R::lit(INF)), R::lit(0.0), out);
        R::select(p.eq(R::lit(0.0)), R::lit(INF), out)
    })
}

/// The coefficients of `e2^i e3^j` up to degree 11 in row `j`, without the leading 1.
const RF_SERIES: [[f64; 6]; 4] = {
    let mut rows = [[0.0; 6]; 4];
    let mut j = 0;
    while j < 4 {
        let mut i = 0;
        while 2 * i + 3 * j < 12 {
            // (-1)^i (1/2)_(i + j) / (i! j! (2 (2i + 3j) + 1))
            let mut c = 1.0 / (4 * i + 6 * j + 1) as f64;
            let mut k = 0;
            while k < i + j {
                c *= 0.5 + k as f64;
                c /= if k < i { -((k + 1) as f64) } else { (k - i + 1) as f64 };
                k += 1;
            }
            rows[j][i] = c;
            i += 1;
        }
        j += 1;
    }
    rows[0][0] = 0.0;
    rows
};

/// Carlson's `R_F` of non-negative arguments, at most one of them zero. The rounding of every step would stay in the result.
#[inline(always)]
fn rf<R: Real>(x: R, y: R, z: R) -> R {
    let (zero, quarter, third) = (R::lit(0.0), R::lit(0.25), R::lit(1.0 / 3.0));
    let [x, xl, y, yl, z, zl] = R::repeat(
        [x, zero, y, zero, z, zero],
        MAX_STEPS,
        #[inline(always)]
        |[x, xl, y, yl, z, zl]| {
            let at = [Dd::new(x, xl), Dd::new(y, yl), Dd::new(z, zl)];
            let [a, b, c] = mapped(
                at,
                #[inline(always)]
                |v| v.sqrt(),
            );
            let l = a.times_pow2(quarter) * b + c.times_pow2(quarter) * (a + b);
            let [x, y, z] = mapped(
                at,
                #[inline(always)]
                |v| v.times_pow2(quarter) + l,
            );
            let mean = x.hi * third + y.hi * third + z.hi * third;
            let limit = mean * R::lit(CLOSE_FIRST);
            let far = |v: R| (v - mean).abs().gt(limit);
            ([x.hi, x.lo, y.hi, y.lo, z.hi, z.lo], far(x.hi).or(far(y.hi)).or(far(z.hi)))
        },
    );
    let exact = (Dd::two_sum(x, y).plus(z).plus(xl + yl + zl)) * Dd::lit(THIRD.0, THIRD.1);
    let mean = exact.value();
    let (dx, dy) = ((mean - x) / mean, (mean - y) / mean);
    let dz = -(dx + dy);
    let e2 = dx * dy - dz * dz;
    let e3 = dx * dy * dz;
    // DLMF 19.19.7 to degree 11
    let mut s = R::lit(0.0);
    for row in RF_SERIES.iter().rev() {
        s = s.fma(e3, polynomial(e2, row));
    }
    Dd::fast_two_sum(R::lit(1.0), s).quotient(exact.sqrt())
}

#[inline(always)]
fn nan_unless<R: Real>(defined: R::Mask, value: R) -> R {
    R::select(defined, value, R::lit(f64::NAN))
}

#[inline(always)]
fn any_zero_pair<R: Real>(x: R, y: R, z: R) -> R::Mask {
    let zero = R::lit(0.0);
    let (a, b, c) = (x.eq(zero), y.eq(zero), z.eq(zero));
    a.and(b).or(b.and(c)).or(c.and(a))
}

/// A factor, `2^(2 power)` or its reciprocal, that brings `high` between the limits, and its square root.
#[inline(always)]
pub(crate) fn into_range<R: Real>(high: R, limits: [f64; 2], power: i32) -> [R; 2] {
    let (up, down) = (high.lt(R::lit(limits[0])), high.gt(R::lit(limits[1])));
    mapped(
        [2 * power, power],
        #[inline(always)]
        |e| R::select(up, R::lit(2f64.powi(e)), R::select(down, R::lit(2f64.powi(-e)), R::lit(1.0))),
    )
}

/// Carlson's symmetric integral of the first kind.
#[inline(always)]
pub fn elliprf<R: Real>(x: R, y: R, z: R) -> R {
    named!("elliprf", |x, y, z| {
        let (zero, inf) = (R::lit(0.0), R::lit(INF));
        // The sums of duplication stay in range: the function is homogeneous of degree -1/2.
        let [factor, root] = into_range(x.max(y).max(z), [1e-290, 1e300], 200);
        let out = rf(x * factor, y * factor, z * factor) * root;
        let out = R::select(any_zero_pair(x, y, z), inf, out);
        let out = R::select(x.eq(inf).or(y.eq(inf)).or(z.eq(inf)), zero, out);
        nan_unless(x.ge(zero).and(y.ge(zero)).and(z.ge(zero)), out)
    })
}

/// Carlson's degenerate integral, for negative `y` its principal value.
#[inline(always)]
pub fn elliprc<R: Real>(x: R, y: R) -> R {
    named!("elliprc", |x, y| {
        let (zero, half, one, inf) = (R::lit(0.0), R::lit(0.5), R::lit(1.0), R::lit(INF));
        // DLMF 19.2.20
        let cut = y.lt(zero);
        let (a, b) = (R::select(cut, x - y, x), R::select(cut, -y, y));
        let front = R::select(cut, (x / a).sqrt(), one);
        let gap = R::select(cut, x, (x - y).abs());
        let mean = (a + b + b) * R::lit(1.0 / 3.0);
        let s = (b - mean) / mean;
        let near = s.abs().lt(R::lit(CLOSE));
        let coefs = [0.3, 1.0 / 7.0, 0.375, 9.0 / 22.0, 159.0 / 208.0, 1.125];
        let series = (s * s).fma(polynomial(s, &coefs), one) / mean.sqrt();
        // DLMF 19.2.18, 19.2.19
        let root = gap.sqrt();
        let logarithm = a.gt(b);
        let [value] = R::when(
            near.or(logarithm).not(),
            [series],
            #[inline(always)]
            || [shared::atan((gap / a).sqrt()) / root],
        );
        let logarithm = logarithm.and(near.not());
        let [value] = R::when(
            logarithm,
            [value],
            #[inline(always)]
            || {
                let q = gap / b;
                let log = R::select(
                    q.lt(inf),
                    shared::asinh(q.sqrt()),
                    R::lit(LN_2) + half * (shared::log(gap) - shared::log(b)),
                );
                [log / root]
            },
        );
        let out = front * value;
        let out = R::select(x.eq(inf).or(y.abs().eq(inf)), zero, out);
        nan_unless(x.ge(zero).and(y.ne(zero)).and(y.is_nan().not()), out)
    })
}

/// The series of `R_D` and `R_J` in the symmetric functions of the relative distances, less the leading 1.
#[inline(always)]
fn third_series<R: Real, const K: usize>(e2: Dual<R, K>, e3: Dual<R, K>, e4: Dual<R, K>, e5: Dual<R, K>) -> Dual<R, K> {
    let e22 = e2 * e2;
    let small = e22 * (e3.scaled(45.0 / 272.0) - e2.scaled(1.0 / 16.0)) + e3 * e3.scaled(0.075) + e2 * e4.scaled(0.15)
        - (e3 * e4 + e2 * e5).scaled(9.0 / 68.0)
        + e5.scaled(3.0 / 26.0)
        - e2 * e3.scaled(9.0 / 52.0)
        - e4.scaled(3.0 / 22.0)
        + e22.scaled(9.0 / 88.0);
    small + e3.scaled(1.0 / 6.0) - e2.scaled(3.0 / 14.0)
}

/// `R_D` by duplication.
#[inline(always)]
fn rd<R: Real, const K: usize>(args: [Dual<R, K>; 3]) -> Dual<R, K> {
    let fifth = R::lit(0.2);
    // The derivatives of the series have fewer digits.
    let close = if K == 1 { CLOSE } else { CLOSE / 8.0 };
    // Infinite results overflow outside, where they leave no NaN: the function is homogeneous of degree -3/2.
    let high = args[0].value().max(args[1].value()).max(args[2].value());
    let up = args[2].value().lt(R::lit(1e-100)).and(high.lt(R::lit(1e150)));
    let [factor, root] = mapped(
        [400, 200],
        inlined(
            #[inline(always)]
            |e| R::select(up, R::lit(2f64.powi(e)), R::lit(1.0)),
        ),
    );
    let [x, y, z] = mapped(
        args,
        #[inline(always)]
        |v| Wide::of(v.times(factor)),
    );
    let state = R::repeat(
        wide::pack::<R, K, 4, 1, 33>([x, y, z, Wide::lit(0.0)], [R::lit(1.0)]),
        MAX_STEPS,
        #[inline(always)]
        |state| {
            let [x, y, z, sum] = each(
                #[inline(always)]
                |i| wide::at::<R, K, 33>(&state, i),
            );
            let f = state[32] * R::lit(0.25);
            let [a, b, c] = mapped(
                [x, y, z],
                #[inline(always)]
                |v| v.sqrt(),
            );
            let quarter = inlined(
                #[inline(always)]
                |v: Wide<R, K>| v.scaled_pow2(R::lit(0.25)),
            );
            let l = quarter(a).mul(b) + quarter(c).mul(a + b);
            let next = mapped(
                [x, y, z],
                #[inline(always)]
                |v| quarter(v) + l,
            );
            let term = Wide::constant(Dd::new(f, R::lit(0.0))).div(c).div(next[2]);
            let v = mapped(
                next,
                #[inline(always)]
                |v| v.0[0].hi,
            );
            let mean = v[0] * fifth + v[1] * fifth + v[2] * R::lit(0.6);
            let limit = mean * R::lit(close);
            let far = |v: R| (v - mean).abs().gt(limit);
            let go = far(v[0]).or(far(v[1])).or(far(v[2]));
            let wides = [next[0], next[1], next[2], sum + term];
            (wide::pack(wides, [f]), go)
        },
    );
    let [x, y, z, sum] = each(
        #[inline(always)]
        |i| wide::at::<R, K, 33>(&state, i),
    );
    let mean = (x.scaled(fifth) + y.scaled(fifth)) + z.scaled(R::lit(0.6));
    let [u, v] = mapped(
        [x, y],
        #[inline(always)]
        |v| (mean - v).rounded() / mean.rounded(),
    );
    let w = (u + v).scaled(-1.0 / 3.0);
    let (uv, ww) = (u * v, w * w);
    let excess = third_series(
        uv - ww.scaled(6.0),
        (uv.scaled(3.0) - ww.scaled(8.0)) * w,
        (uv - ww).scaled(3.0) * ww,
        uv * ww * w,
    );
    let series = Wide::lit(1.0) + Wide::of(excess);
    let out = series.scaled_pow2(state[32]).div(mean).div(mean.sqrt()) + sum.scaled(R::lit(3.0));
    out.rounded().times(factor).times(root)
}

/// The derivative of `R_D` in the directions that `parts` marks, as [`Dual::variable`] does.
#[inline(always)]
fn rd_slope<R: Real, const K: usize>(args: [R; 3], parts: [usize; 3]) -> R {
    rd::<R, K>(each(
        #[inline(always)]
        |i| Dual::variable(args[i], parts[i]),
    ))
    .top()
}

/// The limits of `R_D` and of its derivatives at zero and infinite arguments.
#[inline(always)]
fn rd_limits<R: Real>(x: R, y: R, z: R, out: R, pole: f64) -> R {
    let (zero, inf) = (R::lit(0.0), R::lit(INF));
    // Below 1e-206 the function, homogeneous of degree -3/2, overflows.
    let singular = z.eq(zero).or(x.eq(zero).and(y.eq(zero))).or(x.max(y).max(z).lt(R::lit(1e-206)));
    // Slopes that overflow on the way are NaN.
    let out = R::select(singular.or(out.is_nan()), R::lit(pole), out);
    let out = R::select(x.eq(inf).or(y.eq(inf)).or(z.eq(inf)), zero, out);
    nan_unless(x.ge(zero).and(y.ge(zero)).and(z.ge(zero)), out)
}

/// Carlson's symmetric integral of the second kind, with a double weight on `z`.
#[inline(always)]
pub fn elliprd<R: Real>(x: R, y: R, z: R) -> R {
    named!("elliprd", |x, y, z| { rd_limits(x, y, z, rd(mapped([x, y, z], Dual::<R, 1>::constant)).value(), INF) })
}

/// `dR_D/dx`.
#[inline(always)]
pub fn elliprd_dx<R: Real>(x: R, y: R, z: R) -> R {
    named!("elliprd_dx", |x, y, z| {
        let out = rd_slope::<R, 2>([x, y, z], [1, 0, 0]);
        rd_limits(x, y, z, out, -INF)
    })
}

/// `dR_D/dz`.
#[inline(always)]
pub fn elliprd_dz<R: Real>(x: R, y: R, z: R) -> R {
    named!("elliprd_dz", |x, y, z| {
        let out = rd_slope::<R, 2>([x, y, z], [0, 0, 1]);
        rd_limits(x, y, z, out, -INF)
    })
}

/// `d2R_D/dx2`.
#[inline(always)]
pub fn elliprd_dxx<R: Real>(x: R, y: R, z: R) -> R {
    named!("elliprd_dxx", |x, y, z| {
        let out = rd_slope::<R, 4>([x, y, z], [3, 0, 0]);
        rd_limits(x, y, z, out, INF)
    })
}

/// `d2R_D/dxdy`.
#[inline(always)]
pub fn elliprd_dxy<R: Real>(x: R, y: R, z: R) -> R {
    named!("elliprd_dxy", |x, y, z| {
        let out = rd_slope::<R, 4>([x, y, z], [1, 2, 0]);
        rd_limits(x, y, z, out, INF)
    })
}

/// `d2R_D/dxdz`.
#[inline(always)]
pub fn elliprd_dxz<R: Real>(x: R, y: R, z: R) -> R {
    named!("elliprd_dxz", |x, y, z| {
        let out = rd_slope::<R, 4>([x, y, z], [1, 0, 2]);
        rd_limits(x, y, z, out, INF)
    })
}

/// `d2R_D/dz2`.
#[inline(always)]
pub fn elliprd_dzz<R: Real>(x: R, y: R, z: R) -> R {
    named!("elliprd_dzz", |x, y, z| {
        let out = rd_slope::<R, 4>([x, y, z], [0, 0, 3]);
        rd_limits(x, y, z, out, INF)
    })
}

/// Carlson's completely symmetric integral of the second kind.
#[inline(always)]
pub fn elliprg<R: Real>(x: R, y: R, z: R) -> R {
    named!("elliprg", |x, y, z| {
        let (zero, inf) = (R::lit(0.0), R::lit(INF));
        // In the order x <= y <= z all terms of x (y + z) R_D(y, z, x) + ... have one sign (DLMF 19.21.11).
        let low = x.min(y).min(z);
        let high = x.max(y).max(z);
        let middle = x.min(y).max(x.max(y).min(z));
        let infinite = high.eq(inf);
        let [factor, root] = into_range(high, [1e-100, 1e100], 200);
        let (low, middle, high) = (low * factor, middle * factor, high * factor);
        // DLMF 19.21.10 about the largest: 2 R_G = z R_F - (z - x)(z - y) R_D / 3 + sqrt(x y / z); about the middle the
        // product is positive.
        let d = shared::elliprd(low, high, middle);
        let product = Dd::two_sum(middle, -low).times(d) * Dd::two_sum(high, -middle) * Dd::lit(THIRD.0, THIRD.1);
        let ratio = R::select(middle.gt(zero), (low / middle).sqrt() * high.sqrt(), zero);
        let out =
            (Dd::two_prod(middle, shared::elliprf(low, middle, high)) + product).plus(ratio).value() * R::lit(0.5);
        // The smaller ones then change no digit, and the terms overflow.
        let out = R::select(middle.le(high * R::lit(1e-34)), high.sqrt() * R::lit(0.5), out);
        let out = R::select(infinite, inf, out / root);
        nan_unless(x.ge(zero).and(y.ge(zero)).and(z.ge(zero)), out)
    })
}

/// `dR_G/dx`, which follows from DLMF 19.16.3 under the integral sign and from 19.21.9.
#[inline(always)]
pub fn elliprg_dx<R: Real>(x: R, y: R, z: R) -> R {
    named!("elliprg_dx", |x, y, z| {
        let zero = R::lit(0.0);
        let high = x.max(y).max(z);
        let [factor, root] = into_range(high, [1e50, 1e200], 200);
        let (a, b, c) = (x * factor, y * factor, z * factor);
        let part = inlined(
            #[inline(always)]
            |b: R, c: R| R::select(b.gt(zero), b * shared::elliprd(c, a, b), zero),
        );
        let out = (part(b, c) + part(c, b)) * (root * R::lit(1.0 / 12.0));
        // The smaller ones then change no digit.
        let out = R::select(y.max(z).le(x * R::lit(1e-20)), R::lit(0.25) / x.sqrt(), out);
        let out = R::select(high.eq(R::lit(INF)), zero, out);
        nan_unless(x.ge(zero).and(y.ge(zero)).and(z.ge(zero)), out)
    })
}

/// `R_C(1, y)` and its derivatives.
#[inline(always)]
fn rc1<R: Real, const K: usize>(y: R) -> [R; 3] {
    let one = R::lit(1.0);
    let zero = R::lit(0.0);
    let value = shared::elliprc(one, y);
    let first = if K > 1 { shared::elliprd(one, y, y) * R::lit(-1.0 / 3.0) } else { zero };
    let second =
        if K > 2 { (shared::elliprd_dx(y, one, y) + shared::elliprd_dz(one, y, y)) * R::lit(-1.0 / 3.0) } else { zero };
    [value, first, second]
}

/// `1 + r_1 r_2 r_3` of `r = (q - a) / (q + a)`, from the distances of their magnitudes to 1 where the product is negative.
#[inline(always)]
fn above_product<R: Real, const K: usize>(q: Dual<R, K>, roots: [Dual<R, K>; 3]) -> Dual<R, K> {
    let one = R::lit(1.0);
    let signs = mapped(
        roots,
        #[inline(always)]
        |a| R::select(q.value().lt(a.value()), -one, one),
    );
    let [u, v, w] = each(
        #[inline(always)]
        |i| {
            let (a, total) = (roots[i], q + roots[i]);
            let least = Dual::select(signs[i].lt(R::lit(0.0)), q, a);
            ((q - a).times(signs[i]) / total, least.scaled(2.0) / total)
        },
    );
    let negative = u.1 + u.0 * (v.1 + v.0 * w.1);
    let positive = (u.0 * v.0 * w.0).plus(1.0);
    Dual::select((signs[0] * signs[1] * signs[2]).lt(R::lit(0.0)), negative, positive)
}

/// `R_J` of non-negative `x`, `y`, `z`, at most one of them zero, and positive `p`.
#[inline(always)]
fn rj<R: Real, const K: usize>(args: [Dual<R, K>; 4]) -> Dual<R, K> {
    let fifth = R::lit(0.2);
    let close = if K == 1 { CLOSE } else { CLOSE / 8.0 };
    let [x, y, z, p] = args;
    let state = R::repeat(
        pack::<R, K, 5, 1, 21>([x, y, z, p, Dual::lit(0.0)], [R::lit(1.0)]),
        MAX_STEPS,
        #[inline(always)]
        |state| {
            let [x, y, z, p, sum] = each(
                #[inline(always)]
                |i| at::<R, K, 21>(&state, i),
            );
            let f = state[20];
            let (a, b, c, q) = (x.sqrt(), y.sqrt(), z.sqrt(), p.sqrt());
            let l = a * b + c * (a + b);
            let d = (q + a) * (q + b) * (q + c);
            let e = above_product(q, [a, b, c]);
            let sum = sum + e.chain(rc1::<R, K>(e.value())).times(f) / d;
            let next = mapped(
                [x, y, z, p],
                #[inline(always)]
                |v| (v + l).scaled(0.25),
            );
            let v = [next[0].value(), next[1].value(), next[2].value(), next[3].value()];
            let mean = (v[0] + v[1] + v[2] + v[3] + v[3]) * fifth;
            let limit = mean * R::lit(close);
            let far = |v: R| (v - mean).abs().gt(limit);
            let go = far(v[0]).or(far(v[1])).or(far(v[2])).or(far(v[3]));
            (pack([next[0], next[1], next[2], next[3], sum], [f * R::lit(0.25)]), go)
        },
    );
    let [x, y, z, p, sum] = each(
        #[inline(always)]
        |i| at::<R, K, 21>(&state, i),
    );
    let mean = (x + y + z + p + p).scaled(0.2);
    let (u, v, w) = ((mean - x) / mean, (mean - y) / mean, (mean - z) / mean);
    let h = (u + v + w).scaled(-0.5);
    let (uvw, hh) = (u * v * w, h * h);
    let e2 = u * v + u * w + v * w - hh.scaled(3.0);
    let excess = third_series(
        e2,
        uvw + (e2 + hh.scaled(2.0)) * h.scaled(2.0),
        (uvw.scaled(2.0) + (e2 + hh.scaled(3.0)) * h) * h,
        uvw * hh,
    );
    // Further steps would be needed.
    let apart = u.value().min(v.value()).min(w.value()).gt(R::lit(0.5));
    let unit = R::select(apart, R::lit(f64::NAN), state[20]);
    excess.plus(1.0).times(unit) / (mean * mean.sqrt()) + sum.scaled(6.0)
}

/// Carlson's symmetric integral of the third kind, for negative `p` its principal value.
#[inline(always)]
pub fn elliprj<R: Real>(x: R, y: R, z: R, p: R) -> R {
    named!("elliprj", |x, y, z, p| {
        let (zero, three, inf) = (R::lit(0.0), R::lit(3.0), R::lit(INF));
        let low = x.min(y).min(z);
        let high = x.max(y).max(z);
        let middle = x.min(y).max(x.max(y).min(z));
        let cut = p.lt(zero);
        // DLMF 19.20.14 about the middle argument
        let q = -p;
        let moved = middle + (high - middle) / (middle + q) * (middle - low);
        // DLMF 19.27.11, where even its second term does not count
        let far = p.gt(high * R::lit(1e40));
        let args = mapped([low, middle, high, R::select(cut, moved, R::select(far, high, p))], Dual::constant);
        let value = rj::<R, 1>(args).value();
        let [value] = R::when(
            far,
            [value],
            #[inline(always)]
            || [three * shared::elliprf(low, middle, high) / p],
        );
        let [out] = R::when(
            cut,
            [value],
            #[inline(always)]
            || {
                let (xz, pq) = (low * high, moved * q);
                let root = (low * high * middle / (xz + pq)).sqrt();
                let rest = three * (root * shared::elliprc(xz + pq, pq) - shared::elliprf(low, middle, high));
                [((moved - middle) * value + rest) / (middle + q)]
            },
        );
        let out = R::select(p.eq(zero).or(any_zero_pair(x, y, z)), inf, out);
        let out = R::select(high.eq(inf).or(p.abs().eq(inf)), zero, out);
        nan_unless(x.ge(zero).and(y.ge(zero)).and(z.ge(zero)).and(p.is_nan().not()), out)
    })
}

/// `R_F` by duplication, with derivatives.
#[inline(always)]
fn rf_moved<R: Real, const K: usize>(args: [Dual<R, K>; 3]) -> Dual<R, K> {
    let third = R::lit(1.0 / 3.0);
    let state = R::repeat(
        pack::<R, K, 3, 0, 12>(args, []),
        MAX_STEPS,
        #[inline(always)]
        |state| {
            let args = each(
                #[inline(always)]
                |i| at::<R, K, 12>(&state, i),
            );
            let [a, b, c] = mapped(
                args,
                #[inline(always)]
                |v: Dual<R, K>| v.sqrt(),
            );
            let l = a * b + c * (a + b);
            let next = mapped(
                args,
                #[inline(always)]
                |v| (v + l).scaled(0.25),
            );
            let v = mapped(
                next,
                #[inline(always)]
                |v| v.value(),
            );
            let mean = (v[0] + v[1] + v[2]) * third;
            let limit = mean * R::lit(CLOSE_FIRST / 8.0);
            let far = inlined(
                #[inline(always)]
                |v: R| (v - mean).abs().gt(limit),
            );
            (pack(next, []), far(v[0]).or(far(v[1])).or(far(v[2])))
        },
    );
    let [x, y, z] = each(
        #[inline(always)]
        |i| at::<R, K, 12>(&state, i),
    );
    let mean = (x + y + z).times(third);
    let (u, v) = ((mean - x) / mean, (mean - y) / mean);
    let w = -(u + v);
    let (e2, e3) = (u * v - w * w, u * v * w);
    // DLMF 19.19.7
    let mut sum = Dual::lit(0.0);
    for row in RF_SERIES.iter().rev() {
        let mut inner = Dual::lit(0.0);
        for c in row.iter().rev() {
            inner = (inner * e2).plus(*c);
        }
        sum = sum * e3 + inner;
    }
    sum.plus(1.0) / mean.sqrt()
}

/// The derivative of `R_J` in the directions that `parts` marks, as [`Dual::variable`] does.
#[inline(always)]
fn rj_slope<R: Real, const K: usize>(args: [R; 4], parts: [usize; 4]) -> R {
    let [x, y, z, p] = each(
        #[inline(always)]
        |i| Dual::<R, K>::variable(args[i], parts[i]),
    );
    let cut = p.value().lt(R::lit(0.0));
    // As in the function itself
    let ordered = inlined(
        #[inline(always)]
        |a: Dual<R, K>, b: Dual<R, K>| {
            let swap = a.value().gt(b.value());
            (Dual::select(swap, b, a), Dual::select(swap, a, b))
        },
    );
    let (low, high) = ordered(x, y);
    let (middle, high) = ordered(high, z);
    let (low, middle) = ordered(low, middle);
    let (q, ends) = (-p, (high - middle) * (middle - low));
    let share = Dual::select(cut, middle + q, Dual::lit(1.0));
    let gap = ends / share;
    let moved = [low, middle, high, middle + gap];
    let value = rj::<R, K>(each(
        #[inline(always)]
        |i| Dual::select(cut, moved[i], [x, y, z, p][i]),
    ));
    let [out] = R::when(
        cut,
        [value.top()],
        #[inline(always)]
        || {
            let (xz, pq) = (low * high, moved[3] * q);
            let sum = xz + pq;
            let root = (xz * middle / sum).sqrt();
            let rest = (root * rf_moved([sum, pq, pq]) - rf_moved([low, middle, high])).scaled(3.0);
            [((gap * value + rest) / share).top()]
        },
    );
    nan_unless(args[3].ne(R::lit(0.0)).and(low.value().ge(R::lit(0.0))), out)
}

/// `dR_J/dx`.
#[inline(always)]
pub fn elliprj_dx<R: Real>(x: R, y: R, z: R, p: R) -> R {
    named!("elliprj_dx", |x, y, z, p| { rj_slope::<R, 2>([x, y, z, p], [1, 0, 0, 0]) })
}

/// `dR_J/dp`.
#[inline(always)]
pub fn elliprj_dp<R: Real>(x: R, y: R, z: R, p: R) -> R {
    named!("elliprj_dp", |x, y, z, p| { rj_slope::<R, 2>([x, y, z, p], [0, 0, 0, 1]) })
}

/// `d2R_J/dx2`.
#[inline(always)]
pub fn elliprj_dxx<R: Real>(x: R, y: R, z: R, p: R) -> R {
    named!("elliprj_dxx", |x, y, z, p| { rj_slope::<R, 4>([x, y, z, p], [3, 0, 0, 0]) })
}

/// `d2R_J/dxdy`.
#[inline(always)]
pub fn elliprj_dxy<R: Real>(x: R, y: R, z: R, p: R) -> R {
    named!("elliprj_dxy", |x, y, z, p| { rj_slope::<R, 4>([x, y, z, p], [1, 2, 0, 0]) })
}

/// `d2R_J/dxdp`.
#[inline(always)]
pub fn elliprj_dxp<R: Real>(x: R, y: R, z: R, p: R) -> R {
    named!("elliprj_dxp", |x, y, z, p| { rj_slope::<R, 4>([x, y, z, p], [1, 0, 0, 2]) })
}

/// `d2R_J/dp2`.
#[inline(always)]
pub fn elliprj_dpp<R: Real>(x: R, y: R, z: R, p: R) -> R {
    named!("elliprj_dpp", |x, y, z, p| { rj_slope::<R, 4>([x, y, z, p], [0, 0, 0, 3]) })
}

/// `sin`, `cos^2` and `1 - m sin^2` of an amplitude reduced to half a turn about 0, and the number of half turns.
#[derive(Clone, Copy)]
struct Amplitude<R> {
    turns: R,
    sin: R,
    cos2: R,
    delta2: R,
}

#[inline(always)]
fn amplitude<R: Real>(phi: R, m: R) -> Amplitude<R> {
    let turns = (phi * R::lit(FRAC_1_PI)).round();
    let r = (-turns).fma(R::lit(PI_LO), (-turns).fma(R::lit(PI), phi));
    let (s, c) = sin_cos(r);
    let cos2 = c * c;
    Amplitude { turns, sin: s, cos2, delta2: ((R::lit(1.0) - m) * s).fma(s, cos2) }
}

/// `part + 2 turns whole()`, the whole one only where a lane needs it.
#[inline(always)]
fn with_turns<R: Real>(turns: R, part: R, whole: impl Fn() -> R) -> R {
    let [out] = R::when(
        turns.ne(R::lit(0.0)),
        [part],
        #[inline(always)]
        || [(turns + turns).fma(whole(), part)],
    );
    out
}

/// Incomplete elliptic integral of the first kind.
#[inline(always)]
pub fn ellipkinc<R: Real>(phi: R, m: R) -> R {
    named!("ellipkinc", |phi, m| {
        let (one, inf) = (R::lit(1.0), R::lit(INF));
        let a = amplitude(phi, m);
        let part = a.sin * shared::elliprf(a.cos2, a.delta2, one);
        let out = with_turns(
            a.turns,
            part,
            #[inline(always)]
            || shared::ellipk(m),
        );
        let out = R::select(phi.abs().eq(inf), phi, out);
        let out = R::select(m.eq(-inf), phi * R::lit(0.0), out);
        let out = R::select(phi.eq(R::lit(0.0)), phi, out);
        nan_unless(m.le(one).and(phi.is_nan().not()), out)
    })
}

/// Incomplete elliptic integral of the second kind.
#[inline(always)]
pub fn ellipeinc<R: Real>(phi: R, m: R) -> R {
    named!("ellipeinc", |phi, m| {
        let (zero, one, inf, third) = (R::lit(0.0), R::lit(1.0), R::lit(INF), R::lit(1.0 / 3.0));
        let a = amplitude(phi, m);
        let f = shared::elliprf(a.cos2, a.delta2, one);
        let negative = m.lt(zero);
        // DLMF 19.25.9 and 19.25.10: the one whose terms are all positive
        let d = shared::elliprd(a.cos2, R::select(negative, a.delta2, one), R::select(negative, one, a.delta2));
        let s2 = a.sin * a.sin;
        let ratio = m * third * s2 * d;
        let below = a.sin * (f - ratio);
        let edge = R::select(a.delta2.gt(zero), a.cos2.sqrt() / a.delta2.sqrt(), one);
        let inner = R::select(m.eq(one), zero, (one - m) * (f + ratio));
        let above = a.sin * m.fma(edge, inner);
        let out = with_turns(
            a.turns,
            R::select(negative, below, above),
            #[inline(always)]
            || shared::ellipe(m),
        );
        let out = R::select(phi.abs().eq(inf), phi, out);
        let out = R::select(m.eq(-inf), inf.copysign(phi), out);
        let out = R::select(phi.eq(zero), phi, out);
        nan_unless(m.le(one).and(phi.is_nan().not()), out)
    })
}

/// The derivative of the integral of the first kind in `m`.
#[inline(always)]
fn first_in_m<R: Real>(a: Amplitude<R>, m: R) -> R {
    let one = R::lit(1.0);
    let part = a.sin * a.sin * a.sin * shared::elliprd(a.cos2, one, a.delta2) * R::lit(1.0 / 6.0);
    with_turns(
        a.turns,
        part,
        #[inline(always)]
        || shared::ellipk_d1(one - m),
    )
}

/// The second one.
#[inline(always)]
fn second_in_m<R: Real>(a: Amplitude<R>, m: R) -> R {
    let one = R::lit(1.0);
    let s2 = a.sin * a.sin;
    let part = a.sin * s2 * s2 * shared::elliprd_dz(a.cos2, one, a.delta2) * R::lit(-1.0 / 6.0);
    with_turns(
        a.turns,
        part,
        #[inline(always)]
        || shared::ellipk_d2(one - m),
    )
}

/// `d ellipkinc / dm`.
#[inline(always)]
pub fn ellipkinc_dm<R: Real>(phi: R, m: R) -> R {
    named!("ellipkinc_dm", |phi, m| { first_in_m(amplitude(phi, m), m) })
}

/// `d2 ellipkinc / dm2`.
#[inline(always)]
pub fn ellipkinc_dmm<R: Real>(phi: R, m: R) -> R {
    named!("ellipkinc_dmm", |phi, m| { second_in_m(amplitude(phi, m), m) })
}

/// `d ellipeinc / dm`.
#[inline(always)]
pub fn ellipeinc_dm<R: Real>(phi: R, m: R) -> R {
    named!("ellipeinc_dm", |phi, m| {
        let one = R::lit(1.0);
        let a = amplitude(phi, m);
        let part = a.sin * a.sin * a.sin * shared::elliprd(a.cos2, a.delta2, one) * R::lit(-1.0 / 6.0);
        with_turns(
            a.turns,
            part,
            #[inline(always)]
            // E' = (1 - m) K' - K/2
            || {
                let p = one - m;
                p * shared::ellipk_d1(p) - R::lit(0.5) * shared::ellipkm1(p)
            },
        )
    })
}

/// `d2 ellipeinc / dm2`.
#[inline(always)]
pub fn ellipeinc_dmm<R: Real>(phi: R, m: R) -> R {
    named!("ellipeinc_dmm", |phi, m| {
        let one = R::lit(1.0);
        let a = amplitude(phi, m);
        let s2 = a.sin * a.sin;
        let part = a.sin * s2 * s2 * shared::elliprd_dx(a.delta2, a.cos2, one) * R::lit(1.0 / 6.0);
        with_turns(
            a.turns,
            part,
            #[inline(always)]
            || {
                let p = one - m;
                p * shared::ellipk_d2(p) - R::lit(1.5) * shared::ellipk_d1(p)
            },
        )
    })
}

/// `sn`, `cn` and `dn` of `0 <= m < 1`, and the argument of the circular functions they come from.
struct Jacobi<R> {
    sn: R,
    cn: R,
    dn: R,
    angle: R,
}

impl<R: Real> Jacobi<R> {
    /// The amplitude in whole turns and less than half a turn.
    #[inline(always)]
    fn amplitude(&self) -> (R, R) {
        // Less than a quarter of a turn from the angle
        let part = shared::atan2(self.sn, self.cn);
        (((self.angle - part) * R::lit(0.5 * FRAC_1_PI)).round(), part)
    }
}

/// From circular functions upwards by Gauss's transformation (DLMF 22.7(i)), in which no term is negative.
#[inline(always)]
fn jacobi<R: Real>(u: R, m: R) -> Jacobi<R> {
    const LEVELS: usize = 7;
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let mut angle = u;
    let mut q = R::select(m.lt(one), one - m, one).sqrt();
    // The modulus of each level and its distance from 1; the last ones are only for `m` next to 1
    let mut levels = [[zero; 2]; LEVELS];
    for level in &mut levels {
        let out = R::when(
            q.lt(one),
            [angle, one, zero, one],
            #[inline(always)]
            || {
                let (sum, inverse) = (one + q, one / (one + q));
                [angle * (sum * half), (q.sqrt() + q.sqrt()) * inverse, (one - q) * inverse, (q + q) * inverse]
            },
        );
        [angle, q] = [out[0], out[1]];
        *level = [out[2], out[3]];
    }
    let (s, c) = sin_cos(angle);
    let mut out = [s, c, one];
    for [k, rest] in levels.into_iter().rev() {
        let [s, c, d] = out;
        out = R::when(
            k.gt(zero),
            out,
            #[inline(always)]
            || {
                let part = k * s;
                let square = part * s;
                let inverse = one / (one + square);
                // Of `1 - k s^2` the form that passes on the smaller error
                let below = R::select(square.lt(half), one - square, (k * c).fma(c, rest));
                [(s + part) * inverse, c * d * inverse, below * inverse]
            },
        );
    }
    let [sn, cn, dn] = out;
    let square = sn * sn;
    let cn = R::select(square.lt(half), (one - square).sqrt().copysign(cn), cn);
    Jacobi { sn, cn, dn, angle }
}

/// `sn`, `cn` and `dn` at `m = 1`.
#[inline(always)]
fn hyperbolic<R: Real>(u: R) -> [R; 3] {
    let c = R::lit(1.0) / shared::cosh(u);
    [shared::tanh(u), c, c]
}

/// A function of Jacobi's, at `m = 1` its own limit.
#[inline(always)]
fn jacobian<R: Real>(u: R, m: R, of: impl Fn(Jacobi<R>) -> R, limit: impl Fn() -> R) -> R {
    let one = R::lit(1.0);
    let [out] = R::when(
        m.eq(one),
        [of(jacobi(u, m))],
        #[inline(always)]
        || [limit()],
    );
    nan_unless(m.ge(R::lit(0.0)).and(m.le(one)).and(u.is_nan().not()), out)
}

/// The amplitude of Jacobi's elliptic functions, `0 <= m <= 1`.
#[inline(always)]
pub fn ellipj_ph<R: Real>(u: R, m: R) -> R {
    named!("ellipj_ph", |u, m| {
        let out = jacobian(
            u,
            m,
            #[inline(always)]
            |j| {
                let (turns, part) = j.amplitude();
                turns.fma(R::lit(2.0 * PI), turns.fma(R::lit(2.0 * PI_LO), part))
            },
            // Gudermann's function (DLMF 4.23.39)
            #[inline(always)]
            || shared::atan(shared::sinh(u)),
        );
        R::select(u.eq(R::lit(0.0)).and(m.is_nan().not()), u, out)
    })
}

/// `sn(u, m)`.
#[inline(always)]
pub fn ellipj_sn<R: Real>(u: R, m: R) -> R {
    named!("ellipj_sn", |u, m| {
        jacobian(
            u,
            m,
            #[inline(always)]
            |j| j.sn,
            #[inline(always)]
            || hyperbolic(u)[0],
        )
    })
}

/// `cn(u, m)`.
#[inline(always)]
pub fn ellipj_cn<R: Real>(u: R, m: R) -> R {
    named!("ellipj_cn", |u, m| {
        jacobian(
            u,
            m,
            #[inline(always)]
            |j| j.cn,
            #[inline(always)]
            || hyperbolic(u)[1],
        )
    })
}

/// `dn(u, m)`.
#[inline(always)]
pub fn ellipj_dn<R: Real>(u: R, m: R) -> R {
    named!("ellipj_dn", |u, m| {
        jacobian(
            u,
            m,
            #[inline(always)]
            |j| j.dn,
            #[inline(always)]
            || hyperbolic(u)[2],
        )
    })
}

/// A derivative of the amplitude from Jacobi's functions, which keep digits that it does not have next to quarter turns, for `m = 1` from
/// its own limit where that does not cancel.
#[inline(always)]
fn amplitude_slope<R: Real>(u: R, m: R, of: impl Fn(Jacobi<R>, Amplitude<R>) -> R, limit: impl Fn([R; 3]) -> R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let end = m.eq(one);
    let j = jacobi(u, m);
    let [sn, cn, dn] = R::when(
        end,
        [j.sn, j.cn, j.dn],
        #[inline(always)]
        || hyperbolic(u),
    );
    let j = Jacobi { sn, cn, dn, ..j };
    let (turns, part) = j.amplitude();
    let beyond = cn.lt(zero);
    let half_turns = turns + turns + R::select(beyond, one.copysign(part), zero);
    let turns = R::select(end, zero, half_turns);
    let a = Amplitude { turns, sin: R::select(beyond, -sn, sn), cos2: cn * cn, delta2: dn * dn };
    let out = of(j, a);
    let [out] = R::when(
        end.and(u.abs().gt(R::lit(2.0))),
        [out],
        #[inline(always)]
        || [limit([shared::sinh(u), sn, cn])],
    );
    nan_unless(m.ge(zero).and(m.le(one)).and(u.is_nan().not()), out)
}

/// `d am / dm` from `F(am, m) = u`.
#[inline(always)]
pub fn ellipj_dm<R: Real>(u: R, m: R) -> R {
    named!("ellipj_dm", |u, m| {
        amplitude_slope(
            u,
            m,
            #[inline(always)]
            |j, a| -(j.dn * first_in_m(a, m)),
            #[inline(always)]
            |[sinh, _, sech]| (u * sech - sinh) * R::lit(0.25),
        )
    })
}

/// `d2 am / dm2` from the same.
#[inline(always)]
pub fn ellipj_dmm<R: Real>(u: R, m: R) -> R {
    named!("ellipj_dmm", |u, m| {
        let half = R::lit(0.5);
        amplitude_slope(
            u,
            m,
            #[inline(always)]
            |j, a| {
                let ratio = a.sin * a.sin / j.dn;
                let first = -(j.dn * first_in_m(a, m));
                let slope = -(ratio * half + m * j.sn * j.cn * first / j.dn);
                (slope - ratio * half) * first / j.dn - j.dn * second_in_m(a, m)
            },
            // By the equation am' = dn in powers of 1 - m
            #[inline(always)]
            |[sinh, tanh, sech]| {
                let linear = (sinh - u * sech) * R::lit(9.0 / 32.0);
                linear - u * tanh * (sinh * R::lit(0.125) + u * sech * R::lit(0.0625))
            },
        )
    })
}
