//! The threads: parked between searches, sent out together, and heard when they come back (lazy SMP).
//!
//! Thread 0 leads (see `leader`); the others search the same position, and all share what they find through the table.

use super::endgame::Endgame;
use super::leader;
use super::signals::Signals;
use super::table::{Table, TableError};
use super::worker::{Outcome, Worker};
use super::{Listener, Search, Task};
use crate::eval::{Network, default_network};
use crate::platform::pages::{CacheLine as Line, Pages};
use crate::tablebase::Tables;
use crossbeam::channel::{Receiver, Sender, unbounded};
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Instant;
use thiserror::Error;

/// The most threads that can be asked for.
pub const MAX_THREADS: usize = 1024;

/// For the recursion of the search at its greatest depth, with room to spare. Only what is used costs memory.
const STACK: usize = 16 << 20;

/// Memory that a thread takes beside its stack: the worker, and what the system's thread library wants.
const ROOM: usize = 16 << 20;

/// There is nothing to search with.
#[derive(Debug, Error)]
pub enum PoolError {
    /// Not even one thread.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// No table.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// The system does not give as many threads as were asked for; the search goes on with those that there are.
#[derive(Debug, Error)]
#[error("cannot start {wanted} threads, using {started}: {reason}")]
pub struct ThreadsError {
    /// How many were asked for.
    pub wanted: usize,
    /// How many there are.
    pub started: usize,
    /// What the system says.
    pub reason: std::io::Error,
}

/// The threads and the table that they share.
///
/// `stop`, `ponderhit` and the questions may be asked from any thread while a search is on; what changes the pool ends the
/// search first. Dropping the pool ends everything.
pub struct Pool {
    threads: Vec<Thread>,
    table: Arc<Table>,
    network: Arc<Network>,
    tables: Option<Arc<Tables>>,
    /// Those of the last search that was begun.
    signals: Arc<Signals>,
    state: Arc<State>,
}

/// A thread, parked while its mailbox is empty, and ended when the mailbox is closed.
struct Thread {
    mailbox: Sender<Job>,
    handle: JoinHandle<()>,
}

/// What a thread is woken for.
enum Job {
    /// Search, hear what the others have found, and answer.
    Lead(Search, Leadership),
    /// Wake the next helpers, search, and tell the leader.
    Help(Search, Helpers),
    /// Forget the last game; dropping the sender says that it is done.
    Clear(Sender<()>),
}

/// What the helpers share. Each wakes two others, so that `go` returns at once however many there are.
#[derive(Clone)]
struct Helpers {
    mailboxes: Arc<[Sender<Job>]>,
    leader: Sender<(usize, Outcome)>,
    searching: Arc<Searching>,
}

/// What only the leading thread has. The order matters: the listener is gone before the search is over.
struct Leadership {
    listener: Box<dyn Listener>,
    others: Receiver<(usize, Outcome)>,
    _searching: Arc<Searching>,
}

/// Whether a search is on.
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
    /// One thread and a table of that many mebibytes.
    pub fn new(hash: usize) -> Result<Pool, PoolError> {
        let mut pool = Pool {
            threads: Vec::new(),
            table: Arc::new(Table::new(hash)?),
            network: default_network(),
            tables: None,
            signals: Arc::new(Signals::new(0, Instant::now(), false)),
            state: Arc::default(),
        };
        pool.set_threads(1)?;
        Ok(pool)
    }

    /// From now on so many threads, 1 to [`MAX_THREADS`]; a number beyond is taken for the nearest. Those that are there
    /// already keep what they have learnt.
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

    /// From now on a table of that many mebibytes, empty. On failure the old one stays as it is.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), TableError> {
        self.end_search();
        self.table = Arc::new(Table::new(mebibytes)?);
        Ok(())
    }

    /// From now on evaluates with this network; what was learnt with the old one is forgotten.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.network = network;
        self.clear();
    }

    /// From now on asks these tablebases; scores without them, or with others, are forgotten.
    pub fn set_tables(&mut self, tables: Option<Arc<Tables>>) {
        self.end_search();
        self.tables = tables;
        self.clear();
    }

    /// Forgets everything: a new game begins.
    pub fn clear(&mut self) {
        self.end_search();
        let (sender, all_clear) = unbounded();
        for thread in &self.threads {
            // A thread that has died of a panic has nothing to forget.
            let _ = thread.mailbox.send(Job::Clear(sender.clone()));
        }
        drop(sender);
        self.table.clear(self.threads.len());
        all_clear.iter().for_each(|()| ());
    }

    /// Begins to search and returns at once. The listener is called from the leading thread, `finished` once and last; it
    /// must not wait for the pool.
    pub fn go(&mut self, task: Task, listener: Box<dyn Listener>) {
        self.end_search();
        self.table.new_search();
        self.signals = Arc::new(Signals::new(self.threads.len(), task.started, task.limits.ponder));
        let endgame = self.tables.as_ref().and_then(|tables| Endgame::new(tables, &task)).map(Arc::new);
        let search = Search {
            task: Arc::new(task),
            table: Arc::clone(&self.table),
            signals: Arc::clone(&self.signals),
            network: Arc::clone(&self.network),
            endgame,
        };
        let mailboxes = self.threads.iter().map(|thread| thread.mailbox.clone()).collect();
        let (leader, others) = unbounded();
        let searching = Arc::new(Searching::begin(&self.state));
        let leadership = Leadership { listener, others, _searching: Arc::clone(&searching) };
        let helpers = Helpers { mailboxes, leader, searching };
        helpers.give(0, Job::Lead(search.clone(), leadership));
        helpers.wake(1, &search);
    }

    /// Ends the search; the answer comes at once. No effect when no search is on.
    pub fn stop(&self) {
        self.signals.stop_and_answer();
    }

    /// The opponent has played the expected move: the search that was pondering goes on as an ordinary one.
    pub fn ponderhit(&self) {
        self.signals.ponderhit();
    }

    /// Waits until no search is on.
    pub fn wait(&self) {
        let mut searching = self.state.searching.lock();
        while *searching {
            self.state.changed.wait(&mut searching);
        }
    }

    /// Whether a search is on: not yet answered, or threads are still on their way back from it.
    pub fn is_searching(&self) -> bool {
        *self.state.searching.lock()
    }

    /// Nodes of all threads in this search or the last one.
    pub fn nodes(&self) -> u64 {
        self.signals.nodes()
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// What evaluates.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The tablebases that are asked.
    pub fn tables(&self) -> Option<&Arc<Tables>> {
        self.tables.as_ref()
    }

    /// The table that the threads share.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
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
    /// Returns when the thread is ready to search: its memory is its own first touch.
    fn start(index: usize) -> std::io::Result<Thread> {
        // Inside a thread that has begun, memory that is not there would end the program; so it is asked for before.
        drop(Pages::zeroed((STACK + ROOM) / size_of::<Line>())?);
        let (mailbox, jobs) = unbounded();
        let (ready, is_ready) = unbounded::<()>();
        let live = move || {
            let mut worker = Worker::new(index);
            drop(ready);
            for job in jobs {
                match job {
                    Job::Lead(search, mut leadership) => {
                        leader::lead(&mut worker, search, &mut *leadership.listener, &leadership.others);
                    }
                    Job::Help(search, helpers) => help(index, &mut worker, search, helpers),
                    Job::Clear(_done) => worker.clear(),
                }
            }
        };
        let handle = Builder::new().name(format!("search-{index}")).stack_size(STACK).spawn(live)?;
        is_ready.iter().for_each(|()| ());
        Ok(Thread { mailbox, handle })
    }
}

impl Helpers {
    fn wake(&self, index: usize, search: &Search) {
        self.give(index, Job::Help(search.clone(), self.clone()));
    }

    /// No effect beyond the last thread. A thread that has died of a panic takes no jobs; what it is given is dropped,
    /// which those who wait for it notice.
    fn give(&self, index: usize, job: Job) {
        if let Some(mailbox) = self.mailboxes.get(index) {
            let _ = mailbox.send(job);
        }
    }
}

fn help(index: usize, worker: &mut Worker, search: Search, helpers: Helpers) {
    helpers.wake(2 * index, &search);
    helpers.wake(2 * index + 1, &search);
    let Helpers { mailboxes, leader, searching } = helpers;
    drop(mailboxes);
    let outcome = worker.search(&search, None);
    let _ = leader.send((index, outcome));
    // Nobody but the pool holds the table when the search is over.
    drop((search, searching));
}
