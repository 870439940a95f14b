"""The functions of the table: arguments for each, and one text of CUDA C++ for all, where shared functions stand once."""

import functools
import re
from dataclasses import dataclass

import numpy as np
import nvrtc
from cuda_host import C_TYPES
from test_elementwise_battery import REAL_ORDERS

from sciarray import _core

#: Zeros, infinities, the ends of the range, thresholds of the functions.
EDGES = [
    *[0.0, np.inf, np.finfo(float).max, np.finfo(float).tiny, 5e-324, 1e-310, 1e300, 1e-300, 1e22],
    *[1.0, 0.5, 0.25, 2.0, 3.0, 1.5, 2.5, 1 + 2.0**-52, 1 - 2.0**-53, np.sqrt(0.5), np.sqrt(2), 0.34657359027997264],
    *[np.pi / 4, np.pi / 2, np.pi, 22, 37, 44, 170.6, 709.7, 709.79, 710.5, 745.2, 746, 1023, 1074, 1075, 308.3, 324],
    *[4194304, 4194305.5, 2.0**52, 2.0**53, 2.0**53 + 2, 6381956970095103 * 2.0**797],
]
DEFINITION = re.compile(r"^SA_(?:TABLE|FUNCTION) \w+ (\w+)", re.M)


@dataclass(frozen=True)
class Row:
    """A function of the table at one dtype."""

    name: str
    dtype: str

    @property
    def is_complex(self):
        return self.dtype.startswith("complex")

    @property
    def arguments(self):
        return len(_core._rows[self.name]["args"])

    @property
    def orders(self):
        """How many of its first arguments are real where the last is complex."""
        return self.arguments - 1 if self.is_complex and self.name.startswith(tuple(REAL_ORDERS)) else 0

    def __call__(self, *args):
        return _core._rows[self.name]["function"](*[x.real for x in args[: self.orders]], *args[self.orders :])

    @functools.cached_property
    def text(self):
        """What it calls and its program, as CUDA C++."""
        return _core.print_elementwise(self.name, [self.dtype] * self.arguments).split("SA_DEVICE void sa_program")

    @functools.cached_property
    def result(self):
        """The dtype of its value."""
        c = re.search(r"(\w+) &r0", self.text[1])[1]
        return next(dtype for dtype, name in C_TYPES.items() if name == c)

    def over(self, head, statement):
        """Its program, and a function `head_NAME_DTYPE` that applies it to element `i` of `n` of each argument."""
        calls = ", ".join(f"x[{k} * n + i]" for k in range(self.arguments))
        types = f"const {C_TYPES[self.dtype]} *x, long n, {C_TYPES[self.result]} *r"
        program = f"program_{self.name}_{self.dtype}"
        text = f"SA_DEVICE void {program}{self.text[1].partition('#define')[0]}"
        return f"{text}{head}_{self.name}_{self.dtype}({types}) {{ {statement} {program}({calls}, r[i]); }}\n"

    @functools.cached_property
    def points(self):
        """Values for each argument, fewer for long functions, which may take long where arguments make no sense."""
        length = len(self.text[0])
        # Odd, because neighbours differ in kind
        apart = 5 if self.is_complex or length > 50_000 else 1
        if length > 200_000 and not nvrtc.DEEP:
            apart = 21
        x = columns(self.arguments * (1 + self.is_complex))[:, ::apart].copy()
        with np.errstate(over="ignore", invalid="ignore"):
            if not self.is_complex:
                return np.ascontiguousarray(x, self.dtype)
            x[1 : 2 * self.orders : 2] = 0
            return x[::2] + 1j * x[1::2]


def rows(*dtypes):
    """All rows that exist at these dtypes, but for `where`."""
    table = sorted(_core._rows.items())
    return [Row(name, d) for name, row in table for d in dtypes if d in row["dtypes"] and name != "where"]


def shared_text(callers):
    """What these rows call, each function and each table once."""
    definitions: dict[str, str] = {}
    for row in callers:
        starts = [*DEFINITION.finditer(row.text[0])]
        for start, end in zip(starts, [*starts[1:], None]):
            text = row.text[0][start.start() : end.start() if end else None]
            assert definitions.setdefault(start[1], text) == text, f"two functions are named {start[1]}"
    return "".join(definitions.values())


@functools.cache
def columns(n):
    """Every pair of edges, doubles of any size and moderate ones in turn, small ones; shifted or mixed between columns."""
    rng = np.random.default_rng(1)
    edges = np.array([*EDGES, *np.negative(EDGES), np.nan])
    bits = rng.integers(0, 2**64, (2, 10_000), np.uint64)
    exponents = np.uint64(1010) + (bits >> np.uint64(52)) % np.uint64(24)
    moderate = bits & ~np.uint64(0x7FF << 52) | exponents << np.uint64(52)
    both = np.where(np.arange(10_000) % 2, bits, moderate).view(float)
    both = np.concatenate([np.reshape(np.meshgrid(edges, edges), (2, -1)), both], axis=1)
    small = np.concatenate([rng.uniform(-3, 8, 4000), np.exp(rng.uniform(-5, 4, 3000)), rng.uniform(0, 1, 3000)])
    return np.stack([np.append(np.roll(both[k % 2], 8 * (k // 2)), rng.permutation(small)) for k in range(n)])
