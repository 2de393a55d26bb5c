//! A model of the server, for the simulator: sessions that are lost at any statement, commits whose outcome nobody was told, a server that
//! is away for a while, locks that end with their sessions, several hosts.
//!
//! What is modelled is the server and the network. The client is the shipped one: a modelled [`Connection`](super::Connection) is told what
//! the thread of a real one would be told, and repeats, reads back and waits by the same code. Rows are those of SQLite in memory, in the
//! same tables; the statements that only PostgreSQL knows are carried out here.
//!
//! Everything happens on one thread, in an order that the [`Faults`] of this thread determine. So no two transactions run at once; but one
//! whose client has lost its connection may be committed later, when the next writer comes or somebody waits for its locks.

use std::{
    cell::RefCell,
    rc::Rc,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

pub(super) use self::client::ModelledClient;
use self::server::State;
use super::{Connection, link::Link};
use crate::sql::{self, Result};

mod client;
mod server;
#[cfg(test)]
mod tests;
mod text;

/// The key of the locks of the modelled store.
const LOCK_KEY: i32 = 1;

/// How long a command waits until it is connected.
const PATIENCE: Duration = Duration::from_secs(15);

/// Whose connection it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The owner of a job.
    Owner,
    /// A command.
    Terminal,
    /// Who sends notifications.
    Sender,
    /// The simulator itself: nothing ever happens to its connection.
    Observer,
}

/// What a client sends at once.
#[derive(Clone, Copy, Debug)]
pub struct Message<'m> {
    pub who: Who,
    pub host: &'m str,
    pub in_transaction: bool,
    /// It is, or will be, one of an owner ([`super::Begin::Owner`]).
    pub is_of_owner: bool,
    pub writes: bool,
    pub commits: bool,
}

/// What becomes of a message. `is_noticed`: the server knows that the session is lost; otherwise the session keeps its locks for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    /// The connection is lost before it arrives.
    CutBefore {
        is_noticed: bool,
    },
    /// The connection is lost before the answer arrives.
    CutAfter {
        is_noticed: bool,
    },
    /// The connection is lost while the server is still committing: it ends later, and has changed everything or nothing.
    CutWithin {
        applies: bool,
    },
    /// The server ends the session after some of the statements.
    Ended,
    /// The server refuses the first statement with this SQLSTATE, and goes on with the session.
    Refused(&'static str),
    /// The server dies, before it has read the message or after it has done what it says, and is away for a while. Transactions that were
    /// being committed are done or not.
    Restart {
        is_done: bool,
        away: Duration,
    },
    /// The client dies, before the message or after it.
    Dies {
        is_done: bool,
    },
}

/// What happens to the clients of this thread ([`with_faults`]).
pub trait Faults {
    /// At each message of a client.
    fn at(&mut self, message: Message<'_>) -> Fault;

    /// At each attempt to connect: the SQLSTATE by which it is refused.
    fn at_connect(&mut self, who: Who, host: &str) -> Option<&'static str>;

    /// A client waits before it tries to connect again. May unwind: then the client dies while it waits.
    fn wait(&mut self, who: Who, host: &str, pause: Duration);

    /// Whether the client was told to end.
    fn is_asked_to_end(&mut self, who: Who) -> bool;

    /// The client dies: unwinds.
    fn dies(&mut self, who: Who);
}

thread_local! {
    static FAULTS: RefCell<Option<Rc<RefCell<dyn Faults>>>> = const { RefCell::new(None) };
}

/// Has these faults happen to the clients of this thread; with `None` there are none.
pub fn with_faults(faults: Option<Rc<RefCell<dyn Faults>>>) {
    FAULTS.set(faults);
}

/// Asks the faults of this thread. `None` without any, and within an answer of theirs.
fn ask<T>(question: impl FnOnce(&mut dyn Faults) -> T) -> Option<T> {
    let faults = FAULTS.with_borrow(Clone::clone)?;
    let mut faults = faults.try_borrow_mut().ok()?;
    Some(question(&mut *faults))
}

/// A server with an empty store.
#[derive(Clone)]
pub struct ModelledServer(Arc<Mutex<State>>);

impl ModelledServer {
    /// # Errors
    ///
    /// There is no memory.
    pub fn new() -> Result<ModelledServer> {
        Ok(ModelledServer(Arc::new(Mutex::new(State::new()?))))
    }

    /// Forgets all rows and sessions.
    ///
    /// # Errors
    ///
    /// There is no memory.
    pub fn clear(&self) -> Result<()> {
        self.state().clear()
    }

    /// Connects as a process of a host.
    ///
    /// # Errors
    ///
    /// The server is away for longer than a command waits.
    pub fn connect(&self, host: &str, who: Who) -> Result<sql::Connection> {
        let client = ModelledClient::new(self.clone(), host, who);
        let connection = Connection::by(Link::Model(Box::new(client)), LOCK_KEY, PATIENCE)?;
        Ok(sql::Connection::of_server(connection))
    }

    /// Sets the clock of the server, in milliseconds since 1970. It never goes back.
    pub fn set_clock(&self, now: i64) {
        let mut state = self.state();
        state.now = state.now.max(now);
    }

    /// All sessions end, and for a while nobody can connect.
    pub fn restart(&self, away: Duration) {
        self.state().restart(away);
    }

    /// Whether nobody can connect now.
    pub fn is_away(&self) -> bool {
        self.state().is_away()
    }

    /// A host is cut off, or connected again. Its sessions are lost, and the server does not notice that yet.
    pub fn cut_off(&self, host: &str, is_cut: bool) {
        self.state().cut_off(host, is_cut);
    }

    /// Whether a host is cut off.
    pub fn is_cut_off(&self, host: &str) -> bool {
        self.state().is_cut_off(host)
    }

    /// The server notices that sessions are lost, and ends their transactions.
    pub fn notice_lost(&self) {
        self.state().notice_lost();
    }

    /// Makes a host known.
    ///
    /// # Errors
    ///
    /// There is no memory.
    pub fn add_host(&self, id: &str, machine: &str) -> Result<()> {
        self.state().add_host(id, machine)
    }

    /// The time until a host counts as gone, in milliseconds; not more than 0 if it does.
    ///
    /// # Errors
    ///
    /// The host is not known.
    pub fn rest_of(&self, host: &str) -> Result<i64> {
        self.state().rest_of(host)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
