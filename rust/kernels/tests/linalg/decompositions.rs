//! Decompositions multiply back to the matrix, whoever computes them: rotations, faer, and LAPACK where `SCIARRAY_LAPACK` names
//! its file.

use crate::factors::{product, transposed};
use crate::testing::{MOST_ROWS, Owned, Value, affordable, bits_on_every_thread_count, random};
use num_complex::Complex;
use sciarray_kernels::linalg::*;

/// An element of matrices, with its real numbers.
trait Field: Value + std::ops::Add<Output = Self> + std::ops::Mul<Output = Self> {
    type Part: Value + num_traits::One + PartialOrd;
    fn real(x: Self::Part) -> Self;
    fn wide(self) -> Complex<f64>;
}

macro_rules! fields {
    ($($t:ty),*) => { $(
        impl Field for $t {
            type Part = $t;
            fn real(x: $t) -> Self {
                x
            }
            fn wide(self) -> Complex<f64> {
                f64::from(self).into()
            }
        }
        impl Field for Complex<$t> {
            type Part = $t;
            fn real(x: $t) -> Self {
                x.into()
            }
            fn wide(self) -> Complex<f64> {
                Complex::new(f64::from(self.re), f64::from(self.im))
            }
        }
    )* };
}
fields!(f32, f64);

const SHAPES: [[usize; 2]; 22] = [
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
    [5, 5],
    [8, 8],
    [16, 16],
    [17, 17],
    [33, 33],
    [130, 130],
    [129, 200],
    [215, 130],
    [160, 131],
    [5, 3],
    [3, 5],
    [16, 2],
    [20, 3],
    [4, 40],
    [3, 0],
    [20, 0],
    [0, 17],
];

fn with_lapack() {
    if let Ok(path) = std::env::var("SCIARRAY_LAPACK") {
        set_lapack_path(&path);
        assert!(has_lapack());
    }
}

/// `x` with column j multiplied by number j of each item.
fn scaled<T: Field>(x: &Owned<T>, s: &Owned<T::Part>) -> Owned<T> {
    let [n, m] = *x.shape.last_chunk::<2>().unwrap();
    let k = *s.shape.last().unwrap();
    let mut out = Owned::from_vec(&x.shape, x.values());
    let values = s.values();
    for item in 0..x.len() / (n * m).max(1) {
        for i in 0..n {
            for j in 0..m.min(k) {
                let v = x.get(item, i, j) * T::real(values[item * k + j]);
                out.set(item, i, j, v);
            }
        }
    }
    out
}

fn is_unitary<T: Field>(q: &Owned<T>) -> bool {
    let n = *q.shape.last().unwrap();
    let gram = product(&transposed(q), q, [true, false]);
    let mut one = gram.zeros_like();
    let items = gram.len() / (n * n).max(1);
    let unit = T::real(num_traits::One::one());
    (0..items).for_each(|t| (0..n).for_each(|i| one.set(t, i, i, unit)));
    gram.distance(&one) <= 30.0 * T::EPS * (n as f64 + 4.0)
}

fn check<T: Field>(items: usize, [m, n]: [usize; 2], layout: usize) {
    let a = random::<T>(&[items, m, n], m + n).laid_out(layout);
    let bound = 40.0 * T::EPS * (m.max(n) as f64 + 2.0);
    for k in [m, m.min(n)] {
        let l = if k == m { n } else { k };
        let what = format!("{:?}, {items} of {m} x {n}, {k}", T::DTYPE);
        let mut q = Owned::<T>::new(&[items, m, k]).laid_out(3 - layout);
        let mut r = Owned::<T>::new(&[items, k, n]).laid_out(layout);
        qr(&a.view(), Some(&mut q.view_mut()), &mut r.view_mut());
        assert!(is_unitary(&q) && product(&q, &r, [false; 2]).distance(&a) <= bound, "qr, {what}");
        let mut only = r.zeros_like();
        qr(&a.view(), None, &mut only.view_mut());
        assert!(only.distance(&r) <= bound, "qr, R alone, {what}");

        let mut u = Owned::<T>::new(&[items, m, k]).laid_out(layout);
        let mut vh = Owned::<T>::new(&[items, l, n]).laid_out(3 - layout);
        let mut s = Owned::<T::Part>::new(&[items, m.min(n)]);
        assert!(svd(&a.view(), &mut s.view_mut(), Some((&mut u.view_mut(), &mut vh.view_mut()))).is_empty());
        assert!(is_unitary(&u) && is_unitary(&transposed(&vh)), "svd, {what}");
        let us = scaled(&u, &s);
        let cut = |x: &Owned<T>, rows: usize, cols: usize| {
            let [full_rows, full_cols] = *x.shape.last_chunk::<2>().unwrap();
            let mut out = Owned::<T>::new(&[items, rows, cols]);
            assert!(rows <= full_rows && cols <= full_cols);
            for t in 0..items {
                (0..rows).for_each(|i| (0..cols).for_each(|j| out.set(t, i, j, x.get(t, i, j))));
            }
            out
        };
        let least = m.min(n);
        let back = product(&cut(&us, m, least), &cut(&vh, least, n), [false; 2]);
        assert!(back.distance(&a) <= bound, "svd, {what}: {}", back.distance(&a));
        let values = s.values();
        assert!(values.chunks(least.max(1)).all(|s| s.windows(2).all(|p| p[0] >= p[1])));
    }
    if m != n {
        return;
    }
    let mut h = a.zeros_like();
    for t in 0..items {
        for i in 0..n {
            (0..n).for_each(|j| h.set(t, i, j, a.get(t, i, j) + a.get(t, j, i).conj()));
        }
    }
    for upper in [false, true] {
        let mut half = h.clone();
        let sample = T::sample(5);
        let other = |i: usize, j: usize| if upper { i > j } else { i < j };
        for t in 0..items {
            (0..n).for_each(|i| (0..n).filter(|&j| other(i, j)).for_each(|j| half.set(t, i, j, sample)));
        }
        let half = half.laid_out(layout);
        let mut v = Owned::<T>::new(&[items, n, n]).laid_out(3 - layout);
        let mut w = Owned::<T::Part>::new(&[items, n]);
        assert!(eigh(&half.view(), &mut w.view_mut(), Some(&mut v.view_mut()), upper).is_empty());
        let back = product(&scaled(&v, &w), &transposed(&v), [false, true]);
        assert!(is_unitary(&v) && back.distance(&h) <= 2.0 * bound, "eigh, {:?}, {items} of {n}", T::DTYPE);
        let mut only = w.zeros_like();
        assert!(eigh(&half.view(), &mut only.view_mut(), None, upper).is_empty());
        assert!(only.distance(&w) <= 2.0 * bound);
    }
}

#[test]
fn factors_multiply_to_the_matrix() {
    with_lapack();
    for (i, shape) in SHAPES.into_iter().enumerate().filter(|(_, [m, n])| *m.max(n) <= MOST_ROWS) {
        let alone = shape.iter().all(|&n| n > 100);
        let batches = [3, 1, 21].into_iter().take(if cfg!(miri) { 1 } else { 3 });
        for items in batches.filter(|&items| items == 1 || !alone) {
            check::<f64>(items, shape, i % 4);
            check::<Complex<f32>>(items, shape, (i + 3) % 4);
            if !cfg!(miri) {
                check::<f32>(items, shape, (i + 1) % 4);
                check::<Complex<f64>>(items, shape, (i + 2) % 4);
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "too much work for miri")]
fn decompositions_keep_scale_and_projectors() {
    for scale in [1.0, 1e8, 1e-20, 1e300, 1e-300] {
        let n = 129;
        let mut a = random::<f64>(&[n, n], 3);
        (0..n).for_each(|i| (0..i).for_each(|j| a.set(0, j, i, a.get(0, i, j))));
        a.data.iter_mut().for_each(|x| *x *= scale);
        let (mut v, mut w) = (a.zeros_like(), Owned::<f64>::new(&[n]));
        assert!(eigh(&a.view(), &mut w.view_mut(), Some(&mut v.view_mut()), false).is_empty());
        w.data.iter_mut().for_each(|x| *x /= scale);
        a.data.iter_mut().for_each(|x| *x /= scale);
        assert!(product(&scaled(&v, &w), &transposed(&v), [false; 2]).distance(&a) < 1e-12, "scale {scale}");
    }
    for rank in [1, 40, 75, 100, 149] {
        let n = 150;
        let g = random::<f64>(&[n, rank], rank);
        let (mut q, mut r) = (Owned::<f64>::new(&[n, rank]), Owned::<f64>::new(&[rank, rank]));
        qr(&g.view(), Some(&mut q.view_mut()), &mut r.view_mut());
        let p = product(&q, &transposed(&q), [false; 2]);
        let mut s = Owned::<f64>::new(&[n]);
        assert!(svd(&p.view(), &mut s.view_mut(), None).is_empty());
        let wrong =
            s.data.iter().enumerate().map(|(i, s)| (s - if i < rank { 1.0 } else { 0.0 }).abs()).fold(0.0, f64::max);
        assert!(wrong < 1e-13, "rank {rank}: {wrong}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "too much work for miri")]
fn decompositions_have_the_same_bits_on_every_thread_count() {
    with_lapack();
    for [items, n] in [[1000, 3], [60, 16], [5, 40], [1, 200]] {
        let a = random::<f64>(&[items, n, n], 1);
        bits_on_every_thread_count(|| {
            let [mut u, mut vh, mut q, mut r, mut x] = [(); 5].map(|()| a.zeros_like());
            let mut s = Owned::<f64>::new(&[items, n]);
            let mut w = s.clone();
            svd(&a.view(), &mut s.view_mut(), Some((&mut u.view_mut(), &mut vh.view_mut())));
            qr(&a.view(), Some(&mut q.view_mut()), &mut r.view_mut());
            eigh(&a.view(), &mut w.view_mut(), Some(&mut x.view_mut()), false);
            [u.data, vh.data, s.data, q.data, r.data, w.data, x.data].concat()
        });
    }
}

#[test]
fn adjugates_are_determinants_times_inverses_and_exist_without_them() {
    for n in affordable(&[1, 2, 3, 4, 7, 20]) {
        let mut a = random::<Complex<f64>>(&[5, n, n], n);
        (0..n).for_each(|i| a.set(3, i, n - 1, if n > 1 { a.get(3, i, 0) } else { Complex::default() }));
        let mut x = a.zeros_like();
        adjugate(&a.view(), &mut x.view_mut());
        let mut d = Owned::<Complex<f64>>::new(&[5]);
        det(&a.view(), &mut d.view_mut());
        let got = product(&a, &x, [false; 2]);
        let mut want = got.zeros_like();
        (0..5).for_each(|t| (0..n).for_each(|i| want.set(t, i, i, d.data[t])));
        let size = x.max_abs().max(1.0);
        assert!(got.distance(&want) <= 1e-13 * n as f64 * size, "n = {n}: {}", got.distance(&want));
        assert!(n == 1 || (0..n).any(|i| (0..n).any(|j| x.get(3, i, j).norm() > 1e-6)));
    }
}

type Spectrum<T> = (Owned<Complex<<T as Field>::Part>>, Owned<Complex<<T as Field>::Part>>);

fn eigen<T: Field>(a: &Owned<T>, layout: usize) -> Spectrum<T>
where
    Complex<T::Part>: Field,
{
    let [items, n, _] = *a.shape.first_chunk::<3>().unwrap();
    let mut w = Owned::<Complex<T::Part>>::new(&[items, n]);
    let mut v = Owned::<Complex<T::Part>>::new(&[items, n, n]).laid_out(layout);
    assert!(eig(&a.view(), &mut w.view_mut(), Some(&mut v.view_mut())).is_empty());
    let mut only = w.zeros_like();
    assert!(eig(&a.view(), &mut only.view_mut(), None).is_empty());
    assert!(only.data.iter().zip(&w.data).all(|(x, y)| {
        let (x, y) = (x.wide(), y.wide());
        (x.re.is_nan() && y.re.is_nan()) || (x - y).norm() <= 1e3 * T::EPS * (1.0 + y.norm())
    }));
    (w, v)
}

/// The largest residual of an item's eigenvectors over its norm, with the error of their lengths.
fn eigen_error<T: Field>(a: &Owned<T>, (w, v): &Spectrum<T>, item: usize) -> f64
where
    Complex<T::Part>: Field,
{
    let n = *a.shape.last().unwrap();
    let number = |i: usize, j: usize| a.get(item, i, j).wide();
    let all = || (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let largest = all().map(|(i, j)| number(i, j).norm()).fold(f64::MIN_POSITIVE, f64::max);
    let norm = all().map(|(i, j)| (number(i, j) / largest).norm_sqr()).sum::<f64>().sqrt().max(0.1);
    let mut worst = 0.0_f64;
    for e in 0..n {
        let value = w.data[item * n + e].wide() / largest;
        let vector: Vec<_> = (0..n).map(|i| v.get(item, i, e).wide()).collect();
        let length = vector.iter().map(|x| x.norm_sqr()).sum::<f64>().sqrt();
        let rest =
            |i: usize| (0..n).map(|j| number(i, j) / largest * vector[j]).sum::<Complex<f64>>() - value * vector[i];
        let residual = (0..n).map(|i| rest(i).norm_sqr()).sum::<f64>().sqrt();
        let worse = (residual / norm).max((length - 1.0).abs());
        worst = if worse.is_nan() { f64::INFINITY } else { worst.max(worse) };
    }
    worst
}

fn check_eig<T: Field>(items: usize, n: usize, layout: usize)
where
    Complex<T::Part>: Field,
{
    let a = random::<T>(&[items, n, n], n + items).laid_out(layout);
    let spectrum = eigen(&a, 3 - layout);
    for item in 0..items {
        let error = eigen_error(&a, &spectrum, item);
        assert!(error <= 10.0 * T::EPS * (n as f64 + 2.0), "{:?}, {items} of {n}: {error}", T::DTYPE);
    }
}

#[test]
fn eigenvectors_keep_their_directions() {
    with_lapack();
    for (i, n) in affordable(&[1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 64, 65]).enumerate() {
        for items in [3, 1, 21].into_iter().take(if cfg!(miri) { 1 } else { 3 }) {
            check_eig::<f64>(items, n, i % 4);
            check_eig::<Complex<f32>>(items, n, (i + 3) % 4);
            if !cfg!(miri) {
                check_eig::<f32>(items, n, (i + 1) % 4);
                check_eig::<Complex<f64>>(items, n, (i + 2) % 4);
            }
        }
    }
}

/// Matrices that are hard in one way each, and their eigenvalues where rounding leaves them alone.
fn hard(n: usize) -> Vec<(&'static str, Owned<f64>, Option<Vec<f64>>)> {
    let make =
        |f: &dyn Fn(usize, usize) -> f64| Owned::from_vec(&[n, n], (0..n * n).map(|e| f(e / n, e % n)).collect());
    let sample = |i: usize, j: usize| f64::sample(7 * i + 31 * j);
    let diagonal: Vec<f64> = (0..n).map(|i| sample(i, i)).collect();
    let ones = |i: usize, j: usize| (i == j || i + 1 == j) as u8 as f64;
    vec![
        ("zero", make(&|_, _| 0.0), Some(vec![0.0; n])),
        ("one", make(&|i, j| (i == j) as u8 as f64), Some(vec![1.0; n])),
        ("all equal", make(&|_, _| 1.0), None),
        ("upper", make(&|i, j| if i > j { 0.0 } else { sample(i, j) }), Some(diagonal.clone())),
        ("lower", make(&|i, j| if i < j { 0.0 } else { sample(i, j) }), Some(diagonal.clone())),
        ("defective", make(&ones), Some(vec![1.0; n])),
        ("defective below", make(&|i, j| ones(j, i)), Some(vec![1.0; n])),
        ("nilpotent", make(&|i, j| (i + 1 == j) as u8 as f64), Some(vec![0.0; n])),
        ("cyclic", make(&|i, j| (j == (i + 1) % n) as u8 as f64), None),
        (
            "rotations",
            make(&|i, j| {
                if i / 2 != j / 2 {
                    0.0
                } else if i == j {
                    0.6
                } else {
                    0.8 * (j as f64 - i as f64)
                }
            }),
            None,
        ),
        ("symmetric", make(&|i, j| sample(i.min(j), i.max(j))), None),
        ("skew", make(&|i, j| sample(i.min(j), i.max(j)) * (j as f64 - i as f64).signum()), None),
        ("graded", make(&|i, j| sample(i, j) * 10f64.powi(-(2 * (i + j) as i32).min(60))), None),
        ("unbalanced", make(&|i, j| sample(i, j) * 2f64.powi(5 * (i as i32 - j as i32))), None),
        ("nearly triangular", make(&|i, j| sample(i, j) * if i > j { 1e-14 } else { 1.0 }), None),
        ("huge", make(&|i, j| sample(i, j) * 1e300), None),
        ("tiny", make(&|i, j| sample(i, j) * 1e-300), None),
        ("companion", make(&|i, j| if i == 0 { sample(1, j) } else { (i == j + 1) as u8 as f64 }), None),
        ("Frank", make(&|i, j| if i <= j + 1 { (i.min(j) + 1) as f64 } else { 0.0 }), None),
        ("random", make(&sample), None),
    ]
}

#[test]
fn eigenvectors_of_hard_matrices() {
    with_lapack();
    for n in affordable(&[2, 3, 4, 5, 8, 13, 24]) {
        let cases = hard(n);
        let data = cases.iter().flat_map(|(_, a, _)| a.data.clone()).collect();
        let a = Owned::from_vec(&[cases.len(), n, n], data);
        let spectrum = eigen(&a, 0);
        for (item, (name, _, want)) in cases.iter().enumerate() {
            let error = eigen_error(&a, &spectrum, item);
            assert!(error <= 1e-14 * (n as f64 + 2.0), "{name}, {n}: {error}");
            let values = &spectrum.0.data[item * n..(item + 1) * n];
            let pairs = |z: &Complex<f64>| z.im == 0.0 || values.contains(&z.conj());
            assert!(values.iter().all(pairs), "{name}, {n}: not in pairs");
            for (e, z) in values.iter().enumerate().filter(|(_, z)| z.im == 0.0) {
                let mut column = (0..n).map(|i| spectrum.1.data[(item * n + i) * n + e]);
                assert!(column.all(|x| x.im == 0.0), "{name}, {n}: the vector of {z} is not real");
            }
            if let Some(want) = want {
                let mut got: Vec<f64> = values.iter().map(|z| z.re).collect();
                let mut want = want.clone();
                got.sort_by(f64::total_cmp);
                want.sort_by(f64::total_cmp);
                assert!(values.iter().all(|z| z.im == 0.0) && got == want, "{name}, {n}: {got:?}");
            }
        }
        // The same bits among other items.
        let order: Vec<usize> = (0..cases.len()).map(|i| (7 * i + 3) % cases.len()).collect();
        let data = order.iter().flat_map(|&i| cases[i].1.data.clone()).collect();
        let (w, v) = eigen(&Owned::from_vec(&[cases.len(), n, n], data), 0);
        for (at, &item) in order.iter().enumerate() {
            assert_eq!(w.data[at * n..(at + 1) * n], spectrum.0.data[item * n..(item + 1) * n], "{}", cases[item].0);
            let size = n * n;
            assert_eq!(v.data[at * size..(at + 1) * size], spectrum.1.data[item * size..(item + 1) * size]);
        }
    }
}

#[test]
fn eigenvalues_of_what_is_not_finite_are_nan_and_others_are_not() {
    let n = 3;
    for bad in [f64::NAN, f64::INFINITY] {
        let mut a = random::<f64>(&[11, n, n], 4);
        let clean = eigen(&a, 0);
        a.set(5, 1, 2, bad);
        let (w, v) = eigen(&a, 0);
        for item in 0..11 {
            let (values, vectors) = (item * n..(item + 1) * n, item * n * n..(item + 1) * n * n);
            if item == 5 {
                assert!(w.data[values].iter().chain(&v.data[vectors]).all(|z| z.re.is_nan() && z.im.is_nan()));
            } else {
                assert_eq!(w.data[values.clone()], clean.0.data[values]);
                assert_eq!(v.data[vectors.clone()], clean.1.data[vectors]);
            }
        }
    }
}
