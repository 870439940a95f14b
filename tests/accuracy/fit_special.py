"""Fits the polynomials of rust/scalar/src/special and prints them as Rust constants (mpmath, 60 digits).

python tests/accuracy/fit_special.py [name ...]
"""

import sys

from fit_bessel import table
from mpmath import (
    bernoulli,
    bernpoly,
    binomial,
    cos,
    digamma,
    erf,
    erfc,
    erfi,
    euler,
    exp,
    factorial,
    findroot,
    fresnelc,
    fresnels,
    gamma,
    log,
    loggamma,
    mp,
    mpf,
    pi,
    polyval,
    psi,
    sin,
    sqrt,
    stieltjes,
    zeta,
)

mp.dps = 60


def fit(f, lo, hi, degree):
    """Monomial coefficients, lowest first, of the Chebyshev interpolant of f in t = x - (lo + hi) / 2."""
    lo, hi = mpf(lo), mpf(hi)
    mid, half, n = (lo + hi) / 2, (hi - lo) / 2, degree + 1
    nodes = [cos(pi * (2 * k + 1) / (2 * n)) for k in range(n)]
    values = [f(mid + half * u) for u in nodes]
    cheb = [
        sum(v * cos(pi * j * (2 * k + 1) / (2 * n)) for k, v in enumerate(values)) * (2 if j else 1) / n
        for j in range(n)
    ]
    prev, cur, out = [mpf(1)], [mpf(0), mpf(1)], [mpf(0)] * n
    for j, c in enumerate(cheb):
        poly = prev if j == 0 else cur
        for i, p in enumerate(poly):
            out[i] += c * p
        if j >= 1:
            nxt = [mpf(0)] + [2 * p for p in cur]
            for i, p in enumerate(prev):
                nxt[i] -= p
            prev, cur = cur, nxt
    return [c / half**i for i, c in enumerate(out)]


def error(coefs, f, lo, hi, relative=True):
    worst = mpf(0)
    for k in range(201):
        x = mpf(lo) + (mpf(hi) - lo) * (k + mpf("0.37")) / 201.5
        got, want = polyval([mpf(float(c)) for c in coefs[::-1]], x - (mpf(lo) + hi) / 2), f(x)
        worst = max(worst, abs(got - want) / (abs(want) if relative else 1))
    return worst


def show(name, coefs, note=""):
    print(f"// {note}" if note else "", end="\n" if note else "")
    print(f"const {name}: [f64; {len(coefs)}] = [")
    for c in coefs:
        print(f"    {float(c)!r},")
    print("];")


def split(x):
    hi = float(x)
    return hi, float(x - mpf(hi))


def gauss(n):
    """Nodes and weights on [0, 1]: the zeros of the Legendre polynomial by Newton's method."""
    rows = []
    for k in range(n):
        x = cos(pi * (k + mpf(3) / 4) / (n + mpf(1) / 2))
        for _ in range(8):
            p, before = x, mpf(1)
            for j in range(2, n + 1):
                p, before = ((2 * j - 1) * x * p - (j - 1) * before) / j, p
            slope = n * (x * p - before) / (x * x - 1)
            x -= p / slope
        rows.append(((1 + x) / 2, 1 / ((1 - x * x) * slope**2)))
    return sorted(rows)


def gauss_legendre():
    table("GAUSS", "Nodes and weights of the 16-point rule of Gauss on [0, 1]", gauss(16))
    # An even integrand needs half of the nodes.
    rows = [(2 * x - 1, 2 * w) for x, w in gauss(48)[24:]]
    table("GAUSS_EVEN", "Positive nodes of the 48-point rule of Gauss on [-1, 1], and their weights", rows)


def octaves(name, doc, f, first, last, degree=12):
    """Rows of polynomials on eighths of the octaves of [2^first, 2^last), the constant in two parts."""
    rows, worst = [], mpf(0)
    for octave in range(first, last):
        for k in range(8):
            lo, hi = (mpf(2) ** octave * (1 + mpf(k + j) / 8) for j in (0, 1))
            c = fit(f, lo, hi, degree)
            rows.append([*split(c[0]), *c[1:]])
            worst = max(worst, error(c, f, lo, hi))
    table(name, doc, rows)
    print(f"// {name} {float(worst):.1e}", file=sys.stderr)


def at_zero(name, doc, f, to, degree):
    """Monomial coefficients in the variable itself of the interpolant on [0, to]."""
    c, mid = fit(f, 0, to, degree), mpf(to) / 2
    print(f"// {name} {float(error(c, f, 0, mpf(to))):.1e}", file=sys.stderr)
    d = [sum(c[j] * binomial(j, i) * (-mid) ** (j - i) for j in range(i, len(c))) for i in range(len(c))]
    print(f"/// {doc}\npub const {name}: [f64; {len(d)}] = [")
    print("\n".join(f"    {float(v)!r}," for v in d) + "\n];")


def legendre():
    """Even and odd parts of `Gamma(2 + e) / (sqrt(pi) Gamma(5/2 + e))` in `e^2`."""
    f = lambda e: gamma(2 + e) / gamma(mpf(5) / 2 + e) / sqrt(pi)
    even = lambda u: (f(sqrt(u)) + f(-sqrt(u))) / 2
    odd = lambda u: (f(sqrt(u)) - f(-sqrt(u))) / (2 * sqrt(u))
    doc = "part of `Gamma(2 + e) / (sqrt(pi) Gamma(5/2 + e))`, in `e^2` on [0, 9/16]"
    at_zero("LEGENDRE_EVEN", f"Even {doc}", even, mpf(9) / 16, 11)
    at_zero("LEGENDRE_ODD", f"Odd {doc}, over `e`", odd, mpf(9) / 16, 11)


def dawson():
    f = lambda x: sqrt(pi) / 2 * exp(-x * x) * erfi(x)
    octaves(
        "DAWSN",
        "dawsn on eighths of the octaves of [0.5, 32): value at the middle (two parts), then the slopes.",
        f,
        -1,
        5,
    )
    near = lambda z: f(sqrt(z)) / sqrt(z) if z else mpf(1)
    at_zero("DAWSN_NEAR", "`dawsn(x) / x` in `x^2` on [0, 1/4]", near, 0.25, 9)
    imaginary = lambda z: (erfi(sqrt(z)) / sqrt(z) - 2 / sqrt(pi)) / z if z else 2 / (3 * sqrt(pi))
    at_zero("ERFI_NEAR", "`(erfi(x) / x - 2 / sqrt(pi)) / x^2` in `x^2` on [0, 1/4]", imaginary, 0.25, 8)


def fresnel():
    def aux(x):
        u, v = mpf(1) / 2 - fresnels(x), mpf(1) / 2 - fresnelc(x)
        a = pi * x * x / 2
        return u * cos(a) - v * sin(a), v * cos(a) + u * sin(a)

    octaves("FRESNEL_F", "Fresnel's f on eighths of the octaves of [1, 8).", lambda x: aux(x)[0], 0, 3)
    octaves("FRESNEL_G", "Fresnel's g on eighths of the octaves of [1, 8).", lambda x: aux(x)[1], 0, 3)
    root = lambda z: sqrt(sqrt(z))
    s = lambda z: fresnels(root(z)) / root(z) ** 3 if z else pi / 6
    c = lambda z: fresnelc(root(z)) / root(z) if z else mpf(1)
    at_zero("FRESNEL_S", "`S(x) / x^3` in `x^4` on [0, 1]", s, 1, 8)
    at_zero("FRESNEL_C", "`C(x) / x` in `x^4` on [0, 1]", c, 1, 8)


def zeta_near():
    f = lambda s: zeta(s) - 1 / (s - 1) if s != 1 else euler
    c = fit(f, -0.5, 1, 12)
    show("ZETA_NEAR", c, f"zeta(s) - 1 / (s - 1) about 1/4 on [-1/2, 1], error {float(error(c, f, -0.5, 1)):.1e}")


def zeta_laurent():
    """Laurent's series at the pole without the pole itself (DLMF 25.2.4), for distances up to 7/2."""
    c = [(-1) ** n * stieltjes(n) / factorial(n) for n in range(29)]
    show("ZETA_LAURENT", c, "zeta(1 + u) - 1 / u by powers of u, for |u| to 7/2")


def psi_root():
    x0 = findroot(digamma, 1.4616)
    hi, lo = split(x0)
    lo, lo2 = split(x0 - mpf(hi))
    print(f"root {hi!r} {lo!r} {lo2!r}")
    f = lambda x: digamma(x) / (x - x0)
    c = fit(f, 1, 2, 21)
    show("DIGAMMA", c, f"error {float(error(c, f, 1, 2)):.1e}")
    below = findroot(digamma, -0.504)
    hi, lo = split(below)
    print(f"negative root {hi!r} {lo!r}")
    series = lambda x: [(-1) ** k * zeta(k + 2, x) for k in range(24)]
    show("DIGAMMA_ABOUT_ROOT", series(x0), "`(digamma(x0 + t) - digamma(x0)) / t` for the positive root `x0`")
    show("DIGAMMA_ABOVE_ROOT", series(below + 2), "The same for 2 above the root next to -1/2")


def lgamma():
    f = lambda x: loggamma(x) / ((x - 1) * (x - 2))
    c = fit(f, 1, 2, 22)
    show("GAMMALN", c, f"error {float(error(c, f, 1, 2)):.1e}")
    dip = findroot(digamma, -2.61)
    print(f"dip {split(dip)!r} {split(log(abs(gamma(dip))))!r}")
    c = [psi(k + 1, dip) / factorial(k + 2) for k in range(16)]
    show("GAMMALN_DIP", c, "`(gammaln(x0 + t) - gammaln(x0)) / t^2` for the root `x0` of digamma next to -2.61")


def rgamma():
    f = lambda x: 1 / gamma(x)
    c = fit(f, 1, 2, 15)
    show("RGAMMA", c, f"error {float(error(c, f, 1, 2)):.1e}")
    print("lead", [split(v) for v in c[:3]])


def stirling():
    show("STIRLING", [bernoulli(2 * k) / (2 * k * (2 * k - 1)) for k in range(1, 11)])
    show("PSI_TAIL", [bernoulli(2 * k) / (2 * k) for k in range(1, 11)])
    show("BERNOULLI", [bernoulli(2 * k) / factorial(2 * k) for k in range(1, 16)])


def temme():
    """C_k(eta) of Temme's expansion (SIAM J. Math. Anal. 10, 1979; DLMF 8.12.12) as power series in eta."""
    n = 60
    # lambda - 1 = eta alpha-series: mu(eta), from eta^2/2 = mu - log(1 + mu), mu = sum alpha_i eta^i.
    alpha = [mpf(0), mpf(1)]
    for m in range(2, n + 1):
        # mu mu' = eta (1 + mu)
        s = alpha[m - 1]
        s -= sum(alpha[j] * alpha[m + 1 - j] * (m + 1 - j) for j in range(2, m))
        alpha.append(s / (m + 1))
    # c_k recurrence: C_0 = 1/mu - 1/eta; C_k = (1/eta) dC_{k-1}/deta + gamma_k / mu  (sign folded in gamma_k)
    shifted = alpha[1:]
    inv = [1 / shifted[0]]
    for m in range(1, len(shifted)):
        inv.append(-sum(shifted[j] * inv[m - j] for j in range(1, m + 1)) / shifted[0])
    # 1/mu = inv(eta) / eta
    c = [inv[i + 1] for i in range(len(inv) - 1)]
    rows = []
    for k in range(12):
        rows.append(c)
        d = [(i + 1) * c[i + 1] for i in range(len(c) - 1)]
        g = -d[0]
        c = [(d[i + 1] + g * inv[i + 1]) for i in range(min(len(d), len(inv)) - 1)]
    print("alpha", [float(a) for a in alpha[:6]])
    print("C_k(0)", [float(r[0]) for r in rows])
    return rows, alpha


def erf_tables():
    doc = "erfcx on eighths of the octaves of [0.5, 32): value at the middle (two parts), then the slopes."
    octaves("ERFCX", doc, lambda x: exp(x * x) * erfc(x), -1, 5)
    g = lambda u: erf(sqrt(u)) / sqrt(u) if u else 2 / sqrt(pi)
    c = fit(g, 0, 1, 12)
    print(f"// erf core {float(error(c, g, 0, 1)):.1e}", file=sys.stderr)
    note = "erf(x) / x about x^2 = 1/2 for x^2 in [0, 1], the first two in two parts"
    show("ERF", [*split(c[0]), *split(c[1]), *c[2:]], note)
    print("// 2/sqrt(pi)", split(2 / sqrt(pi)))


def erfcinv(q):
    l = log(q)
    y = sqrt(-l) if q < mpf("0.1") else mpf("0.6")
    for _ in range(60):
        c = erfc(y)
        step = (log(c) - l) * c * sqrt(pi) / 2 * exp(y * y)
        y += step
        if abs(step) < mpf(10) ** -50:
            break
    return y


def inverse():
    core = lambda z: erfinv_root(sqrt(z)) if z else sqrt(pi) / 2
    c = fit(core, 0, mpf("0.29"), 16)
    mid = mpf("0.145")
    d = [sum(c[j] * binomial(j, i) * (-mid) ** (j - i) for j in range(i, len(c))) for i in range(len(c))]
    root = sqrt(mpf(2))
    octaves(
        "NDTRI_TAIL", "-ndtri(q / 2) on eighths of the octaves of [2^-10, 1/2)", lambda q: root * erfcinv(q), -10, -1
    )
    show("ERFINV", d, f"erfinv(p) / p in p^2 on [0, 0.29], error {float(error(c, core, 0, 0.29)):.1e}")
    print("lead", split(d[0]))


def erfinv_root(p):
    return erfcinv(1 - p) / p if p > mpf(10) ** -15 else sqrt(pi) / 2


def temme_table():
    rows, alpha = temme()
    out, eta = [], mpf("0.36")
    for k in range(10):
        # terms that matter beside C_0 at a = 25, |eta| <= 0.36, with room for two derivatives
        row = [
            v
            for i, v in enumerate(rows[k])
            if abs(v) * eta ** max(i - 2, 0) * i * i / mpf(25) ** k > mpf(10) ** -17 or i < 4
        ]
        n = max(
            i
            for i, v in enumerate(rows[k])
            if i < 4 or abs(v) * eta ** max(i - 2, 0) * (i + 1) ** 2 / mpf(25) ** k > mpf(10) ** -17
        )
        out.append(rows[k][: n + 1])
    print("const TEMME: [&[f64]; 10] = [")
    for row in out:
        print("    &[" + ", ".join(repr(float(v)) for v in row) + "],")
    print("];")


def quotient(a, b):
    """Of power series."""
    out = []
    for k in range(len(a)):
        out.append((a[k] - sum(out[i] * b[k - i] for i in range(k))) / b[0])
    return out


def drift_table(name, rows, least, first):
    """Terms that matter at the least shape and a logarithm of 1, the derivative too."""
    print(f"pub const {name}: [&[f64]; {len(rows)}] = [")
    for k, row in enumerate(rows, first):
        size = lambda i, v: i * abs(v) / mpf(least) ** (k - first)
        last = max(i for i, v in enumerate(row[:40]) if i < 2 or size(i, v) > mpf(10) ** -17)
        print("    &[" + ", ".join(repr(float(v)) for v in row[: last + 1]) + "],")
    print("];")


def drift():
    """The terms of the speeds of quantiles, see drift.rs."""
    n = 90
    exps = [1 / factorial(k) for k in range(n)]
    below = [mpf(0), *exps[1:]]
    # log a - digamma(a)
    steps = {1: mpf(1) / 2, **{2 * j: bernoulli(2 * j) / (2 * j) for j in range(1, 8)}}
    rows = [quotient([mpf(1)] + [mpf(0)] * (n - 2), [(-1) ** k * exps[k + 1] for k in range(n - 1)])]
    for k in range(1, 11):
        v = rows[-1]
        top = [(i + 1) * v[i + 1] - v[i] + steps.get(k, 0) * exps[i] for i in range(len(v) - 1)]
        assert abs(top[0]) < mpf(10) ** -40
        rows.append(quotient(top[1:], exps[1:]))
    drift_table("GAMMA_DRIFT", rows, 25, 0)
    # digamma((df + 1)/2) - digamma(df/2) - 1/df, by DLMF 5.11.8
    steps = {k: -((-2) ** k) * (bernpoly(k, mpf(1) / 2) - bernpoly(k, 0)) / k for k in range(2, 13)}
    rows = [[mpf(0)] * n]
    for k in range(12):
        v = rows[-1]
        slope = [(i + 1) * v[i + 1] for i in range(len(v) - 1)]
        top = [steps.get(k, 0) * exps[i] / 2 + v[i] for i in range(len(slope))]
        top = [t + 2 * sum(below[j] * slope[i - j] for j in range(i + 1)) for i, t in enumerate(top)]
        if k == 0:
            top = [t + (below[i] - (exps[i - 1] if i else 0)) / 2 for i, t in enumerate(top)]
        if k == 1:
            top = [t + below[i] / 2 for i, t in enumerate(top)]
        assert abs(top[0]) < mpf(10) ** -40
        rows.append(quotient(top[1:], exps[1:]))
    drift_table("STUDENT_DRIFT", rows[1:], 30, 1)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        globals()[name]()
