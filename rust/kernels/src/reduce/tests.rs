use super::number::{Ordered, Widen};
use super::*;
use crate::Element;
use crate::pool::set_num_threads;
use crate::testing::{Array, Bits, Layout, MOST, Sample, size};

fn reduced<D: Element>(kind: Reduce, src: &View, axes: &[usize]) -> Vec<D> {
    let shape: Vec<usize> = (0..src.ndim()).filter(|a| !axes.contains(a)).map(|a| src.shape()[a]).collect();
    let mut dst = Array::<D>::zeros(&shape, Layout::C);
    reduce(kind, src, axes, &mut dst.view_mut());
    dst.elements()
}

/// The elements of each output in C order of the reduced axes.
fn groups<T: Element>(shape: &[usize], x: &[T], axes: &[usize]) -> Vec<Vec<T>> {
    let kept: usize = (0..shape.len()).filter(|a| !axes.contains(a)).map(|a| shape[a]).product();
    let mut out = vec![vec![]; kept];
    for (i, &v) in x.iter().enumerate() {
        let (mut rest, mut group, mut size) = (i, 0, 1);
        for a in (0..shape.len()).rev() {
            let k = rest % shape[a];
            rest /= shape[a];
            if !axes.contains(&a) {
                group += k * size;
                size *= shape[a];
            }
        }
        out[group].push(v);
    }
    out
}

/// Shapes and axes around lanes, blocks, tiles and units.
const CASES: [(&[usize], &[usize]); 20] = [
    (&[1], &[0]),
    (&[7], &[0]),
    (&[4, 3], &[0]),
    (&[2, 3, 2], &[0, 2]),
    (&[16], &[0]),
    (&[129], &[0]),
    (&[257], &[0]),
    (&[2049], &[0]),
    (&[16385], &[0]),
    (&[], &[]),
    (&[5, 6], &[]),
    (&[300, 3], &[0]),
    (&[300, 3], &[1]),
    (&[300, 130], &[0]),
    (&[40, 300], &[1]),
    (&[4, 5, 6, 7], &[0, 2]),
    (&[4, 5, 6, 7], &[1, 3]),
    (&[17, 20, 9], &[0, 1, 2]),
    (&[17000, 9], &[0]),
    (&[3, 0, 4], &[0]),
];

fn check<T: Sample + Ordered>() {
    let mut bits = Bits(1);
    for (shape, axes) in CASES.into_iter().filter(|(shape, _)| size(shape) <= MOST) {
        let x: Vec<T> = bits.vec(shape.iter().product());
        let expected = groups(shape, &x, axes);
        let zero = T::default();
        for layout in Layout::ALL {
            let a = Array::new(shape, &x, layout);
            let v = a.view();
            let label = format!("{} {shape:?} {axes:?} {layout:?}", T::DTYPE.name());
            let same = |a: &T, b: &T| a.ties(*b);
            let naive = |max: bool| -> Vec<usize> {
                let best = |g: &Vec<T>| {
                    let mut best = 0;
                    for i in 1..g.len() {
                        let beats = if max { g[i].beats::<true>(g[best]) } else { g[i].beats::<false>(g[best]) };
                        best = if beats { i } else { best };
                    }
                    best
                };
                expected.iter().map(best).collect()
            };
            if expected.iter().all(|g| !g.is_empty()) {
                for (max, value, place) in [(false, Reduce::Min, Reduce::ArgMin), (true, Reduce::Max, Reduce::ArgMax)] {
                    let places = naive(max);
                    let values: Vec<T> = reduced(value, &v, axes);
                    assert!(values.iter().zip(&expected).zip(&places).all(|((x, g), &i)| same(x, &g[i])), "{label}");
                    let found: Vec<i64> = reduced(place, &v, axes);
                    assert!(found.iter().zip(&places).all(|(&f, &p)| f == p as i64), "{label}");
                }
            }
            let truth = |f: fn(&Vec<bool>) -> bool| -> Vec<bool> {
                expected.iter().map(|g| f(&g.iter().map(|&v| v != zero).collect())).collect()
            };
            assert_eq!(reduced::<bool>(Reduce::Any, &v, axes), truth(|g| g.iter().any(|&b| b)), "{label}");
            assert_eq!(reduced::<bool>(Reduce::All, &v, axes), truth(|g| g.iter().all(|&b| b)), "{label}");
            let counts: Vec<i64> = expected.iter().map(|g| g.iter().filter(|&&v| v != zero).count() as i64).collect();
            assert_eq!(reduced::<i64>(Reduce::CountNonzero, &v, axes), counts, "{label}");
        }
    }
}

#[test]
fn extrema_places_truth_and_counts() {
    check::<f64>();
    if !cfg!(miri) {
        check::<bool>();
        check::<i8>();
        check::<Complex<f32>>();
        check::<i16>();
        check::<i32>();
        check::<i64>();
        check::<u8>();
        check::<u16>();
        check::<u32>();
        check::<u64>();
        check::<f32>();
        check::<Complex<f64>>();
    }
}

fn check_integers<T: Sample + Widen<i64>>() {
    let mut bits = Bits(2);
    for (shape, axes) in CASES.into_iter().filter(|(shape, _)| size(shape) <= MOST) {
        let x: Vec<T> = bits.vec(shape.iter().product());
        let expected = groups(shape, &x, axes);
        for layout in Layout::ALL {
            let a = Array::new(shape, &x, layout);
            let sums: Vec<i64> =
                expected.iter().map(|g| g.iter().fold(0, |s: i64, v| s.wrapping_add(v.widen()))).collect();
            assert_eq!(reduced::<i64>(Reduce::Sum, &a.view(), axes), sums);
            assert_eq!(
                reduced::<u16>(Reduce::Sum, &a.view(), axes),
                sums.iter().map(|&s| s as u16).collect::<Vec<_>>()
            );
            let products: Vec<i64> =
                expected.iter().map(|g| g.iter().fold(1, |s: i64, v| s.wrapping_mul(v.widen()))).collect();
            assert_eq!(reduced::<i64>(Reduce::Prod, &a.view(), axes), products);
            let floats: Vec<f64> = reduced(Reduce::Sum, &a.view(), axes);
            assert!(floats.iter().zip(&expected).all(|(f, g)| {
                let (sum, size) = g.iter().fold((0i128, 0f64), |(s, m), v| {
                    let wide = if T::DTYPE == DType::U64 { v.widen() as u64 as i128 } else { v.widen() as i128 };
                    (s + wide, m + wide.unsigned_abs() as f64)
                });
                (f - sum as f64).abs() <= 1e-14 * size
            }));
        }
    }
}

#[test]
fn integer_sums_and_products() {
    check_integers::<i8>();
    if !cfg!(miri) {
        check_integers::<bool>();
        check_integers::<i16>();
        check_integers::<i32>();
        check_integers::<i64>();
        check_integers::<u8>();
        check_integers::<u16>();
        check_integers::<u32>();
        check_integers::<u64>();
    }
}

/// The documented tree, written down recursively.
fn tree_sum(x: &[f64]) -> f64 {
    if x.len() > 256 {
        let blocks = x.len().div_ceil(256);
        let left = blocks.next_power_of_two() / 2 * 256;
        return tree_sum(&x[..left]) + tree_sum(&x[left..]);
    }
    let mut lanes: Vec<f64> = vec![];
    for (i, &v) in x.iter().enumerate() {
        if i < 16 { lanes.push(v) } else { lanes[i % 16] += v }
    }
    let mut width = 8;
    while width > 0 {
        for i in width..lanes.len().min(2 * width) {
            lanes[i - width] += lanes[i];
        }
        width /= 2;
    }
    lanes[0]
}

#[test]
fn float_sums_are_the_documented_tree_in_every_layout() {
    let mut bits = Bits(3);
    for (shape, axes) in CASES.into_iter().filter(|(shape, _)| size(shape) <= MOST) {
        let x: Vec<f64> = (0..shape.iter().product()).map(|_| bits.next() as f64 / 2f64.powi(60) - 4.0).collect();
        let groups = groups(shape, &x, axes);
        let expected: Vec<u64> =
            groups.iter().map(|g| if g.is_empty() { 0.0 } else { tree_sum(g) }.to_bits()).collect();
        let doubled: Vec<Complex<f64>> = x.iter().map(|&v| Complex::new(v, -v)).collect();
        let single: Vec<f32> = x.iter().map(|&v| v as f32).collect();
        for layout in Layout::ALL {
            let sums: Vec<f64> = reduced(Reduce::Sum, &Array::new(shape, &x, layout).view(), axes);
            assert_eq!(sums.iter().map(|s| s.to_bits()).collect::<Vec<_>>(), expected, "{shape:?} {axes:?} {layout:?}");
            let sums: Vec<Complex<f64>> = reduced(Reduce::Sum, &Array::new(shape, &doubled, layout).view(), axes);
            assert!(sums.iter().zip(&expected).all(|(s, &e)| s.re.to_bits() == e && s.re == -s.im));
            let sums: Vec<f32> = reduced(Reduce::Sum, &Array::new(shape, &single, layout).view(), axes);
            let wide = groups.iter().map(|g| tree_sum_or_zero(&g.iter().map(|&v| v as f32 as f64).collect::<Vec<_>>()));
            assert!(sums.iter().zip(wide).all(|(&s, w)| s == w as f32));
        }
    }
}

fn tree_sum_or_zero(x: &[f64]) -> f64 {
    if x.is_empty() { 0.0 } else { tree_sum(x) }
}

#[test]
#[cfg_attr(miri, ignore = "too much work for miri")]
fn threads_do_not_change_a_bit() {
    let mut bits = Bits(4);
    let x: Vec<f64> = (0..1_200_000).map(|_| bits.next() as f64).collect();
    for shape in [&[1_200_000][..], &[1200, 1000], &[3, 400_000]] {
        for axis in 0..shape.len() {
            let a = Array::new(shape, &x, Layout::C);
            let run = |threads| {
                set_num_threads(threads);
                let sums: Vec<f64> = reduced(Reduce::Sum, &a.view(), &[axis]);
                let places: Vec<i64> = reduced(Reduce::ArgMax, &a.view(), &[axis]);
                (sums, places)
            };
            let one = run(1);
            assert_eq!(one, run(2));
            assert_eq!(one, run(5));
            set_num_threads(0);
            assert!(one.0.iter().zip(groups(shape, &x, &[axis])).all(|(s, g)| s.to_bits() == tree_sum(&g).to_bits()));
        }
    }
}

#[test]
fn signed_zeros_and_infinite_products() {
    assert!(
        reduced::<f64>(Reduce::Sum, &Array::new(&[2], &[-0.0, -0.0], Layout::C).view(), &[0])[0].is_sign_negative()
    );
    assert!(reduced::<f64>(Reduce::Sum, &Array::<f64>::zeros(&[0], Layout::C).view(), &[0])[0].is_sign_positive());
    let z = [Complex::new(f64::INFINITY, 0.0)];
    let product: Vec<Complex<f64>> = reduced(Reduce::Prod, &Array::new(&[1], &z, Layout::C).view(), &[0]);
    assert_eq!(product, z);
    assert_eq!(reduced::<f64>(Reduce::Prod, &Array::<f64>::zeros(&[0, 2], Layout::C).view(), &[0]), [1.0, 1.0]);
}

#[test]
fn squared_deviations() {
    let x: Vec<f64> = (0..600).map(|i| (i * i % 17) as f64).collect();
    let means = [1.0, 2.0, 3.0];
    for layout in Layout::ALL {
        let a = Array::new(&[200, 3], &x, layout);
        let mut dst = Array::<f64>::zeros(&[3], Layout::C);
        let mean = Array::new(&[3], &means, Layout::C);
        sum_squared_deviations(&a.view(), &[0], &mean.view(), &mut dst.view_mut());
        let expected = groups(&[200, 3], &x, &[0]);
        for ((got, group), mean) in dst.elements().into_iter().zip(expected).zip(means) {
            assert_eq!(got, group.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>());
        }
    }
}
