//! The registry of the complex functions: each as a type, one line per function.

use super::{
    Complex, ComplexBody, airy, bessel, elliptic, faddeeva, gamma, gauss, hypergeometric, integrals, polynomials,
    regularized, zeta,
};
use crate::real::{Real, each};
use crate::special;

/// What [`for_each`] shows a registered function to.
pub trait Visitor {
    fn visit<const N: usize, B: ComplexBody<N>>(&mut self);
}

/// A real result as a complex number.
#[inline(always)]
fn real<R: Real>(x: R) -> Complex<R> {
    Complex::new(x, R::lit(0.0))
}

#[inline(always)]
fn pairs<R: Real, const N: usize>(parts: &[R]) -> [Complex<R>; N] {
    each(
        #[inline(always)]
        |i| Complex::new(parts[2 * i], parts[2 * i + 1]),
    )
}

macro_rules! short_ways {
    () => {
        ()
    };
    ($module:ident::$ways:ident) => {
        $module::$ways
    };
}

macro_rules! complex_bodies {
    ($($body:ident $([$module:ident::$ways:ident])? ($($z:ident),+) = $name:literal, $value:expr;)*) => {
        $(
            #[doc = concat!("Complex `", $name, "` as a type.")]
            pub struct $body;
            impl ComplexBody<{ [$(stringify!($z)),+].len() }> for $body {
                const NAME: &'static str = $name;
                type Short = short_ways!($($module::$ways)?);
                #[inline(always)]
                fn eval<R: Real>([$($z),+]: [Complex<R>; [$(stringify!($z)),+].len()]) -> Complex<R> {
                    let out = R::call_many(
                        concat!("complex_", $name),
                        [$($z.re, $z.im),+],
                        #[inline(always)]
                        |parts| {
                            let [$($z),+] = pairs(&parts);
                            let w: Complex<R> = $value;
                            [w.re, w.im]
                        },
                    );
                    Complex::new(out[0], out[1])
                }
            }
        )*
        /// Shows every registered function to the visitor.
        pub fn for_each(visitor: &mut impl Visitor) {
            $(visitor.visit::<{ [$(stringify!($z)),+].len() }, $body>();)*
        }
    };
}

complex_bodies! {
    Add(z, w) = "add", z + w;
    Subtract(z, w) = "subtract", z - w;
    Multiply(z, w) = "multiply", z * w;
    Divide(z, w) = "divide", z / w;
    Negative(z) = "negative", -z;
    Conj(z) = "conj", z.conj();
    Square(z) = "square", z.square();
    Reciprocal(z) = "reciprocal", z.reciprocal();
    Abs(z) = "abs", real(super::abs(z));
    Angle(z) = "angle", real(super::angle(z));
    Sign(z) = "sign", super::sign(z);
    Exp(z) = "exp", super::exp(z);
    Exp2(z) = "exp2", super::exp2(z);
    Expm1(z) = "expm1", super::expm1(z);
    Log(z) = "log", super::log(z);
    Log1p(z) = "log1p", super::log1p(z);
    Log2(z) = "log2", super::log2(z);
    Log10(z) = "log10", super::log10(z);
    Sqrt(z) = "sqrt", super::sqrt(z);
    Rsqrt(z) = "rsqrt", super::rsqrt(z);
    Pow(z, w) = "pow", super::pow(z, w);
    ScaledPow(f, z, w) = "scaled_pow", super::scaled_pow(f, z, w);
    Sin(z) = "sin", super::sin(z);
    Cos(z) = "cos", super::cos(z);
    Tan(z) = "tan", super::tan(z);
    Sinh(z) = "sinh", super::sinh(z);
    Cosh(z) = "cosh", super::cosh(z);
    Tanh(z) = "tanh", super::tanh(z);
    Asin(z) = "asin", super::asin(z);
    Acos(z) = "acos", super::acos(z);
    Atan(z) = "atan", super::atan(z);
    AtanSlope(z) = "atan_slope", super::atan_slope(z);
    Asinh(z) = "asinh", super::asinh(z);
    Acosh(z) = "acosh", super::acosh(z);
    Atanh(z) = "atanh", super::atanh(z);
    Sinpi(z) = "sinpi", super::sinpi(z);
    Cospi(z) = "cospi", super::cospi(z);
    Sinc(z) = "sinc", super::sinc(z);
    Expit(z) = "expit", super::expit(z);
    Wofz(z) = "wofz", faddeeva::wofz(z);
    WofzDerivative[special::Apart](n, z) = "wofz_derivative", faddeeva::wofz_derivative(n, z);
    Erf(z) = "erf", faddeeva::erf(z);
    Erfc(z) = "erfc", faddeeva::erfc(z);
    Erfcx(z) = "erfcx", faddeeva::erfcx(z);
    Ierfcx(n, z) = "ierfcx", faddeeva::ierfcx(n, z);
    Erfi(z) = "erfi", faddeeva::erfi(z);
    Dawsn(z) = "dawsn", faddeeva::dawsn(z);
    DawsnDerivative(n, z) = "dawsn_derivative", faddeeva::dawsn_derivative(n, z);
    FresnelS(z) = "fresnel_s", faddeeva::fresnel_s(z);
    FresnelC(z) = "fresnel_c", faddeeva::fresnel_c(z);
    Ndtr(z) = "ndtr", faddeeva::ndtr(z);
    LogNdtr[bessel::ByRegion](z) = "log_ndtr", faddeeva::log_ndtr(z);
    InverseMills(z) = "inverse_mills", faddeeva::inverse_mills(z);
    MillsGap(z) = "mills_gap", faddeeva::mills_gap(z);
    Loggamma[special::Apart](z) = "loggamma", gamma::loggamma(z);
    Gamma[special::Apart](z) = "gamma", gamma::gamma(z);
    Rgamma[special::Apart](z) = "rgamma", gamma::rgamma(z);
    RgammaDx(z) = "rgamma_dx", gamma::rgamma_dx(z);
    RgammaDxx(z) = "rgamma_dxx", gamma::rgamma_dxx(z);
    Polygamma[special::Apart](n, z) = "polygamma", gamma::polygamma(n, z);
    Digamma(z) = "digamma", gamma::digamma(z);
    RiemannZeta[zeta::ByTerms](s) = "riemann_zeta", zeta::riemann_zeta(s);
    RiemannZetaDs[zeta::ByTerms](s) = "riemann_zeta_ds", zeta::riemann_zeta_ds(s);
    RiemannZetaDss[zeta::ByTerms](s) = "riemann_zeta_dss", zeta::riemann_zeta_dss(s);
    Exp1[bessel::ByRegion](z) = "exp1", integrals::exp1(z);
    Expi[bessel::ByRegion](z) = "expi", integrals::expi(z);
    SiciSi[bessel::ByRegion](z) = "sici_si", integrals::sici_si(z);
    SiciCi[bessel::ByRegion](z) = "sici_ci", integrals::sici_ci(z);
    ShichiShi[bessel::ByRegion](z) = "shichi_shi", integrals::shichi_shi(z);
    ShichiChi[bessel::ByRegion](z) = "shichi_chi", integrals::shichi_chi(z);
    Spence(z) = "spence", integrals::spence(z);
    SpenceDx(z) = "spence_dx", integrals::spence_dx(z);
    SpenceDxx(z) = "spence_dxx", integrals::spence_dxx(z);
    Lambertw(k, z) = "lambertw", integrals::lambertw(k, z);
    BesselK(v, z) = "bessel_k", bessel::bessel_k(v, z);
    BesselKDv(v, z) = "bessel_k_dv", bessel::bessel_k_dv(v, z);
    BesselKDvv(v, z) = "bessel_k_dvv", bessel::bessel_k_dvv(v, z);
    BesselI(v, z) = "bessel_i", bessel::bessel_i(v, z);
    BesselIDv(v, z) = "bessel_i_dv", bessel::bessel_i_dv(v, z);
    BesselIDvv(v, z) = "bessel_i_dvv", bessel::bessel_i_dvv(v, z);
    Jv[bessel::ByRegion](v, z) = "jv", bessel::jv(v, z);
    JvDv[bessel::ByRegion](v, z) = "jv_dv", bessel::jv_dv(v, z);
    JvDvv[bessel::ByRegion](v, z) = "jv_dvv", bessel::jv_dvv(v, z);
    JvTurned[bessel::ByRegion](v, z) = "jv_turned", bessel::jv_turned(v, z);
    JvTurnedDv[bessel::ByRegion](v, z) = "jv_turned_dv", bessel::jv_turned_dv(v, z);
    JvTurnedDvv[bessel::ByRegion](v, z) = "jv_turned_dvv", bessel::jv_turned_dvv(v, z);
    Yv[bessel::ByRegion](v, z) = "yv", bessel::yv(v, z);
    YvDv[bessel::ByRegion](v, z) = "yv_dv", bessel::yv_dv(v, z);
    YvDvv[bessel::ByRegion](v, z) = "yv_dvv", bessel::yv_dvv(v, z);
    YvTurned[bessel::ByRegion](v, z) = "yv_turned", bessel::yv_turned(v, z);
    YvTurnedDv[bessel::ByRegion](v, z) = "yv_turned_dv", bessel::yv_turned_dv(v, z);
    YvTurnedDvv[bessel::ByRegion](v, z) = "yv_turned_dvv", bessel::yv_turned_dvv(v, z);
    Hankel1[bessel::ByRegion](v, z) = "hankel1", bessel::hankel1(v, z);
    Hankel1Dv[bessel::ByRegion](v, z) = "hankel1_dv", bessel::hankel1_dv(v, z);
    Hankel1Dvv[bessel::ByRegion](v, z) = "hankel1_dvv", bessel::hankel1_dvv(v, z);
    Hankel1e[bessel::ByRegion](v, z) = "hankel1e", bessel::hankel1e(v, z);
    Hankel1eDv[bessel::ByRegion](v, z) = "hankel1e_dv", bessel::hankel1e_dv(v, z);
    Hankel1eDvv[bessel::ByRegion](v, z) = "hankel1e_dvv", bessel::hankel1e_dvv(v, z);
    Hankel2[bessel::ByRegion](v, z) = "hankel2", bessel::hankel2(v, z);
    Hankel2Dv[bessel::ByRegion](v, z) = "hankel2_dv", bessel::hankel2_dv(v, z);
    Hankel2Dvv[bessel::ByRegion](v, z) = "hankel2_dvv", bessel::hankel2_dvv(v, z);
    Hankel2e[bessel::ByRegion](v, z) = "hankel2e", bessel::hankel2e(v, z);
    Hankel2eDv[bessel::ByRegion](v, z) = "hankel2e_dv", bessel::hankel2e_dv(v, z);
    Hankel2eDvv[bessel::ByRegion](v, z) = "hankel2e_dvv", bessel::hankel2e_dvv(v, z);
    Iv[bessel::ByRegion](v, z) = "iv", bessel::iv(v, z);
    IvDv[bessel::ByRegion](v, z) = "iv_dv", bessel::iv_dv(v, z);
    IvDvv[bessel::ByRegion](v, z) = "iv_dvv", bessel::iv_dvv(v, z);
    IvTurned[bessel::ByRegion](v, z) = "iv_turned", bessel::iv_turned(v, z);
    IvTurnedDv[bessel::ByRegion](v, z) = "iv_turned_dv", bessel::iv_turned_dv(v, z);
    IvTurnedDvv[bessel::ByRegion](v, z) = "iv_turned_dvv", bessel::iv_turned_dvv(v, z);
    Kv[bessel::ByRegion](v, z) = "kv", bessel::kv(v, z);
    KvDv[bessel::ByRegion](v, z) = "kv_dv", bessel::kv_dv(v, z);
    KvDvv[bessel::ByRegion](v, z) = "kv_dvv", bessel::kv_dvv(v, z);
    Kve[bessel::ByRegion](v, z) = "kve", bessel::kve(v, z);
    KveDv[bessel::ByRegion](v, z) = "kve_dv", bessel::kve_dv(v, z);
    KveDvv[bessel::ByRegion](v, z) = "kve_dvv", bessel::kve_dvv(v, z);
    HankelDx(kind, n, v, z) = "hankel_dx", bessel::hankel_dx(kind, n, v, z);
    HankelDxDv(kind, n, v, z) = "hankel_dx_dv", bessel::hankel_dx_dv(kind, n, v, z);
    AiryeDx(kind, n, z) = "airye_dx", airy::airye_dx(kind, n, z);
    AiryAi[bessel::ByRegion](z) = "airy_ai", airy::airy_ai(z);
    AiryAip[bessel::ByRegion](z) = "airy_aip", airy::airy_aip(z);
    AiryBi[bessel::ByRegion](z) = "airy_bi", airy::airy_bi(z);
    AiryBip[bessel::ByRegion](z) = "airy_bip", airy::airy_bip(z);
    AiryeAi[bessel::ByRegion](z) = "airye_ai", airy::airye_ai(z);
    AiryeAip[bessel::ByRegion](z) = "airye_aip", airy::airye_aip(z);
    AiryBiTurned[bessel::ByRegion](s, z) = "airy_bi_turned", airy::airy_bi_turned(s, z);
    AiryBipTurned[bessel::ByRegion](s, z) = "airy_bip_turned", airy::airy_bip_turned(s, z);
    SphericalJn[bessel::ByRegion](n, z) = "spherical_jn", airy::spherical_jn(n, z);
    SphericalYn[bessel::ByRegion](n, z) = "spherical_yn", airy::spherical_yn(n, z);
    SphericalIn[bessel::ByRegion](n, z) = "spherical_in", airy::spherical_in(n, z);
    SphericalKn[bessel::ByRegion](n, z) = "spherical_kn", airy::spherical_kn(n, z);
    Elliprc[special::Apart](x, y) = "elliprc", elliptic::elliprc(x, y);
    Elliprf[special::Apart](x, y, w) = "elliprf", elliptic::elliprf(x, y, w);
    Elliprd[special::Apart](x, y, w) = "elliprd", elliptic::elliprd(x, y, w);
    ElliprdDx[special::Apart](x, y, w) = "elliprd_dx", elliptic::elliprd_dx(x, y, w);
    ElliprdDz[special::Apart](x, y, w) = "elliprd_dz", elliptic::elliprd_dz(x, y, w);
    ElliprdDxx(x, y, w) = "elliprd_dxx", elliptic::elliprd_dxx(x, y, w);
    ElliprdDxy(x, y, w) = "elliprd_dxy", elliptic::elliprd_dxy(x, y, w);
    ElliprdDxz(x, y, w) = "elliprd_dxz", elliptic::elliprd_dxz(x, y, w);
    ElliprdDzz(x, y, w) = "elliprd_dzz", elliptic::elliprd_dzz(x, y, w);
    Elliprg(x, y, w) = "elliprg", elliptic::elliprg(x, y, w);
    ElliprgDx(x, y, w) = "elliprg_dx", elliptic::elliprg_dx(x, y, w);
    Elliprj(x, y, w, p) = "elliprj", elliptic::elliprj(x, y, w, p);
    ElliprjDx(x, y, w, p) = "elliprj_dx", elliptic::elliprj_dx(x, y, w, p);
    ElliprjDp(x, y, w, p) = "elliprj_dp", elliptic::elliprj_dp(x, y, w, p);
    ElliprjDxx(x, y, w, p) = "elliprj_dxx", elliptic::elliprj_dxx(x, y, w, p);
    ElliprjDxy(x, y, w, p) = "elliprj_dxy", elliptic::elliprj_dxy(x, y, w, p);
    ElliprjDxp(x, y, w, p) = "elliprj_dxp", elliptic::elliprj_dxp(x, y, w, p);
    ElliprjDpp(x, y, w, p) = "elliprj_dpp", elliptic::elliprj_dpp(x, y, w, p);
    Wrightomega(z) = "wrightomega", integrals::wrightomega(z);
    Hyp0f1[bessel::ByRegion](b, z) = "hyp0f1", hypergeometric::hyp0f1(b, z);
    Hyp0f1Db(k, b, z) = "hyp0f1_db", hypergeometric::hyp0f1_db(k, b, z);
    Hyp0f1D1(b, z) = "hyp0f1_d1", hypergeometric::hyp0f1_d1(b, z);
    Hyp0f1D2(b, z) = "hyp0f1_d2", hypergeometric::hyp0f1_d2(b, z);
    Hyp1f1[bessel::ByRegion](a, b, z) = "hyp1f1", hypergeometric::hyp1f1(a, b, z);
    Hyp1f1Dp(k, a, b, z) = "hyp1f1_dp", hypergeometric::hyp1f1_dp(k, a, b, z);
    Hyp2f1[gauss::GaussShort](a, b, c, z) = "hyp2f1", gauss::hyp2f1(a, b, c, z);
    Hyp2f1Dp(k, a, b, c, z) = "hyp2f1_dp", gauss::hyp2f1_dp(k, a, b, c, z);
    EvalLegendre[polynomials::ByEnd](n, z) = "eval_legendre", polynomials::eval_legendre(n, z);
    EvalShLegendre[polynomials::ByShiftedEnd](n, z) = "eval_sh_legendre", polynomials::eval_legendre(n, polynomials::shifted(z));
    EvalShChebyt(n, z) = "eval_sh_chebyt", polynomials::eval_chebyt(n, polynomials::shifted(z));
    EvalShChebyu[polynomials::ByShiftedDegree](n, z) = "eval_sh_chebyu", polynomials::eval_chebyu(n, polynomials::shifted(z));
    EvalJacobiShifted[polynomials::ByShiftedEnd](n, a, b, z) = "eval_jacobi_shifted", polynomials::eval_jacobi(n, a, b, polynomials::shifted(z));
    Hyp1f1Regularized(code, a, b, z) = "hyp1f1_regularized", regularized::hyp1f1_regularized(code, a, b, z);
    Hyp2f1Regularized(code, a, b, c, z) = "hyp2f1_regularized", regularized::hyp2f1_regularized(code, a, b, c, z);
    EvalChebyt(n, z) = "eval_chebyt", polynomials::eval_chebyt(n, z);
    EvalChebyu[polynomials::ByDegree](n, z) = "eval_chebyu", polynomials::eval_chebyu(n, z);
    EvalHermite(n, z) = "eval_hermite", polynomials::eval_hermite(n, z);
    EvalHermitenorm(n, z) = "eval_hermitenorm", polynomials::eval_hermitenorm(n, z);
    EvalGegenbauer[polynomials::ByEnd](n, a, z) = "eval_gegenbauer", polynomials::eval_gegenbauer(n, a, z);
    EvalGegenbauerDa(n, a, z) = "eval_gegenbauer_da", polynomials::eval_gegenbauer_da(n, a, z);
    EvalGegenbauerDaa(n, a, z) = "eval_gegenbauer_daa", polynomials::eval_gegenbauer_daa(n, a, z);
    EvalGenlaguerre[bessel::ByRegion](n, a, z) = "eval_genlaguerre", polynomials::eval_genlaguerre(n, a, z);
    EvalGenlaguerreDa(n, a, z) = "eval_genlaguerre_da", polynomials::eval_genlaguerre_da(n, a, z);
    EvalGenlaguerreDaa(n, a, z) = "eval_genlaguerre_daa", polynomials::eval_genlaguerre_daa(n, a, z);
    EvalJacobi[polynomials::ByEnd](n, a, b, z) = "eval_jacobi", polynomials::eval_jacobi(n, a, b, z);
    EvalJacobiDa(n, a, b, z) = "eval_jacobi_da", polynomials::eval_jacobi_da(n, a, b, z);
    EvalJacobiDb(n, a, b, z) = "eval_jacobi_db", polynomials::eval_jacobi_db(n, a, b, z);
    EvalJacobiDaa(n, a, b, z) = "eval_jacobi_daa", polynomials::eval_jacobi_daa(n, a, b, z);
    EvalJacobiDab(n, a, b, z) = "eval_jacobi_dab", polynomials::eval_jacobi_dab(n, a, b, z);
    Xlogy(z, w) = "xlogy", super::xlogy(z, w);
    Xlog1py(z, w) = "xlog1py", super::xlog1py(z, w);
}
