//! The registry: each scalar function as a type, one line per function.

use crate::elementary;
use crate::real::{Body, Real};
use crate::special;

/// What [`for_each`] shows a registered function to.
pub trait Visitor {
    fn visit<const N: usize, B: Body<N>>(&mut self);
}

macro_rules! bodies {
    ($($(#[$doc:meta])* $body:ident($($x:ident),+) = $name:literal, $module:ident::$function:ident;)*) => {
        $(
            #[doc = concat!("`", $name, "` as a type.")]
            pub struct $body;
            impl Body<{ [$(stringify!($x)),+].len() }> for $body {
                const NAME: &'static str = $name;
                #[inline(always)]
                fn eval<R: Real>([$($x),+]: [R; [$(stringify!($x)),+].len()]) -> R {
                    $module::$function($($x),+)
                }
            }
        )*
        /// Every registered function as a call: what long bodies use, so that their machine code stays small. A body whose time
        /// is mostly one other function takes that one from [`crate::elementary`] or [`crate::special`] instead.
        pub mod shared {
            use crate::real::Real;
            $(
                #[doc = concat!("`", $name, "`, compiled once.")]
                #[inline(always)]
                pub fn $function<R: Real>($($x: R),+) -> R {
                    R::shared::<super::$body, { [$(stringify!($x)),+].len() }>([$($x),+])
                }
            )*
        }
        /// Shows every registered function to the visitor.
        pub fn for_each(visitor: &mut impl Visitor) {
            $(visitor.visit::<{ [$(stringify!($x)),+].len() }, $body>();)*
        }
    };
}

bodies! {
    Exp(x) = "exp", elementary::exp;
    Exp2(x) = "exp2", elementary::exp2;
    Exp10(x) = "exp10", elementary::exp10;
    Expm1(x) = "expm1", elementary::expm1;
    Log(x) = "log", elementary::log;
    Log2(x) = "log2", elementary::log2;
    Log10(x) = "log10", elementary::log10;
    Log1p(x) = "log1p", elementary::log1p;
    Sin(x) = "sin", elementary::sin;
    Cos(x) = "cos", elementary::cos;
    Tan(x) = "tan", elementary::tan;
    Sinpi(x) = "sinpi", elementary::sinpi;
    Cospi(x) = "cospi", elementary::cospi;
    Tanpi(x) = "tanpi", elementary::tanpi;
    Sinc(x) = "sinc", elementary::sinc;
    Sqrt(x) = "sqrt", elementary::sqrt;
    Cbrt(x) = "cbrt", elementary::cbrt;
    Rsqrt(x) = "rsqrt", elementary::rsqrt;
    Asin(x) = "asin", elementary::asin;
    Acos(x) = "acos", elementary::acos;
    Atan(x) = "atan", elementary::atan;
    Sinh(x) = "sinh", elementary::sinh;
    Cosh(x) = "cosh", elementary::cosh;
    Tanh(x) = "tanh", elementary::tanh;
    Asinh(x) = "asinh", elementary::asinh;
    Acosh(x) = "acosh", elementary::acosh;
    Atanh(x) = "atanh", elementary::atanh;
    Expit(x) = "expit", elementary::expit;
    LogExpit(x) = "log_expit", elementary::log_expit;
    Softplus(x) = "softplus", elementary::softplus;
    Pow(x, y) = "pow", elementary::pow;
    Hypot(x, y) = "hypot", elementary::hypot;
    Atan2(y, x) = "atan2", elementary::atan2;
    Logaddexp(x, y) = "logaddexp", elementary::logaddexp;
    Logaddexp2(x, y) = "logaddexp2", elementary::logaddexp2;
    Fmod(x, y) = "fmod", elementary::fmod;
    Remainder(x, y) = "remainder", elementary::remainder;
    FloorDivide(x, y) = "floor_divide", elementary::floor_divide;
    Nextafter(x, y) = "nextafter", elementary::nextafter;
    Ldexp(x, k) = "ldexp", elementary::ldexp;
    Gamma(x) = "gamma", special::gamma;
    Gammaln(x) = "gammaln", special::gammaln;
    Rgamma(x) = "rgamma", special::rgamma;
    Digamma(x) = "digamma", special::digamma;
    Trigamma(x) = "trigamma", special::trigamma;
    Erf(x) = "erf", special::erf;
    Erfc(x) = "erfc", special::erfc;
    Erfcx(x) = "erfcx", special::erfcx;
    Erfinv(x) = "erfinv", special::erfinv;
    Erfcinv(x) = "erfcinv", special::erfcinv;
    Ndtr(x) = "ndtr", special::ndtr;
    LogNdtr(x) = "log_ndtr", special::log_ndtr;
    Ndtri(x) = "ndtri", special::ndtri;
    NdtriExp(y) = "ndtri_exp", special::ndtri_exp;
    Erfi(x) = "erfi", special::erfi;
    Ierfcx(n, x) = "ierfcx", special::ierfcx;
    InverseMills(x) = "inverse_mills", special::inverse_mills;
    MillsGap(x) = "mills_gap", special::mills_gap;
    DawsnDerivative(n, x) = "dawsn_derivative", special::dawsn_derivative;
    Dawsn(x) = "dawsn", special::dawsn;
    FresnelS(x) = "fresnel_s", special::fresnel_s;
    FresnelC(x) = "fresnel_c", special::fresnel_c;
    OwensT(h, a) = "owens_t", special::owens_t;
    Gammainc(a, x) = "gammainc", special::gammainc;
    Gammaincc(a, x) = "gammaincc", special::gammaincc;
    GammaincDa(a, x) = "gammainc_da", special::gammainc_da;
    GammaincDaa(a, x) = "gammainc_daa", special::gammainc_daa;
    GammaincDx(a, x) = "gammainc_dx", special::gammainc_dx;
    GammaincDax(a, x) = "gammainc_dax", special::gammainc_dax;
    GammaincDxx(a, x) = "gammainc_dxx", special::gammainc_dxx;
    Gammaincinv(a, p) = "gammaincinv", special::gammaincinv;
    Gammainccinv(a, q) = "gammainccinv", special::gammainccinv;
    Polygamma(n, x) = "polygamma", special::polygamma;
    RgammaDx(x) = "rgamma_dx", special::rgamma_dx;
    RgammaDxx(x) = "rgamma_dxx", special::rgamma_dxx;
    Gammasgn(x) = "gammasgn", special::gammasgn;
    Poch(z, m) = "poch", special::poch;
    Binom(n, k) = "binom", special::binom;
    Logit(x) = "logit", special::logit;
    Entr(x) = "entr", special::entr;
    Xlogy(x, y) = "xlogy", special::xlogy;
    Xlog1py(x, y) = "xlog1py", special::xlog1py;
    LogRatio(x, y) = "log_ratio", special::log_ratio;
    RelEntr(x, y) = "rel_entr", special::rel_entr;
    KlDiv(x, y) = "kl_div", special::kl_div;
    Huber(delta, r) = "huber", special::huber;
    PseudoHuber(delta, r) = "pseudo_huber", special::pseudo_huber;
    Powm1(x, y) = "powm1", special::powm1;
    Cosm1(x) = "cosm1", special::cosm1;
    Exprel(x) = "exprel", special::exprel;
    ExprelDerivative(n, x) = "exprel_derivative", special::exprel_derivative;
    Log1prel(n, t) = "log1prel", special::log1prel;
    Boxcox(x, lambda) = "boxcox", special::boxcox;
    Boxcox1p(x, lambda) = "boxcox1p", special::boxcox1p;
    InvBoxcox(y, lambda) = "inv_boxcox", special::inv_boxcox;
    InvBoxcox1p(y, lambda) = "inv_boxcox1p", special::inv_boxcox1p;
    PolygammaStep(n, a, b) = "polygamma_step", special::polygamma_step;
    Beta(a, b) = "beta", special::beta;
    Betaln(a, b) = "betaln", special::betaln;
    BetaFront(a, b, x, y) = "beta_front", special::beta_front;
    BetaTail(a, b, x, y, c0, c1, c2, c11, c12, c22) = "beta_tail", special::beta_tail;
    BetaincXy(a, b, x, y) = "betainc_xy", special::betainc_xy;
    Betainc(a, b, x) = "betainc", special::betainc;
    Betaincc(a, b, x) = "betaincc", special::betaincc;
    BetaincDa(a, b, x) = "betainc_da", special::betainc_da;
    BetaincDb(a, b, x) = "betainc_db", special::betainc_db;
    BetaincDaa(a, b, x) = "betainc_daa", special::betainc_daa;
    BetaincDab(a, b, x) = "betainc_dab", special::betainc_dab;
    BetaincDbb(a, b, x) = "betainc_dbb", special::betainc_dbb;
    BetaincDx(a, b, x) = "betainc_dx", special::betainc_dx;
    BetaOdds(a, b, p) = "beta_odds", special::beta_odds;
    Stdtr(df, t) = "stdtr", special::stdtr;
    Stdtrit(df, p) = "stdtrit", special::stdtrit;
    Betaincinv(a, b, p) = "betaincinv", special::betaincinv;
    Betainccinv(a, b, q) = "betainccinv", special::betainccinv;
    Zeta(s, q) = "zeta", special::zeta;
}
