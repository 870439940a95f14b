//! Special functions, with their derivatives where these are functions of their own.

mod airy;
mod bessel01;
mod bessel_order;
mod beta;
pub(crate) mod coefficients;
mod dawson;
mod dual;
mod elliptic;
mod erf;
mod fresnel;
mod gamma;
mod incgamma;
mod integrals;
mod kolmogorov;
mod lambert;
mod owens;
mod pieces;
mod polynomials;
mod shapes;
mod spherical;
mod statistics;
mod tables;
#[cfg(test)]
mod tests;
mod voigt;
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
pub use kolmogorov::*;
pub use lambert::*;
pub use owens::*;
pub use polynomials::*;
pub use shapes::*;
pub use spherical::*;
pub use statistics::*;
pub use voigt::*;
pub use zeta::*;
