//! The thread pool (lazy SMP): threads parked between searches and woken together.
//!
//! Thread 0 is the main thread (see `main_thread`), the others are helpers: all search the same position and share their
//! results through the transposition table.

use super::main_thread;
use crate::eval::{Network, default_network};
use crate::platform::pages::{CacheLine, Pages};
use crate::search::memory::tt::{TranspositionTable, TtError};
use crate::search::searcher::Worker;
use crate::search::shared_state::SharedState;
use crate::search::tb::TbProbe;
use crate::search::{InfoSink, Search, Task, ThreadResult};
use crate::tablebase::Tables;
use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Instant;
use thiserror::Error;

/// The greatest number of threads.
pub const MAX_THREADS: usize = 1024;

/// Bytes of stack of a thread, enough for the recursion at its greatest depth. Only used pages cost memory.
const STACK: usize = 16 << 20;

/// Bytes that a thread takes beside its stack: the worker, and the needs of the system's thread library.
const ROOM: usize = 16 << 20;

/// There is nothing to search with.
#[derive(Debug, Error)]
pub enum PoolError {
    /// Not even one thread.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// No table.
    #[error(transparent)]
    TranspositionTable(#[from] TtError),
}

/// The system does not give as many threads as were asked for; the search goes on with those that there are.
#[derive(Debug, Error)]
#[error("cannot start {wanted} threads, using {started}: {reason}")]
pub struct ThreadsError {
    /// The number asked for.
    pub wanted: usize,
    /// The number that there are.
    pub started: usize,
    /// The system's reason.
    pub reason: std::io::Error,
}

/// The threads and the table that they share.
///
/// `stop`, `ponderhit` and the questions may be asked from any thread while a search is on; what changes the pool ends the
/// search first. Dropping the pool ends everything.
pub struct Pool {
    threads: Vec<Thread>,
    tt: Arc<TranspositionTable>,
    network: Arc<Network>,
    tables: Option<Arc<Tables>>,
    /// The state of the last search that was begun.
    shared: Arc<SharedState>,
    state: Arc<State>,
}

/// A thread, parked while its mailbox is empty, and ended when the mailbox is closed.
struct Thread {
    mailbox: Sender<Job>,
    handle: JoinHandle<()>,
}

/// The job of a thread.
enum Job {
    /// Search, collect the helpers' results, and send the best move.
    Main(Search, MainThreadJob),
    /// Wake the next helpers, search, and send the result to the main thread.
    Helper(Search, Helpers),
    /// Clear the histories; dropping the sender says that it is done.
    Clear(Sender<()>),
}

/// The helpers' part of a job. Each wakes two others, so that `go` returns at once however many there are.
#[derive(Clone)]
struct Helpers {
    mailboxes: Arc<[Sender<Job>]>,
    results: Sender<(usize, ThreadResult)>,
    searching: Arc<Searching>,
}

/// The main thread's part of a job. The order of the fields matters: the info sink is dropped before the search is over.
struct MainThreadJob {
    info_sink: Box<dyn InfoSink>,
    results: Receiver<(usize, ThreadResult)>,
    _searching: Arc<Searching>,
}

/// True while a search is on, with a signal for its end.
#[derive(Default)]
struct State {
    searching: Mutex<bool>,
    changed: Condvar,
}

/// A search is on as long as one of its threads holds this, however it ends.
struct Searching(Arc<State>);

impl Searching {
    fn begin(state: &Arc<State>) -> Searching {
        *state.searching.lock() = true;
        Searching(Arc::clone(state))
    }
}

impl Drop for Searching {
    fn drop(&mut self) {
        *self.0.searching.lock() = false;
        self.0.changed.notify_all();
    }
}

impl Pool {
    /// A pool of one thread and a table of `hash` mebibytes.
    pub fn new(hash: usize) -> Result<Pool, PoolError> {
        let mut pool = Pool {
            threads: Vec::new(),
            tt: Arc::new(TranspositionTable::new(hash)?),
            network: default_network(),
            tables: None,
            shared: Arc::new(SharedState::new(0, Instant::now(), false)),
            state: Arc::default(),
        };
        pool.set_threads(1)?;
        Ok(pool)
    }

    /// Sets the number of threads, 1 to [`MAX_THREADS`]; a number outside is clamped. Threads that are kept keep their
    /// histories.
    pub fn set_threads(&mut self, wanted: usize) -> Result<(), ThreadsError> {
        self.end_search();
        let wanted = wanted.clamp(1, MAX_THREADS);
        self.dismiss(wanted);
        let error = |started, reason| ThreadsError { wanted, started, reason };
        while self.threads.len() < wanted {
            let thread =
                Thread::start(self.threads.len()).map_err(|reason| error(self.threads.len(), reason))?;
            self.threads.push(thread);
        }
        Ok(())
    }

    /// Sets the size of the table in mebibytes and empties it. On failure the old table stays as it is.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), TtError> {
        self.end_search();
        self.tt = Arc::new(TranspositionTable::new(mebibytes)?);
        Ok(())
    }

    /// Sets the network, and clears table and histories.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.network = network;
        self.clear();
    }

    /// Sets the tablebases, and clears table and histories.
    pub fn set_tables(&mut self, tables: Option<Arc<Tables>>) {
        self.end_search();
        self.tables = tables;
        self.clear();
    }

    /// Clears table and histories: a new game begins.
    pub fn clear(&mut self) {
        self.end_search();
        let (sender, all_clear) = unbounded();
        for thread in &self.threads {
            // A thread that has died of a panic has nothing to clear.
            let _ = thread.mailbox.send(Job::Clear(sender.clone()));
        }
        drop(sender);
        self.tt.clear(self.threads.len());
        all_clear.iter().for_each(|()| ());
    }

    /// Starts a search and returns at once. The info sink is called from the main thread, `finished` once and last; it must
    /// not wait for the pool.
    pub fn go(&mut self, task: Task, info_sink: Box<dyn InfoSink>) {
        self.end_search();
        self.tt.new_search();
        self.shared = Arc::new(SharedState::new(self.threads.len(), task.started, task.limits.ponder));
        let tb = self.tables.as_ref().and_then(|tables| TbProbe::new(tables, &task)).map(Arc::new);
        let search = Search {
            task: Arc::new(task),
            tt: Arc::clone(&self.tt),
            shared: Arc::clone(&self.shared),
            network: Arc::clone(&self.network),
            tb,
        };
        let mailboxes = self.threads.iter().map(|thread| thread.mailbox.clone()).collect();
        let (sender, receiver) = unbounded();
        let searching = Arc::new(Searching::begin(&self.state));
        let main = MainThreadJob { info_sink, results: receiver, _searching: Arc::clone(&searching) };
        let helpers = Helpers { mailboxes, results: sender, searching };
        helpers.give(0, Job::Main(search.clone(), main));
        // Weak play needs no more than one thread, and is the same with any number of them.
        if search.task.options.strength.is_none() {
            helpers.wake(1, &search);
        }
    }

    /// Stops the search; the best move comes at once. No effect when no search is on.
    pub fn stop(&self) {
        self.shared.stop_and_answer();
    }

    /// The opponent has played the expected move: the search that was pondering goes on as an ordinary one.
    pub fn ponderhit(&self) {
        self.shared.ponderhit();
    }

    /// Waits until no search is on.
    pub fn wait(&self) {
        let mut searching = self.state.searching.lock();
        while *searching {
            self.state.changed.wait(&mut searching);
        }
    }

    /// True while a search is on, until all its threads are parked again.
    pub fn is_searching(&self) -> bool {
        *self.state.searching.lock()
    }

    /// Nodes of all threads in this search or the last one.
    pub fn nodes(&self) -> u64 {
        self.shared.nodes()
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The tablebases.
    pub fn tables(&self) -> Option<&Arc<Tables>> {
        self.tables.as_ref()
    }

    /// The transposition table.
    pub fn tt(&self) -> &Arc<TranspositionTable> {
        &self.tt
    }

    fn end_search(&mut self) {
        self.stop();
        self.wait();
    }

    /// Ends all threads but the first `keep`.
    fn dismiss(&mut self, keep: usize) {
        let surplus = self.threads.split_off(keep.min(self.threads.len()));
        // All mailboxes are closed before the first thread is waited for.
        let handles: Vec<JoinHandle<()>> = surplus.into_iter().map(|thread| thread.handle).collect();
        for handle in handles {
            // A thread that has panicked has said so itself.
            let _ = handle.join();
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.end_search();
        self.dismiss(0);
    }
}

impl Thread {
    /// Starts thread `index` and returns when it is ready to search. Its memory is first touched by itself.
    fn start(index: usize) -> std::io::Result<Thread> {
        // The system's own needs for a thread that has begun must be met, or it would end the program; so they are asked for
        // before. The worker says itself if there is no memory for it.
        drop(Pages::zeroed((STACK + ROOM) / size_of::<CacheLine>())?);
        let (mailbox, jobs) = unbounded();
        let (ready, is_ready) = bounded(1);
        let live = move || {
            let mut worker = match Worker::new(index) {
                Ok(worker) => worker,
                Err(error) => return drop(ready.send(Err(error))),
            };
            let _ = ready.send(Ok(()));
            for job in jobs {
                match job {
                    Job::Main(search, mut main) => {
                        main_thread::run(&mut worker, search, &mut *main.info_sink, &main.results);
                    }
                    Job::Helper(search, helpers) => help(index, &mut worker, search, helpers),
                    Job::Clear(_done) => worker.clear(),
                }
            }
        };
        let handle = Builder::new().name(format!("search-{index}")).stack_size(STACK).spawn(live)?;
        let died = || Err(std::io::Error::other("the thread has ended"));
        if let Err(error) = is_ready.recv().unwrap_or_else(|_| died()) {
            let _ = handle.join();
            return Err(error);
        }
        Ok(Thread { mailbox, handle })
    }
}

impl Helpers {
    fn wake(&self, index: usize, search: &Search) {
        self.give(index, Job::Helper(search.clone(), self.clone()));
    }

    /// Gives a job to thread `index`; no effect beyond the last thread. A thread that has died of a panic takes no jobs; they
    /// are dropped, which those who wait for them notice.
    fn give(&self, index: usize, job: Job) {
        if let Some(mailbox) = self.mailboxes.get(index) {
            let _ = mailbox.send(job);
        }
    }
}

fn help(index: usize, worker: &mut Worker, search: Search, helpers: Helpers) {
    helpers.wake(2 * index, &search);
    helpers.wake(2 * index + 1, &search);
    let Helpers { mailboxes, results, searching } = helpers;
    drop(mailboxes);
    let result = worker.search(&search, None);
    let _ = results.send((index, result));
    // Nobody but the pool holds the table when the search is over.
    drop((search, searching));
}
