//! The thread pool: one, our own, created at first use, rebuilt in a child process after `fork`.
#![allow(unsafe_code)]

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::any::Any;
use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::Thread;

/// Work below this many nanoseconds is not worth a wake-up, which takes 6-20 us per thread.
pub const MIN_TASK_NS: f64 = 40_000.0;

/// Chunks handed out per thread, so that a thread that starts late does not hold up the others.
const CHUNKS_PER_THREAD: usize = 4;

struct State {
    pid: u32,
    threads: usize,
    /// `None` when the system refused to start threads: everything then runs inline.
    pool: Option<ThreadPool>,
}

/// Replaced, never freed: another thread may be inside, and after `fork` its threads do not exist. A lock here could be
/// held by a thread that `fork` left behind.
static STATE: AtomicPtr<State> = AtomicPtr::new(std::ptr::null_mut());

/// The number of threads asked for; 0 stands for the default.
static WANTED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

fn default_threads() -> usize {
    static DEFAULT: OnceLock<usize> = OnceLock::new();
    *DEFAULT.get_or_init(|| {
        let available = std::thread::available_parallelism().map_or(1, |n| n.get());
        let asked = std::env::var("SCIARRAY_NUM_THREADS").ok().and_then(|v| v.parse().ok()).filter(|&n: &usize| n > 0);
        asked.map_or(available, |n| n.min(available))
    })
}

/// How many threads share the work: by default what affinity, cgroup and `SCIARRAY_NUM_THREADS` allow.
pub fn num_threads() -> usize {
    match WANTED.load(Ordering::Relaxed) {
        0 => default_threads(),
        n => n,
    }
}

/// Sets how many threads share the work, 0 for the default, and returns what was set before. No result depends on it.
pub fn set_num_threads(n: usize) -> usize {
    WANTED.swap(n, Ordering::Relaxed)
}

fn state() -> &'static State {
    let pid = std::process::id();
    let threads = num_threads();
    let current = STATE.load(Ordering::Acquire);
    // SAFETY: the pointer is null or comes from `Box::into_raw` below and is never freed.
    if let Some(s) = unsafe { current.as_ref() }
        && s.pid == pid
        && s.threads >= threads
    {
        return s;
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(|i| format!("sciarray-{i}")).build().ok();
    let fresh = Box::into_raw(Box::new(State { pid, threads, pool }));
    match STATE.compare_exchange(current, fresh, Ordering::AcqRel, Ordering::Acquire) {
        // SAFETY: published now, and never freed.
        Ok(_) => unsafe { &*fresh },
        Err(_) => {
            // SAFETY: another thread published first, so `fresh` is still ours alone.
            drop(unsafe { Box::from_raw(fresh) });
            state()
        }
    }
}

/// Runs `f` on a thread of the pool, where `rayon::join` and libraries built on it use the pool's threads.
pub fn install<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    if is_inside() || num_threads() == 1 {
        return f();
    }
    match &state().pool {
        Some(pool) => pool.install(f),
        None => f(),
    }
}

/// Whether this thread already runs a part of a parallel computation.
pub fn is_inside() -> bool {
    INSIDE.get() || rayon::current_thread_index().is_some()
}

/// Calls `f` on disjoint ranges that cover `0..n_items`, on several threads when every task gets at least
/// `min_items_per_task` and this thread is not inside a parallel computation already.
///
/// How the items are divided depends on the number of threads; what `f` computes for an item must not depend on its range.
pub fn parallel_for(n_items: usize, min_items_per_task: usize, f: impl Fn(Range<usize>) + Sync) {
    by_ranges(n_items, min_items_per_task, &f);
}

/// Compiled once for all callers.
fn by_ranges(n_items: usize, min_items_per_task: usize, f: &Items<'_>) {
    if n_items == 0 {
        return;
    }
    let threads = num_threads().min(n_items / min_items_per_task.max(1));
    if threads <= 1 || is_inside() {
        return f(0..n_items);
    }
    let Some(pool) = &state().pool else { return f(0..n_items) };
    let chunk = n_items.div_ceil(threads * CHUNKS_PER_THREAD).max(min_items_per_task.div_ceil(2)).max(1);
    // SAFETY: the lifetime is forgotten, but `f` is called only by threads inside the loop, and the caller leaves after them.
    let f: *const Items<'static> = unsafe { std::mem::transmute::<*const Items<'_>, _>(f) };
    let caller = std::thread::current();
    let next = AtomicUsize::new(0);
    let task = Arc::new(Loop { inside: AtomicUsize::new(0), next, n_items, chunk, f, caller, panic: Mutex::new(None) });
    for _ in 1..threads {
        let task = task.clone();
        pool.spawn(move || task.join());
    }
    task.work();
    task.close();
    if let Some(panic) = task.panic.lock().unwrap_or_else(|e| e.into_inner()).take() {
        resume_unwind(panic);
    }
}

type Items<'a> = dyn Fn(Range<usize>) + Sync + 'a;

/// What the threads of one parallel loop share. It outlives the call: a thread that comes too late still looks here.
struct Loop {
    /// How many threads of the pool are inside, and whether no more may enter.
    inside: AtomicUsize,
    next: AtomicUsize,
    n_items: usize,
    chunk: usize,
    f: *const Items<'static>,
    caller: Thread,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

const CLOSED: usize = 1 << (usize::BITS - 1);

/// Looks at the counter before the caller sleeps, which takes longer than most threads need for their last chunk.
const SPINS: usize = 500;

// SAFETY: the function is `Sync`, and called only while the caller of the loop waits; the other fields are shared safely.
unsafe impl Send for Loop {}
// SAFETY: as above.
unsafe impl Sync for Loop {}

impl Loop {
    /// Takes chunks until none is left.
    fn work(&self) {
        let _restore = Restore(INSIDE.replace(true));
        // SAFETY: the caller is here itself, or waits for this thread, which is inside.
        let f = unsafe { &*self.f };
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            loop {
                let start = self.next.fetch_add(self.chunk, Ordering::Relaxed);
                if start >= self.n_items {
                    break;
                }
                f(start..(start + self.chunk).min(self.n_items));
            }
        }));
        if let Err(panic) = outcome {
            *self.panic.lock().unwrap_or_else(|e| e.into_inner()) = Some(panic);
        }
    }

    /// Works along, unless the caller has finished: it does not wait for threads that the system starts late, which on a busy
    /// machine is milliseconds.
    fn join(&self) {
        let enter = |n: usize| (n & CLOSED == 0).then_some(n + 1);
        if self.inside.fetch_update(Ordering::AcqRel, Ordering::Acquire, enter).is_err() {
            return;
        }
        self.work();
        if self.inside.fetch_sub(1, Ordering::AcqRel) == CLOSED + 1 {
            self.caller.unpark();
        }
    }

    /// Lets nobody else in and waits for those inside.
    fn close(&self) {
        if self.inside.fetch_or(CLOSED, Ordering::AcqRel) == 0 {
            return;
        }
        for _ in 0..SPINS {
            if self.inside.load(Ordering::Acquire) == CLOSED {
                return;
            }
            std::hint::spin_loop();
        }
        while self.inside.load(Ordering::Acquire) != CLOSED {
            std::thread::park();
        }
    }
}

struct Restore(bool);

impl Drop for Restore {
    fn drop(&mut self) {
        INSIDE.set(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::MOST;
    use std::sync::atomic::AtomicU32;

    fn counts(n: usize, min: usize) -> Vec<u32> {
        let hits: Vec<AtomicU32> = (0..n).map(|_| AtomicU32::new(0)).collect();
        parallel_for(n, min, |r| r.for_each(|i| _ = hits[i].fetch_add(1, Ordering::Relaxed)));
        hits.into_iter().map(AtomicU32::into_inner).collect()
    }

    #[test]
    fn every_item_exactly_once() {
        for n in [0, 1, 2, 7, 64, 1000, 4097].into_iter().filter(|&n| n <= MOST) {
            for min in [0, 1, 3, 500, 10_000] {
                assert!(counts(n, min).iter().all(|&c| c == 1), "n = {n}, min = {min}");
            }
        }
    }

    #[test]
    fn nested_calls_run_inline() {
        let inner = AtomicUsize::new(0);
        parallel_for(8, 1, |outer| {
            for _ in outer {
                let id = std::thread::current().id();
                parallel_for(100, 1, |r| {
                    assert_eq!(std::thread::current().id(), id);
                    inner.fetch_add(r.len(), Ordering::Relaxed);
                });
            }
        });
        assert_eq!(inner.into_inner(), 800);
        assert!(!is_inside());
    }

    #[test]
    fn a_panic_reaches_the_caller_and_leaves_the_pool_usable() {
        let result = std::panic::catch_unwind(|| {
            parallel_for(100, 1, |r| assert!(!r.contains(&50), "item 50"));
        });
        assert!(result.is_err());
        assert!(!is_inside());
        assert!(counts(100, 1).iter().all(|&c| c == 1));
    }

    #[test]
    fn a_thread_of_the_pool_that_is_late_is_not_waited_for() {
        let pool = state().pool.as_ref().expect("threads");
        let (release, held) = std::sync::mpsc::channel::<()>();
        let held = Mutex::new(held);
        let busy = AtomicUsize::new(0);
        pool.in_place_scope(|scope| {
            for _ in 0..pool.current_num_threads() {
                scope.spawn(|_| {
                    busy.fetch_add(1, Ordering::AcqRel);
                    _ = held.lock().map(|h| h.recv());
                });
            }
            while busy.load(Ordering::Acquire) < pool.current_num_threads() {
                std::thread::yield_now();
            }
            assert!(counts(64, 1).iter().all(|&c| c == 1));
            drop(release);
        });
    }

    #[cfg(unix)]
    #[test]
    #[cfg_attr(miri, ignore = "miri has no fork")]
    fn a_forked_child_has_threads_again() {
        unsafe extern "C" {
            fn fork() -> i32;
            fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
            fn _exit(status: i32) -> !;
        }
        set_num_threads(2);
        assert_eq!(counts(64, 1).len(), 64);
        // SAFETY: the child computes and leaves without running destructors of the parent.
        let child = unsafe { fork() };
        if child == 0 {
            let before = STATE.load(Ordering::Acquire);
            let complete = counts(64, 1).iter().all(|&c| c == 1);
            let rebuilt = STATE.load(Ordering::Acquire) != before;
            // SAFETY: as above.
            unsafe { _exit(if complete && rebuilt { 7 } else { 1 }) };
        }
        assert!(child > 0);
        let mut status = 0;
        // A child that hangs is seen by not ending in time.
        let started = std::time::Instant::now();
        // SAFETY: our own child; option 1 is WNOHANG.
        while unsafe { waitpid(child, &mut status, 1) } == 0 {
            assert!(started.elapsed().as_secs() < 20, "the child hangs");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        set_num_threads(0);
        assert_eq!(status >> 8 & 0xff, 7);
    }
}
