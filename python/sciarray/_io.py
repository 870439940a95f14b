"""Arrays in files: NumPy's .npy and .npz, and safetensors."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import prod
from typing import Any, BinaryIO

import numpy as np

from ._core import Array
from ._creation import asarray

__all__ = ["load", "load_safetensors", "save", "save_safetensors", "savez", "savez_compressed"]

File = str | os.PathLike[str] | BinaryIO


def save(file: File, arr: Any, /) -> None:
    """Writes one array in NumPy's .npy format; a path without that suffix gets it.

    Example
    -------
    >>> import io
    >>> f = io.BytesIO()
    >>> sa.save(f, sa.asarray([1.0, 2.0]))
    >>> _ = f.seek(0)
    >>> sa.load(f)
    array([1., 2.])
    """
    np.save(file, _values([arr])[0], allow_pickle=False)


def savez(file: File, /, *args: Any, **kwargs: Any) -> None:
    """Writes several arrays into one uncompressed .npz archive, under their keywords or as ``arr_0``, ``arr_1``, ...

    Example
    -------
    >>> import io
    >>> f = io.BytesIO()
    >>> sa.savez(f, a=sa.asarray([1, 2]))
    >>> _ = f.seek(0)
    >>> sa.load(f)
    {'a': array([1, 2])}
    """
    np.savez(file, *_values(args), allow_pickle=False, **dict(zip(kwargs, _values(kwargs.values()))))


def savez_compressed(file: File, /, *args: Any, **kwargs: Any) -> None:
    """Writes several arrays into one compressed .npz archive; see `savez`.

    Example
    -------
    >>> import io
    >>> f = io.BytesIO()
    >>> sa.savez_compressed(f, sa.zeros(1000))
    >>> len(f.getvalue()) < 1000
    True
    """
    np.savez_compressed(file, *_values(args), allow_pickle=False, **dict(zip(kwargs, _values(kwargs.values()))))


def _values(xs: Any) -> list[np.ndarray]:
    return [np.asarray(asarray(x).to("cpu")) for x in xs]


def load(file: File, /) -> Array | dict[str, Array]:
    """Reads a .npy file as an array, or a .npz archive as a dict of arrays.

    Unlike NumPy's, an archive is read at once. Pickled objects are refused with ValueError, dtypes that sciarray lacks
    with TypeError; float16 becomes float32.

    Example
    -------
    >>> import io
    >>> f = io.BytesIO()
    >>> np.save(f, np.arange(3))
    >>> _ = f.seek(0)
    >>> sa.load(f)
    array([0, 1, 2])
    """
    try:
        found = np.load(file, allow_pickle=False)
        if not isinstance(found, np.lib.npyio.NpzFile):
            return asarray(found)
        with found:
            return {name: asarray(found[name]) for name in found.files}
    except EOFError as e:
        raise ValueError(f"load: the file is empty or cut off: {e}") from e
    except ValueError as e:
        if "pickle" in str(e):
            raise ValueError("load: not a .npy or .npz file of numbers; pickled objects are never loaded") from e
        raise


# https://github.com/huggingface/safetensors#format
_DTYPES = {
    "BOOL": "bool",
    "U8": "uint8",
    "I8": "int8",
    "U16": "uint16",
    "I16": "int16",
    "U32": "uint32",
    "I32": "int32",
    "U64": "uint64",
    "I64": "int64",
    "F16": "float16",
    "F32": "float32",
    "F64": "float64",
}
_NAMES = {numpy_name: name for name, numpy_name in _DTYPES.items()}
_MAX_HEADER = 100_000_000


@contextmanager
def _opened(file: File, mode: str) -> Iterator[Any]:
    if hasattr(file, "read") or hasattr(file, "write"):
        yield file
    else:
        with open(file, mode) as f:
            yield f


def save_safetensors(file: File, tensors: Mapping[str, Any], /, *, metadata: Mapping[str, str] | None = None) -> None:
    """Writes named arrays in the safetensors format, with optional texts as ``metadata``.

    The format has no complex numbers (TypeError); real and imaginary parts can be stored as two arrays.

    Example
    -------
    >>> import io
    >>> f = io.BytesIO()
    >>> sa.save_safetensors(f, {"weight": sa.asarray([1.0, 2.0])})
    >>> _ = f.seek(0)
    >>> sa.load_safetensors(f)
    {'weight': array([1., 2.])}
    """
    op = "save_safetensors"
    header: dict[str, Any] = {}
    if metadata is not None:
        if not all(isinstance(text, str) for pair in metadata.items() for text in pair):
            raise TypeError(f"{op}: metadata must map str to str, got {dict(metadata)!r}")
        header["__metadata__"] = dict(metadata)
    arrays: dict[str, np.ndarray] = {}
    for name, x in tensors.items():
        if not isinstance(name, str) or name == "__metadata__":
            raise ValueError(f"{op}: names must be texts other than '__metadata__', got {name!r}")
        (a,) = _values([x])
        if a.dtype.name not in _NAMES:
            raise TypeError(f"{op}: the format holds bool, integers and floats, got {a.dtype.name} for {name!r}")
        arrays[name] = a
    end = 0
    # Wide elements first: every array is then aligned, as the format's other readers expect.
    ordered = sorted(arrays.items(), key=lambda item: (-item[1].itemsize, item[0]))
    for name, a in ordered:
        header[name] = {"dtype": _NAMES[a.dtype.name], "shape": a.shape, "data_offsets": (end, end + a.nbytes)}
        end += a.nbytes
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    if len(text) > _MAX_HEADER:
        raise ValueError(f"{op}: the header may have {_MAX_HEADER} bytes, got {len(text)}")
    with _opened(file, "wb") as f:
        f.write(len(text).to_bytes(8, "little"))
        f.write(text)
        for _, a in ordered:
            f.write(a.astype(a.dtype.newbyteorder("<"), copy=False).tobytes())


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("load_safetensors: names must not repeat in the header")
    return found


def _sizes(x: Any) -> bool:
    return isinstance(x, list) and all(type(n) is int and n >= 0 for n in x)


def _header(f: Any) -> dict[str, Any]:
    op = "load_safetensors"
    prefix = f.read(8)
    if len(prefix) < 8:
        raise ValueError(f"{op}: a file starts with 8 bytes of header length, got {len(prefix)} bytes")
    length = int.from_bytes(prefix, "little")
    if length > _MAX_HEADER:
        raise ValueError(f"{op}: the header may have {_MAX_HEADER} bytes, got {length}")
    text = f.read(length)
    if len(text) < length:
        raise ValueError(f"{op}: the file ends inside its header, got {len(text)} of {length} bytes")
    try:
        header = json.loads(text.decode(), object_pairs_hook=_unique)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as e:
        raise ValueError(f"{op}: the header is not JSON: {e}") from e
    if not isinstance(header, dict):
        raise ValueError(f"{op}: the header must be a JSON object, got {type(header).__name__}")
    return header


def _check_layout(entries: Mapping[str, Any], size: int) -> None:
    """Every array's bytes are as many as its shape needs; together they cover the data once, without holes."""
    op = "load_safetensors"
    for name, entry in entries.items():
        fields: dict[str, Any] = entry if isinstance(entry, dict) else {}
        shape: Any = fields.get("shape")
        offsets: Any = fields.get("data_offsets")
        if not (_sizes(shape) and _sizes(offsets) and len(offsets) == 2 and isinstance(fields.get("dtype"), str)):
            raise ValueError(f"{op}: {name!r} needs dtype, shape and two data_offsets, got {entry!r}")
        if fields["dtype"] not in _DTYPES and fields["dtype"] != "BF16":
            raise TypeError(f"{op}: {name!r} has a dtype that is not supported, got {fields['dtype']}")
        itemsize = np.dtype(_DTYPES.get(fields["dtype"], "uint16")).itemsize
        if offsets[1] - offsets[0] != prod(shape) * itemsize:
            raise ValueError(
                f"{op}: {name!r} of shape {tuple(shape)} needs {prod(shape) * itemsize} bytes, got {offsets}"
            )
    end = 0
    for start, stop in sorted(entry["data_offsets"] for entry in entries.values()):
        if start != end:
            raise ValueError(
                f"{op}: data must follow each other without holes or overlap, got offset {start} after {end}"
            )
        end = stop
    if end != size:
        raise ValueError(f"{op}: the header describes {end} bytes of data, got {size}")


def load_safetensors(file: File, /, *, return_metadata: bool = False) -> Any:
    """Reads a safetensors file as a dict of arrays; with ``return_metadata`` as ``(arrays, metadata)``.

    float16 and bfloat16 become float32; complex and 8-bit floats raise TypeError. A header that contradicts itself or the
    file's length raises ValueError before any array is made.

    Example
    -------
    >>> import io
    >>> f = io.BytesIO()
    >>> sa.save_safetensors(f, {"n": sa.asarray(3)}, metadata={"source": "doc"})
    >>> _ = f.seek(0)
    >>> sa.load_safetensors(f, return_metadata=True)
    ({'n': array(3)}, {'source': 'doc'})
    """
    with _opened(file, "rb") as f:
        header = _header(f)
        data = f.read()
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(text, str) for text in metadata.values()):
        raise ValueError(f"load_safetensors: metadata must map str to str, got {metadata!r}")
    _check_layout(header, len(data))
    arrays = {}
    for name, entry in header.items():
        shape, (start, _) = tuple(entry["shape"]), entry["data_offsets"]
        # bfloat16 is the upper half of a float32.
        stored = np.dtype(_DTYPES.get(entry["dtype"], "uint16")).newbyteorder("<")
        a = np.frombuffer(data, stored, prod(shape), start) if prod(shape) else np.empty(0, stored)
        if entry["dtype"] == "BF16":
            a = (a.astype(np.uint32) << 16).view(np.float32)
        arrays[name] = asarray(a.reshape(shape))
    return (arrays, metadata) if return_metadata else arrays
