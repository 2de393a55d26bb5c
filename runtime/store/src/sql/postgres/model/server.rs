//! The state of the modelled server: rows, sessions with their transactions and locks, commits that nobody waits for any more.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

use super::{
    LOCK_KEY,
    text::{Kind, Text, execute, own, taken},
};
use crate::{
    schema,
    sql::{
        self, Connection, ServerError, Value,
        postgres::session::{Answer, Query},
    },
};

type Outcome<T> = Result<T, ServerError>;

/// More than the statements of the engine, the sender and observers.
const STATEMENTS: usize = 512;

/// What the schema of PostgreSQL has in addition, as far as it is rows.
const TABLES: &str = "
CREATE TABLE commits (id TEXT PRIMARY KEY, created INTEGER NOT NULL) STRICT;
CREATE TABLE owner_commits (
    job_id TEXT PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    number INTEGER NOT NULL
) STRICT;
CREATE TABLE hosts (
    id TEXT PRIMARY KEY,
    machine TEXT NOT NULL,
    folder TEXT NOT NULL,
    created INTEGER NOT NULL,
    seen INTEGER NOT NULL DEFAULT 0,
    timeout INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE model_clock (now INTEGER NOT NULL) STRICT;
INSERT INTO model_clock VALUES (0);
";

pub(super) struct State {
    rows: Connection,
    texts: HashMap<Arc<str>, Text>,
    sessions: BTreeMap<u64, Session>,
    /// How many sessions there were.
    n_sessions: u64,
    /// Who has the lock of a job: by the number of the store and of the job.
    locks: BTreeMap<(i64, i64), u64>,
    /// Transactions whose clients are gone and that are not committed yet, in their order.
    late: Vec<Late>,
    /// Milliseconds since 1970.
    pub(super) now: i64,
    away_until: i64,
    cut_off: BTreeSet<String>,
}

struct Session {
    host: String,
    transaction: Option<Transaction>,
    /// Nothing happens to it.
    is_exempt: bool,
    /// Its client is gone, and the server does not know it yet.
    is_lost: bool,
}

#[derive(Default)]
struct Transaction {
    is_of_owner: bool,
    /// A statement was refused: so are the others.
    has_failed: bool,
    /// What it has changed, for one that is committed late.
    writes: Vec<Query>,
}

/// A transaction that is being committed.
struct Late {
    writes: Vec<Query>,
    applies: bool,
}

impl State {
    pub(super) fn new() -> sql::Result<State> {
        let rows = Connection::open_in_memory()?;
        rows.execute_batch("PRAGMA foreign_keys = ON")?;
        schema::fill(&rows)?;
        rows.execute_batch(TABLES)?;
        if let Some(sqlite) = rows.sqlite() {
            sqlite.set_prepared_statement_cache_capacity(STATEMENTS);
        }
        Ok(State {
            rows,
            texts: HashMap::new(),
            sessions: BTreeMap::new(),
            n_sessions: 0,
            locks: BTreeMap::new(),
            late: Vec::new(),
            now: 0,
            away_until: 0,
            cut_off: BTreeSet::new(),
        })
    }

    pub(super) fn clear(&mut self) -> sql::Result<()> {
        self.sessions.clear();
        self.locks.clear();
        self.late.clear();
        self.cut_off.clear();
        (self.now, self.away_until, self.n_sessions) = (0, 0, 0);
        if !self.rows.is_autocommit() {
            self.rows.execute_batch("ROLLBACK")?;
        }
        self.rows.execute_batch("BEGIN")?;
        for table in schema::tables(&self.rows)? {
            if table != "meta" && table != "model_clock" {
                let delete = format!("DELETE FROM \"{table}\"");
                self.rows.prepare_cached(&delete)?.execute([])?;
            }
        }
        self.rows.execute_batch("COMMIT")
    }

    pub(super) fn is_away(&self) -> bool {
        self.now < self.away_until
    }

    pub(super) fn restart(&mut self, away: Duration) {
        self.roll_back();
        // What had been written to the log of the server is there again.
        self.finish_late();
        // The simulator's own stays.
        self.sessions.retain(|_, session| session.is_exempt);
        self.locks.clear();
        let away = i64::try_from(away.as_millis()).unwrap_or(i64::MAX);
        self.away_until = self.now.saturating_add(away);
    }

    pub(super) fn cut_off(&mut self, host: &str, is_cut: bool) {
        if !is_cut {
            self.cut_off.remove(host);
            return;
        }
        self.cut_off.insert(host.to_owned());
        let lost: Vec<u64> = self.of_host(host).collect();
        for session in lost {
            self.lose(session, false);
        }
    }

    fn of_host(&self, host: &str) -> impl Iterator<Item = u64> {
        let all = self.sessions.iter();
        all.filter(move |(_, session)| session.host == host)
            .map(|(number, _)| *number)
    }

    pub(super) fn is_cut_off(&self, host: &str) -> bool {
        self.cut_off.contains(host)
    }

    pub(super) fn add_host(&self, id: &str, machine: &str) -> sql::Result<()> {
        let sql = "INSERT INTO hosts (id, machine, folder, created) VALUES (?1, ?2, '/', 0)";
        self.rows.prepare_cached(sql)?.execute((id, machine))?;
        Ok(())
    }

    pub(super) fn rest_of(&self, host: &str) -> sql::Result<i64> {
        let sql = "SELECT seen + timeout FROM hosts WHERE id = ?1";
        let mut statement = self.rows.prepare_cached(sql)?;
        let until: i64 = statement.query_row([host], |row| row.get(0))?;
        Ok(until - self.now)
    }

    pub(super) fn open(&mut self, host: &str, is_exempt: bool) -> u64 {
        self.n_sessions += 1;
        let session = Session {
            host: host.to_owned(),
            transaction: None,
            is_exempt,
            is_lost: false,
        };
        self.sessions.insert(self.n_sessions, session);
        self.n_sessions
    }

    /// The client closes its connection, or dies: the server sees that, unless it had lost the connection before.
    pub(super) fn close(&mut self, session: u64) {
        if !self.is_lost(session) {
            self.end(session);
        }
    }

    /// The session ends, with its transaction and its locks.
    fn end(&mut self, session: u64) {
        let ended = self.sessions.remove(&session);
        if ended.is_some_and(|ended| ended.transaction.is_some()) {
            self.roll_back();
        }
        self.locks.retain(|_, holder| *holder != session);
    }

    fn roll_back(&self) {
        if !self.rows.is_autocommit() {
            // In memory nothing can hinder it.
            let _ = self.rows.execute_batch("ROLLBACK");
        }
    }

    /// Whether the client can use the session no more.
    pub(super) fn is_lost(&self, session: u64) -> bool {
        let session = self.sessions.get(&session);
        session.is_none_or(|session| session.is_lost)
    }

    /// The connection is cut.
    pub(super) fn lose(&mut self, session: u64, is_noticed: bool) {
        if is_noticed {
            return self.end(session);
        }
        if let Some(lost) = self.sessions.get_mut(&session) {
            lost.is_lost = true;
            // Nobody can see what it has changed. Its own locks delay others, and change nothing.
            if lost.transaction.take().is_some() {
                self.roll_back();
            }
        }
    }

    pub(super) fn notice_lost(&mut self) {
        self.finish_late();
        let lost = self.sessions.iter().filter(|(_, session)| session.is_lost);
        let lost: Vec<u64> = lost.map(|(number, _)| *number).collect();
        for session in lost {
            self.end(session);
        }
    }

    /// The connection is cut while these statements, the last of which commits, are carried out.
    pub(super) fn leave(&mut self, session: u64, queries: &[Query], applies: bool) {
        let n_before_commit = queries.iter().take_while(|query| !query.commits()).count();
        let is_sound = queries[..n_before_commit]
            .iter()
            .all(|query| self.run(session, query).is_ok());
        let transaction = self.sessions.get_mut(&session);
        let transaction = transaction.and_then(|session| session.transaction.take());
        self.roll_back();
        if let Some(transaction) = transaction {
            self.late.push(Late {
                writes: transaction.writes,
                applies: applies && is_sound,
            });
        }
        self.lose(session, false);
    }

    /// The transactions that are being committed are done. The one that is open has changed nothing yet.
    fn finish_late(&mut self) {
        if self.late.is_empty() {
            return;
        }
        let is_open = !self.rows.is_autocommit();
        let run = |sql: &str| self.rows.execute_batch(sql).expect("it is in memory");
        if is_open {
            run("COMMIT");
        }
        for late in std::mem::take(&mut self.late) {
            if late.applies {
                run("BEGIN");
                for query in &late.writes {
                    let text = self.texts[&query.sql].clone();
                    execute(&self.rows, &text, query, self.now).expect("it was possible before");
                }
                run("COMMIT");
            }
        }
        if is_open {
            run("BEGIN");
        }
    }

    pub(super) fn kind(&mut self, sql: &Arc<str>) -> Kind {
        self.text(sql).kind
    }

    fn text(&mut self, sql: &Arc<str>) -> Text {
        if let Some(known) = self.texts.get(sql) {
            return known.clone();
        }
        let text = Text::of(sql);
        self.texts.insert(Arc::clone(sql), text.clone());
        text
    }

    pub(super) fn is_in_transaction(&self, session: u64) -> bool {
        let session = self.sessions.get(&session);
        session.is_some_and(|session| session.transaction.is_some())
    }

    pub(super) fn is_of_owner(&self, session: u64) -> bool {
        let session = self.sessions.get(&session);
        let open = session.and_then(|session| session.transaction.as_ref());
        open.is_some_and(|open| open.is_of_owner)
    }

    /// The server refuses a statement of a message.
    pub(super) fn fail(&mut self, session: u64, queries: &[Query]) {
        let ends = queries.iter().any(Query::commits);
        let begins = queries.iter().any(|query| query.sql.starts_with("BEGIN"));
        let Some(session) = self.sessions.get_mut(&session) else {
            return;
        };
        if session.transaction.take().is_some() || begins {
            session.transaction = (!ends).then(|| Transaction {
                has_failed: true,
                ..Transaction::default()
            });
            self.roll_back();
        }
    }

    pub(super) fn run(&mut self, session: u64, query: &Query) -> Outcome<Answer> {
        let text = self.text(&query.sql);
        let done = self.carry_out(session, query, &text);
        if done.is_err()
            && let Some(session) = self.sessions.get_mut(&session)
            && let Some(open) = &mut session.transaction
        {
            open.has_failed = true;
            self.roll_back();
        }
        done
    }

    fn carry_out(&mut self, session: u64, query: &Query, text: &Text) -> Outcome<Answer> {
        let number = session;
        let Some(session) = self.sessions.get_mut(&session) else {
            return Err(ServerError::lost("the session has ended"));
        };
        let has_failed = session.transaction.as_ref().is_some_and(|it| it.has_failed);
        match text.kind {
            Kind::Begin => {
                if !self.rows.is_autocommit() {
                    return Err(own("the model has one transaction at a time"));
                }
                session.transaction = Some(Transaction::default());
                self.rows.execute_batch("BEGIN").map_err(own)?;
            }
            Kind::Commit if !has_failed => {
                session.transaction = None;
                self.rows.execute_batch("COMMIT").map_err(own)?;
            }
            // A transaction that has failed is rolled back by COMMIT, too.
            Kind::Commit | Kind::Rollback => {
                session.transaction = None;
                self.roll_back();
            }
            _ if has_failed => {
                return Err(ServerError {
                    code: "25P02".to_owned(),
                    ..own("the transaction has failed")
                });
            }
            Kind::Setting => {}
            Kind::LockShared => {
                if let Some(open) = &mut session.transaction {
                    open.is_of_owner = true;
                }
            }
            // It waits until the others have committed.
            Kind::LockAlone => self.finish_late(),
            Kind::TakeJob => {
                let is_taken = self.take_job(number, &text.sql)?;
                return Ok(Answer {
                    columns: Arc::new(["take_job".to_owned()]),
                    rows: vec![vec![Value::Integer(is_taken.into())]],
                    n_changed: 1,
                });
            }
            Kind::Reads => return execute(&self.rows, text, query, self.now),
            Kind::Writes => {
                if let Some(open) = &mut session.transaction {
                    let is_first = open.writes.is_empty();
                    open.writes.push(query.clone());
                    if is_first {
                        self.finish_late();
                    }
                } else {
                    self.finish_late();
                }
                return execute(&self.rows, text, query, self.now);
            }
        }
        Ok(Answer::default())
    }

    /// As the function of the schema: another session of the same host, or of one that is gone, is ended.
    fn take_job(&mut self, session: u64, sql: &str) -> Outcome<bool> {
        let (store, job, _, host) = taken(sql).ok_or_else(|| own("take_job: arguments"))?;
        debug_assert_eq!(store, i64::from(LOCK_KEY));
        let Some(&holder) = self.locks.get(&(store, job)) else {
            self.locks.insert((store, job), session);
            return Ok(true);
        };
        if holder == session {
            return Ok(true);
        }
        let of_holder = self.sessions.get(&holder).map(|it| it.host.clone());
        let may_end = match of_holder {
            Some(other) if other != host => self.rest_of(&other).map_err(own)? <= 0,
            Some(_) | None => true,
        };
        if may_end {
            self.finish_late();
            self.end(holder);
            self.locks.insert((store, job), session);
        }
        Ok(may_end)
    }
}
