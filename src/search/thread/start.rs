//! The start of threads: many at once, each of which makes and first touches its own memory.

use super::numa::NumaNode;
use crate::search::worker::Worker;
use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
use nnue::Network;
use platform::affinity;
use platform::threads::{self, JoinHandle};
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;

/// Bytes of stack of a thread, enough for the recursion at its greatest depth. Only used pages cost memory.
const STACK: usize = 16 << 20;

/// A thread, parked while its mailbox is empty, and ended when the mailbox is closed.
pub struct Thread<Job> {
    /// The jobs for it.
    pub mailbox: Sender<Job>,
    /// Waits for its end.
    pub handle: JoinHandle,
    /// The NUMA node that it belongs to.
    pub numa_node: Option<Arc<NumaNode>>,
    /// True if the system has bound it to the processors of the node.
    pub is_bound: bool,
}

/// A thread that has not reported ready yet.
pub struct Starting<Job> {
    thread: Thread<Job>,
    /// Receives the result of its start: whether the system has bound it.
    is_ready: Receiver<io::Result<bool>>,
}

impl<Job: Send + 'static> Starting<Job> {
    /// Starts thread `index`, which binds itself to the processors of `numa_node`, makes its worker, and does the jobs in its mailbox
    /// by `work`. Before it takes memory it waits for the senders of `gate` to be dropped: it could take what a thread needs that is
    /// about to begin.
    ///
    /// # Errors
    /// If the system has no thread or not enough memory for its stack and its worker.
    pub fn spawn(
        index: usize,
        numa_node: Option<Arc<NumaNode>>,
        network: Arc<Network>,
        gate: Receiver<()>,
        work: fn(usize, Option<&NumaNode>, &mut Worker, Job),
    ) -> io::Result<Starting<Job>> {
        let memory = Worker::memory(&network)?;
        let (mailbox, jobs) = unbounded();
        let (ready, is_ready) = bounded(1);
        let own_node = numa_node.clone();
        let live = move || {
            let node = own_node;
            let is_bound = node.as_ref().is_some_and(|node| affinity::bind(&node.processors));
            let _ = gate.recv();
            let network = node.as_ref().map_or_else(|| Arc::clone(&network), |node| node.network(&network));
            let mut worker = match Worker::new_in(memory, index, network) {
                Ok(worker) => worker,
                Err(error) => return drop(ready.send(Err(error))),
            };
            let _ = ready.send(Ok(is_bound));
            jobs.iter().for_each(|job| work(index, node.as_deref(), &mut worker, job));
        };
        let handle = threads::spawn(&format!("search-{index}"), STACK, live)?;
        Ok(Starting { thread: Thread { mailbox, handle, numa_node, is_bound: false }, is_ready })
    }
}

impl<Job> Starting<Job> {
    /// Waits until the thread is ready to search.
    ///
    /// # Errors
    /// If the system has not enough memory for its worker; the thread has ended.
    pub fn wait(self) -> io::Result<Thread<Job>> {
        let died = || Err(io::Error::other("a thread did not start"));
        match self.is_ready.recv().unwrap_or_else(|_| died()) {
            Ok(is_bound) => Ok(Thread { is_bound, ..self.thread }),
            Err(error) => {
                self.thread.end();
                Err(error)
            }
        }
    }
}

/// No jobs: the thread does them itself.
pub struct PendingJobs<Job>(PhantomData<Job>);

impl<Job> PendingJobs<Job> {
    /// No effect.
    pub fn run(&self, _work: impl Fn(usize, Option<&NumaNode>, &mut Worker, Job)) {}
}

impl<Job> Thread<Job> {
    /// The jobs that wait for somebody who runs them: none.
    pub fn pending_jobs(&self) -> PendingJobs<Job> {
        PendingJobs(PhantomData)
    }

    /// Ends the thread after its present job.
    pub fn end(self) {
        drop(self.mailbox);
        // A thread that has panicked has said so itself.
        let _ = self.handle.join();
    }
}
