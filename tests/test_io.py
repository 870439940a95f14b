"""Files: .npy, .npz and safetensors."""

import io
import json

import numpy as np
import pytest

import sciarray as sa

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split()


def test_npy_and_npz_are_numpys(tmp_path):
    x = sa.asarray([[1.0, 2.0], [3.0, 4.0]])
    sa.save(tmp_path / "x.npy", x)
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), np.asarray(x))
    np.save(tmp_path / "f.npy", np.asfortranarray(np.asarray(x)))
    np.testing.assert_array_equal(np.asarray(sa.load(tmp_path / "f.npy")), np.asarray(x))
    for save in (sa.savez, sa.savez_compressed):
        save(tmp_path / "a.npz", x, name=x[0])
        found = sa.load(tmp_path / "a.npz")
        assert sorted(found) == ["arr_0", "name"]
        np.testing.assert_array_equal(np.asarray(found["name"]), [1.0, 2.0])


def test_pickles_are_never_loaded(tmp_path):
    np.save(tmp_path / "o.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="never loaded"):
        sa.load(tmp_path / "o.npy")


@pytest.mark.parametrize("name", DTYPES)
def test_safetensors_agree_with_the_reference(name, tmp_path):
    reference = pytest.importorskip("safetensors.numpy")
    tensors = {"a": np.arange(6).reshape(2, 3).astype(name), "empty": np.zeros((0, 2), name), "one": np.ones((), name)}
    sa.save_safetensors(tmp_path / "ours.safetensors", tensors, metadata={"k": "v"})
    theirs = reference.load_file(tmp_path / "ours.safetensors")
    reference.save_file(tensors, tmp_path / "theirs.safetensors")
    ours = sa.load_safetensors(tmp_path / "theirs.safetensors")
    for key, a in tensors.items():
        np.testing.assert_array_equal(theirs[key], a)
        assert ours[key].dtype == name
        np.testing.assert_array_equal(np.asarray(ours[key]), a)


def _file(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return io.BytesIO(len(text).to_bytes(8, "little") + text + data)


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (io.BytesIO(b"abc"), "8 bytes of header length"),
        (io.BytesIO((1 << 60).to_bytes(8, "little")), "header may have"),
        (io.BytesIO((100).to_bytes(8, "little") + b"{}"), "ends inside its header"),
        (_file(b"{nonsense"), "not JSON"),
        (_file([]), "must be a JSON object"),
        (_file({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}, bytes(4)), "needs 8 bytes"),
        (_file({"a": {"dtype": "U8", "shape": [2], "data_offsets": [1, 3]}}, bytes(3)), "without holes"),
        (_file({"a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]}}, bytes(3)), "describes 2 bytes"),
        (_file({"a": {"dtype": "U8", "shape": [-1], "data_offsets": [0, 0]}}), "needs dtype, shape"),
    ],
)
def test_broken_safetensors_are_refused(file, message):
    with pytest.raises(ValueError, match=message):
        sa.load_safetensors(file)


def test_complex_is_refused():
    with pytest.raises(TypeError, match="complex128"):
        sa.save_safetensors(io.BytesIO(), {"z": sa.asarray([1j])})
