//! A connection to PostgreSQL, as blocking as SQLite's.
//!
//! The client is asynchronous and lives on a thread of its own, since the engine's thread is inside a runtime that may not be blocked on
//! from within. Statements of a transaction whose results nobody reads are sent together with the next one ([`Connection::deferring`]), so that
//! a batch of an owner takes two round trips.
//!
//! Writers: a transaction that reads what it decides by excludes all others ([`Begin::Alone`]), as SQLite's do; those of owners exclude only
//! these ([`Begin::Owner`]), since owners write to different jobs.
//!
//! A connection may be lost at any moment. Reading statements outside a transaction are repeated on a new one. What a lost commit has
//! done is read back: each leaves a mark in the same transaction.

use std::{
    cell::RefCell,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use super::{Error, Result, ServerError, ToSql, Value};

mod errors;
mod link;
#[cfg(any(test, feature = "testing"))]
pub mod model;
mod notices;
mod password;
mod placeholders;
mod session;
mod statement;
mod target;
mod tls;
mod values;

#[cfg(test)]
pub(crate) use self::session::new_mark as new_id;
use self::{
    link::Link,
    notices::Notice,
    session::{Answer, Query, Request},
};
pub use self::{
    statement::{Row, Rows, Statement},
    target::Target,
};

/// The locks that transactions hold ("hpdl" in ASCII), together with a number of the schema.
const LOCK_CLASS: i32 = 0x6870_646c;

/// Between two attempts to reach the server again, growing up to the last.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LAST_PAUSE: Duration = Duration::from_secs(1);

/// How long a command waits for a server that has gone away.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection to a database.
#[derive(Debug)]
pub struct Connection {
    link: Link,
    state: RefCell<State>,
    /// The key of the locks of its schema.
    lock_key: i32,
}

#[derive(Debug, Default)]
struct State {
    transaction: Option<Open>,
    /// Statements of the open transaction that have not been sent.
    queued: Vec<Query>,
    is_deferring: bool,
    /// How long to wait for a server that has gone away; `None` for ever.
    patience: Option<Duration>,
    /// How many sessions there were.
    n_sessions: u64,
}

/// An open transaction.
#[derive(Debug)]
struct Open {
    kind: Begin,
    /// Whether anything of it was sent.
    is_sent: bool,
    /// The connection was lost: what follows is refused.
    is_broken: bool,
}

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// Excludes every other writer.
    Alone,
    /// Excludes those that exclude others. Its caller leaves a mark itself.
    Owner,
    /// Reads one state of the database.
    Reading,
}

impl Connection {
    /// Connects to a server, waiting for one that has no connection left or is starting.
    pub fn open(target: Target, patience: Duration) -> Result<Connection> {
        let lock_key = target.lock_key();
        let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
        thread::Builder::new()
            .name("postgres".to_owned())
            .spawn(move || session::serve(target, receiver))
            .map_err(|error| Error::Server(ServerError::lost(error.to_string())))?;
        Connection::by(Link::Thread(sender, Instant::now()), lock_key, patience)
    }

    /// Connects by a link that has no session yet.
    fn by(link: Link, lock_key: i32, patience: Duration) -> Result<Connection> {
        let connection = Connection {
            link,
            state: RefCell::new(State {
                patience: Some(patience),
                ..State::default()
            }),
            lock_key,
        };
        connection.reconnect()?;
        connection.state.borrow_mut().patience = Some(PATIENCE);
        Ok(connection)
    }

    /// Waits for ever for a server that has gone away.
    pub fn wait_for_ever(&self) {
        self.state.borrow_mut().patience = None;
    }

    /// Waits for a server that has gone away for at most this time.
    pub fn wait_at_most(&self, patience: Duration) {
        self.state.borrow_mut().patience = Some(patience);
    }

    /// The number of the session: each replaces one that was lost, with its locks.
    pub fn session(&self) -> u64 {
        self.state.borrow().n_sessions
    }

    /// The key of the locks of its schema.
    pub fn store_key(&self) -> i32 {
        self.lock_key
    }

    /// Executes a statement in the sessions after this one.
    pub fn in_later_sessions(&self, sql: &str) {
        // Without its thread there is no further session.
        self.link.request(Request::Later(sql.to_owned()));
    }

    /// Calls `notice` for notifications of this session and those after it.
    pub fn on_notice(&self, notice: Notice) {
        self.link.request(Request::OnNotice(notice));
    }

    /// Lets commits return before they are on the server's disk, in this session and in those after it.
    pub(super) fn without_sync(&self) -> Result<()> {
        self.always("SET synchronous_commit TO off")
    }

    /// Executes a statement in this session and in those after it.
    pub fn always(&self, sql: &str) -> Result<()> {
        let done = self.ask(|reply| Request::Always(sql.to_owned(), reply))?;
        done.map_err(Error::Server)
    }

    pub(super) fn prepare(&self, sql: &str) -> Statement<'_> {
        Statement::of(self, placeholders::numbered(sql))
    }

    pub(super) fn is_in_transaction(&self) -> bool {
        self.state.borrow().transaction.is_some()
    }

    /// As long as the result lives, statements that return nothing are sent only with the next one that does, or with the commit.
    pub fn deferring(&self) -> Deferring<'_> {
        self.state.borrow_mut().is_deferring = true;
        Deferring(self)
    }

    /// Executes several statements without parameters.
    ///
    /// # Errors
    ///
    /// The server refuses one of them.
    pub fn execute_batch(&self, sql: &str) -> Result<()> {
        if !self.state.borrow().queued.is_empty() {
            self.flush()?;
        }
        let done = self.ask(|reply| Request::Batch(sql.to_owned(), reply))?;
        done.map_err(Error::Server)
    }

    /// Begins a transaction.
    pub fn begin(&self, kind: Begin) -> Result<()> {
        let mut state = self.state.borrow_mut();
        if state.transaction.is_some() {
            return Err(Error::Value("a transaction is open already".to_owned()));
        }
        state.queued = match kind {
            Begin::Alone => vec![Query::plain("BEGIN"), self.lock("")],
            Begin::Owner => vec![Query::plain("BEGIN"), self.lock("_shared")],
            Begin::Reading => vec![Query::plain(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            )],
        };
        state.transaction = Some(Open {
            kind,
            is_sent: false,
            is_broken: false,
        });
        Ok(())
    }

    /// The statement that waits for the lock of transactions.
    fn lock(&self, suffix: &str) -> Query {
        let key = self.lock_key;
        Query::plain(format!(
            "SELECT pg_advisory_xact_lock{suffix}({LOCK_CLASS}, {key})"
        ))
    }

    /// Commits the open transaction.
    pub fn commit(&self) -> Result<()> {
        let kind = self.state.borrow().transaction.as_ref().map(|it| it.kind);
        let Some(kind) = kind else {
            return Err(Error::Value("no transaction is open".to_owned()));
        };
        let mark = (kind == Begin::Alone).then(session::new_mark);
        if let Some(mark) = &mark {
            let sql = "INSERT INTO commits (id, created) VALUES ($1, (extract(epoch FROM now()) * 1000)::bigint)";
            let params = vec![Value::Text(mark.clone())];
            self.queue(Query::new(sql, params));
            let sql = "DELETE FROM commits WHERE created < (extract(epoch FROM now()) * 1000)::bigint - 86400000";
            self.queue(Query::plain(sql));
        }
        self.queue(Query::plain("COMMIT"));
        let committed = self.flush();
        match (committed, mark) {
            (Ok(_), _) => {
                self.forget_transaction();
                Ok(())
            }
            (Err(Error::Server(error)), Some(mark)) if error.is_lost => {
                self.forget_transaction();
                let sql = "SELECT 1 FROM commits WHERE id = $1";
                match self.finds(Query::new(sql, vec![Value::Text(mark)]))? {
                    true => Ok(()),
                    false => Err(Error::Server(error)),
                }
            }
            (Err(error), _) => Err(error),
        }
    }

    pub fn roll_back(&self) {
        let is_sent = {
            let mut state = self.state.borrow_mut();
            state.queued.clear();
            let open = state.transaction.take();
            open.is_some_and(|open| open.is_sent && !open.is_broken)
        };
        if is_sent {
            // If that fails the connection is lost, and the transaction with it.
            let _ = self.send(vec![Query::plain("ROLLBACK")]);
        }
    }

    /// Whether `question` finds the mark of a transaction whose connection was lost. Waits until that is certain.
    fn finds(&self, question: Query) -> Result<bool> {
        loop {
            self.reconnect()?;
            let queries = vec![
                Query::plain("BEGIN"),
                // The server may not have noticed yet that the connection is gone: this waits until that transaction has ended.
                self.lock(""),
                question.clone(),
                Query::plain("COMMIT"),
            ];
            match self.send(queries) {
                Ok(answers) => {
                    return Ok(answers.get(2).is_some_and(|answer| !answer.rows.is_empty()));
                }
                Err(error) if error.is_lost => {}
                Err(error) => return Err(Error::Server(error)),
            }
        }
    }

    /// As [`Connection::commit`] of an owner that has lost its connection: whether `question` finds the mark that it has left.
    pub fn was_committed(&self, sql: &str, params: &[&dyn ToSql]) -> Result<bool> {
        self.forget_transaction();
        self.finds(Query::new(placeholders::numbered(sql), values::of(params)?))
    }

    fn forget_transaction(&self) {
        let mut state = self.state.borrow_mut();
        state.queued.clear();
        state.transaction = None;
    }

    fn queue(&self, query: Query) {
        self.state.borrow_mut().queued.push(query);
    }

    /// Sends what is queued; the answer to the last of it.
    fn flush(&self) -> Result<Answer> {
        let (queries, is_first) = {
            let mut state = self.state.borrow_mut();
            if state
                .transaction
                .as_ref()
                .is_some_and(|open| open.is_broken)
            {
                return Err(Error::Server(ServerError::lost(
                    "the connection was lost within the transaction",
                )));
            }
            let open = state.transaction.as_mut();
            let is_first = open.is_some_and(|open| !std::mem::replace(&mut open.is_sent, true));
            (std::mem::take(&mut state.queued), is_first)
        };
        // What the server has undone with the connection can be sent again.
        let begins_only = is_first && !queries.iter().any(Query::commits);
        let mut answers = self.send(queries.clone());
        while let Err(error) = &answers
            && (error.is_lost && begins_only || error.is_unsent && is_first)
        {
            self.reconnect()?;
            answers = self.send(queries.clone());
        }
        let answers = answers.inspect_err(|error| {
            if error.is_lost
                && let Some(open) = &mut self.state.borrow_mut().transaction
            {
                open.is_broken = true;
            }
        });
        Ok(answers?.pop().unwrap_or_default())
    }

    /// Executes a statement, in the open transaction if there is one.
    fn run(&self, query: Query) -> Result<Answer> {
        if self.is_in_transaction() {
            self.queue(query);
            return self.flush();
        }
        loop {
            match self.send(vec![query.clone()]) {
                Ok(mut answers) => return Ok(answers.pop().unwrap_or_default()),
                Err(error) if error.is_unsent || error.is_lost && query.only_reads() => {
                    self.reconnect()?;
                }
                Err(error) if error.is_lost => {
                    // The next statement finds a connection.
                    let _ = self.reconnect();
                    return Err(Error::Server(error));
                }
                Err(error) => return Err(Error::Server(error)),
            }
        }
    }

    fn execute(&self, query: Query) -> Result<usize> {
        let is_queued = {
            let state = self.state.borrow();
            state.is_deferring && state.transaction.is_some()
        };
        if is_queued {
            self.queue(query);
            return Ok(0);
        }
        let answer = self.run(query)?;
        Ok(usize::try_from(answer.n_changed).unwrap_or(usize::MAX))
    }

    fn send(&self, queries: Vec<Query>) -> std::result::Result<Vec<Answer>, ServerError> {
        self.ask(|reply| Request::Run(queries, reply))
            .unwrap_or_else(|error| Err(ServerError::lost(error.to_string())))
    }

    fn ask<T>(&self, request: impl FnOnce(mpsc::Sender<T>) -> Request) -> Result<T> {
        let gone = || Error::Server(ServerError::lost("the thread of the connection has ended"));
        let (sender, receiver) = mpsc::channel();
        if !self.link.request(request(sender)) {
            return Err(gone());
        }
        receiver.recv().map_err(|_| gone())
    }

    /// Connects again, waiting for the server as long as its patience lasts.
    ///
    /// # Errors
    ///
    /// It stays away, or refuses.
    pub fn reconnect(&self) -> Result<()> {
        let begun = self.link.clock();
        let waited = || self.link.clock() - begun;
        let patience = self.state.borrow().patience;
        let mut pause = FIRST_PAUSE;
        let mut is_told = false;
        loop {
            match self.ask(Request::Connect)? {
                Ok(()) => {
                    self.state.borrow_mut().n_sessions += 1;
                    if is_told {
                        self.link.say("the job store is back");
                    }
                    return Ok(());
                }
                Err(error) if !error.is_lost => return Err(Error::Server(error)),
                Err(error) => {
                    let is_over = match patience {
                        Some(most) => waited() + pause > most,
                        // A command that is told to end is ended by the signal itself.
                        None => self.link.is_asked_to_end(),
                    };
                    if is_over {
                        return Err(Error::Server(error));
                    }
                }
            }
            if patience.is_none() && !is_told && waited() > LAST_PAUSE {
                is_told = true;
                self.link
                    .say("the job store cannot be reached: nothing is started until it is back");
            }
            self.link.pause(pause);
            pause = (pause * 2).min(LAST_PAUSE);
        }
    }
}

/// See [`Connection::deferring`].
#[derive(Debug)]
pub struct Deferring<'c>(&'c Connection);

impl Drop for Deferring<'_> {
    fn drop(&mut self) {
        self.0.state.borrow_mut().is_deferring = false;
    }
}
