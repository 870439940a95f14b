//! Iteration over strided operands: which dimensions there are, in which order and in which tiles, and moving elements.
#![allow(unsafe_code)]

use crate::isa::isa;
use smallvec::SmallVec;

pub(crate) type Dims<T> = SmallVec<[T; 4]>;

/// Side of the squares that are transposed at a time.
const BLOCK: usize = 32;

/// The shortest row that a tile loop is called for on its own.
const MIN_ROW: usize = 24;

/// One operand: the address of its first element, its element size, and its strides in bytes.
pub(crate) struct Operand {
    pub ptr: *mut u8,
    pub size: usize,
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
        let mut order = Dims::new();
        for d in 0..shape.len() {
            if shape[d] != 1 {
                order.push(d);
            }
        }
        order.sort_by_key(|&d| std::cmp::Reverse(key_strides[d].unsigned_abs()));
        let mut merged = Layout { shape: Dims::new(), operands: SmallVec::new() };
        for &(ptr, _, size) in operands {
            merged.operands.push(Operand { ptr, size, strides: Dims::new() });
        }
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

    /// The dimension along which an operand runs across the innermost dimension, if one does.
    pub fn across(&self) -> Option<usize> {
        self.operands.iter().find_map(|o| innermost_elsewhere(&o.strides, &self.shape))
    }

    /// The extents of a tile of at most `cap` elements: runs along the inner dimensions, and with an operand `across` them
    /// rectangles, so that every cache line that it touches is used up.
    pub fn tile(&self, cap: usize, across: Option<usize>) -> Dims<usize> {
        let last = self.shape.len() - 1;
        let mut tile: Dims<usize> = SmallVec::from_elem(1, last + 1);
        let mut room = cap;
        if let Some(d) = across {
            // Twice as long along the innermost dimension, whose rows are a call each; pieces of nearly equal size.
            let piece = |n: usize, most: usize| n.div_ceil(n.div_ceil(most));
            let side = (cap / 2).isqrt();
            tile[d] = piece(self.shape[d], side);
            tile[last] = piece(self.shape[last], cap / tile[d].max(side));
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

    /// The outer dimension of two-dimensional tiles whose rows are long enough to be worth a call each, when some operand
    /// has gaps between its contiguous rows.
    pub fn row_dim(&self, tile: &[usize]) -> Option<usize> {
        let last = tile.len() - 1;
        let mut outer = (0..last).filter(|&d| tile[d] != 1);
        let d = outer.next()?;
        let has_gaps =
            |o: &Operand| o.strides[last] == o.size as isize && o.strides[d] != o.strides[last] * tile[last] as isize;
        (outer.next().is_none() && tile[last] >= MIN_ROW && self.operands.iter().any(has_gaps)).then_some(d)
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
    let mut strides: Dims<isize> = SmallVec::from_elem(0, extents.len());
    let mut next = size as isize;
    for d in (0..extents.len()).rev() {
        strides[d] = next;
        next *= extents[d] as isize;
    }
    strides
}

/// Writes one element of `size` bytes `n` times.
///
/// # Safety
/// `src` holds an element, `dst` room for `n`.
pub(crate) unsafe fn fill(size: usize, src: *const u8, dst: *mut u8, n: usize) {
    let size_step = size as isize;
    // SAFETY: the caller's contract.
    unsafe { plane_fn(size)(src, dst, Dim { n: 1, src: 0, dst: 0 }, Dim { n, src: 0, dst: size_step }) }
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
    let plane = plane_fn(size);
    let mut index: Dims<usize> = SmallVec::from_elem(0, dims.len());
    let (mut s, mut t) = (src, dst);
    loop {
        // SAFETY: the caller's contract; offsets stay within the extents.
        unsafe { plane(s, t, second, inner) };
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

type PlaneFn = unsafe fn(*const u8, *mut u8, Dim, Dim);

/// [`move_plane`] for an element size and the instruction set in use.
fn plane_fn(size: usize) -> PlaneFn {
    let by_isa = match size {
        1 => &const { planes::<u8>() },
        2 => &const { planes::<u16>() },
        4 => &const { planes::<u32>() },
        8 => &const { planes::<u64>() },
        _ => &const { planes::<[u64; 2]>() },
    };
    by_isa[isa() as usize]
}

/// [`move_plane`] for every instruction set.
const fn planes<T: Copy>() -> [PlaneFn; 3] {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        unsafe fn avx2<T: Copy>(src: *const u8, dst: *mut u8, outer: Dim, inner: Dim) {
            // SAFETY: the caller's contract.
            unsafe { move_plane::<T, true>(src, dst, outer, inner) }
        }
        [move_plane::<T, false>, avx2::<T>, avx2::<T>]
    }
    #[cfg(not(target_arch = "x86_64"))]
    [move_plane::<T, false>; 3]
}

/// `dst[i][j] = src[j][i]` for `i < ni`, `j < nj`; the rows of both are contiguous and start `stride` bytes apart.
///
/// # Safety
/// The memory is valid, and there is AVX2 if `AVX2`.
#[inline(always)]
unsafe fn transpose<T: Copy, const AVX2: bool>(
    src: *const T,
    src_stride: isize,
    dst: *mut T,
    dst_stride: isize,
    ni: usize,
    nj: usize,
) {
    let from = |j: usize, i: usize| src.wrapping_byte_offset(j as isize * src_stride).wrapping_add(i);
    let to = |i: usize, j: usize| dst.wrapping_byte_offset(i as isize * dst_stride).wrapping_add(j);
    let (mut whole_i, mut whole_j) = (0, 0);
    #[cfg(target_arch = "x86_64")]
    if AVX2 && matches!(size_of::<T>(), 4 | 8) {
        let w = 32 / size_of::<T>();
        (whole_i, whole_j) = (ni - ni % w, nj - nj % w);
        // Along the source rows, which may all fall into one set of the cache.
        for j in (0..whole_j).step_by(w) {
            for i in (0..whole_i).step_by(w) {
                // SAFETY: squares of `w` by `w` elements within the extents.
                unsafe {
                    if w == 4 {
                        transpose_4x4(from(j, i).cast(), src_stride, to(i, j).cast(), dst_stride);
                    } else {
                        transpose_8x8(from(j, i).cast(), src_stride, to(i, j).cast(), dst_stride);
                    }
                }
            }
        }
    }
    for i in 0..ni {
        let start = if i < whole_i { whole_j } else { 0 };
        for j in start..nj {
            // SAFETY: within the extents.
            unsafe { to(i, j).write(from(j, i).read()) };
        }
    }
}

/// Four by four elements of 8 bytes.
///
/// # Safety
/// As [`transpose`], with AVX2.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn transpose_4x4(src: *const f64, src_stride: isize, dst: *mut f64, dst_stride: isize) {
    use std::arch::x86_64::*;
    let row = |j: isize| src.wrapping_byte_offset(j * src_stride);
    let out = |i: isize| dst.wrapping_byte_offset(i * dst_stride);
    // SAFETY: the caller's contract.
    unsafe {
        let [a, b, c, d] = [0, 1, 2, 3].map(|j| _mm256_loadu_pd(row(j)));
        let (ab0, ab1) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
        let (cd0, cd1) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
        _mm256_storeu_pd(out(0), _mm256_permute2f128_pd::<0x20>(ab0, cd0));
        _mm256_storeu_pd(out(1), _mm256_permute2f128_pd::<0x20>(ab1, cd1));
        _mm256_storeu_pd(out(2), _mm256_permute2f128_pd::<0x31>(ab0, cd0));
        _mm256_storeu_pd(out(3), _mm256_permute2f128_pd::<0x31>(ab1, cd1));
    }
}

/// Eight by eight elements of 4 bytes.
///
/// # Safety
/// As [`transpose`], with AVX2.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn transpose_8x8(src: *const f32, src_stride: isize, dst: *mut f32, dst_stride: isize) {
    use std::arch::x86_64::*;
    let row = |j: usize| src.wrapping_byte_offset(j as isize * src_stride);
    let out = |i: usize| dst.wrapping_byte_offset(i as isize * dst_stride);
    // SAFETY: the caller's contract.
    unsafe {
        let r: [__m256; 8] = std::array::from_fn(|j| _mm256_loadu_ps(row(j)));
        for half in 0..2 {
            let s = 4 * half;
            let quad = |x: usize| {
                let pick = |a: __m256, b: __m256| {
                    if half == 0 { _mm256_permute2f128_ps::<0x20>(a, b) } else { _mm256_permute2f128_ps::<0x31>(a, b) }
                };
                pick(r[x], r[x + 4])
            };
            let [a, b, c, d] = [quad(0), quad(1), quad(2), quad(3)];
            let (ab0, ab1) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
            let (cd0, cd1) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
            _mm256_storeu_ps(out(s), _mm256_shuffle_ps::<0x44>(ab0, cd0));
            _mm256_storeu_ps(out(s + 1), _mm256_shuffle_ps::<0xee>(ab0, cd0));
            _mm256_storeu_ps(out(s + 2), _mm256_shuffle_ps::<0x44>(ab1, cd1));
            _mm256_storeu_ps(out(s + 3), _mm256_shuffle_ps::<0xee>(ab1, cd1));
        }
    }
}

/// Two dimensions of [`move_elements`].
///
/// # Safety
/// As there, with elements of the size of `T`.
#[inline(always)]
unsafe fn move_plane<T: Copy, const AVX2: bool>(src: *const u8, dst: *mut u8, outer: Dim, inner: Dim) {
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
            for j in (0..inner.n).step_by(BLOCK) {
                for i in (0..outer.n).step_by(BLOCK) {
                    let (ni, nj) = (BLOCK.min(outer.n - i), BLOCK.min(inner.n - j));
                    transpose::<T, AVX2>(at(i, j), inner.src, to(i, j), outer.dst, ni, nj);
                }
            }
        } else {
            for i in 0..outer.n {
                match (inner.dst == size, inner.src) {
                    (true, s) if s == -size => move_every::<T, -1>(at(i, 0), to(i, 0), inner.n),
                    (true, s) if s == 2 * size => move_every::<T, 2>(at(i, 0), to(i, 0), inner.n),
                    (true, s) if s == 3 * size => move_every::<T, 3>(at(i, 0), to(i, 0), inner.n),
                    _ => (0..inner.n).for_each(
                        #[inline(always)]
                        |j| to(i, j).write(at(i, j).read()),
                    ),
                }
            }
        }
    }
}

/// Every `K`-th element: the strides that shuffles of whole registers serve, once they are constants.
///
/// # Safety
/// `n` such elements may be read, and `n` written.
#[inline(always)]
unsafe fn move_every<T: Copy, const K: isize>(src: *const T, dst: *mut T, n: usize) {
    for j in 0..n {
        // SAFETY: the caller's contract.
        unsafe { dst.add(j).write(src.offset(K * j as isize).read()) }
    }
}
