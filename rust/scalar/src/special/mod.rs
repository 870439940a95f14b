//! Special functions, with their derivatives where these are functions of their own.

mod airy;
mod bessel01;
mod bessel_order;
mod coefficients;
mod dual;
mod elliptic;
mod erf;
mod gamma;
mod incgamma;
mod integrals;
mod lambert;
mod pieces;
mod polynomials;
mod spherical;
mod tables;
#[cfg(test)]
mod tests;
mod zeta;

pub use airy::{airy_ai, airy_aip, airy_bi, airy_bip, airye_ai, airye_aip, airye_bi, airye_bip};
pub use bessel_order::{iv, ive, ive_dv, ive_dvv, jv, jv_dv, jv_dvv, kv, kve, kve_dv, kve_dvv, yv, yv_dv, yv_dvv};
pub use bessel01::{i0, i0e, i1, i1e, j0, j1, k0, k0e, k1, k1e, y0, y1};
pub use bessel01::{i0e_d1, i0e_d2, i0e_d3, k0e_d1, k0e_d2, k0e_d3};
pub use elliptic::{
    ellipe, ellipeinc, ellipeinc_dm, ellipeinc_dmm, ellipj_cn, ellipj_dn, ellipj_ph, ellipj_sn, ellipk, ellipk_d1,
    ellipk_d2, ellipkinc, ellipkinc_dm, ellipkinc_dmm, ellipkm1, elliprc, elliprd, elliprd_dx, elliprd_dxx,
    elliprd_dxy, elliprd_dxz, elliprd_dz, elliprd_dzz, elliprf, elliprg, elliprj, elliprj_dp, elliprj_dpp, elliprj_dx,
    elliprj_dxp, elliprj_dxx, elliprj_dxy,
};
pub use integrals::{
    exp1, expi, expn, expn_below, shichi_chi, shichi_shi, sici_ci, sici_si, spence, spence_dx, spence_dxx,
};
pub use lambert::{lambertw_0, lambertw_m1, wrightomega};
pub use polynomials::{
    eval_chebyt, eval_chebyu, eval_gegenbauer, eval_gegenbauer_da, eval_gegenbauer_daa, eval_genlaguerre,
    eval_genlaguerre_da, eval_genlaguerre_daa, eval_hermite, eval_hermitenorm, eval_jacobi, eval_jacobi_da,
    eval_jacobi_daa, eval_jacobi_dab, eval_legendre,
};
pub use spherical::{spherical_in, spherical_jn, spherical_kn, spherical_yn};

pub use erf::{erf, erfc, erfcinv, erfcx, erfinv, log_ndtr, ndtr, ndtri};
pub use gamma::{digamma, gamma, gammaln, rgamma, trigamma};
pub use incgamma::{gammainc, gammainc_da, gammainc_daa, gammainc_dax, gammainc_dx, gammainc_dxx, gammaincc};
pub use zeta::{polygamma, zeta};
