//! A client of the modelled server, in place of the thread of a real one.

use std::{cell::RefCell, time::Duration};

use super::{Fault, Message, ModelledServer, Who, ask, text::Kind};
use crate::sql::{
    ServerError,
    postgres::session::{Answer, Query, Request},
};

type Outcome<T> = Result<T, ServerError>;

pub(in crate::sql::postgres) struct ModelledClient {
    server: ModelledServer,
    host: String,
    who: Who,
    session: RefCell<Option<u64>>,
    /// Statements for each later session.
    settings: RefCell<Vec<String>>,
}

impl ModelledClient {
    pub(super) fn new(server: ModelledServer, host: &str, who: Who) -> ModelledClient {
        ModelledClient {
            server,
            host: host.to_owned(),
            who,
            session: RefCell::new(None),
            settings: RefCell::default(),
        }
    }

    /// Answers at once.
    pub(in crate::sql::postgres) fn serve(&self, request: Request) {
        // Whoever has asked waits for the answer.
        match request {
            Request::Connect(reply) => _ = reply.send(self.connect()),
            Request::Run(queries, reply) => _ = reply.send(self.run(&queries)),
            Request::Batch(sql, reply) => _ = reply.send(self.batch(sql)),
            Request::Always(sql, reply) => {
                let done = self.batch(sql.clone());
                if done.is_ok() {
                    self.settings.borrow_mut().push(sql);
                }
                let _ = reply.send(done);
            }
            Request::Later(sql) => self.settings.borrow_mut().push(sql),
            // The simulator looks for commands by itself.
            Request::OnNotice(_) => {}
        }
    }

    pub(in crate::sql::postgres) fn clock(&self) -> Duration {
        let now = self.server.state().now;
        Duration::from_millis(u64::try_from(now).unwrap_or_default())
    }

    pub(in crate::sql::postgres) fn pause(&self, pause: Duration) {
        let millis = i64::try_from(pause.as_millis()).unwrap_or(i64::MAX);
        self.server.state().now += millis;
        ask(|faults| faults.wait(self.who, &self.host, pause));
    }

    pub(in crate::sql::postgres) fn is_asked_to_end(&self) -> bool {
        ask(|faults| faults.is_asked_to_end(self.who)).unwrap_or_default()
    }

    fn connect(&self) -> Outcome<()> {
        self.close();
        let mut state = self.server.state();
        if self.who != Who::Observer {
            if state.is_away() || state.is_cut_off(&self.host) {
                return Err(ServerError::lost("connection refused"));
            }
            drop(state);
            if let Some(code) = ask(|faults| faults.at_connect(self.who, &self.host)).flatten() {
                return Err(refused(code));
            }
            state = self.server.state();
        }
        let session = state.open(&self.host, self.who == Who::Observer);
        // As a real client does: what a setting returns is not looked at.
        for sql in &*self.settings.borrow() {
            state.run(session, &Query::plain(sql.as_str()))?;
        }
        drop(state);
        *self.session.borrow_mut() = Some(session);
        Ok(())
    }

    fn close(&self) {
        if let Some(session) = self.session.borrow_mut().take() {
            self.server.state().close(session);
        }
    }

    fn batch(&self, sql: String) -> Outcome<()> {
        self.run(&[Query::plain(sql)]).map(drop)
    }

    /// The session, if it is not lost.
    fn living(&self) -> Outcome<u64> {
        let Some(session) = *self.session.borrow() else {
            return Err(ServerError::unsent());
        };
        match self.server.state().is_lost(session) {
            false => Ok(session),
            // A closed connection is seen before anything is sent; one that is only silent is not.
            true if session % 2 == 0 => Err(ServerError::unsent()),
            true => Err(lost()),
        }
    }

    fn run(&self, queries: &[Query]) -> Outcome<Vec<Answer>> {
        let session = self.living()?;
        match self.fault(session, queries) {
            Fault::None => self.send(session, queries),
            Fault::CutBefore { is_noticed } => {
                self.server.state().lose(session, is_noticed);
                Err(lost())
            }
            Fault::CutAfter { is_noticed } => {
                let _ = self.send(session, queries);
                self.server.state().lose(session, is_noticed);
                Err(lost())
            }
            Fault::CutWithin { applies } => {
                self.server.state().leave(session, queries, applies);
                Err(lost())
            }
            Fault::Ended => {
                let some = &queries[..queries.len() / 2];
                let some = some.iter().take_while(|query| !query.commits());
                let some: Vec<Query> = some.cloned().collect();
                let _ = self.send(session, &some);
                self.server.state().lose(session, true);
                Err(refused("57P01"))
            }
            Fault::Refused(code) => {
                let mut state = self.server.state();
                state.fail(session, queries);
                Err(refused(code))
            }
            Fault::Restart { is_done, away } => {
                if is_done {
                    let _ = self.send(session, queries);
                }
                self.server.restart(away);
                Err(lost())
            }
            Fault::Dies { is_done } => {
                if is_done {
                    let _ = self.send(session, queries);
                }
                ask(|faults| faults.dies(self.who));
                Err(lost())
            }
        }
    }

    fn fault(&self, session: u64, queries: &[Query]) -> Fault {
        if self.who == Who::Observer {
            return Fault::None;
        }
        let (message, is_trivial) = {
            let mut state = self.server.state();
            let kinds: Vec<Kind> = queries.iter().map(|query| state.kind(&query.sql)).collect();
            let message = Message {
                who: self.who,
                host: &self.host,
                in_transaction: state.is_in_transaction(session),
                is_of_owner: state.is_of_owner(session) || kinds.contains(&Kind::LockShared),
                writes: kinds.iter().any(|kind| matches!(kind, Kind::Writes)),
                commits: kinds.contains(&Kind::Commit),
            };
            (message, kinds.contains(&Kind::Rollback))
        };
        if is_trivial {
            return Fault::None;
        }
        match ask(|faults| faults.at(message)) {
            Some(Fault::CutWithin { .. }) if !message.commits => {
                Fault::CutAfter { is_noticed: true }
            }
            fault => fault.unwrap_or(Fault::None),
        }
    }

    /// Has statements executed in their order. After the first error within a transaction the others are refused.
    fn send(&self, session: u64, queries: &[Query]) -> Outcome<Vec<Answer>> {
        let mut state = self.server.state();
        let mut answers = Vec::with_capacity(queries.len());
        let mut first = None;
        for query in queries {
            match state.run(session, query) {
                Ok(answer) => answers.push(answer),
                Err(error) => {
                    first.get_or_insert(error);
                }
            }
        }
        first.map_or(Ok(answers), Err)
    }
}

impl Drop for ModelledClient {
    fn drop(&mut self) {
        self.close();
    }
}

fn lost() -> ServerError {
    ServerError::lost("the connection was cut")
}

/// A server's answer, taken as the shipped client takes it.
fn refused(code: &'static str) -> ServerError {
    ServerError {
        code: code.to_owned(),
        is_lost: super::super::errors::is_lost(code),
        ..ServerError::lost(format!("the modelled server refuses: {code}"))
    }
}
