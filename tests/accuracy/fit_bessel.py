"""Fits the tables of rust/scalar/src/special/tables.rs and prints the file (mpmath, 50 digits).

python tests/accuracy/fit_bessel.py > rust/scalar/src/special/tables.rs
"""

import sys

import mpmath
from mpmath import cos, euler, exp, log, mp, mpf, pi, sqrt

mp.dps = 50


def fit(f, lo, hi, n):
    """`n` monomial coefficients, lowest first, of the Chebyshev interpolant of f in t = x - (lo + hi) / 2."""
    mid, half = (lo + hi) / 2, (hi - lo) / 2
    nodes = [cos(pi * (2 * k + 1) / (2 * n)) for k in range(n)]
    values = [f(mid + half * u) for u in nodes]
    cheb = [
        sum(v * cos(pi * j * (2 * k + 1) / (2 * n)) for k, v in enumerate(values)) * (2 if j else 1) / n
        for j in range(n)
    ]
    prev, cur, out = [mpf(1)], [mpf(0), mpf(1)], [mpf(0)] * n
    for j, c in enumerate(cheb):
        for i, p in enumerate(prev if j == 0 else cur):
            out[i] += c * p
        if j >= 1:
            following = [mpf(0)] + [2 * p for p in cur]
            for i, p in enumerate(prev):
                following[i] -= p
            prev, cur = cur, following
    return [c / half**i for i, c in enumerate(out)]


def error(coefs, f, lo, hi):
    """The largest relative error at points between."""
    worst = mpf(0)
    for k in range(9):
        x = lo + (hi - lo) * (k + mpf("0.37")) / 9
        got, want = mpmath.polyval([mpf(float(c)) for c in coefs[::-1]], x - (lo + hi) / 2), f(x)
        worst = max(worst, abs(got - want) / max(abs(want), mpf("0.1")))
    return float(worst)


def report(name, worst):
    print(f"{name:16} {worst:.1e}", file=sys.stderr)


def rows(name, doc, f, intervals, n):
    out, worst = [], 0.0
    for lo, hi in intervals:
        c = fit(f, mpf(lo), mpf(hi), n)
        worst = max(worst, error(c, f, mpf(lo), mpf(hi)))
        out.append(c)
    report(name, worst)
    table(name, doc, out)


def table(name, doc, rows):
    """The rows by columns."""
    print(f"/// {doc}\n#[rustfmt::skip]")
    print(f'pub static {name}: Rows<{len(rows[0])}, {len(rows)}> = Rows::new("{name.lower()}", [')
    for column in zip(*rows, strict=True):
        print("    [" + ", ".join(repr(float(v)) for v in column) + "],")
    print("]);")


def octaves(name, doc, f, low, high, n=14):
    """Quarters of the octaves of [2^low, 2^high)."""
    cuts = [(mpf(2) ** o * (4 + k) / 4, mpf(2) ** o * (5 + k) / 4) for o in range(low, high) for k in range(4)]
    rows(name, doc + f"; quarters of the octaves of [2^{low}, 2^{high}).", f, cuts, n)


def units(name, doc, f, high, n=13):
    """Intervals of length 1 from 0 on."""
    rows(name, doc + f"; units of [0, {high}).", f, [(k, k + 1) for k in range(high)], n)


def single(name, doc, f, lo, hi, n):
    """One polynomial about the middle."""
    lo, hi = mpf(lo), mpf(hi)
    c = fit(f, lo, hi, n)
    report(name, error(c, f, lo, hi))
    print(f"/// {doc}, about the middle of [{float(lo)!r}, {float(hi)!r}].\npub const {name}: [f64; {n}] = [")
    for v in c:
        print(f"    {float(v)!r},")
    print("];")


def taylor(name, doc, coefs):
    print(f"/// {doc}\npub const {name}: [f64; {len(coefs)}] = [")
    for v in coefs:
        print(f"    {float(v)!r},")
    print("];")


def inverse(f, power=1):
    """`f` as a function of `u = x^-power`, with its limit 1 or the given one at 0."""
    return lambda u: f(mpf(u) ** (mpf(-1) / power)) if u else f(mpf(10) ** 40)


def exponential_integrals():
    e1 = lambda x: x * exp(x) * mpmath.e1(x)
    ei = lambda x: x * exp(-x) * mpmath.ei(x)
    octaves("EXP1", "x e^x E1(x)", e1, -1, 6)
    octaves("EXPI", "x e^-x Ei(x)", ei, -1, 6, 16)
    # The asymptotic series, far beyond its smallest term's place.
    series = lambda sign: lambda u: sum(mpmath.factorial(k) * (sign * u) ** k for k in range(40))
    single("EXP1_FAR", "x e^x E1(x) in 1/x", series(-1), 0, mpf(1) / 64, 10)
    single("EXPI_FAR", "x e^-x Ei(x) in 1/x", series(1), 0, mpf(1) / 64, 11)
    taylor(
        "EIN",
        "`Ein(x) / x` in powers of x (DLMF 6.2.3).",
        [(-1) ** k / ((k + 1) * mpmath.factorial(k + 1)) for k in range(14)],
    )


def trigonometric_integrals():
    si = lambda z: mpmath.si(sqrt(z)) / sqrt(z) if z else mpf(1)
    cin = lambda z: (euler + log(z) / 2 - mpmath.ci(sqrt(z))) / z if z else mpf(1) / 4
    single("SI", "Si(x) / x in x^2", si, 0, 16, 15)
    single("CIN", "(euler + log x - Ci(x)) / x^2 in x^2", cin, 0, 16, 15)
    aux = lambda x: mpmath.expint(1, mpmath.mpc(0, x)) * mpmath.expjpi(x / pi)
    f = lambda x: -x * aux(x).imag
    g = lambda x: x * x * aux(x).real
    octaves("SICI_F", "x f(x), DLMF 6.2.17", f, 2, 6)
    octaves("SICI_G", "x^2 g(x), DLMF 6.2.18", g, 2, 6)
    fact = mpmath.factorial
    single("SICI_F_FAR", "x f(x) in x^-2", lambda z: sum(fact(2 * k) * (-z) ** k for k in range(14)), 0, 64.0**-2, 6)
    single(
        "SICI_G_FAR", "x^2 g(x) in x^-2", lambda z: sum(fact(2 * k + 1) * (-z) ** k for k in range(14)), 0, 64.0**-2, 6
    )


def dilogarithm():
    taylor(
        "SPENCE",
        "`B(2k) / (2k + 1)!` from k = 1 (the series of Debye's function, DLMF 25.12.1 with z = 1 - e^-w).",
        [mpmath.bernoulli(2 * k) / mpmath.factorial(2 * k + 1) for k in range(1, 12)],
    )


def elliptic():
    k = lambda p: mpmath.ellipk(1 - p)
    e = lambda p: mpmath.ellipe(1 - p)
    octaves("ELLIPK", "K(1 - p)", k, -2, 0, 15)
    octaves("ELLIPE", "E(1 - p)", e, -2, 0, 15)
    # DLMF 19.12.1, 19.12.2: K = a(p) + log(1/p) b(p), E = 1 + p (a(p) + log(1/p) b(p))
    d = lambda m: mpmath.digamma(1 + m) - mpmath.digamma(mpf(1) / 2 + m)
    half = lambda m: mpmath.rf(mpf(1) / 2, m)
    third = lambda m: mpmath.rf(mpf(3) / 2, m)
    total = lambda term: lambda p: sum(term(m) * p**m for m in range(90))
    kb = lambda m: (half(m) / mpmath.factorial(m)) ** 2
    eb = lambda m: half(m) * third(m) / (mpmath.factorial(m) * mpmath.factorial(m + 1)) / 2
    single("ELLIPK_A", "a(p) of K = a + b log(1/p)", total(lambda m: kb(m) * d(m)), 0, 0.25, 15)
    single("ELLIPK_B", "b(p) of K = a + b log(1/p)", total(lambda m: kb(m) / 2), 0, 0.25, 15)
    ed = lambda m: d(m) - 1 / mpf((2 * m + 1) * (2 * m + 2))
    single("ELLIPE_A", "a(p) of E = 1 + p (a + b log(1/p))", total(lambda m: eb(m) * ed(m)), 0, 0.25, 15)
    single("ELLIPE_B", "b(p) of E = 1 + p (a + b log(1/p))", total(lambda m: eb(m) / 2), 0, 0.25, 15)
    k1 = lambda m: pi / 8 * mpmath.hyp2f1(1.5, 1.5, 2, m)
    k2 = lambda m: 9 * pi / 64 * mpmath.hyp2f1(2.5, 2.5, 3, m)
    cuts = [(mpf(j) / 8, mpf(j + 1) / 8) for j in range(-4, 4)]
    rows("ELLIPK_DM", "K'(m) on eighths of [-1/2, 1/2).", k1, cuts, 15)
    rows("ELLIPK_DMM", "K''(m) on eighths of [-1/2, 1/2).", k2, cuts, 15)


def lambert():
    def w(p):
        x = (p * p / 2 - 1) / mpmath.e
        return mpmath.lambertw(x, 0 if p >= 0 else -1).real if p else mpf(-1)

    cuts = [(mpf(j) / 8, mpf(j + 1) / 8) for j in range(-4, 4)]
    rows(
        "LAMBERT",
        "(W + 1) / p on eighths of [-1/2, 1/2) in p = +-sqrt(2 (e x + 1))",
        lambda p: (w(p) + 1) / p,
        cuts,
        13,
    )


def bessel():
    j, y = mpmath.besselj, mpmath.bessely
    units("J0", "J0(x)", lambda x: j(0, x), 8)
    units("J1", "J1(x) / x", lambda x: j(1, x) / x, 8)
    units("Y0", "Y0(x) - (2/pi) log(x) J0(x)", lambda x: y(0, x) - 2 / pi * log(x) * j(0, x), 8)
    units(
        "Y1",
        "(Y1(x) - (2/pi) (log(x) J1(x) - 1/x)) / x",
        lambda x: (y(1, x) - 2 / pi * (log(x) * j(1, x) - 1 / x)) / x,
        8,
    )

    def modulus(n, part):
        def f(x):
            h = mpmath.hankel1(n, x) * mpmath.expjpi(-(x / pi - mpf(2 * n + 1) / 4)) * sqrt(x / 2)
            return h.real if part == 0 else h.imag * x

        return f

    for n in (0, 1):
        doc = f"of J{n} = sqrt(2 / x) (P cos t - Q sin t), t = x - {2 * n + 1} pi/4"
        octaves(f"BESSEL_P{n}", "P " + doc, modulus(n, 0), 3, 6, 13)
        octaves(f"BESSEL_Q{n}", "x Q " + doc, modulus(n, 1), 3, 6, 13)
        # DLMF 10.17.3
        a = [mpf(1)]
        for k in range(1, 30):
            a.append(a[-1] * (4 * n * n - (2 * k - 1) ** 2) / (8 * k))
        even = lambda z, a=a: sum((-z) ** k * a[2 * k] for k in range(12)) / sqrt(pi)
        odd = lambda z, a=a: sum((-z) ** k * a[2 * k + 1] for k in range(12)) / sqrt(pi)
        single(f"BESSEL_P{n}_FAR", "P in x^-2", even, 0, 64.0**-2, 5)
        single(f"BESSEL_Q{n}_FAR", "x Q in x^-2", odd, 0, 64.0**-2, 5)
        i = lambda x, n=n: exp(-x) * mpmath.besseli(n, x) / x**n
        units(f"I{n}E", f"e^-x I{n}(x) / x^{n}", i, 8, 15)
        octaves(f"I{n}E_RIGHT", f"e^-x I{n}(x)", lambda x, n=n: exp(-x) * mpmath.besseli(n, x), 3, 6)
        octaves(f"K{n}E", f"e^x K{n}(x)", lambda x, n=n: exp(x) * mpmath.besselk(n, x), 0, 6)
        far = lambda sign, scale, a=a: lambda u: sum((sign * u) ** k * a[k] for k in range(25)) * scale
        single(f"I{n}E_FAR", f"sqrt(x) e^-x I{n}(x) in 1/x", far(-1, 1 / sqrt(2 * pi)), 0, mpf(1) / 64, 9)
        single(f"K{n}E_FAR", f"sqrt(x) e^x K{n}(x) in 1/x", far(1, sqrt(pi / 2)), 0, mpf(1) / 64, 9)
    # DLMF 10.31.1, 10.31.2 with the logarithm taken out
    fact = mpmath.factorial
    psi = mpmath.digamma
    taylor("I0_SERIES", "I0(x) in x^2.", [mpf(1) / 4**k / fact(k) ** 2 for k in range(9)])
    taylor("I1_SERIES", "I1(x) / x in x^2.", [mpf(1) / 2 / 4**k / fact(k) / fact(k + 1) for k in range(9)])
    log2 = log(mpf(2))
    taylor("K0_SERIES", "K0(x) + log(x) I0(x) in x^2.", [(psi(k + 1) + log2) / 4**k / fact(k) ** 2 for k in range(9)])
    taylor(
        "K1_SERIES",
        "(K1(x) - log(x) I1(x) - 1/x) / x in x^2.",
        [-((psi(k + 1) + psi(k + 2)) / 2 + log2) / 2 / 4**k / fact(k) / fact(k + 1) for k in range(9)],
    )


def scaled_slopes():
    """The derivatives of e^-x I0(x) and e^x K0(x), which are confluent hypergeometric functions (DLMF 10.39.5, 10.39.6)."""
    for k in (1, 2, 3):
        a, b = mpf(k) + mpf(1) / 2, mpf(k + 1)
        ci = (-2) ** k * mpmath.rf(mpf(1) / 2, k) / mpmath.factorial(k)
        ck = (-2) ** k * mpmath.rf(mpf(1) / 2, k) * sqrt(pi)
        i = lambda x: ci * mpmath.hyp1f1(a, b, -2 * x)
        kk = lambda x: ck * mpmath.hyperu(a, b, 2 * x)
        term = lambda s: mpmath.rf(a, s) * mpmath.rf(mpf(1) / 2, s) / mpmath.factorial(s) / mpf(2) ** s
        series = lambda sign, scale: lambda u: sum(term(s) * (sign * u) ** s for s in range(25)) * scale
        fi = ci * mpmath.gamma(b) / sqrt(pi) / 2**a
        fk = ck / 2**a
        units(f"I0E_D{k}", f"Derivative {k} of e^-x I0(x)", i, 8, 14)
        octaves(f"I0E_D{k}_RIGHT", f"the same times x^{k}", lambda x: i(x) * x**k, 3, 6)
        single(f"I0E_D{k}_FAR", "the same times sqrt(x), in 1/x", series(1, fi), 0, mpf(1) / 64, 9)
        octaves(f"K0E_D{k}", f"Derivative {k} of e^x K0(x) times x^{k}", lambda x: kk(x) * x**k, 0, 6)
        single(f"K0E_D{k}_FAR", "the same times sqrt(x), in 1/x", series(-1, fk), 0, mpf(1) / 64, 9)


def order_gamma():
    """`1 / Gamma(1 + u)` by powers, whose even and odd parts Temme's method needs."""
    c = mpmath.taylor(mpmath.rgamma, 1, 26)
    taylor("RGAMMA_EVEN", "(1/Gamma(1 - u) + 1/Gamma(1 + u)) / 2 in u^2.", c[0:24:2])
    taylor("RGAMMA_ODD", "(1/Gamma(1 - u) - 1/Gamma(1 + u)) / (2 u) in u^2.", [-v for v in c[1:25:2]])
    taylor(
        "HALF_SINE",
        "(1 - cos(pi u)) / u^2 in u^2.",
        [(-1) ** (k + 1) * pi ** (2 * k) / mpmath.factorial(2 * k) for k in range(1, 13)],
    )


def log_quantiles():
    """`-x` with `log_ndtr(x) = -s^2`."""

    def quantile(s):
        y = -s * s
        start = sqrt(2 * max(s * s - log(2 * s + 1), mpf(1) / 20))
        return mpmath.findroot(lambda t: log(mpmath.erfc(t / sqrt(mpf(2))) / 2) - y, start)

    octaves("NDTRI_EXP", "-ndtri_exp(-s^2)", quantile, 0, 5)


def grid(name, doc, points, functions):
    """Values on a grid in two doubles each, from which an equation gives Taylor series."""
    rows = [[part for f in functions for v in [f(x)] for part in (v, v - mpf(float(v)))] for x in points]
    table(name, f"{doc}, each as the sum of two doubles.", rows)


def airy():
    both = [lambda x, f=f, n=n: f(x, derivative=n) for f in (mpmath.airyai, mpmath.airybi) for n in (0, 1)]
    grid("AIRY", "Ai, Ai', Bi, Bi' at the multiples of 1/4 from -12 to 12", [mpf(j) / 4 for j in range(-48, 49)], both)


def kelvin():
    turn = mpmath.expjpi(mpf(1) / 4)
    values = (lambda x: mpmath.besseli(0, x * turn), lambda x: turn * mpmath.besseli(1, x * turn))
    seconds = (lambda x: mpmath.besselk(0, x * turn), lambda x: -turn * mpmath.besselk(1, x * turn))
    parts = [lambda x, f=f, p=p: getattr(f(x), p) for f in values + seconds for p in ("real", "imag")]
    grid(
        "KELVIN",
        "ber, bei, ber', bei', ker, kei, ker', kei' at the quarters from 1 to 26",
        [mpf(j) / 4 for j in range(4, 105)],
        parts,
    )


def debye():
    """The coefficients of `U_k(p) / p^k` in `p^2` (DLMF 10.41.9), each row ready for Horner's rule."""
    terms = [{0: mpf(1)}]
    for _ in range(15):
        following = {}
        for n, c in terms[-1].items():
            for power, share in (
                (n + 1, mpf(n) / 2 + mpf(1) / (8 * (n + 1))),
                (n + 3, -mpf(n) / 2 - mpf(5) / (8 * (n + 3))),
            ):
                following[power] = following.get(power, mpf(0)) + c * share
        terms.append(following)
    coefs = [[u.get(k + 2 * i, mpf(0)) for i in range(len(terms))] for k, u in enumerate(terms)]
    table("DEBYE", "U_k(p) / p^k by powers of p^2, from k = 15 down to 0.", coefs[::-1])


def arcs():
    grid("ATAN", "atan at the multiples of 1/32 from 0 to 1", [mpf(k) / 32 for k in range(33)], [mpmath.atan])


if __name__ == "__main__":
    print("//! Tables, by columns, and polynomials, lowest degree first; made by `tests/accuracy/fit_bessel.py`.\n")
    print("#![allow(clippy::approx_constant)]\n\nuse crate::real::Rows;\n")
    exponential_integrals()
    trigonometric_integrals()
    dilogarithm()
    elliptic()
    lambert()
    bessel()
    scaled_slopes()
    order_gamma()
    log_quantiles()
    airy()
    kelvin()
    debye()
    arcs()
