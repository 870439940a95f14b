"""The transformations and the tape: nesting, closures, custom rules, assignment, masks, complex numbers, errors."""

from __future__ import annotations

import threading
from typing import NamedTuple

import numpy as np
import pytest

import sciarray as sa
from sciarray.testing import assert_allclose, check_grads


def cube(x):
    return x * x * x


def close(actual, desired):
    assert_allclose(actual, desired, rtol=1e-13, atol=1e-14)


def equal(actual, desired):
    np.testing.assert_array_equal(np.asarray(actual), desired)


X = sa.asarray([0.3, -1.2, 2.0])


# Nesting


def test_fourth_derivative_of_nested_gradients():
    f = sa.sin
    for expected in (np.cos, lambda x: -np.sin(x), lambda x: -np.cos(x), np.sin):
        f = sa.grad(f)
        close(f(0.7), expected(0.7))


def test_modes_mix_to_order_four():
    def forward(f):
        return lambda x: sa.jvp(f, (x,), (sa.ones_like(x),))[1]

    def reverse(f):
        return lambda x: sa.vjp(f, x)[1](sa.ones_like(f(x)))[0]

    def f(x):
        return sa.exp(2.0 * x)

    modes = [forward, reverse]
    for k in range(16):
        g = f
        for i in range(4):
            g = modes[k >> i & 1](g)
        close(g(X), 16 * np.exp(2 * np.asarray(X)))


def test_perturbations_of_nested_gradients_are_not_confused():
    close(sa.grad(lambda x: x * sa.grad(lambda y: x + y)(2.0))(1.0), 1.0)
    close(sa.grad(lambda x: x * sa.grad(lambda y: x * y)(2.0))(3.0), 6.0)
    inner = lambda x: sa.jvp(lambda y: x * y, (1.0,), (1.0,))[1]
    close(sa.jvp(lambda x: x * inner(x), (3.0,), (1.0,))[1], 6.0)
    close(sa.grad(lambda x: x * inner(x))(3.0), 6.0)


def test_a_value_that_left_its_gradient_is_a_constant_of_the_next():
    kept = []

    def f(x):
        y = sa.sin(x)
        kept.append(y)
        return y * x

    sa.grad(f)(2.0)
    close(sa.grad(lambda x: kept[0] * x)(5.0), np.sin(2.0))
    close(sa.jvp(lambda x: kept[0] * x, (5.0,), (1.0,))[1], np.sin(2.0))


def test_closures_see_outer_variables():
    def outer(x):
        def inner(y):
            return (cube(y) * x).sum()

        return (sa.grad(inner)(x * x) * x).sum()

    # sum 3 x^4 x x = 3 x^6
    close(sa.grad(outer)(X), 18 * np.asarray(X) ** 5)
    check_grads(outer, X)


def test_a_pullback_is_linear_and_differentiable():
    y, pullback = sa.vjp(sa.exp, X)
    close(sa.grad(lambda g: (pullback(g)[0] * X).sum())(sa.ones_like(X)), np.exp(np.asarray(X)) * np.asarray(X))
    close(pullback(y)[0], np.exp(2 * np.asarray(X)))
    close(pullback(y)[0], np.exp(2 * np.asarray(X)))


def test_jvp_of_vjp_and_vjp_of_jvp_agree_with_the_hessian():
    def f(x):
        return (sa.sin(x) * cube(x)).sum() + (x[:-1] * x[1:]).sum()

    v = sa.asarray([1.0, -0.5, 2.0])
    H = sa.hessian(f)(X)
    forward_over_reverse = sa.jvp(lambda x: sa.vjp(f, x)[1](sa.asarray(1.0))[0], (X,), (v,))[1]
    reverse_over_forward = sa.vjp(lambda x: sa.jvp(f, (x,), (v,))[1], X)[1](sa.asarray(1.0))[0]
    close(H @ v, forward_over_reverse)
    close(H @ v, reverse_over_forward)
    close(sa.hvp(f, (X,), (v,)), np.asarray(H @ v))
    for mode in ("forward", "reverse"):
        close(sa.jacobian(sa.grad(f), mode=mode)(X), np.asarray(H))
    close(H, np.asarray(H).T)


def test_linearize_is_reused():
    y, pushforward = sa.linearize(lambda x, z: sa.exp(x) * z, X, 2.0)
    close(y, 2 * np.exp(np.asarray(X)))
    for k in (1.0, 3.0):
        close(pushforward(k * sa.ones_like(X), 0.0), 2 * k * np.exp(np.asarray(X)))
    close(pushforward(sa.zeros_like(X), 1.0), np.exp(np.asarray(X)))


# Arguments and results


class Model(NamedTuple):
    w: sa.Array
    b: sa.Array


def test_trees_keep_their_structure():
    model = Model(sa.asarray([1.0, 2.0]), sa.asarray(0.5))
    tree = {"m": model, "l": [sa.asarray(3.0), (sa.asarray(1.0),)], "n": None}

    def f(t):
        return (t["m"].w * t["l"][0]).sum() + t["m"].b * t["l"][1][0]

    g = sa.grad(f)(tree)
    assert isinstance(g["m"], Model)
    assert isinstance(g["l"][1], tuple)
    assert g["n"] is None
    close(g["m"].w, [3.0, 3.0])
    close(g["m"].b, 1.0)
    close(g["l"][0], 3.0)
    check_grads(f, tree)
    blocks = sa.jacobian(lambda t: [t["m"].w * t["l"][0]])(tree)
    close(blocks[0]["m"].w, 3 * np.eye(2))
    close(blocks[0]["l"][0], [1.0, 2.0])


def test_argnums_and_aux():
    def f(x, y, scale=1.0):
        return (x * y).sum() * scale, {"x": x}

    g, aux = sa.grad(f, argnums=(1, 0), has_aux=True)(X, 2.0 * X, scale=3.0)
    close(g[0], 3 * np.asarray(X))
    close(g[1], 6 * np.asarray(X))
    close(aux["x"], np.asarray(X))
    (value, _), g = sa.value_and_grad(f, argnums=-1, has_aux=True)(X, X)
    close(value, float((X * X).sum()))
    close(g, np.asarray(X))


def test_python_numbers_and_numpy_arrays_are_arguments():
    close(sa.grad(lambda x: x * x)(3.0), 6.0)
    close(sa.grad(lambda x: (x * x).sum())(np.array([1.0, 2.0])), [2.0, 4.0])


def test_results_that_do_not_depend_on_the_argument_have_zero_derivatives():
    equal(sa.grad(lambda x: sa.asarray(2.0))(X), np.zeros(3))
    equal(sa.grad(lambda x: x.detach().sum())(X), np.zeros(3))
    equal(sa.jvp(lambda x: sa.asarray(2.0), (X,), (X,))[1], 0.0)
    equal(sa.jacobian(lambda x: sa.ones(2))(X), np.zeros((2, 3)))
    g = sa.grad(lambda x, y: (x * x).sum(), argnums=(0, 1))(X, X)
    equal(g[1], np.zeros(3))


def test_jacobians():
    for mode in ("forward", "reverse", "auto"):
        close(sa.jacobian(lambda x: x[:2] * x[2], mode=mode)(X), [[2.0, 0.0, 0.3], [0.0, 2.0, -1.2]])
        assert sa.jacobian(sa.exp, mode=mode)(sa.zeros((0, 2))).shape == (0, 2, 0, 2)
        assert sa.jacobian(lambda x: x.sum(), mode=mode)(sa.zeros((2, 3))).shape == (2, 3)
        z = sa.asarray([1 + 2j, -0.5j])
        close(sa.jacobian(lambda z: z * z, mode=mode)(z), np.diag(2 * np.asarray(z)))
        close(sa.jacobian(lambda x: sa.exp(1j * x), mode=mode)(X), np.diag(1j * np.exp(1j * np.asarray(X))))
    with pytest.raises(TypeError, match="jacobian: a real function of a complex argument"):
        sa.jacobian(sa.abs)(sa.asarray([1j]))


# Integer operands and promotion


def test_integer_and_bool_operands_are_constants():
    n, mask = sa.asarray([1, 2, 3]), sa.asarray([True, False, True])
    for f in (
        lambda x: x + n,
        lambda x: n - x,
        lambda x: x * n,
        lambda x: x + mask,
        lambda x: sa.where(mask, x, n),
        lambda x: sa.where(mask, n, x * x),
    ):
        check_grads(f, X)


def test_gradients_have_the_dtype_of_their_argument():
    x32, x64 = sa.asarray([1.0, 2.0], dtype="float32"), sa.asarray([3.0, 4.0])
    g = sa.grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(x32, x64)
    assert [v.dtype.name for v in g] == ["float32", "float64"]
    z = sa.asarray([1j, 2.0])
    g = sa.grad(lambda a, b: sa.real(a * b).sum(), argnums=(0, 1))(x64, z)
    assert [v.dtype.name for v in g] == ["float64", "complex128"]


# Assignment


def test_assignment_is_differentiable():
    def f(x, v):
        y = sa.exp(x)
        y[1:] = v * y[:-1]
        y[0] += y[2] * v[0]
        y *= 2.0
        return y

    check_grads(f, X, sa.asarray([0.5, 1.5]))


def test_assignment_through_views_and_aliases():
    def f(x):
        y = x * 1.0
        alias, view = y, y[1:]
        view *= 10.0
        alias[0] = x[2] * x[1]
        return (y * y).sum() + (view * x[:2]).sum()

    # y = (x2 x1, x1, x2), view = 10 (x1, x2): no write goes through a view, an alias is the same object.
    check_grads(f, X)
    x = np.asarray(X)
    close(f(X), (x[2] * x[1]) ** 2 + x[1] ** 2 + x[2] ** 2 + 10 * (x[1] * x[0] + x[2] * x[1]))


def test_assignment_never_changes_what_was_saved():
    def f(x):
        y = sa.exp(x)
        z = y * y
        y[...] = 0.0
        return (z + y).sum()

    close(sa.grad(f)(X), 2 * np.exp(2 * np.asarray(X)))
    x = sa.asarray([1.0, 2.0])
    y, pullback = sa.vjp(lambda v: v * v, x)
    x[0] = 100.0
    y[0] = 100.0
    close(pullback(sa.ones(2))[0], [2.0, 4.0])


def test_assigning_a_tracked_value_into_a_constant():
    def f(x):
        y = sa.zeros(4)
        for i in range(3):
            y[i] = x[i] * x[i]
        y[3] = y[0] + y[1]
        return y

    check_grads(f, X)


# Masks and zeros


@pytest.mark.parametrize(
    ("f", "points"),
    [
        (lambda x: sa.where(x > 0, sa.log(x), 0.0), [0.0, -1.0, 2.0]),
        (lambda x: sa.where(x > 0, sa.sqrt(x), x), [0.0, -1.0, 4.0]),
        (lambda x: sa.where(x == 0, 1.0, sa.sin(x) / x), [0.0, 0.5, -3.0]),
        (lambda x: sa.where(x < 700, sa.exp(x), 0.0), [1000.0, 1.0, -2.0]),
        (lambda x: sa.where(sa.abs(x) < 1, sa.asin(x), 0.0), [2.0, 0.5, np.inf]),
        (lambda x: sa.where(x > 0, x / (x - x), 0.0), [-1.0, -2.0, -3.0]),
    ],
)
def test_masked_branches_give_no_nan(f, points):
    x = sa.asarray(points)
    one = sa.ones_like(x)
    first = sa.grad(lambda v: f(v).sum())
    assert np.isfinite(np.asarray(first(x))).all()
    close(sa.jvp(f, (x,), (one,))[1], np.asarray(first(x)))
    second = sa.grad(lambda v: first(v).sum())(x)
    assert np.isfinite(np.asarray(second)).all()
    close(sa.jvp(first, (x,), (one,))[1], np.asarray(second))


def test_a_zero_cotangent_stops_infinite_derivatives():
    x = sa.asarray([0.0, 4.0])
    _, pullback = sa.vjp(sa.sqrt, x)
    equal(pullback(sa.asarray([0.0, 1.0]))[0], [0.0, 0.25])
    equal(sa.jvp(sa.sqrt, (x,), (sa.asarray([0.0, 1.0]),))[1], [0.0, 0.25])
    equal(sa.grad(lambda v: sa.sqrt(v)[1])(x), [0.0, 0.25])


@pytest.mark.parametrize("f", [sa.tanh, sa._core.expit, sa._core.softplus, sa._core.erf, sa.atan, sa.exp])
def test_saturated_functions_have_finite_derivatives(f):
    x = sa.asarray([-2000.0, 2000.0 if f is not sa.exp else -800.0])
    one = sa.ones_like(x)
    slope = {"forward": lambda v: sa.jvp(f, (v,), (one,))[1], "reverse": lambda v: sa.vjp(f, v)[1](one)[0]}
    for first in slope.values():
        for second in (sa.jvp(first, (x,), (one,))[1], sa.vjp(first, x)[1](one)[0]):
            assert (np.abs(np.asarray(second)) < 1e-9).all()


def test_the_side_of_a_branch_cut_is_kept():
    for z in (complex(2.0, 0.0), complex(2.0, -0.0), complex(-3.0, 0.0), complex(-3.0, -0.0)):
        beside = complex(z.real, np.copysign(1e-12, z.imag))
        for f in (sa.asin, sa.acos, sa.atanh, sa.acosh, sa.log, sa.sqrt):
            g = [sa.jvp(f, (sa.asarray(w),), (sa.asarray(1.0 + 0j),))[1] for w in (z, beside)]
            assert_allclose(g[0], np.asarray(g[1]), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("zeros", [0, 1, 2, 3])
def test_prod_with_zeros(zeros):
    x = np.array([[2.0, 3.0, -1.5, 0.5]])
    x[0, :zeros] = 0.0
    check_grads(lambda v: sa.prod(v, axis=1), sa.asarray(x))
    check_grads(sa.prod, sa.asarray(x + 0j))


def test_ties_share_the_gradient():
    x = sa.asarray([1.0, 3.0, 3.0, 2.0, 3.0])
    close(sa.grad(lambda v: v.max())(x), [0, 1 / 3, 1 / 3, 0, 1 / 3])
    close(sa.grad(lambda v: v.min())(sa.asarray([1.0, 2.0, 1.0])), [0.5, 0, 0.5])
    close(sa.grad(lambda a: sa.maximum(a, sa.asarray([1.0, 0.0, 5.0])).sum())(sa.asarray([1.0, 1.0, 1.0])), [0.5, 1, 0])
    close(sa.jvp(lambda v: v.max(), (x,), (sa.asarray([9.0, 1.0, 2.0, 9.0, 3.0]),))[1], 2.0)


def test_logaddexp_at_ties_has_its_curvature():
    H = sa.hessian(lambda v: sa.logaddexp(v[0], v[1]))(sa.zeros(2))
    close(H, [[0.25, -0.25], [-0.25, 0.25]])
    equal(sa.grad(lambda v: sa.logaddexp(v[0], v[1]))(sa.asarray([np.inf, np.inf])), [0.5, 0.5])


def test_powers_at_zero():
    g = sa.grad(lambda v: sa.pow(v, sa.asarray([1.0, 2.0, 3.0, 0.0])).sum())
    equal(g(sa.zeros(4)), [1.0, 0.0, 0.0, 0.0])
    equal(sa.grad(lambda v: g(v).sum())(sa.zeros(4)), [0.0, 2.0, 0.0, 0.0])
    H = sa.hessian(lambda v: sa.pow(v[0], v[1]))(sa.asarray([2.0, 0.0]))
    close(H, [[0.0, 0.5], [0.5, np.log(2) ** 2]])


# Complex numbers: the gradient of a real loss is dL/dRe + i dL/dIm


@pytest.mark.parametrize(
    "f",
    [
        lambda z: sa.abs(z),
        lambda z: sa.real(z) * sa.imag(z),
        lambda z: sa.angle(z),
        lambda z: sa.conj(z) * z * 1j,
        lambda z: sa.sign(z),
        lambda z: sa.exp(z) / z,
        lambda z: sa.real(sa.conj(z) * sa.sin(z)),
        lambda z: sa.complex(sa.abs(z), sa.angle(z)),
        lambda z: sa.where(sa.real(z) > 0, z * z, sa.conj(z)),
        lambda z: sa.real(z) * z,
    ],
)
def test_complex_functions(f):
    check_grads(f, sa.asarray([1 + 2j, -0.5 + 0.3j, 0.7 - 1.1j]))


def test_complex_convention():
    z = sa.asarray([3 + 4j, -1j])
    close(sa.grad(lambda z: sa.abs(z).sum())(z), np.asarray(z) / np.abs(np.asarray(z)))
    close(sa.grad(lambda z: sa.real(z * z).sum())(z), 2 * np.conj(np.asarray(z)))
    close(sa.grad(lambda z: sa.imag(z).sum())(z), [1j, 1j])
    close(sa.grad(lambda z: sa.real(z * sa.conj(z)).sum())(z), 2 * np.asarray(z))
    descent = z - 1e-6 * sa.grad(lambda z: sa.abs(z * z + 1.0).sum())(z)
    assert sa.abs(descent * descent + 1.0).sum() < sa.abs(z * z + 1.0).sum()


def test_magnitude_angle_and_sign_at_zero():
    zero = sa.asarray([0j])
    equal(sa.grad(lambda z: sa.abs(z).sum())(zero), [0j])
    equal(sa.grad(lambda z: sa.angle(z).sum())(zero), [0j])
    equal(sa.grad(lambda z: sa.real(sa.sign(z)).sum())(zero), [0j])
    equal(sa.grad(lambda x: sa.abs(x).sum())(sa.asarray([0.0, -0.0])), [0.0, 0.0])
    equal(sa.grad(lambda x: sa.hypot(x[0], x[1]))(sa.zeros(2)), [0.0, 0.0])
    equal(sa.grad(lambda x: sa.atan2(x[0], x[1]))(sa.zeros(2)), [0.0, 0.0])


# Rules of the user's own


def test_custom_vjp():
    calls = []

    @sa.custom_vjp
    def f(x, y):
        return sa.sin(x) * y["k"], x

    def fwd(x, y):
        calls.append("fwd")
        return f(x, y), (x, y["k"])

    def bwd(residuals, g):
        x, k = residuals
        return g[0] * sa.cos(x) * k + g[1], {"k": (g[0] * sa.sin(x)).sum()}

    f.defvjp(fwd, bwd)
    assert f.__name__ == "f"
    check_grads(lambda x, k: f(x, {"k": k}), X, 2.0, order=3)
    calls.clear()
    f(X, {"k": 2.0})
    assert calls == []


def test_custom_vjp_replaces_the_gradient_at_every_order():
    @sa.custom_vjp
    def rounded(x):
        return sa.rint(x)

    rounded.defvjp(lambda x: (rounded(x), None), lambda _, g: g)
    close(sa.grad(lambda x: cube(rounded(x)))(1.8), 12.0)
    close(sa.grad(sa.grad(lambda x: cube(rounded(x))))(1.8), 12.0)
    close(sa.jvp(lambda x: cube(rounded(x)), (1.8,), (1.0,))[1], 12.0)


def test_custom_jvp():
    @sa.custom_jvp
    def f(x, y):
        return sa.exp(x) * y

    f.defjvp(lambda p, t: (f(*p), f(*p) * t[0] + sa.exp(p[0]) * t[1]))
    check_grads(f, X, sa.asarray([1.0, 2.0, -1.0]), order=3)

    @sa.custom_jvp
    def doubled(x):
        return x

    doubled.defjvp(lambda p, t: (p[0], 2.0 * t[0]))
    close(sa.grad(lambda x: doubled(doubled(x)))(1.0), 4.0)
    close(sa.jvp(doubled, (1.0,), (1.0,))[1], 2.0)


def test_arguments_that_are_no_arrays_stay_as_they_are():
    def f(x, mode, n, table):
        assert mode == "sin"
        assert isinstance(n, int)
        return sa.sin(x) * n + table["i"], {"mode": x}

    rest = ("sin", 3, {"i": sa.asarray([1, 2, 3]), "s": "text"})
    by_vjp, by_jvp = sa.custom_vjp(f), sa.custom_jvp(f)
    by_vjp.defvjp(
        lambda x, *r: (f(x, *r), (x, r[1])), lambda r, g: (g[0] * sa.cos(r[0]) * r[1] + g[1]["mode"], None, None, None)
    )
    by_jvp.defjvp(lambda p, t: (f(*p), (t[0] * sa.cos(p[0]) * p[2], {"mode": t[0]})))
    for h in (by_vjp, by_jvp, sa.checkpoint(f)):
        check_grads(lambda x, h=h: h(x, *rest), X)


def test_a_result_of_a_custom_rule_is_not_kept():
    @sa.custom_vjp
    def f(x):
        return x * 2.0

    f.defvjp(lambda x: (f(x), None), lambda _, g: (2.0 * g,))
    x = sa.asarray([1.0, 2.0], requires_grad=True)
    y = f(x)
    y[0] = 5.0
    y.sum().backward()
    equal(x.grad, [0.0, 2.0])


def test_custom_rules_say_what_is_missing():
    @sa.custom_vjp
    def f(x):
        return x

    with pytest.raises(TypeError, match="f: custom_vjp needs defvjp"):
        f(1.0)
    f.defvjp(lambda x: (x, None), lambda _, g: (g, g))
    with pytest.raises(ValueError, match="f: the rule must return 1 cotangents, got 2"):
        sa.grad(f)(1.0)

    @sa.custom_jvp
    def g(x):
        return x

    with pytest.raises(TypeError, match="g: custom_jvp needs defjvp"):
        g(1.0)


def test_an_error_in_a_rule_is_the_users_error():
    @sa.custom_vjp
    def f(x):
        return x

    def bwd(_, g):
        raise ZeroDivisionError("mine")

    f.defvjp(lambda x: (x, None), bwd)
    with pytest.raises(ZeroDivisionError, match="mine"):
        sa.grad(f)(1.0)


def test_checkpoint():
    runs = []

    def f(x, n):
        runs.append(1)
        y = sa.sin(x)
        for _ in range(3):
            y = sa.sin(y) * n
        return y

    n = sa.asarray([1, 2, 3])
    check_grads(lambda x: sa.checkpoint(f)(x, n), X)
    runs.clear()
    plain = sa.grad(lambda x: f(x, n).sum())(X)
    assert len(runs) == 1
    close(sa.grad(lambda x: sa.checkpoint(f)(x, n).sum())(X), np.asarray(plain))
    assert len(runs) == 3


# The tape


def test_backward_accumulates():
    x = sa.asarray([1.0, 2.0], requires_grad=True)
    assert x.is_leaf
    assert x.grad is None
    y = (x * x).sum()
    assert y.requires_grad
    assert not y.is_leaf
    y.backward()
    equal(x.grad, [2.0, 4.0])
    (3.0 * x).sum().backward()
    equal(x.grad, [5.0, 7.0])
    x.grad = None
    sa.exp(x).backward(sa.asarray([1.0, 0.0]))
    equal(x.grad, [np.exp(1.0), 0.0])


def test_backward_reaches_every_leaf_once():
    a, b = (sa.asarray(v, requires_grad=True) for v in (2.0, 3.0))
    c = a * b
    (c * c + c).backward()
    close(a.grad, 2 * 6 * 3 + 3)
    close(b.grad, 2 * 6 * 2 + 2)


def test_create_graph():
    x = sa.asarray(2.0, requires_grad=True)
    cube(x).backward(create_graph=True)
    g = x.grad
    assert g.requires_grad
    x.grad = None
    g.backward()
    close(x.grad, 12.0)
    x.grad = None
    cube(x).backward()
    assert not x.grad.requires_grad


def test_no_grad_detach_and_enable_grad():
    x = sa.asarray([1.0, 2.0], requires_grad=True)
    with sa.no_grad():
        assert not (x * 2.0).requires_grad
        with sa.enable_grad():
            assert (x * 2.0).requires_grad
        assert not (x * 2.0).requires_grad
    assert not (x.detach() * 2.0).requires_grad

    @sa.no_grad()
    def f(v):
        return v * 2.0

    assert not f(x).requires_grad
    with pytest.raises(ZeroDivisionError), sa.no_grad():
        raise ZeroDivisionError
    assert (x * 2.0).requires_grad
    equal(sa.grad(lambda v: (v * sa.stop_gradient(v)).sum())(x.detach()), [1.0, 2.0])


def test_no_grad_inside_a_gradient_is_a_constant():
    def f(x):
        with sa.no_grad():
            y = x * x
        return (x * y).sum()

    close(sa.grad(f)(X), np.asarray(X) ** 2)


def test_gradients_inside_no_grad_work():
    with sa.no_grad():
        close(sa.grad(cube)(2.0), 12.0)
        close(sa.grad(sa.grad(cube))(2.0), 12.0)


def test_an_optimizer_step_keeps_the_leaf():
    x = sa.asarray([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    with sa.no_grad():
        x -= 0.5 * x.grad
    assert x.is_leaf
    assert x.requires_grad
    equal(x, [0.0, 0.0])
    equal(x.grad, [2.0, 4.0])


def test_the_tape_and_the_transformations_compose():
    w = sa.asarray(3.0, requires_grad=True)
    g = sa.grad(lambda x: cube(x) * w)(2.0)
    assert g.requires_grad
    g.backward()
    close(w.grad, 12.0)


def test_slices_and_assignment_on_the_tape():
    x = sa.asarray([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2.0
    y[0] = x[2] * x[2]
    y.sum().backward()
    equal(x.grad, [0.0, 2.0, 8.0])


# Errors


def test_errors():
    with pytest.raises(TypeError, match="grad: differentiated arguments must be float or complex, got int64"):
        sa.grad(lambda x: x)(3)
    with pytest.raises(TypeError, match=r"grad: the function must return one scalar, got 1 outputs of shape \(3,\)"):
        sa.grad(sa.exp)(X)
    with pytest.raises(TypeError, match="grad: the function must return a real float, got complex128"):
        sa.grad(lambda z: z.sum())(sa.asarray([1j]))
    with pytest.raises(TypeError, match="grad: the function must return one scalar, got 2 outputs"):
        sa.grad(lambda x: (x, x))(1.0)
    with pytest.raises(ValueError, match="grad: argnums must name positional arguments, got 2 for 1 arguments"):
        sa.grad(cube, argnums=2)(1.0)
    with pytest.raises(RuntimeError, match="backward: the array does not depend on any array with requires_grad"):
        sa.asarray(1.0).backward()
    with pytest.raises(TypeError, match="backward: the function must return one scalar"):
        sa.asarray([1.0, 2.0], requires_grad=True).backward()
    with pytest.raises(TypeError, match="requires_grad: only float and complex arrays have gradients, got int64"):
        sa.asarray([1], requires_grad=True)
    with pytest.raises(ValueError, match=r"shapes must match those of the values, got \(2,\) for \(3,\)"):
        sa.jvp(sa.exp, (X,), (sa.ones(2),))
    with pytest.raises(ValueError, match="one array per value is required, got 2 for 1"):
        sa.vjp(sa.exp, X)[1]((X, X))
    with pytest.raises(TypeError, match="a complex array does not fit a real value"):
        sa.jvp(sa.exp, (X,), (1j * X,))
    with pytest.raises(ValueError, match="jacobian: mode must be"):
        sa.jacobian(cube, mode="backward")
    with pytest.raises(NotImplementedError, match="spherical_jn: not differentiable in the order n"):
        sa.grad(lambda n: sa._core.spherical_jn(n, 1.5))(1.0)


def test_an_exception_closes_the_scope():
    def broken(x):
        raise ZeroDivisionError

    before = sa._core.open_scopes()
    for _ in range(100):
        with pytest.raises(ZeroDivisionError):
            sa.grad(broken)(1.0)
    assert sa._core.open_scopes() == before
    close(sa.grad(cube)(1.0), 3.0)


def test_nesting_has_a_limit_that_is_named():
    def nested(depth):
        f = sa.sin
        for _ in range(depth):
            f = sa.grad(f)
        return f

    with pytest.raises(RuntimeError, match="at most 63 differentiations can be nested"):
        nested(64)(0.5)
    close(sa.grad(sa.sin)(0.0), 1.0)


# Threads


def test_threads_differentiate_independently():
    errors = []

    def work(k):
        try:
            for _ in range(50):
                x = sa.asarray([0.1 * k, 0.2, 0.3])
                close(sa.grad(lambda v: (sa.grad(lambda u: cube(u).sum())(v) * v).sum())(x), 9 * np.asarray(x) ** 2)
                close(sa.hessian(lambda v: cube(v).sum())(x), np.diag(6 * np.asarray(x)))
        except BaseException as e:
            errors.append(e)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert errors == []


def test_a_pullback_runs_in_another_thread():
    y, pullback = sa.vjp(sa.exp, X)
    results = []
    t = threading.Thread(target=lambda: results.append(pullback(sa.ones_like(X))[0]))
    t.start()
    t.join()
    close(results[0], np.asarray(y))
