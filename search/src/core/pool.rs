//! Threads that live as long as the engine and keep their searchers.

use parking_lot::{Condvar, Mutex, MutexGuard};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// Stack of a worker: deep recursion with big frames fits many times over, and untouched pages cost nothing.
const STACK_BYTES: usize = 16 << 20;

/// Time between two looks of who waits and watches.
const WATCH_INTERVAL: Duration = Duration::from_millis(50);

/// What the workers are given to do: called with the worker's number and its own state.
pub type Job<W> = Arc<dyn Fn(usize, &mut W) + Send + Sync>;

/// Persistent threads, each owning a `W`.
///
/// Worker 0 is the main one: it decides when a search ends, and waits for the others with
/// [`PoolHandle::wait_helpers`]. A lock is held only to hand out a job and to report its end, never while
/// one runs.
///
/// # Threads
/// All that threads tell each other is in one value under one mutex: who has a job, how many are busy. A
/// change is made under the lock and the condition variable notified after it; a waiter tests the state under
/// the same lock before it sleeps and each time it wakes. So either the waiter sees the change, or it is
/// asleep already when the notification comes: no wake-up is lost. What a job did is visible to whoever sees
/// it ended, and what was done before the start is visible to the job, since both went through the mutex.
///
/// A panic in a job ends that job and comes back out of the next wait; the worker itself goes on.
pub struct Pool<W> {
    shared: Arc<Shared<W>>,
    threads: Vec<JoinHandle<()>>,
}

/// Lets a job wait for the other workers. Cheap to clone into the job's closure.
pub struct PoolHandle<W> {
    shared: Arc<Shared<W>>,
}

impl<W> Clone for PoolHandle<W> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

struct Shared<W> {
    state: Mutex<State<W>>,
    /// A worker has something to do: a job, or its end.
    work: Condvar,
    /// A worker has become idle.
    idle: Condvar,
}

struct State<W> {
    /// One place for each worker.
    workers: Vec<Place<W>>,
    /// Workers that have a job, given or running.
    busy: usize,
    /// What the first panic since the last wait carried.
    panic: Option<Box<dyn Any + Send>>,
}

struct Place<W> {
    job: Option<Job<W>>,
    is_busy: bool,
}

impl<W> Shared<W> {
    fn wait_while(&self, is_waiting: impl Fn(&State<W>) -> bool) -> MutexGuard<'_, State<W>> {
        let mut state = self.state.lock();
        self.idle.wait_while(&mut state, |state| is_waiting(state));
        state
    }

    /// Waits while `is_waiting`, then passes on the panic of a job, if there was one.
    fn wait(&self, is_waiting: impl Fn(&State<W>) -> bool) {
        let panic = self.wait_while(is_waiting).panic.take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    /// The life of worker `index`: jobs, until its place is gone.
    fn work(&self, index: usize, mut own: W) {
        let mut state = self.state.lock();
        loop {
            let Some(place) = state.workers.get_mut(index) else { return };
            let Some(job) = place.job.take() else {
                self.work.wait(&mut state);
                continue;
            };
            drop(state);
            let outcome = catch_unwind(AssertUnwindSafe(|| job(index, &mut own)));
            // The job may own what its starter wants back: let go of it before reporting the end.
            drop(job);
            state = self.state.lock();
            if let Err(panic) = outcome {
                state.panic.get_or_insert(panic);
            }
            if let Some(place) = state.workers.get_mut(index) {
                place.is_busy = false;
            }
            state.busy -= 1;
            self.idle.notify_all();
        }
    }
}

impl<W: Send + 'static> Pool<W> {
    /// Starts `n` threads, at least one. `make` builds the state of each, on the calling thread.
    ///
    /// # Panics
    /// When the system cannot start even one thread. When it can start some, those make up the pool.
    pub fn new(n: usize, make: impl Fn(usize) -> W) -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::new(State { workers: Vec::new(), busy: 0, panic: None }),
            work: Condvar::new(),
            idle: Condvar::new(),
        });
        let mut pool = Self { shared, threads: Vec::new() };
        pool.resize(n, make);
        assert!(!pool.is_empty(), "the system cannot start a thread");
        pool
    }

    /// Number of workers.
    pub fn len(&self) -> usize {
        self.threads.len()
    }

    /// Whether there are no workers; a pool always has one.
    pub fn is_empty(&self) -> bool {
        self.threads.is_empty()
    }

    /// A handle for the closure of a job.
    pub fn handle(&self) -> PoolHandle<W> {
        PoolHandle { shared: Arc::clone(&self.shared) }
    }

    /// Changes the number of workers to `n`, at least one, after waiting for a running job. The first
    /// workers keep their state; `make` builds that of new ones. When the system has no more threads to
    /// give, the pool stays smaller: see [`len`](Self::len).
    pub fn resize(&mut self, n: usize, make: impl Fn(usize) -> W) {
        let n = n.max(1);
        self.wait();
        self.shrink(n);
        while self.threads.len() < n {
            let index = self.threads.len();
            // The place comes first, or the thread would take its absence for its end.
            self.shared.state.lock().workers.push(Place { job: None, is_busy: false });
            let shared = Arc::clone(&self.shared);
            let own = make(index);
            let builder = Builder::new().name(format!("search {index}")).stack_size(STACK_BYTES);
            match builder.spawn(move || shared.work(index, own)) {
                Ok(thread) => self.threads.push(thread),
                Err(_) => {
                    self.shared.state.lock().workers.pop();
                    return;
                }
            }
        }
    }

    /// Hands `job` to every worker and returns at once. A job still running is waited for first.
    pub fn start(&self, job: Job<W>) {
        let mut state = self.shared.wait_while(|state| state.busy > 0);
        state.busy = state.workers.len();
        for place in &mut state.workers {
            place.job = Some(Arc::clone(&job));
            place.is_busy = true;
        }
        // Let go of it before a worker can finish, so that the last one to drop it is a worker.
        drop(job);
        drop(state);
        self.shared.work.notify_all();
    }

    /// Whether no job is running.
    pub fn is_idle(&self) -> bool {
        self.shared.state.lock().busy == 0
    }

    /// Waits until no job is running.
    ///
    /// # Panics
    /// With the panic of a job, if one panicked.
    pub fn wait(&self) {
        self.shared.wait(|state| state.busy > 0);
    }

    /// Waits until no job is running, and calls `watch` every few hundredths of a second meanwhile.
    ///
    /// # Panics
    /// With the panic of a job, if one panicked.
    pub fn wait_watching(&self, watch: impl Fn()) {
        loop {
            let mut state = self.shared.state.lock();
            let waited = self.shared.idle.wait_while_for(&mut state, |state| state.busy > 0, WATCH_INTERVAL);
            drop(state);
            if !waited.timed_out() {
                return self.wait();
            }
            watch();
        }
    }

    /// Runs `f` on every worker's state, in parallel and on the workers' own threads, and waits for the end:
    /// to clear their histories, say. A job still running is waited for first.
    ///
    /// # Panics
    /// With the panic of `f` or of a former job.
    pub fn for_each(&mut self, f: impl Fn(usize, &mut W) + Send + Sync + 'static) {
        self.wait();
        self.start(Arc::new(f));
        self.wait();
    }
}

impl<W> Pool<W> {
    /// Ends the workers from number `n` on. They must be idle, or finish by themselves.
    fn shrink(&mut self, n: usize) {
        if n < self.threads.len() {
            self.shared.state.lock().workers.truncate(n);
            self.shared.work.notify_all();
            for thread in self.threads.drain(n..) {
                // The workers catch what their jobs throw, so there is no news in the result.
                let _ = thread.join();
            }
        }
    }
}

impl<W> Drop for Pool<W> {
    /// Waits for a running job, then ends the threads.
    fn drop(&mut self) {
        drop(self.shared.wait_while(|state| state.busy > 0));
        self.shrink(0);
    }
}

impl<W> PoolHandle<W> {
    /// Waits until every worker but number 0 is idle. For worker 0's own job, which must first have told the
    /// others to stop.
    ///
    /// # Panics
    /// With the panic of a helper, if one panicked.
    pub fn wait_helpers(&self) {
        self.shared.wait(|state| state.workers.iter().skip(1).any(|place| place.is_busy));
    }
}
