use crate::testing::{Owned, SIZES, Value, affordable, bits_on_every_thread_count, random};
use num_complex::Complex;
use sciarray_kernels::linalg::*;

const FORMS: [Form; 3] = [Form::Plain, Form::Transposed, Form::Adjoint];

pub(super) fn product<T: Value>(a: &Owned<T>, b: &Owned<T>, conj: [bool; 2]) -> Owned<T> {
    let mut shape = a.shape.clone();
    *shape.last_mut().unwrap() = *b.shape.last().unwrap();
    let mut out = Owned::new(&shape);
    sciarray_kernels::matmul::matmul(&a.view(), &b.view(), &mut out.view_mut(), conj[0], conj[1]);
    out
}

pub(super) fn transposed<T: Value>(a: &Owned<T>) -> Owned<T> {
    let mut out = a.clone();
    let d = a.shape.len();
    out.shape.swap(d - 1, d - 2);
    out.strides.swap(d - 1, d - 2);
    out
}

fn in_form<T: Value>(a: &Owned<T>, form: Form) -> Owned<T> {
    let mut out = if form == Form::Plain { a.clone() } else { transposed(a) };
    if form == Form::Adjoint {
        out.data.iter_mut().for_each(|x| *x = x.conj());
    }
    out
}

/// The part of `a` that a triangle names.
fn triangle_of<T: Value>(a: &Owned<T>, lower: bool, unit: Option<T>) -> Owned<T> {
    let mut out = Owned::from_vec(&a.shape, a.values());
    let n = *a.shape.last().unwrap();
    for item in 0..a.len() / (n * n).max(1) {
        for i in 0..n {
            for j in 0..n {
                if i == j {
                    unit.inspect(|&one| out.set(item, i, j, one));
                } else if (i > j) != lower {
                    out.set(item, i, j, T::default());
                }
            }
        }
    }
    out
}

fn factor<T: Value>(a: &Owned<T>, layout: usize) -> (Owned<T>, Owned<i64>, Vec<Failure>) {
    let mut lu = a.zeros_like().laid_out(layout);
    let mut piv = Owned::new(&a.shape[..a.shape.len() - 1]);
    let failures = lu_factor(&a.view(), &mut lu.view_mut(), &mut piv.view_mut());
    (lu, piv, failures)
}

/// Rows of `a` exchanged as the pivots say.
fn permuted<T: Value>(a: &Owned<T>, piv: &Owned<i64>) -> Owned<T> {
    let mut out = Owned::from_vec(&a.shape, a.values());
    let n = *a.shape.last().unwrap();
    for item in 0..a.len() / (n * n).max(1) {
        for i in 0..n {
            let p = piv.values()[item * n + i] as usize;
            assert!(p >= i && p < n);
            for j in 0..n {
                let (x, y) = (out.get(item, i, j), out.get(item, p, j));
                out.set(item, i, j, y);
                out.set(item, p, j, x);
            }
        }
    }
    out
}

fn one<T: Value + num_traits::One>() -> T {
    T::one()
}

fn check_lu<T: Value + num_traits::One>(n: usize, layout: usize) {
    for items in [3, 1, 19].into_iter().take(if cfg!(miri) { 1 } else { 3 }) {
        let a = random::<T>(&[items, n, n], n).laid_out(layout);
        let (lu, piv, failures) = factor(&a, 3 - layout);
        assert!(failures.is_empty());
        let (l, u) = (triangle_of(&lu, true, Some(one())), triangle_of(&lu, false, None));
        assert!(l.max_abs() <= 1.5, "rows are exchanged");
        let bound = 4.0 * T::EPS * (n as f64 + 1.0) * u.max_abs();
        assert!(product(&l, &u, [false; 2]).distance(&permuted(&a, &piv)) <= bound, "n = {n}");
        for form in FORMS {
            for k in affordable(&[0, 1, 5, 140]) {
                if k > 5 && items > 1 {
                    continue;
                }
                let b = random::<T>(&[items, n, k], 7).laid_out(layout);
                let mut x = b.zeros_like().laid_out(3 - layout);
                assert!(lu_solve(&lu.view(), &piv.view(), &b.view(), &mut x.view_mut(), form).is_empty());
                let residual = product(&in_form(&a, form), &x, [false; 2]).distance(&b);
                let bound = 20.0 * T::EPS * (n as f64 + 1.0) * (x.max_abs() * a.max_abs() + 1.0);
                assert!(residual <= bound, "n = {n}, {form:?}, k = {k}: {residual} > {bound}");
            }
        }
    }
}

#[test]
fn lu_reconstructs_and_solves() {
    for (i, n) in affordable(&SIZES).enumerate() {
        check_lu::<f64>(n, i % 4);
        check_lu::<Complex<f32>>(n, (i + 3) % 4);
        if !cfg!(miri) {
            check_lu::<f32>(n, (i + 1) % 4);
            check_lu::<Complex<f64>>(n, (i + 2) % 4);
        }
    }
}

fn check_triangular<T: Value + num_traits::One>(n: usize, layout: usize) {
    let mut a = random::<T>(&[4, n, n], n);
    (0..4).for_each(|t| (0..n).for_each(|i| a.set(t, i, i, T::one().plus(T::one()).plus(T::sample(i)))));
    // Off the diagonal small enough that the solution does not grow.
    let scale = T::one();
    let a = a.laid_out(layout);
    for lower in [false, true] {
        for unit in [false, true] {
            for form in FORMS {
                let b = random::<T>(&[4, n, 3], 5).laid_out(layout);
                let mut x = b.zeros_like().laid_out(3 - layout);
                let triangle = Triangle { lower, unit, form };
                assert!(solve_triangular(&a.view(), &b.view(), &mut x.view_mut(), triangle).is_empty());
                let t = in_form(&triangle_of(&a, lower, unit.then_some(scale)), form);
                let residual = product(&t, &x, [false; 2]).distance(&b);
                let bound = 20.0 * T::EPS * (n as f64 + 1.0) * (x.max_abs() * a.max_abs() + 1.0);
                assert!(residual <= bound, "n = {n}, {triangle:?}: {residual} > {bound}");
            }
        }
    }
}

#[test]
fn triangular_systems_have_small_residuals() {
    for (i, n) in affordable(&SIZES).enumerate() {
        check_triangular::<f64>(n, i % 4);
        check_triangular::<Complex<f64>>(n, (i + 1) % 4);
        if n < 40 {
            check_triangular::<f32>(n, (i + 2) % 4);
            check_triangular::<Complex<f32>>(n, (i + 3) % 4);
        }
    }
}

fn check_cholesky<T: Value>(items: usize, n: usize, layout: usize) {
    let g = random::<T>(&[items, n, n + 2], n);
    let a = product(&g, &transposed(&g), [false, true]);
    for upper in [false, true] {
        // What is in the other triangle must not matter.
        let mut half = triangle_of(&a, !upper, None);
        for item in 0..items {
            for i in 0..n {
                for j in 0..n {
                    if i != j && (i < j) != upper {
                        half.set(item, i, j, T::sample(i));
                    }
                }
            }
        }
        let half = half.laid_out(layout);
        let mut factor = a.zeros_like().laid_out(3 - layout);
        factor.fill(T::sample(3));
        assert!(cholesky(&half.view(), &mut factor.view_mut(), upper).is_empty());
        assert_eq!(triangle_of(&factor, !upper, None).distance(&factor), 0.0);
        let back = match upper {
            false => product(&factor, &transposed(&factor), [false, true]),
            true => product(&transposed(&factor), &factor, [true, false]),
        };
        assert!(back.distance(&a) <= 8.0 * T::EPS * (n as f64 + 1.0) * (a.max_abs() + 1.0), "n = {n}, upper = {upper}");
    }
}

#[test]
fn cholesky_reconstructs_from_one_triangle() {
    for (i, n) in affordable(&SIZES).enumerate() {
        check_cholesky::<f64>(19, n, i % 4);
        check_cholesky::<Complex<f32>>(19, n, (i + 3) % 4);
        if !cfg!(miri) {
            check_cholesky::<f32>(19, n, (i + 1) % 4);
            check_cholesky::<Complex<f64>>(19, n, (i + 2) % 4);
        }
    }
}

/// One matrix, so that lanes run along its columns.
#[test]
fn columns_longer_than_the_lanes() {
    check_lu::<f64>(10, 0);
    check_cholesky::<f64>(1, 10, 0);
    check_cholesky::<Complex<f64>>(1, 10, 1);
}

#[test]
fn failing_items_become_nan_and_the_others_survive() {
    for n in affordable(&[1, 2, 3, 5, 16, 17, 40, 100]) {
        let mut a = random::<f64>(&[21, n, n], n);
        let g = a.clone();
        let mut spd = product(&g, &transposed(&g), [false; 2]);
        for item in 0..21 {
            (0..n).for_each(|i| spd.set(item, i, i, spd.get(item, i, i) + 1.0));
        }
        let (clean, clean_spd) = (a.clone(), spd.clone());
        let bad = n / 2;
        (0..n).for_each(|i| a.set(4, i, bad, 0.0));
        spd.set(4, bad, bad, -1.0);
        a.set(9, 0, 0, f64::NAN);
        spd.set(9, 0, 0, f64::NAN);

        let solve = |a: &Owned<f64>| {
            let (lu, piv, failures) = factor(a, 0);
            let b = random::<f64>(&[21, n, 2], 3);
            let mut x = b.zeros_like();
            let again = lu_solve(&lu.view(), &piv.view(), &b.view(), &mut x.view_mut(), Form::Plain);
            assert_eq!(failures, again);
            (x, failures)
        };
        let factorize = |a: &Owned<f64>| {
            let mut l = a.zeros_like();
            let failures = cholesky(&a.view(), &mut l.view_mut(), false);
            (l, failures)
        };
        for ((got, failures), (want, none), size, expected) in [
            (solve(&a), solve(&clean), 2 * n, vec![Failure { item: 4, pivot: bad }]),
            (
                factorize(&spd),
                factorize(&clean_spd),
                n * n,
                vec![Failure { item: 4, pivot: bad }, Failure { item: 9, pivot: 0 }],
            ),
        ] {
            assert_eq!((failures, none), (expected, vec![]), "n = {n}");
            for (item, (x, y)) in got.values().chunks(size).zip(want.values().chunks(size)).enumerate() {
                match item {
                    4 => assert!(x.iter().all(|v| v.is_nan()), "n = {n}"),
                    9 => assert!(x.iter().any(|v| v.is_nan())),
                    _ => assert_eq!(x, y, "n = {n}, item {item}"),
                }
            }
        }
    }
}

#[test]
fn factors_of_a_singular_matrix_are_right() {
    for n in affordable(&[3, 16, 17, 70]) {
        let mut a = random::<f64>(&[n, n], n);
        (0..n).for_each(|i| a.set(0, i, 1, 0.0));
        let (lu, piv, failures) = factor(&a, 0);
        assert_eq!(failures, [Failure { item: 0, pivot: 1 }]);
        let (l, u) = (triangle_of(&lu, true, Some(1.0)), triangle_of(&lu, false, None));
        assert!(product(&l, &u, [false; 2]).distance(&permuted(&a, &piv)) < 1e-13 * n as f64);
    }
}

#[test]
fn scale_does_not_matter() {
    for n in affordable(&[2, 3, 8, 16, 33, 90]) {
        let a = random::<Complex<f64>>(&[n, n], n);
        let b = random::<Complex<f64>>(&[n, 1], 2);
        let solve = |scale: f64| {
            let mut scaled = a.clone();
            scaled.data.iter_mut().for_each(|z| *z *= scale);
            let (lu, piv, failures) = factor(&scaled, 0);
            assert!(failures.is_empty());
            let mut x = b.zeros_like();
            lu_solve(&lu.view(), &piv.view(), &b.view(), &mut x.view_mut(), Form::Plain);
            x.data.iter_mut().for_each(|z| *z *= scale);
            x
        };
        let want = solve(1.0);
        for scale in [2f64.powi(-900), 2f64.powi(900), 2f64.powi(-500), 2f64.powi(500)] {
            assert!(solve(scale).distance(&want) <= 1e-10 * want.max_abs(), "n = {n}, scale = {scale}");
        }
    }
}

#[test]
fn a_batch_of_small_matrices_equals_its_parts_bit_for_bit() {
    for n in affordable(&[3, 8, 16]) {
        let (a, b) = (random::<Complex<f64>>(&[13, n, n], 1), random::<Complex<f64>>(&[13, n, 9], 2));
        let solve = |a: &Owned<Complex<f64>>, b: &Owned<Complex<f64>>| {
            let (lu, piv, _) = factor(a, 0);
            let mut x = b.zeros_like();
            lu_solve(&lu.view(), &piv.view(), &b.view(), &mut x.view_mut(), Form::Adjoint);
            x.values()
        };
        let whole = solve(&a, &b);
        for part in [0..13, 0..4, 4..9, 9..13] {
            let of = |o: &Owned<Complex<f64>>, k: usize| {
                let data = o.data[part.start * n * k..part.end * n * k].to_vec();
                Owned::from_vec(&[part.len(), n, k], data)
            };
            assert_eq!(solve(&of(&a, n), &of(&b, 9)), whole[part.start * 9 * n..part.end * 9 * n]);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "too much work for miri")]
fn no_bit_depends_on_the_number_of_threads() {
    for [items, n] in [[2000, 3], [300, 16], [5, 100], [1, 400]] {
        let a = random::<f64>(&[items, n, n], 1);
        let b = random::<f64>(&[items, n, 300 / n], 1);
        let mut spd = product(&a, &transposed(&a), [false; 2]);
        (0..items).for_each(|t| (0..n).for_each(|i| spd.set(t, i, i, spd.get(t, i, i) + 1.0)));
        bits_on_every_thread_count(|| {
            let (lu, piv, _) = factor(&a, 0);
            let mut x = b.zeros_like();
            lu_solve(&lu.view(), &piv.view(), &b.view(), &mut x.view_mut(), Form::Plain);
            let mut l = a.zeros_like();
            cholesky(&spd.view(), &mut l.view_mut(), false);
            [lu.data, x.data, l.data].concat()
        });
    }
}
