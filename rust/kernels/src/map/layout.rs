//! Iteration over strided operands: which dimensions there are, in which order and in which tiles, and moving elements.
#![allow(unsafe_code)]

use smallvec::SmallVec;

pub(crate) type Dims<T> = SmallVec<[T; 6]>;

/// Side of a square tile where an operand runs across the innermost dimension.
const BLOCK: usize = 32;

/// One operand: the address of its first element, and its strides in bytes.
pub(crate) struct Operand {
    pub ptr: *mut u8,
    pub strides: Dims<isize>,
}

/// Operands over one shape, after reordering, flipping and merging dimensions.
pub(crate) struct Layout {
    pub shape: Dims<usize>,
    pub operands: SmallVec<[Operand; 4]>,
}

impl Layout {
    /// The fewest dimensions that describe the operands (address, strides in elements, element size), in descending order
    /// of the strides of operand `key`, which come out positive.
    pub fn new(shape: &[usize], operands: &[(*mut u8, &[isize], usize)], key: usize) -> Layout {
        let key_strides = operands[key].1;
        let mut order: Dims<usize> = (0..shape.len()).filter(|&d| shape[d] != 1).collect();
        order.sort_by_key(|&d| std::cmp::Reverse(key_strides[d].unsigned_abs()));
        let mut merged = Layout {
            shape: Dims::new(),
            operands: operands.iter().map(|o| Operand { ptr: o.0, strides: Dims::new() }).collect(),
        };
        for d in order {
            let n = shape[d];
            let flip = key_strides[d] < 0;
            let stride = |k: usize| {
                let (_, strides, size) = operands[k];
                strides[d] * size as isize * if flip { -1 } else { 1 }
            };
            if flip {
                for k in 0..operands.len() {
                    let back = stride(k) * (n as isize - 1);
                    merged.operands[k].ptr = merged.operands[k].ptr.wrapping_offset(-back);
                }
            }
            let joins = !merged.shape.is_empty()
                && (0..operands.len()).all(|k| *merged.operands[k].strides.last().unwrap() == stride(k) * n as isize);
            if joins {
                *merged.shape.last_mut().unwrap() *= n;
                for k in 0..operands.len() {
                    *merged.operands[k].strides.last_mut().unwrap() = stride(k);
                }
            } else {
                merged.shape.push(n);
                for k in 0..operands.len() {
                    merged.operands[k].strides.push(stride(k));
                }
            }
        }
        if merged.shape.is_empty() {
            merged.shape.push(1);
            merged.operands.iter_mut().for_each(|o| o.strides.push(0));
        }
        merged
    }

    /// The extents of a tile of at most `cap` elements: runs along the inner dimensions, and squares where an operand
    /// has its own innermost dimension elsewhere, so that every cache line it touches is used up.
    pub fn tile(&self, cap: usize) -> Dims<usize> {
        let last = self.shape.len() - 1;
        let mut tile: Dims<usize> = self.shape.iter().map(|_| 1).collect();
        let mut room = cap;
        let across = self.operands.iter().find_map(|o| innermost_elsewhere(&o.strides, &self.shape));
        if let Some(d) = across {
            tile[last] = self.shape[last].min(BLOCK);
            tile[d] = self.shape[d].min(room / tile[last]);
            tile[last] = self.shape[last].min(room / tile[d]);
            room /= tile[last] * tile[d];
        }
        for d in (0..=last).rev() {
            if tile[d] == 1 {
                tile[d] = self.shape[d].min(room.max(1));
                room /= tile[d];
            }
            // A dimension cut into pieces leaves nothing of the outer ones.
            if tile[d] != self.shape[d] && across.is_none_or(|a| d < a) {
                break;
            }
        }
        tile
    }
}

/// The dimension other than the last along which an operand's elements lie closest, if that is not the last one.
fn innermost_elsewhere(strides: &[isize], extents: &[usize]) -> Option<usize> {
    let last = strides.len() - 1;
    let inner = strides[last].unsigned_abs();
    (0..last)
        .filter(|&d| extents[d] != 1 && strides[d] != 0 && strides[d].unsigned_abs() < inner)
        .min_by_key(|&d| strides[d].unsigned_abs())
}

/// Whether elements of this size lie in C order without gaps.
pub(crate) fn is_packed(strides: &[isize], extents: &[usize], size: usize) -> bool {
    let mut expected = size as isize;
    for (&s, &n) in strides.iter().zip(extents).rev() {
        if n != 1 && s != expected {
            return false;
        }
        expected *= n as isize;
    }
    true
}

/// The strides in bytes of elements of this size in C order without gaps.
pub(crate) fn packed_strides(extents: &[usize], size: usize) -> Dims<isize> {
    let mut strides: Dims<isize> = extents.iter().map(|_| 0).collect();
    let mut next = size as isize;
    for d in (0..extents.len()).rev() {
        strides[d] = next;
        next *= extents[d] as isize;
    }
    strides
}

/// Copies elements of `size` bytes between strided places that do not overlap; strides count bytes.
///
/// # Safety
/// All indices within `extents` name memory that may be read at `src` and written at `dst`, aligned to the element.
pub(crate) unsafe fn move_elements(
    size: usize,
    src: *const u8,
    src_strides: &[isize],
    dst: *mut u8,
    dst_strides: &[isize],
    extents: &[usize],
) {
    let mut dims: SmallVec<[Dim; 6]> = SmallVec::new();
    for d in 0..extents.len() {
        let dim = Dim { n: extents[d], src: src_strides[d], dst: dst_strides[d] };
        match dims.last_mut() {
            _ if dim.n == 1 => {}
            Some(outer) if outer.src == dim.src * dim.n as isize && outer.dst == dim.dst * dim.n as isize => {
                *outer = Dim { n: outer.n * dim.n, ..dim };
            }
            _ => dims.push(dim),
        }
    }
    let inner = dims.pop().unwrap_or(Dim { n: 1, src: size as isize, dst: size as isize });
    // The other dimension of the two that are moved together: where the source lies closest, else the next one.
    let closest = (0..dims.len()).rev().min_by_key(|&d| dims[d].src.unsigned_abs());
    let second = match closest {
        Some(d) if dims[d].src != 0 && dims[d].src.unsigned_abs() < inner.src.unsigned_abs() => dims.remove(d),
        _ => dims.pop().unwrap_or(Dim { n: 1, src: 0, dst: 0 }),
    };
    let mut index: Dims<usize> = dims.iter().map(|_| 0).collect();
    let (mut s, mut t) = (src, dst);
    loop {
        // SAFETY: the caller's contract; offsets stay within the extents.
        unsafe {
            match size {
                1 => move_plane::<u8>(s, t, second, inner),
                2 => move_plane::<u16>(s, t, second, inner),
                4 => move_plane::<u32>(s, t, second, inner),
                8 => move_plane::<u64>(s, t, second, inner),
                _ => move_plane::<[u64; 2]>(s, t, second, inner),
            }
        }
        let mut d = dims.len();
        loop {
            if d == 0 {
                return;
            }
            d -= 1;
            index[d] += 1;
            s = s.wrapping_offset(dims[d].src);
            t = t.wrapping_offset(dims[d].dst);
            if index[d] < dims[d].n {
                break;
            }
            index[d] = 0;
            s = s.wrapping_offset(-dims[d].src * dims[d].n as isize);
            t = t.wrapping_offset(-dims[d].dst * dims[d].n as isize);
        }
    }
}

#[derive(Clone, Copy)]
struct Dim {
    n: usize,
    src: isize,
    dst: isize,
}

/// Two dimensions of [`move_elements`].
///
/// # Safety
/// As there, with elements of the size of `T`.
unsafe fn move_plane<T: Copy>(src: *const u8, dst: *mut u8, outer: Dim, inner: Dim) {
    let size = size_of::<T>() as isize;
    let at = |i: usize, j: usize| src.wrapping_offset(i as isize * outer.src + j as isize * inner.src).cast::<T>();
    let to = |i: usize, j: usize| dst.wrapping_offset(i as isize * outer.dst + j as isize * inner.dst).cast::<T>();
    // SAFETY: the caller's contract for all `i < outer.n` and `j < inner.n`.
    unsafe {
        if inner.src == size && inner.dst == size {
            for i in 0..outer.n {
                std::ptr::copy_nonoverlapping(at(i, 0), to(i, 0), inner.n);
            }
        } else if inner.src == 0 && inner.dst == size {
            for i in 0..outer.n {
                let value = at(i, 0).read();
                for j in 0..inner.n {
                    to(i, j).write(value);
                }
            }
        } else if outer.src == size && inner.dst == size {
            const W: usize = 8;
            let mut j = 0;
            while j + W <= inner.n {
                let mut i = 0;
                while i + W <= outer.n {
                    let columns: [[T; W]; W] = std::array::from_fn(|k| at(i, j + k).cast::<[T; W]>().read_unaligned());
                    for r in 0..W {
                        to(i + r, j).cast::<[T; W]>().write_unaligned(std::array::from_fn(|k| columns[k][r]));
                    }
                    i += W;
                }
                for i in i..outer.n {
                    for k in 0..W {
                        to(i, j + k).write(at(i, j + k).read());
                    }
                }
                j += W;
            }
            for j in j..inner.n {
                for i in 0..outer.n {
                    to(i, j).write(at(i, j).read());
                }
            }
        } else {
            for i in 0..outer.n {
                for j in 0..inner.n {
                    to(i, j).write(at(i, j).read());
                }
            }
        }
    }
}
