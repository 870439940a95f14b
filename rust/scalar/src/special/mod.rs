//! Special functions, with their derivatives where these are functions of their own.

mod coefficients;
mod erf;
mod gamma;
mod incgamma;
mod zeta;

pub use erf::{erf, erfc, erfcinv, erfcx, erfinv, log_ndtr, ndtr, ndtri};
pub use gamma::{digamma, gamma, gammaln, rgamma, trigamma};
pub use incgamma::{
    gammainc, gammainc_da, gammainc_daa, gammainc_dax, gammainc_dx, gammainc_dxx, gammaincc,
};
pub use zeta::{polygamma, zeta};
