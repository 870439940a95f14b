//! The structures that kernels take, as bytes.

use std::mem::take;

/// Dimensions that arrays share, those of length 1 left out and those that lie behind each other merged: `sa_layout` of
/// `cuda/types.h`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    pub sizes: Vec<i64>,
    /// Per array, in elements.
    pub strides: Vec<Vec<i64>>,
}

/// Dimensions that `sa_layout` has unless the text says otherwise.
const DIMS: usize = 6;

impl Layout {
    pub fn new(shape: &[usize], strides: &[&[isize]]) -> Layout {
        let mut layout = Layout { sizes: Vec::new(), strides: vec![Vec::new(); strides.len()] };
        for (d, &n) in shape.iter().enumerate() {
            if n == 1 {
                continue;
            }
            let n = n as i64;
            let behind = |(have, new): (&Vec<i64>, &&[isize])| have.last() == Some(&(new[d] as i64 * n));
            if !layout.sizes.is_empty() && layout.strides.iter().zip(strides).all(behind) {
                *layout.sizes.last_mut().expect("not empty") *= n;
                for (have, new) in layout.strides.iter_mut().zip(strides) {
                    *have.last_mut().expect("as many as sizes") = new[d] as i64;
                }
            } else {
                layout.sizes.push(n);
                for (have, new) in layout.strides.iter_mut().zip(strides) {
                    have.push(new[d] as i64);
                }
            }
        }
        layout
    }

    /// The define `SA_DIMS` that a text for these layouts needs.
    pub fn dims(layouts: &[&Layout]) -> usize {
        layouts.iter().map(|l| l.sizes.len()).max().unwrap_or(0).max(DIMS)
    }
}

/// Bytes of a structure, field by field.
#[derive(Debug, Default)]
pub struct Params {
    bytes: Vec<u8>,
    dims: usize,
}

impl Params {
    /// Layouts have room for this many dimensions.
    pub fn new(dims: usize) -> Params {
        Params { bytes: Vec::with_capacity(256), dims }
    }

    /// As given to [`Params::new`].
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// Bytes of a field that begins at a multiple of `align`.
    pub fn field(&mut self, bytes: &[u8], align: usize) -> &mut Params {
        let start = self.bytes.len().next_multiple_of(align);
        self.bytes.resize(start, 0);
        self.bytes.extend_from_slice(bytes);
        self
    }

    pub fn address(&mut self, address: u64) -> &mut Params {
        self.field(&address.to_ne_bytes(), 8)
    }

    pub fn int(&mut self, v: i64) -> &mut Params {
        self.field(&v.to_ne_bytes(), 8)
    }

    pub fn ints(&mut self, v: impl IntoIterator<Item = i64>) -> &mut Params {
        for v in v {
            self.int(v);
        }
        self
    }

    pub fn layout(&mut self, l: &Layout) -> &mut Params {
        self.int(l.sizes.len() as i64);
        for row in std::iter::once(&l.sizes).chain(&l.strides) {
            for d in 0..self.dims {
                self.int(row.get(d).copied().unwrap_or(0));
            }
        }
        self
    }

    /// All of it, padded as the structure is.
    pub fn finish(&mut self) -> Vec<u8> {
        self.field(&[], 8);
        take(&mut self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_merge_where_all_arrays_allow_it() {
        let l = Layout::new(&[2, 3, 1, 4], &[&[12, 4, 7, 1], &[0, 0, 0, 1]]);
        assert_eq!((l.sizes, l.strides), (vec![6, 4], vec![vec![4, 1], vec![0, 1]]));
        let l = Layout::new(&[2, 3, 4], &[&[12, 4, 1], &[24, 8, 2]]);
        assert_eq!((l.sizes, l.strides), (vec![24], vec![vec![1], vec![2]]));
        assert_eq!(Layout::new(&[1, 1], &[&[5, 5]]), Layout { sizes: vec![], strides: vec![vec![]] });
    }

    #[test]
    fn fields_are_aligned_as_in_c() {
        let bytes = Params::new(2).field(&[1], 1).address(2).field(&[3, 0, 0, 0], 4).finish();
        assert_eq!(bytes.len(), 24);
        assert_eq!((bytes[0], bytes[8], bytes[16]), (1, 2, 3));
        let l = Layout { sizes: vec![5], strides: vec![vec![7]] };
        let words: Vec<u8> = Params::new(2).layout(&l).finish().chunks(8).map(|w| w[0]).collect();
        assert_eq!(words, [1, 5, 0, 7, 0]);
    }
}
