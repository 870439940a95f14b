"""Bad input gives an error of the designed form: op, rule, what was received."""

import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import sciarray as sa

X = sa.asarray(np.arange(6.0).reshape(2, 3))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: X + sa.zeros(4), ValueError, r"add: shapes do not broadcast together, got \(2, 3\) and \(4,\)"),
        (lambda: X @ sa.zeros((2, 3)), ValueError, r"matmul: shapes .* got \(2, 3\) and \(2, 3\)"),
        (lambda: X.sum(axis=2), IndexError, r"sum: axis must be in \[-2, 2\) .* got 2"),
        (lambda: X.sum(axis=(0, 0)), ValueError, r"sum: axes must not repeat"),
        (lambda: sa.max(sa.zeros((0, 3)), axis=0), ValueError, r"max: an empty axis has no extremum"),
        (lambda: sa.reshape(X, (4, -1)), ValueError, r"reshape: an array of 6 elements cannot have shape \[4, -1\]"),
        (lambda: sa.reshape(X, (7,)), ValueError, r"reshape: .* got \(7,\) for shape \(2, 3\)"),
        (lambda: X[2], IndexError, r"index: 2 is out of bounds for axis 0 with size 2"),
        (lambda: X[0, 0, 0], IndexError, r"index: too many indices, got 3 for shape \(2, 3\)"),
        (lambda: X[[0, 5]], IndexError, r"index: 5 is out of bounds for axis 0 with size 2"),
        (lambda: X[sa.asarray([0.5])], IndexError, r"valid indices, got an array of dtype float64"),
        (lambda: X[sa.asarray([True])], IndexError, r"boolean index must have the shape"),
        (lambda: X[::0], ValueError, r"slice step cannot be zero"),
        (lambda: sa.bitwise_and(X, 1), TypeError, r"bitwise_and: dtype float64 is not supported"),
        (lambda: sa.exp(), TypeError, r"exp: takes 1 arguments \(x\), got 0"),
        (lambda: sa.exp("1"), TypeError, r"exp: arguments must be arrays or numbers, got str"),
        (lambda: sa.asarray([1, 2], dtype="int8") + 300, OverflowError, r"300 out of bounds for int8"),
        (lambda: sa.asarray([2]) ** -1, ValueError, r"negative integer powers, got -1"),
        (lambda: sa.zeros(3, dtype="float16"), TypeError, r"dtype: unsupported dtype"),
        (lambda: sa.zeros(-1), ValueError, r"zeros: negative dimensions are not allowed, got -1"),
        (lambda: sa.zeros((2**40, 2**40)), MemoryError, r"zeros: array is too big"),
        (lambda: sa.zeros(2**50), MemoryError, r"zeros: unable to allocate"),
        (lambda: sa.zeros((1,) * 65), ValueError, r"at most 64 dimensions"),
        (lambda: float(X), TypeError, r"float: only arrays of one element"),
        (lambda: bool(X), ValueError, r"ambiguous"),
        (
            lambda: sa.linalg.solve(X, X),
            ValueError,
            r"solve: A must be square in its last two axes, got shape \(2, 3\)",
        ),
        (lambda: sa.linalg.solve(sa.zeros((2, 2)), sa.ones(2)), np.linalg.LinAlgError, r"solve: A is singular"),
        (lambda: sa.linalg.cholesky(-sa.eye(2)), np.linalg.LinAlgError, r"not positive definite"),
        (lambda: sa.fft.fft(sa.zeros(0)), ValueError, r"fft: the length must be at least 1, got 0"),
        (lambda: sa.fft.rfft(sa.asarray([1j])), TypeError, r"rfft: the input must be real"),
        (lambda: sa.grad(lambda x: x * x)(X), TypeError, r"grad: the function must return one scalar"),
        (lambda: sa.random.default_rng(-1), ValueError, r"seed must not be negative"),
        (lambda: sa.random.default_rng(0).integers(3, 3), ValueError, r"integers: low must be below high"),
        (lambda: sa.asarray(["a"]), TypeError, r"asarray: only bool and numeric elements"),
    ],
)
def test_errors_name_op_rule_and_values(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_singular_item_is_named_and_the_others_survive():
    a = np.stack([np.eye(2), np.zeros((2, 2)), 2 * np.eye(2)])
    with pytest.raises(np.linalg.LinAlgError, match=r"in batch item \(1,\)"):
        sa.linalg.solve(a, np.ones((3, 2, 1)))
    with sa.errstate(linalg="nan"):
        x = np.asarray(sa.linalg.solve(a, np.ones((3, 2, 1))))
    np.testing.assert_array_equal(x[[0, 2], :, 0], [[1, 1], [0.5, 0.5]])
    assert np.isnan(x[1]).all()


def test_several_threads_compute_and_differentiate():
    results = {}

    def work(k):
        x = sa.asarray(np.linspace(0, 1, 50_000)) + float(k)
        results[k] = np.asarray(sa.grad(lambda v: (sa.sin(v) * v).sum())(x))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)
    for k in range(4):
        v = np.linspace(0, 1, 50_000) + k
        np.testing.assert_allclose(results[k], np.cos(v) * v + np.sin(v), rtol=1e-13, atol=1e-14)


def test_use_after_fork():
    script = """
        import os
        import numpy as np
        import sciarray as sa
        x = sa.asarray(np.arange(1e6))
        before = float(sa.exp(x * 1e-6).sum())
        pid = os.fork()
        if pid == 0:
            os._exit(0 if float(sa.exp(x * 1e-6).sum()) == before else 1)
        assert os.waitpid(pid, 0)[1] == 0
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True, timeout=60)
