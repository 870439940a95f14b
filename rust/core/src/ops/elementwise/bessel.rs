//! Bessel functions.

use super::special::unsupported;
use super::{RowRule, rows};
use crate::expr::E;
use sciarray_kernels::map::Kernels;
use sciarray_scalar::bodies as b;

rows! {
    SPHERICAL_JN {
        name: "spherical_jn",
        args: &["n", "z"],
        doc: "Spherical Bessel function of the first kind j_n (DLMF 10.47.3) of integer order ``0 <= n <= 10000``.",
        example: ">>> sa.special.spherical_jn(1, sa.asarray([0.0, 1.0]))
                  array([0.        , 0.30116868])",
        reference: "scipy.special.spherical_jn",
        kernels: Kernels::real::<b::SphericalJn, 2>(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("spherical_jn: not differentiable in the order n"),
            |x, _| spherical_slope(&SPHERICAL_JN, x, 1.0, -1.0),
        ]),
        domain: &[(0.0, 20.0), (-50.0, 50.0)],
        namespace: "special",
    }
    SPHERICAL_YN {
        name: "spherical_yn",
        args: &["n", "z"],
        doc: "Spherical Bessel function of the second kind y_n (DLMF 10.47.4) of integer order ``0 <= n <= 10000``.",
        example: ">>> sa.special.spherical_yn(1, sa.asarray([1.0, 2.0]))
                  array([-1.38177329, -0.35061201])",
        reference: "scipy.special.spherical_yn",
        kernels: Kernels::real::<b::SphericalYn, 2>(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("spherical_yn: not differentiable in the order n"),
            |x, _| spherical_slope(&SPHERICAL_YN, x, 1.0, -1.0),
        ]),
        domain: &[(0.0, 20.0), (0.1, 50.0)],
        namespace: "special",
    }
    SPHERICAL_IN {
        name: "spherical_in",
        args: &["n", "z"],
        doc: "Modified spherical Bessel function of the first kind i_n (DLMF 10.47.7) of integer order ``0 <= n <= 10000``.",
        example: ">>> sa.special.spherical_in(1, sa.asarray([0.0, 1.0]))
                  array([0.        , 0.36787944])",
        reference: "scipy.special.spherical_in",
        kernels: Kernels::real::<b::SphericalIn, 2>(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("spherical_in: not differentiable in the order n"),
            |x, _| spherical_slope(&SPHERICAL_IN, x, 1.0, 1.0),
        ]),
        domain: &[(0.0, 20.0), (-50.0, 50.0)],
        namespace: "special",
    }
    SPHERICAL_KN {
        name: "spherical_kn",
        args: &["n", "z"],
        doc: "Modified spherical Bessel function of the second kind k_n (DLMF 10.47.9) of integer order ``0 <= n <= 10000``.",
        example: ">>> sa.special.spherical_kn(1, sa.asarray([1.0, 2.0]))
                  array([1.15572735, 0.15943801])",
        reference: "scipy.special.spherical_kn",
        kernels: Kernels::real::<b::SphericalKn, 2>(),
        rule: RowRule::Partials(&[
            |_, _| unsupported("spherical_kn: not differentiable in the order n"),
            |x, _| spherical_slope(&SPHERICAL_KN, x, -1.0, -1.0),
        ]),
        domain: &[(0.0, 20.0), (0.1, 50.0)],
        namespace: "special",
    }
}

/// `(below n f_{n - 1} + above (n + 1) f_{n + 1}) / (2n + 1)`, DLMF 10.51.2 and 10.51.5; at `n = 0` the first term is absent.
fn spherical_slope(f: &'static super::Elementwise, x: &[E], below: f64, above: f64) -> E {
    let n = &x[0];
    let under = E::call(&super::MAXIMUM, [&(n - 1.0), &n.lit(0.0)]);
    let low = below * n * E::call(f, [&under, &x[1]]);
    let high = above * (n + 1.0) * E::call(f, [&(n + 1.0), &x[1]]);
    let absent = E::call(&super::EQUAL, [n, &n.lit(0.0)]);
    (E::call(&super::WHERE, [&absent, &n.lit(0.0), &low]) + high) / (2.0 * n + 1.0)
}
