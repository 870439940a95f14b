"""Errors of integrals, Bessel functions and polynomials against mpmath; usage and goals as in check_special.py."""

import sys

import check_special as harness
import mpmath
import numpy as np
from check_special import flat, independent, integers, near, negative, positive, precise
from mpmath import mpf


def omega(x):
    if x < -30:
        y = mpmath.exp(x)
        return mpmath.lambertw(y).real
    w = mpmath.lambertw(mpmath.exp(min(x, 600))).real if x < 600 else x - mpmath.log(x)
    for _ in range(12):
        r = x - w - mpmath.log(w)
        w += r * w / (1 + w)
    return w


def lambert(x, k):
    w = mpmath.lambertw(x, k)
    if w.imag != 0:
        raise ValueError("no real number")
    return w.real


def spence(x):
    return mpmath.polylog(2, 1 - x).real if 0 < x < 2 else li2_far(x)


def li2_far(x):
    # DLMF 25.12.4 with z = 1 - x
    z = 1 - x
    return (-(mpmath.pi**2) / 6 - mpmath.log(-z) ** 2 / 2 - mpmath.polylog(2, 1 / z)).real


def triple(*regions):
    return lambda rng, n: np.column_stack([r(rng, n) for r in regions])


def ellipse_dm(f):
    return lambda phi, m: mpmath.diff(lambda t: f(phi, t), m, h=mpf(2) ** (-mpmath.mp.prec // 4))


def jacobi(kind):
    return lambda u, m: mpmath.ellipfun(kind, u, m).real


def jacobi_polynomial(n, a, b, x):
    # mpmath.jacobi reflects the argument for every whole a, which holds for whole n alone; n + a may lose a.
    if n < 0 and n == mpmath.floor(n) and a != mpmath.floor(a):
        return mpf(0)
    return mpmath.binomial(n + a, n) * mpmath.hyp2f1(-n, n + a + b + 1, a + 1, (1 - x) / 2)


def gegenbauer_polynomial(n, a, x):
    # 1 for every parameter, where mpmath.gegenbauer has 0 at a = 0
    return mpf(1) if n == 0 else mpmath.gegenbauer(n, a, x)


def laguerre_polynomial(n, a, x):
    # The quotient of gamma functions in front is a polynomial in the degree, of which mpmath.laguerre takes poles for values.
    if a >= 0 and a == mpmath.floor(a) and n < 0 and n == mpmath.floor(n):
        front = mpmath.fprod((n + k) / mpmath.mpf(k) for k in range(1, int(a) + 1))
        return front * mpmath.hyp1f1(-n, a + 1, x)
    return mpmath.laguerre(n, a, x)


def amplitude(u, m):
    # The integral of dn, by the number of quarter periods and the angle of (cn, sn).
    k = mpmath.ellipk(m)
    turns = mpmath.nint(u / (2 * k))
    v = u - 2 * k * turns
    return turns * mpmath.pi + mpmath.atan2(mpmath.ellipfun("sn", v, m).real, mpmath.ellipfun("cn", v, m).real)


def spherical(f, sign=1):
    def g(n, x):
        return f(n + mpf(1) / 2, x) * mpmath.sqrt(mpmath.pi / (2 * x))

    return g


ORDER_X = [
    independent(integers(0, 6), flat(0, 20)),
    independent(integers(0, 60), positive(1e-3, 300)),
    independent(integers(0, 20), positive(1e-10, 1)),
    independent(integers(30, 300), flat(1, 300)),
]
ZEROS = near(
    2.404825557695773, 5.520078110286311, 0.8935769662791675, 3.957678419314858, 3.8317059702075125, 7.015586669815619,
    2.1971413260310170, 5.429681040794135, 7.0860510603017728, 8.653727912911013, 10.173468135062722, 99.9,
)  # fmt: skip
WAVE = [flat(-10, 10), flat(0, 100), near(8, 64), ZEROS, positive(1e-300, 1), positive(60, 1e7), positive(1e7, 1e300)]
WAVE_RIGHT = [flat(0, 10), *WAVE[1:]]
GROWTH = [flat(-10, 10), flat(0, 700), near(8, 64), positive(1e-300, 1), positive(60, 1e6)]
DECAY = [flat(0, 3), flat(0, 700), near(1, 64), positive(1e-300, 1), positive(60, 1e6)]


def order_slope(f, k):
    """The derivative in the order by differences of a quarter of the digits, at four times the precision."""

    def g(v, x):
        prec = mpmath.mp.prec
        with mpmath.mp.workprec(3 * prec + 60):
            h = mpf(2) ** (-prec)
            if k == 1:
                return (f(v + h, x) - f(v - h, x)) / (2 * h)
            return (f(v + h, x) - 2 * f(v, x) + f(v - h, x)) / h**2

    return g


def expint(p, x):
    # For large arguments mpmath's differences cancel more than it provides for.
    with mpmath.mp.workprec(mpmath.mp.prec + 60 + int(4 * x)):
        return +mpmath.expint(p, x)


def parameter_slope(f):
    return lambda n, a, x: mpmath.diff(lambda t: f(n, t, x), a)


def hermitenorm(n, x):
    return mpmath.hermite(n, x / mpmath.sqrt(2)) * mpf(2) ** (-n / 2)


ORDERED = [
    ("jv", mpmath.besselj),
    ("yv", mpmath.bessely),
    ("ive", lambda v, x: mpmath.exp(-x) * mpmath.besseli(v, x)),
    ("kve", lambda v, x: mpmath.exp(x) * mpmath.besselk(v, x)),
]
V_X = [
    independent(flat(0, 5), flat(0, 5)),
    independent(flat(0, 30), flat(0, 40)),
    independent(flat(-8, 0), flat(0.1, 30)),
    independent(integers(0, 6), positive(1e-3, 100)),
    independent(positive(1, 200), positive(1, 1000)),
    independent(flat(0, 50), positive(1e-10, 1)),
    independent(flat(-0.5, 3), positive(100, 1e6)),
    independent(flat(0, 10), near(2, 20)),
]
N_X = [
    independent(integers(0, 12), flat(-1, 1)),
    independent(integers(10, 60), flat(-1, 1)),
    independent(integers(0, 10), flat(-3, 3)),
    independent(flat(-3, 30), flat(-0.99, 1)),
    independent(flat(-3, 30), flat(1, 6)),
]


def airy_scaled(f, sign):
    return precise(lambda x: f(x) * mpmath.exp(sign * 2 * x * mpmath.sqrt(x) / 3), 200)


AIRY = [
    flat(-10, 10),
    near(1, -1, -2.338107410459767, -1.01879297164747, -4.08794944413097, -1.17371322270912),
    flat(-100, -10),
    positive(1e-300, 1),
    negative(100, 1e4),
]
E_INV = 0.36787944117144233
SQUARE = [independent(flat(-1.5, 1.5), flat(-5, 1)), independent(flat(-10, 10), flat(0, 1))]
PHI_M = SQUARE + [
    independent(positive(1e-6, 1.5), positive(1e-9, 1)),
    independent(flat(1.4, 1.57), lambda r, n: 1 - np.exp2(r.uniform(-50, -1, n))),
    independent(flat(-1.5, 1.5), negative(1, 1e8)),
]
U_M = [
    independent(flat(-5, 5), flat(0, 1)),
    independent(flat(-50, 50), flat(0, 1)),
    independent(flat(-8, 8), lambda r, n: 1 - np.exp2(r.uniform(-50, -1, n))),
    independent(flat(-10, 10), positive(1e-12, 1)),
]
THREE = [
    triple(*[flat(0, 4)] * 3),
    triple(*[positive(1e-8, 1e8)] * 3),
    triple(flat(0, 1e-12), flat(0, 1), positive(1e-3, 10)),
]
EXPN_INTEGER = [
    independent(integers(1, 6), flat(1, 2)),
    independent(integers(0, 10), flat(0, 5)),
    independent(integers(0, 40), positive(1e-6, 100)),
    independent(integers(1, 500), positive(0.1, 50)),
    independent(integers(2, 6), near(1)),
]
EXPN_REAL = [
    independent(flat(0, 3), flat(0, 2)),
    independent(flat(0, 20), flat(0.5, 1.5)),
    independent(flat(0, 20), positive(1e-300, 1)),
    independent(near(0.5, 1, 2, 3, 10, 16), positive(1e-10, 10)),
    independent(positive(1e-20, 1), positive(1e-20, 100)),
    independent(positive(1, 1e3), positive(1e-3, 700)),
]
# Also what is not public: orders below 0
EXPN_LOW = [
    independent(flat(-3, 0), positive(1e-3, 100)),
    independent(near(-1, -2), positive(1e-80, 10)),
    independent(flat(-60, 0), positive(0.1, 200)),
]

FUNCTIONS = {
    "exp1": (mpmath.e1, "4u", [flat(0, 2), positive(1e-300, 1), near(0.5, 1, 64), flat(1, 80), flat(60, 700)]),
    "expi": (
        mpmath.ei,
        "4c",
        [
            flat(-2, 2),
            flat(0, 10),
            near(0.37250741078136663, 0.5, 64),
            flat(10, 700),
            flat(-700, 0),
            positive(1e-300, 1),
        ],
    ),
    "expn": (expint, "4c", EXPN_INTEGER + EXPN_REAL),
    "expn_below": (expint, "8c", EXPN_LOW),
    "expn_dn": (order_slope(expint, 1), "4500c", EXPN_INTEGER[:3] + EXPN_REAL + EXPN_LOW),
    "expn_dnn": (order_slope(expint, 2), "4500c", EXPN_INTEGER[:3] + EXPN_REAL + EXPN_LOW),
    "sici_si": (mpmath.si, "4u", [flat(-5, 5), flat(0, 100), near(4, 64), positive(1e-300, 1), positive(60, 1e6)]),
    "sici_ci": (
        mpmath.ci,
        "4c",
        [
            flat(0, 5),
            flat(0, 100),
            near(4, 64, 0.61650548562071678, 3.3841804225511864),
            positive(1e-300, 1),
            positive(60, 1e6),
        ],
    ),
    "shichi_shi": (mpmath.shi, "4u", [flat(-3, 3), flat(0, 100), near(1), positive(1e-300, 1), flat(60, 700)]),
    "shichi_chi": (
        mpmath.chi,
        "4c",
        [flat(0, 3), flat(0, 100), near(1, 0.52382257138986443), positive(1e-300, 1), flat(60, 700)],
    ),
    "spence": (
        spence,
        "4c",
        [flat(0, 3), near(0.5, 1, 2), positive(1e-300, 1), positive(1, 1e300)],
    ),
    "spence_dx": (lambda x: mpmath.log(x) / (1 - x), "4c", [flat(0, 3), near(1), positive(1e-300, 1e300)]),
    "spence_dxx": (
        lambda x: 1 / (x * (1 - x)) + mpmath.log(x) / (1 - x) ** 2,
        "64c",
        [flat(0, 3), near(1), positive(1e-100, 1e100)],
    ),
    "ellipk": (mpmath.ellipk, "3u", [flat(-1, 1), near(0.5, 0.75, -3), negative(1e-3, 1e300), flat(-10, 1)]),
    "ellipkm1": (lambda p: mpmath.ellipk(1 - p), "3u", [positive(1e-300, 1), flat(0, 1), positive(1, 1e300)]),
    "ellipe": (mpmath.ellipe, "3u", [flat(-1, 1), near(0.5, 0.75, -3), negative(1e-3, 1e300), flat(-10, 1)]),
    "ellipk_d1": (
        lambda p: mpmath.pi / 8 * mpmath.hyp2f1(1.5, 1.5, 2, 1 - p),
        "100c",
        [flat(0, 3), positive(1e-12, 1e6), near(0.5, 1.5)],
    ),
    "ellipk_d2": (
        lambda p: 9 * mpmath.pi / 64 * mpmath.hyp2f1(2.5, 2.5, 3, 1 - p),
        "400c",
        [flat(0, 3), positive(1e-9, 1e4), near(0.5, 1.5)],
    ),
    "ellipkinc": (mpmath.ellipf, "4c", PHI_M),
    "ellipeinc": (mpmath.ellipe, "4c", PHI_M),
    "ellipkinc_dm": (ellipse_dm(mpmath.ellipf), "100c", SQUARE),
    "ellipeinc_dm": (ellipse_dm(mpmath.ellipe), "100c", SQUARE),
    "ellipj_sn": (jacobi("sn"), "8c", U_M),
    "ellipj_cn": (jacobi("cn"), "8c", U_M),
    "ellipj_dn": (jacobi("dn"), "8c", U_M),
    "ellipj_ph": (amplitude, "8c", U_M),
    "elliprc": (
        mpmath.elliprc,
        "3u",
        [independent(flat(0, 4), flat(0, 4)), independent(positive(1e-9, 1e9), positive(1e-9, 1e9))],
    ),
    "elliprf": (mpmath.elliprf, "3u", THREE),
    "elliprd": (mpmath.elliprd, "4u", THREE),
    "elliprg": (mpmath.elliprg, "4u", THREE),
    "elliprj": (
        mpmath.elliprj,
        "8u",
        [triple(*[flat(0, 4)] * 4), triple(*[positive(1e-3, 1e3)] * 4)],
    ),
    "elliprd_dx": (lambda x, y, z: mpmath.diff(lambda t: mpmath.elliprd(t, y, z), x), "100c", THREE[:2]),
    "elliprd_dz": (lambda x, y, z: mpmath.diff(lambda t: mpmath.elliprd(x, y, t), z), "100c", THREE[:2]),
    "elliprd_dxx": (lambda x, y, z: mpmath.diff(lambda t: mpmath.elliprd(t, y, z), x, 2), "400c", THREE[:1]),
    "elliprd_dxy": (
        lambda x, y, z: mpmath.diff(lambda s, t: mpmath.elliprd(s, t, z), (x, y), (1, 1)),
        "400c",
        THREE[:1],
    ),
    "elliprd_dxz": (
        lambda x, y, z: mpmath.diff(lambda s, t: mpmath.elliprd(s, y, t), (x, z), (1, 1)),
        "400c",
        THREE[:1],
    ),
    "elliprd_dzz": (lambda x, y, z: mpmath.diff(lambda t: mpmath.elliprd(x, y, t), z, 2), "400c", THREE[:1]),
    "elliprj_dx": (
        lambda x, y, z, p: mpmath.diff(lambda t: mpmath.elliprj(t, y, z, p), x),
        "100c",
        [triple(*[flat(0, 4)] * 4)],
    ),
    "elliprj_dp": (
        lambda x, y, z, p: mpmath.diff(lambda t: mpmath.elliprj(x, y, z, t), p),
        "100c",
        [triple(*[flat(0, 4)] * 4)],
    ),
    "lambertw_0": (
        lambda x: lambert(x, 0),
        "3c",
        [
            flat(-0.3678, 3),
            positive(1e-300, 1e300),
            negative(1e-300, 0.36),
            lambda r, n: -E_INV + np.exp2(r.uniform(-50, -3, n)),
        ],
    ),
    "lambertw_m1": (
        lambda x: lambert(x, -1),
        "3c",
        [flat(-0.3678, 0), negative(1e-300, 0.36), lambda r, n: -E_INV + np.exp2(r.uniform(-50, -3, n))],
    ),
    "wrightomega": (omega, "3c", [flat(-5, 5), flat(-700, 100), positive(1, 1e300), near(1)]),
    "spherical_jn": (spherical(mpmath.besselj), "8c", ORDER_X),
    "spherical_yn": (spherical(mpmath.bessely), "8c", ORDER_X),
    "spherical_in": (spherical(mpmath.besseli), "8c", ORDER_X),
    "spherical_kn": (spherical(mpmath.besselk), "8c", ORDER_X),
    "j0": (lambda x: mpmath.besselj(0, x), "4c", WAVE),
    "j1": (lambda x: mpmath.besselj(1, x), "4c", WAVE),
    "y0": (lambda x: mpmath.bessely(0, x), "4c", WAVE_RIGHT),
    "y1": (lambda x: mpmath.bessely(1, x), "4c", WAVE_RIGHT),
    "i0": (lambda x: mpmath.besseli(0, x), "3u", [flat(-10, 10), flat(0, 713), near(8, 64), positive(1e-300, 1)]),
    "i1": (lambda x: mpmath.besseli(1, x), "4u", [flat(-10, 10), flat(0, 713), near(8, 64), positive(1e-300, 1)]),
    "i0e": (precise(lambda x: mpmath.exp(-abs(x)) * mpmath.besseli(0, x), 60), "3u", GROWTH),
    "i1e": (precise(lambda x: mpmath.exp(-abs(x)) * mpmath.besseli(1, x), 60), "4u", GROWTH),
    "k0": (lambda x: mpmath.besselk(0, x), "4u", [flat(0, 3), flat(0, 700), near(1, 64), positive(1e-300, 1)]),
    "k1": (lambda x: mpmath.besselk(1, x), "4u", [flat(0, 3), flat(0, 700), near(1, 64), positive(1e-300, 1)]),
    "k0e": (precise(lambda x: mpmath.exp(x) * mpmath.besselk(0, x), 60), "4u", DECAY),
    "k1e": (precise(lambda x: mpmath.exp(x) * mpmath.besselk(1, x), 60), "3u", DECAY),
    **{
        f"i0e_d{k}": (
            lambda x, k=k: (
                (-2) ** k
                * mpmath.rf(mpf(1) / 2, k)
                / mpmath.factorial(k)
                * mpmath.hyp1f1(mpf(k) + mpf(1) / 2, k + 1, -2 * x)
            ),
            "100c",
            [flat(0, 10), flat(0, 100), near(8, 64), positive(60, 1e6)],
        )
        for k in (1, 2, 3)
    },
    **{
        f"k0e_d{k}": (
            lambda x, k=k: (
                (-2) ** k
                * mpmath.rf(mpf(1) / 2, k)
                * mpmath.sqrt(mpmath.pi)
                * mpmath.hyperu(mpf(k) + mpf(1) / 2, k + 1, 2 * x)
            ),
            "100c",
            [flat(0, 3), flat(0, 100), near(1, 64), positive(60, 1e6)],
        )
        for k in (1, 2, 3)
    },
    "jv": (mpmath.besselj, "8c", V_X),
    "yv": (mpmath.bessely, "8c", V_X),
    "ive": (precise(lambda v, x: mpmath.exp(-x) * mpmath.besseli(v, x), 60), "8c", V_X),
    "kve": (precise(lambda v, x: mpmath.exp(x) * mpmath.besselk(v, x), 60), "8c", V_X),
    "iv": (mpmath.besseli, "8c", V_X),
    "kv": (mpmath.besselk, "8c", V_X),
    **{f"{n}_dv": (order_slope(f, 1), "4500c", V_X[:4]) for n, f in ORDERED},
    **{f"{n}_dvv": (order_slope(f, 2), "4500c", V_X[:4]) for n, f in ORDERED},
    "eval_legendre": (lambda n, x: mpmath.legendre(n, x), "8c", N_X),
    "eval_chebyt": (lambda n, x: mpmath.chebyt(n, x), "8c", N_X),
    "eval_chebyu": (lambda n, x: mpmath.chebyu(n, x), "8c", N_X),
    "eval_hermite": (lambda n, x: mpmath.hermite(n, x), "8c", [independent(integers(0, 40), flat(-8, 8))]),
    "eval_hermitenorm": (hermitenorm, "8c", [independent(integers(0, 40), flat(-8, 8))]),
    "eval_gegenbauer": (
        gegenbauer_polynomial,
        "8c",
        [triple(n, flat(0.1, 5), flat(-0.99, 1)) for n in (integers(0, 30), flat(-3, 25))],
    ),
    "eval_genlaguerre": (
        laguerre_polynomial,
        "8c",
        [triple(n, flat(-0.9, 5), flat(0, 40)) for n in (integers(0, 30), flat(-3, 30))],
    ),
    "eval_jacobi": (
        jacobi_polynomial,
        "8c",
        [triple(n, flat(-0.9, 5), flat(-0.9, 5), flat(-0.99, 1)) for n in (integers(0, 30), flat(-3, 20))],
    ),
    "eval_gegenbauer_da": (
        parameter_slope(gegenbauer_polynomial),
        "4500c",
        [triple(integers(0, 30), flat(0.1, 5), flat(-1, 1))],
    ),
    "eval_genlaguerre_da": (
        parameter_slope(mpmath.laguerre),
        "4500c",
        [triple(integers(0, 30), flat(-0.9, 5), flat(0, 40))],
    ),
    "eval_jacobi_da": (
        lambda n, a, b, x: mpmath.diff(lambda t: jacobi_polynomial(n, t, b, x), a),
        "4500c",
        [triple(integers(0, 30), flat(-0.9, 5), flat(-0.9, 5), flat(-1, 1))],
    ),
    "airy_ai": (mpmath.airyai, "4c", AIRY + [flat(10, 100)]),
    "airy_aip": (lambda x: mpmath.airyai(x, derivative=1), "4c", AIRY + [flat(10, 100)]),
    "airy_bi": (mpmath.airybi, "4c", AIRY + [flat(10, 100)]),
    "airy_bip": (lambda x: mpmath.airybi(x, derivative=1), "4c", AIRY + [flat(10, 100)]),
    "airye_ai": (airy_scaled(mpmath.airyai, 1), "4c", [flat(0, 10), positive(1, 1e6)]),
    "airye_aip": (airy_scaled(lambda x: mpmath.airyai(x, derivative=1), 1), "4c", [flat(0, 10), positive(1, 1e6)]),
    "airye_bi": (airy_scaled(mpmath.airybi, -1), "4c", [flat(0, 10), positive(1, 1e6)]),
    "airye_bip": (airy_scaled(lambda x: mpmath.airybi(x, derivative=1), -1), "4c", [flat(0, 10), positive(1, 1e6)]),
}

if __name__ == "__main__":
    harness.FUNCTIONS = FUNCTIONS
    harness.__doc__ = __doc__
    sys.exit(harness.main())
