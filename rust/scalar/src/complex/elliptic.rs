//! Carlson's elliptic integrals of complex arguments by duplication (B. C. Carlson, "Numerical computation of real or complex
//! elliptic integrals", Numerical Algorithms 10, 1995; DLMF 19.36), differentiated term by term.

use super::bodies as c;
use super::{Complex, polynomial, sqrt};
use crate::real::{Mask, Real, each, inlined, mapped};
use crate::shared;
use crate::special;
use crate::special::dual::{chain, product, quotient, root};

const INF: f64 = f64::INFINITY;
/// Where the largest relative distance from the mean is below this, the series need no further term.
const CLOSE: f64 = 0.005;
const MAX_STEPS: u32 = 80;

/// A complex number with derivatives along two directions, by the bits of the index: the value alone (`K` = 1), with a first
/// derivative (2), with both first and the mixed second derivative (4).
#[derive(Clone, Copy)]
struct Jet<R, const K: usize>([Complex<R>; K]);

impl<R: Real, const K: usize> Jet<R, K> {
    #[inline(always)]
    fn constant(v: Complex<R>) -> Self {
        let mut c = [Complex::lit(0.0, 0.0); K];
        c[0] = v;
        Jet(c)
    }
    /// A variable; `directions` has the bits of the directions that move it.
    #[inline(always)]
    fn variable(v: Complex<R>, directions: usize) -> Self {
        let mut c = Self::constant(v);
        if K > 1 && directions & 1 != 0 {
            c.0[1] = Complex::lit(1.0, 0.0);
        }
        if K > 2 && directions & 2 != 0 {
            c.0[2] = Complex::lit(1.0, 0.0);
        }
        c
    }
    #[inline(always)]
    fn select(m: R::Mask, a: Self, b: Self) -> Self {
        Jet(each(
            #[inline(always)]
            |i| Complex::select(m, a.0[i], b.0[i]),
        ))
    }
    #[inline(always)]
    fn scaled(self, v: f64) -> Self {
        Jet(mapped(
            self.0,
            #[inline(always)]
            |c| c.scale(R::lit(v)),
        ))
    }
    #[inline(always)]
    fn plus(self, o: Self) -> Self {
        Jet(each(
            #[inline(always)]
            |i| self.0[i] + o.0[i],
        ))
    }
    #[inline(always)]
    fn minus(self, o: Self) -> Self {
        self.plus(o.scaled(-1.0))
    }
    #[inline(always)]
    fn times(self, o: Self) -> Self {
        Jet(product(
            self.0,
            o.0,
            #[inline(always)]
            |x, y, sum| sum + x * y,
        ))
    }
    #[inline(always)]
    fn over(self, o: Self) -> Self {
        Jet(quotient(self.0, o.0))
    }
    /// `f(self)` from the value and the first two derivatives of `f` there.
    #[inline(always)]
    fn chain(self, f: [Complex<R>; 3]) -> Self {
        Jet(chain(self.0, f))
    }
    /// Square root; a zero may only be moved by nothing.
    #[inline(always)]
    fn sqrt(self) -> Self {
        Jet(root(
            sqrt(self.0[0]),
            self.0,
            #[inline(always)]
            |rest, double| Complex::select(is_zero(rest), rest, rest / double),
        ))
    }
}

/// Packs jets into the state of a loop, and back.
#[inline(always)]
fn pack<R: Real, const K: usize, const N: usize, const M: usize>(parts: [Jet<R, K>; M], factor: R) -> [R; N] {
    each(
        #[inline(always)]
        |i| {
            if i >= 2 * M * K {
                return factor;
            }
            let v = parts[i / 2 / K].0[i / 2 % K];
            if i % 2 == 0 { v.re } else { v.im }
        },
    )
}

#[inline(always)]
fn unpack<R: Real, const K: usize, const N: usize>(state: &[R; N], i: usize) -> Jet<R, K> {
    Jet(each(
        #[inline(always)]
        |k| Complex::new(state[2 * (i * K + k)], state[2 * (i * K + k) + 1]),
    ))
}

#[inline(always)]
fn is_zero<R: Real>(w: Complex<R>) -> R::Mask {
    w.re.eq(R::lit(0.0)).and(w.im.eq(R::lit(0.0)))
}

/// On the cut of the square roots.
#[inline(always)]
fn is_negative<R: Real>(w: Complex<R>) -> R::Mask {
    w.re.lt(R::lit(0.0)).and(w.im.eq(R::lit(0.0)))
}

/// NaN on the cuts and for NaN, 0 where an argument is infinite, `pole` where asked.
#[inline(always)]
fn limits<R: Real, const M: usize>(args: [Complex<R>; M], singular: R::Mask, pole: f64, out: Complex<R>) -> Complex<R> {
    let (mut lost, mut far) = (R::Mask::lit(false), R::Mask::lit(false));
    for w in args {
        lost = lost.or(is_negative(w)).or(w.re.is_nan()).or(w.im.is_nan());
        far = far.or(w.is_inf());
    }
    let out = Complex::select(singular, Complex::lit(pole, 0.0), out);
    let out = Complex::select(far, Complex::lit(0.0, 0.0), out);
    Complex::select(lost, Complex::lit(f64::NAN, f64::NAN), out)
}

#[inline(always)]
fn any_zero_pair<R: Real>(x: Complex<R>, y: Complex<R>, w: Complex<R>) -> R::Mask {
    let (a, b, c) = (is_zero(x), is_zero(y), is_zero(w));
    a.and(b).or(b.and(c)).or(c.and(a))
}

/// Carlson's symmetric integral of the first kind.
#[inline(always)]
pub fn elliprf<R: Real>(x: Complex<R>, y: Complex<R>, w: Complex<R>) -> Complex<R> {
    let (quarter, third) = (R::lit(0.25), R::lit(1.0 / 3.0));
    let state = R::repeat(
        [x.re, x.im, y.re, y.im, w.re, w.im],
        MAX_STEPS,
        #[inline(always)]
        |[a, b, c, d, e, f]| {
            let v = [Complex::new(a, b), Complex::new(c, d), Complex::new(e, f)];
            let [p, q, r] = mapped(
                v,
                #[inline(always)]
                |v| sqrt(v).scale(R::lit(0.5)),
            );
            let l = p * q + r * (p + q);
            let [x, y, w] = mapped(
                v,
                #[inline(always)]
                |v| v.scale(quarter) + l,
            );
            let mean = x.scale(third) + y.scale(third) + w.scale(third);
            let limit = mean.max_part() * R::lit(CLOSE);
            let far = inlined(
                #[inline(always)]
                |v: Complex<R>| (v - mean).max_part().gt(limit),
            );
            ([x.re, x.im, y.re, y.im, w.re, w.im], far(x).or(far(y)).or(far(w)))
        },
    );
    let (a, b, c) =
        (Complex::new(state[0], state[1]), Complex::new(state[2], state[3]), Complex::new(state[4], state[5]));
    let mean = (a + b + c).scale(third);
    let (dx, dy) = ((mean - a) / mean, (mean - b) / mean);
    let dz = -(dx + dy);
    let e2 = dx * dy - dz.square();
    let e3 = dx * dy * dz;
    let lit = |v: f64| Complex::lit(v, 0.0);
    let s = e2 * (lit(-0.1) + e2 * (lit(1.0 / 24.0) - e2 * lit(5.0 / 208.0)))
        + e3 * (lit(1.0 / 14.0) + e3 * lit(3.0 / 104.0) + e2 * (e2 * lit(1.0 / 16.0) - lit(3.0 / 44.0)));
    let out = Complex::new(R::lit(1.0) + s.re, s.im) / sqrt(mean);
    limits([x, y, w], any_zero_pair(x, y, w), INF, out)
}

/// Carlson's degenerate integral, for negative `y` its principal value.
#[inline(always)]
pub fn elliprc<R: Real>(x: Complex<R>, y: Complex<R>) -> Complex<R> {
    let (quarter, third) = (R::lit(0.25), R::lit(1.0 / 3.0));
    // DLMF 19.2.20
    let cut = is_negative(y);
    let (a, b) = (Complex::select(cut, x - y, x), Complex::select(cut, -y, y));
    let front = Complex::select(cut, sqrt(x / a), Complex::lit(1.0, 0.0));
    let [ur, ui, vr, vi] = R::repeat(
        [a.re, a.im, b.re, b.im],
        MAX_STEPS,
        #[inline(always)]
        |[ur, ui, vr, vi]| {
            let (u, v) = (Complex::new(ur, ui), Complex::new(vr, vi));
            let l = sqrt(u).scale(R::lit(0.5)) * sqrt(v) + v.scale(quarter);
            let (u, v) = (u.scale(quarter) + l, v.scale(quarter) + l);
            let mean = (u + v + v).scale(third);
            ([u.re, u.im, v.re, v.im], (v - mean).max_part().gt(mean.max_part() * R::lit(CLOSE)))
        },
    );
    let (u, v) = (Complex::new(ur, ui), Complex::new(vr, vi));
    let mean = (u + v + v).scale(third);
    let s = (v - mean) / mean;
    let sum = polynomial(s, &[0.3, 1.0 / 7.0, 0.375, 9.0 / 22.0, 159.0 / 208.0, 1.125]) * s.square();
    let out = front * Complex::new(sum.re + R::lit(1.0), sum.im) / sqrt(mean);
    let known = Complex::select(cut, Complex::lit(1.0, 0.0), y);
    let lost = is_zero(y);
    Complex::select(lost, Complex::lit(f64::NAN, f64::NAN), limits([x, known], R::Mask::lit(false), INF, out))
}

/// The series of `R_D` and `R_J` in the symmetric functions of the relative distances.
#[inline(always)]
fn third_series<R: Real, const K: usize>(e2: Jet<R, K>, e3: Jet<R, K>, e4: Jet<R, K>, e5: Jet<R, K>) -> Jet<R, K> {
    let e22 = e2.times(e2);
    let terms = [
        e22.times(e3.scaled(45.0 / 272.0).minus(e2.scaled(1.0 / 16.0))),
        e3.times(e3).scaled(0.075),
        e2.times(e4).scaled(0.15),
        e3.times(e4).plus(e2.times(e5)).scaled(-9.0 / 68.0),
        e5.scaled(3.0 / 26.0),
        e2.times(e3).scaled(-9.0 / 52.0),
        e4.scaled(-3.0 / 22.0),
        e22.scaled(9.0 / 88.0),
        e3.scaled(1.0 / 6.0),
        e2.scaled(-3.0 / 14.0),
    ];
    let mut series = terms[0];
    for t in &terms[1..] {
        series = series.plus(*t);
    }
    series.plus(Jet::constant(Complex::lit(1.0, 0.0)))
}

/// `R_D` by duplication; `N` is `8 K + 1`.
#[inline(always)]
fn rd<R: Real, const K: usize, const N: usize>(x: Jet<R, K>, y: Jet<R, K>, w: Jet<R, K>) -> Jet<R, K> {
    let fifth = R::lit(0.2);
    // The derivatives of the series have fewer digits.
    let close = if K == 1 { CLOSE } else { CLOSE / 8.0 };
    let state = R::repeat(
        pack::<R, K, N, 4>([x, y, w, Jet::constant(Complex::lit(0.0, 0.0))], R::lit(1.0)),
        MAX_STEPS,
        #[inline(always)]
        |state| {
            let [x, y, w, sum] = mapped(
                [0, 1, 2, 3],
                #[inline(always)]
                |i| unpack::<R, K, N>(&state, i),
            );
            let f = state[N - 1];
            let (a, b, c) = (x.sqrt(), y.sqrt(), w.sqrt());
            let l = a.times(b).plus(c.times(a.plus(b)));
            let sum = sum.plus(Jet::constant(Complex::new(f, R::lit(0.0))).over(c.times(w.plus(l))));
            let next = mapped(
                [x, y, w],
                #[inline(always)]
                |v| v.plus(l).scaled(0.25),
            );
            let v = [next[0].0[0], next[1].0[0], next[2].0[0]];
            let mean = (v[0] + v[1] + v[2].scale(R::lit(3.0))).scale(fifth);
            let limit = mean.max_part() * R::lit(close);
            let far = inlined(
                #[inline(always)]
                |v: Complex<R>| (v - mean).max_part().gt(limit),
            );
            let go = far(v[0]).or(far(v[1])).or(far(v[2]));
            (pack([next[0], next[1], next[2], sum], f * R::lit(0.25)), go)
        },
    );
    let [x, y, w, sum] = mapped(
        [0, 1, 2, 3],
        #[inline(always)]
        |i| unpack::<R, K, N>(&state, i),
    );
    let mean = x.plus(y).plus(w.scaled(3.0)).scaled(0.2);
    let (u, v) = (mean.minus(x).over(mean), mean.minus(y).over(mean));
    let t = u.plus(v).scaled(-1.0 / 3.0);
    let (uv, tt) = (u.times(v), t.times(t));
    let e2 = uv.minus(tt.scaled(6.0));
    let e3 = uv.scaled(3.0).minus(tt.scaled(8.0)).times(t);
    let e4 = uv.minus(tt).scaled(3.0).times(tt);
    let e5 = uv.times(tt).times(t);
    let series = third_series(e2, e3, e4, e5);
    let series = series.times(Jet::constant(Complex::new(state[N - 1], R::lit(0.0))));
    series.over(mean.times(mean.sqrt())).plus(sum.scaled(3.0))
}

/// `R_D` or the derivative that the directions ask for.
#[inline(always)]
fn second<R: Real, const K: usize, const N: usize>(
    [x, y, w]: [Complex<R>; 3],
    directions: [usize; 3],
    pole: f64,
) -> Complex<R> {
    let [a, b, c] = directions;
    let out = rd::<R, K, N>(Jet::variable(x, a), Jet::variable(y, b), Jet::variable(w, c)).0[K - 1];
    // Below 1e-206 the function, homogeneous of degree -3/2, overflows.
    let largest = x.max_part().max(y.max_part()).max(w.max_part());
    let singular = is_zero(w).or(is_zero(x).and(is_zero(y))).or(largest.lt(R::lit(1e-206)));
    limits([x, y, w], singular, pole, out)
}

macro_rules! second_kind {
    ($($(#[$doc:meta])* $name:ident = $k:literal, $n:literal, $directions:expr, $pole:expr;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name<R: Real>(x: Complex<R>, y: Complex<R>, w: Complex<R>) -> Complex<R> {
                second::<R, $k, $n>([x, y, w], $directions, $pole)
            }
        )*
    };
}

second_kind! {
    /// Carlson's symmetric integral of the second kind, with a double weight on the last argument.
    elliprd = 1, 9, [0, 0, 0], INF;
    /// `dR_D/dx`.
    elliprd_dx = 2, 17, [1, 0, 0], -INF;
    /// `dR_D/dz`.
    elliprd_dz = 2, 17, [0, 0, 1], -INF;
    /// `d2R_D/dx2`.
    elliprd_dxx = 4, 33, [3, 0, 0], INF;
    /// `d2R_D/dxdy`.
    elliprd_dxy = 4, 33, [1, 2, 0], INF;
    /// `d2R_D/dxdz`.
    elliprd_dxz = 4, 33, [1, 0, 2], INF;
    /// `d2R_D/dz2`.
    elliprd_dzz = 4, 33, [0, 0, 3], INF;
}

/// The arguments times a factor by which the largest is between the limits, and the root of it.
#[inline(always)]
fn into_range<R: Real>(args: [Complex<R>; 3], limits: [f64; 2], power: i32) -> ([Complex<R>; 3], R) {
    let largest = args[0].max_part().max(args[1].max_part()).max(args[2].max_part());
    let [factor, root] = special::elliptic::into_range(largest, limits, power);
    let args = mapped(
        args,
        #[inline(always)]
        |v| v.scale(factor),
    );
    (args, root)
}

/// Carlson's completely symmetric integral of the second kind (DLMF 19.21.11).
#[inline(always)]
pub fn elliprg<R: Real>(x: Complex<R>, y: Complex<R>, w: Complex<R>) -> Complex<R> {
    let ([a, b, c], root) = into_range([x, y, w], [1e-100, 1e100], 300);
    let term = inlined(
        #[inline(always)]
        |x: Complex<R>, y: Complex<R>, w: Complex<R>| {
            let d = R::shared_complex::<c::Elliprd, 3>([y, w, x]);
            Complex::select(is_zero(x), Complex::lit(0.0, 0.0), x * (y + w) * d)
        },
    );
    let out = (term(a, b, c) + term(b, c, a) + term(c, a, b)).scale(R::lit(1.0 / 6.0));
    // The smaller ones then change no digit, and the terms overflow.
    let [u, v, s] = [a.max_part(), b.max_part(), c.max_part()];
    let middle = u.min(v).max(u.max(v).min(s));
    let alone = middle.le(u.max(v).max(s) * R::lit(1e-34));
    let out = Complex::select(alone, sqrt(a + b + c).scale(R::lit(0.5)), out).scale(R::lit(1.0) / root);
    let far = x.is_inf().or(y.is_inf()).or(w.is_inf());
    let out = Complex::select(far, Complex::lit(INF, 0.0), out);
    let lost =
        is_negative(x).or(is_negative(y)).or(is_negative(w)).or(x.re.is_nan()).or(y.re.is_nan()).or(w.re.is_nan());
    Complex::select(lost, Complex::lit(f64::NAN, f64::NAN), out)
}

/// `dR_G/dx`, which follows from DLMF 19.16.3 under the integral sign.
#[inline(always)]
pub fn elliprg_dx<R: Real>(x: Complex<R>, y: Complex<R>, w: Complex<R>) -> Complex<R> {
    let zero = Complex::lit(0.0, 0.0);
    let ([a, b, c], root) = into_range([x, y, w], [1e50, 1e200], 200);
    let part = a * R::shared_complex::<c::Elliprd, 3>([b, c, a]).scale(R::lit(1.0 / 3.0));
    // Like the square root of x next to 0
    let part = Complex::select(is_zero(x), zero, part);
    let out = (R::shared_complex::<c::Elliprf, 3>([a, b, c]) - part).scale(R::lit(0.25) * root);
    // The smaller ones then change no digit.
    let alone = y.max_part().max(w.max_part()).le(x.max_part() * R::lit(1e-20));
    let out = Complex::select(alone.and(is_zero(x).not()), sqrt(x).reciprocal().scale(R::lit(0.25)), out);
    let far = x.is_inf().or(y.is_inf()).or(w.is_inf());
    let out = Complex::select(far, zero, out);
    let lost = is_negative(x).or(is_negative(y)).or(is_negative(w));
    Complex::select(lost, Complex::lit(f64::NAN, f64::NAN), out)
}

/// `R_J` by duplication; `N` is `10 K + 1`.
#[inline(always)]
fn rj<R: Real, const K: usize, const N: usize>([x, y, w, p]: [Jet<R, K>; 4]) -> Jet<R, K> {
    let fifth = R::lit(0.2);
    let close = if K == 1 { CLOSE } else { CLOSE / 8.0 };
    let state = R::repeat(
        pack::<R, K, N, 5>([x, y, w, p, Jet::constant(Complex::lit(0.0, 0.0))], R::lit(1.0)),
        MAX_STEPS,
        #[inline(always)]
        |state| {
            let [x, y, w, p, sum] = mapped(
                [0, 1, 2, 3, 4],
                #[inline(always)]
                |i| unpack::<R, K, N>(&state, i),
            );
            let f = state[N - 1];
            let (a, b, c, q) = (x.sqrt(), y.sqrt(), w.sqrt(), p.sqrt());
            let l = a.times(b).plus(c.times(a.plus(b)));
            let total = inlined(
                #[inline(always)]
                |v: Jet<R, K>, root: Jet<R, K>| {
                    let (sum, gap) = (q.plus(root), q.minus(root));
                    // Roots of opposite sides, by the difference of their squares
                    let apart = gap.0[0].max_part().gt(sum.0[0].max_part());
                    Jet::select(apart, p.minus(v).over(gap), sum)
                },
            );
            let d = total(x, a).times(total(y, b)).times(total(w, c));
            let next = mapped(
                [x, y, w, p],
                #[inline(always)]
                |v| v.plus(l).scaled(0.25),
            );
            // `1 + (p - x) (p - y) (p - w) / d^2`: where it vanishes, so does the next `p`, and errors of it have no effect
            let e = q.times(next[3]).over(d).scaled(8.0);
            let part = e.chain(rc1::<R, K>(e.0[0])).over(d);
            let sum = sum.plus(part.times(Jet::constant(Complex::new(f, R::lit(0.0)))));
            let v = [next[0].0[0], next[1].0[0], next[2].0[0], next[3].0[0]];
            let mean = (v[0] + v[1] + v[2] + v[3] + v[3]).scale(fifth);
            let limit = mean.max_part() * R::lit(close);
            let far = inlined(
                #[inline(always)]
                |v: Complex<R>| (v - mean).max_part().gt(limit),
            );
            let go = far(v[0]).or(far(v[1])).or(far(v[2])).or(far(v[3]));
            (pack([next[0], next[1], next[2], next[3], sum], f * R::lit(0.25)), go)
        },
    );
    let [x, y, w, p, sum] = mapped(
        [0, 1, 2, 3, 4],
        #[inline(always)]
        |i| unpack::<R, K, N>(&state, i),
    );
    let mean = x.plus(y).plus(w).plus(p.scaled(2.0)).scaled(0.2);
    let [u, v, t] = mapped(
        [x, y, w],
        #[inline(always)]
        |a| mean.minus(a).over(mean),
    );
    let h = u.plus(v).plus(t).scaled(-0.5);
    let (uvt, hh) = (u.times(v).times(t), h.times(h));
    let e2 = u.times(v).plus(u.times(t)).plus(v.times(t)).minus(hh.scaled(3.0));
    let series = third_series(
        e2,
        uvt.plus(e2.plus(hh.scaled(2.0)).times(h).scaled(2.0)),
        uvt.scaled(2.0).plus(e2.plus(hh.scaled(3.0)).times(h)).times(h),
        uvt.times(hh),
    );
    // Further steps would be needed.
    let apart = u.0[0].max_part().min(v.0[0].max_part()).min(t.0[0].max_part()).gt(R::lit(0.5));
    let unit = R::select(apart, R::lit(f64::NAN), state[N - 1]);
    let series = series.times(Jet::constant(Complex::new(unit, R::lit(0.0))));
    series.over(mean.times(mean.sqrt())).plus(sum.scaled(6.0))
}

/// `R_C(1, y)` and its derivatives.
#[inline(always)]
fn rc1<R: Real, const K: usize>(y: Complex<R>) -> [Complex<R>; 3] {
    let (zero, one) = (Complex::lit(0.0, 0.0), Complex::lit(1.0, 0.0));
    let third = R::lit(-1.0 / 3.0);
    let value = R::shared_complex::<c::Elliprc, 2>([one, y]);
    let first = if K > 1 { R::shared_complex::<c::Elliprd, 3>([one, y, y]).scale(third) } else { zero };
    let second = if K > 2 {
        let sum = R::shared_complex::<c::ElliprdDx, 3>([y, one, y]) + R::shared_complex::<c::ElliprdDz, 3>([one, y, y]);
        sum.scale(third)
    } else {
        zero
    };
    [value, first, second]
}

/// `R_J` of a last argument so far out that even the second term of DLMF 19.27.11 does not count, elsewhere `out`.
#[inline(always)]
fn or_far<R: Real>([x, y, w, p]: [Complex<R>; 4], out: Complex<R>) -> Complex<R> {
    let size = x.max_part().max(y.max_part()).max(w.max_part());
    let [re, im] = R::when(
        p.max_part().gt(size * R::lit(1e40)),
        [out.re, out.im],
        #[inline(always)]
        || {
            let part = R::shared_complex::<c::Elliprf, 3>([x, y, w]).scale(R::lit(3.0)) / p;
            [part.re, part.im]
        },
    );
    Complex::new(re, im)
}

/// `R_J` or the derivative that the directions ask for; NaN unless `x`, `y`, `z` lie in the right half-plane and `p` off its edge,
/// or all three are not negative, or one is not and two are conjugates, and `p` lies off the cut. On it, where all three are not
/// negative, the principal value; its derivatives are NaN.
#[inline(always)]
fn third<R: Real, const K: usize, const N: usize>(
    [x, y, w, p]: [Complex<R>; 4],
    directions: [usize; 4],
    pole: f64,
) -> Complex<R> {
    let zero = R::lit(0.0);
    let [a, b, c, d] = directions;
    let args = [Jet::variable(x, a), Jet::variable(y, b), Jet::variable(w, c), Jet::variable(p, d)];
    let out = rj::<R, K, N>(args).0[K - 1];
    let out = if K == 1 { or_far([x, y, w, p], out) } else { out };
    let out = limits([x, y, w, p], any_zero_pair(x, y, w).or(is_zero(p)), pole, out);
    let right = x.re.ge(zero).and(y.re.ge(zero)).and(w.re.ge(zero)).and(p.re.gt(zero));
    let pair = inlined(
        #[inline(always)]
        |x: Complex<R>, y: Complex<R>, w: Complex<R>| {
            y.re.eq(w.re).and(y.im.eq(-w.im)).and(x.im.eq(zero)).and(x.re.ge(zero))
        },
    );
    let not_negative = inlined(
        #[inline(always)]
        |x: Complex<R>| x.im.eq(zero).and(x.re.ge(zero)),
    );
    let real = not_negative(x).and(not_negative(y)).and(not_negative(w));
    let served = right.or(is_zero(p)).or(real).or(pair(x, y, w)).or(pair(y, w, x)).or(pair(w, x, y));
    let out = Complex::select(served, out, Complex::lit(f64::NAN, f64::NAN));
    if K > 1 {
        return out;
    }
    let cut = real.and(is_negative(p));
    let [re, im] = R::when(
        cut,
        [out.re, out.im],
        #[inline(always)]
        || [shared::elliprj(x.re, y.re, w.re, p.re), zero],
    );
    Complex::new(re, im)
}

macro_rules! third_kind {
    ($($(#[$doc:meta])* $name:ident = $k:literal, $n:literal, $directions:expr, $pole:expr;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name<R: Real>(x: Complex<R>, y: Complex<R>, w: Complex<R>, p: Complex<R>) -> Complex<R> {
                third::<R, $k, $n>([x, y, w, p], $directions, $pole)
            }
        )*
    };
}

third_kind! {
    /// Carlson's symmetric integral of the third kind.
    elliprj = 1, 11, [0, 0, 0, 0], INF;
    /// `dR_J/dx`.
    elliprj_dx = 2, 21, [1, 0, 0, 0], -INF;
    /// `dR_J/dp`.
    elliprj_dp = 2, 21, [0, 0, 0, 1], -INF;
    /// `d2R_J/dx2`.
    elliprj_dxx = 4, 41, [3, 0, 0, 0], INF;
    /// `d2R_J/dxdy`.
    elliprj_dxy = 4, 41, [1, 2, 0, 0], INF;
    /// `d2R_J/dxdp`.
    elliprj_dxp = 4, 41, [1, 0, 0, 2], INF;
    /// `d2R_J/dp2`.
    elliprj_dpp = 4, 41, [0, 0, 0, 3], INF;
}
