"""Nothing is kept: memory stays flat over many steps, and graphs of a million nodes are freed without recursion."""

from __future__ import annotations

import contextlib
import gc
import resource
import subprocess
import sys
import tracemalloc
import weakref
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import sciarray as sa

STEPS = 100_000


def resident() -> int:
    """Bytes that the process occupies now; its peak where the system does not tell."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def assert_flat(step: Callable[[], object], steps: int) -> None:
    """No step leaves anything behind, not even for the cycle collector: neither 84 bytes nor one Python object."""
    for _ in range(1000):
        step()
    gc.collect()
    gc.disable()
    try:
        before = resident()
        for _ in range(steps):
            step()
        assert resident() - before < 84 * STEPS
        tracemalloc.start()
        # Python keeps a few thousand freed tuples of each length for itself.
        for _ in range(10_000):
            step()
        assert tracemalloc.get_traced_memory()[0] < 48 * 10_000
    finally:
        tracemalloc.stop()
        gc.enable()


def gradient_step() -> Callable[[], object]:
    f = sa.grad(lambda x: (sa.sin(x) * x).sum())
    x = sa.asarray(np.linspace(0, 1, 100))
    return lambda: f(x)


def tape_step() -> Callable[[], object]:
    w = sa.asarray(np.linspace(0, 1, 100), requires_grad=True)

    def step() -> None:
        nonlocal w
        (w * w).sum().backward()
        with sa.no_grad():
            w -= 1e-6 * w.grad
        w.grad = None

    return step


def second_order_step() -> Callable[[], object]:
    x = sa.asarray(np.linspace(0, 1, 10))
    return lambda: sa.hvp(lambda x: sa.exp(x).sum(), (x,), (x,))


def assignment_step() -> Callable[[], object]:
    x = sa.zeros(1000)

    def step() -> None:
        x[3] = 1.0
        x[1:] = x[:-1]

    return step


def replay_step() -> Callable[[], object]:
    f = sa.record(lambda x: (sa.sin(x) * x, x[1:]))
    x = sa.asarray(np.linspace(0, 1, 100))
    return lambda: f(x)


def custom_rule_step() -> Callable[[], object]:
    @sa.custom_vjp
    def f(x):
        return sa.exp(x)

    f.defvjp(lambda x: (f(x), x), lambda x, g: (g * sa.exp(x),))
    return lambda: sa.grad(f)(1.0)


@pytest.mark.parametrize(
    ("make", "steps"),
    [
        (gradient_step, STEPS),
        (tape_step, STEPS // 2),
        (second_order_step, STEPS // 10),
        (assignment_step, STEPS),
        (replay_step, STEPS),
        (custom_rule_step, STEPS // 10),
    ],
)
def test_memory_stays_flat(make, steps):
    assert_flat(make(), steps)


def test_a_failed_step_keeps_nothing():
    def step() -> None:
        with contextlib.suppress(ValueError):
            sa.grad(lambda x: sa.matmul(x, sa.ones((3, 3))))(sa.ones(2))

    assert_flat(step, STEPS // 10)


def test_graphs_are_no_cycles():
    class Kept:
        pass

    marker = Kept()
    alive = weakref.ref(marker)

    @sa.custom_vjp
    def f(x):
        return x

    def bwd(_, g, marker=marker):
        return g

    f.defvjp(lambda x: (x, None), bwd)

    def run(f: Callable[[sa.Array], sa.Array]) -> None:
        sa.grad(lambda x: f(x) * f(x))(1.0)
        x = sa.asarray(2.0, requires_grad=True)
        (f(x) * x).backward()

    gc.disable()
    try:
        run(f)
        del f, bwd, marker
        assert alive() is None
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("mode", "nodes"), [("reverse", 1_000_000), ("forward", 200_000), ("tape", 200_000), ("dropped", 1_000_000)]
)
def test_long_chains_do_not_overflow_the_stack(mode, nodes):
    """In a thread's small stack, where recursion over the nodes would end the process."""
    program = f"""
import threading
import sciarray as sa

def chain(x):
    for _ in range({nodes}):
        x = x * 1.0000001
    return x

def work():
    if {mode!r} == "reverse":
        g = sa.grad(chain)(1.0)
    elif {mode!r} == "forward":
        g = sa.jvp(chain, (1.0,), (1.0,))[1]
    else:
        x = sa.asarray(1.0, requires_grad=True)
        y = chain(x)
        if {mode!r} == "dropped":
            del x, y
            return
        y.backward()
        g = x.grad
    assert abs(float(g) - 1.0000001**{nodes}) < 1e-9, float(g)

threading.stack_size(256 * 1024)
t = threading.Thread(target=work)
t.start()
t.join()
print("done")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "done\n", done.stderr[-2000:]
