//! The queue of commands that wait for the end of a search or job. Its memory is bounded.

use super::command::Command;
use platform::clock::Instant;
use std::collections::VecDeque;

/// The weight from which on the queue is full: about the bytes of memory that it takes.
const MAX_WEIGHT: usize = 64 << 20;

/// The memory of a parsed command for each byte of its line: a move of four letters becomes a string of its own.
const WEIGHT_PER_BYTE: usize = 12;

/// A command in the queue.
pub struct Waiting {
    /// The command.
    pub command: Command,
    /// The time at which it was read.
    pub arrived: Instant,
    weight: usize,
}

/// Commands in the order in which they came.
#[derive(Default)]
pub struct Queue {
    commands: VecDeque<Waiting>,
    weight: usize,
}

impl Queue {
    /// Appends a command that was read from a line of `bytes`.
    pub fn push(&mut self, command: Command, arrived: Instant, bytes: usize) {
        let weight = size_of::<Waiting>() + WEIGHT_PER_BYTE * bytes;
        self.weight += weight;
        self.commands.push_back(Waiting { command, arrived, weight });
    }

    /// Removes the first command.
    pub fn pop(&mut self) -> Option<Waiting> {
        let first = self.commands.pop_front()?;
        self.weight -= first.weight;
        Some(first)
    }

    /// Removes an `isready` before which there is nothing but `wait`; false if there is none.
    pub fn pop_ready(&mut self) -> bool {
        let Some(at) = self.commands.iter().position(|waiting| waiting.command != Command::Wait) else {
            return false;
        };
        let ready = self.commands[at].command == Command::IsReady;
        if ready && let Some(removed) = self.commands.remove(at) {
            self.weight -= removed.weight;
        }
        ready
    }

    /// The first command.
    pub fn first(&self) -> Option<&Command> {
        self.commands.front().map(|waiting| &waiting.command)
    }

    /// True if there is no command.
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// True if no more commands may come before some have left.
    pub fn is_full(&self) -> bool {
        self.weight >= MAX_WEIGHT
    }

    /// True if something has to be done: there is another command than `wait`.
    pub fn has_work(&self) -> bool {
        self.commands.iter().any(|waiting| waiting.command != Command::Wait)
    }

    /// True if there is a `quit` and neither `wait` nor `savehash` before it, so that nothing in front of it has to be done.
    pub fn quit_is_next(&self) -> bool {
        let mut commands = self.commands.iter().map(|waiting| &waiting.command);
        let matters =
            |command: &&Command| matches!(command, Command::Quit | Command::Wait) || command.is_save();
        commands.find(matters) == Some(&Command::Quit)
    }

    /// True if there is a `savehash`, or the option of earlier builds for it.
    pub fn has_pending_save(&self) -> bool {
        self.commands.iter().any(|waiting| waiting.command.is_save())
    }

    /// True if `command` is in the queue.
    pub fn contains(&self, command: &Command) -> bool {
        self.commands.iter().any(|waiting| waiting.command == *command)
    }
}
