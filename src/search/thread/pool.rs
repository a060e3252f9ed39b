//! The thread pool (lazy SMP): threads parked between searches and woken together.
//!
//! Thread 0 is the main thread (see `main_thread`), the others are helpers: all search the same position and share their
//! results through the transposition table.

use super::error::{PoolError, ThreadsError};
use super::job::{self, Job, TtPart, work};
use super::numa::{Numa, NumaNode, NumaPolicy};
use super::running::{RunningFlag, RunningGuard};
use super::start::{Starting, Thread};
use crate::eval::default_network;
use crate::search::context::SearchContext;
use crate::search::info::InfoSink;
use crate::search::memory::tt::{TranspositionTable, TtError};
use crate::search::request::SearchRequest;
use crate::search::shared_state::SharedState;
use crate::tablebase::Tables;
use crossbeam::channel::{Sender, bounded, unbounded};
use nnue::{Accumulators, Network};
use platform::clock::Instant;
use platform::machine::ThisMachine;
use platform::pages;
use platform::topology::memory_nodes;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// The maximum number of threads.
pub const MAX_THREADS: usize = 1024;

/// The threads and the table that they share.
///
/// `stop`, `ponderhit` and the questions may be asked from any thread while a search is on; what changes the pool ends the
/// search first. Dropping the pool ends everything.
pub struct Pool {
    threads: Vec<Thread<Job>>,
    tt: Arc<TranspositionTable>,
    network: Arc<Network>,
    tables: Option<Arc<Tables>>,
    /// The shared state of the search under way or the last one.
    shared: Arc<SharedState>,
    state: Arc<RunningFlag>,
    numa: Numa,
    /// True if no search has used the table since it was made or cleared.
    tt_is_clean: bool,
    /// True if the system has given the table all its memory.
    tt_is_prefaulted: bool,
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
            numa: Numa::new(NumaPolicy::Auto, &ThisMachine),
            tt_is_clean: true,
            tt_is_prefaulted: false,
        };
        pool.spread_table();
        pool.set_threads(1)?;
        Ok(pool)
    }

    /// Sets the number of threads, 1 to [`MAX_THREADS`]; a number outside is clamped. Threads that are kept keep their
    /// histories.
    pub fn set_threads(&mut self, wanted: usize) -> Result<(), ThreadsError> {
        self.end_search();
        let wanted = wanted.clamp(1, MAX_THREADS);
        let numa_nodes = self.numa.assign_nodes(wanted);
        let same = |(thread, numa_node): &(&Thread<Job>, &Option<Arc<NumaNode>>)| {
            thread.numa_node.as_ref().map(Arc::as_ptr) == numa_node.as_ref().map(Arc::as_ptr)
        };
        let kept = self.threads.iter().zip(&numa_nodes).take_while(same).count();
        // The main thread stays until another can take its place, so that there is always one.
        self.stop_threads_from(kept.max(1));
        let old_main = if kept == 0 { self.threads.pop() } else { None };
        let started = self.start_threads(&numa_nodes);
        match old_main {
            Some(main) if self.threads.is_empty() => self.threads.push(main),
            Some(main) => main.end(),
            None => {}
        }
        started.map_err(|reason| ThreadsError { wanted, started: self.threads.len(), reason })
    }

    /// Starts threads until there is one for each of `nodes`, which initialise their memory themselves, all at once. On an error
    /// there are as many more as the system gives.
    fn start_threads(&mut self, nodes: &[Option<Arc<NumaNode>>]) -> io::Result<()> {
        let (gate, is_open) = bounded::<()>(0);
        let mut refused = None;
        let started: Vec<Starting<Job>> = (self.threads.len()..nodes.len())
            .map_while(|index| {
                let (node, network) = (nodes[index].clone(), Arc::clone(&self.network));
                let started = Starting::spawn(index, node, network, is_open.clone(), work);
                started.map_err(|reason| refused = Some(reason)).ok()
            })
            .collect();
        drop(gate);
        let mut failed = None;
        for starting in started {
            match starting.wait() {
                Ok(thread) if failed.is_none() => self.threads.push(thread),
                // The threads are numbered without gaps; this one ends when its mailbox is dropped.
                Ok(thread) => thread.end(),
                Err(reason) => failed = failed.or(Some(reason)),
            }
        }
        failed.or(refused).map_or(Ok(()), Err)
    }

    /// Sets the size of the table in mebibytes and empties it, unless that is its size. On failure the old table stays as it is.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), TtError> {
        self.end_search();
        if mebibytes == self.tt.mebibytes() {
            return Ok(());
        }
        self.tt = Arc::new(TranspositionTable::new(mebibytes)?);
        (self.tt_is_clean, self.tt_is_prefaulted) = (true, false);
        self.spread_table();
        Ok(())
    }

    /// Touches the table's pages, by all threads at once, unless a search is on or it has been done. Otherwise the first
    /// searches pay for it: on a virtual machine up to two milliseconds for each huge page, and each node needs another.
    pub fn prefault(&mut self) {
        if self.is_searching() || std::mem::replace(&mut self.tt_is_prefaulted, true) {
            return;
        }
        self.run_on_all(Job::Prefault);
    }

    /// Sets the use of NUMA nodes, unless it is that already. Threads that move to another node begin with empty histories.
    pub fn set_numa_policy(&mut self, policy: NumaPolicy) -> Result<(), ThreadsError> {
        self.end_search();
        if policy == *self.numa.policy() {
            return Ok(());
        }
        self.numa = Numa::new(policy, &ThisMachine);
        self.spread_table();
        self.set_threads(self.threads.len())
    }

    /// Sets the network, and clears table and histories, unless it equals the one in use.
    ///
    /// # Errors
    /// If the system has not enough memory for what each thread needs. Then the old network stays.
    pub fn set_network(&mut self, network: Arc<Network>) -> io::Result<()> {
        self.end_search();
        if Arc::ptr_eq(&network, &self.network) || network == self.network {
            return Ok(());
        }
        for (index, accumulators) in self.make_accumulators(&network)? {
            let _ = self.threads[index].mailbox.send(Job::UseAccumulators(accumulators));
        }
        self.network = network;
        self.clear();
        Ok(())
    }

    /// The accumulators of `network` for each thread, made by itself.
    fn make_accumulators(&self, network: &Arc<Network>) -> io::Result<Vec<(usize, Box<Accumulators>)>> {
        let (sender, made) = unbounded();
        for thread in &self.threads {
            let _ = thread.mailbox.send(Job::MakeAccumulators(Arc::clone(network), sender.clone()));
        }
        drop(sender);
        self.run_pending_jobs();
        let made: Vec<_> = made.iter().collect();
        made.into_iter().collect()
    }

    /// Sets the tablebases, and clears table and histories unless they are of the same files as those in use.
    pub fn set_tables(&mut self, tables: Option<Arc<Tables>>) {
        self.end_search();
        if tables.as_deref().map(Tables::files) != self.tables.as_deref().map(Tables::files) {
            self.clear();
        }
        self.tables = tables;
    }

    /// Clears table and histories, as far as a search has used them, by all threads at once: a new game begins.
    pub fn clear(&mut self) {
        self.end_search();
        self.prefault();
        let used = !std::mem::replace(&mut self.tt_is_clean, true);
        let cleared = self.run_on_all(|part, done| Job::Clear(used.then_some(part), done));
        if used && cleared < self.threads.len() {
            self.tt.clear();
        }
        self.tt.reset_age();
    }

    /// Has every thread do a job with its part of the table, and waits for them. Returns the number of those who have done it:
    /// a thread that has panicked takes no jobs.
    fn run_on_all(&self, job: impl Fn(TtPart, Sender<()>) -> Job) -> usize {
        let (sender, done) = unbounded();
        for (part, thread) in self.threads.iter().enumerate() {
            let part = TtPart { tt: Arc::clone(&self.tt), part, parts: self.threads.len() };
            let _ = thread.mailbox.send(job(part, sender.clone()));
        }
        drop(sender);
        self.run_pending_jobs();
        done.iter().count()
    }

    /// Has all threads do `task` at once, and waits for them. Tasks share the work among themselves; one thread may have to do all.
    pub fn run_on_threads(&mut self, task: impl Fn() + Send + Sync + 'static) {
        self.end_search();
        let task: Arc<dyn Fn() + Send + Sync> = Arc::new(task);
        if self.run_on_all(|_, done| Job::Task(Arc::clone(&task), done)) == 0 {
            task();
        }
    }

    /// True if no search has used the table since it was made or cleared.
    pub fn tt_is_clean(&self) -> bool {
        self.tt_is_clean
    }

    /// Empties the table for entries of that age, which the caller is going to put there. Histories stay.
    pub fn make_room_in_tt(&mut self, age: u8) {
        self.end_search();
        self.prefault();
        if !std::mem::replace(&mut self.tt_is_clean, false) {
            let cleared = self.run_on_all(|TtPart { tt, part, parts }, done| {
                Job::Task(Arc::new(move || tt.clear_part(part, parts)), done)
            });
            if cleared < self.threads.len() {
                self.tt.clear();
            }
        }
        self.tt.begin_restoring(age);
    }

    /// Starts a search and returns at once. The info sink is called from the main thread, `finished` once and last; it must
    /// not wait for the pool.
    pub fn go(&mut self, request: SearchRequest, info_sink: Box<dyn InfoSink>) {
        self.end_search();
        self.tt.new_search();
        self.tt_is_clean = false;
        let context =
            SearchContext::new(request, self.threads.len(), &self.tt, &self.network, self.tables.as_ref());
        self.shared = Arc::clone(&context.shared);
        let mailboxes = self.threads.iter().map(|thread| thread.mailbox.clone()).collect();
        job::begin_search(mailboxes, &context, info_sink, RunningGuard::begin(&self.state));
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
        self.run_pending_jobs();
        self.state.wait();
    }

    /// Waits until no search is on, but no longer than that; true if none is on.
    pub fn wait_for(&self, time: Duration) -> bool {
        self.run_pending_jobs();
        self.state.wait_for(time)
    }

    /// True while a search is on, until all its threads are parked again.
    pub fn is_searching(&self) -> bool {
        self.state.is_searching()
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

    /// The NUMA nodes and their use.
    pub fn numa(&self) -> &Numa {
        &self.numa
    }

    /// The NUMA nodes and whether the threads are bound to them, in words.
    pub fn describe_numa(&self) -> String {
        let bound = self.threads.iter().filter(|thread| thread.is_bound).count();
        self.numa.describe(self.threads.len(), bound)
    }

    /// Spreads the table over the nodes, if there are several.
    fn spread_table(&self) {
        if self.numa.spreads_memory() {
            self.tt.spread(&memory_nodes(&ThisMachine));
        }
    }

    /// Does the jobs that wait where there are no threads that do them; no effect elsewhere, nor during a search.
    fn run_pending_jobs(&self) {
        self.pending_jobs()();
    }

    /// What does the jobs that wait where there are no threads, for a caller that lets others use the pool meanwhile.
    pub fn pending_jobs(&self) -> impl FnOnce() + use<> {
        let threads: Vec<_> = self.threads.iter().map(Thread::pending_jobs).collect();
        move || threads.iter().for_each(|thread| thread.run(work))
    }

    fn end_search(&mut self) {
        self.stop();
        self.wait();
    }

    /// Stops the threads from index `keep` on.
    fn stop_threads_from(&mut self, keep: usize) {
        let surplus = self.threads.split_off(keep.min(self.threads.len()));
        // All mailboxes are closed before the first thread is waited for.
        let handles: Vec<_> = surplus.into_iter().map(|thread| thread.handle).collect();
        if handles.is_empty() {
            return;
        }
        for handle in handles {
            // A thread that has panicked has said so itself.
            let _ = handle.join();
        }
        pages::give_back_freed();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.end_search();
        self.stop_threads_from(0);
    }
}
