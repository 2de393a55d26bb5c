//! The server itself.

use ureq::http::Method;

use crate::{
    api::{
        admin::{BuildVersion, Metrics, QueueDump, SystemStatus, Texts, TimeZones},
        job::Validated,
    },
    client::{Client, ClientError},
};

impl Client {
    /// The versions of the API that the server has.
    ///
    /// # Errors
    ///
    /// Those of every request.
    pub fn versions(&self) -> Result<Vec<u32>, ClientError> {
        self.json(&Method::GET, &self.below("/versions"), &[], None)
    }

    /// The version of the server.
    ///
    /// # Errors
    ///
    /// Those of every request.
    pub fn build_version(&self) -> Result<BuildVersion, ClientError> {
        self.get("/admin/build-version", &[])
    }

    /// Whether the server accepts commands.
    ///
    /// # Errors
    ///
    /// Those of every request.
    pub fn system_status(&self) -> Result<SystemStatus, ClientError> {
        self.get("/admin/status", &[])
    }

    /// Has the server accept commands (`NORMAL`) or refuse them (`SAFEMODE`, `NOWEBSERVICE`).
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0503 if the caller is no administrator.
    pub fn set_system_mode(&self, mode: &str) -> Result<(), ClientError> {
        let url = self.below("/v2/admin/status");
        let query = [("systemmode", mode)];
        self.send(&Method::PUT, &url, &query, None).map(drop)
    }

    /// The settings of the site, secrets masked.
    ///
    /// # Errors
    ///
    /// Those of every request.
    pub fn configuration(&self) -> Result<Texts, ClientError> {
        self.get("/admin/configuration", &[])
    }

    /// Figures of the server and the store.
    ///
    /// # Errors
    ///
    /// Those of every request.
    pub fn metrics(&self) -> Result<Metrics, ClientError> {
        self.get("/admin/metrics", &[])
    }

    /// What waits for owners of jobs.
    ///
    /// # Errors
    ///
    /// Those of every request.
    pub fn queue(&self) -> Result<QueueDump, ClientError> {
        self.get("/admin/queue-dump", &[])
    }

    /// The zones that dates may be asked in.
    ///
    /// # Errors
    ///
    /// Those of every request.
    pub fn time_zones(&self) -> Result<TimeZones, ClientError> {
        self.get("/admin/available-timezones", &[])
    }

    /// Removes jobs that ended more than so many days ago.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0503 if the caller is no administrator.
    pub fn purge(&self, days: u32) -> Result<(), ClientError> {
        let url = self.below("/v2/admin/purge");
        let query = [("wf", days.to_string())];
        let query = query.each_ref().map(|(name, days)| (*name, days.as_str()));
        self.send(&Method::PUT, &url, &query, None).map(drop)
    }

    /// Whether a document follows its schema; `name` is where it was read, for messages.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0701 if it does not.
    pub fn validate(&self, name: &str, document: &str) -> Result<(), ClientError> {
        let url = self.below("/v2/validate");
        let body = Some(("application/xml", document.to_owned()));
        let answer: Result<Validated, _> = self.json(&Method::POST, &url, &[("file", name)], body);
        answer.map(drop)
    }
}
