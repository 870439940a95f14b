# `make demo` and `make test` do everything on a machine with Python >= 3.11, Rust and a C linker.

VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
READY := $(VENV)/.ready
export VIRTUAL_ENV := $(CURDIR)/$(VENV)

PYTEST := $(PY) -m pytest -q -n auto --dist worksteal
# All members are selected in every cargo call, because the choice of members changes the features of shared dependencies.
# The examples of scalar, a minute each, are left to clippy and to the scripts that run them; there are no Rust doctests.
CARGO_TEST := cargo test --release --workspace -q --tests

.PHONY: help demo test test-deep test-gpu miri check clippy bench bench-gpu curves build stubs wheel clean
.DEFAULT_GOAL := help

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(PY):
	@for p in $(PYTHON) python3.14 python3.13 python3.12 python3.11 python3 python; do \
	  if "$$p" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    "$$p" -m venv $(VENV); break; fi; done; \
	test -x $(PY) || { echo "make: Python >= 3.11 with venv was not found; name one with make PYTHON=..." >&2; exit 1; }
	@command -v cargo >/dev/null || { echo "make: Rust was not found; see https://rustup.rs" >&2; exit 1; }

$(READY): tools/requirements.txt | $(PY)
	$(PY) -m pip install -q --disable-pip-version-check -r tools/requirements.txt
	@touch $@

build: $(READY) ## the extension module, into the environment
	$(BIN)/maturin develop --release --quiet

demo: build ## fits a filter to a recorded electrocardiogram and draws the result
	$(PY) examples/ecg_denoise.py

test: build ## Rust tests, Python tests and the examples in docstrings
	$(CARGO_TEST)
	$(PYTEST)

test-deep: build ## the same with many more random examples
	HYPOTHESIS_PROFILE=deep $(PYTEST)

test-gpu: build ## kernels of cuda/ and arrays on the first GPU, by the tests that else run them on the CPU
	SCIARRAY_TEST_DEVICE=cuda $(PY) -m pytest -q -n 8 --dist worksteal tests/test_cuda_elementwise.py tests/test_cuda_kernels.py \
	  tests/test_cuda_linalg.py tests/test_cuda_runtime.py tests/test_device_arrays.py tests/test_device_examples.py \
	  tests/test_device_exchange.py tests/test_device_fft.py tests/test_device_graphs.py tests/test_device_linalg.py tests/test_device_parity.py \
	  tests/test_device_signal.py tests/test_device_special.py

# Nothing else here wants the nightly toolchain. The threads of the pool live as long as the process, a leak to miri. Stacked borrows stop inside a dependency (crossbeam-epoch), tree borrows do not.
miri: export MIRIFLAGS := -Zmiri-disable-isolation -Zmiri-permissive-provenance -Zmiri-tree-borrows -Zmiri-deterministic-floats
miri: ## the unsafe code under miri, in an hour (rustup component add miri rust-src --toolchain nightly)
	SCIARRAY_ISA=baseline cargo +nightly miri test -p sciarray-scalar --lib -- complex:: dd::
	SCIARRAY_ISA=baseline cargo +nightly miri test -p sciarray-kernels --lib -- --skip pool:: $(ARGS)
	SCIARRAY_ISA=baseline cargo +nightly miri test -p sciarray-kernels --test linalg -- $(ARGS)
	MIRIFLAGS="$$MIRIFLAGS -Zmiri-num-cpus=3 -Zmiri-ignore-leaks" cargo +nightly miri test -p sciarray-kernels --lib -- pool::
	cargo +nightly miri test -p sciarray-core --test core

check: $(PY) ## formatting, lints, types and generated files
	cargo fmt --all --check
	@# pip waits for the network, and most of clippy uses one processor.
	$(MAKE) --no-print-directory -j2 clippy build
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(PY) tools/stubs.py --check
	$(BIN)/mypy
	MYPYPATH=python $(BIN)/stubtest sciarray --mypy-config-file pyproject.toml \
	  --allowlist tools/stubtest_allowlist.txt --ignore-unused-allowlist

clippy: export CARGO_TARGET_DIR := target/clippy
clippy: $(PY)
	cargo clippy --release --workspace -q --lib --examples -- -D warnings

stubs: build ## writes the stub of the extension module
	$(PY) tools/stubs.py

bench: build ## times named cases against the peers that are installed; ARGS="--only fft --peers numpy"
	$(PY) -m benches $(ARGS)

curves: build ## draws the speed of linear algebra over size and batch to docs/images/linalg.png
	$(PY) -m benches --peers numpy,torch --curves docs/images/linalg.png $(ARGS)

bench-gpu: build ## times the kernels of cuda/ on the first GPU, beside PyTorch and CuPy where they are installed
	$(PY) -m benches.gpu

wheel: $(READY) ## the published form: one optimized wheel and the sdist
	$(BIN)/maturin build --profile dist --sdist --out dist

clean: ## removes everything that make made
	rm -rf $(VENV) target dist python/sciarray/*.so
