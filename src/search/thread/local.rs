//! Threads where the system has none, as in WebAssembly: jobs wait until somebody runs them. The interface is that of `start`.

use super::numa::NumaNode;
use crate::search::worker::Worker;
use crossbeam::channel::{Receiver, Sender, unbounded};
use nnue::Network;
use parking_lot::Mutex;
use std::io;
use std::sync::Arc;

/// The only thread there can be.
pub struct Thread<Job> {
    /// The jobs for it.
    pub mailbox: Sender<Job>,
    /// Does the jobs.
    pub handle: PendingJobs<Job>,
    /// No node.
    pub numa_node: Option<Arc<NumaNode>>,
    /// False.
    pub is_bound: bool,
}

/// A thread that is ready at once.
pub struct Starting<Job>(Thread<Job>);

/// A worker and its jobs.
pub struct PendingJobs<Job>(Arc<(Mutex<Worker>, Receiver<Job>)>);

impl<Job> PendingJobs<Job> {
    /// Does the jobs that wait; no effect during a job. `work` is not called through a pointer, where a search could not give turns.
    #[inline(always)]
    pub fn run(&self, work: impl Fn(usize, Option<&NumaNode>, &mut Worker, Job)) {
        let (worker, jobs) = &*self.0;
        if let Some(mut worker) = worker.try_lock() {
            while let Ok(job) = jobs.try_recv() {
                work(0, None, &mut worker, job);
            }
        }
    }

    /// Nothing is left to wait for.
    pub fn join(self) -> Result<(), ()> {
        Ok(())
    }
}

impl<Job> Starting<Job> {
    /// Makes the worker of thread 0.
    ///
    /// # Errors
    /// If there is not enough memory, or another thread is asked for.
    pub fn spawn(
        index: usize,
        numa_node: Option<Arc<NumaNode>>,
        network: Arc<Network>,
        _gate: Receiver<()>,
        _work: fn(usize, Option<&NumaNode>, &mut Worker, Job),
    ) -> io::Result<Starting<Job>> {
        if index > 0 {
            return Err(io::Error::other("this build has one thread"));
        }
        let (mailbox, jobs) = unbounded();
        let handle = PendingJobs(Arc::new((Mutex::new(Worker::new(index, network)?), jobs)));
        Ok(Starting(Thread { mailbox, handle, numa_node, is_bound: false }))
    }

    /// The thread, which is ready.
    ///
    /// # Errors
    /// None.
    pub fn wait(self) -> io::Result<Thread<Job>> {
        Ok(self.0)
    }
}

impl<Job> Thread<Job> {
    /// The jobs that wait.
    pub fn pending_jobs(&self) -> PendingJobs<Job> {
        PendingJobs(Arc::clone(&self.handle.0))
    }

    /// Ends the thread.
    pub fn end(self) {}
}
