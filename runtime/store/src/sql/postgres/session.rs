//! The thread of a connection, with the client and the statements that it has prepared.

use std::{
    collections::HashMap,
    hash::{BuildHasher, Hasher, RandomState},
    process,
    sync::{Arc, OnceLock, atomic::AtomicBool, atomic::Ordering, mpsc},
    time::{SystemTime, UNIX_EPOCH},
};

use futures_util::{StreamExt, future::join_all, pin_mut};
use signal_hook::consts::{SIGINT, SIGTERM};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_postgres::{Client, Statement};

use super::{
    errors::{described, in_statement},
    notices::{Notice, NoticeCell},
    target::Target,
    values::{Found, Parameter},
};
use crate::sql::{ServerError, Value};

/// How many statements a session keeps prepared: lists are asked for with texts of their own.
const MOST_PREPARED: usize = 250;

type Outcome<T> = Result<T, ServerError>;

/// A statement with the values of its parameters.
#[derive(Clone, Debug)]
pub(super) struct Query {
    pub(super) sql: Arc<str>,
    pub(super) params: Vec<Value>,
}

impl Query {
    pub(super) fn new(sql: impl Into<Arc<str>>, params: Vec<Value>) -> Query {
        Query {
            sql: sql.into(),
            params,
        }
    }

    /// One without parameters.
    pub(super) fn plain(sql: impl Into<Arc<str>>) -> Query {
        Query::new(sql, Vec::new())
    }

    /// Whether it ends a transaction.
    pub(super) fn commits(&self) -> bool {
        &*self.sql == "COMMIT"
    }

    /// Whether it may be repeated.
    pub(super) fn only_reads(&self) -> bool {
        self.sql.trim_start().starts_with("SELECT")
    }
}

/// What a statement has found or changed.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) columns: Arc<[String]>,
    pub(super) rows: Vec<Vec<Value>>,
    pub(super) n_changed: u64,
}

/// What the thread is asked for.
pub(super) enum Request {
    /// A new connection.
    Connect(mpsc::Sender<Outcome<()>>),
    /// Statements, sent at once and executed in their order. After the first error within a transaction the server refuses the others.
    Run(Vec<Query>, mpsc::Sender<Outcome<Vec<Answer>>>),
    /// A setting, for this session and those after it.
    Always(String, mpsc::Sender<Outcome<()>>),
    /// A statement for the sessions after this one.
    Later(String),
    /// What to do at a notification.
    OnNotice(Notice),
    /// Several statements in one text.
    Batch(String, mpsc::Sender<Outcome<()>>),
}

/// Serves requests until the connection is dropped.
pub(super) fn serve(target: Target, mut requests: UnboundedReceiver<Request>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    // Without it every request is answered by the end of this thread.
    let Ok(runtime) = runtime else { return };
    runtime.block_on(async {
        let mut session: Option<Session> = None;
        let mut settings = String::new();
        let notice = NoticeCell::default();
        while let Some(request) = requests.recv().await {
            // Whoever has asked may be gone.
            match request {
                Request::Connect(reply) => {
                    // The old connection ends first: it counts on the server.
                    drop(session.take());
                    let connected = target.connect(&settings, &notice).await;
                    let answer = connected.map(|client| session = Some(Session::of(client)));
                    let _ = reply.send(answer);
                }
                Request::Run(queries, reply) => {
                    let answers = match &mut session {
                        Some(session) => session.run(&queries).await,
                        None => Err(ServerError::unsent()),
                    };
                    let _ = reply.send(answers);
                }
                Request::Batch(sql, reply) => {
                    let _ = reply.send(batch(session.as_ref(), &sql).await);
                }
                Request::Later(sql) => settings = format!("{settings}; {sql}"),
                Request::OnNotice(given) => {
                    // The owner of a session's job stays the same.
                    let _ = notice.set(given);
                }
                Request::Always(sql, reply) => {
                    let done = batch(session.as_ref(), &sql).await;
                    if done.is_ok() {
                        settings = format!("{settings}; {sql}");
                    }
                    let _ = reply.send(done);
                }
            }
        }
    });
}

async fn batch(session: Option<&Session>, sql: &str) -> Outcome<()> {
    let Some(session) = session else {
        return Err(ServerError::unsent());
    };
    let done = session.client.batch_execute(sql).await;
    done.map_err(|error| described(&error))
}

struct Session {
    client: Client,
    prepared: HashMap<Arc<str>, Statement>,
}

impl Session {
    fn of(client: Client) -> Session {
        Session {
            client,
            prepared: HashMap::new(),
        }
    }

    async fn run(&mut self, queries: &[Query]) -> Outcome<Vec<Answer>> {
        if self.client.is_closed() {
            return Err(ServerError::unsent());
        }
        if self.prepared.len() > MOST_PREPARED {
            // The server forgets them with the last that refers to each.
            self.prepared.clear();
        }
        for query in queries {
            if !self.prepared.contains_key(&query.sql) {
                let prepared = self.client.prepare(&query.sql).await;
                let prepared = prepared.map_err(|error| in_statement(&error, &query.sql))?;
                self.prepared.insert(Arc::clone(&query.sql), prepared);
            }
        }
        let sent = queries.iter().map(|query| self.run_one(query));
        // The first error is the cause of those after it.
        join_all(sent).await.into_iter().collect()
    }

    async fn run_one(&self, query: &Query) -> Outcome<Answer> {
        let Some(statement) = self.prepared.get(&query.sql) else {
            return Err(ServerError::unsent());
        };
        let params = query.params.iter().cloned().map(Parameter);
        let params: Vec<Parameter> = params.collect();
        let failed = |error: tokio_postgres::Error| in_statement(&error, &query.sql);
        let rows = self.client.query_raw(statement, params.iter()).await;
        let rows = rows.map_err(failed)?;
        pin_mut!(rows);
        let columns: Arc<[String]> = statement
            .columns()
            .iter()
            .map(|column| column.name().to_owned())
            .collect();
        let mut found = Vec::new();
        while let Some(row) = rows.next().await {
            let row = row.map_err(failed)?;
            let values = (0..columns.len()).map(|at| Ok(row.try_get::<_, Found>(at)?.0));
            let values: Result<Vec<Value>, tokio_postgres::Error> = values.collect();
            found.push(values.map_err(failed)?);
        }
        Ok(Answer {
            columns,
            rows: found,
            n_changed: rows.rows_affected().unwrap_or_default(),
        })
    }
}

/// An id that no other commit has.
pub(crate) fn new_mark() -> String {
    // Seeded by the system for each process, and different for each call.
    let random = RandomState::new().build_hasher().finish();
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = now.map_or(0, |now| now.as_nanos());
    format!("{:x}-{nanos:x}-{random:016x}", process::id())
}

/// Whether this process was sent SIGTERM or SIGINT since it first waited for a server.
pub(super) fn is_asked_to_end() -> bool {
    static ASKED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let asked = ASKED.get_or_init(|| {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGTERM, SIGINT] {
            // An owner has a handler already, which sees the signal too; without one here it is not asked.
            let _ = signal_hook::flag::register(signal, Arc::clone(&asked));
        }
        asked
    });
    asked.load(Ordering::Relaxed)
}
