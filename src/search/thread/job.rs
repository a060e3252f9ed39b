//! The jobs of a thread: to search, to clear its histories and a part of the table, to touch the table's pages, or anything
//! else.

use super::main_thread;
use super::numa::NumaNode;
use super::running::RunningGuard;
use crate::search::context::SearchContext;
use crate::search::info::{InfoSink, ThreadResult};
use crate::search::memory::tt::TranspositionTable;
use crate::search::worker::Worker;
use crossbeam::channel::{Receiver, Sender, unbounded};
use nnue::{Accumulators, Network};
use std::io;
use std::sync::Arc;

/// The job of a thread.
pub enum Job {
    /// Search, collect the helpers' results, and send the best move.
    Main(SearchContext, MainThreadJob),
    /// Wake the next helpers, search, and send the result to the main thread.
    Helper(SearchContext, Helpers),
    /// Clear the histories, and a part of the table if it was used; then say so.
    Clear(Option<TtPart>, Sender<()>),
    /// Touch the pages of a part of the table; then say so.
    Prefault(TtPart, Sender<()>),
    /// Do what is given, then say so.
    Task(Arc<dyn Fn() + Send + Sync>, Sender<()>),
    /// Make accumulators of this network, and send them with the thread's index.
    MakeAccumulators(Arc<Network>, Sender<io::Result<(usize, Box<Accumulators>)>>),
    /// Evaluate by these accumulators from now on.
    UseAccumulators(Box<Accumulators>),
}

/// Part `part` of `parts` equal ones of the table.
pub struct TtPart {
    /// The table.
    pub tt: Arc<TranspositionTable>,
    /// The index of the part.
    pub part: usize,
    /// The number of parts.
    pub parts: usize,
}

/// The helpers' part of a job. Each wakes two others, so that `go` returns at once however many there are.
#[derive(Clone)]
pub struct Helpers {
    mailboxes: Arc<[Sender<Job>]>,
    results: Sender<(usize, ThreadResult)>,
    running: Arc<RunningGuard>,
}

/// The main thread's part of a job. The order of the fields matters: the info sink is dropped before the search is over.
pub struct MainThreadJob {
    info_sink: Box<dyn InfoSink>,
    results: Receiver<(usize, ThreadResult)>,
    _running: Arc<RunningGuard>,
}

/// Begins a search by the threads with these mailboxes, the main thread's first.
pub fn begin_search(
    mailboxes: Arc<[Sender<Job>]>,
    context: &SearchContext,
    info_sink: Box<dyn InfoSink>,
    running: RunningGuard,
) {
    let (sender, results) = unbounded();
    let running = Arc::new(running);
    let main = MainThreadJob { info_sink, results, _running: Arc::clone(&running) };
    let helpers = Helpers { mailboxes, results: sender, running };
    helpers.give(0, Job::Main(context.clone(), main));
    // Weak play needs no more than one thread, and is the same with any number of them.
    if context.request.options.strength.is_none() {
        helpers.wake(1, context);
    }
}

/// Does a job, with the network of the thread's own node.
pub fn work(index: usize, node: Option<&NumaNode>, worker: &mut Worker, job: Job) {
    let localise = |context: &mut SearchContext| {
        if let Some(node) = node {
            context.network = node.network(&context.network);
        }
    };
    match job {
        Job::Main(mut context, mut main) => {
            localise(&mut context);
            main_thread::run(worker, context, &mut *main.info_sink, &main.results);
        }
        Job::Helper(context, helpers) => help(index, worker, context, helpers, localise),
        Job::Clear(table, done) => {
            worker.clear();
            if let Some(TtPart { tt, part, parts }) = table {
                tt.clear_part(part, parts);
            }
            let _ = done.send(());
        }
        Job::Prefault(TtPart { tt, part, parts }, done) => {
            tt.prefault_part(part, parts);
            let _ = done.send(());
        }
        Job::Task(task, done) => {
            task();
            // What the task holds is free when its end is known.
            drop(task);
            let _ = done.send(());
        }
        Job::MakeAccumulators(network, made) => {
            let network = node.map_or_else(|| Arc::clone(&network), |node| node.network(&network));
            let accumulators = Accumulators::try_new(network);
            let _ = made.send(accumulators.map(|accumulators| (index, Box::new(accumulators))));
        }
        Job::UseAccumulators(accumulators) => worker.accumulators = *accumulators,
    }
}

impl Helpers {
    fn wake(&self, index: usize, context: &SearchContext) {
        self.give(index, Job::Helper(context.clone(), self.clone()));
    }

    /// Gives a job to thread `index`; no effect beyond the last thread. A thread that has panicked takes no jobs; they are
    /// dropped, which those who wait for them notice.
    fn give(&self, index: usize, job: Job) {
        if let Some(mailbox) = self.mailboxes.get(index) {
            let _ = mailbox.send(job);
        }
    }
}

fn help(
    index: usize,
    worker: &mut Worker,
    mut context: SearchContext,
    helpers: Helpers,
    localise: impl Fn(&mut SearchContext),
) {
    helpers.wake(2 * index, &context);
    helpers.wake(2 * index + 1, &context);
    localise(&mut context);
    let Helpers { mailboxes, results, running } = helpers;
    drop(mailboxes);
    let result = worker.search(&context, None);
    let _ = results.send((index, result));
    // Nobody but the pool holds the table when the search is over.
    drop((context, running));
}
