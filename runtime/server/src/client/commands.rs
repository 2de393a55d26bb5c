//! New jobs, and commands for jobs. What the state of a job does not allow changes nothing, and is mostly no error, as with Oozie.

use std::collections::BTreeMap;

use ureq::http::Method;

use crate::{
    api::{
        configuration,
        job::{CoordinatorActions, Updated},
        jobs::JobId,
    },
    client::{Client, ClientError, exchange::segment},
};

const XML: &str = "application/xml";

/// Properties of a job.
type Properties = BTreeMap<String, String>;

/// Actions of a coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope<'a> {
    /// Numbers and ranges: `1-3,7`.
    Actions(&'a str),
    /// Nominal times and ranges: `2009-01-01T00:00Z::2009-01-02T00:00Z`.
    Dates(&'a str),
}

impl<'a> Scope<'a> {
    fn query(self) -> [(&'static str, &'a str); 2] {
        let (kind, scope) = match self {
            Scope::Actions(scope) => ("action", scope),
            Scope::Dates(scope) => ("date", scope),
        };
        [("type", kind), ("scope", scope)]
    }
}

/// How actions of a coordinator run again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoordinatorRerun {
    /// Data is looked for again.
    pub refresh: bool,
    /// Output is kept.
    pub nocleanup: bool,
    /// Only what failed runs again.
    pub failed: bool,
}

impl Client {
    fn new_job(
        &self,
        properties: &Properties,
        query: &[(&str, &str)],
    ) -> Result<String, ClientError> {
        let body = Some((XML, configuration::text(properties)));
        let made: JobId = self.json(&Method::POST, &self.below("/v2/jobs"), query, body)?;
        made.id
            .ok_or_else(|| ClientError::Unreadable(format!("{}: the answer has no id", self.url())))
    }

    /// A new job of the application that `oozie.wf.application.path` (or `coord`, `bundle`) names; its id. A workflow is in PREP then.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with the code of what is wrong with the application or its properties.
    pub fn submit(&self, properties: &Properties) -> Result<String, ClientError> {
        self.new_job(properties, &[])
    }

    /// The same, and the job is started.
    ///
    /// # Errors
    ///
    /// As of [`Client::submit`].
    pub fn run(&self, properties: &Properties) -> Result<String, ClientError> {
        self.new_job(properties, &[("action", "start")])
    }

    /// What would be wrong with a job, without making one: `OK`, or the actions that a coordinator would have.
    ///
    /// # Errors
    ///
    /// As of [`Client::submit`].
    pub fn dry_run(&self, properties: &Properties) -> Result<String, ClientError> {
        self.new_job(properties, &[("action", "dryrun")])
    }

    fn put(
        &self,
        id: &str,
        action: &str,
        further: &[(&str, &str)],
        body: Option<&Properties>,
    ) -> Result<String, ClientError> {
        let query = [&[("action", action)], further].concat();
        let url = self.below(&format!("/v2/job/{}", segment(id)));
        let body = body.map(|properties| (XML, configuration::text(properties)));
        self.text(&Method::PUT, &url, &query, body)
    }

    fn read<T: serde::de::DeserializeOwned>(&self, text: &str) -> Result<T, ClientError> {
        serde_json::from_str(text)
            .map_err(|error| ClientError::Unreadable(format!("{}: {error}", self.url())))
    }

    /// Starts a job in PREP.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0801 if a workflow runs already, E0605 if there is none.
    pub fn start(&self, id: &str) -> Result<(), ClientError> {
        self.put(id, "start", &[], None).map(drop)
    }

    /// Suspends a job.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] if there is none.
    pub fn suspend(&self, id: &str) -> Result<(), ClientError> {
        self.put(id, "suspend", &[], None).map(drop)
    }

    /// Resumes a suspended job.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] if there is none.
    pub fn resume(&self, id: &str) -> Result<(), ClientError> {
        self.put(id, "resume", &[], None).map(drop)
    }

    /// Kills a job.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] if there is none.
    pub fn kill(&self, id: &str) -> Result<(), ClientError> {
        self.put(id, "kill", &[], None).map(drop)
    }

    /// Kills actions of a coordinator; they as they are then.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E1020 if one of them is over.
    pub fn kill_actions(
        &self,
        id: &str,
        scope: Scope<'_>,
    ) -> Result<CoordinatorActions, ClientError> {
        let text = self.put(id, "kill", &scope.query(), None)?;
        self.read(&text)
    }

    /// Runs a workflow again that has ended, with properties over its stored ones, among them `oozie.wf.rerun.failnodes` or
    /// `oozie.wf.rerun.skip.nodes`.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0805 if it has not ended, E0807 if a node that is to be skipped did not run.
    pub fn rerun(&self, id: &str, properties: &Properties) -> Result<(), ClientError> {
        self.put(id, "rerun", &[], Some(properties)).map(drop)
    }

    /// Runs actions of a coordinator again; they as they are then.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E1018 if one of them is not over.
    pub fn rerun_actions(
        &self,
        id: &str,
        scope: Scope<'_>,
        how: CoordinatorRerun,
    ) -> Result<CoordinatorActions, ClientError> {
        let word = |is_so: bool| if is_so { "true" } else { "false" };
        let further = [
            ("refresh", word(how.refresh)),
            ("nocleanup", word(how.nocleanup)),
            ("failed", word(how.failed)),
        ];
        let query = [&scope.query()[..], &further].concat();
        let text = self.put(id, "coord-rerun", &query, Some(&Properties::new()))?;
        self.read(&text)
    }

    /// Runs actions of coordinators of a bundle again: of these names, with commas between, or of all; at these nominal times, or at all.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E1018 if one of them is not over.
    pub fn rerun_bundle(
        &self,
        id: &str,
        coordinators: &str,
        dates: &str,
        how: CoordinatorRerun,
    ) -> Result<(), ClientError> {
        let word = |is_so: bool| if is_so { "true" } else { "false" };
        let query = [
            ("coord-scope", coordinators),
            ("date-scope", dates),
            ("refresh", word(how.refresh)),
            ("nocleanup", word(how.nocleanup)),
        ];
        self.put(id, "bundle-rerun", &query, Some(&Properties::new()))
            .map(drop)
    }

    /// Changes a coordinator or a bundle: `endtime=T;concurrency=N;pausetime=T`.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E1015 (coordinators) or E1317 (bundles) if a value is wrong.
    pub fn change(&self, id: &str, value: &str) -> Result<(), ClientError> {
        self.put(id, "change", &[("value", value)], None).map(drop)
    }

    /// Ignores a coordinator that was killed or has failed.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E1015 in another state.
    pub fn ignore(&self, id: &str) -> Result<(), ClientError> {
        self.put(id, "ignore", &[], None).map(drop)
    }

    /// Ignores actions of a coordinator by their numbers; they as they are then.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E1024 if the state of one does not allow it.
    pub fn ignore_actions(
        &self,
        id: &str,
        numbers: &str,
    ) -> Result<CoordinatorActions, ClientError> {
        let text = self.put(id, "ignore", &Scope::Actions(numbers).query(), None)?;
        self.read(&text)
    }

    /// Gives a coordinator the newest definition of its application, and properties; what differs. With `is_dry` nothing is changed.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0803 if the definition cannot replace the old one.
    pub fn update(
        &self,
        id: &str,
        properties: &Properties,
        is_dry: bool,
    ) -> Result<String, ClientError> {
        let dry = if is_dry { "true" } else { "false" };
        let text = self.put(id, "update", &[("dryrun", dry)], Some(properties))?;
        let updated: Updated = self.read(&text)?;
        Ok(updated.update.diff)
    }
}
