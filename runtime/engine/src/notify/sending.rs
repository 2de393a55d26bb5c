//! Sends due notifications: in the owner's thread, or in the sender process.

use std::{fs::File, sync::OnceLock, thread, time::Duration};

use hpdlc_executors::email::SlaMail;
use hpdlc_host::{
    clock,
    exit::RunError,
    home::{Home, lock},
    secret_values,
    settings::{self, Settings},
};
use hpdlc_network::{http_get, proxy::Proxy};
use hpdlc_store::{
    self as store, StoreError,
    notifications::{self, Notice},
    query,
    sql::{self, Connection},
};

use super::failure;
use crate::job::rerun_plan;

/// The polling interval for a lock that a sender process holds.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// A function that sends a mail of hpdlc's own.
pub type SendMail = fn(&SlaMail, Settings<'_>, &Home) -> Result<(), String>;

/// That of this executable, if it has one.
static MAIL: OnceLock<SendMail> = OnceLock::new();

/// Enables notifications by mail; the first call counts.
pub fn link(mail: SendMail) {
    let _ = MAIL.set(mail);
}

/// The transport of notifications. A simulator can replace it.
pub trait NotificationCarrier {
    /// Milliseconds since 1970.
    fn now(&self) -> i64;

    /// Sends one; returns why it was not accepted.
    ///
    /// # Errors
    ///
    /// The machine fails: nothing is to be recorded of this try.
    fn carry(
        &mut self,
        notice: &Notice,
        home: &Home,
        store: &Connection,
    ) -> Result<Result<(), String>, RunError>;
}

/// The network.
struct Network;

/// The sender of a job tree, of which there is one at a time.
pub struct Sending {
    home: Home,
    root: String,
    carrier: Box<dyn NotificationCarrier>,
    connection: Option<Connection>,
    lock: Option<File>,
}

impl Sending {
    pub(super) fn new(home: Home, root: String) -> Sending {
        Sending::by(Box::new(Network), home, root)
    }

    pub fn by(carrier: Box<dyn NotificationCarrier>, home: Home, root: String) -> Sending {
        Sending {
            home,
            root,
            carrier,
            connection: None,
            lock: None,
        }
    }

    /// Uses an open connection.
    #[cfg(test)]
    pub fn on(self, connection: Connection) -> Sending {
        Sending {
            connection: Some(connection),
            ..self
        }
    }

    #[cfg(test)]
    pub fn into_connection(self) -> Option<Connection> {
        self.connection
    }

    /// Sends until nothing is left, however long the retries take.
    pub(super) fn send_all(mut self) -> Result<(), RunError> {
        while let Some(pause) = self.send_due()? {
            thread::sleep(pause);
        }
        Ok(())
    }

    /// Sends what is due, in order; returns the time until the next is due, and `None` if nothing is left.
    pub fn send_due(&mut self) -> Result<Option<Duration>, RunError> {
        if !self.has_lock()? {
            return Ok(Some(LOOK_AGAIN));
        }
        loop {
            let root = self.root.clone();
            let now = self.carrier.now();
            let connection = self.connection()?;
            let due = notifications::due(connection, &root, now);
            let due = due.map_err(|error| self.describe(error))?;
            if due.is_empty() {
                break;
            }
            for notice in due {
                self.send(&notice)?;
            }
        }
        let (root, now) = (self.root.clone(), self.carrier.now());
        let connection = self.connection()?;
        let next = notifications::next_due(connection, &root, now);
        let next = next.map_err(|error| self.describe(error))?;
        Ok(next.map(|due| {
            let millis = due.saturating_sub(now);
            Duration::from_millis(u64::try_from(millis).unwrap_or_default())
        }))
    }

    fn send(&mut self, notice: &Notice) -> Result<(), RunError> {
        self.connect()?;
        let Some(connection) = &self.connection else {
            return Err(RunError::machine("the store was not opened"));
        };
        let sent = self.carrier.carry(notice, &self.home, connection)?;
        let now = self.carrier.now();
        let recorded = match sent {
            Ok(()) => notifications::delivered(connection, notice, now),
            Err(problem) if notice.tries + 1 >= notice.max_tries => {
                notifications::given_up(connection, notice, now, &problem)
            }
            Err(problem) => notifications::failed(connection, notice, now, &problem),
        };
        recorded.map_err(|error| self.describe(error))
    }

    /// Two senders at once would send everything twice.
    fn has_lock(&mut self) -> Result<bool, RunError> {
        if self.lock.is_some() {
            return Ok(true);
        }
        self.lock = lock::take(&self.home.post_lock(&self.root))?;
        Ok(self.lock.is_some())
    }

    fn connection(&mut self) -> Result<&Connection, RunError> {
        self.connect()?;
        self.connection
            .as_ref()
            .ok_or_else(|| RunError::machine("the store was not opened"))
    }

    fn connect(&mut self) -> Result<(), RunError> {
        if self.connection.is_none() {
            let connection = store::open(&self.home)?;
            // A record lost in a power cut leads to a second delivery; the owner's commits should not wait for the disk because of such a
            // record.
            connection
                .without_sync()
                .map_err(|error| self.describe(error))?;
            self.connection = Some(connection);
        }
        Ok(())
    }

    fn describe(&self, error: sql::Error) -> RunError {
        store::StoreError::from(error).describe(self.home.store_location())
    }
}

impl NotificationCarrier for Network {
    fn now(&self) -> i64 {
        clock::now_millis()
    }

    fn carry(
        &mut self,
        notice: &Notice,
        home: &Home,
        store: &Connection,
    ) -> Result<Result<(), String>, RunError> {
        let timeout = u64::try_from(notice.timeout).unwrap_or_default().max(1);
        let timeout = Duration::from_millis(timeout);
        match &notice.mail {
            Some(stored) => match failure::run(stored, home, timeout) {
                Some(ended) => Ok(ended),
                None => send_mail(notice, stored, home, store),
            },
            None => {
                let proxy = notice.proxy.as_deref().and_then(Proxy::parse);
                Ok(match secret_values::resolved(&notice.url) {
                    Ok(url) => http_get::get(&url, proxy.as_ref(), timeout),
                    Err(unread) => Err(unread.to_string()),
                })
            }
        }
    }
}

/// Sends a mail by the server that the job's settings name.
fn send_mail(
    notice: &Notice,
    mail: &str,
    home: &Home,
    store: &Connection,
) -> Result<Result<(), String>, RunError> {
    let mail: SlaMail = match serde_json::from_str(mail) {
        Ok(mail) => mail,
        Err(error) => return Ok(Err(format!("the message cannot be read: {error}"))),
    };
    let job = query::job(store, &notice.job_id)
        .map_err(|error| StoreError::from(error).describe(home.store_location()))?;
    let conf = job
        .map(|job| rerun_plan::stored(&job.conf))
        .unwrap_or_default();
    let site = settings::site(home)?;
    let settings = Settings {
        conf: &conf,
        site: &site,
    };
    Ok(match MAIL.get() {
        Some(send) => send(&mail, settings, home),
        None => Err("this executable has no mail; build it again".to_owned()),
    })
}
