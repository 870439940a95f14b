//! What holds across distributions: independence of the split, and the distributions themselves with fixed seeds.
#![allow(unsafe_code)]

use super::fill::{Fill, fill_on_threads};
use super::*;
use crate::isa::Isa;
use crate::pool::set_num_threads;
use crate::testing::MOST;

fn stream(seed: u32) -> Stream {
    Stream::from_seed(&Seed::new(&[seed]))
}

/// Fills an output of length `n` with scalar parameters.
fn draw<T: Element, A: Element, B: Element>(dist: Dist, stream: &Stream, n: usize, a: A, b: B) -> Vec<T> {
    let shape = [n];
    let params = [(&raw const a).cast::<u8>(), (&raw const b).cast::<u8>()];
    let dtypes = dist.params(T::DTYPE);
    assert!(dtypes.iter().eq([A::DTYPE, B::DTYPE].iter().take(dtypes.len())));
    // SAFETY: with stride 0 every index names the one scalar, which outlives the view.
    let view = |i: usize| unsafe { View::new(params[i], dtypes[i], &shape, &[0]) };
    let views: Vec<View> = (0..dtypes.len()).map(view).collect();
    let mut out = vec![T::default(); n];
    // SAFETY: the view covers the vector, which is not touched otherwise while it lives.
    let mut target = unsafe { ViewMut::new(out.as_mut_ptr().cast(), T::DTYPE, &shape, &[1]) };
    fill(dist, stream, &mut target, &views);
    out
}

fn floats(dist: Dist, seed: u32, n: usize, a: f64, b: f64) -> Vec<f64> {
    draw(dist, &stream(seed), n, a, b)
}

fn poisson(seed: u32, n: usize, mean: f64) -> Vec<i64> {
    draw(Dist::Poisson, &stream(seed), n, mean, 0.0)
}

fn binomial(seed: u32, n: usize, trials: i64, p: f64) -> Vec<i64> {
    draw(Dist::Binomial, &stream(seed), n, trials, p)
}

/// The bits of a call for every distribution, with parameters that make the samplers reject.
fn bits(dist: Dist, stream: &Stream, n: usize) -> Vec<u64> {
    match dist {
        // A third of all words is rejected for this span.
        Dist::Integers => draw(dist, stream, n, 0u64, 11u64 << 60),
        Dist::Poisson => draw::<i64, _, _>(dist, stream, n, 12.5, 0.0).iter().map(|&k| k as u64).collect(),
        Dist::Binomial => draw::<i64, _, _>(dist, stream, n, 90i64, 0.7).iter().map(|&k| k as u64).collect(),
        _ => draw::<f64, _, _>(dist, stream, n, 0.4, 1.7).iter().map(|x| x.to_bits()).collect(),
    }
}

const ALL: [Dist; 8] = [
    Dist::Uniform,
    Dist::Normal,
    Dist::Exponential,
    Dist::Integers,
    Dist::Gamma,
    Dist::Beta,
    Dist::Poisson,
    Dist::Binomial,
];

#[test]
#[cfg_attr(miri, ignore = "too much work for miri")]
fn elements_depend_on_their_place_alone() {
    let s = stream(3).advanced((1 << 64) - 70);
    for dist in ALL {
        let whole = bits(dist, &s, 1000);
        for n in [0, 1, 2, 127, 128, 129, 255, 256, 257, 999] {
            assert_eq!(bits(dist, &s, n), whole[..n], "{dist:?}, the first {n}");
        }
        for start in [2, 64, 128, 130, 256, 998] {
            let rest = bits(dist, &s.advanced(dist.blocks(start as u64)), 1000 - start);
            assert_eq!(rest, whole[start..], "{dist:?} from {start}");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "too much work for miri")]
fn threads_do_not_matter() {
    for dist in ALL {
        let runs = [1, 2, 5].map(|threads| {
            set_num_threads(threads);
            bits(dist, &stream(5), 200_001)
        });
        set_num_threads(0);
        assert!(runs[0] == runs[1] && runs[0] == runs[2], "{dist:?}");
    }
}

#[test]
fn instruction_sets_do_not_matter() {
    const N: usize = if cfg!(miri) { MOST } else { 1003 };
    fn same<T: Element, K: Fill<T>>(kernel: &K) {
        let run = |isa| {
            let mut out = vec![T::default(); N];
            fill_on_threads(kernel, &mut out, isa);
            out
        };
        for isa in Isa::ALL {
            assert_eq!(run(isa.min(Isa::detect())), run(Isa::Baseline), "{isa:?}");
        }
    }
    let s = &stream(8);
    same::<f64, _>(&Uniform(s));
    same::<f32, _>(&Uniform(s));
    same::<f64, _>(&Normal(s));
    same::<f64, _>(&Exponential(s));
    // SAFETY: with stride 0 every index names the one scalar.
    let param = |v: &'static f64| unsafe { View::new((&raw const *v).cast(), DType::F64, &[N], &[0]) };
    let params = [param(&0.4), param(&1.7)];
    same::<f64, _>(&Sampled { stream: s, params: &params, sampler: PhantomData::<fn() -> Beta> });
    same::<i64, _>(&Sampled { stream: s, params: &[param(&12.5)], sampler: PhantomData::<fn() -> Poisson> });
}

#[test]
fn streams_differ_and_jump() {
    let s = stream(1);
    let first = |s: &Stream| bits(Dist::Uniform, s, 4);
    assert_eq!(s.jumped(0), s);
    assert_eq!(s.jumped(2), s.advanced(1 << 65));
    assert_eq!(s.jumped(u32::MAX).jumped(1), s);
    assert_ne!(first(&s.jumped(1)), first(&s));
    assert_ne!(first(&stream(2)), first(&s));
    assert_eq!(Stream::new(s.key(), s.position()), s);
    assert_eq!(Stream::new([1, 2], u128::MAX).advanced(1).position(), 0);
}

#[test]
fn broadcast_parameters() {
    let means = [0.5, 30.0, 4.0];
    let shape = [2, 3, 2];
    let mut out = [0i64; 12];
    // SAFETY: stride 0 repeats the three means over the first and last axis.
    let view = unsafe { View::new(means.as_ptr().cast(), DType::F64, &shape, &[0, 1, 0]) };
    // SAFETY: the shape has as many elements as the array.
    let mut target = unsafe { ViewMut::new(out.as_mut_ptr().cast(), DType::I64, &shape, &[6, 2, 1]) };
    fill(Dist::Poisson, &stream(1), &mut target, &[view]);
    for (i, &k) in out.iter().enumerate() {
        assert_eq!(k, poisson(1, 12, means[i / 2 % 3])[i]);
    }
    let mut single = [0i64];
    // SAFETY: without axes the views name the first element.
    let view = unsafe { View::new(means[1..].as_ptr().cast(), DType::F64, &[], &[]) };
    // SAFETY: as above.
    let mut target = unsafe { ViewMut::new(single.as_mut_ptr().cast(), DType::I64, &[], &[]) };
    fill(Dist::Poisson, &stream(1), &mut target, &[view]);
    assert_eq!(single[..], poisson(1, 1, 30.0));
    // Reversed bounds per element, from the middle of an array on.
    let (low, last) = ([0u8, 10, 20, 30], [0u8, 11, 22, 33]);
    let mut out = [0u8; 4];
    // SAFETY: the pointer is the last element and the stride goes backwards.
    let back = |a: &[u8; 4]| unsafe { View::new(&raw const a[3], DType::U8, &[4], &[-1]) };
    // SAFETY: four elements.
    let mut target = unsafe { ViewMut::new(out.as_mut_ptr(), DType::U8, &[4], &[1]) };
    fill(Dist::Integers, &stream(1), &mut target, &[back(&low), back(&last)]);
    for (i, &v) in out.iter().enumerate() {
        assert!((low[3 - i]..=last[3 - i]).contains(&v));
    }
}

#[test]
fn single_precision_is_the_same_stream() {
    const COUNT: usize = if cfg!(miri) { MOST } else { 301 };
    for dist in [Dist::Uniform, Dist::Normal, Dist::Exponential, Dist::Gamma, Dist::Beta] {
        let wide = floats(dist, 4, COUNT, 0.4, 1.7);
        let narrow: Vec<f32> = draw(dist, &stream(4), COUNT, 0.4, 1.7);
        for (w, n) in wide.iter().zip(narrow) {
            assert!((w - f64::from(n)).abs() <= 6e-8 * w.abs().max(1.0), "{dist:?}: {w} {n}");
            assert!(dist != Dist::Uniform || n < 1.0);
        }
    }
}

/// Kolmogorov's statistic of the samples against the density on a grid from `low` to `high`, times sqrt(n); above 1.95 with
/// probability 0.001.
fn kolmogorov(mut samples: Vec<f64>, low: f64, high: f64, density: impl Fn(f64) -> f64) -> f64 {
    const STEPS: usize = 200_000;
    let width = (high - low) / STEPS as f64;
    let mut cumulative = vec![0.0; STEPS + 1];
    for i in 1..=STEPS {
        let left = low + (i - 1) as f64 * width;
        cumulative[i] = cumulative[i - 1] + 0.5 * width * (density(left) + density(left + width));
    }
    let total = cumulative[STEPS];
    let cdf = |x: f64| {
        let at = ((x - low) / width).clamp(0.0, STEPS as f64 - 1e-9);
        let i = at as usize;
        (cumulative[i] + (at - i as f64) * (cumulative[i + 1] - cumulative[i])) / total
    };
    samples.sort_by(f64::total_cmp);
    let n = samples.len() as f64;
    let distance = |(i, &x): (usize, &f64)| {
        let p = cdf(x);
        (p - i as f64 / n).abs().max((p - (i + 1) as f64 / n).abs())
    };
    samples.iter().enumerate().map(distance).fold(0.0, f64::max) * n.sqrt()
}

const N: usize = 100_000;

#[test]
#[cfg_attr(miri, ignore = "too much work for miri")]
fn continuous_distributions() {
    assert!(kolmogorov(floats(Dist::Uniform, 1, N, 0.0, 0.0), 0.0, 1.0, |_| 1.0) < 1.95);
    assert!(kolmogorov(floats(Dist::Normal, 1, N, 0.0, 0.0), -9.0, 9.0, |x| (-0.5 * x * x).exp()) < 1.95);
    let even: Vec<f64> = floats(Dist::Normal, 2, N, 0.0, 0.0).into_iter().step_by(2).collect();
    assert!(kolmogorov(even, -9.0, 9.0, |x| (-0.5 * x * x).exp()) < 1.95);
    assert!(kolmogorov(floats(Dist::Exponential, 1, N, 0.0, 0.0), 0.0, 45.0, |x| (-x).exp()) < 1.95);
    // In the logarithm of the variate the densities have no singularity.
    for shape in [0.05f64, 0.3, 0.999, 1.0, 2.5, 40.0, 1e4] {
        let logs = floats(Dist::Gamma, 7, N, shape, 0.0).iter().map(|x| x.ln()).collect();
        let spread = 12.0 / shape.sqrt().min(shape);
        let density = |t: f64| (shape * (t - shape.ln()) - t.exp() + shape).exp();
        let d = kolmogorov(logs, shape.ln() - 4.0 * spread, shape.ln() + spread, density);
        assert!(d < 1.95, "gamma({shape}): {d}");
    }
    for (a, b) in [(0.5, 0.5), (0.1, 3.0), (2.0, 0.7), (1.0, 1.0), (5.0, 30.0), (300.0, 200.0)] {
        let logits = floats(Dist::Beta, 9, N, a, b).iter().map(|x| (x / (1.0 - x)).ln().min(36.0)).collect();
        let center = (a / b).ln();
        let density = |t: f64| {
            let x = 1.0 / (1.0 + (-t).exp());
            let y = 1.0 / (1.0 + t.exp());
            (a * (x / (a / (a + b))).ln() + b * (y / (b / (a + b))).ln()).exp()
        };
        let (left, right) = (40.0 / a.sqrt().min(a), 40.0 / b.sqrt().min(b));
        let d = kolmogorov(logits, center - left, (center + right).min(36.0), density);
        assert!(d < 1.95, "beta({a}, {b}): {d}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "too much work for miri")]
fn normals_of_a_pair_are_uncorrelated() {
    let x = floats(Dist::Normal, 11, 2 * N, 0.0, 0.0);
    let pairs = x.as_chunks::<2>().0;
    let mean = |f: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|&[a, b]| f(a, b)).sum::<f64>() / N as f64;
    let scale = (N as f64).sqrt();
    assert!(mean(&|a, b| a * b).abs() * scale < 4.0);
    assert!(mean(&|a, b| (a * a - 1.0) * (b * b - 1.0)).abs() * scale < 8.0);
    assert!((mean(&|a, _| a.powi(4)) - 3.0).abs() * scale < 4.0 * 96f64.sqrt());
}

/// The chi-square statistic in units of its deviation; values are pooled until each class expects 20.
fn chi_square(samples: &[i64], first: i64, weights: &[f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    let mut counts = vec![0u32; weights.len()];
    for &k in samples {
        counts[usize::try_from(k - first).unwrap()] += 1;
    }
    let (mut statistic, mut classes, mut expected, mut seen) = (0.0, 0, 0.0, 0.0);
    let mut left = samples.len() as f64;
    for (&w, &c) in weights.iter().zip(&counts) {
        let e = w / total * samples.len() as f64;
        expected += e;
        seen += f64::from(c);
        left -= e;
        if expected >= 20.0 && left >= 20.0 {
            statistic += (seen - expected).powi(2) / expected;
            (classes, expected, seen) = (classes + 1, 0.0, 0.0);
        }
    }
    statistic += (seen - expected).powi(2) / expected.max(20.0);
    (statistic - f64::from(classes)) / (2.0 * f64::from(classes)).sqrt()
}

/// Weights proportional to a distribution on `0..len` from the ratios of neighbours, scaled to 1 at the mode.
fn weights(len: usize, mode: usize, ratio: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut w = vec![1.0; len];
    for k in mode + 1..len {
        w[k] = w[k - 1] * ratio(k as f64);
    }
    for k in (0..mode).rev() {
        w[k] = w[k + 1] / ratio((k + 1) as f64);
    }
    w
}

#[test]
#[cfg_attr(miri, ignore = "too much work for miri")]
fn discrete_distributions() {
    for mean in [0.01f64, 1.0, 9.99, 10.0, 11.5, 37.0, 250.0, 5000.0] {
        let w = weights((mean + 20.0 * mean.sqrt() + 30.0) as usize, mean as usize, |k| mean / k);
        let score = chi_square(&poisson(3, N, mean), 0, &w);
        assert!(score < 4.0, "poisson({mean}): {score}");
    }
    for (n, p) in [(1, 0.3), (20, 0.5), (21, 0.5), (50, 0.98), (400, 0.02), (400, 0.1), (1000, 0.75), (40_000, 0.3)] {
        let trials = n as f64;
        let w = weights(n as usize + 1, (trials * p) as usize, |k| (trials - k + 1.0) / k * (p / (1.0 - p)));
        let score = chi_square(&binomial(4, N, n, p), 0, &w);
        assert!(score < 4.0, "binomial({n}, {p}): {score}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "too much work for miri")]
fn large_means_have_the_right_moments() {
    let moments = |x: &[i64], center: f64, deviation: f64| {
        let n = x.len() as f64;
        let z = || x.iter().map(|&k| (k as f64 - center) / deviation);
        (z().sum::<f64>() / n.sqrt(), (z().map(|z| z * z).sum::<f64>() - n) / (2.0 * n).sqrt())
    };
    for mean in [1e6f64, 1e12, 1e17] {
        let (first, second) = moments(&poisson(6, N, mean), mean, mean.sqrt());
        assert!(first.abs() < 4.0 && second.abs() < 4.0, "poisson({mean}): {first} {second}");
    }
    for (n, p) in [(1i64 << 40, 0.5), (1 << 60, 1e-9), (1 << 53, 0.9)] {
        let (first, second) = moments(&binomial(6, N, n, p), n as f64 * p, (n as f64 * p * (1.0 - p)).sqrt());
        assert!(first.abs() < 4.0 && second.abs() < 4.0, "binomial({n}, {p}): {first} {second}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "too much work for miri")]
fn boundary_parameters() {
    assert_eq!(poisson(1, 9, 0.0), [0; 9]);
    assert_eq!(poisson(1, 9, f64::NAN), [0; 9]);
    assert!(poisson(1, 9, 9.2e18).iter().all(|&k| k > 9_190_000_000_000_000_000));
    for n in [0, 1, 7, 1000, i64::MAX] {
        assert_eq!(binomial(1, 9, n, 0.0), [0; 9]);
        assert_eq!(binomial(1, 9, n, 1.0), [n; 9]);
    }
    assert_eq!(binomial(1, 9, 0, 0.5), [0; 9]);
    assert!(binomial(1, 99, i64::MAX, 0.5).iter().all(|&k| k > 0 && k < i64::MAX));
    assert_eq!(floats(Dist::Gamma, 1, 9, 0.0, 0.0), [0.0; 9]);
    assert!(floats(Dist::Gamma, 1, 9, 1e-300, 0.0).iter().all(|&x| x == 0.0));
    assert!(floats(Dist::Gamma, 1, 9, 1e300, 0.0).iter().all(|&x| (x / 1e300 - 1.0).abs() < 1e-12));
    assert!(floats(Dist::Gamma, 1, 9, f64::INFINITY, 0.0).iter().all(|&x| x == f64::INFINITY));
    for bad in [-1.0, f64::NAN, f64::NEG_INFINITY] {
        assert!(floats(Dist::Gamma, 1, 9, bad, 0.0).iter().all(|x| x.is_nan()));
        assert!(floats(Dist::Beta, 1, 9, 1.0, bad).iter().all(|x| x.is_nan()));
    }
    for tiny in [1e-3, 1e-10, 1e-305, f64::MIN_POSITIVE] {
        let x = floats(Dist::Beta, 1, 4000, tiny, 3.0 * tiny);
        assert!(x.iter().all(|x| (0.0..=1.0).contains(x)));
        let mean = x.iter().sum::<f64>() / 4000.0;
        assert!((mean - 0.25).abs() < 0.03, "beta({tiny}, {}): {mean}", 3.0 * tiny);
    }
}

#[test]
#[cfg_attr(miri, ignore = "too much work for miri")]
fn integers_of_every_width() {
    fn full<T: Integer>(low: T, last: T) -> Vec<T> {
        draw(Dist::Integers, &stream(2), 20_000, low, last)
    }
    let bytes = full(i8::MIN, i8::MAX);
    let widened: Vec<i64> = bytes.iter().map(|&b| b.into()).collect();
    assert!(chi_square(&widened, -128, &[1.0; 256]).abs() < 4.0);
    let words = full(0u64, u64::MAX);
    for bit in 0..64 {
        let ones = words.iter().filter(|&&w| w >> bit & 1 == 1).count() as f64;
        assert!((ones - 10_000.0).abs() < 4.0 * 5000f64.sqrt(), "bit {bit}: {ones}");
    }
    assert!(full(i64::MIN, i64::MAX).iter().any(|&v| v < 0));
    assert!(full(u32::MIN, u32::MAX).iter().any(|&v| v > u32::MAX / 2));
    assert!(full(-7i32, -7).iter().all(|&v| v == -7));
    assert!(full(i16::MIN, -1).iter().all(|&v| v < 0));
    let coins = full(false, true).iter().filter(|&&c| c).count();
    assert!((9700..10_300).contains(&coins));
    let dice: Vec<i64> = full(1u16, 6).iter().map(|&d| d.into()).collect();
    assert!(chi_square(&dice, 1, &[1.0; 6]) < 4.0);
    // Of a span of 3/4 of all words, a biased method would draw every third value twice as often.
    let wide: Vec<i64> = full(0u64, (3 << 62) - 1).iter().map(|&v| (v % 3) as i64).collect();
    assert!(chi_square(&wide, 0, &[1.0; 3]) < 4.0);
}

#[test]
#[cfg_attr(miri, ignore = "too much work for miri")]
fn permutations() {
    for n in [0, 1, 2, 3, 255, 256, 600, 5000] {
        let mut whole = vec![0; n];
        permutation_prefix(&stream(1), n, &mut whole);
        let mut sorted = whole.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..n as i64));
        for k in [0, n / 3, n.min(1)] {
            let mut prefix = vec![0; k];
            permutation_prefix(&stream(1), n, &mut prefix);
            assert_eq!(prefix, whole[..k]);
        }
        // The rule: by word, then by index.
        let words: Vec<u64> = draw(Dist::Integers, &stream(1), n, 0u64, u64::MAX);
        assert!(whole.windows(2).all(|w| (words[w[0] as usize], w[0]) < (words[w[1] as usize], w[1])));
    }
    let ranks: Vec<i64> = (0..60_000)
        .map(|i| {
            let mut p = [0; 4];
            permutation_prefix(&stream(1).advanced(2 * i), 4, &mut p);
            p[0] * 6 + (p[1] - i64::from(p[1] > p[0])) * 2 + i64::from(p[2] > p[3])
        })
        .collect();
    assert!(chi_square(&ranks, 0, &[1.0; 24]) < 4.0);
}

/// Users rely on seeds: a change here is a change of every stream.
#[test]
fn known_streams() {
    let words: Vec<u64> = draw(Dist::Integers, &stream(42), 3, 0u64, u64::MAX);
    assert_eq!(words, [3154754649287195884, 16455694717141163601, 8001318587579594289]);
    let expected = [
        // These three follow from the words; computed with 30 digits.
        (Dist::Uniform, [0.1710195922207961, 0.8920649981041343, 0.4337523497701221]),
        (Dist::Exponential, [1.7659771546520004, 0.11421628122711193, 0.8352815303982843]),
        (Dist::Normal, [1.463484330662156, -1.179053825408468, -0.15811851954340284]),
        (Dist::Gamma, [1.1254053768295738, 0.1132116088334588, 0.2547278056372476]),
        (Dist::Beta, [0.358201957911535, 0.15172611292026128, 0.4266832302791434]),
    ];
    for (dist, values) in expected {
        for (x, v) in floats(dist, 42, 3, 0.4, 1.7).iter().zip(values) {
            assert!((x / v - 1.0).abs() < 2e-15, "{dist:?}: {x} {v}");
        }
    }
    assert_eq!(poisson(42, 6, 12.5), [8, 12, 9, 19, 17, 14]);
    assert_eq!(poisson(42, 6, 3.0), [1, 3, 6, 6, 5, 4]);
    assert_eq!(binomial(42, 6, 90, 0.7), [68, 64, 56, 55, 57, 56]);
    assert_eq!(binomial(42, 6, 9, 0.3), [1, 2, 5, 5, 4, 3]);
    let mut order = [0; 8];
    permutation_prefix(&stream(42), 8, &mut order);
    assert_eq!(order, [5, 0, 2, 7, 3, 1, 4, 6]);
}
