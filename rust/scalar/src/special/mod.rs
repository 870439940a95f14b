//! Special functions, with their derivatives where these are functions of their own.

mod airy;
mod bessel01;
mod bessel_order;
mod beta;
mod coefficients;
mod dawson;
mod dual;
mod elliptic;
mod erf;
mod fresnel;
mod gamma;
mod incgamma;
mod integrals;
mod lambert;
mod owens;
mod pieces;
mod polynomials;
mod spherical;
mod statistics;
mod tables;
#[cfg(test)]
mod tests;
mod zeta;

pub use airy::*;
pub use bessel_order::*;
pub use bessel01::*;
pub use beta::*;
pub use dawson::*;
pub use elliptic::*;
pub use erf::*;
pub use fresnel::*;
pub use gamma::*;
pub use incgamma::*;
pub use integrals::*;
pub use lambert::*;
pub use owens::*;
pub use polynomials::*;
pub use spherical::*;
pub use statistics::*;
pub use zeta::*;
