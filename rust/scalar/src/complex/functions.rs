//! Exponential, logarithmic, power, circular and hyperbolic functions of a complex argument.

use super::Complex;
use super::bodies::Pow;
use crate::dd::Dd;
use crate::elementary::log_wide;
use crate::real::{Mask, Real, inlined};
use crate::shared as e;

const INF: f64 = f64::INFINITY;
/// High and low parts of ln 2 and of pi.
const LN2: (f64, f64) = (std::f64::consts::LN_2, 2.3190468138462996e-17);
const PI: (f64, f64) = (std::f64::consts::PI, 1.2246467991473532e-16);
/// `1000 ln 2`, the high part short enough to be subtracted exactly, and `2^1000`.
const LN2_1000: (f64, f64) = (693.1471805599285, 1.6780452712620726e-11);
const TWO_1000: f64 = 1.0715086071862673e301;

/// A product of `head`, of the bounded factor it is asked for, and of a power of two that may exceed the range.
#[derive(Clone, Copy)]
pub(super) struct Scaled<R> {
    pub head: R,
    pub scale: R,
}

impl<R: Real> Scaled<R> {
    /// `e^x`; finite in this form up to twice the range.
    #[inline(always)]
    pub fn exp(x: R) -> Self {
        let top = x.gt(R::lit(700.0));
        let reduced = x - R::lit(LN2_1000.0) - R::lit(LN2_1000.1);
        Self { head: e::exp(R::select(top, reduced, x)), scale: R::select(top, R::lit(TWO_1000), R::lit(1.0)) }
    }

    #[inline(always)]
    pub fn times(self, factor: R) -> R {
        self.head * factor * self.scale
    }
}

/// `(sinh x, cosh x)`.
#[inline(always)]
fn sinh_cosh<R: Real>(x: R) -> (Scaled<R>, Scaled<R>) {
    let top = x.abs().gt(R::lit(700.0));
    let Scaled { head, scale } = Scaled::exp(x.abs());
    let half = head * R::lit(0.5);
    (
        Scaled { head: R::select(top, half.copysign(x), e::sinh(x)), scale },
        Scaled { head: R::select(top, half, e::cosh(x)), scale },
    )
}

/// `(sinh, cosh)` of the unevaluated sum `hi + lo`.
#[inline(always)]
fn sinh_cosh_sum<R: Real>(hi: R, lo: R) -> (Scaled<R>, Scaled<R>) {
    let (s, c) = sinh_cosh(hi);
    let lo = R::select(hi.abs().lt(R::lit(1500.0)), lo, R::lit(0.0));
    (Scaled { head: s.head + c.head * lo, ..s }, Scaled { head: c.head + s.head * lo, ..c })
}

/// `k * x` as an unevaluated sum, for a constant known to twice the precision.
#[inline(always)]
fn scaled_sum<R: Real>(x: R, k: (f64, f64)) -> (R, R) {
    let hi = x * R::lit(k.0);
    (hi, x.fma(R::lit(k.0), -hi) + x * R::lit(k.1))
}

/// True where `x` is infinite or NaN.
#[inline(always)]
fn wild<R: Real>(x: R) -> R::Mask {
    x.abs().lt(R::lit(INF)).not()
}

/// A zero with the sign of the product `x * y`.
#[inline(always)]
fn signed_zero<R: Real>(x: R, y: R) -> R {
    R::lit(0.0).copysign(x) * R::lit(1.0).copysign(y)
}

/// `radius * (c + is)` for `radius = b^x` and the direction of angle `y`, with Annex G's values for `cexp`.
#[inline(always)]
fn polar<R: Real>(radius: Scaled<R>, x: R, y: R, c: R, s: R) -> Complex<R> {
    let im = R::select(y.eq(R::lit(0.0)), y, radius.times(s));
    let plus = wild(y).and(x.eq(R::lit(INF)));
    let minus = wild(y).and(x.eq(R::lit(-INF)));
    Complex {
        re: R::select(minus, R::lit(0.0), R::select(plus, R::lit(INF), radius.times(c))),
        im: R::select(minus, R::lit(0.0).copysign(y), im),
    }
}

/// `|z|`.
#[inline(always)]
pub fn abs<R: Real>(z: Complex<R>) -> R {
    e::hypot(z.re, z.im)
}

/// The angle of `z` in `[-pi, pi]`.
#[inline(always)]
pub fn angle<R: Real>(z: Complex<R>) -> R {
    e::atan2(z.im, z.re)
}

/// `z / |z|`, and 0 at 0.
#[inline(always)]
pub fn sign<R: Real>(z: Complex<R>) -> Complex<R> {
    let m = z.max_part();
    let inf = m.eq(R::lit(INF));
    let one = R::lit(1.0);
    let part = inlined(
        #[inline(always)]
        |x: R| {
            let boxed = R::select(x.abs().eq(R::lit(INF)), one, R::select(x.is_nan(), x, R::lit(0.0))).copysign(x);
            R::select(inf, boxed, x / m)
        },
    );
    let unit = Complex { re: part(z.re), im: part(z.im) };
    let h = e::hypot(unit.re, unit.im);
    Complex::select(m.eq(R::lit(0.0)), Complex::lit(0.0, 0.0), Complex { re: unit.re / h, im: unit.im / h })
}

/// `e^z`.
#[inline(always)]
pub fn exp<R: Real>(z: Complex<R>) -> Complex<R> {
    polar(Scaled::exp(z.re), z.re, z.im, e::cos(z.im), e::sin(z.im))
}

/// `2^z`; the angle `y ln 2` is carried to twice the precision.
#[inline(always)]
pub fn exp2<R: Real>(z: Complex<R>) -> Complex<R> {
    let top = z.re.gt(R::lit(1000.0));
    let radius = Scaled {
        head: e::exp2(R::select(top, z.re - R::lit(1000.0), z.re)),
        scale: R::select(top, R::lit(TWO_1000), R::lit(1.0)),
    };
    let (t, dt) = scaled_sum(z.im, LN2);
    let (c, s) = (e::cos(t), e::sin(t));
    polar(radius, z.re, z.im, c - s * dt, s + c * dt)
}

/// `e^z - 1`, the real part as `expm1(x) cos y - 2 sin(y/2)^2`, never -0 (Array API).
#[inline(always)]
pub fn expm1<R: Real>(z: Complex<R>) -> Complex<R> {
    let power = exp(z);
    let half = e::sin(z.im * R::lit(0.5));
    let re = e::expm1(z.re) * e::cos(z.im) - half * half * R::lit(2.0);
    let re = R::select(z.re.eq(R::lit(-INF)), R::lit(-1.0), re);
    Complex { re: R::select(z.re.gt(R::lit(40.0)), power.re, re) + R::lit(0.0), im: power.im }
}

/// `log|x + iy|`; near the unit circle by `log1p` of `x^2 + y^2 - 1` in double-double.
#[inline(always)]
fn log_abs<R: Real>(z: Complex<R>) -> R {
    let (x, y) = (z.re, z.im);
    let m = z.max_part();
    let (large, small) = (m.gt(R::lit(1e300)), m.lt(R::lit(1e-290)));
    // 2^-2 and 2^200
    let scale = R::select(large, R::lit(0.25), R::select(small, R::lit(1.6069380442589903e60), R::lit(1.0)));
    let shift = R::select(large, R::lit(2.0), R::select(small, R::lit(-200.0), R::lit(0.0)));
    let far = shift.fma(R::lit(LN2.0), e::log(e::hypot(x * scale, y * scale)));
    let sum = x * x + y * y;
    let near = sum.gt(R::lit(0.5)).and(sum.lt(R::lit(2.0)));
    let excess = Dd::two_prod(x, x).plus(R::lit(-1.0)) + Dd::two_prod(y, y);
    R::select(near, e::log1p(excess.value()) * R::lit(0.5), far)
}

/// `log|z|` in double-double arithmetic, for sums in which it cancels or is an exponent.
#[inline(always)]
pub(super) fn log_abs_sum<R: Real>(z: Complex<R>) -> Dd<R> {
    let m = z.max_part();
    let (large, small) = (m.gt(R::lit(1e150)), m.lt(R::lit(1e-140)));
    // 2^-600 and 2^600
    let scale =
        R::select(large, R::lit(2.409919865102884e-181), R::select(small, R::lit(4.149515568880993e180), R::lit(1.0)));
    let shift = R::select(large, R::lit(600.0), R::select(small, R::lit(-600.0), R::lit(0.0)));
    let (x, y) = (z.re * scale, z.im * scale);
    let size = Dd::two_prod(x, x) + Dd::two_prod(y, y);
    let half = log_wide(size).times_pow2(R::lit(0.5));
    let shifted = Dd::select(large.or(small), half.plus(shift * R::lit(LN2.0)), half);
    Dd::select(m.lt(R::lit(f64::INFINITY)), shifted, Dd::new(z.re.abs() + z.im.abs(), R::lit(0.0)))
}

/// The principal logarithm, cut along the negative real axis.
#[inline(always)]
pub fn log<R: Real>(z: Complex<R>) -> Complex<R> {
    Complex { re: log_abs(z), im: angle(z) }
}

/// `log(1 + z)`.
#[inline(always)]
pub fn log1p<R: Real>(z: Complex<R>) -> Complex<R> {
    let (x, y) = (z.re, z.im);
    let shifted = log(Complex { re: x + R::lit(1.0), im: y });
    let excess = (Dd::two_prod(x, x) + Dd::two_prod(y, y)).plus(x + x).value();
    let re = e::log1p(excess) * R::lit(0.5);
    Complex { re: R::select(z.max_part().lt(R::lit(0.5)), re, shifted.re), im: shifted.im }
}

/// `f` times the logarithm of a function of `w`, 0 where `f` is 0 and `w` a number.
#[inline(always)]
fn times_log<R: Real>(f: Complex<R>, w: Complex<R>, log: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let none = f.re.eq(zero).and(f.im.eq(zero)).and(w.re.is_nan().or(w.im.is_nan()).not());
    Complex::select(none, Complex::lit(0.0, 0.0), f * log)
}

/// `z log(w)`, 0 where `z` is 0.
#[inline(always)]
pub fn xlogy<R: Real>(z: Complex<R>, w: Complex<R>) -> Complex<R> {
    times_log(z, w, log(w))
}

/// `z log(1 + w)`, 0 where `z` is 0.
#[inline(always)]
pub fn xlog1py<R: Real>(z: Complex<R>, w: Complex<R>) -> Complex<R> {
    times_log(z, w, log1p(w))
}

/// Logarithm to base 2.
#[inline(always)]
pub fn log2<R: Real>(z: Complex<R>) -> Complex<R> {
    log(z).scale(R::lit(std::f64::consts::LOG2_E))
}

/// Logarithm to base 10.
#[inline(always)]
pub fn log10<R: Real>(z: Complex<R>) -> Complex<R> {
    log(z).scale(R::lit(std::f64::consts::LOG10_E))
}

/// The principal square root, scaled away from both ends of the range.
#[inline(always)]
pub fn sqrt<R: Real>(z: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let m = z.max_part();
    let (large, small) = (m.gt(R::lit(1e307)), m.lt(R::lit(1e-290)));
    // 2^106, with root 2^53
    let scale = R::select(large, R::lit(0.25), R::select(small, R::lit(8.112963841460668e31), R::lit(1.0)));
    let back = R::select(large, R::lit(2.0), R::select(small, R::lit(1.1102230246251565e-16), R::lit(1.0)));
    let (x, y) = (z.re * scale, z.im * scale);
    let t = ((x.abs() + e::hypot(x, y)) * R::lit(0.5)).sqrt();
    let u = y / (t + t);
    let left = x.lt(zero);
    let re = R::select(left, u.abs(), t) * back;
    let im = R::select(left, t.copysign(y), u) * back;
    let root = Complex::select(m.eq(zero), Complex { re: zero, im: z.im }, Complex { re, im });
    Complex {
        re: R::select(z.im.abs().eq(R::lit(INF)), R::lit(INF), root.re),
        im: R::select(z.im.abs().eq(R::lit(INF)), z.im, root.im),
    }
}

/// `1 / sqrt(z)`.
#[inline(always)]
pub fn rsqrt<R: Real>(z: Complex<R>) -> Complex<R> {
    sqrt(z).reciprocal()
}

/// Largest integer exponent that is taken by repeated multiplication.
const MAX_INTEGER_POWER: f64 = 64.0;

/// `z^|n|` for an integer `|n| <= 64` by repeated squaring; lanes where `on` is false stop at once.
#[inline(always)]
fn integer_power<R: Real>(z: Complex<R>, n: R, on: R::Mask) -> Complex<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let n = R::select(on, n.abs(), zero);
    let out = R::repeat(
        [one, zero, z.re, z.im, n],
        7,
        #[inline(always)]
        |[pr, pi, br, bi, n]| {
            let half = (n * R::lit(0.5)).floor();
            let odd = n.ne(half + half);
            let (p, b) = (Complex { re: pr, im: pi }, Complex { re: br, im: bi });
            let p = Complex::select(odd, p * b, p);
            let b = b.square();
            ([p.re, p.im, b.re, b.im, half], half.gt(zero))
        },
    );
    Complex { re: out[0], im: out[1] }
}

/// `z^w`, principal value; small integers by repeated multiplication, real powers of positive reals by the real function.
#[inline(always)]
pub fn pow<R: Real>(z: Complex<R>, w: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let l = log(z);
    let general = exp(w * l);
    let real_exponent = w.im.eq(zero);
    let integer = real_exponent.and(w.re.floor().eq(w.re)).and(w.re.abs().le(R::lit(MAX_INTEGER_POWER)));
    let product = integer_power(z, w.re, integer);
    let product = Complex::select(w.re.lt(zero), product.reciprocal(), product);
    let real = real_exponent.and(z.im.eq(zero)).and(z.re.gt(zero));
    let positive = Complex { re: e::pow(z.re, w.re), im: signed_zero(z.im, w.re) };
    let out = Complex::select(integer, product, general);
    let out = Complex::select(real, positive, out);
    let origin = z.re.eq(zero).and(z.im.eq(zero));
    let vanish = Complex::select(w.re.gt(zero), Complex::lit(0.0, 0.0), Complex::lit(f64::NAN, f64::NAN));
    let out = Complex::select(origin, vanish, out);
    Complex::select(real_exponent.and(w.re.eq(zero)), Complex::lit(1.0, 0.0), out)
}

/// `f z^w`, in range where the power alone is not; exactly 0 where `f` is 0.
#[inline(always)]
pub fn scaled_pow<R: Real>(f: Complex<R>, z: Complex<R>, w: Complex<R>) -> Complex<R> {
    let zero = R::lit(0.0);
    let power = pow(z, w);
    let size = power.re.abs().max(power.im.abs());
    let beyond = size.lt(R::lit(f64::MIN_POSITIVE)).or(size.eq(R::lit(INF)));
    let product = f * power;
    let [re, im] = R::when(
        beyond,
        [product.re, product.im],
        #[inline(always)]
        || {
            let root = R::shared_complex::<Pow, 2>([z, w.scale(R::lit(0.5))]);
            let product = f * root * root;
            [product.re, product.im]
        },
    );
    Complex::select(f.re.eq(zero).and(f.im.eq(zero)), Complex::lit(0.0, 0.0), Complex::new(re, im))
}

/// Hyperbolic sine.
#[inline(always)]
pub fn sinh<R: Real>(z: Complex<R>) -> Complex<R> {
    let (x, y) = (z.re, z.im);
    let (s, c) = sinh_cosh(x);
    Complex { re: keep_axis(x, y, s.times(e::cos(y))), im: R::select(y.eq(R::lit(0.0)), y, c.times(e::sin(y))) }
}

/// The real part of `sinh`: a zero or infinity of the real argument survives an angle without direction.
#[inline(always)]
fn keep_axis<R: Real>(x: R, y: R, re: R) -> R {
    let at_end = x.eq(R::lit(0.0)).or(x.abs().eq(R::lit(INF)));
    R::select(wild(y).and(at_end), x, re)
}

/// Hyperbolic cosine.
#[inline(always)]
pub fn cosh<R: Real>(z: Complex<R>) -> Complex<R> {
    let (x, y) = (z.re, z.im);
    let (s, c) = sinh_cosh(x);
    let on_axis = x.eq(R::lit(0.0)).or(y.eq(R::lit(0.0)));
    let re = R::select(wild(y).and(x.abs().eq(R::lit(INF))), R::lit(INF), c.times(e::cos(y)));
    Complex { re, im: R::select(on_axis, signed_zero(x, y), s.times(e::sin(y))) }
}

/// Hyperbolic tangent, `(sinh x cosh x + i sin y cos y) / (sinh(x)^2 + cos(y)^2)`.
#[inline(always)]
pub fn tanh<R: Real>(z: Complex<R>) -> Complex<R> {
    let (x, y) = (z.re, z.im);
    let zero = R::lit(0.0);
    let (s, c) = (e::sin(y), e::cos(y));
    let sh = e::sinh(x);
    let den = Dd::two_prod(sh, sh) + Dd::two_prod(c, c);
    let re = Dd::two_prod(sh, sh.fma(sh, R::lit(1.0)).sqrt()).quotient(den);
    let im = Dd::two_prod(s, c).quotient(den);
    let far = x.abs().gt(R::lit(22.0));
    let decay = e::exp(x.abs() * R::lit(-2.0)) * R::lit(4.0) * s * c;
    let decay = R::select(x.abs().eq(R::lit(INF)), zero.copysign(y), decay);
    let im = R::select(far, decay, im);
    let lost = wild(y).and(x.abs().lt(R::lit(INF)));
    let re = R::select(far, R::select(lost, R::lit(f64::NAN), R::lit(1.0).copysign(x)), re);
    Complex { re: R::select(x.eq(zero), x, re), im: R::select(y.eq(zero), y, im) }
}

/// Sine.
#[inline(always)]
pub fn sin<R: Real>(z: Complex<R>) -> Complex<R> {
    sinh(z.swap()).swap()
}

/// Cosine.
#[inline(always)]
pub fn cos<R: Real>(z: Complex<R>) -> Complex<R> {
    cosh(Complex { re: -z.im, im: z.re })
}

/// Sine and cosine together, of a finite number.
#[inline(always)]
pub(super) fn sin_cos<R: Real>(z: Complex<R>) -> (Complex<R>, Complex<R>) {
    let ((sh, ch), (s, c)) = (sinh_cosh(z.im), (e::sin(z.re), e::cos(z.re)));
    (Complex { re: ch.times(s), im: sh.times(c) }, Complex { re: ch.times(c), im: -sh.times(s) })
}

/// Tangent.
#[inline(always)]
pub fn tan<R: Real>(z: Complex<R>) -> Complex<R> {
    tanh(z.swap()).swap()
}

/// `sin(pi z)`.
#[inline(always)]
pub fn sinpi<R: Real>(z: Complex<R>) -> Complex<R> {
    let (hi, lo) = scaled_sum(z.im, PI);
    let (sh, ch) = sinh_cosh_sum(hi, lo);
    let im = sh.times(e::cospi(z.re));
    Complex { re: R::select(z.re.eq(R::lit(0.0)), z.re, ch.times(e::sinpi(z.re))), im: keep_axis(z.im, z.re, im) }
}

/// `cos(pi z)`.
#[inline(always)]
pub fn cospi<R: Real>(z: Complex<R>) -> Complex<R> {
    let (hi, lo) = scaled_sum(z.im, PI);
    let (sh, ch) = sinh_cosh_sum(hi, lo);
    let on_axis = z.re.eq(R::lit(0.0)).or(z.im.eq(R::lit(0.0)));
    let im = -sh.times(e::sinpi(z.re));
    let re = R::select(wild(z.re).and(z.im.abs().eq(R::lit(INF))), R::lit(INF), ch.times(e::cospi(z.re)));
    Complex { re, im: R::select(on_axis, -signed_zero(z.re, z.im), im) }
}

/// `sin(pi z) / (pi z)`, and 1 at 0.
#[inline(always)]
pub fn sinc<R: Real>(z: Complex<R>) -> Complex<R> {
    let near = z.max_part().lt(R::lit(1e-9));
    Complex::select(near, Complex::lit(1.0, 0.0), sinpi(z) / z.scale(R::lit(PI.0)))
}

/// The logistic function `1 / (1 + e^-z)`, accurate next to its poles.
#[inline(always)]
pub fn expit<R: Real>(z: Complex<R>) -> Complex<R> {
    let w = -z;
    // 1 + e^w without cancellation where e^w is near -1.
    let half = e::cos(w.im * R::lit(0.5));
    let re = e::expm1(w.re) * e::cos(w.im) + half * half * R::lit(2.0);
    let power = exp(w);
    let den = Complex { re: R::select(w.re.eq(R::lit(-INF)), R::lit(1.0), re), im: power.im };
    Complex::select(w.re.gt(R::lit(40.0)), exp(z), den.reciprocal())
}
