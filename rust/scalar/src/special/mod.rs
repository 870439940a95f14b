//! Special functions, with their derivatives where these are functions of their own.

mod beta;
mod coefficients;
mod dawson;
mod erf;
mod fresnel;
mod gamma;
mod incgamma;
mod owens;
mod statistics;
#[cfg(test)]
mod tests;
mod zeta;

pub use beta::{
    beta, beta_front, beta_odds, beta_tail, betainc, betainc_da, betainc_daa, betainc_dab, betainc_db, betainc_dbb,
    betainc_dx, betainc_xy, betaincc, betainccinv, betaincinv, betaln, binom, poch, polygamma_step, stdtr, stdtrit,
};
pub use dawson::{dawsn, dawsn_derivative, erfi};
pub use erf::{erf, erfc, erfcinv, erfcx, erfinv, ierfcx, inverse_mills, log_ndtr, mills_gap, ndtr, ndtri, ndtri_exp};
pub use fresnel::{fresnel_c, fresnel_s};
pub use gamma::{digamma, gamma, gammaln, rgamma, rgamma_dx, rgamma_dxx, trigamma};
pub use incgamma::{
    gammainc, gammainc_da, gammainc_daa, gammainc_dax, gammainc_dx, gammainc_dxx, gammaincc, gammainccinv, gammaincinv,
};
pub use owens::owens_t;
pub use statistics::*;
pub use zeta::{polygamma, zeta};
