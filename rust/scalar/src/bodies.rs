//! The registry: each scalar function as a type, one line per function.

use crate::elementary;
use crate::real::{Body, Real};
use crate::single;
use crate::special;

/// What [`for_each`] shows a registered function to.
pub trait Visitor {
    fn visit<const N: usize, B: Body<N>>(&mut self);
}

macro_rules! short_ways {
    () => {
        ()
    };
    ($ways:ident) => {
        special::$ways
    };
}

macro_rules! single {
    ($body:ident) => {
        $body
    };
    ($body:ident $single:ident) => {
        $single
    };
}

macro_rules! bodies {
    ($($body:ident $([$ways:ident])? ($($x:ident),+) = $name:literal, $module:ident::$function:ident $(, $single:ident)?;)*) => {
        $(
            #[doc = concat!("`", $name, "` as a type.")]
            pub struct $body;
            impl Body<{ [$(stringify!($x)),+].len() }> for $body {
                const NAME: &'static str = $name;
                type Short = short_ways!($($ways)?);
                type Single = single!($body $($single)?);
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
    Exp[Twofold](x) = "exp", elementary::exp, ExpSingle;
    Exp2[Twofold](x) = "exp2", elementary::exp2, Exp2Single;
    Exp10[Twofold](x) = "exp10", elementary::exp10;
    Expm1[Twofold](x) = "expm1", elementary::expm1, Expm1Single;
    Log[Twofold](x) = "log", elementary::log, LogSingle;
    Log2[Twofold](x) = "log2", elementary::log2, Log2Single;
    Log10[Twofold](x) = "log10", elementary::log10, Log10Single;
    Log1p[Twofold](x) = "log1p", elementary::log1p, Log1pSingle;
    Sin[Twofold](x) = "sin", elementary::sin, SinSingle;
    Cos[Twofold](x) = "cos", elementary::cos, CosSingle;
    Tan[Twofold](x) = "tan", elementary::tan, TanSingle;
    Sinpi[Twofold](x) = "sinpi", elementary::sinpi;
    Cospi[Twofold](x) = "cospi", elementary::cospi;
    Tanpi[Twofold](x) = "tanpi", elementary::tanpi;
    Sinc[Twofold](x) = "sinc", elementary::sinc;
    Sqrt(x) = "sqrt", elementary::sqrt;
    Cbrt[Twofold](x) = "cbrt", elementary::cbrt;
    Rsqrt(x) = "rsqrt", elementary::rsqrt;
    Asin(x) = "asin", elementary::asin;
    Acos(x) = "acos", elementary::acos;
    Atan[Twofold](x) = "atan", elementary::atan;
    AtanSlope(x) = "atan_slope", elementary::atan_slope;
    Sinh[Twofold](x) = "sinh", elementary::sinh, SinhSingle;
    Cosh[Twofold](x) = "cosh", elementary::cosh, CoshSingle;
    Tanh[Twofold](x) = "tanh", elementary::tanh, TanhSingle;
    Asinh[Twofold](x) = "asinh", elementary::asinh;
    Acosh[Twofold](x) = "acosh", elementary::acosh;
    Atanh[Twofold](x) = "atanh", elementary::atanh;
    Expit[Twofold](x) = "expit", elementary::expit, ExpitSingle;
    LogExpit[Twofold](x) = "log_expit", elementary::log_expit, LogExpitSingle;
    Softplus[Twofold](x) = "softplus", elementary::softplus, SoftplusSingle;
    Pow[Twofold](x, y) = "pow", elementary::pow;
    ScaledPow[Twofold](f, x, y) = "scaled_pow", elementary::scaled_pow;
    Hypot[Twofold](x, y) = "hypot", elementary::hypot;
    Atan2[Twofold](y, x) = "atan2", elementary::atan2;
    Logaddexp[Twofold](x, y) = "logaddexp", elementary::logaddexp;
    Logaddexp2[Twofold](x, y) = "logaddexp2", elementary::logaddexp2;
    Fmod(x, y) = "fmod", elementary::fmod;
    Remainder(x, y) = "remainder", elementary::remainder;
    FloorDivide(x, y) = "floor_divide", elementary::floor_divide;
    Nextafter(x, y) = "nextafter", elementary::nextafter;
    Ldexp(x, k) = "ldexp", elementary::ldexp;
    Gamma[Twofold](x) = "gamma", special::gamma;
    Gammaln[Twofold](x) = "gammaln", special::gammaln;
    Loggamma(x) = "loggamma", special::loggamma;
    Rgamma[Twofold](x) = "rgamma", special::rgamma;
    Digamma[Twofold](x) = "digamma", special::digamma;
    Trigamma(x) = "trigamma", special::trigamma;
    Bell[Twofold](x) = "bell", special::bell;
    NormalDensity[Twofold](x) = "normal_density", special::normal_density;
    Erf[Twofold](x) = "erf", special::erf, ErfSingle;
    Erfc[Twofold](x) = "erfc", special::erfc, ErfcSingle;
    Erfcx(x) = "erfcx", special::erfcx;
    Erfinv[Twofold](x) = "erfinv", special::erfinv;
    Erfcinv[Twofold](x) = "erfcinv", special::erfcinv;
    Ndtr[Twofold](x) = "ndtr", special::ndtr, NdtrSingle;
    LogNdtr[Twofold](x) = "log_ndtr", special::log_ndtr;
    Ndtri[Twofold](x) = "ndtri", special::ndtri;
    NdtriExp[Twofold](y) = "ndtri_exp", special::ndtri_exp;
    Erfi[Twofold](x) = "erfi", special::erfi;
    Ierfcx(n, x) = "ierfcx", special::ierfcx;
    InverseMills[Twofold](x) = "inverse_mills", special::inverse_mills;
    MillsGap(x) = "mills_gap", special::mills_gap;
    DawsnDerivative(n, x) = "dawsn_derivative", special::dawsn_derivative;
    Dawsn[Twofold](x) = "dawsn", special::dawsn;
    FresnelS(x) = "fresnel_s", special::fresnel_s;
    FresnelC(x) = "fresnel_c", special::fresnel_c;
    OwensT(h, a) = "owens_t", special::owens_t;
    Gammainc[ByRatio](a, x) = "gammainc", special::gammainc;
    Gammaincc[ByRatio](a, x) = "gammaincc", special::gammaincc;
    GammaincDa[Apart](a, x) = "gammainc_da", special::gammainc_da;
    GammaincDaa[Apart](a, x) = "gammainc_daa", special::gammainc_daa;
    GammaincDx(a, x) = "gammainc_dx", special::gammainc_dx;
    GammaincDax(a, x) = "gammainc_dax", special::gammainc_dax;
    GammaincDxx(a, x) = "gammainc_dxx", special::gammainc_dxx;
    GammaPace(a, x) = "gamma_pace", special::gamma_pace;
    GammaDrift(a, x) = "gamma_drift", special::gamma_drift;
    GammaDriftDa(a, x) = "gamma_drift_da", special::gamma_drift_da;
    GammaDriftDx(a, x) = "gamma_drift_dx", special::gamma_drift_dx;
    GammaEnd(k, a, p, x) = "gamma_end", special::gamma_end;
    BetaEnd(k, a, b, p, x) = "beta_end", special::beta_end;
    BetaDrift(a, b, x, y) = "beta_drift", special::beta_drift;
    BetaDriftDa(a, b, x, y) = "beta_drift_da", special::beta_drift_da;
    BetaDriftDb(a, b, x, y) = "beta_drift_db", special::beta_drift_db;
    BetaDriftDx(a, b, x, y) = "beta_drift_dx", special::beta_drift_dx;
    StudentDrift(df, t) = "student_drift", special::student_drift;
    StudentDriftDn(df, t) = "student_drift_dn", special::student_drift_dn;
    StudentDriftDt(df, t) = "student_drift_dt", special::student_drift_dt;
    Gammaincinv[ByLast](a, p) = "gammaincinv", special::gammaincinv;
    Gammainccinv[ByLast](a, q) = "gammainccinv", special::gammainccinv;
    Polygamma(n, x) = "polygamma", special::polygamma;
    RgammaDx(x) = "rgamma_dx", special::rgamma_dx;
    RgammaDxx(x) = "rgamma_dxx", special::rgamma_dxx;
    Gammasgn(x) = "gammasgn", special::gammasgn;
    Poch(z, m) = "poch", special::poch;
    Binom[ByProduct](n, k) = "binom", special::binom;
    NearPole(c, top, least) = "near_pole", special::near_pole;
    OffPole(a, c, top, unit) = "off_pole", special::off_pole;
    EndValue(n, c) = "end_value", special::end_value;
    Logit[Twofold](x) = "logit", special::logit;
    Entr[Twofold](x) = "entr", special::entr;
    Xlogy[Twofold](x, y) = "xlogy", special::xlogy, XlogySingle;
    Xlog1py[Twofold](x, y) = "xlog1py", special::xlog1py;
    LogRatio(x, y) = "log_ratio", special::log_ratio;
    RelEntr(x, y) = "rel_entr", special::rel_entr;
    KlDiv(x, y) = "kl_div", special::kl_div;
    KlDivDy(x, y) = "kl_div_dy", special::kl_div_dy;
    Huber(delta, r) = "huber", special::huber;
    PseudoHuber(delta, r) = "pseudo_huber", special::pseudo_huber;
    PseudoHuberDr(delta, r) = "pseudo_huber_dr", special::pseudo_huber_dr;
    Powm1(x, y) = "powm1", special::powm1;
    Cosm1[Twofold](x) = "cosm1", elementary::cosm1;
    Exprel[Twofold](x) = "exprel", special::exprel;
    BoxcoxDl(x, lambda) = "boxcox_dl", special::boxcox_dl;
    Boxcox1pDl(x, lambda) = "boxcox1p_dl", special::boxcox1p_dl;
    BoxcoxRate(n, l, lambda) = "boxcox_rate", special::boxcox_rate;
    ExprelDerivative(n, x) = "exprel_derivative", special::exprel_derivative;
    Log1prel(n, t) = "log1prel", special::log1prel;
    Boxcox(x, lambda) = "boxcox", special::boxcox;
    Boxcox1p(x, lambda) = "boxcox1p", special::boxcox1p;
    InvBoxcox(y, lambda) = "inv_boxcox", special::inv_boxcox;
    InvBoxcox1p(y, lambda) = "inv_boxcox1p", special::inv_boxcox1p;
    PolygammaStep(n, a, b) = "polygamma_step", special::polygamma_step;
    BetaDa(a, b) = "beta_da", special::beta_da;
    BetaDaa(a, b) = "beta_daa", special::beta_daa;
    BetaDab(a, b) = "beta_dab", special::beta_dab;
    Beta(a, b) = "beta", special::beta;
    Betaln(a, b) = "betaln", special::betaln;
    BetaFront(a, b, x, y) = "beta_front", special::beta_front;
    BetaTail(a, b, x, y, c0, c1, c2, c11, c12, c22) = "beta_tail", special::beta_tail;
    BetaincXy(a, b, x, y) = "betainc_xy", special::betainc_xy;
    Betainc[ByTail](a, b, x) = "betainc", special::betainc;
    Betaincc[ByTail](a, b, x) = "betaincc", special::betaincc;
    BetaincDa(a, b, x) = "betainc_da", special::betainc_da;
    BetaincDb(a, b, x) = "betainc_db", special::betainc_db;
    BetaincDaa(a, b, x) = "betainc_daa", special::betainc_daa;
    BetaincDab(a, b, x) = "betainc_dab", special::betainc_dab;
    BetaincDbb(a, b, x) = "betainc_dbb", special::betainc_dbb;
    BetaincDx(a, b, x) = "betainc_dx", special::betainc_dx;
    BetaPace(a, b, x) = "beta_pace", special::beta_pace;
    BetaOdds(a, b, p) = "beta_odds", special::beta_odds;
    Stdtr(df, t) = "stdtr", special::stdtr;
    Stdtrit[ByQuantile](df, p) = "stdtrit", special::stdtrit;
    Betaincinv[ByLast](a, b, p) = "betaincinv", special::betaincinv;
    Betainccinv[ByLast](a, b, q) = "betainccinv", special::betainccinv;
    Zeta[ByTerms](s, q) = "zeta", special::zeta;
    ZetaDs(s, q) = "zeta_ds", special::zeta_ds;
    ZetaDss(s, q) = "zeta_dss", special::zeta_dss;
    ZetaDsss(s, q) = "zeta_dsss", special::zeta_dsss;
    RiemannZeta[Twofold](s) = "riemann_zeta", special::riemann_zeta;
    RiemannZetaDs[Twofold](s) = "riemann_zeta_ds", special::riemann_zeta_ds;
    RiemannZetaDss[Twofold](s) = "riemann_zeta_dss", special::riemann_zeta_dss;
    Zetac[Twofold](s) = "zetac", special::zetac;
    PolygammaBetween(n, x) = "polygamma_between", special::polygamma_between;
    PolygammaDn(n, x) = "polygamma_dn", special::polygamma_dn;
    PolygammaDnn(n, x) = "polygamma_dnn", special::polygamma_dnn;
    Kolmogorov[Twofold](x) = "kolmogorov", special::kolmogorov;
    KolmogorovDx[Twofold](x) = "kolmogorov_dx", special::kolmogorov_dx;
    KolmogorovDxx[Twofold](x) = "kolmogorov_dxx", special::kolmogorov_dxx;
    Kolmogi[Twofold](p) = "kolmogi", special::kolmogi;
    GammaincShape[ByFirst](p, x) = "gammainc_shape", special::gammainc_shape;
    GammainccShape[ByFirst](q, x) = "gammaincc_shape", special::gammaincc_shape;
    Btdtria(p, b, x) = "btdtria", special::btdtria;
    Btdtrib(a, p, x) = "btdtrib", special::btdtrib;
    BetaSplit(y, total, x) = "beta_split", special::beta_split;
    Stdtridf[ByFirst](p, t) = "stdtridf", special::stdtridf;
    Fdtridfd[BySize](dfn, p, x) = "fdtridfd", special::fdtridfd;
    Tklmbda[BeyondSupport](x, lambda) = "tklmbda", special::tklmbda;
    Smirnov[ByDegree](n, d) = "smirnov", special::smirnov;
    SmirnovDx[ByDegree](n, d) = "smirnov_dx", special::smirnov_dx;
    SmirnovDxx[ByDegree](n, d) = "smirnov_dxx", special::smirnov_dxx;
    Smirnovi[ByDegree](n, p) = "smirnovi", special::smirnovi;
    VoigtProfile(x, sigma, gamma) = "voigt_profile", special::voigt_profile;
    VoigtRe(n, x, sigma, gamma) = "voigt_re", special::voigt_re;
    VoigtIm(n, x, sigma, gamma) = "voigt_im", special::voigt_im;
    Exp1[Twofold](x) = "exp1", special::exp1;
    Expi[Twofold](x) = "expi", special::expi;
    Expn[BySize](n, x) = "expn", special::expn;
    ExpnBelow[BySize](n, x) = "expn_below", special::expn_below;
    ExpnDn[BySize](n, x) = "expn_dn", special::expn_dn;
    ExpnDnn[BySize](n, x) = "expn_dnn", special::expn_dnn;
    SiciSi[SiNear](x) = "sici_si", special::sici_si;
    SiciCi[CiNear](x) = "sici_ci", special::sici_ci;
    ShichiShi(x) = "shichi_shi", special::shichi_shi;
    ShichiChi(x) = "shichi_chi", special::shichi_chi;
    Spence[Twofold](x) = "spence", special::spence;
    SpenceDx[Twofold](x) = "spence_dx", special::spence_dx;
    SpenceDxx[Twofold](x) = "spence_dxx", special::spence_dxx;
    Ellipkm1[Twofold](p) = "ellipkm1", special::ellipkm1;
    Ellipk[Twofold](m) = "ellipk", special::ellipk;
    Ellipe[Twofold](m) = "ellipe", special::ellipe;
    EllipkD1(p) = "ellipk_d1", special::ellipk_d1;
    EllipkD2(p) = "ellipk_d2", special::ellipk_d2;
    Elliprf(x, y, z) = "elliprf", special::elliprf;
    Elliprc(x, y) = "elliprc", special::elliprc;
    Elliprd(x, y, z) = "elliprd", special::elliprd;
    ElliprdDx[Apart](x, y, z) = "elliprd_dx", special::elliprd_dx;
    ElliprdDz[Apart](x, y, z) = "elliprd_dz", special::elliprd_dz;
    ElliprdDxx(x, y, z) = "elliprd_dxx", special::elliprd_dxx;
    ElliprdDxy(x, y, z) = "elliprd_dxy", special::elliprd_dxy;
    ElliprdDxz(x, y, z) = "elliprd_dxz", special::elliprd_dxz;
    ElliprdDzz(x, y, z) = "elliprd_dzz", special::elliprd_dzz;
    Elliprg(x, y, z) = "elliprg", special::elliprg;
    ElliprgDx(x, y, z) = "elliprg_dx", special::elliprg_dx;
    Elliprj(x, y, z, p) = "elliprj", special::elliprj;
    ElliprjDx(x, y, z, p) = "elliprj_dx", special::elliprj_dx;
    ElliprjDp(x, y, z, p) = "elliprj_dp", special::elliprj_dp;
    ElliprjDxx(x, y, z, p) = "elliprj_dxx", special::elliprj_dxx;
    ElliprjDxy(x, y, z, p) = "elliprj_dxy", special::elliprj_dxy;
    ElliprjDxp(x, y, z, p) = "elliprj_dxp", special::elliprj_dxp;
    ElliprjDpp(x, y, z, p) = "elliprj_dpp", special::elliprj_dpp;
    Ellipkinc(phi, m) = "ellipkinc", special::ellipkinc;
    Ellipeinc(phi, m) = "ellipeinc", special::ellipeinc;
    EllipkincDm(phi, m) = "ellipkinc_dm", special::ellipkinc_dm;
    EllipkincDmm(phi, m) = "ellipkinc_dmm", special::ellipkinc_dmm;
    EllipeincDm(phi, m) = "ellipeinc_dm", special::ellipeinc_dm;
    EllipeincDmm(phi, m) = "ellipeinc_dmm", special::ellipeinc_dmm;
    EllipjPh(u, m) = "ellipj_ph", special::ellipj_ph;
    EllipjSn(u, m) = "ellipj_sn", special::ellipj_sn;
    EllipjCn(u, m) = "ellipj_cn", special::ellipj_cn;
    EllipjDn(u, m) = "ellipj_dn", special::ellipj_dn;
    EllipjDm(u, m) = "ellipj_dm", special::ellipj_dm;
    EllipjDmm(u, m) = "ellipj_dmm", special::ellipj_dmm;
    Lambertw0[Twofold](x) = "lambertw_0", special::lambertw_0;
    LambertwM1[Twofold](x) = "lambertw_m1", special::lambertw_m1;
    Wrightomega[Twofold](x) = "wrightomega", special::wrightomega;
    SphericalJn[ByDegree](n, x) = "spherical_jn", special::spherical_jn;
    SphericalYn(n, x) = "spherical_yn", special::spherical_yn;
    SphericalIn(n, x) = "spherical_in", special::spherical_in;
    SphericalKn(n, x) = "spherical_kn", special::spherical_kn;
    J0[Twofold](x) = "j0", special::j0;
    J1[Twofold](x) = "j1", special::j1;
    Y0[Twofold](x) = "y0", special::y0;
    Y1[Twofold](x) = "y1", special::y1;
    I0[Twofold](x) = "i0", special::i0;
    I1[Twofold](x) = "i1", special::i1;
    I0e(x) = "i0e", special::i0e;
    I1e(x) = "i1e", special::i1e;
    K0[Twofold](x) = "k0", special::k0;
    K1(x) = "k1", special::k1;
    K0e(x) = "k0e", special::k0e;
    K1e(x) = "k1e", special::k1e;
    I0eD1(x) = "i0e_d1", special::i0e_d1;
    I0eD2(x) = "i0e_d2", special::i0e_d2;
    I0eD3(x) = "i0e_d3", special::i0e_d3;
    K0eD1(x) = "k0e_d1", special::k0e_d1;
    K0eD2(x) = "k0e_d2", special::k0e_d2;
    K0eD3(x) = "k0e_d3", special::k0e_d3;
    Jv[BySize](v, x) = "jv", special::jv;
    JvDv[BySize](v, x) = "jv_dv", special::jv_dv;
    JvDvv[BySize](v, x) = "jv_dvv", special::jv_dvv;
    Yv[BySize](v, x) = "yv", special::yv;
    YvDv[BySize](v, x) = "yv_dv", special::yv_dv;
    YvDvv[BySize](v, x) = "yv_dvv", special::yv_dvv;
    Ive[BySize](v, x) = "ive", special::ive;
    IveDv[BySize](v, x) = "ive_dv", special::ive_dv;
    IveDvv[BySize](v, x) = "ive_dvv", special::ive_dvv;
    Kve[BySize](v, x) = "kve", special::kve;
    KveDv[BySize](v, x) = "kve_dv", special::kve_dv;
    KveDvv[BySize](v, x) = "kve_dvv", special::kve_dvv;
    Iv[BySize](v, x) = "iv", special::iv;
    IvDv[BySize](v, x) = "iv_dv", special::iv_dv;
    IvDvv[BySize](v, x) = "iv_dvv", special::iv_dvv;
    Kv[BySize](v, x) = "kv", special::kv;
    KvDv[BySize](v, x) = "kv_dv", special::kv_dv;
    KvDvv[BySize](v, x) = "kv_dvv", special::kv_dvv;
    Hyp0f1(b, x) = "hyp0f1", special::hyp0f1;
    Hyp0f1D1(b, x) = "hyp0f1_d1", special::hyp0f1_d1;
    Hyp0f1D2(b, x) = "hyp0f1_d2", special::hyp0f1_d2;
    Hyp1f1[ByLength](a, b, x) = "hyp1f1", special::hyp1f1;
    Hyp1f1D1(i, a, b, x) = "hyp1f1_d1", special::hyp1f1_d1;
    Hyp1f1D2(ij, a, b, x) = "hyp1f1_d2", special::hyp1f1_d2;
    Hyperu[ByRecurrence](a, b, x) = "hyperu", special::hyperu;
    HyperuD1(i, a, b, x) = "hyperu_d1", special::hyperu_d1;
    HyperuD2(ij, a, b, x) = "hyperu_d2", special::hyperu_d2;
    Hyp2f1[GaussShort](a, b, c, x) = "hyp2f1", special::hyp2f1;
    Hyp2f1D1[Apart](i, a, b, c, x) = "hyp2f1_d1", special::hyp2f1_d1;
    Hyp2f1D2[Apart](ij, a, b, c, x) = "hyp2f1_d2", special::hyp2f1_d2;
    Hyp1f1Regularized(code, a, b, x) = "hyp1f1_regularized", special::hyp1f1_regularized;
    Hyp2f1Regularized(code, a, b, c, x) = "hyp2f1_regularized", special::hyp2f1_regularized;
    Struve[BySize](v, x) = "struve", special::struve;
    StruveDv[BySize](v, x) = "struve_dv", special::struve_dv;
    StruveDvv[BySize](v, x) = "struve_dvv", special::struve_dvv;
    Modstruve(v, x) = "modstruve", special::modstruve;
    ModstruveDv(v, x) = "modstruve_dv", special::modstruve_dv;
    ModstruveDvv(v, x) = "modstruve_dvv", special::modstruve_dvv;
    ModstruveGap(v, x) = "modstruve_gap", special::modstruve_gap;
    Kelvin(kind, n, x) = "kelvin", special::kelvin;
    Ber[BySize](x) = "ber", special::ber;
    Bei[BySize](x) = "bei", special::bei;
    Ker[BySize](x) = "ker", special::ker;
    Kei[BySize](x) = "kei", special::kei;
    Berp[BySize](x) = "berp", special::berp;
    Beip[BySize](x) = "beip", special::beip;
    Kerp[BySize](x) = "kerp", special::kerp;
    Keip[BySize](x) = "keip", special::keip;
    HankelDx(kind, n, v, x) = "hankel_dx", special::hankel_dx;
    HankelDxDv(kind, n, v, x) = "hankel_dx_dv", special::hankel_dx_dv;
    AiryeDx(kind, n, x) = "airye_dx", special::airye_dx;
    EvalLegendre[ByEnd](n, x) = "eval_legendre", special::eval_legendre;
    EvalShLegendre[ByShiftedEnd](n, x) = "eval_sh_legendre", special::eval_sh_legendre;
    EvalChebyt(n, x) = "eval_chebyt", special::eval_chebyt;
    EvalShChebyt(n, x) = "eval_sh_chebyt", special::eval_sh_chebyt;
    EvalChebyu(n, x) = "eval_chebyu", special::eval_chebyu;
    EvalShChebyu(n, x) = "eval_sh_chebyu", special::eval_sh_chebyu;
    EvalHermite(n, x) = "eval_hermite", special::eval_hermite;
    EvalHermitenorm(n, x) = "eval_hermitenorm", special::eval_hermitenorm;
    EvalGegenbauer[ByEnd](n, a, x) = "eval_gegenbauer", special::eval_gegenbauer;
    EvalGegenbauerDa(n, a, x) = "eval_gegenbauer_da", special::eval_gegenbauer_da;
    EvalGegenbauerDaa(n, a, x) = "eval_gegenbauer_daa", special::eval_gegenbauer_daa;
    EvalGenlaguerre[ByKummer](n, a, x) = "eval_genlaguerre", special::eval_genlaguerre;
    EvalGenlaguerreDa(n, a, x) = "eval_genlaguerre_da", special::eval_genlaguerre_da;
    EvalGenlaguerreDaa(n, a, x) = "eval_genlaguerre_daa", special::eval_genlaguerre_daa;
    EvalJacobi[ByEnd](n, a, b, x) = "eval_jacobi", special::eval_jacobi;
    EvalJacobiShifted[ByShiftedEnd](n, a, b, x) = "eval_jacobi_shifted", special::eval_jacobi_shifted;
    EvalJacobiDa(n, a, b, x) = "eval_jacobi_da", special::eval_jacobi_da;
    EvalJacobiDb(n, a, b, x) = "eval_jacobi_db", special::eval_jacobi_db;
    EvalJacobiDaa(n, a, b, x) = "eval_jacobi_daa", special::eval_jacobi_daa;
    EvalJacobiDab(n, a, b, x) = "eval_jacobi_dab", special::eval_jacobi_dab;
    AiryAi[Apart](x) = "airy_ai", special::airy_ai;
    AiryAip[Apart](x) = "airy_aip", special::airy_aip;
    AiryBi[Apart](x) = "airy_bi", special::airy_bi;
    AiryBip[Apart](x) = "airy_bip", special::airy_bip;
    AiryeAi[Twofold](x) = "airye_ai", special::airye_ai;
    AiryeAip[Twofold](x) = "airye_aip", special::airye_aip;
    AiryeBi[Twofold](x) = "airye_bi", special::airye_bi;
    AiryeBip[Twofold](x) = "airye_bip", special::airye_bip;
    ExpSingle[Twofold](x) = "exp_single", single::exp_single;
    Exp2Single[Twofold](x) = "exp2_single", single::exp2_single;
    Expm1Single[Twofold](x) = "expm1_single", single::expm1_single;
    LogSingle[Twofold](x) = "log_single", single::log_single;
    Log2Single[Twofold](x) = "log2_single", single::log2_single;
    Log10Single[Twofold](x) = "log10_single", single::log10_single;
    Log1pSingle[Twofold](x) = "log1p_single", single::log1p_single;
    SinSingle[Twofold](x) = "sin_single", single::sin_single;
    CosSingle[Twofold](x) = "cos_single", single::cos_single;
    TanSingle[Twofold](x) = "tan_single", single::tan_single;
    SinhSingle[Twofold](x) = "sinh_single", single::sinh_single;
    CoshSingle[Twofold](x) = "cosh_single", single::cosh_single;
    TanhSingle[Twofold](x) = "tanh_single", single::tanh_single;
    ExpitSingle[Twofold](x) = "expit_single", single::expit_single;
    SoftplusSingle[Twofold](x) = "softplus_single", single::softplus_single;
    LogExpitSingle[Twofold](x) = "log_expit_single", single::log_expit_single;
    ErfSingle(x) = "erf_single", single::erf_single;
    ErfcSingle[Twofold](x) = "erfc_single", single::erfc_single;
    NdtrSingle[Twofold](x) = "ndtr_single", single::ndtr_single;
    XlogySingle[Twofold](x, y) = "xlogy_single", single::xlogy_single;
}
