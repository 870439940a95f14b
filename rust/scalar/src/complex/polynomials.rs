//! Classical orthogonal polynomials of integral degree and a complex argument; as in [`crate::special`], with derivatives in the
//! real parameters carried along.

use super::dual::ComplexDual;
use super::functions::sin_cos;
use super::inverse::arc;
use super::{Complex, ComplexShortWays};
use crate::real::{Mask, Real};
use crate::shared;
use crate::special::dual::Dual;

/// Degrees above this are NaN: the work grows with the degree.
const MAX_DEGREE: f64 = 100_000.0;

#[inline(always)]
fn served<R: Real>(n: R) -> R::Mask {
    n.floor().eq(n).and(n.ge(R::lit(0.0))).and(n.le(R::lit(MAX_DEGREE)))
}

#[inline(always)]
fn or_nan<R: Real>(on: R::Mask, z: Complex<R>) -> Complex<R> {
    Complex::select(on, z, Complex::lit(f64::NAN, f64::NAN))
}

/// `p_n` from `p_0 = 1` and `p_1`, where `step(k, p_k, p_{k - 1})` is `p_{k + 1}`.
#[inline(always)]
fn recurrence<R: Real, const K: usize>(
    n: R,
    first: ComplexDual<R, K>,
    step: impl Fn(R, ComplexDual<R, K>, ComplexDual<R, K>) -> ComplexDual<R, K>,
) -> Complex<R> {
    let one = R::lit(1.0);
    let on = served(n);
    let start = ComplexDual::<R, K>::lit(1.0);
    let state = R::repeat(
        put(start, first, one),
        MAX_DEGREE as u32,
        #[inline(always)]
        |state| {
            let (last, now) = (get(&state, 0), get(&state, 8));
            let k = state[16];
            let more = k.lt(n).and(on);
            let next = step(k, now, last);
            let last = ComplexDual::<R, K>::select(more, now, last);
            let now = ComplexDual::<R, K>::select(more, next, now);
            (put(last, now, k + one), more)
        },
    );
    let p = ComplexDual::<R, K>::select(n.eq(R::lit(0.0)), start, get(&state, 8));
    or_nan(on, p.top())
}

#[inline(always)]
fn put<R: Real, const K: usize>(p: ComplexDual<R, K>, q: ComplexDual<R, K>, k: R) -> [R; 17] {
    let mut out = [R::lit(0.0); 17];
    for (i, d) in [p.re, p.im, q.re, q.im].iter().enumerate() {
        out[4 * i..4 * i + K].copy_from_slice(&d.0);
    }
    out[16] = k;
    out
}

#[inline(always)]
fn get<R: Real, const K: usize>(state: &[R; 17], i: usize) -> ComplexDual<R, K> {
    let (mut re, mut im) = ([R::lit(0.0); K], [R::lit(0.0); K]);
    re.copy_from_slice(&state[i..i + K]);
    im.copy_from_slice(&state[i + 4..i + 4 + K]);
    ComplexDual { re: Dual(re), im: Dual(im) }
}

/// `-z` where it is right of the imaginary axis and `z` is not.
#[inline(always)]
fn folded<R: Real>(z: Complex<R>) -> Complex<R> {
    Complex::select(z.re.lt(R::lit(0.0)), -z, z)
}

/// A value of even or odd degree at the folded argument as one at `z`.
#[inline(always)]
fn parity<R: Real>(n: R, z: Complex<R>, value: Complex<R>) -> Complex<R> {
    let half = n * R::lit(0.5);
    Complex::select(half.floor().ne(half).and(z.re.lt(R::lit(0.0))), -value, value)
}

/// Legendre polynomial.
#[inline(always)]
pub fn eval_legendre<R: Real>(n: Complex<R>, z: Complex<R>) -> Complex<R> {
    let one = R::lit(1.0);
    let degree = R::select(n.re.lt(R::lit(0.0)), -n.re - one, n.re);
    let y = folded(z);
    // In differences, which are small next to 1
    let below = Complex::new(y.re - one, y.im);
    let near = y.re.gt(R::lit(0.5));
    let out = recurrence::<R, 1>(
        degree,
        ComplexDual::constant(y),
        #[inline(always)]
        |k, p, q| {
            let (p, q) = (p.value(), q.value());
            let twice = k + k + one;
            let steps = p + ((p - q).scale(k) + (below * p).scale(twice)).scale(one / (k + one));
            let plain = ((y * p).scale(twice) - q.scale(k)).scale(one / (k + one));
            ComplexDual::constant(Complex::select(near, steps, plain))
        },
    );
    parity(degree, z, out)
}

/// Nearer to 0 than this, angles are measured from there, where the odd polynomials vanish.
const MIDDLE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// The angle of the cosine `y`, or that of the sine in the middle, and whether that is it.
#[inline(always)]
fn angle<R: Real>(y: Complex<R>) -> (Complex<R>, R::Mask) {
    let middle = y.max_part().lt(R::lit(MIDDLE));
    (arc(y, middle), middle)
}

/// Degrees from 0 to this take fewer steps than angles do.
const FEW: f64 = 6.0;

/// No value, only an order: by the small degrees, the others last.
pub struct ByDegree;
impl<const N: usize> ComplexShortWays<N> for ByDegree {
    const COUNT: usize = 1;
    #[inline(always)]
    fn value<R: Real>(_: usize, x: [Complex<R>; N]) -> (Complex<R>, R) {
        let (n, one, last) = (x[0].re, R::lit(1.0), R::lit(FEW + 1.0));
        let few = n.ge(R::lit(0.0)).and(n.lt(last));
        (Complex::lit(0.0, 0.0), R::select(few, n, last) + one)
    }
}

/// A Chebyshev polynomial of few degrees from that of degree 1, others by the angle.
#[inline(always)]
fn chebyshev<R: Real>(n: R, z: Complex<R>, first: Complex<R>, by_angle: impl Fn() -> Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let few = n.ge(zero).and(n.le(R::lit(FEW)));
    let out = R::when(
        few,
        [zero; 2],
        #[inline(always)]
        || {
            let twice = z + z;
            let out = recurrence::<R, 1>(
                R::select(few, n, zero),
                ComplexDual::constant(first),
                #[inline(always)]
                |_, p, q| p.turned(twice) - q,
            );
            [out.re, out.im]
        },
    );
    let [re, im] = R::when(
        few.not(),
        out,
        #[inline(always)]
        || {
            let out = by_angle();
            [out.re, out.im]
        },
    );
    Complex::new(re, im)
}

/// Chebyshev polynomial of the first kind.
#[inline(always)]
pub fn eval_chebyt<R: Real>(n: Complex<R>, z: Complex<R>) -> Complex<R> {
    let (n, half, one) = (n.re.abs(), R::lit(0.5), R::lit(1.0));
    let y = folded(z);
    let out = chebyshev(
        n,
        y,
        y,
        #[inline(always)]
        || {
            let (phi, middle) = angle(y);
            let (sin, cos) = sin_cos(phi.scale(n));
            // cos(n (pi/2 - phi)), of whose terms one is 0
            let (c, s) = (R::select(middle, shared::cospi(n * half), one), shared::sinpi(n * half));
            Complex::select(middle.and(s.ne(R::lit(0.0))), sin.scale(s), cos.scale(c))
        },
    );
    or_nan(served(n), parity(n, z, out))
}

/// Chebyshev polynomial of the second kind.
#[inline(always)]
pub fn eval_chebyu<R: Real>(n: Complex<R>, z: Complex<R>) -> Complex<R> {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let n = n.re;
    let (y, m) = (folded(z), n + one);
    let out = chebyshev(
        n,
        y,
        y + y,
        #[inline(always)]
        || {
            let (phi, middle) = angle(y);
            let (sin, cos) = sin_cos(phi.scale(m));
            let (c, s) = (shared::cospi(m * half), shared::sinpi(m * half));
            let inner = Complex::select(s.ne(zero), cos.scale(s), -sin.scale(c));
            let (down, across) = sin_cos(phi);
            let out = Complex::select(middle, inner, sin) / Complex::select(middle, across, down);
            let at_one = y.re.eq(one).and(y.im.eq(zero));
            Complex::select(at_one, Complex::new(m, zero), out)
        },
    );
    let out = Complex::select(m.eq(zero), Complex::lit(0.0, 0.0), parity(n, z, out));
    or_nan(served(m.abs()), out)
}

/// Hermite polynomial of the physicists.
#[inline(always)]
pub fn eval_hermite<R: Real>(n: Complex<R>, z: Complex<R>) -> Complex<R> {
    let twice = z + z;
    recurrence::<R, 1>(
        n.re,
        ComplexDual::constant(twice),
        #[inline(always)]
        |k, p, q| p.turned(twice) - q.times(k + k),
    )
}

/// Hermite polynomial of the probabilists.
#[inline(always)]
pub fn eval_hermitenorm<R: Real>(n: Complex<R>, z: Complex<R>) -> Complex<R> {
    recurrence::<R, 1>(
        n.re,
        ComplexDual::constant(z),
        #[inline(always)]
        |k, p, q| p.turned(z) - q.times(k),
    )
}

/// A real number with derivatives as a complex one.
#[inline(always)]
fn real<R: Real, const K: usize>(d: Dual<R, K>) -> ComplexDual<R, K> {
    ComplexDual { re: d, im: Dual::lit(0.0) }
}

#[inline(always)]
fn gegenbauer<R: Real, const K: usize>(n: Complex<R>, a: Complex<R>, z: Complex<R>) -> Complex<R> {
    let one = R::lit(1.0);
    let a = Dual::<R, K>::variable(a.re, 3);
    let twice = z + z;
    recurrence::<R, K>(
        n.re,
        real(a).turned(twice),
        #[inline(always)]
        |k, p, q| {
            let ka = a + Dual::constant(k);
            let back = a.scaled(2.0) + Dual::constant(k - one);
            (p.by(ka).turned(twice) - q.by(back)).times(one / (k + one))
        },
    )
}

/// In differences, as the real one.
#[inline(always)]
fn genlaguerre<R: Real, const K: usize>(n: Complex<R>, a: Complex<R>, z: Complex<R>) -> Complex<R> {
    let one = R::lit(1.0);
    let a = Dual::<R, K>::variable(a.re, 3);
    let first = real(a) + ComplexDual::constant(Complex::new(one - z.re, -z.im));
    recurrence::<R, K>(
        n.re,
        first,
        #[inline(always)]
        |k, p, q| p + ((p - q).by(a + Dual::constant(k)) - p.turned(z)).times(one / (k + one)),
    )
}

/// The directions say which parameters move.
#[inline(always)]
fn jacobi<R: Real, const K: usize>(
    n: Complex<R>,
    a: Complex<R>,
    b: Complex<R>,
    z: Complex<R>,
    [da, db]: [usize; 2],
) -> Complex<R> {
    let one = R::lit(1.0);
    let (a, b) = (Dual::<R, K>::variable(a.re, da), Dual::<R, K>::variable(b.re, db));
    let sum = a + b;
    let square = a * a - b * b;
    let low = Complex::new(z.re - one, z.im).scale(R::lit(0.5));
    let first = real(a.plus(1.0)) + real(sum.plus(2.0)).turned(low);
    recurrence::<R, K>(
        n.re,
        first,
        #[inline(always)]
        |k, p, q| {
            let k1 = k + one;
            let t = sum + Dual::constant(k + k);
            let forward = ((sum + Dual::constant(k1)) * t).times(k1 + k1);
            let t2 = t.plus(2.0);
            let here = (real(t2 * t).turned(z) + real(square)).by(t.plus(1.0));
            let back = (a + Dual::constant(k)) * (b + Dual::constant(k)) * t2.scaled(2.0);
            (here * p - q.by(back)).over(forward)
        },
    )
}

macro_rules! families {
    ($($(#[$doc:meta])* $name:ident($($x:ident),+) = $e:expr;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name<R: Real>($($x: Complex<R>),+) -> Complex<R> {
                $e
            }
        )*
    };
}

families! {
    /// Gegenbauer polynomial.
    eval_gegenbauer(n, a, z) = gegenbauer::<R, 1>(n, a, z);
    /// `dC/da`.
    eval_gegenbauer_da(n, a, z) = gegenbauer::<R, 2>(n, a, z);
    /// `d2C/da2`.
    eval_gegenbauer_daa(n, a, z) = gegenbauer::<R, 4>(n, a, z);
    /// Generalized Laguerre polynomial.
    eval_genlaguerre(n, a, z) = genlaguerre::<R, 1>(n, a, z);
    /// `dL/da`.
    eval_genlaguerre_da(n, a, z) = genlaguerre::<R, 2>(n, a, z);
    /// `d2L/da2`.
    eval_genlaguerre_daa(n, a, z) = genlaguerre::<R, 4>(n, a, z);
    /// Jacobi polynomial.
    eval_jacobi(n, a, b, z) = jacobi::<R, 1>(n, a, b, z, [0, 0]);
    /// `dP/da`.
    eval_jacobi_da(n, a, b, z) = jacobi::<R, 2>(n, a, b, z, [1, 0]);
    /// `d2P/da2`.
    eval_jacobi_daa(n, a, b, z) = jacobi::<R, 4>(n, a, b, z, [3, 0]);
    /// `d2P/dadb`.
    eval_jacobi_dab(n, a, b, z) = jacobi::<R, 4>(n, a, b, z, [1, 2]);
}
