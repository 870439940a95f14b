//! Plans: twiddle factors and algorithm for one length, kept in a bounded cache that all threads share.

use super::cosine::Cosine;
use super::split::{Split, SplitReal};
use crate::Element;
use num_complex::Complex;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftNum, FftPlanner};
use std::cell::RefCell;
use std::sync::{Arc, Mutex};
use std::thread::LocalKey;

/// What is transformed into what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Forward,
    Inverse,
    RealToComplex,
    ComplexToReal,
    /// Cosine and sine transforms; only of type I do they differ in length.
    Cosine1,
    Sine1,
    Cosine2,
    Cosine3,
    Cosine4,
}

#[derive(Clone)]
pub(crate) enum Plan<T> {
    Complex(Arc<dyn Fft<T>>),
    RealToComplex(Arc<dyn RealToComplex<T>>),
    ComplexToReal(Arc<dyn ComplexToReal<T>>),
    Split(Arc<Split<T>>),
    /// In the direction that it was made for.
    SplitReal(Arc<SplitReal<T>>),
    Cosine(Arc<Cosine<T>>),
}

const FITS: &str = "lengths are those of the plan";

impl<T: Real> Plan<T>
where
    Complex<T>: Element,
{
    pub(crate) fn new(kind: Kind, n: usize) -> Self {
        let inverse = matches!(kind, Kind::Inverse | Kind::ComplexToReal);
        match kind {
            Kind::Forward | Kind::Inverse => match Split::new(n, inverse) {
                Some(split) => Plan::Split(Arc::new(split)),
                None if inverse => Plan::Complex(FftPlanner::new().plan_fft_inverse(n)),
                None => Plan::Complex(FftPlanner::new().plan_fft_forward(n)),
            },
            Kind::RealToComplex | Kind::ComplexToReal => match SplitReal::new(n, inverse) {
                Some(split) => Plan::SplitReal(Arc::new(split)),
                None if inverse => Plan::ComplexToReal(RealFftPlanner::new().plan_fft_inverse(n)),
                None => Plan::RealToComplex(RealFftPlanner::new().plan_fft_forward(n)),
            },
            _ => Plan::Cosine(Arc::new(Cosine::new(kind, n))),
        }
    }

    pub(crate) fn scratch_len(&self) -> usize {
        match self {
            Plan::Complex(fft) => fft.get_outofplace_scratch_len().max(fft.get_immutable_scratch_len()),
            Plan::RealToComplex(fft) => fft.get_scratch_len(),
            Plan::ComplexToReal(fft) => fft.get_scratch_len(),
            Plan::Split(split) => split.scratch_len(),
            Plan::SplitReal(split) => split.scratch_len(),
            Plan::Cosine(cosine) => cosine.scratch_len(),
        }
    }

    /// Complex numbers to as many, times `scale`; the input is destroyed.
    pub(crate) fn complex(
        &self,
        input: &mut [Complex<T>],
        out: &mut [Complex<T>],
        scratch: &mut [Complex<T>],
        scale: T,
    ) {
        match self {
            Plan::Complex(fft) => {
                fft.process_outofplace_with_scratch(input, out, scratch);
                times(out, scale, |z| Complex::new(z.re * scale, z.im * scale));
            }
            // SAFETY: slices of the plan's length.
            Plan::Split(split) => unsafe {
                assert!(input.len() == split.len() && out.len() == split.len());
                split.run(input.as_ptr(), out.as_mut_ptr(), scratch, scale);
            },
            _ => unreachable!("a complex transform"),
        }
    }

    /// Real numbers to the first half of their spectrum, times `scale`; the input is destroyed.
    pub(crate) fn to_complex(&self, input: &mut [T], out: &mut [Complex<T>], scratch: &mut [Complex<T>], scale: T) {
        match self {
            Plan::RealToComplex(fft) => {
                fft.process_with_scratch(input, out, &mut scratch[..fft.get_scratch_len()]).expect(FITS);
                times(out, scale, |z| Complex::new(z.re * scale, z.im * scale));
            }
            Plan::SplitReal(split) => split.to_complex(input, out, scratch, scale),
            _ => unreachable!("a transform of real input"),
        }
    }

    /// The first half of a spectrum to real numbers, times `scale`; the input is destroyed, and imaginary parts that no real
    /// signal has do not count.
    pub(crate) fn to_real(&self, input: &mut [Complex<T>], out: &mut [T], scratch: &mut [Complex<T>], scale: T) {
        match self {
            Plan::ComplexToReal(fft) => {
                input[0].im = T::zero();
                if fft.len().is_multiple_of(2) {
                    input[fft.len() / 2].im = T::zero();
                }
                fft.process_with_scratch(input, out, &mut scratch[..fft.get_scratch_len()]).expect(FITS);
                times(out, scale, |x| x * scale);
            }
            Plan::SplitReal(split) => split.to_real(input, out, scratch, scale),
            _ => unreachable!("a transform to real numbers"),
        }
    }
}

/// Elements scaled unless the scale is 1.
#[inline(always)]
pub(crate) fn times<T: Real, S: Copy>(line: &mut [S], scale: T, f: impl Fn(S) -> S)
where
    Complex<T>: Element,
{
    if scale != T::one() {
        line.iter_mut().for_each(|x| *x = f(*x));
    }
}

struct Entry<T> {
    kind: Kind,
    n: usize,
    plan: Plan<T>,
}

/// Least recently used plans fall out when there are too many or their lengths add up to too much memory.
pub(crate) struct Cache<T> {
    /// Most recent last.
    entries: Vec<Entry<T>>,
    max_plans: usize,
    max_total: usize,
}

impl<T: FftNum> Cache<T> {
    const fn new(max_plans: usize, max_total: usize) -> Self {
        Cache { entries: Vec::new(), max_plans, max_total }
    }

    fn get(&mut self, kind: Kind, n: usize) -> Option<Plan<T>> {
        let i = self.entries.iter().rposition(|e| e.n == n && e.kind == kind)?;
        self.entries[i..].rotate_left(1);
        self.entries.last().map(|e| e.plan.clone())
    }

    fn insert(&mut self, kind: Kind, n: usize, plan: Plan<T>) {
        if n > self.max_total {
            return;
        }
        self.entries.push(Entry { kind, n, plan });
        let mut total: usize = self.entries.iter().map(|e| e.n).sum();
        while self.entries.len() > self.max_plans || total > self.max_total {
            total -= self.entries.remove(0).n;
        }
    }
}

/// The real number types of transforms, each with its caches and buffers.
pub(crate) trait Real: FftNum + Element
where
    Complex<Self>: Element,
{
    /// All plans; a few hundred megabytes at most.
    fn shared() -> &'static Mutex<Cache<Self>>;
    /// The plans that this thread used last, found without a lock.
    fn recent() -> &'static LocalKey<RefCell<Cache<Self>>>;
    fn workspace() -> &'static LocalKey<RefCell<Workspace<Self>>>;
    fn from_f64_lossy(x: f64) -> Self;
}

/// Memory that a thread keeps between transforms.
#[derive(Default)]
pub(crate) struct Workspace<T> {
    pub(crate) input: Vec<Complex<T>>,
    pub(crate) output: Vec<Complex<T>>,
    pub(crate) scratch: Vec<Complex<T>>,
}

macro_rules! real {
    ($($t:ty),*) => { $(
        impl Real for $t {
            fn shared() -> &'static Mutex<Cache<Self>> {
                static SHARED: Mutex<Cache<$t>> = Mutex::new(Cache::new(256, 1 << 23));
                &SHARED
            }
            fn recent() -> &'static LocalKey<RefCell<Cache<Self>>> {
                thread_local!(static RECENT: RefCell<Cache<$t>> = const { RefCell::new(Cache::new(4, 1 << 14)) });
                &RECENT
            }
            fn workspace() -> &'static LocalKey<RefCell<Workspace<Self>>> {
                thread_local!(static WORKSPACE: RefCell<Workspace<$t>> = RefCell::default());
                &WORKSPACE
            }
            fn from_f64_lossy(x: f64) -> Self {
                x as $t
            }
        }
    )* };
}
real!(f32, f64);

/// The plan for length `n >= 1`.
pub(crate) fn plan<T: Real>(kind: Kind, n: usize) -> Plan<T>
where
    Complex<T>: Element,
{
    T::recent().with_borrow_mut(|recent| {
        if let Some(plan) = recent.get(kind, n) {
            return plan;
        }
        // Never waits: after `fork` the lock may be held by a thread that does not exist here.
        let known = T::shared().try_lock().ok().and_then(|mut cache| cache.get(kind, n));
        let plan = known.unwrap_or_else(|| {
            let plan = Plan::new(kind, n);
            if let Ok(mut cache) = T::shared().try_lock()
                && cache.get(kind, n).is_none()
            {
                cache.insert(kind, n, plan.clone());
            }
            plan
        });
        recent.insert(kind, n, plan.clone());
        plan
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cache_is_bounded_and_drops_the_least_recently_used() {
        let mut cache = Cache::<f64>::new(3, 100);
        for n in [10, 20, 30] {
            cache.insert(Kind::Forward, n, Plan::new(Kind::Forward, n));
        }
        assert!(cache.get(Kind::Forward, 10).is_some());
        assert!(cache.get(Kind::Inverse, 10).is_none());
        cache.insert(Kind::Forward, 5, Plan::new(Kind::Forward, 5));
        assert!(cache.get(Kind::Forward, 20).is_none());
        assert!(cache.get(Kind::Forward, 10).is_some());
        cache.insert(Kind::Forward, 90, Plan::new(Kind::Forward, 90));
        assert_eq!(cache.entries.iter().map(|e| e.n).collect::<Vec<_>>(), [10, 90]);
        cache.insert(Kind::Forward, 101, Plan::new(Kind::Forward, 101));
        assert!(cache.get(Kind::Forward, 101).is_none());
    }
}
