use super::*;
use crate::linalg::testing::{Owned, affordable, bits_on_every_thread_count, random};

const LENGTHS: [usize; 24] =
    [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 97, 127, 128, 129, 251, 360, 1009];

/// The sum itself, with exact reduction of the angle; the length of `line` need not be `n`.
fn naive(line: &[Complex<f64>], n: usize, inverse: bool) -> Vec<Complex<f64>> {
    let sign = if inverse { 1.0 } else { -1.0 };
    let roots: Vec<_> = (0..n).map(|i| Complex::cis(sign * std::f64::consts::TAU * i as f64 / n as f64)).collect();
    (0..n).map(|k| line.iter().take(n).enumerate().map(|(j, x)| x * roots[j * k % n]).sum()).collect()
}

/// Applies a function of lines along an axis, by index arithmetic alone.
fn along(
    src: &Owned<Complex<f64>>,
    axis: usize,
    len: usize,
    f: impl Fn(&[Complex<f64>]) -> Vec<Complex<f64>>,
) -> Owned<Complex<f64>> {
    let mut shape = src.shape.clone();
    shape[axis] = len;
    let mut out = Owned::new(&shape);
    let inner: usize = shape[axis + 1..].iter().product();
    let values = src.values();
    let outer: usize = shape[..axis].iter().product();
    for o in 0..outer {
        for i in 0..inner {
            let n = src.shape[axis];
            let line: Vec<_> = (0..n).map(|k| values[(o * n + k) * inner + i]).collect();
            for (k, x) in f(&line).into_iter().enumerate() {
                out.data[(o * len + k) * inner + i] = x;
            }
        }
    }
    out
}

fn shape_with(axis: usize, n: usize) -> [usize; 3] {
    let mut shape = match n {
        _ if cfg!(miri) => [1, 2, 2],
        131.. => [2, 3, 5],
        _ => [3, 5, 19],
    };
    shape[axis] = n;
    shape
}

fn tolerance(n: usize) -> f64 {
    1e-15 * n as f64 * ((n + 1) as f64).log2() + 1e-15
}

#[test]
fn complex_transforms_equal_the_sum() {
    for (i, n) in affordable(&LENGTHS).enumerate() {
        for axis in 0..3 {
            for present in [n, n / 2, n + 3] {
                let src = random::<Complex<f64>>(&shape_with(axis, present), n).laid_out(i % 4);
                for inverse in [false, true] {
                    let want = along(&src, axis, n, |line| naive(line, n, inverse));
                    let mut got = Owned::new(&want.shape).laid_out((i + axis) % 4);
                    c2c(&src.view(), &mut got.view_mut(), axis, inverse, 1.0);
                    assert!(got.distance(&want) < tolerance(n), "n = {n}, axis {axis}, from {present}");
                    c2c(&src.view(), &mut got.view_mut(), axis, inverse, 0.5);
                    let mut half = want.clone();
                    half.data.iter_mut().for_each(|z| *z *= 0.5);
                    assert!(got.distance(&half) < tolerance(n));
                }
            }
        }
    }
}

#[test]
fn real_transforms_equal_the_sum() {
    for (i, n) in affordable(&LENGTHS).enumerate() {
        for axis in 0..3 {
            for present in [n, n / 2, n + 2] {
                let src = random::<f64>(&shape_with(axis, present), n).laid_out(i % 4);
                let complex = Owned::from_vec(&src.shape, src.values().into_iter().map(Complex::from).collect());
                let want = along(&complex, axis, n / 2 + 1, |line| naive(line, n, false)[..n / 2 + 1].to_vec());
                let mut got = Owned::new(&want.shape).laid_out((i + axis) % 4);
                r2c(&src.view(), &mut got.view_mut(), n, axis, 1.0);
                assert!(got.distance(&want) < tolerance(n), "n = {n}, axis {axis}, from {present}");

                // Any half spectrum is taken, also one that no real signal has: imaginary parts without a partner do not count.
                let half = random::<Complex<f64>>(&shape_with(axis, present / 2 + 1), n).laid_out(i % 4);
                let back = along(&half, axis, n, |line| {
                    let mut spectrum = vec![Complex::default(); n];
                    for (k, &x) in line.iter().enumerate().take(n / 2 + 1) {
                        spectrum[k] = if k == 0 || 2 * k == n { x.re.into() } else { x };
                        spectrum[(n - k) % n] = spectrum[k].conj();
                    }
                    naive(&spectrum, n, true)
                });
                let want = Owned::from_vec(&back.shape, back.data.iter().map(|z| z.re).collect());
                let mut got = Owned::new(&want.shape).laid_out((i + axis) % 4);
                c2r(&half.view(), &mut got.view_mut(), axis, 1.0);
                assert!(got.distance(&want) < tolerance(n), "n = {n}, axis {axis}, from {present}");
            }
        }
    }
}

#[test]
fn single_precision_and_broadcast_lines() {
    for n in affordable(&[1, 6, 17, 256, 1000]) {
        let src = random::<Complex<f32>>(&[n], n).broadcast(40);
        let wide =
            Owned::from_vec(&src.shape, src.values().iter().map(|z| Complex::new(z.re as f64, z.im as f64)).collect());
        let (mut got, mut want) = (Owned::<Complex<f32>>::new(&src.shape), Owned::<Complex<f64>>::new(&src.shape));
        c2c(&src.view(), &mut got.view_mut(), 1, false, 1.0);
        c2c(&wide.view(), &mut want.view_mut(), 1, false, 1.0);
        let error = got.data.iter().zip(&want.data).map(|(x, y)| (x.re as f64 - y.re).hypot(x.im as f64 - y.im));
        assert!(error.fold(0.0, f64::max) < 1e-6 * (n as f64).sqrt() * ((n + 1) as f64).log2());
    }
}

#[test]
fn empty_arrays_and_empty_lines() {
    let mut got = Owned::<Complex<f64>>::new(&[3, 4]);
    got.fill(Complex::new(7.0, 7.0));
    c2c(&Owned::<Complex<f64>>::new(&[3, 0]).view(), &mut got.view_mut(), 1, false, 1.0);
    assert_eq!(got, Owned::new(&[3, 4]));
    let mut got = Owned::<Complex<f64>>::new(&[0, 4]);
    c2c(&Owned::<Complex<f64>>::new(&[0, 4]).view(), &mut got.view_mut(), 1, false, 1.0);
}

#[test]
fn nan_stays_in_its_line() {
    let mut src = random::<Complex<f64>>(&[20, 12], 1);
    src.data[5 * 12 + 3].re = f64::NAN;
    let mut got = src.zeros_like();
    c2c(&src.view(), &mut got.view_mut(), 1, false, 1.0);
    assert!(got.data.chunks(12).enumerate().all(|(i, line)| line.iter().all(|z| z.is_nan()) == (i == 5)));
}

#[test]
#[cfg_attr(miri, ignore = "too much work for miri")]
fn no_bit_depends_on_the_number_of_threads() {
    for (lines, n) in [(1000, 60), (3, 10_007), (1, 1 << 17)] {
        let src = random::<Complex<f64>>(&[n, lines], 1);
        bits_on_every_thread_count(|| {
            let mut got = src.zeros_like();
            c2c(&src.view(), &mut got.view_mut(), 0, false, 1.0);
            got.data
        });
    }
}

#[test]
#[cfg_attr(miri, ignore = "too much work for miri")]
fn split_lines_equal_the_plain_transform() {
    for n in [1usize << 18, 3 << 17, 360_360, 531_441, 2 * 300_300] {
        let src = random::<Complex<f64>>(&[2, n], n);
        let mut got = src.zeros_like();
        for inverse in [false, true] {
            c2c(&src.view(), &mut got.view_mut(), 1, inverse, 0.25);
            let mut want = src.clone();
            let mut planner = rustfft::FftPlanner::new();
            let fft = if inverse { planner.plan_fft_inverse(n) } else { planner.plan_fft_forward(n) };
            fft.process(&mut want.data);
            want.data.iter_mut().for_each(|z| *z *= 0.25);
            assert!(got.distance(&want) < 1e-12 * (n as f64).sqrt(), "n = {n}");
        }
        let real = random::<f64>(&[2, n], n);
        let wide = Owned::from_vec(&[2, n], real.values().into_iter().map(Complex::from).collect());
        let mut want = wide.zeros_like();
        let mut half = Owned::<Complex<f64>>::new(&[2, n / 2 + 1]);
        c2c(&wide.view(), &mut want.view_mut(), 1, false, 1.0);
        r2c(&real.view(), &mut half.view_mut(), n, 1, 1.0);
        for line in 0..2 {
            let rows = half.data[line * (n / 2 + 1)..].iter().zip(&want.data[line * n..]).take(n / 2 + 1);
            assert!(rows.into_iter().all(|(x, y)| (x - y).norm() < 1e-12 * (n as f64).sqrt()));
        }
        let mut back = real.zeros_like();
        c2r(&half.view(), &mut back.view_mut(), 1, 1.0 / n as f64);
        assert!(back.distance(&real) < 1e-14 * (n as f64).log2());
    }
}

#[test]
fn mirrored_spectra_of_real_lines() {
    for n in affordable(&[1, 2, 3, 8, 9, 100]) {
        for inverse in [false, true] {
            let src = random::<f64>(&[5, n, 2], n);
            let complex = Owned::from_vec(&src.shape, src.values().into_iter().map(Complex::from).collect());
            let mut want = complex.zeros_like();
            c2c(&complex.view(), &mut want.view_mut(), 1, inverse, 0.5);
            let mut got = complex.zeros_like();
            c2c(&src.view(), &mut got.view_mut(), 1, inverse, 0.5);
            assert!(got.distance(&want) < tolerance(n), "n = {n}");
        }
    }
}

#[test]
fn cosine_and_sine_transforms_equal_their_sums() {
    for n in affordable(&[1, 2, 3, 4, 5, 7, 8, 9, 15, 17, 23, 30]) {
        let src = random::<f64>(&[3, n, 2], n).laid_out(n % 4);
        for sine in [false, true] {
            for kind in [1, 4].into_iter().filter(|&kind| kind == 4 || sine || n > 1) {
                let (first, scale) = (if kind == 1 && !sine { 0.75 } else { 1.0 }, 0.5);
                let mut got = Owned::<f64>::new(&[3, n, 2]);
                cosine(&src.view(), &mut got.view_mut(), 1, kind, sine, first, scale);
                let end = |k: usize| k == 0 || k == n - 1;
                let term = |k: usize, j: usize| {
                    let pi = std::f64::consts::PI;
                    match (kind, sine) {
                        (1, false) => {
                            let weights = if end(j) { 0.5 * first } else { 1.0 } / if end(k) { first } else { 1.0 };
                            2.0 * weights * (pi * (k * j) as f64 / (n - 1) as f64).cos()
                        }
                        (1, true) => 2.0 * (pi * ((k + 1) * (j + 1)) as f64 / (n + 1) as f64).sin(),
                        (_, false) => 2.0 * (pi * ((2 * k + 1) * (2 * j + 1)) as f64 / (4 * n) as f64).cos(),
                        (_, true) => 2.0 * (pi * ((2 * k + 1) * (2 * j + 1)) as f64 / (4 * n) as f64).sin(),
                    }
                };
                let x = src.values();
                for (line, i) in (0..3).flat_map(|line| (0..2).map(move |i| (line, i))) {
                    let place = |k: usize| (line * n + k) * 2 + i;
                    for k in 0..n {
                        let want: f64 = (0..n).map(|j| term(k, j) * x[place(j)]).sum();
                        let error = (got.data[place(k)] - scale * want).abs();
                        assert!(error < tolerance(2 * n), "type {kind}, n = {n}, {sine}: {error:e}");
                    }
                }
            }
        }
        let at = |k: usize, j: usize| 2.0 * (std::f64::consts::PI * (k * (2 * j + 1)) as f64 / (2 * n) as f64).cos();
        for (third, sine) in [(false, false), (true, false), (false, true), (true, true)] {
            let (first, scale) = (0.75, 0.5);
            let mut got = Owned::<f64>::new(&[3, n, 2]);
            cosine(&src.view(), &mut got.view_mut(), 1, 2 + third as usize, sine, first, scale);
            let x = src.values();
            for (line, i) in (0..3).flat_map(|line| (0..2).map(move |i| (line, i))) {
                let place = |k: usize| (line * n + k) * 2 + i;
                let turned = |k: usize| if sine { n - 1 - k } else { k };
                let sign = |j: usize| if sine && j % 2 == 1 { -1.0 } else { 1.0 };
                for out in 0..n {
                    let want: f64 = match third {
                        false => {
                            let sum: f64 = (0..n).map(|j| at(turned(out), j) * sign(j) * x[place(j)]).sum();
                            sum * if turned(out) == 0 { first } else { 1.0 }
                        }
                        true => {
                            let weight = |k| if k == 0 { 0.5 * first } else { 1.0 };
                            (0..n).map(|k| at(k, out) * sign(out) * weight(k) * x[place(turned(k))]).sum()
                        }
                    };
                    assert!((got.data[place(out)] - scale * want).abs() < tolerance(n), "n = {n} {third} {sine}");
                }
            }
        }
    }
}
