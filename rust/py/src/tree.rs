//! Nested tuples, lists and dicts: their leaves in order, put together again, and what a recording is found by.

use crate::array::PyArray;
use pyo3::exceptions::{PyRecursionError, PyStopIteration};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyComplexMethods, PyDict, PyFloat, PyInt, PyIterator, PyList, PyString, PyTuple};

/// Levels of containers; Python's own limit for recursion.
const MAX_DEPTH: usize = 1000;

fn check_depth(depth: usize) -> PyResult<()> {
    match depth {
        MAX_DEPTH => Err(PyRecursionError::new_err("tree: containers are nested too deeply")),
        _ => Ok(()),
    }
}

/// The keys in the order in which the values of a dict are leaves: that of their text.
fn sorted_keys<'py>(d: &Bound<'py, PyDict>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let keys = d.keys();
    let mut names: Vec<(String, Bound<'py, PyAny>)> = Vec::with_capacity(keys.len());
    for key in keys.iter() {
        match key.cast_exact::<PyString>().ok().and_then(|s| s.to_str().ok()).map(str::to_owned) {
            Some(name) => names.push((name, key)),
            None => {
                let by = PyDict::new(d.py());
                by.set_item("key", d.py().get_type::<PyString>())?;
                let sorted = d.py().import("builtins")?.getattr("sorted")?.call((keys,), Some(&by))?;
                return sorted.cast::<PyList>()?.iter().map(Ok).collect();
            }
        }
    }
    names.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(names.into_iter().map(|n| n.1).collect())
}

fn walk<'py>(
    x: &Bound<'py, PyAny>,
    depth: usize,
    leaf: &mut dyn FnMut(&Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    check_depth(depth)?;
    if x.cast_exact::<PyArray>().is_ok() {
        leaf(x)
    } else if let Ok(items) = x.cast::<PyTuple>() {
        items.iter().try_for_each(|item| walk(&item, depth + 1, leaf))
    } else if let Ok(items) = x.cast::<PyList>() {
        items.iter().try_for_each(|item| walk(&item, depth + 1, leaf))
    } else if let Ok(d) = x.cast::<PyDict>() {
        sorted_keys(d)?.iter().try_for_each(|key| walk(&d.as_any().get_item(key)?, depth + 1, leaf))
    } else if x.is_none() {
        Ok(())
    } else {
        leaf(x)
    }
}

/// Everything in the tree that is no container, in order; None holds nothing.
#[pyfunction]
pub fn tree_leaves<'py>(tree: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let leaves = PyList::empty(tree.py());
    walk(tree, 0, &mut |x| leaves.append(x))?;
    Ok(leaves)
}

/// The tree with its leaves replaced by the next values.
#[pyfunction]
pub fn tree_rebuild<'py>(tree: &Bound<'py, PyAny>, values: &Bound<'py, PyIterator>) -> PyResult<Bound<'py, PyAny>> {
    rebuild(tree, &mut values.clone(), 0)
}

fn rebuild<'py>(
    tree: &Bound<'py, PyAny>,
    values: &mut Bound<'py, PyIterator>,
    depth: usize,
) -> PyResult<Bound<'py, PyAny>> {
    check_depth(depth)?;
    let py = tree.py();
    if let Ok(items) = tree.cast::<PyTuple>() {
        let items = items.iter().map(|item| rebuild(&item, values, depth + 1)).collect::<PyResult<Vec<_>>>()?;
        let items = PyTuple::new(py, items)?;
        return match tree.cast_exact::<PyTuple>() {
            Ok(_) => Ok(items.into_any()),
            Err(_) if tree.hasattr("_fields")? => tree.get_type().call1(items),
            Err(_) => tree.get_type().call1((items,)),
        };
    }
    if let Ok(items) = tree.cast::<PyList>() {
        let new = PyList::empty(py);
        for item in items.iter() {
            new.append(rebuild(&item, values, depth + 1)?)?;
        }
        return match tree.cast_exact::<PyList>() {
            Ok(_) => Ok(new.into_any()),
            Err(_) => tree.get_type().call1((new,)),
        };
    }
    if let Ok(d) = tree.cast::<PyDict>() {
        // The order of the dict, filled in the order of the leaves.
        let new = PyDict::new(py);
        for key in d.keys().iter() {
            new.set_item(key, py.None())?;
        }
        for key in sorted_keys(d)? {
            let item = rebuild(&d.as_any().get_item(&key)?, values, depth + 1)?;
            new.set_item(key, item)?;
        }
        return Ok(new.into_any());
    }
    if tree.is_none() {
        return Ok(tree.clone());
    }
    values.next().unwrap_or_else(|| Err(PyStopIteration::new_err("tree: there are fewer values than leaves")))
}

/// The arrays among the leaves, and a key: containers by type and length, arrays by dtype and shape, other leaves by type and
/// value. `convert` makes arrays of what is one in another library, and returns other things as they are.
#[pyfunction]
pub fn tree_signature<'py>(
    tree: &Bound<'py, PyAny>,
    convert: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyTuple>)> {
    let py = tree.py();
    let arrays = PyList::empty(py);
    let mut key = Vec::new();
    describe(tree, convert, &arrays, &mut key, 0)?;
    Ok((arrays, PyTuple::new(py, key)?))
}

fn describe<'py>(
    x: &Bound<'py, PyAny>,
    convert: &Bound<'py, PyAny>,
    arrays: &Bound<'py, PyList>,
    key: &mut Vec<Bound<'py, PyAny>>,
    depth: usize,
) -> PyResult<()> {
    check_depth(depth)?;
    let py = x.py();
    let number = |n: u64| -> PyResult<Bound<'py, PyAny>> { Ok(n.into_pyobject(py)?.into_any()) };
    if let Ok(a) = x.cast_exact::<PyArray>() {
        let value = a.get().value();
        arrays.append(a)?;
        key.push(x.get_type().into_any());
        let device = if value.device().is_cpu() { 0 } else { value.device().number() as u64 + 1 };
        key.push(number((device << 16) | ((value.ndim() as u64) << 8) | value.dtype() as u64)?);
        for &n in value.shape() {
            key.push(number(n as u64)?);
        }
        return Ok(());
    }
    if let Ok(items) = x.cast::<PyTuple>() {
        key.extend([x.get_type().into_any(), number(items.len() as u64)?]);
        return items.iter().try_for_each(|item| describe(&item, convert, arrays, key, depth + 1));
    }
    if let Ok(items) = x.cast::<PyList>() {
        key.extend([x.get_type().into_any(), number(items.len() as u64)?]);
        return items.iter().try_for_each(|item| describe(&item, convert, arrays, key, depth + 1));
    }
    if let Ok(d) = x.cast::<PyDict>() {
        key.extend([py.get_type::<PyDict>().into_any(), number(d.len() as u64)?]);
        for name in sorted_keys(d)? {
            let item = d.as_any().get_item(&name)?;
            key.push(name);
            describe(&item, convert, arrays, key, depth + 1)?;
        }
        return Ok(());
    }
    let plain = x.is_none()
        || x.cast_exact::<PyInt>().is_ok()
        || x.cast_exact::<PyBool>().is_ok()
        || x.cast_exact::<PyString>().is_ok();
    if plain {
        key.extend([x.get_type().into_any(), x.clone()]);
    } else if let Ok(v) = x.cast_exact::<PyFloat>() {
        // By bits: 0.0 and -0.0 are different programs, and every nan is itself.
        key.extend([x.get_type().into_any(), number(v.value().to_bits())?]);
    } else if let Ok(z) = x.cast_exact::<PyComplex>() {
        key.extend([x.get_type().into_any(), number(z.real().to_bits())?, number(z.imag().to_bits())?]);
    } else {
        let y = convert.call1((x,))?;
        if y.cast::<PyArray>().is_ok() {
            return describe(&y, convert, arrays, key, depth + 1);
        }
        key.extend([y.get_type().into_any(), y]);
    }
    Ok(())
}
