"""What every test sees: `sa` and `np` in docstring examples, and the Hypothesis profiles."""

import os
from typing import Any

import hypothesis
import numpy as np
import pytest

import sciarray as sa

hypothesis.settings.register_profile("default", max_examples=20, deadline=None, derandomize=True)
# A profile inherits what it does not say: without `derandomize=False` each deep run would draw the points of the last one.
hypothesis.settings.register_profile("deep", max_examples=1000, deadline=None, derandomize=False, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(autouse=True)
def _doctest_names(doctest_namespace: dict[str, Any]) -> None:
    doctest_namespace["np"] = np
    doctest_namespace["sa"] = sa
